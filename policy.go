package robots

import (
	"crypto/tls"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Policy is what one origin's robots.txt says now, together with what came of
// asking for it. The zero Policy denies everything.
//
// A Policy that came from a [Client], a [Cache] or [PolicyFromResponse] may be
// shared and must not be changed; its methods are safe for concurrent use. A
// Policy holds a moment: ask the Client again rather than keep it past Expires.
type Policy struct {
	// URL is the robots.txt URL that was asked for: the one of the initial
	// origin, whatever redirects came after (RFC 9309 section 2.3.1.2).
	URL string
	// Outcome is what holds now. While robots.txt is unreachable it follows
	// the Client's [Outage], and may be Parsed or AllowAll although Err is set.
	Outcome Outcome
	// Status is the final HTTP status, 304 for a copy that was renewed; 0 if
	// there was no answer.
	Status int
	// File holds the rules. It is set if Outcome is Parsed, and only then.
	File *File
	// Fetched is when the last answer, or the last failure, was there. With a
	// File that is Stale, it is not the time of the File.
	Fetched time.Time
	// Expires is when the Client asks again.
	Expires time.Time
	// Redirects are the URLs that were followed, in order; a Client follows five
	// at most.
	Redirects []string
	// Err is why robots.txt is unreachable, a *[FetchError] unless the caller
	// set it; nil if it was reached.
	Err error

	// FailingSince is when robots.txt was first found unreachable, with no
	// answer since; zero if it was reached.
	FailingSince time.Time
	// Stale reports that File is the last good copy, still used although
	// robots.txt is unreachable.
	Stale bool
	// ContentType is the header of that name, as sent with the File.
	ContentType string
	// Size is the number of octets of the body that were read, after
	// decompression. File.Truncated tells whether there were more.
	Size int
	// Warnings are oddities that a person should hear of, in plain English:
	// HTML instead of rules, a wrong Content-Type, a file cut at the limit, a
	// redirect that led nowhere. They change nothing.
	Warnings []string

	good  *goodCopy // the last file that was read; nil if none ever was
	fails int       // failures in a row since FailingSince

	answered time.Time // the last answer before FailingSince; zero if none is known
}

// A goodCopy is the last file that could be read from an origin. Later
// failures leave it alone, and so does a 404: it stays the last file that the
// site was known to have.
type goodCopy struct {
	file        *File
	fetched     time.Time
	contentType string
	size        int
	warnings    []string

	from         string // the URL it was read from, after redirects: its validators are for this one alone
	etag         string // as sent; "" if there was none
	lastModified string
	fresh        time.Duration // what its headers allow, before Age; for a 304 that does not repeat them
	hasFresh     bool
}

// isOf reports whether a 304 with these headers is about the copy. A validator
// that is not the copy's is another file's (RFC 9111 section 4.3.4): a server that
// goes by dates alone says "not modified" when an older file came in its place.
func (g *goodCopy) isOf(h http.Header) bool {
	if tag := h.Get("ETag"); tag != "" {
		return strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(g.etag, "W/")
	}
	date := h.Get("Last-Modified")
	return date == "" || g.lastModified == "" || date == g.lastModified
}

// FetchError is why a robots.txt is unreachable, or why it denies.
type FetchError struct {
	URL    string // the URL that failed, of the redirects if there were any
	Status int    // its HTTP status; 0 if there was no answer
	// Err is what went wrong; nil if the status says it all. It is kept as long
	// as the Policy, so it holds neither certificates nor connections, and of a
	// text of more than 1 KiB no more than that.
	Err error
}

// Error names the URL, the status if there was one, and the cause.
func (e *FetchError) Error() string {
	s := "robots: " + quoteShort(e.URL) + " gives no rules"
	if e.Status != 0 {
		s += ": status " + strconv.Itoa(e.Status)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns e.Err.
func (e *FetchError) Unwrap() error { return e.Err }

// Allowed reports whether agent may fetch url: Explain(agent, url).Allowed.
func (p *Policy) Allowed(agent, url string) bool {
	return p.Explain(agent, url).Allowed
}

// Explain is [File.Explain] if there is a File. Without one, the Reason is
// [ReasonUnavailable], which allows everything, or [ReasonUnreachable], which
// allows nothing, not even /robots.txt: the Client asks for that when it is time.
//
// It does not look at the origin of url: see [Policy.Covers].
func (p *Policy) Explain(agent, url string) Decision {
	switch {
	case p.Outcome == Parsed && p.File != nil:
		return p.File.Explain(agent, url)
	case p.Outcome == AllowAll:
		return Decision{Allowed: true, Reason: ReasonUnavailable}
	}
	return Decision{Reason: ReasonUnreachable}
}

// Covers reports whether the policy's rules are about rawURL, that is whether
// scheme, host and port are the same (RFC 9309 section 2.3). The policy of
// https://example.com says nothing of http://example.com, of
// https://www.example.com or of https://example.com:8443.
func (p *Policy) Covers(rawURL string) bool {
	theirs, err := Locate(rawURL)
	if err != nil {
		return false
	}
	ours, err := Locate(p.URL)
	return err == nil && ours == theirs
}

// keptError returns err as a FetchError has it. A cache keeps that for weeks, and
// what a server can make it hold must be small.
func keptError(err error) error {
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &cert):
		return &tls.CertificateVerificationError{Err: errors.New(errorText(cert.Err))}
	case errors.As(err, &record):
		record.Conn = nil
		return record
	case len(err.Error()) > maxErrorText:
		return errors.New(errorText(err))
	}
	return err
}

// maxErrorText bounds the text of an error in octets.
const maxErrorText = 1 << 10

// errorText returns the message of an error that is not empty, cut if a server
// managed to make it long.
func errorText(err error) string {
	text := err.Error()
	if text == "" {
		return "unknown"
	}
	return strings.Clone(text[:min(len(text), maxErrorText)])
}

// lastGood returns the last good copy, nil if there is none. A policy that the
// caller made has no more than its File.
func (p *Policy) lastGood() *goodCopy {
	if p.good == nil && p.Outcome == Parsed && p.File != nil {
		return &goodCopy{file: p.File, fetched: p.Fetched, contentType: p.ContentType, size: p.Size, warnings: p.Warnings}
	}
	return p.good
}

// joined returns what own (nil is none), which was kept here while a Cache was out
// of reach, and p, which the Cache holds, tell together at now: the state of the
// later one, with the later good copy of the two, and an outage that began with the
// first failure after the last answer that either knows of. What a clock that is
// wrong wrote is not the later one.
func (own *Policy) joined(p *Policy, now time.Time) *Policy {
	if own == nil {
		return p
	}
	q, other := *p, own
	if own.Fetched.After(p.Fetched) || p.Fetched.After(now) && !p.fresh(now) {
		q, other = *own, p
	}
	if mine, theirs := q.lastGood(), other.lastGood(); theirs != nil && (mine == nil || theirs.fetched.After(mine.fetched)) {
		q.good = theirs
	}
	if q.FailingSince.IsZero() {
		return &q
	}
	if at := other.lastAnswer(); at.After(q.answered) && !at.After(now) {
		q.answered = at
	}
	if since := other.FailingSince; since.Before(q.FailingSince) && since.After(q.answered) {
		q.FailingSince, q.fails = since, max(q.fails, other.fails)
	}
	if !q.FailingSince.After(q.answered) && q.Fetched.After(q.answered) {
		q.FailingSince, q.fails = q.Fetched, 1
	}
	return &q
}

// lastAnswer returns when the site last answered, as far as p knows.
func (p *Policy) lastAnswer() time.Time {
	if p.FailingSince.IsZero() {
		return p.Fetched
	}
	return p.answered
}

// streak returns the failures in a row.
func (p *Policy) streak() streak {
	return streak{since: p.FailingSince, count: p.fails}
}

// during returns the policy as it stands at now under a practice: the same one
// unless robots.txt is unreachable and the time for another outcome has come.
func (p *Policy) during(o Outage, disallowFor time.Duration, now time.Time) *Policy {
	if p.FailingSince.IsZero() {
		return p
	}
	outcome := o.outcome(p.streak().down(now), disallowFor, p.good != nil)
	if outcome == p.Outcome && (outcome == Parsed) == p.Stale && (!p.Stale || p.File == p.good.file) {
		return p
	}
	q := *p
	q.Outcome, q.File, q.Stale = outcome, nil, false
	if outcome == Parsed {
		q.File, q.Stale = p.good.file, true
	}
	return &q
}

// fresh reports whether the policy can be used at now without asking again. An
// Expires that lies further ahead than any that is ever set, and an hour for
// clocks that differ, was written by a clock that is wrong.
func (p *Policy) fresh(now time.Time) bool {
	return now.Before(p.Expires) && p.Expires.Sub(now) <= longestFresh+longestPause
}
