package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a file of a test, and returns its name.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLint(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "good.txt", "User-agent: *\nDisallow: /a/\n")
	write(t, ".", "bad.txt", "User-agent: *\nDisallow: admin\nDisallow: /a/\nDisallow: /a/b\nNoindex: /c\n")
	write(t, ".", "empty.txt", "")
	write(t, ".", "note.txt", "User-agent: *\nDisallow: /a/\nDisallow: /a/b\n")
	const slash = `
bad.txt:2:11: error: "admin" starts with neither "/" nor "*": it matches nothing (rule-slash)
    Disallow: admin
              ^
    fix: write "/admin"
`
	const noEffect = `note.txt:3:11: note: "Disallow: /a/b" changes nothing: "Disallow: /a/" (line 2) says the same of its URLs (rule-no-effect)
    Disallow: /a/b
              ^
    fix: remove it
`
	const empty = `empty.txt:1:1: note: the file is empty: every crawler may fetch everything (file-empty)
    fix: if that is meant, say so with "User-agent: *" and an empty "Disallow:"
`
	for _, s := range []scenario{
		{args: "lint good.txt"},
		{args: "lint -select rule-slash bad.txt", code: exitNo, stdout: slash},
		{args: "lint bad.txt good.txt -ignore field-*,rule-no-effect", code: exitNo, stdout: slash},
		{args: "lint note.txt", stdout: noEffect},
		{args: "lint -fail-on note note.txt", code: exitNo, stdout: noEffect},
		{args: "lint -fail-on never -select rule-slash bad.txt", stdout: slash},
		{args: "lint -fail-on error -select field-noindex -json bad.txt",
			stdout: `{"file":"bad.txt","code":"field-noindex","severity":"warning","line":5,"column":1,"message":"\"Noindex\" does nothing in robots.txt: Google dropped it in 2019 and nobody else reads it","fix":"use a robots meta tag or an X-Robots-Tag header on pages that may be crawled"}` + "\n"},
		{args: "lint -format github -", stdin: "User-agent: *\nDisallow: /\n", code: exitNo,
			stdout: "::warning file=robots.txt,line=2,col=1,title=blocks-all::EVERYTHING IS BLOCKED, for everyone: no crawler may fetch any page of this site%0AFix: if this came from a test site, remove it; an empty \"Disallow:\" allows everything\n"},
		{args: "lint", stdin: "User-agent: *\nDisallow: /a/\n"},
		// An empty file is legal; nothing at all in a pipe is no file.
		{args: "lint empty.txt", stdout: empty},
		{args: "lint -fail-on note empty.txt good.txt", code: exitNo, stdout: empty},
		{args: "lint -", stdout: strings.Replace(empty, "empty", "robots", 1)},
		{args: "lint", code: exitMisuse, stderr: "robots lint: no robots.txt: name it, or pipe it into the standard input (which is empty; if that is meant, write -)"},
		{args: "lint - good.txt -", stdin: slash, code: exitMisuse, stderr: "robots lint: - is the standard input, which can be read only once: name a file in the place of one -"},
		{args: "lint good.txt ''", code: exitMisuse, stderr: "robots lint: no file has an empty name"},
		{args: "lint .", code: exitMisuse, stderr: `robots lint: cannot read ".": is a directory`},
		{args: "lint https://example.com/robots.txt", code: exitMisuse, stderr: `robots lint: "https://example.com/robots.txt" is a URL, not a file: save what it serves, or pipe it: curl -sSfL https://example.com/robots.txt | robots lint`},
		// A flag that is given twice counts twice, or is an error.
		{args: "lint -select rule-slash -select field-noindex -ignore field-* -ignore rule-url bad.txt", code: exitNo, stdout: slash},
		{args: "lint -select rule-slash -select rule-url bad.txt", code: exitNo, stdout: slash},
		{args: "lint -select rule-url -select rule-slash bad.txt", code: exitNo, stdout: slash},
		{args: "lint -json -format sarif bad.txt", code: exitMisuse, stderr: "robots lint: -json is -format json, and there is -format sarif: give one of them"},
		{args: "lint -codes bad.txt", code: exitMisuse, stderr: `robots lint: -codes lists the codes and reads no file: leave out it or "bad.txt"`},
		{args: "lint none.txt", code: exitMisuse, stderr: `robots lint: cannot read "none.txt": no such file or directory`},
		{args: "lint -format xml good.txt", code: exitMisuse, stderr: `robots lint: -format "xml" must be text, json, github or sarif`},
		{args: "lint -fail-on bad good.txt", code: exitMisuse, stderr: `robots lint: -fail-on "bad" must be note, warning, error or never`},
		{args: "lint -select rule-slsh good.txt", code: exitMisuse, stderr: `robots lint: -select: there is no code "rule-slsh": did you mean "rule-slash"?`},
		{args: "lint -ignore zzzzzzz good.txt", code: exitMisuse, stderr: `robots lint: -ignore: there is no code "zzzzzzz": robots lint -codes lists them`},
	} {
		s.run(t)
	}
	var out, err strings.Builder
	if code := run([]string{"lint", "-codes"}, nil, &out, &err); code != exitOK || !strings.Contains(out.String(), "\nrule-tie          warning  ") {
		t.Errorf("robots lint -codes: exit code %d, %q", code, out.String())
	}
	out.Reset()
	if code := run([]string{"lint", "-format", "sarif", "bad.txt"}, nil, &out, &err); code != exitNo || !strings.Contains(out.String(), `"version": "2.1.0"`) {
		t.Errorf("robots lint -format sarif: exit code %d, %.300q", code, out.String())
	}
}

func TestTest(t *testing.T) {
	t.Chdir(t.TempDir())
	shop := "User-agent: *\nDisallow: /cart\n"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.UserAgent(), "Down") {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		w.Write([]byte(shop))
	}))
	defer srv.Close()
	write(t, ".", "robots.txt", shop)
	write(t, ".", "good.txt", "file robots.txt\nallow * /\nblock Googlebot,* /cart/x by 2\n")
	write(t, ".", "bad.txt", "file robots.txt\nallow * /cart\n")
	write(t, ".", "nofile.txt", "block * /cart\n")
	write(t, ".", "wrong.txt", "allow * /\nforbid * /\n")
	write(t, ".", "origin.txt", "origin "+srv.URL+"/\nblock * "+srv.URL+"/cart\nallow * "+srv.URL+"/\n")
	write(t, ".", "same.txt", "origin "+srv.URL+"/a\nblock * /cart\norigin "+srv.URL+"/b\nblock * /cart\n")
	write(t, ".", "down.txt", "origin "+srv.URL+"/\nallow * /\n")
	write(t, ".", "open.txt", "# nothing\n")
	write(t, ".", "two.txt", "file robots.txt\nblock * /cart\nfile open.txt\nallow * /cart\n")
	write(t, ".", "escaped.txt", "User-agent: *\nDisallow: /%61\n")
	write(t, ".", "escape.txt", "file escaped.txt\nblock * /a\n")
	write(t, ".", "empty.txt", "\n")
	write(t, ".", "idle.txt", "file robots.txt\n# allow * /\n")
	write(t, ".", "urls.txt", "https://example.com/cart\n")
	write(t, ".", "windows.txt", "\xEF\xBB\xBFfile robots.txt\r\nallow * /cart\r\n")
	write(t, ".", "lists.txt", "allow MyBot, Googlebot /x\n")
	write(t, ".", "other.txt", "origin https://a.example\nallow * https://b.example/\n")
	write(t, ".", "sitemap.xml", "<urlset><url><loc>https://example.com/</loc></url>\n<url><loc>https://example.com/cart</loc></url></urlset>")
	for _, s := range []scenario{
		{args: "test good.txt", stdout: "good.txt: 3 passed, 0 failed\n"},
		{args: "test good.txt bad.txt", code: exitNo, stdout: `
good.txt: 3 passed, 0 failed
bad.txt:2: * must be allowed to fetch /cart: blocked by line 2 ("Disallow: /cart", group "*")
bad.txt: 0 passed, 1 failed
`},
		{args: "test -json bad.txt", code: exitNo,
			stdout: `{"file":"bad.txt","line":2,"expect":"allow","agent":"*","url":"/cart","allowed":false,"rule":"line 2: Disallow: /cart","failure":"* must be allowed to fetch /cart: blocked by line 2 (\"Disallow: /cart\", group \"*\")"}` + "\n"},
		{args: "test -f robots.txt nofile.txt", stdout: "nofile.txt: 1 passed, 0 failed\n"},
		{args: "test -f - nofile.txt", stdin: shop, stdout: "nofile.txt: 1 passed, 0 failed\n"},
		{args: "test nofile.txt", code: exitMisuse, stderr: `robots test: nofile.txt:1: no robots.txt: put "file PATH" or "origin URL" before this line`},
		{args: "test wrong.txt", code: exitMisuse, stderr: `robots test: wrong.txt:2: unknown word "forbid": a line starts with allow, block, file or origin`},
		{args: "test none.txt", code: exitMisuse, stderr: `robots test: cannot read "none.txt": no such file or directory`},
		{args: "test", code: exitMisuse, stderr: "robots test: no expectations: write robots test FILE; robots help test tells what stands in it"},
		{args: "test -format xml good.txt", code: exitMisuse, stderr: `robots test: -format "xml" must be text, json or junit`},
		{args: "test -agent a good.txt", code: exitMisuse, stderr: "robots test: -agent is for -allow-sitemap: expectations name their agents"},
		{args: "test -allow-sitemap sitemap.xml", code: exitMisuse, stderr: "robots test: -allow-sitemap needs the robots.txt to ask: name it with -f FILE"},
		{args: "test -f robots.txt -allow-sitemap sitemap.xml -agent Googlebot", code: exitNo, stdout: `
sitemap.xml:2: Googlebot must be allowed to fetch https://example.com/cart: blocked by line 2 ("Disallow: /cart", group "*")
sitemap.xml: 1 passed, 1 failed
`},
		// -f is asked, whatever the lines say; it cannot stand for two.
		{args: "test -f open.txt good.txt", code: exitNo, stdout: `
good.txt:3: Googlebot must not be allowed to fetch /cart/x: allowed, no group applies
good.txt:3: * must not be allowed to fetch /cart/x: allowed, no group applies
good.txt: 1 passed, 2 failed
`},
		{args: "test good.txt -f open.txt bad.txt", code: exitNo, stdout: `
good.txt:3: Googlebot must not be allowed to fetch /cart/x: allowed, no group applies
good.txt:3: * must not be allowed to fetch /cart/x: allowed, no group applies
good.txt: 1 passed, 2 failed
bad.txt: 1 passed, 0 failed
`},
		{args: "test -f open.txt origin.txt", code: exitNo, stdout: `
origin.txt:2: * must not be allowed to fetch ` + srv.URL + `/cart: allowed, no group applies
origin.txt: 1 passed, 1 failed
`},
		{args: "test -f none.txt good.txt", code: exitMisuse, stderr: `robots test: cannot read "none.txt": no such file or directory`},
		{args: "test -f robots.txt two.txt", code: exitMisuse, stderr: "robots test: -f robots.txt cannot stand for several robots.txt: two.txt:2 is about robots.txt, two.txt:4 is about open.txt: leave out -f, or test them one by one"},
		{args: "test -f robots.txt good.txt nofile.txt", code: exitMisuse, stderr: "robots test: -f robots.txt cannot stand for several robots.txt: good.txt:2 is about robots.txt, nofile.txt:1 is about none that is named: leave out -f, or test them one by one"},
		{args: "test -f robots.txt origin.txt good.txt", code: exitMisuse, stderr: "robots test: -f robots.txt cannot stand for several robots.txt: origin.txt:2 is about " + srv.URL + "/robots.txt, good.txt:2 is about robots.txt: leave out -f, or test them one by one"},
		{args: "test -f robots.txt same.txt", stdout: "same.txt: 2 passed, 0 failed\n"},
		{args: "test two.txt", stdout: "two.txt: 2 passed, 0 failed\n"},
		// The dialect is that of -dialect for files that the lines name, too.
		{args: "test escape.txt", stdout: "escape.txt: 1 passed, 0 failed\n"},
		{args: "test -dialect google escape.txt", code: exitNo, stdout: `
escape.txt:2: * must not be allowed to fetch /a: allowed, no rule matches
escape.txt: 0 passed, 1 failed
`},
		// Nothing is expected.
		{args: "test empty.txt", code: exitMisuse, stderr: "robots test: empty.txt:1: nothing is expected: there is no allow or block line; write one such as \"block * /cart\""},
		{args: "test -format junit good.txt idle.txt", code: exitMisuse, stderr: "robots test: idle.txt:1: nothing is expected of this robots.txt: no allow or block line follows"},
		{args: "test -json idle.txt", code: exitMisuse, stderr: "robots test: idle.txt:1: nothing is expected of this robots.txt: no allow or block line follows"},
		{args: "test -f robots.txt -allow-sitemap empty.txt", code: exitMisuse, stderr: "robots test: sitemap empty.txt: it is empty"},
		{args: "test -f robots.txt -allow-sitemap robots.txt", code: exitMisuse, stderr: `robots test: sitemap robots.txt:1: "User-agent: *" is no absolute URL`},
		{args: "test -f robots.txt -allow-sitemap '' good.txt", code: exitMisuse, stderr: `robots test: invalid value "" for flag -allow-sitemap: no file has an empty name (see: robots help test)`},
		{args: "test -f open.txt -allow-sitemap sitemap.xml -allow-sitemap urls.txt", stdout: "sitemap.xml: 2 passed, 0 failed\nurls.txt: 1 passed, 0 failed\n"},
		{args: "test ''", code: exitMisuse, stderr: "robots test: no file has an empty name"},
		{args: "test .", code: exitMisuse, stderr: `robots test: cannot read ".": is a directory`},
		{args: "test robots.txt", code: exitMisuse, stderr: `robots test: robots.txt:1: unknown word "User-agent:": a line starts with allow, block, file or origin`},
		// A byte order mark, and the line ends of Windows.
		{args: "test windows.txt", code: exitNo, stdout: `
windows.txt:2: * must be allowed to fetch /cart: blocked by line 2 ("Disallow: /cart", group "*")
windows.txt: 0 passed, 1 failed
`},
		{args: "test -f robots.txt -allow-sitemap sitemap.xml -agent A,B", code: exitMisuse, stderr: `robots test: invalid value "A,B" for flag -agent: it lists several: give the flag for each: -agent A -agent B (see: robots help test)`},
		{args: "test lists.txt", code: exitMisuse, stderr: `robots test: lists.txt:1: white space after a comma in "MyBot, Googlebot": write "MyBot,Googlebot"`},
		{args: "test -json -format junit good.txt", code: exitMisuse, stderr: "robots test: -json is -format json, and there is -format junit: give one of them"},
		{args: "test -timeout 1s good.txt", code: exitMisuse, stderr: "robots test: -user-agent and -timeout are for asking sites: there is no origin to ask"},
		{args: "test -user-agent A/1 -f open.txt origin.txt", code: exitMisuse, stderr: "robots test: -user-agent and -timeout are for asking sites: there is no origin to ask"},
		{args: "test -timeout abc origin.txt", code: exitMisuse, stderr: `robots test: invalid value "abc" for flag -timeout: give a time such as 10s or 2m (see: robots help test)`},
		{args: "test origin.txt down.txt -user-agent Down", code: exitMisuse, stderr: `robots test: origin.txt:2: "` + srv.URL + `/robots.txt" gives no rules: status 503`},
		{args: "test other.txt", code: exitMisuse, stderr: `robots test: other.txt:2: "https://b.example/" is governed by https://b.example/robots.txt, and asked is https://a.example/robots.txt: a robots.txt speaks for its own scheme, host and port`},
		{args: "test origin.txt", stdout: "origin.txt: 2 passed, 0 failed\n"},
	} {
		s.run(t)
	}
	var out, err strings.Builder
	if code := run([]string{"test", "-user-agent", "Down", "origin.txt"}, nil, &out, &err); code != exitMisuse || out.String() != "" || !strings.Contains(err.String(), "503") {
		t.Errorf("an unreachable origin: exit code %d, %q, stderr %q", code, out.String(), err.String())
	}
	out.Reset()
	if code := run([]string{"test", "-format", "junit", "bad.txt"}, nil, &out, &err); code != exitNo || !strings.Contains(out.String(), `<testsuites tests="1" failures="1"`) {
		t.Errorf("robots test -format junit: exit code %d, %q", code, out.String())
	}
}

func TestDiff(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "old.txt", "User-agent: *\nDisallow: /a\n")
	write(t, ".", "new.txt", "User-agent: *\nDisallow: /b\nDisallow: /a\n\nSitemap: https://example.com/s.xml\n")
	for _, s := range []scenario{
		{args: "diff old.txt old.txt", stdout: "*: equal (proved for all URLs)\n"},
		{args: "diff old.txt -", stdin: "user-agent: * # all\n\nallow: /b\ndisallow: /a\n", stdout: "*: equal (proved for all URLs)\n"},
		{args: "diff old.txt new.txt", code: exitNo, stdout: `
*: differs
    closed /b
        old: no rule
        new: line 2: Disallow: /b
+ Sitemap: https://example.com/s.xml
`},
		{args: "diff -json new.txt old.txt", code: exitNo,
			stdout: `{"equal":false,"agents":[{"agents":["*"],"equal":false,"opened":[{"path":"/b","shortest":true,"old":"line 2: Disallow: /b","new":"no rule"}]}],"sitemapsRemoved":["https://example.com/s.xml"]}` + "\n"},
		{args: "diff - -", stdin: "User-agent: *\nDisallow: /a\n", code: exitMisuse, stderr: "robots diff: - is the standard input, which can be read only once: name a file in the place of one -"},
		{args: "diff old.txt ''", code: exitMisuse, stderr: "robots diff: no file has an empty name"},
		{args: "diff https://example.com/robots.txt new.txt", code: exitMisuse, stderr: `robots diff: "https://example.com/robots.txt" is a URL, not a file: save what it serves, or pipe it: curl -sSfL https://example.com/robots.txt | robots diff … -`},
		{args: "diff old.txt", code: exitMisuse, stderr: "robots diff: there must be two files, not 1: write robots diff OLD NEW"},
		{args: "diff old.txt none.txt", code: exitMisuse, stderr: `robots diff: cannot read "none.txt": no such file or directory`},
	} {
		s.run(t)
	}
}
