package robots_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/robots"
)

// known are the crawlers whose reading differs from the plain rule, with what
// they obey when no group names them: other tokens in turn, then "*". An empty
// list is a crawler that "*" does not reach, "nothing" one that does not follow
// robots.txt at all.
var known = []struct{ token, obeys string }{
	{"Googlebot-Image", "Googlebot *"},
	{"Googlebot-Video", "Googlebot *"},
	{"Googlebot-News", "Googlebot *"},
	{"Google-InspectionTool", "Googlebot *"},
	{"GoogleOther-Image", "GoogleOther *"},
	{"GoogleOther-Video", "GoogleOther *"},
	{"Google-CloudVertexBot", "Googlebot *"},
	{"APIs-Google", ""},
	{"AdsBot-Google", ""},
	{"AdsBot-Google-Mobile", ""},
	{"AdsBot-Google-Mobile-Apps", "AdsBot-Google"},
	{"Mediapartners-Google", ""},
	{"Google-Safety", "nothing"},
	{"DuplexWeb-Google", ""},
	{"Google Favicon", "Googlebot-Image Googlebot *"},
	{"googleweblight", "nothing"},
	{"FeedFetcher-Google", "nothing"},
	{"GoogleProducer", "nothing"},
	{"Google-Read-Aloud", "nothing"},
	{"Google-Site-Verification", "nothing"},
	{"Google-CWS", "nothing"},
	{"Google-Agent", "nothing"},
	{"GoogleMessages", "nothing"},
	{"Google-NotebookLM", "nothing"},
	{"Google-GeminiNotebook", "nothing"},
	{"Google-Pinpoint", "nothing"},
	{"bingbot", "msnbot *"},
	{"YandexBot", "Yandex *"},
	{"YandexImages", "Yandex *"},
	{"YandexVideo", "Yandex *"},
	{"YandexMedia", "Yandex *"},
	{"YandexBlogs", "Yandex *"},
	{"YandexNews", "Yandex *"},
	{"YandexFavicons", "Yandex *"},
	{"YandexImageResizer", "Yandex *"},
	{"YandexRenderResourcesBot", "Yandex *"},
	{"YandexVertis", "Yandex *"},
	{"YandexMarket", "Yandex *"},
	{"YandexAdditionalBot", "Yandex *"},
	{"YandexDirect", "Yandex"},
	{"YandexDirectDyn", ""},
	{"YaDirectFetcher", ""},
	{"YandexMobileBot", ""},
	{"YandexAccessibilityBot", ""},
	{"YandexCalendar", ""},
	{"YandexMetrika", ""},
	{"YandexUserproxy", ""},
	{"Baiduspider-image", "Baiduspider *"},
	{"Baiduspider-news", "Baiduspider *"},
	{"Baiduspider-favo", "Baiduspider *"},
	{"Baiduspider-render", "Baiduspider *"},
	{"Baiduspider-video", "nothing"},
	{"Baiduspider-cpro", "nothing"},
	{"Baiduspider-ads", "nothing"},
	{"360Spider-Image", "360Spider *"},
	{"360Spider-Video", "360Spider *"},
	{"HaoSouSpider", "360Spider *"},
	{"Applebot", "Googlebot *"},
	{"iTMS", "nothing"},
	{"ChatGPT-User", "nothing"},
	{"Perplexity-User", "nothing"},
	{"meta-externalfetcher", "nothing"},
	{"Amzn-SearchBot", "Googlebot bingbot *"},
	{"Amzn-User", "nothing"},
	{"Bravebot", "Googlebot *"},
	{"Slackbot-LinkExpanding", "nothing"},
	{"Slackbot", "nothing"},
	{"Screaming Frog SEO Spider", "Googlebot *"},
}

// plain are some of the others: their own group, else "*".
var plain = []string{
	"Googlebot", "Storebot-Google", "GoogleOther", "Google-Extended", "msnbot", "Yandex", "Baiduspider", "360Spider",
	"Sogou web spider", "Sogou Pic Spider", "Bytespider", "Applebot-Extended", "GPTBot", "ClaudeBot", "Claude-User", "CCBot",
	"MJ12bot", "SemrushBot-BA", "archive.org_bot", "MyBot", "my_bot", "Googlebot-Nonsense", "curl",
}

// The list above and the table say the same.
func TestKnownListed(t *testing.T) {
	listed := map[string]string{}
	for _, k := range known {
		listed[k.token] = k.obeys
	}
	for _, token := range plain {
		listed[token] = "*"
	}
	for c := range robots.Crawlers() {
		obeys := strings.Join(c.Fallback, " ")
		switch {
		case c.IgnoresRobots:
			obeys = "nothing"
		case !c.IgnoresGlobal:
			obeys = strings.TrimSpace(obeys + " *")
		}
		want, ok := listed[c.Token]
		if !ok {
			want = "*"
		}
		if obeys != want {
			t.Errorf("%s obeys %q, want %q", c.Token, obeys, want)
		}
	}
}

var dialects = map[string]robots.Dialect{"RFC9309": robots.RFC9309, "Google": robots.Google}

// R8-R11, G26-G32, G45: each crawler obeys its own group, then those it falls
// back to, then "*"; with its own group and without, however it is named.
func TestKnownSelect(t *testing.T) {
	rows := known
	for _, token := range plain {
		rows = append(rows, struct{ token, obeys string }{token, "*"})
	}
	for name, dialect := range dialects {
		for _, row := range rows {
			if dialect == robots.Google && strings.ContainsAny(row.token+row.obeys, "0123456789.") {
				continue // S8: this dialect cuts such tokens when it reads the file
			}
			forms := []string{
				row.token,
				strings.ToUpper(row.token),
				row.token + "/1.0",
				row.token + "/1.0 (+https://example.com/; bot@example.com)",
				"Mozilla/5.0 (compatible; " + row.token + "/1.0; +https://example.com/)",
			}
			if c, ok := robots.LookupCrawler(row.token); ok && c.UserAgent != "" {
				forms = append(forms, c.UserAgent)
			}
			for _, agent := range forms {
				t.Run(name+"/"+row.token, func(t *testing.T) { testSelect(t, dialect, row.token, row.obeys, agent) })
			}
		}
	}
}

// testSelect asks files for agent that have fewer and fewer of the groups that
// the crawler called token obeys. Each group disallows a path of its own.
func testSelect(t *testing.T, dialect robots.Dialect, token, obeys, agent string) {
	path := func(name string) string {
		return "/of/" + strings.NewReplacer("*", "all", " ", "-").Replace(name) + "/x"
	}
	group := func(name string) string { return fmt.Sprintf("User-agent: %s\nDisallow: %s\n\n", name, path(name)) }
	ask := func(file, name string) bool {
		return robots.Parser{Dialect: dialect}.Parse([]byte(file)).Allowed(agent, "https://example.com"+path(name))
	}
	if obeys == "nothing" {
		for _, file := range []string{group(token), group("*"), group(token) + group("*"), "User-agent: *\nDisallow: /\n"} {
			d := robots.Parser{Dialect: dialect}.Parse([]byte(file)).Explain(agent, path(token))
			if !d.Allowed || d.Reason != robots.ReasonCrawler {
				t.Errorf("Explain(%q, %q) = %v, want allowed for ReasonCrawler; file:\n%s", agent, path(token), d, file)
			}
		}
		return
	}
	chain := strings.Fields(obeys)
	if token != "Google Favicon" { // has no token of its own
		chain = append([]string{token}, chain...)
	}
	other := group("unrelated") + group(token+"x") + group("x"+token) // R8: no prefixes, no substrings
	if strings.Contains(token, " ") {
		other = group("unrelated") // a line is read to its first word
	}
	for i, name := range chain {
		file := other
		for j := len(chain) - 1; j >= i; j-- { // order must not matter
			file += group(chain[j])
		}
		if !strings.Contains(file, "User-agent: *\n") {
			file += group("*")
		}
		if ask(file, name) {
			t.Errorf("Allowed(%q, %q) = true, want the group %q obeyed; file:\n%s", agent, path(name), name, file)
		}
		for _, no := range chain[i+1:] {
			if !ask(file, no) {
				t.Errorf("Allowed(%q, %q) = false, want no group but %q obeyed; file:\n%s", agent, path(no), name, file)
			}
		}
		if name != "*" && !ask(file, "*") {
			t.Errorf("Allowed(%q, %q) = false, want %q to replace *; file:\n%s", agent, path("*"), name, file)
		}
	}
	if want := !strings.Contains(obeys, "*"); ask(group("*"), "*") != want {
		t.Errorf("Allowed(%q, %q) = %v, want %v; file:\n%s", agent, path("*"), !want, want, group("*"))
	}
	if !ask(other, "unrelated") {
		t.Errorf("Allowed(%q, %q) = false, want no group obeyed; file:\n%s", agent, path("unrelated"), other)
	}
}

// Files as they are written for families of crawlers.
func TestKnownFamilies(t *testing.T) {
	const g = "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /s\n"
	for _, test := range []struct {
		name, file, agent, url string
		allowed                bool
		reason                 robots.Reason
		group                  string
	}{
		{"V12b", "User-agent: Googlebot\nDisallow: /\n", "Googlebot-Image", "https://example.com/x", false, robots.ReasonRule, "Googlebot"},
		{"Z19", g, "Googlebot-Image", "/g", false, robots.ReasonRule, "Googlebot"},
		{"Z19 *", g, "Googlebot-Image", "/s", true, robots.ReasonNoRule, "Googlebot"},
		{"Z23", "User-agent: 360Spider\nDisallow: /3\nIndexpage: https://example.com/list/*\n\nUser-agent: *\nDisallow: /s\n", "360Spider-Video", "/3", false, robots.ReasonRule, "360Spider"},
		{"Z24", "User-agent: Baiduspider\nDisallow: /\n", "Baiduspider-image", "/x", false, robots.ReasonRule, "Baiduspider"},
		{"Z25", "User-agent: Baiduspider\nDisallow: /\n", "Baiduspider-video", "/x", true, robots.ReasonCrawler, ""},
		{"Z26", "User-agent: Baiduspider\nDisallow: /\n\nUser-agent: *\nDisallow: /\n", "Baiduspider-cpro", "/x", true, robots.ReasonCrawler, ""},
		{"G30", g, "Storebot-Google", "/g", true, robots.ReasonNoRule, "*"},
		{"G30 *", g, "Storebot-Google", "/s", false, robots.ReasonRule, "*"},
		{"control token", g, "Google-Extended", "/s", false, robots.ReasonRule, "*"},
		{"Apple", g, "Applebot", "/g", false, robots.ReasonRule, "Googlebot"},
		{"Apple's control token", g, "Applebot-Extended", "/s", false, robots.ReasonRule, "*"},
		{"digits", "User-agent: MJ12bot\nDisallow: /\n", "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)", "/x", false, robots.ReasonRule, "MJ12bot"},
		{"dot", "User-agent: archive.org_bot\nDisallow: /\n", "Mozilla/5.0 (compatible; archive.org_bot +http://www.archive.org/details/archive.org_bot)", "/x", false, robots.ReasonRule, "archive.org_bot"},
		{"spaces", "User-agent: Sogou web spider\nDisallow: /\n", "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)", "/x", false, robots.ReasonRule, "Sogou"},
		{"version in the file", "User-agent: Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)\nDisallow: /\n", "Sogou web spider", "/x", false, robots.ReasonRule, "Sogou"},
		{"browser", g, firefox, "/s", false, robots.ReasonRule, "*"},
	} {
		d := robots.Parse([]byte(test.file)).Explain(test.agent, test.url)
		if d.Allowed != test.allowed || d.Reason != test.reason || test.group != "" && d.Agent != test.group {
			t.Errorf("%s: Explain(%q, %q) = %v; want allowed %v for reason %v, group %q", test.name, test.agent, test.url, d, test.allowed, test.reason, test.group)
		}
	}
}

// A caller's own fallbacks take the place of the table's.
func TestExplicitFallback(t *testing.T) {
	f := robots.Parse([]byte("User-agent: Googlebot\nDisallow: /g\n\nUser-agent: family\nDisallow: /f\n\nUser-agent: *\nDisallow: /s\n"))
	for _, test := range []struct {
		agent      string
		fallback   []string
		disallowed string
	}{
		{"Googlebot-Image", nil, "/g"},
		{"Googlebot-Image", []string{"family"}, "/f"},
		{"Googlebot-Image", []string{"nobody"}, "/s"},
		{"Googlebot-Image", []string{"nobody", "FAMILY"}, "/f"},
		{"Googlebot", []string{"family"}, "/g"},
		{"MyBot", []string{"family", "Googlebot"}, "/f"},
		{"MyBot", nil, "/s"},
	} {
		g := f.Group(test.agent, test.fallback...)
		for _, path := range []string{"/g", "/f", "/s"} {
			if got, want := g.Allowed(path), path != test.disallowed; got != want {
				t.Errorf("Group(%q, %q).Allowed(%q) = %v, want %v", test.agent, test.fallback, path, got, want)
			}
		}
	}
}

// On real files too, Group and Allowed agree for every known crawler, and so do
// the token and the header.
func TestKnownCorpus(t *testing.T) {
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		t.Skip("ROBOTS_CORPUS is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "robots", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s (%v)", dir, err)
	}
	crawlers := slices.Collect(robots.Crawlers())
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := robots.Parse(data)
		for _, c := range crawlers {
			const url = "https://example.com/search?q=a"
			want := f.Explain(c.Token, url)
			if got := f.Group(c.Token).Allowed(url); got != want.Allowed {
				t.Errorf("%s: Group(%q).Allowed = %v, want %v as of Allowed", name, c.Token, got, want.Allowed)
			}
			if c.UserAgent != "" {
				if got := f.Explain(c.UserAgent, url); got != want {
					t.Errorf("%s: Explain(%q) = %v, want %v as for %s", name, c.UserAgent, got, want, c.Token)
				}
			}
		}
	}
}

// A known token with spaces is found by its first word with explicit fallbacks
// too.
func TestGroupSpacedTokenWithFallback(t *testing.T) {
	f := robots.Parse([]byte("User-agent: Sogou web spider\nDisallow: /s\n\nUser-agent: x\nDisallow: /x\n"))
	for _, agent := range []string{"Sogou web spider", "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)"} {
		if g := f.Group(agent, "x"); g.Allowed("/s") || !g.Allowed("/x") {
			t.Errorf("Group(%q, \"x\") is not the group that names it", agent)
		}
	}
	if g := f.Group("nobody", "Sogou web spider"); g.Allowed("/s") {
		t.Error(`Group("nobody", "Sogou web spider") is not the group of the fallback`)
	}
}
