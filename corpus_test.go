package robots_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/robots"
)

// corpus returns the real robots.txt files in $ROBOTS_CORPUS/robots by name.
func corpus(tb testing.TB) map[string][]byte {
	tb.Helper()
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		tb.Skip("ROBOTS_CORPUS is not set")
	}
	names, err := filepath.Glob(filepath.Join(dir, "robots", "*.txt"))
	if err != nil || len(names) == 0 {
		tb.Fatalf("no files in ROBOTS_CORPUS=%s/robots (%v)", dir, err)
	}
	files := make(map[string][]byte)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		files[filepath.Base(name)] = data
	}
	return files
}

// A site is a real robots.txt file with real URLs that it speaks for.
type site struct {
	host, file string
	body       []byte
	urls       []string
}

// sites returns the sites in $ROBOTS_CORPUS: urls/index.tsv says which file is
// that of a host.
func sites(tb testing.TB) (sites []site) {
	tb.Helper()
	files := corpus(tb)
	dir := filepath.Join(os.Getenv("ROBOTS_CORPUS"), "urls")
	index, err := os.ReadFile(filepath.Join(dir, "index.tsv"))
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(index)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if len(columns) < 2 || files[columns[1]] == nil {
			continue
		}
		urls, err := os.ReadFile(filepath.Join(dir, columns[0]+".txt"))
		if err != nil {
			tb.Fatal(err)
		}
		sites = append(sites, site{columns[0], columns[1], files[columns[1]], strings.Fields(string(urls))})
	}
	if len(sites) == 0 {
		tb.Fatalf("no sites in %s", dir)
	}
	return sites
}

// TestCorpusParse holds what is parsed of real files against the reference.
func TestCorpusParse(t *testing.T) {
	for name, body := range corpus(t) {
		for _, d := range bothDialects {
			p := robots.Parser{Dialect: d}
			f := p.Parse(body)
			dump := dumpFile(f)
			checkParse(t, dump, refParse(dump.Text, d))
			read, err := p.ParseReader(iotest.OneByteReader(bytes.NewReader(body)))
			if err != nil {
				t.Errorf("%v: ParseReader: %v", d, err)
			} else if diff := diff(dump, dumpFile(read)); diff != "" {
				t.Errorf("%v: Parse and ParseReader differ (-Parse +ParseReader):\n%s", d, diff)
			}
		}
		if t.Failed() {
			t.Fatalf("of %s", name)
		}
	}
}

// TestCorpusDialects asks both dialects about real URLs. They may differ in
// what the table in the package documentation says, and in nothing else.
func TestCorpusDialects(t *testing.T) {
	asked, differ := 0, map[string]int{}
	for _, s := range sites(t) {
		files := [...]*robots.File{
			robots.RFC9309: robots.Parse(s.body),
			robots.Google:  robots.Parser{Dialect: robots.Google}.Parse(s.body),
		}
		for _, agent := range []string{"Googlebot", "ExampleBot", "MJ12bot", "GPTBot"} {
			for _, url := range s.urls {
				asked++
				rfc, google := files[robots.RFC9309].Explain(agent, url), files[robots.Google].Explain(agent, url)
				if rfc == google {
					continue
				}
				why := difference(files[robots.RFC9309], url, rfc, google)
				if why == "" {
					t.Errorf("%s (%s), %s, %s: rfc9309 %v, google %v", s.host, s.file, agent, url, rfc, google)
				}
				if rfc.Allowed != google.Allowed {
					why += " (another verdict)"
				}
				differ[why]++
			}
		}
	}
	t.Logf("%d questions; differences: %v", asked, differ)
	if asked < 100_000 {
		t.Errorf("%d questions, want 100,000 and more", asked)
	}
}

// difference returns the row of the table of dialects that lets the dialects
// decide differently, or "".
func difference(f *robots.File, url string, rfc, google robots.Decision) string {
	if rfc.Reason == robots.ReasonRobotsTxt {
		return "/robots.txt"
	}
	if rfc.Agent != google.Agent {
		for r := range f.Records() {
			if refKind(r.Key, robots.RFC9309) == "user-agent" && refToken(r.Value, robots.RFC9309) != refToken(r.Value, robots.Google) {
				return "product token in the file"
			}
		}
		return ""
	}
	if google.Rule != (robots.Rule{}) {
		// A line that is a rule to Google only.
		isRule := false
		for r := range f.Records() {
			isRule = isRule || r.Line == google.Rule.Line && slices.Contains([]string{"allow", "disallow"}, refKind(r.Key, robots.RFC9309))
		}
		if !isRule {
			return "field names"
		}
	}
	if rfc.Rule == (robots.Rule{}) && google.Rule.Pattern == "" {
		return "rule without a pattern"
	}
	for _, rule := range []robots.Rule{rfc.Rule, google.Rule} {
		switch a, b := refPattern(rule.Pattern, robots.RFC9309), refPattern(rule.Pattern, robots.Google); {
		case strings.HasSuffix(rule.Pattern, "*"):
			return "stars at a pattern's end"
		case !slices.Equal(a.items, b.items) || a.size != b.size:
			return "rule and URL"
		case google.Rule.Allow && strings.Contains(google.Rule.Pattern, "/index.htm"):
			return "Allow: /dir/index.html"
		}
	}
	if refPath(url, robots.RFC9309) != refPath(url, robots.Google) {
		return "rule and URL"
	}
	return ""
}

// TestCorpusDecide asks the library and the reference a sample of real
// questions.
func TestCorpusDecide(t *testing.T) {
	agents := []string{"ExampleBot", "*", "mybot", "SomeCrawler-News"}
	for i, s := range sites(t) {
		for _, d := range bothDialects {
			p := robots.Parser{Dialect: d}
			cold, warm := p.Parse(s.body), robots.Warm(p.Parse(s.body))
			ref := refParse(cold.String(), d)
			if len(s.urls) > 0 {
				checkDecide(t, cold, warm, ref, agents[i%len(agents)], s.urls[i%len(s.urls)])
			}
		}
		if t.Failed() {
			t.Fatalf("of %s (%s)", s.host, s.file)
		}
	}
}
