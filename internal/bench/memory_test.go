package bench

import (
	"runtime"
	"testing"

	"example.com/robots"
	"example.com/robots/internal/hostile"
	"github.com/temoto/robotstxt"
)

// heap returns how many octets are in use.
func heap() float64 {
	// What is in a pool is free after two collections.
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// What is kept of a file, in octets per octet of it, once it has been read and
// once all its groups have been asked enough to have their indexes.
func BenchmarkMemory(b *testing.B) {
	b.Run("by=robots", func(b *testing.B) {
		files, size := corpus(b)
		keep(b, files, float64(size))
	})
	b.Run("by=temoto", func(b *testing.B) {
		files, size := corpus(b)
		for b.Loop() {
			kept := make([]*robotstxt.RobotsData, len(files))
			before := heap()
			for i, data := range files {
				kept[i] = peer(b, data)
			}
			b.ReportMetric((heap()-before)/float64(size), "kept/octet")
			runtime.KeepAlive(kept)
		}
		runtime.KeepAlive(files)
		b.ReportMetric(0, "ns/op")
	})
	for _, shape := range hostile.Files {
		b.Run("shape="+shape.Name+"/by=robots", func(b *testing.B) {
			data := []byte(shape.Make(robots.MaxBytes))
			keep(b, [][]byte{data}, float64(len(data)))
		})
	}
}

func keep(b *testing.B, files [][]byte, size float64) {
	for b.Loop() {
		kept := make([]*robots.File, len(files))
		before := heap()
		for i, data := range files {
			kept[i] = robots.Parse(data)
		}
		b.ReportMetric((heap()-before)/size, "kept/octet")
		for _, f := range kept {
			for g := range f.Groups() {
				warm(g)
			}
		}
		b.ReportMetric((heap()-before)/size, "asked/octet")
		runtime.KeepAlive(kept)
	}
	runtime.KeepAlive(files)
	b.ReportMetric(0, "ns/op") // which is the collector's
}
