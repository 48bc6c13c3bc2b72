package robots_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"example.com/robots"
)

// The vectors U1 to U10 are G4 to G12: a file is about one scheme, host and
// port. Every line below gives the one key of all spellings of an origin.
var locations = []struct{ in, want string }{
	{"https://example.com/a", "https://example.com/robots.txt"},                                          // U1
	{"http://example.com/", "http://example.com/robots.txt"},                                             // U2
	{"https://example.com:8181/x", "https://example.com:8181/robots.txt"},                                // U3
	{"https://shop.www.example.com/", "https://shop.www.example.com/robots.txt"},                         // U4
	{"https://example.com/folder/x", "https://example.com/robots.txt"},                                   // U5
	{"https://www.exämple.com/", "https://www.xn--exmple-cua.com/robots.txt"},                            // U6
	{"https://212.96.82.21/", "https://212.96.82.21/robots.txt"},                                         // U8
	{"https://example.com:443/", "https://example.com/robots.txt"},                                       // U9
	{"https://example.com:444/", "https://example.com:444/robots.txt"},                                   // U10
	{"http://example.com:80/", "http://example.com/robots.txt"},                                          // U9
	{"http://example.com:443/", "http://example.com:443/robots.txt"},                                     // U10
	{"https://example.com", "https://example.com/robots.txt"},                                            // no path
	{"https://example.com?x=1", "https://example.com/robots.txt"},                                        // no path, query
	{"https://example.com#top", "https://example.com/robots.txt"},                                        // no path, fragment
	{"https://example.com/%zz%", "https://example.com/robots.txt"},                                       // path out of form
	{"https://example.com/a b\x00", "https://example.com/robots.txt"},                                    // the same
	{"https://example.com/@evil.test/", "https://example.com/robots.txt"},                                // @ in the path
	{"https://example.com?@evil.test/", "https://example.com/robots.txt"},                                // @ in the query
	{"HTTPS://EXAMPLE.com/x", "https://example.com/robots.txt"},                                          // case
	{"https://Example.COM:0443/x", "https://example.com/robots.txt"},                                     // zeros in the port
	{"https://example.com:/x", "https://example.com/robots.txt"},                                         // empty port
	{"https://u:p@example.com/x", "https://example.com/robots.txt"},                                      // user information
	{"https://u@v@example.com/x", "https://example.com/robots.txt"},                                      // the last @ counts
	{"https://u:p@example.com:8443/x", "https://example.com:8443/robots.txt"},                            // and a port
	{"https://example.com./x", "https://example.com./robots.txt"},                                        // trailing dot
	{"https://foo_bar.example.com/", "https://foo_bar.example.com/robots.txt"},                           // underscore
	{"https://r3---sn-x.example.com/", "https://r3---sn-x.example.com/robots.txt"},                       // hyphens
	{"https://EXÄMPLE.com/", "https://xn--exmple-cua.com/robots.txt"},                                    // case beyond ASCII
	{"https://xn--EXMPLE-CUA.com/", "https://xn--exmple-cua.com/robots.txt"},                             // A-label in another case
	{"https://ex%C3%A4mple.com/", "https://xn--exmple-cua.com/robots.txt"},                               // escaped
	{"https://ex%61mple.com/", "https://example.com/robots.txt"},                                         // the same
	{"https://exa\u0308mple.com/", "https://xn--exmple-cua.com/robots.txt"},                              // decomposed
	{"https://example。com/", "https://example.com/robots.txt"},                                           // ideographic dot
	{"https://ｅｘａｍｐｌｅ.com/", "https://example.com/robots.txt"},                                           // full width
	{"https://straße.example/", "https://xn--strae-oqa.example/robots.txt"},                              // not transitional
	{"http://１２７.0.0.1/", "http://127.0.0.1/robots.txt"},                                                 // an address in full width
	{"http://[2001:DB8:0:0::1]/x", "http://[2001:db8::1]/robots.txt"},                                    // IPv6
	{"http://[2001:db8::1]:80/x", "http://[2001:db8::1]/robots.txt"},                                     // IPv6, default port
	{"https://[::1]:8443", "https://[::1]:8443/robots.txt"},                                              // IPv6, port
	{"http://[::ffff:192.0.2.1]/", "http://[::ffff:192.0.2.1]/robots.txt"},                               // IPv4 in IPv6
	{"http://localhost:8080/", "http://localhost:8080/robots.txt"},                                       // one label
	{"http://4chan.example/", "http://4chan.example/robots.txt"},                                         // digits first
	{"http://example.4you/", "http://example.4you/robots.txt"},                                           // a last label that is no number
	{"http://" + strings.Repeat("a", 63) + ".b/", "http://" + strings.Repeat("a", 63) + ".b/robots.txt"}, // the longest label
}

var badLocations = []string{
	"", "/", "/x/y", "x", "example.com", "example.com/x", "//example.com/x",
	"ftp://example.com/x", // U7, G9: an ftp origin has a file of its own, which is not to be had by HTTP
	"mailto:a@example.com", "file:///etc/robots.txt", "javascript:alert(1)", "data:,x",
	"http:", "http:/", "http:/example.com", "http://", "http:///x", "http://?x", "http://#x", "http://:80/", "http://@/", "http://u:p@/",
	"https:example.com", "https//example.com/", " https://example.com/", "https ://example.com/", "\thttps://example.com/",
	"http://[::1", "http://[::1]x/", "http://[]/", "http://[1.2.3.4]/", "http://[fe80::1%25eth0]/", "http://[v1.x]/", "http://::1/",
	"http://example.com:x/", "http://example.com:-1/", "http://example.com:+80/", "http://example.com:0/", "http://example.com:65536/",
	"http://example.com:80:80/", "http://example.com:99999999999999999999/",
	"http://a b/", "http://a\x00b/", "http://a\tb/", "http://a\nb/", "http://exa<mple.com/", `http://example.com\admin`, `http://example.com\@evil.test/`,
	"http://exa$mple.com/", "http://exa%20mple.com/", "http://exa%2Fmple.com/", "http://exa%zzmple.com/", "http://exa%", "http://a%00b/",
	"http://./", "http://../", "http://.example.com/", "http://a..b/", "http://example.com../",
	"http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0x7f000001/", "http://0177.0.0.1/", "http://1.2.3.4.5/", "http://1.2.3.256/", "http://1.2.3.4./", "http://example.1/",
	"http://xn--a\u00e4.com/", "http://\xff\xfe/", "http://a\uFFFDb/", "http://a\U0010FFFFb/",
	"http://" + strings.Repeat("a", 64) + ".com/", "http://" + strings.Repeat("a.", 127) + "a/", "http://" + strings.Repeat("ä", 1<<16) + "/",
}

func TestLocate(t *testing.T) {
	for _, tt := range locations {
		if got, err := robots.Locate(tt.in); got != tt.want || err != nil {
			t.Errorf("Locate(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
		if got, err := robots.Locate(tt.want); got != tt.want || err != nil {
			t.Errorf("Locate(%q) = %q, %v, want it as it is", tt.want, got, err)
		}
	}
}

func TestLocateErrors(t *testing.T) {
	for _, in := range badLocations {
		got, err := robots.Locate(in)
		var bad *robots.URLError
		if got != "" || !errors.As(err, &bad) {
			t.Errorf("Locate(%.80q) = %q, %v, want a *URLError", in, got, err)
			continue
		}
		if bad.URL != in {
			t.Errorf("Locate(%.80q): error has URL %.80q", in, bad.URL)
		}
		if msg := err.Error(); !strings.HasPrefix(msg, "robots: URL \"") || len(msg) > 2000 {
			t.Errorf("Locate(%.80q): error %q does not name the value in reasonable length", in, msg)
		}
	}
}

func TestLocateAllocs(t *testing.T) {
	const page = "https://www.example.com/some/page?q=1"
	if n := testing.AllocsPerRun(100, func() { robots.Locate(page) }); n > 1 {
		t.Errorf("Locate(%q) allocates %v times, want the result alone", page, n)
	}
}

func FuzzLocate(f *testing.F) {
	for _, tt := range locations {
		f.Add(tt.in)
	}
	for _, in := range badLocations {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := robots.Locate(in)
		slow, slowErr := robots.LocateSlow(in)
		if got != slow || (err == nil) != (slowErr == nil) {
			t.Fatalf("Locate(%q) = %q, %v, but the long way %q, %v", in, got, err, slow, slowErr)
		}
		if err != nil {
			if got != "" {
				t.Fatalf("Locate(%q) = %q with an error", in, got)
			}
			return
		}
		if again, err := robots.Locate(got); again != got || err != nil {
			t.Fatalf("Locate(%q) = %q, and of that %q, %v", in, got, again, err)
		}
		u, err := url.Parse(got)
		if err != nil || u.Path != "/robots.txt" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			t.Fatalf("Locate(%q) = %q, which parses to %#v, %v", in, got, u, err)
		}
		if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(u.Hostname()) > 254 {
			t.Fatalf("Locate(%q) = %q, whose scheme or host is not usable", in, got)
		}
		for _, c := range []byte(got) {
			if c <= ' ' || c >= 0x7f || 'A' <= c && c <= 'Z' {
				t.Fatalf("Locate(%q) = %q, which is not in normal form", in, got)
			}
		}
	})
}

func BenchmarkLocate(b *testing.B) {
	for _, bb := range []struct{ name, url string }{
		{"plain", "https://www.example.com/some/page?q=1"},
		{"port", "https://www.example.com:8443/some/page?q=1"},
		{"idn", "https://www.exämple.com/some/page?q=1"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				robots.Locate(bb.url)
			}
		})
	}
}
