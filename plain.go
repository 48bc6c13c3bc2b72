package robots

import (
	"math/bits"
	"slices"
)

// A mark says where a User-agent line is, and how many rules are before it.
type mark struct{ off, rules uint32 }

// plainLines reads lines as long as they are plain: rules with nothing but the
// name, a colon, the pattern, blanks and a comment, User-agent lines that start
// with just that name and a colon, or lines that mean nothing to the rules. The
// rules are added to b.rules. The User-agent lines are left in b.marks.
//
// Nearly all lines of real files are such, and to read them apart, eight octets
// at a time and with all that is at hand in registers, makes parsing twice as
// fast. The scanner would read them just the same.
func (b *builder) plainLines(s *scanner) {
	// There is no call in the loop, so that nothing has to leave the registers:
	// not even to append, for which there is room for so many rules.
	n := uint(len(b.rules)) // unsigned: to know that there is room for one more takes one comparison
	b.marked = 0
	rules := slices.Grow(b.rules, 64)
	rules = rules[:cap(rules)]
	t := s.text
	start, end := uint32(s.pos), uint32(s.end)
loop:
	for start < end {
		head := t[int(start) : int(start)+16]
		w := load64(head, 0)
		// Setting the bit of lower case maps other octets to letters too, but
		// none to these, and some to '-' and ':', which are compared as they
		// are.
		f := w | fold
		// The value of a rule ends at the first octet under '$' in the order of
		// ASCII. Line ends are there, white space and '#'; of what else patterns
		// are made of only '!' and '"' are. Octets from 0xA4 on are taken for
		// ends too. Lines with such go the long way.
		v, under := start, uint64(each*'$')
		if f == wordDisallow && head[8] == ':' {
			if v = start + 9; head[9] == ' ' {
				v = start + 10
			}
		} else if f&(1<<40-1) == wordAllow && head[5] == ':' {
			if v = start + 6; head[6] == ' ' {
				v = start + 7
			}
		} else if c := byte(w); c == '\n' || c == '\r' { // nothing more than a line end
			if start++; c == '\r' && head[1] == '\n' {
				start++
			}
			continue
		} else if isBlank(c) {
			p := start + 1
			for isBlank(t[p]) {
				p++
			}
			if t[p] != '\n' && t[p] != '\r' && t[p] != '#' {
				if counting {
					count(int(p - start))
				}
				break
			}
			start = p // the rest is passed over like a line of its own
			continue
		} else if !opening[c] {
			under = each * ('\r' + 1) // no rule, and all of the line is passed over
		} else if f == wordUserAge && head[4] == '-' && load64(head, 8)&0xFFFFFF|0x2020 == wordNT {
			// So is that of a User-agent line, for now.
			if b.marked == uint32(len(b.marks)) {
				break
			}
			b.marks[b.marked] = mark{start, uint32(n)}
			b.marked++
			under = each * ('\r' + 1)
		} else {
			break
		}
		// Most values, and lines, end within 32 octets. Where they do is hard to foresee, so
		// one look at all 32, rather than four with a branch each, makes parsing
		// faster by a twentieth.
		p := v
		for {
			near := t[int(p) : int(p)+32]
			low := lows(load64(near, 0), under) | lows(load64(near, 8), under)<<8 |
				lows(load64(near, 16), under)<<16 | lows(load64(near, 24), under)<<24
			if low != 0 {
				p += uint32(bits.TrailingZeros32(low))
				break
			}
			p += 32
			// A line that Google's parser cuts (S9), or nearly, is not plain.
			if p-start > googleLine-64 {
				if counting {
					count(int(p - start))
				}
				break loop
			}
		}
		if n >= uint(len(rules)) {
			break
		}
		// The lowest bit tells the letter A from D.
		rules[n] = rule{v, (p-v)<<1 | uint32(w)&1}
		next := n
		if v > start {
			next++
		}
		if t[p] != '\n' {
			if v > start {
				for isBlank(t[p]) {
					p++
				}
			} else {
				for t[p] != '\n' && t[p] != '\r' {
					p++
				}
			}
			if t[p] == '\r' && t[p+1] == '\n' {
				p++
			} else if t[p] == '#' {
				start, n = p, next // the comment is passed over like a line of its own
				continue
			} else if t[p] != '\n' && t[p] != '\r' {
				if counting {
					count(int(p - start))
				}
				break
			}
		}
		start = p + 1
		n = next
	}
	if b.marked > 0 && b.marks[b.marked-1].off == start {
		b.marked-- // the line was not plain after all
	}
	if counting {
		count(1 + int(start) - s.pos)
	}
	s.pos = int(start)
	b.rules = rules[:n]
}

// plainAgent reads the User-agent line at a mark.
func (b *builder) plainAgent(m mark) {
	t, set := b.text, tokenClass(b.dialect)
	v := m.off + 11
	for isBlank(t[v]) {
		v++
	}
	// What follows a token does not matter: the line names nobody else.
	p := v
	for {
		p += letters(load64(t, p))
		if class[t[p]]&set == 0 {
			break
		}
		p++
	}
	if p == v {
		// As fileToken does it (S5, S6).
		if c := t[v+1]; t[v] == '*' && (isSpace(c) || c == '#' || c == 0) {
			p++
		}
	}
	if counting {
		count(int(p - m.off))
	}
	b.openSection(m)
	switch {
	case p == v && (t[v] == '\v' || t[v] == '\f'), // the value may not have begun
		p-m.off > googleLine-2 && b.dialect == Google: // the octet behind may be one that Google's parser cuts (S9)
		s := scanner{text: t, pos: int(m.off), end: len(t) - look, dialect: b.dialect}
		s.readLine()
		b.nameToken(&s)
	case p > v:
		b.name(v, p-v)
	}
}

// lows returns a bit for each of eight octets. It is set for the first one that is
// under the octet that under has in all places and, behind it or from 0x80 above
// that octet on, for some that are not.
func lows(w, under uint64) uint32 {
	const gather = 0x0002040810204081 // brings the high bits of eight octets together
	return uint32((w - under) & high * gather >> 56)
}

// letters returns how many of eight octets, from the first one on, are letters.
func letters(w uint64) uint32 {
	x := w&^high | fold
	other := (x + each*(0x80-'z'-1) | ^(x + each*(0x80-'a')) | w) & high
	return uint32(bits.TrailingZeros64(other)) >> 3
}

// opening has the octets with which a line may begin that means something to the
// rules, blanks aside.
var opening = func() (t [256]bool) {
	for _, c := range []byte("acduACDU\v\f" + bom[:1]) {
		t[c] = true
	}
	return t
}()
