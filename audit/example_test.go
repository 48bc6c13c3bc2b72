package audit_test

import (
	"fmt"
	"log"
	"os"

	"example.com/robots"
	"example.com/robots/audit"
)

func ExampleLint() {
	f := robots.Parse([]byte(`
User-agent: *
Disallow: /*.php
Allow: /folder/

User-agent: Bingbot
Crawl-delay: 5

User-agent: BadBot
Disallow: /
`))
	for _, x := range audit.Lint(f) {
		if x.Severity >= audit.Warning {
			fmt.Println(x)
			fmt.Println("  see", x.Witness)
		}
	}
	// Output:
	// 3:11: warning: /folder/.php is allowed although "Disallow: /*.php" comes before "Allow: /folder/" (line 4): that wins by its length, 8 octets to 6 (rule-order)
	//   see /folder/.php
	// 7:1: error: "Crawl-delay: 5" is no rule and does not end the group of "Bingbot" (line 6): it joins that of "BadBot" (line 9), and its rules, from line 10 on ("Disallow: /") (group-joined)
	//   see /
}

func ExampleDiff() {
	old := robots.Parse([]byte("User-agent: *\nDisallow: /cart\nAllow: /cart/help\n"))
	new := robots.Parse([]byte("User-agent: *\nAllow: /cart/help$\nDisallow: /cart\nDisallow: /cart/x\n"))
	for _, a := range audit.Diff(old, new).Agents {
		for _, c := range a.Closed {
			fmt.Println(a.Agents, c.Path, "was allowed by", c.OldRule, "and is blocked by", c.NewRule)
		}
	}
	// Output:
	// [*] /cart/helpx was allowed by line 3: Allow: /cart/help and is blocked by line 3: Disallow: /cart
}

func ExampleBlocked() {
	f := robots.Parse([]byte("User-agent: *\nDisallow: /\nAllow: /robots.txt$\n\nUser-agent: Googlebot\nDisallow: /*?\n"))
	fmt.Println(audit.Blocked(f.Group("*")), audit.Blocked(f.Group("Googlebot")))
	// Output: all partly
}

func ExampleExpectations() {
	e, err := audit.ParseExpectations("expect.txt", []byte(`
# The shop must be found, the cart must not.
allow *           /products/1
block Googlebot,* /cart  by 2
`))
	if err != nil {
		log.Fatal(err)
	}
	f := robots.Parse([]byte("User-agent: *\nDisallow: /cart\n\nUser-agent: Googlebot\nDisallow: /search\n"))
	results, err := e.Run(func(audit.Expectation) (audit.Explainer, error) { return f, nil })
	if err != nil {
		log.Fatal(err)
	}
	audit.WriteResults(os.Stdout, audit.Suite{Name: e.Name, Results: results})
	// Output:
	// expect.txt:4: Googlebot must not be allowed to fetch /cart: allowed, no rule matches
	// expect.txt: 2 passed, 1 failed
}
