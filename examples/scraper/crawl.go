package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/robots"
	"golang.org/x/net/html"
)

const (
	userAgent = "ExampleBot/1.0 (+https://example.com/bot)"
	pageLimit = 1 << 20 // octets of a page that are read
	bodyTime  = 30 * time.Second
	parallel  = 8 // requests at a time; to one site they go one after another
)

// A Page is what came of one URL.
type Page struct {
	URL    string
	Status int   // of the response; 0 if there is none
	Err    error // why there is none: a *robots.DisallowedError if it may not be fetched
	links  []string
}

// A Crawler fetches the pages of some sites, as far as their robots.txt allows.
type Crawler struct {
	HTTP  *http.Client    // with a robots.Transport
	Hosts map[string]bool // "host" or "host:port": links to others are not followed
	Pages int             // the most that are asked for

	Done, Skipped, Found atomic.Int64 // for a progress line
}

// Crawl starts at the given URLs and follows links, nearest pages first. The
// pages are in the order in which they were found.
func (c *Crawler) Crawl(ctx context.Context, start ...string) []Page {
	var pages []Page
	seen := make(map[string]bool)
	for level := c.pick(seen, start); len(level) > 0; {
		got := c.fetchAll(ctx, level[:min(len(level), c.Pages-len(pages))])
		pages = append(pages, got...)
		if len(pages) == c.Pages || ctx.Err() != nil {
			break
		}
		var links []string
		for _, p := range got {
			links = append(links, p.links...)
		}
		level = c.pick(seen, links)
	}
	return pages
}

// pick returns the URLs that have not been seen and are on the crawler's hosts.
func (c *Crawler) pick(seen map[string]bool, links []string) []string {
	links = slices.DeleteFunc(links, func(link string) bool {
		u, err := url.Parse(link)
		if err != nil || !c.Hosts[u.Host] || seen[link] {
			return true
		}
		seen[link] = true
		return false
	})
	c.Found.Add(int64(len(links)))
	return links
}

func (c *Crawler) fetchAll(ctx context.Context, urls []string) []Page {
	pages := make([]Page, len(urls))
	var wg sync.WaitGroup
	slots := make(chan bool, parallel)
	for i, u := range urls {
		slots <- true
		wg.Go(func() {
			pages[i] = c.fetch(ctx, u)
			if c.Done.Add(1); pages[i].Err != nil {
				c.Skipped.Add(1)
			}
			<-slots
		})
	}
	wg.Wait()
	return pages
}

func (c *Crawler) fetch(ctx context.Context, u string) Page {
	page := Page{URL: u}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		page.Err = err
		return page
	}
	req.Header.Set("User-Agent", userAgent)
	resp, err := c.HTTP.Do(req)
	if err != nil {
		page.Err = err
		return page
	}
	defer resp.Body.Close()
	defer time.AfterFunc(bodyTime, cancel).Stop()
	page.Status = resp.StatusCode
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		page.links = links(resp.Request.URL, io.LimitReader(resp.Body, pageLimit))
	}
	return page
}

// links returns where the <a> elements of a page lead, as absolute URLs without
// fragments.
func links(base *url.URL, r io.Reader) []string {
	var list []string
	for z := html.NewTokenizer(r); ; {
		switch z.Next() {
		case html.ErrorToken:
			return list
		case html.StartTagToken:
			t := z.Token()
			i := slices.IndexFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "href" })
			if t.Data != "a" || i < 0 {
				continue
			}
			if u, err := base.Parse(strings.TrimSpace(t.Attr[i].Val)); err == nil {
				u.Fragment = ""
				list = append(list, u.String())
			}
		}
	}
}

// String tells what came of a page, and if it was skipped, why: as it is in
// robots.txt, with the line.
func (p Page) String() string {
	var refused *robots.DisallowedError
	var slow *SlowError
	switch {
	case errors.As(p.Err, &refused):
		s := fmt.Sprintf("skip  %s  %v", p.URL, refused.Decision)
		if refused.URL != p.URL {
			s += ", redirected to " + refused.URL
		}
		if refused.Err != nil {
			s += fmt.Sprintf("; %v", refused.Err)
		}
		return s
	case errors.As(p.Err, &slow):
		return fmt.Sprintf("skip  %s  %v", p.URL, slow)
	case p.Err != nil:
		return fmt.Sprintf("fail  %s  %v", p.URL, p.Err)
	}
	return fmt.Sprintf("%d   %s", p.Status, p.URL)
}
