package robots_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/robots"
)

// A fetchCase is a line of testdata/fetch.jsonl.
type fetchCase struct {
	ID, Kind, Agent, URL string
	Response             struct {
		caseAnswer
		Error  string
		Chain  []caseAnswer
		Loop   bool
		Cached *struct{ Body, Age string }

		RequiresUserAgent string `json:"requires_user_agent"`
		RobotsURL         string `json:"robots_url"`
		Page              string
		FirstFailure      string `json:"first_failure"`
	}
	Expect struct {
		Mode       string
		Allowed    *bool
		Warning    string
		Reason     string
		RobotsURL  string `json:"robots_url"`
		Strict     string `json:"strict_option"`
		Temporary  bool
		ServeStale *struct{ Allowed *bool } `json:"when_set_to_serve_stale"`
	} `json:"expect_outcome"`
}

type caseAnswer struct {
	Status   int
	Headers  map[string]string
	Body     string
	Location string
	BodyGen  string `json:"body_gen"`
}

func (a caseAnswer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var lines []string
	for name, value := range a.Headers {
		lines = append(lines, name+": "+value)
	}
	if a.Location != "" {
		lines = append(lines, "Location: "+a.Location)
	}
	body := a.Body
	if a.BodyGen != "" { // gzip of 1 GiB of "#"
		body = strings.Repeat(gzipped(strings.Repeat("#", 1<<20)), 1<<10)
	}
	answer(a.Status, strings.Join(lines, "\n"), body)(w, r)
}

func fetchCases(t *testing.T) []fetchCase {
	t.Helper()
	f, err := os.Open("testdata/fetch.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []fetchCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c fetchCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestFetchCases runs each case of testdata/fetch.jsonl against a server that
// behaves as the case says. Those about time run by their name, since each tells
// a story of its own.
func TestFetchCases(t *testing.T) {
	cases := fetchCases(t)
	if len(cases) < 50 {
		t.Fatalf("%d cases, want 50 or more", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			if story := caseStories[c.ID]; story != nil {
				story(t, c)
				return
			}
			switch {
			case c.Kind == "caching":
				t.Fatal("there is no test for this case")
			case c.Expect.RobotsURL != "":
				locateCase(t, c)
			case c.Kind == "origin-scope":
				scopeCase(t, c)
			default:
				answerCase(t, c)
			}
		})
	}
	for id := range caseStories {
		if !slices.ContainsFunc(cases, func(c fetchCase) bool { return c.ID == id }) {
			t.Errorf("there is a test for %s, and no such case", id)
		}
	}
}

// answerCase is a case that one answer, or a chain of them, decides.
func answerCase(t *testing.T, c fetchCase) {
	w := newWeb(t)
	client := w.client()
	origin := strings.TrimSuffix(c.URL, "/x")
	switch {
	case c.Response.Error == "timeout":
		stop := make(chan struct{})
		w.handle(origin, func(http.ResponseWriter, *http.Request) { <-stop })
		defer close(stop)
		client.Timeout = 50 * time.Millisecond
	case c.Response.Error == "dns":
		client.HTTPClient.Transport = &http.Transport{DialContext: (&net.Dialer{Resolver: nowhere(t)}).DialContext}
	case c.Response.Error == "tls":
		transport := w.transport()
		transport.TLSClientConfig = &tls.Config{} // does not know who signed the server's certificate
		client.HTTPClient.Transport = transport
		w.handle(origin, text(""))
	case len(c.Response.Chain) > 0:
		if c.Response.Loop {
			w.handle(origin, c.Response.Chain[0].ServeHTTP)
			break
		}
		target := origin + "/robots.txt"
		for i, a := range c.Response.Chain {
			w.handle(strings.SplitN(target, "?", 2)[0], a.ServeHTTP)
			if a.Location != "" && i+1 < len(c.Response.Chain) {
				base, _ := http.NewRequest("GET", target, nil)
				next, err := base.URL.Parse(a.Location)
				if err != nil {
					t.Fatal(err)
				}
				target = next.String()
			}
		}
	default:
		w.handle(origin, func(rw http.ResponseWriter, r *http.Request) {
			if want := c.Response.RequiresUserAgent; want != "" && r.UserAgent() != want {
				rw.WriteHeader(403)
				return
			}
			c.Response.ServeHTTP(rw, r)
		})
	}
	p := policy(t, client, c.URL)
	checkPolicy(t, p)
	if got := p.Outcome.String(); got != c.Expect.Mode {
		t.Errorf("outcome %v, err %v, want %v", got, p.Err, c.Expect.Mode)
	}
	allowed := c.Expect.Mode == "allow-all"
	if c.Expect.Allowed != nil {
		allowed = *c.Expect.Allowed
	}
	// Every way to ask agrees (st-temoto-test-vs-testagent).
	if got := p.Allowed(c.Agent, c.URL); c.ID != "st-gzip-bomb" && got != allowed {
		t.Errorf("Policy.Allowed = %v, want %v", got, allowed)
	}
	if got := p.Explain(c.Agent, c.URL).Allowed; got != p.Allowed(c.Agent, c.URL) {
		t.Errorf("Explain says %v", got)
	}
	if got, err := client.Allowed(context.Background(), c.Agent, c.URL); got != p.Allowed(c.Agent, c.URL) || err != nil {
		t.Errorf("Client.Allowed = %v, %v", got, err)
	}
	if c.Expect.Warning == "html" && !has(p.Warnings, "HTML") {
		t.Errorf("warnings %q, want one about HTML", p.Warnings)
	}
	if c.Expect.Reason == "too-many-redirects" && !has(p.Warnings, "redirects") {
		t.Errorf("warnings %q, want one about redirects", p.Warnings)
	}
	temporary := c.Expect.Temporary || c.Expect.Mode == "disallow-all"
	if got := !p.FailingSince.IsZero() && p.Err != nil; got != temporary {
		t.Errorf("temporary is %v, want %v", got, temporary)
	}
	if temporary && p.Expires.Sub(p.Fetched) > hour {
		t.Errorf("asked again after %v", p.Expires.Sub(p.Fetched))
	}
	if want := origin + "/robots.txt"; p.URL != want {
		t.Errorf("URL = %q, want %q", p.URL, want)
	}
	if c.Expect.Strict != "" {
		client := w.client()
		client.Outcome = func(status int) robots.Outcome {
			if status == 401 || status == 403 {
				return robots.DisallowAll
			}
			return robots.StatusOutcome(status)
		}
		if p := policy(t, client, c.URL); p.Outcome.String() != c.Expect.Strict || p.Allowed(c.Agent, c.URL) {
			t.Errorf("strict: outcome %v, want %v", p.Outcome, c.Expect.Strict)
		}
	}
}

// locateCase asks for the place of a file.
func locateCase(t *testing.T, c fetchCase) {
	if got, err := robots.Locate(c.Response.Page); got != c.Expect.RobotsURL || err != nil {
		t.Errorf("Locate(%q) = %q, %v, want %q", c.Response.Page, got, err, c.Expect.RobotsURL)
	}
}

// scopeCase has a file at one origin and asks about another URL.
func scopeCase(t *testing.T, c fetchCase) {
	w := newWeb(t)
	w.handle(strings.TrimSuffix(c.Response.RobotsURL, "/robots.txt"), text(c.Response.Body))
	client := w.client()
	p := policy(t, client, c.Response.RobotsURL)
	if got, want := p.Covers(c.URL), c.Expect.Mode != "out-of-scope"; got != want {
		t.Errorf("Covers(%q) = %v, want %v", c.URL, got, want)
	}
	want := true // the other origin has no file
	if c.Expect.Allowed != nil {
		want = *c.Expect.Allowed
	}
	if got, err := client.Allowed(context.Background(), c.Agent, c.URL); got != want || err != nil {
		t.Errorf("Client.Allowed(%q) = %v, %v, want %v", c.URL, got, err, want)
	}
}

// nowhere is a resolver whose name server knows no name (NXDOMAIN).
func nowhere(t *testing.T) *net.Resolver {
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			if n < 12 {
				continue
			}
			// The question with the bits of an answer set, and no records after it.
			reply := bytes.Clone(buf[:n])
			reply[2], reply[3] = 0x81, 0x83
			copy(reply[6:12], make([]byte, 6))
			end := 12
			for end < n && reply[end] != 0 {
				end += int(reply[end]) + 1
			}
			pc.WriteTo(reply[:min(end+5, n)], from)
		}
	})
	t.Cleanup(func() {
		pc.Close()
		wg.Wait()
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", pc.LocalAddr().String())
	}}
}

// caseStories are the cases in which time passes, or that take more than an
// answer.
var caseStories = map[string]func(*testing.T, fetchCase){
	"st-304": func(t *testing.T, c fetchCase) {
		inTime(t, func(t *testing.T, e *epoch) {
			e.serve(answer(200, `ETag: "1"`, c.Response.Cached.Body))
			first := e.want(t, robots.Parsed, 1)
			time.Sleep(parseDuration(t, c.Response.Cached.Age))
			e.want(t, robots.Parsed, 0)
			time.Sleep(2 * hour)
			e.serve(answer(304, "", ""))
			p := e.want(t, robots.Parsed, 1)
			if p.Status != 304 || p.File != first.File || p.Allowed(c.Agent, c.URL) != *c.Expect.Allowed {
				t.Errorf("status %d, allowed %v", p.Status, p.Allowed(c.Agent, c.URL))
			}
			if want := time.Now().Add(day); !p.Expires.Equal(want) {
				t.Errorf("expires %v, want %v: refreshed", p.Expires, want)
			}
		})
	},
	"ca-24h": func(t *testing.T, c fetchCase) {
		inTime(t, func(t *testing.T, e *epoch) {
			e.serve(text(c.Response.Body))
			e.want(t, robots.Parsed, 1)
			time.Sleep(day - 1)
			e.want(t, robots.Parsed, 0)
			time.Sleep(time.Nanosecond)
			e.want(t, robots.Parsed, 1)
			time.Sleep(25 * hour)
			e.want(t, robots.Parsed, 1)
		})
	},
	"ca-max-age-short": ttlCase(time.Minute),
	"ca-max-age-long":  ttlCase(day),
	"ca-stale-on-5xx": func(t *testing.T, c fetchCase) {
		for _, outage := range []robots.Outage{robots.OutageRFC9309, robots.OutageLastCopy} {
			inTime(t, func(t *testing.T, e *epoch) {
				e.client.Outage = outage
				e.serve(text(c.Response.Cached.Body))
				e.want(t, robots.Parsed, 1)
				time.Sleep(parseDuration(t, c.Response.Cached.Age))
				e.serve(c.Response)
				if outage == robots.OutageRFC9309 {
					p := e.want(t, robots.DisallowAll, 1)
					if p.Stale || p.Allowed(c.Agent, "/y") {
						t.Errorf("stale %v, /y allowed %v", p.Stale, p.Allowed(c.Agent, "/y"))
					}
					return
				}
				p := e.want(t, robots.Parsed, 1)
				if !p.Stale || p.Err == nil || p.Allowed(c.Agent, c.URL) != *c.Expect.ServeStale.Allowed || !p.Allowed(c.Agent, "/y") {
					t.Errorf("stale %v, err %v, /x allowed %v, /y allowed %v", p.Stale, p.Err, p.Allowed(c.Agent, c.URL), p.Allowed(c.Agent, "/y"))
				}
			})
		}
	},
	"ca-5xx-short": func(t *testing.T, c fetchCase) {
		inTime(t, func(t *testing.T, e *epoch) {
			e.serve(c.Response)
			p := e.want(t, robots.DisallowAll, 1)
			if d := p.Expires.Sub(p.Fetched); d <= 0 || d > hour {
				t.Errorf("asked again after %v, want an hour at most", d)
			}
			e.want(t, robots.DisallowAll, 0)
			time.Sleep(p.Expires.Sub(p.Fetched))
			e.serve(text(rules))
			e.want(t, robots.Parsed, 1)
		})
	},
	"ca-5xx-30-days": func(t *testing.T, c fetchCase) {
		inTime(t, func(t *testing.T, e *epoch) {
			e.serve(c.Response)
			e.want(t, robots.DisallowAll, 1)
			time.Sleep(30*day - 1)
			e.want(t, robots.DisallowAll, 1)
			time.Sleep(day + 1)
			p := e.want(t, robots.AllowAll, 1)
			if !p.Allowed(c.Agent, c.URL) || p.Explain(c.Agent, c.URL).Reason != robots.ReasonUnavailable {
				t.Errorf("Explain = %+v", p.Explain(c.Agent, c.URL))
			}
		})
	},
	"ca-negative": func(t *testing.T, c fetchCase) {
		inTime(t, func(t *testing.T, e *epoch) {
			e.serve(c.Response)
			e.want(t, robots.AllowAll, 1)
			for range 23 {
				time.Sleep(hour)
				e.want(t, robots.AllowAll, 0)
			}
			time.Sleep(hour)
			e.want(t, robots.AllowAll, 1)
		})
	},
	"ca-single-flight": func(t *testing.T, c fetchCase) { singleFlight(t, 100) },
	"ca-bounded": func(t *testing.T, c fetchCase) {
		if testing.Short() {
			t.Skip("a million policies")
		}
		m := robots.MemoryCache{MaxBytes: 4 << 20}
		p := robots.PolicyFromResponse(&http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(c.Response.Body))})
		for i := range 1_000_000 {
			m.Put(context.Background(), "https://host"+string(rune('a'+i%26))+base64.RawURLEncoding.EncodeToString([]byte{byte(i), byte(i >> 8), byte(i >> 16)})+".example/robots.txt", p)
		}
		if m.Bytes() > m.MaxBytes || m.Len() < 1000 {
			t.Errorf("%d policies in %d octets, want at most %d", m.Len(), m.Bytes(), m.MaxBytes)
		}
	},
	"ca-round-trip": func(t *testing.T, c fetchCase) {
		p := robots.PolicyFromResponse(&http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(c.Response.Body))})
		q := roundTrip(t, p)
		if d := cmp.Diff(slices.Collect(p.File.Sitemaps()), slices.Collect(q.File.Sitemaps())); d != "" {
			t.Errorf("Sitemaps (-before +after):\n%s", d)
		}
		if d := cmp.Diff(slices.Collect(p.File.Records()), slices.Collect(q.File.Records())); d != "" {
			t.Errorf("Records (-before +after):\n%s", d)
		}
		for _, url := range []string{"/", "/é", "/%C3%A9x", "/a", "/ab", "/x?y"} {
			if a, b := p.Explain(c.Agent, url), q.Explain(c.Agent, url); a != b {
				t.Errorf("Explain(%q) = %+v, and %+v before", url, b, a)
			}
		}
	},
}

// ttlCase checks how long an answer is used.
func ttlCase(ttl time.Duration) func(*testing.T, fetchCase) {
	return func(t *testing.T, c fetchCase) {
		inTime(t, func(t *testing.T, e *epoch) {
			e.serve(c.Response)
			p := e.want(t, robots.Parsed, 1)
			if got := p.Expires.Sub(p.Fetched); got != ttl {
				t.Errorf("used for %v, want %v", got, ttl)
			}
			time.Sleep(ttl - 1)
			e.want(t, robots.Parsed, 0)
			time.Sleep(time.Nanosecond)
			e.want(t, robots.Parsed, 1)
		})
	}
}

func parseDuration(t *testing.T, s string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// roundTrip sends a policy through its text.
func roundTrip(t testing.TB, p *robots.Policy) *robots.Policy {
	t.Helper()
	b, err := p.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	q := new(robots.Policy)
	if err := q.UnmarshalText(b); err != nil {
		t.Fatalf("UnmarshalText: %v\n%s", err, b)
	}
	return q
}

// The DNS and TLS cases fail for the reason that they are about.
func TestFailureCauses(t *testing.T) {
	c := robots.Client{HTTPClient: &http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{Resolver: nowhere(t)}).DialContext}}}
	p := policy(t, &c, "https://nowhere.example/")
	var dns *net.DNSError
	if !errors.As(p.Err, &dns) || !dns.IsNotFound {
		t.Errorf("Err = %v, want that there is no such host", p.Err)
	}
	w := newWeb(t)
	transport := w.transport()
	transport.TLSClientConfig = &tls.Config{}
	c = robots.Client{HTTPClient: &http.Client{Transport: transport}}
	p = policy(t, &c, "https://example.com/")
	var cert *tls.CertificateVerificationError
	if !errors.As(p.Err, &cert) {
		t.Errorf("Err = %v, want one about the certificate", p.Err)
	}
}
