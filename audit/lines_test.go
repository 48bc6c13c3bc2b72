package audit

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/robots"
)

// checkLines compares the reading of lines here with that of the library.
func checkLines(t *testing.T, text string) {
	t.Helper()
	f := robots.Parser{MaxBytes: -1}.Parse([]byte(text))
	lines := splitLines(text)
	var got []robots.Record
	for i := range lines {
		if l := &lines[i]; l.field != fieldNone {
			got = append(got, robots.Record{Line: l.number, Key: l.key, Value: l.value})
			if l.text[l.keyAt:][:len(l.key)] != l.key || l.text[l.valueAt:][:len(l.value)] != l.value {
				t.Errorf("%.200q: line %d: wrong places", text, l.number)
			}
		}
	}
	if want := slices.Collect(f.Records()); !slices.Equal(got, want) {
		t.Errorf("splitLines(%.200q) has records\n%+v\nwant\n%+v", text, got, want)
	}
	// Each rule belongs to the agents of its section.
	list, _ := sections(lines)
	for _, s := range list {
		for _, a := range s.agents {
			token := agentToken(lines[a].value)
			if token == "" {
				continue
			}
			own := make(map[int]bool)
			named := false
			for g := range f.Groups() {
				for name := range g.Agents() {
					if strings.EqualFold(name, token) {
						named = true
						for r := range g.Rules() {
							own[r.Line] = true
						}
					}
				}
			}
			if !named {
				t.Errorf("%.200q: no group of %q", text, token)
			}
			for _, r := range s.rules {
				if !own[lines[r].number] {
					t.Errorf("%.200q: line %d is not of %q", text, lines[r].number, token)
				}
			}
		}
	}
}

func TestLinesRandom(t *testing.T) {
	parts := []string{"User-agent", "allow", "Disallow", "Crawl-delay", "dissallow", "Sitemap", ":", ":", ": ", " ", "\t", "\n", "\n", "\r", "\r\n", "/a", "*", "* x", "#", "\x00", bom, "\xEF", "bot", "a.b/1", "\v", "x y"}
	r := rand.New(rand.NewPCG(3, 3))
	for range 3000 {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		checkLines(t, b.String())
	}
}

func TestLinesCorpus(t *testing.T) {
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		t.Skip("ROBOTS_CORPUS is not set")
	}
	names, _ := filepath.Glob(filepath.Join(dir, "robots", "*.txt"))
	for i, name := range names {
		if i%10 != 0 {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		checkLines(t, string(data))
	}
}
