package audit

import (
	"fmt"
	"strings"

	"example.com/robots"
)

// lintEngines looks at what other engines than RFC 9309's make of the file.
func (l *linter) lintEngines() {
	l.lintFirstMatch()
	l.lintYandex()
}

// lintFirstMatch looks for a URL on which the first rule that matches, which
// Baidu takes, says otherwise than the longest. Other parsers that do so, after
// the draft of 1996, know no wildcards: where the difference lies in these, it
// is reported only to who minds Baidu.
func (l *linter) lintFirstMatch() {
	s := l.setOf["baiduspider"]
	if s == nil {
		s = l.setOf["*"]
	}
	if s == nil {
		return
	}
	baidu := l.minds("baidu")
	for _, r := range s.rules {
		if r.exotic || !r.possible() || l.budget <= 0 {
			continue
		}
		// Only a rule that stands before it can take its URLs.
		var before []ranked
		for _, o := range s.rules[:r.order] {
			if o.Allow != r.Allow && o.meets(r.glob) {
				before = append(before, ranked{o.glob, o.Allow})
			}
			l.budget--
		}
		if len(before) == 0 {
			continue
		}
		before = before[:0]
		for _, o := range s.rules[:r.order] {
			before = append(before, ranked{o.glob, o.Allow})
		}
		before = append(before, ranked{r.glob, r.Allow})
		limit := min(l.budget, lintBudget/16)
		spent := limit
		q := question{must: []*glob{r.glob}, not: above(s.near(r.glob, &spent), r), ranked: before, want: !r.Allow}
		p, a := q.solve(&spent)
		l.budget -= limit - spent
		if a != yes {
			continue
		}
		first := firstMatch(s.group, p)
		d := s.group.Explain(origin + p)
		if first.Pattern == "" || first.Allow == d.Allowed || d.Reason != robots.ReasonRule {
			continue
		}
		who := "Baidu, Python's urllib.robotparser and others take"
		if strings.ContainsAny(first.Pattern+d.Rule.Pattern, "*$") {
			if !baidu {
				continue
			}
			who = "Baidu takes"
		}
		ln := l.at(d.Rule.Line)
		l.report(FirstMatch, ln, ln.keyAt, fmt.Sprintf("%s the first rule that matches: for %s that is line %d (%s), not this one", who, p, first.Line, quote(first.String())),
			fmt.Sprintf("move this line before line %d", first.Line), p)
		return
	}
}

// firstMatch returns the first rule that matches a path.
func firstMatch(g *robots.Group, path string) robots.Rule {
	for r := range g.Rules() {
		if robots.Match(r.Pattern, origin+path) {
			return r
		}
	}
	return robots.Rule{}
}

// lintYandex looks at the group that Yandex obeys. Source:
// https://yandex.com/support/webmaster/en/robot-workings/robots-txt
func (l *linter) lintYandex() {
	token := "*"
	if l.setOf["yandex"] != nil {
		token = "yandex"
	}
	s := l.setOf[token]
	if s == nil {
		return
	}
	if len(s.rules) > 2048 {
		ln := l.at(s.rules[2048].Line)
		l.report(YandexLimits, ln, ln.keyAt, fmt.Sprintf("the group has %d rules, of which Yandex reads 2,048: from this line on they do not hold", len(s.rules)), "shorten the list: wildcards save rules", "")
	}
	for _, r := range s.rules {
		if len(r.Pattern) > 1024 {
			ln := l.at(r.Line)
			l.report(YandexLimits, ln, ln.valueAt+1024, fmt.Sprintf("the path has %d octets; Yandex reads rules of at most 1,024", len(r.Pattern)), `shorten it with "*"`, "")
			break
		}
	}
	if !l.minds("yandex", "clean-param", "host") {
		return // a note for nearly every second file would help nobody
	}
	for i := range l.sections {
		if l.lintYandexBlank(&l.sections[i], token) {
			return
		}
	}
}

// minds reports whether the file names a crawler of an engine, or has a field
// that only the engine reads.
func (l *linter) minds(engine string, fields ...string) bool {
	for a := range l.setOf {
		if strings.HasPrefix(a, engine) {
			return true
		}
	}
	for i := range l.lines {
		for _, f := range fields {
			if l.lines[i].field == fieldOther && strings.EqualFold(l.lines[i].key, f) {
				return true
			}
		}
	}
	return false
}

// lintYandexBlank looks for a blank line between the records of a section.
func (l *linter) lintYandexBlank(s *section, token string) bool {
	mine := false
	for _, i := range s.agents {
		mine = mine || strings.EqualFold(agentToken(l.lines[i].value), token)
	}
	if !mine || len(s.rules) == 0 {
		return false
	}
	last := s.rules[len(s.rules)-1]
	var blank *line
	for i := s.from + 1; i <= last; i++ {
		ln := &l.lines[i]
		switch {
		case ln.blank():
			if blank == nil {
				blank = ln
			}
		case ln.field.rule() && blank != nil:
			l.report(YandexBlank, blank, 0, fmt.Sprintf("Yandex ends the group at this blank line: the rules from line %d on may not hold for it", ln.number), "remove the blank line, or make it a comment", "")
			return true
		}
	}
	return false
}
