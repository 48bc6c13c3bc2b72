// Package bench measures the library beside a peer and beside the floor, a bare
// split into lines, on real files.
package bench

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/robots"
	"github.com/temoto/robotstxt"
)

// corpus returns the real robots.txt files of up to 500 KiB in
// $ROBOTS_CORPUS/robots and their size together.
func corpus(tb testing.TB) (files [][]byte, size int64) {
	tb.Helper()
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		tb.Skip("ROBOTS_CORPUS is not set")
	}
	names, err := filepath.Glob(filepath.Join(dir, "robots", "*.txt"))
	if err != nil || len(names) == 0 {
		tb.Fatalf("no files in ROBOTS_CORPUS=%s/robots (%v)", dir, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		if len(data) <= robots.MaxBytes {
			files = append(files, data)
			size += int64(len(data))
		}
	}
	return files, size
}

// A pair is a question: a file, and a URL of its site.
type pair struct {
	file      int
	url, path string
}

// pairs returns the real (file, URL) pairs of the corpus.
func pairs(tb testing.TB) (bodies [][]byte, ps []pair) {
	tb.Helper()
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		tb.Skip("ROBOTS_CORPUS is not set")
	}
	table, err := os.ReadFile(filepath.Join(dir, "robots", "index.tsv"))
	if err != nil {
		tb.Fatal(err)
	}
	fileOf := make(map[string]string)
	for line := range strings.Lines(string(table)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if len(columns) < 4 {
			continue
		}
		for origin := range strings.SplitSeq(columns[3], ",") {
			_, host, _ := strings.Cut(origin, ":")
			fileOf[host] = columns[0]
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "urls", "*.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range names {
		file, ok := fileOf[strings.TrimSuffix(filepath.Base(name), ".txt")]
		if !ok {
			continue
		}
		body, err := os.ReadFile(filepath.Join(dir, "robots", file))
		if err != nil {
			tb.Fatal(err)
		}
		if len(body) > robots.MaxBytes {
			continue
		}
		urls, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(urls))
		for lines.Scan() {
			url := lines.Text()
			if url == "" {
				continue
			}
			_, rest, _ := strings.Cut(url, "://")
			path := "/"
			if i := strings.IndexByte(rest, '/'); i >= 0 {
				path = rest[i:]
			}
			ps = append(ps, pair{len(bodies), url, path})
		}
		bodies = append(bodies, body)
	}
	return bodies, ps
}

const agent = "Googlebot"

func BenchmarkParse(b *testing.B) {
	files, size := corpus(b)
	b.Run("floor", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			for _, f := range files {
				for {
					i := bytes.IndexByte(f, '\n')
					if i < 0 {
						break
					}
					f = f[i+1:]
				}
			}
		}
	})
	b.Run("robots", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, f := range files {
				robots.Parse(f)
			}
		}
	})
	b.Run("robots-oneshot", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, f := range files {
				robots.Parse(f).Allowed(agent, "https://www.example.com/some/path/of/a-page.html?x=y")
			}
		}
	})
	b.Run("temoto", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, f := range files {
				robotstxt.FromBytes(f)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	bodies, ps := pairs(b)
	files := make([]*robots.File, len(bodies))
	peers := make([]*robotstxt.RobotsData, len(bodies))
	for i, body := range bodies {
		files[i] = robots.Parse(body)
		if peers[i], _ = robotstxt.FromBytes(body); peers[i] == nil {
			peers[i], _ = robotstxt.FromBytes(nil)
		}
	}
	run := func(name string, ask func(p *pair)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			// One round over all pairs is one operation's share of the work,
			// so that each figure is over the same questions.
			for i := range ps {
				ask(&ps[i])
			}
			i := 0
			for b.Loop() {
				ask(&ps[i])
				if i++; i == len(ps) {
					i = 0
				}
			}
		})
	}
	run("floor", func(p *pair) { runtime.KeepAlive(strings.IndexByte(p.url[8:], '/')) })
	run("robots/File", func(p *pair) { files[p.file].Allowed(agent, p.url) })
	run("robots/Group", func(p *pair) { files[p.file].Group(agent).Allowed(p.url) })
	run("temoto", func(p *pair) { peers[p.file].TestAgent(p.path, agent) })
}
