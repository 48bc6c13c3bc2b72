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

// NeverIndexed makes all groups of f scan for good.
func NeverIndexed(f *File) *File {
	for i := range f.groups {
		f.groups[i].asked.Store(settled)
	}
	return f
}

// newIndex makes the index of a group at once.
func newIndex(g *Group) *index {
	m := newMaker(g)
	for m.step(1<<30) == 0 {
	}
	return m.finish()
}

// Warmed reports whether the group that an agent obeys has its index.
func Warmed(f *File, agent string) bool {
	x := f.Group(agent).index.Load()
	return x != nil && x.maker == nil
}

// Making reports whether the index of that group has been begun, but is not done.
func Making(f *File, agent string) bool {
	x := f.Group(agent).index.Load()
	return x != nil && x.maker != nil
}

const (
	// WarmUp is the number of questions to a group after which its index is begun.
	WarmUp = warmup

	// MostSteps is more than the number of steps that an index takes in a file
	// of up to MaxBytes.
	MostSteps = 32
)
