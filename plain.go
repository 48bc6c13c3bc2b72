package robots

import (
	"math/bits"
	"slices"
)

// plainLines reads lines as long as they are plain rules, with nothing but the
// name, a colon, the pattern and blanks, or lines that mean nothing to
// the rules. It returns kindUserAgent if a line that starts like a User-agent line
// comes next.
//
// Nearly all lines of real files are such, and to read them apart, eight octets
// at a time and with all that is at hand in registers, makes parsing twice as
// fast. The scanner would read them just the same.
func plainLines(s *scanner, base uint32, found []rule) ([]rule, kind) {
	// There is no call in the loop, so that nothing has to leave the registers:
	// not even to append, for which there is room for so many rules.
	n := len(found)
	rules := slices.Grow(found, 64)
	rules = rules[:cap(rules)]
	t := s.text
	start, line, end := uint32(s.pos), uint32(s.line), uint32(s.end)
	k := kindEnd
loop:
	for n < len(rules) && start < end {
		w := load64(t, start)
		var v, allow uint32
		// Setting the bit of lower case maps other octets to letters too, but
		// none to these, and some to '-' and ':', which are compared as they
		// are.
		if f := w | fold; f == wordDisallow && t[start+8] == ':' {
			v = start + 9
		} else if f&(1<<40-1) == wordAllow && t[start+5] == ':' {
			v, allow = start+6, 1
		} else if f == wordUserAge {
			k = kindUserAgent
			break
		} else if !opening[byte(w)] {
			p := start // as lineEnd and nextLine do it
			for {
				m := (load64(t, p) - each*('\r'+1)) & high
				if m == 0 {
					p += 8
					continue
				}
				p += uint32(bits.TrailingZeros64(m) >> 3)
				if t[p] == '\n' || t[p] == '\r' {
					break
				}
				p++
			}
			if t[p] == '\r' && t[p+1] == '\n' {
				p++
			}
			start = p + 1
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
		//
		// Most values end within 32 octets. Where they do is hard to foresee, so
		// one look at all 32, rather than four with a branch each, makes parsing
		// faster by a twentieth.
		p := v
		for {
			near := t[int(p) : int(p)+32]
			low := lows(load64(near, 0)) | lows(load64(near, 8))<<8 |
				lows(load64(near, 16))<<16 | lows(load64(near, 24))<<24
			if low != 0 {
				p += uint32(bits.TrailingZeros32(low))
				break
			}
			// A line that Google's parser cuts (S9), or nearly, is not plain.
			if p += 32; p-start > googleLine-64 {
				break loop
			}
		}
		rules[n] = rule{base + v, (p-v)<<1 | allow, line + 1}
		if t[p] != '\n' {
			for isBlank(t[p]) {
				p++
			}
			if t[p] == '\r' && t[p+1] == '\n' {
				p++
			} else if t[p] != '\n' && t[p] != '\r' {
				if counting {
					count(int(p - start))
				}
				break
			}
		}
		start = p + 1
		line++
		n++
	}
	if counting {
		count(1 + int(start) - s.pos)
	}
	s.pos, s.line = int(start), int(line)
	return rules[:n], k
}

// plainAgent reads a line that starts with "user-age" if it is a User-agent line
// like most. It takes for the value what tells whom the line names.
func (s *scanner) plainAgent() bool {
	t, v := s.text, uint32(s.pos)
	if t[v+4] != '-' || load64(t, v+8)&0xFFFFFF|0x2020 != wordNT {
		return false
	}
	v += 11
	for isBlank(t[v]) {
		v++
	}
	p := v
	low := lows(load64(t, p))
	for low == 0 {
		p += 8
		low = lows(load64(t, p))
	}
	p += uint32(bits.TrailingZeros32(low))
	if s.dialect == Google && int(p)-s.pos >= googleLine {
		return false
	}
	end := p
	switch t[p] {
	case '\n', '\r':
	case '#', 0: // the value ends
		end = lineEnd(t, p)
	case '\v', '\f': // it may not have begun
		return false
	default: // it goes on, but whom it names has been said
		end = lineEnd(t, p)
		p++
	}
	s.start, s.val, s.valTo = s.pos, int(v), int(p)
	s.pos = int(nextLine(t, end))
	s.line++
	if counting {
		count(s.pos - s.start)
	}
	return true
}

// lows returns a bit for each of eight octets. It is set for the first one that is
// under '$' and, behind it or from 0xA4 on, for some that are not.
func lows(w uint64) uint32 {
	const gather = 0x0002040810204081 // brings the high bits of eight octets together
	return uint32((w - each*'$') & high * gather >> 56)
}

// opening has the octets with which a line may begin that means something to the
// rules.
var opening = func() (t [256]bool) {
	for _, c := range []byte("acduACDU \t\v\f" + bom[:1]) {
		t[c] = true
	}
	return t
}()
