package robots_test

import (
	"fmt"
	"os"

	"example.com/robots"
)

func Example() {
	file := robots.Parse([]byte(`
User-agent: *
Disallow: /cart
Allow: /cart/help
`))
	fmt.Println(file.Allowed("MyBot", "https://shop.example/cart"))
	fmt.Println(file.Explain("MyBot", "https://shop.example/cart/help"))
	// Output:
	// false
	// allowed by line 4 "Allow: /cart/help" (group *)
}

func ExampleFile_Allowed() {
	file := robots.Parse([]byte(`
User-agent: *
Disallow: /

User-agent: Googlebot
Disallow: /search
`))
	// The agent is a product token or a whole User-Agent header.
	const header = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	fmt.Println(file.Allowed("googlebot", "/news"))
	fmt.Println(file.Allowed(header, "https://shop.example/news?page=2"))
	fmt.Println(file.Allowed(header, "https://shop.example/search"))
	fmt.Println(file.Allowed("OtherBot", "/news"))
	// Output:
	// true
	// true
	// false
	// false
}

func ExampleFile_Explain() {
	file := robots.Parse([]byte(`
User-agent: *
Disallow: /cart
Allow: /cart/help
`))
	d := file.Explain("MyBot", "https://shop.example/cart/1")
	fmt.Println(d.Allowed, d.Reason == robots.ReasonRule, d.Agent, d.Rule.Line, d.Rule)
	for _, url := range []string{"/cart/1", "/cart/help", "/about", "/robots.txt"} {
		fmt.Println(url, file.Explain("MyBot", url))
	}
	// Output:
	// false true * 3 Disallow: /cart
	// /cart/1 disallowed by line 3 "Disallow: /cart" (group *)
	// /cart/help allowed by line 4 "Allow: /cart/help" (group *)
	// /about allowed: no rule matches (group *)
	// /robots.txt allowed: robots.txt itself is always allowed (group *)
}

// A crawler with several names says which it falls back to. There is no rule by
// which "ExampleBot" would speak for ExampleBot-Images by itself.
func ExampleFile_Group() {
	file := robots.Parse([]byte(`
User-agent: *
Disallow: /

User-agent: ExampleBot
Disallow: /drafts
`))
	fmt.Println(file.Group("ExampleBot-Images").Allowed("/photo"))

	// A group that is looked up once answers for many URLs.
	group := file.Group("ExampleBot-Images", "ExampleBot")
	for _, url := range []string{"/photo", "/drafts/photo"} {
		fmt.Println(url, group.Allowed(url))
	}
	// Output:
	// false
	// /photo true
	// /drafts/photo false
}

func ExampleGroup_CrawlDelay() {
	file := robots.Parse([]byte(`
User-agent: SlowBot
Crawl-delay: 2.5
Disallow: /search

User-agent: *
Crawl-delay: soon
`))
	for _, agent := range []string{"SlowBot", "OtherBot"} {
		if delay, ok := file.Group(agent).CrawlDelay(); ok {
			fmt.Println(agent, "waits", delay)
		} else {
			fmt.Println(agent, "is asked for no delay")
		}
	}
	// Output:
	// SlowBot waits 2.5s
	// OtherBot is asked for no delay
}

func ExampleGroup_Matches() {
	file := robots.Parse([]byte(`
User-agent: *
Disallow: /
Allow: /shop/
Disallow: /shop/*?sort=
Disallow: /cart
`))
	for rule, octets := range file.Group("MyBot").Matches("/shop/shoes?sort=price") {
		fmt.Printf("%2d octets: line %d, %s\n", octets, rule.Line, rule)
	}
	// Output:
	// 13 octets: line 5, Disallow: /shop/*?sort=
	//  6 octets: line 4, Allow: /shop/
	//  1 octets: line 3, Disallow: /
}

func ExampleMatch() {
	for _, test := range []struct{ pattern, path string }{
		{"/fish", "/fish.html"},
		{"/fish", "/Fish.html"},
		{"/fish/", "/fish"},
		{"/*.pdf$", "/papers/1.pdf"},
		{"/*.pdf$", "/papers/1.pdf?download"},
		{"/a%2Fb", "/a/b"},
		{"/%7Euser", "/~user"},
		{"/ü", "/%C3%BC"},
	} {
		fmt.Printf("%-9s %-23s %t\n", test.pattern, test.path, robots.Match(test.pattern, test.path))
	}
	// Output:
	// /fish     /fish.html              true
	// /fish     /Fish.html              false
	// /fish/    /fish                   false
	// /*.pdf$   /papers/1.pdf           true
	// /*.pdf$   /papers/1.pdf?download  false
	// /a%2Fb    /a/b                    false
	// /%7Euser  /~user                  true
	// /ü        /%C3%BC                 true
}

func ExampleFile_Sitemaps() {
	file, err := os.Open("testdata/example.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	f, err := robots.ParseReader(file)
	if err != nil {
		fmt.Println(err) // of the reader: parsing cannot fail
		return
	}
	for url := range f.Sitemaps() {
		fmt.Println(url)
	}
	// Output:
	// https://shop.example/sitemap.xml
}

func ExampleFile_Records() {
	file := robots.Parse([]byte(`
User-agent: *       # everybody
Content-Signal: search=yes, ai-train=no
Disallow: /cart
this line says nothing
Sitemap: https://shop.example/sitemap.xml
`))
	for r := range file.Records() {
		fmt.Printf("%d: %s = %s\n", r.Line, r.Key, r.Value)
	}
	// Output:
	// 2: User-agent = *
	// 3: Content-Signal = search=yes, ai-train=no
	// 4: Disallow = /cart
	// 6: Sitemap = https://shop.example/sitemap.xml
}

// Google's parser does not decode escapes; RFC 9309 does.
func ExampleParser() {
	data := []byte("User-agent: *\nDisallow: /%63art\n")
	fmt.Println(robots.Parse(data).Explain("MyBot", "/cart"))
	fmt.Println(robots.Parser{Dialect: robots.Google}.Parse(data).Explain("MyBot", "/cart"))
	// Output:
	// disallowed by line 2 "Disallow: /%63art" (group *)
	// allowed: no rule matches (group *)
}
