package robots_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/robots"
	"github.com/google/go-cmp/cmp"
)

// A publicCase is one of testdata/cases.jsonl: what someone found wrong in a
// robots.txt library, and what they would have it answer.
type publicCase struct {
	ID         string
	Summary    string
	Robots     *string
	RobotsB64  []byte          `json:"robots_b64"`
	RobotsGen  json.RawMessage `json:"robots_gen"`
	Response   json.RawMessage // if set, the case is about fetching
	Agent      string
	Agents     []string
	AgentsMode string `json:"agents_mode"`
	URL        *string
	URLGen     json.RawMessage `json:"url_gen"`

	Google      *bool               `json:"expect_google"`
	GoogleLine  *int                `json:"google_line"`
	RFC9309     *bool               `json:"expect_rfc9309"`
	Recommended any                 `json:"expect_recommended"` // bool in cases about matching
	Line        *int                `json:"expect_line"`
	Sitemaps    []string            `json:"expect_sitemaps"`
	CrawlDelay  json.RawMessage     `json:"expect_crawl_delay"` // seconds or null
	Host        string              `json:"expect_host"`
	Extension   map[string][]string `json:"expect_extension"`
	Reason      string              `json:"expect_reason"`
	CleanParam  []struct {
		Params []string
		Path   string
	} `json:"expect_clean_param"`
}

// notGoogle are the cases in which the Google dialect answers otherwise than
// the C++ program, on purpose: agents, and the limit, are the same in both dialects.
var notGoogle = map[string]string{
	"tok-full-header":          "a whole header is read for its product token",
	"tok-name-slash-version":   "so is a name with a version",
	"tok-two-word-query":       "of a name of several words the first counts, as on a User-agent line",
	"size-rule-after-500k":     "the default limit holds in both dialects; the program has none",
	"api-agent-list-merges":    "the first name with a group decides, groups are not pooled",
	"api-agent-fallback-chain": "likewise",
}

// limitOff are the cases whose file is longer than the default limit, but has
// to be read whole.
var limitOff = map[string]bool{
	"dos-many-blank": true,
}

func TestPublicCases(t *testing.T) {
	f, err := os.Open("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c publicCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Response != nil {
			continue
		}
		n++
		seen[c.ID] = true
		t.Run(c.ID, func(t *testing.T) {
			c.run(t)
			if t.Failed() {
				t.Log(c.Summary)
			}
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n < 250 {
		t.Errorf("%d cases, want 250 and more", n)
	}
	for id := range notGoogle {
		if !seen[id] {
			t.Errorf("no case has the id %s of a known difference", id)
		}
	}
}

func (c *publicCase) run(t *testing.T) {
	body := c.RobotsB64
	switch {
	case body != nil:
	case c.Robots != nil:
		body = []byte(*c.Robots)
	default:
		body = []byte(generate(t, c.RobotsGen))
	}
	var url string
	if c.URL != nil {
		url = *c.URL
	} else {
		url = generate(t, c.URLGen)
	}
	ask := func(d robots.Dialect) (*robots.File, robots.Decision) {
		p := robots.Parser{Dialect: d}
		if limitOff[c.ID] {
			if !p.Parse(body).Truncated() {
				t.Error("the file is not over the default limit")
			}
			p.MaxBytes = -1
		}
		f := p.Parse(body)
		if len(c.Agents) > 0 {
			return f, f.Group(c.Agents[0], c.Agents[1:]...).Explain(url)
		}
		return f, f.Explain(c.Agent, url)
	}

	f, got := ask(robots.RFC9309)
	want := c.RFC9309
	if recommended, ok := c.Recommended.(bool); ok && want == nil {
		want = &recommended
	}
	if want != nil && got.Allowed != *want {
		t.Errorf("rfc9309: %q for %q: %v, want allowed %v", url, c.Agent, got, *want)
	}
	if c.Line != nil && got.Rule.Line != *c.Line {
		t.Errorf("rfc9309: %q for %q: %v, want line %d", url, c.Agent, got, *c.Line)
	}
	switch c.Reason {
	case "":
	case "no-rule-matched":
		if got.Reason != robots.ReasonNoRule {
			t.Errorf("rfc9309: %q for %q: %v, want %v", url, c.Agent, got, robots.ReasonNoRule)
		}
	default:
		t.Errorf("unknown expect_reason %q", c.Reason)
	}
	if c.Sitemaps != nil {
		if diff := cmp.Diff(c.Sitemaps, slices.Collect(f.Sitemaps())); diff != "" {
			t.Errorf("Sitemaps() (-want +got):\n%s", diff)
		}
	}
	group := f.Group(c.Agent)
	if c.CrawlDelay != nil {
		var want *float64
		if err := json.Unmarshal(c.CrawlDelay, &want); err != nil {
			t.Fatal(err)
		}
		d, ok := group.CrawlDelay()
		if ok != (want != nil) || ok && d.Seconds() != *want {
			t.Errorf("Group(%q).CrawlDelay() = %v, %v, want %s s", c.Agent, d, ok, c.CrawlDelay)
		}
	}
	if c.Host != "" {
		if got := values(group, "host"); !slices.Equal(got, []string{c.Host}) {
			t.Errorf("Host records of the group: %q, want %q", got, c.Host)
		}
	}
	for key, want := range c.Extension {
		if got := values(group, key); !slices.Equal(got, want) {
			t.Errorf("%s records of the group: %q, want %q", key, got, want)
		}
	}
	if c.CleanParam != nil {
		var want []string
		for _, p := range c.CleanParam {
			want = append(want, strings.Join(p.Params, "&")+" "+p.Path)
		}
		if got := values(group, "clean-param"); !slices.Equal(got, want) {
			t.Errorf("Clean-param records of the group: %q, want %q", got, want)
		}
	}

	if c.Google == nil {
		return
	}
	_, got = ask(robots.Google)
	same := got.Allowed == *c.Google && (c.GoogleLine == nil || got.Rule.Line == *c.GoogleLine)
	why, known := notGoogle[c.ID]
	switch {
	case known && same:
		t.Errorf("google: %q for %q: %v is Google's own answer: the known difference (%s) is no longer one", url, c.Agent, got, why)
	case !known && !same:
		t.Errorf("google: %q for %q: %v, want allowed %v, line %v", url, c.Agent, got, *c.Google, ptr(c.GoogleLine))
	}
}

func values(g *robots.Group, key string) (values []string) {
	for r := range g.Records() {
		if strings.EqualFold(r.Key, key) {
			values = append(values, r.Value)
		}
	}
	return values
}

func ptr(p *int) any {
	if p == nil {
		return "any"
	}
	return *p
}

// generate makes a text of a list of strings and repetitions.
func generate(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	var b strings.Builder
	for _, part := range parts {
		var s string
		if json.Unmarshal(part, &s) == nil {
			b.WriteString(s)
			continue
		}
		var rep struct {
			Repeat string
			Count  int
		}
		if err := json.Unmarshal(part, &rep); err != nil {
			t.Fatalf("%v in %s", err, part)
		}
		b.WriteString(strings.Repeat(rep.Repeat, rep.Count))
	}
	return b.String()
}
