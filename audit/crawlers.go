package audit

import (
	"fmt"
	"slices"
	"strings"

	"example.com/robots"
)

// What the audit takes from the table of known crawlers.

// knownSpaced reports a crawler's name with spaces, such as "Sogou web spider".
func knownSpaced(value string) bool {
	if !strings.Contains(value, " ") {
		return false
	}
	c, ok := robots.LookupCrawler(value)
	return ok && strings.EqualFold(c.Token, value)
}

// instead returns the token whose group a crawler obeys in a file where no
// group names it, given the tokens that are named; "" if there is none.
func instead(token string, named func(string) bool) string {
	c, _ := robots.LookupCrawler(token)
	for _, t := range c.Fallback {
		if named(t) {
			return t
		}
	}
	if c.IgnoresGlobal || c.IgnoresRobots || !named("*") {
		return ""
	}
	return "*"
}

// delayReaders says who heeds Crawl-delay and who does not, by operator.
func delayReaders() string {
	var heed, ignore []string
	for c := range robots.Crawlers() {
		list := &heed
		switch c.CrawlDelay {
		case robots.CrawlDelayIgnored:
			list = &ignore
		case robots.CrawlDelayHonoured, robots.CrawlDelayAlsoGlobal:
		default:
			continue
		}
		if !slices.Contains(*list, c.Operator) {
			*list = append(*list, c.Operator)
		}
	}
	return fmt.Sprintf("heeded by %s; ignored by %s", some(heed), some(ignore))
}

func some(list []string) string {
	if n := len(list) - 5; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:5], ", "), n)
	}
	return strings.Join(list, ", ")
}

// class returns the tokens of the crawlers of one purpose, such as
// "ai-training", those that do not obey robots.txt or are retired left out.
// ok is false if there is no such purpose.
func class(purpose string) (tokens []string, ok bool) {
	for c := range robots.Crawlers() {
		if c.Purpose.String() != purpose {
			continue
		}
		ok = true
		if !c.IgnoresRobots && !c.Retired {
			tokens = append(tokens, c.Token)
		}
	}
	return tokens, ok
}

// purposes are the names that class knows, for messages.
func purposes() []string {
	var list []string
	for p := robots.PurposeOther; p <= robots.PurposePreview; p++ {
		list = append(list, "@"+p.String())
	}
	return list
}
