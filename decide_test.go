package robots_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/robots"
)

// TestDecideRandom holds the library against the reference on files made at
// random of a few words, so that their rules are much alike, share heads and
// tie, and their agents share sections. Fuzzing seldom makes such files.
func TestDecideRandom(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 100
	}
	for seed := range n {
		g := maker{rand.New(rand.NewPCG(uint64(seed), 9309))}
		body := g.file()
		for _, d := range bothDialects {
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

// TestDecideAlike asks about long URLs in groups of very many rules that are
// like them, which takes other ways than a few rules do. Each rule is asked
// alone too.
func TestDecideAlike(t *testing.T) {
	for seed := range 8 {
		g := maker{rand.New(rand.NewPCG(uint64(seed), 35))}
		word := func(most int) string { return g.text(1+g.IntN(most), "aaaabbbc") }
		var b strings.Builder
		b.WriteString("User-agent: a\n")
		for range 1500 {
			p := "/*" + word(6)
			for range g.IntN(6) {
				p += g.of("*", "*", "/", "%2F", "%2f*", "*%3A", "?", "%62") + word(18)
			}
			b.WriteString(g.of("Allow: ", "Disallow: ") + p + g.of("", "", "$", "*") + "\n")
		}
		var u strings.Builder
		u.WriteString("/")
		for u.Len() < 2000+g.IntN(2000) {
			u.WriteString(word(40) + g.of("/", "/", "%2F", "?", ":", "%3A", "&", "%61"))
		}
		url := u.String()
		for _, d := range bothDialects {
			p := robots.Parser{Dialect: d}
			f := p.Parse([]byte(b.String()))
			want := robots.Decision{Allowed: true, Reason: robots.ReasonNoRule, Agent: "a"}
			best := -1
			path := refPath(url, d)
			for r := range f.Group("a").Rules() {
				glob := refPattern(r.Pattern, d)
				if glob.size < best || glob.size == best && (!r.Allow || want.Allowed) {
					continue
				}
				one := p.Parse([]byte("User-agent: a\n" + r.String() + "\n"))
				if one.Explain("a", url).Reason == robots.ReasonRule {
					best, want.Allowed, want.Reason, want.Rule = glob.size, r.Allow, robots.ReasonRule, r
				}
			}
			if best >= 0 && !refPattern(want.Rule.Pattern, d).match(path) {
				t.Errorf("seed %d, %v: %q does not match", seed, d, want.Rule.Pattern)
			}
			if got := f.Explain("a", url); got != want {
				t.Errorf("seed %d, %v, scanned: %+v, want %+v", seed, d, got, want)
			}
			if got := robots.Warm(f).Explain("a", url); got != want {
				t.Errorf("seed %d, %v, indexed: %+v, want %+v", seed, d, got, want)
			}
		}
	}
}

// TestDecideLongPieces has rules with long pieces that are nearly everywhere in
// a long URL, which are searched for in yet another way.
func TestDecideLongPieces(t *testing.T) {
	for seed := range 2 {
		g := maker{rand.New(rand.NewPCG(uint64(seed), 64))}
		path := []byte("/" + strings.Repeat("a", 17_000+g.IntN(3000)))
		for range g.IntN(200) {
			path[1+g.IntN(len(path)-1)] = 'b'
		}
		path[len(path)-1-g.IntN(10)] = 'c'
		// piece is a part of the path, but for an octet at times.
		piece := func() string {
			size := 60 + g.IntN(150)
			if g.IntN(3) == 0 {
				return strings.Repeat("a", size)
			}
			from := 1 + g.IntN(len(path)-size)
			p := bytes.Clone(path[from:][:size])
			if g.IntN(2) == 0 {
				p[g.IntN(size)] = "abc"[g.IntN(3)]
			}
			return string(p)
		}
		for range 5 {
			pattern := "/*" + piece()
			for range g.IntN(4) {
				pattern += "*" + piece()
			}
			pattern += g.of("", "", "$")
			want := refMatchPath(pattern, string(path))
			if got := robots.Match(pattern, string(path)); got != want {
				t.Errorf("seed %d: Match(%q, %q) = %v, want %v", seed, pattern, path, got, want)
			}
		}
	}
}

// TestDecideEnds has rules with all ends of a few octets, escapes and parts of
// escapes among them: most rules with a star are settled by their ends.
func TestDecideEnds(t *testing.T) {
	const octets = "%26Fa/"
	ends := []string{""}
	for i := 0; len(ends[i]) < 4; i++ {
		for _, c := range octets {
			ends = append(ends, ends[i]+string(c))
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, end := range ends {
		pattern := "/*" + end
		f := robots.Parse([]byte("User-agent: *\nDisallow: /*" + end + "\nDisallow: /*|\n"))
		for range 40 {
			path := "/" + ends[r.IntN(len(ends))] + ends[r.IntN(len(ends))]
			if r.IntN(4) == 0 { // long paths are looked at in another way
				path = "/" + strings.Repeat(ends[r.IntN(len(ends))], 100) + path
			}
			want := refMatchPath(pattern, path)
			if got := robots.Match(pattern, path); got != want {
				t.Errorf("Match(%q, %q) = %v, want %v", pattern, path, got, want)
			}
			if got := !f.Allowed("a", path); got != want {
				t.Errorf("a rule %q forbids %q: %v, want %v", pattern, path, got, want)
			}
		}
	}
}

// TestDecideShortPieces has rules with pieces of one to four octets behind very many
// with longer ones, all of the octets of the URL: they are looked for in its
// neighbourhood first.
func TestDecideShortPieces(t *testing.T) {
	for seed := range 12 {
		g := maker{rand.New(rand.NewPCG(uint64(seed), 65))}
		text := func(size int) string { return g.text(size, "axo?s=-1/") }
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for range 250 {
			b.WriteString("Disallow: /*" + text(5+g.IntN(3)) + "\n")
		}
		for range 40 {
			b.WriteString(g.of("Allow: /*", "Disallow: /*") + text(1+g.IntN(4)) + g.of("", "*"+text(2), "*"+text(3)) + g.of("", "", "$") + "\n")
		}
		for range 4 {
			url := "/" + text(250+g.IntN(200))
			for _, d := range bothDialects {
				f := robots.Parser{Dialect: d}.Parse([]byte(b.String()))
				want := refParse(b.String(), d).explain("a", url)
				if got := robots.NeverIndexed(f).Explain("a", url); got != want {
					t.Errorf("seed %d, %v, scanned: Explain(%q) = %v, want %v", seed, d, url, got, want)
				}
				if got := robots.Warm(f).Explain("a", url); got != want {
					t.Errorf("seed %d, %v, indexed: Explain(%q) = %v, want %v", seed, d, url, got, want)
				}
			}
		}
	}
}

// TestDecideEither has rules with escapes of "/" and ":" behind a star, which are
// others in the path than in the query, and URLs that come to have such escapes only
// when others are decoded (R20, R21).
func TestDecideEither(t *testing.T) {
	g := maker{rand.New(rand.NewPCG(5, 66))}
	pieces := []string{"%2F", "%3a", "%2%46", "%3%41", "%2%66", "/", ":", "?", "a", "%", "2F"}
	for range 20_000 {
		pattern, path := "/*", "/"
		for range 1 + g.IntN(3) {
			pattern += g.of(append(pieces, "*")...)
		}
		pattern += g.of("", "", "$")
		for range g.IntN(5) {
			path += g.of(pieces...)
		}
		if got, want := robots.Match(pattern, path), refMatchPath(pattern, path); got != want {
			t.Errorf("Match(%q, %q) = %v, want %v", pattern, path, got, want)
		}
	}
}

// A maker makes files and URLs.
type maker struct{ *rand.Rand }

func (g maker) of(s ...string) string { return s[g.IntN(len(s))] }

// text returns so many octets, each of the given ones.
func (g maker) text(size int, octets string) string {
	b := make([]byte, size)
	for i := range b {
		b[i] = octets[g.IntN(len(octets))]
	}
	return string(b)
}

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
