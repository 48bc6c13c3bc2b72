package robots_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/robots"
)

// TestRuleLines holds the lines of rules against the lines that were written,
// whatever ends them and whatever stands between them (R1).
func TestRuleLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := []string{"\n", "\r\n", "\r"}
	others := []string{"", " ", "# comment\u00a0with é", "Sitemap: https://example.com/s.xml", "Crawl-delay: 1", "Host: x", "nothing", "\x00", "\t#"}
	for range 2000 {
		var b strings.Builder
		want := make(map[string]int)
		line, last, ends := 0, "", all
		if r.IntN(2) == 0 {
			ends = all[r.IntN(3):][:1] // of one kind, as in most files
		}
		write := func(text string) {
			end := ends[r.IntN(len(ends))]
			if last == "\r" && text == "" && end[0] == '\n' {
				end = "\r" // CR and LF would be one line end
			}
			line++
			b.WriteString(text + end)
			last = end
		}
		for section := range 1 + r.IntN(4) {
			for range r.IntN(4) {
				write(others[r.IntN(len(others))])
			}
			write([]string{"User-agent: a", "user-agent:*", "User-Agent: b c", "User-agent : d"}[section])
			for range r.IntN(8) {
				if r.IntN(3) == 0 {
					write(others[r.IntN(len(others))])
					continue
				}
				pattern := fmt.Sprintf("/%d%s", line, strings.Repeat("x", r.IntN(80)))
				want[pattern] = line + 1
				write([]string{"Disallow: ", "Allow:", "disallow :", "Disallow"}[r.IntN(4)] + " " + pattern + []string{"", " ", " # x", "\t"}[r.IntN(4)])
			}
		}
		text := b.String()
		for _, d := range bothDialects {
			f := robots.Parser{Dialect: d}.Parse([]byte(text))
			n := 0
			for g := range f.Groups() {
				for rule := range g.Rules() {
					n++
					if rule.Line != want[rule.Pattern] {
						t.Fatalf("%v: line of %v is %d, want %d, in %q", d, rule, rule.Line, want[rule.Pattern], text)
					}
					if got := g.Explain(rule.Pattern).Rule.Line; got != rule.Line {
						t.Fatalf("%v: Explain(%q) has line %d, want %d, in %q", d, rule.Pattern, got, rule.Line, text)
					}
					for match := range g.Matches(rule.Pattern + "/") {
						if match.Line != want[match.Pattern] {
							t.Fatalf("%v: line of the match %v is %d, want %d, in %q", d, match, match.Line, want[match.Pattern], text)
						}
					}
				}
			}
			if n < len(want) {
				t.Fatalf("%v: %d rules, want %d, in %q", d, n, len(want), text)
			}
			// The records of a group have the lines that they have in the file.
			all := slices.Collect(f.Records())
			for g := range f.Groups() {
				for r := range g.Records() {
					if !slices.Contains(all, r) {
						t.Fatalf("%v: the file has no record %v, in %q", d, r, text)
					}
				}
			}
		}
	}
}

// TestTokensOfEveryLength names an agent whose token is of each length and has
// each octet at each place, so that it ends at each place of a word of eight
// octets (R8, S8).
func TestTokensOfEveryLength(t *testing.T) {
	for _, d := range bothDialects {
		for length := range 20 {
			for c := range 256 {
				value := strings.Repeat("a", length) + string([]byte{byte(c)}) + "b"
				if c == '\n' || c == '\r' || length == 0 && (strings.IndexByte(" \t\v\f*", byte(c)) >= 0) {
					continue // the value starts later, or ends
				}
				token := strings.Repeat("a", length)
				letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '-' || c == '_'
				if letter || d == robots.RFC9309 && ('0' <= c && c <= '9' || c == '.') {
					token = value
				}
				f := robots.Parser{Dialect: d}.Parse([]byte("User-agent: " + value + "\nDisallow: /"))
				got := ""
				for g := range f.Groups() {
					for got = range g.Agents() {
					}
				}
				if got != token {
					t.Errorf("%v: User-agent: %q names %q, want %q", d, value, got, token)
				}
			}
		}
	}
}
