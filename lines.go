package robots

// lines returns the lines of the rules, and behind them those of the first
// User-agent lines of the sections.
//
// What is allowed does not depend on them, and so they are not noted while a file
// is parsed, but when they are first asked for: that makes the parse faster by a
// twentieth and rules smaller by a third. Goroutines that ask at once may each make
// the table; they all make the same.
func (f *File) lines() []uint32 {
	if t := f.table.Load(); t != nil {
		return *t
	}
	if counting {
		count(len(f.String()))
	}
	rules, sections := f.rules(), f.sections()
	t := make([]uint32, len(rules)+len(sections))
	ruleLines, sectionLines := t[:len(rules)], t[len(rules):]
	end, line := uint32(0), uint32(0) // of the line at hand, which has one of them at most
	advance := func(off uint32) uint32 {
		for end <= off {
			end = nextLine(f.text, lineEnd(f.text, end))
			line++
		}
		return line
	}
	n := 0
	for i := range sections {
		for ; n < int(sections[i].rules); n++ {
			ruleLines[n] = advance(rules[n].off)
		}
		sectionLines[i] = advance(sections[i].off)
	}
	for ; n < len(rules); n++ {
		ruleLines[n] = advance(rules[n].off)
	}
	f.table.Store(&t)
	return t
}

// lineOfRule returns the line of rule number n.
func (f *File) lineOfRule(n uint32) int { return int(f.lines()[n]) }

// lineOfSection returns the line on which section number n starts.
func (f *File) lineOfSection(n uint32) int { return int(f.lines()[f.has.rules+n]) }
