package robots_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/robots"
)

// A testCase is a case of the archives in testdata/conformance; testdata/README.md has their
// format.
type testCase struct {
	name     string // archive:line
	cites    []string
	title    string
	maxBytes int
	robots   string
	wants    []want     // allow and disallow
	groups   [][]string // group
	sitemaps []string   // sitemap
	delays   []delay    // delay
}

// A want is a line of a want section that asks about a URL.
type want struct {
	dialects   []robots.Dialect
	allowed    bool
	agent, url string
	line       int
	reason     string
}

type delay struct {
	agent string
	d     time.Duration
	ok    bool
}

// readArchives reads all archives of testdata/conformance.
func readArchives(tb testing.TB) (cases []testCase) {
	tb.Helper()
	names, err := filepath.Glob("testdata/conformance/*.txt")
	if err != nil || len(names) == 0 {
		tb.Fatalf("no archives in testdata/conformance (%v)", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		section := ""
		var body strings.Builder
		number := 0
		for line := range strings.Lines(string(data)) {
			number++
			at := fmt.Sprintf("%s:%d", filepath.Base(name), number)
			line, ended := strings.CutSuffix(line, "\n")
			if cites, title, ok := strings.Cut(strings.TrimPrefix(line, "== "), ": "); ok && strings.HasPrefix(line, "== ") {
				cases = append(cases, testCase{name: at, cites: strings.Fields(cites), title: title})
				section = "case"
				continue
			}
			var c *testCase
			if len(cases) > 0 {
				c = &cases[len(cases)-1]
			}
			switch {
			case strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --"):
				section = line
				body.Reset()
			case section == "-- robots.txt --":
				if !ended {
					tb.Fatalf("%s: no want section", at)
				}
				if !strings.HasSuffix(line, `\`) || strings.HasSuffix(line, `\\`) {
					line += `\n`
				} else {
					line = strings.TrimSuffix(line, `\`)
				}
				text, err := unescapeArchive(line)
				if err != nil {
					tb.Fatalf("%s: %v", at, err)
				}
				body.WriteString(text)
				c.robots = body.String()
			case section == "-- want --":
				if err := c.addWant(line); err != nil {
					tb.Fatalf("%s: %v", at, err)
				}
			case section == "case" && strings.HasPrefix(line, "maxbytes: "):
				c.maxBytes, err = strconv.Atoi(strings.TrimPrefix(line, "maxbytes: "))
				if err != nil {
					tb.Fatalf("%s: %v", at, err)
				}
			case section != "" && line != "":
				tb.Fatalf("%s: %q in section %q", at, line, section)
			}
		}
	}
	return cases
}

// unescapeArchive resolves the visible escapes of a line.
func unescapeArchive(s string) (string, error) {
	var b strings.Builder
	for s != "" {
		if s[0] != '\\' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		if rest, ok := strings.CutPrefix(s, `\{`); ok { // \{N,text}
			count, rest, _ := strings.Cut(rest, ",")
			text, rest, ok := strings.Cut(rest, "}")
			n, err := strconv.Atoi(count)
			if err != nil || !ok {
				return "", fmt.Errorf("bad repetition in %q", s)
			}
			b.WriteString(strings.Repeat(text, n))
			s = rest
			continue
		}
		if rest, ok := strings.CutPrefix(s, `\0`); ok {
			b.WriteByte(0)
			s = rest
			continue
		}
		c, wide, rest, err := strconv.UnquoteChar(s, 0)
		if err != nil {
			return "", fmt.Errorf("bad escape in %q", s)
		}
		if wide {
			b.WriteRune(c)
		} else {
			b.WriteByte(byte(c))
		}
		s = rest
	}
	return b.String(), nil
}

// addWant adds a line of the want section.
func (c *testCase) addWant(line string) error {
	var fields []string
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		word, tail, _ := strings.Cut(rest, " ")
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			word, _ = strconv.Unquote(quoted)
			tail = rest[len(quoted):]
		}
		fields = append(fields, word)
		rest = tail
	}
	if len(fields) == 0 {
		return nil
	}
	w := want{dialects: bothDialects}
	switch fields[0] {
	case "rfc9309":
		w.dialects, fields = bothDialects[:1], fields[1:]
	case "google":
		w.dialects, fields = bothDialects[1:], fields[1:]
	}
	switch verb := fields[0]; {
	case (verb == "allow" || verb == "disallow") && len(fields) >= 3:
		w.allowed, w.agent, w.url = verb == "allow", fields[1], fields[2]
		for _, f := range fields[3:] {
			key, value, _ := strings.Cut(f, "=")
			switch key {
			case "line":
				n, err := strconv.Atoi(value)
				if err != nil {
					return err
				}
				w.line = n
			case "reason":
				w.reason = value
			default:
				return fmt.Errorf("unknown field %q", f)
			}
		}
		c.wants = append(c.wants, w)
	case verb == "group":
		c.groups = append(c.groups, fields[1:])
	case verb == "sitemap" && len(fields) == 2:
		c.sitemaps = append(c.sitemaps, fields[1])
	case verb == "delay" && len(fields) == 3:
		d, err := time.ParseDuration(fields[2])
		if err != nil && fields[2] != "none" {
			return err
		}
		c.delays = append(c.delays, delay{fields[1], d, err == nil})
	default:
		return fmt.Errorf("unknown line %q", line)
	}
	return nil
}
