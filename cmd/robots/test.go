package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/robots/audit"
)

const testUsage = `usage: robots test [flags] EXPECTATIONS...
       robots test [flags] -file ROBOTS -allow-sitemap SITEMAP

Test checks that URLs are, or are not, crawlable as a file says, line by line:

	# comment
	file PATH                    the robots.txt to ask; relative to this file
	origin URL                   or the one that is served there
	allow AGENTS URL [by LINE]   must be allowed, by the rule at that line
	block AGENTS URL [by LINE]   must not be allowed

AGENTS are product tokens, User-Agent headers in double quotes, "*" or classes
such as @ai-training, separated by commas.

Exit status: 0 if all is as expected, 1 if not, 2 if a file cannot be read or
has an error, or the command line is wrong.

`

// runTest is the command "robots test".
func runTest(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("robots test", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprint(fs.Output(), testUsage)
		fs.PrintDefaults()
	}
	format := fs.String("format", "text", "output: `text`, json or junit")
	asJSON := fs.Bool("json", false, "the same as -format json")
	file := fs.String("file", "", "the `robots.txt` for lines that have neither file nor origin before them")
	sitemap := fs.String("allow-sitemap", "", "every URL of this `sitemap`, or of those that a sitemap index names, must be allowed")
	agents := fs.String("agents", "*", "the `agents` that -allow-sitemap is about, separated by commas")
	if err := fs.Parse(args); err != nil {
		return parseStatus(err)
	}
	if *asJSON {
		*format = "json"
	}
	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "robots test: "+format+"\n", args...)
		return 2
	}
	write := map[string]func(io.Writer, ...audit.Suite) error{
		"text": audit.WriteResults, "json": audit.WriteResultsJSON, "junit": audit.WriteResultsJUnit,
	}[*format]
	switch {
	case write == nil:
		return fail("-format %q: want text, json or junit", *format)
	case fs.NArg() == 0 && *sitemap == "":
		return fail("no expectations: write \"robots test FILE\"; \"robots test -help\" shows their form")
	case *sitemap != "" && *file == "":
		return fail("-allow-sitemap needs the robots.txt: add -file robots.txt")
	}

	var lists []*audit.Expectations
	for _, name := range fs.Args() {
		data, err := os.ReadFile(name)
		if err != nil {
			return fail("%v", err)
		}
		e, err := audit.ParseExpectations(name, data)
		if err != nil {
			return fail("%s", strings.TrimPrefix(err.Error(), "robots: "))
		}
		lists = append(lists, e)
	}
	if *sitemap != "" {
		l, err := audit.SitemapExpectations(*sitemap, strings.Split(*agents, ",")...)
		if err != nil {
			return fail("%s", strings.TrimPrefix(err.Error(), "robots: "))
		}
		lists = append(lists, l...)
	}
	var suites []audit.Suite
	status := 0
	for _, e := range lists {
		results, err := e.Run(func(x audit.Expectation) (audit.Explainer, error) {
			if x.File == "" && x.Origin == "" && *file != "" {
				return openFile(*file, stdin)
			}
			return e.Open(x)
		})
		if err != nil {
			return fail("%s", strings.TrimPrefix(err.Error(), "robots: "))
		}
		for _, r := range results {
			if r.Failure != "" {
				status = 1
			}
		}
		suites = append(suites, audit.Suite{Name: e.Name, Results: results})
	}
	if err := write(stdout, suites...); err != nil {
		return fail("%v", err)
	}
	return status
}
