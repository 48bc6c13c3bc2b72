package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/robots"
)

// Expectations are URLs that must or must not be crawlable, for tests of a
// robots.txt before it is published. They are written line by line:
//
//	# comment
//	file PATH                      the robots.txt of the lines below; relative to this file
//	origin URL                     or the one that is served for a URL
//	allow AGENTS URL [by LINE]     must be allowed
//	block AGENTS URL [by LINE]     must not be allowed
//
// AGENTS are separated by commas, without spaces: product tokens, whole
// User-Agent headers in double quotes (see [CheckAgent]), "*" for crawlers that
// the file does not name, or a class such as @ai-training: all known crawlers of
// that purpose (see robots.Purpose) that obey robots.txt. URL is an absolute URL
// or a path; below an origin line, a URL of that site. With "by" the rule that
// decides must stand at that line; "by 0" means that no rule does.
type Expectations struct {
	Name string // of the file, for messages
	List []Expectation
}

// An Expectation is one line of a file of expectations.
type Expectation struct {
	Line   int      // 1-based
	Allow  bool     // what must be
	Agents []string // as written, classes included
	URL    string
	By     int // line of the rule that must decide; 0: none may; -1: any

	// Where the robots.txt is: a path or the URL of a site. If both are empty,
	// it is for the caller of Run to say.
	File, Origin string
}

// An ExpectationError is a line that is no expectation.
type ExpectationError struct {
	Name string
	Line int
	Text string // what is wrong, and what to write
}

// Error returns "robots: NAME:LINE: TEXT".
func (e *ExpectationError) Error() string {
	return fmt.Sprintf("robots: %s:%d: %s", e.Name, e.Line, e.Text)
}

// ParseExpectations reads expectations. Any error is an *ExpectationError. It is
// one, too, if nothing is expected: if there is no allow or block line in all of
// data, or none that a file or origin line speaks for.
func ParseExpectations(name string, data []byte) (*Expectations, error) {
	e := &Expectations{Name: name}
	var file, site, located string
	idle := 0 // the line of a file or origin that nothing is expected of yet
	nothing := func(line int) error {
		return &ExpectationError{name, line, "nothing is expected of this robots.txt: no allow or block line follows"}
	}
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(data), bom))
	for i, text := range strings.Split(lines, "\n") {
		fail := func(format string, args ...any) (*Expectations, error) {
			return nil, &ExpectationError{name, i + 1, fmt.Sprintf(format, args...)}
		}
		words, err := splitWords(text)
		if err != "" {
			return fail("%s", err)
		}
		if len(words) == 0 {
			continue
		}
		verb := words[0]
		switch verb {
		case "file", "origin":
			if len(words) != 2 {
				return fail("%s takes one argument: write %q", verb, verb+" "+map[string]string{"file": "robots.txt", "origin": "https://example.com"}[verb])
			}
			if idle > 0 {
				return nil, nothing(idle)
			}
			file, site, located, idle = "", "", "", i+1
			if verb == "file" {
				if file = words[1]; strings.Contains(file, "://") {
					return fail("file %q is a URL: write %q", file, "origin "+file)
				}
				continue
			}
			site = words[1]
			if !strings.HasPrefix(site, "http://") && !strings.HasPrefix(site, "https://") {
				return fail("origin %q is no http or https URL", site)
			}
			var err error
			if located, err = robots.Locate(site); err != nil {
				return fail("origin: %s", strings.TrimPrefix(err.Error(), "robots: "))
			}
			continue
		case "allow", "block":
		case "disallow":
			return fail(`"disallow" is for robots.txt: write "block AGENT URL"`)
		default:
			return fail("unknown word %s: a line starts with allow, block, file or origin", quote(verb))
		}
		x := Expectation{Line: i + 1, Allow: verb == "allow", By: -1, File: file, Origin: site}
		if agents, n := agentWords(words[1:]); n > 1 {
			return fail("white space after a comma in %s: write %q", quote(strings.Join(words[1:1+n], " ")), agents)
		}
		switch {
		case len(words) > 3 && !isURL(words[2]):
			return fail("%s is no URL: want \"%s AGENTS URL\"; agents are separated by commas without spaces, and one with spaces in it stands in double quotes", quote(words[2]), verb)
		case len(words) == 5 && words[3] == "by":
			n, err := strconv.Atoi(words[4])
			if err != nil || n < 0 {
				return fail("by %q: want the number of a line, or 0 for no rule", words[4])
			}
			x.By = n
		case len(words) != 3:
			return fail("got %d words: want \"%s AGENT URL\" or \"%s AGENT URL by LINE\"", len(words), verb, verb)
		}
		for _, a := range splitAgents(words[1]) {
			if a == "" {
				return fail("an empty agent in %q", words[1])
			}
			if _, err := agentsOf(a); err != nil {
				return fail("%s", strings.TrimPrefix(err.Error(), "robots: "))
			}
			x.Agents = append(x.Agents, a)
		}
		x.URL = words[2]
		if !isURL(x.URL) {
			return fail("%q is neither a path nor an absolute URL", x.URL)
		}
		if other := elsewhere(x.URL, located); other != "" {
			return fail("%s is governed by %s, and asked is %s: a robots.txt speaks for its own scheme, host and port", quote(x.URL), other, located)
		}
		e.List = append(e.List, x)
		idle = 0
	}
	switch {
	case idle > 0:
		return nil, nothing(idle)
	case len(e.List) == 0:
		return nil, &ExpectationError{name, 1, `nothing is expected: there is no allow or block line; write one such as "block * /cart"`}
	}
	return e, nil
}

// isURL reports whether s is an absolute URL, "//host/path" or a path.
func isURL(s string) bool {
	if strings.HasPrefix(s, "/") {
		return true
	}
	scheme, rest, ok := strings.Cut(s, "://")
	return ok && scheme != "" && !strings.ContainsAny(scheme, "/?#:@") && rest != "" && strings.IndexByte("/?#", rest[0]) < 0
}

// elsewhere returns the robots.txt that governs a URL, or why there is none, if
// it is not the one at the URL located. All is well if that is "".
func elsewhere(url, located string) string {
	switch {
	case located == "":
		return ""
	case strings.HasPrefix(url, "//"):
		scheme, _, _ := strings.Cut(located, "//")
		url = scheme + url
	case url[0] == '/':
		return ""
	}
	switch other, err := robots.Locate(url); {
	case err != nil:
		return "no robots.txt"
	case other != located:
		return other
	}
	return ""
}

// agentWords puts words together that would be one list of agents if white space
// did not count at its commas, and returns how many they are.
func agentWords(words []string) (agents string, n int) {
	for i, w := range words {
		if i > 0 && (isURL(w) || strings.Contains(w, `"`) || !strings.HasSuffix(agents, ",") && !strings.HasPrefix(w, ",")) {
			return agents, i
		}
		agents += w
	}
	return agents, len(words)
}

// agentsOf returns the agents that one of AGENTS stands for.
func agentsOf(agent string) ([]string, error) {
	name, ok := strings.CutPrefix(agent, "@")
	if !ok {
		return []string{agent}, CheckAgent(agent)
	}
	tokens, _ := class(name)
	if len(tokens) == 0 {
		return nil, &AgentError{Agent: agent, Text: "there is no such class: the classes are " + strings.Join(purposes(), ", ")}
	}
	return tokens, nil
}

// splitWords splits a line at white space, up to a "#" that starts a word. In
// the second word, the agents, white space in double quotes does not count; the
// quotes are kept.
func splitWords(text string) (words []string, err string) {
	for i := 0; i < len(text); {
		if isSpace(text[i]) {
			i++
			continue
		}
		if text[i] == '#' {
			break
		}
		from, quoted := i, false
		for i < len(text) && (quoted || !isSpace(text[i])) {
			quoted = quoted != (text[i] == '"' && len(words) == 1)
			i++
		}
		if quoted {
			return nil, "a double quote is not closed"
		}
		words = append(words, text[from:i])
	}
	return words, ""
}

// splitAgents splits at the commas that are not in double quotes.
func splitAgents(s string) (list []string) {
	quoted := false
	var b strings.Builder
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			list = append(list, b.String())
			b.Reset()
		default:
			b.WriteByte(s[i])
		}
	}
	return append(list, b.String())
}

// An Explainer gives verdicts: a [robots.File] or a [robots.Policy].
type Explainer interface {
	Explain(agent, url string) robots.Decision
}

// A Result is what became of an expectation for one agent.
type Result struct {
	Expectation Expectation
	Agent       string
	Decision    robots.Decision
	Failure     string // what is wrong, in one line; "" if nothing is
}

// Run checks all expectations, each for each of its agents. open gives the
// robots.txt of an expectation; nil means e.Open. It is asked once for each
// File and Origin. The error is open's, or that of an agent that stands for
// nobody, which ParseExpectations refuses.
func (e *Expectations) Run(open func(Expectation) (Explainer, error)) ([]Result, error) {
	if open == nil {
		open = e.Open
	}
	type source struct{ file, origin string }
	opened := make(map[source]Explainer)
	var results []Result
	for _, x := range e.List {
		src := source{x.File, x.Origin}
		f := opened[src]
		if f == nil {
			var err error
			if f, err = open(x); err != nil {
				return results, err
			}
			opened[src] = f
		}
		if len(x.Agents) == 0 {
			return results, &ExpectationError{e.Name, x.Line, "there is no agent to ask about"}
		}
		for _, a := range x.Agents {
			agents := []string{a}
			if strings.HasPrefix(a, "@") {
				var err error
				if agents, err = agentsOf(a); err != nil {
					return results, &ExpectationError{e.Name, x.Line, strings.TrimPrefix(err.Error(), "robots: ")}
				}
			}
			for _, a := range agents {
				results = append(results, x.check(f, a))
			}
		}
	}
	return results, nil
}

func (x Expectation) check(f Explainer, agent string) Result {
	r := Result{Expectation: x, Agent: agent, Decision: f.Explain(agent, x.URL)}
	d := r.Decision
	switch {
	case d.Allowed != x.Allow && x.Allow:
		r.Failure = fmt.Sprintf("%s must be allowed to fetch %s: %s", agent, x.URL, reason(d))
	case d.Allowed != x.Allow:
		r.Failure = fmt.Sprintf("%s must not be allowed to fetch %s: %s", agent, x.URL, reason(d))
	case x.By >= 0 && d.Rule.Line != x.By && x.By == 0:
		r.Failure = fmt.Sprintf("no rule was to decide about %s for %s: %s", x.URL, agent, reason(d))
	case x.By >= 0 && d.Rule.Line != x.By:
		r.Failure = fmt.Sprintf("line %d was to decide about %s for %s: %s", x.By, x.URL, agent, reason(d))
	}
	return r
}

// reason says what decides, in words.
func reason(d robots.Decision) string {
	word := "blocked"
	if d.Allowed {
		word = "allowed"
	}
	if d.Reason == robots.ReasonRule {
		return fmt.Sprintf("%s by line %d (%q, group %q)", word, d.Rule.Line, d.Rule.String(), d.Agent)
	}
	return fmt.Sprintf("%s, %s", word, d.Reason)
}

// Open reads the robots.txt of an expectation: its File, which is relative to
// the folder of e.Name.
func (e *Expectations) Open(x Expectation) (Explainer, error) {
	switch {
	case x.File != "":
		name := x.File
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(e.Name), filepath.FromSlash(name))
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("robots: %s:%d: %w", e.Name, x.Line, err)
		}
		return robots.Parse(data), nil
	case x.Origin != "":
		p, err := openOrigin(x.Origin)
		if err != nil {
			return nil, fmt.Errorf("robots: %s:%d: %w", e.Name, x.Line, err)
		}
		return p, nil
	}
	return nil, &ExpectationError{e.Name, x.Line, `no robots.txt: put "file PATH" or "origin URL" before this line`}
}

// TB is the part of testing.TB that Test needs.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Test runs the file of expectations called name inside of a Go test:
//
//	func TestRobots(t *testing.T) { audit.Test(t, "testdata/expect.txt") }
//
// Each failure is one error with its line. It is fatal if the file cannot be
// read, has an error, or expects nothing, and if a robots.txt cannot be had.
func Test(t TB, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("robots: %v", err)
		return
	}
	e, err := ParseExpectations(name, data)
	if err != nil {
		t.Fatalf("%v", err)
		return
	}
	results, err := e.Run(nil)
	for _, r := range results {
		if r.Failure != "" {
			t.Errorf("%s:%d: %s", name, r.Expectation.Line, r.Failure)
		}
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
}
