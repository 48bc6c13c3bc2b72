package robots

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// longestFresh is both the default and the most: RFC 9309 section 2.4, "no
	// cached version older than 24 hours, unless unreachable".
	longestFresh = day
	// shortestFresh stands for max-age=0, no-cache and no-store too. Many sites
	// say so of every page; asking for robots.txt before each of them would
	// double the load that the file is there to limit. Section 2.4 lets a
	// crawler follow cache control, and does not make it.
	shortestFresh = time.Minute
)

// lifetime returns how long a response may be kept according to its headers
// alone (RFC 9111 section 4.2.1), not yet clamped. ok is false if they say
// nothing.
//
// The Date is compared with nothing but Expires: both come from one clock, so
// that a wrong one cancels out.
func lifetime(h http.Header, now time.Time) (d time.Duration, ok bool) {
	for _, line := range h["Cache-Control"] {
		for directive := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(directive, "=")
			var age time.Duration
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "max-age":
				// A max-age that is no number makes the response stale at once.
				age, _ = deltaSeconds(strings.Trim(strings.TrimSpace(value), `"`))
			case "no-store", "no-cache":
			default:
				continue
			}
			// Of several directives the most restrictive one counts.
			if !ok || age < d {
				d, ok = age, true
			}
		}
	}
	if ok {
		return d, true
	}
	if _, has := h["Expires"]; !has {
		return 0, false
	}
	expires, err := http.ParseTime(h.Get("Expires"))
	if err != nil {
		return 0, true // "0" and other nonsense: already expired
	}
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		date = now
	}
	return max(0, expires.Sub(date)), true
}

// freshFor returns how long an answer is used: what its lifetime leaves after
// its Age, between a minute and a day.
func freshFor(d time.Duration, ok bool, h http.Header) time.Duration {
	if !ok {
		return longestFresh
	}
	if age, valid := deltaSeconds(h.Get("Age")); valid {
		d -= age // both are not negative
	}
	return min(max(d, shortestFresh), longestFresh)
}

// retryAfter returns how long a server asks to be left alone (RFC 9110 section
// 10.2.3): seconds, or a date. It is 0 if the header is missing, nonsense, or
// in the past.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if d, ok := deltaSeconds(value); ok {
		return d
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date // the server's own clock, as for Expires
	}
	return max(0, at.Sub(now))
}

// deltaSeconds parses RFC 9111's delta-seconds: digits alone, and any number
// that is too large is the largest one (section 1.2.2).
func deltaSeconds(s string) (time.Duration, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > int64(math.MaxInt64/time.Second) {
		return math.MaxInt64, true
	}
	return time.Duration(n) * time.Second, true
}
