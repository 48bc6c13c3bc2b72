package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"example.com/robots"
)

const checkHelp = `
Usage: robots check [-agent A] [-f FILE] [-dialect D] [-json] URL...
       robots check -fetch [-agent A] [-dialect D] [-json] URL...

Tells for each URL whether a robots.txt file allows the agent to fetch it, one
line a URL:

	disallowed  https://example.com/cart

With several agents each URL has a line for each, with the agent behind it. A
URL is absolute or a path; its host is not looked at, since a file speaks for
the one site that it is from. The exit code is 0 if all are allowed, 1 if any is
not, 2 if there is no answer.

With -fetch each URL is asked about at its own site, as "robots fetch" does it.
Where there is no robots.txt everything is allowed, and where it is unreachable
nothing is: the exit code is 1 then, too.

With -json each line is an object with url, agent, allowed and reason: "rule",
"no-rule" (none matches), "no-group" (none is for the agent), "robots.txt"
(always allowed) or "crawler" (documented not to follow robots.txt); with token,
if the agent is a header that it was taken from; with group, the token by which
the group was chosen; and if the reason is a rule, with rule and line. With
-fetch the reason may also be "unavailable" (there is no robots.txt) or
"unreachable", and robots is the URL that was asked.
`

const explainHelp = `
Usage: robots explain [-agent A] [-f FILE] [-dialect D] [-json] URL...
       robots explain -fetch [-agent A] [-dialect D] [-json] URL...

Tells like "robots check" whether URLs are allowed, and why:

	allowed  /shop/cart  (agent MyBot)
	  group    *  (none names MyBot)
	  decided  line 4  Allow: /shop/  6 octets
	  beaten   line 3  Disallow: /    1 octet

The rule with the longest pattern decides, and if two are equally long an Allow;
their order in the file means nothing. Beaten are the other rules that match, in
the order in which they would have decided. Lengths are those of patterns in
normal form, as they are compared. The exit code is that of "robots check", and
so is what -fetch does.

With -json each line is an object as "robots check" has it, and length, and
beaten: a list of objects with rule, line and length.
`

func runCheck(args []string, std streams) int {
	return ask("check", checkHelp, args, std)
}

func runExplain(args []string, std streams) int {
	return ask("explain", explainHelp, args, std)
}

// ask is both commands: they differ in what they print.
func ask(command, help string, args []string, std streams) int {
	fs := newFlags(command, help)
	var src source
	src.flags(fs)
	var get getter
	online := fs.Bool("fetch", false, "ask the site of each URL for its robots.txt, instead of -f")
	get.flags(fs)
	var agents []string
	agentFlag(fs, &agents)
	asJSON := fs.Bool("json", false, "print a JSON object a line")
	urls, code := parseFlags(fs, args, std)
	if code >= 0 {
		return code
	}
	if len(urls) == 0 {
		return fail(std, command, fmt.Errorf("no URL: write robots %s -f FILE https://example.com/page", command))
	}
	for _, url := range urls {
		if err := checkURL(url, *online); err != nil {
			return fail(std, command, err)
		}
	}
	if len(agents) == 0 {
		agents = []string{"*"}
	}
	var policies []*robots.Policy // one for each URL
	var err error
	switch {
	case *online:
		policies, err = get.all(&src, urls)
	case get != getter{}:
		err = errors.New("-user-agent and -timeout are for asking sites: add -fetch")
	default:
		policies, err = src.policies(std, len(urls))
	}
	if err != nil {
		return fail(std, command, err)
	}

	code = exitOK
	warned := make(map[string]bool)
	for i, url := range urls {
		p := policies[i]
		if p.Err != nil {
			fmt.Fprintln(std.err, p.Err)
		}
		if !warned[p.URL] {
			warned[p.URL] = true
			warnOf(std, p)
		}
		for j, agent := range agents {
			a := newAnswer(p, agent, url)
			if command == "explain" && p.File != nil {
				a.rank(p.File.Group(agent))
			}
			if !a.Allowed {
				code = exitNo
			}
			switch {
			case *asJSON:
				writeJSON(std.out, a)
			case command == "check":
				a.writeLine(std.out, len(agents) > 1)
			default:
				if i+j > 0 {
					fmt.Fprintln(std.out)
				}
				a.write(std.out)
			}
		}
	}
	return code
}

// An answer is what both commands print, in JSON or otherwise.
type answer struct {
	URL     string  `json:"url"`
	Robots  string  `json:"robots,omitempty"` // where the file was fetched
	Agent   string  `json:"agent"`
	Token   string  `json:"token,omitempty"` // what of Agent counts, if that is not all of it
	Allowed bool    `json:"allowed"`
	Reason  string  `json:"reason"`
	Group   string  `json:"group,omitempty"`
	Rule    string  `json:"rule,omitempty"`
	Line    int     `json:"line,omitempty"`
	Length  *int    `json:"length,omitempty"`
	Beaten  []match `json:"beaten,omitempty"`

	decision robots.Decision
}

// A match is a rule that matches.
type match struct {
	Rule   string `json:"rule"`
	Line   int    `json:"line"`
	Length int    `json:"length"` // in octets, as compared

	allow bool
}

func newAnswer(p *robots.Policy, agent, url string) answer {
	d := p.Explain(agent, url)
	a := answer{
		URL: url, Robots: p.URL, Agent: agent, Allowed: d.Allowed, Reason: reasonCode(d.Reason), Group: d.Agent,
		Rule: d.Rule.String(), Line: d.Rule.Line,
		decision: d,
	}
	if t := robots.ProductToken(agent); agent != "*" && t != agent {
		a.Token = t
	}
	return a
}

// rank adds what takes a look at every rule of the group: the other ones that
// match, and the lengths.
func (a *answer) rank(g *robots.Group) {
	for r, n := range g.Matches(a.URL) {
		if r == a.decision.Rule {
			a.Length = &n
			continue
		}
		a.Beaten = append(a.Beaten, match{r.String(), r.Line, n, r.Allow})
	}
}

// reasonCode returns a word for programs.
func reasonCode(r robots.Reason) string {
	switch r {
	case robots.ReasonNoGroup:
		return "no-group"
	case robots.ReasonNoRule:
		return "no-rule"
	case robots.ReasonRule:
		return "rule"
	case robots.ReasonRobotsTxt:
		return "robots.txt"
	case robots.ReasonCrawler:
		return "crawler"
	case robots.ReasonUnavailable:
		return "unavailable"
	case robots.ReasonUnreachable:
		return "unreachable"
	}
	return "unknown"
}

func verdict(allowed bool) string {
	if allowed {
		return "allowed"
	}
	return "disallowed"
}

func (a *answer) writeLine(w io.Writer, agent bool) {
	fmt.Fprintf(w, "%-10s  %s", verdict(a.Allowed), printable(a.URL))
	if agent {
		fmt.Fprintf(w, "  %s", printable(a.Agent))
	}
	fmt.Fprintln(w)
}

func (a *answer) write(w io.Writer) {
	fmt.Fprintf(w, "%s  %s  (agent %s)\n", verdict(a.Allowed), printable(a.URL), printable(a.Agent))
	if a.Robots != "" {
		fmt.Fprintf(w, "  robots   %s\n", printable(a.Robots))
	}
	token := cmp.Or(a.Token, a.Agent)
	if a.Token != "" {
		fmt.Fprintf(w, "  token    %s\n", printable(token))
	}
	switch {
	case a.Group == "":
	case strings.EqualFold(a.Group, token):
		fmt.Fprintf(w, "  group    %s\n", a.Group)
	default:
		fmt.Fprintf(w, "  group    %s  (none names %s)\n", a.Group, printable(token))
	}
	rule := a.decision.Reason == robots.ReasonRule
	if !rule {
		fmt.Fprintf(w, "  decided  %s\n", a.decision.Reason)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if rule {
		fmt.Fprintf(t, "  decided\tline %d\t%s\t%s\n", a.Line, printable(a.Rule), octets(*a.Length))
	}
	for _, m := range a.Beaten {
		fmt.Fprintf(t, "  beaten \tline %d\t%s\t%s%s\n", m.Line, printable(m.Rule), octets(m.Length), a.tie(m))
	}
	t.Flush()
}

// tie says what decided between the rule of the answer and one as long.
func (a *answer) tie(m match) string {
	switch {
	case a.Length == nil || *a.Length != m.Length:
		return ""
	case a.decision.Rule.Allow != m.allow:
		return ", a tie: Allow wins"
	}
	return ", a tie: says the same"
}

func octets(n int) string {
	if n == 1 {
		return "1 octet"
	}
	return fmt.Sprint(n, " octets")
}

// writeJSON writes a value as a line of JSON.
func writeJSON(w io.Writer, v any) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // URLs are full of &
	_ = e.Encode(v)        // no value of ours fails, and w keeps its errors for run
}
