package robots

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/robots/internal/hostile"
)

// bySteps makes the index of a group in steps of some work, and yields their
// number after each. Meanwhile questions to the group make none.
func bySteps(g *Group, work int) iter.Seq[int] {
	return func(yield func(int) bool) {
		m := newMaker(g)
		m.mu.Lock()
		defer m.mu.Unlock()
		g.index.Store(&index{maker: m})
		for steps, done := 1, false; !done; steps++ {
			if done = m.step(work) > 0; done {
				g.index.Store(m.finish())
			}
			if !yield(steps) {
				return
			}
		}
	}
}

// FuzzIndex compares the indexed with the scanned group: rule and specificity
// must be the same, whatever the file and the URL, and while the index is made.
func FuzzIndex(f *testing.F) {
	for _, body := range []string{
		"Disallow: /*%2F4\n",
		"Allow: /*/*/index.html\nDisallow: /*$\n",
		"Disallow: /*x$\nDisallow: /*x*\n",
		"Disallow: /a\nDisallow: /a\nAllow: /a\nDisallow: /a*\nDisallow: /a$\nDisallow: /ab*c$\n",
		"Disallow: /%61*%2a%24%3a*%2f?%3a%2f$\nAllow: /a**$$\n",
		"Disallow: *\nAllow: $\nDisallow:\nAllow: /\nAllow: index.htm\n",
		"Disallow: /a\nUser-agent: b\nDisallow: /c*d\nUser-agent: a\nUser-agent: b\nAllow: /*e\nAllow: /c\n",
		"Disallow: /é*\xff\x01\x02\nAllow: /\"<>*%\n",
	} {
		for _, url := range []string{"/a", "/x?/4", "/x/y/", "/xy", "/a*$:/?:/", "/%C3%A9/\xff%01\x02", "http://h?q=%2F:", ""} {
			f.Add(body, url)
		}
	}
	for i, shape := range hostile.Files {
		f.Add(shape.Make(200), hostile.Paths[i%len(hostile.Paths)].Make(40))
	}
	f.Fuzz(func(t *testing.T, body, url string) {
		for _, d := range []Dialect{RFC9309, Google} {
			data := []byte("User-agent: a\n" + body)
			p := Parser{Dialect: d}
			indexed, scanned := Warm(p.Parse(data)), NeverIndexed(p.Parse(data))
			stepped := p.Parse(data)
			for i := range indexed.groups {
				g := &stepped.groups[i]
				want := scanned.groups[i].ask(url)
				if got := indexed.groups[i].ask(url); got != want {
					t.Errorf("%v: group %d answers %q by %+v with an index, %+v without\n%s", d, i, url, got, want, data)
				}
				if g.count == 0 {
					continue
				}
				for steps := range bySteps(g, 64) {
					if got := g.ask(url); got != want {
						t.Errorf("%v: group %d answers %q by %+v after %d steps of an index, %+v without\n%s", d, i, url, got, steps, want, data)
					}
				}
				if got, want := g.index.Load(), indexed.groups[i].index.Load(); !reflect.DeepEqual(got, want) {
					t.Errorf("%v: group %d has the index %+v made step by step, %+v made at once\n%s", d, i, got, want, data)
				}
			}
		}
	})
}

// However large its file, a group has its index after not many questions, and
// all that ask at a time get the answers of a scan.
func TestIndexConcurrent(t *testing.T) {
	for _, shape := range hostile.Files {
		switch shape.Name {
		case "tiny distinct stars", "tiny unescaped", "agents in all sections", "nested", "index pages":
		default:
			continue
		}
		for _, d := range []Dialect{RFC9309, Google} {
			p := Parser{Dialect: d}
			body := []byte(shape.Make(100 << 10))
			f, scanned := p.Parse(body), NeverIndexed(p.Parse(body))
			var urls [4]string
			var want [4]Decision
			for i := range urls {
				urls[i] = hostile.Paths[i].Make(20)
				want[i] = scanned.Explain(hostile.Agent, urls[i])
			}
			// Who asks while another makes a step makes none, so that one could ask all
			// questions during the steps of another: they go on together.
			for n := range WarmUp + MostSteps {
				var wg sync.WaitGroup
				for i, url := range urls {
					wg.Go(func() {
						if got := f.Explain(hostile.Agent, url); got != want[i] {
							t.Errorf("%v, %s: question %d: Explain(%q, %q) = %v, want %v", d, shape.Name, n, hostile.Agent, url, got, want[i])
						}
					})
				}
				wg.Wait()
			}
			if g := f.Group(hostile.Agent); !Warmed(f, hostile.Agent) && g.asked.Load() < settled {
				t.Errorf("%v, %s: no index after %d questions", d, shape.Name, 4*(WarmUp+MostSteps))
			}
		}
	}
}

// What heads have in common may be longer than a node can skip.
func TestIndexLongHeads(t *testing.T) {
	head := "/" + strings.Repeat("a", nodeMaxSkip+10)
	body := []byte("User-agent: *\nDisallow: " + head + "b\nDisallow: " + head + "c\n")
	f := Warm(Parser{MaxBytes: -1}.Parse(body))
	for _, tt := range []struct {
		path string
		want int // line
	}{{head + "b", 2}, {head + "c", 3}, {head, 0}, {head[:nodeMaxSkip] + "c", 0}} {
		if got := f.Explain("x", tt.path).Rule.Line; got != tt.want {
			t.Errorf("Explain of a path of %d octets that ends with %q: line %d, want %d", len(tt.path), tt.path[len(tt.path)-1:], got, tt.want)
		}
	}
}

// FuzzLookUp compares the index of a path with a search in it.
func FuzzLookUp(f *testing.F) {
	for _, path := range hostile.Paths {
		text := path.Make(100)
		f.Add(text, text[50:], 0)
		f.Add(text, text[20:30], 21)
		f.Add(text, text[20:27]+"x", 3)
		f.Add(text, text[20:23], 19)
		f.Add(text, text[20:21], 25)
	}
	f.Fuzz(func(t *testing.T, path, piece string, from int) {
		if piece == "" || from < 0 || len(piece) > len(path)-from {
			return
		}
		var q question
		defer q.release()
		// More than once, since it remembers.
		for _, from := range []int{from, len(path) - len(piece), from, 0, from / 2, from} {
			want := strings.Index(path[from:], piece)
			if want >= 0 {
				want += from
			}
			if got := q.lookUp(path, piece, from); got != want {
				t.Errorf("lookUp(%q, %q, %d) = %d, want %d", path, piece, from, got, want)
			}
			for _, searched := range []int{0, 1 << 30} { // little or much before it
				q.searched = searched
				if got := q.find(path, piece, from); got != want {
					t.Errorf("find(%q, %q, %d) = %d, want %d after %d octets", path, piece, from, got, want, searched)
				}
			}
		}
	})
}

// What is near is found, and nothing else for it.
func TestFindNear(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	text := func(octets string, size int) string {
		b := make([]byte, size)
		for i := range b {
			b[i] = octets[r.IntN(len(octets))]
		}
		return string(b)
	}
	// Those of one set differ in a bit or two, in one octet or between octets.
	for _, octets := range []string{"ab", "axo", "?s=-1", "%26F/", "\x00\x01\x80\x81\xff", "`abcdefghijklmno"} {
		for range 5000 {
			s, piece := text(octets, near+3), text(octets, 1+r.IntN(3))
			want := strings.Index(s[:near-1+len(piece)], piece)
			if got := findNear(s, piece); got != want {
				t.Errorf("findNear(%q, %q) = %d, want %d", s, piece, got, want)
			}
		}
	}
}

// The memory of an index is used again, but not what it remembers of a path.
func TestLookUpForgets(t *testing.T) {
	for _, size := range []int{1, 3, 8, 9, 11, 20, 70, 300} {
		piece := strings.Repeat("a", size-1) + "b"
		near := strings.Repeat(strings.Repeat("a", size)+"c"+piece[1:]+"c", 100)
		for _, path := range []string{near, near + piece, piece + near, near, near + near + piece} {
			var q question
			for _, from := range []int{0, 1, size, len(path) - size} {
				want := strings.Index(path[from:], piece)
				if want >= 0 {
					want += from
				}
				if got := q.lookUp(path, piece, from); got != want {
					t.Errorf("lookUp(path of %d octets, %q, %d) = %d, want %d", len(path), piece, from, got, want)
				}
			}
			q.release()
		}
	}
}

// BenchmarkCrossover shows from how many rules on, and after how many
// questions, an index pays: fewRules and warmup are set by it. questions is how
// many an index takes to have been worth its making.
func BenchmarkCrossover(b *testing.B) {
	for _, kind := range []struct{ name, format string }{
		{"literal", "Disallow: /section%d/page\n"},
		{"wild", "Disallow: /section%d/*.html\n"},
		{"starred", "Disallow: /*/section%d.html\n"},
	} {
		for _, n := range []int{2, 4, 8, 16, 32, 128, 1_024} {
			b.Run(fmt.Sprintf("rules=%s/n=%d", kind.name, n), func(b *testing.B) {
				var body strings.Builder
				body.WriteString("User-agent: *\n")
				for i := range n {
					fmt.Fprintf(&body, kind.format, i)
				}
				f := Parse([]byte(body.String()))
				g := &f.groups[0]
				urls := make([]string, 100)
				for i := range urls {
					urls[i] = fmt.Sprintf("https://www.example.com/section%d/page%d.html", 2*i*n/len(urls), i)
				}
				var build, scan, lookup time.Duration
				const each = 10
				for b.Loop() {
					start := time.Now()
					var x *index
					for range each {
						x = newIndex(g)
					}
					built := time.Now()
					g.index.Store(nil)
					g.asked.Store(settled)
					for _, url := range urls {
						g.ask(url)
					}
					asked := time.Now()
					g.index.Store(x)
					for _, url := range urls {
						g.ask(url)
					}
					lookup += time.Since(asked)
					build += built.Sub(start)
					scan += asked.Sub(built)
				}
				per := func(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / float64(b.N*n) }
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(per(build, each), "ns/build")
				b.ReportMetric(per(scan, len(urls)), "ns/scan")
				b.ReportMetric(per(lookup, len(urls)), "ns/indexed")
				if won := per(scan, len(urls)) - per(lookup, len(urls)); won > 0 {
					b.ReportMetric(per(build, each)/won, "questions")
				}
			})
		}
	}
}
