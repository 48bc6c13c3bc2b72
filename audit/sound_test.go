package audit_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/robots"
	"example.com/robots/audit"
)

const site = "https://example.com"

// useless are the codes that claim that a rule can be removed.
func useless(c audit.Code) bool {
	return c == audit.RuleNever || c == audit.RuleNoEffect || c == audit.RuleDuplicate
}

// without empties the rules at some lines, which leaves the groups as they are.
func without(text string, numbers ...int) string {
	lines := slices.Collect(strings.Lines(text))
	for _, n := range numbers {
		lines[n-1] = "Disallow:\n"
	}
	return strings.Join(lines, "")
}

// TestUselessRules: what is reported as useless is so on all short paths, each
// alone and all together; what is not reported mostly has an effect.
func TestUselessRules(t *testing.T) {
	all := []string{"/"}
	for from := 0; len(all) < 1000; {
		to := len(all)
		for _, p := range all[from:to] {
			for _, c := range "ab/x" {
				all = append(all, p+string(c))
			}
		}
		from = to
	}
	same := func(a, b *robots.Group) string {
		for _, p := range all {
			if a.Allowed(site+p) != b.Allowed(site+p) {
				return p
			}
		}
		return ""
	}
	r := rand.New(rand.NewPCG(8, 8))
	claimed, missed := 0, 0
	for range 300 {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for range 1 + r.IntN(6) {
			b.WriteString([]string{"Allow: /", "Disallow: /"}[r.IntN(2)])
			for range r.IntN(4) {
				b.WriteString([]string{"a", "b", "*", "/", "a"}[r.IntN(5)])
			}
			b.WriteString([]string{"", "", "$"}[r.IntN(3)] + "\n")
		}
		text := b.String()
		g := parse(text).Group("*")
		var lines []int
		for _, f := range audit.Lint(parse(text)) {
			if !useless(f.Code) {
				continue
			}
			lines = append(lines, f.Line)
			if p := same(g, parse(without(text, f.Line)).Group("*")); p != "" {
				t.Errorf("%q: %v, but it matters for %s", text, f, p)
			}
			if f.Code == audit.RuleNever {
				for _, p := range all {
					if g.Explain(site+p).Rule.Line == f.Line {
						t.Errorf("%q: %v, but it decides %s", text, f, p)
						break
					}
				}
			}
		}
		if p := same(g, parse(without(text, lines...)).Group("*")); p != "" {
			t.Errorf("%q: lines %v together matter for %s", text, lines, p)
		}
		claimed += len(lines)
		for rule := range g.Rules() {
			if rule.Pattern != "/" && !slices.Contains(lines, rule.Line) && same(g, parse(without(text, rule.Line)).Group("*")) == "" {
				missed++
			}
		}
	}
	t.Logf("%d claimed, %d with no effect on short paths not claimed", claimed, missed)
	if missed > claimed/2 || claimed < 100 {
		t.Errorf("%d claimed, %d not claimed", claimed, missed)
	}
}

// TestCorpus lints real files: the witnesses are what they are said to be, and
// few questions are left undecided.
func TestCorpus(t *testing.T) {
	names := corpus(t)
	r := rand.New(rand.NewPCG(9, 9))
	undecided, witnesses := 0, 0
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data))
		f := parse(text)
		findings := audit.Lint(f)
		var idle []int
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
		if i%10 != 0 || len(idle) == 0 {
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
		for range 2000 {
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
	t.Logf("%d witnesses, undecided in %d of %d files", witnesses, undecided, len(names))
	if undecided*100 >= len(names) {
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
