package robots

import (
	"cmp"
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
	b := builders.Get().(*builder)
	b.text, b.dialect = text, RFC9309
	if p.Dialect == Google {
		b.dialect = Google
	}
	b.read()
	f := b.file()
	f.truncated = truncated
	b.text = ""
	// What a huge file needed is not kept for the small ones.
	if cap(b.rules) <= 1<<12 && cap(b.agents) <= 1<<10 {
		builders.Put(b)
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
	for k := kindEnd; s.pos < s.end; {
		if k = kindEnd; plain {
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
				s.pos = int(nextLine(s.text, lineEnd(s.text, uint32(s.pos))))
				s.line++
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
		} else if f == wordUserAge && t[start+4] == '-' && t[start+10] == ':' &&
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
		if counting {
			count(1)
		}
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

const hashMul = 0x9E3779B97F4A7C15

// tokenHash returns a hash of a token that is the same for upper and lower
// case. Setting one bit of each octet is enough for that: it maps no two other
// octets of tokens to one.
func tokenHash(s string) uint32 {
	h := tokenSeed ^ uint64(len(s))*hashMul
	for len(s) >= 8 {
		hi, lo := bits.Mul64(h^(load64(s, 0)|fold), hashMul)
		h = hi ^ lo
		s = s[8:]
	}
	var w uint64
	for i := 0; i < len(s); i++ {
		w = w<<8 | uint64(s[i])
	}
	hi, lo := bits.Mul64(h^(w|fold), hashMul)
	h = hi ^ lo
	return uint32(h ^ h>>32)
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
	case len(b.mentions) == 0:
		f = new(File)
		b.separate(f)
		f.sections = slices.Clone(b.sections)
		f.agents = slices.Clone(b.agents)
		f.table = slices.Clone(b.table)
	default:
		f = new(File)
		b.merge(f)
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
	b.scratch = slices.Grow(b.scratch[:0], 4*n+len(b.mentions)+2*len(b.sections)+1)
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
	// agents with just one section is found by that, in single: 1 + its number.
	model := take(n)[:0]
	uses, single := take(len(b.sections)), take(len(b.sections))
	seen := make(map[uint64]uint32)
	for i := range b.agents {
		l := list[start[i]:start[i+1]]
		var g uint32
		var ok bool
		var hash uint64
		if len(l) == 1 {
			g, ok = single[l[0]]-1, single[l[0]] != 0
		} else {
			hash = tokenSeed
			for _, sec := range l {
				hi, lo := bits.Mul64(hash^uint64(sec), hashMul)
				hash = hi ^ lo
			}
			g, ok = seen[hash]
			ok = ok && slices.Equal(l, list[start[model[g]]:start[model[g]+1]])
		}
		if !ok {
			g = uint32(len(model))
			model = append(model, uint32(i))
			if len(l) == 1 {
				single[l[0]] = g + 1
			} else {
				seen[hash] = g
				f.links = append(f.links, l...)
			}
			for _, sec := range l {
				uses[sec]++
			}
		}
		b.agents[i].group = g
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
	f.links = slices.Clone(f.links)
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

// tokenOf returns the product token that an agent argument means.
func tokenOf(agent string) string {
	if agent == "*" || isToken(agent) {
		return agent
	}
	return ProductToken(agent)
}

// find returns the group of a token, and the token as the file spells it.
func (f *File) find(token string) (*Group, string) {
	if len(f.agents) == 0 {
		return nil, ""
	}
	i := findAgent(f.text, f.agents, f.table, token, tokenHash(token))
	if i < 0 {
		return nil, ""
	}
	a := &f.agents[i]
	return &f.groups[a.group], a.token(f.text)
}

// hasGlobal reports whether the file has a group for "*".
func (f *File) hasGlobal() bool { return len(f.agents) > 0 && f.global >= 0 }

// choose returns the group that an agent obeys, and the token that names it. If
// there is none the reason says why.
func (f *File) choose(agent string) (g *Group, token string, r Reason) {
	for name := agent; ; {
		k := lookupCrawler(name)
		if k != nil && k.ignoresRobots {
			return nil, "", ReasonCrawler
		}
		if g, token := f.find(name); g != nil { // R9, R10
			return g, token, 0
		}
		if k == nil {
			// A bare token is tried as it is. Only what is known by no name
			// can be a header.
			if bare := tokenOf(name); bare != name {
				name = bare
				continue
			}
			break
		}
		for _, name := range k.fallback {
			if g, token := f.find(name); g != nil {
				return g, token, 0
			}
		}
		if k.ignoresGlobal {
			return nil, "", ReasonNoGroup
		}
		break
	}
	if f.hasGlobal() { // R11
		return &f.groups[f.global], "*", 0
	}
	return nil, "", ReasonNoGroup // R12
}

// Allowed reports whether the group lets its agents fetch a URL:
// Explain(url).Allowed. The URL is that of [File.Allowed].
func (g *Group) Allowed(url string) bool { return g.file == nil || g.allows(g.ask(url)) }

// Explain tells whether the group lets its agents fetch a URL, and why. The
// Agent of the Decision is the first that names the group.
func (g *Group) Explain(url string) Decision {
	if g.file == nil {
		return Decision{Allowed: true, Reason: ReasonNoGroup}
	}
	return g.explain(url, g.file.agents[g.agent].token(g.file.text))
}

// explain is Explain for a group of a file, on behalf of an agent.
func (g *Group) explain(url, token string) Decision {
	d := Decision{Allowed: true, Reason: ReasonNoRule, Agent: token}
	v := g.ask(url)
	d.Allowed = g.allows(v)
	switch v.rule {
	case noRule:
	case robotsTxt:
		d.Reason = ReasonRobotsTxt
	default:
		d.Reason = ReasonRule
		d.Rule = g.file.rule(g.file.rules[v.rule])
	}
	return d
}

// allows reports what a verdict comes to.
func (g *Group) allows(v verdict) bool {
	// To Google's matcher a rule without a path matches, but allows.
	return v.key&1 != 0 || v.rule == noRule || g.file.dialect == Google && v.key == 0
}

// rule returns a rule as it is handed out.
func (f *File) rule(r rule) Rule {
	return Rule{int(r.line), r.allow(), f.text[r.off:][:r.len()]}
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

// Matches returns the rules of the group that match a URL, each with its
// specificity in octets, in the order in which they would decide: by
// specificity, an Allow before a Disallow, and by line (RFC 9309 section
// 2.2.2). The first is the Rule of Explain(url). Only for /robots.txt, which is
// always allowed in the [RFC9309] dialect, none decides, whatever matches.
//
// The URL is that of [File.Allowed]. Specificity is the length of the pattern
// as it is compared: in normal form, and in [RFC9309] without the stars at its
// end. The time is linear in the lengths of the rules and, for each, of the URL;
// [Group.Explain] is much faster.
func (g *Group) Matches(url string) iter.Seq2[Rule, int] {
	return func(yield func(Rule, int) bool) {
		for _, v := range g.matches(url) {
			if !yield(g.file.rule(g.file.rules[v.rule]), int(v.key>>1)) {
				return
			}
		}
	}
}

// matches returns what each rule that matches url makes of it, best first.
func (g *Group) matches(url string) (vs []verdict) {
	if g.count == 0 {
		return nil
	}
	f := g.file
	var pb pathBuffer
	defer pb.release()
	path := pb.path(pathOf(url), f.dialect)
	for i := range g.count {
		s, _, rules := g.section(i)
		for j := range rules {
			if v := f.weigh(s.rules+uint32(j), path, undecided); v.rule != noRule {
				vs = append(vs, v)
			}
		}
	}
	slices.SortFunc(vs, func(v, w verdict) int {
		return cmp.Or(cmp.Compare(w.key, v.key), cmp.Compare(v.rule, w.rule))
	})
	return vs
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
		s := scanner{text: g.file.text, pos: int(sec.delay), end: end, dialect: g.file.dialect}
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
		dialect: f.dialect,
	}
}

// record returns the record that next found.
func (s *scanner) record() Record {
	return Record{s.line, s.text[s.key:s.keyTo], s.text[s.val:s.valTo]}
}
