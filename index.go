package robots

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// An index answers for a group in a time that depends on the URL and on the
// rules that match its start, not on how many rules there are.
//
// It is a tree over the heads of the patterns, the literal octets before the
// first "*". A node stands for a head, the way to it spells the head, and in it
// are the rules with that head. On its way along a path a question
// meets just the rules whose heads the path starts with.
type index struct {
	// The nodes are in breadth-first order, so that the children of a node,
	// and its entries, end where those of the next node start. The last node
	// only marks the end.
	nodes   []node
	firsts  string // the first octet of the label of each node
	entries []entry
	globs   []globRef
	more    string   // what is not in the text of the file, see index.str
	parts   []uint32 // groups to ask too, since other groups share them
}

type node struct {
	label, size uint32 // octets from the parent to here, see index.str
	child       uint32 // the first child
	entry       uint32 // the first entry
}

type entry struct {
	key uint32 // as in verdict
	ref uint32 // number of a rule or, for shapeStored, of a globRef; and the shape
	// need is an octet that a path must have to match, the one that is least
	// likely to be there, or 0. The entries of a node stand together by it, so
	// that all for which an octet is missing are passed over at once. run is
	// how many stand there from this one on.
	need byte
	run  uint32
}

// The shapes of what follows the head of a pattern, in the upper bits of
// entry.ref. No file has 1<<30 rules.
const (
	shapeOpen    = 0 << 30 // nothing: any URL that starts with the head
	shapeExact   = 1 << 30 // "$": just the head
	shapeStarred = 2 << 30 // a "*" and more, as in the text of the file
	shapeStored  = 3 << 30 // the same in normal form, where the text is not
	refMask      = 1<<30 - 1
	refShape     = 3 << 30
)

// A globRef is what follows the first star of a pattern that is not in the text
// of the file as it is.
type globRef struct {
	rule, off, size  uint32
	star             byte
	anchored, either bool
}

// A group with more than small rules gets an index when it has been asked
// warmup times: until then a scan costs less than building it would (see
// BenchmarkCrossover).
const (
	small  = 8
	warmup = 32
)

// warm counts a question to a group without an index, and builds the index
// when it pays. Once that is done, or is known never to pay, questions write to
// nothing that is shared.
func (g *Group) warm() {
	switch n := g.asked.Load(); {
	case n >= warmup:
		return
	case n == 0:
		rules := 0
		for i := range g.count {
			if s, _, r := g.section(i); s.part == 0 || g.count == 1 {
				rules += len(r)
			}
		}
		if rules <= small || rules > place {
			g.asked.Store(warmup)
			return
		}
	}
	if g.asked.Add(1) == warmup {
		if x := newIndex(g); x != nil {
			g.index.Store(x)
		}
	}
}

// A sprout is a rule on its way into an index.
type sprout struct {
	head, tail string
	off        uint32 // of the head, see index.str
	key        uint32 // as in entry
	ref        uint32 // as in entry
	need       byte
	anchored   bool
}

// same reports whether two rules with one head are the same but for the line.
func (s *sprout) same(t *sprout) bool {
	return s.key == t.key && s.anchored == t.anchored && s.ref&refShape == t.ref&refShape && s.tail == t.tail
}

// newIndex makes the index of a group. It returns nil if there are more rules
// than sort can number, 16 million: such a group, of a file far beyond any sane
// limit, goes on being scanned.
func newIndex(g *Group) *index {
	f := g.file
	x := new(index)
	b := indexBuilder{f: f, x: x}
	for i := range g.count {
		s, _, rules := g.section(i)
		if s.part != 0 && g.count > 1 {
			x.parts = append(x.parts, s.part-1)
			continue
		}
		b.sprouts = slices.Grow(b.sprouts, len(rules))
		for j := range rules {
			b.add(s.rules + uint32(j))
		}
	}
	if len(b.sprouts) > place {
		return nil
	}
	x.more = string(b.more)
	b.grow()
	return x
}

type indexBuilder struct {
	f       *File
	x       *index
	more    []byte
	sprouts []sprout
}

// add takes in a rule.
func (b *indexBuilder) add(n uint32) {
	r := b.f.rules()[n]
	raw := b.f.text[r.off:][:r.len()]
	if raw == "" && b.f.dialect != Google {
		return
	}
	if counting {
		count(1 + 2*len(raw)) // to find one that is the same, and the octet it needs
	}
	p, clean := rawPattern(raw, b.f.dialect)
	if !clean {
		p = p.normalize(b.f.dialect, nil)
	}
	b.addPattern(n, &p, r.size&1, clean)
	if b.f.dialect == Google && r.allow() {
		if dir := indexPage(raw); dir > 0 {
			p := indexPattern(raw[:dir], nil)
			b.addPattern(n, &p, 1, false)
		}
	}
}

// addPattern takes in the pattern of a rule. clean says that it is as the rule
// has it in the text of the file.
func (b *indexBuilder) addPattern(n uint32, p *pattern, allow uint32, clean bool) {
	key := p.spec<<1 | allow
	s := sprout{key: key, ref: n, anchored: p.anchored}
	off := b.f.rules()[n].off
	if !clean {
		off = uint32(len(b.f.text) + len(b.more))
		b.more = append(b.more, p.text...)
	}
	s.head, s.off = p.text, off
	star := strings.IndexByte(p.text, p.star)
	switch {
	case star < 0 && p.anchored:
		s.ref |= shapeExact
	case star < 0:
		s.ref |= shapeOpen
	default:
		s.head, s.tail = p.text[:star], p.text[star+1:]
		if !p.either {
			s.need = rarest(s.tail, p.star)
		}
		if clean {
			s.ref |= shapeStarred
		} else {
			s.ref = shapeStored | uint32(len(b.x.globs))
			b.x.globs = append(b.x.globs, globRef{
				rule: n, off: off + uint32(star) + 1, size: uint32(len(s.tail)),
				star: p.star, anchored: p.anchored, either: p.either,
			})
		}
	}
	b.sprouts = append(b.sprouts, s)
}

// rarity has for each octet how few URLs have it, as far as can be said in
// general.
var rarity = func() (t [256]uint8) {
	const common = "/-.eatoircsnldmpughbyfwkvzxqj1234567890_ETAISRNOCDLMFPBUHGYWVKJXQZ~:$@*+()'!,;%&=?"
	for c := range t {
		t[c] = 255
	}
	for i := range len(common) {
		t[common[i]] = uint8(i + 1)
	}
	return t
}()

// rarest returns the ASCII octet of s, skip aside, that the fewest URLs have, or
// 0 if there is none.
func rarest(s string, skip byte) (c byte) {
	most := uint8(0)
	for i := 0; i < len(s); i++ {
		if r := rarity[s[i]]; r > most && s[i] != skip && s[i] < 0x80 {
			most, c = r, s[i]
		}
	}
	return c
}

// place is the part of a sort key that says which sprout it is of.
const place = 1<<24 - 1

// sort puts the sprouts in the order of the tree: by head and, of equal heads,
// as their entries stand in the node.
func (b *indexBuilder) sort() {
	// Most comparisons are settled by the few octets behind those that all
	// heads start with. Sorting these as numbers, each with the place of its
	// sprout, is several times as fast as comparing heads. Only sprouts with
	// equal numbers are then sorted in earnest.
	const octets = 5
	common := 0
	for i := range b.sprouts {
		if head := b.sprouts[i].head; i == 0 {
			common = len(head)
		} else {
			common = commonLen(b.sprouts[0].head[:common], head)
		}
	}
	keys := make([]uint64, len(b.sprouts))
	for i := range b.sprouts {
		head := b.sprouts[i].head[common:]
		for j := range octets {
			keys[i] <<= 8
			if j < len(head) {
				keys[i] |= uint64(head[j])
			}
		}
		keys[i] = keys[i]<<24 | uint64(i)
	}
	slices.Sort(keys)
	if counting {
		count(len(keys) * bits.Len(uint(len(keys))))
	}
	sorted := make([]sprout, len(b.sprouts))
	for i, k := range keys {
		sorted[i] = b.sprouts[k&place]
	}
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j]&^place == keys[i]&^place {
			j++
		}
		if j > i+1 {
			slices.SortFunc(sorted[i:j], func(s, t sprout) int {
				if counting {
					count(1 + commonLen(s.head, t.head))
				}
				if c := strings.Compare(s.head, t.head); c != 0 {
					return c
				}
				if c := cmp.Compare(s.need, t.need); c != 0 {
					return c
				}
				if c := cmp.Compare(t.key, s.key); c != 0 {
					return c
				}
				if c := strings.Compare(s.tail, t.tail); c != 0 {
					return c
				}
				return cmp.Compare(s.ref, t.ref)
			})
		}
		i = j
	}
	b.sprouts = sorted
}

// commonLen returns the number of octets that a and b start with alike.
func commonLen(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// grow makes the tree.
func (b *indexBuilder) grow() {
	x := b.x
	b.sort()
	type span struct{ from, to, depth int }
	// There are fewer nodes than twice the heads. What is too much is given
	// back at the end.
	most := 2*len(b.sprouts) + 1
	todo := append(make([]span, 0, most), span{0, len(b.sprouts), 0})
	x.nodes = make([]node, 0, most+1)
	x.entries = make([]entry, 0, len(b.sprouts))
	var firsts bytes.Buffer
	firsts.Grow(most)
	for i := 0; i < len(todo); i++ {
		s := b.sprouts[todo[i].from:todo[i].to]
		depth := todo[i].depth
		n := node{child: uint32(len(todo)), entry: uint32(len(x.entries))}
		if len(s) > 0 {
			// The label is what all these heads go on with.
			a, z := s[0].head, s[len(s)-1].head
			end := depth
			for end < len(a) && a[end] == z[end] {
				end++
			}
			if counting {
				count(1 + end - depth)
			}
			n.label, n.size = s[0].off+uint32(depth), uint32(end-depth)
			if depth < end {
				firsts.WriteByte(a[depth])
			} else {
				firsts.WriteByte(0)
			}
			j := 0
			for ; j < len(s) && len(s[j].head) == end; j++ {
				// Of rules that are the same but for the line the first is enough.
				if j > 0 && s[j].same(&s[j-1]) {
					continue
				}
				x.entries = append(x.entries, entry{key: s[j].key, ref: s[j].ref, need: s[j].need})
			}
			for e := len(x.entries) - 1; e >= int(n.entry); e-- {
				x.entries[e].run = 1
				if e+1 < len(x.entries) && x.entries[e+1].need == x.entries[e].need {
					x.entries[e].run += x.entries[e+1].run
				}
			}
			for j < len(s) {
				k := j + 1
				for k < len(s) && s[k].head[end] == s[j].head[end] {
					k++
				}
				todo = append(todo, span{todo[i].from + j, todo[i].from + k, end})
				j = k
			}
		}
		x.nodes = append(x.nodes, n)
	}
	x.nodes = append(x.nodes, node{child: uint32(len(todo)), entry: uint32(len(x.entries))})
	x.nodes = slices.Clone(x.nodes)
	x.entries = slices.Clone(x.entries)
	x.globs = slices.Clone(x.globs)
	x.firsts = firsts.String()
}

// str returns the octets at an offset of the text of the file or, beyond its
// end, of x.more.
func (x *index) str(f *File, off, size uint32) string {
	if n := uint32(len(f.text)); off >= n {
		return x.more[off-n:][:size]
	}
	return f.text[off:][:size]
}

// answer returns what decides of a question.
func (x *index) answer(f *File, q *question, path string) verdict {
	v := undecided
	for i, rest := 0, path; ; {
		n, end := &x.nodes[i], &x.nodes[i+1]
		// The first octet was looked for among those of the children, so that
		// the text, which is likely not in the cache, is left alone if it is
		// all. At the root the label may be empty.
		if counting {
			count(1 + int(n.size))
		}
		if n.size > 1 || i == 0 {
			if !strings.HasPrefix(rest, x.str(f, n.label, n.size)) {
				break
			}
		}
		rest = rest[n.size:]
		if n.entry != end.entry {
			v = x.weigh(f, x.entries[n.entry:end.entry], q, path, len(path)-len(rest), v)
		}
		if rest == "" || n.child == end.child {
			break
		}
		c := strings.IndexByte(x.firsts[n.child:end.child], rest[0])
		if c < 0 {
			break
		}
		i = int(n.child) + c
	}
	for _, p := range x.parts {
		v = v.or(f.groups[p].answer(q, path))
	}
	return v
}

// weigh returns the better of v and of the entries of a node, whose head is the
// first octets of the path up to at.
func (x *index) weigh(f *File, entries []entry, q *question, path string, at int, v verdict) verdict {
	for i := 0; i < len(entries); i++ {
		e := &entries[i]
		if counting {
			count(1)
		}
		// Those of a run that follow are no better than this one.
		if e.key < v.key || e.need != 0 && q.lacks(path, e.need) {
			i += int(e.run) - 1
			continue
		}
		rule := e.ref & refMask
		ok := true
		switch e.ref & refShape {
		case shapeExact:
			ok = at == len(path)
		case shapeStarred:
			// The tail is what is left of the pattern behind the head and
			// the star. The head is as long as the path up to here.
			r := f.rules()[rule]
			p := pattern{text: f.text[r.off:][:r.len()][at+1:], star: '*'}
			if n := len(p.text); n > 0 && p.text[n-1] == '$' {
				p.text, p.anchored = p.text[:n-1], true
			}
			ok = q.matchesTail(path, &p, p.text, at)
		case shapeStored:
			g := &x.globs[rule]
			rule = g.rule
			p := pattern{star: g.star, anchored: g.anchored, either: g.either}
			ok = q.matchesTail(path, &p, x.str(f, g.off, g.size), at)
		}
		if ok && v.better(e.key, rule) {
			v = verdict{e.key, rule}
		}
	}
	return v
}
