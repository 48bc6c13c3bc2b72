package robots_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/robots"
)

func TestRedirects(t *testing.T) {
	const (
		deny   = robots.DisallowAll
		open   = robots.AllowAll
		parsed = robots.Parsed
	)
	for _, tt := range []struct {
		name    string
		setup   func(w *web)
		want    robots.Outcome
		status  int
		chain   []string // as Policy.Redirects
		warning string
	}{
		{"one", func(w *web) {
			w.handle("http://example.com", redirect(301, "https://example.com/robots.txt"))
			w.handle("https://example.com", text(rules))
		}, parsed, 200, []string{"https://example.com/robots.txt"}, ""},
		{"five, F3 R31 G14", func(w *web) {
			w.handle("http://example.com", redirect(301, "https://a.example.net/1"))
			w.handle("https://a.example.net", redirect(302, "//b.example.net/2"))
			w.handle("https://b.example.net/2", redirect(303, "/3?x=1#frag"))
			w.handle("https://b.example.net/3", redirect(307, "4"))
			w.handle("https://b.example.net/4", redirect(308, "https://c.example.net:443"))
			w.handle("https://c.example.net", text(rules))
		}, parsed, 200, []string{"https://a.example.net/1", "https://b.example.net/2", "https://b.example.net/3?x=1", "https://b.example.net/4", "https://c.example.net"}, ""},
		{"relative forms", func(w *web) {
			w.handle("http://example.com", redirect(301, "a/b/c.txt"))
			w.handle("http://example.com/a/b/c.txt", redirect(302, "../d.txt#frag"))
			w.handle("http://example.com/a/d.txt", redirect(303, "?q=1"))
		}, open, 303, []string{"http://example.com/a/b/c.txt", "http://example.com/a/d.txt", "http://example.com/a/d.txt?q=1"}, "circle"},
		{"six, F4 R32", func(w *web) {
			for i := range 6 {
				path := fmt.Sprintf("/r%d", i)
				if i == 0 {
					path = "/robots.txt"
				}
				w.handle("http://example.com"+path, redirect(302, fmt.Sprintf("/r%d", i+1)))
			}
			w.handle("http://example.com/r6", text(rules))
		}, open, 302, []string{"http://example.com/r1", "http://example.com/r2", "http://example.com/r3", "http://example.com/r4", "http://example.com/r5"}, "more than five"},
		{"circle of one", func(w *web) {
			w.handle("http://example.com", redirect(301, "/robots.txt"))
		}, open, 301, nil, "circle"},
		{"circle by another spelling", func(w *web) {
			w.handle("http://example.com", redirect(301, "HTTP://u:p@EXAMPLE.com:80/robots.txt#x"))
		}, open, 301, nil, "circle"},
		{"circle of two", func(w *web) {
			w.handle("http://example.com", redirect(301, "/a"))
			w.handle("http://example.com/a", redirect(301, "/b"))
			w.handle("http://example.com/b", redirect(301, "/a"))
		}, open, 301, []string{"http://example.com/a", "http://example.com/b"}, "circle"},
		{"no Location", func(w *web) {
			w.handle("http://example.com", answer(302, "", rules))
		}, open, 302, nil, "no Location"},
		{"empty Location", func(w *web) {
			w.handle("http://example.com", redirect(302, ""))
		}, open, 302, nil, "no Location"},
		{"to 404", func(w *web) {
			w.handle("http://example.com", redirect(301, "/new"))
			w.handle("http://example.com/new", answer(404, "", rules))
		}, open, 404, []string{"http://example.com/new"}, ""},
		{"to 500", func(w *web) {
			w.handle("http://example.com", redirect(301, "/new"))
			w.handle("http://example.com/new", answer(500, "", ""))
		}, deny, 500, []string{"http://example.com/new"}, ""},
		{"to 304", func(w *web) {
			w.handle("http://example.com", redirect(301, "/new"))
			w.handle("http://example.com/new", answer(304, "", ""))
		}, deny, 304, []string{"http://example.com/new"}, ""},
		{"305", func(w *web) {
			w.handle("http://example.com", redirect(305, "http://proxy.example.net/"))
		}, open, 305, nil, ""},
		{"300 with Location", func(w *web) {
			w.handle("http://example.com", redirect(300, "/new"))
			w.handle("http://example.com/new", text(rules))
		}, parsed, 200, []string{"http://example.com/new"}, ""},
		{"to an IDN", func(w *web) {
			w.handle("http://example.com", redirect(301, "https://www.exämple.com/robots.txt"))
			w.handle("https://www.xn--exmple-cua.com", text(rules))
		}, parsed, 200, []string{"https://www.xn--exmple-cua.com/robots.txt"}, ""},
		{"to octets that are no URL octets", func(w *web) {
			w.handle("http://example.com", redirect(301, "/caf\xe9 x"))
			w.handle("http://example.com/caf\xe9 x", text(rules))
		}, parsed, 200, []string{"http://example.com/caf%E9%20x"}, ""},
		{"body of a redirect", func(w *web) {
			w.handle("http://example.com", answer(301, "Location: /new", "User-agent: *\nAllow: /\n"))
			w.handle("http://example.com/new", text(rules))
		}, parsed, 200, []string{"http://example.com/new"}, ""},

		// What cannot be asked is not the same as a missing file.
		{"to ftp", func(w *web) { w.handle("http://example.com", redirect(302, "ftp://example.com/robots.txt")) }, deny, 302, nil, ""},
		{"to file", func(w *web) { w.handle("http://example.com", redirect(302, "file:///etc/robots.txt")) }, deny, 302, nil, ""},
		{"to javascript", func(w *web) { w.handle("http://example.com", redirect(302, "javascript:alert(1)")) }, deny, 302, nil, ""},
		{"to an opaque http URL", func(w *web) { w.handle("http://example.com", redirect(302, "http:robots.txt")) }, deny, 302, nil, ""},
		{"to no host", func(w *web) { w.handle("http://example.com", redirect(302, "http:///robots.txt")) }, deny, 302, nil, ""},
		{"to a bad host", func(w *web) { w.handle("http://example.com", redirect(302, "http://a..b/robots.txt")) }, deny, 302, nil, ""},
		{"to a bad port", func(w *web) { w.handle("http://example.com", redirect(302, "http://example.com:99999/")) }, deny, 302, nil, ""},
		{"to a bad URL", func(w *web) { w.handle("http://example.com", redirect(302, "http://[::1")) }, deny, 0, nil, ""},
		{"to a long URL", func(w *web) {
			w.handle("http://example.com", redirect(302, "/"+strings.Repeat("x", 9000)))
		}, deny, 302, nil, ""},
		{"to a URL that escaping makes long", func(w *web) {
			w.handle("http://example.com", redirect(302, "/"+strings.Repeat("\xe9", 4000)))
		}, deny, 302, nil, ""},
		{"to nobody", func(w *web) {
			w.handle("http://example.com", redirect(302, "http://gone.example.net/"))
			w.raw["gone.example.net"] = "127.0.0.1:1"
		}, deny, 0, []string{"http://gone.example.net/"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWeb(t)
			tt.setup(w)
			c := w.client()
			c.HTTPClient.CheckRedirect = func(*http.Request, []*http.Request) error {
				t.Error("the caller's CheckRedirect was called")
				return nil
			}
			p := policy(t, c, "http://example.com/x")
			checkPolicy(t, p)
			if p.Outcome != tt.want || p.Status != tt.status {
				t.Errorf("outcome %v, status %d, err %v, want %v, %d", p.Outcome, p.Status, p.Err, tt.want, tt.status)
			}
			if d := cmp.Diff(tt.chain, p.Redirects); d != "" {
				t.Errorf("Redirects (-want +got):\n%s", d)
			}
			if tt.warning != "" && !has(p.Warnings, tt.warning) {
				t.Errorf("warnings %q, want one with %q", p.Warnings, tt.warning)
			}
			if p.URL != "http://example.com/robots.txt" {
				t.Errorf("URL = %q, want the initial origin's", p.URL)
			}
			if got, want := p.Allowed("ExampleBot", "/x"), tt.want == open; got != want {
				t.Errorf("Allowed(/x) = %v, want %v", got, want)
			}
		})
	}
}

// A site that sends a client in a circle until it has its cookie is answered by a
// client that has a place for it. Other circles end after five steps.
func TestRedirectCookie(t *testing.T) {
	w := newWeb(t)
	w.handle("http://example.com", func(rw http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("seen"); err != nil {
			http.SetCookie(rw, &http.Cookie{Name: "seen", Value: "1"})
			http.Redirect(rw, r, "/robots.txt", http.StatusFound)
			return
		}
		text(rules)(rw, r)
	})
	w.handle("http://circle.example", redirect(302, "/robots.txt"))
	c := w.client()
	if p := policy(t, c, "http://example.com/"); p.Outcome != robots.AllowAll || !has(p.Warnings, "circle") {
		t.Errorf("without a Jar: outcome %v, warnings %q", p.Outcome, p.Warnings)
	}
	c = w.client()
	c.HTTPClient.Jar, _ = cookiejar.New(nil)
	if p := policy(t, c, "http://example.com/"); p.Outcome != robots.Parsed || p.Allowed("ExampleBot", "/x") || len(p.Redirects) != 1 {
		t.Errorf("outcome %v, redirects %q, warnings %q", p.Outcome, p.Redirects, p.Warnings)
	}
	w.seen()
	if p := policy(t, c, "http://circle.example/"); p.Outcome != robots.AllowAll || !has(p.Warnings, "more than five") {
		t.Errorf("a circle: outcome %v, warnings %q", p.Outcome, p.Warnings)
	}
	if n := len(w.seen()); n != 6 {
		t.Errorf("a circle: %d requests, want 6", n)
	}
}

// What a redirect finds is filed under the origin that was asked for, and says
// nothing of the one that it led to (R31).
func TestRedirectDoesNotPoison(t *testing.T) {
	w := newWeb(t)
	w.handle("https://a.example", redirect(301, "https://b.example/robots.txt?from=a"))
	w.handle("https://b.example", func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "from=a" {
			text("User-agent: *\nAllow: /\n")(rw, r)
			return
		}
		text("User-agent: *\nDisallow: /\n")(rw, r)
	})
	c := w.client()
	if !policy(t, c, "https://a.example/").Allowed("ExampleBot", "/") {
		t.Error("a.example denies")
	}
	if policy(t, c, "https://b.example/").Allowed("ExampleBot", "/") {
		t.Error("b.example allows: what a.example was sent counts for it")
	}
	if !policy(t, c, "https://a.example/").Allowed("ExampleBot", "/") {
		t.Error("a.example denies: what b.example says counts for it")
	}
	want := []string{"https://a.example/robots.txt", "https://b.example/robots.txt?from=a", "https://b.example/robots.txt"}
	if d := cmp.Diff(want, w.seen()); d != "" {
		t.Errorf("requests (-want +got):\n%s", d)
	}
}

// No credentials leave with a request, and the crawler's name does with each.
func TestRequestHeaders(t *testing.T) {
	w := newWeb(t)
	w.handle("http://example.com", redirect(301, "http://user:pw@example.net/robots.txt"))
	w.handle("http://example.net", text(rules))
	policy(t, w.client(), "http://u:p@example.com/x")
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.headers) != 2 {
		t.Fatalf("%d requests", len(w.headers))
	}
	for i, h := range w.headers {
		if h.Get("User-Agent") != "ExampleBot/1.0" {
			t.Errorf("request %d: User-Agent %q", i, h.Get("User-Agent"))
		}
		for _, name := range []string{"Authorization", "Cookie", "Referer", "Range", "If-None-Match", "If-Modified-Since"} {
			if v := h.Values(name); len(v) > 0 {
				t.Errorf("request %d: has %s: %q", i, name, v)
			}
		}
	}
}

func FuzzHeaders(f *testing.F) {
	for _, s := range []string{
		"Cache-Control: max-age=60\nAge: 5", "Cache-Control: no-store", "Cache-Control: max-age=99999999999999999999",
		"Expires: Mon, 30 Nov 2026 14:00:00 GMT", "Expires: 0\nDate: x", "Retry-After: 120", "Retry-After: Mon, 30 Nov 2026 14:00:00 GMT",
		"Location: //b.example/x", "Location: ../../x?y#z", "Location: http://u:p@[::1]:80/", "Location: file:///x", "Location: ?", "Location: \xff",
		"Content-Encoding: gzip", "Content-Range: bytes 0-5/6", "Content-Type: text/html; charset=x", "ETag: W/\"x\"", "Last-Modified: x",
		"ETag: a\x00b\nContent-Type: \x7f\nRetry-After: -0",
	} {
		f.Add(s, 200)
	}
	base := &url.URL{Scheme: "https", Host: "example.com", Path: "/robots.txt"}
	f.Fuzz(func(t *testing.T, lines string, status int) {
		h := header(lines)
		resp := &http.Response{StatusCode: status, Header: h, Body: http.NoBody, Request: &http.Request{URL: base}}
		p := robots.PolicyFromResponse(resp)
		checkPolicy(t, p)
		if p.Outcome != robots.DisallowAll && p.Outcome != robots.StatusOutcome(status) {
			t.Errorf("status %d, headers %q: outcome %v", status, lines, p.Outcome)
		}
		b, err := p.MarshalText()
		var q robots.Policy
		if err != nil || q.UnmarshalText(b) != nil {
			t.Errorf("headers %q: text %q does not read back", lines, b)
		}
		target, err := robots.RedirectTarget(base, h.Get("Location"))
		if err != nil || target == "" {
			return
		}
		u, err := url.Parse(target)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
			t.Errorf("Location %q leads to %q, which is %#v, %v", h.Get("Location"), target, u, err)
		}
		if again, err := robots.RedirectTarget(base, target); again != target || err != nil {
			t.Errorf("Location %q leads to %q, which leads to %q, %v", h.Get("Location"), target, again, err)
		}
		if req, err := http.NewRequest("GET", target, nil); err != nil || req.URL.String() != target {
			t.Errorf("Location %q leads to %q, which cannot be asked for: %v", h.Get("Location"), target, err)
		}
	})
}

// The chain of requests is in the error too.
func TestFetchErrorUnwrap(t *testing.T) {
	cause := errors.New("no route")
	c := &robots.Client{HTTPClient: &http.Client{Transport: roundTripFunc(func(*http.Request) (*http.Response, error) { return nil, cause })}}
	p := policy(t, c, "https://example.com/")
	if !errors.Is(p.Err, cause) {
		t.Errorf("Err = %v, want it to wrap the cause", p.Err)
	}
	if got, want := p.Err.Error(), `robots: "https://example.com/robots.txt" gives no rules: no route`; got != want {
		t.Errorf("Err = %q, want %q", got, want)
	}
	if !slices.Equal(p.Redirects, nil) {
		t.Errorf("Redirects = %q", p.Redirects)
	}
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
