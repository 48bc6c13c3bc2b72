package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sites starts servers by the names that tests know them by.
func sites(t *testing.T) *strings.Replacer {
	t.Helper()
	serve := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	shop := serve(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Cache-Control", "max-age=3600")
		io.WriteString(w, "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n")
		if r.UserAgent() == "Nosy/1.0" {
			io.WriteString(w, "Disallow: /\n")
		}
	})
	moved := serve(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, shop+"/robots.txt", http.StatusMovedPermanently)
	})
	app := serve(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html>\n<html>\n\x1b[2J</html>\n")
	})
	down := serve(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) })
	none := serve(http.NotFound)
	large := serve(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, strings.Repeat("# a comment of 32 octets, as here\n", 20000))
	})
	return strings.NewReplacer("SHOP", shop, "MOVED", moved, "APP", app, "DOWN", down, "NONE", none, "LARGE", large)
}

var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// online runs a command that asks sites; the times in what it prints are
// replaced by TIME.
func online(t *testing.T, names *strings.Replacer, s scenario) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args := strings.Fields(names.Replace(s.args))
	if code := run(args, strings.NewReader(""), &stdout, &stderr); code != s.code {
		t.Errorf("robots %s: exit code %d, want %d", s.args, code, s.code)
	}
	want := names.Replace(strings.TrimPrefix(s.stdout, "\n"))
	if diff := cmp.Diff(want, moment.ReplaceAllString(stdout.String(), "TIME")); diff != "" {
		t.Errorf("robots %s: stdout (-want +got):\n%s", s.args, diff)
	}
	if diff := cmp.Diff(names.Replace(s.stderr), strings.TrimSuffix(stderr.String(), "\n")); diff != "" {
		t.Errorf("robots %s: stderr (-want +got):\n%s", s.args, diff)
	}
}

func TestFetch(t *testing.T) {
	names := sites(t)
	for _, s := range []scenario{
		{args: "fetch SHOP/page", stdout: `
SHOP/robots.txt
  outcome   parsed
  status    200
  type      text/plain
  size      48 octets
  fetched   TIME
  expires   TIME
`},
		{args: "fetch MOVED APP", stdout: `
MOVED/robots.txt
  outcome   parsed
  status    200
  redirect  SHOP/robots.txt
  type      text/plain
  size      48 octets
  fetched   TIME
  expires   TIME

APP/robots.txt
  outcome   parsed
  status    200
  type      text/html
  size      35 octets
  fetched   TIME
  expires   TIME
  warning   the Content-Type is "text/html"; it should be text/plain
  warning   the body looks like HTML; only lines that are rules count
`},
		{args: "fetch NONE", stdout: `
NONE/robots.txt
  outcome   allow-all
  status    404
  fetched   TIME
  expires   TIME
`},
		{args: "fetch LARGE", stdout: `
LARGE/robots.txt
  outcome   parsed
  status    200
  type      text/plain
  size      512000 octets, cut there
  fetched   TIME
  expires   TIME
  warning   the file was cut at 512000 octets; rules past them do not count
`},
		{args: "fetch DOWN SHOP", code: exitNo, stdout: `
DOWN/robots.txt
  outcome   disallow-all
  status    503
  fetched   TIME
  expires   TIME
  error     robots: "DOWN/robots.txt" gives no rules: status 503

SHOP/robots.txt
  outcome   parsed
  status    200
  type      text/plain
  size      48 octets
  fetched   TIME
  expires   TIME
`},
		{args: "fetch -json MOVED", stdout: `
{"url":"MOVED/robots.txt","outcome":"parsed","status":200,"redirects":["SHOP/robots.txt"],"type":"text/plain","size":48,"fetched":"TIME","expires":"TIME"}
`},
		{args: "fetch -json DOWN", code: exitNo, stdout: `
{"url":"DOWN/robots.txt","outcome":"disallow-all","status":503,"size":0,"fetched":"TIME","expires":"TIME","error":"robots: \"DOWN/robots.txt\" gives no rules: status 503"}
`},
		{args: "fetch", code: exitMisuse, stderr: `robots fetch: no URL: write robots fetch https://example.com/`},
		{args: "fetch SHOP example.com", code: exitMisuse, stderr: `robots fetch: URL "example.com" is not an absolute http or https URL; write it as https://example.com/page`},
		{args: "fetch -timeout -1s SHOP", code: exitMisuse, stderr: `robots fetch: -timeout -1s is negative: give a time such as 10s`},
	} {
		online(t, names, s)
	}
}

func TestCheckFetch(t *testing.T) {
	names := sites(t)
	for _, s := range []scenario{
		{args: "check -fetch SHOP/page SHOP/cart/help", stdout: `
allowed     SHOP/page
allowed     SHOP/cart/help
`},
		{args: "check SHOP/cart NONE/cart -fetch", code: exitNo, stdout: `
disallowed  SHOP/cart
allowed     NONE/cart
`},
		// What is odd about an answer is said, once for each site.
		{args: "check -fetch APP/a APP/b", stdout: `
allowed     APP/a
allowed     APP/b
`, stderr: `robots: APP/robots.txt: the Content-Type is "text/html"; it should be text/plain
robots: APP/robots.txt: the body looks like HTML; only lines that are rules count`},
		{args: "check -fetch -user-agent Nosy/1.0 SHOP/page", code: exitNo, stdout: `
disallowed  SHOP/page
`},
		{args: "check -fetch DOWN/page", code: exitNo, stdout: `
disallowed  DOWN/page
`, stderr: `robots: "DOWN/robots.txt" gives no rules: status 503`},
		{args: "check -fetch -json -agent MyBot SHOP/cart", code: exitNo, stdout: `
{"url":"SHOP/cart","robots":"SHOP/robots.txt","agent":"MyBot","allowed":false,"reason":"rule","group":"*","rule":"Disallow: /cart","line":2}
`},
		{args: "check -fetch -json NONE/cart", stdout: `
{"url":"NONE/cart","robots":"NONE/robots.txt","agent":"*","allowed":true,"reason":"unavailable"}
`},
		{args: "check -fetch -json DOWN/cart", code: exitNo, stdout: `
{"url":"DOWN/cart","robots":"DOWN/robots.txt","agent":"*","allowed":false,"reason":"unreachable"}
`, stderr: `robots: "DOWN/robots.txt" gives no rules: status 503`},
		{args: "explain -fetch -agent MyBot MOVED/cart/help", stdout: `
allowed  MOVED/cart/help  (agent MyBot)
  robots   MOVED/robots.txt
  group    *  (none names MyBot)
  decided  line 3  Allow: /cart/help  10 octets
  beaten   line 2  Disallow: /cart    5 octets
`},
		{args: "check -fetch -f " + shop + " SHOP/", code: exitMisuse, stderr: `robots check: -fetch asks sites for their robots.txt, and -f names a file: give one of them`},
		{args: "check -user-agent Nosy/1.0 -f " + shop + " /", code: exitMisuse, stderr: `robots check: -user-agent and -timeout are for asking sites: add -fetch`},
		{args: "check -fetch /page", code: exitMisuse, stderr: `robots check: URL "/page" is not an absolute http or https URL; write it as https://example.com/page`},
	} {
		online(t, names, s)
	}
	// The reason of what no rule decided is for people too.
	for args, want := range map[string]string{
		"explain -fetch NONE/x": "robots.txt",
		"explain -fetch DOWN/x": "robots.txt",
	} {
		var stdout bytes.Buffer
		run(strings.Fields(names.Replace(args)), nil, &stdout, io.Discard)
		if !strings.Contains(stdout.String(), "\n  decided  ") || !strings.Contains(stdout.String(), want) {
			t.Errorf("robots %s: got\n%s", args, &stdout)
		}
	}
}

// What a site sends cannot play tricks on the terminal, nor break JSON.
func TestFetchHostile(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{"text/\u202eplain\x80"}
		if r.URL.Path == "/robots.txt" {
			w.Header().Set("Location", "/\u202e\x80?\"<&")
			w.WriteHeader(302)
		}
	}))
	defer s.Close()
	for _, args := range [][]string{{"fetch", s.URL}, {"fetch", "-json", s.URL}} {
		var stdout bytes.Buffer
		if code := run(args, nil, &stdout, io.Discard); code != exitOK {
			t.Errorf("robots %q: exit code %d", args, code)
		}
		for _, c := range stdout.String() {
			if c == '\u202e' && args[1] != "-json" || c < ' ' && c != '\n' || c == 0x7f {
				t.Errorf("robots %q: %q is in %q", args, c, stdout.String())
			}
		}
		if args[1] == "-json" && !json.Valid(stdout.Bytes()) {
			t.Errorf("robots %q: no JSON: %s", args, &stdout)
		}
	}
}
