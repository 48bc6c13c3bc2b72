package robots_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/robots"
)

// TestDecideRandom holds the library against the reference on files made at
// random of a few words, so that their rules are much alike, share heads and
// tie, and their agents share sections. Fuzzing seldom makes such files.
func TestDecideRandom(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 150
	}
	for seed := range n {
		g := maker{rand.New(rand.NewPCG(uint64(seed), 9309))}
		body := g.file()
		for _, d := range dialects {
			p := robots.Parser{Dialect: d}
			cold, warm := p.Parse([]byte(body)), robots.Warm(p.Parse([]byte(body)))
			ref := refParse(body, d)
			checkParse(t, dumpFile(cold), ref)
			for range 12 {
				checkDecide(t, cold, warm, ref, g.of("a", "b", "cc", "Cc", "d.1", "x"), g.url())
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: of %q", seed, body)
		}
	}
}

// A maker makes files and URLs.
type maker struct{ *rand.Rand }

func (g maker) of(s ...string) string { return s[g.IntN(len(s))] }

func (g maker) file() string {
	var b strings.Builder
	end := g.of("\n", "\n", "\n", "\r\n", "\r")
	line := func(s ...string) {
		for _, s := range s {
			b.WriteString(s)
		}
		b.WriteString(end)
	}
	for range g.IntN(5) {
		for range 1 + g.IntN(3) {
			line(g.of("User-agent: ", "User-agent:", "user-agent : ", "Useragent: ", "User-agents: "),
				g.of("a", "A", "b", "cc", "CC", "d.1", "*", "*", "b/2", "* x", "*x", "", "a b"))
			if g.IntN(8) == 0 {
				line(g.of("Crawl-delay: 1", "", "# x", "Sitemap: /s", "foo: bar"))
			}
		}
		for range g.IntN(1 + g.IntN(24)) {
			line(g.of("Allow: ", "Disallow: ", "Disallow: ", "Allow:", "Disallow ", "Disallowed: ", "disalow: "), g.pattern(), g.of("", "", "", " ", "#", " # x"))
		}
	}
	return b.String()
}

var (
	makerPieces = []string{"/", "/", "a", "b", "ab", "aa", "/a", "/index.html", "?", "=", ":", "%2F", "%2f", "%3A", "%61", "%2A", "%24", "%", "%e", "%25", "%3F", "%C3%BC", "%c3%bc", "ü", "\xff", "{", "\"", "~", "%7E", "!", "&", "abcdefgh", "/robots.txt"}
	makerWilds  = []string{"*", "*", "*", "$", "**"}
)

func (g maker) pattern() string {
	s := g.of("/", "/", "/", "/", "", "*", "/*", "/a/b/c/")
	for range g.IntN(5) {
		if g.IntN(3) == 0 {
			s += g.of(makerWilds...)
		} else {
			s += g.of(makerPieces...)
		}
	}
	return s + g.of("", "", "", "$", "*", "*$")
}

func (g maker) url() string {
	s := g.of("/", "/", "/", "https://example.com/", "//example.com/", "https://example.com", "/a/b/c/", "x")
	for range g.IntN(7) {
		if g.IntN(12) == 0 {
			s += g.of("*", "$", "#", "\x00", " ", ";", "//", "://")
		} else {
			s += g.of(makerPieces...)
		}
	}
	return s
}
