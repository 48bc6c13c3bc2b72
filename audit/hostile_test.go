package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/robots/audit"
)

// TestHostile goes through files that are made to take long. Each takes less
// than a second, at ten times its size too; without budgets many would take
// hours.
func TestHostile(t *testing.T) {
	lines := func(n int, format string, args func(i int) []any) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, args(i)...)
		}
		return b.String()
	}
	verb := func(i int) string { return []string{"Allow", "Disallow"}[i%2] }
	number := func(i int) []any { return []any{i} }
	const all = "User-agent: *\n"
	for name, text := range map[string]string{
		"literals": all + lines(3000, "Disallow: /%d\n", number),
		"nested":   all + lines(300, "%s: /%s\n", func(i int) []any { return []any{verb(i), strings.Repeat("a", i)} }),
		"stars":    all + lines(1000, "%s: /*%d*a\n", func(i int) []any { return []any{verb(i), i} }),
		"ends":     all + lines(500, "%s: /*%d$\n", func(i int) []any { return []any{verb(i), i} }),
		"escapes":  all + lines(300, "%s: /*%%%02X*%%%02X\n", func(i int) []any { return []any{verb(i), i % 256, i / 9} }),
		"pieces":   all + lines(50, "%s: /%s\n", func(i int) []any { return []any{verb(i), strings.Repeat("*a", 500+i)} }),
		"one rule": all + "Disallow: /" + strings.Repeat("*a", 20000) + "\nAllow: /" + strings.Repeat("a*", 2000) + "\n",
		"groups":   all + lines(300, "Disallow: /%d\n", number) + lines(500, "User-agent: a%d\nDisallow: /a\n", number),
		"shared":   lines(300, "User-agent: a%d\nUser-agent: b\nDisallow: /%[1]d\nDisallow: /*x%[1]d\n", number),
		"joined":   lines(1500, "User-agent: a%d\nFoo: x\n", number) + "Disallow: /a\n",
	} {
		f := parse(text)
		for _, x := range audit.Lint(f) {
			if x.Line < 1 || x.Column < 1 || x.Message == "" {
				t.Errorf("%s: bad finding %+v", name, x)
			}
		}
		if d := audit.Diff(f, f); !d.Equal() {
			t.Errorf("%s: it differs from itself", name)
		}
		audit.Diff(f, parse(strings.Replace(text, "Disallow", "Allow", 3)))
		audit.Blocked(f.Group("*"))
	}
}
