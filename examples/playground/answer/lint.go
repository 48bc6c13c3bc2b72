package answer

import (
	"cmp"
	"slices"

	"example.com/robots"
	"example.com/robots/audit"
)

const maxFindings = 200 // that are shown in full

// A linted is what there is to say about a file.
type linted struct {
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Notes    int       `json:"notes"`
	Findings []finding `json:"findings"`
	More     int       `json:"more,omitempty"` // findings beyond maxFindings, the least bad

	// Marks has the lines of all findings, by severity: notes, warnings,
	// errors. A line is only in the worst that it has.
	Marks [3][]int `json:"marks"`
}

type finding struct {
	Line     int    `json:"line"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Fix      string `json:"fix,omitempty"`
	Witness  string `json:"witness,omitempty"` // a path that shows it
}

func lint(text string) linted {
	found := audit.Lint(robots.Parse([]byte(text)))
	var l linted
	worst := make(map[int]audit.Severity)
	for _, f := range found {
		switch f.Severity {
		case audit.Error:
			l.Errors++
		case audit.Warning:
			l.Warnings++
		default:
			l.Notes++
		}
		worst[f.Line] = max(worst[f.Line], f.Severity)
	}
	for line, s := range worst {
		l.Marks[s] = append(l.Marks[s], line)
	}
	for i := range l.Marks {
		l.Marks[i] = append([]int{}, l.Marks[i]...) // [] rather than null
		slices.Sort(l.Marks[i])
	}
	if len(found) > maxFindings {
		slices.SortStableFunc(found, func(a, b audit.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
		l.More = len(found) - maxFindings
		found = found[:maxFindings]
		slices.SortStableFunc(found, func(a, b audit.Finding) int { return cmp.Compare(a.Line, b.Line) })
	}
	l.Findings = make([]finding, 0, len(found))
	for _, f := range found {
		l.Findings = append(l.Findings, finding{f.Line, f.Severity.String(), string(f.Code), f.Message, f.Fix, f.Witness})
	}
	return l
}
