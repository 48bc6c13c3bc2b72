package audit

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"example.com/robots"
)

// A rule is one Allow or Disallow line of a group, with its language.
type rule struct {
	*glob
	robots.Rule      // with its String
	order       int  // its place in the file, among the group's rules
	rank        int  // its place in the longest match: 0 wins over all
	gone        bool // it was found to be useless
}

// A ruleset is what one group says of paths, ready for questions. It is not
// safe for concurrent use.
type ruleset struct {
	group  *robots.Group
	rules  []*rule // in file order, those without a path left out
	ranked []*rule // as the longest match goes through them

	heads   []string           // the heads of the rules, sorted, each once
	byHead  map[string][]*rule // by head, each list by rank
	longest int                // length of the longest head
	exotic  bool               // one of the rules is; see parsePattern
	lean    bool               // leave out the rules that are gone

	fingerprint string // equal for two rulesets with the same rules in whatever order
}

// origin stands before a path to make it a URL: a path that begins with "//"
// would be read as a host.
const origin = "https://example.com"

func newRuleset(g *robots.Group) *ruleset {
	s := &ruleset{group: g, byHead: make(map[string][]*rule)}
	for r := range g.Rules() {
		if r.Pattern == "" {
			continue // no rule (RFC 9309 section 2.2.2)
		}
		g := parsePattern(r.Pattern)
		s.exotic = s.exotic || g.exotic
		s.rules = append(s.rules, &rule{glob: g, Rule: r, order: len(s.rules)})
	}
	s.ranked = slices.Clone(s.rules)
	slices.SortFunc(s.ranked, byRank)
	for i, r := range s.ranked {
		r.rank = i
		h := r.lit[:r.head]
		if s.byHead[h] == nil {
			s.heads = append(s.heads, h)
			s.longest = max(s.longest, len(h))
		}
		s.byHead[h] = append(s.byHead[h], r)
	}
	sort.Strings(s.heads)
	return s
}

// byRank orders rules as the longest match does (RFC 9309 section 2.2.2): the
// most octets first, of equal ones Allow, of equal ones the first in the file.
func byRank(a, b *rule) int {
	return cmp.Or(cmp.Compare(b.spec, a.spec), less(b.Allow, a.Allow), cmp.Compare(a.order, b.order))
}

func less(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// decide is the engine's opinion of a path in normal form: the rule that wins,
// or nil, leaving one rule out.
func (s *ruleset) decide(path string, without *rule, budget *int) *rule {
	if path == "/robots.txt" {
		return nil
	}
	var best *rule
	for n := 0; n <= min(len(path), s.longest); n++ {
		for _, r := range s.byHead[path[:n]] {
			*budget--
			if best != nil && best.rank < r.rank {
				break
			}
			if r != without && !(s.lean && r.gone) && r.match(path) {
				best = r
				break
			}
		}
	}
	return best
}

// allows is decide's verdict.
func allows(r *rule) bool { return r == nil || r.Allow }

// near returns the rules that may meet g: those whose heads agree, by rank.
func (s *ruleset) near(g *glob, budget *int) []*rule {
	var near []*rule
	h := g.lit[:g.head]
	if h == "" || h == "/" {
		*budget -= len(s.ranked)
		return s.present(s.ranked)
	}
	for n := 0; n < len(h); n++ {
		near = append(near, s.byHead[h[:n]]...)
	}
	for i := sort.SearchStrings(s.heads, h); i < len(s.heads) && strings.HasPrefix(s.heads[i], h); i++ {
		near = append(near, s.byHead[s.heads[i]]...)
	}
	slices.SortFunc(near, func(a, b *rule) int { return cmp.Compare(a.rank, b.rank) })
	*budget -= 4 * len(near)
	return s.present(near)
}

// present leaves out the rules that are gone, if they are to be.
func (s *ruleset) present(rules []*rule) []*rule {
	if !s.lean {
		return rules
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r *rule) bool { return r.gone })
}

// same is a string that two rulesets share if and only if they have the same
// rules, order and repetition aside. Then they answer alike on every path.
func (s *ruleset) same() string {
	if s.fingerprint == "" {
		keys := make([]string, 0, len(s.rules))
		for _, r := range s.rules {
			keys = append(keys, r.identity())
		}
		sort.Strings(keys)
		s.fingerprint = strings.Join(slices.Compact(keys), "\n") + "\n"
	}
	return s.fingerprint
}

// identity is equal for rules that have the same language, specificity and
// verdict.
func (r *rule) identity() string {
	k := r.key()
	if r.exotic {
		k = "\xff" + r.Pattern // its language is not that of its literal
	}
	// The language does not tell the length: "/%2A" counts more than its octets.
	return fmt.Sprintf("%d %d %s", btoi(r.Allow), r.spec, k)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// above returns of rules, which are in rank order, those that outrank r and
// could meet it.
func above(near []*rule, r *rule) []*glob {
	var list []*glob
	for _, o := range near {
		if o.rank >= r.rank {
			break
		}
		list = append(list, o.glob)
	}
	return list
}

// verdicts returns rules as the engine wants them, leaving one out.
func verdicts(rules []*rule, without *rule) []ranked {
	list := make([]ranked, 0, len(rules))
	for _, r := range rules {
		if r != without {
			list = append(list, ranked{r.glob, r.Allow})
		}
	}
	return list
}

// differ asks for the shortest path that r decides in s while o, leaving out
// one of its rules, gives the other verdict.
func (s *ruleset) differ(r *rule, o *ruleset, without *rule, budget *int) (string, answer) {
	if !r.possible() {
		return "", no
	}
	// The shortest path of the rule's own is very often it.
	if p := r.shortest(); !r.exotic && normal(p) && s.decide(p, nil, budget) == r && allows(o.decide(p, without, budget)) != r.Allow {
		return p, yes
	}
	q := question{
		must:   []*glob{r.glob},
		not:    above(s.near(r.glob, budget), r),
		ranked: verdicts(o.near(r.glob, budget), without),
		want:   !r.Allow,
	}
	return q.solve(budget)
}

// normal reports whether a path that came out of patterns is a URL's in normal
// form; joining pieces may have made an escape.
func normal(p string) bool {
	if strings.IndexByte(p, '%') < 0 {
		return true
	}
	s := search{escapes: true}
	var esc byte
	for i := range len(p) {
		if esc = s.escapeStep(esc, p[i]); esc == escBad {
			return false
		}
	}
	return true
}
