package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/robots"
	"example.com/robots/audit"
)

// lintCases has for each code a minimal file that triggers it, the line of the
// finding, the path of its witness, and a near twin that does not trigger it.
var lintCases = []struct {
	code    audit.Code
	bad     string
	line    int
	witness string
	good    string
}{
	{audit.RulesDropped,
		"User-agent: *\nDisallow: /admin/\nDisallow: /tmp/\n\nUser-agent: Bingbot\nDisallow: /tmp/\n", 5, "/admin/",
		"User-agent: *\nDisallow: /admin/\nDisallow: /tmp/\n\nUser-agent: Bingbot\nDisallow: /tmp/\nDisallow: /admin/\n"},
	{audit.RulesDropped, // what another rule of the group blocks is not dropped
		"User-agent: *\nDisallow: /a/b\nDisallow: /c\n\nUser-agent: Bingbot\nDisallow: /a\n", 5, "/c",
		"User-agent: *\nDisallow: /a/b\n\nUser-agent: Bingbot\nDisallow: /a\n"},
	{audit.RulesDropped, // a documented fallback comes before "*"
		"User-agent: Googlebot\nDisallow: /a/\nDisallow: /b/\n\nUser-agent: Googlebot-Image\nDisallow: /b/\n", 5, "/a/",
		"User-agent: *\nDisallow: /a/\nDisallow: /b/\n\nUser-agent: AdsBot-Google\nDisallow: /b/\n"},
	{audit.GroupJoined,
		"User-agent: bingbot\nCrawl-delay: 10\n\nUser-agent: BadBot\nDisallow: /\n", 2, "/",
		"User-agent: bingbot\nCrawl-delay: 10\nDisallow:\n\nUser-agent: BadBot\nDisallow: /\n"},
	{audit.AgentsApart,
		"User-agent: a\n\nUser-agent: b\nDisallow: /x\n", 3, "",
		"User-agent: a\nUser-agent: b\nDisallow: /x\n"},
	{audit.GroupSplit,
		"User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\n\nUser-agent: A\nDisallow: /z\n", 7, "",
		"User-agent: a\nDisallow: /x\nDisallow: /z\n\nUser-agent: b\nDisallow: /y\n"},
	{audit.GroupEmpty,
		"User-agent: *\nDisallow: /x\n\nUser-agent: bingbot\nCrawl-delay: 5\n", 4, "/x",
		"User-agent: *\nDisallow: /x\n\nUser-agent: bingbot\nCrawl-delay: 5\nDisallow:\n"},
	{audit.AgentList,
		"User-agent: GPTBot, CCBot\nDisallow: /\n", 1, "",
		"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"},
	{audit.AgentCut,
		"User-agent: Googlebot/2.1\nDisallow: /x\n", 1, "",
		"User-agent: Googlebot\nDisallow: /x\n"},
	{audit.AgentCut,
		"User-agent: My Own Bot\nDisallow: /x\n", 1, "",
		"User-agent: MJ12bot\nDisallow: /x\n"},
	{audit.AgentNone,
		"User-agent: *bot\nDisallow: /x\n", 1, "",
		"User-agent: *\nDisallow: /x\n"},
	{audit.AgentNone,
		"User-agent:\nDisallow: /x\n", 1, "",
		"User-agent: a\nDisallow: /x\n"},
	{audit.AgentRepeated,
		"User-agent: a\nUser-agent: A\nDisallow: /x\n", 2, "",
		"User-agent: a\nUser-agent: ab\nDisallow: /x\n"},
	{audit.RuleOutside,
		"Disallow: /x\nUser-agent: *\nDisallow: /y\n", 1, "",
		"Sitemap: https://example.com/s.xml\nUser-agent: *\nDisallow: /y\n"},
	{audit.RuleNever,
		"User-agent: *\nDisallow: /search/\nAllow: */search/\n", 2, "",
		"User-agent: *\nDisallow: /search/\nAllow: */search/x\n"},
	{audit.RuleNever, // "/x*$" is "/x" at more octets
		"User-agent: *\nDisallow: /x\nAllow: /x*$\n", 2, "",
		"User-agent: *\nDisallow: /x\nAllow: /x*/$\n"},
	{audit.RuleNoEffect,
		"User-agent: *\nDisallow: /a\nDisallow: /a/b\n", 3, "",
		"User-agent: *\nDisallow: /a\nAllow: /a/\nDisallow: /a/b\n"},
	{audit.RuleNoEffect,
		"User-agent: *\nDisallow: /a\nAllow: /b\n", 3, "",
		"User-agent: *\nDisallow: /a\nAllow: /ab\n"},
	{audit.RuleDuplicate,
		"User-agent: *\nDisallow: /%7Ea\nDisallow: /~a\n", 3, "",
		"User-agent: *\nDisallow: /~a\nDisallow: /~A\n"},
	{audit.RuleOrder,
		"User-agent: *\nDisallow: /*.php\nAllow: /folder/\n", 2, "/folder/.php",
		"User-agent: *\nAllow: /folder/\nDisallow: /*.php\n"},
	{audit.RuleOrder, // G42: the longer rule wins
		"User-agent: *\nAllow: /page\nDisallow: /*.htm\n", 2, "/page.htm",
		"User-agent: *\nAllow: /page\nDisallow: /page.htm\n"},
	{audit.RuleTie, // G42: the less restrictive wins
		"User-agent: *\nAllow: /page\nDisallow: /*.ph\n", 3, "/page.ph",
		"User-agent: *\nAllow: /page\nDisallow: /*.php\n"},
	{audit.RuleTie,
		"User-agent: *\nAllow: /a\nDisallow: /a\n", 3, "/a",
		"User-agent: *\nAllow: /a$\nDisallow: /a\n"},
	{audit.RulePrefix,
		"User-agent: *\nDisallow: /search\n", 2, "/searchs",
		"User-agent: *\nDisallow: /search/\nDisallow: /search$\n"},
	{audit.RuleCase,
		"User-agent: *\nDisallow: /Admin/\nDisallow: /admin/\n", 3, "",
		"User-agent: *\nDisallow: /Admin/\nDisallow: /admins/\n"},
	{audit.RuleParameter,
		"User-agent: *\nDisallow: /*?sort=\n", 2, "/?a=1&sort=",
		"User-agent: *\nDisallow: /*?sort=\nDisallow: /*&sort=\n"},
	{audit.RuleDollar,
		"User-agent: *\nDisallow: /*.pdf$\n", 2, "/.pdf?a=1",
		"User-agent: *\nDisallow: /*.pdf$\nDisallow: /*.pdf?\n"},
	{audit.RuleSlash,
		"User-agent: *\nDisallow: admin\n", 2, "",
		"User-agent: *\nDisallow: *admin\n"},
	{audit.RuleURL,
		"User-agent: *\nDisallow: https://example.com/admin\n", 2, "",
		"User-agent: *\nDisallow: /admin?to=https://example.com/\n"},
	{audit.RuleRegexp,
		"User-agent: *\nDisallow: /video/.*\n", 2, "",
		"User-agent: *\nDisallow: /*.*\n"},
	{audit.RuleRegexp,
		"User-agent: *\nDisallow: /(a|b)/\n", 2, "",
		"User-agent: *\nDisallow: /wiki/A_(b)\n"},
	{audit.RuleFragment,
		"User-agent: *\nDisallow: /#private\n", 2, "/",
		"User-agent: *\nDisallow: /x/ #private\n"},
	{audit.RuleSpace,
		"User-agent: *\nDisallow: /a /b\n", 2, "",
		"User-agent: *\nDisallow: /a%20/b\n"},
	{audit.RuleEscape,
		"User-agent: *\nDisallow: /%7Euser/\n", 2, "",
		"User-agent: *\nDisallow: /%5Buser/\n"},
	{audit.RuleEscape, // Latin-1
		"User-agent: *\nDisallow: /caf%E9/\n", 2, "",
		"User-agent: *\nDisallow: /caf%c3%a9/\n"},
	{audit.RuleEscape,
		"User-agent: *\nDisallow: /a%2520b\n", 2, "",
		"User-agent: *\nDisallow: /a%25b\n"},
	{audit.RuleEmpty,
		"User-agent: *\nAllow:\nDisallow: /a/\n", 2, "",
		"User-agent: *\nDisallow:\n"},
	{audit.RuleEmpty,
		"User-agent: *\nDisallow: /a/\nDisallow:\n", 3, "",
		"User-agent: *\nDisallow: /a/\n"},
	{audit.BlocksAll,
		"User-agent: *\nDisallow: /\n", 2, "/",
		"User-agent: *\nDisallow: /\nAllow: /a\n"},
	{audit.BlocksAll, // R19: /robots.txt is no exception that counts
		"User-agent: *\nDisallow: /*\nAllow: /robots.txt$\n", 2, "/",
		"User-agent: *\nDisallow: /*\nAllow: /robots.txt\n"},
	{audit.FieldMisspelt,
		"User-agent: *\nDisalow: /x/\n", 2, "",
		"User-agent: *\nDisallow: /x/\n"},
	{audit.FieldMisspelt,
		"User-agent: *\nAlow: /x/\n", 2, "",
		"User-agent: *\nAllow-AI: /x/\n"},
	{audit.FieldUnknown,
		"User-agent: *\nColour: red\nDisallow: /x/\n", 2, "",
		"User-agent: *\nContent-Signal: ai-train=no\nDisallow: /x/\n"},
	{audit.FieldExtension,
		"User-agent: *\nCrawl-delay: 10\nDisallow: /x/\n", 2, "",
		"User-agent: *\n# Crawl-delay: 10\nDisallow: /x/\n"},
	{audit.FieldNoindex,
		"User-agent: *\nNoindex: /x/\n", 2, "",
		"User-agent: *\nDisallow: /x/\n"},
	{audit.FieldValue,
		"User-agent: *\nCrawl-delay: ten\nDisallow: /x/\n", 2, "",
		"User-agent: *\nCrawl-delay: 0.5\nDisallow: /x/\n"},
	{audit.MissingColon,
		"User-agent: *\nDisallow /x/\n", 2, "",
		"User-agent: *\nDisallow : /x/\n"},
	{audit.LineIgnored,
		"All robots are welcome\nUser-agent: *\nDisallow: /x/\n", 1, "",
		"# All robots are welcome\nUser-agent: *\nDisallow: /x/\n"},
	{audit.LineLong, // S9
		"User-agent: *\nDisallow: /" + strings.Repeat("x", 16653) + "\n", 2, "",
		"User-agent: *\nDisallow: /" + strings.Repeat("x", 16652) + "\n"},
	{audit.FileBOM,
		"\xEF\xBB\xBFUser-agent: *\nDisallow: /x/\n", 1, "",
		"User-agent: *\nDisallow: /\xC3\xAF/\n"},
	{audit.FileBOM,
		"User-agent: *\n\xEF\xBB\xBFDisallow: /x/\n", 2, "",
		"User-agent: *\nDisallow: /x/\n"},
	{audit.FileUTF8,
		"User-agent: *\nDisallow: /caf\xE9/\n", 2, "",
		"User-agent: *\nDisallow: /caf\xC3\xA9/\n"},
	{audit.FileUTF8,
		"\xFF\xFEU\x00s\x00e\x00r\x00", 1, "",
		"User-agent: *\nDisallow: /x/\n"},
	{audit.FileNUL,
		"User-agent: *\nDisallow: /x\x00/\n", 2, "",
		"User-agent: *\nDisallow: /x%00/\n"},
	{audit.FileEmpty,
		" \n", 1, "",
		"#\n"},
	{audit.FileEmpty,
		"\xEF\xBB\xBF", 1, "",
		"\xEF\xBB\xBFUser-agent: *"},
	{audit.FileHTML,
		"<!DOCTYPE html>\n<html><body>Not found</body></html>\n", 1, "",
		"# <html>\nUser-agent: *\nDisallow: /x/\n"},
	{audit.FileSize,
		"User-agent: *\n" + strings.Repeat("#2345678\n", robots.MaxBytes/9), robots.MaxBytes/9 + 1, "",
		"User-agent: *\n" + strings.Repeat("#2345678\n", robots.MaxBytes/11)},
	{audit.FileSize,
		"User-agent: *\n" + strings.Repeat("#2345678\n", robots.MaxBytes/8), 0, "",
		"User-agent: *\n"},
	{audit.SitemapURL,
		"Sitemap: /sitemap.xml\n", 1, "",
		"Sitemap: https://example.com/sitemap.xml\n"},
	{audit.SitemapURL,
		"Sitemap: htp://example.com/sitemap.xml\n", 1, "",
		"Sitemap: http://example.com/sitemap.xml\n"},
	{audit.SitemapBlocked,
		"User-agent: *\nDisallow: /maps/\nSitemap: https://example.com/maps/1.xml\n", 3, "https://example.com/maps/1.xml",
		"User-agent: *\nDisallow: /maps/\nSitemap: https://example.com/maps.xml\n"},
	{audit.FirstMatch,
		"User-agent: *\nAllow: /\nDisallow: /x/\n", 3, "/x/",
		"User-agent: *\nDisallow: /x/\nAllow: /\n"},
	{audit.YandexBlank,
		"User-agent: Yandex\n\nDisallow: /x/\n", 2, "",
		"User-agent: Yandex\nDisallow: /x/\n\nUser-agent: *\nDisallow: /x/\n"},
	{audit.YandexLimits,
		"User-agent: *\n" + manyRules(2049), 2050, "",
		"User-agent: *\n" + manyRules(2048)},
	{audit.YandexLimits,
		"User-agent: *\nDisallow: /" + strings.Repeat("x", 1024) + "\n", 2, "",
		"User-agent: *\nDisallow: /" + strings.Repeat("x", 1023) + "\n"},
	{audit.UndecidedCode,
		"User-agent: *\n" + interlocked(40), 0, "",
		"User-agent: *\n" + interlocked(3)},
}

func manyRules(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Disallow: /%d/\n", i)
	}
	return b.String()
}

// interlocked makes rules whose automata multiply: whether the last has an
// effect depends on which of all the others a URL matches.
func interlocked(n int) string {
	var b strings.Builder
	for i := range n {
		c := string(rune('a' + i%26))
		fmt.Fprintf(&b, "Allow: /*%s*%s*%s*%d\n", c, string(rune('a'+(i*7+3)%26)), string(rune('a'+(i*11+5)%26)), i)
	}
	b.WriteString("Disallow: /*z*z\nAllow: /*z\nDisallow: /*z*\n")
	return b.String()
}

func TestLint(t *testing.T) {
	seen := make(map[audit.Code]bool)
	for _, c := range lintCases {
		seen[c.code] = true
		var found *audit.Finding
		for _, f := range audit.Lint(robots.Parse([]byte(c.bad))) {
			if f.Code == c.code {
				found = &f
				break
			}
		}
		switch {
		case found == nil:
			t.Errorf("Lint(%.100q): no %s; got %v", c.bad, c.code, audit.Lint(robots.Parse([]byte(c.bad))))
		case c.line != 0 && found.Line != c.line || found.Witness != c.witness:
			t.Errorf("Lint(%.100q): %v, witness %q, want line %d, witness %q", c.bad, *found, found.Witness, c.line, c.witness)
		}
		for _, f := range audit.Lint(robots.Parse([]byte(c.good))) {
			if f.Code == c.code {
				t.Errorf("Lint(%.100q): %v, want none of this code", c.good, f)
			}
		}
	}
	for c := range audit.Checks() {
		if !seen[c.Code] {
			t.Errorf("%s has no case", c.Code)
		}
	}
}

func TestLintIgnore(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{
		{"User-agent: *\nDisallow: admin\n", 1},
		{"User-agent: *\nDisallow: admin # lint:ignore rule-slash\n", 0},
		{"User-agent: *\n# lint:ignore rule-url, rule-slash\nDisallow: admin\n", 0},
		{"User-agent: *\n# lint:ignore all\nDisallow: admin\n", 0},
		{"User-agent: *\n# lint:ignore rule-slash\n\nDisallow: admin\n", 1},
		{"User-agent: *\nDisallow: admin # lint:ignore rule-url\n", 1},
	} {
		if got := audit.Lint(robots.Parse([]byte(test.text))); len(got) != test.want {
			t.Errorf("Lint(%q) = %v, want %d findings", test.text, got, test.want)
		}
	}
}

// A file that is as it should be has no finding at all.
func TestLintClean(t *testing.T) {
	for _, text := range []string{
		"# nothing\n",
		"User-agent: *\nDisallow:\n",
		"User-agent: *\nAllow: /\n",
		"User-agent: *\nDisallow: /admin/\nDisallow: /*?session=\nDisallow: /*&session=\n\nSitemap: https://example.com/sitemap.xml\n",
		"User-agent: *\nAllow: /wp-admin/admin-ajax.php\nDisallow: /wp-admin/\n\nUser-agent: GPTBot\nDisallow: /\n",
		"User-agent: *\r\nDisallow: /caf\u00e9/\r\n",
	} {
		if got := audit.Lint(robots.Parse([]byte(text))); len(got) != 0 {
			t.Errorf("Lint(%q) = %v, want none", text, got)
		}
	}
}

// An empty file is legal, and hardly what its author sees in it. That is said,
// and nothing else.
func TestLintEmpty(t *testing.T) {
	const want = "1:1: note: the file is empty: every crawler may fetch everything (file-empty)"
	for _, text := range []string{"", "\n", " \t\r\n\r\n"} {
		if got := audit.Lint(robots.Parse([]byte(text))); len(got) != 1 || got[0].String() != want {
			t.Errorf("Lint(%q) = %v, want %s", text, got, want)
		}
	}
	if got := audit.Lint(new(robots.File)); len(got) != 1 || got[0].String() != want {
		t.Errorf("Lint(zero File) = %v, want %s", got, want)
	}
}

// A fix is a rule that closes the gap, written as a person would.
func TestLintParameterFix(t *testing.T) {
	for pattern, want := range map[string]string{
		"/*?sort=":         "/*&sort=",
		"/shop*?sort=desc": "/shop*&sort=desc",
		"/?b=*?b=":         "/?b=*&b=",
		"/**?sort=":        "/*&sort=",
	} {
		fix := ""
		for _, f := range audit.Lint(robots.Parse([]byte("User-agent: *\nDisallow: " + pattern))) {
			if f.Code == audit.RuleParameter {
				fix = f.Fix
			}
		}
		if want := `add "Disallow: ` + want + `"`; fix != want {
			t.Errorf("Lint of %s: fix %q, want %q", pattern, fix, want)
		}
	}
}

// The text of a file over the limit is what was read of it.
func TestLintTruncated(t *testing.T) {
	f := robots.Parse([]byte("User-agent: *\nDisallow: /x/\n" + strings.Repeat("#2345678\n", robots.MaxBytes/8)))
	if !f.Truncated() {
		t.Fatal("not truncated")
	}
	got := audit.Lint(f)
	if len(got) != 1 || got[0].Code != audit.FileSize || got[0].Severity != audit.Error {
		t.Errorf("Lint = %v", got)
	}
}

func FuzzLint(f *testing.F) {
	for _, c := range lintCases {
		if len(c.bad) < 1000 {
			f.Add(c.bad)
			f.Add(c.good)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := robots.Parse([]byte(text))
		for _, x := range audit.Lint(file) {
			if x.Line < 1 || x.Column < 1 || x.Message == "" {
				t.Errorf("Lint(%q): %+v", text, x)
			}
		}
		if d := audit.Diff(file, file); !d.Equal() {
			t.Errorf("Diff(%q, itself): %+v", text, d)
		}
	})
}
