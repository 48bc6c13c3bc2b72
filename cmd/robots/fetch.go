package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"example.com/robots"
)

const fetchHelp = `
Usage: robots fetch [-user-agent U] [-timeout T] [-dialect D] [-json] URL...

Asks the site of each URL for its robots.txt and tells what came of it:

	https://example.com/robots.txt
	  outcome   parsed
	  status    200
	  redirect  https://www.example.com/robots.txt
	  type      text/html
	  size      1520 octets
	  fetched   2026-11-30T12:00:00Z
	  expires   2026-12-01T12:00:00Z
	  warning   the Content-Type is "text/html"; it should be text/plain

The outcome is "parsed" (the rules count), "allow-all" (there is no file, so
that everything is allowed) or "disallow-all" (it is unreachable, or an error of
the server, and nothing is allowed for now; an error line says why). It expires
when a crawler should ask again. The exit code is 0 if all sites were reached, 1
if any was not, 2 if there is no answer.

With -json each line is an object with url, outcome, status, redirects, type,
size (in octets, decompressed, up to the limit), truncated, fetched, expires,
warnings and error.
`

func runFetch(args []string, std streams) int {
	fs := newFlags("fetch", fetchHelp)
	var get getter
	get.flags(fs)
	var src source
	dialectFlag(fs, &src.parser.Dialect)
	asJSON := fs.Bool("json", false, "print a JSON object a line")
	urls, code := parseFlags(fs, args, std)
	if code >= 0 {
		return code
	}
	if len(urls) == 0 {
		return fail(std, "fetch", errors.New("no URL: write robots fetch https://example.com/"))
	}
	policies, err := get.all(&src, urls)
	if err != nil {
		return fail(std, "fetch", err)
	}
	code = exitOK
	for i, p := range policies {
		if p.Err != nil {
			code = exitNo
		}
		r := newReport(p)
		if *asJSON {
			writeJSON(std.out, r)
			continue
		}
		if i > 0 {
			fmt.Fprintln(std.out)
		}
		r.write(std.out)
	}
	return code
}

// A getter asks sites for their robots.txt.
type getter struct {
	userAgent string
	timeout   time.Duration
}

func (g *getter) flags(fs *flag.FlagSet) {
	fs.StringVar(&g.userAgent, "user-agent", "", "the User-Agent `HEADER` to fetch robots.txt with; some sites answer by it")
	fs.Func("timeout", "how long to wait for a robots.txt, redirects included, as a `TIME` such as 10s (default 30s)", func(s string) (err error) {
		if g.timeout, err = time.ParseDuration(s); err != nil || g.timeout == 0 {
			return errors.New("give a time such as 10s or 2m")
		}
		return nil
	})
}

// all returns the policy for each URL. Nothing is asked before all URLs are
// known to be good, and each site is asked once.
func (g *getter) all(src *source, urls []string) ([]*robots.Policy, error) {
	if src.path != "" {
		return nil, errors.New("-fetch asks sites for their robots.txt, and -f names a file: give one of them")
	}
	if g.timeout < 0 {
		return nil, fmt.Errorf("-timeout %v is negative: give a time such as 10s", g.timeout)
	}
	for _, url := range urls {
		if _, err := robots.Locate(url); err != nil {
			return nil, err
		}
	}
	c := robots.Client{UserAgent: g.userAgent, Timeout: g.timeout, Parser: src.parser}
	var policies []*robots.Policy
	for _, url := range urls {
		p, err := c.Policy(context.Background(), url)
		if err != nil {
			return nil, err
		}
		policies = append(policies, p)
	}
	return policies, nil
}

// warnOf tells what is odd about what a site answered.
func warnOf(std streams, p *robots.Policy) {
	for _, w := range p.Warnings {
		fmt.Fprintf(std.err, "robots: %s: %s\n", printable(p.URL), printable(w))
	}
}

// A report is what "robots fetch" prints, in JSON or otherwise.
type report struct {
	URL       string    `json:"url"`
	Outcome   string    `json:"outcome"`
	Status    int       `json:"status,omitempty"`
	Redirects []string  `json:"redirects,omitempty"`
	Type      string    `json:"type,omitempty"`
	Size      int       `json:"size"`
	Truncated bool      `json:"truncated,omitempty"`
	Fetched   time.Time `json:"fetched"`
	Expires   time.Time `json:"expires"`
	Warnings  []string  `json:"warnings,omitempty"`
	Error     string    `json:"error,omitempty"`
}

func newReport(p *robots.Policy) report {
	r := report{
		URL: p.URL, Outcome: p.Outcome.String(), Status: p.Status, Redirects: p.Redirects,
		Type: p.ContentType, Size: p.Size, Fetched: p.Fetched, Expires: p.Expires, Warnings: p.Warnings,
	}
	r.Truncated = p.File != nil && p.File.Truncated()
	if p.Err != nil {
		r.Error = p.Err.Error()
	}
	return r
}

func (r *report) write(w io.Writer) {
	line := func(name, value string) { fmt.Fprintf(w, "  %-8s  %s\n", name, printable(value)) }
	fmt.Fprintln(w, printable(r.URL))
	line("outcome", r.Outcome)
	if r.Status != 0 {
		line("status", fmt.Sprint(r.Status))
	}
	for _, url := range r.Redirects {
		line("redirect", url)
	}
	if r.Type != "" {
		line("type", r.Type)
	}
	if r.Outcome == robots.Parsed.String() {
		size := octets(r.Size)
		if r.Truncated {
			size += ", cut there"
		}
		line("size", size)
	}
	line("fetched", r.Fetched.Format(time.RFC3339))
	line("expires", r.Expires.Format(time.RFC3339))
	for _, warning := range r.Warnings {
		line("warning", warning)
	}
	if r.Error != "" {
		line("error", r.Error)
	}
}
