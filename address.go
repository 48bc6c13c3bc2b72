package robots

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// ErrPrivateAddress is in the Err of a [Policy] whose redirects led from a
// public address to one that is not, or otherwise closer to the crawler. The
// request was not sent.
var ErrPrivateAddress = errors.New("robots: a redirect may not lead to an address closer to the crawler")

// A reach says how close an address is to the machine that dials it. A
// redirect may lead outwards and sideways, never closer: a public site must
// not make a crawler ask a private host, nor a private host its loopback.
type reach uint8

const (
	reachPublic   reach = iota
	reachPrivate        // RFC 1918, carrier-grade NAT, unique local
	reachLoopback       // this machine
	reachLink           // link-local, where clouds keep their metadata; multicast; reserved
)

var (
	sharedSpace = netip.MustParsePrefix("100.64.0.0/10") // carrier-grade NAT, RFC 6598
	protocols   = netip.MustParsePrefix("192.0.0.0/24")  // RFC 6890
	benchmarks  = netip.MustParsePrefix("198.18.0.0/15") // RFC 2544
	thisNetwork = netip.MustParsePrefix("0.0.0.0/8")     // often another name for the loopback
	reserved    = netip.MustParsePrefix("240.0.0.0/4")
	siteLocal   = netip.MustParsePrefix("fec0::/10") // RFC 3879, deprecated, still routed inside
	nat64       = netip.MustParsePrefix("64:ff9b::/96")
	nat64Local  = netip.MustParsePrefix("64:ff9b:1::/48")
	sixToFour   = netip.MustParsePrefix("2002::/16")
)

// addressReach classifies an address, and those that carry an IPv4 address by
// that one.
func addressReach(addr netip.Addr) reach {
	addr = addr.Unmap().WithZone("")
	switch b := addr.As16(); {
	case nat64.Contains(addr):
		addr = netip.AddrFrom4([4]byte(b[12:]))
	case sixToFour.Contains(addr):
		addr = netip.AddrFrom4([4]byte(b[2:]))
	}
	switch {
	case !addr.IsValid() || addr.IsLinkLocalUnicast() || addr.IsMulticast() || reserved.Contains(addr):
		return reachLink
	case addr.IsLoopback() || addr.IsUnspecified() || thisNetwork.Contains(addr):
		return reachLoopback
	case addr.IsPrivate() || sharedSpace.Contains(addr) || protocols.Contains(addr) ||
		benchmarks.Contains(addr) || siteLocal.Contains(addr) || nat64Local.Contains(addr):
		return reachPrivate
	}
	return reachPublic
}

// connReach classifies the far end of a connection; ok is false if it is no IP
// connection, such as a pipe of a caller's own dialer.
func connReach(conn net.Conn) (r reach, ok bool) {
	if conn == nil || conn.RemoteAddr() == nil {
		return 0, false
	}
	ap, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return 0, false
	}
	return addressReach(ap.Addr()), true
}

// nameReach classifies a host by its spelling alone, in the form that Locate
// returns: an address, or a name that is this machine everywhere (RFC 6761).
// Any other name counts as public.
func nameReach(u *url.URL) reach {
	host := strings.TrimSuffix(u.Hostname(), ".")
	if addr, err := netip.ParseAddr(host); err == nil {
		return addressReach(addr)
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return reachLoopback
	}
	return reachPublic
}

// refuse returns an error if an address of reach r is too close.
func (limit reach) refuse(r reach, address string) error {
	if r <= limit {
		return nil
	}
	return fmt.Errorf("%w: %s; set Client.AllowPrivate if it is meant to", ErrPrivateAddress, quoteShort(address))
}

// guarded returns a transport for a single request whose connections end no
// closer than limit. The check is made on the address that is dialled, after
// names were resolved, and the transport shares no connections with others: a
// pooled one might have been dialled for somebody with the right to.
//
// Where the caller's transport has a dialer of its own, the check follows its
// dial, before a byte is sent. A proxy dials out of sight, and a
// RoundTripper that is no *http.Transport too: rt is returned as it is.
func (limit reach) guarded(rt http.RoundTripper, req *http.Request) http.RoundTripper {
	t, ok := rt.(*http.Transport)
	if !ok || proxied(t, req) {
		return rt
	}
	t = t.Clone()
	t.Proxy = nil
	t.DisableKeepAlives = true
	// HTTP/2 connections are shared by their nature, and a clone may share its
	// original's.
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true)
	t.ForceAttemptHTTP2 = false
	t.TLSNextProto = nil
	if t.TLSClientConfig != nil {
		t.TLSClientConfig.NextProtos = []string{"http/1.1"}
	}
	switch {
	case t.DialContext != nil:
		t.DialContext = limit.check(t.DialContext)
	//lint:ignore SA1019 a caller may have set it
	case t.Dial != nil:
		//lint:ignore SA1019 as above
		dial := t.Dial
		t.DialContext = limit.check(func(_ context.Context, network, address string) (net.Conn, error) {
			return dial(network, address)
		})
	default:
		t.DialContext = (&net.Dialer{Control: limit.control}).DialContext
	}
	switch {
	case t.DialTLSContext != nil:
		t.DialTLSContext = limit.check(t.DialTLSContext)
	//lint:ignore SA1019 as above
	case t.DialTLS != nil:
		//lint:ignore SA1019 as above
		dial := t.DialTLS
		t.DialTLSContext = limit.check(func(_ context.Context, network, address string) (net.Conn, error) {
			return dial(network, address)
		})
	}
	return t
}

// proxied reports whether a transport sends req through a proxy.
func proxied(t *http.Transport, req *http.Request) bool {
	if t.Proxy == nil {
		return false
	}
	proxy, err := t.Proxy(req)
	return proxy != nil || err != nil
}

// control is a [net.Dialer.Control] that refuses addresses before connecting.
func (limit reach) control(_, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return limit.refuse(reachLink, address)
	}
	return limit.refuse(addressReach(ap.Addr()), address)
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// check returns a dial function that gives up connections which end too close.
func (limit reach) check(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if r, ok := connReach(conn); ok {
			if err := limit.refuse(r, conn.RemoteAddr().String()); err != nil {
				conn.Close()
				return nil, err
			}
		}
		return conn, nil
	}
}
