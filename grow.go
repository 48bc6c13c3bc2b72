package robots

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// A group with more than fewRules rules gets an index when it has been asked
// warmup times: until then a scan costs less than making it would (see
// BenchmarkCrossover).
const (
	fewRules = 8
	warmup   = 16
)

// stepWork is how much each question does for an index that is being made, in
// units of the work that tests count, for a file of size octets. Groups of up to
// 1,000 rules or so get theirs by one question. To make that of a large one takes
// many times as long as a scan, so it is made step by step, by questions that scan
// as before.
func stepWork(size int) int { return 64<<10 + size/6 }

// settled in Group.asked says that the group is scanned for good.
const settled = 1 << 31

// prepare counts a question to a group without an index and, when that pays,
// does its share in making one. Once that is done, or is known never to pay,
// questions write to nothing that is shared.
func (g *Group) prepare(q *question) {
	work := stepWork(len(g.file.text)) - q.made
	if work <= 0 {
		return // the question has done its share, for another part of its group
	}
	x := g.index.Load()
	if x == nil {
		// However many ask at a time, one begins.
		if g.asked.Add(1) != warmup {
			return
		}
		if g.rulesOfItsOwn() <= fewRules || len(g.file.text) > maxIndexed {
			g.asked.Store(settled)
			return
		}
		x = &index{maker: newMaker(g)}
		g.index.Store(x)
	}
	// Nobody waits for the one who makes a step.
	m := x.maker
	if m == nil || !m.mu.TryLock() {
		return
	}
	defer m.mu.Unlock()
	if g.index.Load() != x {
		return // it has been done meanwhile
	}
	left := m.step(work)
	q.made += work - left
	if left > 0 {
		g.index.Store(m.finish())
	}
}

// rulesOfItsOwn returns how many rules g has that it shares with no other group.
func (g *Group) rulesOfItsOwn() (n int) {
	for i := range g.count {
		if s, _, rules := g.section(i); s.part == 0 || g.count == 1 {
			n += len(rules)
		}
	}
	return n
}

// A maker makes the index of a group, in as many steps as one likes.
type maker struct {
	mu sync.Mutex // held during a step
	g  *Group

	// First the rules are taken in, one after the other. These are the next
	// section of the group and the next rule in it.
	section uint32
	rule    int
	sprouts []sprout
	more    []byte // the heads that are not in the text of the file

	// Then the tree is grown. Its spans are the sprouts of which nothing is in
	// it yet.
	spans   []span
	tree    []uint32
	entries []entry
	parts   []uint32

	*scratch // borrowed for a step
}

// A scratch is what it takes to sort sprouts by an octet of each. All makers
// share them, so that less is kept while an index waits for the next step.
type scratch struct {
	octets []byte // those to sort by
	copies []sprout
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// A sprout is a rule on its way into an index.
type sprout struct {
	off, size uint32 // its head, in the text of the file or, beyond that, in more
	entry
}

// A span is a run of sprouts whose heads start with the same octets, or are the
// same.
type span struct {
	from, to int
	at       int // the word of the tree where its ref is to stand
	depth    int // how many octets are the same
	list     bool
	sorted   int // by how many bits of their keys those of a list are sorted
}

func newMaker(g *Group) *maker {
	n := g.rulesOfItsOwn()
	return &maker{
		g:       g,
		sprouts: make([]sprout, 0, n),
		tree:    make([]uint32, 1, 1+2*min(n, 1<<10)),
	}
}

// step does some work, or as much more as a last span takes, and returns what is
// left of it: nothing unless the index is done.
func (m *maker) step(work int) (left int) {
	m.scratch = scratches.Get().(*scratch)
	defer func() {
		// What a huge file needed is not kept for the small ones.
		if cap(m.copies) <= 1<<17 {
			scratches.Put(m.scratch)
		}
		m.scratch = nil
	}()
	for work > 0 {
		switch {
		case m.section < m.g.count:
			work -= m.takeIn(work)
		case len(m.spans) > 0:
			last := len(m.spans) - 1
			s := m.spans[last]
			m.spans = m.spans[:last]
			work -= m.grow(s)
		default:
			return work
		}
	}
	return 0
}

// finish returns the index when all is done.
func (m *maker) finish() *index {
	return &index{
		tree:    slices.Clone(m.tree),
		entries: slices.Clone(m.entries),
		parts:   slices.Clone(m.parts),
	}
}

// takeIn takes in as many rules of a section as some work is enough for. It
// returns how much it did.
func (m *maker) takeIn(work int) (done int) {
	s, _, rules := m.g.section(m.section)
	if s.part != 0 && m.g.count > 1 {
		m.parts = append(m.parts, s.part-1)
		rules = nil
	}
	for m.rule < len(rules) && done < work {
		m.add(s.rules + uint32(m.rule))
		done += 8 + rules[m.rule].len()
		m.rule++
	}
	if m.rule == len(rules) {
		m.section++
		m.rule = 0
		done++
		if m.section == m.g.count {
			m.spans = append(m.spans, span{to: len(m.sprouts)})
		}
	}
	if counting {
		count(done)
	}
	return done
}

// add takes in a rule.
func (m *maker) add(n uint32) {
	f := m.g.file
	r := f.rules()[n]
	raw := f.text[r.off:][:r.len()]
	if raw == "" && f.dialect != Google {
		return
	}
	p, off, clean := m.pattern(r.off, raw)
	head, tail, stars := p.cut()
	if head != "" && head[0] != '/' {
		return // no path starts so
	}
	s := sprout{off: off, size: uint32(len(head)), entry: entry{needs: p.needs(tail), key: p.spec<<1 | r.size&1}}
	switch {
	case !clean:
		s.ref = refOdd | ref(n)
	case !stars && len(head) == len(raw):
		s.ref = refOpen | ref(n)
	case stars && len(p.text) == len(raw) && strings.IndexByte(tail, '*') < 0:
		s.ref = refTail | ref(n)
	default:
		s.ref = refClean | ref(n)
	}
	if f.dialect == Google && r.allow() {
		if dir := indexPage(raw); dir > 0 {
			// Such a rule is one for the directory too (S2). If that has a head
			// of its own, the rule is found by either.
			s.ref = refOdd | ref(n)
			d, off, _ := m.pattern(r.off, raw[:dir])
			dirHead, dirTail, _ := d.cut()
			if len(dirHead) < len(head) {
				m.sprouts = append(m.sprouts, sprout{off: off, size: uint32(len(dirHead)), entry: entry{
					ref: s.ref,
					key: (d.spec+1)<<1 | 1,
				}})
			} else {
				s.needs = d.needs(dirTail)
			}
		}
	}
	m.sprouts = append(m.sprouts, s)
}

// pattern returns the pattern of raw, which stands at an offset of the text, and
// the offset of it as in a sprout. clean says that the two are the same.
func (m *maker) pattern(at uint32, raw string) (p pattern, off uint32, clean bool) {
	f := m.g.file
	p, clean = rawPattern(raw, f.dialect)
	if clean {
		return p, at, true
	}
	n := len(m.more)
	m.more = slices.Grow(m.more, 3*len(raw)) // so that it stays where it is
	p = p.normalize(f.dialect, m.more[n:n])
	m.more = m.more[:n+len(p.text)]
	return p, uint32(len(f.text) + n), false
}

// cut cuts a pattern at its first star.
func (p *pattern) cut() (head, tail string, stars bool) {
	if i := strings.IndexByte(p.text, p.star); i >= 0 {
		return p.text[:i], p.text[i+1:], true
	}
	return p.text, "", false
}

// needs returns the octets that each path has that the tail of p matches.
func (p *pattern) needs(tail string) (set octetSet) {
	for i := range len(tail) {
		// An escape that stands for one of two forms needs neither.
		if c := tail[i]; c != p.star && (!p.either || c != slashEscape && c != colonEscape) {
			set |= octetBit[c]
		}
	}
	return set
}

// head returns the head of a sprout.
func (m *maker) head(s *sprout) string {
	if n := uint32(len(m.g.file.text)); s.off >= n {
		return view(m.more[s.off-n:][:s.size])
	}
	return m.g.file.text[s.off:][:s.size]
}

// grow puts the sprouts of a span into the tree, or makes smaller spans of it.
// It returns how much work that was.
func (m *maker) grow(s span) (work int) {
	sprouts := m.sprouts[s.from:s.to]
	if s.list || len(sprouts) == 0 {
		return m.list(s)
	}
	// Up to end all heads are the same.
	first := m.head(&sprouts[0])
	end := min(len(first), s.depth+nodeMaxSkip)
	for i := 1; i < len(sprouts) && end > s.depth; i++ {
		n := commonLen(first[s.depth:end], m.head(&sprouts[i])[s.depth:])
		end = s.depth + n
		work += n
	}
	work += 4 * len(sprouts)
	if counting {
		count(work)
	}
	longer := byte(0)
	m.octets = slices.Grow(m.octets[:0], len(sprouts))[:len(sprouts)]
	for i := range sprouts {
		m.octets[i] = 0 // which is in no head
		if head := m.head(&sprouts[i]); len(head) > end {
			m.octets[i] = head[end]
			longer |= head[end]
		}
	}
	if longer == 0 { // all heads end here
		s.list = true
		m.spans = append(m.spans, s)
		return work
	}
	m.sort(sprouts)
	octets := m.octets
	ways := 1
	for i := 1; i < len(octets); i++ {
		if octets[i] != octets[i-1] {
			ways++
		}
	}
	node := len(m.tree)
	m.tree[s.at] = uint32(refNode | ref(node))
	m.tree = append(m.tree, uint32(end-s.depth)<<nodeSkip|uint32(ways))
	refs := node + 1 + octetWords(uint32(ways))
	m.tree = slices.Grow(m.tree, refs+ways-len(m.tree))[:refs+ways]
	clear(m.tree[node+1:])
	for from, way := 0, 0; from < len(octets); way++ {
		c, to := octets[from], from+1
		for to < len(octets) && octets[to] == c {
			to++
		}
		m.tree[node+1+way/4] |= uint32(c) << (way % 4 * 8)
		if to == from+1 {
			m.tree[refs+way] = uint32(sprouts[from].ref)
		} else {
			m.spans = append(m.spans, span{from: s.from + from, to: s.from + to, at: refs + way, depth: end + 1, list: c == 0})
		}
		from = to
	}
	return work + ways
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

// list sorts a list by one more octet of the keys of its sprouts, from the last
// octet on, or puts it into the tree if it is sorted: the best come first, and
// those of one key stay as they are in the file. It returns how much work that was.
func (m *maker) list(s span) (work int) {
	sprouts := m.sprouts[s.from:s.to]
	differ := uint32(0)
	for i := range sprouts {
		differ |= sprouts[i].key ^ sprouts[0].key
	}
	work = 4 * len(sprouts)
	if counting {
		count(work)
	}
	differ = differ >> s.sorted << s.sorted
	if differ == 0 {
		m.tree[s.at] = uint32(m.putList(sprouts))
		return work
	}
	shift := bits.TrailingZeros32(differ) &^ 7
	m.octets = m.octets[:0]
	for i := range sprouts {
		m.octets = append(m.octets, byte(^sprouts[i].key>>shift))
	}
	m.sort(sprouts)
	s.sorted = shift + 8
	m.spans = append(m.spans, s)
	return work
}

// putList puts a sorted list into the tree, and returns the ref to it.
func (m *maker) putList(sprouts []sprout) ref {
	rules, text := m.g.file.rules(), m.g.file.text
	list, first := len(m.tree), len(m.entries)
	m.tree = append(m.tree, make([]uint32, listWords)...)
	needs := ^octetSet(0)
	for i := range sprouts {
		s := &sprouts[i]
		needs &= s.needs
		if i > 0 {
			// Of rules in a row that are the same but for the line the first is enough.
			r, last := rules[s.ref.number()], rules[sprouts[i-1].ref.number()]
			if r.size == last.size && text[r.off:][:r.len()] == text[last.off:][:r.len()] {
				continue
			}
		}
		m.entries = append(m.entries, s.entry)
		if s.ref.kind() != refOdd {
			m.tree[list], m.tree[list+1] = s.off, s.size
		}
	}
	m.tree[list+2], m.tree[list+3] = uint32(needs), uint32(needs>>32)
	m.tree[list+4], m.tree[list+5] = uint32(first), uint32(len(m.entries)-first)
	if len(m.entries) == first+1 {
		m.tree = m.tree[:list]
		m.entries = m.entries[:first]
		return sprouts[0].ref
	}
	return refList | ref(list)
}

// sort sorts sprouts, and m.octets, by these octets, one of each. What has the
// same octet stays in order.
func (m *maker) sort(sprouts []sprout) {
	octets := m.octets
	if len(sprouts) <= 32 {
		for i := 1; i < len(sprouts); i++ {
			c, s, j := octets[i], sprouts[i], i
			if octets[i-1] <= c {
				continue
			}
			for ; j > 0 && octets[j-1] > c; j-- {
				octets[j], sprouts[j] = octets[j-1], sprouts[j-1]
			}
			octets[j], sprouts[j] = c, s
		}
		return
	}
	var ends [256]int // where what has each octet ends, or first of all starts
	for _, c := range octets {
		ends[c]++
	}
	sum := 0
	for c, n := range ends {
		ends[c] = sum
		sum += n
	}
	m.copies = append(m.copies[:0], sprouts...)
	for i := range m.copies {
		c := octets[i]
		sprouts[ends[c]] = m.copies[i]
		ends[c]++
	}
	from := 0
	for c, end := range ends {
		for ; from < end; from++ {
			octets[from] = byte(c)
		}
	}
}
