package robots

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// A question holds what has been found out about the path of a URL while rules
// were compared with it. The path itself, in normal form, goes beside it: if it
// were in it, the compiler would take it for something that release hands out,
// and allocate it.
type question struct {
	// The octets below 128 that the path has been searched for, and those of
	// them that it has.
	looked, has [2]uint64
	lookups     int

	query int // 1 + the offset of the first "?", or -1 if there is none; 0 if unknown

	// work is how many octets have been searched through for literal pieces.
	// When it is many times the length of the path, then the rules are many and
	// like the path, and an index of the path is made, so that it need not be
	// searched again and again.
	work  int
	grams [4]*grams
}

// lacks reports whether the path lacks an octet below 128. The answer is kept,
// since many rules of a group have the same rare octet, "?" for one.
func (q *question) lacks(path string, c byte) bool {
	w, bit := c>>6&1, uint64(1)<<(c&63)
	if q.looked[w]&bit == 0 {
		q.look(path, c)
	}
	return q.has[w]&bit == 0
}

// look searches the path for an octet, or the fifth time for all.
func (q *question) look(path string, c byte) {
	if counting {
		count(len(path))
	}
	if q.lookups++; q.lookups > 4 {
		for i := 0; i < len(path); i++ {
			c := path[i]
			q.has[c>>6&1] |= 1 << (c & 63)
		}
		q.looked = [2]uint64{1<<64 - 1, 1<<64 - 1}
		return
	}
	w, bit := c>>6&1, uint64(1)<<(c&63)
	q.looked[w] |= bit
	if strings.IndexByte(path, c) >= 0 {
		q.has[w] |= bit
	}
}

// queryAt returns the offset of the query of the path, or -1.
func (q *question) queryAt(path string) int {
	if q.query == 0 {
		if counting {
			count(len(path))
		}
		if q.query = 1 + strings.IndexByte(path, '?'); q.query == 0 {
			q.query = -1
		}
	}
	return max(q.query-1, -1)
}

// matches reports whether p matches the path.
func (q *question) matches(path string, p *pattern) bool {
	n := strings.IndexByte(p.text, p.star)
	if n < 0 {
		if counting {
			count(len(p.text))
		}
		return strings.HasPrefix(path, p.text) && (!p.anchored || len(path) == len(p.text))
	}
	if counting {
		count(n)
	}
	return strings.HasPrefix(path, p.text[:n]) && q.matchesTail(path, p, p.text[n+1:], n)
}

// matchesTail reports whether the rest of a pattern behind a star, which is in
// text, matches the path from the offset at on, or from any later one.
//
// Each literal piece is looked for from where the one before it ended, and the
// leftmost place is taken: if any choice of places lets the rest match, that
// one does. So no octet of the path is passed twice, whatever the pattern.
func (q *question) matchesTail(path string, p *pattern, text string, at int) bool {
	for {
		n := strings.IndexByte(text, p.star)
		last := n < 0
		if last {
			n = len(text)
		}
		piece := text[:n]
		switch {
		case p.either && hasEscape(piece):
			if at = q.findEither(path, piece, at, last && p.anchored); at < 0 {
				return false
			}
		case last && p.anchored:
			if counting {
				count(len(piece))
			}
			return strings.HasSuffix(path[at:], piece)
		default:
			i := q.find(path, piece, at)
			if i < 0 {
				return false
			}
			at = i + n
		}
		if last {
			return true
		}
		text = text[n+1:]
	}
}

// hasEscape reports whether there is a slashEscape or a colonEscape in s.
func hasEscape(s string) bool {
	return strings.IndexByte(s, slashEscape) >= 0 || strings.IndexByte(s, colonEscape) >= 0
}

// findEither is find for a piece with an escaped "/" or ":", which may fall in
// the path, where it is not the octet, or in the query, where it is. It returns
// where the leftmost match ends or, if that must be at the end of the URL,
// whether there is one.
//
// The piece as it reads in the path can only start before the query, which has
// no such escapes in normal form. It then ends before any match of the other
// form, which starts in the query and is as long but for the escapes.
func (q *question) findEither(path, piece string, at int, anchored bool) int {
	if len(piece) > len(path)-at {
		return -1
	}
	var buf [512]byte
	query := q.queryAt(path)
	if counting {
		count(2 * len(piece))
	}
	for _, inQuery := range [...]bool{false, true} {
		from := at
		if inQuery {
			if query < 0 {
				return -1
			}
			from = max(at, query)
		}
		form := view(appendForm(buf[:0], piece, inQuery))
		i := -1
		if !anchored {
			i = q.find(path, form, from)
		} else if strings.HasSuffix(path[from:], form) {
			i = len(path) - len(form)
		}
		if i >= 0 {
			return i + len(form)
		}
	}
	return -1
}

// appendForm appends a piece of a pattern with its slashEscapes and
// colonEscapes as they read in the query or before it.
func appendForm(buf []byte, piece string, inQuery bool) []byte {
	for i := 0; i < len(piece); i++ {
		c := piece[i]
		switch c {
		case slashEscape:
			c = '/'
		case colonEscape:
			c = ':'
		default:
			buf = append(buf, c)
			continue
		}
		if inQuery {
			buf = append(buf, c)
		} else {
			buf = appendEscape(buf, c)
		}
	}
	return buf
}

// find returns the offset of the first place of piece in the path at or after
// from, or -1.
func (q *question) find(path, piece string, from int) int {
	rest := path[from:]
	if len(piece) > len(rest) {
		return -1
	}
	if len(piece) > 0 && (q.work > 8*len(path)+32<<10 || len(piece) > longPiece && len(path) > longPath) {
		return q.lookUp(path, piece, from)
	}
	i := strings.Index(rest, piece)
	if i < 0 {
		q.work += len(rest)
		if counting {
			count(len(piece) + len(rest))
		}
		return -1
	}
	q.work += i
	if counting {
		count(len(piece) + i)
	}
	return from + i
}

// strings.Index can be made to look at each octet of a path as often as a piece
// is long, if that is more than it has a machine instruction for. In paths of
// ordinary length that does not matter.
const (
	longPiece = 63
	longPath  = 16 << 10
)

// release gives back what the question has borrowed.
func (q *question) release() {
	for _, g := range q.grams {
		// The index of a path of 16 KB or so is worth keeping.
		if g != nil && cap(g.end) <= 64<<10 {
			gramsPool.Put(g)
		}
	}
}

// lookUp is find by an index of the path: of the pieces of eight octets, or
// four, two or one, that piece is made of, it takes the one with the fewest
// places in the path, and compares at these.
func (q *question) lookUp(path, piece string, from int) int {
	if strings.HasPrefix(path[from:], piece) {
		return from
	}
	if piece[0] < 0x80 && q.lacks(path, piece[0]) {
		return -1
	}
	k := min(bits.Len(uint(len(piece)))-1, 3)
	if q.grams[k] == nil {
		q.grams[k] = newGrams(path, 1<<k)
	}
	g := q.grams[k]
	var places []int32
	offset := 0
	for i := 0; i+g.size <= len(piece); i++ {
		p := g.places(piece[i:])
		if counting {
			count(1)
		}
		if i == 0 || len(p) < len(places) {
			places, offset = p, i
		}
		if len(p) == 0 {
			return -1
		}
	}
	m := &g.memo[g.hash(piece)%uint64(len(g.memo))]
	if len(places) > 16 {
		// Many rules may have this very piece.
		if at, ok := m.recall(piece, from); ok {
			return at
		}
	}
	at := -1
	if len(piece) > longPiece && len(places)*len(piece) > 4*len(path) {
		at = indexLinear(path, piece, from)
	} else {
		i, _ := slices.BinarySearch(places, int32(from+offset))
		for _, p := range places[i:] {
			if counting {
				count(1)
			}
			start := int(p) - offset
			if start+len(piece) > len(path) {
				break
			}
			if path[start:start+len(piece)] == piece {
				at = start
				break
			}
		}
	}
	if len(places) > 16 {
		m.note(piece, from, at)
	}
	return at
}

// indexLinear is find in a time that is linear whatever the octets: it compares
// sums over as many octets as piece has, to a base that nobody can know, modulo
// 2^61-1, and the octets where the sums are equal.
func indexLinear(path, piece string, from int) int {
	if counting {
		count(len(piece) + len(path) - from)
	}
	base := tokenSeed%(prime-256) + 256
	var want, sum uint64
	top := uint64(1) // base to the power of the length of piece
	for i := range len(piece) {
		want = mulAdd(want, base, piece[i])
		sum = mulAdd(sum, base, path[from+i])
		top = mulAdd(top, base, 0)
	}
	for at := from; ; at++ {
		if sum == want && path[at:at+len(piece)] == piece {
			return at
		}
		next := at + len(piece)
		if next == len(path) {
			return -1
		}
		sum = mulAdd(sum, base, path[next])
		drop := mulAdd(top, uint64(path[at]), 0)
		if sum < drop {
			sum += prime
		}
		sum -= drop
	}
}

// prime is the modulus of the sums of indexLinear.
const prime = 1<<61 - 1

// mulAdd returns a*b+c modulo prime, for a and b that are less than it.
func mulAdd(a, b uint64, c byte) uint64 {
	hi, lo := bits.Mul64(a, b)
	lo, carry := bits.Add64(lo, uint64(c), 0)
	hi += carry
	// 2^61 is 1, so the bits from there on are added to those below.
	s := lo&prime + (hi<<3 | lo>>61)
	for s >= prime {
		s -= prime
	}
	return s
}

// A grams is an index of a text by its pieces of one size.
type grams struct {
	size  int     // 1, 2, 4 or 8
	shift uint    // 64 less the number of bits of a hash
	end   []int32 // where the places of a hash end in all; those of the next one start there
	all   []int32 // the places, by hash, ascending
	memo  [16]memo
}

// A memo is an answer of lookUp that took long to find. The octets of the piece
// are copied, since what it is a part of may be gone.
type memo struct {
	piece    [longPiece + 1]byte
	size     int // of piece; 0 if there is no answer
	from, at int
}

// recall returns the answer for a piece, if it is known: that the piece is at a
// place holds for any from up to there, and that it is nowhere for any later.
func (m *memo) recall(piece string, from int) (at int, ok bool) {
	if m.size != len(piece) || from < m.from || m.at >= 0 && from > m.at || string(m.piece[:m.size]) != piece {
		return 0, false
	}
	return m.at, true
}

func (m *memo) note(piece string, from, at int) {
	if len(piece) <= len(m.piece) {
		m.size, m.from, m.at = copy(m.piece[:], piece), from, at
	}
}

// gramsPool lets questions about long URLs allocate nothing either.
var gramsPool = sync.Pool{New: func() any { return new(grams) }}

func newGrams(text string, size int) *grams {
	width := uint(bits.Len(uint(len(text)))) + 1
	g := gramsPool.Get().(*grams)
	g.size, g.shift = size, 64-width
	g.end = slices.Grow(g.end[:0], 1<<width+1)[:1<<width+1]
	clear(g.end)
	for i := range g.memo {
		g.memo[i].size = 0
	}
	n := max(len(text)-size+1, 0)
	g.all = slices.Grow(g.all[:0], n)[:n]
	if counting {
		count(2 * len(text))
	}
	// Count the places of each hash, let end be where they start, and move it
	// to their end as they are filled in.
	for i := range n {
		g.end[g.hash(text[i:])+1]++
	}
	for h := 1; h < len(g.end); h++ {
		g.end[h] += g.end[h-1]
	}
	for i := range n {
		h := g.hash(text[i:])
		g.all[g.end[h]] = int32(i)
		g.end[h]++
	}
	return g
}

// hash returns the hash of the first octets of s.
func (g *grams) hash(s string) uint64 {
	var w uint64
	switch g.size {
	case 8:
		w = load64(s, 0)
	case 4:
		w = uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
	case 2:
		w = uint64(s[0]) | uint64(s[1])<<8
	default:
		w = uint64(s[0])
	}
	// A multiplier drawn at random makes it impossible to write a URL whose
	// pieces all fall together.
	return w * (tokenSeed | 1) >> g.shift
}

// places returns where the text may have the first octets of s.
func (g *grams) places(s string) []int32 {
	h := g.hash(s)
	from := int32(0)
	if h > 0 {
		from = g.end[h-1]
	}
	return g.all[from:g.end[h]]
}
