package audit_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/robots"
	"example.com/robots/audit"
)

func parse(text string) *robots.File { return robots.Parser{MaxBytes: -1}.Parse([]byte(text)) }

func TestDiff(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"User-agent: *\nDisallow: /a\n", "user-agent: *\ndisallow: /a # x\n",
			"*: equal (proved for all URLs)\n"},
		{"User-agent: *\nDisallow: /a\nDisallow: /a/b\n", "User-agent: *\nDisallow: /*a\nAllow: /\nAllow: /*/a\nAllow: /?\n",
			`*: differs
    closed /xa
        old: no rule
        new: line 2: Disallow: /*a
    opened /a/a
        old: line 2: Disallow: /a
        new: line 4: Allow: /*/a
    opened /a/b/a
        old: line 3: Disallow: /a/b
        new: line 4: Allow: /*/a
`},
		{"User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a$\nDisallow: /a*\n", // the same by other rules
			"*: equal (proved for all URLs)\n"},
		{"User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\nCrawl-delay: 1\n\nSitemap: https://example.com/s.xml\n",
			`*: equal (proved for all URLs)
Googlebot, Googlebot-Image, Googlebot-Video, Googlebot-News, Google-InspectionTool, Google-CloudVertexBot, Google Favicon, Applebot and 3 more: differs
    closed /b
        old: no rule
        new: line 5: Disallow: /b
    opened /a
        old: line 2: Disallow: /a
        new: no rule
    + Crawl-delay: 1
+ Sitemap: https://example.com/s.xml
`},
		{"User-agent: a\nDisallow: /\n", "",
			`*: equal (proved for all URLs)
a: differs
    opened /
        old: line 2: Disallow: /
        new: no rule
`},
	} {
		var b bytes.Buffer
		if err := audit.Diff(parse(test.old), parse(test.new)).WriteText(&b); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != test.want {
			t.Errorf("Diff(%q, %q):\n%swant:\n%s", test.old, test.new, got, test.want)
		}
	}
}

// TestDiffBruteForce compares with all short paths.
func TestDiffBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	all := []string{"/"}
	for from := 0; len(all) < 300; {
		to := len(all)
		for _, p := range all[from:to] {
			for _, c := range "ab/x" {
				all = append(all, p+string(c))
			}
		}
		from = to
	}
	group := func() string {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for range r.IntN(5) {
			b.WriteString([]string{"Allow: /", "Disallow: /"}[r.IntN(2)])
			for range r.IntN(4) {
				b.WriteString([]string{"a", "b", "*", "/", "a"}[r.IntN(5)])
			}
			b.WriteString([]string{"", "", "$"}[r.IntN(3)] + "\n")
		}
		return b.String()
	}
	for range 200 {
		old, new := group(), group()
		fo, fn := parse(old), parse(new)
		a := audit.Diff(fo, fn).Agents[0]
		if a.Undecided() {
			t.Errorf("Diff(%q, %q) is undecided", old, new)
		}
		opened, closed := 0, 0 // the length of the shortest
		for _, p := range all {
			switch x, y := fo.Allowed("*", p), fn.Allowed("*", p); {
			case x && !y && closed == 0:
				closed = len(p)
			case !x && y && opened == 0:
				opened = len(p)
			}
		}
		check := func(word string, list []audit.Change, want int) {
			switch {
			case want > 0 && len(list) == 0:
				t.Errorf("Diff(%q, %q): nothing %s, but a path of %d octets is", old, new, word, want)
			case want > 0 && len(list[0].Path) > want:
				t.Errorf("Diff(%q, %q): %s %s, but one of %d octets is shorter", old, new, word, list[0].Path, want)
			}
			for _, c := range list {
				if fo.Allowed("*", "https://example.com"+c.Path) != (word == "closed") || fn.Allowed("*", "https://example.com"+c.Path) != (word == "opened") {
					t.Errorf("Diff(%q, %q): %s %s: it is not", old, new, word, c.Path)
				}
			}
		}
		check("opened", a.Opened, opened)
		check("closed", a.Closed, closed)
	}
}

// kind tells User-agent lines and rules from all others.
func kind(line string) (agent, rule bool) {
	line, _, _ = strings.Cut(line, "\x00")
	line, _, _ = strings.Cut(line, "#")
	key, _, ok := strings.Cut(strings.TrimSpace(line), ":")
	if !ok {
		words := strings.Fields(line)
		if len(words) != 2 {
			return false, false
		}
		key = words[0]
	}
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "user-agent", "useragent", "user agent":
		return true, false
	case "allow", "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		return false, true
	}
	return false, false
}

// blocks splits a text into what stands before the first group, and groups as
// they can be moved about: runs of User-agent lines with their rules.
func blocks(text string) (head string, list []string) {
	var cur strings.Builder
	started, inRules := false, false
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)) {
		agent, rule := kind(line)
		if agent && (!started || inRules) {
			if started {
				list = append(list, cur.String())
			} else {
				head = cur.String()
			}
			cur.Reset()
			started, inRules = true, false
		}
		inRules = inRules || rule && started
		cur.WriteString(line)
	}
	if !started {
		return cur.String(), nil
	}
	return head, append(list, cur.String())
}

// TestCorpusDiff: neither comments, nor the order of groups, nor that of rules
// has a meaning; that is what the longest match is for.
func TestCorpusDiff(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, name := range corpus(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "\xEF\xBB\xBF", "")
		f := parse(text)

		var bare strings.Builder
		for line := range strings.Lines(text) {
			if j := strings.IndexByte(line, '#'); j >= 0 && !strings.Contains(line, "\r") {
				line = line[:j] + "\n"
			}
			bare.WriteString(line)
		}
		head, list := blocks(text)
		for j := range list {
			// A last group without rules would join the next one.
			list[j] = strings.TrimRight(list[j], "\n") + "\nDisallow:\n"
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		groups := head + "\n" + strings.Join(list, "\n")
		for j, b := range list {
			list[j] = shuffleRules(r, b)
		}
		for what, other := range map[string]string{
			"itself": text, "without comments": bare.String(), "groups reordered": groups,
			"rules shuffled": head + "\n" + strings.Join(list, "\n"),
		} {
			if c := audit.Diff(f, parse(other)); !c.Equal() {
				var b bytes.Buffer
				c.WriteText(&b)
				t.Errorf("%s, %s: not proved equal:\n%.1000s", name, what, &b)
			}
		}
	}
}

// shuffleRules shuffles what follows the User-agent lines of a block.
func shuffleRules(r *rand.Rand, block string) string {
	lines := slices.Collect(strings.Lines(block))
	last := 0
	for i, l := range lines {
		if agent, _ := kind(l); agent {
			last = i + 1
		}
	}
	rest := lines[last:]
	r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	return strings.Join(lines, "")
}

// TestCorpusDiffMutated compares each file with a damaged copy of itself.
func TestCorpusDiffMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	differ, undecided := 0, 0
	for _, name := range corpus(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.Collect(strings.Lines(string(data)))
		if len(lines) < 3 {
			continue
		}
		n := r.IntN(len(lines))
		old, new := parse(string(data)), parse(strings.Join(slices.Delete(slices.Clone(lines), n, n+1), ""))
		c := audit.Diff(old, new)
		for _, a := range c.Agents {
			if a.Undecided() {
				undecided++
			}
			for _, x := range append(a.Opened, a.Closed...) {
				differ++
				url := "https://example.com" + x.Path
				if o, m := old.Group(a.Agents[0]).Allowed(url), new.Group(a.Agents[0]).Allowed(url); o == m || o != x.Old.Allowed {
					t.Errorf("%s without line %d: %+v is no change", name, n, x)
				}
			}
		}
	}
	t.Logf("%d changes, %d undecided", differ, undecided)
}

// FuzzDiff: an example is one, and what is proved equal is so on paths made of
// the rules themselves.
func FuzzDiff(f *testing.F) {
	f.Add("Disallow: /a\n", "Disallow: /a*b$\nAllow: /%2f\n")
	f.Add("Allow: /*?a=%2F\nDisallow: /*/\n", "Disallow: *%3A%41\n")
	f.Add("Disallow: /%\nAllow: /%4\n", "Disallow: /*41\nAllow: /**%2A$\n")
	f.Fuzz(func(t *testing.T, old, new string) {
		if len(old)+len(new) > 200 {
			return
		}
		fo, fn := parse("User-agent: *\n"+old), parse("User-agent: *\n"+new)
		var paths []string
		for _, g := range []*robots.Group{fo.Group("*"), fn.Group("*")} {
			for r := range g.Rules() {
				for _, star := range []string{"", "x", "?", "/", "%2F", "4"} {
					p := strings.ReplaceAll(strings.TrimSuffix(r.Pattern, "$"), "*", star)
					paths = append(paths, p, p+"x", p+"/", p+"?", p+p, p+"%", p+"%2A")
				}
			}
		}
		for _, a := range audit.Diff(fo, fn).Agents {
			if a.Agents[0] != "*" {
				continue
			}
			for _, c := range append(a.Opened, a.Closed...) {
				if fo.Allowed("*", site+c.Path) == fn.Allowed("*", site+c.Path) {
					t.Errorf("Diff(%q, %q): %s does not differ", old, new, c.Path)
				}
			}
			if !a.Equal {
				continue
			}
			for _, p := range paths {
				if strings.HasPrefix(p, "/") && fo.Allowed("*", site+p) != fn.Allowed("*", site+p) {
					t.Errorf("Diff(%q, %q): proved equal, but %q differs", old, new, p)
				}
			}
		}
	})
}
