package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Report is what Lint found in one file, ready to be written.
type Report struct {
	Name     string // of the file, as messages are to show it
	Text     string // what was linted, for the lines that WriteText shows
	Findings []Finding

	// Most is how many findings of one code WriteText shows in full; the lines
	// of others are listed at the end. Zero means 5, a negative number no limit.
	Most int
}

// line returns a line of the text, without its end, or "".
func (r *Report) line(number int) string {
	text := r.Text
	for n := 1; ; n++ {
		end := strings.IndexAny(text, "\r\n")
		if n == number || end < 0 {
			if n < number {
				return ""
			}
			if end < 0 {
				end = len(text)
			}
			return text[:end]
		}
		if strings.HasPrefix(text[end:], "\r\n") {
			end++
		}
		text = text[end+1:]
	}
}

// WriteText writes reports for people: each finding with its line, a caret
// under its column, the fix and the URL that shows it.
func WriteText(w io.Writer, reports ...Report) error {
	var b bytes.Buffer
	for i := range reports {
		r := &reports[i]
		most := r.Most
		if most == 0 {
			most = 5
		}
		shown := make(map[Code]int)
		rest := make(map[Code][]int)
		for _, f := range r.Findings {
			if shown[f.Code]++; most > 0 && shown[f.Code] > most {
				rest[f.Code] = append(rest[f.Code], f.Line)
				continue
			}
			fmt.Fprintf(&b, "%s:%d:%d: %s: %s (%s)\n", r.Name, f.Line, f.Column, f.Severity, f.Message, f.Code)
			if s, at := window(r.line(f.Line), f.Column-1); s != "" {
				fmt.Fprintf(&b, "    %s\n    %s^\n", s, strings.Repeat(" ", at))
			}
			if f.Fix != "" {
				fmt.Fprintf(&b, "    fix: %s\n", f.Fix)
			}
			if f.Witness != "" {
				fmt.Fprintf(&b, "    see: %s\n", visible(f.Witness))
			}
		}
		for _, c := range slices.Sorted(maps.Keys(rest)) {
			fmt.Fprintf(&b, "%s: %s: %d more, %s\n", r.Name, c, len(rest[c]), lineList(rest[c]))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// window returns the part of a line around an offset, fit for a terminal, and
// where the offset is in it, in characters.
func window(line string, offset int) (string, int) {
	const before, after = 60, 40
	offset = min(offset, len(line))
	from, to := 0, len(line)
	if offset > before+after/2 {
		from = offset - before
		for from < offset && !utf8.RuneStart(line[from]) {
			from++
		}
	}
	if to > offset+after+20 {
		to = offset + after
		for to > offset && !utf8.RuneStart(line[to]) {
			to--
		}
	}
	head := visible(line[from:offset])
	s := head + visible(line[offset:to])
	at := utf8.RuneCountInString(head)
	if from > 0 {
		s, at = "…"+s, at+1
	}
	if to < len(line) {
		s += "…"
	}
	return s, at
}

// visible replaces what could move the cursor or is no text.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0, r == 0xfeff, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return utf8.RuneError
		}
		return r
	}, s)
}

// WriteJSON writes the findings of reports as JSON, an object a line: "file",
// and the fields of Finding in lower case.
func WriteJSON(w io.Writer, reports ...Report) error {
	for _, r := range reports {
		for _, f := range r.Findings {
			err := writeJSON(w, struct {
				File string `json:"file"`
				Finding
			}{r.Name, f})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeJSON writes a value on a line.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // URLs are full of "&"
	return e.Encode(v)
}

// WriteGitHub writes reports as the workflow commands that GitHub Actions
// turns into annotations. Source:
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func WriteGitHub(w io.Writer, reports ...Report) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	var b bytes.Buffer
	for _, r := range reports {
		for _, f := range r.Findings {
			command := f.Severity.String()
			if f.Severity == Note {
				command = "notice"
			}
			fmt.Fprintf(&b, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", command,
				property.Replace(filepath.ToSlash(r.Name)), f.Line, f.Column, property.Replace(string(f.Code)), data.Replace(f.sentence()))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// sentence is the message and the fix.
func (f Finding) sentence() string {
	if f.Fix == "" {
		return f.Message
	}
	return f.Message + "\nFix: " + f.Fix
}

// The parts of SARIF 2.1.0 that WriteSARIF uses. Source:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string      `json:"id"`
		Short   sarifText   `json:"shortDescription"`
		Default sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID     string            `json:"ruleId"`
		RuleIndex  int               `json:"ruleIndex"`
		Level      string            `json:"level"`
		Message    sarifText         `json:"message"`
		Locations  []sarifLocation   `json:"locations"`
		Properties map[string]string `json:"properties,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// WriteSARIF writes reports as one SARIF 2.1.0 log, for code-scanning
// services. Columns count characters there, not octets.
func WriteSARIF(w io.Writer, reports ...Report) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "robots lint"}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	index := make(map[Code]int)
	for i, c := range checks {
		index[c.Code] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(c.Code), sarifText{c.Summary}, sarifConfig{c.Severity.String()}})
	}
	for i := range reports {
		r := &reports[i]
		for _, f := range r.Findings {
			line := r.line(f.Line)
			result := sarifResult{
				RuleID:    string(f.Code),
				RuleIndex: index[f.Code],
				Level:     f.Severity.String(),
				Message:   sarifText{f.sentence()},
				Locations: []sarifLocation{{sarifPhysical{
					sarifArtifact{(&url.URL{Path: filepath.ToSlash(r.Name)}).String()},
					sarifRegion{f.Line, 1 + utf8.RuneCountInString(line[:min(f.Column-1, len(line))])},
				}}},
			}
			if f.Witness != "" {
				result.Properties = map[string]string{"witness": f.Witness}
			}
			run.Results = append(run.Results, result)
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}
