package robots_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/robots"
	"github.com/google/go-cmp/cmp"
)

func TestCrawlersTable(t *testing.T) {
	rows := map[string]robots.Crawler{} // by token, in lower case
	for c := range robots.Crawlers() {
		key := strings.ToLower(c.Token)
		if _, ok := rows[key]; ok {
			t.Errorf("%s: two rows", c.Token)
		}
		rows[key] = c
	}
	if len(rows) < 100 {
		t.Errorf("%d rows, want 100 and more", len(rows))
	}
	shared, minLen, maxLen := robots.CrawlerSlots()
	if shared > 5 {
		t.Errorf("%d tokens share a slot, want 5 or fewer; try other factors in crawlerHash", shared)
	}
	shortest, longest := maxLen, minLen
	for _, c := range rows {
		shortest, longest = min(shortest, len(c.Token)), max(longest, len(c.Token))
		if c.Token == "" || c.Operator == "" {
			t.Errorf("%q: no token or no operator", c.Token)
		}
		if u, err := url.Parse(c.Source); err != nil || u.Scheme != "https" || u.Host == "" {
			t.Errorf("%s: Source %q is no URL", c.Token, c.Source)
		}
		if _, err := time.Parse("2006-01", c.Read); err != nil {
			t.Errorf("%s: Read %q is no month", c.Token, c.Read)
		}
		if c.IgnoresRobots && (!c.IgnoresGlobal || len(c.Fallback) > 0) {
			t.Errorf("%s: ignores robots.txt, yet obeys some of it", c.Token)
		}
		if c.TokenOnly && c.UserAgent != "" {
			t.Errorf("%s: a token without a crawler, yet a User-Agent", c.Token)
		}
		if c.Undocumented && (len(c.Fallback) > 0 || c.IgnoresGlobal || c.CrawlDelay != robots.CrawlDelayUnknown) {
			t.Errorf("%s: nothing is documented, yet the row says something", c.Token)
		}
		if strings.Contains(c.Token, " ") && robots.SpacedCrawler(c.Token) != c.Token {
			t.Errorf("%s: not in spacedCrawlers", c.Token)
		}
		for _, f := range c.Fallback {
			other, ok := rows[strings.ToLower(f)]
			if !ok {
				t.Errorf("%s: no row for the fallback %q", c.Token, f)
			}
			// A fallback's own fallbacks do not count, so a cycle would do no harm;
			// it would be a mistake all the same.
			if slices.Contains(other.Fallback, c.Token) || f == c.Token {
				t.Errorf("%s: falls back to %s and back", c.Token, f)
			}
		}
	}
	if shortest != minLen || longest != maxLen {
		t.Errorf("tokens have %d to %d bytes, lookupCrawler takes %d to %d", shortest, longest, minLen, maxLen)
	}
}

// Every example of a User-Agent header resolves to its own row.
func TestCrawlersUserAgent(t *testing.T) {
	for c := range robots.Crawlers() {
		if c.UserAgent == "" {
			continue
		}
		if got := robots.ProductToken(c.UserAgent); !strings.EqualFold(got, c.Token) {
			t.Errorf("ProductToken(%q) = %q, want %q", c.UserAgent, got, c.Token)
		}
		if got, ok := robots.LookupCrawler(c.UserAgent); !ok || got.Token != c.Token {
			t.Errorf("LookupCrawler(%q) = %q, %v, want %q", c.UserAgent, got.Token, ok, c.Token)
		}
	}
}

func TestLookupCrawler(t *testing.T) {
	for c := range robots.Crawlers() {
		for _, token := range []string{c.Token, strings.ToLower(c.Token), strings.ToUpper(c.Token), c.Token + "/1.0", c.Token + "/1.0 (+https://example.com/)"} {
			got, ok := robots.LookupCrawler(token)
			if diff := cmp.Diff(c, got); diff != "" || !ok {
				t.Errorf("LookupCrawler(%q), %v (-want +got):\n%s", token, ok, diff)
			}
		}
		for _, token := range []string{c.Token + "x", "x" + c.Token, c.Token[1:], c.Token[:len(c.Token)-1], strings.Replace(c.Token, "-", "\r", 1)} {
			// "Googlebot-Video" less its last byte is nobody, "Google-…-Apps" less
			// more would be.
			if got, ok := robots.LookupCrawler(token); ok && !strings.EqualFold(got.Token, robots.ProductToken(token)) {
				t.Errorf("LookupCrawler(%q) = %q, want none", token, got.Token)
			}
		}
	}
	for _, token := range []string{"", "*", "a", "abc", "MyBot", "examplecrawler", "Googlebot-Nonsense", firefox, strings.Repeat("Googlebot", 1000), "\x00\x00\x00\x00"} {
		if got, ok := robots.LookupCrawler(token); ok {
			t.Errorf("LookupCrawler(%.40q) = %q, want none", token, got.Token)
		}
	}
}

// The result of Crawlers is the caller's, and no verdict can be changed through
// that of LookupCrawler.
func TestCrawlersCopies(t *testing.T) {
	for c := range robots.Crawlers() {
		for i := range c.Fallback {
			c.Fallback[i] = "spoilt"
		}
	}
	for c := range robots.Crawlers() {
		if slices.Contains(c.Fallback, "spoilt") {
			t.Errorf("%s: a caller's change to Fallback shows", c.Token)
		}
	}
	c, _ := robots.LookupCrawler("Googlebot-Image")
	kept := c.Fallback[0]
	c.Fallback[0] = "spoilt"
	defer func() { c.Fallback[0] = kept }()
	if _, got, _, _, _ := robots.LookupRow("Googlebot-Image"); !slices.Equal(got, []string{"googlebot"}) {
		t.Errorf("the selector's fallback of Googlebot-Image is %q, want googlebot", got)
	}
}

func TestPurposeString(t *testing.T) {
	for _, test := range []struct {
		got, want string
	}{
		{robots.PurposeOther.String(), "other"},
		{robots.PurposeSearch.String(), "search"},
		{robots.PurposeAds.String(), "ads"},
		{robots.PurposeAITraining.String(), "ai-training"},
		{robots.PurposeAIUser.String(), "ai-user"},
		{robots.PurposeSEO.String(), "seo"},
		{robots.PurposeArchive.String(), "archive"},
		{robots.PurposePreview.String(), "preview"},
		{robots.Purpose(200).String(), "other"},
		{robots.CrawlDelayUnknown.String(), "unknown"},
		{robots.CrawlDelayIgnored.String(), "ignored"},
		{robots.CrawlDelayHonoured.String(), "honoured"},
		{robots.CrawlDelayAlsoGlobal.String(), `honoured, also from "*"`},
		{robots.CrawlDelay(200).String(), "unknown"},
	} {
		if test.got != test.want {
			t.Errorf("String() = %q, want %q", test.got, test.want)
		}
	}
}

func TestLookupCrawlerNoAllocs(t *testing.T) {
	for _, token := range []string{"Googlebot-Image", "GOOGLEBOT-IMAGE", "MyBot", googlebotPhone, "Sogou web spider"} {
		if n := testing.AllocsPerRun(100, func() { robots.LookupCrawler(token) }); n != 0 {
			t.Errorf("LookupCrawler(%q) allocates %v times, want 0", token, n)
		}
		if n := testing.AllocsPerRun(100, func() { robots.LookupRow(token) }); n != 0 {
			t.Errorf("lookupCrawler(%q) allocates %v times, want 0", token, n)
		}
	}
}

func BenchmarkLookupCrawler(b *testing.B) {
	for _, bm := range []struct{ name, token string }{
		{"hit", "Googlebot-Image"},
		{"lower", "googlebot-image"},
		{"mixed", "GoogleBot-image"},
		{"miss", "examplecrawler"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				robots.LookupCrawler(bm.token)
			}
		})
		b.Run("row/"+bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				robots.LookupRow(bm.token)
			}
		})
	}
}
