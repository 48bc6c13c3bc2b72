package bench

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/robots"
	"github.com/temoto/robotstxt"
)

// agent is the one that asks, where it does not matter which.
const agent = "Googlebot"

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
	url, path string // the path is what the peer is asked
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

// peer reads a file as the peer does. One that it refuses is empty to it.
func peer(tb testing.TB, body []byte) *robotstxt.RobotsData {
	tb.Helper()
	p, err := robotstxt.FromBytes(body)
	if err != nil {
		if p, err = robotstxt.FromBytes(nil); err != nil {
			tb.Fatal(err)
		}
	}
	return p
}

// toIndex is more questions than a group of the files here needs to have its
// index, which those of a large group make step by step.
const toIndex = 80

// warm asks a group until it has whatever it makes for those who ask much.
func warm(g *robots.Group) {
	for range toIndex {
		g.Allowed("/")
	}
}
