package audit

import "example.com/robots"

// An Extent says how much of a site the rules of a group close.
type Extent uint8

const (
	// Undecided: nothing was proved within the bounds of time and memory. The
	// zero Extent, so that nothing is claimed by accident.
	Undecided Extent = iota
	// BlockedNone: every URL is allowed.
	BlockedNone
	// BlockedPartly: some URLs are allowed and some are not.
	BlockedPartly
	// BlockedAll: nothing is allowed but /robots.txt itself, which always is
	// (RFC 9309 section 2.2.2).
	BlockedAll
)

// String returns "undecided", "none", "partly" or "all".
func (e Extent) String() string {
	switch e {
	case BlockedNone:
		return "none"
	case BlockedPartly:
		return "partly"
	case BlockedAll:
		return "all"
	}
	return "undecided"
}

// Blocked says whether a group closes a site to its crawler in whole, in part
// or not at all, for all URLs that there can be. The answer is exact, and
// partly is confirmed with an example of each kind. It is Undecided only for
// groups of very many wildcards that interlock. The rules are read as the
// RFC9309 dialect reads them.
//
// Blocked is safe for concurrent use. Its time is bounded, to some tens of
// milliseconds at worst.
func Blocked(g *robots.Group) Extent {
	budget := groupBudget
	return newRuleset(g).extent(&budget)
}

// groupBudget bounds the work of all questions of one Blocked.
const groupBudget = 1 << 21

// extent is Blocked. The group of s must be of the RFC9309 dialect, or else
// the answer is of what it would be there.
func (s *ruleset) extent(budget *int) Extent {
	_, allowed := s.some(true, budget)
	_, blocked := s.some(false, budget)
	switch {
	case allowed == yes && blocked == yes:
		return BlockedPartly
	case blocked == no:
		return BlockedNone
	case allowed == no:
		return BlockedAll
	}
	return Undecided
}

// some returns a path that is allowed, or one that is not. The path need not
// be the shortest.
func (s *ruleset) some(allowed bool, budget *int) (string, answer) {
	try := func(p string) bool {
		return normal(p) && p != "/robots.txt" && allows(s.decide(p, nil, budget)) == allowed && s.confirm(p, allowed)
	}
	if try("/") {
		return "/", yes
	}
	for _, r := range s.ranked {
		if r.Allow == allowed && r.possible() {
			if p := r.shortest(); try(p) {
				return p, yes
			}
		}
	}
	q := question{must: []*glob{anything}, ranked: verdicts(s.ranked, nil), want: allowed}
	p, a := q.solve(budget)
	if a == yes && !s.confirm(p, allowed) {
		a = undecided
	}
	return p, a
}

// confirm asks package robots itself.
func (s *ruleset) confirm(path string, allowed bool) bool {
	return s.group.Allowed(origin+path) == allowed
}
