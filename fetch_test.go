package robots_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/robots"
)

// TestFetchVectors goes through the fetch vectors F1 to F10: what a Client of
// each practice makes of an answer when it comes first.
func TestFetchVectors(t *testing.T) {
	const (
		deny   = robots.DisallowAll
		open   = robots.AllowAll
		parsed = robots.Parsed
	)
	hops := func(n int) func(*web) {
		return func(w *web) {
			path := "/robots.txt"
			for i := range n {
				next := "/hop" + string(rune('0'+i))
				w.handle("https://example.com"+path, redirect(302, next))
				path = next
			}
			w.handle("https://example.com"+path, text(rules))
		}
	}
	serve := func(h http.HandlerFunc) func(*web) { return func(w *web) { w.handle("https://example.com", h) } }
	for _, tt := range []struct {
		id    string
		setup func(*web)
		want  robots.Outcome
		x, y  bool // whether /x and /y are allowed
	}{
		{"F1", serve(text(rules)), parsed, false, true},
		{"F2", serve(answer(200, "Content-Type: text/html", "<html>\nUser-agent: *\n<b>\nDisallow: /x\n</b></html>")), parsed, false, true},
		{"F3", hops(5), parsed, false, true},
		{"F4", hops(6), open, true, true},
		{"F5 404", serve(answer(404, "", rules)), open, true, true},
		{"F5 401", serve(answer(401, "", rules)), open, true, true},
		{"F5 403", serve(answer(403, "", rules)), open, true, true},
		{"F5 410", serve(answer(410, "", rules)), open, true, true},
		{"F5b", serve(answer(429, "", rules)), deny, false, false},
		{"F6 500", serve(answer(500, "", rules)), deny, false, false},
		{"F6 503", serve(answer(503, "", rules)), deny, false, false},
		{"F9", serve(text(strings.Repeat("#", robots.MaxBytes) + "\n" + rules)), parsed, true, true},
		{"F10 timeout", serve(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), deny, false, false},
		{"F10 refused", func(w *web) { w.raw["example.com"] = "127.0.0.1:1" }, deny, false, false},
	} {
		for _, o := range []robots.Outage{robots.OutageRFC9309, robots.OutageGoogle, robots.OutageLastCopy} {
			t.Run(tt.id+" "+o.String(), func(t *testing.T) {
				w := newWeb(t)
				tt.setup(w)
				c := w.client()
				c.Outage = o
				if strings.Contains(tt.id, "timeout") {
					c.Timeout = 50 * time.Millisecond
				}
				p := policy(t, c, "https://example.com/")
				checkPolicy(t, p)
				x, y := p.Allowed("ExampleBot", "https://example.com/x"), p.Allowed("ExampleBot", "https://example.com/y")
				if p.Outcome != tt.want || x != tt.x || y != tt.y {
					t.Errorf("outcome %v, /x %v, /y %v, err %v, want %v, %v, %v", p.Outcome, x, y, p.Err, tt.want, tt.x, tt.y)
				}
			})
		}
	}
	// F7 and F8 are about time: see TestOutages and the case ca-24h.
}

// The same over HTTP/2, where a body is cut in other ways.
func TestHTTP2(t *testing.T) {
	for _, tt := range []struct {
		name string
		h    http.HandlerFunc
		want robots.Outcome
	}{
		{"whole", text(rules), robots.Parsed},
		{"gzip", answer(200, "Content-Encoding: gzip", gzipped(rules)), robots.Parsed},
		{"404", answer(404, "", rules), robots.AllowAll},
		{"503", answer(503, "", rules), robots.DisallowAll},
		{"stream reset", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, rules)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, robots.DisallowAll},
		{"reset at once", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, robots.DisallowAll},
		{"shorter than it says", answer(200, "Content-Length: 100", rules), robots.DisallowAll},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, rules)
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("#", 4096)); err != nil {
					return
				}
			}
		}, robots.Parsed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWeb(t)
			proto := make(chan int, 1)
			w.handle("https://example.com", func(rw http.ResponseWriter, r *http.Request) {
				proto <- r.ProtoMajor
				tt.h(rw, r)
			})
			transport := w.transport()
			transport.ForceAttemptHTTP2 = true
			c := &robots.Client{HTTPClient: &http.Client{Transport: transport}, Timeout: 20 * time.Second}
			p := policy(t, c, "https://example.com/")
			checkPolicy(t, p)
			if p.Outcome != tt.want {
				t.Errorf("outcome %v, err %v, want %v", p.Outcome, p.Err, tt.want)
			}
			if got := <-proto; got != 2 {
				t.Errorf("HTTP/%d, want HTTP/2", got)
			}
		})
	}
}

// The caller's client keeps its say over everything but redirects.
func TestCallersClient(t *testing.T) {
	w := newWeb(t)
	w.handle("https://example.com", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	hc := &http.Client{Transport: w.transport(), Timeout: 30 * time.Millisecond}
	c := &robots.Client{HTTPClient: hc}
	if p := policy(t, c, "https://example.com/"); p.Outcome != robots.DisallowAll || p.Err == nil {
		t.Errorf("outcome %v, err %v, want the client's own timeout to count", p.Outcome, p.Err)
	}
	if hc.CheckRedirect != nil {
		t.Error("the caller's client was changed")
	}
	// A client that cannot send anything makes no site open.
	c = &robots.Client{UserAgent: "bad\nagent", HTTPClient: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{}}}}
	if ok, err := c.Allowed(context.Background(), "ExampleBot", "https://example.com/"); ok || err != nil {
		t.Errorf("Allowed = %v, %v", ok, err)
	}
}

// A proxy that wants credentials is not the site, which may have a file. A site
// that answers so, without a proxy, has none.
func TestProxyCredentials(t *testing.T) {
	s := httptest.NewServer(answer(407, "Proxy-Authenticate: Basic", ""))
	defer s.Close()
	proxy, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := &robots.Client{HTTPClient: &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}}
	for _, u := range []string{"http://example.com/", "https://example.com/"} {
		if p := policy(t, c, u); p.Outcome != robots.DisallowAll || p.FailingSince.IsZero() {
			t.Errorf("%s by the proxy: outcome %v, err %v", u, p.Outcome, p.Err)
		}
	}
	if p := policy(t, new(robots.Client), s.URL); p.Outcome != robots.AllowAll {
		t.Errorf("without a proxy: outcome %v, err %v", p.Outcome, p.Err)
	}
}

// A server that is hung up on may answer in the last moment: its handler
// returns, and with it an empty 200. That is no permission, and where everybody
// has left it is not kept.
func TestAnswerAfterTheEnd(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.client.HTTPClient = &http.Client{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
		})}
		if p := e.ask(t); p.Outcome != robots.DisallowAll || !errors.Is(p.Err, context.DeadlineExceeded) || p.Status != 0 {
			t.Errorf("Timeout: outcome %v, status %d, err %v", p.Outcome, p.Status, p.Err)
		}
		time.Sleep(hour)
		e.client = &robots.Client{HTTPClient: e.client.HTTPClient}
		e.client.HTTPClient.Timeout = time.Second
		if p := e.ask(t); p.Outcome != robots.DisallowAll || !errors.Is(p.Err, context.DeadlineExceeded) {
			t.Errorf("HTTPClient.Timeout: outcome %v, err %v", p.Outcome, p.Err)
		}
		cache := new(oddCache)
		e.client = &robots.Client{HTTPClient: &http.Client{Transport: e.client.HTTPClient.Transport}, Cache: cache}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if p, err := e.client.Policy(ctx, "http://example.com/"); p != nil || err == nil {
			t.Errorf("Policy = %+v, %v", p, err)
		}
		synctest.Wait()
		if cache.puts != 0 {
			t.Error("the answer was kept")
		}
	})
}
