package audit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/robots"
)

// randomPattern makes a pattern out of few octets, so that patterns meet.
func randomPattern(r *rand.Rand, atoms []string) string {
	var b strings.Builder
	if r.IntN(12) > 0 {
		b.WriteByte('/')
	}
	for range r.IntN(5) {
		b.WriteString(atoms[r.IntN(len(atoms))])
	}
	if r.IntN(4) == 0 {
		b.WriteByte('$')
	}
	return b.String()
}

func randomGroup(r *rand.Rand, atoms []string, most int) string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for range r.IntN(most + 1) {
		verb := "Disallow"
		if r.IntN(2) == 0 {
			verb = "Allow"
		}
		fmt.Fprintf(&b, "%s: %s\n", verb, randomPattern(r, atoms))
	}
	return b.String()
}

// paths returns all paths over an alphabet of up to n octets after the "/",
// shortest first.
func paths(alphabet string, n int) []string {
	all := []string{"/"}
	for i, from := 0, 0; i < n; i++ {
		to := len(all)
		for _, p := range all[from:to] {
			for _, c := range alphabet {
				all = append(all, p+string(c))
			}
		}
		from = to
	}
	return all
}

var alphabets = []struct {
	atoms []string
	bytes string
	n     int
}{
	{[]string{"a", "b", "/", "*", "*", "$"}, "ab/x$", 4},
	{[]string{"a", "*", "/", "ab", "aa"}, "ab/x", 4},
	{[]string{"a", "*", "%", "%2f", "%61", "%2A", "?", "4", "1"}, "a%2F?*41x", 4},
	{[]string{"%3A", ":", "*", "?", "%", "3"}, ":%3A?x", 4},
}

// TestEngineBruteForce compares the engine's answers with those of package
// robots for all short paths.
func TestEngineBruteForce(t *testing.T) {
	const rounds = 100
	for _, a := range alphabets {
		all := paths(a.bytes, a.n)
		r := rand.New(rand.NewPCG(1, uint64(len(all))))
		counts := map[answer]int{}
		for range rounds {
			ta, tb := randomGroup(r, a.atoms, 4), randomGroup(r, a.atoms, 4)
			fa, fb := robots.Parse([]byte(ta)), robots.Parse([]byte(tb))
			ga, gb := fa.Group("*"), fb.Group("*")
			sa, sb := newRuleset(ga), newRuleset(gb)
			// What is answered about a rule such as "/*%2F" is a guess, which
			// the callers confirm.
			exotic := sa.exotic || sb.exotic
			// What brute force says: for each line of a that decides, the
			// shortest path on which b says otherwise.
			want := map[int]string{}
			decides := map[int]bool{}
			for _, p := range all {
				d := ga.Explain(origin + p)
				if d.Reason != robots.ReasonRule {
					continue
				}
				decides[d.Rule.Line] = true
				if _, ok := want[d.Rule.Line]; !ok && gb.Allowed(origin+p) != d.Allowed {
					want[d.Rule.Line] = p
				}
			}
			for _, rule := range sa.rules {
				budget := 1 << 22
				got, ans := sa.differ(rule, sb, nil, &budget)
				counts[ans]++
				p, ok := want[rule.Line]
				switch {
				case ans == no && ok:
					t.Errorf("differ(%s): proved equal, but %q differs\n%s---\n%s", rule, p, ta, tb)
				case ans == yes && !exotic:
					d := ga.Explain(origin + got)
					if d.Rule.Line != rule.Line || gb.Allowed(origin+got) == d.Allowed {
						t.Errorf("differ(%s) = %q, no witness: %+v\n%s---\n%s", rule, got, d, ta, tb)
					}
					if ok && len(got) > len(p) {
						t.Errorf("differ(%s) = %q, %q is shorter\n%s---\n%s", rule, got, p, ta, tb)
					}
					if !ok && len(got) <= a.n+1 && strings.Trim(got, a.bytes) == "" {
						t.Errorf("differ(%s) = %q, which brute force missed\n%s---\n%s", rule, got, ta, tb)
					}
				}
				// Can the rule decide at all?
				q := question{must: []*glob{rule.glob}, not: above(sa.ranked, rule), want: true}
				got, ans = q.solve(&budget)
				if ans == no && decides[rule.Line] {
					t.Errorf("%s never decides, says the engine\n%s", rule, ta)
				}
				if d := ga.Explain(origin + got); ans == yes && !exotic && d.Rule.Line != rule.Line {
					t.Errorf("%s decides %q, says the engine: %+v\n%s", rule, got, d, ta)
				}
			}
		}
		t.Logf("%s: %d no, %d yes, %d undecided", a.bytes, counts[no], counts[yes], counts[undecided])
		if counts[undecided]*5 > counts[no]+counts[yes] {
			t.Errorf("%s: too many undecided: %v", a.bytes, counts)
		}
	}
}

// TestPatterns compares what the engine thinks of a pattern, on its own and
// of pairs, with the library.
func TestPatterns(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, a := range alphabets {
		all := paths(a.bytes, min(a.n, 4))
		for range 60 {
			x, y := randomPattern(r, a.atoms), randomPattern(r, a.atoms)
			if x == "" || y == "" {
				continue
			}
			g, h := parsePattern(x), parsePattern(y)
			f := robots.Parse([]byte("User-agent: *\nAllow: " + x + "\nDisallow: " + y + "\n"))
			meets, outside := false, false
			for _, p := range all {
				if !normal(p) {
					continue
				}
				mx, my := robots.Match(x, origin+p), robots.Match(y, origin+p)
				if !g.exotic && g.match(p) != mx {
					t.Fatalf("parsePattern(%q).match(%q) = %v", x, p, !mx)
				}
				meets = meets || mx && my
				outside = outside || my && !mx
				if mx && my && p != "/robots.txt" {
					if want := f.Group("*").Explain(origin + p); want.Rule.Allow != (g.spec >= h.spec) {
						t.Fatalf("specificity of %q is %d, of %q %d, but %+v decides", x, g.spec, y, h.spec, want.Rule)
					}
				}
			}
			if g.exotic || h.exotic {
				continue
			}
			if meets && !g.meets(h) {
				t.Errorf("%q and %q do not meet, says the engine", x, y)
			}
			if outside && g.covers(h) {
				t.Errorf("%q covers %q, says the engine", x, y)
			}
		}
	}
}

func TestPreference(t *testing.T) {
	for c := range 256 {
		if want := !unsafe(byte(c)) && c != '#'; (place[c] > 0) != want {
			t.Errorf("place[%#x] = %d", c, place[c])
		}
	}
}

// An escaped "/" behind a star is a "/" in the query (V27b): nothing may be
// proved from its other form.
func TestExotic(t *testing.T) {
	for _, test := range []struct{ old, new, path string }{
		{"Disallow: /*%2F$\n", "Disallow: /*%2F$\nAllow: /*****/$\n", "/?/"},
		{"Disallow: /*%2F$\n", "Disallow: /*%2F$\nAllow: /?/$\nAllow: /?***/$\n", "/?/"},
		{"Disallow: /*%2F\n", "", "/%2F"},
	} {
		old, new := robots.Parse([]byte("User-agent: *\n"+test.old)), robots.Parse([]byte("User-agent: *\n"+test.new))
		if old.Allowed("*", origin+test.path) == new.Allowed("*", origin+test.path) {
			t.Fatalf("%q and %q do not differ on %s", test.old, test.new, test.path)
		}
		if Diff(old, new).Agents[0].Equal {
			t.Errorf("Diff(%q, %q): proved equal, but %s differs", test.old, test.new, test.path)
		}
	}
}

// Shared globs are not written to: Lint, Diff and Blocked may run at once.
func TestConcurrent(t *testing.T) {
	f := robots.Parse([]byte("User-agent: *\nDisallow: /*a\nAllow: /a*b$\nAllow: /r*t\nDisallow: /*/x\n"))
	done := make(chan bool)
	for range 4 {
		go func() {
			Lint(f)
			Diff(f, new(robots.File))
			Blocked(f.Group("*"))
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
}
