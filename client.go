package robots

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// A Client finds, fetches and keeps the robots.txt of every origin it is asked
// about. The zero Client is ready: it obeys RFC 9309, has an HTTP client of its
// own, and keeps files in a [MemoryCache]. It is safe for concurrent use and
// must not be copied, nor its fields be changed, after the first use.
//
// # Redirects
//
// At most five are followed, to other hosts too, and the rules that are found
// apply to the origin that was asked for, to no other (RFC 9309 section
// 2.3.1.2). A sixth, a circle, or a redirect without a Location means that
// there is no file. A redirect to anything but http and https is unreachable.
// If HTTPClient has a Jar, a circle is followed too, within the five: some sites
// lead a client in one until it has their cookie.
//
// A redirect may not lead to an address closer to the crawler than the hosts
// that led there: from a public address neither to a private (RFC 1918,
// carrier-grade NAT, unique local) nor a loopback nor a link-local one, which
// is where clouds keep their credentials; from a private address not to a
// loopback one. A host that is written as an address, or is localhost, is also
// held against how the hosts before it were written: a name counts as public
// there. What is promised depends on HTTPClient:
//
//   - nil: every address is checked when it is dialled, after its name was
//     resolved, and refused before a connection is made;
//   - a client whose Transport is nil or an *http.Transport: such hops go
//     through a copy of it, over HTTP/1.1 and connections of their own, and
//     the address is checked once its dialer has connected, before the request
//     is sent; the handshake of a DialTLSContext comes before that;
//   - any other RoundTripper, and any proxy: they resolve names out of sight,
//     so only hosts that are written as an address, and localhost, are
//     refused; the rest is for them to check.
//
// The origin that is asked for itself is never refused: where a URL came from
// is for the caller to judge.
type Client struct {
	// HTTPClient sends the requests; nil for one without cookies, that keeps
	// no connections and takes proxies from the environment. Its Timeout holds
	// for each hop; its CheckRedirect is not called. A RoundTripper that does
	// not heed the context of a request can outlast both timeouts.
	HTTPClient *http.Client
	// UserAgent is the User-Agent header: the one that is sent for pages, or
	// sites will answer for another crawler. "" sends a name of the package.
	UserAgent string
	// Parser reads the files; zero is RFC 9309 and 500 KiB. Without a limit
	// (negative MaxBytes), Timeout alone bounds what a site can make a Client
	// hold.
	Parser Parser
	// Cache keeps the policies; nil for a MemoryCache of the Client's own. If
	// it fails, or takes longer than five seconds, the Client fetches, and keeps
	// the result for itself.
	Cache Cache
	// Outcome says what a final HTTP status means; nil for [StatusOutcome]. It
	// is for crawlers that take 401 and 403 for a refusal, or that know a site
	// which answers 5xx for a file it does not have. DisallowAll for a status
	// that StatusOutcome takes for an answer is kept like one, for as long as
	// the site gives it, and a Cache holds what it said: Clients that share one
	// must agree. It is called from several goroutines, and never for a 304, nor
	// for a 407 of a proxy.
	Outcome func(status int) Outcome
	// Outage is what holds while a robots.txt is unreachable; zero for RFC
	// 9309. The table is in the documentation of the type.
	Outage Outage
	// DisallowFor is how long an unreachable robots.txt means "disallow all",
	// counted from the first failure; 0 for the Outage's own time, 30 days or
	// Google's 12 hours; negative for as long as it takes. OutageLastCopy
	// needs it only where there is no copy.
	DisallowFor time.Duration
	// Timeout bounds a whole fetch, redirects and body included; 0 or less for
	// 30 seconds. A timeout is a failure of the site.
	Timeout time.Duration
	// AllowPrivate lets redirects lead from public to private, loopback and
	// link-local addresses.
	AllowPrivate bool

	own     MemoryCache // the cache if Cache is nil, and if it fails
	mu      sync.Mutex  // guards flights
	flights map[string]*flight
}

// cacheTimeout is how long a Client waits for a Cache before it does without.
const cacheTimeout = 5 * time.Second

// A flight is a fetch that any number of callers wait for.
type flight struct {
	done    chan struct{} // closed when policy is set
	policy  *Policy
	waiting int                // callers; guarded by Client.mu
	cancel  context.CancelFunc // called when the last of them has left
}

// Allowed reports whether agent may fetch rawURL now. It is false whenever
// there is an error, which is a bad URL (*[URLError]) or the end of ctx.
// A site that cannot be reached is not an error: see [Client.Policy].
func (c *Client) Allowed(ctx context.Context, agent, rawURL string) (bool, error) {
	p, err := c.Policy(ctx, rawURL)
	if err != nil {
		return false, err
	}
	return p.Allowed(agent, rawURL), nil
}

// Policy returns the policy for the origin of rawURL: from the cache while it
// is fresh, else from the site. However many callers ask for one origin at a
// time, it is sent one request; each of them waits no longer than its own ctx,
// and the request goes on as long as one of them does.
//
// An unreachable site is a Policy with its Err set, not an error. The errors
// are a *[URLError], and one that wraps ctx.Err().
func (c *Client) Policy(ctx context.Context, rawURL string) (*Policy, error) {
	robotsURL, err := Locate(rawURL)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("robots: asking for %s: %w", robotsURL, err)
	}
	now := wallClock()
	if p, _ := c.stored(ctx, robotsURL, now); p != nil && p.fresh(now) {
		return p.during(c.Outage, c.DisallowFor, now), nil
	}
	f := c.join(ctx, robotsURL)
	select {
	case <-f.done:
		return f.policy, nil
	case <-ctx.Done():
		c.leave(robotsURL, f)
		return nil, fmt.Errorf("robots: waiting for %s: %w", robotsURL, ctx.Err())
	}
}

// join returns the flight for robotsURL, and starts it if there is none.
func (c *Client) join(ctx context.Context, robotsURL string) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.flights[robotsURL]
	if f == nil {
		// The flight outlives the caller who began it if others have joined,
		// so it takes the values of ctx, but neither its end nor its deadline.
		var flying context.Context
		f = &flight{done: make(chan struct{})}
		flying, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
		if c.flights == nil {
			c.flights = make(map[string]*flight)
		}
		c.flights[robotsURL] = f
		go c.fly(flying, robotsURL, f)
	}
	f.waiting++
	return f
}

// leave takes a caller off a flight. Without any it is called off, and the next
// one who asks begins another.
func (c *Client) leave(robotsURL string, f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		f.cancel()
		c.land(robotsURL, f)
	}
}

// land takes a flight off the list; c.mu must be held.
func (c *Client) land(robotsURL string, f *flight) {
	if c.flights[robotsURL] == f {
		delete(c.flights, robotsURL)
	}
}

// fly fetches and stores a policy, and hands it to those who wait.
func (c *Client) fly(ctx context.Context, robotsURL string, f *flight) {
	// It ends for them even if a function of the caller's ends the goroutine.
	f.policy = &Policy{URL: robotsURL, Err: &FetchError{URL: robotsURL, Err: errors.New("the fetch was given up")}}
	defer func() {
		f.cancel()
		c.mu.Lock()
		c.land(robotsURL, f)
		c.mu.Unlock()
		close(f.done)
	}()
	// Another flight may have landed since the caller looked.
	now := wallClock()
	p, sure := c.stored(ctx, robotsURL, now)
	if p == nil || !p.fresh(now) {
		p = c.fetch(ctx, robotsURL, p)
		if ctx.Err() != nil && p.Err != nil {
			return // everybody has left: the failure is ours, not the site's
		}
		c.store(ctx, robotsURL, p, sure)
	}
	f.policy = p.during(c.Outage, c.DisallowFor, wallClock())
}

// key returns the cache key of a robots.txt URL. Parsers that differ keep
// their files apart.
func (c *Client) key(robotsURL string) string {
	if c.Parser == (Parser{}) {
		return robotsURL
	}
	return robotsURL + "#dialect=" + strconv.Itoa(int(c.Parser.Dialect)) + "&limit=" + strconv.Itoa(c.Parser.limit())
}

// stored returns the policy that is kept, nil if there is none. A policy of
// another URL is none. What the Client keeps itself, because the Cache failed, is
// joined with what that holds; an answer that is still fresh is enough by itself,
// so that a Cache that hangs costs its time once for each fetch.
//
// sure is false if the Cache could not say what it holds.
func (c *Client) stored(ctx context.Context, robotsURL string, now time.Time) (p *Policy, sure bool) {
	key := c.key(robotsURL)
	own, _ := c.own.Get(ctx, key)
	if c.Cache == nil || own != nil && own.FailingSince.IsZero() && own.fresh(now) {
		return own, true
	}
	ctx, cancel := context.WithTimeout(ctx, cacheTimeout)
	defer cancel()
	p, err := c.Cache.Get(ctx, key)
	if err != nil || p == nil || p.URL != robotsURL {
		return own, err == nil || errors.Is(err, ErrCacheMiss)
	}
	return own.joined(p, now), true
}

// store keeps a policy in the Cache, and if that fails in the Client's own. It
// does so even if those who waited for it are gone by now, and has it at hand for
// those who come meanwhile.
//
// To a Cache that could not be read (sure is false) goes only a file that was
// just read: it may hold a good copy that is later than any other, which is not
// to be lost. The Client keeps such a file itself as well, since it may not be
// able to read it there.
func (c *Client) store(ctx context.Context, robotsURL string, p *Policy, sure bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cacheTimeout)
	defer cancel()
	key := c.key(robotsURL)
	c.own.Put(ctx, key, p)
	if c.Cache != nil && (sure || p.Outcome == Parsed) && c.Cache.Put(ctx, key, p) == nil && sure {
		c.own.remove(key, p)
	}
}

func (c *Client) timeout() time.Duration {
	if c.Timeout <= 0 {
		return defaultTimeout
	}
	return c.Timeout
}

func (c *Client) userAgent() string {
	if c.UserAgent == "" {
		return defaultUserAgent
	}
	return c.UserAgent
}

func (c *Client) outcome(status int) Outcome {
	if c.Outcome == nil {
		return StatusOutcome(status)
	}
	return c.Outcome(status)
}
