package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"example.com/robots"
	"example.com/robots/audit"
)

const lintUsage = `usage: robots lint [flags] FILE...

Lint says what is wrong with robots.txt files, with the URL that shows it.
FILE "-" is the standard input.

Exit status: 0 if nothing is as bad as -fail-on, 1 if something is, 2 if a file
cannot be read or the command line is wrong.

`

// runLint is the command "robots lint".
func runLint(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("robots lint", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprint(fs.Output(), lintUsage)
		fs.PrintDefaults()
	}
	format := fs.String("format", "text", "output: `text`, json, github or sarif")
	asJSON := fs.Bool("json", false, "the same as -format json")
	only := fs.String("select", "", "report only these `codes`, separated by commas; \"rule-*\" is all that start so")
	ignore := fs.String("ignore", "", "do not report these `codes`")
	failOn := fs.String("fail-on", "warning", "the least `severity` for exit status 1: note, warning, error or never")
	all := fs.Bool("all", false, "in text, show every finding of a code in full, not only the first five")
	list := fs.Bool("codes", false, "list the codes and what they mean, and exit")
	if err := fs.Parse(args); err != nil {
		return parseStatus(err)
	}
	if *list {
		for c := range audit.Checks() {
			fmt.Fprintf(stdout, "%-16s %-8s %s\n", c.Code, c.Severity, c.Summary)
		}
		return 0
	}
	if *asJSON {
		*format = "json"
	}
	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "robots lint: "+format+"\n", args...)
		return 2
	}
	write := map[string]func(io.Writer, ...audit.Report) error{
		"text": audit.WriteText, "json": audit.WriteJSON, "github": audit.WriteGitHub, "sarif": audit.WriteSARIF,
	}[*format]
	if write == nil {
		return fail("-format %q: want text, json, github or sarif", *format)
	}
	var least audit.Severity
	if *failOn != "never" {
		if err := least.UnmarshalText([]byte(*failOn)); err != nil {
			return fail("-fail-on %q: want note, warning, error or never", *failOn)
		}
	}
	selected, err := codes(*only)
	if err != nil {
		return fail("-select: %v", err)
	}
	ignored, err := codes(*ignore)
	if err != nil {
		return fail("-ignore: %v", err)
	}
	if fs.NArg() == 0 {
		return fail("no file: write \"robots lint robots.txt\", or \"-\" for the standard input")
	}

	var reports []audit.Report
	status := 0
	for _, name := range fs.Args() {
		f, err := openFile(name, stdin)
		if err != nil {
			return fail("%v", err)
		}
		r := audit.Report{Name: name, Text: f.String()}
		if *all {
			r.Most = -1
		}
		for _, x := range audit.Lint(f) {
			if len(selected) > 0 && !selected[x.Code] || ignored[x.Code] {
				continue
			}
			r.Findings = append(r.Findings, x)
			if *failOn != "never" && x.Severity >= least {
				status = 1
			}
		}
		reports = append(reports, r)
	}
	if err := write(stdout, reports...); err != nil {
		return fail("%v", err)
	}
	return status
}

// codes reads a list of codes; one that ends in "*" stands for all that start
// so.
func codes(list string) (map[audit.Code]bool, error) {
	set := make(map[audit.Code]bool)
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		prefix, wild := strings.CutSuffix(word, "*")
		found := false
		for c := range audit.Checks() {
			if string(c.Code) == word || wild && strings.HasPrefix(string(c.Code), prefix) {
				set[c.Code] = true
				found = true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no code %q; \"robots lint -codes\" lists them", word)
		}
	}
	return set, nil
}

// openFile reads a robots.txt file, or the standard input if it is called "-".
func openFile(name string, stdin io.Reader) (*robots.File, error) {
	return readFile(name, stdin)
}
