// Command robots answers questions about robots.txt files.
//
//	robots check -f robots.txt -agent Googlebot https://example.com/page
//	robots explain -f robots.txt -agent Googlebot https://example.com/page
//	robots fetch https://example.com/page
//	robots lint robots.txt
//	robots test expectations.txt
//	robots diff old.txt new.txt
//
// "robots help" lists the commands, "robots help check" tells about one. All of
// them exit with 0 for yes, 1 for no, and 2 if there is no answer, and print
// answers to the standard output and errors to the standard error.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// The exit codes.
const (
	exitOK     = 0
	exitNo     = 1
	exitMisuse = 2 // and whatever else kept the command from answering
)

// A command is one subcommand. To add one, write its run function in a file of
// its own, and a line in commands; its tests are scenarios (main_test.go). Its
// help begins with "Usage: robots NAME". A run function that begins like this has
// the flags -f and -dialect, takes flags before and after its arguments, and
// prints its own help:
//
//	func runLint(args []string, std streams) int {
//		fs := newFlags("lint", lintHelp)
//		var src source
//		src.flags(fs)
//		args, code := parseFlags(fs, args, std)
//		if code >= 0 {
//			return code
//		}
//		file, err := src.load(std)
//		if err != nil {
//			return fail(std, "lint", err)
//		}
//		…
//		return exitOK
//	}
type command struct {
	name    string
	summary string // for the list in "robots help"
	run     func(args []string, std streams) int
}

// commands are in the order of "robots help".
var commands = []command{
	{"check", "tell whether URLs are allowed", runCheck},
	{"explain", "tell which rule decides, and which others match", runExplain},
	{"fetch", "ask sites for their robots.txt, and tell what came of it", runFetch},
	{"lint", "say what is wrong with a file", runLint},
	{"test", "check that URLs are allowed or not, as a file says", runTest},
	{"diff", "compare two files by what they mean", runDiff},
	{"crawlers", "list known crawlers, and what each obeys in a file", runCrawlers},
}

// streams are the standard streams of a command. What is written to out is
// flushed when the command returns.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs the command line args and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := bufio.NewWriter(stdout)
	code := dispatch(args, streams{stdin, out, stderr})
	if err := out.Flush(); err != nil {
		// An answer that nobody got must not pass for a yes.
		fmt.Fprintf(stderr, "robots: writing the answer: %v\n", err)
		return exitMisuse
	}
	return code
}

func dispatch(args []string, std streams) int {
	if len(args) == 0 {
		printUsage(std.err)
		return exitMisuse
	}
	name, args := args[0], args[1:]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	}
	if name == "help" {
		if len(args) > 1 {
			return fail(std, "help", fmt.Errorf("%q is too much: it tells about one command: robots help %s", args[1], args[0]))
		}
		if len(args) == 0 || slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
			printUsage(std.out)
			return exitOK
		}
		name, args = args[0], []string{"-help"}
	}
	for _, c := range commands {
		if c.name == name {
			return c.run(args, std)
		}
	}
	return fail(std, "", unknownCommand(name))
}

func printUsage(w io.Writer) {
	fmt.Fprint(w, "robots answers questions about robots.txt files (RFC 9309).\n\nUsage:\n\n\trobots COMMAND [FLAGS] ARGUMENTS\n\nCommands:\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "\t%-9s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\t"+`help      tell about a command: robots help check

Exit codes: 0 yes, 1 no, 2 no answer (misuse, or a file that cannot be read).
`)
}

func unknownCommand(name string) error {
	if strings.HasPrefix(name, "-") {
		return fmt.Errorf("unknown command %q: the command comes first: robots check %s …", name, name)
	}
	if strings.ContainsAny(name, "/.") {
		return fmt.Errorf("unknown command %q: to ask about a URL write: robots check -f FILE URL", name)
	}
	names := []string{"help"}
	for _, c := range commands {
		names = append(names, c.name)
	}
	if s := nearest(name, names); s != "" {
		return fmt.Errorf("unknown command %q: did you mean %q?", name, s)
	}
	slices.Sort(names)
	return fmt.Errorf("unknown command %q: the commands are %s", name, strings.Join(names, ", "))
}

// fail prints an error of a command and returns the exit code for it.
func fail(std streams, command string, err error) int {
	if command != "" {
		command = " " + command
	}
	fmt.Fprintf(std.err, "robots%s: %s\n", command, strings.TrimPrefix(err.Error(), "robots: "))
	return exitMisuse
}

// nearest returns the one of words that word is most likely a slip for, or "".
// Two slips are made in long words only: "mybot" is not meant to be "msnbot".
func nearest(word string, words []string) string {
	best, least := "", 3
	for _, w := range words {
		d := distance(strings.ToLower(word), w)
		if len(word) >= 2 && strings.HasPrefix(w, strings.ToLower(word)) {
			d = 1
		}
		if d < least && d < len(w)-1 && (d < 2 || len(w) >= 8) {
			best, least = w, d
		}
	}
	return best
}

// distance returns how many octets must be put in, left out, replaced or
// swapped with the next to make b of a.
func distance(a, b string) int {
	if len(a) > len(b)+2 || len(b) > len(a)+2 {
		return 3 // too far anyway
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			d := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
