package robots

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"
)

// PolicyTextError is why a text is not that of a [Policy].
type PolicyTextError struct {
	Line   int    // 1-based; 0 if it is the whole text
	Reason string // what is wrong with it
}

// Error returns the line and the reason.
func (e *PolicyTextError) Error() string {
	if e.Line == 0 {
		return "robots: not the text of a Policy: " + e.Reason
	}
	return "robots: not the text of a Policy: line " + strconv.Itoa(e.Line) + ": " + e.Reason
}

// policyMagic begins the text of a Policy. The number goes up whenever an
// older reader would get less out of the text than is in it.
const policyMagic = "robots-policy 1 "

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// MarshalText returns all that p holds, the last good copy and the run of
// failures included, for [Policy.UnmarshalText] to restore. Of Err its text
// remains, of a FetchError also its URL and Status.
//
// The text is a line with a version and a checksum, "name: value" lines, an
// empty line, and the robots.txt itself, if there is one; the last good copy
// follows if it is another. It is not meant to be written by hand. There is an
// error only for a time that RFC 3339 cannot write: in a year past 9999, or in a
// zone a day or more from UTC.
func (p *Policy) MarshalText() ([]byte, error) {
	b, err := p.appendBody(make([]byte, 0, 1024+p.bytes()))
	if err != nil {
		return nil, err
	}
	return sealPolicy(b), nil
}

// sealPolicy puts the first line before the rest of a text.
func sealPolicy(body []byte) []byte {
	sum := crc32.Checksum(body, castagnoli)
	return append(fmt.Appendf(make([]byte, 0, len(body)+32), "%s%08x\n", policyMagic, sum), body...)
}

func (p *Policy) appendBody(b []byte) ([]byte, error) {
	w := fieldWriter{b: b}
	w.quoted("url", p.URL)
	w.plain("outcome", p.Outcome.String())
	w.number("status", int64(p.Status))
	w.time("fetched", p.Fetched)
	w.time("expires", p.Expires)
	for _, r := range p.Redirects {
		w.quoted("redirect", r)
	}
	w.quoted("content-type", p.ContentType)
	w.number("size", int64(p.Size))
	for _, s := range p.Warnings {
		w.quoted("warning", s)
	}
	w.time("failing-since", p.FailingSince)
	w.number("failures", int64(p.fails))
	w.time("answered", p.answered)
	w.flag("stale", p.Stale)
	if p.Err != nil {
		w.err(p.Err)
	}
	w.file("file", p.File)
	var copied *File
	if g := p.good; g != nil {
		w.time("copy-fetched", g.fetched)
		w.quoted("copy-content-type", g.contentType)
		w.number("copy-size", int64(g.size))
		for _, s := range g.warnings {
			w.quoted("copy-warning", s)
		}
		w.quoted("copy-from", g.from)
		w.quoted("copy-etag", g.etag)
		w.quoted("copy-last-modified", g.lastModified)
		if g.hasFresh {
			w.plain("copy-fresh", g.fresh.String())
		}
		if g.file == p.File {
			w.flag("copy-is-file", true)
		} else {
			copied = g.file
			w.file("copy-file", copied)
		}
	}
	if w.bad {
		return nil, errors.New("robots: a Policy has no text if one of its times is in a year past 9999, or in a zone a day or more from UTC")
	}
	w.b = append(w.b, '\n')
	w.b = append(w.b, p.File.content()...)
	return append(w.b, copied.content()...), nil
}

// content is String for a file that may be nil.
func (f *File) content() string {
	if f == nil {
		return ""
	}
	return f.String()
}

// A fieldWriter appends "name: value" lines. Values that are zero are left
// out: that is what a missing line reads as.
type fieldWriter struct {
	b   []byte
	bad bool // a value had no text form
}

func (w *fieldWriter) plain(name, value string) {
	w.b = append(append(append(append(w.b, name...), ": "...), value...), '\n')
}

func (w *fieldWriter) quoted(name, value string) {
	if value != "" {
		w.plain(name, strconv.QuoteToASCII(value))
	}
}

func (w *fieldWriter) number(name string, n int64) {
	if n != 0 {
		w.plain(name, strconv.FormatInt(n, 10))
	}
}

func (w *fieldWriter) flag(name string, on bool) {
	if on {
		w.plain(name, "true")
	}
}

func (w *fieldWriter) time(name string, t time.Time) {
	if t.IsZero() {
		return
	}
	text, err := t.MarshalText()
	w.bad = w.bad || err != nil
	w.plain(name, string(text))
}

func (w *fieldWriter) err(err error) {
	var failure *FetchError
	if !errors.As(err, &failure) || failure != err {
		w.quoted("error", errorText(err))
		return
	}
	w.quoted("error-url", failure.URL)
	w.number("error-status", int64(failure.Status))
	if failure.Err != nil {
		w.quoted("error", errorText(failure.Err))
	}
	w.flag("error-of-fetch", true)
	w.flag("error-denied", errors.Is(err, errDenied))
}

// file writes how a file of the content is to be read: dialect, whether it was
// cut, and the number of its octets.
func (w *fieldWriter) file(name string, f *File) {
	if f == nil {
		return
	}
	value := f.dialect.String()
	if f.truncated {
		value += " truncated"
	}
	w.plain(name, value+" "+strconv.Itoa(len(f.String())))
}

// UnmarshalText restores what MarshalText wrote. Files come back as they were,
// to the verdict and the line, by whatever [Parser] they had been read.
//
// A text that is damaged, cut, or of another version is a *[PolicyTextError],
// and leaves p as it was. A caller whose cache holds such a text has a cache
// miss. The checksum tells damage, not forgery.
func (p *Policy) UnmarshalText(text []byte) error {
	rest, ok := bytes.CutPrefix(text, []byte(policyMagic))
	if !ok {
		return &PolicyTextError{Line: 1, Reason: "it does not begin with " + strconv.Quote(policyMagic)}
	}
	sum, body, ok := bytes.Cut(rest, []byte("\n"))
	if !ok || string(sum) != fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli)) {
		return &PolicyTextError{Reason: "the checksum is wrong, so it was damaged or cut"}
	}
	header, content, ok := bytes.Cut(body, []byte("\n\n"))
	if !ok {
		return &PolicyTextError{Reason: "there is no empty line after the fields"}
	}
	r := policyReader{content: content}
	line := 1
	for field := range strings.SplitSeq(string(header), "\n") {
		line++
		if reason := r.field(field); reason != "" {
			return &PolicyTextError{Line: line, Reason: reason}
		}
	}
	if reason := r.finish(); reason != "" {
		return &PolicyTextError{Reason: reason}
	}
	*p = r.policy
	return nil
}

// A policyReader gathers the fields of a text.
type policyReader struct {
	policy  Policy
	good    goodCopy
	hasCopy bool   // a field of the last good copy was there
	isFile  bool   // the last good copy is the file
	content []byte // what no file has taken yet

	hasErr, ofFetch, denied bool
	failure                 FetchError
}

// field takes in one line, or tells what is wrong with it.
func (r *policyReader) field(line string) (reason string) {
	name, value, ok := strings.Cut(line, ": ")
	if !ok {
		return "it is not a name and a value"
	}
	p, g := &r.policy, &r.good
	if strings.HasPrefix(name, "copy-") {
		r.hasCopy = true
	}
	switch name {
	case "url":
		ok = unquote(&p.URL, value)
	case "outcome":
		i := slices.IndexFunc([]Outcome{DisallowAll, AllowAll, Parsed}, func(o Outcome) bool { return o.String() == value })
		ok, p.Outcome = i >= 0, Outcome(max(i, 0))
	case "status":
		ok = number(&p.Status, value)
	case "fetched":
		ok = p.Fetched.UnmarshalText([]byte(value)) == nil
	case "expires":
		ok = p.Expires.UnmarshalText([]byte(value)) == nil
	case "redirect":
		ok = unquoteMore(&p.Redirects, value)
	case "content-type":
		ok = unquote(&p.ContentType, value)
	case "size":
		ok = number(&p.Size, value)
	case "warning":
		ok = unquoteMore(&p.Warnings, value)
	case "failing-since":
		ok = p.FailingSince.UnmarshalText([]byte(value)) == nil
	case "failures":
		ok = number(&p.fails, value) && p.fails > 0 && p.fails <= mostFailures
	case "answered":
		ok = p.answered.UnmarshalText([]byte(value)) == nil
	case "stale":
		ok = flag(&p.Stale, value)
	case "error":
		var message string
		ok, r.hasErr = unquote(&message, value), true
		r.failure.Err = errors.New(message)
	case "error-url":
		ok = unquote(&r.failure.URL, value)
	case "error-status":
		ok = number(&r.failure.Status, value)
	case "error-of-fetch":
		ok = flag(&r.ofFetch, value)
	case "error-denied":
		ok = flag(&r.denied, value)
	case "file":
		ok = r.file(&p.File, value)
	case "copy-fetched":
		ok = g.fetched.UnmarshalText([]byte(value)) == nil
	case "copy-content-type":
		ok = unquote(&g.contentType, value)
	case "copy-size":
		ok = number(&g.size, value)
	case "copy-warning":
		ok = unquoteMore(&g.warnings, value)
	case "copy-from":
		ok = unquote(&g.from, value)
	case "copy-etag":
		ok = unquote(&g.etag, value) && g.etag == validETag(g.etag)
	case "copy-last-modified":
		ok = unquote(&g.lastModified, value) && g.lastModified == validDate(g.lastModified)
	case "copy-fresh":
		var err error
		g.fresh, err = time.ParseDuration(value)
		ok, g.hasFresh = err == nil && g.fresh >= 0, true
	case "copy-is-file":
		ok = flag(&r.isFile, value)
	case "copy-file":
		ok = r.file(&g.file, value)
	default:
		return "there is no field " + quoteShort(name)
	}
	if !ok {
		return "the value of " + name + " is wrong"
	}
	return ""
}

// file cuts a file from the content and parses it.
func (r *policyReader) file(f **File, value string) bool {
	words := strings.SplitN(value, " ", 4)
	if *f != nil || len(words) < 2 || len(words) > 3 || len(words) == 3 && words[1] != "truncated" {
		return false
	}
	parser := Parser{MaxBytes: -1}
	for words[0] != parser.Dialect.String() {
		if parser.Dialect++; parser.Dialect > Google {
			return false
		}
	}
	n := 0
	if words[len(words)-1] != "0" && !number(&n, words[len(words)-1]) || n < 0 || n > len(r.content) {
		return false
	}
	*f = parser.Parse(r.content[:n])
	(*f).truncated = len(words) == 3
	r.content = r.content[n:]
	return true
}

// finish joins what the fields gave.
func (r *policyReader) finish() (reason string) {
	p := &r.policy
	switch {
	case len(r.content) > 0:
		return "there is text after the files"
	case r.isFile && r.good.file != nil:
		return "the last good copy is there twice"
	case r.isFile:
		r.good.file = p.File
	}
	if r.hasCopy {
		if r.good.file == nil {
			return "the last good copy has no text"
		}
		p.good = &r.good
	}
	switch {
	case r.ofFetch:
		if r.denied {
			r.failure.Err = errDenied
		}
		p.Err = &r.failure
	case r.hasErr:
		p.Err = r.failure.Err
	}
	return ""
}

func unquote(s *string, value string) bool {
	text, err := strconv.Unquote(value)
	// Of the forms that Unquote takes, one is written.
	if err != nil || strconv.QuoteToASCII(text) != value || text == "" || *s != "" {
		return false
	}
	*s = text
	return true
}

func unquoteMore(list *[]string, value string) bool {
	var s string
	ok := unquote(&s, value)
	*list = append(*list, s)
	return ok
}

func number(n *int, value string) bool {
	i, err := strconv.Atoi(value)
	if err != nil || i == 0 || strconv.Itoa(i) != value {
		return false
	}
	*n = i
	return true
}

func flag(b *bool, value string) bool {
	*b = true
	return value == "true"
}
