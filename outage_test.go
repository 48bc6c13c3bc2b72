package robots_test

import (
	"math"
	"testing"
	"time"

	"example.com/robots"
)

const (
	hour = time.Hour
	day  = 24 * hour
)

// TestOutageOutcome is the table of the Outage documentation, each boundary to
// the nanosecond (R34, R35, G16, F6, F7).
func TestOutageOutcome(t *testing.T) {
	const (
		deny  = robots.DisallowAll
		open  = robots.AllowAll
		copy_ = robots.Parsed
	)
	type step struct {
		from time.Duration
		want robots.Outcome
	}
	for _, tt := range []struct {
		outage      robots.Outage
		disallowFor time.Duration
		hasCopy     bool
		steps       []step
	}{
		{robots.OutageRFC9309, 0, true, []step{{0, deny}, {30 * day, copy_}}},
		{robots.OutageRFC9309, 0, false, []step{{0, deny}, {30 * day, open}}},
		{robots.OutageGoogle, 0, true, []step{{0, deny}, {12 * hour, copy_}, {30*day + 12*hour, open}}},
		{robots.OutageGoogle, 0, false, []step{{0, deny}, {12 * hour, open}}},
		{robots.OutageLastCopy, 0, true, []step{{0, copy_}}},
		{robots.OutageLastCopy, 0, false, []step{{0, deny}, {30 * day, open}}},

		{robots.OutageRFC9309, hour, true, []step{{0, deny}, {hour, copy_}}},
		{robots.OutageRFC9309, hour, false, []step{{0, deny}, {hour, open}}},
		{robots.OutageGoogle, hour, true, []step{{0, deny}, {hour, copy_}, {30*day + hour, open}}},
		{robots.OutageGoogle, hour, false, []step{{0, deny}, {hour, open}}},
		{robots.OutageLastCopy, hour, true, []step{{0, copy_}}},
		{robots.OutageLastCopy, hour, false, []step{{0, deny}, {hour, open}}},

		{robots.OutageRFC9309, -1, true, []step{{0, deny}}},
		{robots.OutageRFC9309, -1, false, []step{{0, deny}}},
		{robots.OutageGoogle, -1, true, []step{{0, deny}}},
		{robots.OutageGoogle, -1, false, []step{{0, deny}}},
		{robots.OutageLastCopy, -1, true, []step{{0, copy_}}},
		{robots.OutageLastCopy, -1, false, []step{{0, deny}}},

		{robots.OutageRFC9309, math.MaxInt64, true, []step{{0, deny}, {math.MaxInt64, copy_}}},
		{robots.OutageGoogle, math.MaxInt64, true, []step{{0, deny}, {math.MaxInt64, copy_}}},
		{robots.Outage(7), 0, true, []step{{0, deny}, {30 * day, copy_}}}, // unknown: the standard
	} {
		for i, s := range tt.steps {
			last := time.Duration(math.MaxInt64)
			if i+1 < len(tt.steps) {
				last = tt.steps[i+1].from - 1
			}
			for _, down := range []time.Duration{s.from, s.from + (last-s.from)/2, last} {
				if got := robots.OutageOutcome(tt.outage, down, tt.disallowFor, tt.hasCopy); got != s.want {
					t.Errorf("%v.outcome(%v, %v, %v) = %v, want %v", tt.outage, down, tt.disallowFor, tt.hasCopy, got, s.want)
				}
			}
		}
	}
}

// An outcome never goes back to a stricter one, and without a good copy none is
// ever used.
func TestOutageOutcomeMonotonic(t *testing.T) {
	rank := map[robots.Outcome]int{robots.DisallowAll: 0, robots.Parsed: 1, robots.AllowAll: 2}
	for _, outage := range []robots.Outage{robots.OutageRFC9309, robots.OutageGoogle, robots.OutageLastCopy} {
		for _, disallowFor := range []time.Duration{-1, 0, 1, hour, day, 90 * day} {
			for _, hasCopy := range []bool{false, true} {
				before := robots.DisallowAll
				for down := time.Duration(0); down < 130*day; down += 10 * time.Minute {
					now := robots.OutageOutcome(outage, down, disallowFor, hasCopy)
					if down > 0 && rank[now] < rank[before] {
						t.Fatalf("%v, DisallowFor %v, copy %v: %v after %v at %v", outage, disallowFor, hasCopy, now, before, down)
					}
					if now == robots.Parsed && !hasCopy {
						t.Fatalf("%v, DisallowFor %v: uses a copy at %v, and there is none", outage, disallowFor, down)
					}
					before = now
				}
			}
		}
	}
}

func TestStreak(t *testing.T) {
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var s robots.Streak
	now := start
	minutes := []int{1, 2, 4, 8, 16, 32, 60, 60, 60}
	for i := range 2000 {
		want := minutes[min(i, len(minutes)-1)]
		var retry time.Time
		s, retry = s.Failed(now, 0)
		if got := retry.Sub(now); got != time.Duration(want)*time.Minute {
			t.Fatalf("failure %d: asked again after %v, want %d min", i+1, got, want)
		}
		if got, want := s.Down(now), now.Sub(start); got != want {
			t.Fatalf("failure %d: down for %v, want %v", i+1, got, want)
		}
		now = retry
	}
	if down := s.Down(now); down < 80*day {
		t.Errorf("2000 failures took %v, want the first one still to count", down)
	}
}

func TestStreakRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		count            int // failures before
		retryAfter, want time.Duration
	}{
		{0, 0, time.Minute},
		{0, time.Second, time.Minute}, // never sooner than we would
		{0, 2 * time.Minute, 2 * time.Minute},
		{0, hour, hour},
		{0, day, day},
		{0, day + 1, day}, // within a day
		{0, math.MaxInt64, day},
		{20, time.Minute, hour},
		{20, 2 * hour, 2 * hour},
		{math.MaxInt - 1, 0, hour},
	} {
		s := robots.StreakOf(now.Add(-hour), tt.count)
		if _, retry := s.Failed(now, tt.retryAfter); retry.Sub(now) != tt.want {
			t.Errorf("after %d failures, Retry-After %v: asked again after %v, want %v", tt.count, tt.retryAfter, retry.Sub(now), tt.want)
		}
	}
}

// A clock that was set back must not stretch an outage.
func TestStreakFuture(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := robots.StreakOf(now.AddDate(50, 0, 0), 9)
	if got := s.Down(now); got != 0 {
		t.Errorf("Down before the beginning = %v, want 0", got)
	}
	s, retry := s.Failed(now, 0)
	if got := s.Down(now.Add(hour)); got != hour {
		t.Errorf("Down an hour after the clock was found set back = %v, want 1h", got)
	}
	if got := retry.Sub(now); got != time.Minute {
		t.Errorf("asked again after %v, want 1m", got)
	}
}
