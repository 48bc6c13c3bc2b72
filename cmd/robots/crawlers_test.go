package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"example.com/robots"
)

const crawlersFile = `
User-agent: Googlebot
User-agent: Baiduspider
Disallow: /private/

User-agent: bingbot
Disallow:

User-agent: *
Disallow: /
`

func TestCrawlers(t *testing.T) {
	for _, s := range []scenario{
		{args: "crawlers adsbot-google", stdout: `
AdsBot-Google
  operator     Google
  purpose      ads
  obeys        AdsBot-Google
  crawl-delay  ignored
  user-agent   AdsBot-Google (+http://www.google.com/adsbot.html)
  source       https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers  (read 2026-11)
`},
		{args: "crawlers -f - Googlebot Googlebot-Image/1.0 Storebot-Google AdsBot-Google bingbot msnbot Baiduspider-image Baiduspider-video Sogou_web_spider", stdin: crawlersFile, stdout: `
TOKEN              PURPOSE  BLOCKED  GROUP        WHY
Googlebot          search   partly   Googlebot    its own
Googlebot-Image    search   partly   Googlebot    none names it: falls back
Storebot-Google    search   fully    *            none names it
AdsBot-Google      ads      no       -            none names it, and * does not reach it
bingbot            search   no       bingbot      its own
msnbot             search   fully    *            none names it
Baiduspider-image  search   partly   Baiduspider  none names it: falls back
Baiduspider-video  search   no       -            does not follow robots.txt
Sogou web spider   search   fully    *            none names it
`},
		{args: "crawlers -f - Googlebot bingbot", stdin: "User-agent: bingbot", stdout: `
TOKEN      PURPOSE  BLOCKED  GROUP    WHY
Googlebot  search   no       -        there is none for it
bingbot    search   no       bingbot  its own
`},
		{args: "crawlers -f - -dialect google 360Spider-Image", stdin: "User-agent: 360Spider\nDisallow: /\nUser-agent: *\nDisallow: /a", stdout: `
TOKEN            PURPOSE  BLOCKED  GROUP  WHY
360Spider-Image  search   partly   *      none names it
`},
		{args: "crawlers -f - -json gptbot", stdin: crawlersFile, stdout: `
{"token":"GPTBot","purpose":"ai-training","blocked":"fully","group":"*","why":"none names it","notes":"A change takes about 24 hours."}
`},
		{args: "crawlers -json itms google_favicon", stdout: `
{"token":"iTMS","operator":"Apple","purpose":"other","obeys":[],"crawl_delay":"unknown","user_agent":"iTMS","notes":"Fetches what is registered with Apple Podcasts; not a general crawler.","source":"https://support.apple.com/en-us/119829","read":"2026-11"}
{"token":"Google Favicon","operator":"Google","purpose":"other","obeys":["Googlebot-Image","Googlebot","*"],"crawl_delay":"ignored","retired":true,"user_agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.75 Safari/537.36 Google Favicon","notes":"The name stands in the User-Agent only; its tokens in robots.txt are those it falls back to.","source":"https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers","read":"2026-11"}
`},
		{args: "crawlers Gogglebot", code: exitMisuse, stderr: `robots crawlers: no crawler is known as "Gogglebot": did you mean "Googlebot"?`},
		{args: "crawlers my_own_bot/1.0", code: exitMisuse, stderr: `robots crawlers: no crawler is known as "my own bot/1.0": robots crawlers lists them; to ask for any other write robots check -f FILE -agent 'my own bot/1.0' /page`},
		{args: "crawlers -f T MyBot", code: exitMisuse, stderr: `robots crawlers: no crawler is known as "MyBot": robots crawlers lists them; to ask for any other write robots check -f T -agent MyBot /page`},
		{args: "crawlers my_own_bot", code: exitMisuse, stderr: `robots crawlers: "my own bot" names no crawler: it is neither a product token, of letters, digits and ._-, nor a User-Agent header such as MyBot/1.0: of it only "my" would count; give that, if it is meant`},
		{args: "crawlers Googlebot,Sogou_web_spider", code: exitMisuse, stderr: `robots crawlers: "Googlebot,Sogou web spider" lists several crawlers: give each by itself: robots crawlers Googlebot 'Sogou web spider'`},
		{args: "crawlers bingbot ''", code: exitMisuse, stderr: `robots crawlers: "" names no crawler: it is empty: give a product token such as Googlebot, or * for the group of all others`},
		{args: "crawlers -f https://example.com/robots.txt", code: exitMisuse, stderr: `robots crawlers: "https://example.com/robots.txt" is a URL, not a file: save what it serves, or pipe it: curl -sSfL https://example.com/robots.txt | robots crawlers -f - …`},
		{args: "crawlers -dialect google", code: exitMisuse, stderr: `robots crawlers: -dialect is how a file is read: name one with -f FILE`},
		{args: "crawlers -f no/such/file", code: exitMisuse, stderr: `robots crawlers: cannot read "no/such/file": no such file or directory`},
		{args: "crawlers -jsno", code: exitMisuse, stderr: `robots crawlers: unknown flag -jsno: did you mean -json?`},
	} {
		s.run(t)
	}
}

// All of the crawlers are in each form of the answer, and nothing else.
func TestCrawlersAll(t *testing.T) {
	n := 0
	for range robots.Crawlers() {
		n++
	}
	for _, args := range []string{"crawlers", "crawlers -f -"} {
		var text, lines bytes.Buffer
		run(strings.Fields(args), strings.NewReader(crawlersFile), &text, &text)
		if got := strings.Count(text.String(), "\n"); got != n+1 {
			t.Errorf("robots %s: %d lines, want a heading and %d", args, got, n)
		}
		run(strings.Fields(args+" -json"), strings.NewReader(crawlersFile), &lines, &lines)
		d := json.NewDecoder(&lines)
		for c := range robots.Crawlers() {
			var row struct{ Token string }
			if err := d.Decode(&row); err != nil || row.Token != c.Token {
				t.Fatalf("robots %s -json: %q, %v, want %q", args, row.Token, err, c.Token)
			}
		}
		if d.More() {
			t.Errorf("robots %s -json: more than %d objects", args, n)
		}
	}
}

func TestExtent(t *testing.T) {
	for _, test := range []struct{ rules, exact, rough string }{
		{"", "no", "no"},
		{"Disallow:", "no", "no"},
		{"Allow: /", "no", "no"},
		{"Allow: /a", "no", "no"},
		{"Disallow: /", "fully", "fully"},
		{"Disallow: *", "fully", "fully"},
		{"Disallow: /*", "fully", "fully"},
		{"Disallow: /a\nDisallow: /", "fully", "fully"},
		{"Disallow: /\nAllow:", "fully", "fully"},
		{"Disallow: /\nAllow: /a", "partly", "partly"},
		{"Disallow: /a", "partly", "partly"},
		{"Disallow: /$", "partly", "partly"},
		{"Disallow: /a\nAllow: /a", "no", "partly"},
		{"Disallow: /\nAllow: /robots.txt$", "fully", "partly"},
	} {
		file := []byte("User-agent: *\n" + test.rules + "\n")
		if got := exactExtent(robots.Parse(file).Group("MyBot")); got != test.exact {
			t.Errorf("exactExtent(%q) = %q, want %q", test.rules, got, test.exact)
		}
		if got := roughExtent(robots.Parser{Dialect: robots.Google}.Parse(file).Group("MyBot")); got != test.rough {
			t.Errorf("roughExtent(%q) = %q, want %q", test.rules, got, test.rough)
		}
	}
}
