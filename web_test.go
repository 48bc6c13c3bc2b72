package robots_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/robots"
)

// A web is a small internet: real servers on the loopback for any number of
// origins, under their own names and with addresses of their own choice.
type web struct {
	mu        sync.Mutex
	handlers  map[string]http.Handler // by origin, "https://example.com"
	addresses map[string]string       // by host; public if not here
	raw       map[string]string       // listeners that are no web servers, by host
	requests  []string                // what was asked for, in order
	headers   []http.Header
	plain     *httptest.Server
	secure    *httptest.Server
}

// publicAddress is where hosts live that have no other address.
const publicAddress = "203.0.113.7"

func newWeb(t testing.TB) *web {
	w := &web{handlers: map[string]http.Handler{}, addresses: map[string]string{}, raw: map[string]string{}}
	w.plain = httptest.NewUnstartedServer(w)
	w.secure = httptest.NewUnstartedServer(w)
	quiet := log.New(io.Discard, "", 0)
	w.plain.Config.ErrorLog, w.secure.Config.ErrorLog = quiet, quiet
	w.secure.EnableHTTP2 = true
	w.plain.Start()
	w.secure.StartTLS()
	t.Cleanup(func() {
		w.plain.Close()
		w.secure.Close()
	})
	return w
}

// ServeHTTP finds the origin that a request is for.
func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	host := strings.ToLower(r.Host)
	origin := "http://" + strings.TrimSuffix(host, ":80")
	if r.TLS != nil {
		origin = "https://" + strings.TrimSuffix(host, ":443")
	}
	w.mu.Lock()
	w.requests = append(w.requests, origin+r.RequestURI)
	w.headers = append(w.headers, r.Header.Clone())
	h := w.handlers[origin+r.URL.Path]
	if h == nil {
		h = w.handlers[origin]
	}
	w.mu.Unlock()
	if h == nil {
		http.NotFound(rw, r)
		return
	}
	h.ServeHTTP(rw, r)
}

// handle lets h answer for an origin, or for one path of it.
func (w *web) handle(origin string, h http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.handlers[origin] = h
}

// seen returns the URLs that were asked for since it was last called.
func (w *web) seen() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.requests
	w.requests, w.headers = nil, nil
	return seen
}

// transport dials into the web.
func (w *web) transport() *http.Transport {
	return &http.Transport{
		DialContext:       w.dial,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: true,
	}
}

// client is a robots.Client that lives in the web.
func (w *web) client() *robots.Client {
	return &robots.Client{HTTPClient: &http.Client{Transport: w.transport()}, UserAgent: "ExampleBot/1.0"}
}

// dial connects to a host of the web; the connection claims to end at the
// host's address.
func (w *web) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	claimed, raw := w.addresses[host], w.raw[host]
	w.mu.Unlock()
	if claimed == "" {
		claimed = publicAddress
		if _, err := netip.ParseAddr(host); err == nil {
			claimed = host
		}
	}
	target := raw
	switch {
	case target != "":
	case port == "443" || port == "8443":
		target = w.secure.Listener.Addr().String()
	default:
		target = w.plain.Listener.Addr().String()
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, target)
	if err != nil {
		return nil, err
	}
	return claimedConn{conn, net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(claimed), 80))}, nil
}

type claimedConn struct {
	net.Conn
	remote net.Addr
}

func (c claimedConn) RemoteAddr() net.Addr { return c.remote }

// answer is a handler that gives one answer; headers are "Name: value" lines.
func answer(status int, headers, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for name, values := range header(headers) {
			w.Header()[name] = values
		}
		if _, ok := w.Header()["Content-Type"]; !ok {
			w.Header()["Content-Type"] = nil // no sniffing
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// text is the usual answer.
func text(body string) http.HandlerFunc {
	return answer(200, "Content-Type: text/plain", body)
}

// redirect sends the client elsewhere.
func redirect(status int, location string) http.HandlerFunc {
	return answer(status, "Location: "+location, "")
}

// rawHost makes a host that runs serve on each connection, after it has read
// the head of the request.
func (w *web) rawHost(t testing.TB, host string, serve func(net.Conn)) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer conn.Close()
				br := bufio.NewReader(conn)
				for {
					line, err := br.ReadSlice('\n')
					if err != nil {
						return
					}
					if len(bytes.TrimSpace(line)) == 0 {
						break
					}
				}
				w.mu.Lock()
				w.requests = append(w.requests, "raw "+host)
				w.mu.Unlock()
				serve(conn)
			})
		}
	})
	w.mu.Lock()
	w.raw[host] = l.Addr().String()
	w.mu.Unlock()
	t.Cleanup(func() {
		l.Close()
		wg.Wait()
	})
}

// policy asks a client and fails the test if that is an error.
func policy(t testing.TB, c *robots.Client, url string) *robots.Policy {
	t.Helper()
	p, err := c.Policy(context.Background(), url)
	if err != nil {
		t.Fatalf("Policy(%q): %v", url, err)
	}
	return p
}

// checkPolicy checks what must hold of every policy.
func checkPolicy(t testing.TB, p *robots.Policy) {
	t.Helper()
	if (p.File != nil) != (p.Outcome == robots.Parsed) {
		t.Errorf("%s: outcome %v with a File of %p", p.URL, p.Outcome, p.File)
	}
	if p.Outcome == robots.DisallowAll && p.Err == nil {
		t.Errorf("%s: disallow-all without an Err", p.URL)
	}
	if p.FailingSince.IsZero() && p.Stale || !p.FailingSince.IsZero() && p.Err == nil {
		t.Errorf("%s: failing since %v, stale %v, err %v", p.URL, p.FailingSince, p.Stale, p.Err)
	}
	if d := p.Expires.Sub(p.Fetched); d <= 0 || d > day {
		t.Errorf("%s: expires %v after it was fetched", p.URL, d)
	}
	if len(p.Redirects) > 5 {
		t.Errorf("%s: %d redirects", p.URL, len(p.Redirects))
	}
	if p.Size > robots.MaxBytes {
		t.Errorf("%s: size %d", p.URL, p.Size)
	}
	if _, err := p.MarshalText(); err != nil {
		t.Errorf("%s: MarshalText: %v", p.URL, err)
	}
}

// has reports whether one of the warnings holds a word.
func has(warnings []string, word string) bool {
	return slices.ContainsFunc(warnings, func(s string) bool { return strings.Contains(s, word) })
}

func httpHead(status string, lines ...string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\n%s\r\n\r\n", status, strings.Join(lines, "\r\n"))
}
