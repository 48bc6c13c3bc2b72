package robots_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/robots"
	"github.com/google/go-cmp/cmp"
)

func TestMatches(t *testing.T) {
	const file = `User-agent: *
Disallow: /
Allow: /shop/
Disallow: /shop/*.pdf$
Disallow: /sho**
Disallow: /*/
Allow: /*/
Disallow: /%73hop/
Disallow: /other
Disallow:
Disallow: shop
User-agent: other
Disallow: /shop/cart
User-agent: *
Disallow: /shop/c
Allow: /cart/index.html
`
	tests := []struct {
		dialect robots.Dialect
		url     string
		want    []string
	}{
		{robots.RFC9309, "https://example.com/shop/cart.pdf#top", []string{ // R16, R17: order; R10: both places
			"4 Disallow: /shop/*.pdf$ (12)",
			"15 Disallow: /shop/c (7)",
			"3 Allow: /shop/ (6)",
			"8 Disallow: /%73hop/ (6)",
			"5 Disallow: /sho** (4)",
			"7 Allow: /*/ (3)",
			"6 Disallow: /*/ (3)",
			"2 Disallow: / (1)",
		}},
		{robots.RFC9309, "/", []string{"2 Disallow: / (1)"}},
		{robots.RFC9309, "/robots.txt", []string{"2 Disallow: / (1)"}}, // R19: it matches and does not decide
		{robots.RFC9309, "/cart/", []string{"7 Allow: /*/ (3)", "6 Disallow: /*/ (3)", "2 Disallow: / (1)"}},
		{robots.Google, "/cart/", []string{ // S2, and a rule without a path
			"16 Allow: /cart/index.html (7)",
			"7 Allow: /*/ (3)",
			"6 Disallow: /*/ (3)",
			"2 Disallow: / (1)",
			"10 Disallow:  (0)",
		}},
		{robots.Google, "/shop/", []string{ // S1, S10
			"3 Allow: /shop/ (6)",
			"5 Disallow: /sho** (6)",
			"7 Allow: /*/ (3)",
			"6 Disallow: /*/ (3)",
			"2 Disallow: / (1)",
			"10 Disallow:  (0)",
		}},
	}
	for _, test := range tests {
		g := robots.Parser{Dialect: test.dialect}.Parse([]byte(file)).Group("*")
		var got []string
		for r, n := range g.Matches(test.url) {
			got = append(got, fmt.Sprintf("%d %v (%d)", r.Line, r, n))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v: Matches(%q) (-want +got):\n%s", test.dialect, test.url, diff)
		}
	}
}

// The first match is what Explain says, with the index as without it, and
// there are just as many as there are rules that match alone.
func TestMatchesAgreesWithExplain(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range 200 {
		fmt.Fprintf(&b, "%s: /%c%s%d%s\n", []string{"Allow", "Disallow"}[i%2], 'a'+i%7, []string{"", "*", "%2F", "ü"}[i%4], i%10, []string{"", "$", "*"}[i%3])
	}
	b.WriteString("User-agent: x\nUser-agent: *\nDisallow: /b*\nAllow: /c/index.html\n")
	for _, dialect := range []robots.Dialect{robots.RFC9309, robots.Google} {
		g := robots.Parser{Dialect: dialect}.Parse([]byte(b.String())).Group("*")
		for round := range 3 {
			for i := range 200 {
				url := fmt.Sprintf("/%c%s%d%s", 'a'+i%9, []string{"", "x", "%2f", "%C3%BC", "?"}[i%5], i%13, []string{"", "0"}[i%2])
				var first robots.Rule
				n := 0
				for r := range g.Matches(url) {
					if n++; n == 1 {
						first = r
					}
				}
				if d := g.Explain(url); d.Rule != first {
					t.Fatalf("%v, round %d: Matches(%q) begins with %+v, Explain says %v", dialect, round, url, first, d)
				}
				if dialect == robots.Google {
					continue
				}
				want := 0
				for r := range g.Rules() {
					if robots.Match(r.Pattern, url) {
						want++
					}
				}
				if n != want {
					t.Errorf("Matches(%q) yields %d rules, Match finds %d", url, n, want)
				}
			}
		}
	}
}

func TestMatchesOfNothing(t *testing.T) {
	for _, g := range []*robots.Group{{}, robots.Parse(nil).Group("a"), robots.Parse([]byte("User-agent: a")).Group("a")} {
		for r := range g.Matches("/") {
			t.Errorf("an empty group yields %v", r)
		}
	}
	// A loop may be left early, and run again.
	seq := robots.Parse([]byte("User-agent: a\nAllow: /\nDisallow: /")).Group("a").Matches("/x")
	for range 2 {
		n := 0
		for range seq {
			n++
			break
		}
		if n != 1 {
			t.Errorf("left after %d matches, want 1", n)
		}
	}
}
