package answer

import (
	"strings"

	"example.com/robots"
)

// A crawler is one that is known, as the page shows it.
type crawler struct {
	Token    string `json:"token"`
	Operator string `json:"operator"`
	About    string `json:"about"` // what it is for, and what else to know
	Source   string `json:"source,omitempty"`
}

var purposes = map[robots.Purpose]string{
	robots.PurposeSearch:     "search",
	robots.PurposeAds:        "advertising",
	robots.PurposeAITraining: "AI training",
	robots.PurposeAIUser:     "AI, when a user asks",
	robots.PurposeSEO:        "SEO tools",
	robots.PurposeArchive:    "archive",
	robots.PurposePreview:    "link previews",
}

func newCrawler(c robots.Crawler) *crawler {
	about := []string{}
	if p := purposes[c.Purpose]; p != "" {
		about = append(about, "for "+p)
	}
	if len(c.Fallback) > 0 {
		about = append(about, "without a group of its own it obeys that of "+strings.Join(c.Fallback, ", else "))
	}
	if c.IgnoresGlobal {
		about = append(about, "does not obey the group *")
	}
	if c.TokenOnly {
		about = append(about, "a token for robots.txt only, which crawls nothing itself")
	}
	if c.Undocumented {
		about = append(about, "its operator does not say whether it obeys")
	}
	if c.Retired {
		about = append(about, "out of use")
	}
	text := c.Operator
	if len(about) > 0 {
		text += ": " + strings.Join(about, "; ")
	}
	text += "."
	if c.Notes != "" {
		text += " " + c.Notes
	}
	return &crawler{Token: c.Token, Operator: c.Operator, About: text, Source: c.Source}
}

// A listed is a crawler to choose from.
type listed struct {
	Token string `json:"token"`
	Label string `json:"label"`
}

// crawlers lists the known crawlers that are in use.
func crawlers() any {
	list := []listed{}
	for c := range robots.Crawlers() {
		if c.Retired {
			continue
		}
		label := c.Operator
		if p := purposes[c.Purpose]; p != "" {
			label += ", " + p
		}
		list = append(list, listed{c.Token, label})
	}
	return struct {
		Crawlers []listed `json:"crawlers"`
	}{list}
}
