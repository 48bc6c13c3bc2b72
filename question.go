package robots

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
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

	// searched is how many octets have been searched through for literal pieces.
	// When it is many times the length of the path, then the rules are many and
	// like the path, and an index of the path is made, so that it need not be
	// searched again and again.
	searched int
	grams    [len(gramSizes)]*grams

	made int // the work that it has done for indexes, see Group.prepare
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
	if len(piece) > 0 && (q.searched > 8*len(path)+32<<10 || len(piece) > longPiece && len(path) > longPath) {
		return q.lookUp(path, piece, from)
	}
	i := strings.Index(rest, piece)
	if i < 0 {
		q.searched += len(rest)
		if counting {
			count(len(piece) + len(rest))
		}
		return -1
	}
	q.searched += i
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
	g := q.gramsOf(path, min(len(piece), 8))
	places, offset := g.places(g.hash(piece)), 0
	for i := 1; i+g.size <= len(piece) && len(places) > 0; i++ {
		if p := g.places(g.hash(piece[i:])); len(p) < len(places) {
			places, offset = p, i
		}
	}
	if counting {
		count(len(piece))
	}
	if len(places) == 0 {
		return -1
	}
	if len(places) <= 16 {
		return compareAt(path, piece, from, places, offset)
	}

	// Many rules may have this very piece.
	m, ok := g.memoOf(piece, from)
	if ok {
		return m.at
	}
	m.known, m.at = true, -1
	// A piece that the path has many small parts of may still have a large part
	// that the path has not, at its start or its end.
	if len(piece) > g.size {
		g := q.gramsOf(path, len(piece))
		g.each(piece, func(i int, h uint64) {
			if p := g.places(h); len(p) < len(places) {
				places, offset = p, i
			}
		})
		if counting {
			count(len(piece))
		}
	}
	if len(places)*(len(piece)/32+1) > 4*len(path) {
		m.at = indexLinear(path, piece, from)
	} else {
		m.at = compareAt(path, piece, from, places, offset)
	}
	return m.at
}

// compareAt is find, given all places in the path that can have what stands in
// piece at an offset.
func compareAt(path, piece string, from int, places []int32, offset int) int {
	i, _ := slices.BinarySearch(places, int32(from+offset))
	for _, p := range places[i:] {
		if counting {
			count(1 + len(piece)/32)
		}
		start := int(p) - offset
		if start+len(piece) > len(path) {
			break
		}
		if path[start:start+len(piece)] == piece {
			return start
		}
	}
	return -1
}

// indexLinear is find in a time that is linear whatever the octets: it compares
// sums over as many octets as piece has, to a base that nobody can know, modulo
// 2^61-1, and the octets where the sums are equal.
func indexLinear(path, piece string, from int) int {
	if counting {
		count(len(piece) + len(path) - from)
	}
	want, sum := newRolling(piece), newRolling(path[from:from+len(piece)])
	for at := from; ; at++ {
		if sum.sum == want.sum && path[at:at+len(piece)] == piece {
			return at
		}
		next := at + len(piece)
		if next == len(path) {
			return -1
		}
		sum.slide(path[at], path[next])
	}
}

// A rolling is a sum over a run of octets, to a base that nobody can know and
// modulo a prime, that can follow the run as it slides along a text.
type rolling struct {
	sum uint64
	top uint64 // the base to the power of the length of the run
}

var rollingBase = rand.Uint64N(prime-256) + 256

func newRolling(run string) rolling {
	r := rolling{top: 1}
	for i := range len(run) {
		r.sum = mulAdd(r.sum, rollingBase, run[i])
		r.top = mulAdd(r.top, rollingBase, 0)
	}
	return r
}

// slide moves the run on by an octet.
func (r *rolling) slide(out, in byte) {
	drop := mulAdd(r.top, uint64(out), 0)
	r.sum = mulAdd(r.sum, rollingBase, in)
	if r.sum < drop {
		r.sum += prime
	}
	r.sum -= drop
}

// prime is the modulus of a rolling.
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
	size  int     // one of gramSizes
	shift uint    // 64 less the number of bits of a hash
	end   []int32 // where the places of a hash end in all; those of the next one start there
	all   []int32 // the places, by hash, ascending
	memo  [256]memo
}

var gramSizes = [...]int{1, 2, 4, 8, 16, 32, 64, 256, 1024, 4096}

// gramsOf returns the index of the path by the largest pieces of at most a size.
func (q *question) gramsOf(path string, size int) *grams {
	k := len(gramSizes) - 1
	for gramSizes[k] > size {
		k--
	}
	if q.grams[k] == nil {
		q.grams[k] = newGrams(path, gramSizes[k])
	}
	return q.grams[k]
}

// A memo is an answer of lookUp that took long to find. The piece is known by two
// hashes with seeds of their own, 128 bits that nobody can aim at: the octets
// themselves may be gone, and may be many.
type memo struct {
	key      [2]uint64
	known    bool
	from, at int
}

var memoSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// memoOf returns the place for the answer for a piece. What is there is good for
// the piece and for from if ok is set: that the piece is at a place holds for any
// from up to there, and that it is nowhere for any later.
func (g *grams) memoOf(piece string, from int) (m *memo, ok bool) {
	key := [2]uint64{maphash.String(memoSeeds[0], piece), maphash.String(memoSeeds[1], piece)}
	if counting {
		count(2 * len(piece))
	}
	m = &g.memo[key[0]%uint64(len(g.memo))]
	if m.known && m.key == key && from >= m.from && (m.at < 0 || from <= m.at) {
		return m, true
	}
	*m = memo{key: key, from: from}
	return m, false
}

// gramsPool lets questions about long URLs allocate nothing either.
var gramsPool = sync.Pool{New: func() any { return new(grams) }}

func newGrams(text string, size int) *grams {
	width := uint(bits.Len(uint(len(text)))) + 1
	g := gramsPool.Get().(*grams)
	g.size, g.shift = size, 64-width
	g.end = slices.Grow(g.end[:0], 1<<width+1)[:1<<width+1]
	clear(g.end)
	clear(g.memo[:])
	n := max(len(text)-size+1, 0)
	g.all = slices.Grow(g.all[:0], n)[:n]
	if counting {
		count(2 * len(text))
	}
	// Count the places of each hash, let end be where they start, and move it
	// to their end as they are filled in.
	g.each(text, func(_ int, h uint64) { g.end[h+1]++ })
	for h := 1; h < len(g.end); h++ {
		g.end[h] += g.end[h-1]
	}
	g.each(text, func(i int, h uint64) {
		g.all[g.end[h]] = int32(i)
		g.end[h]++
	})
	return g
}

// each calls f with the offset and the hash of each piece of the text.
func (g *grams) each(text string, f func(i int, h uint64)) {
	if g.size <= 8 {
		for i := range max(len(text)-g.size+1, 0) {
			f(i, g.hash(text[i:]))
		}
		return
	}
	if len(text) < g.size {
		return
	}
	r := newRolling(text[:g.size])
	for i := range len(text) - g.size + 1 {
		f(i, g.mix(r.sum))
		if next := i + g.size; next < len(text) {
			r.slide(text[i], text[next])
		}
	}
}

// hash returns the hash of the first octets of s.
func (g *grams) hash(s string) uint64 {
	switch g.size {
	case 1:
		return g.mix(uint64(s[0]))
	case 2:
		return g.mix(uint64(s[0]) | uint64(s[1])<<8)
	case 4:
		return g.mix(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24)
	case 8:
		return g.mix(load64(s, 0))
	}
	return g.mix(newRolling(s[:g.size]).sum)
}

// mix brings a number to the width of a hash. The multiplier is drawn at random,
// so that nobody can write a URL whose pieces all fall together.
func (g *grams) mix(w uint64) uint64 { return w * (tokenSeed | 1) >> g.shift }

// places returns where the text may have the pieces with a hash.
func (g *grams) places(h uint64) []int32 {
	from := int32(0)
	if h > 0 {
		from = g.end[h-1]
	}
	return g.all[from:g.end[h]]
}
