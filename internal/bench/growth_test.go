package bench

import (
	"fmt"
	"strings"
	"testing"

	"example.com/robots"
	"github.com/temoto/robotstxt"
)

// rules makes a file of n rules for everybody by a format with their number,
// and 1,000 paths, each of which just one of the rules matches.
func rules(format string, n int) (body []byte, paths []string) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	for i := range 1000 {
		paths = append(paths, fmt.Sprintf("/d%d/section/page.html?item=17", i*7919%n))
	}
	return []byte(b.String()), paths
}

// How the cost of a question grows with the number of rules, whether they are
// literal or have a star behind heads that differ. An operation is a question.
func BenchmarkGrowth(b *testing.B) {
	for _, kind := range []struct{ name, format string }{
		{"literal", "Disallow: /d%d/\n"},
		{"wild", "Disallow: /d%d/*.h\n"},
	} {
		for _, n := range []int{20, 200, 2_000, 20_000} {
			body, paths := rules(kind.format, n)
			urls := make([]string, len(paths))
			for i, path := range paths {
				urls[i] = "https://www.example.com" + path
			}
			name := fmt.Sprintf("rules=%s/n=%d/by=", kind.name, n)
			b.Run(name+"robots", func(b *testing.B) {
				file := robots.Parse(body)
				warm(file.Group(agent))
				for _, url := range urls {
					if file.Allowed(agent, url) {
						b.Fatalf("Allowed(%q, %q) = true", agent, url)
					}
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					file.Allowed(agent, urls[i])
					if i++; i == len(urls) {
						i = 0
					}
				}
			})
			b.Run(name+"temoto", func(b *testing.B) {
				file, err := robotstxt.FromBytes(body)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					file.TestAgent(paths[i], agent)
					if i++; i == len(paths) {
						i = 0
					}
				}
			})
		}
	}
}

// Questions of all cores to one file; to be run with -cpu 1,2,4 and so on. An
// operation is a question, so twice the cores should halve its time.
func BenchmarkParallel(b *testing.B) {
	for _, n := range []int{4, 2_000} {
		b.Run(fmt.Sprintf("n=%d/by=robots", n), func(b *testing.B) {
			body, paths := rules("Disallow: /d%d/\n", n)
			file := robots.Parse(body)
			warm(file.Group(agent))
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					file.Allowed(agent, paths[i%len(paths)])
				}
			})
		})
	}
}
