package robots_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/robots"
)

// A spotty is one client's way to a Cache that others use too, and that keeps the
// text of a policy if asText is set.
type spotty struct {
	*robots.MemoryCache
	asText       bool
	noGet, noPut bool
}

var errSpotty = errors.New("connection refused")

func (s *spotty) Get(ctx context.Context, key string) (*robots.Policy, error) {
	if s.noGet {
		return nil, errSpotty
	}
	return s.MemoryCache.Get(ctx, key)
}

func (s *spotty) Put(ctx context.Context, key string, p *robots.Policy) error {
	if s.noPut {
		return errSpotty
	}
	if s.asText {
		text, err := p.MarshalText()
		if err != nil {
			return err
		}
		p = new(robots.Policy)
		if err := p.UnmarshalText(text); err != nil {
			return err
		}
	}
	return s.MemoryCache.Put(ctx, key, p)
}

// TestSharedOverTime has crawlers that share a Cache, which each of them reaches
// now and then, live through the good and the bad times of a site by chance. What
// must hold at any time:
//
//   - the last good copy in the Cache never gets older;
//   - a crawler uses no file older than one that it read itself, nor, if it reaches
//     the Cache, than the one that is there;
//   - an outage begins with a failure that somebody had, and after the last answer
//     that the crawler itself had;
//   - everything is allowed only for a missing file, or after 30 days, and denied
//     only during an outage, for 30 days;
//   - who asks twice causes one request at the most.
func TestSharedOverTime(t *testing.T) {
	const key = "http://example.com/robots.txt"
	version := func(f *robots.File) (n int) {
		if f == nil {
			return 0
		}
		fmt.Sscanf(f.String(), "# %d\n", &n)
		return n
	}
	for _, o := range []robots.Outage{robots.OutageRFC9309, robots.OutageLastCopy} {
		for seed := range uint64(6) {
			inTime(t, func(t *testing.T, e *epoch) {
				chance := rand.New(rand.NewPCG(seed, uint64(o)))
				shared := new(robots.MemoryCache)
				type crawler struct {
					*robots.Client
					cache    *spotty
					answered time.Time // last
					read     int       // the latest file that it read from the site
				}
				var crawlers []*crawler
				for range 3 {
					s := &spotty{MemoryCache: shared, asText: seed%2 == 1}
					crawlers = append(crawlers, &crawler{
						Client: &robots.Client{HTTPClient: e.client.HTTPClient, Cache: s, Outage: o},
						cache:  s,
					})
				}
				failures := make(map[int64]bool)
				var missing time.Time // the last time that anybody found no file
				files, inCache := 0, 0
				state := "file"
				outcomes := make(map[string]int)
				for range 4000 {
					if chance.IntN(40) == 0 {
						state = []string{"file", "none", "down", "down"}[chance.IntN(4)]
					}
					c := crawlers[chance.IntN(len(crawlers))]
					if chance.IntN(20) == 0 {
						c.cache.noGet, c.cache.noPut = chance.IntN(2) == 0, chance.IntN(2) == 0
					}
					switch state {
					case "file":
						files++
						e.serve(text(fmt.Sprintf("# %d\nUser-agent: *\nDisallow: /x\n", files)))
					case "none":
						e.serve(answer(404, "", ""))
					case "down":
						e.serve(broken)
					}
					now := time.Now()
					fail := func(format string, args ...any) {
						t.Helper()
						t.Fatalf("%v, seed %d, after %v, site %s, get %v, put %v: "+format,
							append([]any{o, seed, now.Sub(bubbleStart), state, !c.cache.noGet, !c.cache.noPut}, args...)...)
					}
					p := policy(t, c.Client, "http://example.com/x")
					asked := e.requests()
					if asked == 1 {
						switch state {
						case "down":
							failures[now.UnixNano()] = true
						case "none":
							missing, c.answered = now, now
						default:
							c.answered, c.read = now, files
						}
					}
					outcomes[fmt.Sprint(p.Outcome, " stale ", p.Stale)]++
					if policy(t, c.Client, "http://example.com/x"); e.requests() > 0 {
						fail("asked twice")
					}
					down := time.Duration(-1)
					if p.Err != nil {
						down = now.Sub(p.FailingSince)
					}
					if p.FailingSince.IsZero() != (p.Err == nil) || down >= 0 && (!failures[p.FailingSince.UnixNano()] || !p.FailingSince.After(c.answered)) {
						fail("failing since %v, err %v; last answer %v", p.FailingSince, p.Err, c.answered)
					}
					good := 0
					if q, err := shared.Get(t.Context(), key); err == nil {
						good = version(robots.GoodCopy(q))
					}
					if good < inCache {
						fail("the good copy in the Cache was %d and is %d", inCache, good)
					}
					inCache = good
					switch p.Outcome {
					case robots.Parsed:
						v := version(p.File)
						if v < c.read || p.Stale && !c.cache.noGet && v < inCache {
							fail("file %d is used; it has read %d, and the Cache has %d", v, c.read, inCache)
						}
						if !p.Stale && now.Sub(p.Fetched) > day {
							fail("a file of %v ago is used", now.Sub(p.Fetched))
						}
					case robots.AllowAll:
						if down < 30*day && (missing.IsZero() || now.Sub(missing) > day) {
							fail("everything is allowed; failing since %v, no file at %v", p.FailingSince, missing)
						}
					case robots.DisallowAll:
						if down < 0 || down >= 30*day {
							fail("everything is denied; failing since %v, err %v", p.FailingSince, p.Err)
						}
					}
					pause := time.Duration(chance.Int64N(int64(3 * hour)))
					if chance.IntN(12) == 0 {
						pause = time.Duration(chance.Int64N(int64(8 * day)))
					}
					time.Sleep(pause)
				}
				t.Logf("%v, seed %d: %v", o, seed, outcomes)
			})
		}
	}
}
