package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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

With -f that FILE is asked, not what file and origin lines name. As it cannot
stand for several, all lines must be about the same robots.txt then.

With -allow-sitemap all URLs of a sitemap, or of the sitemaps that a sitemap
index names and that stand in its folder, must be allowed.

It prints each failure with what decides. The exit code is 0 if all is as it
should be, 1 if something is not, 2 if there is no answer: a file cannot be
read, has an error or expects nothing, or a site is unreachable.

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
	var sitemaps []string
	fs.Func("allow-sitemap", "the `SITEMAP`, or sitemap index, whose URLs must be allowed; may be given several times", func(s string) error {
		if s == "" {
			return errNoName
		}
		sitemaps = append(sitemaps, s)
		return nil
	})
	var agents []string
	agentFlag(fs, &agents)
	names, code := parseFlags(fs, args, std)
	if code >= 0 {
		return code
	}
	if err := jsonFormat(format, *asJSON); err != nil {
		return fail(std, "test", err)
	}
	write := map[string]func(io.Writer, ...audit.Suite) error{
		"text": audit.WriteResults, "json": audit.WriteResultsJSON, "junit": audit.WriteResultsJUnit,
	}[*format]
	switch {
	case write == nil:
		return fail(std, "test", fmt.Errorf("-format %q must be text, json or junit", *format))
	case len(names) == 0 && len(sitemaps) == 0:
		return fail(std, "test", errors.New("no expectations: write robots test FILE; robots help test tells what stands in it"))
	case len(sitemaps) > 0 && src.path == "":
		return fail(std, "test", errors.New("-allow-sitemap needs the robots.txt to ask: name it with -f FILE"))
	case len(sitemaps) == 0 && len(agents) > 0:
		return fail(std, "test", errors.New("-agent is for -allow-sitemap: expectations name their agents"))
	}

	var lists []*audit.Expectations
	for _, name := range names {
		if name == "" {
			return fail(std, "test", errNoName)
		}
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
	if err := sameRobots(&src, &get, lists); err != nil {
		return fail(std, "test", err)
	}
	for _, name := range sitemaps {
		l, err := audit.SitemapExpectations(name, agents...)
		if err != nil {
			return fail(std, "test", err)
		}
		lists = append(lists, l...)
	}

	var asked *robots.File // that of -f
	code = exitOK
	var suites []audit.Suite
	for _, e := range lists {
		results, err := e.Run(func(x audit.Expectation) (f audit.Explainer, err error) {
			if src.path != "" {
				if asked == nil {
					asked, err = src.load(std)
				}
				return asked, err
			}
			if x.Origin == "" {
				return openFile(std, &src, e, x)
			}
			p, err := get.all(&src, []string{x.Origin})
			if err == nil {
				warnOf(std, p[0])
				f, err = p[0], p[0].Err
			}
			if err != nil {
				err = fmt.Errorf("%s:%d: %s", e.Name, x.Line, strings.TrimPrefix(err.Error(), "robots: "))
			}
			return f, err
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

// openFile opens the robots.txt of a file line, in the dialect of the flags.
func openFile(std streams, src *source, e *audit.Expectations, x audit.Expectation) (audit.Explainer, error) {
	f, err := e.Open(x)
	file, ok := f.(*robots.File)
	if err != nil || !ok {
		return f, err
	}
	warn(std, strconv.Quote(x.File), file)
	if src.parser.Dialect != robots.RFC9309 { // as which Open reads it
		file = src.parser.Parse([]byte(file.String()))
	}
	return file, nil
}

// sameRobots returns an error if flags could not do what they say for all
// expectations: -f cannot stand for several files, and those for asking sites
// are for nothing if there are none to ask.
func sameRobots(src *source, get *getter, lists []*audit.Expectations) error {
	sites := false
	var first, place string // what names a robots.txt, and which
	for _, e := range lists {
		for _, x := range e.List {
			sites = sites || x.Origin != "" && src.path == ""
			p := x.File
			if x.Origin != "" {
				p, _ = robots.Locate(x.Origin) // one spelling for one site
			} else if p != "" && !filepath.IsAbs(p) {
				p = filepath.Join(filepath.Dir(e.Name), filepath.FromSlash(p))
			}
			at := fmt.Sprintf("%s:%d is about %s", e.Name, x.Line, printable(cmp.Or(p, "none that is named")))
			if first == "" {
				first, place = at, p
			}
			if src.path != "" && p != place {
				return fmt.Errorf("-f %s cannot stand for several robots.txt: %s, %s: leave out -f, or test them one by one", src.path, first, at)
			}
		}
	}
	if !sites && *get != (getter{}) {
		return errors.New("-user-agent and -timeout are for asking sites: there is no origin to ask")
	}
	return nil
}
