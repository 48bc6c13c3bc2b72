package audit

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"example.com/robots"
)

// extensions are the fields outside of RFC 9309 that are known, in lower case,
// with who reads them.
var extensions = map[string]string{
	"crawl-delay":    "", // see delayReaders
	"request-rate":   "Seznam is said to read it; most crawlers ignore it",
	"visit-time":     "no large crawler is known to heed it",
	"host":           "only Yandex read it, until 2018; use a redirect to the main host",
	"clean-param":    "only Yandex reads it",
	"indexpage":      "only 360 Search reads it",
	"content-signal": "Cloudflare's preference for search, ai-input and ai-train; it allows and disallows nothing",
	"content-usage":  "the IETF's draft vocabulary of AI preferences; it allows and disallows nothing",
	"license":        "RSL licence terms; it allows and disallows nothing",
	"llm-policy":     "only crawler-commons reads it",
	"comment":        "a remark of the 1990s' extended standard; nobody reads it",
}

// misspellings that parsers after Google's forgive.
var forgiven = map[string]string{
	"useragent": "User-agent", "user agent": "User-agent", "site-map": "Sitemap",
	"dissallow": "Disallow", "dissalow": "Disallow", "disalow": "Disallow", "diasllow": "Disallow", "disallaw": "Disallow",
}

// noindexFields did once tell a search engine not to index or to follow.
var noindexFields = map[string]bool{"noindex": true, "nofollow": true, "noarchive": true, "nosnippet": true, "no-index": true}

func (l *linter) lintLines() {
	l.lintText()
	if l.html {
		return
	}
	known := make(map[string]bool) // extension fields that were noted
	ignored := 0                   // lines that are no record
	for i := range l.lines {
		ln := &l.lines[i]
		l.lintOctets(ln)
		switch {
		case !ln.words:
		case ln.field == fieldNone:
			if ignored++; ignored <= 5 {
				l.report(LineIgnored, ln, indexWord(ln), fmt.Sprintf("%s is neither a record (name, colon, value) nor a comment: it is ignored", quote(strings.TrimSpace(ln.text[ln.bom:]))),
					`start it with "#" if it is a comment`, "")
			}
		default:
			l.lintField(ln, known)
		}
	}
	l.lintSitemaps()
}

func indexWord(ln *line) int {
	i := ln.bom
	for i < len(ln.text) && isSpace(ln.text[i]) {
		i++
	}
	return i
}

// lintText looks at the file as a whole.
func (l *linter) lintText() {
	if strings.TrimSpace(strings.ReplaceAll(l.text, bom, "")) == "" {
		// It is no mistake by itself, but what is left of a file that got lost
		// on its way looks like this.
		l.report(FileEmpty, &line{number: 1}, 0, "the file is empty: every crawler may fetch everything",
			`if that is meant, say so with "User-agent: *" and an empty "Disallow:"`, "")
	}
	if len(l.lines) == 0 {
		return
	}
	first, last := &l.lines[0], &l.lines[len(l.lines)-1]
	if html(l.text) {
		l.html = true
		l.report(FileHTML, first, 0, "this is an HTML page, not a robots.txt file: crawlers find no rule in it, and so may fetch everything",
			"serve the file itself as text/plain, or 404 if there is none", "")
		return
	}
	switch {
	case l.cut:
		l.report(FileSize, last, 0, fmt.Sprintf("the file is larger than %d octets (500 KiB): what follows this line is not read", robots.MaxBytes),
			"shorten it: wildcards save rules", "")
	case len(l.text) > robots.MaxBytes:
		l.report(FileSize, last, 0, fmt.Sprintf("the file has %d octets; crawlers need not read more than %d (500 KiB)", len(l.text), robots.MaxBytes),
			"shorten it: wildcards save rules", "")
	case len(l.text) > robots.MaxBytes*9/10:
		l.reportAs(Warning, FileSize, last, 0, fmt.Sprintf("the file has %d octets, close to the %d (500 KiB) that crawlers are sure to read", len(l.text), robots.MaxBytes),
			"shorten it: wildcards save rules", "")
	}
	if !utf8.ValidString(l.text) {
		l.lintEncoding()
	}
}

func html(text string) bool {
	s := strings.TrimLeft(strings.TrimPrefix(text, bom), " \t\r\n\v\f")
	if !strings.HasPrefix(s, "<") {
		return false
	}
	s = strings.ToLower(s[:min(len(s), 1024)])
	for _, tag := range []string{"<!doctype", "<html", "<head", "<body", "<?xml", "<meta", "<script"} {
		if strings.Contains(s, tag) {
			return true
		}
	}
	return false
}

// lintEncoding reports the first octets that are not UTF-8, once.
func (l *linter) lintEncoding() {
	switch {
	case strings.HasPrefix(l.text, "\xFF\xFE"), strings.HasPrefix(l.text, "\xFE\xFF"):
		l.reportAs(Error, FileUTF8, &l.lines[0], 0, "the file is in UTF-16, which crawlers do not read: they find no rule in it", "save it as UTF-8", "")
		return
	}
	for i := range l.lines {
		s := l.lines[i].text
		if i == 0 {
			s = s[l.lines[0].bom:] // may be a part of a BOM
		}
		if utf8.ValidString(s) {
			continue
		}
		ln := &l.lines[i]
		at := len(ln.text) - len(s)
		for at < len(ln.text) {
			r, n := utf8.DecodeRuneInString(ln.text[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		sev := Note // it does not matter in comments
		if ln.field.rule() && at >= ln.valueAt && at < ln.valueAt+len(ln.value) {
			sev = Warning
		}
		l.reportAs(sev, FileUTF8, ln, at, fmt.Sprintf("octet 0x%02X is not UTF-8; in a rule it does not match what browsers send", ln.text[at]), "save the file as UTF-8", "")
		return
	}
}

// lintOctets looks for what may break a line.
func (l *linter) lintOctets(ln *line) {
	if i := strings.Index(ln.text, bom); i >= 0 {
		switch {
		case ln.number == 1 && i == 0:
			l.report(FileBOM, ln, i, "the file starts with a byte order mark; large crawlers skip it, some parsers lose the first line by it", "save the file without it", "")
		case i < ln.bom:
			l.reportAs(Warning, FileBOM, ln, i, "a byte order mark inside the file, probably from joining two files; Google does not read this line", "remove it", "")
		}
	}
	if i := strings.IndexByte(ln.text, 0); i >= 0 {
		l.report(FileNUL, ln, i, "a NUL octet: parsers ignore the rest of the line, or read it otherwise", "remove it", "")
	}
	const google = 16663
	if len(ln.text) > google && ln.words {
		l.report(LineLong, ln, google, fmt.Sprintf("the line has %d octets; Google reads the first 16,663 and so takes another rule from it", len(ln.text)), "split it", "")
	}
}

// lintField looks at the name of a record.
func (l *linter) lintField(ln *line, known map[string]bool) {
	name := strings.ToLower(ln.key)
	readers, extension := extensions[name]
	if !ln.colon {
		if ln.field == fieldOther && !extension {
			l.report(LineIgnored, ln, ln.keyAt, fmt.Sprintf("%s has no colon: it is ignored", quote(strings.TrimSpace(ln.text[ln.bom:]))), `start it with "#" if it is a comment`, "")
			return
		}
		l.report(MissingColon, ln, ln.keyAt+len(ln.key), fmt.Sprintf("no colon after %q; some crawlers forgive that, others ignore the line", ln.key), fmt.Sprintf("write \"%s: %s\"", ln.key, ln.value), "")
	}
	if ln.field != fieldOther {
		if right := forgiven[name]; right != "" {
			l.reportAs(Warning, FieldMisspelt, ln, ln.keyAt, fmt.Sprintf("%q is read as %q by forgiving crawlers only", ln.key, right), fmt.Sprintf("write %q", right), "")
		}
		return
	}
	switch {
	case noindexFields[name]:
		l.report(FieldNoindex, ln, ln.keyAt, fmt.Sprintf("%q does nothing in robots.txt: Google dropped it in 2019 and nobody else reads it", ln.key),
			"use a robots meta tag or an X-Robots-Tag header on pages that may be crawled", "")
	case extension:
		if !known[name] {
			known[name] = true
			if name == "crawl-delay" {
				readers = delayReaders()
			}
			l.report(FieldExtension, ln, ln.keyAt, fmt.Sprintf("%q is not part of the standard: %s", ln.key, readers), "", "")
		}
		l.lintExtension(name, ln)
	default:
		if right := resembles(name); right != "" {
			l.report(FieldMisspelt, ln, ln.keyAt, fmt.Sprintf("%s is ignored; did you mean %q?", quote(ln.key), right), fmt.Sprintf("write %q", right), "")
			return
		}
		if !known[name] {
			known[name] = true
			l.report(FieldUnknown, ln, ln.keyAt, fmt.Sprintf("no crawler is known to read %s", quote(ln.key)), `start the line with "#" if it is a comment`, "")
		}
	}
}

// lintExtension checks values that are commonly wrong.
func (l *linter) lintExtension(name string, ln *line) {
	if name != "crawl-delay" {
		return
	}
	f := robots.Parse([]byte("User-agent: *\nCrawl-delay: " + ln.value + "\n"))
	if _, ok := f.Group("*").CrawlDelay(); !ok {
		l.report(FieldValue, ln, ln.valueAt, fmt.Sprintf("Crawl-delay %s is not a number of seconds: it is ignored", quote(ln.value)), `write a number, such as "10"`, "")
	}
}

// resembles returns the standard field that a name is a misspelling of.
func resembles(name string) string {
	if len(name) > 20 {
		return ""
	}
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' || r == '.' {
			return -1
		}
		return r
	}, name)
	for _, right := range []string{"User-agent", "Disallow", "Allow", "Sitemap"} {
		want := strings.ReplaceAll(strings.ToLower(right), "-", "")
		most := 2
		if len(want) < 7 {
			most = 1
		}
		if plain == want || plain == want+"s" || distance(plain, want) <= most {
			return right
		}
	}
	return ""
}

// distance is the number of octets to insert, remove or change, or of
// neighbours to swap, between two short words.
func distance(a, b string) int {
	two, one := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range one {
		one[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(one[j]+1, row[j-1]+1, one[j-1]+btoi(a[i-1] != b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], two[j-2]+1)
			}
		}
		two, one = one, row
	}
	return one[len(b)]
}

// lintSitemaps looks at the Sitemap records.
func (l *linter) lintSitemaps() {
	star := l.file.Group("*")
	for i := range l.lines {
		ln := &l.lines[i]
		if ln.field != fieldSitemap {
			continue
		}
		u, err := url.Parse(ln.value)
		switch {
		case ln.value == "":
			l.report(SitemapURL, ln, ln.keyAt, "a Sitemap without a URL", "write the absolute URL of the sitemap, or remove the line", "")
		case err != nil || strings.ContainsAny(ln.value, " \t"):
			l.report(SitemapURL, ln, ln.valueAt, fmt.Sprintf("Sitemap %s is not a valid URL", quote(ln.value)), "write one absolute URL a line", "")
		case u.Scheme == "" && u.Host == "":
			l.report(SitemapURL, ln, ln.valueAt, fmt.Sprintf("Sitemap %s is not absolute: it is ignored", quote(ln.value)), "write it with scheme and host, as https://example.com/sitemap.xml", "")
		case u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			l.report(SitemapURL, ln, ln.valueAt, fmt.Sprintf("Sitemap %s is not an http or https URL", quote(ln.value)), "write it as https://example.com/sitemap.xml", "")
		default:
			if d := star.Explain(ln.value); !d.Allowed {
				l.report(SitemapBlocked, ln, ln.valueAt, fmt.Sprintf("if the sitemap is on this host, line %d (%q) blocks it for \"*\"", d.Rule.Line, "Disallow: "+d.Rule.Pattern),
					fmt.Sprintf("add \"Allow: %s\"", u.EscapedPath()), ln.value)
			}
		}
	}
}
