package robots_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/robots"
)

// An epoch is a web of one origin in memory, for tests in which time passes:
// its connections are pipes, which testing/synctest knows to wait for.
type epoch struct {
	client *robots.Client
	mu     sync.Mutex
	h      http.Handler
	asked  int
}

// newEpoch starts it; it must run within a synctest bubble.
func newEpoch(t testing.TB) *epoch {
	e := new(epoch)
	conns := make(chan net.Conn)
	l := pipeListener{conns, make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		e.asked++
		h := e.h
		e.mu.Unlock()
		h.ServeHTTP(w, r)
	})}
	go server.Serve(l)
	t.Cleanup(func() {
		server.Close()
		time.Sleep(time.Minute) // of the bubble: handlers that sleep find out
	})
	e.client = &robots.Client{HTTPClient: &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			select {
			case conns <- theirs:
				return ours, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
	}}}
	return e
}

type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}
func (l pipeListener) Close() error   { close(l.closed); return nil }
func (l pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// serve sets what the origin answers from now on.
func (e *epoch) serve(h http.Handler) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.h = h
}

// requests returns how many requests came since it was last called.
func (e *epoch) requests() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.asked
	e.asked = 0
	return n
}

// ask asks about /x at the origin.
func (e *epoch) ask(t testing.TB) *robots.Policy {
	t.Helper()
	p := policy(t, e.client, "http://example.com/x")
	checkPolicy(t, p)
	return p
}

// want asks, and checks the outcome and how many requests it took.
func (e *epoch) want(t testing.TB, outcome robots.Outcome, requests int) *robots.Policy {
	t.Helper()
	p := e.ask(t)
	if n := e.requests(); p.Outcome != outcome || n != requests {
		t.Errorf("after %v: outcome %v with %d requests, err %v, want %v with %d",
			time.Since(bubbleStart), p.Outcome, n, p.Err, outcome, requests)
	}
	return p
}

// bubbleStart is when every synctest bubble begins.
var bubbleStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// inTime runs f in a bubble of its own time.
func inTime(t *testing.T, f func(*testing.T, *epoch)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, newEpoch(t)) })
}
