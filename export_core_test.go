package robots

// Warm builds the indexes of all groups of f, as many questions do for those
// with more than a few rules. Not for use while f is asked.
func Warm(f *File) *File {
	for i := range f.groups {
		if g := &f.groups[i]; g.count > 0 {
			g.index.Store(newIndex(g))
		}
	}
	return f
}

// Warmed reports whether the group that an agent obeys has its index.
func Warmed(f *File, agent string) bool {
	g := f.Group(agent)
	return g.index.Load() != nil
}

// WarmUp is the number of questions after which a group gets its index.
const WarmUp = warmup
