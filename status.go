package robots

import "strconv"

// An Outcome is what the answer to a request for robots.txt means for the
// whole site. The zero Outcome denies, so that a value nobody has set never
// becomes permission.
type Outcome uint8

const (
	// DisallowAll: the file could not be had, and nothing may be crawled for
	// the time being (RFC 9309 section 2.3.1.4, "unreachable").
	DisallowAll Outcome = iota
	// AllowAll: the site has no file, and everything may be crawled
	// (RFC 9309 section 2.3.1.3, "unavailable").
	AllowAll
	// Parsed: there is a file, and its rules decide
	// (RFC 9309 section 2.3.1.1).
	Parsed
)

// String returns "disallow-all", "allow-all" or "parsed".
func (o Outcome) String() string {
	switch o {
	case DisallowAll:
		return "disallow-all"
	case AllowAll:
		return "allow-all"
	case Parsed:
		return "parsed"
	}
	return "Outcome(" + strconv.Itoa(int(o)) + ")"
}

// StatusOutcome returns what the final HTTP status of a request for
// robots.txt means:
//
//	2xx            Parsed       read the body (RFC 9309 section 2.3.1.1)
//	3xx            AllowAll     a redirect that led nowhere (2.3.1.2)
//	4xx but 429    AllowAll     unavailable, 401 and 403 too (2.3.1.3)
//	429            DisallowAll  the server asks to be left alone; Google counts
//	                            it with the server errors, the RFC is silent
//	5xx            DisallowAll  unreachable (2.3.1.4)
//	anything else  DisallowAll  not an answer: 0, 1xx, 600 and up, negative
//
// A [Client] also takes as unreachable what no status tells: no answer at
// all, a body cut short, and a 304 or 206 that it cannot complete to a file.
func StatusOutcome(code int) Outcome {
	switch {
	case code == 429:
		return DisallowAll
	case code >= 200 && code <= 299:
		return Parsed
	case code >= 300 && code <= 499:
		return AllowAll
	}
	return DisallowAll
}
