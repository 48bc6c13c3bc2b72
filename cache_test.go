package robots_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/robots"
)

func parsedPolicy(url, text string) *robots.Policy {
	return &robots.Policy{URL: url, Outcome: robots.Parsed, Status: 200, File: robots.Parse([]byte(text))}
}

func TestMemoryCache(t *testing.T) {
	ctx := context.Background()
	var m robots.MemoryCache
	if p, err := m.Get(ctx, "a"); p != nil || !errors.Is(err, robots.ErrCacheMiss) {
		t.Errorf("Get of nothing = %v, %v, want ErrCacheMiss", p, err)
	}
	a, b := parsedPolicy("a", rules), parsedPolicy("b", rules)
	m.Put(ctx, "a", a)
	one := m.Bytes()
	m.Put(ctx, "b", b)
	if got, err := m.Get(ctx, "a"); got != a || err != nil {
		t.Errorf("Get(a) = %p, %v, want %p", got, err, a)
	}
	m.Put(ctx, "a", b)
	if got, err := m.Get(ctx, "a"); got != b || err != nil {
		t.Errorf("Get(a) = %p, %v, want %p", got, err, b)
	}
	if m.Len() != 2 || m.Bytes() != 2*one {
		t.Errorf("%d policies of %d octets, want 2 of %d", m.Len(), m.Bytes(), 2*one)
	}
}

func TestMemoryCacheEviction(t *testing.T) {
	ctx := context.Background()
	var probe robots.MemoryCache
	probe.Put(ctx, "a", parsedPolicy("a", rules))
	m := robots.MemoryCache{MaxBytes: 3 * probe.Bytes()}
	has := func(keys string) {
		t.Helper()
		for _, key := range []string{"a", "b", "c", "d"} {
			if _, err := m.Get(ctx, key); (err == nil) != strings.Contains(keys, key) {
				t.Errorf("%s: %v, want just %s", key, err, keys)
			}
		}
	}
	for _, key := range []string{"a", "b", "c"} {
		m.Put(ctx, key, parsedPolicy(key, rules))
	}
	has("abc")
	m.Get(ctx, "a") // the least recently used is b now
	m.Put(ctx, "d", parsedPolicy("d", rules))
	has("acd")
	// What is larger than the bound is not kept, nor what it takes the place of.
	m.Put(ctx, "a", parsedPolicy("a", strings.Repeat("# comment\n", 1000)))
	has("cd")
	if m.Bytes() > m.MaxBytes {
		t.Errorf("%d octets, want %d at most", m.Bytes(), m.MaxBytes)
	}

	unbounded := robots.MemoryCache{MaxBytes: -1}
	large := strings.Repeat("#", robots.MaxBytes)
	for i := range 150 { // more than the default bound
		unbounded.Put(ctx, fmt.Sprint(i), parsedPolicy("x", large))
	}
	if unbounded.Len() != 150 {
		t.Errorf("%d policies without a bound, want 150", unbounded.Len())
	}
}

// heap returns the octets that are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// 100,000 origins stay within the bound, by the estimate and by what the
// runtime says.
func TestMemoryCacheBound(t *testing.T) {
	if testing.Short() {
		t.Skip("200,000 policies")
	}
	ctx := context.Background()
	for _, tt := range []struct {
		name    string
		rules   int
		bound   int64
		origins int
	}{
		{"404s", -1, 16 << 20, 100_000},
		{"small files", 3, 16 << 20, 100_000},
		{"files of 40 rules", 40, 16 << 20, 10_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &robots.MemoryCache{MaxBytes: tt.bound}
			before := heap()
			for i := range tt.origins {
				url := fmt.Sprintf("https://host%d.example/robots.txt", i)
				resp := &http.Response{StatusCode: 404, Header: http.Header{}}
				if tt.rules >= 0 {
					resp.StatusCode = 200
					var b strings.Builder
					fmt.Fprintf(&b, "# %d\nUser-agent: *\n", i)
					for j := range tt.rules {
						fmt.Fprintf(&b, "Disallow: /path/%d/\n", j)
					}
					resp.Body = readCloser{strings.NewReader(b.String())}
				}
				p := robots.PolicyFromResponse(resp)
				p.URL = url
				m.Put(ctx, url, p)
				if i%1000 == 0 && m.Bytes() > tt.bound {
					t.Fatalf("%d octets after %d origins, want %d at most", m.Bytes(), i, tt.bound)
				}
				if tt.rules > 8 {
					for range 50 { // so that an index gets built
						p.Allowed("ExampleBot", "/path/5/x")
					}
				}
			}
			used := heap() - before
			t.Logf("%d policies kept, estimated %d octets, heap grew by %d", m.Len(), m.Bytes(), used)
			if m.Bytes() > tt.bound || used > tt.bound {
				t.Errorf("estimate %d, heap %d, want %d at most", m.Bytes(), used, tt.bound)
			}
			if m.Bytes() < tt.bound*9/10 || used < tt.bound/3 {
				t.Errorf("estimate %d, heap %d: the bound of %d is not made use of", m.Bytes(), used, tt.bound)
			}
			runtime.KeepAlive(m)
		})
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// Many origins through a Client: memory does not grow with their number.
func TestManyOrigins(t *testing.T) {
	cache := &robots.MemoryCache{MaxBytes: 2 << 20}
	c := &robots.Client{Cache: cache, HTTPClient: &http.Client{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: readCloser{strings.NewReader(rules)}, Request: r}, nil
	})}}
	before := heap()
	for i := range 20_000 {
		if ok, err := c.Allowed(context.Background(), "ExampleBot", fmt.Sprintf("https://host%d.example/x", i)); ok || err != nil {
			t.Fatalf("Allowed = %v, %v", ok, err)
		}
	}
	used := heap() - before
	t.Logf("%d of 20000 origins kept, estimated %d octets, heap grew by %d", cache.Len(), cache.Bytes(), used)
	if cache.Bytes() > cache.MaxBytes || used > 2*cache.MaxBytes {
		t.Errorf("estimate %d, heap %d, bound %d", cache.Bytes(), used, cache.MaxBytes)
	}
	runtime.KeepAlive(c)
}

func TestMemoryCacheConcurrent(t *testing.T) {
	ctx := context.Background()
	m := &robots.MemoryCache{MaxBytes: 20 << 10}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 2000 {
				key := fmt.Sprint((i*7 + g) % 40)
				if i%3 == 0 {
					m.Put(ctx, key, parsedPolicy(key, rules))
				} else if p, err := m.Get(ctx, key); err == nil && p.URL != key {
					t.Errorf("Get(%s) has URL %s", key, p.URL)
				}
			}
		})
	}
	wg.Wait()
	if m.Bytes() > m.MaxBytes || m.Bytes() < 0 {
		t.Errorf("%d octets, want %d at most", m.Bytes(), m.MaxBytes)
	}
}

// An oddCache does what its functions say; what they are not there for works.
type oddCache struct {
	robots.MemoryCache
	get, put error
	reply    *robots.Policy // what Get returns, if set
	puts     int
}

func (c *oddCache) Get(ctx context.Context, key string) (*robots.Policy, error) {
	if c.get != nil || c.reply != nil {
		return c.reply, c.get
	}
	return c.MemoryCache.Get(ctx, key)
}

func (c *oddCache) Put(ctx context.Context, key string, p *robots.Policy) error {
	c.puts++
	if c.put != nil {
		return c.put
	}
	return c.MemoryCache.Put(ctx, key, p)
}

// A cache that fails makes no decision: not allow, not fail, and no request
// for each page.
func TestCacheFails(t *testing.T) {
	down := errors.New("connection refused")
	for name, cache := range map[string]*oddCache{
		"get":            {get: down},
		"put":            {put: down},
		"both":           {get: down, put: down},
		"nil, nil":       {reply: nil, get: nil, put: down},
		"other's policy": {reply: parsedPolicy("https://other.example/robots.txt", "User-agent: *\nAllow: /\n")},
		"no URL":         {reply: &robots.Policy{Outcome: robots.AllowAll, Expires: time.Now().Add(hour)}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t)
			w.handle("https://example.com", text(rules))
			c := w.client()
			c.Cache = cache
			for range 5 {
				if ok, err := c.Allowed(t.Context(), "ExampleBot", "https://example.com/x"); ok || err != nil {
					t.Errorf("Allowed(/x) = %v, %v", ok, err)
				}
				if ok, err := c.Allowed(t.Context(), "ExampleBot", "https://example.com/y"); !ok || err != nil {
					t.Errorf("Allowed(/y) = %v, %v", ok, err)
				}
			}
			seen := len(w.seen())
			// A cache that lies is worse than one that fails: it can be read and
			// written, so that nothing is kept here.
			if want := 1; (cache.put != nil || cache.get != nil) && seen != want {
				t.Errorf("%d requests, want %d", seen, want)
			}
		})
	}
}

// A cache that could not be read for a while may hold a good copy. A failing
// site must not overwrite it.
func TestCacheFailsAndSiteToo(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		cache := new(oddCache)
		e.client.Cache, e.client.Outage = cache, robots.OutageLastCopy
		e.serve(text(rules))
		e.want(t, robots.Parsed, 1)
		time.Sleep(day)
		e.serve(broken)
		cache.get = errors.New("connection refused")
		e.want(t, robots.DisallowAll, 1)
		e.want(t, robots.DisallowAll, 0) // kept by the Client meanwhile
		cache.get = nil
		time.Sleep(hour)
		if p := e.want(t, robots.Parsed, 1); !p.Stale || p.Allowed("ExampleBot", "/x") {
			t.Errorf("stale %v: the good copy was lost", p.Stale)
		}
	})
}

// A Put that fails leaves an old entry in the cache; what the Client keeps
// itself is newer.
func TestCacheReadOnly(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		cache := new(oddCache)
		e.client.Cache = cache
		e.serve(text(rules))
		e.want(t, robots.Parsed, 1)
		time.Sleep(day)
		cache.put = errors.New("read-only")
		e.serve(text("User-agent: *\nDisallow: /y\n"))
		for range 3 {
			if p := e.ask(t); p.Allowed("ExampleBot", "/y") || !p.Allowed("ExampleBot", "/x") {
				t.Error("an old file was used")
			}
		}
		if n := e.requests(); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
}

// slowCache never answers before its context ends.
type slowCache struct{}

func (slowCache) Get(ctx context.Context, _ string) (*robots.Policy, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
func (slowCache) Put(ctx context.Context, _ string, _ *robots.Policy) error {
	<-ctx.Done()
	return ctx.Err()
}

// A cache that hangs costs a fetch its time, and makes no decision.
func TestCacheHangs(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.client.Cache = slowCache{}
		want := func(outcome robots.Outcome, requests int, most time.Duration) {
			t.Helper()
			start := time.Now()
			e.want(t, outcome, requests)
			if waited := time.Since(start); waited > most {
				t.Errorf("answered after %v, want at most %v", waited, most)
			}
		}
		e.serve(text(rules))
		want(robots.Parsed, 1, 15*time.Second)
		for range 10 {
			want(robots.Parsed, 0, 0)
		}
		time.Sleep(day)
		e.serve(broken)
		want(robots.DisallowAll, 1, 15*time.Second)
		want(robots.DisallowAll, 0, 5*time.Second)
		time.Sleep(time.Minute)
		e.serve(text(rules))
		want(robots.Parsed, 1, 15*time.Second)
		want(robots.Parsed, 0, 0)
	})
}

// slowPut is a MemoryCache into which nothing gets before its context ends.
type slowPut struct{ robots.MemoryCache }

func (*slowPut) Put(ctx context.Context, _ string, _ *robots.Policy) error {
	<-ctx.Done()
	return ctx.Err()
}

// What was fetched is there for those who come while it is still being put in the
// cache, even if he who asked first has left.
func TestCachePutHangs(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.client.Cache = new(slowPut)
		e.serve(text(rules))
		for i := range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := e.client.Policy(ctx, "http://example.com/"); i > 0 && err != nil {
				t.Errorf("question %d: %v", i, err)
			}
			cancel()
		}
		if n := e.requests(); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
		time.Sleep(10 * time.Second) // the cache gives up
		e.want(t, robots.Parsed, 0)
	})
}

// Two crawlers share a cache, which one of them cannot always reach. Of all that
// they have read the last file counts for both, and an outage began when the first
// of them found the site down.
func TestCacheSharedOnAndOff(t *testing.T) {
	const old, latest = "User-agent: *\nDisallow: /old\n", "User-agent: *\nDisallow: /new\n"
	both := func(t *testing.T, f func(t *testing.T, e *epoch, shared *oddCache, other *robots.Client)) {
		inTime(t, func(t *testing.T, e *epoch) {
			shared := new(oddCache)
			e.client.Cache, e.client.Outage = shared, robots.OutageLastCopy
			f(t, e, shared, &robots.Client{HTTPClient: e.client.HTTPClient, Cache: &shared.MemoryCache, Outage: robots.OutageLastCopy})
		})
	}
	down := errors.New("connection refused")
	isLatest := func(t *testing.T, who string, p *robots.Policy) {
		t.Helper()
		if p.Outcome != robots.Parsed || !p.Stale || p.Allowed("ExampleBot", "/new") {
			t.Errorf("%s: outcome %v, stale %v, /new allowed: not the file that was read last", who, p.Outcome, p.Stale)
		}
	}
	for _, tt := range []struct {
		name     string
		get, put error
	}{{"get", down, nil}, {"get and put", down, down}} {
		t.Run("the other's file is later, failing "+tt.name, func(t *testing.T) {
			both(t, func(t *testing.T, e *epoch, shared *oddCache, other *robots.Client) {
				shared.put = down
				e.serve(text(old))
				e.ask(t) // kept by the client itself
				shared.put = nil
				time.Sleep(day)
				e.serve(text(latest))
				policy(t, other, "http://example.com/")
				time.Sleep(day)
				e.serve(broken)
				shared.get, shared.put = tt.get, tt.put
				e.ask(t)
				shared.get, shared.put = nil, nil
				isLatest(t, "the client", e.ask(t))
				time.Sleep(hour)
				isLatest(t, "the client, an hour later", e.ask(t))
				isLatest(t, "the other", policy(t, other, "http://example.com/"))
			})
		})
	}
	t.Run("its own file is later", func(t *testing.T) {
		both(t, func(t *testing.T, e *epoch, shared *oddCache, other *robots.Client) {
			e.serve(text(old))
			policy(t, other, "http://example.com/")
			time.Sleep(day)
			e.serve(text(latest))
			shared.get, shared.put = down, down
			e.ask(t)
			time.Sleep(day)
			e.serve(broken)
			policy(t, other, "http://example.com/") // puts that the site is down
			shared.get, shared.put = nil, nil
			isLatest(t, "the client", e.ask(t))
			time.Sleep(hour)
			isLatest(t, "the client, an hour later", e.ask(t))
			isLatest(t, "the other", policy(t, other, "http://example.com/"))
		})
	})
	for _, tt := range []struct {
		name string
		put  error
	}{{"can be written", nil}, {"cannot be written", down}} {
		t.Run("an outage goes on while the cache "+tt.name, func(t *testing.T) {
			both(t, func(t *testing.T, e *epoch, shared *oddCache, _ *robots.Client) {
				e.serve(broken)
				first := e.ask(t).FailingSince
				time.Sleep(29 * day)
				shared.get, shared.put = down, tt.put
				e.ask(t)
				time.Sleep(hour)
				e.ask(t)
				shared.get, shared.put = nil, nil
				for range 3 {
					if p := e.ask(t); !p.FailingSince.Equal(first) {
						t.Errorf("failing since %v, want %v", p.FailingSince, first)
					}
					time.Sleep(hour)
				}
			})
		})
	}
	t.Run("an answer ends an outage", func(t *testing.T) {
		both(t, func(t *testing.T, e *epoch, shared *oddCache, _ *robots.Client) {
			e.serve(broken)
			e.ask(t)
			time.Sleep(day)
			shared.get, shared.put = down, down
			e.serve(answer(404, "", ""))
			e.ask(t)
			time.Sleep(day)
			e.serve(broken)
			second := e.ask(t).FailingSince
			time.Sleep(hour)
			e.ask(t)
			shared.get, shared.put = nil, nil
			if p := e.ask(t); !p.FailingSince.Equal(second) {
				t.Errorf("failing since %v, want %v", p.FailingSince, second)
			}
		})
	})
}

// An entry of a clock that was ahead is not asked about for each page if it cannot
// be replaced.
func TestCacheReadOnlyAhead(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		shared := &oddCache{put: errors.New("read-only")}
		e.client.Cache = shared
		e.serve(text(rules))
		p := parsedPolicy("http://example.com/robots.txt", rules)
		p.Fetched = time.Now().Add(30 * day)
		p.Expires = p.Fetched.Add(day)
		shared.MemoryCache.Put(t.Context(), p.URL, p)
		e.want(t, robots.Parsed, 1)
		e.want(t, robots.Parsed, 0)
		time.Sleep(day)
		e.serve(broken)
		e.want(t, robots.DisallowAll, 1)
		e.want(t, robots.DisallowAll, 0)
	})
}

// Policies in a shared store serve another process.
func TestSharedCache(t *testing.T) {
	w := newWeb(t)
	w.handle("https://example.com", redirect(301, "https://www.example.com/robots.txt"))
	w.handle("https://www.example.com", text(rules))
	store := new(textCache)
	first, second := w.client(), w.client()
	first.Cache, second.Cache = store, store
	a := policy(t, first, "https://example.com/")
	b := policy(t, second, "https://EXAMPLE.com/x")
	if seen := w.seen(); len(seen) != 2 {
		t.Errorf("requests %q, want those of the first client", seen)
	}
	if a.Explain("ExampleBot", "/x") != b.Explain("ExampleBot", "/x") || !a.Expires.Equal(b.Expires) {
		t.Errorf("%+v and %+v differ", a, b)
	}
	store.damage()
	policy(t, second, "https://example.com/")
	if seen := w.seen(); len(seen) != 2 {
		t.Errorf("requests %q, want a damaged entry to be a miss", seen)
	}
}

// A textCache keeps policies as text, as a store outside the process does.
type textCache struct {
	mu   sync.Mutex
	text map[string][]byte
}

func (c *textCache) Get(_ context.Context, key string) (*robots.Policy, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.text[key]
	if !ok {
		return nil, robots.ErrCacheMiss
	}
	p := new(robots.Policy)
	if err := p.UnmarshalText(b); err != nil {
		return nil, err
	}
	return p, nil
}

func (c *textCache) Put(_ context.Context, key string, p *robots.Policy) error {
	b, err := p.MarshalText()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.text == nil {
		c.text = make(map[string][]byte)
	}
	c.text[key] = b
	return nil
}

func (c *textCache) damage() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.text {
		b[len(b)/2] ^= 1
	}
}

func BenchmarkMemoryCache(b *testing.B) {
	ctx := context.Background()
	m := &robots.MemoryCache{MaxBytes: -1}
	keys := make([]string, 10_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("https://host%d.example/robots.txt", i)
		m.Put(ctx, keys[i], parsedPolicy(keys[i], rules))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := m.Get(ctx, keys[i%len(keys)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
