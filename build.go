package robots

import (
	"math/bits"
	"slices"
	"sync"
)

// A mention says that a section names an agent that an earlier one names too.
type mention struct{ agent, section uint32 }

// few is the number of agents up to which the agents of a file are searched
// one after the other. Beyond it they have a hash table.
const few = 8

// A builder gathers the parts of a file while it is read. Builders are used
// again and again, so that a File is made of a few allocations of just the
// size it needs.
type builder struct {
	text     string
	dialect  Dialect
	rules    []rule
	agents   []agent
	last     []uint32 // the last section that names each agent
	sections []section
	mentions []mention
	table    []uint32 // hash table: 1 + number of an agent, or 0
	scratch  []uint32 // for merge
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// build parses a padded text.
func (p Parser) build(text string, truncated bool) *File {
	pooled := builders.Get().(*builder)
	// On the stack the garbage collector does not want to know of every change.
	b := *pooled
	b.text, b.dialect = text, RFC9309
	if p.Dialect == Google {
		b.dialect = Google
	}
	b.read()
	f := b.file()
	f.truncated = truncated
	// What a huge file needed is not kept for the small ones.
	if len(text) <= 8*MaxBytes {
		b.text = ""
		*pooled = b
		builders.Put(pooled)
	}
	return f
}

// read gathers the rules, the agents and the sections.
func (b *builder) read() {
	b.agents, b.last, b.table = b.agents[:0], b.last[:0], b.table[:0]
	b.sections, b.mentions, b.rules = b.sections[:0], b.mentions[:0], b.rules[:0]

	// A run of User-agent lines is open until the first rule, and only a rule
	// closes it: other records and blank lines do not count (R6, R27, G34).
	open, named := false, false
	s := newScanner(b.text, b.dialect)
	// Only in a longer text may a line have to be cut.
	plain := b.dialect != Google || s.end <= googleLine
	for s.pos < s.end {
		k := kindEnd
		if plain {
			n := len(b.rules)
			k = b.plainLines(&s)
			if len(b.rules) > n {
				open = false
				if !named { // R5: they belong to nobody
					b.rules = b.rules[:n]
				}
			}
		}
		if k == kindEnd {
			// Of Sitemap records nothing is kept, so they need not be read.
			s.skip()
			if load64(s.text, s.pos)|fold == wordSitemap && s.text[s.pos+7] == ':' {
				from := s.pos
				s.pos = int(nextLine(s.text, lineEnd(s.text, uint32(s.pos))))
				s.line++
				if counting {
					count(s.pos - from)
				}
				continue
			}
			if s.pos < s.end {
				k = s.readLine()
			}
		}
		switch k {
		case kindAllow, kindDisallow:
			open = false
			if named {
				size := uint32(s.valTo-s.val) << 1
				if k == kindAllow {
					size |= 1
				}
				b.rules = append(b.rules, rule{uint32(s.val), size, uint32(s.line)})
			}
		case kindUserAgent:
			if !open {
				b.sections = append(b.sections, section{
					off:   uint32(s.start),
					line:  uint32(s.line),
					rules: uint32(len(b.rules)),
				})
				open, named = true, false
			}
			if n := fileToken(s.text[s.val:s.valTo], b.dialect); n > 0 {
				b.name(s.val, n)
				named = true
			}
		case kindCrawlDelay:
			if n := len(b.sections); n > 0 && b.sections[n-1].delay == 0 {
				if _, ok := crawlDelay(s.text[s.val:s.valTo]); ok {
					b.sections[n-1].delay = uint32(s.start)
				}
			}
		}
	}
}

// plainLines reads lines as long as they are empty or plain rules: with nothing
// but the name, a colon, a space or not, and the pattern. If a plain User-agent
// line comes next it reads that too, and returns its kind.
//
// Nearly all lines of real files are such, and to read them apart, eight octets
// at a time and with all that is at hand in registers, makes parsing twice as
// fast. The scanner would read them just the same.
func (b *builder) plainLines(s *scanner) kind {
	// There is no call in the loop, so that nothing has to leave the registers:
	// not even to append, for which there is room for so many rules.
	n := len(b.rules)
	b.rules = slices.Grow(b.rules, 64)
	rules := b.rules[:cap(b.rules)]
	t := s.text
	start, line := uint32(s.pos), uint32(s.line)
	k := kindEnd
	for n < len(rules) {
		w := load64(t, start)
		var v, allow uint32
		// Setting the bit of lower case maps other octets to letters too, but
		// none to these, and some to '-' and ':', which are compared as they
		// are.
		if f := w | fold; f == wordDisallow && t[start+8] == ':' {
			v = start + 9
		} else if f&(1<<40-1) == wordAllow && t[start+5] == ':' {
			v, allow = start+6, 1
		} else if f == wordUserAge && t[start+4] == '-' &&
			load64(t, start+8)&0xFFFFFF|0x2020 == wordNT {
			v, k = start+11, kindUserAgent
		} else if w&0xFF == '\n' && start < uint32(s.end) {
			start++
			line++
			continue
		} else {
			break
		}
		if t[v] == ' ' {
			v++
		}
		// The value ends at the first octet under '$' in the order of ASCII.
		// Line ends are there, white space and '#'; of what else patterns are
		// made of only '!' and '"' are. Octets from 0xA4 on are taken for ends
		// too. Lines with such go the long way.
		p := v
		for {
			if m := (load64(t, p) - each*'$') & high; m != 0 {
				p += uint32(bits.TrailingZeros64(m) >> 3)
				break
			}
			p += 8
		}
		next := p + 1
		if c := t[p]; c == '\r' {
			if t[next] == '\n' {
				next++
			}
		} else if c != '\n' {
			k = kindEnd
			if counting {
				count(int(p - start))
			}
			break
		}
		line++
		if k != kindEnd {
			s.start, s.val, s.valTo = int(start), int(v), int(p)
			start = next
			break
		}
		rules[n] = rule{v, (p-v)<<1 | allow, line}
		n++
		start = next
	}
	if counting {
		count(1 + int(start) - s.pos)
	}
	b.rules = rules[:n]
	s.pos, s.line = int(start), int(line)
	return k
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
	set := byte(classToken)
	if d == Google {
		set = classGoogleToken // S8
	}
	n := 0
	for n < len(value) && class[value[n]]&set != 0 {
		n++
	}
	return n
}

// name notes that the last section names the agent text[off:off+size].
func (b *builder) name(off, size int) {
	token := b.text[off : off+size]
	hash := tokenHash(token)
	sec := uint32(len(b.sections) - 1)
	if i := findAgent(b.text, b.agents, b.table, token, hash); i >= 0 {
		if b.last[i] != sec {
			b.last[i] = sec
			b.mentions = append(b.mentions, mention{uint32(i), sec})
		}
		return
	}
	b.agents = append(b.agents, agent{off: uint32(off), size: uint32(size), hash: hash, group: sec})
	b.last = append(b.last, sec)
	switch n := len(b.agents); {
	case n <= few:
		return
	case n*4 > len(b.table)*3:
		size := max(4*few, 2*len(b.table))
		b.table = slices.Grow(b.table[:0], size)[:size]
		b.rehash()
	default:
		insert(b.table, hash, uint32(n))
	}
}

func (b *builder) rehash() {
	if counting {
		count(len(b.table) + len(b.agents))
	}
	clear(b.table)
	for i, a := range b.agents {
		insert(b.table, a.hash, uint32(i+1))
	}
}

func insert(table []uint32, hash, n uint32) {
	mask := uint32(len(table) - 1)
	i := hash & mask
	for table[i] != 0 {
		i = (i + 1) & mask
	}
	table[i] = n
}

// A smallFile is a File with room for the one agent in one section that three
// in five real files have. It is one allocation instead of four.
type smallFile struct {
	File
	agents   [1]agent
	sections [1]section
	groups   [1]Group
}

// file makes a File of what was read: it merges the sections into groups.
func (b *builder) file() *File {
	var f *File
	switch {
	case len(b.agents) == 0:
		return &File{text: b.text, dialect: b.dialect, global: -1}
	case len(b.agents) == 1 && len(b.sections) == 1:
		o := new(smallFile)
		o.agents[0], o.sections[0] = b.agents[0], b.sections[0]
		f = &o.File
		f.agents, f.sections, f.groups = o.agents[:], o.sections[:], o.groups[:]
		f.groups[0].count, f.visible = 1, 1
	default:
		f = new(File)
		if len(b.mentions) == 0 {
			b.separate(f)
		} else {
			b.merge(f)
		}
		f.sections = slices.Clone(b.sections)
		f.agents = slices.Clone(b.agents)
		f.table = slices.Clone(b.table)
	}
	f.text, f.dialect, f.global = b.text, b.dialect, -1
	f.rules = slices.Clone(b.rules)
	// Chain the agents of each group in the order of the file.
	for i := len(f.agents) - 1; i >= 0; i-- {
		a := &f.agents[i]
		g := &f.groups[a.group]
		if g.file == nil {
			g.file = f
		} else {
			a.next = g.agent
		}
		g.agent = uint32(i)
		if f.text[a.off] == '*' {
			f.global = int32(a.group)
		}
	}
	return f
}

// separate makes a group of each section that names an agent: the case of
// nearly all files, in which no agent is named in two places.
func (b *builder) separate(f *File) {
	n := 1
	for i := 1; i < len(b.agents); i++ {
		if b.agents[i].group != b.agents[i-1].group {
			n++
		}
	}
	f.groups = make([]Group, n)
	f.visible = n
	n = -1
	for i := range b.agents {
		a := &b.agents[i]
		if n < 0 || f.groups[n].first != a.group {
			n++
			f.groups[n].first, f.groups[n].count = a.group, 1
		}
		a.group = uint32(n)
	}
}

// merge makes one group of all agents that are named in just the same
// sections. A rule stands once in the file's memory however many agents and
// groups it belongs to.
func (b *builder) merge(f *File) {
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
	f.groups, f.visible = make([]Group, len(model)+hidden), len(model)
	f.links = slices.Clone(links)
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
}
