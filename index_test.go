package robots

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/robots/internal/hostile"
)

// neverIndexed makes all groups of f scan for good.
func neverIndexed(f *File) *File {
	for i := range f.groups {
		f.groups[i].asked.Store(warmup)
	}
	return f
}

// FuzzIndex compares the indexed with the scanned group: rule and specificity
// must be the same, whatever the file and the URL.
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
			indexed, scanned := Warm(p.Parse(data)), neverIndexed(p.Parse(data))
			for i := range indexed.groups {
				got, want := indexed.groups[i].ask(url), scanned.groups[i].ask(url)
				if got != want {
					t.Errorf("%v: group %d answers %q by %+v with an index, %+v without\n%s", d, i, url, got, want, data)
				}
			}
		}
	})
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
		}
	})
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
// questions, an index pays: small and warmup are set by it. questions is how
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
					for _, url := range urls {
						g.asked.Store(0)
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
