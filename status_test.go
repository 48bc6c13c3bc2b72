package robots_test

import (
	"testing"

	"example.com/robots"
)

func TestStatusOutcome(t *testing.T) {
	for code := -1000; code <= 2000; code++ {
		want := robots.DisallowAll // R34, and whatever is no answer
		switch {
		case code >= 200 && code <= 299:
			want = robots.Parsed // R30, G13
		case code >= 300 && code <= 399:
			want = robots.AllowAll // R32
		case code >= 400 && code <= 499 && code != 429:
			want = robots.AllowAll // R33, G15, F5
		}
		if got := robots.StatusOutcome(code); got != want {
			t.Errorf("StatusOutcome(%d) = %v, want %v", code, got, want)
		}
	}
}

func TestOutcomeString(t *testing.T) {
	for o, want := range map[robots.Outcome]string{
		robots.DisallowAll: "disallow-all",
		robots.AllowAll:    "allow-all",
		robots.Parsed:      "parsed",
		7:                  "Outcome(7)",
	} {
		if got := o.String(); got != want {
			t.Errorf("Outcome(%d).String() = %q, want %q", o, got, want)
		}
	}
	for o, want := range map[robots.Outage]string{
		robots.OutageRFC9309:  "rfc9309",
		robots.OutageGoogle:   "google",
		robots.OutageLastCopy: "last-copy",
		7:                     "Outage(7)",
	} {
		if got := o.String(); got != want {
			t.Errorf("Outage(%d).String() = %q, want %q", o, got, want)
		}
	}
}

func TestZeroOutcomeDenies(t *testing.T) {
	var p robots.Policy
	want := robots.Decision{Reason: robots.ReasonUnreachable}
	for _, url := range []string{"https://example.com/", "/", "", "x"} {
		if got := p.Explain("ExampleBot", url); got != want {
			t.Errorf("zero Policy: Explain(%q) = %+v, want %+v", url, got, want)
		}
		if p.Allowed("ExampleBot", url) {
			t.Errorf("zero Policy allows %q", url)
		}
	}
	// Parsed without a File is a mistake, and no permission either.
	p.Outcome = robots.Parsed
	if p.Allowed("ExampleBot", "/") {
		t.Error("a Policy that is Parsed and has no File allows")
	}
	p.Outcome = 7
	if p.Allowed("ExampleBot", "/") {
		t.Error("a Policy with an unknown Outcome allows")
	}
}
