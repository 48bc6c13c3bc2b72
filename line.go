package robots

import (
	"sort"
	"strings"
)

// A lineCounter tells in which line of a text an offset is. Rules do not hold
// their lines, since to allocate and fill the memory for them would make parsing
// slower by a twentieth, and to count the lines of a section takes no longer than
// it takes to fetch it from memory.
type lineCounter struct {
	text string // padded
	at   int    // an offset
	line int    // the line that it is in, 1-based
}

// to moves to an offset, which is not before the last one, and returns its line.
func (c *lineCounter) to(off int) int {
	passed := c.text[c.at:off]
	if counting {
		count(len(passed))
	}
	c.line += strings.Count(passed, "\n")
	for i := c.at; ; i++ {
		n := strings.IndexByte(c.text[i:off], '\r')
		if n < 0 {
			break
		}
		// CRLF is one line end, and its LF has been counted.
		if i += n; c.text[i+1] != '\n' {
			c.line++
		}
	}
	c.at = off
	return c.line
}

// lines returns a counter that is at the start of a section.
func (f *File) lines(s *section) lineCounter {
	return lineCounter{f.text, int(s.off), int(s.line)}
}

// lineOf returns the line of rule number n.
func (f *File) lineOf(n uint32) int {
	sections := f.sections()
	// It is in the last section that does not start behind it.
	next := sort.Search(len(sections), func(i int) bool { return sections[i].rules > n })
	c := f.lines(&sections[next-1])
	return c.to(int(f.rules()[n].off))
}
