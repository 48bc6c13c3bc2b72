package audit

import (
	"fmt"
	"slices"
	"strings"
)

// lintGroups looks at who obeys which rules.
func (l *linter) lintGroups() {
	for _, i := range l.loose {
		ln := &l.lines[i]
		l.report(RuleOutside, ln, ln.keyAt, fmt.Sprintf("\"%s: %s\" stands before any User-agent line: it applies to nobody", ln.key, short(ln.value)), `put "User-agent: *" before it`, "")
	}
	type place struct{ section, line int }
	first := make(map[string]place) // by agent
	split := make(map[[2]int]bool)  // the pairs of sections that are reported
	for n := range l.sections {
		s := &l.sections[n]
		l.lintJoined(s)
		here := make(map[string]int)
		for _, i := range s.agents {
			ln := &l.lines[i]
			l.lintAgent(ln)
			token := agentToken(ln.value)
			if token == "" {
				continue
			}
			key := strings.ToLower(token)
			if at, ok := here[key]; ok {
				l.report(AgentRepeated, ln, ln.valueAt, fmt.Sprintf("%q is listed already at line %d", token, at), "remove one of the lines", "")
				continue
			}
			here[key] = ln.number
			at, ok := first[key]
			if !ok {
				first[key] = place{n, ln.number}
				l.agentAt[key] = ln
				continue
			}
			// One finding for all agents that two sections share.
			if pair := [2]int{at.section, n}; !split[pair] {
				split[pair] = true
				l.report(GroupSplit, ln, ln.valueAt, fmt.Sprintf("%q has a group at line %d already: crawlers merge the two, older ones may read only the first", token, at.line), "move the rules together", "")
			}
		}
	}
	l.lintLast()
	l.lintDropped()
}

func short(s string) string {
	q := quote(s)
	return q[1 : len(q)-1]
}

// lintJoined looks for what stands between the User-agent lines of a section.
func (l *linter) lintJoined(s *section) {
	for k := 1; k < len(s.agents); k++ {
		before, after := s.agents[k-1], s.agents[k]
		ln := &l.lines[before]
		var record *line
		blank := false
		for i := before + 1; i < after; i++ {
			m := &l.lines[i]
			if record == nil && m.field != fieldNone && m.field != fieldSitemap {
				record = m
			}
			blank = blank || m.blank()
		}
		next := &l.lines[after]
		switch {
		case record != nil:
			rules := "which has no rule"
			witness := ""
			if len(s.rules) > 0 {
				r := &l.lines[s.rules[0]]
				rules = fmt.Sprintf("and its rules, from line %d on (\"%s: %s\")", r.number, r.key, short(r.value))
				witness = l.blockedBy(s, r)
			}
			sev := Error
			if witness == "" {
				sev = Warning // no URL is blocked by it
			}
			l.reportAs(sev, GroupJoined, record, record.keyAt, fmt.Sprintf("\"%s: %s\" is no rule and does not end the group of %q (line %d): it joins that of %q (line %d), %s",
				record.key, short(record.value), short(ln.value), ln.number, short(next.value), next.number, rules),
				fmt.Sprintf("give %q a rule of its own before line %d; an empty \"Disallow:\" allows everything", short(ln.value), next.number), witness)
		case blank && len(s.rules) > 0:
			l.report(AgentsApart, next, next.keyAt, fmt.Sprintf("the blank line above does not end the group of %q (line %d): it takes the same rules as %q", short(ln.value), ln.number, short(next.value)),
				"remove the blank line, or give the first one a rule of its own", "")
		}
	}
}

// blockedBy is a path that a line of a section blocks for its agents, or "".
func (l *linter) blockedBy(s *section, r *line) string {
	set := l.setOf[strings.ToLower(agentToken(l.lines[s.from].value))]
	if set == nil || r.field != fieldDisallow || r.value == "" {
		return ""
	}
	p := parsePattern(r.value).shortest()
	if d := set.group.Explain(origin + p); d.Rule.Line == r.number && !d.Allowed {
		return p
	}
	return ""
}

// lintAgent looks at the value of a User-agent line.
func (l *linter) lintAgent(ln *line) {
	value := ln.value
	token := agentToken(value)
	if i := strings.IndexAny(value, ",;|"); i > 0 && token != "" && !strings.ContainsAny(value[:i], "/(") {
		if rest := strings.TrimSpace(value[i+1:]); rest != "" {
			l.report(AgentList, ln, ln.valueAt+i, fmt.Sprintf("%s names only %q: a User-agent line has one agent", quote(value), token), "write one User-agent line for each", "")
			return
		}
	}
	switch {
	case token == "" && value == "":
		l.report(AgentNone, ln, ln.keyAt, "User-agent without a value names nobody", `write the crawler's product token, or "*"`, "")
	case token == "":
		l.report(AgentNone, ln, ln.valueAt, fmt.Sprintf("%s names nobody: a product token is made of letters, digits, \"-\", \"_\" and \".\", and \"*\" is no wildcard in it", quote(value)), `write the crawler's product token, or "*"`, "")
	case token == "*" && len(value) > 1:
		l.report(AgentCut, ln, ln.valueAt+1, fmt.Sprintf("%s is read as \"*\": everyone", quote(value)), `write "*"`, "")
	case len(token) < len(value):
		if knownSpaced(value) {
			l.reportAs(Note, AgentCut, ln, ln.valueAt+len(token), fmt.Sprintf("%q is that crawler's name, but the standard allows no spaces: parsers that follow it read %q", value, token), "", "")
			return
		}
		sev := Warning
		switch value[len(token)] {
		case '/', '*':
			sev = Note // a version, or "any": all the same to crawlers
		}
		l.reportAs(sev, AgentCut, ln, ln.valueAt+len(token), fmt.Sprintf("%s is read as %q", quote(value), token), fmt.Sprintf("write %q, if that is the crawler's product token", token), "")
	}
}

// lintLast looks for a last group without rules.
func (l *linter) lintLast() {
	if len(l.sections) == 0 {
		return
	}
	s := &l.sections[len(l.sections)-1]
	if len(s.rules) > 0 {
		return
	}
	for _, i := range s.agents {
		ln := &l.lines[i]
		token := agentToken(ln.value)
		other, star := l.instead(token)
		set := l.setOf[strings.ToLower(token)]
		if token == "" || set == nil || len(set.rules) > 0 {
			continue // nobody, or it has rules elsewhere
		}
		sev, witness := Note, ""
		message := fmt.Sprintf("the group of %q has no rule: everything is allowed to it", token)
		if star != nil && star != set {
			if p, a := star.some(false, &l.budget); a == yes {
				sev, witness = Warning, p
				message += fmt.Sprintf(", also what %q is denied", other)
			}
		}
		l.reportAs(sev, GroupEmpty, ln, ln.valueAt, message, `if that is meant, say so with an empty "Disallow:"; else remove the group`, witness)
	}
}

// instead returns the group that a crawler would obey if none named it, with
// the token that names that.
func (l *linter) instead(token string) (string, *ruleset) {
	t := instead(token, func(t string) bool { return l.setOf[strings.ToLower(t)] != nil })
	return t, l.setOf[strings.ToLower(t)]
}

// lintDropped looks for rules of "*", or of another group that a crawler falls
// back to, which its own group leaves out. Groups that block or allow
// everything are taken to be meant so.
func (l *linter) lintDropped() {
	done := make(map[string]bool)
	for _, set := range l.sets {
		if len(set.rules) == 0 {
			continue
		}
		var agent, other string
		var star *ruleset // what the agent would obey else
		others := 0
		for a := range set.group.Agents() {
			t, s := l.instead(a)
			switch {
			case a == "*" || s == nil || s == set:
			case agent == "":
				agent, other, star = a, t, s
			case s == star:
				others++
			}
		}
		if agent == "" || done[set.same()] {
			continue
		}
		done[set.same()] = true
		if l.budget -= 4 * len(star.ranked); l.budget <= 0 {
			return
		}
		if set.extent(&l.budget) != BlockedPartly {
			continue
		}
		own := make(map[string]bool)
		for _, r := range set.rules {
			own[r.key()] = true
		}
		var dropped []*rule
		var witness string
		shared := 0
		seen := make(map[string]bool)
		for _, r := range star.ranked {
			k := r.key()
			if r.Allow || seen[k] {
				continue
			}
			seen[k] = true
			if own[k] {
				shared++
				continue
			}
			if l.budget <= 0 {
				break
			}
			p, a := star.differ(r, set, nil, &l.budget)
			if a == yes && !star.group.Allowed(origin+p) && set.group.Allowed(origin+p) {
				if witness == "" || len(p) < len(witness) {
					witness = p
				}
				dropped = append(dropped, r)
			}
		}
		if len(dropped) == 0 {
			continue
		}
		ln := l.agentAt[strings.ToLower(agent)]
		if ln == nil {
			continue
		}
		who := fmt.Sprintf("%q", agent)
		if others > 0 {
			who += fmt.Sprintf(" and %s", plural(others, "other", "others"))
		}
		var lines []int
		for _, r := range dropped {
			lines = append(lines, r.Line)
		}
		slices.Sort(lines)
		message := fmt.Sprintf("%s obeys only its own group, which leaves out %s of %q: %s (%q first)",
			who, plural(len(dropped), "Disallow", "Disallows"), other, lineList(lines), "Disallow: "+l.at(lines[0]).value)
		sev := Note
		if shared > 0 { // it was meant to be a copy
			sev = Warning
			message += fmt.Sprintf("; it repeats %d", shared)
		}
		l.reportAs(sev, RulesDropped, ln, ln.valueAt, message, "repeat the rules in this group if they are to hold here too; no crawler combines two groups of different agents", witness)
	}
}
