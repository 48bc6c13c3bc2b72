package robots

import (
	"hash/maphash"
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Group is what one crawler obeys: the rules of all the places in the file
// that name it, merged (RFC 9309 section 2.2.1), and the other records that
// stand there. [File.Group] gives the one for an agent.
//
// A Group is immutable and safe for concurrent use. The zero Group has no
// rules and allows everything.
type Group struct {
	file  *File
	agent uint32 // its first agent
	first uint32 // where its sections start in file.links
	count uint32 // how many there are

	// A group is scanned while it is small or has been asked little; then an
	// index is built, once (see index.go).
	asked atomic.Uint32
	index atomic.Pointer[index]
}

// A rule is an Allow or Disallow line. Its pattern is in the text of the file.
type rule struct {
	off  uint32
	size uint32 // length of the pattern << 1 | 1 if it is an Allow
	line uint32
}

func (r rule) allow() bool { return r.size&1 != 0 }
func (r rule) len() int    { return int(r.size >> 1) }

// An agent is a product token of the file: however many lines name it in
// however many spellings, there is one.
type agent struct {
	off, size uint32 // the token as it was first written
	hash      uint32 // of the token, letter case aside
	group     uint32 // its group; while the file is read, its first section
	next      uint32 // the next agent of that group, or 0
}

// A section is a run of User-agent lines and what follows up to the next run:
// what RFC 9309 section 2.1 calls a group, before those of one agent merge.
// It ends where the next section starts.
type section struct {
	off   uint32 // of its first User-agent line
	line  uint32
	rules uint32 // the first of its rules
	delay uint32 // offset of its first valid Crawl-delay line, or 0
	part  uint32 // 1 + the number of the group that stands for it alone, if several groups have it
}

// A mention says that a section names an agent that an earlier one names too.
type mention struct{ agent, section uint32 }

// few is the number of agents up to which the agents of a file are searched
// one after the other. Beyond it they have a hash table.
const few = 8

// A builder gathers the parts of a file while it is read. Builders are used
// again and again, so that a File is made of a few allocations of just the
// size it needs.
type builder struct {
	rules    []rule
	agents   []agent
	last     []uint32 // the last section that names each agent
	sections []section
	mentions []mention
	table    []uint32 // hash table: 1 + number of an agent, or 0
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// build parses a padded text.
func (p Parser) build(text string, truncated bool) *File {
	f := &File{text: text, truncated: truncated, global: -1}
	if p.Dialect == Google {
		f.dialect = Google
	}
	b := builders.Get().(*builder)
	b.read(f)
	b.finish(f)
	// What a huge file needed is not kept for the small ones.
	if cap(b.rules) <= 1<<12 && cap(b.agents) <= 1<<10 {
		builders.Put(b)
	}
	return f
}

// read gathers the rules, the agents and the sections.
func (b *builder) read(f *File) {
	b.rules, b.agents, b.last = b.rules[:0], b.agents[:0], b.last[:0]
	b.sections, b.mentions, b.table = b.sections[:0], b.mentions[:0], b.table[:0]

	// A run of User-agent lines is open until the first rule, and only a rule
	// closes it: other records and blank lines do not count (R6, R27, G34).
	open, named := false, false
	s := newScanner(f.text, f.dialect)
	for {
		switch k := s.next(); k {
		case kindEnd:
			return
		case kindUserAgent:
			if !open {
				b.sections = append(b.sections, section{
					off:   uint32(s.start),
					line:  uint32(s.line),
					rules: uint32(len(b.rules)),
				})
				open, named = true, false
			}
			if n := fileToken(f.text[s.val:s.valTo], f.dialect); n > 0 {
				b.name(f, s.val, n)
				named = true
			}
		case kindAllow, kindDisallow:
			open = false
			if !named {
				continue // R5: a rule that belongs to nobody
			}
			size := uint32(s.valTo-s.val) << 1
			if k == kindAllow {
				size |= 1
			}
			b.rules = append(b.rules, rule{uint32(s.val), size, uint32(s.line)})
		case kindCrawlDelay:
			if n := len(b.sections); n > 0 && b.sections[n-1].delay == 0 {
				if _, ok := crawlDelay(f.text[s.val:s.valTo]); ok {
					b.sections[n-1].delay = uint32(s.start)
				}
			}
		}
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
func (b *builder) name(f *File, off, size int) {
	token := f.text[off : off+size]
	hash := tokenHash(token)
	sec := uint32(len(b.sections) - 1)
	if i := findAgent(f.text, b.agents, b.table, token, hash); i >= 0 {
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

// findAgent returns the number of the agent with that token, or -1.
func findAgent(text string, agents []agent, table []uint32, token string, hash uint32) int {
	if len(table) == 0 {
		for i := range agents {
			if agents[i].hash == hash && agents[i].is(text, token) {
				return i
			}
		}
		return -1
	}
	mask := uint32(len(table) - 1)
	for i := hash & mask; table[i] != 0; i = (i + 1) & mask {
		n := table[i] - 1
		if agents[n].hash == hash && agents[n].is(text, token) {
			return int(n)
		}
	}
	return -1
}

func (a *agent) is(text, token string) bool {
	return int(a.size) == len(token) && equalFold(text[a.off:a.off+a.size], token)
}

func (a *agent) token(text string) string { return text[a.off : a.off+a.size] }

// tokenSeed is drawn for each process, so that nobody can write a file whose
// tokens all fall in one place of the hash table.
var tokenSeed = rand.Uint64()

// tokenHash returns a hash of a token that is the same for upper and lower
// case. Setting one bit of each octet is enough for that: it maps no two other
// octets of tokens to one.
func tokenHash(s string) uint32 {
	const mul = 0x9E3779B97F4A7C15
	h := tokenSeed ^ uint64(len(s))*mul
	for len(s) >= 8 {
		hi, lo := bits.Mul64(h^(load64(s, 0)|fold), mul)
		h = hi ^ lo
		s = s[8:]
	}
	var w uint64
	for i := 0; i < len(s); i++ {
		w = w<<8 | uint64(s[i])
	}
	hi, lo := bits.Mul64(h^(w|fold), mul)
	h = hi ^ lo
	return uint32(h ^ h>>32)
}

// finish merges the sections into groups and moves everything to the file.
func (b *builder) finish(f *File) {
	if len(b.agents) == 0 {
		return
	}
	if len(b.mentions) == 0 {
		b.separate(f)
	} else {
		b.merge(f)
	}
	f.rules = slices.Clone(b.rules)
	f.sections = slices.Clone(b.sections)
	f.agents = slices.Clone(b.agents)
	f.table = slices.Clone(b.table)
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
	n = 0
	for i := range b.agents {
		a := &b.agents[i]
		sec := a.group
		if i > 0 && f.groups[n].first != sec {
			n++
		}
		f.groups[n].first, f.groups[n].count = sec, 1
		a.group = uint32(n)
	}
}

// merge makes one group of all agents that are named in just the same
// sections. A rule stands once in the file's memory however many agents and
// groups it belongs to.
func (b *builder) merge(f *File) {
	// The sections of agent i, in file order, are list[start[i]:start[i+1]].
	start := make([]uint32, len(b.agents)+1)
	for i := range b.agents {
		start[i+1] = 1
	}
	for _, m := range b.mentions {
		start[m.agent+1]++
	}
	for i := range b.agents {
		start[i+1] += start[i]
	}
	list := make([]uint32, start[len(b.agents)])
	next := slices.Clone(start)
	for i, a := range b.agents {
		list[next[i]] = a.group
		next[i]++
	}
	for _, m := range b.mentions {
		list[next[m.agent]] = m.section
		next[m.agent]++
	}

	var groups []Group
	var model []int // for each group, an agent that has its sections
	seen := make(map[uint64]uint32)
	var hash maphash.Hash
	var word [4]byte
	uses := make([]uint32, len(b.sections)) // how many groups have each section
	for i := range b.agents {
		l := list[start[i]:start[i+1]]
		hash.Reset()
		for _, sec := range l {
			word = [4]byte{byte(sec), byte(sec >> 8), byte(sec >> 16), byte(sec >> 24)}
			hash.Write(word[:])
		}
		g, ok := seen[hash.Sum64()]
		if !ok || !slices.Equal(l, list[start[model[g]]:start[model[g]+1]]) {
			g = uint32(len(model))
			seen[hash.Sum64()] = g
			model = append(model, i)
			for _, sec := range l {
				uses[sec]++
			}
		}
		b.agents[i].group = g
	}

	// A section that several groups have is asked through a group of its own,
	// so that what is prepared for it is prepared once. If no group has just
	// that section, a hidden one is added.
	n := len(model)
	for _, i := range model {
		if start[i+1]-start[i] == 1 {
			if sec := list[start[i]]; uses[sec] > 1 {
				b.sections[sec].part = b.agents[i].group + 1
			}
		}
	}
	for sec, u := range uses {
		if u > 1 && b.sections[sec].part == 0 {
			n++
			b.sections[sec].part = uint32(n)
		}
	}
	groups = make([]Group, n)
	for g, i := range model {
		l := list[start[i]:start[i+1]]
		groups[g].count = uint32(len(l))
		groups[g].first = l[0]
		if len(l) > 1 {
			groups[g].first = uint32(len(f.links))
			f.links = append(f.links, l...)
		}
	}
	for sec := range b.sections {
		if p := b.sections[sec].part; int(p) > len(model) {
			groups[p-1].file, groups[p-1].first, groups[p-1].count = f, uint32(sec), 1
		}
	}
	f.links = slices.Clip(slices.Clone(f.links))
	f.groups, f.visible = groups, len(model)
}

// section returns the section of g that is i-th in the file, and where it and
// its rules end.
func (g *Group) section(i uint32) (s *section, end int, rules []rule) {
	f := g.file
	n := g.first
	if g.count > 1 {
		n = f.links[g.first+i]
	}
	s = &f.sections[n]
	if int(n)+1 < len(f.sections) {
		next := &f.sections[n+1]
		return s, int(next.off), f.rules[s.rules:next.rules]
	}
	return s, len(f.text) - pad, f.rules[s.rules:]
}

// Agents returns the product tokens that name the group, "*" among them, in
// the order and the spelling in which the file has them first.
func (g *Group) Agents() iter.Seq[string] {
	return func(yield func(string) bool) {
		if g.file == nil {
			return
		}
		for i := g.agent; ; {
			a := &g.file.agents[i]
			if !yield(a.token(g.file.text)) || a.next == 0 {
				return
			}
			i = a.next
		}
	}
}

// Rules returns the rules of the group in file order, those without a path
// included (they decide nothing; see RFC 9309 section 2.2.2).
func (g *Group) Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for i := range g.count {
			_, _, rules := g.section(i)
			for _, r := range rules {
				if !yield(g.file.rule(r)) {
					return
				}
			}
		}
	}
}

// Records returns the records of the group that are neither User-agent, Allow,
// Disallow nor Sitemap, in file order: Crawl-delay, Request-rate,
// Content-Signal and whatever else its author wrote there. They have no say in
// what is allowed (RFC 9309 section 2.2.4).
func (g *Group) Records() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for i := range g.count {
			sec, end, _ := g.section(i)
			s := g.file.scanner(sec, end)
			for k := s.next(); k != kindEnd; k = s.next() {
				if (k == kindCrawlDelay || k == kindOther) && !yield(s.record()) {
					return
				}
			}
		}
	}
}

// CrawlDelay returns the pause that the group asks for between two fetches,
// from the first of its Crawl-delay records that is a number of seconds
// ("10", "0.5"). ok is false if there is none: negative numbers, numbers too
// large for a Duration (292 years), "inf" and words are no delay. A delay of
// zero is one (ok is true). There is no upper bound: a caller sets its own.
//
// The record is not part of RFC 9309. Some crawlers ignore it and some cap it;
// see [Crawler].
func (g *Group) CrawlDelay() (d time.Duration, ok bool) {
	for i := range g.count {
		sec, end, _ := g.section(i)
		if sec.delay == 0 {
			continue
		}
		s := scanner{text: g.file.text, pos: int(sec.delay), end: end, hasCR: true, dialect: g.file.dialect}
		s.next()
		return crawlDelay(s.text[s.val:s.valTo])
	}
	return 0, false
}

// scanner returns a scanner of the section that ends at the offset end.
func (f *File) scanner(sec *section, end int) scanner {
	return scanner{
		text:    f.text,
		pos:     int(sec.off),
		end:     end,
		line:    int(sec.line) - 1,
		hasCR:   true,
		dialect: f.dialect,
	}
}

// record returns the record that next found.
func (s *scanner) record() Record {
	return Record{s.line, s.text[s.key:s.keyTo], s.text[s.val:s.valTo]}
}
