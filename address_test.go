package robots_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"example.com/robots"
)

func TestAddressReach(t *testing.T) {
	const public, private, loopback, link = 0, 1, 2, 3
	for addr, want := range map[string]int{
		"8.8.8.8": public, "203.0.113.7": public, "2606:4700::1": public, "64:ff9b::808:808": public, "2002:808:808::1": public,
		"10.0.0.1": private, "172.16.0.1": private, "172.31.255.255": private, "192.168.1.1": private, "100.64.0.1": private, "100.127.255.255": private,
		"192.0.0.8": private, "198.18.0.1": private, "198.19.255.255": private, "fc00::1": private, "fd12:3456::1": private, "fec0::1": private,
		"::ffff:10.0.0.1": private, "64:ff9b::a00:1": private, "2002:a00:1::1": private, "64:ff9b:1::1": private,
		"172.15.0.1": public, "172.32.0.1": public, "100.63.255.255": public, "100.128.0.1": public, "198.20.0.1": public,
		"127.0.0.1": loopback, "127.255.255.254": loopback, "::1": loopback, "0.0.0.0": loopback, "::": loopback, "0.1.2.3": loopback,
		"::ffff:127.0.0.1": loopback, "64:ff9b::7f00:1": loopback, "2002:7f00:1::1": loopback,
		"169.254.169.254": link, "fe80::1": link, "fe80::1%eth0": link, "::ffff:169.254.169.254": link, "64:ff9b::a9fe:a9fe": link, "2002:a9fe:a9fe::": link,
		"224.0.0.1": link, "239.255.255.255": link, "240.0.0.1": link, "255.255.255.255": link, "ff02::1": link,
	} {
		if got := robots.AddressReach(netip.MustParseAddr(addr)); got != want {
			t.Errorf("AddressReach(%s) = %d, want %d", addr, got, want)
		}
	}
	if got := robots.AddressReach(netip.Addr{}); got != link {
		t.Errorf("AddressReach of no address = %d, want %d", got, link)
	}
}

// TestRedirectAddresses gives hosts addresses that only the dialer knows, as
// DNS would.
func TestRedirectAddresses(t *testing.T) {
	names := map[string]string{
		"public.example": "203.0.113.7", "lan.example": "10.1.2.3", "cgnat.example": "100.64.9.9", "ula.example": "fd00::1",
		"self.example": "127.0.0.1", "self6.example": "::1", "meta.example": "169.254.169.254", "other.example": "198.51.100.1",
	}
	for _, tt := range []struct {
		from, to string
		allowed  bool
	}{
		{"public.example", "other.example", true},
		{"public.example", "lan.example", false},
		{"public.example", "cgnat.example", false},
		{"public.example", "ula.example", false},
		{"public.example", "self.example", false},
		{"public.example", "self6.example", false},
		{"public.example", "meta.example", false},
		{"public.example", "169.254.169.254", false},
		{"public.example", "127.0.0.1", false},
		{"public.example", "[::1]", false},
		{"public.example", "[::ffff:127.0.0.1]", false},
		{"public.example", "10.0.0.1", false},
		{"public.example", "localhost", false},
		{"public.example", "foo.localhost.", false},
		{"203.0.113.7", "self.example", false},
		{"lan.example", "10.1.2.4", false}, // a name may be anybody's
		{"10.1.2.3", "10.1.2.4", true},
		{"10.1.2.3", "lan.example", true},
		{"10.1.2.3", "127.0.0.1", false},
		{"127.0.0.1", "10.1.2.3", true},
		{"127.0.0.1", "localhost", true},
		{"self.example", "127.0.0.1", false},
		{"lan.example", "public.example", true},
		{"lan.example", "cgnat.example", true},
		{"lan.example", "self.example", false},
		{"lan.example", "meta.example", false},
		{"self.example", "self6.example", true},
		{"self.example", "lan.example", true},
		{"127.0.0.1", "self.example", true},
		{"127.0.0.1", "meta.example", false},
		{"meta.example", "meta.example", true},
	} {
		for _, scheme := range []string{"http", "https"} {
			for _, allow := range []bool{false, true} {
				w := newWeb(t)
				w.addresses = names
				w.handle(scheme+"://"+tt.from, redirect(302, scheme+"://"+tt.to+"/target.txt"))
				w.handle(scheme+"://"+tt.to+"/target.txt", text(rules))
				c := w.client()
				c.AllowPrivate = allow
				p := policy(t, c, scheme+"://"+tt.from+"/x")
				checkPolicy(t, p)
				if tt.allowed || allow {
					if p.Outcome != robots.Parsed {
						t.Errorf("%s %s to %s, AllowPrivate %v: outcome %v, err %v", scheme, tt.from, tt.to, allow, p.Outcome, p.Err)
					}
					continue
				}
				// A refused hop is neither permission nor kept as an answer.
				if p.Outcome != robots.DisallowAll || !errors.Is(p.Err, robots.ErrPrivateAddress) || p.FailingSince.IsZero() {
					t.Errorf("%s %s to %s: outcome %v, err %v", scheme, tt.from, tt.to, p.Outcome, p.Err)
				}
				if seen := w.seen(); len(seen) != 1 {
					t.Errorf("%s %s to %s: the request was sent: %q", scheme, tt.from, tt.to, seen)
				}
			}
		}
	}
}

// Once a chain has been at a public host it stays out.
func TestRedirectAddressChain(t *testing.T) {
	w := newWeb(t)
	w.addresses["lan.example"] = "10.1.2.3"
	w.handle("http://lan.example", redirect(302, "http://public.example/"))
	w.handle("http://public.example", redirect(302, "http://lan.example/secret"))
	w.handle("http://lan.example/secret", text(rules))
	p := policy(t, w.client(), "http://lan.example/")
	if p.Outcome != robots.DisallowAll || !errors.Is(p.Err, robots.ErrPrivateAddress) {
		t.Errorf("outcome %v, err %v", p.Outcome, p.Err)
	}
}

// A name that resolves to another address each time is checked each time
// (rebinding), and a pooled connection to a private host does not help.
func TestRebinding(t *testing.T) {
	w := newWeb(t)
	w.handle("http://evil.example", func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.addresses["evil.example"] = "127.0.0.1"
		w.mu.Unlock()
		redirect(302, "http://evil.example/again")(rw, r)
	})
	w.handle("http://evil.example/again", text(rules))
	if p := policy(t, w.client(), "http://evil.example/"); !errors.Is(p.Err, robots.ErrPrivateAddress) {
		t.Errorf("outcome %v, err %v", p.Outcome, p.Err)
	}

	w.addresses["lan.example"] = "10.1.2.3"
	w.handle("http://lan.example", text(rules))
	w.handle("http://public.example", redirect(302, "http://lan.example/robots.txt"))
	c := w.client()
	pool := w.transport()
	pool.DisableKeepAlives = false
	defer pool.CloseIdleConnections()
	c.HTTPClient.Transport = pool
	if p := policy(t, c, "http://lan.example/"); p.Outcome != robots.Parsed {
		t.Fatalf("outcome %v, err %v", p.Outcome, p.Err)
	}
	w.seen()
	if p := policy(t, c, "http://public.example/"); !errors.Is(p.Err, robots.ErrPrivateAddress) {
		t.Errorf("outcome %v, err %v", p.Outcome, p.Err)
	}
	if seen := w.seen(); len(seen) != 1 {
		t.Errorf("requests %q, want one", seen)
	}
}

// The Client's own dialer refuses before it connects.
func TestDialControl(t *testing.T) {
	for address, allowed := range map[string]bool{
		"203.0.113.7:80": true, "[2606:4700::1]:443": true,
		"127.0.0.1:80": false, "[::1]:80": false, "169.254.169.254:80": false, "10.0.0.1:80": false, "[fe80::1%lo]:80": false, "nonsense": false,
	} {
		err := robots.DialPublic(address)
		if (err == nil) != allowed || err != nil && !errors.Is(err, robots.ErrPrivateAddress) {
			t.Errorf("dialling %s: %v, want allowed %v", address, err, allowed)
		}
	}
}

// Every way that a transport can dial is checked.
func TestRedirectDialers(t *testing.T) {
	w := newWeb(t)
	w.addresses["self.example"] = "127.0.0.1"
	for _, scheme := range []string{"http", "https"} {
		w.handle(scheme+"://public.example", redirect(302, scheme+"://self.example/x"))
		w.handle(scheme+"://self.example", text(rules))
		w.handle(scheme+"://a.example", redirect(302, scheme+"://b.example/x"))
		w.handle(scheme+"://b.example", text(rules))
	}
	dial := func(network, address string) (net.Conn, error) { return w.dial(context.Background(), network, address) }
	dialTLS := func(network, address string) (net.Conn, error) {
		conn, err := dial(network, address)
		if err != nil {
			return nil, err
		}
		return tls.Client(conn, &tls.Config{InsecureSkipVerify: true}), nil
	}
	// One each: a transport for HTTP/2 writes to its own.
	insecure := func() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }
	for name, rt := range map[string]http.RoundTripper{
		"DialContext": &http.Transport{DialContext: w.dial, TLSClientConfig: insecure(), DisableKeepAlives: true},
		//lint:ignore SA1019 a caller may have set it
		"Dial": &http.Transport{Dial: dial, TLSClientConfig: insecure(), DisableKeepAlives: true},
		//lint:ignore SA1019 a caller may have set it
		"DialTLS": &http.Transport{Dial: dial, DialTLS: dialTLS, DisableKeepAlives: true},
		"DialTLSContext": &http.Transport{DialContext: w.dial, DisableKeepAlives: true,
			DialTLSContext: func(_ context.Context, network, address string) (net.Conn, error) { return dialTLS(network, address) }},
		"HTTP/2":           &http.Transport{DialContext: w.dial, TLSClientConfig: insecure(), ForceAttemptHTTP2: true, DisableKeepAlives: true},
		"robots.Transport": &robots.Transport{Base: &http.Transport{DialContext: w.dial, TLSClientConfig: insecure(), DisableKeepAlives: true}},
	} {
		for _, scheme := range []string{"http", "https"} {
			c := &robots.Client{HTTPClient: &http.Client{Transport: rt}}
			w.seen()
			if p := policy(t, c, scheme+"://public.example/"); !errors.Is(p.Err, robots.ErrPrivateAddress) {
				t.Errorf("%s, %s: outcome %v, err %v", name, scheme, p.Outcome, p.Err)
			}
			if seen := w.seen(); len(seen) != 1 {
				t.Errorf("%s, %s: requests %q", name, scheme, seen)
			}
			if p := policy(t, c, scheme+"://a.example/"); p.Outcome != robots.Parsed {
				t.Errorf("%s, %s: to a public host: outcome %v, err %v", name, scheme, p.Outcome, p.Err)
			}
		}
	}
}

// A proxy and a foreign RoundTripper resolve names themselves; hosts that say
// by their spelling where they are get refused all the same.
func TestRedirectOutOfSight(t *testing.T) {
	for _, tt := range []struct {
		location string
		allowed  bool
	}{
		{"http://169.254.169.254/latest/meta-data/", false},
		{"http://127.0.0.1:8080/", false},
		{"http://localhost/", false},
		{"http://[::ffff:10.0.0.1]/", false},
		{"http://www.example.net/robots.txt", true},
	} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Hostname() == "example.com" || r.Host == "example.com" {
				redirect(302, tt.location)(w, r)
				return
			}
			text(rules)(w, r)
		})
		proxy := httptest.NewServer(handler)
		proxyURL, _ := url.Parse(proxy.URL)
		for name, rt := range map[string]http.RoundTripper{
			"proxy": &http.Transport{Proxy: http.ProxyURL(proxyURL), DisableKeepAlives: true},
			"foreign": roundTripFunc(func(r *http.Request) (*http.Response, error) {
				rec := httptest.NewRecorder()
				handler(rec, r)
				return rec.Result(), nil
			}),
		} {
			c := &robots.Client{HTTPClient: &http.Client{Transport: rt}}
			p := policy(t, c, "http://example.com/")
			if got := p.Outcome == robots.Parsed; got != tt.allowed || !got && !errors.Is(p.Err, robots.ErrPrivateAddress) {
				t.Errorf("%s to %s: outcome %v, err %v", name, tt.location, p.Outcome, p.Err)
			}
		}
		proxy.Close()
	}
}

// An origin on the loopback that the caller asks about is no redirect, and the
// zero Client asks it.
func TestZeroClientOnLoopback(t *testing.T) {
	s := httptest.NewServer(text(rules))
	defer s.Close()
	var c robots.Client
	ok, err := c.Allowed(context.Background(), "ExampleBot", s.URL+"/x")
	if ok || err != nil {
		t.Errorf("Allowed(/x) = %v, %v", ok, err)
	}
	ok, err = c.Allowed(context.Background(), "ExampleBot", s.URL+"/y")
	if !ok || err != nil {
		t.Errorf("Allowed(/y) = %v, %v", ok, err)
	}
}

// The zero Client follows redirects between loopback hosts, and not to where
// clouds keep their metadata; no time is spent on dialling that.
func TestZeroClientRedirects(t *testing.T) {
	target := httptest.NewServer(text(rules))
	defer target.Close()
	for location, want := range map[string]robots.Outcome{
		target.URL + "/robots.txt":          robots.Parsed,
		"http://169.254.169.254/robots.txt": robots.DisallowAll,
	} {
		s := httptest.NewServer(redirect(302, location))
		c := robots.Client{Timeout: 10 * time.Second}
		if p := policy(t, &c, s.URL+"/"); p.Outcome != want {
			t.Errorf("to %s: outcome %v, err %v, want %v", location, p.Outcome, p.Err, want)
		}
		s.Close()
	}
}
