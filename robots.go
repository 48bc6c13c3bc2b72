// Package robots: see below.
package robots

import (
	"fmt"
	"iter"
)

// A File is a parsed robots.txt file. It is immutable and safe for concurrent
// use. The zero File has no groups and allows everything.
type File struct {
	text      string // as parsed, and pad newlines
	rules     []rule
	agents    []agent
	table     []uint32
	sections  []section
	links     []uint32 // the sections of groups that have several
	groups    []Group
	visible   int   // how many of groups are those of agents
	global    int32 // the group of "*", or -1
	dialect   Dialect
	truncated bool
}

// Allowed reports whether an agent may fetch a URL. See Explain.
func (f *File) Allowed(agent, url string) bool { return f.Explain(agent, url).Allowed }

// Explain is Allowed with the reason.
func (f *File) Explain(agent, url string) Decision {
	g, token := f.choose(agent)
	if g == nil {
		return Decision{Allowed: true, Reason: ReasonNoGroup}
	}
	d := g.Explain(url)
	d.Agent = token
	return d
}

var noGroup Group

func (f *File) choose(name string) (*Group, string) {
	if len(f.groups) == 0 {
		return nil, ""
	}
	if !isToken(name) && name != "*" {
		name = ProductToken(name)
	}
	if i := findAgent(f.text, f.agents, f.table, name, tokenHash(name)); i >= 0 {
		return &f.groups[f.agents[i].group], f.agents[i].token(f.text)
	}
	if f.global >= 0 {
		return &f.groups[f.global], "*"
	}
	return nil, ""
}

// Group returns the group.
func (f *File) Group(agent string, fallback ...string) *Group {
	g, _ := f.choose(agent)
	if g == nil {
		return &noGroup
	}
	return g
}

// Groups returns the merged groups in order of first appearance.
func (f *File) Groups() iter.Seq[*Group] {
	return func(yield func(*Group) bool) {
		for i := range f.visible {
			if !yield(&f.groups[i]) {
				return
			}
		}
	}
}

// Sitemaps returns the values of the Sitemap records as written, in file order.
func (f *File) Sitemaps() iter.Seq[string] {
	return func(yield func(string) bool) {
		if f.text == "" {
			return
		}
		s := newScanner(f.text, f.dialect)
		for k := s.next(); k != kindEnd; k = s.next() {
			if k == kindSitemap && !yield(s.text[s.val:s.valTo]) {
				return
			}
		}
	}
}

// Records returns every key-value line.
func (f *File) Records() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		if f.text == "" {
			return
		}
		s := newScanner(f.text, f.dialect)
		for k := s.next(); k != kindEnd; k = s.next() {
			if !yield(s.record()) {
				return
			}
		}
	}
}

func (f *File) Truncated() bool { return f.truncated }
func (f *File) String() string {
	if f.text == "" {
		return ""
	}
	return f.text[:len(f.text)-pad]
}
func (f *File) AppendText(b []byte) ([]byte, error) { return append(b, f.String()...), nil }
func (f *File) MarshalText() ([]byte, error)        { return []byte(f.String()), nil }
func (f *File) UnmarshalText(text []byte) error {
	*f = *Parser{Dialect: f.dialect, MaxBytes: -1}.Parse(text)
	return nil
}

func (f *File) rule(r rule) Rule {
	return Rule{int(r.line), r.allow(), f.text[r.off:][:r.len()]}
}

func (g *Group) Allowed(url string) bool { return g.Explain(url).Allowed }
func (g *Group) Explain(url string) Decision {
	if g.file == nil {
		return Decision{Allowed: true, Reason: ReasonNoGroup}
	}
	f := g.file
	v := g.ask(url)
	d := Decision{Allowed: true, Reason: ReasonNoRule, Agent: f.agents[g.agent].token(f.text)}
	switch v.rule {
	case noRule:
	case robotsTxt:
		d.Reason = ReasonRobotsTxt
	default:
		d.Reason = ReasonRule
		d.Rule = f.rule(f.rules[v.rule])
		d.Allowed = d.Rule.Allow || f.dialect == Google && v.key>>1 == 0
	}
	return d
}

type Record struct {
	Line       int
	Key, Value string
}

type Rule struct {
	Line    int
	Allow   bool
	Pattern string
}

type Decision struct {
	Allowed bool
	Reason  Reason
	Agent   string
	Rule    Rule
}

func (d Decision) String() string { return fmt.Sprintf("%#v", struct{ A any }{d.Rule}) }

type Reason uint8

const (
	ReasonNoGroup Reason = iota
	ReasonNoRule
	ReasonRule
	ReasonRobotsTxt
	ReasonCrawler
	ReasonUnavailable
	ReasonUnreachable
)
