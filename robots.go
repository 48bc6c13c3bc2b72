// Package robots reads robots.txt files and answers, for a crawler and a URL,
// whether the one may fetch the other, and why. It follows RFC 9309, the Robots
// Exclusion Protocol, and can answer as Google's open-source parser does.
//
//	file := robots.Parse(body)
//	if file.Allowed("MyBot", "https://example.com/page") { … }
//
// # Rules
//
// A file is read line by line, and no line can make that fail (RFC 9309
// sections 2.2 and 2.3.1.5). User-agent lines that follow each other, whatever
// other records and blank lines stand between, begin a group; the Allow and
// Disallow lines after them are its rules (2.1). Other records never begin or
// end a group (2.2.4). Rules before the first User-agent line belong to nobody.
// Reading stops at 500 KiB (2.5).
//
// A crawler obeys one group: that of its own product token, regardless of case,
// merged from all the places that name it; failing that, that of "*"; failing
// that, none, and everything is allowed (2.2.1). A named group replaces that of
// "*" and does not add to it. Tokens are compared whole: "Google" is not
// Googlebot. Known crawlers that obey other tokens too, or not "*", are treated
// as their operators document it; see [Crawlers].
//
// Of the rules that match a URL the one with the longest pattern decides, and
// of equally long ones an Allow (2.2.2); their order in the file means nothing.
// If none matches the URL is allowed. The grammar of patterns is that of
// [Match]. /robots.txt itself, without a query, is always allowed.
//
// What to make of a file that could not be fetched is section 2.3.1 of the RFC:
// see [Policy] and [Client].
//
// # Dialects
//
// The zero [Parser] reads as [RFC9309]; [Google] gives the verdict, and the
// line, of Google's C++ matcher asked for one product token. Both read lines
// alike, with the leniency of Google's parser: CR, LF and CRLF end a line; a
// BOM, or a part of one, is skipped at the start; a NUL ends what is read of a
// line; a colon may be missing between just two words; the usual misspellings
// of Disallow, User-agent and Sitemap are known; "* anything" names everybody.
// They differ in this:
//
//	                           RFC9309                       Google
//	rule and URL               both brought to normal form   rule escaped, URL verbatim
//	%61 in either              equals "a"                    equals "%61" only
//	%2A, %24 in a rule         literal "*", "$"              equal "%2A", "%24" only
//	":" "/" in the query       equal %3A, %2F                do not
//	stars at a pattern's end   do not count in its length    count
//	rule without a pattern     is no rule                    is reported, but allows
//	Allow: /dir/index.html     is that page                  is also "/dir/$"
//	/robots.txt                always allowed                as the rules say
//	product token in the file  letters, digits, - _ .        letters, - _
//	field names                known ones and misspellings   all that begin with one of these
//	length of a line           as long as the file           cut at 16,663 octets
//	BOM at the start of lines  skipped on each               on the first only
//	%c3 in both                equal                         differ: the rule's becomes %C3
//	NUL in the URL             is %00                        ends it
//
// How an agent argument is read, and what known crawlers obey, is the same in
// both.
//
// # Agents and URLs
//
// An agent is a product token ("Googlebot") or a whole User-Agent header, from
// which [ProductToken] takes the token. A URL is absolute, or starts with "//"
// and a host, or is a path. Its host is not looked at: a file speaks for the
// one origin that it was fetched from (RFC 9309 section 2.3). The fragment is
// dropped and the query kept. Nothing is resolved: "/a/../b" and "b" relative to a
// page are for the caller to resolve first, as [net/url.URL.Parse] does.
//
// What is no URL gets an answer nevertheless: it is read as Google's parser does,
// to which "b/c" is the path "/c" of a host "b". [Locate], and with it [Client] and
// [Transport], tell what is no URL.
//
// # Limits
//
// Anything may be thrown at Parse and at questions. Parsing takes time and
// memory linear in the size of the file; a question takes time linear in the
// length of the URL and, at the worst, of the rules. Questions about URLs of up
// to 2 KB allocate nothing, but for few: a group of more than a few rules that
// is asked again and again gets an index, which the File keeps. One question
// makes it, or for a large group some, each a part of it. And the first answer of a
// File with the line of a rule in it, or of a record of a group, looks for the lines
// of all, in time linear in the size of the file; they are kept too.
//
// The protocol is a request to crawlers, not a protection: what must not be
// read needs access control (RFC 9309 section 3).
package robots

import (
	"iter"
	"strconv"
	"sync/atomic"
)

// A File is a parsed robots.txt file. It is immutable and safe for concurrent
// use. The zero File has no groups and allows everything, as an empty file does
// (RFC 9309 section 2.2.1); for a file that could not be fetched see [Policy].
type File struct {
	text      string  // as parsed, and pad newlines; the tables follow
	has       tables  // the lengths of the tables
	visible   uint32  // how many of groups are those of agents
	groups    []Group // those of agents in order of first mention, then the hidden ones
	global    int32   // the group of "*", or -1
	dialect   Dialect
	truncated bool

	table atomic.Pointer[[]uint32] // see lines
}

// Allowed reports whether an agent may fetch a URL: Explain(agent, url).Allowed.
//
// The agent is a product token or a whole User-Agent header (see
// [ProductToken]). The URL is absolute, or starts with "//" and a host, or is a
// path. Nothing is allocated for URLs of up to 2 KB and rules of up to 20 KB,
// except by the few questions that have the index of a large group made.
func (f *File) Allowed(agent, url string) bool {
	g, _, _ := f.choose(agent)
	return g == nil || g.Allowed(url)
}

// Explain tells whether an agent may fetch a URL, and why. It takes the same
// arguments as [File.Allowed] and, but for the first time that a File gives the
// line of a rule, hardly more time.
func (f *File) Explain(agent, url string) Decision {
	g, token, reason := f.choose(agent)
	if g == nil {
		return Decision{Allowed: true, Reason: reason, Agent: token}
	}
	return g.explain(url, token)
}

// Group returns what an agent obeys: the group of the first of the names, the
// agent and then the fallbacks, that the file has a group for; else that of
// "*"; else an empty one, never nil. Without fallbacks the agent, if it is a
// known crawler, falls back as its operator documents (see [Crawlers]), so that
// Group(agent).Allowed(url) is Allowed(agent, url); with them, they count
// instead of all that Crawlers says of it.
//
// Names are product tokens or User-Agent headers, and fallback names are
// compared whole like any: RFC 9309 has no rule by which "Foo" speaks for
// Foo-Image.
func (f *File) Group(agent string, fallback ...string) *Group {
	if len(fallback) == 0 {
		if g, _, _ := f.choose(agent); g != nil {
			return g
		}
		return &noGroup
	}
	if g := f.named(agent); g != nil {
		return g
	}
	for _, name := range fallback {
		if g := f.named(name); g != nil {
			return g
		}
	}
	if f.hasGlobal() {
		return &f.groups[f.global]
	}
	return &noGroup
}

// noGroup is the group of an agent that the file has none for.
var noGroup Group

// Groups returns the merged groups in order of first appearance. Each holds all
// that the agents it names obey; agents that are named in just the same places
// have one group.
func (f *File) Groups() iter.Seq[*Group] {
	return func(yield func(*Group) bool) {
		for i := range int(f.visible) {
			if !yield(&f.groups[i]) {
				return
			}
		}
	}
}

// Sitemaps returns the values of the Sitemap records, as written, in file
// order. They belong to no group.
func (f *File) Sitemaps() iter.Seq[string] {
	return func(yield func(string) bool) {
		s := newScanner(f.text, len(f.String()), f.dialect)
		for k := s.next(); k != kindEnd; k = s.next() {
			if k == kindSitemap && !yield(s.text[s.val:s.valTo]) {
				return
			}
		}
	}
}

// Records returns every line that has a field name and a separator, known or
// not, in file order; the value may be empty. Lines that are not valid are left out.
func (f *File) Records() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		s := newScanner(f.text, len(f.String()), f.dialect)
		for k := s.next(); k != kindEnd; k = s.next() {
			if !yield(s.record()) {
				return
			}
		}
	}
}

// Truncated reports whether the file was longer than the limit of its [Parser],
// so that its rest was ignored.
func (f *File) Truncated() bool { return f.truncated }

// String returns the text that was parsed, without what lies beyond the limit.
// Parsing it again in the same dialect and without a limit gives the same
// decisions. The dialect, and whether it was truncated, are not in the text.
func (f *File) String() string {
	if f.text == "" {
		return "" // the zero File
	}
	return f.text[:len(f.text)-pad]
}

// AppendText implements [encoding.TextAppender]. It appends what String returns.
func (f *File) AppendText(b []byte) ([]byte, error) { return append(b, f.String()...), nil }

// MarshalText implements [encoding.TextMarshaler]. It returns what String
// returns.
func (f *File) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It replaces f by the
// parse of text in the dialect that f has, [RFC9309] for the zero File, and
// without limit (but 512 MiB), since the text is there already. Truncated is
// false after it, and it never fails. Unlike all other methods it must not run
// while f is in use.
func (f *File) UnmarshalText(text []byte) error {
	g := Parser{Dialect: f.dialect, MaxBytes: -1}.Parse(text)
	f.text, f.has, f.visible, f.groups, f.global = g.text, g.has, g.visible, g.groups, g.global
	f.truncated = false
	f.table.Store(nil)
	return nil
}

// A Record is a line with a field name and a value, which may be empty. Its
// strings, like those of Rules, Decisions and Sitemaps, are part of the text of
// the File: whoever keeps one keeps the text, and the tables behind it.
type Record struct {
	Line       int    // 1-based
	Key, Value string // as written, without the white space around them
}

// A Rule is an Allow or Disallow line. The zero Rule stands for none.
type Rule struct {
	Line    int    // 1-based
	Allow   bool   // or Disallow
	Pattern string // as written; see [Match] for its meaning
}

// String returns the rule as a line of robots.txt, such as "Disallow: /cart".
// The zero Rule gives "".
func (r Rule) String() string {
	switch {
	case r == Rule{}:
		return ""
	case r.Allow:
		return "Allow: " + r.Pattern
	}
	return "Disallow: " + r.Pattern
}

// A Decision is a verdict and what it rests on. Decisions can be compared. The
// zero Decision is a refusal; no method returns it.
type Decision struct {
	Allowed bool
	Reason  Reason
	Agent   string // the token of the group that was obeyed, as the file spells it; "" if there was none
	Rule    Rule   // the rule that decided, if Reason is ReasonRule
}

// String returns a line fit for a log, such as
//
//	disallowed by line 7 "Disallow: /cart" (group Googlebot)
//
// What comes from the file is quoted where it could break the line.
func (d Decision) String() string {
	b := make([]byte, 0, 80)
	if d.Allowed {
		b = append(b, "allowed"...)
	} else {
		b = append(b, "disallowed"...)
	}
	if d.Reason == ReasonRule {
		b = append(b, " by line "...)
		b = strconv.AppendInt(b, int64(d.Rule.Line), 10)
		b = append(b, ' ')
		b = strconv.AppendQuote(b, d.Rule.String())
	} else {
		b = append(b, ": "...)
		b = append(b, d.Reason.String()...)
	}
	if d.Agent != "" {
		b = append(b, " (group "...)
		if d.Agent == "*" || isToken(d.Agent) {
			b = append(b, d.Agent...)
		} else {
			b = strconv.AppendQuote(b, d.Agent)
		}
		b = append(b, ')')
	}
	return string(b)
}

// A Reason says what a [Decision] rests on.
type Reason uint8

const (
	// ReasonNoGroup: the file has no group for the agent and none for "*"
	// that reaches it, so everything is allowed (RFC 9309 section 2.2.1).
	ReasonNoGroup Reason = iota

	// ReasonNoRule: no rule of the group matches, so the URL is allowed
	// (section 2.2.2).
	ReasonNoRule

	// ReasonRule: a rule decided.
	ReasonRule

	// ReasonRobotsTxt: the URL is that of the robots.txt file itself, which
	// is always allowed (section 2.2.2).
	ReasonRobotsTxt

	// ReasonCrawler: the crawler's operator documents that it does not follow
	// robots.txt, so that nothing a file says would keep it from the URL. See
	// [Crawler].
	ReasonCrawler

	// ReasonUnavailable: the site says that it has no robots.txt file, so
	// everything is allowed (section 2.3.1.3).
	ReasonUnavailable

	// ReasonUnreachable: the file could not be fetched, so that nothing is
	// allowed for the time being (section 2.3.1.4).
	ReasonUnreachable
)

// String returns a few words, such as "no rule matches".
func (r Reason) String() string {
	switch r {
	case ReasonNoGroup:
		return "no group applies"
	case ReasonNoRule:
		return "no rule matches"
	case ReasonRule:
		return "a rule matches"
	case ReasonRobotsTxt:
		return "robots.txt itself is always allowed"
	case ReasonCrawler:
		return "the crawler is documented not to follow robots.txt"
	case ReasonUnavailable:
		return "robots.txt is unavailable"
	case ReasonUnreachable:
		return "robots.txt is unreachable"
	}
	return "unknown reason"
}
