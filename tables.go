package robots

import (
	"strings"
	"unsafe"
)

// The tables of a File stand behind its text, in the same piece of memory: most
// files are small, so that to allocate five pieces for each would be a large part
// of the parse. A File has no pointers to them, which the garbage collector would
// have to follow, but only their lengths.
type tables struct{ rules, agents, sections, hashes, links uint32 }

// What tables are made of: numbers of 32 bits, and no pointers.
type cell interface {
	rule | agent | section | uint32
}

// size returns the number of octets of n cells.
func size[T cell](n uint32) uintptr { return uintptr(n) * unsafe.Sizeof(*new(T)) }

func (t *tables) agentsAt() uintptr   { return size[rule](t.rules) }
func (t *tables) sectionsAt() uintptr { return t.agentsAt() + size[agent](t.agents) }
func (t *tables) hashesAt() uintptr   { return t.sectionsAt() + size[section](t.sections) }
func (t *tables) linksAt() uintptr    { return t.hashesAt() + size[uint32](t.hashes) }
func (t *tables) end() uintptr        { return t.linksAt() + size[uint32](t.links) }

// rules returns the rules in file order.
func (f *File) rules() []rule { return table[rule](f, 0, f.has.rules) }

// agents returns the agents in order of first mention.
func (f *File) agents() []agent { return table[agent](f, f.has.agentsAt(), f.has.agents) }

// sections returns the sections in file order.
func (f *File) sections() []section { return table[section](f, f.has.sectionsAt(), f.has.sections) }

// hashes returns the hash table of the agents, which is empty if they are few.
func (f *File) hashes() []uint32 { return table[uint32](f, f.has.hashesAt(), f.has.hashes) }

// links returns the sections of the groups that have several.
func (f *File) links() []uint32 { return table[uint32](f, f.has.linksAt(), f.has.links) }

// table returns the n cells at an offset of the tables of f.
func table[T cell](f *File, off uintptr, n uint32) []T {
	if n == 0 {
		return nil // there may be no octet at off, and so it may have no address
	}
	at := unsafe.Add(unsafe.Pointer(unsafe.StringData(f.text)), uintptr(aligned(len(f.text)))+off)
	return unsafe.Slice((*T)(at), n)
}

// aligned returns the offset at or after n where a cell may stand.
func aligned(n int) int { return (n + 3) &^ 3 }

// store gives f its text and its tables.
func (b *builder) store(f *File) {
	f.has = tables{
		rules:    uint32(len(b.rules)),
		agents:   uint32(len(b.agents)),
		sections: uint32(len(b.sections)),
		hashes:   uint32(len(b.hashes)),
		links:    uint32(len(b.links)),
	}
	var s strings.Builder
	n := len(b.text) - look + pad
	s.Grow(aligned(n) + int(f.has.end()))
	s.WriteString(b.text[:aligned(n)]) // look is more than that needs
	write(&s, b.rules)
	write(&s, b.agents)
	write(&s, b.sections)
	write(&s, b.hashes)
	write(&s, b.links)
	f.text = s.String()[:n]
}

// write appends cells as they are in memory.
func write[T cell](s *strings.Builder, cells []T) {
	s.Write(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(cells))), size[T](uint32(len(cells)))))
}
