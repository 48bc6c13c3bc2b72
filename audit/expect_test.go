package audit_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/robots"
	"example.com/robots/audit"
	"github.com/google/go-cmp/cmp"
)

// The helper for Go tests, as a user has it.
func TestExpectations(t *testing.T) { audit.Test(t, "testdata/expect.txt") }

// A recorder is a testing.TB that takes notes.
type recorder struct{ errors, fatals []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(f string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(f, args...))
}
func (r *recorder) Fatalf(f string, args ...any) {
	r.fatals = append(r.fatals, fmt.Sprintf(f, args...))
}

func TestTestFails(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("robots.txt", "User-agent: *\nDisallow: /a\n")
	name := write("expect.txt", "file robots.txt\nallow * /a/b\nblock * /a/b by 3\nblock x /c\n")
	var r recorder
	audit.Test(&r, name)
	want := []string{
		name + `:2: * must be allowed to fetch /a/b: blocked by line 2 ("Disallow: /a", group "*")`,
		name + `:3: line 3 was to decide about /a/b for *: blocked by line 2 ("Disallow: /a", group "*")`,
		name + `:4: x must not be allowed to fetch /c: allowed, ` + robots.ReasonNoRule.String(),
	}
	if diff := cmp.Diff(want, r.errors); diff != "" || len(r.fatals) > 0 {
		t.Errorf("errors (-want +got):\n%s\nfatal: %q", diff, r.fatals)
	}
	for _, name := range []string{filepath.Join(dir, "none"), write("bad.txt", "allow\n"), write("lost.txt", "file none\nallow * /\n"), write("nofile.txt", "allow * /\n"), write("empty.txt", ""), write("nothing.txt", "file robots.txt\n")} {
		r = recorder{}
		if audit.Test(&r, name); len(r.fatals) != 1 {
			t.Errorf("Test(%s): fatal %q", name, r.fatals)
		}
	}
}

func TestParseExpectations(t *testing.T) {
	e, err := audit.ParseExpectations("e", []byte("\xEF\xBB\xBF# c\r\n\r\nallow a,\"Foo/1 (Bar, x)\",@search\t/x#y by 0 # c\r\nfile r.txt\nblock * https://h/ by 12\norigin https://h\nallow * /"))
	if err != nil {
		t.Fatal(err)
	}
	want := []audit.Expectation{
		{Line: 3, Allow: true, Agents: []string{"a", "Foo/1 (Bar, x)", "@search"}, URL: "/x#y", By: 0},
		{Line: 5, Agents: []string{"*"}, URL: "https://h/", By: 12, File: "r.txt"},
		{Line: 7, Allow: true, Agents: []string{"*"}, URL: "/", By: -1, Origin: "https://h"},
	}
	if diff := cmp.Diff(want, e.List); diff != "" {
		t.Errorf("ParseExpectations (-want +got):\n%s", diff)
	}
	for _, text := range []string{
		"alow * /", "allow *", "allow * / by", "allow * / by x", "allow * / by -1", "allow * / near 3", "allow * / x",
		"allow a,,b /", "allow , /", "allow @nobody /", "allow * x", "disallow * /", "file", "file a b", "origin example.com",
		`allow "a /`, "\x00",
	} {
		_, err := audit.ParseExpectations("e.txt", []byte("\n"+text+"\n"))
		var x *audit.ExpectationError
		if !errors.As(err, &x) || x.Line != 2 || !strings.HasPrefix(err.Error(), "robots: e.txt:2: ") {
			t.Errorf("ParseExpectations(%q) = %v, want an error of line 2", text, err)
		}
	}
}

// What expects nothing, or something else than it looks like, is an error that
// says so.
func TestExpectationErrors(t *testing.T) {
	for _, test := range []struct {
		text string
		line int
		want string
	}{
		{"", 1, `nothing is expected: there is no allow or block line; write one such as "block * /cart"`},
		{"\xEF\xBB\xBF", 1, `nothing is expected: there is no allow or block line; write one such as "block * /cart"`},
		{"# allow * /\n\n", 1, `nothing is expected: there is no allow or block line; write one such as "block * /cart"`},
		{"# c\nfile robots.txt\n# allow * /\n", 2, "nothing is expected of this robots.txt: no allow or block line follows"},
		{"file a\nfile b\nallow * /", 1, "nothing is expected of this robots.txt: no allow or block line follows"},
		{"file a\nallow * /\norigin https://h", 3, "nothing is expected of this robots.txt: no allow or block line follows"},
		{"file a\rallow * /\r\norigin https://h\r", 3, "nothing is expected of this robots.txt: no allow or block line follows"},

		{"allow MyBot, Googlebot /x", 1, `white space after a comma in "MyBot, Googlebot": write "MyBot,Googlebot"`},
		{"allow MyBot ,Googlebot , a /x by 3", 1, `white space after a comma in "MyBot ,Googlebot , a": write "MyBot,Googlebot,a"`},
		{"allow my bot /x", 1, `"bot" is no URL: want "allow AGENTS URL"; agents are separated by commas without spaces, and one with spaces in it stands in double quotes`},
		{`allow a, "b c" /x`, 1, `"\"b" is no URL: want "allow AGENTS URL"; agents are separated by commas without spaces, and one with spaces in it stands in double quotes`},
		{"allow a, /x", 1, `an empty agent in "a,"`},
		{"allow * / /x", 1, `got 4 words: want "allow AGENT URL" or "allow AGENT URL by LINE"`},
		{"allow a,bot! /", 1, `agent "bot!": there is no product token in it: give one such as Googlebot, of letters, digits and ._-`},
		{"allow My!Bot /", 1, `agent "My!Bot": it is neither a product token, of letters, digits and ._-, nor a User-Agent header such as MyBot/1.0: of it only "My" would count; give that, if it is meant`},
		{`block "a,b" /`, 1, `agent "a,b": it lists several, and one is wanted: give each by itself`},
		{"allow https://h/x /", 1, `agent "https://h/x": there is no product token in it: give one such as Googlebot, of letters, digits and ._-`},
		{"allow @bots /", 1, `agent "@bots": there is no such class: the classes are @other, @search, @ads, @ai-training, @ai-user, @seo, @archive, @preview`},

		{"allow * h/?u=https://h/", 1, `"h/?u=https://h/" is neither a path nor an absolute URL`},
		{"allow * https:///x", 1, `"https:///x" is neither a path nor an absolute URL`},
		{"file https://h/robots.txt\nallow * /", 1, `file "https://h/robots.txt" is a URL: write "origin https://h/robots.txt"`},
		{"origin https://\nallow * /", 1, `origin: URL "https://" has no host`},
		{"origin https://A.example:443/x\nallow * https://a.example/x\nallow * //a.example\nallow * /\nallow * http://a.example/", 5,
			`"http://a.example/" is governed by http://a.example/robots.txt, and asked is https://a.example/robots.txt: a robots.txt speaks for its own scheme, host and port`},
		{"origin https://a.example\nallow * //b.example/", 2,
			`"//b.example/" is governed by https://b.example/robots.txt, and asked is https://a.example/robots.txt: a robots.txt speaks for its own scheme, host and port`},
		{"origin https://a.example\nallow * ftp://a.example/", 2,
			`"ftp://a.example/" is governed by no robots.txt, and asked is https://a.example/robots.txt: a robots.txt speaks for its own scheme, host and port`},
	} {
		e, err := audit.ParseExpectations("e.txt", []byte(test.text))
		var x *audit.ExpectationError
		if !errors.As(err, &x) || x.Line != test.line || x.Text != test.want {
			t.Errorf("ParseExpectations(%q) = %+v, %v, want an error of line %d: %s", test.text, e, err, test.line, test.want)
		}
	}
}

// Agents that stand for nobody are an error, not a success, if they do not come
// from ParseExpectations.
func TestRunNobody(t *testing.T) {
	open := func(audit.Expectation) (audit.Explainer, error) { return robots.Parse(nil), nil }
	for _, agents := range [][]string{nil, {"@nobody"}, {"*", "@"}} {
		e := audit.Expectations{Name: "e", List: []audit.Expectation{{Line: 7, Allow: true, Agents: agents, URL: "/", By: -1}}}
		var x *audit.ExpectationError
		if results, err := e.Run(open); !errors.As(err, &x) || x.Line != 7 {
			t.Errorf("Run of agents %q = %v, %v, want an error of line 7", agents, results, err)
		}
	}
	for _, agent := range []string{"", "a,b", "@nobody"} {
		var x *audit.AgentError
		if list, err := audit.SitemapExpectations("none.xml", agent); !errors.As(err, &x) || x.Agent != agent {
			t.Errorf("SitemapExpectations(…, %q) = %v, %v, want an error of the agent", agent, list, err)
		}
	}
}

func FuzzParseExpectations(f *testing.F) {
	f.Add("allow * /\nfile x\nblock a,\"b c\" / by 3")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := audit.ParseExpectations("e", []byte(text))
		if err != nil {
			return
		}
		file := robots.Parse([]byte("User-agent: *\nDisallow: /a\n"))
		_, err = e.Run(func(audit.Expectation) (audit.Explainer, error) { return file, nil })
		if err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestSitemapExpectations(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		data := []byte(text)
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write(data)
			z.Close()
			data = b.Bytes()
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("a.xml", `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://example.com/1?a=1&amp;b=2 </loc>
 <image:image><image:loc>https://example.com/no.png</image:loc></image:image></url>
<url>
<loc>https://example.com/2</loc></url>
</urlset>`)
	write("b.xml.gz", "\xEF\xBB\xBF<urlset><url><loc>https://example.com/3</loc></url></urlset>")
	index := write("index.xml", `<sitemapindex><sitemap><loc>https://example.com/maps/a.xml</loc></sitemap>
<sitemap><loc>https://example.com/b.xml.gz</loc></sitemap></sitemapindex>`)
	list, err := audit.SitemapExpectations(index, "Googlebot", "*")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		for _, x := range e.List {
			got = append(got, fmt.Sprintf("%s:%d %v %s", filepath.Base(e.Name), x.Line, x.Agents, x.URL))
		}
	}
	want := []string{"a.xml:3 [Googlebot *] https://example.com/1?a=1&b=2", "a.xml:6 [Googlebot *] https://example.com/2", "b.xml.gz:1 [Googlebot *] https://example.com/3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("SitemapExpectations (-want +got):\n%s", diff)
	}
	list, err = audit.SitemapExpectations(write("s.txt", "https://example.com/1\r\n\nhttps://example.com/2\n"))
	if err != nil || len(list) != 1 || len(list[0].List) != 2 || list[0].List[1].Line != 3 {
		t.Errorf("plain text: %+v, %v", list, err)
	}
	for _, name := range []string{
		filepath.Join(dir, "none.xml"),
		write("html.xml", "<html></html>"),
		write("cut.xml", "<urlset><url><loc>https://example.com/"),
		write("broken.gz.xml", "\x1f\x8bxxxxxxxxxxxx"),
		write("lost.xml", "<sitemapindex><sitemap><loc>https://example.com/lost2.xml</loc></sitemap></sitemapindex>"),
		write("self.xml", "<sitemapindex><sitemap><loc>https://example.com/self.xml</loc></sitemap></sitemapindex>"),
		write("up.xml", "<sitemapindex><sitemap><loc>https://example.com/..</loc></sitemap></sitemapindex>"),
		write("empty.txt", "\n"),
		write("nothing.xml", "<urlset></urlset>"),
		write("nothings.xml", "<sitemapindex><sitemap><loc>https://example.com/nothing.xml</loc></sitemap></sitemapindex>"),
		write("robots.txt", "User-agent: *\nDisallow:\n"),
		write("relative.xml", "<urlset><url><loc>example.com/x</loc></url></urlset>"),
		"https://example.com/sitemap.xml",
		write("dir.xml", "<sitemapindex><sitemap><loc>https://example.com/</loc></sitemap></sitemapindex>"),
	} {
		if list, err := audit.SitemapExpectations(name); err == nil || !strings.HasPrefix(err.Error(), "robots: sitemap") {
			t.Errorf("SitemapExpectations(%s) = %v, %v, want an error", name, list, err)
		}
	}
}
