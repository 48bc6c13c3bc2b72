package audit

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"example.com/robots"
)

// A Comparison is what differs between two files by their meaning.
type Comparison struct {
	Agents []AgentDiff `json:"agents"`

	// The values of Sitemap records that only one file has, and the records
	// outside of all groups, as "Key: value".
	SitemapsAdded   []string `json:"sitemapsAdded,omitempty"`
	SitemapsRemoved []string `json:"sitemapsRemoved,omitempty"`
	RecordsAdded    []string `json:"recordsAdded,omitempty"`
	RecordsRemoved  []string `json:"recordsRemoved,omitempty"`
}

// An AgentDiff is what changes for the agents of one group.
type AgentDiff struct {
	// Agents are product tokens. "*" stands for all crawlers that neither file
	// names.
	Agents []string `json:"agents"`

	// Equal: proved that no URL has another verdict. If it is false and
	// neither Opened nor Closed has an example, that was left undecided.
	Equal bool `json:"equal"`

	// UndecidedRules is the number of rules that are new or gone and of which it
	// is not known whether they make a difference.
	UndecidedRules int `json:"undecidedRules,omitempty"`

	// Opened are URLs that were blocked and are allowed now; Closed the other
	// way round. There is one for each rule that is new or gone, the shortest
	// first.
	Opened []Change `json:"opened,omitempty"`
	Closed []Change `json:"closed,omitempty"`

	// The other records of the group, such as Crawl-delay, as "Key: value".
	RecordsAdded   []string `json:"recordsAdded,omitempty"`
	RecordsRemoved []string `json:"recordsRemoved,omitempty"`
}

// Undecided reports that it is not known whether the verdicts are equal.
func (a *AgentDiff) Undecided() bool {
	return !a.Equal && len(a.Opened) == 0 && len(a.Closed) == 0
}

// A Change is a URL whose verdict differs, with what decides it.
type Change struct {
	Path     string          `json:"path"`
	Shortest bool            `json:"shortest"` // proved: of those that the same rule changes
	Old      robots.Decision `json:"-"`
	New      robots.Decision `json:"-"`
	OldRule  string          `json:"old"` // such as "line 3: Disallow: /a", or "no rule"
	NewRule  string          `json:"new"`
}

// Equal reports whether the two files mean the same: to all crawlers, in all
// URLs, and in their other records. Comments, order and repetition are not
// counted.
func (c *Comparison) Equal() bool {
	for i := range c.Agents {
		a := &c.Agents[i]
		if !a.Equal || len(a.RecordsAdded)+len(a.RecordsRemoved) > 0 {
			return false
		}
	}
	return len(c.SitemapsAdded)+len(c.SitemapsRemoved)+len(c.RecordsAdded)+len(c.RecordsRemoved) == 0
}

// diffBudget bounds the work of all questions of one Diff.
const diffBudget = 1 << 24

// Diff compares two files by what they mean: for "*", for every agent that
// either names, and for the known crawlers that a change reaches in another
// way. The texts of the files are read as the RFC9309 dialect reads them.
//
// Diff is safe for concurrent use. Its time is bounded, by some seconds for files
// of tens of thousands of rules that interlock.
func Diff(old, new *robots.File) *Comparison {
	old = robots.Parser{MaxBytes: -1}.Parse([]byte(old.String()))
	new = robots.Parser{MaxBytes: -1}.Parse([]byte(new.String()))
	d := &differ{
		sets:   make(map[*robots.Group]*ruleset),
		pairs:  make(map[[2]*robots.Group]*AgentDiff),
		done:   make(map[string]*AgentDiff),
		named:  make(map[string]bool),
		budget: diffBudget,
	}
	c := &Comparison{}
	star := d.add("*", old, new)
	for _, name := range namedAgents(old, new) {
		d.add(name, old, new)
	}
	for k := range robots.Crawlers() {
		if k.IgnoresRobots || d.named[strings.ToLower(k.Token)] {
			continue
		}
		if a := d.compare(old.Group(k.Token), new.Group(k.Token)); a != star && (!a.Equal || len(a.RecordsAdded)+len(a.RecordsRemoved) > 0) {
			d.name(a, k.Token)
		}
	}
	for _, a := range d.order {
		c.Agents = append(c.Agents, *a)
	}
	c.SitemapsAdded, c.SitemapsRemoved = changed(slices.Collect(old.Sitemaps()), slices.Collect(new.Sitemaps()))
	c.RecordsAdded, c.RecordsRemoved = changed(looseRecords(old), looseRecords(new))
	return c
}

// namedAgents returns the tokens that either file names, but "*", sorted.
func namedAgents(files ...*robots.File) []string {
	names := make(map[string]string)
	for _, f := range files {
		for g := range f.Groups() {
			for a := range g.Agents() {
				if k := strings.ToLower(a); a != "*" && names[k] == "" {
					names[k] = a
				}
			}
		}
	}
	var list []string
	for _, k := range slices.Sorted(maps.Keys(names)) {
		list = append(list, names[k])
	}
	return list
}

// looseRecords returns the records that stand in no group, without rules,
// agents and sitemaps.
func looseRecords(f *robots.File) []string {
	grouped := make(map[int]bool)
	for g := range f.Groups() {
		for r := range g.Records() {
			grouped[r.Line] = true
		}
	}
	var list []string
	for r := range f.Records() {
		if l := parseLine(2, r.Key+": "+r.Value); l.field == fieldOther && !grouped[r.Line] {
			list = append(list, r.Key+": "+r.Value)
		}
	}
	return list
}

func groupRecords(g *robots.Group) []string {
	var list []string
	for r := range g.Records() {
		list = append(list, r.Key+": "+r.Value)
	}
	return list
}

// changed returns what only new and what only old has, in their order, how
// often it is there aside. The case of a record's key does not count.
func changed(old, new []string) (added, removed []string) {
	fold := func(s string) string {
		if key, value, ok := strings.Cut(s, ": "); ok {
			return strings.ToLower(key) + ": " + value
		}
		return s
	}
	only := func(a, b []string) (list []string) {
		has := make(map[string]bool)
		for _, s := range b {
			has[fold(s)] = true
		}
		for _, s := range a {
			if k := fold(s); !has[k] {
				has[k] = true
				list = append(list, s)
			}
		}
		return list
	}
	return only(new, old), only(old, new)
}

// A differ compares groups, each pair of equal ones once.
type differ struct {
	sets   map[*robots.Group]*ruleset
	pairs  map[[2]*robots.Group]*AgentDiff
	done   map[string]*AgentDiff // by all that a pair says
	order  []*AgentDiff
	named  map[string]bool
	budget int
}

func (d *differ) add(name string, old, new *robots.File) *AgentDiff {
	a := d.compare(old.Group(name), new.Group(name))
	d.name(a, name)
	return a
}

// name adds an agent to those of a pair of groups.
func (d *differ) name(a *AgentDiff, name string) {
	d.named[strings.ToLower(name)] = true
	if len(a.Agents) == 0 {
		d.order = append(d.order, a)
	}
	a.Agents = append(a.Agents, name)
}

func (d *differ) set(g *robots.Group) *ruleset {
	s := d.sets[g]
	if s == nil {
		s = newRuleset(g)
		d.sets[g] = s
	}
	return s
}

func (d *differ) compare(old, new *robots.Group) *AgentDiff {
	pair := [2]*robots.Group{old, new}
	a := d.pairs[pair]
	if a == nil {
		a = d.compareNew(old, new)
		d.pairs[pair] = a
	}
	return a
}

func (d *differ) compareNew(old, new *robots.Group) *AgentDiff {
	so, sn := d.set(old), d.set(new)
	ro, rn := groupRecords(old), groupRecords(new)
	key := strings.Join([]string{so.same(), sn.same(), strings.Join(ro, "\n"), strings.Join(rn, "\n")}, "\x00")
	if a := d.done[key]; a != nil {
		return a
	}
	a := &AgentDiff{}
	d.done[key] = a
	a.RecordsAdded, a.RecordsRemoved = changed(ro, rn)
	if so.same() == sn.same() {
		a.Equal = true
		return a
	}
	// If a URL has two verdicts, at least one of the two rules that decide is
	// in one group only: two that are in both could not each outrank the other.
	d.changes(a, so, sn, false)
	d.changes(a, sn, so, true)
	a.Equal = a.UndecidedRules == 0 && len(a.Opened) == 0 && len(a.Closed) == 0
	for _, list := range []*[]Change{&a.Opened, &a.Closed} {
		slices.SortStableFunc(*list, func(x, y Change) int { return cmp.Compare(len(x.Path), len(y.Path)) })
		*list = slices.CompactFunc(*list, func(x, y Change) bool { return x.Path == y.Path })
	}
	return a
}

// changes adds a URL for each rule that s has and o has not, if it makes a
// difference. swapped: s is the new group.
func (d *differ) changes(a *AgentDiff, s, o *ruleset, swapped bool) {
	both := make(map[string]bool)
	for _, r := range o.rules {
		both[r.identity()] = true
	}
	for _, r := range s.rules {
		if both[r.identity()] {
			continue
		}
		limit := min(d.budget, diffBudget/4)
		spent := limit
		path, ans := s.differ(r, o, nil, &spent)
		d.budget -= limit - spent
		if ans != yes {
			a.UndecidedRules += btoi(ans == undecided)
			continue
		}
		x, y := s.group.Explain(origin+path), o.group.Explain(origin+path)
		if x.Allowed == y.Allowed {
			a.UndecidedRules++ // an exotic rule: the engine has guessed, wrongly
			continue
		}
		c := Change{Path: path, Shortest: !s.exotic && !o.exotic, Old: x, New: y}
		if swapped {
			c.Old, c.New = y, x
		}
		c.OldRule, c.NewRule = because(c.Old), because(c.New)
		if c.New.Allowed {
			a.Opened = append(a.Opened, c)
		} else {
			a.Closed = append(a.Closed, c)
		}
	}
}

// because says what decides.
func because(d robots.Decision) string {
	if d.Reason != robots.ReasonRule {
		return "no rule"
	}
	return fmt.Sprintf("line %d: %s", d.Rule.Line, d.Rule)
}

// WriteText writes a comparison for people, with at most ten examples for each
// kind of change.
func (c *Comparison) WriteText(w io.Writer) error {
	var b bytes.Buffer
	for i := range c.Agents {
		a := &c.Agents[i]
		names := strings.Join(a.Agents[:min(len(a.Agents), 8)], ", ")
		if n := len(a.Agents) - 8; n > 0 {
			names += fmt.Sprintf(" and %d more", n)
		}
		switch {
		case a.Equal:
			fmt.Fprintf(&b, "%s: equal (proved for all URLs)\n", names)
		case a.Undecided():
			fmt.Fprintf(&b, "%s: undecided: no difference was found and none ruled out\n", names)
		default:
			fmt.Fprintf(&b, "%s: differs\n", names)
		}
		writeChanges(&b, "closed", a.Closed)
		writeChanges(&b, "opened", a.Opened)
		if n := a.UndecidedRules; n > 0 && !a.Undecided() {
			fmt.Fprintf(&b, "    undecided: whether %s a difference\n", plural(n, "more rule makes", "more rules make"))
		}
		writeList(&b, "    - ", a.RecordsRemoved)
		writeList(&b, "    + ", a.RecordsAdded)
	}
	writeList(&b, "- Sitemap: ", c.SitemapsRemoved)
	writeList(&b, "+ Sitemap: ", c.SitemapsAdded)
	writeList(&b, "- ", c.RecordsRemoved)
	writeList(&b, "+ ", c.RecordsAdded)
	_, err := w.Write(b.Bytes())
	return err
}

func writeChanges(b *bytes.Buffer, word string, list []Change) {
	for i, c := range list {
		if i == 10 {
			fmt.Fprintf(b, "    %s: %d more rules make a difference\n", word, len(list)-i)
			return
		}
		fmt.Fprintf(b, "    %s %s\n        old: %s\n        new: %s\n", word, visible(c.Path), visible(c.OldRule), visible(c.NewRule))
	}
}

func writeList(b *bytes.Buffer, mark string, list []string) {
	for _, s := range list {
		fmt.Fprintf(b, "%s%s\n", mark, visible(s))
	}
}

// WriteJSON writes a comparison as a JSON object with "equal" and its fields.
func (c *Comparison) WriteJSON(w io.Writer) error {
	return writeJSON(w, struct {
		Equal bool `json:"equal"`
		*Comparison
	}{c.Equal(), c})
}
