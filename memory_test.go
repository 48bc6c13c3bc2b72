package robots_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"example.com/robots"
	"example.com/robots/internal/hostile"
)

// keptMaking returns how many octets are kept at the most for each octet of a
// file while the index of a group is made.
func keptMaking(p robots.Parser, body []byte) (most float64) {
	before := heap()
	f := p.Parse(body)
	for range robots.WarmUp {
		f.Allowed(hostile.Agent, "/")
	}
	for robots.Making(f, hostile.Agent) {
		most = max(most, float64(heap()-before)/float64(len(body)))
		f.Allowed(hostile.Agent, "/")
	}
	runtime.KeepAlive(f)
	runtime.KeepAlive(body)
	return most
}

// kept returns how many octets are kept for each octet of the files when they
// have been parsed, when one crawler has asked each so often that the group it
// obeys has its index, and when all groups have been asked so often and have
// explained what they say.
func kept(p robots.Parser, bodies [][]byte) (parsed, asked, all float64) {
	size := 0
	for _, body := range bodies {
		size += len(body)
	}
	files := make([]*robots.File, len(bodies))
	before := heap()
	for i, body := range bodies {
		files[i] = p.Parse(body)
	}
	share := func() float64 { return float64(heap()-before) / float64(size) }
	parsed = share()
	for _, f := range files {
		for range robots.WarmUp + robots.MostSteps {
			f.Allowed("Googlebot", "/")
		}
	}
	asked = share()
	for _, f := range files {
		for g := range f.Groups() {
			for range robots.WarmUp + robots.MostSteps {
				g.Allowed("/")
			}
			for range g.Rules() {
				break // the lines of all rules are known now
			}
		}
	}
	all = share()
	runtime.KeepAlive(files)
	runtime.KeepAlive(bodies)
	return parsed, asked, all
}

func TestMemoryOfCorpus(t *testing.T) {
	var bodies [][]byte
	for _, body := range corpus(t) {
		if len(body) <= robots.MaxBytes {
			bodies = append(bodies, body)
		}
	}
	const most = 2
	for _, d := range dialects {
		parsed, asked, all := kept(robots.Parser{Dialect: d}, bodies)
		t.Logf("%v: %.2f octets are kept of each, %.2f when one crawler has asked, %.2f when all groups have been", d, parsed, asked, all)
		if max(parsed, asked, all) > most {
			t.Errorf("%v: %.2f octets are kept of each, %.2f when one crawler has asked, %.2f when all groups have been; want at most %v", d, parsed, asked, all, most)
		}
	}
}

func TestMemoryOfHostileFiles(t *testing.T) {
	const most = 6
	for _, shape := range hostile.Files {
		body := []byte(shape.Make(100 << 10))
		for _, d := range dialects {
			parsed, _, all := kept(robots.Parser{Dialect: d}, [][]byte{body})
			if parsed > most || all > most {
				t.Errorf("%v, %s: %.2f octets are kept of each, %.2f with all indexes; want at most %v", d, shape.Name, parsed, all, most)
			}
			if making := keptMaking(robots.Parser{Dialect: d}, body); making > most {
				t.Errorf("%v, %s: %.2f octets are kept of each while an index is made, want at most %v", d, shape.Name, making, most)
			}
		}
	}
}

// A parse makes as few allocations of a long file as of a short one.
func TestParseAllocs(t *testing.T) {
	const most = 9 // of which two or three are kept
	for _, rules := range []int{10, 1_000, 20_000} {
		for name, format := range map[string]string{
			"one group":          "Disallow: /%d/*.html\n",
			"a group each":       "User-agent: a%d\nDisallow: /%[1]d/\n",
			"two groups, merged": "User-agent: a\nAllow: /%d/\nUser-agent: b\nUser-agent: a\nDisallow: /%[1]d/\n",
		} {
			var b strings.Builder
			b.WriteString("User-agent: *\n")
			for i := range rules {
				fmt.Fprintf(&b, format, i)
			}
			body := []byte(b.String())
			for _, d := range dialects {
				p := robots.Parser{Dialect: d, MaxBytes: -1}
				// The fewest of some runs, since pools may be emptied at any
				// time, and lose things on purpose where races are looked for.
				got := math.Inf(1)
				for range 10 {
					got = min(got, testing.AllocsPerRun(1, func() { p.Parse(body) }))
				}
				if got > most {
					t.Errorf("%v: a parse of %d rules in %s allocates %v times, want at most %v", d, rules, name, got, most)
				}
			}
		}
	}
}
