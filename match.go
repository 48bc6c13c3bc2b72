package robots

import (
	"math/bits"
	"strings"
)

// The classes of octets that matching and tokens tell apart.
const (
	classToken        = 1 << iota // may stand in a product token
	classGoogleToken              // may stand in one as Google reads it
	classUnreserved               // RFC 3986 section 2.3: its escape is decoded
	classNoURI                    // no URI may hold it, so it is escaped
	classAuthorityEnd             // one of "/?;#", where the host of a URL ends
	classUnclean                  // a URL with it is not in normal form, or not yet: "%", "#", or classNoURI
	classWild                     // "*" and "$" in a pattern
	classOdd                      // a pattern with it is not in normal form, or not surely: "%", or classNoURI
)

var class = func() (t [256]byte) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	const digits = "0123456789"
	set := func(c byte, s string) {
		for i := range len(s) {
			t[s[i]] |= c
		}
	}
	set(classToken, letters+digits+"-_.")
	set(classGoogleToken, letters+"-_")
	set(classUnreserved, letters+digits+"-._~")
	set(classAuthorityEnd, "/?;#")
	set(classUnclean, "%#")
	set(classWild, "*$")
	set(classOdd, "%")
	const noURI = classNoURI | classUnclean | classOdd
	set(noURI, "\"<>\\^{|}`")
	for c := range 256 {
		if c <= ' ' || c >= 0x7F {
			t[c] |= noURI
		}
	}
	return t
}()

// Match reports whether the pattern of one rule matches a URL's path, query
// included, as the [RFC9309] dialect does. The grammar of a pattern:
//
//	pattern = *( "*" / escape / octet ) [ "$" ]
//	"*"       any number of any octets, "/" included        RFC 9309 section 2.2.3
//	"$"       at the end: the end of the URL; elsewhere: itself
//	escape    "%" and two hex digits: the octet, see below
//	octet     itself, letter case included
//
// A pattern matches from the first octet of the path on; without "$" it may
// end anywhere. The path starts with "/", so a pattern that starts with
// neither "/" nor "*" matches nothing, and nor does an empty one.
//
// Both sides are brought to one form first (section 2.2.2): octets that no URI
// may hold are escaped, escapes of letters, digits, "-", ".", "_" and "~" are
// decoded, all other escapes get upper-case digits, and a "%" that starts no
// escape is itself. So "/ü" matches "/%c3%bc". "%2A" and "%24" stand for a
// literal "*" and "$". "%2F" is not "/" and "%3A" is not ":" in the path, but
// in the query they are. (Behind a "*" they may fall in either, and count for
// three octets when patterns are compared by length; in the query for one.)
//
// path is read like the URL of [File.Allowed]. The time is linear in the
// lengths of pattern and path.
func Match(pattern, path string) bool {
	if pattern == "" {
		return false
	}
	var pb pathBuffer
	var buf [256]byte
	defer pb.release()
	p, clean := rawPattern(pattern, RFC9309)
	if !clean {
		p = p.normalize(RFC9309, buf[:0])
	}
	var q question
	defer q.release()
	return q.matches(pb.path(pathOf(path), RFC9309), &p)
}

// A pattern is the pattern of a rule, ready to be matched.
type pattern struct {
	text     string // literal octets in normal form, with star among them
	star     byte   // what stands for "*" in text
	anchored bool   // whether it must match to the end of the URL
	either   bool   // whether text has slashEscape or colonEscape in it
	spec     uint32 // specificity in octets (R16)
}

// In the text of a pattern that was not in normal form these octets, which
// cannot stand there otherwise, have a meaning.
const (
	wildcard    = 0 // "*", since "*" itself comes from "%2A"
	slashEscape = 1 // "%2F" behind a "*": a "/" if it is in the query
	colonEscape = 2 // "%3A" likewise
)

// rawPattern makes a pattern of a rule's path as it is written, and says whether
// that is in normal form, as nearly all are.
func rawPattern(raw string, d Dialect) (p pattern, clean bool) {
	p = cutPattern(raw, d)
	if counting {
		count(len(raw))
	}
	return p, isPlain(p.text)
}

// isPlain reports whether no octet of a pattern is of classOdd.
func isPlain(s string) bool {
	n := len(s)
	if n < 8 {
		return !hasOdd(s)
	}
	for i := 0; i < n-8; i += 8 {
		if unclean(load64(s, i)) != 0 && hasOdd(s[i:i+8]) {
			return false
		}
	}
	return unclean(load64(s, n-8)) == 0 || !hasOdd(s[n-8:])
}

func hasOdd(s string) bool {
	for i := 0; i < len(s); i++ {
		if class[s[i]]&classOdd != 0 {
			return true
		}
	}
	return false
}

// cutPattern is rawPattern for one who knows that the pattern is in normal form, or
// has yet to see to it.
func cutPattern(raw string, d Dialect) pattern {
	p := pattern{text: raw, star: '*', spec: uint32(len(raw))}
	if n := len(raw); n > 0 && raw[n-1] == '$' { // R23
		p.anchored = true
		p.text = raw[:n-1]
	} else {
		for n > 0 && raw[n-1] == '*' {
			n-- // changes nothing in what matches (G39)
		}
		p.text = raw[:n]
		if d != Google { // S1
			p.spec = uint32(n)
		}
	}
	return p
}

// normalize returns p with its text in the normal form of its dialect, which is
// made in buf.
func (p pattern) normalize(d Dialect, buf []byte) pattern {
	raw := p.text
	query := false // whether a "?" came before, so that this is in the query
	stars := false // whether a "*" came before, so that this may be anywhere
	if counting {
		count(len(raw))
	}
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '*':
			stars = true
			buf = append(buf, wildcard)
		case c == '%':
			v, ok := unescape(raw[i:])
			if !ok {
				buf = append(buf, c)
				continue
			}
			i += 2
			switch {
			case d == Google:
				// Google's parser decodes nothing (S10).
				buf = appendEscape(buf, v)
			case class[v]&classUnreserved != 0: // R21
				buf = append(buf, v)
				p.spec -= 2
			case v == '*' || v == '$': // R25
				buf = append(buf, v)
			case query && (v == '/' || v == ':'):
				buf = append(buf, v)
				p.spec -= 2
			case stars && v == '/':
				p.either = true
				buf = append(buf, slashEscape)
			case stars && v == ':':
				p.either = true
				buf = append(buf, colonEscape)
			default:
				buf = appendEscape(buf, v)
			}
		case c >= 0x80 || d != Google && class[c]&classNoURI != 0: // R20
			buf = appendEscape(buf, c)
			p.spec += 2
		default:
			query = query || c == '?'
			buf = append(buf, c)
		}
	}
	p.text, p.star = view(buf), wildcard
	return p
}

// A verdict is the rule that decides so far.
type verdict struct {
	key  uint32 // specificity << 1 | 1 if it is an Allow: the greater wins (R16, R17)
	rule uint32 // its number
}

// Instead of the number of a rule.
const (
	noRule    = 1<<32 - 1
	robotsTxt = 1<<32 - 2 // the URL is /robots.txt itself
)

var undecided = verdict{rule: noRule}

// or returns the better of two verdicts.
func (v verdict) or(w verdict) verdict {
	if v.better(w.key, w.rule) {
		return w
	}
	return v
}

// better reports whether a rule wins over v. Of equal rules the first in the
// file wins, which matters for the line that is reported.
func (v verdict) better(key, rule uint32) bool {
	return key > v.key || key == v.key && rule < v.rule
}

// ask returns what decides of url.
func (g *Group) ask(url string) verdict {
	if g.count == 0 {
		return undecided
	}
	if counting {
		count(len(url))
	}
	p := pathOf(url)
	n := cleanLen(p, g.file.dialect)
	if isClean(p, n, g.file.dialect) {
		return g.decide(p[:n])
	}
	return g.askUnclean(p)
}

// askUnclean is ask for a path that is not in normal form. It is apart because
// of its large frame.
func (g *Group) askUnclean(p string) verdict {
	var pb pathBuffer
	v := g.decide(pb.path(p, g.file.dialect))
	pb.release()
	return v
}

// decide returns what decides of a path in normal form.
func (g *Group) decide(path string) verdict {
	f := g.file
	if path == "/robots.txt" && f.dialect != Google {
		return verdict{1, robotsTxt} // R19
	}
	var q question
	v := g.answer(&q, path)
	q.release()
	return v
}

// answer returns what decides of a question.
func (g *Group) answer(q *question, path string) verdict {
	f := g.file
	if x := g.index.Load(); x != nil && x.maker == nil {
		return x.answer(f, q, path)
	}
	if g.asked.Load() < settled {
		g.prepare(q)
	}
	v := undecided
	for i := range g.count {
		s, _, rules := g.section(i)
		if s.part != 0 && g.count > 1 {
			v = v.or(f.groups[s.part-1].answer(q, path))
			continue
		}
		v = f.scan(rules, s.rules, q, path, v)
	}
	return v
}

// scan returns the best of v and of the rules, whose first one has the number
// first.
func (f *File) scan(rules []rule, first uint32, q *question, path string, v verdict) verdict {
	if counting {
		count(len(rules))
	}
	// The first eight octets of nearly all patterns and paths tell that they
	// do not match: at the first difference the pattern has an octet that
	// stands for itself. That is so up to a "*" or "%" in the path, which may
	// be equal to one of the pattern without meaning the same, and not for an
	// Allow of Google's that may be one of a directory too, if the path is of one.
	always := uint32(0)
	if f.dialect == Google && path[len(path)-1] == '/' {
		always = 1
	}
	var head uint64
	if len(path) >= 8 {
		head = load64(path, 0)
	} else {
		for i := range len(path) {
			head |= uint64(path[i]) << (8 * i)
		}
	}
	mask := uint64(1<<64 - 1)
	star, percent := head^each*'*', head^each*'%'
	if m := ((star-each)&^star | (percent-each)&^percent) & high; m != 0 {
		mask = m&-m>>7 - 1 // the octets before it
	}
	for i := 0; ; i++ {
		i += candidate(f.text, rules[i:], head, mask, always)
		if i == len(rules) {
			return v
		}
		v = f.weigh(first+uint32(i), q, path, v)
	}
}

// candidate returns the number of the first rule that may match a path with that
// head, or how many rules there are. See scan, of which this is the part without
// a call, so that all it needs stays in registers.
func candidate(text string, rules []rule, head, mask uint64, always uint32) int {
	for i := range rules {
		r := &rules[i]
		w := load64(text, r.off)
		x := (w ^ head) & mask
		if x == 0 || r.size&always != 0 {
			return i
		}
		n := uint32(bits.TrailingZeros64(x)) >> 3
		if n >= r.size>>1 || class[text[r.off+n]]&(classWild|classOdd) != 0 {
			return i
		}
	}
	return len(rules)
}

// weigh returns the better of v and of rule number n, if that matches.
func (f *File) weigh(n uint32, q *question, path string, v verdict) verdict {
	r := f.rules()[n]
	raw := f.text[r.off:][:r.len()]
	p := cutPattern(raw, f.dialect)
	if f.dialect == Google && r.allow() && path[len(path)-1] == '/' {
		if dir := indexPage(raw); dir > 0 {
			v = f.weighOdd(n, directory(raw[:dir]), q, path, v)
		}
	}
	if counting {
		count(len(raw))
	}
	star := strings.IndexByte(p.text, '*')
	if star >= 0 && q.lacksLast(path, &p) {
		return v
	}
	if !isPlain(p.text) {
		return f.weighOdd(n, p, q, path, v)
	}
	if key := p.spec<<1 | r.size&1; v.better(key, n) && (raw != "" || f.dialect == Google) && q.matchesFrom(path, &p, star) {
		return verdict{key, n}
	}
	return v
}

// weighOdd is weigh for a pattern that may not be in normal form.
func (f *File) weighOdd(n uint32, p pattern, q *question, path string, v verdict) verdict {
	// Three octets of a pattern, stars aside, stand for one of the path at
	// least. A pattern that is too long is not worth bringing to normal form,
	// and nor is one of which the path lacks two octets in a row.
	raw := p.text
	if len(raw)/3 > len(path) && (len(raw)-strings.Count(raw, "*"))/3 > len(path) || q.lacksPair(path, raw) {
		return v
	}
	var stack [192]byte
	buf, pooled := room(stack[:], 3*len(raw))
	defer putBuffer(pooled)
	p = p.normalize(f.dialect, buf)
	if key := p.spec<<1 | f.rules()[n].size&1; v.better(key, n) && q.matches(path, &p) {
		return verdict{key, n}
	}
	return v
}

// indexPage returns the length of the directory in the pattern of an Allow
// whose last part starts with index.htm, or 0. Google's parser takes such a
// rule for one of the directory itself too (S2).
func indexPage(raw string) int {
	if n := strings.LastIndexByte(raw, '/'); n >= 0 && strings.HasPrefix(raw[n:], "/index.htm") {
		return n + 1
	}
	return 0
}

// directory returns the pattern for just a directory, in which indexPage has
// found the page.
func directory(dir string) pattern {
	p := cutPattern(dir, Google)
	p.anchored = true
	p.spec++
	return p
}
