// Package audit is for people who publish robots.txt files: it finds what is
// wrong in one ([Lint]), compares two by what they mean ([Diff]), checks URLs
// that must or must not be crawlable ([Expectations]), and says how much of a
// site a group closes ([Blocked]).
//
// Most mistakes in robots.txt are files that look right: a person reads them
// from top to bottom, a crawler by the length of the rules. The rules of a
// group are finitely many globs, so questions about all URLs have exact
// answers. This package answers them by searching the product of the rules'
// automata breadth first. So a finding comes with the shortest URL that shows
// it, which has been confirmed with package robots before it is reported, or
// else rests on a proof that no URL contradicts it. A search has a budget; if
// it is spent, the answer is "undecided" and never a guess.
//
// Files are read as the RFC9309 dialect of package robots reads them.
package audit

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"example.com/robots"
)

// Severity is how bad a finding is. The zero Severity is Note.
type Severity uint8

const (
	// Note: something to know; the file may well be as its author wants it.
	Note Severity = iota
	// Warning: probably not what the author means.
	Warning
	// Error: the file does not do what it says: a line is ignored, or it does
	// something else.
	Error
)

// String returns "note", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "note"
}

// MarshalText returns the same as String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Severity) UnmarshalText(text []byte) error {
	switch string(text) {
	case "note":
		*s = Note
	case "warning":
		*s = Warning
	case "error":
		*s = Error
	default:
		return fmt.Errorf("robots: unknown severity %q: want note, warning or error", text)
	}
	return nil
}

// Code names a kind of finding, such as "rule-no-effect". Codes are stable:
// what one means does not change, and none is used again for something else.
type Code string

// A Check describes the findings of one code.
type Check struct {
	Code     Code
	Severity Severity // of most of its findings; some are less bad
	Summary  string   // one sentence
}

// Checks returns all checks that Lint makes, in the order of the README.
func Checks() iter.Seq[Check] { return slices.Values(checks[:]) }

// LookupCheck returns the check of a code.
func LookupCheck(code Code) (Check, bool) {
	for _, c := range checks {
		if c.Code == code {
			return c, true
		}
	}
	return Check{}, false
}

// A Finding is one thing that Lint has to say about a file.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Line     int      `json:"line"`   // 1-based
	Column   int      `json:"column"` // 1-based, in octets
	Message  string   `json:"message"`
	Fix      string   `json:"fix,omitempty"`     // what to do about it
	Witness  string   `json:"witness,omitempty"` // the path of a URL that shows it
}

// String returns the finding in one line: "3:11: warning: … (rule-tie)".
func (f Finding) String() string {
	return fmt.Sprintf("%d:%d: %s: %s (%s)", f.Line, f.Column, f.Severity, f.Message, f.Code)
}

// Lint returns what there is to say about a file, by line. The text of the
// file is read as the RFC9309 dialect reads it, whatever the file's own.
//
// A comment "# lint:ignore CODE" silences findings of that code on its line
// or, if nothing else stands on its line, on the next one. Several codes are
// separated by commas or spaces; "all" stands for all of them.
//
// Lint is safe for concurrent use. Its time is bounded, whatever the file holds:
// well below a millisecond for most real ones, some tens of milliseconds for
// one in a hundred, seconds for the worst of 500 KiB. What would take longer is
// left out and reported as undecided.
func Lint(f *robots.File) []Finding {
	l := newLinter(f)
	l.lintLines()
	if !l.html {
		l.lintGroups()
		l.lintRules()
		l.lintEngines()
	}
	slices.SortStableFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Code, b.Code))
	})
	return l.findings
}

// A linter gathers the findings of one file.
type linter struct {
	file     *robots.File
	text     string
	cut      bool // the file was longer than its parser's limit
	lines    []line
	sections []section
	loose    []int
	html     bool
	ignored  map[int][]string // by line: the codes that are silenced
	findings []Finding

	sets    []*ruleset          // of the groups that differ
	setOf   map[string]*ruleset // by agent in lower case
	agentAt map[string]*line    // the first line of each agent, in lower case
	budget  int
	open    []int // lines with questions that were left undecided
}

// lintBudget bounds the work of all questions about one file.
const lintBudget = 2 << 20

func newLinter(f *robots.File) *linter {
	text := f.String()
	l := &linter{
		file:     robots.Parser{MaxBytes: -1}.Parse([]byte(text)),
		text:     text,
		cut:      f.Truncated(),
		lines:    splitLines(text),
		findings: []Finding{},
		setOf:    make(map[string]*ruleset),
		agentAt:  make(map[string]*line),
		budget:   lintBudget,
	}
	l.sections, l.loose = sections(l.lines)
	l.ignored = ignores(l.lines)
	for g := range l.file.Groups() {
		s := newRuleset(g)
		l.sets = append(l.sets, s)
		for a := range g.Agents() {
			l.setOf[strings.ToLower(a)] = s
		}
	}
	return l
}

// ignores reads the "# lint:ignore" comments.
func ignores(lines []line) map[int][]string {
	m := make(map[int][]string)
	for i := range lines {
		l := &lines[i]
		_, codes, ok := strings.Cut(l.comment, "lint:ignore")
		if !ok {
			continue
		}
		n := l.number
		if !l.words {
			n++
		}
		m[n] = append(m[n], strings.FieldsFunc(codes, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })...)
	}
	return m
}

// report adds a finding of the check's own severity at an offset of a line.
func (l *linter) report(code Code, ln *line, offset int, message, fix, witness string) {
	c, _ := LookupCheck(code)
	l.reportAs(c.Severity, code, ln, offset, message, fix, witness)
}

func (l *linter) reportAs(sev Severity, code Code, ln *line, offset int, message, fix, witness string) {
	for _, c := range l.ignored[ln.number] {
		if c == string(code) || c == "all" {
			return
		}
	}
	l.findings = append(l.findings, Finding{code, sev, ln.number, column(offset), message, fix, witness})
}

// at returns a line by its number.
func (l *linter) at(number int) *line { return &l.lines[number-1] }

// quote is for values in messages: long ones are cut in the middle.
func quote(s string) string {
	if len(s) > 80 {
		s = s[:60] + "…" + s[len(s)-15:]
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(s, "\uFFFD"))
}

// lineList is "line 3", "lines 3 and 7" or "lines 3, 7 and 12 more".
func lineList(lines []int) string {
	switch n := len(lines); n {
	case 0:
		return "no line"
	case 1:
		return fmt.Sprintf("line %d", lines[0])
	case 2:
		return fmt.Sprintf("lines %d and %d", lines[0], lines[1])
	case 3:
		return fmt.Sprintf("lines %d, %d and %d", lines[0], lines[1], lines[2])
	default:
		return fmt.Sprintf("lines %d, %d, %d and %d more", lines[0], lines[1], lines[2], n-3)
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
