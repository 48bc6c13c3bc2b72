package robots

// Warm makes the indexes of all groups of f, as many questions do for those
// with more than a few rules. Not for use while f is asked.
func Warm(f *File) *File {
	for i := range f.groups {
		if g := &f.groups[i]; g.count > 0 {
			g.index.Store(newIndex(g))
		}
	}
	return f
}

// newIndex makes the index of a group at once.
func newIndex(g *Group) *index {
	m := newMaker(g)
	for m.step(1<<30) == 0 {
	}
	return m.index()
}

// Warmed reports whether the group that an agent obeys has its index.
func Warmed(f *File, agent string) bool {
	x := f.Group(agent).index.Load()
	return x != nil && x.maker == nil
}

// WarmUp is the number of questions after which a group gets its index, and
// Making is that of those that then make one, at most.
const (
	WarmUp = warmup
	Making = 32
)
