package audit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// lintRules looks at the rules: first at each line by itself, then at the
// rules of each group together.
func (l *linter) lintRules() {
	for i := range l.sections {
		for _, j := range l.sections[i].rules {
			l.lintRule(&l.lines[j], &l.sections[i])
		}
	}
	l.lintSets()
	l.lintBlocksAll()
}

// lintRule looks at the path of one rule.
func (l *linter) lintRule(ln *line, s *section) {
	p := ln.value
	if i := ln.valueAt + len(p); ln.comment != "" && i < len(ln.text) && ln.text[i] == '#' {
		sev := Warning
		if ln.field == fieldDisallow && (p == "/" || p == "/*" || p == "*") {
			sev = Error
		}
		l.reportAs(sev, RuleFragment, ln, i, fmt.Sprintf("\"#\" starts a comment: the rule is \"%s: %s\"", ln.key, short(p)),
			"put a space before a comment; fragments are never sent, and a \"#\" in a path is %23", witnessOf(p))
	}
	if p == "" {
		l.lintEmpty(ln, s)
		return
	}
	low := strings.ToLower(p)
	switch {
	case strings.HasPrefix(low, "http://"), strings.HasPrefix(low, "https://"):
		fix := ""
		if _, rest, ok := strings.Cut(p[8:], "/"); ok {
			fix = "write /" + rest
		}
		l.report(RuleURL, ln, ln.valueAt, fmt.Sprintf("%s is a URL: rules are paths, and this one matches nothing", quote(p)), fix, "")
		return
	case regexpAt(p) >= 0:
		at := regexpAt(p)
		l.report(RuleRegexp, ln, ln.valueAt+at, fmt.Sprintf("%s looks like a regular expression: in rules only \"*\" and a final \"$\" are special, and \"*\" stands for any octets by itself", quote(p)),
			"write it with * and $", "")
	case p[0] != '/' && p[0] != '*':
		l.report(RuleSlash, ln, ln.valueAt, fmt.Sprintf("%s starts with neither \"/\" nor \"*\": it matches nothing", quote(p)), fmt.Sprintf("write \"%s\"", short(slashed(p))), "")
		return
	}
	if i := strings.IndexAny(p, " \t"); i >= 0 {
		fix := "write %20 for a space"
		if rest := strings.TrimLeft(p[i:], " \t"); strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "*") {
			fix = "write one path a line"
		}
		l.report(RuleSpace, ln, ln.valueAt+i, fmt.Sprintf("the path %s holds white space: it is one path, which matches only URLs with %%20 there", quote(p)), fix, "")
	}
	l.lintEscapes(ln)
}

// slashed is what a path without its slash was probably to be.
func slashed(p string) string {
	if strings.IndexByte(".?&=$", p[0]) >= 0 {
		return "/*" + p
	}
	return "/" + p
}

func witnessOf(pattern string) string {
	if pattern == "" {
		return ""
	}
	return parsePattern(pattern).shortest()
}

// lintEmpty looks at a rule without a path. An empty Disallow is the way to
// say "everything is allowed", if it stands alone.
func (l *linter) lintEmpty(ln *line, s *section) {
	if ln.field == fieldAllow {
		l.report(RuleEmpty, ln, ln.keyAt, "an empty Allow says nothing", `remove it, or write "Allow: /"`, "")
		return
	}
	for _, i := range s.rules {
		if o := &l.lines[i]; o.field == fieldDisallow && o.value != "" {
			l.report(RuleEmpty, ln, ln.keyAt, fmt.Sprintf("an empty Disallow says nothing next to others (line %d): it does not take them back", o.number), "remove it", "")
			return
		}
	}
}

// regexpAt returns where a path starts to look like a regular expression, or
// -1.
func regexpAt(p string) int {
	if p[0] == '^' {
		return 0
	}
	for _, s := range []string{`/^`, `\.`, `\d`, `\w`, `\s`, `\/`, `\?`, `\b`, `(.*)`, `(.+)`, `.*$`, `/.*/`, `=.*`, `/.+`, `[0-9`, `[a-z`, `[A-Z`, `[^`, `(?:`, `(?i)`} {
		if i := strings.Index(p, s); i >= 0 {
			return i
		}
	}
	if strings.HasSuffix(p, "/.*") {
		return len(p) - 2
	}
	if i := strings.IndexByte(p, '('); i >= 0 {
		if j := strings.IndexByte(p[i:], ')'); j > 0 && strings.IndexByte(p[i:i+j], '|') > 0 {
			return i
		}
	}
	return -1
}

// lintEscapes looks at the escapes of a path.
func (l *linter) lintEscapes(ln *line) {
	p := ln.value
	raw := make([]byte, 0, len(p)) // with the escapes decoded
	first := -1
	for i := 0; i < len(p); i++ {
		if p[i] != '%' || i+2 >= len(p) || unhex(p[i+1]) < 0 || unhex(p[i+2]) < 0 {
			raw = append(raw, p[i])
			continue
		}
		o := byte(unhex(p[i+1])<<4 | unhex(p[i+2]))
		raw = append(raw, o)
		esc := p[i : i+3]
		switch {
		case unreserved(o):
			l.report(RuleEscape, ln, ln.valueAt+i, fmt.Sprintf("browsers send %q for %s; crawlers after RFC 9309 take them as equal, Google's parser does not", o, esc), fmt.Sprintf("write %q", o), "")
			return
		case o == '%' && i+4 < len(p) && unhex(p[i+3]) >= 0 && unhex(p[i+4]) >= 0:
			l.report(RuleEscape, ln, ln.valueAt+i, fmt.Sprintf("%s is an escape that was escaped again: it matches only URLs that have it so", p[i:i+5]), fmt.Sprintf("write %%%s, unless the URLs do have it twice", p[i+3:i+5]), "")
			return
		case o >= 0x80 && first < 0:
			first = i
		}
		i += 2
	}
	if first >= 0 && utf8.ValidString(p) && !utf8.Valid(raw) {
		l.reportAs(Warning, RuleEscape, ln, ln.valueAt+first, fmt.Sprintf("the escapes from %s on are not UTF-8, which is what browsers send", p[first:first+3]), "escape the UTF-8 octets of the character, or write the character itself", "")
	}
}

// A fate is what the engine knows of a rule in one group.
type fate struct {
	rule   *rule
	set    *ruleset
	never  bool    // it decides nothing
	by     []*rule // the rules that take its URLs
	twin   *rule   // the same rule, earlier
	useful bool    // it has an effect, or may have
}

// lintSets asks the engine about the rules of each group. A line can be in
// several merged groups: it is useless only if it is so in each.
func (l *linter) lintSets() {
	fates := make(map[int]fate)
	for _, s := range l.sets {
		twins := make(map[string]*rule)
		var fs []fate
		for _, r := range s.rules {
			key := r.identity()
			f := fate{rule: r, set: s}
			f.twin = twins[key]
			if f.twin == nil {
				twins[key] = r
			} else {
				r.gone = true
			}
			fs = append(fs, f)
		}
		for _, f := range fs {
			old, seen := fates[f.rule.Line]
			if f.twin == nil && (!seen || !old.useful) {
				l.judge(&f)
			}
			f.useful = f.useful || seen && old.useful
			fates[f.rule.Line] = f
		}
	}
	reported := make(map[Code]bool)
	for _, s := range l.sets {
		for _, r := range s.rules {
			f := fates[r.Line]
			if f.set != s {
				continue
			}
			ln := l.at(r.Line)
			switch {
			case f.useful || !r.possible():
			case f.twin != nil:
				l.report(RuleDuplicate, ln, ln.valueAt, fmt.Sprintf("%q stands at line %d already", f.twin.String(), f.twin.Line), "remove one of the lines", "")
			case f.never && len(f.by) == 1 && f.by[0].spec == r.spec:
				// The tie is reported by lintPairs.
			case f.never:
				sev, fix := Note, "remove it"
				for _, o := range f.by {
					if o.Allow != r.Allow {
						sev, fix = Warning, "remove it, or make it longer than what overrides it"
					}
				}
				l.reportAs(sev, RuleNever, ln, ln.valueAt, fmt.Sprintf("%s can never decide: %s %s every URL that it matches", quote(r.String()), ruleList(f.by), verb(f.by, "takes", "take")), fix, "")
			case r.Allow && r.covers(anything):
				// "Allow: /" is a custom, to say that all is open but what follows.
			default:
				l.report(RuleNoEffect, ln, ln.valueAt, fmt.Sprintf("%s changes nothing: %s", quote(r.String()), f.why()), "remove it", "")
			}
		}
		l.lintPairs(s)
		l.lintShapes(s, reported)
	}
	if len(l.open) > 0 {
		slices.Sort(l.open)
		l.open = slices.Compact(l.open)
		ln := l.at(l.open[0])
		l.report(UndecidedCode, ln, ln.valueAt, fmt.Sprintf("whether the rules of %s have an effect was left undecided: too many wildcards interlock", lineList(l.open)), "", "")
	}
}

// why says what makes a rule useless.
func (f *fate) why() string {
	if f.rule.Allow && len(f.by) == 0 {
		return "what it allows is allowed without it"
	}
	if len(f.by) == 0 {
		return "without it every URL has the same verdict"
	}
	return fmt.Sprintf("%s %s the same of its URLs", ruleList(f.by), verb(f.by, "says", "say"))
}

func verb(rules []*rule, one, many string) string {
	if len(rules) == 1 {
		return one
	}
	return many
}

func ruleList(rules []*rule) string {
	switch len(rules) {
	case 0:
		return "longer rules"
	case 1:
		return fmt.Sprintf("%s (line %d)", quote(rules[0].String()), rules[0].Line)
	case 2:
		return fmt.Sprintf("%s (line %d) and %s (line %d)", quote(rules[0].String()), rules[0].Line, quote(rules[1].String()), rules[1].Line)
	}
	return fmt.Sprintf("%s (line %d) and %d more rules", quote(rules[0].String()), rules[0].Line, len(rules)-1)
}

// judge asks whether removing a rule changes a verdict, and if not, whether it
// decides any URL at all.
func (l *linter) judge(f *fate) {
	s, r := f.set, f.rule
	if !r.possible() {
		return // reported as rule-slash
	}
	if l.budget <= 0 {
		f.useful = true
		l.open = append(l.open, r.Line)
		return
	}
	_, a := s.differ(r, s, r, &l.budget)
	if a == no {
		// It must be so, too, without the rules that were found to be useless
		// before: each that is reported can be removed, and all together can.
		s.lean = true
		_, a = s.differ(r, s, r, &l.budget)
		s.lean = false
	}
	switch a {
	case yes:
		f.useful = true
		return
	case undecided:
		f.useful = true
		if !r.exotic {
			l.open = append(l.open, r.Line)
		}
		return
	}
	r.gone = true
	near := s.near(r.glob, &l.budget)
	shortest := r.shortest()
	if d := s.decide(shortest, nil, &l.budget); d != r || !normal(shortest) {
		q := question{must: []*glob{r.glob}, not: above(near, r), want: true}
		_, a = q.solve(&l.budget)
		f.never = a == no
	}
	if f.never {
		for _, o := range near {
			if o.rank < r.rank && !o.exotic && o.covers(r.glob) {
				f.by = []*rule{o}
				return
			}
		}
		for _, o := range near {
			if o.rank < r.rank && o.meets(r.glob) {
				f.by = append(f.by, o)
			}
		}
		return
	}
	if d := s.decide(shortest, r, &l.budget); d != nil && d.Allow == r.Allow && d.covers(r.glob) {
		f.by = []*rule{d}
	}
}

// lintPairs looks for opposite rules that overlap without one lying in the
// other, so that it takes counting octets to know which wins. It reports each
// loser once, with the first winner.
func (l *linter) lintPairs(s *ruleset) {
	for _, o := range s.ranked { // the loser
		if o.exotic || l.budget <= 0 {
			continue
		}
		var winner *rule
		var path string
		var likewise []int
		for _, r := range s.near(o.glob, &l.budget) {
			if l.budget -= 2; r.rank >= o.rank || l.budget <= 0 {
				break
			}
			if r.exotic || o.Allow == r.Allow || !r.meets(o.glob) {
				continue
			}
			// If it is no tie, only an order that says otherwise misleads; and
			// that a part of what a rule matches is excepted, does not.
			if o.spec != r.spec && (o.order > r.order || o.covers(r.glob) || r.covers(o.glob)) {
				continue
			}
			p, ok := l.overlap(s, r, o)
			if !ok || !natural(r, p) || !natural(o, p) {
				continue
			}
			if winner == nil {
				winner, path = r, p
			} else {
				likewise = append(likewise, r.Line)
			}
		}
		if winner == nil {
			continue
		}
		more := ""
		if len(likewise) > 0 {
			slices.Sort(likewise)
			more = "; it loses to " + lineList(likewise) + " too"
		}
		ln := l.at(o.Line)
		switch {
		case winner.spec == o.spec && winner.key() == o.key():
			l.report(RuleTie, ln, ln.valueAt, fmt.Sprintf("%s contradicts %s (line %d): of equals, Allow wins%s", quote(o.String()), quote(winner.String()), winner.Line, more), "remove one of them", path)
		case winner.spec == o.spec:
			l.reportAs(Note, RuleTie, ln, ln.valueAt, fmt.Sprintf("%s and %s (line %d) are equally long and both match %s: Allow wins%s", quote(o.String()), quote(winner.String()), winner.Line, path, more),
				"make the one that is to win longer", path)
		default:
			sev, verdict := Warning, "blocked"
			if winner.starred && o.starred {
				sev = Note
			}
			if winner.Allow {
				verdict = "allowed"
			}
			l.reportAs(sev, RuleOrder, ln, ln.valueAt, fmt.Sprintf("%s is %s although %s comes before %s (line %d): that wins by its length, %d octets to %d%s", path, verdict, quote(o.String()), quote(winner.String()), winner.Line, winner.spec, o.spec, more),
				"if that is not meant, make this rule longer", path)
		}
	}
}

// natural reports whether a path goes on behind a rule's literal as paths do:
// "/page" in "/page.htm" or "/page/x", not "/ajax.php" in "/ajax.phpx".
func natural(r *rule, path string) bool {
	n := len(r.lit)
	if r.starred || len(path) <= n || strings.IndexByte("/?&=*", r.lit[n-1]) >= 0 {
		return true
	}
	next := path[n]
	switch {
	case strings.IndexByte(r.lit, '?') >= 0:
		return next == '&'
	case strings.IndexByte(r.lit[strings.LastIndexByte(r.lit, '/')+1:], '.') >= 0:
		return next == '?'
	}
	return strings.IndexByte("./?-_", next) >= 0
}

// overlap returns the shortest path that r decides and o matches.
func (l *linter) overlap(s *ruleset, r, o *rule) (string, bool) {
	limit := min(l.budget, lintBudget/16)
	spent := limit
	near := s.near(r.glob, &spent)
	q := question{must: []*glob{r.glob, o.glob}, not: above(near, r), want: true}
	p, a := q.solve(&spent)
	l.budget -= limit - spent
	if a != yes {
		return "", false
	}
	d := s.group.Explain(origin + p)
	return p, d.Rule.Line == r.Line || s.sameLine(d.Rule.Line, r)
}

// sameLine reports whether the rule at a line is the same as r.
func (s *ruleset) sameLine(number int, r *rule) bool {
	for _, o := range s.rules {
		if o.Line == number {
			return o.Allow == r.Allow && o.key() == r.key()
		}
	}
	return false
}

// lintShapes looks for rules that miss, or take, what their authors hardly
// think of. Each is confirmed by a URL. A file has often very many of them, so
// that only the first of a kind is reported, with the number of the others.
func (l *linter) lintShapes(s *ruleset, reported map[Code]bool) {
	type shape struct {
		rule    *rule
		witness string
		lines   []int
	}
	found := make(map[Code]*shape)
	add := func(c Code, r *rule, witness string) {
		if f := found[c]; f != nil {
			f.lines = append(f.lines, r.Line)
		} else {
			found[c] = &shape{r, witness, nil}
		}
	}
	folded := make(map[string]*rule)
	var caseTwin *rule
	for _, r := range s.rules {
		if !r.possible() || r.exotic {
			continue
		}
		key := strings.ToLower(r.Pattern)
		if o := folded[key]; o == nil {
			folded[key] = r
		} else if o.Allow == r.Allow && o.Pattern != r.Pattern && !strings.Contains(r.Pattern, "%") {
			if found[RuleCase] == nil {
				caseTwin = o
			}
			add(RuleCase, r, "")
		}
		if reported[RulePrefix] && reported[RuleDollar] && reported[RuleParameter] {
			continue
		}
		p := r.shortest()
		decides := func(path string) bool { return s.group.Explain(origin+path).Rule.Line == r.Line }
		if !r.Allow && bleeds(r) && decides(p) && decides(p+"s") && decides(p+"/") {
			add(RulePrefix, r, p+"s")
		}
		if r.anchored && !strings.Contains(r.lit, "?") && decides(p) && s.group.Allowed(origin+p+"?a=1") != r.Allow {
			add(RuleDollar, r, p+"?a=1")
		}
		if i, name := parameter(r.Pattern); i >= 0 && !r.Allow {
			if j := strings.Index(p, "?"+name+"="); j >= 0 && decides(p) {
				if w := p[:j] + "?a=1&" + p[j+1:]; s.group.Allowed(origin + w) {
					add(RuleParameter, r, w)
				}
			}
		}
	}
	for _, c := range []Code{RulePrefix, RuleDollar, RuleParameter, RuleCase} {
		f := found[c]
		if f == nil || reported[c] {
			continue
		}
		reported[c] = true
		r := f.rule
		ln := l.at(r.Line)
		more := ""
		if len(f.lines) > 0 {
			more = fmt.Sprintf("; likewise %s", lineList(f.lines))
		}
		switch c {
		case RulePrefix:
			l.report(c, ln, ln.valueAt, fmt.Sprintf("%s also takes longer names, such as %s%s", quote(r.String()), f.witness, more),
				fmt.Sprintf("if that is not meant, write %s/ for what is in it and %s$ for itself", r.Pattern, r.Pattern), f.witness)
		case RuleDollar:
			verdict := "is not blocked"
			if r.Allow {
				verdict = "is blocked"
			}
			l.report(c, ln, ln.valueAt, fmt.Sprintf("%s ends before a query: %s %s%s", quote(r.String()), f.witness, verdict, more),
				fmt.Sprintf("if that is not meant, add %s?", strings.TrimSuffix(r.Pattern, "$")), f.witness)
		case RuleParameter:
			i, _ := parameter(r.Pattern)
			l.report(c, ln, ln.valueAt, fmt.Sprintf("%s misses the parameter where it is not the first: %s is allowed%s", quote(r.String()), f.witness, more),
				fmt.Sprintf("add \"Disallow: %s\"", strings.TrimRight(r.Pattern[:i], "*")+"*&"+r.Pattern[i+len("*?"):]), f.witness)
		case RuleCase:
			l.report(c, ln, ln.valueAt, fmt.Sprintf("%s and %s (line %d) differ only in letter case%s: paths are case-sensitive", quote(r.String()), quote(caseTwin.String()), caseTwin.Line, more),
				"keep both only if the site answers to both", "")
		}
	}
}

// bleeds reports a path that is one plain word, such as "/search": at the top
// of a site, and short, other names easily start with it.
func bleeds(r *rule) bool {
	p := r.lit
	if len(p) > 9 || strings.LastIndexByte(p, '/') != 0 || r.anchored || r.starred || strings.HasSuffix(r.Pattern, "*") {
		return false
	}
	for _, c := range p[1:] {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return len(p) > 1
}

// parameter finds "*?name=" in a pattern.
func parameter(p string) (int, string) {
	i := strings.Index(p, "*?")
	if i < 0 {
		return -1, ""
	}
	name, _, ok := strings.Cut(p[i+2:], "=")
	if !ok || name == "" || strings.ContainsAny(name, "*&$/?") {
		return -1, ""
	}
	return i, name
}

// lintBlocksAll says loudly that everything is closed.
func (l *linter) lintBlocksAll() {
	star := l.setOf["*"]
	if star == nil || star.extent(&l.budget) != BlockedAll {
		return
	}
	var open []string
	for _, s := range l.sets {
		if s == star {
			continue
		}
		if e := s.extent(&l.budget); e != BlockedAll {
			for a := range s.group.Agents() {
				open = append(open, a)
			}
		}
	}
	d := star.group.Explain(origin + "/")
	ln := l.at(d.Rule.Line)
	if len(open) == 0 {
		l.report(BlocksAll, ln, ln.keyAt, "EVERYTHING IS BLOCKED, for everyone: no crawler may fetch any page of this site", `if this came from a test site, remove it; an empty "Disallow:" allows everything`, "/")
		return
	}
	who := strings.Join(open[:min(len(open), 5)], ", ")
	if len(open) > 5 {
		who += fmt.Sprintf(" and %d more", len(open)-5)
	}
	l.reportAs(Note, BlocksAll, ln, ln.keyAt, "everything is blocked for everyone but "+who, "", "/")
}
