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
	for _, name := range []string{filepath.Join(dir, "none"), write("bad.txt", "allow\n"), write("lost.txt", "file none\nallow * /\n"), write("nofile.txt", "allow * /\n")} {
		r = recorder{}
		if audit.Test(&r, name); len(r.fatals) != 1 {
			t.Errorf("Test(%s): fatal %q", name, r.fatals)
		}
	}
}

func TestParseExpectations(t *testing.T) {
	e, err := audit.ParseExpectations("e", []byte("\xEF\xBB\xBF# c\r\n\r\nallow a,\"Foo Bar, x\",@search\t/x#y by 0 # c\r\nfile r.txt\nblock * https://h/ by 12\norigin https://h\nallow * /"))
	if err != nil {
		t.Fatal(err)
	}
	want := []audit.Expectation{
		{Line: 3, Allow: true, Agents: []string{"a", "Foo Bar, x", "@search"}, URL: "/x#y", By: 0},
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
		write("dir.xml", "<sitemapindex><sitemap><loc>https://example.com/</loc></sitemap></sitemapindex>"),
	} {
		if list, err := audit.SitemapExpectations(name); err == nil || !strings.HasPrefix(err.Error(), "robots: sitemap") {
			t.Errorf("SitemapExpectations(%s) = %v, %v, want an error", name, list, err)
		}
	}
}
