package robots

import (
	"math/bits"
	"slices"
	"sync"
)

// A mention says that a section names an agent that an earlier one names too.
type mention struct{ agent, section uint32 }

// fewAgents is the number of agents up to which the agents of a File are searched
// one after the other. If there are more it keeps their hash table.
const fewAgents = 8

// A builder gathers the parts of a file while it is read. Builders are used
// again and again, so that a File is made of two or three allocations of just the
// size it needs.
type builder struct {
	buffer   []byte // the text, and look newlines
	text     string // a view of buffer
	dialect  Dialect
	rules    []rule
	agents   []agent
	sections []section
	mentions []mention
	hashes   []uint32 // hash table: 1 + number of an agent, or 0
	links    []uint32
	scratch  []uint32 // for merge
	marks    [64]mark // of User-agent lines that have been found, but not read
	marked   uint32   // how many there are
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// build parses a text.
func (p Parser) build(text []byte, truncated bool) *File {
	b := builders.Get().(*builder)
	b.dialect = RFC9309
	if p.Dialect == Google {
		b.dialect = Google
	}
	// The text is read where it is at hand and has newlines behind it, not where
	// the caller has it or where it will be kept: memory that has not been used of
	// late is slow, and so to copy once more pays.
	b.buffer = slices.Grow(b.buffer[:0], len(text)+look)
	b.buffer = append(append(b.buffer, text...), newlines...)
	b.text = view(b.buffer)
	b.read()
	f := b.file()
	f.truncated = truncated
	// What a huge file needed is not kept for the small ones.
	if len(text) <= 8*MaxBytes {
		builders.Put(b)
	}
	return f
}

// read gathers the rules, the agents and the sections.
func (b *builder) read() {
	b.agents = b.agents[:0]
	b.rehash(4 * fewAgents)
	b.rules, b.sections, b.mentions = b.rules[:0], b.sections[:0], b.mentions[:0]

	s := newScanner(b.text, len(b.text)-look, b.dialect)
	for {
		b.plainLines(&s)
		for _, m := range b.marks[:b.marked] {
			b.plainAgent(m)
		}
		if s.pos >= s.end {
			break
		}
		switch k := s.readField(); k {
		case kindAllow, kindDisallow:
			size := uint32(s.valTo-s.val) << 1
			if k == kindAllow {
				size |= 1
			}
			b.rules = append(b.rules, rule{uint32(s.val), size})
		case kindUserAgent:
			b.openSection(mark{uint32(s.start), uint32(len(b.rules))})
			b.nameToken(&s)
		case kindCrawlDelay:
			if n := len(b.sections); n > 0 && b.sections[n-1].delay == 0 {
				if _, ok := crawlDelay(s.text[s.val:s.valTo]); ok {
					b.sections[n-1].delay = uint32(s.start)
				}
			}
		}
	}
}

// openSection notes that there is a User-agent line. A run of them goes on until
// the first rule: other records and blank lines do not count (R6, R27, G34). Rules
// before the first, or of a run that names nobody, belong to nobody (R5).
func (b *builder) openSection(m mark) {
	if n := len(b.sections); n == 0 || b.sections[n-1].rules != m.rules {
		b.sections = append(b.sections, section{off: m.off, rules: m.rules})
	}
}

// nameToken notes the agent that the User-agent line that s has read names, if any.
func (b *builder) nameToken(s *scanner) {
	if n := fileToken(s.text[s.val:s.valTo], b.dialect); n > 0 {
		b.name(uint32(s.val), uint32(n))
	}
}

// fileToken returns the length of the product token at the start of the value
// of a User-agent line, or 0 if it names nobody.
func fileToken(value string, d Dialect) int {
	if value == "" {
		return 0
	}
	if value[0] == '*' {
		// "* anything" is global, "*bot" is nothing (S5, S6).
		if len(value) == 1 || isSpace(value[1]) {
			return 1
		}
		return 0
	}
	set, n := tokenClass(d), 0
	for n < len(value) && class[value[n]]&set != 0 {
		n++
	}
	return n
}

// tokenClass returns the class of the octets of a product token.
func tokenClass(d Dialect) byte {
	if d == Google {
		return classGoogleToken // S8
	}
	return classToken
}

// name notes that the last section names the agent text[off:off+size].
func (b *builder) name(off, size uint32) {
	token := b.text[off : off+size]
	hash := tokenHash(token)
	sec := uint32(len(b.sections) - 1)
	place := findPlace(b.text, b.agents, b.hashes, token, hash)
	if i := b.hashes[place]; i > 0 {
		if a := &b.agents[i-1]; a.next != sec {
			a.next = sec
			b.mentions = append(b.mentions, mention{i - 1, sec})
		}
		return
	}
	n := len(b.agents)
	b.hashes[place] = uint32(n + 1)
	b.agents = append(b.agents, agent{off, size, hash, sec, sec})
	if size := 2 * len(b.hashes); 2*n > len(b.hashes) {
		if counting {
			count(size + n)
		}
		b.rehash(size)
	}
}

// rehash makes a hash table of so many places, a power of two.
func (b *builder) rehash(size int) {
	b.hashes = slices.Grow(b.hashes[:0], size)[:size]
	clear(b.hashes)
	mask := uint32(size - 1)
	for n := range b.agents {
		i := b.agents[n].hash & mask
		for b.hashes[i] != 0 {
			i = (i + 1) & mask
		}
		b.hashes[i] = uint32(n + 1)
	}
}

// newFile returns a File with room for its groups: most often in one piece.
func newFile(groups int) *File {
	switch {
	case groups == 0:
		return new(File)
	case groups == 1:
		var f struct {
			File
			groups [1]Group
		}
		f.File.groups = f.groups[:]
		return &f.File
	case groups <= 4:
		var f struct {
			File
			groups [4]Group
		}
		f.File.groups = f.groups[:groups]
		return &f.File
	}
	return &File{groups: make([]Group, groups)}
}

// file makes a File of what was read: it merges the sections into groups.
func (b *builder) file() *File {
	var f *File
	b.links = nil
	if len(b.mentions) == 0 {
		f = b.separate()
	} else {
		f = b.merge()
	}
	f.dialect, f.global = b.dialect, -1
	// Chain the agents of each group in the order of the file.
	for i := len(b.agents) - 1; i >= 0; i-- {
		a := &b.agents[i]
		g := &f.groups[a.group]
		if a.next = g.agent; g.file == nil {
			g.file = f
		}
		g.agent = uint32(i)
		if b.text[a.off] == '*' {
			f.global = int32(a.group)
		}
	}
	if len(b.agents) <= fewAgents {
		b.hashes = b.hashes[:0]
	}
	b.store(f)
	return f
}

// separate makes a group of each section that names an agent: the case of
// nearly all files, in which no agent is named in two places.
func (b *builder) separate() *File {
	n := 0
	for i := range b.agents {
		if i == 0 || b.agents[i].group != b.agents[i-1].group {
			n++
		}
	}
	f := newFile(n)
	f.visible = uint32(n)
	for i := len(b.agents) - 1; i >= 0; i-- {
		a := &b.agents[i]
		g := &f.groups[n-1]
		g.first, g.count = a.group, 1
		a.group = uint32(n - 1)
		if i > 0 && b.agents[i-1].group != g.first {
			n--
		}
	}
	return f
}

// merge makes one group of all agents that are named in just the same
// sections. A rule stands once in the file's memory however many agents and
// groups it belongs to.
func (b *builder) merge() *File {
	// Most agents are in one section even then. Those that are in several have
	// numbers: next has 1 + that of an agent, or 0.
	several := uint32(0)
	for i := range b.agents {
		if a := &b.agents[i]; a.next == a.group {
			a.next = 0
		} else {
			several++
			a.next = several
		}
	}
	n, m := len(b.agents), int(several)+len(b.mentions)
	size := 1 << bits.Len32(2*several)
	b.scratch = slices.Grow(b.scratch[:0], n+2*int(several)+2*m+2*len(b.sections)+size+1)
	take := func(n int) []uint32 {
		s := b.scratch[len(b.scratch):][:n:n]
		b.scratch = b.scratch[:len(b.scratch)+n]
		clear(s)
		return s
	}
	// The sections of agent number i, in file order, are list[start[i]:start[i+1]].
	start, next, list := take(int(several)+1), take(int(several)), take(m)
	of := func(i uint32) []uint32 { return list[start[i]:start[i+1]] }
	for _, m := range b.mentions {
		start[b.agents[m.agent].next]++
	}
	for i := range b.agents {
		if a := &b.agents[i]; a.next > 0 {
			at := start[a.next-1]
			start[a.next] += at + 1
			list[at], next[a.next-1] = a.group, at+1
		}
	}
	for _, m := range b.mentions {
		i := b.agents[m.agent].next - 1
		list[next[i]] = m.section
		next[i]++
	}

	// Agents with the same sections have one group. model has, for each group, its
	// section or the complement of the number of an agent, and uses says how many
	// groups have each section. The group of the agents with just one section is
	// found by that, in single, and that of the others by a hash of their list, in
	// seen: 1 + its number.
	model, links := take(n)[:0], take(m)[:0]
	uses, single := take(len(b.sections)), take(len(b.sections))
	seen := take(size)
	for i := range b.agents {
		a := &b.agents[i]
		if a.next == 0 {
			slot := &single[a.group]
			if *slot == 0 {
				model = append(model, a.group)
				*slot = uint32(len(model))
				uses[a.group]++
			}
			a.group = *slot - 1
			continue
		}
		l := of(a.next - 1)
		if counting {
			count(len(l))
		}
		hash := tokenSeed
		for _, sec := range l {
			hi, lo := bits.Mul64(hash^uint64(sec), hashMul)
			hash = hi ^ lo
		}
		slot := &seen[hash%uint64(size)]
		for *slot != 0 && !slices.Equal(l, of(^model[*slot-1])) {
			if counting {
				count(1)
			}
			hash++
			slot = &seen[hash%uint64(size)]
		}
		if *slot == 0 {
			model, links = append(model, ^(a.next-1)), append(links, l...)
			*slot = uint32(len(model))
			for _, sec := range l {
				uses[sec]++
			}
		}
		a.group = *slot - 1
	}

	// A section that several groups have is asked through a group of its own,
	// so that what is prepared for it is prepared once. If no group has just
	// that section, a hidden one is added.
	hidden := 0
	for sec, u := range uses {
		if u > 1 {
			if single[sec] == 0 {
				hidden++
				single[sec] = uint32(len(model) + hidden)
			}
			b.sections[sec].part = single[sec]
		}
	}
	f := newFile(len(model) + hidden)
	f.visible = uint32(len(model))
	b.links = links
	link := uint32(0)
	for g, i := range model {
		f.groups[g].first, f.groups[g].count = i, 1
		if ^i < several {
			f.groups[g].first, f.groups[g].count = link, uint32(len(of(^i)))
			link += f.groups[g].count
		}
	}
	for sec := range b.sections {
		if p := b.sections[sec].part; int(p) > len(model) {
			g := &f.groups[p-1]
			g.file, g.first, g.count = f, uint32(sec), 1
		}
	}
	return f
}
