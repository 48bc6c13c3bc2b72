package robots

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
)

// ErrDisallowed is what errors.Is finds in every [DisallowedError].
var ErrDisallowed = errors.New("robots: disallowed by robots.txt")

// A DisallowedError is a request that [Transport] did not send. An http.Client
// wraps it in its *url.Error; errors.As finds it there.
type DisallowedError struct {
	URL      string   // of the request, without user information
	Decision Decision // why: the rule and its line, or that robots.txt is unreachable
	Err      error    // why robots.txt is unreachable, the Policy's Err; else nil
}

// Error names the URL, and the rule with its line or the reason.
func (e *DisallowedError) Error() string {
	s := "robots: " + quoteShort(e.URL) + " is disallowed"
	switch d := e.Decision; d.Reason {
	case ReasonRule:
		s += " for " + quoteShort(d.Agent) + " by line " + strconv.Itoa(d.Rule.Line) + " of robots.txt, Disallow: " + quoteShort(d.Rule.Pattern)
	case ReasonUnreachable:
		s += " while robots.txt is unreachable"
	default:
		s += ": " + d.String()
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns e.Err.
func (e *DisallowedError) Unwrap() error { return e.Err }

// Is reports whether target is ErrDisallowed.
func (e *DisallowedError) Is(target error) bool { return target == ErrDisallowed }

// A Transport is an http.RoundTripper that asks robots.txt before it sends a
// request, and refuses with a *[DisallowedError] what it disallows. Under an
// http.Client it sees, and checks, each redirect as it is followed. Requests
// for /robots.txt itself, without a query, always pass (RFC 9309 section 2.2.2).
// What counts is the URL of a request: a Host of its own is not looked at.
//
// The zero Transport is ready. It is safe for concurrent use and must not be
// copied, nor its fields be changed, after the first use.
type Transport struct {
	// Agent is the product token of the crawler, or its User-Agent header; ""
	// for the User-Agent of each request. A request without either is asked
	// about for the agent "", which obeys the group of "*". It is who is asked
	// about, and not sent with requests for pages: their User-Agent is for the
	// caller to set.
	Agent string
	// Client finds the policies; nil for one of the Transport's own, which
	// sends its requests through Base with Agent as their User-Agent.
	Client *Client
	// Base sends the requests; nil for http.DefaultTransport.
	Base http.RoundTripper

	once sync.Once
	own  Client // if Client is nil
}

// RoundTrip sends a request if the policy of its origin allows it. The errors
// of its own are a *[DisallowedError], and those of [Client.Policy].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.check(req); err != nil {
		if req.Body != nil {
			req.Body.Close() // as the interface demands, on errors too
		}
		return nil, err
	}
	return t.base().RoundTrip(req)
}

// CloseIdleConnections closes those of Base, for http.Client's method.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

func (t *Transport) check(req *http.Request) error {
	if req.URL == nil {
		return &URLError{URL: "", Reason: "is missing from the request"}
	}
	// The Client's own requests may pass through here, on their way from a
	// robots.txt to where it redirects. They must not wait for themselves.
	if ours, _ := req.Context().Value(fetching{}).(bool); ours || req.URL.EscapedPath() == "/robots.txt" && req.URL.RawQuery == "" {
		return nil
	}
	if req.URL.Opaque != "" {
		return &URLError{URL: req.URL.String(), Reason: "is opaque, so that what it asks for cannot be checked"}
	}
	target := bareURL(req.URL)
	agent := t.Agent
	if agent == "" {
		agent = req.UserAgent()
	}
	p, err := t.client().Policy(req.Context(), target)
	if err != nil {
		return err
	}
	d := p.Explain(agent, target)
	if d.Allowed {
		return nil
	}
	refusal := &DisallowedError{URL: target, Decision: d}
	if d.Reason == ReasonUnreachable {
		refusal.Err = p.Err
	}
	return refusal
}

func (t *Transport) base() http.RoundTripper {
	if t.Base == nil {
		return http.DefaultTransport
	}
	return t.Base
}

func (t *Transport) client() *Client {
	if t.Client != nil {
		return t.Client
	}
	t.once.Do(func() {
		t.own.HTTPClient = &http.Client{Transport: t.base()}
		t.own.UserAgent = t.Agent
	})
	return &t.own
}
