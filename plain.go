package robots

import (
	"math/bits"
	"slices"
)

// plainLines reads lines as long as they are plain rules, with nothing but the
// name, a colon, the pattern, blanks and a comment, or lines that mean nothing to
// the rules.
//
// Nearly all lines of real files are such, and to read them apart, eight octets
// at a time and with all that is at hand in registers, makes parsing twice as
// fast. The scanner would read them just the same.
func plainLines(s *scanner, found []rule) []rule {
	// There is no call in the loop, so that nothing has to leave the registers:
	// not even to append, for which there is room for so many rules.
	n := len(found)
	rules := slices.Grow(found, 64)
	rules = rules[:cap(rules)]
	t := s.text
	start, end := uint32(s.pos), uint32(s.end)
loop:
	for n < len(rules) && start < end {
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
	if counting {
		count(1 + int(start) - s.pos)
	}
	s.pos = int(start)
	return rules[:n]
}

// plainAgents reads User-agent lines as long as they start with just that name
// and a colon, as nearly all do. They stand behind so many rules. It reports
// whether there was one.
func (b *builder) plainAgents(s *scanner, rules int) bool {
	t, set := s.text, tokenClass(b.dialect)
	start := uint32(s.pos)
	for start < uint32(s.end) {
		head := t[int(start) : int(start)+16]
		if load64(head, 0)|fold != wordUserAge || head[4] != '-' || load64(head, 8)&0xFFFFFF|0x2020 != wordNT {
			break
		}
		v := start + 11
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
			if t[v] == '\v' || t[v] == '\f' { // the value may not have begun
				break
			}
			// As fileToken does it (S5, S6).
			if c := t[v+1]; t[v] == '*' && (isSpace(c) || c == '#' || c == 0) {
				p++
			}
		}
		// The octet behind what was read may be one that Google's parser cuts (S9).
		if p-start > googleLine-2 && b.dialect == Google {
			break
		}
		b.openSection(int(start), rules)
		if p > v {
			b.name(v, p-v)
		}
		if t[p] == '\r' && t[p+1] == '\n' {
			p++
		} else if t[p] != '\n' {
			p = nextLine(t, lineEnd(t, p)) - 1
		}
		if counting {
			count(int(p + 1 - start))
		}
		start = p + 1
	}
	read := int(start) > s.pos
	s.pos = int(start)
	return read
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
