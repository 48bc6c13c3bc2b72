package audit

import (
	"math/bits"
	"slices"
	"strings"
)

// An answer is what the engine knows of a question.
type answer uint8

const (
	undecided answer = iota // the budget was spent, or a glob is exotic
	no                      // proved: there is no such path
	yes                     // there is: the witness
)

// A ranked rule: its verdict stands if it matches and no earlier one does.
type ranked struct {
	*glob
	allow bool
}

// A question asks for the shortest path
//
//   - that every glob of must matches,
//   - that no glob of not matches,
//   - and whose verdict under ranked, in which the first that matches decides
//     and nothing that matches is an Allow, is want.
//
// Everything that lint, diff and Blocked need to know of all URLs is of this
// form: that a rule can decide (must is the rule, not are those before it),
// that removing it changes a verdict (and ranked are the others), that two
// files differ.
type question struct {
	must   []*glob
	not    []*glob
	ranked []ranked
	want   bool
}

// robotsTxt is the path that no rule reaches (RFC 9309 section 2.2.2), and
// anything the language of all paths. They are shared, and so built at once.
var robotsTxt, anything = func() (r, a *glob) {
	r, a = parsePattern("/robots.txt$"), parsePattern("/")
	r.build()
	a.build()
	return r, a
}()

// preference orders the octets of witnesses: those that read well first. It
// holds all that a URL in normal form can hold.
const preference = "xabcdefghijklmnopqrstuvwyz1023456789XABCDEFGHIJKLMNOPQRSTUVWYZ/-._=&?~+,:;@!()'$*[]%"

// place[c] is 1 + the place of c in preference, or 0.
var place = func() (t [256]uint8) {
	for i := range len(preference) {
		t[preference[i]] = uint8(i + 1)
	}
	return t
}()

// The role of a glob in a search.
type tracked struct {
	*glob
	isMust bool
	isNot  bool
	block  int32 // ≥ 0: its block among the ranked, the greater the weaker; -1: not ranked
	idle   int32 // where it is by default in the states: dead, or where a starred piece starts
}

// noBlock is weaker than any block.
const noBlock = 1<<31 - 1

// A node is a state of the search: where each tracked glob is.
type node struct {
	parent int32
	from   uint32 // its entries in the arena
	n      uint32
	best   int32 // the strongest block that has matched for good
	sym    byte
	esc    byte // where in an escape of the URL we are; see escapeStep
}

// An entry is the place of a glob that is not where it is by default.
type entry struct{ id, pos int32 }

type search struct {
	globs   []tracked
	musts   int // ids below it are musts
	verdict []bool
	want    bool
	idle    [256][]int32 // by octet: the idle globs that it moves
	first   [2]uint64    // their octets, as places in preference
	escapes bool         // some glob has a "%"

	idleWant int32 // the strongest block of an idle glob with the wanted verdict

	arena []entry
	nodes []node
	seen  map[string]int32
	key   []byte
	buf   []entry
}

// solve answers q and returns the witness if the answer is yes. It takes what
// it spends from budget: a unit is about ten nanoseconds.
func (q *question) solve(budget *int) (string, answer) {
	s := &search{want: q.want}
	head := "/"
	for _, g := range q.must {
		if !g.possible() {
			return "", no
		}
		if h := g.lit[:g.head]; strings.HasPrefix(h, head) {
			head = h
		} else if !strings.HasPrefix(head, h) {
			return "", no
		}
	}
	for i, g := range q.must {
		for _, h := range q.must[:i] {
			if !g.meets(h) {
				return "", no
			}
		}
	}
	exotic := false
	covered := func(g *glob) bool {
		for _, m := range q.must {
			if !m.exotic && !g.exotic && g.covers(m) {
				return true
			}
		}
		return false
	}
	relevant := func(g *glob) bool {
		*budget--
		if !g.possible() {
			return false
		}
		n := min(len(head), g.head)
		if head[:n] != g.lit[:n] {
			return false
		}
		for _, m := range q.must {
			if !g.meets(m) {
				return false
			}
		}
		return true
	}

	index := make(map[*glob]int32)
	track := func(g *glob) *tracked {
		i, ok := index[g]
		if !ok {
			i = int32(len(s.globs))
			index[g] = i
			g.build()
			s.globs = append(s.globs, tracked{glob: g, block: -1})
			s.escapes = s.escapes || strings.IndexByte(g.lit, '%') >= 0
		}
		return &s.globs[i]
	}
	for _, g := range q.must {
		track(g).isMust = true
		exotic = exotic || g.exotic
	}
	s.musts = len(s.globs)
	for _, g := range append(q.not[:len(q.not):len(q.not)], robotsTxt) {
		if !relevant(g) {
			continue
		}
		if covered(g) {
			return "", no
		}
		exotic = exotic || g.exotic
		track(g).isNot = true
	}
	// The ranked rules in blocks of one verdict. Behind a rule that matches
	// whatever the musts match, none counts.
	block := int32(-1)
	canWant := false
	closed := false
	for _, r := range q.ranked {
		if !relevant(r.glob) {
			continue
		}
		if t, ok := index[r.glob]; ok && s.globs[t].isNot {
			continue // matches nothing that counts
		}
		if block < 0 || s.verdict[block] != r.allow {
			block++
			s.verdict = append(s.verdict, r.allow)
		}
		if covered(r.glob) {
			closed = true
			canWant = canWant || r.allow == q.want
			break
		}
		exotic = exotic || r.exotic
		canWant = canWant || r.allow == q.want
		if t := track(r.glob); t.block < 0 {
			t.block = block
		}
	}
	if !closed {
		canWant = canWant || q.want // nothing that matches: allowed
	}
	if !canWant {
		return "", no
	}
	// What holds when nothing else matches; the blocks just above it that say
	// the same say nothing.
	last := !closed || s.verdict[block]
	weakest := int32(len(s.verdict))
	for weakest > 0 && s.verdict[weakest-1] == last {
		weakest--
	}
	if weakest == 0 && last != q.want {
		return "", no
	}
	for i := range s.globs {
		if t := &s.globs[i]; t.block >= weakest {
			t.block = -1
		}
	}
	s.verdict = append(s.verdict[:weakest], last)
	s.globs = slices.DeleteFunc(s.globs, func(t tracked) bool { return !t.isMust && !t.isNot && t.block < 0 })

	path, a := s.run(head, budget)
	if a == no && exotic {
		a = undecided
	}
	return path, a
}

// run searches breadth first from where the globs are after head.
func (s *search) run(head string, budget *int) (string, answer) {
	start := node{parent: -1, best: int32(len(s.verdict) - 1)}
	for i := range len(head) {
		if start.esc = s.escapeStep(start.esc, head[i]); start.esc == escBad {
			return "", no
		}
	}
	s.idleWant = noBlock
	var entries []entry
	for i := range s.globs {
		t := &s.globs[i]
		p := 0
		if len(t.lit) > 0 {
			for j := 0; j < len(head) && p != dead; j++ {
				p = t.step(p, head[j])
			}
		}
		*budget -= 1 + len(head)
		t.idle = dead
		if p >= t.head && t.starred {
			t.idle = t.base[p]
			c := t.lit[t.idle]
			s.idle[c] = append(s.idle[c], int32(i))
			s.mark(&s.first, c)
			if t.block >= 0 && s.verdict[t.block] == s.want {
				s.idleWant = min(s.idleWant, t.block)
			}
		}
		if !s.place(&entries, &start.best, int32(i), int32(p)) {
			return "", no
		}
	}
	s.seen = make(map[string]int32)
	if w, done := s.add(start, entries, head); done {
		return w, yes
	}
	for i := 0; i < len(s.nodes); i++ {
		if *budget <= 0 {
			return "", undecided
		}
		if w, done := s.expand(int32(i), head, budget); done {
			return w, yes
		}
	}
	return "", no
}

// mark adds an octet to a set of places in preference.
func (s *search) mark(set *[2]uint64, c byte) {
	if p := place[c]; p > 0 {
		set[(p-1)>>6] |= 1 << ((p - 1) & 63)
	}
}

// place puts a glob that has come to p into the entries of a state, if it
// matters there. It reports false if the state cannot lead to a witness.
func (s *search) place(entries *[]entry, best *int32, id, p int32) bool {
	t := &s.globs[id]
	if p == dead {
		return !t.isMust
	}
	if int(p) == len(t.lit) && !t.anchored {
		if t.isNot {
			return false
		}
		if t.block >= 0 && t.block < *best {
			*best = t.block
		}
		if !t.isMust {
			return true
		}
	}
	if p != t.idle && (t.isMust || t.isNot || t.block < *best) {
		*entries = append(*entries, entry{id, p})
	}
	return true
}

// add adds a state if it is new and can lead to a witness, and reports whether
// it is one, with its path.
func (s *search) add(n node, entries []entry, head string) (string, bool) {
	// What a stronger match has made irrelevant goes, and so does all that is
	// ranked once nothing can change the verdict.
	satisfied := s.verdict[n.best] == s.want
	canTurn := satisfied || s.idleWant < n.best
	kept := entries[:0]
	for _, e := range entries {
		t := &s.globs[e.id]
		if !t.isMust && !t.isNot && t.block >= n.best {
			continue
		}
		if t.block >= 0 && t.block < n.best && s.verdict[t.block] == s.want {
			canTurn = true
		}
		kept = append(kept, e)
	}
	if !canTurn {
		return "", false
	}
	entries = kept

	k := s.key[:0]
	k = append(k, byte(n.best), byte(n.best>>8), byte(n.best>>16), n.esc)
	for _, e := range entries {
		k = append(k, byte(e.id), byte(e.id>>8), byte(e.id>>16), byte(e.pos), byte(e.pos>>8), byte(e.pos>>16))
	}
	s.key = k
	if _, ok := s.seen[string(k)]; ok {
		return "", false
	}
	id := int32(len(s.nodes))
	s.seen[string(k)] = id
	n.from, n.n = uint32(len(s.arena)), uint32(len(entries))
	s.arena = append(s.arena, entries...)
	s.nodes = append(s.nodes, n)
	if s.accepts(n.best, entries) {
		return s.path(id, head), true
	}
	return "", false
}

// accepts reports whether a path may end in a state.
func (s *search) accepts(best int32, entries []entry) bool {
	musts := 0
	for _, e := range entries {
		t := &s.globs[e.id]
		if int(e.pos) != len(t.lit) {
			continue
		}
		if t.isMust {
			musts++
		}
		if t.isNot {
			return false // anchored, or it would not be here
		}
		if t.block >= 0 && t.block < best {
			best = t.block
		}
	}
	return musts == s.musts && s.verdict[best] == s.want
}

// expand adds the states that follow a state.
func (s *search) expand(id int32, head string, budget *int) (string, bool) {
	n := s.nodes[id]
	entries := s.arena[n.from : n.from+n.n]

	// The octets that are told apart here: those that some glob waits for.
	set := s.first
	for _, e := range entries {
		t := &s.globs[e.id]
		p := int(e.pos)
		if p < len(t.lit) {
			s.mark(&set, t.lit[p])
		}
		if o := int(t.base[p]); o >= 0 && !(p == len(t.lit) && !t.anchored) {
			for p > o {
				p = int(t.fail[p])
				s.mark(&set, t.lit[p])
				*budget--
			}
		}
	}
	// One more stands for all the rest. "%" is not it, for it may begin an
	// escape, nor is a hex digit, which may end one.
	for c := range len(preference) - 1 {
		if set[c>>6]&(1<<(c&63)) == 0 && (n.esc == 0 || n.esc == escQuery || unhex(preference[c]) < 0) {
			if preference[c] != '?' {
				set[c>>6] |= 1 << (c & 63)
				break
			}
		}
	}
	for w, word := range set {
		for word != 0 {
			c := preference[w<<6|bits.TrailingZeros64(word)]
			word &= word - 1
			esc := s.escapeStep(n.esc, c)
			if esc == escBad {
				continue
			}
			next := node{parent: id, best: n.best, sym: c, esc: esc}
			idle := s.idle[c]
			*budget -= 8 + len(entries) + len(idle)
			s.buf = s.buf[:0]
			ok := true
			for i, j := 0, 0; ok && (i < len(entries) || j < len(idle)); {
				switch {
				case j == len(idle) || i < len(entries) && entries[i].id < idle[j]:
					e := entries[i]
					i++
					ok = s.place(&s.buf, &next.best, e.id, int32(s.globs[e.id].step(int(e.pos), c)))
				case i < len(entries) && entries[i].id == idle[j]:
					j++ // it is in the entries, not idle
				default:
					t := &s.globs[idle[j]]
					if t.isMust || t.isNot || t.block < next.best {
						ok = s.place(&s.buf, &next.best, idle[j], t.idle+1)
					}
					j++
				}
			}
			if !ok {
				continue
			}
			if path, done := s.add(next, s.buf, head); done {
				return path, true
			}
		}
	}
	return "", false
}

// path spells the path to a state.
func (s *search) path(id int32, head string) string {
	var b []byte
	for ; id > 0; id = s.nodes[id].parent {
		b = append(b, s.nodes[id].sym)
	}
	slices.Reverse(b)
	return head + string(b)
}

// A URL in normal form holds no escape of an unreserved octet, of "*" or of
// "$", none with a lower-case digit, and in its query none of "/" or ":". The
// states that see to it: 0 or escQuery outside of an escape; escPercent after
// "%"; escHex + v after "%" and the digit v; escLower after "%" and a digit in
// lower case.
const (
	escPercent = 1
	escHex     = 2
	escLower   = 18
	escQuery   = 0x40
	escBad     = 0xff
)

func (s *search) escapeStep(esc, c byte) byte {
	if !s.escapes {
		return 0
	}
	query := esc & escQuery
	phase := esc &^ escQuery
	if c == '?' {
		return escQuery
	}
	if c == '%' {
		return query | escPercent
	}
	v := unhex(c)
	if v < 0 || phase == 0 {
		return query
	}
	lower := c >= 'a'
	switch {
	case phase == escPercent && lower:
		return query | escLower
	case phase == escPercent:
		return query | escHex + byte(v)
	case phase == escLower || lower:
		return escBad
	}
	o := (phase-escHex)<<4 | byte(v)
	if unreserved(o) || o == '*' || o == '$' || query != 0 && (o == '/' || o == ':') {
		return escBad
	}
	return query
}
