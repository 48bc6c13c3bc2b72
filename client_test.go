package robots_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/robots"
)

// singleFlight has n goroutines ask about a cold origin at once.
func singleFlight(t *testing.T, n int) {
	t.Helper()
	w := newWeb(t)
	arrived, release := make(chan struct{}), make(chan struct{})
	w.handle("https://example.com", func(rw http.ResponseWriter, r *http.Request) {
		close(arrived) // panics if there is a second request at a time
		<-release
		text(rules)(rw, r)
	})
	c := w.client()
	var wg sync.WaitGroup
	var wrong atomic.Int32
	var asking sync.WaitGroup
	asking.Add(n)
	for i := range n {
		wg.Go(func() {
			url := fmt.Sprintf("https://example.com/%d", i)
			if i%2 == 0 {
				url = fmt.Sprintf("HTTPS://EXAMPLE.com:443/x%d", i)
			}
			asking.Done()
			ok, err := c.Allowed(context.Background(), "ExampleBot", url)
			if err != nil || ok != (i%2 == 1) {
				wrong.Add(1)
			}
		})
	}
	asking.Wait()
	<-arrived
	close(release)
	wg.Wait()
	if wrong.Load() > 0 {
		t.Errorf("%d of %d got a wrong answer", wrong.Load(), n)
	}
	if seen := w.seen(); len(seen) != 1 {
		t.Errorf("%d requests, want 1", len(seen))
	}
}

func TestSingleFlight(t *testing.T) { singleFlight(t, 1000) }

// Callers that come as others leave never make a second request to an origin
// that has answered.
func TestSingleFlightLate(t *testing.T) {
	w := newWeb(t)
	w.handle("https://example.com", text(rules))
	c := w.client()
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			for range 20 {
				if ok, err := c.Allowed(context.Background(), "ExampleBot", "https://example.com/x"); ok || err != nil {
					t.Errorf("Allowed = %v, %v", ok, err)
				}
			}
		})
	}
	wg.Wait()
	if seen := w.seen(); len(seen) != 1 {
		t.Errorf("%d requests, want 1", len(seen))
	}
}

// The one who happens to ask first is no more than the others: when it leaves,
// they go on.
func TestLeaderCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEpoch(t)
		e.serve(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			time.Sleep(10 * time.Second)
			text(rules)(rw, r)
		}))
		leader, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() {
			p, err := e.client.Policy(leader, "http://example.com/")
			if p != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("leader: %v, %v, want context.Canceled", p, err)
			}
		})
		synctest.Wait()
		for range 10 {
			wg.Go(func() {
				if p := e.ask(t); p.Outcome != robots.Parsed {
					t.Errorf("follower: outcome %v, err %v", p.Outcome, p.Err)
				}
			})
		}
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if _, err := e.client.Policy(ctx, "http://example.com/"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("follower with a deadline: %v, want context.DeadlineExceeded", err)
			}
			if waited := time.Since(bubbleStart); waited != time.Second {
				t.Errorf("follower with a deadline waited %v", waited)
			}
		})
		synctest.Wait()
		cancel()
		wg.Wait()
		if n := e.requests(); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
}

// When all have left, the request is called off, counts for nothing, and the
// next one who asks begins anew.
func TestEverybodyCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEpoch(t)
		gone := make(chan struct{})
		e.serve(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			close(gone)
		}))
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i+1)*time.Second)
				defer cancel()
				if ok, err := e.client.Allowed(ctx, "ExampleBot", "http://example.com/"); ok || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Allowed = %v, %v, want context.DeadlineExceeded", ok, err)
				}
			})
		}
		wg.Wait()
		<-gone // well before the Client's own timeout
		if waited := time.Since(bubbleStart); waited != 3*time.Second {
			t.Errorf("the request was called off after %v, want 3s", waited)
		}
		e.serve(text(rules))
		if p := e.want(t, robots.Parsed, 2); !p.FailingSince.IsZero() {
			t.Errorf("failing since %v", p.FailingSince)
		}
	})
}

// The stalled: no head, a head and no body, a body that drips. Timeout bounds
// them all.
func TestTimeout(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"no head": func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"no body": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"half a body": func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte("User-agent: *\nDisallow: /private\nAllow: /"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"drip": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte("#")); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				time.Sleep(time.Second)
			}
		},
		"slow redirects": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(8 * time.Second)
			redirect(302, r.URL.Path+"x")(w, r)
		},
	} {
		for _, timeout := range []time.Duration{0, 5 * time.Second} {
			t.Run(fmt.Sprint(name, " ", timeout), func(t *testing.T) {
				inTime(t, func(t *testing.T, e *epoch) {
					e.client.Timeout = timeout
					e.serve(h)
					p := e.ask(t)
					if p.Outcome != robots.DisallowAll || !errors.Is(p.Err, context.DeadlineExceeded) {
						t.Errorf("outcome %v, err %v, want a deadline exceeded", p.Outcome, p.Err)
					}
					want := timeout
					if want == 0 {
						want = 30 * time.Second
					}
					if took := time.Since(bubbleStart); took != want {
						t.Errorf("took %v, want %v", took, want)
					}
				})
			})
		}
	}
}

func TestPolicyErrors(t *testing.T) {
	var c robots.Client
	p, err := c.Policy(context.Background(), "ftp://example.com/")
	var bad *robots.URLError
	if p != nil || !errors.As(err, &bad) {
		t.Errorf("Policy of a bad URL = %v, %v", p, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if p, err := c.Policy(ctx, "https://example.com/"); p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Policy with a cancelled context = %v, %v", p, err)
	}
	if ok, err := c.Allowed(context.Background(), "ExampleBot", ""); ok || err == nil {
		t.Errorf("Allowed of no URL = %v, %v", ok, err)
	}
}

// Client.Outcome has the last word on a status. A status that it refuses, and
// that the standard takes for an answer, is no failure: no time changes it.
func TestClientOutcome(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.client.Outcome = func(status int) robots.Outcome {
			switch status {
			case 403:
				return robots.DisallowAll
			case 500:
				return robots.AllowAll
			case 404:
				return robots.Parsed
			case 410:
				return 77
			}
			return robots.StatusOutcome(status)
		}
		e.serve(answer(403, "", ""))
		for range 40 {
			p := e.want(t, robots.DisallowAll, 1)
			if p.Err == nil || !p.FailingSince.IsZero() || p.Expires.Sub(p.Fetched) != day {
				t.Fatalf("err %v, failing since %v, expires after %v", p.Err, p.FailingSince, p.Expires.Sub(p.Fetched))
			}
			if q := roundTrip(t, p); !q.FailingSince.IsZero() || q.Err.Error() != p.Err.Error() {
				t.Fatalf("after a round trip: failing since %v, err %v", q.FailingSince, q.Err)
			}
			time.Sleep(day)
		}
		e.serve(answer(500, "", ""))
		e.want(t, robots.AllowAll, 1)
		time.Sleep(day)
		e.serve(answer(404, "", rules))
		if p := e.want(t, robots.Parsed, 1); p.Allowed("ExampleBot", "/x") {
			t.Error("/x is allowed")
		}
		time.Sleep(day)
		e.serve(answer(410, "", rules))
		e.want(t, robots.DisallowAll, 1)
		time.Sleep(day)
		e.serve(answer(502, "", ""))
		if p := e.want(t, robots.DisallowAll, 1); p.FailingSince.IsZero() {
			t.Error("a 502 is no failure")
		}
	})
}

// A function of the caller's that ends the goroutine ends the fetch too, and not
// with an answer. (t.FailNow in Outcome does that.)
func TestOutcomeGoexit(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.serve(text(rules))
		e.client.Outcome = func(int) robots.Outcome {
			runtime.Goexit()
			return robots.Parsed
		}
		for range 2 {
			if p := policy(t, e.client, "http://example.com/"); p.Outcome != robots.DisallowAll || p.Err == nil || p.Allowed("ExampleBot", "/") {
				t.Errorf("outcome %v, err %v", p.Outcome, p.Err)
			}
		}
	})
}

// Clients that share a cache and read files differently do not get each
// other's files.
func TestParsersApart(t *testing.T) {
	w := newWeb(t)
	// In the Google dialect a rule's escapes are not decoded (S10).
	w.handle("https://example.com", text("User-agent: *\nDisallow: /%61\n"))
	shared := new(robots.MemoryCache)
	rfc, google := w.client(), w.client()
	rfc.Cache, google.Cache = shared, shared
	google.Parser = robots.Parser{Dialect: robots.Google}
	for range 2 {
		if ok, err := rfc.Allowed(context.Background(), "ExampleBot", "https://example.com/a"); ok || err != nil {
			t.Errorf("RFC9309: Allowed = %v, %v", ok, err)
		}
		if ok, err := google.Allowed(context.Background(), "ExampleBot", "https://example.com/a"); !ok || err != nil {
			t.Errorf("Google: Allowed = %v, %v", ok, err)
		}
	}
	if n := len(w.seen()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func BenchmarkClientAllowed(b *testing.B) {
	w := newWeb(b)
	w.handle("https://www.example.com", text("User-agent: *\nDisallow: /private/\nDisallow: /*.php$\nAllow: /private/open/\nDisallow: /search\nCrawl-delay: 5\nSitemap: https://www.example.com/s.xml\n"))
	c := w.client()
	ctx := context.Background()
	if _, err := c.Policy(ctx, "https://www.example.com/"); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := c.Allowed(ctx, "ExampleBot", "https://www.example.com/some/page?q=1"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
