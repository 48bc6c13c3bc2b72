package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

//go:embed static
var static embed.FS

// A site is the files of the playground by name, in memory.
type site map[string][]byte

// build gathers the files, and compiles the one that is not there.
func build(ctx context.Context) (site, error) {
	s := make(site)
	entries, err := static.ReadDir("static")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if s[e.Name()], err = static.ReadFile("static/" + e.Name()); err != nil {
			return nil, err
		}
	}

	dir, err := os.MkdirTemp("", "playground-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	wasm := filepath.Join(dir, "playground.wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", wasm, "./wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %w (it has to be run in its folder: go run -C examples/playground .)\n%s", cmd, err, out)
	}
	if s["playground.wasm"], err = os.ReadFile(wasm); err != nil {
		return nil, err
	}

	// The glue of Go for browsers changes with the compiler, so it is taken from
	// the one that was used.
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	s["wasm_exec.js"], err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("this Go has no WebAssembly support (Debian has it in golang-misc): %w", err)
	}
	return s, err
}

// write writes the site to a folder.
func (s site) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, data := range s {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// policy is what the page may do: load what stands beside it, and nothing else.
// index.html repeats it for servers that do not send it.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// ServeHTTP serves the site.
func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store") // it is rebuilt at each start
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET: nothing is uploaded", http.StatusMethodNotAllowed)
		return
	}
	data, ok := s[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h.Set("Content-Type", contentType(name))
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

// contentType returns the type of a file by its name. Browsers insist on those
// of modules and of WebAssembly, and what the system says of them varies.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".wasm":
		return "application/wasm"
	}
	return "application/octet-stream"
}
