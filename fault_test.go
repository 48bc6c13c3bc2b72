package robots_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/robots"
)

// A villain is a server that answers each request in a way that chance picks,
// and notes what a Client must make of it.
type villain struct {
	mu   sync.Mutex
	rand *rand.Rand
	n    int
	// The answer to the last request of each fetch. A request that the client
	// has given up may be answered long after the next one.
	last map[string]verdict
}

// A verdict is what a Client must make of an answer.
type verdict struct {
	want robots.Outcome // DisallowAll for a failure
	file string         // the text, if Parsed and not a 304
}

// A numbered RoundTripper tells the requests of one fetch from those of
// another.
type numbered struct {
	http.RoundTripper
	fetch int
}

func (n *numbered) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Fetch", fmt.Sprint(n.fetch))
	return n.RoundTripper.RoundTrip(r)
}

// serve answers the requests on a connection.
func (v *villain) serve(conn net.Conn) {
	defer conn.Close()
	br := bufio.NewReader(conn)
	for {
		r, err := http.ReadRequest(br)
		if err != nil {
			return
		}
		if again := v.answer(conn, r); !again {
			return
		}
	}
}

// answer reports whether the connection goes on.
func (v *villain) answer(conn net.Conn, r *http.Request) bool {
	v.mu.Lock()
	v.n++
	file := fmt.Sprintf("User-agent: *\nDisallow: /secret\nDisallow: /%d\n", v.n)
	choice, cut := v.rand.IntN(30), v.rand.IntN(len(file)-1)+1
	var meant verdict
	grant := func(o robots.Outcome, file string) { meant = verdict{o, file} }
	length := fmt.Sprintf("Content-Length: %d", len(file))
	var out string
	again, hang, rst := true, false, false
	switch choice {
	case 0, 1, 2, 3:
		grant(robots.Parsed, file)
		out = httpHead("200 OK", length, fmt.Sprintf("ETag: \"%d\"", v.n)) + file
	case 4:
		grant(robots.Parsed, file)
		out, again = httpHead("200 OK", "Connection: close")+file, false
	case 5:
		grant(robots.Parsed, file)
		zipped := gzipped(file)
		out = httpHead("200 OK", "Content-Encoding: gzip", fmt.Sprintf("Content-Length: %d", len(zipped))) + zipped
	case 6:
		grant(robots.Parsed, file)
		out = httpHead("200 OK", "Transfer-Encoding: chunked") + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(file), file)
	case 7, 8:
		grant(robots.AllowAll, "")
		out = httpHead(fmt.Sprintf("%d X", []int{400, 401, 403, 404, 410, 451}[v.rand.IntN(6)]), length) + file
	case 9:
		grant(robots.AllowAll, "")
		out = httpHead("302 Found", "Content-Length: 0")
	case 10, 11:
		if r.URL.Path == "/moved" {
			grant(robots.AllowAll, "") // a circle
		}
		out = httpHead("302 Found", "Location: /moved", "Content-Length: 0")
	case 12, 13, 14:
		out = httpHead(fmt.Sprintf("%d X", []int{429, 500, 502, 503, 504, 599, 600, 999, 101}[v.rand.IntN(9)]), length) + file
		again = false
	case 15:
		out, again, rst = "", false, true
	case 16:
		out, again, rst = httpHead("200 OK", length)+file[:cut], false, true
	case 17:
		out, again = httpHead("200 OK", length)+file[:cut], false
	case 18:
		out, again = httpHead("200 OK", "Transfer-Encoding: chunked")+fmt.Sprintf("%x\r\n%s", len(file), file[:cut]), false
	case 19:
		out, again = httpHead("200 OK", "Transfer-Encoding: chunked")+fmt.Sprintf("%x\r\n%s\r\nzz\r\n", len(file), file), false
	case 20:
		zipped := gzipped(file)
		out, again = httpHead("200 OK", "Content-Encoding: gzip")+zipped[:len(zipped)-v.rand.IntN(len(zipped)-1)-1], false
	case 21:
		out, again = httpHead("200 OK", "Content-Encoding: gzip", length)+file, false
	case 22:
		garbage := make([]byte, 1+v.rand.IntN(300))
		for i := range garbage {
			garbage[i] = byte(v.rand.Uint32())
		}
		out, again = "\x00"+string(garbage), false
	case 23:
		out, again, hang = httpHead("200 OK", length)+file[:cut], false, v.rand.IntN(4) == 0
	case 24:
		out, again, hang = "", false, v.rand.IntN(4) == 0
	case 25:
		out, again = httpHead("206 X", "Content-Range: bytes 0-10/99", "Content-Length: 11")+file[:11], false
	case 26, 27:
		// Not modified: an answer if the question had a condition.
		if r.Header.Get("If-None-Match") != "" {
			grant(robots.Parsed, "")
		}
		out = httpHead("304 Not Modified", "X: y")
	case 28:
		out = httpHead("302 Found", "Location: "+[]string{"ftp://example.com/", "file:///x", "http://a..b/", "http://169.254.169.254/"}[v.rand.IntN(4)], "Content-Length: 0")
	case 29:
		out, again = httpHead("200 OK", "Content-Encoding: br", length)+file, false
	}
	if v.last == nil {
		v.last = make(map[string]verdict)
	}
	v.last[r.Header.Get("X-Fetch")] = meant
	v.mu.Unlock()
	io.WriteString(conn, out)
	if rst {
		if tcp, ok := conn.(*net.TCPConn); ok {
			tcp.SetLinger(0)
		}
	}
	if hang {
		io.Copy(io.Discard, conn) // until the client gives up
	}
	return again
}

// A memory is what a test knows of an origin: what a Client must not forget.
type memory struct {
	file  string    // the last good copy, "" if there was none
	since time.Time // the first failure in a row
}

// check compares a policy that was just fetched with what the villain meant.
func (m *memory) check(p *robots.Policy, v *villain, fetch int, o robots.Outage) error {
	v.mu.Lock()
	meant := v.last[fmt.Sprint(fetch)]
	v.mu.Unlock()
	want := meant.want
	failed := want == robots.DisallowAll
	if p.Err != nil && !failed {
		// A slow machine may turn any answer into a timeout. No other error is
		// an excuse.
		if !errors.Is(p.Err, context.DeadlineExceeded) {
			return fmt.Errorf("answered %v, and Err is %v", want, p.Err)
		}
		failed = true
	}
	if failed {
		if m.since.IsZero() {
			m.since = p.Fetched
		}
		if !p.FailingSince.Equal(m.since) || p.Err == nil {
			return fmt.Errorf("failing since %v, err %v, want %v", p.FailingSince, p.Err, m.since)
		}
		want = robots.OutageOutcome(o, p.Fetched.Sub(m.since), 0, m.file != "")
		if want == robots.Parsed && (!p.Stale || p.File == nil || p.File.String() != m.file) {
			return fmt.Errorf("outcome %v, stale %v: not the last good copy", p.Outcome, p.Stale)
		}
	} else {
		m.since = time.Time{}
		if want == robots.Parsed {
			if meant.file != "" {
				m.file = meant.file
			}
			if p.File == nil || p.File.String() != m.file || p.Stale {
				return fmt.Errorf("outcome %v, stale %v: not the file that was sent", p.Outcome, p.Stale)
			}
		}
		if !p.FailingSince.IsZero() || p.Err != nil {
			return fmt.Errorf("answered %v: failing since %v, err %v", want, p.FailingSince, p.Err)
		}
	}
	if p.Outcome != want {
		return fmt.Errorf("outcome %v, err %v, want %v", p.Outcome, p.Err, want)
	}
	if p.Allowed("ExampleBot", "/secret") != (want == robots.AllowAll) {
		return fmt.Errorf("outcome %v: /secret is allowed: %v", p.Outcome, p.Allowed("ExampleBot", "/secret"))
	}
	if good := robots.GoodCopy(p); (good == nil) != (m.file == "") || good != nil && good.String() != m.file {
		return errors.New("the last good copy was lost")
	}
	return nil
}

// A forgetfulCache takes every policy for expired, so that each question is a
// fetch, and passes it through its text.
type forgetfulCache struct{ textCache }

func (c *forgetfulCache) Get(ctx context.Context, key string) (*robots.Policy, error) {
	p, err := c.textCache.Get(ctx, key)
	if p != nil {
		p.Expires = time.Time{}
	}
	return p, err
}

// TestFaults makes 10,000 fetches from servers that fail at random, over TCP:
// never an allow that the tables do not grant, never a lost good copy, and in
// the end neither a goroutine nor a connection is left.
func TestFaults(t *testing.T) {
	fetches, origins := 10_000, 8
	if testing.Short() {
		fetches = 800
	}
	goroutines := runtime.NumGoroutine()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	var open atomic.Int64 // connections that a server has not seen closed
	var servers, askers sync.WaitGroup
	var transports []*http.Transport
	var listeners []net.Listener
	for i := range origins {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners = append(listeners, l)
		v := &villain{rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		servers.Go(func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				open.Add(1)
				servers.Go(func() {
					defer open.Add(-1)
					v.serve(conn)
				})
			}
		})
		transport := &http.Transport{DisableKeepAlives: i%2 == 0}
		transports = append(transports, transport)
		counter := &numbered{RoundTripper: transport}
		c := &robots.Client{
			HTTPClient: &http.Client{Transport: counter},
			Cache:      new(forgetfulCache),
			Outage:     robots.Outage(i % 3),
			Timeout:    250 * time.Millisecond,
		}
		url := "http://" + l.Addr().String() + "/page"
		askers.Go(func() {
			var m memory
			for n := range fetches / origins {
				counter.fetch = n
				p, err := c.Policy(context.Background(), url)
				if err == nil {
					err = m.check(p, v, n, c.Outage)
				}
				if err != nil {
					t.Errorf("origin %d, fetch %d: %v", i, n, err)
					return
				}
			}
		})
	}
	askers.Wait()
	for _, transport := range transports {
		transport.CloseIdleConnections()
	}
	for _, l := range listeners {
		l.Close()
	}
	// The servers' ends close when the clients' do; a leak would hang here.
	servers.Wait()
	if n := open.Load(); n != 0 {
		t.Errorf("%d connections are open", n)
	}
	for range 200 {
		if runtime.NumGoroutine() <= goroutines {
			return
		}
		runtime.Gosched()
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), goroutines, buf[:runtime.Stack(buf, true)])
}

// TestFaultsOverTime is the same with time passing, so that outages get long
// enough for their outcome to change.
func TestFaultsOverTime(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, o := range []robots.Outage{robots.OutageRFC9309, robots.OutageGoogle, robots.OutageLastCopy} {
		synctest.Test(t, func(t *testing.T) {
			v := &villain{rand: rand.New(rand.NewPCG(seed, uint64(o)))}
			var servers sync.WaitGroup
			counter := &numbered{RoundTripper: &http.Transport{
				DisableKeepAlives: true,
				DialContext: func(context.Context, string, string) (net.Conn, error) {
					ours, theirs := net.Pipe()
					servers.Go(func() { v.serve(theirs) })
					return ours, nil
				},
			},
			}
			c := &robots.Client{Outage: o, HTTPClient: &http.Client{Transport: counter}}
			if o == robots.OutageGoogle {
				c.Cache = new(textCache)
			}
			var m memory
			chance := rand.New(rand.NewPCG(seed, 99))
			outcomes := make(map[robots.Outcome]int)
			asked := 0
			for i := range 3000 {
				counter.fetch = i
				p := policy(t, c, "http://example.com/")
				v.mu.Lock()
				fetched := v.n != asked
				asked = v.n
				v.mu.Unlock()
				if fetched {
					if err := m.check(p, v, i, o); err != nil {
						t.Fatalf("%v, question %d: %v", o, i, err)
					}
				} else if now := time.Now(); !now.Before(p.Expires) {
					t.Fatalf("%v, question %d: expired at %v, and it is %v", o, i, p.Expires, now)
				}
				outcomes[p.Outcome]++
				// Now and then the pause is so long that the failures before and
				// after it make an outage of many days.
				pause := time.Duration(chance.Int64N(int64(2 * hour)))
				if chance.IntN(10) == 0 {
					pause = time.Duration(chance.Int64N(int64(20 * day)))
				}
				time.Sleep(pause)
			}
			t.Logf("%v: %v in %d requests", o, outcomes, asked)
			servers.Wait()
		})
	}
}

// The zero Client keeps no connection, whatever the server would.
func TestNoIdleConnections(t *testing.T) {
	var open atomic.Int64
	s := httptest.NewUnstartedServer(text(rules))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed:
			open.Add(-1)
		}
	}
	s.Start()
	defer s.Close()
	var c robots.Client
	if p := policy(t, &c, s.URL); p.Outcome != robots.Parsed {
		t.Fatalf("outcome %v, err %v", p.Outcome, p.Err)
	}
	for range 500 {
		if open.Load() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d connections are open", open.Load())
}
