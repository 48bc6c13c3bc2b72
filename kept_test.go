package robots_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/robots"
	"example.com/robots/internal/hostile"
)

// tlsHost is a listener that a client of its transport finds at every host.
func tlsHost(t *testing.T, serve func(net.Conn)) *http.Transport {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
		},
	}
}

// certificates returns a chain that nobody trusts, of certificates that are large
// for a purpose.
func certificates(t *testing.T, n, size int) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Error(err)
		return tls.Certificate{}
	}
	chain := tls.Certificate{PrivateKey: key}
	for i := range n {
		c := &x509.Certificate{
			SerialNumber: big.NewInt(int64(i + 1)), Subject: pkix.Name{CommonName: fmt.Sprint(i)}, DNSNames: []string{"other.example"},
			NotBefore: time.Now().Add(-hour), NotAfter: time.Now().Add(hour),
			ExtraExtensions: []pkix.Extension{{Id: []int{1, 2, 3, 4}, Value: make([]byte, size)}},
		}
		der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
		if err != nil {
			t.Error(err)
		}
		chain.Certificate = append(chain.Certificate, der)
	}
	return chain
}

// What a cache keeps of an answer is what it counts, whatever a server sends to be
// kept: MemoryCache.MaxBytes is a bound for strangers too.
func TestKeptIsCounted(t *testing.T) {
	const origins = 60
	w := newWeb(t)
	wide := "text/plain; x=" + strings.Repeat("a", 100<<10)
	w.handle("http://wide.example", answer(200, "Content-Type: "+wide, rules))

	w.rawHost(t, "garbage.example", func(c net.Conn) { io.WriteString(c, "garbage "+strings.Repeat("\x1b[31mA", 20_000)+"\r\n\r\n") })
	w.rawHost(t, "head.example", func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nbad "+strings.Repeat("\x1b[31mA", 20_000)+"\r\n\r\n")
	})
	w.rawHost(t, "length.example", func(c net.Conn) {
		io.WriteString(c, httpHead("200 OK", "Content-Length: "+strings.Repeat("9", 100<<10)))
	})
	untrusted := tlsHost(t, func(conn net.Conn) {
		// The same ones for all origins would be in memory once.
		chain := certificates(t, 30, 6000)
		tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{chain}}).Handshake()
	})
	noTLS := tlsHost(t, func(conn net.Conn) {
		io.WriteString(conn, "SSH-2.0-OpenSSH_9.9\r\n")
		io.Copy(io.Discard, conn)
	})
	// All origins are at one host of the web.
	at := func(host string) *http.Transport {
		transport := w.transport()
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return w.dial(ctx, network, host+":80")
		}
		return transport
	}
	// onHost is for the servers of the web that look at the name.
	onHost := func(host string) http.RoundTripper {
		transport := w.transport()
		return roundTripFunc(func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context())
			r.URL.Host, r.Host = host, host
			return transport.RoundTrip(r)
		})
	}
	for _, tt := range []struct {
		name      string
		scheme    string
		transport http.RoundTripper
		outcome   robots.Outcome
	}{
		{"wide Content-Type", "http", onHost("wide.example"), robots.Parsed},
		{"no HTTP", "http", at("garbage.example"), robots.DisallowAll},
		{"bad header", "http", at("head.example"), robots.DisallowAll},
		{"bad length", "http", at("length.example"), robots.DisallowAll},
		{"certificates that nobody trusts", "https", untrusted, robots.DisallowAll},
		{"no TLS", "https", noTLS, robots.DisallowAll},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cache := new(robots.MemoryCache)
			c := &robots.Client{HTTPClient: &http.Client{Transport: tt.transport}, Cache: cache}
			ask := func(i int) *robots.Policy {
				p := policy(t, c, fmt.Sprintf("%s://host%d.example/", tt.scheme, i))
				if p.Outcome != tt.outcome {
					t.Fatalf("outcome %v, err %v, want %v", p.Outcome, p.Err, tt.outcome)
				}
				return p
			}
			if p := ask(0); p.Err != nil {
				if text := p.Err.Error(); len(text) > 2048 || strings.Contains(text, "\x1b") {
					t.Errorf("a text of %d octets: %.300q", len(text), text)
				}
			}
			w.seen()
			before, counted := heap(), cache.Bytes()
			for i := range origins {
				ask(1 + i)
			}
			w.seen()
			counted = cache.Bytes() - counted
			var grown int64
			for range 100 { // what a connection holds goes when its goroutines do
				if grown = heap() - before; grown <= 2*counted {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Logf("%d octets for each origin, %d counted", grown/origins, counted/origins)
			if grown > 2*counted {
				t.Errorf("the heap grew by %d octets, %d of which are counted", grown, counted)
			}
			runtime.KeepAlive(c)
		})
	}
}

// What kind of error it was can be told still.
func TestKeptErrors(t *testing.T) {
	chain := certificates(t, 1, 0)
	transport := tlsHost(t, func(conn net.Conn) {
		tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{chain}}).Handshake()
	})
	p := policy(t, &robots.Client{HTTPClient: &http.Client{Transport: transport}}, "https://example.com/")
	var cert *tls.CertificateVerificationError
	if !errors.As(p.Err, &cert) || cert.UnverifiedCertificates != nil || !strings.Contains(p.Err.Error(), "x509: ") {
		t.Errorf("Err = %v", p.Err)
	}
	transport = tlsHost(t, func(conn net.Conn) { io.WriteString(conn, "SSH-2.0-OpenSSH_9.9\r\n") })
	p = policy(t, &robots.Client{HTTPClient: &http.Client{Transport: transport}}, "https://example.com/")
	var record tls.RecordHeaderError
	if !errors.As(p.Err, &record) || record.Conn != nil {
		t.Errorf("Err = %v", p.Err)
	}
}

// A policy of any file fits in the least that the documentation of MemoryCache
// advises.
func TestKeptFits(t *testing.T) {
	const least = 8 << 20
	most := int64(0)
	for _, shape := range hostile.Files {
		text := shape.Make(robots.MaxBytes)
		resp := &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text))}
		most = max(most, robots.PolicyBytes(robots.PolicyFromResponse(resp)))
	}
	t.Logf("at most %d octets", most)
	// Twice, for a last good copy that differs.
	if 2*most > least {
		t.Errorf("a policy of %d octets, want at most %d", most, least/2)
	}
}
