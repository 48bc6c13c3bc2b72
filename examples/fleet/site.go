package main

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// A site is the whole web of the demonstration: whatever the host is called,
// its robots.txt takes a moment, and closes /private.
type site struct {
	addr string

	mu    sync.Mutex
	asked map[string]int    // requests for robots.txt by host
	hold  func(host string) // called before an answer, in the place of a pause
	down  bool
}

func startSite() (*site, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &site{addr: l.Addr().String(), asked: make(map[string]int)}
	go http.Serve(l, s)
	return s, nil
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	s.asked[r.Host]++
	down, hold := s.down, s.hold
	s.mu.Unlock()
	if hold != nil {
		hold(r.Host)
	} else {
		time.Sleep(100 * time.Millisecond)
	}
	if down {
		http.Error(w, "down for repairs", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprint(w, "User-agent: *\nDisallow: /private\n")
}

// setDown makes every host answer 503, or not.
func (s *site) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

func (s *site) setHold(hold func(host string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = hold
}

// count returns the requests for robots.txt by all hosts, and the most by one.
func (s *site) count() (total, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.asked {
		total += n
		most = max(most, n)
	}
	return total, most
}

// forget begins to count anew.
func (s *site) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.asked)
}
