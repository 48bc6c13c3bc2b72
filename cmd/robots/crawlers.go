package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/robots"
	"example.com/robots/audit"
)

const crawlersHelp = `
Usage: robots crawlers [-json] [CRAWLER...]
       robots crawlers -f FILE [-dialect D] [-json] [CRAWLER...]

Lists the crawlers that are known not to be plain, or asked about often: what
they fetch pages for, which group of a robots.txt file they obey, the first that
is there, and whether they heed Crawl-delay. For those that are named as
arguments, by product token or User-Agent header, it prints all that is known,
with the page that says so.

With -f it tells for each which group of FILE it obeys, and why that one, and
whether the rules block the site for it:

	TOKEN            PURPOSE  BLOCKED  GROUP      WHY
	Googlebot-Image  search   partly   Googlebot  none names it: falls back

That is exact, for all URLs that there can be but /robots.txt itself. Where the
wildcards of a group are too many to tell, it is "undecided". In the Google
dialect "partly" may also be rules that take back all that they disallow.
Without -f no file is read.

With -json each line is an object.
`

func runCrawlers(args []string, std streams) int {
	fs := newFlags("crawlers", crawlersHelp)
	var src source
	src.flags(fs)
	asJSON := fs.Bool("json", false, "print a JSON object a line")
	names, code := parseFlags(fs, args, std)
	if code >= 0 {
		return code
	}
	crawlers, err := pickCrawlers(names, src.path)
	if err == nil && src.path == "" && src.parser.Dialect != 0 {
		err = errors.New("-dialect is how a file is read: name one with -f FILE")
	}
	if err != nil {
		return fail(std, "crawlers", err)
	}
	if src.path == "" {
		listCrawlers(std.out, crawlers, len(names) > 0, *asJSON)
		return exitOK
	}
	file, err := src.load(std)
	if err != nil {
		return fail(std, "crawlers", err)
	}
	extent := exactExtent
	if src.parser.Dialect == robots.Google {
		extent = roughExtent
	}
	askCrawlers(std.out, file, crawlers, extent, *asJSON)
	return exitOK
}

// pickCrawlers returns the known crawlers with the given names, or all of them.
// path is that of -f, for messages.
func pickCrawlers(names []string, path string) ([]robots.Crawler, error) {
	if len(names) == 0 {
		return slices.Collect(robots.Crawlers()), nil
	}
	var crawlers []robots.Crawler
	for _, name := range names {
		if e := (*audit.AgentError)(nil); errors.As(audit.CheckAgent(name), &e) {
			if e.List != nil {
				return nil, fmt.Errorf("%q lists several crawlers: give each by itself: robots crawlers %s", name, strings.Join(quoteArgs(e.List), " "))
			}
			return nil, fmt.Errorf("%q names no crawler: %s", name, e.Text)
		}
		c, ok := robots.LookupCrawler(name)
		if !ok {
			return nil, unknownCrawler(name, path)
		}
		crawlers = append(crawlers, c)
	}
	return crawlers, nil
}

func unknownCrawler(name, path string) error {
	var tokens []string
	for c := range robots.Crawlers() {
		tokens = append(tokens, strings.ToLower(c.Token))
	}
	if c, ok := robots.LookupCrawler(nearest(name, tokens)); ok {
		return fmt.Errorf("no crawler is known as %q: did you mean %q?", name, c.Token)
	}
	path = quoteArgs([]string{cmp.Or(path, "FILE")})[0]
	agent := quoteArgs([]string{name})[0]
	return fmt.Errorf("no crawler is known as %q: robots crawlers lists them; to ask for any other write robots check -f %s -agent %s /page", name, path, agent)
}

// A crawlerRow is a known crawler, in JSON or otherwise.
type crawlerRow struct {
	Token        string   `json:"token"`
	Operator     string   `json:"operator"`
	Purpose      string   `json:"purpose"`
	Obeys        []string `json:"obeys"` // the groups, the first that is there; none if it follows no robots.txt
	CrawlDelay   string   `json:"crawl_delay"`
	TokenOnly    bool     `json:"token_only,omitempty"`
	Undocumented bool     `json:"undocumented,omitempty"`
	Retired      bool     `json:"retired,omitempty"`
	Inferred     bool     `json:"inferred,omitempty"`
	UserAgent    string   `json:"user_agent,omitempty"`
	Notes        string   `json:"notes,omitempty"`
	Source       string   `json:"source"`
	Read         string   `json:"read"`
}

func listCrawlers(w io.Writer, crawlers []robots.Crawler, detailed, asJSON bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if !detailed && !asJSON {
		fmt.Fprintln(t, "TOKEN\tPURPOSE\tOBEYS\tCRAWL-DELAY\tREMARKS")
	}
	for i, c := range crawlers {
		r := crawlerRow{
			Token: c.Token, Operator: c.Operator, Purpose: c.Purpose.String(), Obeys: obeys(c), CrawlDelay: c.CrawlDelay.String(),
			TokenOnly: c.TokenOnly, Undocumented: c.Undocumented, Retired: c.Retired, Inferred: c.Inferred,
			UserAgent: c.UserAgent, Notes: c.Notes, Source: c.Source, Read: c.Read,
		}
		switch {
		case asJSON:
			writeJSON(w, r)
		case detailed:
			if i > 0 {
				fmt.Fprintln(w)
			}
			r.write(w)
		default:
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Token, r.Purpose, r.groups(), r.CrawlDelay, cmp.Or(r.remarks(), "-"))
		}
	}
	t.Flush()
}

// groups returns what the crawler obeys, in words.
func (r *crawlerRow) groups() string {
	if len(r.Obeys) == 0 {
		return "nothing"
	}
	return strings.Join(r.Obeys, ", else ")
}

func (r *crawlerRow) remarks() string {
	var s []string
	for _, remark := range []struct {
		holds bool
		words string
	}{
		{r.TokenOnly, "control token"},
		{r.Undocumented, "undocumented"},
		{r.Inferred, "partly inferred"},
		{r.Retired, "retired"},
	} {
		if remark.holds {
			s = append(s, remark.words)
		}
	}
	return strings.Join(s, ", ")
}

func (r *crawlerRow) write(w io.Writer) {
	fmt.Fprintln(w, r.Token)
	for _, line := range []struct{ name, value string }{
		{"operator", r.Operator},
		{"purpose", r.Purpose},
		{"obeys", r.groups()},
		{"crawl-delay", r.CrawlDelay},
		{"remarks", r.remarks()},
		{"user-agent", r.UserAgent},
		{"notes", r.Notes},
		{"source", r.Source + "  (read " + r.Read + ")"},
	} {
		if line.value != "" {
			fmt.Fprintf(w, "  %-11s  %s\n", line.name, line.value)
		}
	}
}

// obeys returns the groups that c obeys, the first that a file has.
func obeys(c robots.Crawler) []string {
	groups := []string{}
	if c.IgnoresRobots {
		return groups
	}
	// A name that stands in headers only has no group: the package knows which.
	own := robots.Parse([]byte("User-agent: " + c.Token + "\nDisallow: /\n"))
	if !own.Allowed(c.Token, "/") {
		groups = append(groups, c.Token)
	}
	groups = append(groups, c.Fallback...)
	if !c.IgnoresGlobal {
		groups = append(groups, "*")
	}
	return groups
}

// A blockedRow is what one crawler makes of a file, in JSON or otherwise.
type blockedRow struct {
	Token   string `json:"token"`
	Purpose string `json:"purpose"`
	Blocked string `json:"blocked"`         // "no", "partly", "fully" or "undecided"
	Group   string `json:"group,omitempty"` // the token of the group that it obeys
	Why     string `json:"why"`
	Notes   string `json:"notes,omitempty"`
}

func askCrawlers(w io.Writer, file *robots.File, crawlers []robots.Crawler, extent func(*robots.Group) string, asJSON bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if !asJSON {
		fmt.Fprintln(t, "TOKEN\tPURPOSE\tBLOCKED\tGROUP\tWHY")
	}
	// Most crawlers obey one of a few groups.
	extents := map[*robots.Group]string{}
	for _, c := range crawlers {
		r := blockedRow{Token: c.Token, Purpose: c.Purpose.String(), Blocked: "no", Notes: c.Notes}
		r.Group, r.Why = obeyed(file, c)
		if r.Group != "" {
			g := file.Group(c.Token)
			if extents[g] == "" {
				extents[g] = extent(g)
			}
			r.Blocked = extents[g]
		}
		if asJSON {
			writeJSON(w, r)
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Token, r.Purpose, r.Blocked, cmp.Or(r.Group, "-"), r.Why)
	}
	t.Flush()
}

// obeyed returns the token of the group of file that c obeys, "" if there is
// none, and why it is that one.
func obeyed(file *robots.File, c robots.Crawler) (group, why string) {
	d := file.Explain(c.Token, "/")
	switch {
	case d.Reason == robots.ReasonCrawler:
		return "", "does not follow robots.txt"
	case d.Reason == robots.ReasonNoGroup && c.IgnoresGlobal:
		return "", "none names it, and * does not reach it"
	case d.Reason == robots.ReasonNoGroup:
		return "", "there is none for it"
	case d.Agent == "*":
		return "*", "none names it"
	case slices.ContainsFunc(c.Fallback, func(t string) bool { return strings.EqualFold(t, d.Agent) }):
		return d.Agent, "none names it: falls back"
	}
	return d.Agent, "its own"
}

// exactExtent tells whether the rules of a group of the RFC9309 dialect block a
// site for its crawler: "no", "partly" or "fully", or "undecided".
func exactExtent(g *robots.Group) string {
	switch audit.Blocked(g) {
	case audit.BlockedNone:
		return "no"
	case audit.BlockedPartly:
		return "partly"
	case audit.BlockedAll:
		return "fully"
	}
	return "undecided"
}

// roughExtent is exactExtent for the Google dialect, which the audit does not
// speak. Its "no" and "fully" are exact, "partly" is what is left.
func roughExtent(g *robots.Group) string {
	disallows, everything, allows := false, false, false
	for r := range g.Rules() {
		switch {
		case r.Pattern == "":
		case r.Allow:
			allows = true
		default:
			disallows = true
			p := strings.TrimRight(r.Pattern, "*")
			everything = everything || p == "/" || p == ""
		}
	}
	switch {
	case !disallows:
		return "no"
	case everything && !allows:
		return "fully"
	}
	return "partly"
}
