package robots_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"example.com/robots"
)

// The reference reads robots.txt files and matches URLs slowly, in the most
// obvious way that the rules can be written down. The fuzz targets and the
// corpus test hold the library against it. It shares no code with the library.

// A refFile is a file as the reference reads it.
type refFile struct {
	dialect  robots.Dialect
	records  []robots.Record
	sections []refSection
}

// A refSection is a run of User-agent lines, the rules after it, and the other
// records up to the next run.
type refSection struct {
	tokens []string
	rules  []robots.Rule
	others []robots.Record
}

// The names of the fields with their misspellings (S4).
var refFields = map[string][]string{
	"user-agent": {"user-agent", "useragent", "user agent"},
	"allow":      {"allow"},
	"disallow":   {"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"},
	"sitemap":    {"sitemap", "site-map"},
}

func refParse(text string, d robots.Dialect) *refFile {
	f := &refFile{dialect: d}
	// A BOM at the start, or the part of one that is there, is skipped (G17).
	for _, c := range []string{"\xEF", "\xBB", "\xBF"} {
		if !strings.HasPrefix(text, c) {
			break
		}
		text = text[1:]
	}
	text = strings.ReplaceAll(text, "\r\n", "\n") // R1
	text = strings.ReplaceAll(text, "\r", "\n")
	inRun := false
	for i, line := range strings.Split(text, "\n") {
		if d == robots.RFC9309 {
			for strings.HasPrefix(line, "\uFEFF") {
				line = strings.TrimPrefix(line, "\uFEFF")
			}
		} else if len(line) > 16663 { // S9
			line = line[:16663]
		}
		line, _, _ = strings.Cut(line, "\x00")
		line, _, _ = strings.Cut(line, "#") // R22
		line = refTrim(line)
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			// S3: just two words.
			words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
			if len(words) != 2 {
				continue
			}
			key, value = words[0], words[1]
		}
		key, value = refTrim(key), refTrim(value)
		if key == "" {
			continue
		}
		record := robots.Record{Line: i + 1, Key: key, Value: value}
		f.records = append(f.records, record)
		last := len(f.sections) - 1
		switch kind := refKind(key, d); kind {
		case "user-agent":
			if !inRun {
				f.sections = append(f.sections, refSection{})
				last++
			}
			inRun = true
			if token := refToken(value, d); token != "" {
				f.sections[last].tokens = append(f.sections[last].tokens, token)
			}
		case "allow", "disallow":
			inRun = false
			if last >= 0 { // R5
				s := &f.sections[last]
				s.rules = append(s.rules, robots.Rule{Line: i + 1, Allow: kind == "allow", Pattern: value})
			}
		case "":
			if last >= 0 {
				f.sections[last].others = append(f.sections[last].others, record)
			}
		}
	}
	return f
}

func refTrim(s string) string { return strings.Trim(s, " \t\n\v\f\r") }

// refLower maps ASCII letters only.
func refLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c - 'A' + 'a'
		}
	}
	return string(b)
}

func refKind(key string, d robots.Dialect) string {
	key = refLower(key)
	for kind, names := range refFields {
		for _, name := range names {
			if key == name || d == robots.Google && strings.HasPrefix(key, name) { // S7
				return kind
			}
		}
	}
	return ""
}

// refToken returns the product token in the value of a User-agent line.
func refToken(value string, d robots.Dialect) string {
	if strings.HasPrefix(value, "*") {
		if rest := value[1:]; rest == "" || refTrim(rest[:1]) == "" { // S5, S6
			return "*"
		}
		return ""
	}
	set := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
	if d == robots.RFC9309 {
		set += "0123456789."
	}
	for i := range len(value) {
		if strings.IndexByte(set, value[i]) < 0 { // S8
			return value[:i]
		}
	}
	return value
}

// refAgents returns the tokens of the file but for letter case, in the order
// and spelling of their first lines.
func (f *refFile) refAgents() []string {
	var agents []string
	seen := map[string]bool{}
	for _, s := range f.sections {
		for _, token := range s.tokens {
			if !seen[refLower(token)] {
				seen[refLower(token)] = true
				agents = append(agents, token)
			}
		}
	}
	return agents
}

// of returns the sections that name a token, and its first spelling.
func (f *refFile) of(token string) (sections []refSection, spelling string) {
	for _, s := range f.sections {
		for _, t := range s.tokens {
			if refLower(t) == refLower(token) {
				if len(sections) == 0 {
					spelling = t
				}
				sections = append(sections, s)
				break
			}
		}
	}
	return sections, spelling
}

// explain decides for a product token that is not a known crawler's.
func (f *refFile) explain(token, url string) robots.Decision {
	sections, spelling := f.of(token) // R9, R10
	if len(sections) == 0 {
		sections, spelling = f.of("*") // R11
	}
	if len(sections) == 0 {
		return robots.Decision{Allowed: true, Reason: robots.ReasonNoGroup} // R12
	}
	path := refPath(url, f.dialect)
	if f.dialect == robots.RFC9309 && path == "/robots.txt" { // R19
		return robots.Decision{Allowed: true, Reason: robots.ReasonRobotsTxt, Agent: spelling}
	}
	matches := f.matches(sections, path)
	if len(matches) == 0 { // R18
		return robots.Decision{Allowed: true, Reason: robots.ReasonNoRule, Agent: spelling}
	}
	best := matches[0].Rule
	return robots.Decision{
		// A rule of Google's without a path allows.
		Allowed: best.Allow || best.Pattern == "",
		Reason:  robots.ReasonRule, Agent: spelling, Rule: best,
	}
}

// A refRuleMatch is a rule that matches, and its specificity.
type refRuleMatch struct {
	Rule robots.Rule
	Size int
}

// matches returns the rules that match a path, in the order in which they
// decide (R16, R17).
func (f *refFile) matches(sections []refSection, path string) (matches []refRuleMatch) {
	for _, s := range sections {
		for _, r := range s.rules {
			if size, ok := refMatch(r, path, f.dialect); ok {
				matches = append(matches, refRuleMatch{r, size})
			}
		}
	}
	sort.SliceStable(matches, func(i, j int) bool {
		a, b := matches[i], matches[j]
		if a.Size != b.Size {
			return a.Size > b.Size
		}
		return a.Rule.Allow && !b.Rule.Allow
	})
	return matches
}

// refMatch says whether a rule matches, and its specificity.
func refMatch(r robots.Rule, path string, d robots.Dialect) (size int, ok bool) {
	if r.Pattern == "" && d == robots.RFC9309 { // R2
		return 0, false
	}
	p := refPattern(r.Pattern, d)
	if p.match(path) {
		return p.size, true
	}
	if d == robots.Google && r.Allow { // S2
		if n := strings.LastIndex(r.Pattern, "/"); n >= 0 && strings.HasPrefix(r.Pattern[n:], "/index.htm") {
			p := refPattern(r.Pattern[:n+1]+"$", d)
			return p.size, p.match(path)
		}
	}
	return 0, false
}

// A refGlob is a pattern as a list of what it asks of a URL, piece by piece.
type refGlob struct {
	items    []string // "*"; "%2F?" or "%3A?": that octet, if in the path, and "/" or ":" in the query; "=x": the octet x
	anchored bool
	size     int
}

func refPattern(pattern string, d robots.Dialect) refGlob {
	var p refGlob
	lit := func(s string) {
		for i := range len(s) {
			p.items = append(p.items, "="+s[i:i+1])
		}
		p.size += len(s)
	}
	if strings.HasSuffix(pattern, "$") { // R23
		p.anchored = true
		p.size = 1
		pattern = strings.TrimSuffix(pattern, "$")
	} else if d == robots.RFC9309 {
		pattern = strings.TrimRight(pattern, "*") // G39
	}
	star, query := false, false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		octet, isEscape := refEscape(pattern[i:])
		if isEscape {
			i += 2
		}
		escape := fmt.Sprintf("%%%02X", octet)
		switch {
		case c == '*':
			star = true
			p.items = append(p.items, "*")
			p.size++
		case d == robots.Google && isEscape, d == robots.Google && c >= 0x80: // S10
			lit(escape)
		case d == robots.Google, c == '%' && !isEscape:
			lit(string([]byte{c}))
		case isEscape && refUnreserved(octet), // R21
			isEscape && query && (octet == '/' || octet == ':'): // R20
			lit(string([]byte{octet}))
		case isEscape && (octet == '*' || octet == '$'): // R25
			p.items = append(p.items, "="+string([]byte{octet}))
			p.size += len(escape)
		case isEscape && (octet == '/' || octet == ':') && star:
			p.items = append(p.items, escape+"?")
			p.size += len(escape)
		case isEscape, refForbidden(c): // R20
			lit(escape)
		default:
			query = query || c == '?'
			lit(string([]byte{c}))
		}
	}
	return p
}

// match tries all ways at once: at says of each offset of the path whether the
// items so far can end there.
func (p refGlob) match(path string) bool {
	query := strings.Index(path, "?")
	if query < 0 {
		query = len(path)
	}
	at := make([]bool, len(path)+4)
	at[0] = true
	for _, item := range p.items {
		next := make([]bool, len(at))
		seen := false
		for i := range len(path) + 1 {
			if item == "*" { // R24
				seen = seen || at[i]
				next[i] = seen
				continue
			}
			if !at[i] {
				continue
			}
			want := item[1:] // of "=x"
			if item[0] == '%' {
				want = item[:3]
				if i >= query {
					octet, _ := refEscape(item)
					want = string([]byte{octet})
				}
			}
			if strings.HasPrefix(path[i:], want) {
				next[i+len(want)] = true
			}
		}
		at = next
	}
	if p.anchored {
		return at[len(path)]
	}
	return slices.Contains(at, true)
}

// refPath returns the path and query of a URL in normal form.
func refPath(url string, d robots.Dialect) string {
	p := refSplit(url)
	if d == robots.Google {
		p, _, _ = strings.Cut(p, "\x00") // a C string
		return p
	}
	var out strings.Builder
	query := false
	for i := 0; i < len(p); i++ {
		octet, isEscape := refEscape(p[i:])
		switch {
		case !isEscape && !refForbidden(p[i]):
			query = query || p[i] == '?'
			out.WriteByte(p[i])
		case isEscape && (refUnreserved(octet) || octet == '*' || octet == '$'),
			isEscape && query && (octet == '/' || octet == ':'):
			out.WriteByte(octet)
		default:
			fmt.Fprintf(&out, "%%%02X", octet)
		}
		if isEscape {
			i += 2
		}
	}
	return out.String()
}

// refSplit is GetPathParamsQuery of Google's robots.cc, statement by statement.
func refSplit(url string) string {
	find := func(what string, from int) int {
		if i := strings.Index(url[from:], what); i >= 0 {
			return from + i
		}
		return 1 << 30
	}
	findAny := func(set string, from int) int {
		if i := strings.IndexAny(url[from:], set); i >= 0 {
			return from + i
		}
		return 1 << 30
	}
	start := 0
	if strings.HasPrefix(url, "//") {
		start = 2
	}
	early, protocol := findAny("/?;", start), find("://", start)
	if early < protocol || protocol == 1<<30 {
		protocol = start
	} else {
		protocol += 3
	}
	path, hash := findAny("/?;", protocol), find("#", start)
	if path == 1<<30 || hash < path {
		return "/"
	}
	p := url[path:min(hash, len(url))]
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return p
}

// refEscape returns the octet that s starts with, escaped or not.
func refEscape(s string) (octet byte, isEscape bool) {
	if len(s) >= 3 && s[0] == '%' {
		const digits = "0123456789abcdef"
		hi := strings.Index(digits, refLower(s[1:2]))
		lo := strings.Index(digits, refLower(s[2:3]))
		if hi >= 0 && lo >= 0 {
			return byte(hi<<4 + lo), true
		}
	}
	return s[0], false
}

func refUnreserved(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// refForbidden reports whether no URI may hold the octet (RFC 3986, section 2
// and appendix A).
func refForbidden(c byte) bool {
	return !refUnreserved(c) && strings.IndexByte(":/?#[]@!$&'()*+,;=%", c) < 0
}

// refMatchPath is Match.
func refMatchPath(pattern, path string) bool {
	_, ok := refMatch(robots.Rule{Pattern: pattern}, refPath(path, robots.RFC9309), robots.RFC9309)
	return ok
}
