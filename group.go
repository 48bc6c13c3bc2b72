package robots

import (
	"cmp"
	"iter"
	"math/bits"
	"math/rand/v2"
	"slices"
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
	first uint32 // its section or, if there are several, where they start in file.links()
	count uint32 // how many there are

	// A group is scanned while it is small or has been asked little; then an
	// index is made, once (see Group.prepare).
	asked atomic.Uint32
	index atomic.Pointer[index]
}

// A rule is an Allow or Disallow line. Its pattern is in the text of the file.
type rule struct {
	off  uint32
	size uint32 // length of the pattern << 1 | 1 if it is an Allow
}

func (r rule) allow() bool { return r.size&1 != 0 }
func (r rule) len() int    { return int(r.size >> 1) }

// An agent is a product token of the file: however many lines name it in
// however many spellings, there is one.
type agent struct {
	off, size uint32 // the token as it was first written
	hash      uint32 // of the token, letter case aside
	group     uint32 // its group; while the file is read, the first section that names it
	next      uint32 // the next agent of that group, or 0; while the file is read, the last such section
}

// A section is a run of User-agent lines and what follows up to the next run:
// what RFC 9309 section 2.1 calls a group, before those of one agent merge.
// It ends where the next section starts.
type section struct {
	off   uint32 // of its first User-agent line
	rules uint32 // the first of its rules
	delay uint32 // offset of its first valid Crawl-delay line, or 0
	part  uint32 // 1 + the number of the group that stands for it alone, if several groups have it
}

// tokenOf returns the product token that an agent argument means.
func tokenOf(agent string) string {
	if agent == "*" || isToken(agent) {
		return agent
	}
	return ProductToken(agent)
}

// findAgent returns the number of the agent with that token, or -1.
func findAgent(text string, agents []agent, hashes []uint32, token string, hash uint32) int {
	if len(hashes) == 0 {
		for i := range agents {
			if agents[i].hash == hash && agents[i].is(text, token) {
				return i
			}
		}
		if counting {
			count(len(agents))
		}
		return -1
	}
	return int(hashes[findPlace(text, agents, hashes, token, hash)]) - 1
}

// findPlace returns the place of a token in the hash table of the agents, which
// holds 0 if none has it.
func findPlace(text string, agents []agent, hashes []uint32, token string, hash uint32) uint32 {
	mask := uint32(len(hashes) - 1)
	i := hash & mask
	for ; hashes[i] != 0; i = (i + 1) & mask {
		if counting {
			count(1)
		}
		if a := &agents[hashes[i]-1]; a.hash == hash && a.is(text, token) {
			break
		}
	}
	return i
}

func (a *agent) is(text, token string) bool {
	if counting {
		count(len(token))
	}
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
	if counting {
		count(len(s))
	}
	h := tokenSeed ^ uint64(len(s))*hashMul
	// The last octets are taken together with some that were taken before.
	var w uint64
	switch n := len(s); {
	case n >= 8:
		for i := 0; i < n-8; i += 8 {
			hi, lo := bits.Mul64(h^(load64(s, i)|fold), hashMul)
			h = hi ^ lo
		}
		w = load64(s, n-8)
	case n >= 4:
		w = uint64(load32(s, 0)) | uint64(load32(s, n-4))<<32
	case n > 0:
		w = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	hi, lo := bits.Mul64(h^(w|fold), hashMul)
	h = hi ^ lo
	return uint32(h ^ h>>32)
}

// find returns the group of a token, and the token as the file spells it.
func (f *File) find(token string) (*Group, string) {
	if f.has.agents == 0 {
		return nil, ""
	}
	i := findAgent(f.text, f.agents(), f.hashes(), token, tokenHash(token))
	if i < 0 {
		return nil, ""
	}
	a := &f.agents()[i]
	return &f.groups[a.group], a.token(f.text)
}

// named returns the group that names an agent itself, or nil.
func (f *File) named(agent string) *Group {
	name := tokenOf(agent)
	if g, _ := f.find(name); g != nil {
		return g
	}
	// Of a token with spaces a User-agent line is read to the first word.
	if k := lookupCrawler(name); k != nil && k.spaced {
		g, _ := f.find(k.fallback[0])
		return g
	}
	return nil
}

// hasGlobal reports whether the file has a group for "*".
func (f *File) hasGlobal() bool { return f.has.agents > 0 && f.global >= 0 }

// choose returns the group that an agent obeys, and the token that names it. If
// there is none the reason says why; else it means nothing.
func (f *File) choose(agent string) (g *Group, token string, r Reason) {
	// A bare token is tried as it is. Only what is known by no name can be a
	// header.
	k := lookupCrawler(agent)
	g, token = f.find(agent) // R9, R10
	if k == nil && g == nil {
		if name := tokenOf(agent); name != agent {
			k = lookupCrawler(name)
			g, token = f.find(name)
		}
	}
	if k != nil && k.ignoresRobots {
		return nil, "", ReasonCrawler
	}
	if g != nil {
		return g, token, 0
	}
	if k != nil {
		for _, name := range k.fallback {
			if g, token = f.find(name); g != nil {
				return g, token, 0
			}
		}
		if k.ignoresGlobal {
			return nil, "", ReasonNoGroup
		}
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
	return g.explain(url, g.file.agents()[g.agent].token(g.file.text))
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
		d.Rule = g.file.rule(v.rule)
	}
	return d
}

// allows reports what a verdict comes to.
func (g *Group) allows(v verdict) bool {
	// To Google's matcher a rule without a path matches, but allows.
	return v.key&1 != 0 || v.rule == noRule || g.file.dialect == Google && v.key == 0
}

// rule returns rule number n as it is handed out.
func (f *File) rule(n uint32) Rule {
	r := f.rules()[n]
	return Rule{f.lineOfRule(n), r.allow(), f.text[r.off:][:r.len()]}
}

// number returns the number of the section of g that is i-th in the file.
func (g *Group) number(i uint32) uint32 {
	if g.count > 1 {
		return g.file.links()[g.first+i]
	}
	return g.first
}

// section returns the section of g that is i-th in the file, and where it and
// its rules end.
func (g *Group) section(i uint32) (s *section, end int, rules []rule) {
	f, n := g.file, g.number(i)
	sections := f.sections()
	s = &sections[n]
	if int(n)+1 < len(sections) {
		next := &sections[n+1]
		return s, int(next.off), f.rules()[s.rules:next.rules]
	}
	return s, len(f.text) - pad, f.rules()[s.rules:]
}

// Agents returns the product tokens that name the group, "*" among them, in
// the order and the spelling in which the file has them first.
func (g *Group) Agents() iter.Seq[string] {
	return func(yield func(string) bool) {
		if g.file == nil {
			return
		}
		for i := g.agent; ; {
			a := &g.file.agents()[i]
			if !yield(a.token(g.file.text)) || a.next == 0 {
				return
			}
			i = a.next
		}
	}
}

// Rules returns the rules of the group in file order, those without a pattern
// included (they decide nothing; see RFC 9309 section 2.2.2).
func (g *Group) Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for i := range g.count {
			s, _, rules := g.section(i)
			for j := range rules {
				if !yield(g.file.rule(s.rules + uint32(j))) {
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
			if !yield(g.file.rule(v.rule), int(v.key>>1)) {
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
	var q question
	defer q.release()
	for i := range g.count {
		s, _, rules := g.section(i)
		for j := range rules {
			if v := f.weigh(s.rules+uint32(j), &q, path, undecided); v.rule != noRule {
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
			s := g.scanner(i)
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

// scanner returns a scanner of the section of g that is i-th in the file.
func (g *Group) scanner(i uint32) scanner {
	f := g.file
	s, end, _ := g.section(i)
	return scanner{
		text:    f.text,
		pos:     int(s.off),
		end:     end,
		line:    f.lineOfSection(g.number(i)) - 1,
		dialect: f.dialect,
	}
}

// record returns the record that next found.
func (s *scanner) record() Record {
	return Record{s.line, s.text[s.key:s.keyTo], s.text[s.val:s.valTo]}
}
