package answer

import (
	"example.com/robots"
	"example.com/robots/audit"
)

const (
	maxAgents  = 50 // groups of agents whose verdicts change
	maxChanges = 20 // URLs that one of them has
)

// A compared is what differs between two files by their meaning.
type compared struct {
	Equal  bool        `json:"equal"`
	Agents []agentDiff `json:"agents"`         // those for whom something changes
	Same   int         `json:"same"`           // groups of agents for whom nothing does
	More   int         `json:"more,omitempty"` // agents beyond maxAgents

	Added   []string `json:"added"` // records outside of groups
	Removed []string `json:"removed"`
}

type agentDiff struct {
	Names     []string `json:"names"` // "*": all that neither file names
	Undecided bool     `json:"undecided,omitempty"`
	Opened    []change `json:"opened"` // was blocked, is allowed
	Closed    []change `json:"closed"` // was allowed, is blocked
	More      int      `json:"more,omitempty"`

	Added   []string `json:"added"` // such as "Crawl-delay: 1"
	Removed []string `json:"removed"`
}

// A change is a URL whose verdict differs. Lines are 0 if no rule decides.
type change struct {
	Path    string `json:"path"`
	Old     string `json:"old"`
	OldLine int    `json:"oldLine"`
	New     string `json:"new"`
	NewLine int    `json:"newLine"`
}

func diff(before, after string) compared {
	c := audit.Diff(robots.Parse([]byte(before)), robots.Parse([]byte(after)))
	res := compared{Equal: c.Equal(), Agents: []agentDiff{}, Added: records(c.SitemapsAdded, c.RecordsAdded), Removed: records(c.SitemapsRemoved, c.RecordsRemoved)}
	for i := range c.Agents {
		a := &c.Agents[i]
		if a.Equal && len(a.RecordsAdded)+len(a.RecordsRemoved) == 0 {
			res.Same++
			continue
		}
		if len(res.Agents) == maxAgents {
			res.More++
			continue
		}
		d := agentDiff{Names: a.Agents, Undecided: a.Undecided(), Added: records(nil, a.RecordsAdded), Removed: records(nil, a.RecordsRemoved)}
		d.Opened = changes(a.Opened, &d.More)
		d.Closed = changes(a.Closed, &d.More)
		res.Agents = append(res.Agents, d)
	}
	return res
}

func records(sitemaps, others []string) []string {
	list := []string{}
	for _, s := range sitemaps {
		list = append(list, "Sitemap: "+s)
	}
	return append(list, others...)
}

func changes(from []audit.Change, more *int) []change {
	list := []change{}
	for _, c := range from {
		if len(list) == maxChanges {
			*more++
			continue
		}
		list = append(list, change{c.Path, rule(c.Old), c.Old.Rule.Line, rule(c.New), c.New.Rule.Line})
	}
	return list
}

// rule returns what decided, without its line.
func rule(d robots.Decision) string {
	if d.Reason != robots.ReasonRule {
		return d.Reason.String()
	}
	return d.Rule.String()
}
