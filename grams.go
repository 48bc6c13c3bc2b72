package robots

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
)

// A grams is an index of a text by its pieces of one size.
type grams struct {
	size   int      // one of gramSizes
	mul    uint64   // makes hashes of numbers: odd, and drawn at random
	shift  uint     // 64 less the number of bits of a hash
	end    []int32  // where the places of a hash end in all; those of the next one start there
	all    []int32  // the places, by hash, ascending
	hashes []uint32 // of each piece of the text
	last   []int32  // which of the places of a hash was found last, if size is up to shortPiece
	mixed  []bool   // whether a hash is that of several pieces, likewise
	memo   [256]memo
}

// Up to eight octets pieces of just the length of what is looked for are worth
// an index, since they are many in a file.
var gramSizes = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64, 256, 1024, 4096}

const (
	shortPiece = 8   // up to this size there is an index for each
	rolls      = 256 // from this size on the hash is a rolling
)

// A gramSet has the indexes of a path by pieces of several sizes.
type gramSet struct {
	of   [len(gramSizes)]*grams
	made [len(gramSizes)]bool // or it is of another path
}

// gramSets lets questions about long URLs allocate nothing either.
var gramSets = sync.Pool{New: func() any { return new(gramSet) }}

func (s *gramSet) release() {
	s.made = [len(gramSizes)]bool{}
	for i, g := range s.of {
		// The index of a path of 32 KB or so is worth keeping.
		if g != nil && cap(g.end) > 64<<10 {
			s.of[i] = nil
		}
	}
	gramSets.Put(s)
}

// gramsOf returns the index of the path by the largest pieces of at most a size.
func (q *question) gramsOf(path string, size int) *grams {
	if q.grams == nil {
		q.grams = gramSets.Get().(*gramSet)
	}
	k := min(size, len(gramSizes)) - 1
	for gramSizes[k] > size {
		k--
	}
	if !q.grams.made[k] {
		if q.grams.of[k] == nil {
			q.grams.of[k] = &grams{size: gramSizes[k]}
		}
		q.grams.of[k].make(path)
		q.grams.made[k] = true
	}
	return q.grams.of[k]
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

// make makes g the index of a text. The ways of hashing that it tries are those of
// the process, so that a question takes as long when it is asked again.
func (g *grams) make(text string) {
	clear(g.memo[:])
	g.mul = tokenSeed | 1
	more := rand.NewPCG(tokenSeed, uint64(g.size))
	for tries := 4; !g.fill(text) && tries > 0; tries-- {
		g.mul = more.Uint64() | 1
	}
}

// fill is make for one way of hashing. It reports whether that is fit for
// nextPlace: it is not if two pieces of which the text is full have one hash.
func (g *grams) fill(text string) bool {
	n := max(len(text)-g.size+1, 0)
	width := uint(bits.Len(uint(n)))
	g.shift = 64 - width
	g.end = slices.Grow(g.end[:0], 1<<width+1)[:1<<width+1]
	clear(g.end)
	if g.size <= shortPiece {
		g.last = slices.Grow(g.last[:0], 1<<width)[:1<<width]
		clear(g.last)
		g.mixed = slices.Grow(g.mixed[:0], 1<<width)[:1<<width]
		clear(g.mixed)
	}
	g.all = slices.Grow(g.all[:0], n)[:n]
	g.hashes = slices.Grow(g.hashes[:0], n)[:n]
	if counting {
		count(2 * len(text))
	}
	// Count the places of each hash, let end be where they start, and move it
	// to their end as they are filled in.
	if g.size < rolls {
		for i := range g.hashes {
			g.hashes[i] = uint32(g.hash(text[i:]))
		}
	} else {
		r := newRolling(text[:g.size])
		for i := range g.hashes {
			if i > 0 {
				r.slide(text[i-1], text[i-1+g.size])
			}
			g.hashes[i] = uint32(g.mix(r.sum))
		}
	}
	for _, h := range g.hashes {
		g.end[h+1]++
	}
	for h := 1; h < len(g.end); h++ {
		g.end[h] += g.end[h-1]
	}
	for i, h := range g.hashes {
		g.all[g.end[h]] = int32(i)
		g.end[h]++
	}
	if g.size <= shortPiece {
		for i, h := range g.hashes {
			places := g.places(uint64(h))
			if g.word(text[i:]) == g.word(text[places[0]:]) {
				continue
			}
			if g.mixed[h] = true; len(places) > 64+n/16 {
				return false
			}
		}
	}
	return true
}

// fewest returns the places in the text of a part of piece that has few, if
// there is one, and the offset of that part.
func (g *grams) fewest(piece string, enough int) (places []int32, offset int) {
	offset = len(piece) - g.size // the end is where pieces that are alike differ
	if g.size < rolls {
		// Large parts overlap enough if some are left out.
		stride := max(g.size/8, 1)
		places = g.places(g.hash(piece[offset:]))
		i := 0
		for ; i < len(piece)-g.size && len(places) > enough; i += stride {
			if p := g.places(g.hash(piece[i:])); len(p) < len(places) {
				places, offset = p, i
			}
		}
		if counting {
			count((1 + i/stride) * (1 + g.size/32))
		}
		return places, offset
	}
	if counting {
		count(len(piece))
	}
	r := newRolling(piece[:g.size])
	places, offset = g.places(g.mix(r.sum)), 0
	for i := 1; i+g.size <= len(piece) && len(places) > enough; i++ {
		r.slide(piece[i-1], piece[i-1+g.size])
		if p := g.places(g.mix(r.sum)); len(p) < len(places) {
			places, offset = p, i
		}
	}
	return places, offset
}

// hash returns the hash of the first octets of s.
func (g *grams) hash(s string) uint64 {
	if n := g.size; n > 8 {
		h := uint64(0)
		for i := 0; i < n; i += 16 {
			// Of 12 octets the words overlap.
			hi, lo := bits.Mul64(load64(s, i)^gramSeeds[i/8], load64(s, min(i+8, n-8))^gramSeeds[i/8+1])
			h += hi ^ lo
		}
		return g.mix(h)
	}
	return g.mix(g.word(s))
}

// word returns a number for the first octets of s, if they are up to eight. Each
// piece of that size has its own.
func (g *grams) word(s string) uint64 {
	switch n := g.size; {
	case n == 8:
		return load64(s, 0)
	case n >= 4:
		return uint64(load32(s, 0)) | uint64(load32(s, n-4))<<32
	default:
		return uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
}

// gramSeeds are drawn at random, so that nobody can aim at a hash.
var gramSeeds = func() (seeds [8]uint64) {
	for i := range seeds {
		seeds[i] = rand.Uint64()
	}
	return seeds
}()

// mix brings a number to the width of a hash. The multiplier is drawn at random,
// so that nobody can write a URL whose pieces all fall together.
func (g *grams) mix(w uint64) uint64 { return w * g.mul >> g.shift }

// places returns where the text may have the pieces with a hash.
func (g *grams) places(h uint64) []int32 {
	from := int32(0)
	if h > 0 {
		from = g.end[h-1]
	}
	return g.all[from:g.end[h]]
}

// lookUp is find by an index of the path: of the pieces of one size that piece
// is made of, it takes the one with the fewest places in the path, and compares
// at these.
func (q *question) lookUp(path, piece string, from int) int {
	if len(piece) <= shortPiece {
		return q.gramsOf(path, len(piece)).nextPlace(path, piece, from)
	}
	if q.lacks(path, piece[0]) {
		return -1
	}
	g := q.gramsOf(path, min(len(piece), 64))
	// So many that to compare at all of them is in proportion to the piece.
	per := 1 + len(piece)/32
	enough := 2 * len(piece) / per
	places, offset := g.fewest(piece, enough)
	places = places[atLeast(places, from+offset):]
	few := places[:min(len(places), enough)]
	if at := compareAt(path, piece, few, offset); at >= 0 || len(few) == len(places) {
		return at
	}

	// Many rules may have this very piece.
	m, ok := g.memoOf(piece, from)
	if ok {
		return m.at
	}
	m.known, m.at = true, -1
	// A piece that the path has many small parts of may still have a large part
	// that the path has not.
	if len(piece) >= rolls {
		places, offset = q.gramsOf(path, len(piece)).fewest(piece, enough)
		places = places[atLeast(places, from+offset):]
	}
	if len(places)*per > 4*len(path) {
		m.at = indexLinear(path, piece, from)
	} else {
		m.at = compareAt(path, piece, places, offset)
	}
	return m.at
}

// compareAt returns where in the path a piece is at the first of the places, which
// are those of what stands in the piece at an offset, or -1.
func compareAt(path, piece string, places []int32, offset int) int {
	for _, p := range places {
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

// atLeast returns the index of the first of the places, which ascend, that is at
// least from.
func atLeast(places []int32, from int) int {
	first, end := 0, len(places)
	for first < end {
		if counting {
			count(1)
		}
		if middle := int(uint(first+end) >> 1); int(places[middle]) < from {
			first = middle + 1
		} else {
			end = middle
		}
	}
	return first
}

// nextPlace is find for a piece as large as those in the index. So nearly all
// places with its hash are places of the piece, and the first one will do.
//
// A pattern may have very many small pieces, and the same ones again and again:
// the search starts where the last one for the same piece ended.
func (g *grams) nextPlace(path, piece string, from int) int {
	w := g.word(piece)
	h := g.mix(w)
	places := g.places(h)
	// A piece that the path has not may have the hash of one that it has very often.
	if len(places) == 0 || !g.mixed[h] && g.word(path[places[0]:]) != w {
		return -1
	}
	i := int(g.last[h])
	if i < len(places) && int(places[i]) < from {
		step := 1
		for i+step < len(places) && int(places[i+step]) < from {
			i += step
			step *= 2
			if counting {
				count(1)
			}
		}
		end := min(i+step, len(places))
		i += 1 + atLeast(places[i+1:end], from)
	} else if i > 0 && int(places[i-1]) >= from {
		i = atLeast(places[:i], from)
	}
	for ; i < len(places); i++ {
		if counting {
			count(1)
		}
		if start := int(places[i]); g.word(path[start:]) == w {
			g.last[h] = int32(i)
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
	}
	for n, power := len(run), rollingBase; n > 0; n >>= 1 {
		if n&1 != 0 {
			r.top = mulAdd(r.top, power, 0)
		}
		power = mulAdd(power, power, 0)
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
