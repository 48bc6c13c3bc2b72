package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/robots"
	"example.com/robots/audit"
)

const lintHelp = `
Usage: robots lint [-select CODES] [-ignore CODES] [-fail-on S] [FILE...]
       robots lint -codes

Says what is wrong with robots.txt files: rules that never decide, crawlers that
obey other rules than their author thinks, lines that are not read.

	robots.txt:3:11: warning: /folder/.php is allowed although … (rule-order)
	    Disallow: /*.php
	              ^
	    fix: if that is not meant, make this rule longer
	    see: /folder/.php

What it says of all URLs is exact: each finding has a URL that shows it, or
rests on a proof. FILE - is the standard input, which is also read if there is
no FILE, and must not be empty then. The exit code is 0 if no finding is as
severe as -fail-on, 1 if one is, 2 if there is no answer.

A comment "# lint:ignore CODE" silences a code on its line, or if it stands
alone on the next one. -codes lists the codes. In a list of codes "rule-*"
stands for all that start so; -select and -ignore may be given several times.

-format is text; json: an object a line with file, code, severity, line, column
(in octets, from 1), message, fix and witness; github: annotations for its
Actions; or sarif: SARIF 2.1.0.
`

func runLint(args []string, std streams) int {
	fs := newFlags("lint", lintHelp)
	format := fs.String("format", "text", "print as `FORMAT`: text, json, github or sarif")
	asJSON := fs.Bool("json", false, "the same as -format json")
	var only, ignore []string
	listFlag(fs, &only, "select", "report only the `CODES`, separated by commas")
	listFlag(fs, &ignore, "ignore", "do not report the `CODES`")
	failOn := fs.String("fail-on", "warning", "the least `SEVERITY` for exit code 1: note, warning, error or never")
	all := fs.Bool("all", false, "in text, show all findings of a code in full, not the first five")
	list := fs.Bool("codes", false, "list the codes, and what they mean")
	names, code := parseFlags(fs, args, std)
	if code >= 0 {
		return code
	}
	if *list && len(names) > 0 {
		return fail(std, "lint", fmt.Errorf("-codes lists the codes and reads no file: leave out it or %q", names[0]))
	}
	if *list {
		for c := range audit.Checks() {
			fmt.Fprintf(std.out, "%-16s  %-7s  %s\n", c.Code, c.Severity, c.Summary)
		}
		return exitOK
	}
	if err := jsonFormat(format, *asJSON); err != nil {
		return fail(std, "lint", err)
	}
	write := map[string]func(io.Writer, ...audit.Report) error{
		"text": audit.WriteText, "json": audit.WriteJSON, "github": audit.WriteGitHub, "sarif": audit.WriteSARIF,
	}[*format]
	if write == nil {
		return fail(std, "lint", fmt.Errorf("-format %q must be text, json, github or sarif", *format))
	}
	var least audit.Severity
	if *failOn != "never" {
		if err := least.UnmarshalText([]byte(*failOn)); err != nil {
			return fail(std, "lint", fmt.Errorf("-fail-on %q must be note, warning, error or never", *failOn))
		}
	}
	selected, err := codes("-select", strings.Join(only, ","))
	ignored, err2 := codes("-ignore", strings.Join(ignore, ","))
	if err = errors.Join(err, err2); err != nil {
		return fail(std, "lint", err)
	}

	files, err := loadFiles(std, "lint", names)
	if err != nil {
		return fail(std, "lint", err)
	}
	if len(names) == 0 {
		names = []string{"-"}
	}
	code = exitOK
	var reports []audit.Report
	for i, f := range files {
		r := audit.Report{Name: names[i], Text: f.String()}
		if r.Name == "-" {
			r.Name = "robots.txt"
		}
		if *all {
			r.Most = -1
		}
		for _, x := range audit.Lint(f) {
			if len(selected) > 0 && !selected[x.Code] || ignored[x.Code] {
				continue
			}
			r.Findings = append(r.Findings, x)
			if *failOn != "never" && x.Severity >= least {
				code = exitNo
			}
		}
		reports = append(reports, r)
	}
	_ = write(std.out, reports...) // std.out keeps its errors for run
	return code
}

// listFlag adds a flag that adds to a list each time that it is given.
func listFlag(fs *flag.FlagSet, list *[]string, name, usage string) {
	fs.Func(name, usage, func(s string) error {
		*list = append(*list, s)
		return nil
	})
}

// jsonFormat sets the flag -format to json if the flag -json was given.
func jsonFormat(format *string, asJSON bool) error {
	if asJSON && *format != "text" && *format != "json" {
		return fmt.Errorf("-json is -format json, and there is -format %s: give one of them", *format)
	}
	if asJSON {
		*format = "json"
	}
	return nil
}

// codes reads a list of codes.
func codes(flag, list string) (map[audit.Code]bool, error) {
	set := make(map[audit.Code]bool)
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		prefix, wild := strings.CutSuffix(word, "*")
		var all []string
		found := false
		for c := range audit.Checks() {
			all = append(all, string(c.Code))
			if string(c.Code) == word || wild && strings.HasPrefix(string(c.Code), prefix) {
				set[c.Code] = true
				found = true
			}
		}
		if s := nearest(word, all); !found && s != "" {
			return nil, fmt.Errorf("%s: there is no code %q: did you mean %q?", flag, word, s)
		}
		if !found {
			return nil, fmt.Errorf("%s: there is no code %q: robots lint -codes lists them", flag, word)
		}
	}
	return set, nil
}

// loadFiles reads robots.txt files, or the standard input if there is no name.
func loadFiles(std streams, command string, names []string) ([]*robots.File, error) {
	const noFile = "no robots.txt: name it, or pipe it into the standard input"
	named := len(names) > 0
	if !named {
		if isTerminal(std.in) {
			return nil, errors.New(noFile)
		}
		names = []string{"-"}
	}
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return nil, errors.New("- is the standard input, which can be read only once: name a file in the place of one -")
	}
	var files []*robots.File
	for _, name := range names {
		f, err := loadFile(std, command, name, robots.Parser{})
		if err != nil {
			return nil, err
		}
		// As for "robots check": nothing that was piped must not pass for good.
		if !named && f.String() == "" {
			return nil, errors.New(noFile + " (which is empty; if that is meant, write -)")
		}
		files = append(files, f)
	}
	return files, nil
}
