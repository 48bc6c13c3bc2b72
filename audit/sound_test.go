package audit_test

import (
	"math/rand/v2"
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
	for range 150 {
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
	if missed > claimed/2 || claimed < 50 {
		t.Errorf("%d claimed, %d not claimed", claimed, missed)
	}
}
