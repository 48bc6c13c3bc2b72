package robots

import (
	"strconv"
	"time"
)

// An Outage is what a [Client] does while a site's robots.txt is unreachable:
// server errors, 429, no answer, or half an answer. It depends on how long ago
// the first failure in a row was, and on whether a file was ever read from the
// site (the last good copy):
//
//	                    OutageRFC9309          OutageGoogle           OutageLastCopy
//	with a good copy
//	  first 12 hours    disallow all           disallow all           the copy
//	  to 30 days        disallow all           the copy               the copy
//	  to 30.5 days      the copy               the copy               the copy
//	  after that        the copy               allow all              the copy
//	without one
//	  first 12 hours    disallow all           disallow all           disallow all
//	  to 30 days        disallow all           allow all              disallow all
//	  after that        allow all              allow all              allow all
//
// [Client.DisallowFor] moves the end of "disallow all". In each of them the
// site is asked again after a pause that grows from a minute to an hour, or
// after the Retry-After it sends if that is longer, up to a day; and its first
// answer ends the outage.
type Outage uint8

const (
	// OutageRFC9309 is RFC 9309 section 2.3.1.4: complete disallow, for 30
	// days unless DisallowFor says otherwise; then the last good copy, and
	// without one as if there were no file.
	OutageRFC9309 Outage = iota
	// OutageGoogle is Google's practice of 2026: complete disallow for 12
	// hours, then the last good copy for 30 days (without one, no
	// restrictions), then as if there were no file. After those 30 days Google
	// goes on disallowing a site that is down as a whole; a Client sees only
	// robots.txt and leaves that to the caller. Source:
	// https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec
	OutageGoogle
	// OutageLastCopy goes on with the last good copy at once and for as long
	// as it takes; without one it is OutageRFC9309. RFC 9309 section 2.4
	// allows a copy older than a day if the file is unreachable.
	OutageLastCopy
)

// String returns "rfc9309", "google" or "last-copy".
func (o Outage) String() string {
	switch o {
	case OutageRFC9309:
		return "rfc9309"
	case OutageGoogle:
		return "google"
	case OutageLastCopy:
		return "last-copy"
	}
	return "Outage(" + strconv.Itoa(int(o)) + ")"
}

const (
	day          = 24 * time.Hour
	month        = 30 * day       // RFC 9309 section 2.3.1.4: "for example, 30 days"
	googleFirst  = 12 * time.Hour // Google's first period, of no crawling
	firstPause   = time.Minute
	longestPause = time.Hour
	longestWait  = day     // the longest Retry-After that is obeyed
	mostFailures = 1 << 20 // the number that is counted to; the pause is at its longest by then
)

// outcome returns what holds when robots.txt has been unreachable for down.
// A disallowFor of 0 is the practice's own period, a negative one never ends.
// Parsed stands for the last good copy and is returned only if hasCopy.
func (o Outage) outcome(down, disallowFor time.Duration, hasCopy bool) Outcome {
	if disallowFor == 0 {
		disallowFor = month
		if o == OutageGoogle {
			disallowFor = googleFirst
		}
	}
	if o == OutageLastCopy && hasCopy {
		return Parsed
	}
	if disallowFor < 0 || down < disallowFor {
		return DisallowAll
	}
	// down is not negative here, so the difference cannot overflow.
	if !hasCopy || o == OutageGoogle && down-disallowFor >= month {
		return AllowAll
	}
	return Parsed
}

// A streak is a run of failures without an answer in between. The zero streak
// is no failure. It is a value, and takes the time as an argument.
type streak struct {
	since time.Time // the first failure; zero if there is none
	count int       // failures so far, for the growing pause
}

// failed returns the streak with one more failure at now, and when to ask
// again; retryAfter is what the server asked for, 0 if nothing.
func (s streak) failed(now time.Time, retryAfter time.Duration) (streak, time.Time) {
	// A beginning in the future is a clock set back, here or where the cache
	// was written. Counting from it would stretch the outage; start again.
	if s.since.IsZero() || s.since.After(now) {
		s = streak{since: now}
	}
	s.count = min(s.count+1, mostFailures)
	return s, now.Add(max(s.pause(), min(retryAfter, longestWait)))
}

// pause returns the wait that the number of failures calls for: 1, 2, 4 ...
// minutes, and an hour at most.
func (s streak) pause() time.Duration {
	p := firstPause
	for i := 1; i < s.count && p < longestPause; i++ {
		p *= 2
	}
	return min(p, longestPause)
}

// down returns how long the streak has lasted at now, never negative.
func (s streak) down(now time.Time) time.Duration {
	return max(0, now.Sub(s.since))
}
