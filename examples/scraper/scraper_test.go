package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/robots"
)

// The crawl of the example's own web, from a real server to what is printed.
func TestCrawl(t *testing.T) {
	web, err := startWeb()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer(web.Shop, "SHOP", web.Blog, "BLOG", web.Ill, "ILL", web.Slow, "SLOW")
	for _, tt := range []struct {
		pages int
		want  string
	}{
		{100, `
200   SHOP/
200   SHOP/shoes
skip  SHOP/shoes?sort=price  disallowed by line 7 "Disallow: /*?sort=" (group ExampleBot)
skip  SHOP/cart  disallowed by line 6 "Disallow: /cart" (group ExampleBot)
200   SHOP/cart/help
skip  SHOP/old  disallowed by line 6 "Disallow: /cart" (group ExampleBot), redirected to SHOP/cart
200   BLOG/
skip  ILL/  disallowed: robots.txt is unreachable; robots: "ILL/robots.txt" gives no rules: status 503
skip  SLOW/  SLOW/robots.txt asks for 1h0m0s between requests, which is more than 30s
200   SHOP/shoes/1
200   SHOP/shoes/2
200   BLOG/1
200   BLOG/2
skip  SHOP/cart?add=1  disallowed by line 6 "Disallow: /cart" (group ExampleBot)
skip  SHOP/cart?add=2  disallowed by line 6 "Disallow: /cart" (group ExampleBot)
`},
		{2, "\n200   SHOP/\n200   SHOP/shoes\n"},
	} {
		var out bytes.Buffer
		c := &Crawler{HTTP: newHTTPClient(time.Millisecond), Pages: tt.pages}
		err := crawl(t.Context(), c, &out, io.Discard, []string{web.Shop + "/"}, []string{web.Blog, web.Ill, web.Slow})
		if got := "\n" + names.Replace(out.String()); err != nil || got != tt.want {
			t.Errorf("crawl of %d pages: error %v, got:%s\nwant:%s", tt.pages, err, got, tt.want)
		}
	}
}

// Links to hosts that were not named are not followed, and an interrupt ends
// the crawl with what there is.
func TestOtherHosts(t *testing.T) {
	web, err := startWeb()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := &Crawler{HTTP: newHTTPClient(time.Millisecond), Pages: 100}
	if err := crawl(t.Context(), c, &out, io.Discard, []string{web.Blog + "/"}, nil); err != nil || strings.Contains(out.String(), web.Shop) {
		t.Errorf("crawl of the blog: error %v, got:\n%s", err, &out)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out.Reset()
	err = crawl(ctx, c, &out, io.Discard, []string{web.Blog + "/"}, nil)
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(out.String(), "fail") {
		t.Errorf("crawl after an interrupt: error %v, got:\n%s", err, &out)
	}
}

// A roundTrip answers requests without a server.
type roundTrip func(*http.Request) string

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(f(req))), Request: req}, nil
}

// The pauses between requests to one origin are those that its robots.txt asks
// for, whatever goes on elsewhere.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := map[string]string{
			"fast.example": "User-agent: *\nDisallow:\n",
			"slow.example": "User-agent: ExampleBot\nCrawl-delay: 2.5\n",
			"lazy.example": "User-agent: *\nCrawl-delay: 100\n",
		}
		times := make(map[string][]time.Duration)
		start := time.Now()
		web := roundTrip(func(req *http.Request) string {
			if req.URL.Path == "/robots.txt" {
				return files[req.Host]
			}
			times[req.Host] = append(times[req.Host], time.Since(start))
			return ""
		})
		client := &robots.Client{HTTPClient: &http.Client{Transport: web}}
		polite := &Polite{Agent: userAgent, Client: client, Base: web, Pause: time.Second, Most: time.Minute}
		hc := http.Client{Transport: &robots.Transport{Agent: userAgent, Client: client, Base: polite}}
		for range 3 {
			for _, host := range []string{"fast.example", "slow.example"} {
				resp, err := hc.Get("https://" + host + "/")
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
			}
		}
		// The requests go in turns, so that the slow site sets the pace of both:
		// 0, 0, 1, 2.5, 2.5, 5 seconds.
		for host, want := range map[string][]time.Duration{
			"fast.example": {0, time.Second, 2500 * time.Millisecond},
			"slow.example": {0, 2500 * time.Millisecond, 5 * time.Second},
		} {
			for i := range want {
				if got := times[host]; len(got) != len(want) || got[i].Round(time.Millisecond) != want[i] {
					t.Errorf("requests to %s at %v, want at %v", host, got, want)
					break
				}
			}
		}
		_, err := hc.Get("https://lazy.example/")
		if slow := (*SlowError)(nil); !errors.As(err, &slow) || slow.Asks != 100*time.Second {
			t.Errorf("Get(lazy.example) = %v, want a SlowError of 100 seconds", err)
		}
	})
}

func TestReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c Crawler
		c.Found.Store(7)
		c.Done.Store(4)
		c.Skipped.Store(1)
		var out bytes.Buffer
		done, ended := make(chan bool), make(chan bool)
		go func() {
			c.report(&out, done)
			close(ended)
		}()
		time.Sleep(1500 * time.Millisecond)
		close(done)
		<-ended
		if got, want := out.String(), "4 of 7 pages, 1 of them skipped\n"; got != want {
			t.Errorf("after 1.5 seconds: got %q, want %q", got, want)
		}
	})
}
