package bench

import (
	"slices"
	"testing"
	"time"

	"example.com/robots"
	"example.com/robots/internal/hostile"
)

// urlSize is longer than any URL that is in use.
const urlSize = 8 << 10

// Files of 500 KiB that are hard to read. An operation is to read one.
func BenchmarkHostileParse(b *testing.B) {
	for _, shape := range hostile.Files {
		data := []byte(shape.Make(robots.MaxBytes))
		for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			b.Run("shape="+shape.Name+"/dialect="+d.String(), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				p := robots.Parser{Dialect: d}
				for b.Loop() {
					p.Parse(data)
				}
			})
		}
	}
}

// The hardest questions to these files: the time of each with its hardest URL
// of 8 KB, which is the largest of what each URL takes at the least.
//
// first is for a group that has hardly been asked, later for one that has its
// index, and index for the dearest of those that make it.
func BenchmarkHostileCheck(b *testing.B) {
	urls := make([]string, len(hostile.Paths))
	for i, path := range hostile.Paths {
		urls[i] = path.Make(urlSize)
	}
	for _, shape := range hostile.Files {
		data := []byte(shape.Make(robots.MaxBytes))
		for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			b.Run("shape="+shape.Name+"/dialect="+d.String(), func(b *testing.B) {
				p := robots.Parser{Dialect: d}
				later := p.Parse(data)
				warm(later.Group(hostile.Agent))
				bests := make([][2]time.Duration, len(urls))
				var making [toIndex]time.Duration
				for b.Loop() {
					var first *robots.File
					for i, url := range urls {
						if i%10 == 0 {
							first = p.Parse(data)
						}
						for j, f := range []*robots.File{first, later} {
							start := time.Now()
							f.Allowed(hostile.Agent, url)
							took := max(time.Since(start), 1)
							if bests[i][j] == 0 || took < bests[i][j] {
								bests[i][j] = took
							}
						}
					}
					// Each step of an index is the same each time.
					first = p.Parse(data)
					for i := range making {
						start := time.Now()
						first.Allowed(hostile.Agent, "/")
						took := max(time.Since(start), 1)
						if making[i] == 0 || took < making[i] {
							making[i] = took
						}
					}
				}
				worst := [2]time.Duration{}
				for _, best := range bests {
					worst[0], worst[1] = max(worst[0], best[0]), max(worst[1], best[1])
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(worst[0].Nanoseconds()), "first-ns")
				b.ReportMetric(float64(worst[1].Nanoseconds()), "later-ns")
				b.ReportMetric(float64(slices.Max(making[:]).Nanoseconds()), "index-ns")
			})
		}
	}
}

// Questions of 1 MB to the same files. An operation is to ask about a URL of a's
// and about one of "%" signs.
func BenchmarkHostileLongURL(b *testing.B) {
	var urls []string
	for _, path := range hostile.Paths {
		if path.Name == "a" || path.Name == "%" {
			urls = append(urls, path.Make(1<<20))
		}
	}
	for _, shape := range hostile.Files {
		b.Run("shape="+shape.Name, func(b *testing.B) {
			f := robots.Parse([]byte(shape.Make(robots.MaxBytes)))
			warm(f.Group(hostile.Agent))
			for b.Loop() {
				for _, url := range urls {
					f.Allowed(hostile.Agent, url)
				}
			}
		})
	}
}
