package robots_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/robots"
)

var broken = answer(503, "", "User-agent: *\nAllow: /\n")

// TestOutages lives through an outage of 45 days under each practice, with and
// without a good copy, asking every half hour (F6, F7, R34, R35, G16).
// The table of the Outage documentation says what must come out.
func TestOutages(t *testing.T) {
	const (
		deny  = robots.DisallowAll
		open  = robots.AllowAll
		stale = robots.Parsed
	)
	expect := func(o robots.Outage, hasCopy bool, down time.Duration) robots.Outcome {
		switch {
		case o == robots.OutageRFC9309 && hasCopy:
			return pick(down < 30*day, deny, stale)
		case o == robots.OutageGoogle && hasCopy:
			return pick(down < 12*hour, deny, pick(down < 30*day+12*hour, stale, open))
		case o == robots.OutageLastCopy && hasCopy:
			return stale
		case o == robots.OutageGoogle:
			return pick(down < 12*hour, deny, open)
		}
		return pick(down < 30*day, deny, open)
	}
	for _, o := range []robots.Outage{robots.OutageRFC9309, robots.OutageGoogle, robots.OutageLastCopy} {
		for _, hasCopy := range []bool{true, false} {
			t.Run(fmt.Sprintf("%v copy %v", o, hasCopy), func(t *testing.T) {
				inTime(t, func(t *testing.T, e *epoch) {
					e.client.Outage = o
					if hasCopy {
						e.serve(text(rules))
						e.want(t, robots.Parsed, 1)
						time.Sleep(day)
					}
					e.serve(broken)
					start := time.Now()
					for time.Since(start) < 45*day {
						p := e.ask(t)
						down := time.Since(start)
						if want := expect(o, hasCopy, down); p.Outcome != want {
							t.Fatalf("down for %v: outcome %v, want %v", down, p.Outcome, want)
						}
						if !p.FailingSince.Equal(start) || p.Status != 503 || p.Err == nil {
							t.Fatalf("down for %v: failing since %v, status %d, err %v", down, p.FailingSince, p.Status, p.Err)
						}
						if p.Outcome == stale && (!p.Stale || p.Allowed("ExampleBot", "/x") || !p.Allowed("ExampleBot", "/y")) {
							t.Fatalf("down for %v: it is not the last good copy", down)
						}
						time.Sleep(30 * time.Minute)
					}
					// Asked again once an hour, after the first.
					if n, want := e.requests(), 45*24; n < want || n > want+10 {
						t.Errorf("%d requests in 45 days, want about %d", n, want)
					}
					// An answer ends the outage at once.
					time.Sleep(hour)
					e.serve(text("User-agent: *\nDisallow: /y\n"))
					p := e.want(t, robots.Parsed, 1)
					if p.Stale || !p.FailingSince.IsZero() || p.Err != nil || p.Allowed("ExampleBot", "/y") || !p.Allowed("ExampleBot", "/x") {
						t.Errorf("after the outage: stale %v, failing since %v, err %v", p.Stale, p.FailingSince, p.Err)
					}
				})
			})
		}
	}
}

func pick(b bool, yes, no robots.Outcome) robots.Outcome {
	if b {
		return yes
	}
	return no
}

// The outcome changes when its time has come, not with the next request.
func TestOutageBetweenRequests(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.client.DisallowFor = 90 * time.Second
		e.serve(answer(503, "Retry-After: 3600", ""))
		e.want(t, robots.DisallowAll, 1)
		time.Sleep(90*time.Second - 1)
		e.want(t, robots.DisallowAll, 0)
		time.Sleep(time.Nanosecond)
		e.want(t, robots.AllowAll, 0)
	})
}

// The pause grows from a minute to an hour, and Retry-After is heard, within a
// day (G16: 503 retried).
func TestRetries(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.serve(broken)
		for _, minutes := range []int{1, 2, 4, 8, 16, 32, 60, 60} {
			pause := time.Duration(minutes) * time.Minute
			p := e.want(t, robots.DisallowAll, 1)
			if got := p.Expires.Sub(p.Fetched); got != pause {
				t.Fatalf("asked again after %v, want %v", got, pause)
			}
			time.Sleep(pause - 1)
			e.want(t, robots.DisallowAll, 0)
			time.Sleep(time.Nanosecond)
		}
		e.serve(answer(429, "Retry-After: 7200", ""))
		e.want(t, robots.DisallowAll, 1)
		time.Sleep(2*hour - 1)
		e.want(t, robots.DisallowAll, 0)
		time.Sleep(time.Nanosecond)
		e.serve(answer(503, "Retry-After: 604800", ""))
		e.want(t, robots.DisallowAll, 1)
		time.Sleep(day - 1)
		e.want(t, robots.DisallowAll, 0)
		time.Sleep(time.Nanosecond)
		e.serve(answer(503, "Date: Sat, 01 Jan 2000 00:00:00 GMT\nRetry-After: Sat, 01 Jan 2000 03:00:00 GMT", ""))
		e.want(t, robots.DisallowAll, 1)
		time.Sleep(3*hour - 1)
		e.want(t, robots.DisallowAll, 0)
		time.Sleep(time.Nanosecond)
		// After an answer the pause starts small again.
		e.serve(answer(404, "", ""))
		e.want(t, robots.AllowAll, 1)
		time.Sleep(day)
		e.serve(broken)
		p := e.want(t, robots.DisallowAll, 1)
		if got := p.Expires.Sub(p.Fetched); got != time.Minute {
			t.Errorf("asked again after %v, want 1m", got)
		}
	})
}

// The last good copy is there after any number of failures of any kind, and of
// 404s.
func TestGoodCopySurvives(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.client.Outage = robots.OutageLastCopy
		e.serve(text(rules))
		first := e.want(t, robots.Parsed, 1)
		for i, h := range []http.HandlerFunc{
			broken,
			answer(429, "", ""),
			answer(200, "Content-Encoding: gzip", rules),
			answer(200, "Content-Length: 100", rules),
			answer(206, "Content-Range: bytes 0-1/27", "Us"),
			answer(304, "", ""),
			redirect(302, "ftp://example.com/"),
			func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
			answer(999, "", ""),
		} {
			time.Sleep(day)
			e.serve(h)
			p := e.want(t, robots.Parsed, 1)
			if !p.Stale || p.File != first.File || p.Err == nil {
				t.Errorf("failure %d: stale %v, err %v", i, p.Stale, p.Err)
			}
			if q := roundTrip(t, p); q.File.String() != rules || !q.Stale || robots.GoodCopy(q) == nil {
				t.Errorf("failure %d: lost on the way to a shared cache", i)
			}
		}
		time.Sleep(day)
		e.serve(answer(404, "", ""))
		if p := e.want(t, robots.AllowAll, 1); robots.GoodCopy(p) != first.File {
			t.Error("a 404 erased the last good copy")
		}
		time.Sleep(day)
		e.serve(broken)
		if p := e.want(t, robots.Parsed, 1); p.File != first.File {
			t.Error("the last good copy was lost after a 404")
		}
		// A new file takes its place, be it empty.
		time.Sleep(day)
		e.serve(answer(204, "", ""))
		e.want(t, robots.Parsed, 1)
		time.Sleep(day)
		e.serve(broken)
		if p := e.want(t, robots.Parsed, 1); !p.Stale || !p.Allowed("ExampleBot", "/x") {
			t.Error("the last good copy is not the last one")
		}
	})
}

// Validators are sent for what is stored, to the URL that it came from, and a
// 304 renews it.
func TestConditional(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		const modified = "Sat, 01 Jan 2000 00:00:00 GMT"
		var sent []string
		watch := func(h http.HandlerFunc) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				sent = append(sent, r.URL.Path+" "+r.Header.Get("If-None-Match")+" "+r.Header.Get("If-Modified-Since"))
				h(w, r)
			}
		}
		check := func(want ...string) {
			t.Helper()
			if fmt.Sprint(sent) != fmt.Sprint(want) {
				t.Errorf("validators sent: %q, want %q", sent, want)
			}
			sent = nil
		}
		e.serve(watch(answer(200, "Content-Type: text/html\nCache-Control: max-age=3600\nETag: W/\"a\"\nLast-Modified: "+modified, rules)))
		e.want(t, robots.Parsed, 1)
		check("/robots.txt  ")

		// A 304 that repeats nothing leaves the lifetime as it was.
		time.Sleep(hour)
		e.serve(watch(answer(304, "", "")))
		p := e.want(t, robots.Parsed, 1)
		check(`/robots.txt W/"a" ` + modified)
		if p.Status != 304 || p.Expires.Sub(p.Fetched) != hour || p.Size != len(rules) || p.ContentType != "text/html" || !has(p.Warnings, "text/html") {
			t.Errorf("status %d, expires after %v, size %d, type %q, warnings %q", p.Status, p.Expires.Sub(p.Fetched), p.Size, p.ContentType, p.Warnings)
		}
		if q := roundTrip(t, p); q.Status != 304 || robots.GoodCopy(q) != q.File {
			t.Errorf("after a round trip: status %d", q.Status)
		}

		// One that does sets it anew. A tag may be called weak or not.
		time.Sleep(hour)
		e.serve(watch(answer(304, "Cache-Control: max-age=7200\nETag: \"a\"", "")))
		p = e.want(t, robots.Parsed, 1)
		check(`/robots.txt W/"a" ` + modified)
		if p.Expires.Sub(p.Fetched) != 2*hour {
			t.Errorf("expires after %v, want 2h", p.Expires.Sub(p.Fetched))
		}

		// A failure in between does not lose them, and a 304 ends the outage.
		time.Sleep(2 * hour)
		e.serve(watch(broken))
		e.want(t, robots.DisallowAll, 1)
		check(`/robots.txt W/"a" ` + modified)
		time.Sleep(time.Minute)
		e.serve(watch(answer(304, "", "")))
		p = e.want(t, robots.Parsed, 1)
		check(`/robots.txt W/"a" ` + modified)
		if p.Stale || p.Err != nil || !p.FailingSince.IsZero() || p.Allowed("ExampleBot", "/x") {
			t.Errorf("stale %v, err %v, failing since %v", p.Stale, p.Err, p.FailingSince)
		}

		// A redirect's target has not been asked before, and the first hop has
		// nothing that could be not modified once the file is elsewhere.
		time.Sleep(2 * hour)
		e.serve(watch(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				redirect(301, "/moved")(w, r)
				return
			}
			answer(200, `ETag: "c"`, rules)(w, r)
		}))
		e.want(t, robots.Parsed, 2)
		check(`/robots.txt W/"a" `+modified, "/moved  ")
		time.Sleep(day)
		e.want(t, robots.Parsed, 2)
		check("/robots.txt  ", `/moved "c" `)
		time.Sleep(day)
		e.serve(watch(answer(304, "", "")))
		if p := e.want(t, robots.DisallowAll, 1); p.Err == nil {
			t.Error("a 304 that nobody asked for is an answer")
		}
		check("/robots.txt  ")
	})
}

// A 304 is about the file whose validators it has, and if that is not the copy,
// the file is asked for again, without a condition (RFC 9111 section 4.3.4). Else
// the copy would be renewed for good.
func TestNotModifiedOther(t *testing.T) {
	const date, before = "Sat, 01 Jan 2000 00:00:00 GMT", "Fri, 31 Dec 1999 00:00:00 GMT"
	for _, tt := range []struct {
		name         string
		copy, answer string // the headers of the copy, and of the 304
		requests     int
	}{
		{"no validator", "ETag: \"a\"", "", 1},
		{"same tag", "ETag: \"a\"", "ETag: \"a\"", 1},
		{"same tag, called weak", "ETag: \"a\"", "ETag: W/\"a\"", 1},
		{"same tag, other date", "ETag: \"a\"\nLast-Modified: " + date, "ETag: \"a\"\nLast-Modified: " + before, 1},
		{"same date", "Last-Modified: " + date, "Last-Modified: " + date, 1},
		{"a date that the copy has not", "ETag: \"a\"", "Last-Modified: " + date, 1},
		{"other tag", "ETag: \"a\"", "ETag: \"b\"", 2},
		{"other tag, same date", "ETag: \"a\"\nLast-Modified: " + date, "ETag: \"b\"\nLast-Modified: " + date, 2},
		{"a tag that the copy has not", "Last-Modified: " + date, "ETag: \"b\"", 2},
		{"earlier date", "Last-Modified: " + date, "Last-Modified: " + before, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inTime(t, func(t *testing.T, e *epoch) {
				e.serve(answer(200, "Content-Type: text/plain\n"+tt.copy, rules))
				e.want(t, robots.Parsed, 1)
				time.Sleep(day)
				e.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("If-None-Match")+r.Header.Get("If-Modified-Since") != "" {
						answer(304, tt.answer, "")(w, r)
						return
					}
					answer(200, tt.answer, "User-agent: *\nDisallow: /y\n")(w, r)
				}))
				p := e.want(t, robots.Parsed, tt.requests)
				if got, want := p.Allowed("ExampleBot", "/x"), tt.requests == 2; got != want || len(p.Redirects) > 0 {
					t.Errorf("/x is allowed: %v, want %v; redirects %q", got, want, p.Redirects)
				}
			})
		})
	}
}

// The same with the server of net/http, which goes by dates if it is not asked
// about a tag, when an older file takes the place of the copy.
func TestNotModifiedOlderFile(t *testing.T) {
	for _, tag := range []string{"", `"v2"`} {
		inTime(t, func(t *testing.T, e *epoch) {
			serve := func(tag, file string, modified time.Time) {
				e.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if tag != "" {
						w.Header().Set("ETag", tag)
					}
					http.ServeContent(w, r, "robots.txt", modified, strings.NewReader(file))
				}))
			}
			serve("", rules, time.Now())
			e.want(t, robots.Parsed, 1)
			serve(tag, "User-agent: *\nDisallow: /y\n", time.Now().Add(-10*day))
			time.Sleep(day)
			if p := e.want(t, robots.Parsed, 2); p.Allowed("ExampleBot", "/y") {
				t.Errorf("tag %q: %q is used still", tag, p.File)
			}
			time.Sleep(day)
			e.want(t, robots.Parsed, 1)
		})
	}
}

// Tags and dates that could not be sent back are not kept: they would break
// every later request.
func TestOddValidators(t *testing.T) {
	const epoch = "Sun, 06 Nov 1994 08:49:37"
	for _, odd := range []struct{ tag, date string }{
		{"\"a\r\nX-Evil: 1\"", "yesterday\r\nX-Evil: 1"},
		{"\"" + strings.Repeat("a", 2000) + "\"", "0"},
		{"\"\x00\"", epoch + "." + strings.Repeat("0", 200<<10) + " GMT"},
	} {
		synctest.Test(t, func(t *testing.T) {
			// Built by hand, as servers of net/http refuse to send it.
			c := &robots.Client{HTTPClient: &http.Client{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
				for _, name := range []string{"If-None-Match", "If-Modified-Since"} {
					if v := r.Header.Get(name); v != "" {
						t.Errorf("%s: %.100q was sent", name, v)
					}
				}
				return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r, Header: http.Header{
					"Etag": {odd.tag}, "Last-Modified": {odd.date},
				}}, nil
			})}}
			for range 3 {
				policy(t, c, "http://example.com/")
				time.Sleep(day)
			}
		})
	}
}

// A policy of the caller's own making in the cache is understood: its File is
// the last good copy.
func TestPolicyByHand(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		cache := new(robots.MemoryCache)
		e.client.Cache = cache
		e.client.Outage = robots.OutageLastCopy
		cache.Put(t.Context(), "http://example.com/robots.txt", &robots.Policy{
			URL: "http://example.com/robots.txt", Outcome: robots.Parsed, File: robots.Parse([]byte(rules)),
			Fetched: time.Now(), Expires: time.Now().Add(hour),
		})
		e.want2(t, robots.Parsed, 0)
		time.Sleep(hour)
		e.serve(broken)
		if p := e.want(t, robots.Parsed, 1); !p.Stale || p.Allowed("ExampleBot", "/x") {
			t.Errorf("stale %v", p.Stale)
		}
	})
}

// want2 is want for a policy that no Client made.
func (e *epoch) want2(t *testing.T, outcome robots.Outcome, requests int) {
	t.Helper()
	p := policy(t, e.client, "http://example.com/x")
	if n := e.requests(); p.Outcome != outcome || n != requests {
		t.Errorf("outcome %v with %d requests, want %v with %d", p.Outcome, n, outcome, requests)
	}
}

// Clocks that were wrong when a policy was written must not make it last.
func TestClocks(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		cache := new(robots.MemoryCache)
		e.client.Cache = cache
		put := func(p robots.Policy) {
			p.URL = "http://example.com/robots.txt"
			cache.Put(t.Context(), p.URL, &p)
		}
		e.serve(text(rules))
		put(robots.Policy{Outcome: robots.AllowAll, Fetched: time.Now().AddDate(10, 0, 0), Expires: time.Now().AddDate(10, 0, 1)})
		e.want(t, robots.Parsed, 1)
		put(robots.Policy{Outcome: robots.AllowAll})
		e.want(t, robots.Parsed, 1)
		e.serve(broken)
		put(robots.Policy{FailingSince: time.Now().AddDate(10, 0, 0)})
		start := time.Now()
		if p := e.want(t, robots.DisallowAll, 1); !p.FailingSince.Equal(start) {
			t.Errorf("failing since %v, want now", p.FailingSince)
		}
		// One that is a little ahead is fine.
		put(robots.Policy{Outcome: robots.AllowAll, Fetched: time.Now().Add(time.Minute), Expires: time.Now().Add(day + time.Minute)})
		e.want2(t, robots.AllowAll, 0)
	})
}
