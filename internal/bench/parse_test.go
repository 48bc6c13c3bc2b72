package bench

import (
	"bytes"
	"testing"

	"example.com/robots"
	"github.com/temoto/robotstxt"
)

// An operation is to read all files. The floor is to find the ends of their
// lines. A copy is what any parser has to make that keeps the text.
func BenchmarkParse(b *testing.B) {
	files, size := corpus(b)
	run := func(name string, read func(data []byte)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, data := range files {
					read(data)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(files)), "ns/file")
		})
	}
	run("by=floor", func(data []byte) {
		for {
			i := bytes.IndexByte(data, '\n')
			if i < 0 {
				return
			}
			data = data[i+1:]
		}
	})
	run("by=copy", func(data []byte) { kept = bytes.Clone(data) })
	run("by=robots", func(data []byte) { robots.Parse(data) })
	run("by=temoto", func(data []byte) { robotstxt.FromBytes(data) })
}

var kept []byte // so that a copy is made on the heap

// An operation is to read all files, and to ask each of them once.
func BenchmarkOneShot(b *testing.B) {
	files, size := corpus(b)
	const path = "/some/path/of/a-page.html?x=y"
	const url = "https://www.example.com" + path
	run := func(name string, read func(data []byte)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, data := range files {
					read(data)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(files)), "ns/file")
		})
	}
	run("by=robots", func(data []byte) { robots.Parse(data).Allowed(agent, url) })
	run("by=temoto", func(data []byte) {
		if p, err := robotstxt.FromBytes(data); err == nil {
			p.TestAgent(path, agent)
		}
	})
}
