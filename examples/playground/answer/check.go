package answer

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/robots"
)

// What is more than a page can show, and a person read, is counted only.
const (
	maxURLs  = 200
	maxRules = 50 // of those that match one URL
)

// A checked is what became of all URLs for one crawler.
type checked struct {
	Token   string   `json:"token"` // what of the agent counts
	Group   string   `json:"group"` // a sentence
	Delay   string   `json:"delay,omitempty"`
	Crawler *crawler `json:"crawler,omitempty"`

	// Lines are the lines of the group: the first and the last of each run.
	Lines [][2]int `json:"lines"`

	Results []result `json:"results"`
	Allowed int      `json:"allowed"`
	Blocked int      `json:"blocked"`
	Skipped int      `json:"skipped,omitempty"` // URLs beyond maxURLs

	Truncated bool `json:"truncated,omitempty"` // the file was too long
}

// A result is the verdict on one URL.
type result struct {
	URL     string  `json:"url"`
	Error   string  `json:"error,omitempty"` // why there is none
	Allowed bool    `json:"allowed"`
	Why     string  `json:"why"`
	Rules   []match `json:"rules,omitempty"` // those that match, in the order in which they would decide
	More    int     `json:"more,omitempty"`  // rules beyond maxRules
}

// A match is a rule that matches.
type match struct {
	Line    int    `json:"line"`
	Rule    string `json:"rule"`
	Allow   bool   `json:"allow"`
	Length  int    `json:"length"` // in octets, as compared
	Decides bool   `json:"decides,omitempty"`
	Tie     bool   `json:"tie,omitempty"` // as long as the one that decides
}

func check(r *request) checked {
	p := robots.Parser{}
	if r.Google {
		p.Dialect = robots.Google
	}
	f := p.Parse([]byte(r.Text))
	agent := cmp.Or(strings.TrimSpace(r.Agent), "*")
	g := f.Group(agent)

	c := checked{Token: agent, Lines: groupLines(f, g, p), Results: []result{}, Truncated: f.Truncated()}
	if agent != "*" {
		c.Token = robots.ProductToken(agent)
	}
	known, ok := robots.LookupCrawler(agent)
	if ok {
		c.Crawler = newCrawler(known)
	}
	c.Group = sayGroup(f, g, agent, c.Token, ok)
	if d, has := g.CrawlDelay(); has {
		c.Delay = fmt.Sprintf("Its Crawl-delay asks for %v between two fetches", d)
		switch known.CrawlDelay {
		case robots.CrawlDelayIgnored:
			c.Delay += ", which this crawler ignores"
		case robots.CrawlDelayHonoured, robots.CrawlDelayAlsoGlobal:
			c.Delay += ", which this crawler heeds"
		}
		c.Delay += "."
	}

	for _, url := range r.URLs {
		url = strings.TrimSpace(url)
		if url == "" {
			continue
		}
		if len(c.Results) == maxURLs {
			c.Skipped++
			continue
		}
		res := newResult(f, g, agent, url)
		switch {
		case res.Error != "":
		case res.Allowed:
			c.Allowed++
		default:
			c.Blocked++
		}
		c.Results = append(c.Results, res)
	}
	return c
}

// sayGroup tells which group applies and why that one.
func sayGroup(f *robots.File, g *robots.Group, agent, token string, known bool) string {
	d := f.Explain(agent, "/")
	name := token
	if name == "" {
		name = "this browser"
	}
	switch {
	case d.Reason == robots.ReasonCrawler:
		return fmt.Sprintf("%s is documented not to follow robots.txt, so no rule keeps it out.", name)
	case agent == "*" && d.Agent == "*":
		return "The group * applies: crawlers that no other group names obey it."
	case agent == "*":
		return "There is no group *, so crawlers that no group names may fetch everything."
	case d.Agent == "" && f.Explain("*", "/").Agent == "*":
		return fmt.Sprintf("No group names %s, and it does not obey the group *: it may fetch everything.", name)
	case d.Agent == "":
		return fmt.Sprintf("No group names %s, and there is no group *: it may fetch everything.", name)
	case d.Agent == "*" && token == "":
		return "That is a browser's User-Agent header, which names no crawler: the group * applies."
	case d.Agent == "*":
		return fmt.Sprintf("No group names %s: the group * applies.", name)
	case strings.EqualFold(d.Agent, token):
		return fmt.Sprintf("%s obeys the group that names it, and that one only.", name)
	case known:
		return fmt.Sprintf("No group names %s: it falls back to the group for %s, as its operator documents.", name, d.Agent)
	}
	return fmt.Sprintf("The group for %s applies.", d.Agent)
}

func newResult(f *robots.File, g *robots.Group, agent, url string) result {
	// The library takes anything for a URL; who types one wants to know.
	scheme, host, _ := strings.Cut(url, "://")
	if url[0] != '/' && (scheme == "" || host == "" || strings.ContainsAny(scheme, "/?#")) {
		return result{URL: url, Error: "Not a URL: write https://example.com/page or /page."}
	}
	d := f.Explain(agent, url)
	res := result{URL: url, Allowed: d.Allowed}
	if d.Reason == robots.ReasonCrawler {
		res.Why = "This crawler is documented not to follow robots.txt."
		return res
	}
	longest := -1
	ties := false
	for r, n := range g.Matches(url) {
		if len(res.Rules) == maxRules {
			res.More++
			continue
		}
		m := match{Line: r.Line, Rule: r.String(), Allow: r.Allow, Length: n}
		if d.Reason == robots.ReasonRule && r == d.Rule {
			m.Decides, longest = true, n
		} else if n == longest {
			m.Tie = true
			ties = ties || r.Allow != d.Rule.Allow
		}
		res.Rules = append(res.Rules, m)
	}
	switch {
	case d.Reason == robots.ReasonRobotsTxt:
		res.Why = "The URL is that of robots.txt itself, which is always allowed."
	case d.Reason != robots.ReasonRule && d.Agent == "":
		res.Why = "No group applies, so everything is allowed."
	case d.Reason != robots.ReasonRule:
		res.Why = "No rule of the group matches, so it is allowed."
	case ties:
		res.Why = fmt.Sprintf("Line %d decides: of rules that are equally long, an Allow wins.", d.Rule.Line)
	case len(res.Rules) > 1:
		res.Why = fmt.Sprintf("Line %d decides: it is the longest of %s that match.", d.Rule.Line, count(len(res.Rules)+res.More, "rule"))
	default:
		res.Why = fmt.Sprintf("Line %d decides: no other rule matches.", d.Rule.Line)
	}
	return res
}

// groupLines returns the runs of lines that are of a group: those of the
// records that it has, without others between.
func groupLines(f *robots.File, g *robots.Group, p robots.Parser) [][2]int {
	lines := make(map[int]bool)
	for r := range g.Rules() {
		lines[r.Line] = true
	}
	for r := range g.Records() {
		lines[r.Line] = true
	}
	names := make(map[string]bool)
	for a := range g.Agents() {
		names[strings.ToLower(a)] = true
	}
	runs := [][2]int{}
	open := false
	for r := range f.Records() {
		in := lines[r.Line] || names[strings.ToLower(named(r, p))]
		switch {
		case in && open:
			runs[len(runs)-1][1] = r.Line
		case in:
			runs = append(runs, [2]int{r.Line, r.Line})
		}
		open = in
	}
	return runs
}

// named returns the product token of a User-agent record, or "" for any other
// record and for one that names nobody. Which is which is for the library to
// say: it is asked to read the line alone.
func named(r robots.Record, p robots.Parser) string {
	if r.Key == "" || r.Key[0]|0x20 != 'u' {
		return "" // as most are
	}
	for g := range p.Parse([]byte(r.Key + ":" + r.Value + "\nDisallow:/")).Groups() {
		for a := range g.Agents() {
			return a
		}
	}
	return ""
}
