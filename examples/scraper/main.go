// Command scraper crawls as robots.txt asks: see README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"time"

	"example.com/robots"
)

func main() {
	pages := flag.Int("pages", 100, "the most `pages` to ask for")
	pause := flag.Duration("pause", time.Second, "the `time` between requests to a site that asks for none")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if flag.NArg() > 0 {
		c := &Crawler{HTTP: newHTTPClient(*pause), Pages: *pages}
		err = crawl(ctx, c, os.Stdout, os.Stderr, flag.Args(), nil)
	} else {
		err = crawlOwn(ctx, os.Stdout, os.Stderr, *pages)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// crawlOwn crawls a small web that it serves itself.
func crawlOwn(ctx context.Context, out, progress io.Writer, pages int) error {
	web, err := startWeb()
	if err != nil {
		return err
	}
	c := &Crawler{HTTP: newHTTPClient(50 * time.Millisecond), Pages: pages}
	return crawl(ctx, c, out, progress, []string{web.Shop + "/"}, []string{web.Blog, web.Ill, web.Slow})
}

// crawl writes a line for each page that it finds from start, on the sites that
// start and sites name, and what it is doing to progress.
func crawl(ctx context.Context, c *Crawler, out, progress io.Writer, start, sites []string) error {
	c.Hosts = make(map[string]bool)
	for _, s := range append(sites, start...) {
		u, err := url.Parse(s)
		if err != nil {
			return err
		}
		c.Hosts[u.Host] = true
	}
	done := make(chan bool)
	go c.report(progress, done)
	list := c.Crawl(ctx, start...)
	close(done)
	for _, p := range list {
		if _, err := fmt.Fprintln(out, p); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// newHTTPClient returns one that can be used for anything: what robots.txt
// disallows is an error of Get, and what it slows down takes longer. Pause is
// for sites that ask for none.
func newHTTPClient(pause time.Duration) *http.Client {
	client := &robots.Client{UserAgent: userAgent}
	return &http.Client{
		// No Timeout, for it would count the pauses too.
		Transport: &robots.Transport{
			Agent:  userAgent,
			Client: client,
			Base: &Polite{
				Agent:  userAgent,
				Client: client,
				Base:   &http.Transport{ResponseHeaderTimeout: 20 * time.Second},
				Pause:  pause,
				Most:   30 * time.Second,
			},
		},
	}
}

// report writes a line now and then, until done is closed.
func (c *Crawler) report(w io.Writer, done <-chan bool) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			fmt.Fprintf(w, "%d of %d pages, %d of them skipped\n", c.Done.Load(), c.Found.Load(), c.Skipped.Load())
		}
	}
}
