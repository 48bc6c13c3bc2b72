package audit_test

import (
	"cmp"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/robots"
	"example.com/robots/audit"
)

var full = flag.Bool("full", false, "go through all real files, not every tenth")

// corpus returns the names of real files, which are not part of this
// repository: ROBOTS_CORPUS points to them.
func corpus(t testing.TB) []string {
	t.Helper()
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		t.Skip("ROBOTS_CORPUS is not set")
	}
	names, err := filepath.Glob(filepath.Join(dir, "robots", "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s/robots: %v", dir, err)
	}
	if *full {
		return names
	}
	var some []string
	for i := 0; i < len(names); i += 10 {
		some = append(some, names[i])
	}
	return some
}

// TestCorpus lints real files: the witnesses are what they are said to be, and
// few questions are left undecided.
func TestCorpus(t *testing.T) {
	names := corpus(t)
	r := rand.New(rand.NewPCG(9, 9))
	undecided, witnesses := 0, 0
	files, total := make(map[audit.Code]int), make(map[audit.Code]int)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data))
		f := parse(text)
		findings := audit.Lint(f)
		var idle []int
		seen := make(map[audit.Code]bool)
		for _, x := range findings {
			total[x.Code]++
			if !seen[x.Code] {
				seen[x.Code] = true
				files[x.Code]++
			}
		}
		for _, x := range findings {
			switch {
			case x.Code == audit.UndecidedCode:
				undecided++
			case useless(x.Code):
				idle = append(idle, x.Line)
			case x.Witness != "":
				witnesses++
				checkWitness(t, name, f, x)
			}
		}
		if len(idle) == 0 {
			continue
		}
		// Remove what is said to be useless, one and all, and ask about what
		// the rules themselves look like.
		one := parse(without(text, idle[r.IntN(len(idle))]))
		none := parse(without(text, idle...))
		var agents, paths []string
		for g := range f.Groups() {
			for a := range g.Agents() {
				agents = append(agents, a)
				break
			}
			for rule := range g.Rules() {
				p := strings.TrimSuffix(rule.Pattern, "$")
				for _, star := range []string{"", "x", "/", "?"} {
					paths = append(paths, strings.ReplaceAll(p, "*", star), strings.ReplaceAll(p, "*", star)+"/x", strings.ReplaceAll(p, "*", star)+"?x=1")
				}
			}
		}
		for range 500 {
			if len(paths) == 0 {
				break
			}
			a, p := agents[r.IntN(len(agents))], paths[r.IntN(len(paths))]
			want := f.Allowed(a, site+p)
			if one.Allowed(a, site+p) != want || none.Allowed(a, site+p) != want {
				t.Errorf("%s: without useless rules %s may fetch %s: %v, with them %v", name, a, p, !want, want)
				break
			}
		}
	}
	// The table of the README.
	for _, c := range slices.SortedFunc(maps.Keys(files), func(a, b audit.Code) int { return cmp.Compare(files[b], files[a]) }) {
		t.Logf("%-18s %5d files %7d findings", c, files[c], total[c])
	}
	t.Logf("%d witnesses, undecided in %d of %d files", witnesses, undecided, len(names))
	if undecided*100 >= len(names) && *full {
		t.Errorf("undecided in %d of %d files", undecided, len(names))
	}
}

// checkWitness asks package robots about the URL of a finding.
func checkWitness(t *testing.T, name string, f *robots.File, x audit.Finding) {
	t.Helper()
	url := x.Witness
	if strings.HasPrefix(url, "/") {
		url = site + url
	}
	ok := false
	switch x.Code {
	case audit.RulesDropped, audit.GroupEmpty:
		for g := range f.Groups() {
			for h := range f.Groups() {
				ok = ok || !h.Allowed(url) && g.Allowed(url)
			}
		}
	case audit.FirstMatch:
		for g := range f.Groups() {
			for r := range g.Rules() {
				if robots.Match(r.Pattern, url) {
					ok = ok || r.Allow != g.Allowed(url)
					break
				}
			}
		}
	case audit.RuleOrder, audit.RuleTie:
		// A rule of the line matches, and another one decides otherwise.
		for g := range f.Groups() {
			for r := range g.Rules() {
				ok = ok || r.Line == x.Line && robots.Match(r.Pattern, url) && g.Allowed(url) != r.Allow
			}
		}
	case audit.RuleDollar:
		for g := range f.Groups() {
			for r := range g.Rules() {
				ok = ok || r.Line == x.Line && !robots.Match(r.Pattern, url) && g.Allowed(url) != r.Allow &&
					robots.Match(r.Pattern, strings.TrimSuffix(url, "?a=1"))
			}
		}
	case audit.RuleParameter:
		for g := range f.Groups() {
			for r := range g.Rules() {
				ok = ok || r.Line == x.Line && g.Allowed(url) && !g.Allowed(strings.Replace(url, "a=1&", "", 1))
			}
		}
	case audit.GroupJoined, audit.RulePrefix, audit.BlocksAll, audit.SitemapBlocked:
		for g := range f.Groups() {
			ok = ok || !g.Allowed(url)
		}
	case audit.RuleFragment:
		for r := range f.Records() {
			ok = ok || r.Line == x.Line && robots.Match(r.Value, url)
		}
	default:
		t.Errorf("%s: %v has a witness that is not checked", name, x)
		return
	}
	if !ok {
		t.Errorf("%s: %v: %s is no witness", name, x, x.Witness)
	}
}

// BenchmarkLint lints real files, one an operation.
func BenchmarkLint(b *testing.B) {
	var files []*robots.File
	for _, name := range corpus(b) {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, robots.Parse(data))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		audit.Lint(files[i%len(files)])
	}
}
