package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/robots"
)

func TestCheck(t *testing.T) {
	for _, s := range []scenario{
		{args: "check -f " + shop + " /products/1", stdout: "allowed     /products/1\n"},
		{args: "check -f " + shop + " https://shop.example/cart /products/1 //shop.example/a.css", code: 1, stdout: `
disallowed  https://shop.example/cart
allowed     /products/1
allowed     //shop.example/a.css
`},
		{args: "check -f " + shop + " -agent Googlebot -agent gptbot /search /x", code: 1, stdout: `
disallowed  /search  Googlebot
disallowed  /search  gptbot
allowed     /x  Googlebot
disallowed  /x  gptbot
`},
		// Flags behind the URLs, and "--".
		{args: "check /x --agent=googlebot /y -f " + shop + " /cart", code: 1, stdout: `
allowed     /x
allowed     /y
disallowed  /cart
`},
		{args: "check -f " + shop + " -agent Googlebot -- /x /cart/help", stdout: `
allowed     /x
allowed     /cart/help
`},
		// A whole header, with commas too, and a URL that would break the line.
		{args: "check -f " + shop + " -agent Mozilla/5.0_(KHTML,_like_Gecko;_compatible;_Googlebot/2.1;_+http://www.google.com/bot.html) /search /products/1", code: 1, stdout: `
disallowed  /search
allowed     /products/1
`},
		{args: "check -f " + shop + " -agent Mozilla/5.0_(compatible;_bingbot/2.0) /search", code: 1, stdout: "disallowed  /search\n"},
		{args: "check -f " + shop + " /a\u200bb /\u202eb", code: 1, stdout: `
disallowed  "/a\u200bb"
disallowed  "/\u202eb"
`},
		// The standard input, named or not.
		{args: "check /x", stdin: "User-agent: *\nDisallow: /x", code: 1, stdout: "disallowed  /x\n"},
		{args: "check -f - /x", stdin: "User-agent: *\nDisallow: /x", code: 1, stdout: "disallowed  /x\n"},
		{args: "check -f - /x", stdout: "allowed     /x\n"},
		{args: "check /x", stdin: "# nothing\n", stdout: "allowed     /x\n"},
		// Dialects: %61 is "a" in one only.
		{args: "check /a", stdin: "User-agent: *\nDisallow: /%61", code: 1, stdout: "disallowed  /a\n"},
		{args: "check -dialect rfc9309 /a", stdin: "User-agent: *\nDisallow: /%61", code: 1, stdout: "disallowed  /a\n"},
		{args: "check -dialect Google /a", stdin: "User-agent: *\nDisallow: /%61", stdout: "allowed     /a\n"},
		{args: "check /x", stdin: "User-agent: *\nDisallow: /x\n" + strings.Repeat("#", robots.MaxBytes), code: 1,
			stdout: "disallowed  /x\n",
			stderr: "robots: standard input is longer than 512000 octets: as crawlers do, the rest is left out"},

		{args: "check -json -f " + shop + " /products/1 /robots.txt", stdout: `
{"url":"/products/1","agent":"*","allowed":true,"reason":"rule","group":"*","rule":"Allow: /products/","line":5}
{"url":"/robots.txt","agent":"*","allowed":true,"reason":"robots.txt","group":"*"}
`},
		{args: "check -json -f " + shop + " -agent Mozilla/5.0_(compatible;_Googlebot/2.1) -agent ChatGPT-User -agent AdsBot-Google /x?a&b", stdout: `
{"url":"/x?a&b","agent":"Mozilla/5.0 (compatible; Googlebot/2.1)","token":"Googlebot","allowed":true,"reason":"no-rule","group":"Googlebot"}
{"url":"/x?a&b","agent":"ChatGPT-User","allowed":true,"reason":"crawler"}
{"url":"/x?a&b","agent":"AdsBot-Google","allowed":true,"reason":"no-group"}
`},
	} {
		s.run(t)
	}
}

func TestExplain(t *testing.T) {
	for _, s := range []scenario{
		{args: "explain -f " + shop + " -agent MyBot https://shop.example/products/a.css?sort=1#top", code: 1, stdout: `
disallowed  https://shop.example/products/a.css?sort=1#top  (agent MyBot)
  group    *  (none names MyBot)
  decided  line 6  Disallow: /products/*?sort=  17 octets
  beaten   line 5  Allow: /products/            10 octets
  beaten   line 4  Disallow: /                  1 octet
`},
		{args: "explain -f " + shop + " -agent Mozilla/5.0_(compatible;_Googlebot/2.1) -agent GPTBot /x /cart/help", code: 1, stdout: `
allowed  /x  (agent Mozilla/5.0 (compatible; Googlebot/2.1))
  token    Googlebot
  group    Googlebot
  decided  no rule matches

disallowed  /x  (agent GPTBot)
  group    GPTBot
  decided  line 17  Disallow: /  1 octet

allowed  /cart/help  (agent Mozilla/5.0 (compatible; Googlebot/2.1))
  token    Googlebot
  group    Googlebot
  decided  line 13  Allow: /cart/help  10 octets
  beaten   line 12  Disallow: /cart    5 octets

disallowed  /cart/help  (agent GPTBot)
  group    GPTBot
  decided  line 17  Disallow: /  1 octet
`},
		// No rule decides, and no group.
		{args: "explain -f " + shop + " /robots.txt", stdout: `
allowed  /robots.txt  (agent *)
  group    *
  decided  robots.txt itself is always allowed
  beaten   line 4  Disallow: /  1 octet
`},
		{args: "explain -f " + shop + " -agent ChatGPT-User /", stdout: `
allowed  /  (agent ChatGPT-User)
  decided  the crawler is documented not to follow robots.txt
`},
		{args: "explain /", stdin: "Sitemap: /s", stdout: `
allowed  /  (agent *)
  decided  no group applies
`},
		// A known crawler obeys the group of another.
		{args: "explain -agent Googlebot-Image -f " + shop + " /search", code: 1, stdout: `
disallowed  /search  (agent Googlebot-Image)
  group    Googlebot  (none names Googlebot-Image)
  decided  line 14  Disallow: /search  7 octets
`},
		// Ties, rules from two places, and a rule that would break the line.
		{args: "explain /ab", stdin: "User-agent: *\nDisallow: /a*b\nAllow: /*b\x1b$\nAllow: /ab$\nUser-agent: x\nDisallow: /\nUser-agent: *\nDisallow: /*b$\nAllow: /a\r\nDisallow: /*\u202e*", stdout: `
allowed  /ab  (agent *)
  group    *
  decided  line 4  Allow: /ab$     4 octets
  beaten   line 2  Disallow: /a*b  4 octets, a tie: Allow wins
  beaten   line 8  Disallow: /*b$  4 octets, a tie: Allow wins
  beaten   line 9  Allow: /a       2 octets
`},
		{args: "explain /a\u00e9", stdin: "User-agent: *\nDisallow: /%61\u00e9\nDisallow: /a%c3%a9\nDisallow: /*\u00e9\x07", code: 1, stdout: `
disallowed  /aé  (agent *)
  group    *
  decided  line 2  Disallow: /%61é     8 octets
  beaten   line 3  Disallow: /a%c3%a9  8 octets, a tie: says the same
`},
		{args: "explain -dialect google /a\a", stdin: "User-agent: *\nDisallow:\nDisallow: /a\a", code: 1, stdout: `
disallowed  "/a\a"  (agent *)
  group    *
  decided  line 3  "Disallow: /a\a"  3 octets
  beaten   line 2  "Disallow: "      0 octets
`},
		{args: "explain -json -f " + shop + " /products/?sort= /robots.txt", code: 1, stdout: `
{"url":"/products/?sort=","agent":"*","allowed":false,"reason":"rule","group":"*","rule":"Disallow: /products/*?sort=","line":6,"length":17,"beaten":[{"rule":"Allow: /products/","line":5,"length":10},{"rule":"Disallow: /","line":4,"length":1}]}
{"url":"/robots.txt","agent":"*","allowed":true,"reason":"robots.txt","group":"*","beaten":[{"rule":"Disallow: /","line":4,"length":1}]}
`},
	} {
		s.run(t)
	}
}

// Every misuse has an answer that names the value and the way out.
func TestCheckMisuse(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "no URL: write robots check -f FILE https://example.com/page"},
		{"-agent Googlebot", "no URL: write robots check -f FILE https://example.com/page"},
		{"-f", "flag needs an argument: -f (see: robots help check)"},
		{"-f '' /x", `invalid value "" for flag -f: no file has an empty name (see: robots help check)`},
		{"-f a -f b /x", `invalid value "b" for flag -f: there is one already, "a", and only one can be asked (see: robots help check)`},
		{"-f testdata/missing.txt /x", `cannot read "testdata/missing.txt": no such file or directory`},
		{"-f https://example.com/robots.txt /x", `"https://example.com/robots.txt" is a URL, not a file: save what it serves, or pipe it: curl -sSfL https://example.com/robots.txt | robots check …; or ask its site: robots check -fetch …`},
		{"-f . /x", `cannot read ".": is a directory`},
		{"/x", "no robots.txt: name it with -f FILE, or pipe it into the standard input (which is empty; if that is meant, write -f -)"},
		{"-agnet x /x", "unknown flag -agnet: did you mean -agent?"},
		{"/x -zzzzz", "unknown flag -zzzzz: the flags are -agent, -dialect, -f, -fetch, -json, -timeout, -user-agent"},
		{"-agent '' /x", `invalid value "" for flag -agent: it is empty: give a product token such as Googlebot, or * for the group of all others (see: robots help check)`},
		{"-agent () /x", `invalid value "()" for flag -agent: there is no product token in it: give one such as Googlebot, of letters, digits and ._- (see: robots help check)`},
		{"-agent A,B /x", `invalid value "A,B" for flag -agent: it lists several: give the flag for each: -agent A -agent B (see: robots help check)`},
		{"-agent *,_my_bot -f " + shop + " /x", `invalid value "*, my bot" for flag -agent: it lists several: give the flag for each: -agent '*' -agent 'my bot' (see: robots help check)`},
		{"-agent Googlebot/2.1,bingbot/2.0 /x", `invalid value "Googlebot/2.1,bingbot/2.0" for flag -agent: it lists several: give the flag for each: -agent Googlebot/2.1 -agent bingbot/2.0 (see: robots help check)`},
		{"-agent my_bot! /x", `invalid value "my bot!" for flag -agent: it is neither a product token, of letters, digits and ._-, nor a User-Agent header such as MyBot/1.0: of it only "my" would count; give that, if it is meant (see: robots help check)`},
		{"-fetch not-a-url", `"not-a-url" names no site to ask: write https://example.com/page, or, if it is a crawler, -agent not-a-url`},
		{"-fetch example.com/x", `"example.com/x" names no site to ask: write https://example.com/x`},
		{"-fetch localhost:8080", `"localhost:8080" names no site to ask: write https://localhost:8080`},
		{"-fetch ''", `the URL is empty: write https://example.com/page`},
		{"-fetch ?q", `"?q" names no site to ask: write https://example.com/page`},
		{"-fetch 1http://x/", `"1http://x/" names no site to ask: write https://example.com/page`},
		{"-fetch https:///x", `"https:///x" has no host: write https://example.com/page`},
		{"-timeout abc -fetch /x", `invalid value "abc" for flag -timeout: give a time such as 10s or 2m (see: robots help check)`},
		{"-timeout 0 -fetch /x", `invalid value "0" for flag -timeout: give a time such as 10s or 2m (see: robots help check)`},
		{"-fetch=maybe /x", `invalid value "maybe" for flag -fetch: it takes none: write -fetch, or leave it out (see: robots help check)`},
		{"-dialect bing /x", `invalid value "bing" for flag -dialect: it must be rfc9309 or google (see: robots help check)`},
		{"-json=x /x", `invalid value "x" for flag -json: it takes none: write -json, or leave it out (see: robots help check)`},
		{"''", "the URL is empty: write https://example.com/page or /page"},
		{"_/x", `" /x" has white space around it, which would be a part of the path: write /x`},
		{"/y /x_", `"/x " has white space around it, which would be a part of the path: write /x`},
		{"_", `" " has white space around it, which would be a part of the path: write https://example.com/page or /page`},
		{"/x main.go", `"main.go" is neither a URL nor a path: if it is the robots.txt file write -f main.go`},
		{"Googlebot /x", `"Googlebot" is neither a URL nor a path: write /Googlebot, or, if it is a crawler, -agent Googlebot`},
		{"example.com/x", `"example.com/x" is neither a URL nor a path: write https://example.com/x`},
		{"?q=1", `"?q=1" is neither a URL nor a path: write /?q=1`},
		{"http:///x", `"http:///x" has no host: write https://example.com/page or /page`},
		{"//", `"//" has no host: write https://example.com/page or /page`},
		{"mailto:a@example.com", `"mailto:a@example.com" is neither a URL nor a path: write https://example.com/page or /page`},
		{"1http://x/", `"1http://x/" is neither a URL nor a path: write https://example.com/page or /page`},
		{"-- /x -f", `"-f" is neither a URL nor a path: write https://example.com/page or /page`},
	} {
		scenario{args: "check " + test.args, code: exitMisuse, stderr: "robots check: " + test.want}.run(t)
		want := strings.ReplaceAll(test.want, "robots check", "robots explain")
		want = strings.ReplaceAll(want, "help check", "help explain")
		scenario{args: "explain " + test.args, code: exitMisuse, stderr: "robots explain: " + want}.run(t)
	}
}

// A file that has text and says nothing is hardly the one that was meant.
func TestNoRobots(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		text string
		warn bool
	}{
		{"<!doctype html>\n<title>Not found</title>\n", true},
		{"\xFF\xFEU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00", true},
		{`{"name": "robots"}`, true},
		{"Disallow: /\n", true},
		{"", false},
		{"\xEF\xBB\xBF", false},
		{"\xEF\xBB\xBF# nothing\r \r\n\t# yet\n", false},
		{"Sitemap: https://example.com/sitemap.xml\n", false},
		{"User-agent: x\n", false},
	} {
		name := write(t, dir, "robots.txt", test.text)
		expect := write(t, dir, "expect.txt", "file robots.txt\nallow * /x\n")
		for want, args := range map[string]string{
			"allowed     /x\n":                "check -f " + name + " /x",
			expect + ": 1 passed, 0 failed\n": "test " + expect,
		} {
			var stdout, stderr strings.Builder
			code := run(strings.Fields(args), nil, &stdout, &stderr)
			if code != exitOK || stdout.String() != want {
				t.Errorf("robots %s with %q: exit code %d, %q", args, test.text, code, stdout.String())
			}
			if got := strings.HasSuffix(stderr.String(), `robots.txt" has no group and no Sitemap in it, and so allows everything: is it a robots.txt file?`+"\n"); got != test.warn || !got && stderr.Len() > 0 {
				t.Errorf("robots %s with %q: stderr %q, want a warning: %v", args, test.text, stderr.String(), test.warn)
			}
		}
	}
}

func TestUnreadableFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(name, nil, 0o200); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(name); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	var stderr strings.Builder
	if code := run([]string{"check", "-f", name, "/x"}, nil, io.Discard, &stderr); code != exitMisuse || !strings.HasSuffix(stderr.String(), ": permission denied\n") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}
