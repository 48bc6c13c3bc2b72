package robots_test

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/robots"
	"github.com/google/go-cmp/cmp"
)

func rule(line int, allow bool, pattern string) robots.Rule {
	return robots.Rule{Line: line, Allow: allow, Pattern: pattern}
}

// TestGroups merges (R3, R10): a and b share one section, a and "*" have
// others, and a section of c, c alone.
func TestGroups(t *testing.T) {
	f := robots.Parse([]byte(`User-agent: a
User-agent: b
Disallow: /ab
Crawl-delay: x
Crawl-delay: 2

User-agent: *
Allow: /all
Request-rate: 1/5

User-agent: A
Foo: bar
Disallow: /a
Crawl-delay: 3
Sitemap: /s

User-agent: c
User-agent: C/2
`))
	want := []groupDump{
		{
			Agents:   []string{"a"},
			Rules:    []robots.Rule{rule(3, false, "/ab"), rule(13, false, "/a")},
			Records:  []robots.Record{{Line: 4, Key: "Crawl-delay", Value: "x"}, {Line: 5, Key: "Crawl-delay", Value: "2"}, {Line: 12, Key: "Foo", Value: "bar"}, {Line: 14, Key: "Crawl-delay", Value: "3"}},
			Delay:    2 * time.Second,
			HasDelay: true,
		},
		{
			Agents:   []string{"b"},
			Rules:    []robots.Rule{rule(3, false, "/ab")},
			Records:  []robots.Record{{Line: 4, Key: "Crawl-delay", Value: "x"}, {Line: 5, Key: "Crawl-delay", Value: "2"}},
			Delay:    2 * time.Second,
			HasDelay: true,
		},
		{
			Agents:  []string{"*"},
			Rules:   []robots.Rule{rule(8, true, "/all")},
			Records: []robots.Record{{Line: 9, Key: "Request-rate", Value: "1/5"}},
		},
		{Agents: []string{"c"}},
	}
	if diff := cmp.Diff(want, dumpFile(f).Groups); diff != "" {
		t.Errorf("Groups() (-want +got):\n%s", diff)
	}
	for i, agent := range []string{"a", "b", "unknown", "C"} {
		if diff := cmp.Diff(want[i], dumpGroup(f.Group(agent))); diff != "" {
			t.Errorf("Group(%q) (-want +got):\n%s", agent, diff)
		}
	}
	if f.Group("a") != f.Group("A") {
		t.Error("Group of one token is not one Group")
	}
}

// TestGroupFallback is the order of choice: the names, then "*", then nothing.
func TestGroupFallback(t *testing.T) {
	f := robots.Parse([]byte("User-agent: *\nDisallow: /all\n\nUser-agent: b\nDisallow: /b\n\nUser-agent: c\nDisallow: /c\n"))
	bare := robots.Parse([]byte("User-agent: b\nDisallow: /b\n"))
	for _, tt := range []struct {
		f     *robots.File
		names []string
		want  []string // agents of the group
	}{
		{f, []string{"b"}, []string{"b"}},
		{f, []string{"B/1.0 (+https://example.com)"}, []string{"b"}},
		{f, []string{"x"}, []string{"*"}},
		{f, []string{"x", "y"}, []string{"*"}},
		{f, []string{"x", "c", "b"}, []string{"c"}},
		{f, []string{"b", "c"}, []string{"b"}},
		{f, []string{"x", "bb", "c/2 (x)"}, []string{"c"}},
		{f, []string{""}, []string{"*"}},
		{f, []string{"*"}, []string{"*"}},
		{f, []string{"*", "b"}, []string{"*"}},
		{bare, []string{"x"}, nil},
		{bare, []string{"x", "y"}, nil},
		{bare, []string{"x", "b"}, []string{"b"}},
		{bare, []string{"*"}, nil},
		{robots.Parse(nil), []string{"x"}, nil},
		{new(robots.File), []string{"x"}, nil},
		{new(robots.File), []string{"x", "y"}, nil},
	} {
		if got := slices.Collect(tt.f.Group(tt.names[0], tt.names[1:]...).Agents()); !slices.Equal(got, tt.want) {
			t.Errorf("Group(%q) has the agents %q, want %q", tt.names, got, tt.want)
		}
	}
}

func TestZero(t *testing.T) {
	var f robots.File
	var g robots.Group
	if d := f.Explain("a", "/x"); d != (robots.Decision{Allowed: true, Reason: robots.ReasonNoGroup}) {
		t.Errorf("zero File: Explain = %+v", d)
	}
	if d := g.Explain("/x"); d != (robots.Decision{Allowed: true, Reason: robots.ReasonNoGroup}) {
		t.Errorf("zero Group: Explain = %+v", d)
	}
	if !f.Allowed("a", "/x") || !g.Allowed("/x") || !f.Group("a").Allowed("/x") {
		t.Error("zero File or Group: not allowed")
	}
	if f.String() != "" || f.Truncated() {
		t.Errorf("zero File: String() = %q, Truncated() = %v", f.String(), f.Truncated())
	}
	if diff := cmp.Diff(fileDump{}, dumpFile(&f)); diff != "" {
		t.Errorf("zero File (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(groupDump{}, dumpGroup(&g)); diff != "" {
		t.Errorf("zero Group (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(fileDump{}, dumpFile(robots.Parse(nil))); diff != "" {
		t.Errorf("Parse(nil) (-want +got):\n%s", diff)
	}
}

// TestIterators stops each of them early, at every element, and runs it again.
func TestIterators(t *testing.T) {
	f := robots.Parse([]byte("User-agent: a\nUser-agent: b\nDisallow: /1\nx: y\nDisallow: /2\nz: y\nSitemap: /s\nSitemap: /t\n\nUser-agent: c\nDisallow: /3\n\nUser-agent: a\nUser-agent: b\nAllow: /4\nx: z\n"))
	g := f.Group("a")
	checkIterator(t, "Groups", f.Groups(), 2)
	checkIterator(t, "Sitemaps", f.Sitemaps(), 2)
	checkIterator(t, "File.Records", f.Records(), 14)
	checkIterator(t, "Agents", g.Agents(), 2)
	checkIterator(t, "Rules", g.Rules(), 3)
	checkIterator(t, "Group.Records", g.Records(), 3)
}

func checkIterator[T comparable](t *testing.T, name string, seq func(func(T) bool), n int) {
	t.Helper()
	all := slices.Collect(seq)
	if len(all) != n {
		t.Errorf("%s: %d elements, want %d: %v", name, len(all), n, all)
	}
	for stop := 1; stop <= len(all); stop++ {
		var got []T
		for v := range seq {
			if got = append(got, v); len(got) == stop {
				break
			}
		}
		if !slices.Equal(got, all[:stop]) {
			t.Errorf("%s stopped after %d: %v, want %v", name, stop, got, all[:stop])
		}
	}
	if again := slices.Collect(seq); !slices.Equal(again, all) {
		t.Errorf("%s run again: %v, want %v", name, again, all)
	}
}

func TestCrawlDelay(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  time.Duration
		ok    bool
	}{
		{"0", 0, true},
		{"1", time.Second, true},
		{"010", 10 * time.Second, true},
		{"0.5", 500 * time.Millisecond, true},
		{".5", 500 * time.Millisecond, true},
		{"5.", 5 * time.Second, true},
		{"1.25", 1250 * time.Millisecond, true},
		{"0.0000000019", time.Nanosecond, true},
		{"1.000000000000000000000000000001", time.Second, true},
		{"86400", 24 * time.Hour, true},
		{"9223372035", 9223372035 * time.Second, true},
		{"9223372037", 0, false},           // 292 years
		{"92233720368547758090", 0, false}, // more than 64 bits, by ten times
		{"9223372036854775809", 0, false},
		{"99999999999999999999999999999999999999", 0, false},
		{"1" + strings.Repeat("0", 400), 0, false},
		{"", 0, false},
		{".", 0, false},
		{"-1", 0, false},
		{"+1", 0, false},
		{"1e3", 0, false},
		{"0x10", 0, false},
		{"1_000", 0, false},
		{"1,5", 0, false},
		{"10 s", 0, false},
		{"10s", 0, false},
		{"inf", 0, false},
		{"Infinity", 0, false},
		{"NaN", 0, false},
		{"ten", 0, false},
		{"1.2.3", 0, false},
		{"\u0661", 0, false},
	} {
		f := robots.Parse([]byte("User-agent: a\nCrawl-delay: " + tt.value + "\n"))
		if got, ok := f.Group("a").CrawlDelay(); got != tt.want || ok != tt.ok {
			t.Errorf("CrawlDelay() of %.40q = %v, %v, want %v, %v", tt.value, got, ok, tt.want, tt.ok)
		}
		// Of several the first valid one counts.
		f = robots.Parse([]byte("User-agent: a\nCrawl-delay: " + tt.value + "\nCrawl-delay: 7\nDisallow: /\n\nUser-agent: a\nCrawl-delay: 8\n"))
		want := 7 * time.Second
		if tt.ok {
			want = tt.want
		}
		if got, ok := f.Group("a").CrawlDelay(); got != want || !ok {
			t.Errorf("CrawlDelay() of %.40q, 7 and 8 = %v, %v, want %v", tt.value, got, ok, want)
		}
	}
}

// TestManySharing parses 20,000 agents that share 20,000 rules. What each of
// them obeys must not be copied for each.
func TestManySharing(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "User-agent: agent%d\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "Disallow: /%d/\n", i)
	}
	// Half of the agents have a section more, so that they share the first.
	for i := 0; i < n; i += 2 {
		fmt.Fprintf(&b, "User-agent: agent%d\n", i)
	}
	b.WriteString("Disallow: /even\n")
	body := []byte(b.String())
	p := robots.Parser{MaxBytes: -1}
	f, kept := measure(func() *robots.File { return p.Parse(body) })
	if most := 6 * uint64(len(body)); kept > most {
		t.Errorf("%d octets are kept of a file of %d, want %d at most", kept, len(body), most)
	}
	if groups := slices.Collect(f.Groups()); len(groups) != 2 {
		t.Errorf("%d groups, want 2", len(groups))
	}
	for i := 0; i < n; i += 997 {
		agent := "AGENT" + strconv.Itoa(i)
		for range robots.WarmUp + 2 {
			if f.Allowed(agent, "/19999/x") || f.Allowed(agent, "/even") != (i%2 == 1) || !f.Allowed(agent, "/20000/") {
				t.Fatalf("wrong answer for %s", agent)
			}
		}
	}
	if !f.Allowed("agent20000", "/1/") {
		t.Error("agent20000 is none of the file")
	}
}

// measure returns what make returns, and about how many octets that keeps.
func measure[T any](make func() T) (v T, kept uint64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v = make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc < before.HeapAlloc {
		return v, 0
	}
	return v, after.HeapAlloc - before.HeapAlloc
}

// TestManyPairs has groups of many agents, each pair of which shares a section:
// as many distinct groups as agents, and memory linear in the file.
func TestManyPairs(t *testing.T) {
	const n = 150
	var b strings.Builder
	for i := range n {
		for j := range i {
			fmt.Fprintf(&b, "User-agent: a%d\nUser-agent: a%d\nDisallow: /%d-%d/\n", i, j, i, j)
		}
	}
	body := []byte(b.String())
	p := robots.Parser{MaxBytes: -1}
	f, kept := measure(func() *robots.File { return p.Parse(body) })
	if most := 6 * uint64(len(body)); kept > most {
		t.Errorf("%d octets are kept of a file of %d, want %d at most", kept, len(body), most)
	}
	for _, g := range []int{0, 1, 77, n - 1} {
		agent := fmt.Sprint("a", g)
		rules := slices.Collect(f.Group(agent).Rules())
		if len(rules) != n-1 {
			t.Errorf("%d rules for %s, want %d", len(rules), agent, n-1)
		}
		for range robots.WarmUp + 2 {
			for i := 1; i < n; i += 13 {
				for j := 0; j < i; j += 11 {
					if got, want := f.Allowed(agent, fmt.Sprintf("/%d-%d/", i, j)), g != i && g != j; got != want {
						t.Fatalf("Allowed(%q, /%d-%d/) = %v, want %v", agent, i, j, got, want)
					}
				}
			}
		}
	}
}

// TestAlternating names two agents by turns in 10,000 sections.
func TestAlternating(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "User-agent: %s\nDisallow: /%d/\n", []string{"a", "b"}[i%2], i)
	}
	f := robots.Parse([]byte(b.String()))
	if got := slices.Collect(f.Group("a").Rules()); len(got) != 5000 || got[4999] != rule(19998, false, "/9998/") {
		t.Errorf("%d rules for a, the last %v", len(got), got[len(got)-1])
	}
	for range 3 * robots.WarmUp {
		if f.Allowed("a", "/9998/") || !f.Allowed("a", "/9999/") || f.Allowed("B", "/9999/") || !f.Allowed("b", "/0/") {
			t.Fatal("wrong answer")
		}
	}
}

// TestConcurrent asks one File from many goroutines while its indexes get
// built, under the race detector.
func TestConcurrent(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: a\nUser-agent: b\nCrawl-delay: 1\n")
	for i := range 100 {
		fmt.Fprintf(&b, "Disallow: /%d/*x\nAllow: /%d/*xy$\n", i, i)
	}
	b.WriteString("User-agent: a\n")
	for i := range 50 {
		fmt.Fprintf(&b, "Disallow: /a%d\n", i)
	}
	b.WriteString("User-agent: *\nDisallow: /\n")
	for _, d := range bothDialects {
		f := robots.Parser{Dialect: d}.Parse([]byte(b.String()))
		want := dumpFile(robots.Parser{Dialect: d}.Parse([]byte(b.String()))) // f finds its lines below
		var wg sync.WaitGroup
		start := make(chan bool)
		for i := range 8 {
			wg.Go(func() {
				<-start
				for j := range 200 {
					n := (i*31 + j*7) % 100
					for _, q := range []struct {
						agent, url string
						want       bool
					}{
						{"a", fmt.Sprintf("/%d/zx", n), false},
						{"b", fmt.Sprintf("/%d/zxy", n), true},
						{"a", fmt.Sprintf("/a%d", n%50), false},
						{"b", fmt.Sprintf("/a%d", n%50), true},
						{"c", "/ü", false},
					} {
						if got := f.Allowed(q.agent, q.url); got != q.want {
							t.Errorf("%v: Allowed(%q, %q) = %v, want %v", d, q.agent, q.url, got, q.want)
						}
					}
				}
				if diff := cmp.Diff(want, dumpFile(f)); diff != "" {
					t.Errorf("%v: the File changed (-before +after):\n%s", d, diff)
				}
			})
		}
		close(start)
		wg.Wait()
		for _, agent := range []string{"a", "b"} {
			if !robots.Warmed(f, agent) {
				t.Errorf("%v: no index for %s after all that", d, agent)
			}
		}
	}
}

func TestDecisionString(t *testing.T) {
	f := robots.Parse([]byte("User-agent: Googlebot\n\n\n\n\n\nDisallow: /cart\nAllow: /\"ü\x01\n"))
	for _, tt := range []struct {
		d    robots.Decision
		want string
	}{
		{f.Explain("googlebot", "/cart"), `disallowed by line 7 "Disallow: /cart" (group Googlebot)`},
		{f.Explain("googlebot", "/%22ü\x01"), `allowed by line 8 "Allow: /\"ü\x01" (group Googlebot)`},
		{f.Explain("googlebot", "/x"), "allowed: no rule matches (group Googlebot)"},
		{f.Explain("googlebot", "/robots.txt"), "allowed: robots.txt itself is always allowed (group Googlebot)"},
		{f.Explain("x", "/cart"), "allowed: no group applies"},
		{robots.Decision{Reason: robots.ReasonUnreachable}, "disallowed: robots.txt is unreachable"},
		{robots.Decision{Allowed: true, Reason: robots.ReasonUnavailable}, "allowed: robots.txt is unavailable"},
		{robots.Decision{}, "disallowed: no group applies"},
	} {
		if got := tt.d.String(); got != tt.want {
			t.Errorf("%#v.String() = %s, want %s", tt.d, got, tt.want)
		}
		if strings.ContainsAny(tt.d.String(), "\r\n\x01") {
			t.Errorf("%#v.String() = %q is not one line", tt.d, tt.d)
		}
	}
}

func TestRuleString(t *testing.T) {
	for r, want := range map[robots.Rule]string{
		{}:                   "",
		rule(3, true, "/x"):  "Allow: /x",
		rule(3, false, "/x"): "Disallow: /x",
		rule(3, false, ""):   "Disallow: ",
	} {
		if got := r.String(); got != want {
			t.Errorf("%#v.String() = %q, want %q", r, got, want)
		}
	}
}

func TestReasonString(t *testing.T) {
	seen := map[string]bool{}
	for r := robots.ReasonNoGroup; r <= robots.ReasonUnreachable; r++ {
		s := r.String()
		if s == "" || s == "unknown reason" || seen[s] {
			t.Errorf("Reason(%d).String() = %q", r, s)
		}
		seen[s] = true
	}
	if got := (robots.ReasonUnreachable + 1).String(); got != "unknown reason" {
		t.Errorf("Reason(%d).String() = %q, want unknown reason", robots.ReasonUnreachable+1, got)
	}
}
