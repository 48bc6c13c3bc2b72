package robots_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"example.com/robots"
)

const rules = "User-agent: *\nDisallow: /x\n"

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// reset closes a connection with a TCP reset.
func reset(conn net.Conn) {
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// TestRawResponses puts octets on the wire, the odd ones above all. Whatever is
// not a whole answer is unreachable (F10, R34, G18), never half a file.
func TestRawResponses(t *testing.T) {
	zipped := gzipped(rules)
	plain := "Content-Type: text/plain"
	length := func(n int) string { return "Content-Length: " + strconv.Itoa(n) }
	const (
		deny   = robots.DisallowAll
		open   = robots.AllowAll
		parsed = robots.Parsed
	)
	for _, tt := range []struct {
		name    string
		wire    string
		rst     bool // reset the connection instead of closing it
		want    robots.Outcome
		status  int
		denies  bool   // whether /x is denied
		warning string // a word of a warning
	}{
		// Whole answers.
		{name: "length", wire: httpHead("200 OK", plain, length(len(rules))) + rules, want: parsed, status: 200, denies: true},
		{name: "chunked", wire: httpHead("200 OK", plain, "Transfer-Encoding: chunked") + "1b\r\n" + rules + "\r\n0\r\n\r\n", want: parsed, status: 200, denies: true},
		{name: "until close", wire: httpHead("200 OK", plain) + rules, want: parsed, status: 200, denies: true},
		{name: "HTTP/1.0", wire: "HTTP/1.0 200 OK\r\n\r\n" + rules, want: parsed, status: 200, denies: true, warning: "no Content-Type"},
		{name: "lines end in LF", wire: "HTTP/1.1 200 OK\nContent-Length: 27\n\n" + rules, want: parsed, status: 200, denies: true},
		{name: "gzip", wire: httpHead("200 OK", plain, "Content-Encoding: gzip", length(len(zipped))) + zipped, want: parsed, status: 200, denies: true},
		{name: "x-gzip", wire: httpHead("200 OK", plain, "Content-Encoding: X-GZIP") + zipped, want: parsed, status: 200, denies: true},
		{name: "two gzip members", wire: httpHead("200 OK", plain, "Content-Encoding: gzip") + gzipped("User-agent: *\n") + gzipped("Disallow: /x\n"), want: parsed, status: 200, denies: true},
		{name: "gzip of nothing", wire: httpHead("200 OK", plain, "Content-Encoding: gzip", length(0)), want: parsed, status: 200},
		{name: "gzip of nothing in chunks", wire: httpHead("200 OK", plain, "Content-Encoding: gzip", "Transfer-Encoding: chunked") + "0\r\n\r\n", want: parsed, status: 200},
		{name: "identity", wire: httpHead("200 OK", plain, "Content-Encoding: identity") + rules, want: parsed, status: 200, denies: true},
		{name: "coding that is a charset", wire: httpHead("200 OK", plain, "Content-Encoding: UTF-8") + rules, want: parsed, status: 200, denies: true},
		{name: "100 first", wire: httpHead("100 Continue", "X: y") + httpHead("200 OK", plain, length(len(rules))) + rules, want: parsed, status: 200, denies: true},
		{name: "103 first", wire: httpHead("103 Early Hints", "Link: </x>") + httpHead("404 Not Found", length(0)), want: open, status: 404},
		{name: "203", wire: httpHead("203 X", plain) + rules, want: parsed, status: 203, denies: true},
		{name: "204", wire: httpHead("204 No Content", "X: y"), want: parsed, status: 204},
		{name: "206 of all", wire: httpHead("206 X", plain, "Content-Range: bytes 0-26/27") + rules, want: parsed, status: 206, denies: true},
		{name: "206 of unsaid range", wire: httpHead("206 X", plain) + rules, want: parsed, status: 206, denies: true},
		{name: "299", wire: httpHead("299 X", plain) + rules, want: parsed, status: 299, denies: true},
		{name: "NULs", wire: httpHead("200 OK", plain) + "User-agent: *\nDisallow: /x\n\x00\x00", want: parsed, status: 200, denies: true, warning: "NUL"},
		{name: "UTF-8 type", wire: httpHead("200 OK", "Content-Type: text/plain; charset=utf-8") + rules, want: parsed, status: 200, denies: true},
		{name: "odd type", wire: httpHead("200 OK", "Content-Type: ;;;") + rules, want: parsed, status: 200, denies: true, warning: "text/plain"},
		{name: "reason missing", wire: "HTTP/1.1 200\r\n\r\n" + rules, want: parsed, status: 200, denies: true},
		{name: "404 cut short", wire: httpHead("404 Not Found", length(100)) + "half", want: open, status: 404},
		{name: "300 without Location", wire: httpHead("300 X", length(0)), want: open, status: 300, warning: "Location"},
		{name: "399", wire: httpHead("399 X", length(0)), want: open, status: 399},
		{name: "451", wire: httpHead("451 X", length(0)), want: open, status: 451},

		// Answers that are not whole.
		{name: "shorter than it says", wire: httpHead("200 OK", plain, length(100)) + rules, want: deny, status: 200, denies: true},
		{name: "no chunks", wire: httpHead("200 OK", plain, "Transfer-Encoding: chunked"), want: deny, status: 200, denies: true},
		{name: "last chunk missing", wire: httpHead("200 OK", plain, "Transfer-Encoding: chunked") + "1b\r\n" + rules + "\r\n", want: deny, status: 200, denies: true},
		{name: "chunk cut", wire: httpHead("200 OK", plain, "Transfer-Encoding: chunked") + "ff\r\n" + rules, want: deny, status: 200, denies: true},
		{name: "chunk size broken", wire: httpHead("200 OK", plain, "Transfer-Encoding: chunked") + "1b\r\n" + rules + "\r\nxyz\r\n", want: deny, status: 200, denies: true},
		{name: "reset in the body", wire: httpHead("200 OK", plain, length(100)) + rules, rst: true, want: deny, status: 200, denies: true},
		{name: "gzip garbage", wire: httpHead("200 OK", plain, "Content-Encoding: gzip", length(len(rules))) + rules, want: deny, status: 200, denies: true},
		{name: "gzip cut", wire: httpHead("200 OK", plain, "Content-Encoding: gzip") + zipped[:len(zipped)-3], want: deny, status: 200, denies: true},
		{name: "gzip head cut", wire: httpHead("200 OK", plain, "Content-Encoding: gzip") + zipped[:3], want: deny, status: 200, denies: true},
		{name: "gzip missing", wire: httpHead("200 OK", plain, "Content-Encoding: gzip"), want: deny, status: 200, denies: true},
		{name: "gzip missing, no chunks", wire: httpHead("200 OK", plain, "Content-Encoding: gzip", "Transfer-Encoding: chunked"), want: deny, status: 200, denies: true},
		{name: "gzip missing, shorter than it says", wire: httpHead("200 OK", plain, "Content-Encoding: gzip", length(100)), want: deny, status: 200, denies: true},
		{name: "gzip checksum", wire: httpHead("200 OK", plain, "Content-Encoding: gzip") + zipped[:len(zipped)-8] + "\x00\x00\x00\x00" + zipped[len(zipped)-4:], want: deny, status: 200, denies: true},
		{name: "gzip and more", wire: httpHead("200 OK", plain, "Content-Encoding: gzip") + zipped + "trailing garbage", want: deny, status: 200, denies: true},
		{name: "br", wire: httpHead("200 OK", plain, "Content-Encoding: br") + rules, want: deny, status: 200, denies: true},
		{name: "gzip twice", wire: httpHead("200 OK", plain, "Content-Encoding: gzip, gzip") + gzipped(zipped), want: deny, status: 200, denies: true},
		{name: "206 of a part", wire: httpHead("206 X", plain, "Content-Range: bytes 0-26/99") + rules, want: deny, status: 206, denies: true},
		{name: "206 of the end", wire: httpHead("206 X", plain, "Content-Range: bytes 5-26/27") + rules, want: deny, status: 206, denies: true},
		{name: "206 of who knows", wire: httpHead("206 X", plain, "Content-Range: bytes 0-26/*") + rules, want: deny, status: 206, denies: true},
		{name: "206 of nonsense", wire: httpHead("206 X", plain, "Content-Range: bytes 0--1/0") + rules, want: deny, status: 206, denies: true},
		{name: "304 unasked", wire: httpHead("304 Not Modified", "ETag: \"x\""), want: deny, status: 304, denies: true},

		// No answers.
		{name: "101", wire: httpHead("101 Switching Protocols", "Upgrade: x", "Connection: Upgrade"), want: deny, status: 101, denies: true},
		{name: "429", wire: httpHead("429 X", plain, length(len("User-agent: *\n"))) + "User-agent: *\n", want: deny, status: 429, denies: true},
		{name: "500", wire: httpHead("500 X", plain) + "User-agent: *\nAllow: /\n", want: deny, status: 500, denies: true},
		{name: "503", wire: httpHead("503 X", length(0)), want: deny, status: 503, denies: true},
		{name: "600", wire: httpHead("600 X", plain) + "User-agent: *\nAllow: /\n", want: deny, status: 600, denies: true},
		{name: "999", wire: httpHead("999 X", length(0)), want: deny, status: 999, denies: true},
		{name: "000", wire: httpHead("000 X", length(0)), want: deny, denies: true},
		{name: "1xx without end", wire: strings.Repeat(httpHead("100 Continue", "X: "+strings.Repeat("y", 1000)), 2000), want: deny, denies: true},
		{name: "nothing", wire: "", want: deny, denies: true},
		{name: "reset at once", wire: "", rst: true, want: deny, denies: true},
		{name: "garbage", wire: "\x16\x03\x01\x02\x00\x01\x00", want: deny, denies: true},
		{name: "rules without HTTP", wire: rules, want: deny, denies: true},
		{name: "status not a number", wire: httpHead("2x0 OK", plain) + rules, want: deny, denies: true},
		{name: "head cut", wire: "HTTP/1.1 200 OK\r\nContent-Type: text/pl", want: deny, denies: true},
		{name: "two lengths", wire: httpHead("200 OK", length(5), length(27)) + rules, want: deny, denies: true},
		{name: "length not a number", wire: httpHead("200 OK", "Content-Length: -5") + rules, want: deny, denies: true},
		{name: "unknown transfer coding", wire: httpHead("200 OK", "Transfer-Encoding: rot13") + rules, want: deny, denies: true},
		{name: "head without end", wire: "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+strings.Repeat("y", 1000)+"\r\n", 20000), want: deny, denies: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWeb(t)
			w.rawHost(t, "example.com", func(conn net.Conn) {
				io.WriteString(conn, tt.wire)
				if tt.rst {
					reset(conn)
				}
			})
			p := policy(t, w.client(), "http://example.com/x")
			checkPolicy(t, p)
			if p.Outcome != tt.want || p.Status != tt.status {
				t.Errorf("outcome %v, status %d, err %v, want %v, %d", p.Outcome, p.Status, p.Err, tt.want, tt.status)
			}
			if got := p.Allowed("ExampleBot", "http://example.com/x"); got == tt.denies {
				t.Errorf("Allowed(/x) = %v", got)
			}
			if tt.warning != "" && !has(p.Warnings, tt.warning) {
				t.Errorf("warnings %q, want one with %q", p.Warnings, tt.warning)
			}
			if p.Outcome == deny {
				var failure *robots.FetchError
				if !errors.As(p.Err, &failure) || failure.URL != "http://example.com/robots.txt" || failure.Status != tt.status {
					t.Errorf("Err = %#v, want a *FetchError with the URL and status", p.Err)
				}
				if !strings.HasPrefix(p.Err.Error(), `robots: "http://example.com/robots.txt" gives no rules`) {
					t.Errorf("Err = %v", p.Err)
				}
			}
		})
	}
}

// The limit is on decoded octets, and what is past it is not waited for (F9,
// R39, G21).
func TestBodyLimit(t *testing.T) {
	filler := func(n int) string { return strings.Repeat("#", n-1) + "\n" }
	for _, tt := range []struct {
		name      string
		body      string
		truncated bool
		denies    bool
	}{
		{"just the limit", filler(robots.MaxBytes-len(rules)) + rules, false, true},
		{"one octet more", filler(robots.MaxBytes-len(rules)+1) + rules, true, true},
		{"rule past it", filler(robots.MaxBytes) + rules, true, false},
	} {
		for _, coding := range []string{"", "gzip"} {
			t.Run(tt.name+" "+coding, func(t *testing.T) {
				w := newWeb(t)
				headers, body := "Content-Type: text/plain", tt.body
				if coding == "gzip" {
					headers, body = headers+"\nContent-Encoding: gzip", gzipped(body)
				}
				w.handle("http://example.com", answer(200, headers, body))
				p := policy(t, w.client(), "http://example.com/")
				checkPolicy(t, p)
				if p.Outcome != robots.Parsed || p.Err != nil {
					t.Fatalf("outcome %v, err %v", p.Outcome, p.Err)
				}
				if got := p.File.Truncated(); got != tt.truncated || has(p.Warnings, "cut") != got {
					t.Errorf("Truncated = %v, warnings %q, want %v", got, p.Warnings, tt.truncated)
				}
				if got := min(len(tt.body), robots.MaxBytes); p.Size != got {
					t.Errorf("Size = %d, want %d", p.Size, got)
				}
				if got := p.Allowed("ExampleBot", "/x"); got == tt.denies {
					t.Errorf("Allowed(/x) = %v", got)
				}
			})
		}
	}
}

// A stream that never ends is left at the limit, at once: the server's next
// write fails.
func TestEndlessBody(t *testing.T) {
	gigabyte := strings.Repeat(gzipped(strings.Repeat("#", 1<<20)), 1<<10)
	emptyBlocks := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
	for _, tt := range []struct {
		name        string
		head, start string
		endless     string
		most        int // octets sent before the server notices
		want        robots.Outcome
	}{
		{"text", httpHead("200 OK", "Content-Type: text/plain"), rules, strings.Repeat("# more\n", 1000), 32 << 20, robots.Parsed},
		{"chunked", httpHead("200 OK", "Transfer-Encoding: chunked"), "1b\r\n" + rules + "\r\n", "1000\r\n" + strings.Repeat("#", 4096) + "\r\n", 32 << 20, robots.Parsed},
		{"gzip bomb", httpHead("200 OK", "Content-Encoding: gzip"), gzipped(rules) + gigabyte, gzipped("#"), 32 << 20, robots.Parsed},
		{"gzip that gives nothing", httpHead("200 OK", "Content-Encoding: gzip"), emptyBlocks, strings.Repeat("\x00\x00\x00\xff\xff", 1000), 32 << 20, robots.DisallowAll},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWeb(t)
			sent := make(chan int, 1)
			w.rawHost(t, "example.com", func(conn net.Conn) {
				n, err := io.WriteString(conn, tt.head+tt.start)
				for err == nil && n < 1<<30 {
					var m int
					m, err = io.WriteString(conn, tt.endless)
					n += m
				}
				sent <- n
			})
			p := policy(t, w.client(), "http://example.com/")
			checkPolicy(t, p)
			if p.Outcome != tt.want {
				t.Errorf("outcome %v, err %v, want %v", p.Outcome, p.Err, tt.want)
			}
			if p.Outcome == robots.Parsed && (!p.File.Truncated() || p.Size != robots.MaxBytes || p.Allowed("ExampleBot", "/x")) {
				t.Errorf("truncated %v, size %d, /x allowed %v", p.File.Truncated(), p.Size, p.Allowed("ExampleBot", "/x"))
			}
			if n := <-sent; n > tt.most {
				t.Errorf("%d octets were sent before the connection was closed", n)
			}
		})
	}
}

func TestPolicyFromResponse(t *testing.T) {
	w := newWeb(t)
	w.handle("http://example.com", redirect(301, "https://user:pw@example.com/robots.txt#x"))
	w.handle("https://example.com", redirect(302, "/real.txt"))
	w.handle("https://example.com/real.txt", answer(200, "Content-Type: text/html\nCache-Control: max-age=60", rules))
	client := &http.Client{Transport: w.transport()}
	resp, err := client.Get("http://EXAMPLE.com:80/robots.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := robots.PolicyFromResponse(resp)
	checkPolicy(t, p)
	if p.URL != "http://example.com/robots.txt" {
		t.Errorf("URL = %q, want the initial origin's", p.URL)
	}
	if got, want := strings.Join(p.Redirects, " "), "https://example.com/robots.txt https://example.com/real.txt"; got != want {
		t.Errorf("Redirects = %q, want %q", got, want)
	}
	if p.Outcome != robots.Parsed || p.Status != 200 || p.Allowed("ExampleBot", "/x") || !p.Allowed("ExampleBot", "/y") {
		t.Errorf("outcome %v, status %d, err %v", p.Outcome, p.Status, p.Err)
	}
	if !has(p.Warnings, "text/html") {
		t.Errorf("warnings %q, want one about the type", p.Warnings)
	}
	if got := p.Expires.Sub(p.Fetched).Seconds(); got != 60 {
		t.Errorf("expires after %v s, want 60", got)
	}
	if _, err := resp.Body.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("the body was not closed: %v", err)
	}
}

// People build responses by hand.
func TestPolicyFromResponseByHand(t *testing.T) {
	body := func(s string) io.ReadCloser { return io.NopCloser(strings.NewReader(s)) }
	for _, tt := range []struct {
		name string
		resp *http.Response
		want robots.Outcome
	}{
		{"nil", nil, robots.DisallowAll},
		{"zero", &http.Response{}, robots.DisallowAll},
		{"200", &http.Response{StatusCode: 200, Body: body(rules)}, robots.Parsed},
		{"200 without body", &http.Response{StatusCode: 200}, robots.Parsed},
		{"200 gzip", &http.Response{StatusCode: 200, Header: header("Content-Encoding: gzip"), Body: body(gzipped(rules))}, robots.Parsed},
		{"301", &http.Response{StatusCode: 301, Body: body(rules)}, robots.AllowAll},
		{"304", &http.Response{StatusCode: 304, Body: body(rules)}, robots.DisallowAll},
		{"404", &http.Response{StatusCode: 404, Body: body(rules)}, robots.AllowAll},
		{"429", &http.Response{StatusCode: 429, Body: body(rules)}, robots.DisallowAll},
		{"500", &http.Response{StatusCode: 500, Body: body("User-agent: *\nAllow: /\n")}, robots.DisallowAll},
		{"request without URL", &http.Response{StatusCode: 500, Request: &http.Request{}}, robots.DisallowAll},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := robots.PolicyFromResponse(tt.resp)
			checkPolicy(t, p)
			if p.Outcome != tt.want {
				t.Errorf("outcome %v, err %v, want %v", p.Outcome, p.Err, tt.want)
			}
			if p.Outcome == robots.Parsed && tt.resp.Body != http.NoBody && p.Allowed("ExampleBot", "/x") {
				t.Error("allows /x")
			}
		})
	}
}

// A ring of requests, which no http.Client makes.
func TestPolicyFromResponseRing(t *testing.T) {
	req, _ := http.NewRequest("GET", "https://example.com/robots.txt", nil)
	resp := &http.Response{StatusCode: 404, Request: req}
	req.Response = resp
	if p := robots.PolicyFromResponse(resp); p.Outcome != robots.AllowAll {
		t.Errorf("outcome %v", p.Outcome)
	}
}

// Every status through the wire and the whole Client agrees with StatusOutcome,
// 1xx, which HTTP does not let stand alone, and 304 aside.
func TestEveryStatus(t *testing.T) {
	w := newWeb(t)
	for code := 200; code < 1000; code += 1 {
		if code == 304 {
			continue
		}
		w.handle("http://example.com", answer(code, "Content-Type: text/plain", ""))
		p := policy(t, w.client(), "http://example.com/")
		checkPolicy(t, p)
		if want := robots.StatusOutcome(code); p.Outcome != want || p.Status != code {
			t.Errorf("status %d: outcome %v, status %d, err %v, want %v", code, p.Outcome, p.Status, p.Err, want)
		}
	}
}
