// Package hostile makes robots.txt files and URLs that are as hard as can be to
// read, to match and to keep. Tests hold their cost against its bounds, and
// benchmarks show it.
package hostile

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Shape is a way to make a file, or the path of a URL, of any size.
type Shape struct {
	Name string
	Make func(size int) string // of at most size octets, and nearly that many
}

// Agent is a product token that is named in the files that name many, in as
// many sections as any.
const Agent = "b"

// Files are the shapes of files.
var Files = []Shape{
	// Stars that a matcher with backtracking would try in all combinations.
	{"stars repeated", every("Disallow: /*a*a*a*a*b\n")},
	{"stars distinct", each("Disallow: /*a*a*a*a*b%d\n")},
	{"stars and a's", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /*a*a*a*a*%sb\n", strings.Repeat("a", i%200)) })},
	{"stars and more a's", eachOf(func(i int) string { return fmt.Sprintf("Disallow: *%s*b%x\n", strings.Repeat("a", 1+i%40), i) })},
	{"250 stars", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /%sb%d\n", strings.Repeat("*a", 250), i) })},
	{"250 stars, and what is there", every("Disallow: /" + strings.Repeat("*a", 250) + "*ba\n")},
	{"stars and pairs", every("Disallow: /" + strings.Repeat("*ab", 200) + "*bba\n")},
	{"one line of stars", func(size int) string { return all + "Disallow: /" + repeat("*a", size-30) }},
	{"one line of stars, b", func(size int) string { return all + "Disallow: /" + repeat("*a", size-30) + "b\n" }},
	{"anchored", each("Disallow: /*a*%db$\n")},

	// Literal pieces that are nearly in the URL.
	{"needles", every("Disallow: /*" + strings.Repeat("a", 1000) + "b\n")},
	{"needles distinct", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /*%sb%d\n", strings.Repeat("a", 1000), i) })},
	{"needles of 70", eachOf(func(i int) string {
		return fmt.Sprintf("Disallow: /*%sb*%s\n", strings.Repeat("a", 70), letters(i, "ab"))
	})},
	{"needles short", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /*%sb\n", strings.Repeat("a", i%500)) })},
	{"one needle", func(size int) string { return all + "Disallow: /*" + repeat("a", size-40) + "b\n" }},
	{"needles with a period", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /*%sz%d\n", repeat(period, 4000), i) })},
	{"one needle with a period", func(size int) string { return all + "Disallow: /*" + repeat(period, size/2) + "z\n" }},
	{"binary", eachOf(func() func(int) string {
		r := random()
		return func(int) string { return "Disallow: /*" + r.bits(14) + "\n" }
	}())},
	{"binary long", eachOf(func() func(int) string {
		r := random()
		return func(int) string { return "Disallow: /*" + r.bits(64) + "\n" }
	}())},
	{"binary stars", eachOf(func() func(int) string {
		r := random()
		return func(int) string { return "Disallow: *" + r.bits(9) + "*" + r.bits(9) + "*" + r.bits(12) + "\n" }
	}())},
	{"binary, many stars", eachOf(func() func(int) string {
		r := random()
		return func(int) string {
			var b strings.Builder
			for range 40 {
				b.WriteString("*" + r.bits(3))
			}
			return "Disallow: " + b.String() + "\n"
		}
	}())},
	{"all octets", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /*%c*%d\n", '!'+i%94, i) })},
	{"near misses", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /*xmmmmmmmy*%s\n", letters(i, "xmyzw")) })},
	{"near misses in turn", eachOf(func(i int) string {
		return fmt.Sprintf("Disallow: /*xmmmmmmm%c*%s\n", "yv"[i%2], letters(i, "xmyzw"))
	})},
	{"near misses, binary", eachOf(func() func(int) string {
		r := random()
		return func(i int) string {
			return fmt.Sprintf("Disallow: /*%s*xmmmmmmmy*%s\n", r.bits(4), letters(i, "xmyzw"))
		}
	}())},

	// Escapes, which match in one form in the path and in another in the query.
	{"escapes", every("Disallow: /%41%2a%e3\n")},
	{"escapes distinct", each("Disallow: /*%%2f%%3a*%%2F%d\n")},
	{"one line of escapes", func(size int) string { return all + "Disallow: /*" + repeat("%2f", size-40) + "\n" }},
	{"one line of starred escapes", func(size int) string { return all + "Disallow: /" + repeat("*%2f", size-40) + "\n" }},
	{"starred escapes", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /%s%d\n", strings.Repeat("*%2f", 2500), i) })},
	{"starred escapes and a's", every("Disallow: /" + strings.Repeat("*%2fa", 500) + "*%2fba\n")},
	{"not ASCII", each("Disallow: /*é%d\n")},

	// Heads that all match, and such as share all but their end.
	{"nested", eachOf(func(i int) string { return "Disallow: /" + strings.Repeat("a", i) + "\n" })},
	{"nested stars", eachOf(func(i int) string { return "Disallow: /" + strings.Repeat("a", i) + "*b\n" })},
	{"long heads", eachOf(func(i int) string { return fmt.Sprintf("Disallow: /%s%d\n", strings.Repeat("a", 300), i) })},
	{"like heads, and another", func(size int) string {
		return all + "Disallow: /b\n" + numbered(size-40, line("Disallow: /aaaaaaaa%x\n"))
	}},
	{"index pages", each("Allow: /*a/%d/index.html\n")},

	// Agents, sections and groups.
	{"agents, then rules", func(size int) string {
		return numbered(size/2, agents("User-agent: %s\n")) + numbered(size/2, line("Disallow: /a%d\n"))
	}},
	{"agents and rules of their own", func(size int) string {
		return numbered(size/3, agents("User-agent: %s\n")) + numbered(size/3, line("Disallow: /a%d\n")) +
			numbered(size/3, agents("User-agent: %s\nAllow: /%[1]s\n"))
	}},
	{"agents twice", func(size int) string {
		return numbered(size/4, agents("User-agent: %s\n")) + "Disallow: /\n" +
			numbered(size/4, agents("User-agent: %s\n")) + numbered(size/2-20, line("Disallow: /a%d\n"))
	}},
	{"agents in all sections", func(size int) string {
		return numbered(size, func(i int) string {
			var b strings.Builder
			for j := range 8 {
				fmt.Fprintf(&b, "User-agent: %s\n", token(j))
			}
			fmt.Fprintf(&b, "User-agent: *\nDisallow: /%d/*b\n", i)
			return b.String()
		})
	}},
	{"alternating", bare("User-agent: b\nDisallow: /a\nUser-agent: *\nDisallow: /b\n")},
	{"alternating distinct", func(size int) string {
		return numbered(size, line("User-agent: b\nDisallow: /a%d\nUser-agent: *\nDisallow: /b%[1]d\n"))
	}},
	{"overlapping", func(size int) string {
		return numbered(size, func(i int) string {
			return fmt.Sprintf("User-agent: %s\nUser-agent: %s\nUser-agent: *\nDisallow: /*b%d\n", token(i%1000), token(i%7), i)
		})
	}},
	{"overlapping in pairs", func(size int) string {
		return numbered(size, func(i int) string {
			return fmt.Sprintf("User-agent: %s\nUser-agent: %s\nallow:/\n", token(i%300), token((i*i+i/300)%300))
		})
	}},
	{"overlapping in a chain", func(size int) string {
		return numbered(size, func(i int) string {
			return fmt.Sprintf("user-agent:%s\nuser-agent:%s\nallow:\n", token(i), token(i+1))
		})
	}},
	{"tiny agents", func(size int) string { return numbered(size, agents("user-agent:%s\n")) }},
	{"tiny groups", func(size int) string { return numbered(size, agents("user-agent:%s\nallow:\n")) }},
	{"tiny groups and a common one", func(size int) string {
		return numbered(size*15/37, agents("user-agent:%s\n")) + "allow:\n" +
			numbered(size*22/37-7, agents("user-agent:%s\nallow:\n"))
	}},
	{"same agent", bare("user-agent:b\n")},
	{"same agent, new groups", bare("user-agent:*\nallow:\n")},
	{"long agent", func(size int) string { return "User-agent: " + repeat("a", size-40) + "\nDisallow: /\n" }},
	{"long agents", func(size int) string {
		return numbered(size, func(i int) string { return fmt.Sprintf("User-agent: %s%s\n", strings.Repeat("a", 300), token(i)) })
	}},

	// Many rules for their octets.
	{"rules of nobody", bare("allow:\n")},
	{"rules and agents of nobody", bare("user-agent:\nallow:\n")},
	{"tiny rules", every("allow:/\n")},
	{"tiny empty rules", every("allow:\n")},
	{"tiny distinct rules", each("allow:/%x\n")},
	{"tiny distinct stars", each("allow:*%x\n")},
	{"tiny distinct escapes", each("allow:/%%3%x\n")},
	{"tiny starred escapes", each("allow:*%%2f%x\n")},
	{"tiny starred, not ASCII", each("allow:*%xé\n")},
	{"tiny unescaped", each("allow:/<%x\n")},
	{"tiny index pages", each("allow:%x/index.htm\n")},

	// No rules at all.
	{"colons", bare(":")},
	{"colon lines", bare("a:\n")},
	{"crawl delays", each("crawl-delay:1\n#%x\n")},
	{"newlines", bare("\n")},
	{"CRs", bare("\r")},
	{"CRLFs", bare("\r\n")},
	{"comments", bare("#\r")},
	{"NULs", bare("\x00")},
	{"NUL lines", bare("\x00\n")},
	{"BOMs", bare("\xEF\xBB\xBF")},
	{"BOM lines", bare("\xEF\xBB\xBF\n")},
	{"blank lines", bare(" \n")},
	{"one word a line", bare("a\n")},
	// Many distinct pieces of windows that the URL "blocks" is full of.
	{"blocks", eachOf(func() func(int) string {
		r := random()
		return func(int) string { return "allow:/*" + r.blocks(20, 0, 13) + "\n" }
	}())},
	{"blocks and gaps", eachOf(func() func(int) string {
		r := random()
		return func(int) string {
			p := r.blocks(20, 8, 13)
			return "allow:/*" + p + "*" + p[:7] + "\n"
		}
	}())},
	{"long blocks", eachOf(func() func(int) string {
		r := random()
		return func(int) string { return "allow:/*b" + repeat("a", 9) + "b" + r.blocks(140, 7, 13) + "\n" }
	}())},
	{"spaces", func(size int) string { return all + "Disallow: /" + repeat(" ", size-40) + "x" }},
	{"no newline", func(size int) string { return all + "Disallow: /" + repeat("x", size-40) }},
	{"no newline, no rule", bare("x")},
	{"octets from 128 on", bare("\xFF")},
}

// Paths are the shapes of the paths of URLs.
var Paths = []Shape{
	{"a", path("a")},
	{"ab", path("ab")},
	{"a…b", func(size int) string { return "/" + repeat("a", size-2) + "b" }},
	{"a?", path("a?")},
	{"/", path("/")},
	{"?///", func(size int) string { return "/?" + repeat("/", size-2) }},
	{"///?", func(size int) string { return repeat("/", size-1) + "?" }},
	{"*", path("*")},
	{"%", path("%")},
	{"%2", path("%2")},
	{"%41", path("%41")},
	{"%2F", path("%2F")},
	{"é", path("é")},
	{"NUL", path("\x00")},
	{"#", path("#")},
	{"binary", func(size int) string { return "/" + random().bits(size-1) }},
	{"period", path(period)},
	{"near misses", path("xmmmmmmmzwmmmmmmmy")},
	{"near misses in turn", path("xmmmmmmmzwmmmmmmmywmmmmmmmv")},
	{"blocks", func(size int) string { return "/" + random().blocks(size-1, 7, 13) }},
	{"short runs", path("aaaaaaaaab")},
	{"near misses, binary", func(size int) string {
		return "/" + random().bits(min(size/2, 200)) + repeat("xmmmmmmmzwmmmmmmmy", size-1-min(size/2, 200))
	}},
	{"hex", path("*0123456789abcdef/")},
	{"all octets", path("abcdefghijklmnopqrstuvwxyz0123456789-._~%2F%C3%A9?=&+:;,!'()ABCDEFGHIJKLMNOPQRSTUVWXYZ")},
	{"%2Fa?/a", func(size int) string { return "/" + repeat("%2Fa", size/2) + "?" + repeat("/a", size/2-2) }},
	{"no path", func(size int) string { return "https://" + repeat("a", size-8) }},
}

// all begins the group of everybody.
const all = "User-agent: *\n"

// period is long enough that a search which gives up after too many false
// starts, as that of package strings does, sees too few to give up.
const period = "abccccccccccccccccccccccccc"

// bare makes files of one text, repeated.
func bare(text string) func(int) string {
	return func(size int) string { return repeat(text, size) }
}

// every makes files of one rule for everybody, repeated.
func every(rule string) func(int) string {
	return func(size int) string { return all + repeat(rule, size-len(all)) }
}

// each makes files of rules for everybody by a format with their number.
func each(format string) func(int) string { return eachOf(line(format)) }

func eachOf(rule func(i int) string) func(int) string {
	return func(size int) string { return all + numbered(size-len(all), rule) }
}

func path(text string) func(int) string {
	return func(size int) string { return "/" + repeat(text, size-1) }
}

func line(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

// repeat returns as many copies of text as fit in size octets.
func repeat(text string, size int) string { return strings.Repeat(text, max(0, size)/len(text)) }

// numbered returns as many lines as fit in size octets.
func numbered(size int, line func(i int) string) string {
	var b strings.Builder
	b.Grow(size)
	for i := 0; ; i++ {
		l := line(i)
		if b.Len()+len(l) > size {
			return b.String()
		}
		b.WriteString(l)
	}
}

// agents makes lines by a format with the token of an agent.
func agents(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, token(i)) }
}

// token returns the product token of agent number i, which are as short as they
// can be. To Google's parser they are of letters.
func token(i int) string { return letters(i+1, "abcdefghijklmnopqrstuvwxyz") }

// letters returns i written with letters for digits.
func letters(i int, digits string) (s string) {
	for ; i > 0; i /= len(digits) {
		s = digits[i%len(digits):][:1] + s
	}
	return s
}

type source struct{ *rand.Rand }

func random() source { return source{rand.New(rand.NewPCG(1, 2))} }

// blocks returns n octets of runs of from or to a's, each followed by b.
func (r source) blocks(n, from, to int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(strings.Repeat("a", []int{from, to}[r.IntN(2)]))
		b.WriteByte('b')
	}
	return b.String()[:n]
}

// bits returns n random octets, each an a or a b.
func (r source) bits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ab"[r.IntN(2)]
	}
	return string(b)
}
