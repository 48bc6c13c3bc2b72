package robots_test

import (
	"strings"
	"testing"

	"example.com/robots"
)

const (
	googlebotPhone = "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/W.X.Y.Z Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	firefox        = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
)

// R7: the product token is a substring of the identification string that the
// crawler sends.
var productTokens = []struct{ userAgent, want string }{
	// A bare token is returned as it is.
	{"Googlebot", "Googlebot"},
	{"googlebot", "googlebot"},
	{"MJ12bot", "MJ12bot"},
	{"360Spider", "360Spider"},
	{"360Spider-Image", "360Spider-Image"},
	{"archive.org_bot", "archive.org_bot"},
	{"ia_archiver", "ia_archiver"},
	{"FooBot_1-x.y", "FooBot_1-x.y"},
	{"Mozilla", "Mozilla"},
	{"Chrome", "Chrome"},
	{"1234", "1234"},
	{"-", "-"},

	// A product with its version, or with a comment.
	{"Googlebot/2.1", "Googlebot"},
	{"Googlebot/2.1 (+http://www.google.com/bot.html)", "Googlebot"},
	{"Googlebot-Image/1.0", "Googlebot-Image"},
	{"GPTBot/1.2; +https://openai.com/gptbot", "GPTBot"},
	{"MyBot/1.0 (+https://example.com/bot; bot@example.com)", "MyBot"},
	{"python-requests/2.31", "python-requests"},
	{"curl/8", "curl"},
	{"Wget/1.21.4", "Wget"},
	{"Go-http-client/2.0", "Go-http-client"},
	{"Java/17.0.1", "Java"},
	{"Apache-HttpClient/4.5.14 (Java/17.0.1)", "Apache-HttpClient"},
	{"Scrapy/2.11 (+https://scrapy.org)", "Scrapy"},
	{"axios/1.7.2", "axios"},
	{"MJ12bot/v1.4.8", "MJ12bot"},
	{"ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)", "ia_archiver"},
	{"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "facebookexternalhit"},
	{"facebookexternalhit/1.1 Facebot Twitterbot/1.0", "facebookexternalhit"},
	{"TelegramBot (like TwitterBot)", "TelegramBot"},
	{"LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)", "LinkedInBot"},
	{"WhatsApp/2.23.20.0 A", "WhatsApp"},
	{"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Slackbot-LinkExpanding"},
	{"FeedFetcher-Google; (+http://www.google.com/feedfetcher.html; 3 subscribers; feed-id=1)", "FeedFetcher-Google"},
	{"Baiduspider-image+(+http://www.baidu.com/search/spider.htm)", "Baiduspider-image"},
	{"msnbot/2.0b (+http://search.msn.com/msnbot.htm)", "msnbot"},
	{"rogerbot/1.0 (http://moz.com/help/pro/what-is-rogerbot-, rogerbot-crawler+shiny@moz.com)", "rogerbot"},
	{"serpstatbot/2.1 (advanced backlink tracking bot; https://serpstatbot.com/; abuse@serpstatbot.com)", "serpstatbot"},
	{"CCBot/2.0 (https://commoncrawl.org/faq/)", "CCBot"},
	{"googlebot*", "googlebot"},
	{"  Googlebot  ", "Googlebot"},
	{"Foo Bar", "Foo"},
	{"User-Agent: curl/8.5.0", "curl"},
	{"user-agent:Googlebot/2.1", "Googlebot"},

	{"008/0.83 (http://www.80legs.com/webcrawler.html)", "008"},
	{"Hatena::Fetcher/0.01 (master) Furl/3.13", "Hatena"},
	{"Y!J-ASR/0.1 crawler (http://www.yahoo-help.jp/)", "Y"},
	{"ArchiveTeam ArchiveBot/20170106.02 (wpull 2.0.2)", "ArchiveTeam"},
	{"AppEngine-Google; (+http://code.google.com/appengine; appid: s~example)", "AppEngine-Google"},

	// Inside a browser's header.
	{"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot"},
	{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/141.0.0.0 Safari/537.36", "Googlebot"},
	{googlebotPhone, "Googlebot"},
	{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/136.0.0.0 Safari/537.36", "bingbot"},
	{"Mozilla/5.0 (iPhone; CPU iPhone OS 8_1 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) Version/8.0 Mobile/12B411 Safari/600.1.4 (compatible; YandexBot/3.0; +http://yandex.com/bots)", "YandexBot"},
	{"Mozilla/5.0 (compatible; YandexBot/3.0; MirrorDetector; +http://yandex.com/bots)", "YandexBot"},
	{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)", "Applebot"},
	{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot", "ChatGPT-User"},
	{"Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", "AhrefsBot"},
	{"Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)", "PetalBot"},
	{"Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)", "Bytespider"},
	{"Mozilla/5.0 (compatible; archive.org_bot +http://www.archive.org/details/archive.org_bot)", "archive.org_bot"},
	{"Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)", "Slurp"},
	{"Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)", "SemrushBot"},
	{"Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b", "BingPreview"},
	{"Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.88 Safari/537.36", "Storebot-Google"},
	{"Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0.1180.89 Safari/537.1; 360Spider", "360Spider"},
	{"Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0.1180.89 Safari/537.1; 360Spider(compatible; HaosouSpider; http://www.haosou.com/help/help_3_2.html)", "HaosouSpider"},
	{"Mozilla/5.0 (Windows; U; Windows NT 5.1; en-US; rv:1.9.1.2) Gecko/20090729 Firefox/3.5.2 (.NET CLR 3.5.30729; Diffbot/0.1; +http://www.diffbot.com)", "Diffbot"},
	{"Mozilla/5.0 (compatible; Linux x86_64; Mail.RU_Bot/2.0; +http://go.mail.ru/help/robots)", "Mail.RU_Bot"},
	{"Mozilla/5.0 (compatible; +https://example.com/bot; MyFetcher/1.0)", "MyFetcher"},
	{"Mozilla/5.0 (Compatible; MyFetcher/1.0)", "MyFetcher"},
	{"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; BW/1.3; rb.gy/qyzae5) Chrome/124.0.0.0 Safari/537.36", "BW"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 MyFetcher/1.0", "MyFetcher"},
	{"Mozilla/5.0 (X11; Linux x86_64; MyFetcher/1.0; +https://example.com/) AppleWebKit/537.36 (KHTML, like Gecko)", "MyFetcher"},
	{"Mozilla/5.0 (X11; Linux x86_64; MyCrawler) AppleWebKit/537.36 (KHTML, like Gecko)", "MyCrawler"},
	{"Mozilla/5.0 (compatible; 008/0.83; http://www.80legs.com/webcrawler.html) Gecko/2008032620", "008"},
	{"Mozilla/5.0+(compatible;+PiplBot;+http://www.pipl.com/bot/)", "PiplBot"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3464.0 Safari/537.36 Chrome-Lighthouse", "Chrome-Lighthouse"},
	{"Mozilla/5.0 (Windows; U; Windows NT 5.1; en-US) Speedy Spider (http://www.entireweb.com/)", "Speedy"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Safari/537.36 some Googlebot/2.1", "Googlebot"},
	{"SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 Configuration/CLDC-1.1 UP.Browser/6.2.3.3.c.1.101 (GUI) MMP/2.0 (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)", "Googlebot-Mobile"},
	{"DoCoMo/2.0 N905i(c100;TB;W24H16) (compatible; Mediapartners-Google/2.1; +http://www.google.com/bot.html)", "Mediapartners-Google"},
	{"(Various mobile device types) (compatible; Mediapartners-Google/2.1; +http://www.google.com/bot.html)", "Mediapartners-Google"},

	// Known names of several words.
	{"Sogou web spider", "Sogou web spider"},
	{"sogou WEB spider", "sogou WEB spider"},
	{"Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)", "Sogou web spider"},
	{"Mozilla/5.0 (compatible; Sogou web spider/4.0; +http://www.sogou.com/docs/help/webmasters.htm#07)", "Sogou web spider"},
	{"Sogou Pic Spider/3.0(+http://www.sogou.com/docs/help/webmasters.htm#07)", "Sogou Pic Spider"},
	{"Sogou blog", "Sogou"},
	{"Sogou web spiders", "Sogou"},
	{"Screaming Frog SEO Spider/21.0", "Screaming Frog SEO Spider"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.75 Safari/537.36 Google Favicon", "Google Favicon"},

	// Nothing usable, plain browsers first.
	{"Mozilla/5.0", ""},
	{"mozilla/5.0 (windows)", ""},
	{firefox, ""},
	{"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36", ""},
	{"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0", ""},
	{"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1", ""},
	{"Mozilla/5.0 (Linux; Android 8.0; CUBOT_X18 Build/O11019) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.210 Mobile Safari/537.36", ""},
	{"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; SLCC2; .NET CLR 2.0.50727)", ""},
	{"Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", ""},
	{"Opera/9.80 (Windows NT 6.1; U; en) Presto/2.12.388 Version/12.18", ""},
	{"", ""},
	{" ", ""},
	{"*", ""},
	{"/1.0", ""},
	{"+", ""},
	{"https://example.com/bot", ""},
	{"bot@example.com", ""},
	{"Mozilla/5.0 (compatible; +http://www.example.com/bot.html)", ""},
	{"Mozilla/5.0 (compatible; )", ""},
	{"\xff\xfe", ""},
	{"機器人", ""},
}

func TestProductToken(t *testing.T) {
	for _, test := range productTokens {
		if got := robots.ProductToken(test.userAgent); got != test.want {
			t.Errorf("ProductToken(%q) = %q, want %q", test.userAgent, got, test.want)
		}
	}
}

// Headers come from strangers: every one is read once, whatever it holds.
func TestProductTokenHostile(t *testing.T) {
	for _, piece := range []string{
		"a", " ", "(", ")", ";", "compatible", "compatible;", "compatible; MSIE ", "compatible; http://a ", "patible", "bo", "b", "spide",
		"like ", "Sogou ", "Sogou web ", "www.", "@", "a@", "Name/1; ", "Name/1 ", "(Name/1; http://", "\x00", "\xff", "Mozilla/5.0 (",
	} {
		for _, start := range []string{"", "Mozilla/5.0 (", "Mozilla/5.0 (compatible; "} {
			s := start + strings.Repeat(piece, 1<<20/len(piece))
			if got := robots.ProductToken(s); !strings.Contains(s, got) {
				t.Errorf("ProductToken(%q + 1 MB of %q) = %.40q, not a part of it", start, piece, got)
			}
		}
	}
}

func TestIsToken(t *testing.T) {
	for i := range 256 {
		c := string([]byte{byte(i)})
		want := strings.Contains("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.", c)
		for _, s := range []string{c, "a" + c, c + "a", "abcdefgh" + c + "abcdefgh"} {
			if got := robots.IsToken(s); got != want {
				t.Errorf("isToken(%q) = %v, want %v", s, got, want)
			}
		}
	}
	if robots.IsToken("") {
		t.Error(`isToken("") = true, want false`)
	}
}

func FuzzProductToken(f *testing.F) {
	for _, test := range productTokens {
		f.Add(test.userAgent)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := robots.ProductToken(s)
		if !strings.Contains(s, got) {
			t.Errorf("ProductToken(%q) = %q, not a part of it", s, got)
		}
		if got != "" && !robots.IsToken(got) && robots.SpacedCrawler(got) != got {
			t.Errorf("ProductToken(%q) = %q, not a token", s, got)
		}
		if robots.IsToken(s) && got != s {
			t.Errorf("ProductToken(%q) = %q, want the bare token itself", s, got)
		}
		if again := robots.ProductToken(got); again != got {
			t.Errorf("ProductToken(%q) = %q, but ProductToken of that = %q", s, got, again)
		}
	})
}

var headers = []struct{ name, userAgent string }{
	{"token", "Googlebot"},
	{"product", "MyBot/1.0 (+https://example.com/bot)"},
	{"phone", googlebotPhone},
	{"spaced", "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)"},
	{"browser", firefox},
}

func TestProductTokenNoAllocs(t *testing.T) {
	for _, h := range headers {
		if n := testing.AllocsPerRun(100, func() { robots.ProductToken(h.userAgent) }); n != 0 {
			t.Errorf("ProductToken(%q) allocates %v times, want 0", h.userAgent, n)
		}
	}
}

func BenchmarkProductToken(b *testing.B) {
	for _, h := range headers {
		b.Run(h.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				robots.ProductToken(h.userAgent)
			}
		})
	}
}
