package audit

import (
	"math/rand/v2"
	"testing"

	"example.com/robots"
)

func TestBlocked(t *testing.T) {
	for _, test := range []struct {
		rules string
		want  Extent
	}{
		{"", BlockedNone},
		{"Disallow:\n", BlockedNone},
		{"Allow: /\n", BlockedNone},
		{"Disallow: x\n", BlockedNone},
		{"Disallow: $\n", BlockedNone},
		{"Disallow: /robots.txt$\n", BlockedNone}, // R19
		{"Disallow: /robots.txt\n", BlockedPartly},
		{"Disallow: /a\nAllow: /*a\n", BlockedNone},
		{"Disallow: /\n", BlockedAll},
		{"Disallow: *\n", BlockedAll},
		{"Disallow: /*$\n", BlockedAll},
		{"Disallow: /\nAllow: /robots.txt$\n", BlockedAll}, // R19
		{"Disallow: /\nAllow: /a\nDisallow: /*a\n", BlockedAll},
		{"Disallow: /\nAllow: /$\n", BlockedPartly},
		{"Disallow: /*?\n", BlockedPartly},
	} {
		g := robots.Parse([]byte("User-agent: *\n" + test.rules)).Group("*")
		if got := Blocked(g); got != test.want {
			t.Errorf("Blocked(%q) = %v, want %v", test.rules, got, test.want)
		}
	}
	if got := Blocked(new(robots.Group)); got != BlockedNone {
		t.Errorf("Blocked(zero Group) = %v", got)
	}
}

func TestBlockedBruteForce(t *testing.T) {
	all := paths("ab/x", 4)
	r := rand.New(rand.NewPCG(4, 4))
	atoms := []string{"a", "*", "/", "b", "*"}
	counts := make(map[Extent]int)
	for range 200 {
		text := randomGroup(r, atoms, 5)
		g := robots.Parse([]byte(text)).Group("*")
		got := Blocked(g)
		counts[got]++
		allowed, blocked := false, false
		for _, p := range all {
			if g.Allowed(origin + p) {
				allowed = true
			} else {
				blocked = true
			}
		}
		if got == Undecided || got == BlockedNone && blocked || got == BlockedAll && allowed {
			t.Errorf("Blocked(%q) = %v, but allowed %v, blocked %v", text, got, allowed, blocked)
		}
	}
	if counts[BlockedAll] < 3 || counts[BlockedNone] < 3 {
		t.Errorf("the cases are too alike: %v", counts)
	}
}
