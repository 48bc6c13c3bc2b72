package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"example.com/robots"
	"example.com/robots/audit"
)

const testHelp = `
Usage: robots test [-f FILE] [-format F] EXPECTATIONS...
       robots test -f FILE -allow-sitemap SITEMAP [-agent A] [EXPECTATIONS...]

Checks that URLs are crawlable, or are not, as files of expectations say:

	# comment
	file PATH                    the robots.txt to ask; relative to this file
	origin URL                   or the one that is served there
	allow AGENTS URL [by LINE]   must be allowed, by the rule at that line
	block AGENTS URL [by LINE]   must not be allowed

AGENTS are separated by commas: product tokens, User-Agent headers in double
quotes, * (whom the file does not name) or classes such as @ai-training (all
known crawlers of that purpose that obey robots.txt). "by 0": no rule decides.

With -allow-sitemap all URLs of a sitemap, or of the sitemaps that a sitemap
index names and that stand in its folder, must be allowed.

It prints each failure with what decides. The exit code is 0 if all is as it
should be, 1 if something is not, 2 if there is no answer: a file cannot be read
or has an error, or a site is unreachable.

-format is text; json: an object a line with file, line, expect, agent, url,
allowed, rule and failure; or junit: JUnit XML.
`

func runTest(args []string, std streams) int {
	fs := newFlags("test", testHelp)
	var src source
	src.flags(fs)
	var get getter
	get.flags(fs)
	format := fs.String("format", "text", "print as `FORMAT`: text, json or junit")
	asJSON := fs.Bool("json", false, "the same as -format json")
	sitemap := fs.String("allow-sitemap", "", "the `SITEMAP`, or sitemap index, whose URLs must be allowed")
	var agents []string
	agentFlag(fs, &agents)
	names, code := parseFlags(fs, args, std)
	if code >= 0 {
		return code
	}
	if *asJSON {
		*format = "json"
	}
	write := map[string]func(io.Writer, ...audit.Suite) error{
		"text": audit.WriteResults, "json": audit.WriteResultsJSON, "junit": audit.WriteResultsJUnit,
	}[*format]
	switch {
	case write == nil:
		return fail(std, "test", fmt.Errorf("-format %q must be text, json or junit", *format))
	case len(names) == 0 && *sitemap == "":
		return fail(std, "test", errors.New("no expectations: write robots test FILE; robots help test tells what stands in it"))
	case *sitemap != "" && src.path == "":
		return fail(std, "test", errors.New("-allow-sitemap needs the robots.txt to ask: name it with -f FILE"))
	case *sitemap == "" && len(agents) > 0:
		return fail(std, "test", errors.New("-agent is for -allow-sitemap: expectations name their agents"))
	}

	var lists []*audit.Expectations
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return fail(std, "test", fmt.Errorf("cannot read %q: %w", name, reason(err)))
		}
		e, err := audit.ParseExpectations(name, data)
		if err != nil {
			return fail(std, "test", err)
		}
		lists = append(lists, e)
	}
	if *sitemap != "" {
		l, err := audit.SitemapExpectations(*sitemap, agents...)
		if err != nil {
			return fail(std, "test", err)
		}
		lists = append(lists, l...)
	}

	var asked *robots.File // that of -f
	code = exitOK
	var suites []audit.Suite
	for _, e := range lists {
		results, err := e.Run(func(x audit.Expectation) (audit.Explainer, error) {
			switch {
			case x.Origin != "":
				p, err := get.all(&source{parser: src.parser}, []string{x.Origin})
				if err != nil {
					return nil, fmt.Errorf("%s:%d: %w", e.Name, x.Line, err)
				}
				return p[0], p[0].Err
			case x.File == "" && src.path != "":
				var err error
				if asked == nil {
					asked, err = src.load(std)
				}
				return asked, err
			}
			return e.Open(x)
		})
		if err != nil {
			return fail(std, "test", err)
		}
		for _, r := range results {
			if r.Failure != "" {
				code = exitNo
			}
		}
		suites = append(suites, audit.Suite{Name: e.Name, Results: results})
	}
	_ = write(std.out, suites...) // std.out keeps its errors for run
	return code
}
