package robots

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync/atomic"
	"time"
)

const (
	// maxRedirects is what RFC 9309 section 2.3.1.2 asks for at least, and
	// Google's most.
	maxRedirects = 5
	// maxLocation bounds a redirect's target in octets, as it is kept in the
	// Policy and sent in the next request.
	maxLocation = 8 << 10
	// defaultTimeout is for a whole fetch, redirects and body included.
	defaultTimeout = 30 * time.Second
	// defaultUserAgent is for a Client that does not say who it is.
	defaultUserAgent = "robots (Go package example.com/robots)"
)

// ownTransport is for a Client without an HTTPClient. Each origin is asked for
// one file a day, so no connection is worth keeping.
var ownTransport = &http.Transport{
	Proxy:                  http.ProxyFromEnvironment,
	DisableKeepAlives:      true,
	ForceAttemptHTTP2:      true,
	TLSHandshakeTimeout:    10 * time.Second,
	ResponseHeaderTimeout:  20 * time.Second,
	MaxResponseHeaderBytes: 256 << 10,
}

// A fetch is one request for a robots.txt, with the redirects that follow.
type fetch struct {
	client *Client
	http   http.Client // a copy of the caller's
	good   *goodCopy   // what validators are sent for; nil if nothing is stored
	policy *Policy     // what was found so far
	header http.Header // of the final response
	// How close the next hop may be, by the spelling of its host and by where
	// its connection ends. They are told apart because a dialer of the
	// caller's may map names to addresses as it likes, a tunnel's for one: then
	// a connection to the loopback does not make a public name a local one.
	spelled, dialled reach
}

// fetch asks for the robots.txt at robotsURL, which must come from Locate, and
// returns the policy that follows prev (nil if there is none).
func (c *Client) fetch(ctx context.Context, robotsURL string, prev *Policy) *Policy {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, fetching{}, true), c.timeout())
	// The connection is given up at once, not drained, when the body is cut.
	defer cancel()
	f := fetch{
		client:  c,
		policy:  &Policy{URL: robotsURL},
		spelled: reachLink,
		dialled: reachLink,
	}
	if c.HTTPClient != nil {
		f.http = *c.HTTPClient
	} else {
		f.http.Transport = ownTransport
	}
	// What a Transport checks for pages does not concern robots.txt, and what
	// it stands on can be guarded.
	for t, ok := f.http.Transport.(*Transport); ok; t, ok = f.http.Transport.(*Transport) {
		f.http.Transport = t.Base
	}
	if f.http.Transport == nil {
		f.http.Transport = http.DefaultTransport
	}
	// Redirects are counted, checked and noted here, whatever the caller's
	// client does for pages.
	f.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if prev != nil {
		f.good = prev.good
	}
	f.run(ctx, robotsURL)
	return f.policy.settled(prev, f.header, wallClock())
}

// fetching marks the context of our own requests, for a Transport that they
// may pass through.
type fetching struct{}

// run follows redirects to the final answer.
func (f *fetch) run(ctx context.Context, target string) {
	for {
		next := f.hop(ctx, target)
		if next == "" {
			return
		}
		f.policy.Redirects = append(f.policy.Redirects, next)
		target = next
	}
}

// hop sends one request. It returns the URL to go on with, or "" if the policy
// is complete but for its times.
//
// What comes once ctx has ended is not believed, complete as it may look. A
// server that notices that it is being hung up on may let its handler return,
// and with it an empty 200, in the moment before the connection is gone.
func (f *fetch) hop(ctx context.Context, target string) (next string) {
	// The timeout of the caller's client is for each hop, and is kept here so
	// that its end can be told.
	if f.http.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.http.Timeout)
		defer cancel()
	}
	next = f.exchange(ctx, target)
	if err := ctx.Err(); err != nil {
		p := f.policy
		*p = Policy{URL: p.URL, Redirects: p.Redirects, Err: &FetchError{URL: target, Err: err}}
		f.header = nil
		return ""
	}
	return next
}

// exchange is hop without a look at the time.
func (f *fetch) exchange(ctx context.Context, target string) (next string) {
	p := f.policy
	f.header = nil
	req, near, err := f.request(ctx, target)
	if err != nil {
		p.Err = &FetchError{URL: target, Err: err}
		return ""
	}
	client := f.http
	client.Timeout = 0
	if !f.client.AllowPrivate {
		if err := f.spelled.refuse(nameReach(req.URL), req.URL.Host); err != nil {
			p.Err = &FetchError{URL: target, Err: err}
			return ""
		}
		if f.dialled < reachLink {
			client.Transport = f.dialled.guarded(client.Transport, req)
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
			err = wrapped.Err // the URL is in the FetchError
		}
		p.Err = &FetchError{URL: target, Err: keptError(err)}
		return ""
	}
	defer resp.Body.Close()
	f.spelled = min(f.spelled, nameReach(req.URL))
	f.dialled = min(f.dialled, f.hopReach(req, near))
	f.header = resp.Header
	if resp.StatusCode == http.StatusNotModified && isConditional(req) {
		if !f.good.isOf(resp.Header) {
			f.good = nil
			return f.exchange(ctx, target) // once: it has no condition
		}
		p.Status, p.Outcome = resp.StatusCode, Parsed
		return ""
	}
	if resp.StatusCode == http.StatusProxyAuthRequired && f.proxied(req) {
		p.Status = resp.StatusCode
		p.fail(resp, errors.New("the proxy wants credentials, and the site was not asked"))
		return ""
	}
	if isRedirect(resp.StatusCode) {
		location := resp.Header.Get("Location")
		next, err := redirectTarget(req.URL, location)
		switch {
		case err != nil:
			p.Status = resp.StatusCode
			p.fail(resp, err)
			return ""
		case location == "":
			p.Warnings = append(p.Warnings, "the redirect has no Location")
		case f.http.Jar == nil && (next == p.URL || slices.Contains(p.Redirects, next)):
			p.Warnings = append(p.Warnings, "the redirects lead in a circle")
		case len(p.Redirects) == maxRedirects:
			p.Warnings = append(p.Warnings, "there are more than five redirects")
		default:
			return next
		}
		// A redirect that leads nowhere is unavailable (section 2.3.1.2).
	}
	p.read(resp, f.client.Parser, f.client.outcome)
	return ""
}

// request returns the request for a hop, and where the reach of its connection
// will stand, plus one; 0 if that is not known.
func (f *fetch) request(ctx context.Context, target string) (*http.Request, *atomic.Int32, error) {
	near := new(atomic.Int32)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			if r, ok := connReach(info.Conn); ok {
				near.Store(int32(r) + 1)
			}
		},
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("User-Agent", f.client.userAgent())
	req.Header.Set("Accept", "text/plain,*/*;q=0.8")
	// Asked for by name, gzip is left to readBody, which counts what comes out
	// of it and tells a broken stream from the end of a file.
	req.Header.Set("Accept-Encoding", "gzip")
	// Validators are about one URL; a redirect may lead elsewhere than it did.
	if f.good != nil && f.good.from == target {
		if f.good.etag != "" {
			req.Header.Set("If-None-Match", f.good.etag)
		}
		if f.good.lastModified != "" {
			req.Header.Set("If-Modified-Since", f.good.lastModified)
		}
	}
	return req, near, nil
}

// hopReach returns how close the host that answered is: by the address of the
// connection, or by its name if that is a proxy's or not known.
func (f *fetch) hopReach(req *http.Request, near *atomic.Int32) reach {
	n := near.Load()
	if n == 0 || f.proxied(req) {
		return nameReach(req.URL)
	}
	return reach(n - 1)
}

// proxied reports whether req is known to go through a proxy.
func (f *fetch) proxied(req *http.Request) bool {
	t, ok := f.http.Transport.(*http.Transport)
	return ok && proxied(t, req)
}

func isConditional(req *http.Request) bool {
	return req.Header.Get("If-None-Match") != "" || req.Header.Get("If-Modified-Since") != ""
}

// isRedirect reports whether a status sends the client elsewhere. The others
// of the 3xx, 304 aside, are answers that lead nowhere.
func isRedirect(code int) bool {
	switch code {
	case 300, 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// redirectTarget resolves a Location. The host of the result is in the form of
// Locate, and user information and fragment are gone: they are no part of what
// is asked for. An error means a target that cannot be asked at all, which is
// not the same as a missing file.
func redirectTarget(base *url.URL, location string) (string, error) {
	if location == "" {
		return "", nil
	}
	if len(location) > maxLocation {
		return "", errors.New("redirected to a URL of more than 8 KiB")
	}
	u, err := base.Parse(location)
	if err != nil {
		return "", errors.New("redirected to " + quoteShort(location) + ", which is no URL")
	}
	root, err := Locate(u.String())
	if err != nil {
		return "", errors.New("redirected to " + quoteShort(location) + ", which is no http or https URL with a usable host")
	}
	origin, err := url.Parse(root)
	if err != nil {
		return "", err
	}
	u.Scheme, u.Host, u.Opaque = origin.Scheme, origin.Host, ""
	target := bareURL(u)
	if len(target) > maxLocation {
		return "", errors.New("redirected to a URL of more than 8 KiB")
	}
	return target, nil
}
