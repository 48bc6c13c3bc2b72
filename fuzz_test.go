package robots_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"example.com/robots"
	"github.com/google/go-cmp/cmp"
)

var bothDialects = []robots.Dialect{robots.RFC9309, robots.Google}

// A fileDump is all that can be asked of a File without a URL.
type fileDump struct {
	Text      string
	Truncated bool
	Records   []robots.Record
	Sitemaps  []string
	Groups    []groupDump
}

type groupDump struct {
	Agents   []string
	Rules    []robots.Rule
	Records  []robots.Record
	Delay    time.Duration
	HasDelay bool
}

func dumpFile(f *robots.File) fileDump {
	d := fileDump{
		Text:      f.String(),
		Truncated: f.Truncated(),
		Records:   slices.Collect(f.Records()),
		Sitemaps:  slices.Collect(f.Sitemaps()),
	}
	for g := range f.Groups() {
		d.Groups = append(d.Groups, dumpGroup(g))
	}
	return d
}

func dumpGroup(g *robots.Group) groupDump {
	d := groupDump{
		Agents:  slices.Collect(g.Agents()),
		Rules:   slices.Collect(g.Rules()),
		Records: slices.Collect(g.Records()),
	}
	d.Delay, d.HasDelay = g.CrawlDelay()
	return d
}

// diff is cmp.Diff, but fast where there is no difference.
func diff[T any](want, got T) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

// addSeeds calls add with the cases of the archives, the robots.txt first.
func addSeeds(f *testing.F, add func(c testCase, w want)) {
	for _, c := range readArchives(f) {
		if len(c.robots) > 4<<10 {
			continue // mutants of large ones are slow
		}
		for _, w := range c.wants {
			add(c, w)
		}
	}
}

// FuzzParse holds what is parsed against the reference, the text of the file,
// and what other ways of parsing give.
func FuzzParse(f *testing.F) {
	addSeeds(f, func(c testCase, w want) { f.Add([]byte(c.robots), uint16(0)) })
	for i := range 12 {
		f.Add([]byte("User-agent: a\r\nDisallow: /x # y\r\nAllow: /x\x00z\n"), uint16(20+4*i))
	}
	f.Fuzz(func(t *testing.T, body []byte, limit uint16) {
		if len(body) > 64<<10 {
			t.Skip("too much for the reference")
		}
		for _, d := range bothDialects {
			p := robots.Parser{Dialect: d, MaxBytes: int(limit)}
			file := p.Parse(body)
			dump := dumpFile(file)
			if read, err := p.ParseReader(iotest.OneByteReader(bytes.NewReader(body))); err != nil {
				t.Errorf("%v: ParseReader: %v", d, err)
			} else if diff := diff(dump, dumpFile(read)); diff != "" {
				t.Errorf("%v: Parse and ParseReader differ (-Parse +ParseReader):\n%s", d, diff)
			}
			if !bytes.HasPrefix(body, []byte(dump.Text)) {
				t.Errorf("%v: String() = %q is no start of %q", d, dump.Text, body)
			}
			if want := limit > 0 && len(body) > int(limit); dump.Truncated != want {
				t.Errorf("%v: Truncated() = %v, want %v", d, dump.Truncated, want)
			}
			again := dumpFile(robots.Parser{Dialect: d, MaxBytes: -1}.Parse([]byte(dump.Text)))
			again.Truncated = dump.Truncated
			if diff := diff(dump, again); diff != "" {
				t.Errorf("%v: parsing String() gives another file (-first +again):\n%s", d, diff)
			}
			checkParse(t, dump, refParse(dump.Text, d))
			if t.Failed() {
				t.Fatalf("of %q, limit %d", body, limit)
			}
		}
	})
}

// checkParse compares the records, groups and rules of a file with those of
// the reference.
func checkParse(t *testing.T, dump fileDump, ref *refFile) {
	t.Helper()
	if diff := diff(ref.records, dump.Records); diff != "" {
		t.Errorf("%v: Records() (-want +got):\n%s", ref.dialect, diff)
	}
	var sitemaps []string
	for _, r := range ref.records {
		if refKind(r.Key, ref.dialect) == "sitemap" {
			sitemaps = append(sitemaps, r.Value)
		}
	}
	if diff := diff(sitemaps, dump.Sitemaps); diff != "" {
		t.Errorf("%v: Sitemaps() (-want +got):\n%s", ref.dialect, diff)
	}
	// Agents that are named in just the same sections have one group.
	var groups []groupDump
	bySections := map[string]int{}
	for _, agent := range ref.refAgents() {
		var key []byte
		var g groupDump
		for i, s := range ref.sections {
			if slices.ContainsFunc(s.tokens, func(t string) bool { return refLower(t) == refLower(agent) }) {
				key = append(key, byte(i), byte(i>>8), byte(i>>16))
				g.Rules = append(g.Rules, s.rules...)
				g.Records = append(g.Records, s.others...)
			}
		}
		i, ok := bySections[string(key)]
		if !ok {
			i = len(groups)
			bySections[string(key)] = i
			groups = append(groups, g)
		}
		groups[i].Agents = append(groups[i].Agents, agent)
	}
	got := slices.Clone(dump.Groups)
	for i := range got {
		got[i].Delay, got[i].HasDelay = 0, false
	}
	if diff := diff(groups, got); diff != "" {
		t.Errorf("%v: Groups() (-want +got):\n%s", ref.dialect, diff)
	}
}

// isBareUnknown reports whether an agent is a product token of no known
// crawler, for which the reference can answer.
func isBareUnknown(agent string) bool {
	_, known := robots.LookupCrawler(agent)
	return !known && agent != "" && (agent == "*" || refToken(agent, robots.RFC9309) == agent)
}

// FuzzDecide holds all ways of asking against each other and the reference.
func FuzzDecide(f *testing.F) {
	addSeeds(f, func(c testCase, w want) { f.Add([]byte(c.robots), w.agent, w.url) })
	f.Fuzz(func(t *testing.T, body []byte, agent, url string) {
		if len(body) > 4<<10 || len(url) > 1<<10 {
			t.Skip("too much for the reference")
		}
		for _, d := range bothDialects {
			p := robots.Parser{Dialect: d}
			cold, warm := p.Parse(body), robots.Warm(p.Parse(body))
			ref := refParse(string(body), d)
			agents := append([]string{agent}, ref.refAgents()...)
			for _, agent := range agents[:min(len(agents), 6)] {
				checkDecide(t, cold, warm, ref, agent, url)
			}
		}
		if t.Failed() {
			t.Fatalf("of %q", body)
		}
	})
}

// checkDecide compares the answers to one question: cold, warm, through a
// Group, and of the reference.
func checkDecide(t *testing.T, cold, warm *robots.File, ref *refFile, agent, url string) {
	t.Helper()
	got := cold.Explain(agent, url)
	if w := warm.Explain(agent, url); w != got {
		t.Errorf("%v: Explain(%q, %q) = %v cold and %v warmed", ref.dialect, agent, url, got, w)
	}
	if a := cold.Allowed(agent, url); a != got.Allowed {
		t.Errorf("%v: Allowed(%q, %q) = %v, but Explain says %v", ref.dialect, agent, url, a, got)
	}
	for _, f := range []*robots.File{cold, warm} {
		g := f.Group(agent)
		e := g.Explain(url)
		if a := g.Allowed(url); a != e.Allowed {
			t.Errorf("%v: Group(%q).Allowed(%q) = %v, but its Explain says %v", ref.dialect, agent, url, a, e)
		}
		if got.Reason != robots.ReasonCrawler && (e.Allowed != got.Allowed || e.Reason != got.Reason || e.Rule != got.Rule) {
			t.Errorf("%v: Explain(%q, %q) = %v, but Group(%[2]q).Explain(%[3]q) = %[5]v", ref.dialect, agent, url, got, e)
		}
	}
	if isBareUnknown(agent) {
		if want := ref.explain(agent, url); got != want {
			t.Errorf("%v: Explain(%q, %q) = %+v, want %+v", ref.dialect, agent, url, got, want)
		}
		sections, _ := ref.of(agent)
		if len(sections) == 0 {
			sections, _ = ref.of("*")
		}
		var matches []refRuleMatch
		for rule, size := range cold.Group(agent).Matches(url) {
			matches = append(matches, refRuleMatch{rule, size})
		}
		if diff := diff(ref.matches(sections, refPath(url, ref.dialect)), matches); diff != "" {
			t.Errorf("%v: Group(%q).Matches(%q) (-want +got):\n%s", ref.dialect, agent, url, diff)
		}
	}
}

// FuzzMatch holds Match, and files of one rule, against the reference.
func FuzzMatch(f *testing.F) {
	for _, tt := range matchTests {
		f.Add(tt.pattern, tt.path)
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 1<<10 || len(path) > 1<<10 {
			t.Skip("too much for the reference")
		}
		if got, want := robots.Match(pattern, path), refMatchPath(pattern, path); got != want {
			t.Errorf("Match(%q, %q) = %v, want %v", pattern, path, got, want)
		}
		if strings.ContainsAny(pattern, "\x00#\r\n") || refTrim(pattern) != pattern {
			return // no rule can have it
		}
		for _, d := range bothDialects {
			body := []byte("User-agent: a\nDisallow: " + pattern + "\nAllow: " + pattern + "$\n")
			p := robots.Parser{Dialect: d, MaxBytes: -1}
			checkDecide(t, p.Parse(body), robots.Warm(p.Parse(body)), refParse(string(body), d), "a", path)
		}
	})
}
