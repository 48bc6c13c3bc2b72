//go:build robots_count

package robots

import (
	"fmt"
	"strings"
	"testing"

	"example.com/robots/internal/hostile"
)

// The bounds are on work, counted in octets, rules and table entries that are
// looked at, not on time, which benchmarks show (see internal/bench). The same
// factors hold for files and URLs of sizes far apart, so the work grows no
// faster than they do.

// worked returns the work that f does.
func worked(f func()) int {
	work = 0
	f()
	return work
}

// hostileBodies calls f with all hostile files in several sizes, in both
// dialects.
func hostileBodies(f func(name string, p Parser, body []byte)) {
	for _, shape := range hostile.Files {
		for _, size := range []int{2 << 10, MaxBytes} {
			for _, d := range []Dialect{RFC9309, Google} {
				name := fmt.Sprintf("%v, %s, %d octets", d, shape.Name, size)
				f(name, Parser{Dialect: d}, []byte(shape.Make(size)))
			}
		}
	}
}

func TestBoundParse(t *testing.T) {
	const factor = 4
	hostileBodies(func(name string, p Parser, body []byte) {
		if got := worked(func() { p.Parse(body) }); got > factor*len(body) {
			t.Errorf("%s: Parse looks at %.2f times as much, want at most %d", name, float64(got)/float64(len(body)), factor)
		}
	})
}

func TestBoundIndex(t *testing.T) {
	const factor = 8
	hostileBodies(func(name string, p Parser, body []byte) {
		f := p.Parse(body)
		got := worked(func() { Warm(f) })
		if got > factor*len(body) {
			t.Errorf("%s: an index looks at %.2f times as much, want at most %d", name, float64(got)/float64(len(body)), factor)
		}
	})
}

// An index is made step by step. Each question does little more for it than what
// a scan does, and there are not many.
func TestBoundMaking(t *testing.T) {
	const perFile, more = 3, 64 << 10
	hostileBodies(func(name string, p Parser, body []byte) {
		f := p.Parse(body)
		bound := perFile*len(body) + more
		most := 0
		for range WarmUp + MostSteps {
			most = max(most, worked(func() { f.Allowed(hostile.Agent, "/") }))
		}
		if most > bound {
			t.Errorf("%s: a question while the index is made looks at %d, want at most %d", name, most, bound)
		}
		if g := f.Group(hostile.Agent); g.count > 0 && !Warmed(f, hostile.Agent) && g.asked.Load() < settled {
			t.Errorf("%s: no index after %d questions", name, WarmUp+MostSteps)
		}
	})
}

// A question looks at the file and, since it may search through the URL for
// many pieces before it makes an index of it, at a URL of up to three times the
// length in normal form many times, but not at the one for each octet of the
// other.
func TestBoundCheck(t *testing.T) {
	hostileBodies(func(name string, p Parser, body []byte) {
		checkBound(t, name, p, body, hostile.Paths, 100, 8<<10, 64<<10)
	})
}

// The same for URLs of 1 MB, of the shapes that take the longest time to make or
// to read.
func TestBoundCheckLongURL(t *testing.T) {
	var paths []hostile.Shape
	for _, path := range hostile.Paths {
		switch path.Name {
		case "a", "%", "%2F", "blocks":
			paths = append(paths, path)
		}
	}
	for _, shape := range hostile.Files {
		name := shape.Name + ", URLs of 1 MB"
		checkBound(t, name, Parser{}, []byte(shape.Make(MaxBytes)), paths, 1<<20)
	}
}

// To explain takes no more than the question, but for the first explanation, which
// looks once at the file for its lines. And whoever asks again waits as long.
func TestBoundExplain(t *testing.T) {
	hostileBodies(func(name string, p Parser, body []byte) {
		f := Warm(p.Parse(body))
		allowed := worked(func() { f.Allowed(hostile.Agent, "/") })
		explain := worked(func() { f.Explain(hostile.Agent, "/") })
		if bound := allowed + len(body); explain > bound {
			t.Errorf("%s: the first explanation looks at %d, want at most %d", name, explain, bound)
		}
		f.lines()
		for _, path := range hostile.Paths {
			url := path.Make(100)
			allowed := worked(func() { f.Allowed(hostile.Agent, url) })
			if again := worked(func() { f.Allowed(hostile.Agent, url) }); again != allowed {
				t.Errorf("%s: Allowed(%.20s) looks at %d, and at %d when asked again", name, url, allowed, again)
			}
			explain := worked(func() { f.Explain(hostile.Agent, url) })
			if bound := allowed + 100; explain > bound {
				t.Errorf("%s: Explain(%.20s) looks at %d, want at most %d", name, url, explain, bound)
			}
		}
	})
}

// Neither do the rules of a group take more than a look at the file.
func TestBoundRules(t *testing.T) {
	hostileBodies(func(name string, p Parser, body []byte) {
		most := 0
		for g := range p.Parse(body).Groups() {
			most = max(most, worked(func() {
				for range g.Rules() {
				}
			}))
		}
		if most > len(body) {
			t.Errorf("%s: the rules of a group look at %d, want at most %d", name, most, len(body))
		}
	})
}

// Pieces that a path has not, some of which have the hash of one that it has very
// often, are not looked for at all its places.
func TestBoundLookUp(t *testing.T) {
	path := strings.Repeat("ab", 4<<10)
	var q question
	defer q.release()
	for size := 1; size <= shortPiece; size++ {
		q.lookUp(path, path[:size], 0)
		for i := range 40_000 {
			piece := fmt.Sprintf("%08d", i*7919%1e8)[8-size:]
			if got := worked(func() { q.lookUp(path, piece, 0) }); got > 8 {
				t.Fatalf("to look for %q looks at %d", piece, got)
			}
		}
	}
}

// Nor do two pieces that a path is full of keep one hash, if they have it by the
// first way of hashing.
func TestBoundHashes(t *testing.T) {
	first := grams{size: 4, mul: tokenSeed | 1, shift: 64 - 12}
	pieces := make(map[uint64]string)
	for i := range 5_000 { // there are 4,096 hashes
		piece := fmt.Sprintf("%04d", i)
		h := first.hash(piece)
		other := pieces[h]
		pieces[h] = piece
		if other == "" {
			continue
		}
		g := grams{size: 4}
		g.make(strings.Repeat(piece, 512) + strings.Repeat(other, 512))
		if g.shift != first.shift || g.hash(piece) == g.hash(other) {
			t.Fatalf("%q and %q have one hash", piece, other)
		}
	}
}

// checkBound asks a file, by scan and by index, about paths of some sizes.
func checkBound(t *testing.T, name string, p Parser, body []byte, paths []hostile.Shape, sizes ...int) {
	const perFile, perURL, more = 6, 80, 32 << 10
	scanned, indexed := NeverIndexed(p.Parse(body)), Warm(p.Parse(body))
	worst, which := 0.0, ""
	for _, path := range paths {
		for _, size := range sizes {
			url := path.Make(size)
			bound := perFile*len(body) + perURL*len(url) + more
			for i, f := range []*File{scanned, indexed} {
				got := worked(func() { f.Allowed(hostile.Agent, url) })
				if part := float64(got) / float64(bound); part > worst {
					worst = part
					which = fmt.Sprintf("%s looks at %d for a URL of %d octets (%s)", [...]string{"a scan", "an index"}[i], got, len(url), path.Name)
				}
			}
		}
	}
	if worst > 1 {
		t.Errorf("%s: %s, which is %.2f times the bound", name, which, worst)
	}
}
