package robots_test

import (
	"fmt"

	"example.com/robots"
)

// What a known crawler obeys is not always what its name suggests.
func ExampleLookupCrawler() {
	file := robots.Parse([]byte("User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /\n"))
	for _, token := range []string{"Googlebot-Image", "Storebot-Google", "AdsBot-Google", "Baiduspider-video", "MyBot"} {
		c, known := robots.LookupCrawler(token)
		fmt.Println(token, known, c.Operator, c.Fallback)
		fmt.Println("  ", file.Explain(token, "/page"))
	}
	// Output:
	// Googlebot-Image true Google [Googlebot]
	//    allowed: no rule matches (group Googlebot)
	// Storebot-Google true Google []
	//    disallowed by line 5 "Disallow: /" (group *)
	// AdsBot-Google true Google []
	//    allowed: no group applies
	// Baiduspider-video true Baidu []
	//    allowed: the crawler is documented not to follow robots.txt
	// MyBot false  []
	//    disallowed by line 5 "Disallow: /" (group *)
}

func ExampleProductToken() {
	fmt.Println(robots.ProductToken("MyBot/1.0 (+https://example.com/bot; bot@example.com)"))
	fmt.Println(robots.ProductToken("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"))
	fmt.Printf("%q\n", robots.ProductToken("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"))
	// Output:
	// MyBot
	// bingbot
	// ""
}
