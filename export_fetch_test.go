package robots

import (
	"net/http"
	"net/netip"
	"time"
)

// What the tests of the fetch layer see of its insides.

// OutageOutcome is Outage.outcome.
func OutageOutcome(o Outage, down, disallowFor time.Duration, hasCopy bool) Outcome {
	return o.outcome(down, disallowFor, hasCopy)
}

// A Streak is a run of failures.
type Streak = streak

// Failed is streak.failed.
func (s streak) Failed(now time.Time, retryAfter time.Duration) (Streak, time.Time) {
	return s.failed(now, retryAfter)
}

// Down is streak.down.
func (s streak) Down(now time.Time) time.Duration { return s.down(now) }

// StreakOf returns a streak of count failures since then.
func StreakOf(since time.Time, count int) Streak { return streak{since, count} }

// FreshFor returns how long an answer with these headers is used.
func FreshFor(h http.Header, now time.Time) time.Duration {
	d, ok := lifetime(h, now)
	return freshFor(d, ok, h)
}

// RetryAfter is retryAfter.
func RetryAfter(h http.Header, now time.Time) time.Duration { return retryAfter(h, now) }

// AddressReach is addressReach as a number: 0 public, 1 private, 2 loopback,
// 3 closer than that.
func AddressReach(addr netip.Addr) int { return int(addressReach(addr)) }

// DialPublic dials as a redirect from a public origin does without a dialer of
// the caller's.
func DialPublic(address string) error { return reachPublic.control("tcp", address, nil) }

// RedirectTarget is redirectTarget.
var RedirectTarget = redirectTarget

// LocateSlow is Locate without its short way.
func LocateSlow(rawURL string) (string, error) { return locate(rawURL) }

// SealPolicy puts the first line before the rest of the text of a Policy.
func SealPolicy(body []byte) []byte { return sealPolicy(body) }

// PolicyBytes is the estimate of the memory that a policy takes.
func PolicyBytes(p *Policy) int64 { return p.bytes() }

// GoodCopy returns the last good copy of a policy, nil if there is none.
func GoodCopy(p *Policy) *File {
	if p.good == nil {
		return nil
	}
	return p.good.file
}
