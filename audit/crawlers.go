package audit

import (
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
