package audit_test

import (
	"errors"
	"strings"
	"testing"

	"example.com/robots/audit"
	"github.com/google/go-cmp/cmp"
)

func TestCheckAgent(t *testing.T) {
	for _, agent := range []string{
		"*", "Googlebot", "MJ12bot", "archive.org_bot", "008", " MyBot\r", "User-Agent: MyBot", "user-agent:*",
		// Known names of several words.
		"Sogou web spider", "google favicon", "Screaming Frog SEO Spider",
		// Whole headers, with spaces and commas.
		"MyBot/1.0", "my bot/1.0", "Googlebot/2.1 bingbot/2.0", "MyBot (+https://example.com/)", "Hatena::Fetcher/0.01",
		"Mozilla/5.0 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
		"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php),gzip(gfe)",
		"CCBot/2.0, https://commoncrawl.org/faq/", "MyBot/1.0, bot@example.com", "MyBot/1.0,",
		"User-agent: Mozilla/5.0 (compatible; bingbot/2.0)",
	} {
		if err := audit.CheckAgent(agent); err != nil {
			t.Errorf("CheckAgent(%q): %v", agent, err)
		}
	}
	const several = "it lists several, "
	const none = "there is no product token in it: "
	for _, test := range []struct {
		agent string
		list  []string
		want  string // what the text begins with, or the token that it names
	}{
		{"", nil, "it is empty: "},
		{" ", nil, "it is empty: "},
		{"User-agent: ", nil, "it is empty: "},
		{"A,B", []string{"A", "B"}, several},
		{"*,B", []string{"*", "B"}, several},
		{"my bot , your bot", []string{"my bot", "your bot"}, several},
		{"Googlebot/2.1, bingbot", []string{"Googlebot/2.1", "bingbot"}, several},
		{"User-agent: a/1,b/2", []string{"a/1", "b/2"}, several},
		{"()", nil, none},
		{"bot!", nil, none},
		{"https://example.com/", nil, none},
		{"/page", nil, none},
		{"@search", nil, none},
		{"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", nil, "it is the header of a browser, "},
		{"my bot!", nil, `"my"`},
		{"User-agent: my bot", nil, `"my"`},
		{"Googlebot bingbot", nil, `"Googlebot"`},
		{"A;B", nil, `"A"`},
		{"A,", nil, `"A"`},
		{"Google*", nil, `"Google"`},
		{"B\u00f6t", nil, `"B"`},
		{"Yahoo! Slurp", nil, `"Slurp"`},
	} {
		err := audit.CheckAgent(test.agent)
		var x *audit.AgentError
		if !errors.As(err, &x) {
			t.Errorf("CheckAgent(%q) = %v, want an AgentError", test.agent, err)
			continue
		}
		named := "it is neither a product token, of letters, digits and ._-, nor a User-Agent header such as MyBot/1.0: of it only " + test.want + " would count; give that, if it is meant"
		if x.Agent != test.agent || !cmp.Equal(test.list, x.List) || !strings.HasPrefix(x.Text, test.want) && x.Text != named {
			t.Errorf("CheckAgent(%q) = %+v, want list %q and %s", test.agent, x, test.list, test.want)
		}
		if !strings.HasPrefix(err.Error(), "robots: agent ") {
			t.Errorf("CheckAgent(%q) = %v", test.agent, err)
		}
	}
}
