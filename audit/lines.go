package audit

import (
	"strings"
)

// A field is what the name of a record makes of a line.
type field uint8

const (
	fieldNone field = iota // blank, or a comment, or not a record
	fieldAgent
	fieldAllow
	fieldDisallow
	fieldSitemap
	fieldOther
)

func (f field) rule() bool { return f == fieldAllow || f == fieldDisallow }

// A line is a line of the file as package robots reads it, with the places of
// its parts, which the records of the library do not tell.
type line struct {
	number int    // 1-based
	text   string // without its end
	bom    int    // octets of byte order marks at its start

	field   field
	key     string // as written
	value   string
	keyAt   int // offsets in text
	valueAt int
	colon   bool   // key and value are separated by ":", not by a space
	comment string // from "#" on
	words   bool   // there is text before the comment
}

func (l *line) blank() bool { return !l.words && l.comment == "" }

// column returns the 1-based column, in octets, of an offset.
func column(offset int) int { return offset + 1 }

const bom = "\xEF\xBB\xBF"

// splitLines reads a text as the RFC9309 dialect of package robots does.
func splitLines(text string) []line {
	lines := make([]line, 0, 1+strings.Count(text, "\n"))
	for n := 1; text != ""; n++ {
		end, next := len(text), len(text)
		if i := strings.IndexAny(text, "\r\n"); i >= 0 {
			end, next = i, i+1
			if strings.HasPrefix(text[i:], "\r\n") {
				next++
			}
		}
		lines = append(lines, parseLine(n, text[:end]))
		text = text[next:]
	}
	return lines
}

func parseLine(n int, text string) line {
	l := line{number: n, text: text}
	for n == 1 && l.bom < len(text) && l.bom < len(bom) && text[l.bom] == bom[l.bom] {
		l.bom++ // a part of one is skipped at the start of the file
	}
	for strings.HasPrefix(text[l.bom:], bom) {
		l.bom += len(bom)
	}
	s := text[l.bom:]
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s, l.comment = s[:i], s[i:]
	}
	from, to := trim(s, 0, len(s))
	if from == to {
		return l
	}
	l.words = true
	sep := strings.IndexByte(s[from:to], ':')
	l.colon = sep >= 0
	if sep < 0 {
		sep = strings.IndexAny(s[from:to], " \t")
		if sep < 0 {
			return l
		}
		if strings.ContainsAny(strings.TrimLeft(s[from+sep:to], " \t"), " \t") {
			return l
		}
	}
	sep += from
	key, keyTo := trim(s, from, sep)
	if key == keyTo {
		return l
	}
	value, valueTo := trim(s, sep+1, to)
	l.key, l.keyAt = s[key:keyTo], l.bom+key
	l.value, l.valueAt = s[value:valueTo], l.bom+value
	switch strings.ToLower(l.key) {
	case "user-agent", "useragent", "user agent":
		l.field = fieldAgent
	case "allow":
		l.field = fieldAllow
	case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		l.field = fieldDisallow
	case "sitemap", "site-map":
		l.field = fieldSitemap
	default:
		l.field = fieldOther
	}
	return l
}

// trim returns the bounds of s[from:to] without white space at its ends.
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

// agentToken is the product token that a User-agent value names, "*" for
// everyone, or "" for nobody.
func agentToken(value string) string {
	if strings.HasPrefix(value, "*") {
		if len(value) == 1 || isSpace(value[1]) {
			return "*"
		}
		return ""
	}
	n := 0
	for n < len(value) && (unreserved(value[n]) && value[n] != '~') {
		n++
	}
	return value[:n]
}

// A section is a run of User-agent lines and what follows up to the next run,
// as indexes into the lines.
type section struct {
	agents  []int
	rules   []int
	records []int // other records, those among the agents included
	from    int   // the first agent
	to      int   // behind the last line with a record
}

// sections groups lines as package robots does; loose are the rules before any
// group that names somebody.
func sections(lines []line) (list []section, loose []int) {
	var cur *section
	open := false
	for i := range lines {
		l := &lines[i]
		switch {
		case l.field == fieldAgent:
			if !open {
				list = append(list, section{from: i})
				cur = &list[len(list)-1]
				open = true
			}
			cur.agents = append(cur.agents, i)
		case l.field.rule():
			open = false
			if cur == nil {
				loose = append(loose, i)
				continue
			}
			cur.rules = append(cur.rules, i)
		case l.field != fieldNone && cur != nil:
			cur.records = append(cur.records, i)
		}
		if l.field != fieldNone && cur != nil {
			cur.to = i + 1
		}
	}
	return list, loose
}
