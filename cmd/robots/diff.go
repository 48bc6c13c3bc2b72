package main

import (
	"flag"
	"fmt"
	"io"

	"example.com/robots/audit"
)

const diffUsage = `usage: robots diff [flags] OLD NEW

Diff compares two robots.txt files by what they mean: for each agent, which URLs
a change opens or closes, or the proof that none. One of the files may be "-",
the standard input.

Exit status: 0 if they mean the same, 1 if not (or if that was not proved), 2 if
a file cannot be read or the command line is wrong.

`

// runDiff is the command "robots diff".
func runDiff(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("robots diff", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprint(fs.Output(), diffUsage)
		fs.PrintDefaults()
	}
	asJSON := fs.Bool("json", false, "write JSON")
	if err := fs.Parse(args); err != nil {
		return parseStatus(err)
	}
	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "robots diff: "+format+"\n", args...)
		return 2
	}
	if fs.NArg() != 2 {
		return fail("got %d files: want OLD and NEW", fs.NArg())
	}
	old, err := openFile(fs.Arg(0), stdin)
	if err != nil {
		return fail("%v", err)
	}
	new, err := openFile(fs.Arg(1), stdin)
	if err != nil {
		return fail("%v", err)
	}
	c := audit.Diff(old, new)
	write := c.WriteText
	if *asJSON {
		write = c.WriteJSON
	}
	if err := write(stdout); err != nil {
		return fail("%v", err)
	}
	if !c.Equal() {
		return 1
	}
	return 0
}
