package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/robots"
	"github.com/gocolly/colly/v2"
)

// newSite serves a robots.txt and pages, /moved redirects to /private. It
// counts the requests for each path.
func newSite(t *testing.T, status int, file string) (*httptest.Server, func(path string) int) {
	t.Helper()
	var mu sync.Mutex
	seen := make(map[string]int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.URL.Path]++
		mu.Unlock()
		switch r.URL.Path {
		case "/robots.txt":
			w.WriteHeader(status)
			fmt.Fprint(w, file)
		case "/moved":
			http.Redirect(w, r, "/private", http.StatusFound)
		}
	}))
	t.Cleanup(s.Close)
	return s, func(path string) int {
		mu.Lock()
		defer mu.Unlock()
		return seen[path]
	}
}

func TestCrawl(t *testing.T) {
	s := httptest.NewServer(shop())
	defer s.Close()
	var out strings.Builder
	err := crawl(t.Context(), &out, s.URL+"/")
	const want = `
200   SHOP/
200   SHOP/shoes
skip  SHOP/cart  disallowed by line 6 "Disallow: /cart" (group ShopBot)
200   SHOP/cart/help
skip  SHOP/cart?from=old  disallowed by line 6 "Disallow: /cart" (group ShopBot)
`
	if got := "\n" + strings.ReplaceAll(out.String(), s.URL, "SHOP"); err != nil || got != want {
		t.Errorf("error %v, got:%s\nwant:%s", err, got, want)
	}
}

// The same URLs on real servers, by package robots and by Colly's own check. If
// Colly comes to agree in one of these, its row has no more reason to be here.
func TestBetterThanCollysOwn(t *testing.T) {
	const shopBot = "ShopBot/1.0 (+https://example.com/bot)"
	for _, tt := range []struct {
		name, agent string
		status      int
		file, path  string
		allowed     bool // by RFC 9309
	}{
		{"section 2.2.1: the token of a Mozilla User-Agent", userAgent, 200,
			"User-agent: ShopBot\nDisallow: /private\n\nUser-agent: *\nDisallow:\n", "/private", false},
		{"section 2.2.1: not the group of a name that ours begins with", shopBot, 200,
			"User-agent: Shop\nDisallow: /\n\nUser-agent: *\nDisallow:\n", "/open", true},
		{"section 2.2.2: Allow wins a tie", shopBot, 200,
			"User-agent: *\nDisallow: /page\nAllow: /page\n", "/page", true},
		{"section 2.2.2: the query in the order in which it is sent", shopBot, 200,
			"User-agent: *\nDisallow: /list?sort=price&color=red\n", "/list?sort=price&color=red", false},
		{"section 2.2.2: a pattern with a star begins at the start of the path", shopBot, 200,
			"User-agent: *\nDisallow: /private*x\n", "/open/private/x", true},
		{"section 2.2.2: escapes in either case are the same", shopBot, 200,
			"User-agent: *\nDisallow: /caf%c3%a9\n", "/caf%C3%A9", false},
		{"section 2.2.1: a rule before the first group is ignored, the rest is read", shopBot, 200,
			"Disallow: /open\nUser-agent: *\nDisallow: /private\n", "/open", true},
		{"section 2.2.4: a record that cannot be read does no harm", shopBot, 200,
			"User-agent: *\nCrawl-delay: soon\nDisallow: /private\n", "/open", true},
		{"section 2.2.2: a $ in the middle is no end", shopBot, 200,
			"User-agent: *\nDisallow: /a$b\n", "/a$b", false},
		{"section 2.3.1.2: the target of a redirect is asked about", shopBot, 200,
			"User-agent: *\nDisallow: /private\n", "/moved", false},
		{"status 429 is no file that is missing", shopBot, 429, "", "/open", false},
	} {
		s, _ := newSite(t, tt.status, tt.file)
		ours := colly.NewCollector(colly.UserAgent(tt.agent))
		Obey(ours, nil)
		err := ours.Visit(s.URL + tt.path)
		if got := err == nil; got != tt.allowed || !got && !errors.Is(err, robots.ErrDisallowed) {
			t.Errorf("%s: Visit(%s) = %v, want allowed = %v", tt.name, tt.path, err, tt.allowed)
		}
		own := colly.NewCollector(colly.UserAgent(tt.agent))
		own.IgnoreRobotsTxt = false
		if err := own.Visit(s.URL + tt.path); (err == nil) == tt.allowed {
			t.Errorf("%s: Colly agrees by now: Visit(%s) = %v", tt.name, tt.path, err)
		}
	}
}

func TestCollyLetsHeadPass(t *testing.T) {
	s, seen := newSite(t, 200, "User-agent: *\nDisallow: /private\n")
	own := colly.NewCollector(colly.UserAgent(userAgent))
	own.IgnoreRobotsTxt = false
	if err := own.Head(s.URL + "/private"); err != nil || seen("/private") != 1 {
		t.Errorf("Colly agrees by now: Head = %v", err)
	}
}

// What is disallowed is not sent, neither by the Collector nor by its clones,
// and robots.txt is asked for once.
func TestNothingIsSent(t *testing.T) {
	s, seen := newSite(t, 200, "User-agent: *\nDisallow: /private\n")
	c := colly.NewCollector(colly.UserAgent(userAgent), colly.Async())
	Obey(c, nil)
	clone := c.Clone()
	var mu sync.Mutex
	refused := 0
	for n, c := range []*colly.Collector{c, clone} {
		c.OnError(func(_ *colly.Response, err error) {
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, robots.ErrDisallowed) {
				refused++
			}
		})
		for i := range 10 {
			c.Visit(fmt.Sprintf("%s/private?%d-%d", s.URL, n, i))
			c.Head(fmt.Sprintf("%s/private?head=%d-%d", s.URL, n, i))
		}
		c.Visit(fmt.Sprintf("%s/open?%d", s.URL, n))
		c.Wait()
	}
	if refused != 40 || seen("/private") != 0 || seen("/robots.txt") != 1 || seen("/open") != 2 {
		t.Errorf("got %d refusals, want 40; %d requests for /private, want 0; %d for robots.txt, want 1; %d for /open, want 2",
			refused, seen("/private"), seen("/robots.txt"), seen("/open"))
	}
}

// A site whose robots.txt fails is left alone, and the error says why.
func TestUnreachable(t *testing.T) {
	s, seen := newSite(t, 503, "")
	c := colly.NewCollector(colly.UserAgent(userAgent))
	Obey(c, nil)
	err := c.Visit(s.URL + "/open")
	var refused *robots.DisallowedError
	var failed *robots.FetchError
	if !errors.As(err, &refused) || !errors.As(err, &failed) || failed.Status != 503 || seen("/open") != 0 {
		t.Errorf("Visit = %v, want a refusal because of status 503", err)
	}
}

// The delay of robots.txt is that of the site's limit.
func TestSlow(t *testing.T) {
	s, _ := newSite(t, 200, "User-agent: ShopBot\nCrawl-delay: 0.3\n")
	for agent, want := range map[string]time.Duration{userAgent: 300 * time.Millisecond, "OtherBot": time.Second} {
		c := colly.NewCollector(colly.UserAgent(agent))
		client := Obey(c, nil)
		p, err := client.Policy(t.Context(), s.URL)
		if err != nil {
			t.Fatal(err)
		}
		if got := pauseOf(p, agent, time.Second); got != want {
			t.Errorf("pauseOf(%s) = %v, want %v", agent, got, want)
		}
		if err := Slow(t.Context(), c, client, s.URL, time.Second); err != nil {
			t.Errorf("Slow: %v", err)
		}
	}
}
