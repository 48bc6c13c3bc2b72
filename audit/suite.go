package audit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
)

// A Suite is the results of one file of expectations, ready to be written.
type Suite struct {
	Name    string
	Results []Result
}

func (s *Suite) failures() int {
	n := 0
	for _, r := range s.Results {
		if r.Failure != "" {
			n++
		}
	}
	return n
}

// WriteResults writes the failures for people, one a line, and a last line
// with the counts of each suite.
func WriteResults(w io.Writer, suites ...Suite) error {
	var b bytes.Buffer
	for i := range suites {
		s := &suites[i]
		for _, r := range s.Results {
			if r.Failure != "" {
				fmt.Fprintf(&b, "%s:%d: %s\n", s.Name, r.Expectation.Line, visible(r.Failure))
			}
		}
		n := s.failures()
		fmt.Fprintf(&b, "%s: %d passed, %d failed\n", s.Name, len(s.Results)-n, n)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// WriteResultsJSON writes results as JSON, an object a line.
func WriteResultsJSON(w io.Writer, suites ...Suite) error {
	type result struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Expect  string `json:"expect"` // allow or block
		Agent   string `json:"agent"`
		URL     string `json:"url"`
		Allowed bool   `json:"allowed"`
		Rule    string `json:"rule"` // what decides
		Failure string `json:"failure,omitempty"`
	}
	for _, s := range suites {
		for _, r := range s.Results {
			x := r.Expectation
			if err := writeJSON(w, result{s.Name, x.Line, verdictWord(x.Allow), r.Agent, x.URL, r.Decision.Allowed, because(r.Decision), r.Failure}); err != nil {
				return err
			}
		}
	}
	return nil
}

func verdictWord(allow bool) string {
	if allow {
		return "allow"
	}
	return "block"
}

// The parts of JUnit XML that all of its readers know.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteResultsJUnit writes results as JUnit XML, the form that CI services
// read: one test suite a file, one test case for each expectation and agent.
func WriteResultsJUnit(w io.Writer, suites ...Suite) error {
	all := junitSuites{Time: "0"}
	for i := range suites {
		s := &suites[i]
		j := junitSuite{Name: s.Name, Tests: len(s.Results), Failures: s.failures(), Time: "0"}
		for _, r := range s.Results {
			x := r.Expectation
			c := junitCase{Name: fmt.Sprintf("%s %s %s (line %d)", verdictWord(x.Allow), r.Agent, x.URL, x.Line), Class: s.Name, Time: "0"}
			if r.Failure != "" {
				c.Failure = &junitFailure{r.Failure, verdictWord(x.Allow), fmt.Sprintf("%s:%d: %s", s.Name, x.Line, r.Failure)}
			}
			j.Cases = append(j.Cases, c)
		}
		all.Tests += j.Tests
		all.Failures += j.Failures
		all.Suites = append(all.Suites, j)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}
