package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/robots"
	"example.com/robots/audit"
)

// newFlags returns the flag set of a command. help is what -help prints, up to
// the list of flags.
func newFlags(command, help string) *flag.FlagSet {
	fs := flag.NewFlagSet(command, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // parseFlags prints what is to be printed
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "%s\nFlags, which may stand before or after the arguments:\n\n", strings.TrimLeft(help, "\n"))
		fs.PrintDefaults()
	}
	return fs
}

// parseFlags parses the flags in args, wherever they stand up to a "--", and
// returns the other arguments. A code that is not negative is for the command
// to return at once: help was asked for and printed, or there was an error.
func parseFlags(fs *flag.FlagSet, args []string, std streams) (rest []string, code int) {
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(std.out)
			fs.Usage()
			return nil, exitOK
		}
		if err != nil {
			return nil, fail(std, fs.Name(), flagError(fs, err))
		}
		left := fs.Args()
		n := len(args) - len(left)
		if len(left) == 0 || n > 0 && args[n-1] == "--" {
			return append(rest, left...), -1
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// flagError adds the way out to an error of package flag.
func flagError(fs *flag.FlagSet, err error) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		var names []string
		fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		if s := nearest(name, names); s != "" {
			return fmt.Errorf("unknown flag -%s: did you mean -%s?", name, s)
		}
		return fmt.Errorf("unknown flag -%s: the flags are -%s", name, strings.Join(names, ", -"))
	}
	if rest, ok := strings.CutPrefix(err.Error(), "invalid boolean value "); ok {
		if i := strings.LastIndex(rest, " for -"); i >= 0 {
			value, name := rest[:i], strings.TrimSuffix(rest[i+len(" for -"):], ": parse error")
			err = fmt.Errorf("invalid value %s for flag -%s: it takes none: write -%[2]s, or leave it out", value, name)
		}
	}
	return fmt.Errorf("%w (see: robots help %s)", err, fs.Name())
}

// A source is where a command has its robots.txt from, as flags tell.
type source struct {
	path    string // "" if no flag tells
	parser  robots.Parser
	command string
}

func (src *source) flags(fs *flag.FlagSet) {
	src.command = fs.Name()
	usage := "the robots.txt `FILE`; - is the standard input"
	if src.command == "check" || src.command == "explain" {
		usage += ", from which it is also read if -f is missing"
	}
	fs.Func("f", usage, func(s string) error {
		if s == "" {
			return errNoName
		}
		if src.path != "" {
			return fmt.Errorf("there is one already, %q, and only one can be asked", src.path)
		}
		src.path = s
		return nil
	})
	dialectFlag(fs, &src.parser.Dialect)
}

// dialectFlag adds the flag -dialect.
func dialectFlag(fs *flag.FlagSet, d *robots.Dialect) {
	fs.Func("dialect", "read as `DIALECT`: rfc9309, the standard (default), or google, as Google's open-source parser does", func(s string) error {
		names := []string{robots.RFC9309.String(), robots.Google.String()}
		for i, name := range names {
			if strings.EqualFold(s, name) {
				*d = robots.Dialect(i)
				return nil
			}
		}
		return fmt.Errorf("it must be %s", strings.Join(names, " or "))
	})
}

// load reads the robots.txt of src.
func (src *source) load(std streams) (*robots.File, error) {
	if src.path != "" {
		return loadFile(std, src.command, src.path, src.parser)
	}
	// Who forgot -f must neither wait for a terminal nor hear that everything
	// is allowed by the nothing that stands in for the standard input.
	const noFile = "no robots.txt: name it with -f FILE, or pipe it into the standard input"
	if isTerminal(std.in) {
		return nil, errors.New(noFile)
	}
	file, err := loadFile(std, src.command, "-", src.parser)
	if err == nil && file.String() == "" {
		return nil, errors.New(noFile + " (which is empty; if that is meant, write -f -)")
	}
	return file, err
}

// policies returns the policy that the file of src makes for each of n URLs.
func (src *source) policies(std streams, n int) ([]*robots.Policy, error) {
	file, err := src.load(std)
	if err != nil {
		return nil, err
	}
	return slices.Repeat([]*robots.Policy{{Outcome: robots.Parsed, File: file}}, n), nil
}

// loadFile reads a robots.txt file for a command, or the standard input if path
// is "-".
func loadFile(std streams, command, path string, p robots.Parser) (*robots.File, error) {
	in, name := std.in, "standard input"
	if path == "" {
		return nil, errNoName
	}
	if path == "-" {
		if isTerminal(in) {
			fmt.Fprintln(std.err, "robots: reading robots.txt from the terminal; end it with Ctrl-D (Ctrl-Z and Enter on Windows)")
		}
	} else {
		f, err := os.Open(path)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) && strings.Contains(path, "://") {
				return nil, fmt.Errorf("%q is a URL, not a file: %s | robots %s", path, "save what it serves, or pipe it: curl -sSfL "+path, piped(command))
			}
			return nil, fmt.Errorf("cannot read %q: %w", path, reason(err))
		}
		defer f.Close()
		in, name = f, strconv.Quote(path)
	}
	file, err := p.ParseReader(in)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, reason(err))
	}
	warn(std, name, file)
	return file, nil
}

var errNoName = errors.New("no file has an empty name")

// piped returns the arguments by which a command reads a file from a pipe. Where
// it can do so without a name for it, an empty pipe, which is what is left of a
// download that failed, is an error.
func piped(command string) string {
	switch command {
	case "lint":
		return "lint"
	case "diff":
		return "diff … -"
	case "test", "crawlers":
		return command + " -f - …"
	}
	return command + " …; or ask its site: robots " + command + " -fetch …"
}

// warn tells of a file that is not read as a whole, or that has text and says
// nothing, such as an HTML page, or one in UTF-16: all is allowed by it.
func warn(std streams, name string, file *robots.File) {
	if file.Truncated() {
		fmt.Fprintf(std.err, "robots: %s is longer than %d octets: as crawlers do, the rest is left out\n", name, robots.MaxBytes)
	}
	for range file.Groups() {
		return
	}
	for range file.Sitemaps() {
		return
	}
	for line := range strings.FieldsFuncSeq(file.String(), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if s := strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF")); s != "" && s[0] != '#' {
			fmt.Fprintf(std.err, "robots: %s has no group and no Sitemap in it, and so allows everything: is it a robots.txt file?\n", name)
			return
		}
	}
}

// reason returns what err says without the operation and the path.
func reason(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// isTerminal reports whether in is a terminal.
func isTerminal(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	fi, err := f.Stat()
	if err != nil || fi.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(fi, null)
}

// agentFlag adds the flag -agent, which may be given several times.
func agentFlag(fs *flag.FlagSet, agents *[]string) {
	fs.Func("agent", "the crawler, as its product `TOKEN` (Googlebot) or its whole User-Agent header; may be given several times; default *", func(s string) error {
		if e := (*audit.AgentError)(nil); errors.As(audit.CheckAgent(s), &e) {
			if e.List != nil {
				return fmt.Errorf("it lists several: give the flag for each: -agent %s", strings.Join(quoteArgs(e.List), " -agent "))
			}
			return errors.New(e.Text)
		}
		*agents = append(*agents, s)
		return nil
	})
}

// quoteArgs returns arguments of a command line as a shell takes them.
func quoteArgs(args []string) []string {
	var list []string
	for _, a := range args {
		if strings.Trim(a, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:") != "" {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		list = append(list, a)
	}
	return list
}

// checkURL returns an error unless url is absolute, or "//host/path", or a path.
// The library takes anything for a URL; who types one wants to know. If a site
// is to be asked, robots.Locate tells what else is wrong with its URL.
func checkURL(url string, online bool) error {
	fixed := "https://example.com/page or /page"
	if online {
		fixed = "https://example.com/page"
	}
	if url == "" {
		return fmt.Errorf("the URL is empty: write %s", fixed)
	}
	if s := strings.TrimSpace(url); s != url {
		// Of a list with the line ends of Windows, for one.
		return fmt.Errorf("%q has white space around it, which would be a part of the path: write %s", url, cmp.Or(s, fixed))
	}
	host, absolute := "", false
	if i := strings.Index(url, "://"); i > 0 && isScheme(url[:i]) {
		host, absolute = url[i+3:], true
	} else if strings.HasPrefix(url, "//") {
		host, absolute = url[2:], true
	}
	switch {
	case absolute && (host == "" || strings.ContainsAny(host[:1], "/?#")):
		return fmt.Errorf("%q has no host: write %s", url, fixed)
	case absolute || url[0] == '/':
		return nil
	case online:
		return onlineURLError(url)
	case url[0] == '?' || url[0] == '*':
		return fmt.Errorf("%q is neither a URL nor a path: write /%s", url, url)
	}
	if fi, err := os.Stat(url); err == nil && fi.Mode().IsRegular() {
		return fmt.Errorf("%q is neither a URL nor a path: if it is the robots.txt file write -f %s", url, url)
	}
	if url[0] != '-' && !strings.ContainsAny(url, "./:?") {
		return fmt.Errorf("%q is neither a URL nor a path: write /%s, or, if it is a crawler, -agent %s", url, url, url)
	}
	if head, _, _ := strings.Cut(url, "/"); strings.Contains(head, ".") && !strings.ContainsAny(head, ":?") {
		return fmt.Errorf("%q is neither a URL nor a path: write https://%s", url, url)
	}
	return fmt.Errorf("%q is neither a URL nor a path: write %s", url, fixed)
}

// onlineURLError says what to write for a URL that names no site.
func onlineURLError(url string) error {
	head, _, _ := strings.Cut(url, "/")
	switch {
	case strings.ContainsAny(head, "?*@ ") || url[0] == '-' || strings.Contains(url, "://"):
		return fmt.Errorf("%q names no site to ask: write https://example.com/page", url)
	case !strings.ContainsAny(url, "./:"):
		return fmt.Errorf("%q names no site to ask: write https://example.com/page, or, if it is a crawler, -agent %s", url, url)
	}
	return fmt.Errorf("%q names no site to ask: write https://%s", url, url)
}

// isScheme reports whether s is a URL scheme (RFC 3986 section 3.1).
func isScheme(s string) bool {
	for i, c := range s {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !('0' <= c && c <= '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return s != ""
}

// printable returns s, quoted as in Go if it could break the line or play
// tricks on a terminal: files and URLs come from strangers.
func printable(s string) string {
	if s == "" || !utf8.ValidString(s) || s[0] == '"' || s[0] == ' ' || s[len(s)-1] == ' ' {
		return strconv.Quote(s)
	}
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}
