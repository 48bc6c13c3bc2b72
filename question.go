package robots

import (
	"math/bits"
	"strings"
)

// A question holds what has been found out about the path of a URL while rules
// were compared with it. The path itself, in normal form, goes beside it: if it
// were in it, the compiler would take it for something that release hands out,
// and allocate it.
type question struct {
	has octetSet // of the path, or 0 while nobody wants to know

	query int // 1 + the offset of the first "?", or -1 if there is none; 0 if unknown

	// searched is how many octets have been searched through for literal pieces.
	// When it is many times the length of the path, then the rules are many and
	// like the path, and an index of the path is made, so that it need not be
	// searched again and again.
	searched int
	grams    *gramSet

	made int // the work that it has done for indexes, see Group.prepare
}

// An octetSet is a set of octets. What most URLs and patterns are made of has a bit
// for each, and all else shares the others.
type octetSet uint64

// octetBit has the set of just each octet.
var octetBit = func() (t [256]octetSet) {
	const own = "abcdefghijklmnopqrstuvwxyz0123456789/?=&._-%+"
	for c := range t {
		t[c] = 1 << (len(own) + c%(64-len(own)))
	}
	for i := range len(own) {
		t[own[i]] = 1 << i
	}
	return t
}()

// octets returns those of the path. Most rules with a star are settled by what
// octets they need, and so all of the path are noted at once.
func (q *question) octets(path string) octetSet {
	if q.has == 0 {
		if counting {
			count(len(path))
		}
		set := octetSet(0)
		for i := range len(path) {
			set |= octetBit[path[i]]
		}
		q.has = set
	}
	return q.has
}

// lacks reports whether it is sure that the path lacks an octet.
func (q *question) lacks(path string, c byte) bool { return q.octets(path)&octetBit[c] == 0 }

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
	star := strings.IndexByte(p.text, p.star)
	if counting && star >= 0 {
		count(star)
	}
	return (star < 0 || !q.lacksLast(path, p)) && q.matchesFrom(path, p, star)
}

// matchesFrom reports whether p, whose first star is known, or to be -1 if there
// is none, matches the path.
func (q *question) matchesFrom(path string, p *pattern, star int) bool {
	if star < 0 {
		if counting {
			count(len(p.text))
		}
		return strings.HasPrefix(path, p.text) && (!p.anchored || len(path) == len(p.text))
	}
	if counting {
		count(star)
	}
	return strings.HasPrefix(path, p.text[:star]) && q.matchesTail(path, p, p.text[star+1:], star)
}

// lacksLast reports whether it is sure that the path lacks the last octets of a
// pattern, where they must be if it is anchored. That settles most patterns with a
// star. The pattern need not be in normal form.
func (q *question) lacksLast(path string, p *pattern) bool {
	n := len(p.text) - 1
	if n < 0 || !staysLiteral(p.text, n) {
		return false
	}
	if p.anchored {
		return path[len(path)-1] != p.text[n]
	}
	return q.lacks(path, p.text[n]) || n > 0 && staysLiteral(p.text, n-1) && q.lacks(path, p.text[n-1])
}

// lacksPair reports whether the path lacks two octets in a row that a pattern, which
// need not be in normal form, has near its end. To search for them takes a small part
// of what it takes to bring the pattern to normal form.
func (q *question) lacksPair(path, text string) bool {
	for n := len(text) - 1; n > max(0, len(text)-16); n-- {
		if staysLiteral(text, n) && staysLiteral(text, n-1) {
			return q.find(path, text[n-1:n+1], 0) < 0
		}
	}
	return false
}

// staysLiteral reports whether an octet of a pattern stands for itself in normal
// form too: it is of no special class, and not the last one of an escape. (If it is
// the one before, the octet behind it is the last.)
func staysLiteral(text string, i int) bool {
	return class[text[i]]&(classWild|classOdd) == 0 && (i < 2 || text[i-2] != '%')
}

// matchesTail reports whether the rest of a pattern behind a star, which is in
// text, matches the path from the offset at on, or from any later one.
//
// Each literal piece is looked for from where the one before it ended, and the
// leftmost place is taken: if any choice of places lets the rest match, that
// one does. So no octet of the path is passed twice, whatever the pattern.
func (q *question) matchesTail(path string, p *pattern, text string, at int) bool {
	for {
		n := pieceLen(text, p.star)
		last := n == len(text)
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

// pieceLen returns the offset of the first star in s, or its length. Most pieces
// are short, and those of patterns that have very many are.
func pieceLen(s string, star byte) int {
	if len(s) < 8 {
		for n := range len(s) {
			if s[n] == star {
				return n
			}
		}
		return len(s)
	}
	w := load64(s, 0) ^ each*uint64(star)
	if m := (w - each) &^ w & high; m != 0 {
		return bits.TrailingZeros64(m) >> 3
	}
	if n := strings.IndexByte(s[8:], star); n >= 0 {
		return 8 + n
	}
	return len(s)
}

// hasEscape reports whether there is a slashEscape or a colonEscape in s.
func hasEscape(s string) bool {
	if len(s) == 1 {
		return s[0] == slashEscape || s[0] == colonEscape
	}
	return strings.IndexByte(s, slashEscape) >= 0 || strings.IndexByte(s, colonEscape) >= 0
}

// findEither is find for a piece with an escaped "/" or ":", which may fall in
// the path, where it is not the octet, or in the query, where it is. It returns
// where the leftmost match ends or, if that must be at the end of the URL,
// whether there is one.
//
// The piece as it reads in the path starts before the query: what looks like an
// escape there, as "%2%46" does in normal form, is none. It then ends before any
// match of the other form, which starts in the query and is as long but for the
// escapes.
func (q *question) findEither(path, piece string, at int, anchored bool) int {
	if len(piece) > len(path)-at {
		return -1
	}
	query, before := q.queryAt(path), len(path)
	if query >= 0 {
		before = query
	}
	if !q.lacks(path, '%') {
		if end := q.findForm(path, piece, false, at, before, anchored); end >= 0 {
			return end
		}
	}
	if query >= 0 {
		return q.findForm(path, piece, true, max(at, query), len(path), anchored)
	}
	return -1
}

// findForm is findEither for one of the two forms, which starts at or after one
// offset and before another.
func (q *question) findForm(path, piece string, inQuery bool, at, before int, anchored bool) int {
	if len(piece) == 1 {
		// Patterns may have very many of these.
		form := "/"
		switch {
		case !inQuery && piece[0] == slashEscape:
			form = "%2F"
		case !inQuery:
			form = "%3A"
		case piece[0] == colonEscape:
			form = ":"
		}
		return q.findEnd(path, form, at, before, anchored)
	}
	if counting {
		count(len(piece))
	}
	var stack [128]byte
	buf, pooled := room(stack[:], 3*len(piece))
	defer putBuffer(pooled)
	return q.findEnd(path, view(appendForm(buf, piece, inQuery)), at, before, anchored)
}

// findEnd is find for a piece that starts before an offset too, but returns where it
// ends, and finds it nowhere but at the end of the path if it is anchored there.
func (q *question) findEnd(path, piece string, at, before int, anchored bool) int {
	start := len(path) - len(piece)
	if !anchored {
		start = q.find(path, piece, at)
	} else if !strings.HasSuffix(path[at:], piece) {
		return -1
	}
	if start < 0 || start >= before {
		return -1
	}
	return start + len(piece)
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
	if counting {
		count(1 + len(piece)/32)
	}
	// Between hostile patterns and paths a piece often stands right here.
	if len(piece) == 0 || rest[0] == piece[0] && rest[:len(piece)] == piece {
		return from
	}
	often := q.searched > 8*len(path)+32<<10
	if often && len(piece) <= 3 && len(rest) >= near+3 {
		// Patterns with very many pieces of few octets find most of them near, and
		// sooner than by an index.
		if counting {
			count(1 + near/8)
		}
		if i := findNear(rest, piece); i >= 0 {
			return from + i
		}
	}
	if often || len(piece) > longPiece && len(path) > longPath {
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

// near is how far findNear looks.
const near = 64

// findNear returns the first of the near offsets of s where a piece of up to three
// octets is, or -1.
func findNear(s, piece string) int {
	if len(piece) == 1 {
		return strings.IndexByte(s[:near], piece[0])
	}
	first, mid, last := each*uint64(piece[0]), each*uint64(piece[len(piece)/2]), each*uint64(piece[len(piece)-1])
	for i := 0; i < near; i += 8 {
		// An octet is zero where all are equal.
		x := (load64(s, i) ^ first) | (load64(s, i+len(piece)/2) ^ mid) | (load64(s, i+len(piece)-1) ^ last)
		if m := (x - each) &^ x & high; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	return -1
}

// release gives back what the question has borrowed.
func (q *question) release() {
	if q.grams != nil {
		q.grams.release()
	}
}
