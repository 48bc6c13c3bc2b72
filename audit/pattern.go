package audit

import "strings"

// A glob is the language of one rule: what [robots.Match] accepts for its
// pattern, over URL paths in the form that the library compares.
//
// The stars cut the pattern into pieces. Because a path matches a glob if and
// only if it matches when every piece is taken at its leftmost place, one
// number, how far into the pieces we are, is a complete state: each glob is
// its own deterministic automaton, and a set of globs is a vector of numbers.
type glob struct {
	lit      string // the pieces, concatenated
	head     int    // length of the piece before the first star, or of lit
	starred  bool   // there is a star
	anchored bool   // the pattern ends in "$" (and says something by it)
	exotic   bool   // holds what the engine does not vouch for; see parsePattern
	spec     int    // specificity: octets of the normalised pattern
	cuts     []int  // where in lit each piece after a star begins; ascending

	// The two tables of the automaton, made by build when a search needs them.
	base []int32 // base[p]: start of the starred piece that p is in; -1 in the head
	fail []int32 // fail[p]: longest proper border of the piece up to p (Knuth, Morris, Pratt)
}

// dead is the position of a glob that can match no more.
const dead = -1

func upperHex(b byte) byte { return "0123456789ABCDEF"[b&15] }

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// unreserved reports an octet that RFC 3986 section 2.3 calls unreserved.
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

// unsafe reports an octet that no URI may hold bare.
func unsafe(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0
}

// parsePattern turns a pattern, as written in a rule, into a glob. It follows
// the normalisation of package robots' RFC9309 dialect (RFC 9309 section
// 2.2.2 and 2.2.3).
//
// A pattern is exotic, and nothing is proved from it, if it holds an escaped
// "/" or ":" behind a star, where it may or may not fall into the query.
func parsePattern(pattern string) *glob {
	g := &glob{}
	b := make([]byte, 0, len(pattern)+8)
	query := false
	pendingStars := 0
	put := func(c byte) {
		if pendingStars > 0 {
			g.spec += pendingStars
			pendingStars = 0
			g.cuts = append(g.cuts, len(b))
		}
		b = append(b, c)
		g.spec++
	}
	escape := func(c byte) {
		put('%')
		put(upperHex(c >> 4))
		put(upperHex(c))
	}
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '*':
			pendingStars++
		case c == '$' && i == len(pattern)-1:
			g.anchored = true
			g.spec += 1 + pendingStars
			if pendingStars > 0 { // "/a*$" says no more than "/a", at more octets
				g.anchored = false
				pendingStars = 0
			}
		case c == '%' && i+2 < len(pattern) && unhex(pattern[i+1]) >= 0 && unhex(pattern[i+2]) >= 0:
			o := byte(unhex(pattern[i+1])<<4 | unhex(pattern[i+2]))
			i += 2
			switch {
			case unreserved(o):
				put(o)
			case o == '*' || o == '$' || query && (o == '/' || o == ':'):
				put(o)
				g.spec += 2 // counted as it is written
			default:
				if o == '/' || o == ':' {
					g.exotic = g.exotic || len(g.cuts) > 0 || pendingStars > 0
				}
				escape(o)
			}
		case unsafe(c):
			escape(c)
		default:
			if c == '?' {
				query = true
			}
			put(c)
		}
	}
	g.lit = string(b)
	g.starred = len(g.cuts) > 0
	g.head = len(g.lit)
	if g.starred {
		g.head = g.cuts[0]
	}
	return g
}

// key identifies the language: equal keys, equal languages.
func (g *glob) key() string {
	var b strings.Builder
	from := 0
	for _, c := range g.cuts {
		b.WriteString(g.lit[from:c])
		b.WriteByte('*' | 0x80) // not an octet of any literal
		from = c
	}
	b.WriteString(g.lit[from:])
	if g.anchored {
		b.WriteByte('$' | 0x80)
	}
	return b.String()
}

// shortest is the shortest path that g matches: every star empty. It begins
// with "/" if any path can match.
func (g *glob) shortest() string {
	if g.starred && g.head == 0 && g.lit[0] != '/' || g.lit == "" {
		return "/" + g.lit
	}
	return g.lit
}

// possible reports whether g matches any path at all: paths begin with "/".
func (g *glob) possible() bool {
	return g.head == 0 && (g.starred || !g.anchored) || g.head > 0 && g.lit[0] == '/'
}

// build makes the automaton's tables.
func (g *glob) build() {
	if g.base != nil {
		return
	}
	n := len(g.lit)
	g.base = make([]int32, n+1)
	g.fail = make([]int32, n+1)
	for p := 0; p < g.head; p++ {
		g.base[p] = -1
	}
	if !g.starred {
		g.base[n] = -1
		return
	}
	for i, o := range g.cuts {
		end := n
		if i+1 < len(g.cuts) {
			end = g.cuts[i+1]
		}
		for p := o; p < end; p++ {
			g.base[p] = int32(o)
		}
		g.fail[o] = int32(o)
		k := o
		for p := o + 1; p <= end; p++ {
			if p == end && end != n {
				break // the next piece's start: its own
			}
			g.fail[p] = int32(o)
			if p-1 > o {
				for k > o && g.lit[k] != g.lit[p-1] {
					k = int(g.fail[k])
				}
				if g.lit[k] == g.lit[p-1] {
					k++
				}
				g.fail[p] = int32(k)
			}
		}
	}
	g.base[n] = int32(g.cuts[len(g.cuts)-1])
}

// step is the automaton: where g is after c, from p. A glob without "$" that
// has reached its end stays there.
func (g *glob) step(p int, c byte) int {
	n := len(g.lit)
	if p < n && g.lit[p] == c {
		return p + 1
	}
	if p == n && !g.anchored {
		return p
	}
	o := int(g.base[p])
	if o < 0 {
		return dead
	}
	for p > o {
		p = int(g.fail[p])
		if g.lit[p] == c {
			return p + 1
		}
	}
	return o
}

// match reports whether g matches path, which must be in normal form. It is
// the engine's own opinion, for pruning; what is reported is confirmed with
// the library.
func (g *glob) match(path string) bool {
	if !strings.HasPrefix(path, g.lit[:g.head]) {
		return false
	}
	rest := path[g.head:]
	if !g.starred {
		return !g.anchored || rest == ""
	}
	for i, o := range g.cuts {
		last := i+1 == len(g.cuts)
		end := len(g.lit)
		if !last {
			end = g.cuts[i+1]
		}
		piece := g.lit[o:end]
		if last && g.anchored {
			return strings.HasSuffix(rest, piece)
		}
		at := strings.Index(rest, piece)
		if at < 0 {
			return false
		}
		rest = rest[at+len(piece):]
	}
	return true
}

// covers reports whether every path that h matches, g matches too. Exact: put
// an octet that stands nowhere in g for each star of h; g can swallow it only
// with a star, which swallows anything else as well.
func (g *glob) covers(h *glob) bool {
	if !h.starred && h.anchored {
		return g.match(h.lit)
	}
	if !strings.HasPrefix(h.lit[:h.head], g.lit[:g.head]) {
		return false
	}
	if !g.starred {
		return !g.anchored
	}
	return g.match(h.wildcard())
}

// wildcard is g's pattern with 0xFF, which no literal holds, for its stars and
// its open end.
func (g *glob) wildcard() string {
	b := make([]byte, 0, len(g.lit)+len(g.cuts)+1)
	from := 0
	for _, c := range g.cuts {
		b = append(b, g.lit[from:c]...)
		b = append(b, 0xff)
		from = c
	}
	b = append(b, g.lit[from:]...)
	if !g.anchored {
		b = append(b, 0xff)
	}
	return string(b)
}

// meets reports false if g and h have no path in common for a reason that
// shows at once: their heads, or their anchored tails, differ.
func (g *glob) meets(h *glob) bool {
	a, b := g.lit[:g.head], h.lit[:h.head]
	n := min(len(a), len(b))
	if a[:n] != b[:n] {
		return false
	}
	if g.exotic || h.exotic {
		return true // behind the heads their literals are not all that they match
	}
	if !g.starred && g.anchored && !h.match(g.lit) || !h.starred && h.anchored && !g.match(h.lit) {
		return false
	}
	if g.anchored && h.anchored && g.starred && h.starred {
		a, b = g.lit[g.cuts[len(g.cuts)-1]:], h.lit[h.cuts[len(h.cuts)-1]:]
		n = min(len(a), len(b))
		return a[len(a)-n:] == b[len(b)-n:]
	}
	return true
}
