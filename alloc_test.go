package robots_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/robots"
)

// TestNoAllocs asks with agents and URLs of every kind, in groups of every
// kind. No answer may allocate.
func TestNoAllocs(t *testing.T) {
	bodies := map[string]string{
		"small": "User-agent: Googlebot\nUser-agent: ExampleBot\nDisallow: /a\nAllow: /a/*/b$\nDisallow: /ü\nDisallow: /*%2Fq\nDisallow: /%61*x\nAllow: /d/index.html\n\nUser-agent: *\nDisallow: /\n",
		"none":  "",
		"other": "User-agent: other\nDisallow: /\n",
	}
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "User-agent: agent%d\n", i)
	}
	b.WriteString(bodies["small"])
	b.WriteString("User-agent: ExampleBot\n")
	for i := range 50 {
		fmt.Fprintf(&b, "Disallow: /%d/\nAllow: /*/%d/é$\nDisallow: /*%%2F%d\n", i, i, i)
	}
	bodies["large"] = b.String()

	agents := []string{
		"ExampleBot", "examplebot", "Googlebot", "Googlebot-Image", "Unknown", "*", "",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ExampleBot/1.0; +https://example.com/bot) Chrome/125.0.0.0 Safari/537.36",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
		"UnknownBot/1.0 (+https://example.com)",
	}
	const long = 2 << 10
	urls := []string{
		"/a", "/a/x/b", "/z", "/", "", "/robots.txt",
		"https://example.com/a/x/b",
		"https://example.com/49/x?y=z#f",
		"https://example.com?q",
		"//example.com;p",
		"/%61/%7e/%c3%bc",
		"/ü",
		"/x y",
		"/q?u=https%3A%2F%2Fexample.com%2Fq",
		"https://example.com/" + strings.Repeat("a", long-20),
		"https://example.com/" + strings.Repeat("%", long-20),
		"https://example.com/" + strings.Repeat("%61", long/3-20),
		"https://example.com/" + strings.Repeat("é", long/2-20),
		"https://example.com/" + strings.Repeat("日", long/3-20),
		"https://example.com/" + strings.Repeat("\xff", long-20),
		"https://example.com/" + strings.Repeat(" ", long-20),
	}
	for name, body := range bodies {
		for _, d := range bothDialects {
			p := robots.Parser{Dialect: d}
			for _, agent := range agents {
				for _, url := range urls {
					for call, ask := range map[string]func(f *robots.File, g *robots.Group){
						"File.Allowed":  func(f *robots.File, g *robots.Group) { f.Allowed(agent, url) },
						"File.Explain":  func(f *robots.File, g *robots.Group) { f.Explain(agent, url) },
						"Group.Allowed": func(f *robots.File, g *robots.Group) { g.Allowed(url) },
					} {
						scanned, indexed := robots.NeverIndexed(p.Parse([]byte(body))), robots.Warm(p.Parse([]byte(body)))
						for _, f := range []*robots.File{scanned, indexed} {
							g := f.Group(agent)
							if n := allocs(func() { ask(f, g) }); n != 0 {
								t.Errorf("%s file, %v, indexed %v: %s(%q, %.60q) allocates %v times", name, d, f == indexed, call, agent, url, n)
							}
						}
						if robots.Warmed(scanned, agent) {
							t.Fatal("asked too often to be scanned")
						}
					}
				}
			}
		}
	}
}

// allocs returns how many times ask allocates at least. A first run fills the
// pools, but they may be emptied meanwhile, and the race detector does so at
// random, so there are several tries.
func allocs(ask func()) float64 {
	least := testing.AllocsPerRun(1, ask)
	for range 11 {
		if least == 0 {
			break
		}
		least = min(least, testing.AllocsPerRun(1, ask))
	}
	return least
}

func TestMatchNoAllocs(t *testing.T) {
	for _, tt := range matchTests {
		if n := allocs(func() { robots.Match(tt.pattern, tt.path) }); n != 0 {
			t.Errorf("Match(%q, %q) allocates %v times", tt.pattern, tt.path, n)
		}
	}
}

// A rule far longer than the URL is not brought to normal form for it.
func TestNoAllocsForLongRules(t *testing.T) {
	for _, d := range bothDialects {
		f := robots.Parser{Dialect: d}.Parse([]byte("User-agent: *\nDisallow: /%41" + strings.Repeat("a", 30_000) + "\n"))
		if n := testing.AllocsPerRun(100, func() { f.Allowed("x", "https://example.com/Abc") }); n != 0 {
			t.Errorf("%v: a question allocates %v times", d, n)
		}
	}
}

// A long piece is searched for in both forms of its escapes.
func TestNoAllocsForLongPieces(t *testing.T) {
	f := robots.Parse([]byte("User-agent: *\nDisallow: /*" + strings.Repeat("%2F", 200) + "\n"))
	url := "https://example.com/%2F?" + strings.Repeat("/", 210)
	n := 1.0
	for range 20 { // it borrows three buffers, and the race detector is as above
		n = min(n, allocs(func() { f.Allowed("x", url) }))
	}
	if n != 0 {
		t.Errorf("a question allocates %v times", n)
	}
}
