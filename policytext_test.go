package robots_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/robots"
)

// comparePolicies compares all that a round trip keeps; a FetchError keeps the
// text of its cause.
var comparePolicies = cmp.Options{
	cmpopts.IgnoreUnexported(robots.Policy{}),
	cmp.Comparer(func(a, b *robots.File) bool {
		return (a == nil) == (b == nil) && (a == nil || a.String() == b.String() && a.Truncated() == b.Truncated())
	}),
	cmp.Comparer(func(a, b error) bool {
		if a == nil || b == nil {
			return a == b
		}
		var x, y *robots.FetchError
		if errors.As(a, &x) != errors.As(b, &y) || x != nil && (x.URL != y.URL || x.Status != y.Status) {
			return false
		}
		return a.Error() == b.Error()
	}),
	cmpopts.EquateEmpty(),
}

func samplePolicies(t testing.TB) map[string]*robots.Policy {
	now := time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)
	odd := "User-agent: *\r\nDisallow: /\xff\x00é\r\rAllow: /a*$\n\nSitemap: https://example.com/s.xml\n\nrobots-policy 1\n\n"
	big := strings.Repeat("Disallow: /path\n", 100)
	google := robots.Parser{Dialect: robots.Google, MaxBytes: 50}.Parse([]byte("User-agent: *\nAllow: /index.html\nDisallow: /\nDisallow: /verylongpath"))
	if !google.Truncated() {
		t.Fatal("the sample is not truncated")
	}
	return map[string]*robots.Policy{
		"zero": {},
		"full": {
			URL: "https://example.com/robots.txt", Outcome: robots.Parsed, Status: 200, File: robots.Parse([]byte(odd)),
			Fetched: now, Expires: now.Add(day), Redirects: []string{"https://a.example/", "https://b.example/\n\"é"},
			ContentType: "text/html; charset=\"x\x00\"", Size: 99, Warnings: []string{"one", "two\nlines"},
		},
		"empty file": {Outcome: robots.Parsed, File: robots.Parse(nil), Status: 204},
		"big":        {Outcome: robots.Parsed, File: robots.Parse([]byte(big))},
		"google":     {Outcome: robots.Parsed, File: google},
		"allow":      {URL: "https://example.com/robots.txt", Outcome: robots.AllowAll, Status: 404, Fetched: now, Expires: now},
		"failed":     {Status: 503, Err: &robots.FetchError{URL: "u", Status: 503}, FailingSince: now.Add(-day)},
		"no answer":  {Err: &robots.FetchError{URL: "u\r\n", Err: errors.New("dial: \x00 \u2028 ")}, FailingSince: now},
		"own error":  {Err: errors.New("mine")},
		"no message": {Err: errors.New("")},
		"zone":       {Fetched: now.In(time.FixedZone("x", 5400))},
		"odd":        {Outcome: robots.AllowAll, File: robots.Parse([]byte(rules)), Status: -5, Size: -1},
	}
}

func TestPolicyText(t *testing.T) {
	for name, p := range samplePolicies(t) {
		t.Run(name, func(t *testing.T) {
			q := roundTrip(t, p)
			if name == "no message" {
				p.Err = errors.New("unknown")
			}
			if d := cmp.Diff(p, q, comparePolicies); d != "" {
				t.Errorf("(-before +after):\n%s", d)
			}
			for _, url := range []string{"/", "/a", "/index.html", "/path", "/é", "/%FF", "/verylongpath"} {
				if a, b := p.Explain("ExampleBot", url), q.Explain("ExampleBot", url); a != b {
					t.Errorf("Explain(%q) = %+v, and %+v before", url, b, a)
				}
			}
			first, _ := p.MarshalText()
			second, _ := q.MarshalText()
			if !bytes.Equal(first, second) {
				t.Errorf("the text is not stable:\n%s\n%s", first, second)
			}
		})
	}
}

// The text can be read by people.
func TestPolicyTextForm(t *testing.T) {
	p := &robots.Policy{
		URL: "https://example.com/robots.txt", Outcome: robots.Parsed, Status: 200, File: robots.Parse([]byte(rules)),
		Fetched: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Expires: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC),
		ContentType: "text/plain", Size: 27,
	}
	want := `robots-policy 1 SUM
url: "https://example.com/robots.txt"
outcome: parsed
status: 200
fetched: 2026-11-30T12:00:00Z
expires: 2026-12-01T12:00:00Z
content-type: "text/plain"
size: 27
file: rfc9309 27

` + rules
	b, err := p.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	got := string(b[:len("robots-policy 1 ")]) + "SUM" + string(b[len("robots-policy 1 ")+8:])
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A policy of an outage also tells when the site last answered, by which whoever
// reads it knows which of two outages it is.
func TestPolicyTextAnswered(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.serve(text(rules))
		e.want(t, robots.Parsed, 1)
		e.serve(broken)
		for range 3 {
			time.Sleep(day)
			p := e.want(t, robots.DisallowAll, 1)
			before, err := p.MarshalText()
			if err != nil {
				t.Fatal(err)
			}
			if line := "\nanswered: " + bubbleStart.UTC().Format(time.RFC3339Nano) + "\n"; !strings.Contains(string(before), line) {
				t.Errorf("no %q in\n%s", line, before)
			}
			if after, _ := roundTrip(t, p).MarshalText(); !bytes.Equal(before, after) {
				t.Errorf("the text is not stable:\n%s\n%s", before, after)
			}
		}
	})
}

// Whatever happens to one octet, the text is refused, and p left alone.
func TestPolicyTextDamage(t *testing.T) {
	for name, p := range samplePolicies(t) {
		b, err := p.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		refused := func(what string, text []byte) {
			t.Helper()
			q := robots.Policy{URL: "kept"}
			err := q.UnmarshalText(text)
			var bad *robots.PolicyTextError
			if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), "robots: ") {
				t.Fatalf("%s: %s: %v, want a *PolicyTextError\n%q", name, what, err, text)
			}
			if q.URL != "kept" || q.Outcome != robots.DisallowAll {
				t.Fatalf("%s: %s: the policy was changed", name, what)
			}
		}
		for i := range b {
			for _, flip := range []byte{0x01, 0x20, 0x80} {
				damaged := bytes.Clone(b)
				damaged[i] ^= flip
				refused("flipped", damaged)
			}
			refused("cut", b[:i])
			refused("octet gone", append(bytes.Clone(b[:i]), b[i+1:]...))
		}
		refused("more", append(bytes.Clone(b), 'x'))
		refused("twice", append(bytes.Clone(b), b...))
		refused("newline", append(bytes.Clone(b), '\n'))
	}
}

// What a wrong writer could seal is refused as well.
func TestPolicyTextNonsense(t *testing.T) {
	for _, body := range []string{
		"", "\n", "\n\n", "outcome: parsed", "outcome: open\n\n", "outcome:parsed\n\n", "colour: red\n\n",
		"status: x\n\n", "status: 007\n\n", "status: 99999999999999999999\n\n", "size: 0\n\n",
		"url: https://example.com/\n\n", "url: `x`\n\n", "url: 'x'\n\n", "url: \"\"\n\n", "url: \"a\"\nurl: \"b\"\n\n", "url: \"é\"\n\n",
		"fetched: yesterday\n\n", "fetched: 2026-13-01T00:00:00Z\n\n", "failures: -1\n\n", "stale: yes\n\n",
		"file: rfc9309 5\n\n", "file: rfc9309 -1\n\n", "file: rfc9309 3\n\nabcd", "file: yandex 0\n\n", "file: rfc9309\n\n", "file: rfc9309 cut 0\n\n",
		"file: rfc9309 0\nfile: rfc9309 0\n\n", "file: rfc9309 00\n\n", "outcome: parsed\n\nUser-agent: *\n",
		"copy-etag: \"a\\nb\"\ncopy-file: rfc9309 0\n\n", "copy-last-modified: \"now\"\ncopy-file: rfc9309 0\n\n", "copy-fresh: -1s\ncopy-file: rfc9309 0\n\n",
		"copy-size: 5\n\n", "copy-is-file: true\n\n", "file: rfc9309 0\ncopy-file: rfc9309 0\ncopy-is-file: true\n\n",
	} {
		var p robots.Policy
		var bad *robots.PolicyTextError
		if err := p.UnmarshalText(robots.SealPolicy([]byte(body))); !errors.As(err, &bad) {
			t.Errorf("UnmarshalText of %q = %v, want a *PolicyTextError", body, err)
		}
	}
}

func TestPolicyTextYear(t *testing.T) {
	for _, odd := range []time.Time{
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.FixedZone("far", 25*3600)),
	} {
		p := robots.Policy{Fetched: odd}
		if b, err := p.MarshalText(); err == nil {
			t.Errorf("MarshalText = %q, want an error for the time", b)
		}
	}
}

// To read a text takes little more memory than it has octets, whatever they are.
func TestPolicyTextMemory(t *testing.T) {
	for name, line := range map[string]string{
		"spaces": "file: " + strings.Repeat(" ", 4<<20),
		"words":  "file: " + strings.Repeat("a ", 2<<20),
		"colons": strings.Repeat(": ", 2<<20),
		"name":   strings.Repeat("a", 4<<20) + ": x",
	} {
		text := robots.SealPolicy([]byte(line + "\n\n"))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var bad *robots.PolicyTextError
		if err := new(robots.Policy).UnmarshalText(text); !errors.As(err, &bad) {
			t.Errorf("%s: %v, want a *PolicyTextError", name, err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 3*uint64(len(text)) {
			t.Errorf("%s: %d octets for a text of %d", name, used, len(text))
		}
	}
}

// However many failures there were, the next one can be written and read.
func TestPolicyTextFailures(t *testing.T) {
	policy := func(failures int) []byte {
		return robots.SealPolicy(fmt.Appendf(nil, "outcome: disallow-all\nfailing-since: 2000-01-01T00:00:00Z\nfailures: %d\nerror: \"x\"\n\n", failures))
	}
	var p robots.Policy
	if err := p.UnmarshalText(policy(math.MaxInt)); err == nil {
		t.Error("more failures than there can be were read")
	}
	const most = 1 << 20
	if err := p.UnmarshalText(policy(most)); err != nil {
		t.Fatal(err)
	}
	s := robots.StreakOf(p.FailingSince, most)
	now := p.FailingSince.AddDate(200, 0, 0)
	s, again := s.Failed(now, 0)
	if again.Sub(now) != hour || s != robots.StreakOf(p.FailingSince, most) {
		t.Errorf("after one more: %+v, asked again after %v", s, again.Sub(now))
	}
}

// Long error messages, which servers can cause, are cut.
func TestPolicyTextLongError(t *testing.T) {
	p := robots.Policy{Err: &robots.FetchError{URL: "u", Err: errors.New(strings.Repeat("x", 1<<20))}}
	if b, err := p.MarshalText(); err != nil || len(b) > 4096 {
		t.Errorf("the text has %d octets, %v", len(b), err)
	}
}

func FuzzPolicyText(f *testing.F) {
	for _, p := range samplePolicies(f) {
		b, err := p.MarshalText()
		if err != nil {
			f.Fatal(err)
		}
		_, body, _ := bytes.Cut(b, []byte("\n"))
		f.Add(body, true)
		f.Add(b, false)
	}
	f.Fuzz(func(t *testing.T, text []byte, seal bool) {
		if seal {
			text = robots.SealPolicy(text)
		}
		var p robots.Policy
		if err := p.UnmarshalText(text); err != nil {
			if d := cmp.Diff(robots.Policy{}, p, comparePolicies); d != "" {
				t.Fatalf("refused, and changed: %s", d)
			}
			return
		}
		p.Allowed("ExampleBot", "/x")
		b, err := p.MarshalText()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		var q robots.Policy
		if err := q.UnmarshalText(b); err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, b)
		}
		if d := cmp.Diff(p, q, comparePolicies); d != "" {
			t.Fatalf("(-before +after):\n%s", d)
		}
		if d := p.Explain("ExampleBot", "/x"); d != q.Explain("ExampleBot", "/x") {
			t.Fatalf("decisions differ: %+v", d)
		}
	})
}

func BenchmarkPolicyText(b *testing.B) {
	p := parsedPolicy("https://example.com/robots.txt", "User-agent: *\n"+strings.Repeat("Disallow: /path/to/"+"x"+"\n", 60))
	text, err := p.MarshalText()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("marshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.MarshalText()
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			new(robots.Policy).UnmarshalText(text)
		}
	})
}
