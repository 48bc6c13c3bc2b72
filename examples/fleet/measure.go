package main

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/robots"
	"github.com/redis/go-redis/v9"
)

// connections is how many calls are made at a time.
const connections = 32

// measureFleet fills a Redis of its own, and then a MemoryCache, with the
// policies of n origins, and prints what they take and how fast both are.
func measureFleet(ctx context.Context, n int, dir string) error {
	texts, err := robotsTexts(dir)
	if err != nil {
		return err
	}
	server, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer server.kill()
	client := redis.NewClient(&redis.Options{Addr: server.addr, PoolSize: connections})
	defer client.Close()
	shared := &Shared{Redis: client}
	shared.Memory.MaxBytes = 1 // nothing fits: only Redis is measured

	size := 0
	for _, t := range texts {
		size += len(t)
	}
	fmt.Printf("%d origins with %d different files of %d octets on average\n", n, len(texts), size/len(texts))

	before, err := info(ctx, client, "used_memory")
	if err != nil {
		return err
	}
	for _, phase := range []struct {
		name string
		f    func(i int) error
	}{
		{"put", func(i int) error {
			return shared.Put(ctx, originKey(i), newPolicy(originKey(i), texts[i%len(texts)]))
		}},
		{"get", func(i int) error {
			_, err := shared.Get(ctx, originKey(i))
			return err
		}},
		{"lock", func(i int) error {
			return takeScript.Run(ctx, client, shared.keys(originKey(n+i)), newToken(), "", 3000).Err()
		}},
	} {
		start, err := info(ctx, client, "used_cpu_user", "used_cpu_sys")
		if err != nil {
			return err
		}
		speed, err := rate(n, phase.f)
		if err != nil {
			return err
		}
		end, err := info(ctx, client, "used_cpu_user", "used_cpu_sys")
		if err != nil {
			return err
		}
		fmt.Printf("Redis, %-5s %6.0f a second, %3.0f µs of processor time each\n", phase.name+":", speed, (end-start)/float64(n)*1e6)
		if phase.name == "put" {
			after, err := info(ctx, client, "used_memory")
			if err != nil {
				return err
			}
			fmt.Printf("Redis:       %6.0f octets an origin\n", (after-before)/float64(n))
		}
	}
	if failures := shared.Stats.Failures.Load(); failures > 0 {
		return fmt.Errorf("fleet: Redis failed %d times, so the figures mean nothing", failures)
	}
	plain, packed, err := deflated(texts)
	if err != nil {
		return err
	}
	fmt.Printf("text:        %6d octets a policy, of which compression would leave %d\n", plain, packed)

	var memory robots.MemoryCache
	memory.MaxBytes = -1
	heap := heapInUse()
	if _, err := rate(n, func(i int) error {
		return memory.Put(ctx, originKey(i), newPolicy(originKey(i), texts[i%len(texts)]))
	}); err != nil {
		return err
	}
	heap = heapInUse() - heap
	hits, err := rate(n, func(i int) error {
		_, err := memory.Get(ctx, originKey(i))
		return err
	})
	fmt.Printf("memory:      %6d octets an origin (estimated: %d), %.0f gets a second\n", heap/n, int(memory.Bytes())/n, hits)
	runtime.KeepAlive(&memory)
	return err
}

func originKey(i int) string { return fmt.Sprintf("https://www.site-%08d.example/robots.txt", i) }

// newPolicy is what a fetch of url would come to if the site answered text.
func newPolicy(url, text string) *robots.Policy {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		panic(err) // url comes from originKey
	}
	return robots.PolicyFromResponse(&http.Response{
		StatusCode: http.StatusOK,
		Header: http.Header{
			"Content-Type":  {"text/plain; charset=utf-8"},
			"Etag":          {`"5f3a2b1c-4d5"`},
			"Last-Modified": {"Mon, 02 Nov 2026 08:00:00 GMT"},
		},
		Body:    io.NopCloser(strings.NewReader(text)),
		Request: req,
	})
}

// rate calls f with 0 to n-1 from as many goroutines as there are connections and returns the calls a second.
func rate(n int, f func(i int) error) (float64, error) {
	var (
		wg     sync.WaitGroup
		next   atomic.Int64
		failed atomic.Pointer[error]
	)
	start := time.Now()
	for range connections {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && failed.Load() == nil; i = int(next.Add(1)) - 1 {
				if err := f(i); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(n) / time.Since(start).Seconds(), nil
}

// robotsTexts returns the files of a folder, or without one a shop's of 40
// rules.
func robotsTexts(dir string) ([]string, error) {
	if dir == "" {
		text := "User-agent: *\n"
		for i := range 40 {
			text += fmt.Sprintf("Disallow: /section-%d/*/print\n", i)
		}
		return []string{text + "\nSitemap: https://www.shop.example/sitemap.xml\n"}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(data))
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("fleet: there are no files in %s", dir)
	}
	return texts, nil
}

// deflated returns the average length of the text of a policy, and what flate
// makes of it.
func deflated(texts []string) (plain, packed int, err error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return 0, 0, err
	}
	for i, text := range texts {
		policy, err := newPolicy(originKey(i), text).MarshalText()
		if err != nil {
			return 0, 0, err
		}
		b.Reset()
		w.Reset(&b)
		if _, err := w.Write(policy); err != nil {
			return 0, 0, err
		}
		if err := w.Close(); err != nil {
			return 0, 0, err
		}
		plain, packed = plain+len(policy), packed+b.Len()
	}
	return plain / len(texts), packed / len(texts), nil
}

// info returns the sum of some figures of Redis's INFO.
func info(ctx context.Context, client *redis.Client, names ...string) (sum float64, err error) {
	text, err := client.Info(ctx, "memory", "cpu").Result()
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		_, rest, _ := strings.Cut(text, "\n"+name+":")
		var f float64
		if _, err := fmt.Sscan(rest, &f); err != nil {
			return 0, fmt.Errorf("fleet: Redis tells no %s: %w", name, err)
		}
		sum += f
	}
	return sum, nil
}

func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
