package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/robots"
	"golang.org/x/time/rate"
)

// Polite is an http.RoundTripper that keeps a pause between the requests to one
// origin: the Crawl-delay of its robots.txt, or Pause if it has none. It belongs
// under a robots.Transport, so that it sees each redirect too, and nothing that
// is disallowed.
type Polite struct {
	Agent  string         // product token or User-Agent, for the group whose Crawl-delay counts
	Client *robots.Client // the one that the robots.Transport uses
	Base   http.RoundTripper
	Pause  time.Duration // between requests to a site that asks for none
	Most   time.Duration // a site that asks for more is not crawled; 0 for no bound

	mu       sync.Mutex
	limiters map[string]*rate.Limiter // by origin: a crawler of many sites drops those of sites that it is done with
}

// SlowError is a site that asks for a longer pause than the crawler has time
// for. To come sooner would be rude.
type SlowError struct {
	Origin     string // its robots.txt
	Asks, Most time.Duration
}

// Error names the site and both pauses.
func (e *SlowError) Error() string {
	return fmt.Sprintf("%s asks for %v between requests, which is more than %v", e.Origin, e.Asks, e.Most)
}

// RoundTrip waits for the site's turn, and sends the request.
func (p *Polite) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := p.wait(req.Context(), req.URL.String()); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	return p.Base.RoundTrip(req)
}

func (p *Polite) wait(ctx context.Context, url string) error {
	policy, err := p.Client.Policy(ctx, url) // from the cache: the Transport has just asked
	if err != nil {
		return err
	}
	pause := p.pause(policy)
	if p.Most > 0 && pause > p.Most {
		return &SlowError{policy.URL, pause, p.Most}
	}
	return p.limiter(policy.URL, pause).Wait(ctx)
}

// pause returns what a policy asks for. Without a File there is nobody who
// could.
func (p *Polite) pause(policy *robots.Policy) time.Duration {
	if policy.File != nil {
		if d, ok := policy.File.Group(p.Agent).CrawlDelay(); ok {
			return d
		}
	}
	return p.Pause
}

func (p *Polite) limiter(origin string, pause time.Duration) *rate.Limiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.limiters[origin]
	if l == nil {
		if p.limiters == nil {
			p.limiters = make(map[string]*rate.Limiter)
		}
		l = rate.NewLimiter(rate.Every(pause), 1)
		p.limiters[origin] = l
	} else if want := rate.Every(pause); l.Limit() != want {
		l.SetLimit(want) // robots.txt has changed
	}
	return l
}
