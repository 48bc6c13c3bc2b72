package answer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/robots/examples/playground/answer"
	"github.com/google/go-cmp/cmp"
)

// ask returns the parts of an answer that a test looks at.
func ask[T any](t *testing.T, question map[string]any) T {
	t.Helper()
	q, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	var a T
	text := answer.Answer(string(q))
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("Answer(%s) = %s: %v", q, text, err)
	}
	return a
}

type rule struct {
	Line    int
	Rule    string
	Length  int
	Decides bool
	Tie     bool
}

type checked struct {
	Token, Group, Delay string
	Crawler             *struct{ About, Source string }
	Lines               [][2]int
	Results             []struct {
		URL, Error, Why string
		Allowed         bool
		Rules           []rule
		More            int
	}
	Allowed, Blocked, Skipped int
	Truncated                 bool
}

const shop = `User-agent: *
Disallow: /
Sitemap: https://shop.example/sitemap.xml
Allow: /shop

# by hand
User-agent: Googlebot
Crawl-delay: 2.5
Disallow: /beta
Allow: /beta

User-agent: Other
Disallow: /x

useragent: googlebot/2.1
Disallow: /*.pdf$
`

func TestCheckRules(t *testing.T) {
	c := ask[checked](t, map[string]any{"op": "check", "text": shop, "urls": []string{
		"https://shop.example/shop/a", " /other ", "", "/robots.txt", "shop", "://x",
	}})
	if c.Allowed != 2 || c.Blocked != 1 || len(c.Results) != 5 {
		t.Fatalf("%d allowed, %d blocked of %d, want 2, 1 of 5", c.Allowed, c.Blocked, len(c.Results))
	}
	want := []rule{{4, "Allow: /shop", 5, true, false}, {2, "Disallow: /", 1, false, false}}
	if d := cmp.Diff(want, c.Results[0].Rules); d != "" {
		t.Errorf("rules for /shop/a (-want +got):\n%s", d)
	}
	for i, want := range []string{
		"Line 4 decides: it is the longest of 2 rules that match.",
		"Line 2 decides: no other rule matches.",
		"The URL is that of robots.txt itself, which is always allowed.",
	} {
		if got := c.Results[i].Why; got != want {
			t.Errorf("why %s: %q, want %q", c.Results[i].URL, got, want)
		}
	}
	for _, r := range c.Results[3:] {
		if r.Error == "" {
			t.Errorf("%q is taken for a URL", r.URL)
		}
	}
}

// The lines of a group are those of all the places that name it, in whatever
// spelling, without the lines of others between.
func TestCheckGroupLines(t *testing.T) {
	tests := []struct {
		agent string
		lines [][2]int
		group string
	}{
		{"Googlebot", [][2]int{{7, 10}, {15, 16}}, "Googlebot obeys the group that names it, and that one only."},
		{"Googlebot-Image", [][2]int{{7, 10}, {15, 16}}, "No group names Googlebot-Image: it falls back to the group for Googlebot, as its operator documents."},
		{"MyBot/1.0", [][2]int{{1, 2}, {4, 4}}, "No group names MyBot: the group * applies."},
		{"AdsBot-Google", [][2]int{}, "No group names AdsBot-Google, and it does not obey the group *: it may fetch everything."},
		{"ChatGPT-User", [][2]int{}, "ChatGPT-User is documented not to follow robots.txt, so no rule keeps it out."},
		{"", [][2]int{{1, 2}, {4, 4}}, "The group * applies: crawlers that no other group names obey it."},
	}
	for _, test := range tests {
		c := ask[checked](t, map[string]any{"op": "check", "text": shop, "agent": test.agent})
		if d := cmp.Diff(test.lines, c.Lines); d != "" {
			t.Errorf("lines of the group of %q (-want +got):\n%s", test.agent, d)
		}
		if c.Group != test.group {
			t.Errorf("group of %q: %q, want %q", test.agent, c.Group, test.group)
		}
	}
}

func TestCheckTie(t *testing.T) {
	c := ask[checked](t, map[string]any{"op": "check", "text": shop, "agent": "Googlebot", "urls": []string{"/beta/1"}})
	r := c.Results[0]
	if !r.Allowed || r.Why != "Line 10 decides: of rules that are equally long, an Allow wins." || len(r.Rules) != 2 || !r.Rules[1].Tie {
		t.Errorf("/beta/1: %+v", r)
	}
	if want := "Its Crawl-delay asks for 2.5s between two fetches, which this crawler ignores."; c.Delay != want {
		t.Errorf("delay %q, want %q", c.Delay, want)
	}
	if c.Crawler == nil || !strings.HasPrefix(c.Crawler.About, "Google: for search") {
		t.Errorf("crawler %+v", c.Crawler)
	}
}

func TestCheckGoogle(t *testing.T) {
	q := map[string]any{"op": "check", "text": "user-agent: *\ndisallow: /a%2Fb\ndisallow: /robots.txt", "urls": []string{"/robots.txt"}}
	for _, google := range []bool{false, true} {
		q["google"] = google
		if c := ask[checked](t, q); c.Results[0].Allowed == google {
			t.Errorf("google=%v: /robots.txt allowed is %v", google, c.Results[0].Allowed)
		}
	}
}

func TestCheckBounds(t *testing.T) {
	var text strings.Builder
	text.WriteString("User-agent: *\n")
	for i := range 100 {
		fmt.Fprintf(&text, "Disallow: /%s\n", strings.Repeat("a", i))
	}
	urls := make([]string, 300)
	for i := range urls {
		urls[i] = "/" + strings.Repeat("a", 100)
	}
	c := ask[checked](t, map[string]any{"op": "check", "text": text.String(), "urls": urls})
	if len(c.Results) != 200 || c.Skipped != 100 || len(c.Results[0].Rules) != 50 || c.Results[0].More != 50 {
		t.Errorf("%d results, %d skipped, %d rules, %d more; want 200, 100, 50, 50", len(c.Results), c.Skipped, len(c.Results[0].Rules), c.Results[0].More)
	}

	long := "User-agent: *\nDisallow: /\n" + strings.Repeat("# comment\n", 60_000)
	if c := ask[checked](t, map[string]any{"op": "check", "text": long}); !c.Truncated {
		t.Error("a file of more than 500 KiB is not called truncated")
	}
}

type linted struct {
	Errors, Warnings, Notes, More int
	Findings                      []struct {
		Line                         int
		Severity, Code, Message, Fix string
	}
	Marks [3][]int
}

func TestLint(t *testing.T) {
	l := ask[linted](t, map[string]any{"op": "lint", "text": "User-agent: *\nDissallow: /a\nDisallow: b\n"})
	if len(l.Findings) != l.Errors+l.Warnings+l.Notes || l.Errors != 1 || l.Warnings != 1 {
		t.Fatalf("findings %+v", l)
	}
	if f := l.Findings[0]; f.Line != 2 || f.Code != "field-misspelt" || f.Severity != "warning" || f.Message == "" {
		t.Errorf("first finding %+v, want field-misspelt on line 2", f)
	}
	if d := cmp.Diff([3][]int{{}, {2}, {3}}, l.Marks); d != "" {
		t.Errorf("marked lines (-want +got):\n%s", d)
	}
}

// Of too many findings the worst are shown, and all lines are marked.
func TestLintBounds(t *testing.T) {
	text := "User-agent: *\n" + strings.Repeat("Whatever: 1\n", 300) + "Disallow: b\n"
	l := ask[linted](t, map[string]any{"op": "lint", "text": text})
	if len(l.Findings) > 200 || len(l.Findings)+l.More != l.Errors+l.Warnings+l.Notes {
		t.Errorf("%d findings and %d more, of %d, %d and %d", len(l.Findings), l.More, l.Errors, l.Warnings, l.Notes)
	}
	worst := false
	for _, f := range l.Findings {
		worst = worst || f.Line == 302
	}
	if !worst {
		t.Error("the error on line 302 is not shown")
	}
}

type compared struct {
	Equal  bool
	Same   int
	Agents []struct {
		Names          []string
		Opened, Closed []struct {
			Path, Old, New   string
			OldLine, NewLine int
		}
		Added, Removed []string
	}
	Added, Removed []string
}

func TestDiff(t *testing.T) {
	c := ask[compared](t, map[string]any{
		"op":  "diff",
		"old": "User-agent: *\nDisallow: /a\n",
		"new": "Sitemap: https://x.example/s\nUser-agent: *\nCrawl-delay: 1\nDisallow: /b\n",
	})
	if c.Equal || len(c.Agents) == 0 {
		t.Fatalf("Diff = %+v", c)
	}
	a := c.Agents[0]
	if len(a.Opened) != 1 || a.Opened[0].Path != "/a" || a.Opened[0].Old != "Disallow: /a" || a.Opened[0].OldLine != 2 || a.Opened[0].New != "no rule matches" {
		t.Errorf("opened %+v", a.Opened)
	}
	if len(a.Closed) != 1 || a.Closed[0].Path != "/b" || a.Closed[0].NewLine != 4 {
		t.Errorf("closed %+v", a.Closed)
	}
	if d := cmp.Diff([]string{"Crawl-delay: 1"}, a.Added); d != "" {
		t.Errorf("records added (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"Sitemap: https://x.example/s"}, c.Added); d != "" {
		t.Errorf("added (-want +got):\n%s", d)
	}

	// Order and comments mean nothing.
	c = ask[compared](t, map[string]any{
		"op":  "diff",
		"old": "User-agent: *\nDisallow: /a\nDisallow: /b\n",
		"new": "User-agent: *\nDisallow: /b # b\nDisallow: /a\n",
	})
	if !c.Equal || len(c.Agents) != 0 || c.Same == 0 {
		t.Errorf("Diff of equal files = %+v", c)
	}
}

func TestCrawlers(t *testing.T) {
	list := ask[struct {
		Crawlers []struct{ Token, Label string }
	}](t, map[string]any{"op": "crawlers"})
	found := false
	for _, c := range list.Crawlers {
		found = found || c.Token == "Googlebot" && c.Label == "Google, search"
	}
	if !found {
		t.Errorf("no Googlebot among %d crawlers", len(list.Crawlers))
	}
}

func TestAnswerRefuses(t *testing.T) {
	for _, q := range []string{"", "{}", `{"op":"fetch"}`, `{"op":1}`, "[]"} {
		var a struct{ Error string }
		if err := json.Unmarshal([]byte(answer.Answer(q)), &a); err != nil || a.Error == "" {
			t.Errorf("Answer(%s) has no error (%v)", q, err)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(shop, "Googlebot", "/beta\nhttps://shop.example/", false)
	f.Add("\xEF\xBB\xBFallow:/\x00", "Mozilla/5.0 (X11) Firefox/1", "?\n://", true)
	f.Fuzz(func(t *testing.T, text, agent, urls string, google bool) {
		c := ask[checked](t, map[string]any{"op": "check", "text": text, "agent": agent, "urls": strings.Split(urls, "\n"), "google": google})
		for _, r := range c.Results {
			decides := 0
			for i, m := range r.Rules {
				if m.Decides {
					decides++
					if i > 0 {
						t.Errorf("%q: rule %d decides", r.URL, i)
					}
				}
			}
			if decides > 1 {
				t.Errorf("%q: %d rules decide", r.URL, decides)
			}
		}
		last := 0
		for _, run := range c.Lines {
			if run[0] <= last || run[1] < run[0] {
				t.Errorf("runs of lines %v", c.Lines)
			}
			last = run[1]
		}
	})
}
