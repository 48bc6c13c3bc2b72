package robots

import (
	"iter"
	"slices"
	"strings"
)

// A Crawler says how a known crawler reads robots.txt where that is not plain
// RFC 9309, as its operator documents it. The zero Crawler is an unknown one,
// for which the RFC's rule holds: its own group, else "*".
//
// [File.Allowed], [File.Explain] and [File.Group] go by the table of
// [Crawlers]. What other parts of a crawler's reading differ (the first rule
// that matches, a limit of size) they do not imitate; Notes tell.
type Crawler struct {
	// Token is the product token, in the operator's spelling. A few names, such
	// as "Sogou web spider", have spaces.
	Token    string
	Operator string
	Purpose  Purpose

	// Fallback are the tokens whose groups are obeyed, the first that the file
	// has, when no group names Token. They come before "*". Some, like "msnbot",
	// are crawlers of their own.
	Fallback []string

	// IgnoresGlobal: the group "*" does not reach it (AdsBot-Google).
	IgnoresGlobal bool

	// IgnoresRobots: documented not to follow robots.txt (Baiduspider-video), or
	// not to do so in general, as of fetches that a user asks for (ChatGPT-User).
	// No file disallows it anything.
	IgnoresRobots bool

	// TokenOnly: a control token with no crawler of its own (Google-Extended). It
	// never stands in a User-Agent header.
	TokenOnly bool

	// Undocumented: no statement of the operator on robots.txt was found
	// (Bytespider). It is treated as an unknown crawler.
	Undocumented bool

	// Retired: out of use, or named on older pages only.
	Retired bool

	// Inferred: a part of the row, such as the fallback within a family, is
	// inferred or comes from third parties only.
	Inferred bool

	// CrawlDelay is whether the crawler heeds Crawl-delay records.
	CrawlDelay CrawlDelay

	// UserAgent is an example of its User-Agent header, "" if there is none.
	UserAgent string

	// Notes say what else changes a verdict or a reading.
	Notes string

	// Source is the URL of the page that says so, read in the month Read
	// ("2006-01"), in the original or in a copy.
	Source, Read string
}

// Purpose is what a crawler fetches pages for.
type Purpose uint8

const (
	PurposeOther      Purpose = iota // anything else, or not stated
	PurposeSearch                    // an index for search, with or without generated answers
	PurposeAds                       // choice and quality of advertisements
	PurposeAITraining                // training of models
	PurposeAIUser                    // a page that a user of an assistant asks about
	PurposeSEO                       // link and site analysis for site owners
	PurposeArchive                   // open crawls and web archives
	PurposePreview                   // previews of links in posts and messages
)

var purposeNames = [...]string{"other", "search", "ads", "ai-training", "ai-user", "seo", "archive", "preview"}

// String returns the purpose as one word: "other", "search", "ads",
// "ai-training", "ai-user", "seo", "archive" or "preview".
func (p Purpose) String() string {
	if int(p) >= len(purposeNames) {
		return "other"
	}
	return purposeNames[p]
}

// CrawlDelay is whether a crawler heeds Crawl-delay, which is no part of
// RFC 9309.
type CrawlDelay uint8

const (
	CrawlDelayUnknown    CrawlDelay = iota // the operator does not say
	CrawlDelayIgnored                      // documented as ignored
	CrawlDelayHonoured                     // taken from the group that the crawler obeys
	CrawlDelayAlsoGlobal                   // taken from the group "*" where its own group has none
)

var crawlDelayNames = [...]string{"unknown", "ignored", "honoured", `honoured, also from "*"`}

// String returns "unknown", "ignored", "honoured" or `honoured, also from "*"`.
func (c CrawlDelay) String() string {
	if int(c) >= len(crawlDelayNames) {
		return "unknown"
	}
	return crawlDelayNames[c]
}

// LookupCrawler returns the known crawler with the given product token, in any
// case. A whole User-Agent header will do, by way of [ProductToken]. Nothing is
// allocated: Fallback is shared between callers, who must not change its
// elements. (No verdict depends on them: selection has lists of its own.)
func LookupCrawler(token string) (Crawler, bool) {
	k := lookupCrawler(token)
	if k == nil && !isToken(token) {
		k = lookupCrawler(ProductToken(token))
	}
	if k == nil {
		return Crawler{}, false
	}
	return *k.row, true
}

// Crawlers returns the known crawlers, operator by operator. What it yields is
// the caller's own.
func Crawlers() iter.Seq[Crawler] {
	return func(yield func(Crawler) bool) {
		for i := range crawlerTable {
			c := crawlerTable[i]
			c.Fallback = slices.Clone(c.Fallback)
			if !yield(c) {
				return
			}
		}
	}
}

// crawler is a row of the table as the selector reads it.
type crawler struct {
	token         string   // in lower case
	letters       string   // 0x20 where token has a letter, else 0
	fallback      []string // in lower case, as user-agent lines are read
	spaced        bool     // fallback[0] is its own token: see spacedCrawlers
	ignoresGlobal bool
	ignoresRobots bool
	row           *Crawler
}

// lookupCrawler returns the known crawler called token, in any case, or nil.
// The selector asks it in every question, so it must cost next to nothing.
func lookupCrawler(token string) *crawler {
	if len(token) < crawlerMinLen || len(token) > crawlerMaxLen {
		return nil
	}
	for h := crawlerHash(token); ; h++ {
		i := crawlerSlots[h%uint(len(crawlerSlots))]
		if i == 0 {
			return nil
		}
		k := &knownCrawlers[i-1]
		if token == k.row.Token || k.is(token) {
			return k
		}
	}
}

// is reports whether token is that of k, in any case.
func (k *crawler) is(token string) bool {
	if len(token) != len(k.token) {
		return false
	}
	i := 0
	for ; len(token)-i >= 8; i += 8 {
		if load64(token, i)|load64(k.letters, i) != load64(k.token, i) {
			return false
		}
	}
	for ; i < len(token); i++ {
		if token[i]|k.letters[i] != k.token[i] {
			return false
		}
	}
	return true
}

// spacedCrawlers are the known tokens with spaces. A user-agent line is read to
// its first word, so a line that names such a crawler ends up as the token in
// line, in lower case. The selector takes that for the crawler's own.
var spacedCrawlers = [...]struct{ token, line string }{
	{"Google Favicon", ""}, // has no token of its own in robots.txt
	{"Screaming Frog SEO Spider", "screaming"},
	{"Sogou web spider", "sogou"},
	{"Sogou inst spider", "sogou"},
	{"Sogou spider", "sogou"},
	{"Sogou wap spider", "sogou"},
	{"Sogou Pic Spider", "sogou"},
	{"Sogou News Spider", "sogou"},
}

// spacedCrawler returns what s begins with if that is a known token with spaces,
// in any case, or "".
func spacedCrawler(s string) string {
	for i := range spacedCrawlers {
		n := len(spacedCrawlers[i].token)
		if len(s) >= n && strings.EqualFold(s[:n], spacedCrawlers[i].token) && (len(s) == n || class[s[n]]&classToken == 0) {
			return s[:n]
		}
	}
	return ""
}

// Tokens shorter or longer than the known ones are not looked for.
const (
	crawlerMinLen = 4
	crawlerMaxLen = 28
)

// crawlerHash takes a few of the bytes of s, without regard to case. The factors
// were tried out to give each known token a slot of its own, or nearly. s has at
// least crawlerMinLen bytes.
func crawlerHash(s string) uint {
	n := uint(len(s))
	return n*429 + uint(s[0]|0x20)*407 + uint(s[n/2]|0x20)*55 + uint(s[n-1]|0x20)*71 + uint(s[n-3]|0x20)*237
}

// knownCrawlers are the rows of crawlerTable, in its order, and crawlerSlots
// the hash table to find them by: 1 + the number of a row, or 0. There are so
// many slots that most unknown tokens meet an empty one at once.
var knownCrawlers, crawlerSlots = func() (known [len(crawlerTable)]crawler, slots [1024]uint16) {
	for i := range crawlerTable {
		row := &crawlerTable[i]
		k := crawler{
			token:         strings.ToLower(row.Token),
			ignoresGlobal: row.IgnoresGlobal,
			ignoresRobots: row.IgnoresRobots,
			row:           row,
		}
		k.letters = strings.Map(func(r rune) rune {
			if isLetter(byte(r)) {
				return 0x20
			}
			return 0
		}, k.token)
		for _, s := range spacedCrawlers {
			if s.token == row.Token && s.line != "" {
				k.fallback, k.spaced = append(k.fallback, s.line), true
			}
		}
		for _, t := range row.Fallback {
			k.fallback = append(k.fallback, strings.ToLower(t))
		}
		known[i] = k
		h := crawlerHash(k.token)
		for slots[h%uint(len(slots))] != 0 {
			h++
		}
		slots[h%uint(len(slots))] = uint16(i + 1)
	}
	return known, slots
}()
