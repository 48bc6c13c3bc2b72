package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"example.com/robots"
)

// The test binary is its own worker process.
func TestMain(m *testing.M) {
	workIfAsked()
	os.Exit(m.Run())
}

// newServer starts a redis-server of the distribution's for one test.
func newServer(t *testing.T) *server {
	t.Helper()
	if _, err := serverPath(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	s, err := startServer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill() })
	return s
}

func newSite(t *testing.T) *site {
	t.Helper()
	s, err := startSite()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newWorkers(t *testing.T, n int, redis *server, site *site) []*worker {
	t.Helper()
	workers := make([]*worker, n)
	for i := range workers {
		w, err := startWorker(redis.addr, site.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.kill)
		workers[i] = w
	}
	return workers
}

func newShared(t *testing.T, redis *server) *Shared {
	t.Helper()
	client := NewRedis(redis.addr, patience)
	t.Cleanup(func() { client.Close() })
	return &Shared{Redis: client, MaxFetch: 12 * time.Second}
}

// askAll has every worker ask about both pages of hosts, in an order of its
// own, and checks the answers: /private is never allowed, and /open is if open.
func askAll(t *testing.T, workers []*worker, hosts []string, open bool) {
	t.Helper()
	var urls []string
	for _, h := range hosts {
		urls = append(urls, "http://"+h+"/open", "http://"+h+"/private")
	}
	for _, w := range workers {
		rand.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
		for _, u := range urls {
			if err := w.send(u); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, w := range workers {
		for range urls {
			a, err := w.receive()
			if err != nil {
				t.Fatal(err)
			}
			want := open && a.URL[len(a.URL)-len("/open"):] == "/open"
			if a.Err != "" || a.Allowed != want {
				t.Errorf("worker %d: %s: got %q, error %q, want allowed = %v", i, a.URL, a.Decision, a.Err, want)
			}
		}
	}
}

func hosts(prefix string, n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%s%d.example", prefix, i))
	}
	return list
}

// Four processes ask about each host at the same time, and each host is asked
// for its robots.txt once.
func TestOneFetchForTheFleet(t *testing.T) {
	redis, site := newServer(t), newSite(t)
	workers := newWorkers(t, 4, redis, site)
	askAll(t, workers, hosts("a", 25), true)
	if total, most := site.count(); total != 25 || most != 1 {
		t.Errorf("got %d requests for robots.txt, %d of one host at most, want 25 and 1", total, most)
	}
	// One that comes later asks no site at all.
	askAll(t, newWorkers(t, 1, redis, site), hosts("a", 25), true)
	if total, _ := site.count(); total != 25 {
		t.Errorf("got %d requests after another process, want 25 still", total)
	}
}

// The process that fetches is killed in the middle; another one takes over.
func TestLeaderDies(t *testing.T) {
	redis, site := newServer(t), newSite(t)
	asked, release := make(chan bool, 10), make(chan bool)
	var once sync.Once
	site.setHold(func(string) {
		asked <- true
		first := false
		once.Do(func() { first = true })
		if first {
			<-release
		}
	})
	t.Cleanup(func() { close(release) })
	workers := newWorkers(t, 3, redis, site)
	workers[0].send("http://a.example/private")
	<-asked // it has the turn, and will get no answer
	for _, w := range workers[1:] {
		w.send("http://a.example/private")
	}
	workers[0].kill()
	for i, w := range workers[1:] {
		if a, err := w.receive(); err != nil || a.Err != "" || a.Allowed {
			t.Errorf("worker %d: got %+v, error %v, want a refusal", i+1, a, err)
		}
	}
	if total, _ := site.count(); total != 2 {
		t.Errorf("got %d requests, want 2: the dead process's, and one for the others", total)
	}
}

// A fetch that takes longer than a lock lasts is not begun twice.
func TestSlowFetch(t *testing.T) {
	redis, site := newServer(t), newSite(t)
	asked, release := make(chan bool, 10), make(chan bool)
	site.setHold(func(string) {
		asked <- true
		<-release
	})
	var clients []*robots.Client
	var caches []*Shared
	for range 3 {
		s := newShared(t, redis)
		s.LockTTL = 1500 * time.Millisecond
		caches, clients = append(caches, s), append(clients, newClient(s, site.addr))
	}
	var wg sync.WaitGroup
	for i, c := range clients {
		wg.Go(func() {
			if got, err := c.Allowed(t.Context(), agent, "http://a.example/private"); got || err != nil {
				t.Errorf("client %d: Allowed = %v, %v, want a refusal", i, got, err)
			}
		})
	}
	<-asked
	time.Sleep(2 * caches[0].LockTTL)
	close(release)
	wg.Wait()
	turns, waits := int64(0), int64(0)
	for _, s := range caches {
		turns, waits = turns+s.Stats.Turns.Load(), waits+s.Stats.Waits.Load()
	}
	if total, _ := site.count(); total != 1 || turns != 1 || waits != 2 {
		t.Errorf("got %d requests, %d turns and %d waits, want 1, 1 and 2", total, turns, waits)
	}
}

// A process whose callers have all given up keeps its turn no longer than a
// fetch may take, and has it still if it asks again.
func TestAbandoned(t *testing.T) {
	for _, again := range []bool{true, false} {
		redis, site := newServer(t), newSite(t)
		asked, release := make(chan bool), make(chan bool)
		site.setHold(func(string) {
			asked <- true
			<-release
		})
		var clients []*robots.Client
		for range 2 {
			s := newShared(t, redis)
			s.LockTTL, s.MaxFetch = 300*time.Millisecond, time.Second
			if again {
				s.MaxFetch = time.Hour // nobody waits for its end
			}
			clients = append(clients, newClient(s, site.addr))
		}
		const url = "http://a.example/private"
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := clients[0].Allowed(ctx, agent, url)
			left <- err
		}()
		<-asked
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("the first caller got %v, want context.Canceled", err)
		}
		close(release)
		site.setHold(nil)
		if again {
			if got, err := clients[0].Allowed(t.Context(), agent, url); got || err != nil {
				t.Errorf("the same process, once more: got %v, %v, want a refusal", got, err)
			}
		}
		if got, err := clients[1].Allowed(t.Context(), agent, url); got || err != nil {
			t.Errorf("another process (again = %v): got %v, %v, want a refusal", again, got, err)
		}
		if total, _ := site.count(); total != 2 {
			t.Errorf("again = %v: got %d requests, want 2: the abandoned one, and one for both", again, total)
		}
	}
}

// Redis is killed while a fetch is under way, stays away while sites work and
// fail, and comes back empty. Every verdict is right throughout.
func TestRedisDies(t *testing.T) {
	redis, site := newServer(t), newSite(t)
	workers := newWorkers(t, 4, redis, site)
	askAll(t, workers, hosts("a", 10), true)

	// All are about to ask; the first request for robots.txt kills the server.
	var once sync.Once
	site.setHold(func(string) { once.Do(redis.kill) })
	askAll(t, workers, hosts("b", 10), true)
	site.setHold(nil)
	if _, most := site.count(); most > len(workers) {
		t.Errorf("without Redis, a host was asked %d times by %d processes", most, len(workers))
	}
	// What is in memory goes on without either.
	site.forget()
	askAll(t, workers, hosts("a", 10), true)
	if total, _ := site.count(); total != 0 {
		t.Errorf("got %d requests for what every process remembers, want none", total)
	}
	// Neither Redis nor the site: nothing is allowed.
	site.setDown(true)
	askAll(t, workers, hosts("c", 10), false)
	site.setDown(false)

	if err := redis.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Each process finds out by itself that it is back, a second after it last
	// failed. New ones know of no failure.
	fresh := newWorkers(t, 4, redis, site)
	site.forget()
	askAll(t, fresh, hosts("d", 10), true)
	if total, most := site.count(); total != 10 || most != 1 {
		t.Errorf("Redis is back: got %d requests for robots.txt, %d of one host at most, want 10 and 1", total, most)
	}
	for i := 0; ; i++ {
		site.forget()
		askAll(t, workers, hosts(fmt.Sprint("e", i, "-"), 10), true)
		if total, _ := site.count(); total == 10 {
			break
		}
		if i == 100 {
			t.Fatal("the processes that saw Redis die do not use it again")
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// A policy that is stale is passed to the one whose turn it is, with its
// validators, and takes the place of the old one.
func TestStale(t *testing.T) {
	redis := newServer(t)
	conditional := 0
	web := roundTrip(func(req *http.Request) *http.Response {
		if req.Header.Get("If-None-Match") == `"1"` {
			conditional++
			return response(req, 304, "")
		}
		return response(req, 200, "User-agent: *\nDisallow: /private\n")
	})
	const key = "http://a.example/robots.txt"
	old := robots.PolicyFromResponse(web(request(t, key)))
	old.Fetched, old.Expires = time.Now().Add(-48*time.Hour), time.Now().Add(-24*time.Hour)
	if err := newShared(t, redis).Put(t.Context(), key, old); err != nil {
		t.Fatal(err)
	}

	shared := newShared(t, redis)
	client := &robots.Client{Cache: shared, HTTPClient: &http.Client{Transport: web}}
	p, err := client.Policy(t.Context(), key)
	if err != nil || p.Status != 304 || conditional != 1 || p.Allowed(agent, "/private") {
		t.Errorf("got %+v, error %v and %d conditional requests, want a policy renewed by a 304", p, err, conditional)
	}
	later := newShared(t, redis)
	if p, err := later.Get(t.Context(), key); err != nil || !fresh(p) || later.Stats.Redis.Load() != 1 {
		t.Errorf("Get in another process = %+v, %v, want the renewed policy from Redis", p, err)
	}
}

// What cannot be read in Redis is a miss, is fetched once, and is replaced.
func TestDamaged(t *testing.T) {
	redis, site := newServer(t), newSite(t)
	shared := newShared(t, redis)
	const key = "http://a.example/robots.txt"
	for _, text := range []string{"x", "robots-policy 9 00000000\nfuture: yes\n\n", "robots-policy 1 00000000\noutcome: allow-all\n\n"} {
		if err := shared.Redis.Set(t.Context(), shared.keys(key)[0], text, 0).Err(); err != nil {
			t.Fatal(err)
		}
		site.forget()
		s := newShared(t, redis)
		got, err := newClient(s, site.addr).Allowed(t.Context(), agent, "http://a.example/private")
		if total, _ := site.count(); err != nil || got || total != 1 {
			t.Errorf("%q in Redis: got %v, error %v and %d requests, want a refusal and 1", text, got, err, total)
		}
		if p, err := newShared(t, redis).Get(t.Context(), key); err != nil || !fresh(p) {
			t.Errorf("%q in Redis is still there: %v, %v", text, p, err)
		}
	}
}

func TestExpiry(t *testing.T) {
	redis, site := newServer(t), newSite(t)
	shared := newShared(t, redis)
	if _, err := newClient(shared, site.addr).Policy(t.Context(), "http://a.example/"); err != nil {
		t.Fatal(err)
	}
	keys := shared.keys("http://a.example/robots.txt")
	if got := shared.Redis.PTTL(t.Context(), keys[0]).Val(); got < 59*24*time.Hour || got > 60*24*time.Hour {
		t.Errorf("the policy expires in %v, want 60 days", got)
	}
	if n := shared.Redis.Exists(t.Context(), keys[1]).Val(); n != 0 {
		t.Error("the lock is still there after the policy was put")
	}
}

// Several caches and clients in one process, for the race detector's sake, with
// callers that leave early.
func TestConcurrent(t *testing.T) {
	redis, site := newServer(t), newSite(t)
	var clients []*robots.Client
	for range 3 {
		clients = append(clients, newClient(newShared(t, redis), site.addr))
	}
	var wg sync.WaitGroup
	for i := range 90 {
		wg.Go(func() {
			ctx := t.Context()
			if i%5 == 0 {
				early, cancel := context.WithTimeout(ctx, time.Duration(i)*time.Millisecond)
				defer cancel()
				ctx = early
			}
			url := fmt.Sprintf("http://a%d.example/private", i%7)
			got, err := clients[i%3].Allowed(ctx, agent, url)
			if got || err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Allowed(%s) = %v, %v, want a refusal", url, got, err)
			}
		})
	}
	wg.Wait()
}
