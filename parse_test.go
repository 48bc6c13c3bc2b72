package robots_test

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/robots"
	"github.com/google/go-cmp/cmp"
)

var (
	_ encoding.TextAppender    = (*robots.File)(nil)
	_ encoding.TextMarshaler   = (*robots.File)(nil)
	_ encoding.TextUnmarshaler = (*robots.File)(nil)
)

func TestRecords(t *testing.T) {
	f := robots.Parse([]byte("\uFEFFUser-agent: a # b\r\n\r\n Key : a : b \rno record\n:x\nx:\nDisallow /p\n#\nSitemap:http://x/#y\nkey\tvalue"))
	want := []robots.Record{
		{Line: 1, Key: "User-agent", Value: "a"},
		{Line: 3, Key: "Key", Value: "a : b"},
		{Line: 4, Key: "no", Value: "record"},
		{Line: 6, Key: "x", Value: ""},
		{Line: 7, Key: "Disallow", Value: "/p"},
		{Line: 9, Key: "Sitemap", Value: "http://x/"},
		{Line: 10, Key: "key", Value: "value"},
	}
	if diff := cmp.Diff(want, slices.Collect(f.Records())); diff != "" {
		t.Errorf("Records() (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"http://x/"}, slices.Collect(f.Sitemaps())); diff != "" {
		t.Errorf("Sitemaps() (-want +got):\n%s", diff)
	}
}

// TestParseCopies makes sure that a File does not change with the data.
func TestParseCopies(t *testing.T) {
	data := []byte("User-agent: a\nDisallow: /x\n")
	f := robots.Parse(data)
	for i := range data {
		data[i] = 'z'
	}
	if f.Allowed("a", "/x") || strings.Contains(f.String(), "z") {
		t.Errorf("the File changed with the data: %q", f)
	}
}

// TestLimit cuts a file at every offset (R39). What is left must be the lines
// that are whole, and that which is cut within its comment.
func TestLimit(t *testing.T) {
	const body = "User-agent: a\r\nDisallow: /x # c\n# d\rAllow: /y\x00z\n\r\nDisallow: /abc"
	// kept are the offsets at which a line and, if it has one, its line end
	// are whole, or its comment has begun.
	kept := func(n int) int {
		n = min(n, len(body))
		if n == len(body) || body[n] == '\n' || body[n] == '\r' {
			return n
		}
		start := 1 + max(strings.LastIndex(body[:n], "\n"), strings.LastIndex(body[:n], "\r"))
		if strings.ContainsAny(body[start:n], "#\x00") {
			return n
		}
		return start
	}
	for _, d := range bothDialects {
		for n := 1; n <= len(body)+1; n++ {
			p := robots.Parser{Dialect: d, MaxBytes: n}
			f := p.Parse([]byte(body))
			if got, want := f.String(), body[:kept(n)]; got != want {
				t.Errorf("%v: limit %d: String() = %q, want %q", d, n, got, want)
			}
			if got, want := f.Truncated(), n < len(body); got != want {
				t.Errorf("%v: limit %d: Truncated() = %v, want %v", d, n, got, want)
			}
			// The rules that are left are rules of the whole file.
			for g := range f.Groups() {
				for r := range g.Rules() {
					if !slices.Contains([]string{"/x", "/y", "/abc"}, r.Pattern) {
						t.Errorf("%v: limit %d: rule %q", d, n, r)
					}
				}
			}
			for name, read := range readers {
				r, err := p.ParseReader(read(strings.NewReader(body)))
				if err != nil {
					t.Errorf("%v: limit %d: ParseReader through %s: %v", d, n, name, err)
				}
				if diff := cmp.Diff(dumpFile(f), dumpFile(r)); diff != "" {
					t.Errorf("%v: limit %d: Parse and ParseReader through %s differ (-Parse +ParseReader):\n%s", d, n, name, diff)
				}
			}
		}
	}
}

var readers = map[string]func(io.Reader) io.Reader{
	"whole":         func(r io.Reader) io.Reader { return r },
	"OneByteReader": iotest.OneByteReader,
	"HalfReader":    iotest.HalfReader,
	"DataErrReader": iotest.DataErrReader,
}

func TestDefaultLimit(t *testing.T) {
	if robots.MaxBytes != 512000 {
		t.Errorf("MaxBytes = %d, want 512000", robots.MaxBytes)
	}
	const rule = "User-agent: a\nDisallow: /x\n"
	for _, tt := range []struct {
		size           int
		max            int
		truncated, hit bool
	}{
		{robots.MaxBytes, 0, false, true},
		{robots.MaxBytes + 1, 0, true, false}, // the rule is cut
		{robots.MaxBytes + 1, -1, false, true},
		{robots.MaxBytes + 1, robots.MaxBytes + 1, false, true},
		{robots.MaxBytes, 1, true, false},
	} {
		body := strings.Repeat("#", tt.size-len(rule)) + "\n" + rule[:len(rule)-1] // the rule ends the file
		for _, d := range bothDialects {
			p := robots.Parser{Dialect: d, MaxBytes: tt.max}
			f := p.Parse([]byte(body))
			r, err := p.ParseReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []*robots.File{f, r} {
				if f.Truncated() != tt.truncated || f.Allowed("a", "/x") == tt.hit {
					t.Errorf("%v: %d octets, MaxBytes %d: Truncated() = %v, Allowed = %v, want %v, %v",
						d, tt.size, tt.max, f.Truncated(), f.Allowed("a", "/x"), tt.truncated, !tt.hit)
				}
			}
		}
	}
}

// TestGoogleLineAtLimit cuts in the part of a line that Google's parser does
// not look at, so that what was cut off changes nothing (S9).
func TestGoogleLineAtLimit(t *testing.T) {
	const head = "User-agent: a\n"
	body := head + "Disallow: /x" + strings.Repeat("y", 20000)
	rules := func(p robots.Parser) []robots.Rule {
		return slices.Collect(p.Parse([]byte(body)).Group("a").Rules())
	}
	whole := rules(robots.Parser{Dialect: robots.Google})
	if n := len(whole[0].Pattern); n != 16663-len("Disallow: ") {
		t.Errorf("a rule of %d octets", n)
	}
	for n := 16600; n < 16750; n++ {
		got := rules(robots.Parser{Dialect: robots.Google, MaxBytes: len(head) + n})
		if len(got) > 0 && !slices.Equal(got, whole) || len(got) == 0 && n > 16670 {
			t.Errorf("limit %d octets into the line: %d rules, want the one of the whole file, or none before 16,670", n, len(got))
		}
	}
}

// TestGoogleLongLines reads lines of about the length at which Google's parser
// cuts them (S9), wherever their length comes from.
func TestGoogleLongLines(t *testing.T) {
	const longest = 16663
	for _, tt := range []struct{ before, fill, after string }{
		{"Disallow: /", "a", ""},
		{"Disallow: /", "a", "b \t"},
		{"Disallow: /", "a", " b"},
		{"Disallow: /", "a", "\r"},
		{"Disallow: /", "a", "# b"},
		{"Disallow: /x", " ", "b"},
		{"Disallow: /x", " ", "#b"},
		{"Disallow:", " ", "/b"},
		{"Allow:", "\t", "/b"},
		{"Allow: /é", "a", "é"},
		{"", " ", "Disallow: /b"},
	} {
		for n := longest - 150; n < longest+20; n++ {
			line := tt.before + strings.Repeat(tt.fill, n-len(tt.before)) + tt.after
			seen := strings.TrimSuffix(line, "\r")
			seen, _, _ = strings.Cut(seen[:min(len(seen), longest)], "#")
			_, want, ok := strings.Cut(seen, ":")
			want = strings.TrimSpace(want)
			body := "User-agent: a\n" + line + "\nAllow: /z\n" + strings.Repeat("\n", 100)
			var got []string
			for r := range (robots.Parser{Dialect: robots.Google}).Parse([]byte(body)).Group("a").Rules() {
				got = append(got, r.Pattern)
			}
			all := []string{want, "/z"}
			if !ok {
				all = all[1:]
			}
			if !slices.Equal(got, all) {
				t.Errorf("%q, %d times %q, %q: patterns of %d octets, want %d", tt.before, n-len(tt.before), tt.fill, tt.after, len(got[0]), len(all[0]))
			}
		}
	}
	// The same for whom a line names: as much as is seen of it, or everybody, or
	// nobody (S5, S6, S8).
	for _, value := range []string{"abcdef", "a-b c", "*", "*bot", "*/", "*\x01", "* b", "*\t", "*#", "*\x00", "\vabc", "\v*", "9a", "é", ""} {
		for n := longest - 30; n < longest+20; n++ {
			line := "User-agent:" + strings.Repeat(" ", n-len("User-agent:")) + value
			_, seen, _ := strings.Cut(line[:min(len(line), longest)], ":")
			seen, _, _ = strings.Cut(seen, "#")
			seen, _, _ = strings.Cut(seen, "\x00")
			seen = strings.TrimSpace(seen)
			want := seen[:len(seen)-len(strings.TrimLeft(seen, "abcdef-"))]
			if seen == "*" || strings.HasPrefix(seen, "* ") || strings.HasPrefix(seen, "*\t") {
				want = "*"
			}
			got := ""
			f := robots.Parser{Dialect: robots.Google}.Parse([]byte(line + "\nDisallow: /\n"))
			for g := range f.Groups() {
				for got = range g.Agents() {
				}
			}
			if got != want {
				t.Errorf("%q behind %d octets: names %q, want %q", value, n, got, want)
			}
		}
	}
	// And if the token itself is as long.
	for n := longest - 50; n < longest+20; n++ {
		line := "User-agent: a" + strings.Repeat("a", n-13) + "bcdef"
		f := robots.Parser{Dialect: robots.Google}.Parse([]byte(line + "\nDisallow: /\n" + strings.Repeat("\n", 100)))
		for g := range f.Groups() {
			for token := range g.Agents() {
				if want := min(len(line), longest) - len("User-agent: "); len(token) != want {
					t.Errorf("a token of %d octets, want %d", len(token), want)
				}
			}
		}
	}
}

// A countingReader counts the octets that are read from it.
type countingReader struct {
	r io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// endless is a file without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

func TestParseReaderStopsAtLimit(t *testing.T) {
	for _, limit := range []int{0, 1, 100, 4096, 1 << 20} {
		want := limit
		if limit == 0 {
			want = robots.MaxBytes
		}
		r := &countingReader{r: endless{}}
		f, err := robots.Parser{MaxBytes: limit}.ParseReader(r)
		if err != nil || !f.Truncated() || len(f.String()) != want {
			t.Errorf("MaxBytes %d: error %v, Truncated() = %v, %d octets", limit, err, f.Truncated(), len(f.String()))
		}
		if r.n > want+1 {
			t.Errorf("MaxBytes %d: %d octets read, want %d at most", limit, r.n, want+1)
		}
	}
}

func TestParseReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct{ before, want string }{
		{"", ""},
		{"User-agent: a\nDisallow: /x\n", "User-agent: a\nDisallow: /x\n"},
		{"User-agent: a\nDisallow: /x\nDisallow: /pri", "User-agent: a\nDisallow: /x\n"},
		{"User-agent: a\nDisallow: /x # comm", "User-agent: a\nDisallow: /x # comm"},
		{"User-agent: a\nDisallow: /x\r", "User-agent: a\nDisallow: /x\r"},
	} {
		for name, read := range readers {
			f, err := robots.ParseReader(read(io.MultiReader(strings.NewReader(tt.before), iotest.ErrReader(broken))))
			if !errors.Is(err, broken) {
				t.Errorf("ParseReader of %q and an error, through %s: error %v, want %v", tt.before, name, err, broken)
			}
			if f == nil || f.String() != tt.want || f.Truncated() {
				t.Errorf("ParseReader of %q and an error, through %s: file %q, want %q", tt.before, name, f, tt.want)
			}
		}
	}

	// A reader that gives neither octets nor an error.
	f, err := robots.ParseReader(idle{})
	if !errors.Is(err, io.ErrNoProgress) || f == nil {
		t.Errorf("ParseReader of nothing for ever: %v, %v, want io.ErrNoProgress and a File", f, err)
	}
	// One that does so now and then will do.
	if f, err := robots.ParseReader(&stutter{text: "User-agent: a\nDisallow: /x\n"}); err != nil || f.Allowed("a", "/x") {
		t.Errorf("ParseReader of a stuttering reader: %q, %v", f, err)
	}
	// An error past the limit is not met.
	p := robots.Parser{MaxBytes: 3}
	if _, err := p.ParseReader(iotest.OneByteReader(io.MultiReader(strings.NewReader("#abc"), iotest.ErrReader(broken)))); err != nil {
		t.Errorf("ParseReader with an error past the limit: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// A stutter gives nothing at two reads of three.
type stutter struct {
	text string
	n    int
}

func (s *stutter) Read(p []byte) (int, error) {
	if s.n++; s.n%3 != 0 {
		return 0, nil
	}
	if s.text == "" {
		return 0, io.EOF
	}
	p[0] = s.text[0]
	s.text = s.text[1:]
	return 1, nil
}

func TestText(t *testing.T) {
	const body = "\uFEFFUser-agent: a\r\nDisallow: /x\x00\n\xff"
	for _, d := range bothDialects {
		f := robots.Parser{Dialect: d}.Parse([]byte(body))
		if got := f.String(); got != body {
			t.Errorf("%v: String() = %q, want %q", d, got, body)
		}
		if got, err := f.AppendText([]byte("x")); string(got) != "x"+body || err != nil {
			t.Errorf("%v: AppendText(x) = %q, %v, want %q", d, got, err, "x"+body)
		}
		text, err := f.MarshalText()
		if string(text) != body || err != nil {
			t.Errorf("%v: MarshalText() = %q, %v, want %q", d, text, err, body)
		}
		clear(text)
		if got := f.String(); got != body {
			t.Errorf("%v: String() after a change of the marshalled text = %q", d, got)
		}
	}

	// The dialect and what was in the File before.
	f := robots.Parser{Dialect: robots.Google, MaxBytes: 8}.Parse([]byte("User-agent: b\nDisallow: /b\n"))
	if err := f.UnmarshalText([]byte("User-agent: a\nDisallow: /%61\n")); err != nil || f.Truncated() {
		t.Errorf("UnmarshalText: %v, Truncated() = %v", err, f.Truncated())
	}
	if !f.Allowed("a", "/a") || !f.Allowed("b", "/b") || f.Allowed("a", "/%61") {
		t.Errorf("UnmarshalText of the google dialect gave %+v", dumpFile(f))
	}
	var zero robots.File
	if err := zero.UnmarshalText([]byte("User-agent: a\nDisallow: /%61\n")); err != nil || zero.Allowed("a", "/a") {
		t.Errorf("UnmarshalText into the zero File: %v, %+v", err, dumpFile(&zero))
	}
	big := bytes.Repeat([]byte("\n"), robots.MaxBytes+1)
	if err := zero.UnmarshalText(big); err != nil || zero.Truncated() || zero.String() != string(big) {
		t.Errorf("UnmarshalText of %d octets: %v, %d octets", len(big), err, len(zero.String()))
	}
}

func TestDialectString(t *testing.T) {
	for d, want := range map[robots.Dialect]string{robots.RFC9309: "rfc9309", robots.Google: "google", 77: "rfc9309"} {
		if got := d.String(); got != want {
			t.Errorf("Dialect(%d).String() = %q, want %q", d, got, want)
		}
	}
	// An unknown dialect is read as the RFC's.
	if robots.Parse([]byte("User-agent: a\nDisallow: /%61")).Allowed("a", "/a") ||
		(robots.Parser{Dialect: 77}).Parse([]byte("User-agent: a\nDisallow: /%61")).Allowed("a", "/a") {
		t.Error("an unknown dialect is not read as RFC9309")
	}
}

// TestLongLines reads lines as long as the file (the google dialect cuts them,
// see S9) of every shape.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, body := range []string{
		"User-agent: a\nDisallow: /" + long + "\n",
		"User-agent: a\n" + strings.Repeat(" ", 100_000) + "Disallow: /" + long + "\n",
		"User-agent: a\nDisallow:" + strings.Repeat(" ", 100_000) + "/" + long + strings.Repeat("\t", 100_000) + "# " + long,
	} {
		f := robots.Parse([]byte(body))
		if d := f.Explain("a", "/"+long); d.Allowed || d.Rule.Line != 2 || d.Rule.Pattern != "/"+long {
			t.Errorf("a line of %d octets: allowed %v by line %d", len(body), d.Allowed, d.Rule.Line)
		}
		if !f.Allowed("a", "/"+long[1:]) {
			t.Errorf("a line of %d octets: a shorter URL is disallowed", len(body))
		}
	}
	f := robots.Parse([]byte("User-agent: " + long + "\nDisallow: /\n"))
	if f.Allowed(long, "/") || !f.Allowed(long[1:], "/") {
		t.Error("a token of 100,000 octets")
	}
}

// TestFieldsOfEveryLength puts field names of all shapes through both ways of
// reading a line, plain and odd ones.
func TestFieldsOfEveryLength(t *testing.T) {
	names := []string{"User-agent", "Useragent", "User agent", "Allow", "Disallow", "Dissallow", "Dissalow", "Disalow", "Diasllow", "Disallaw", "Sitemap", "Site-map", "Crawl-delay", "Host", "A", ""}
	var b strings.Builder
	for _, name := range names {
		for _, key := range []string{name, strings.ToUpper(name), strings.ToLower(name), name + "s", name + "-x", "x" + name, strings.Replace(name, "-", "\r", 1), strings.Replace(name, "l", "L", 1)} {
			for _, sep := range []string{":", ": ", " : ", " ", "\t", "=", ":\v", ";"} {
				for _, value := range []string{"", "a", "/x", "/x#y", "/x y", " /x ", "*", "/x\x00y", "/" + strings.Repeat("x", 20)} {
					fmt.Fprintf(&b, "%s%s%s\n", key, sep, value)
				}
			}
		}
	}
	for _, end := range []string{"\n", "\r\n", "\r"} {
		body := strings.ReplaceAll(b.String(), "\n", end)
		for _, d := range bothDialects {
			checkParse(t, dumpFile(robots.Parser{Dialect: d}.Parse([]byte(body))), refParse(body, d))
		}
	}
}
