package robots_test

import (
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"example.com/robots"
)

// header makes an http.Header of "Name: value" lines, "\n" between them.
func header(lines string) http.Header {
	h := make(http.Header)
	for line := range strings.Lines(lines) {
		name, value, _ := strings.Cut(line, ":")
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		h[name] = append(h[name], strings.TrimSpace(value))
	}
	return h
}

func TestFreshFor(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		headers string
		want    time.Duration
	}{
		{"", day}, // F8, R38
		{"Cache-Control: max-age=60", time.Minute},
		{"Cache-Control: max-age=3600", hour},
		{"cache-control: Public,  MAX-AGE = 3600 , must-revalidate", hour},
		{`Cache-Control: max-age="3600"`, hour},
		{"Cache-Control: max-age=604800", day}, // G19 and R38: a day at most
		{"Cache-Control: max-age=86400", day},
		{"Cache-Control: max-age=99999999999999999999999999", day},
		{"Cache-Control: max-age=9223372036854775807", day},
		{"Cache-Control: max-age=0", time.Minute},
		{"Cache-Control: max-age=1", time.Minute},
		{"Cache-Control: max-age=-3600", time.Minute},
		{"Cache-Control: max-age=1e9", time.Minute},
		{"Cache-Control: max-age=", time.Minute},
		{"Cache-Control: max-age", time.Minute},
		{"Cache-Control: max-age=3600;foo", time.Minute},
		{"Cache-Control: no-store", time.Minute},
		{"Cache-Control: no-cache", time.Minute},
		{`Cache-Control: no-cache="set-cookie"`, time.Minute},
		{"Cache-Control: max-age=3600, no-store", time.Minute},
		{"Cache-Control: max-age=7200, max-age=3600", hour},
		{"Cache-Control: max-age=7200\nCache-Control: max-age=3600", hour},
		{"Cache-Control: s-maxage=60", day}, // for proxies, not for us
		{"Cache-Control: private", day},
		{"Cache-Control: ,,,=,=;", day},
		{"Cache-Control: max-age=7200\nAge: 3600", hour},
		{"Cache-Control: max-age=7200\nAge: 9999999", time.Minute},
		{"Cache-Control: max-age=7200\nAge: -5", 2 * hour},
		{"Cache-Control: max-age=7200\nAge: x", 2 * hour},
		{"Cache-Control: max-age=7200\nAge: 99999999999999999999999", time.Minute},
		{"Age: 3600", day},
		{"Expires: Mon, 30 Nov 2026 14:00:00 GMT", 2 * hour},
		{"Expires: Mon, 30 Nov 2026 14:00:00 GMT\nAge: 3600", hour},
		{"Expires: Mon, 30 Nov 2026 14:00:00 GMT\nCache-Control: max-age=3600", hour},
		// A server whose clock is years off tells the time between two of its
		// own readings.
		{"Date: Tue, 01 Jan 2002 00:00:00 GMT\nExpires: Tue, 01 Jan 2002 01:00:00 GMT", hour},
		{"Date: Fri, 01 Jan 2100 00:00:00 GMT\nExpires: Fri, 01 Jan 2100 01:00:00 GMT", hour},
		{"Date: nonsense\nExpires: Mon, 30 Nov 2026 14:00:00 GMT", 2 * hour},
		{"Expires: Mon, 30 Nov 2026 11:00:00 GMT", time.Minute},
		{"Expires: Fri, 31 Dec 9999 23:59:59 GMT", day},
		{"Expires: 0", time.Minute},
		{"Expires: -1", time.Minute},
		{"Expires:", time.Minute},
		{"Expires: Monday, 30-Nov-26 14:00:00 GMT", 2 * hour}, // RFC 850
		{"Expires: Mon Nov 30 14:00:00 2026", 2 * hour},       // asctime
	} {
		if got := robots.FreshFor(header(tt.headers), now); got != tt.want {
			t.Errorf("FreshFor(%q) = %v, want %v", tt.headers, got, tt.want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		headers string
		want    time.Duration
	}{
		{"", 0},
		{"Retry-After: 120", 2 * time.Minute},
		{"Retry-After: 0", 0},
		{"Retry-After: -1", 0},
		{"Retry-After: 1.5", 0},
		{"Retry-After: soon", 0},
		{"Retry-After: 99999999999999999999999", 1<<63 - 1},
		{"Retry-After: Mon, 30 Nov 2026 13:00:00 GMT", hour},
		{"Retry-After: Mon, 30 Nov 2026 11:00:00 GMT", 0},
		{"Date: Tue, 01 Jan 2002 00:00:00 GMT\nRetry-After: Tue, 01 Jan 2002 01:00:00 GMT", hour},
	} {
		if got := robots.RetryAfter(header(tt.headers), now); got != tt.want {
			t.Errorf("RetryAfter(%q) = %v, want %v", tt.headers, got, tt.want)
		}
	}
}
