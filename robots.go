// Package robots: skeleton.
package robots

import (
	"io"
	"iter"
	"time"
)

const MaxBytes = 500 << 10

type Dialect uint8

const (
	RFC9309 Dialect = iota
	Google
)

type Parser struct {
	Dialect  Dialect
	MaxBytes int
}

func (p Parser) Parse(data []byte) *File                { panic("stub") }
func (p Parser) ParseReader(r io.Reader) (*File, error) { panic("stub") }
func Parse(data []byte) *File                           { return Parser{}.Parse(data) }
func ParseReader(r io.Reader) (*File, error)            { return Parser{}.ParseReader(r) }

type File struct{}

func (f *File) Allowed(agent, url string) bool                { return f.Explain(agent, url).Allowed }
func (f *File) Explain(agent, url string) Decision            { panic("stub") }
func (f *File) Group(agent string, fallback ...string) *Group { panic("stub") }
func (f *File) Groups() iter.Seq[*Group]                      { panic("stub") }
func (f *File) Sitemaps() iter.Seq[string]                    { panic("stub") }
func (f *File) Records() iter.Seq[Record]                     { panic("stub") }
func (f *File) Truncated() bool                               { panic("stub") }
func (f *File) String() string                                { panic("stub") }
func (f *File) AppendText(b []byte) ([]byte, error)           { panic("stub") }
func (f *File) MarshalText() ([]byte, error)                  { panic("stub") }
func (f *File) UnmarshalText(text []byte) error               { panic("stub") }

type Group struct{}

func (g *Group) Allowed(url string) bool                { return g.Explain(url).Allowed }
func (g *Group) Explain(url string) Decision            { panic("stub") }
func (g *Group) Agents() iter.Seq[string]               { panic("stub") }
func (g *Group) Rules() iter.Seq[Rule]                  { panic("stub") }
func (g *Group) Records() iter.Seq[Record]              { panic("stub") }
func (g *Group) CrawlDelay() (d time.Duration, ok bool) { panic("stub") }

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

func (d Decision) String() string { panic("stub") }

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

func (r Reason) String() string { panic("stub") }

func Match(pattern, path string) bool      { panic("stub") }
func ProductToken(userAgent string) string { panic("stub") }
