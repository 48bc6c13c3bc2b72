package robots_test

import (
	"testing"

	"example.com/robots"
)

var matchTests = []struct {
	pattern, path string
	match         bool
}{
	// Prefixes (R15) and letter case (R14).
	{"/", "/", true},
	{"/", "/a", true},
	{"/fish", "/fish", true},
	{"/fish", "/fish.html", true},
	{"/fish", "/fish/salmon", true},
	{"/fish", "/Fish", false},
	{"/fish", "/catfish", false},
	{"/fish/", "/fish", false},
	{"/fish/", "/fish/", true},
	{"/Fish", "/Fish", true},
	{"/abcdefgh", "/abcdefgh", true},
	{"/abcdefgh", "/abcdefg", false},
	{"/abcdefghij", "/abcdefghi", false},
	{"/abcdefghij", "/abcdefghix", false},
	{"//a", "///a", false},

	// An empty pattern, and one that starts with neither "/" nor "*" (R2, G22).
	{"", "/", false},
	{"", "", false},
	{"fish", "/fish", false},
	{"?q", "/?q", false},
	{"https://example.com/x", "/x", false},
	{"$", "/", false},

	// "*" (R24, G38, G39).
	{"*", "/", true},
	{"*", "/anything?at=all", true},
	{"**", "/", true},
	{"/*", "/", true},
	{"/fish*", "/fish", true},
	{"/fish*", "/fishes", true},
	{"/a*b", "/ab", true},
	{"/a*b", "/a/x/b/c", true},
	{"/a*b", "/ba", false},
	{"/a**b", "/ab", true},
	{"*.gif", "/x/y.gif?z", true},
	{"/*/", "/a", false},
	{"/*/", "/a/", true},
	{"/*/*/", "/a/", false},
	{"/*/*/", "/a//", true},
	{"/*a*b*c", "/xaxbxc", true},
	{"/*a*b*c", "/xcxbxa", false},
	{"/*ab*ba", "/aba", false},
	{"/*ab*ba", "/abba", true},
	{"/*aab", "/aaaab", true},
	{"/*?q=", "/a?q=1", true},
	{"/*?q=", "/a?p=1&q=1", false},

	// "$" (R23).
	{"/$", "/", true},
	{"/$", "/a", false},
	{"/x$", "/x", true},
	{"/x$", "/xy", false},
	{"/x$", "/x?y", false},
	{"/*.php$", "/a.php", true},
	{"/*.php$", "/a.php5", false},
	{"/*.php$", "/a.php/b.php", true},
	{"/*a$", "/ba/a", true},
	{"/a*a$", "/a", false},
	{"*$", "/", true},
	{"/*$", "/x", true},
	{"/a*$", "/abc", true},
	{"/a$b", "/a$b", true},
	{"/a$b", "/a", false},
	{"/a$$", "/a$", true},
	{"/a$$", "/a", false},
	{"/a$*", "/a", false},
	{"/a$*", "/a$bc", true},
	{"$a", "/a", false},
	{"/*$*a", "/x$ya", true},

	// The length of the URL is kept in sight.
	{"/*abc", "/ab", false},
	{"/*abc$", "/bc", false},
	{"/ab*bc$", "/abc", false},
	{"/ab*bc$", "/abbc", true},
	{"/*ab*ab$", "/ab", false},
	{"/*ab*ab$", "/abab", true},

	// Octets that no URI may hold are escaped, escapes of unreserved ones
	// decoded, on both sides (R20, R21).
	{"/ü", "/%C3%BC", true},
	{"/ü", "/%c3%bc", true},
	{"/%c3%bc", "/ü", true},
	{"/%c3%bc", "/%C3%BC", true},
	{"/\xff", "/%FF", true},
	{"/%FF", "/\xff", true},
	{"/a b", "/a%20b", true},
	{"/a%20b", "/a b", true},
	{"/a\tb", "/a%09b", true},
	{"/{x}", "/%7Bx%7D", true},
	{"/%7bx%7d", "/{x}", true},
	{"/\"<>\\^`|", "/%22%3C%3E%5C%5E%60%7C", true},
	{"/\x7f", "/%7F", true},
	{"/%62%61%7A", "/baz", true},
	{"/baz", "/%62%61%7a", true},
	{"/%7Efoo", "/~foo", true},
	{"/~foo", "/%7efoo", true},
	{"/%2D%2e%5F", "/-._", true},
	{"/%41", "/a", false},
	{"/%2Ehtml", "/.html", true},
	{"/[x]", "/[x]", true},
	{"/[x]", "/%5Bx%5D", false},
	{"/a=b", "/a%3Db", false},
	{"/a%3Db", "/a%3db", true},
	{"/a+b", "/a%20b", false},
	{"/a,b", "/a%2Cb", false},
	{"/a@b", "/a%40b", false},

	// Stray "%".
	{"/%", "/%", true},
	{"/%zz", "/%zz", true},
	{"/%zz", "/%ZZ", false},
	{"/100%", "/100%25", true}, // a prefix of it
	{"/100%$", "/100%25", false},
	{"/100%25", "/100%", false},
	{"/%4", "/%41", false},
	{"/%%41", "/%A", true},
	{"/%e", "/%", false},

	// "%2F" is not "/" in a path, in the query it is, and so with ":" (R21 and
	// the table of section 2.2.2).
	{"/a%2Fb", "/a/b", false},
	{"/a/b", "/a%2Fb", false},
	{"/a%2Fb", "/a%2fb", true},
	{"/a:b", "/a%3Ab", false},
	{"/a%3Ab", "/a:b", false},
	{"/?u=http://a", "/?u=http%3A%2F%2Fa", true},
	{"/?u=http%3A%2F%2Fa", "/?u=http://a", true},
	{"/?u=http%3a%2f%2fa", "/?u=http:%2F/a", true},
	{"/a%3Fb%2Fc", "/a%3Fb/c", false}, // an escaped "?" starts no query
	{"/a?b?c%2F", "/a?b?c/", true},
	{"/*%2Fb", "/a%2Fb", true},
	{"/*%2Fb", "/a/b", false},
	{"/*%2Fb", "/a?x/b", true},
	{"/*%2Fb", "/a?x%2Fb", true},
	{"/*%3Ab", "/a:b", false},
	{"/*%3Ab", "/a?x:b", true},
	{"/*%2Fb$", "/a%2Fb?c", false},
	{"/*%2Fb$", "/a%2Fc?x/b", true},
	{"/*%2F*%2F", "/a%2Fb?c/d", true},
	{"/*%2F*%2F", "/a%2Fb?c", false},
	{"/*%2Fx?y%2F", "/a%2Fx?y/", true},
	{"/*%2Fx?y%2F", "/a/x?y/", false},

	// "%2A", "%24" and "%23" are the octets (R25).
	{"/a%2Ab", "/a*b", true},
	{"/a%2ab", "/a%2Ab", true},
	{"/a%2Ab", "/axb", false},
	{"/a%2A", "/a", false},
	{"/a%24", "/a$", true},
	{"/a%24", "/a%24b", true},
	{"/a%24", "/a", false},
	{"/a%23", "/a%23", true},
	{"/a*b", "/a%2Ab", true},
	{"/a$b", "/a%24b", true},
	{"/*%2A*%24", "/x*y$", true},
	{"/*%2A$", "/x*", true},
	{"/*%2A$", "/xy", false},

	// Fragments are dropped, queries kept; path is read like any URL.
	{"/a#b", "/a%23b", false},
	{"/a$", "/a#b", true},
	{"/a?b$", "/a?b#c", true},
	{"/", "", true},
	{"/", "#x", true},
	{"/x", "https://example.com/x", true},
	{"/example", "https://example.com/x", false},
	{"/x", "//example.com/x", true},
	{"/$", "https://example.com", true},
	{"/$", "https://example.com#/x", true},
	{"/?q", "https://example.com?q", true},
	{"/;p", "https://example.com;p", true},
	{"/x", "HTTP://EXAMPLE.COM/x", true},
	{"/a//b", "/a//b", true},
	{"/a/b", "/a/../a/b", false},
	{"/x", "mailto:a/x", true},
	{"/go?u=http://b/c", "/go?u=http://b/c", true},
}

func TestMatch(t *testing.T) {
	for _, tt := range matchTests {
		if got := robots.Match(tt.pattern, tt.path); got != tt.match {
			t.Errorf("Match(%q, %q) = %v, want %v", tt.pattern, tt.path, got, tt.match)
		}
		if got := refMatchPath(tt.pattern, tt.path); got != tt.match {
			t.Errorf("the reference's Match(%q, %q) = %v, want %v", tt.pattern, tt.path, got, tt.match)
		}
	}
}
