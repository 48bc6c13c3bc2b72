package robots

import (
	"math/bits"
	"slices"
	"sync"
)

// A mention says that a section names an agent that an earlier one names too.
type mention struct{ agent, section uint32 }

// fewAgents is the number of agents up to which the agents of a file are searched
// one after the other. Beyond it they have a hash table.
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

	// A run of User-agent lines is open until the first rule, and only a rule
	// closes it: other records and blank lines do not count (R6, R27, G34).
	open  bool
	named bool // whether it has named anybody
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
	b.agents, b.hashes = b.agents[:0], b.hashes[:0]
	b.sections, b.mentions = b.sections[:0], b.mentions[:0]
	b.open, b.named = false, false

	s := newScanner(b.text, len(b.text)-look, b.dialect)
	rules := b.rules[:0]
	for {
		n := len(rules)
		if rules = plainLines(&s, rules); len(rules) > n {
			b.open = false
			if !b.named { // R5: they belong to nobody
				rules = rules[:n]
			}
		}
		if s.pos >= s.end {
			break
		}
		if b.plainAgents(&s, len(rules)) {
			continue
		}
		switch k := s.readField(); k {
		case kindAllow, kindDisallow:
			b.open = false
			if b.named {
				size := uint32(s.valTo-s.val) << 1
				if k == kindAllow {
					size |= 1
				}
				rules = append(rules, rule{uint32(s.val), size})
			}
		case kindUserAgent:
			b.openSection(s.start, len(rules))
			if n := fileToken(s.text[s.val:s.valTo], b.dialect); n > 0 {
				b.name(uint32(s.val), uint32(n))
			}
		case kindCrawlDelay:
			if n := len(b.sections); n > 0 && b.sections[n-1].delay == 0 {
				if _, ok := crawlDelay(s.text[s.val:s.valTo]); ok {
					b.sections[n-1].delay = uint32(s.start)
				}
			}
		}
	}
	b.rules = rules
}

// openSection notes that there is a User-agent line at an offset, behind so many
// rules.
func (b *builder) openSection(off, rules int) {
	if !b.open {
		b.sections = append(b.sections, section{off: uint32(off), rules: uint32(rules)})
		b.open, b.named = true, false
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
	b.named = true
	token := b.text[off : off+size]
	hash := tokenHash(token)
	sec := uint32(len(b.sections) - 1)
	if i := findAgent(b.text, b.agents, b.hashes, token, hash); i >= 0 {
		if a := &b.agents[i]; a.next != sec {
			a.next = sec
			b.mentions = append(b.mentions, mention{uint32(i), sec})
		}
		return
	}
	b.agents = append(b.agents, agent{off, size, hash, sec, sec})
	switch n := len(b.agents); {
	case n <= fewAgents:
		return
	case n*2 > len(b.hashes):
		size := max(4*fewAgents, 2*len(b.hashes))
		b.hashes = slices.Grow(b.hashes[:0], size)[:size]
		b.rehash()
	default:
		insert(b.hashes, hash, uint32(n))
	}
}

func (b *builder) rehash() {
	if counting {
		count(len(b.hashes) + len(b.agents))
	}
	clear(b.hashes)
	for i, a := range b.agents {
		insert(b.hashes, a.hash, uint32(i+1))
	}
}

func insert(hashes []uint32, hash, n uint32) {
	mask := uint32(len(hashes) - 1)
	i := hash & mask
	for hashes[i] != 0 {
		i = (i + 1) & mask
	}
	hashes[i] = n
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
	n := len(b.agents)
	// No more agents than mentions are in several sections: seen has place for
	// twice as many.
	size := 1 << bits.Len(uint(min(n, len(b.mentions)))*2)
	b.scratch = slices.Grow(b.scratch[:0], 5*n+2*len(b.mentions)+2*len(b.sections)+size+1)
	take := func(n int) []uint32 {
		s := b.scratch[len(b.scratch):][:n:n]
		b.scratch = b.scratch[:len(b.scratch)+n]
		clear(s)
		return s
	}
	// The sections of agent i, in file order, are list[start[i]:start[i+1]].
	start, next := take(n+1), take(n)
	for i := range b.agents {
		start[i+1] = 1
	}
	for _, m := range b.mentions {
		start[m.agent+1]++
	}
	for i := range b.agents {
		start[i+1] += start[i]
	}
	list := take(n + len(b.mentions))
	for i, a := range b.agents {
		list[start[i]] = a.group
		next[i] = start[i] + 1
	}
	for _, m := range b.mentions {
		list[next[m.agent]] = m.section
		next[m.agent]++
	}

	// Agents with the same list have one group. model has an agent of each
	// group, and uses says how many groups have each section. The group of the
	// agents with just one section is found by that, in single, and that of the
	// others by a hash of their list, in seen: 1 + its number.
	model, links := take(n)[:0], take(n + len(b.mentions))[:0]
	uses, single := take(len(b.sections)), take(len(b.sections))
	seen := take(size)
	for i := range b.agents {
		l := list[start[i]:start[i+1]]
		slot := &single[l[0]]
		if len(l) > 1 {
			if counting {
				count(len(l))
			}
			hash := tokenSeed
			for _, sec := range l {
				hi, lo := bits.Mul64(hash^uint64(sec), hashMul)
				hash = hi ^ lo
			}
			for h := hash; ; h++ {
				slot = &seen[h%uint64(size)]
				if *slot == 0 || slices.Equal(l, list[start[model[*slot-1]]:start[model[*slot-1]+1]]) {
					break
				}
				if counting {
					count(1)
				}
			}
		}
		if *slot == 0 {
			model = append(model, uint32(i))
			*slot = uint32(len(model))
			if len(l) > 1 {
				links = append(links, l...)
			}
			for _, sec := range l {
				uses[sec]++
			}
		}
		b.agents[i].group = *slot - 1
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
		l := list[start[i]:start[i+1]]
		f.groups[g].count = uint32(len(l))
		f.groups[g].first = l[0]
		if len(l) > 1 {
			f.groups[g].first = link
			link += uint32(len(l))
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
