package robots

import (
	"io"
	"math"
	"math/bits"
	"strings"
	"time"
)

// MaxBytes is the size of the longest file that is parsed whole by default:
// 500 KiB, the floor that RFC 9309 section 2.5 sets for a limit and the limit
// that Google documents. See [Parser.MaxBytes].
const MaxBytes = 500 << 10

// hardLimit bounds every file, whatever [Parser.MaxBytes] says, so that the
// length of a pattern, in which an octet may come to count for three, fits in 31
// bits.
const hardLimit = 512 << 20

// A Dialect says which reading of the file and of the URL a [Parser] follows.
// The package documentation has the table of their differences.
type Dialect uint8

const (
	// RFC9309 follows the standard, and is lenient where it is silent and
	// users would lose. It is the zero Dialect.
	RFC9309 Dialect = iota

	// Google answers as Google's open-source C++ matcher does, quirks
	// included, to the verdict and the line.
	Google
)

// String returns "google" for Google, and "rfc9309" for all else, which is what
// a [Parser] takes it for.
func (d Dialect) String() string {
	if d == Google {
		return "google"
	}
	return "rfc9309"
}

// A Parser holds the choices for reading a robots.txt file. The zero Parser
// reads as RFC 9309 says, up to [MaxBytes] octets. Its methods may be called
// by several goroutines at once.
type Parser struct {
	// Dialect is the reading to follow. Any value but [Google] is [RFC9309].
	Dialect Dialect

	// MaxBytes is the number of octets after which the rest of a file is
	// ignored. Zero means the constant [MaxBytes], a negative number no limit
	// (but 512 MiB). A line that the limit cuts is dropped whole, unless what is
	// missing could not change its meaning, such as the rest of a comment:
	// half a rule is another rule, and "Disallow: /private/x" must not become
	// "Disallow: /p". [File.Truncated] reports it.
	//
	// RFC 9309 section 2.5 asks for a limit of at least 500 KiB.
	MaxBytes int
}

// Parse reads a robots.txt file by the default [Parser].
// It cannot fail: what is not a valid line is passed over (RFC 9309 section
// 2.3.1.5). The data is copied, not retained.
func Parse(data []byte) *File { return Parser{}.Parse(data) }

// ParseReader reads a robots.txt file from r by the default [Parser].
// See [Parser.ParseReader].
func ParseReader(r io.Reader) (*File, error) { return Parser{}.ParseReader(r) }

// Parse reads a robots.txt file. It cannot fail: what is not a valid line is
// passed over (RFC 9309 section 2.3.1.5). The data is copied, not retained.
func (p Parser) Parse(data []byte) *File {
	end, cut := len(data), false
	if limit := p.limit(); len(data) > limit {
		end, cut = p.cut(data[:limit], data[limit]), true
	}
	return p.build(data[:end], cut)
}

// ParseReader reads a robots.txt file from r until its end, or until one octet
// past the limit, which tells a file that fills the limit from a longer one.
// It gives the same File as [Parser.Parse] does for the same octets.
//
// The error is r's, or [io.ErrNoProgress] if r gives nothing again and again, and
// the File, never nil, then holds the whole lines that came before it. What r
// says of the octets beyond the limit does not matter.
func (p Parser) ParseReader(r io.Reader) (*File, error) {
	limit := p.limit()
	// Most files fit in the first chunk.
	// A longer one grows by doubling and never beyond the limit.
	buf := make([]byte, min(limit+1, 8<<10))
	n, idle := 0, 0
	var err error
	for err == nil && n <= limit {
		if n == len(buf) {
			grown := make([]byte, min(limit+1, 2*len(buf)))
			copy(grown, buf)
			buf = grown
		}
		var m int
		m, err = r.Read(buf[n:])
		n += min(max(m, 0), len(buf)-n) // an impossible count is r's fault, not ours
		// A reader that gives neither octets nor an error must not hang us.
		if idle++; m > 0 {
			idle = 0
		} else if idle == 100 && err == nil {
			err = io.ErrNoProgress
		}
	}
	if n > limit {
		return p.build(buf[:p.cut(buf[:limit], buf[limit])], true), nil
	}
	if err != io.EOF {
		// The line that was being read when r failed may be half a line.
		return p.build(buf[:p.cut(buf[:n], 'x')], false), err
	}
	return p.build(buf[:n], false), nil
}

func (p Parser) limit() int {
	switch {
	case p.MaxBytes == 0:
		return MaxBytes
	case p.MaxBytes < 0 || p.MaxBytes > hardLimit:
		return hardLimit
	}
	return p.MaxBytes
}

// cut returns how much of data to keep when next, the octet after it, and all
// that may follow is dropped: all of it if the last line is whole or if what
// is missing could not change its meaning, else the lines before that one.
func (p Parser) cut(data []byte, next byte) int {
	if next == '\n' || next == '\r' {
		return len(data)
	}
	start := len(data)
	for start > 0 && data[start-1] != '\n' && data[start-1] != '\r' {
		start--
	}
	for _, c := range data[start:] {
		if c == '#' || c == 0 {
			return len(data) // the rest is comment, or is not looked at
		}
	}
	if p.Dialect == Google && len(data)-start > googleLine+len(bom) {
		return len(data) // the line is cut before the limit is
	}
	return start
}

// pad is the number of newlines that stand after the text of a File, so that each
// line has an end, and eight octets can be looked at from any place in it.
const pad = 8

// look is the number of newlines that stand after a text while it is parsed, since
// plainLines looks at as many octets from any place in it.
const look = len(newlines)

const newlines = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"

// bom is the UTF-8 byte order mark.
const bom = "\xEF\xBB\xBF"

// googleLine is the number of octets after which Google's parser ignores the
// rest of a line: eight times the longest URL of a browser, less the NUL (S9).
const googleLine = 8*2083 - 1

// A kind says what a line is.
type kind uint8

const (
	kindEnd kind = iota // no more lines
	kindUserAgent
	kindAllow
	kindDisallow
	kindSitemap
	kindCrawlDelay
	kindOther // a record that means nothing to the protocol
)

// A scanner reads the records of a text line by line. Empty lines, comments
// and lines that are no record are passed over, but counted.
//
// Lines are read as Google's parser reads them (S1 to S12) but for the points
// that the dialects differ in.
type scanner struct {
	text    string // each line that starts before end has its end in it, and pad octets follow
	pos     int    // where to go on: where a line starts or, while a file is parsed, the comment or the end of one
	end     int    // where to stop: the length of the text, or the start of a line
	dialect Dialect

	// The record that next found.
	line       int // 1-based; only next counts them
	start      int // offset of its line
	key, keyTo int // the field name is text[key:keyTo]
	val, valTo int // the value is text[val:valTo]
}

// newScanner returns a scanner of a text of n octets and what stands behind them.
func newScanner(text string, n int, d Dialect) scanner {
	s := scanner{text: text, end: n, dialect: d}
	s.skipBOM()
	return s
}

// skipBOM skips a BOM at the start of the file, or a part of one (G17).
func (s *scanner) skipBOM() {
	for s.pos < min(s.end, len(bom)) && s.text[s.pos] == bom[s.pos] {
		s.pos++
	}
}

// Field names as eight octets, little endian, letters in lower case.
const (
	wordDisallow = 'd' | 'i'<<8 | 's'<<16 | 'a'<<24 | 'l'<<32 | 'l'<<40 | 'o'<<48 | 'w'<<56
	wordAllow    = 'a' | 'l'<<8 | 'l'<<16 | 'o'<<24 | 'w'<<32
	wordUserAge  = 'u' | 's'<<8 | 'e'<<16 | 'r'<<24 | '-'<<32 | 'a'<<40 | 'g'<<48 | 'e'<<56
	wordNT       = 'n' | 't'<<8 | ':'<<16
)

// Words of eight octets for looking at eight octets at once.
const (
	each = 0x0101010101010101 // times an octet: that octet in all places
	high = 0x8080808080808080 // the high bit of each octet
	fold = 0x2020202020202020 // the bit of each octet that is set in lower-case letters
)

// load64 returns eight octets of s. The compiler makes one load of it, and one
// check of its bounds.
func load64[I int | uint32](s string, i I) uint64 {
	b := s[int(i) : int(i)+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// load32 is load64 for four octets.
func load32(s string, i int) uint32 {
	b := s[i : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// next moves to the next record and says what it is.
func (s *scanner) next() kind {
	for s.skip(); s.pos < s.end; s.skip() {
		s.line++
		if k := s.readLine(); k != kindEnd {
			return k
		}
	}
	return kindEnd
}

// skip passes over empty lines and comments.
func (s *scanner) skip() {
	for s.pos < s.end {
		from := s.pos
		i := from
		for isBlank(s.text[i]) {
			i++
		}
		switch s.text[i] {
		case '\n', '\r':
			s.pos = int(nextLine(s.text, uint32(i)))
		case '#':
			s.pos = int(nextLine(s.text, lineEnd(s.text, uint32(s.pos))))
		default:
			if counting {
				count(i - from + 1)
			}
			return
		}
		s.line++
		if counting {
			count(s.pos - from)
		}
	}
}

// lineEnd returns the offset of the first line end of a padded text at or
// after i.
func lineEnd(text string, i uint32) uint32 {
	for {
		w := load64(text, i)
		m := (w - each*('\r'+1)) &^ w & high
		if m == 0 {
			i += 8
			continue
		}
		i += uint32(bits.TrailingZeros64(m) >> 3)
		if c := text[i]; c == '\n' || c == '\r' {
			return i
		}
		i++
	}
}

// nextLine returns the offset of the line behind the line end at e: LF, CR or
// CRLF.
func nextLine(text string, e uint32) uint32 {
	if text[e] == '\r' && text[e+1] == '\n' {
		e++
	}
	return e + 1
}

// readLine reads one line, of whatever shape. It returns kindEnd if the line is
// no record.
func (s *scanner) readLine() kind {
	i := s.pos
	e := int(lineEnd(s.text, uint32(i)))
	s.pos = int(nextLine(s.text, uint32(e)))
	s.start = i
	if counting {
		count(e - i + 1)
	}
	if s.dialect == Google {
		e = min(e, i+googleLine)
	} else {
		// Files with a BOM get concatenated.
		for strings.HasPrefix(s.text[i:e], bom) {
			i += len(bom)
		}
	}
	line := s.text[i:e]
	// Google's parser works on C strings, which end at a NUL.
	if n := strings.IndexByte(line, 0); n >= 0 {
		line = line[:n]
	}
	if n := strings.IndexByte(line, '#'); n >= 0 { // R22
		line = line[:n]
	}
	from, to := trim(line, 0, len(line))
	line = line[:to]

	// The separator is the first colon, or white space between exactly two
	// words (S3).
	sep := strings.IndexByte(line[from:], ':')
	if sep < 0 {
		sep = indexBlank(line[from:])
		if sep < 0 {
			return kindEnd
		}
		v := from + sep
		for v < to && isBlank(line[v]) {
			v++
		}
		if indexBlank(line[v:]) >= 0 {
			return kindEnd
		}
	}
	sep += from
	key, keyTo := trim(line, from, sep)
	if key == keyTo {
		return kindEnd
	}
	val, valTo := trim(line, sep+1, to)
	s.key, s.keyTo = i+key, i+keyTo
	s.val, s.valTo = i+val, i+valTo
	return fieldKind(line[key:keyTo], s.dialect)
}

// readField is readLine for those who want to know of no other lines than those
// that mean something to the rules. To tell these from most others is quick.
func (s *scanner) readField() kind {
	i := s.pos
	for isBlank(s.text[i]) {
		i++
	}
	switch uint32(load64(s.text, i) | fold) {
	case wordDisallow & (1<<32 - 1), wordAllow & (1<<32 - 1), wordUserAge & (1<<32 - 1),
		'c' | 'r'<<8 | 'a'<<16 | 'w'<<24, // -delay
		'd' | 'i'<<8 | 's'<<16 | 's'<<24, // misspelt
		'd' | 'i'<<8 | 'a'<<16 | 's'<<24:
		return s.readLine()
	}
	if c := s.text[i]; c == bom[0] || c == '\v' || c == '\f' {
		return s.readLine()
	}
	from := s.pos
	s.pos = int(nextLine(s.text, lineEnd(s.text, uint32(i))))
	if counting {
		count(s.pos - from)
	}
	return kindOther
}

// The names of the fields, and the misspellings that are known (S4).
var fields = [...]struct {
	name string
	kind kind
}{
	{"disallow", kindDisallow},
	{"allow", kindAllow},
	{"user-agent", kindUserAgent},
	{"sitemap", kindSitemap},
	{"crawl-delay", kindCrawlDelay},
	{"useragent", kindUserAgent},
	{"user agent", kindUserAgent},
	{"site-map", kindSitemap},
	{"dissallow", kindDisallow},
	{"dissalow", kindDisallow},
	{"disalow", kindDisallow},
	{"diasllow", kindDisallow},
	{"disallaw", kindDisallow},
}

// fieldKind says which record a field name makes. The Google dialect takes any
// name that starts with a known one (S7).
func fieldKind(key string, d Dialect) kind {
	// None is shorter than "allow", and they start with few letters.
	if len(key) < len("allow") {
		return kindOther
	}
	first := lower(key[0])
	switch first {
	case 'a', 'c', 'd', 's', 'u':
	default:
		return kindOther
	}
	for i := range fields {
		f := &fields[i]
		n := len(f.name)
		if f.name[0] != first || len(key) < n || len(key) > n && d != Google {
			continue
		}
		if equalFold(key[:n], f.name) {
			return f.kind
		}
	}
	return kindOther
}

// equalFold reports whether a and b, of equal length, are equal but for the
// case of ASCII letters.
func equalFold(a, b string) bool {
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// trim returns s[from:to] without white space at its ends, as new bounds.
func trim(s string, from, to int) (int, int) {
	for from < to && isSpace(s[from]) {
		from++
	}
	for from < to && isSpace(s[to-1]) {
		to--
	}
	return from, to
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func indexBlank(s string) int {
	for i := 0; i < len(s); i++ {
		if isBlank(s[i]) {
			return i
		}
	}
	return -1
}

// crawlDelay reads the value of a Crawl-delay record: seconds in decimal
// digits, with a fraction or not.
func crawlDelay(value string) (d time.Duration, ok bool) {
	const limit = math.MaxInt64/int64(time.Second) - 1
	var n int64
	digits := false
	i := 0
	for ; i < len(value) && '0' <= value[i] && value[i] <= '9'; i++ {
		digits = true
		if n = n*10 + int64(value[i]-'0'); n > limit {
			return 0, false
		}
	}
	unit := int64(time.Second)
	n *= unit
	if i < len(value) && value[i] == '.' {
		for i++; i < len(value) && '0' <= value[i] && value[i] <= '9'; i++ {
			digits = true
			unit /= 10
			n += unit * int64(value[i]-'0')
		}
	}
	return time.Duration(n), digits && i == len(value)
}
