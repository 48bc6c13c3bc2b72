// Command playground serves a page on which a robots.txt file is tried out: what
// a crawler may fetch, why, what is wrong with the file, and what another
// version of it changes. The library runs in the browser, compiled to
// WebAssembly, so that nothing is uploaded.
//
//	go run -C examples/playground .
//	go run -C examples/playground . -out DIR
//
// The second writes the page to a folder, for any web server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "the address to serve at")
	out := flag.String("out", "", "write the site to this folder instead of serving it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *addr, *out); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addr, out string) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("unknown argument %q: the flags are -addr and -out", flag.Arg(0))
	}
	fmt.Println("Compiling the library to WebAssembly; the first time that takes a minute.")
	s, err := build(ctx)
	if err != nil {
		return err
	}
	if out != "" {
		return s.write(out)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("The playground is at http://%s/ (stop it with Ctrl-C).\n", l.Addr())
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { srv.Close() })
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
