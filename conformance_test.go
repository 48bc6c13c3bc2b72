package robots_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/robots"
	"github.com/google/go-cmp/cmp"
)

var reasons = map[string]robots.Reason{
	"no-group":   robots.ReasonNoGroup,
	"no-rule":    robots.ReasonNoRule,
	"rule":       robots.ReasonRule,
	"robots-txt": robots.ReasonRobotsTxt,
	"crawler":    robots.ReasonCrawler,
}

// TestConformance runs the cases of the archives: scanned, indexed, and by the
// reference.
func TestConformance(t *testing.T) {
	for _, c := range readArchives(t) {
		t.Run(c.name, func(t *testing.T) {
			if c.title == "" || len(c.wants)+len(c.groups)+len(c.sitemaps)+len(c.delays) == 0 {
				t.Fatal("no title or nothing wanted")
			}
			for _, w := range c.wants {
				for _, d := range w.dialects {
					c.check(t, d, w)
				}
			}
			for _, d := range bothDialects {
				f := robots.Parser{Dialect: d, MaxBytes: c.maxBytes}.Parse([]byte(c.robots))
				if c.groups != nil {
					var got [][]string
					for g := range f.Groups() {
						got = append(got, slices.Collect(g.Agents()))
					}
					if diff := cmp.Diff(c.groups, got); diff != "" {
						t.Errorf("%v: agents of Groups() (-want +got):\n%s", d, diff)
					}
				}
				if c.sitemaps != nil {
					if diff := cmp.Diff(c.sitemaps, slices.Collect(f.Sitemaps())); diff != "" {
						t.Errorf("%v: Sitemaps() (-want +got):\n%s", d, diff)
					}
				}
				for _, want := range c.delays {
					if got, ok := f.Group(want.agent).CrawlDelay(); got != want.d || ok != want.ok {
						t.Errorf("%v: Group(%q).CrawlDelay() = %v, %v, want %v, %v", d, want.agent, got, ok, want.d, want.ok)
					}
				}
			}
			if t.Failed() {
				t.Logf("%v: %s\n%.1000q", c.cites, c.title, c.robots)
			}
		})
	}
}

func (c *testCase) check(t *testing.T, d robots.Dialect, w want) {
	t.Helper()
	p := robots.Parser{Dialect: d, MaxBytes: c.maxBytes}
	cold, warm := p.Parse([]byte(c.robots)), robots.Warm(p.Parse([]byte(c.robots)))
	for _, f := range []*robots.File{cold, warm} {
		got := f.Explain(w.agent, w.url)
		if got.Allowed != w.allowed || got.Rule.Line != w.line || (got.Reason == robots.ReasonRule) != (w.line > 0) {
			t.Errorf("%v: Explain(%q, %q) = %v, want %+v", d, w.agent, w.url, got, w)
		}
		if w.reason == "" {
			continue
		}
		if want, ok := reasons[w.reason]; !ok || got.Reason != want {
			t.Errorf("%v: Explain(%q, %q): reason %v, want %q", d, w.agent, w.url, got.Reason, w.reason)
		}
	}
	checkDecide(t, cold, warm, refParse(cold.String(), d), w.agent, w.url)
}

// cited are the rules of the specification that concern reading and matching:
// R are those of RFC 9309, G those of Google's page, S the quirks that only
// Google's source has. testdata/README.md says what each of them is.
var cited = func() (ids []string) {
	add := func(letter string, from, to int) {
		for i := from; i <= to; i++ {
			ids = append(ids, fmt.Sprint(letter, i))
		}
	}
	add("R", 1, 27)
	add("R", 36, 37)
	add("R", 39, 40)
	add("G", 17, 17)
	add("G", 20, 42)
	add("G", 45, 45)
	add("S", 1, 12)
	add("D", 1, len(dialectTable))
	return ids
}()

// TestRulesHaveCases fails if a rule has no case.
func TestRulesHaveCases(t *testing.T) {
	has := map[string]bool{}
	for _, c := range readArchives(t) {
		for _, id := range c.cites {
			has[id] = true
		}
	}
	text, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range cited {
		if !has[id] {
			t.Errorf("no case cites %s", id)
		}
		if !strings.HasPrefix(id, "D") && !regexp.MustCompile(`(?m)^- `+id+` `).Match(text) {
			t.Errorf("testdata/README.md does not explain %s", id)
		}
	}
}

// dialectTable are the rows of the table in the package documentation, in its
// order. Row n is case Dn.
var dialectTable = []string{
	"rule and URL",
	"%61 in either",
	"%2A, %24 in a rule",
	`":" "/" in the query`,
	"stars at a pattern's end",
	"rule without a pattern",
	"Allow: /dir/index.html",
	"/robots.txt",
	"product token in the file",
	"field names",
	"length of a line",
	"BOM at the start of lines",
	"%c3 in both",
	"NUL in the URL",
}

// TestDialectTable fails if a row of the table has no case that shows it, or
// the table in the documentation is another.
func TestDialectTable(t *testing.T) {
	source, err := os.ReadFile("robots.go")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	_, table, _ := strings.Cut(string(source), "RFC9309                       Google\n")
	for line := range strings.Lines(table) {
		row, ok := strings.CutPrefix(line, "//\t")
		if !ok {
			break
		}
		row, _, _ = strings.Cut(row, "  ")
		rows = append(rows, row)
	}
	if diff := cmp.Diff(dialectTable, rows); diff != "" {
		t.Errorf("the rows of the package documentation (-want +got):\n%s", diff)
	}
	shows := map[string]int{}
	for _, c := range readArchives(t) {
		for _, id := range c.cites {
			if strings.HasPrefix(id, "D") && c.differs() {
				shows[id]++
			}
		}
	}
	for i, row := range dialectTable {
		if id := fmt.Sprint("D", i+1); shows[id] != 1 {
			t.Errorf("%d cases show %s, %q, want 1", shows[id], id, row)
		}
	}
}

// differs reports whether the dialects answer differently to the case.
func (c *testCase) differs() bool {
	answer := map[string][2]string{}
	for _, w := range c.wants {
		for _, d := range w.dialects {
			a := answer[w.agent+" "+w.url]
			a[d] = fmt.Sprint(w.allowed, w.line)
			answer[w.agent+" "+w.url] = a
		}
	}
	for _, a := range answer {
		if a[0] != a[1] && a[0] != "" && a[1] != "" {
			return true
		}
	}
	return false
}
