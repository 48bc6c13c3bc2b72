package robots_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/robots"
)

const smallFile = `# example.com
User-agent: *
Disallow: /admin/
Disallow: /cart
Disallow: /search?
Allow: /search/about
Crawl-delay: 2

User-agent: Googlebot
Disallow: /*.pdf$
Disallow: /private/

Sitemap: https://example.com/sitemap.xml
`

// hugeFile is a file of nearly 500 KiB with n agents that share its rules, of
// which some have wildcards.
func hugeFile() []byte {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "User-agent: Crawler-%d\n", i)
	}
	b.WriteString("User-agent: Googlebot\n")
	for i := 0; b.Len() < robots.MaxBytes-100; i++ {
		switch i % 8 {
		case 0:
			fmt.Fprintf(&b, "Allow: /section-%d/article-%d/*.html$\n", i%97, i)
		case 1:
			fmt.Fprintf(&b, "Disallow: /*?parameter%d=\n", i)
		default:
			fmt.Fprintf(&b, "Disallow: /section-%d/page-%d\n", i%97, i)
		}
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	b.Run("small", func(b *testing.B) { benchParse(b, []byte(smallFile)) })
	b.Run("huge", func(b *testing.B) { benchParse(b, hugeFile()) })
	b.Run("corpus", func(b *testing.B) {
		var files [][]byte
		for _, body := range corpus(b) {
			files = append(files, body)
		}
		benchParse(b, files...)
	})
}

func benchParse(b *testing.B, files ...[]byte) {
	size := 0
	for _, f := range files {
		size += min(len(f), robots.MaxBytes)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			robots.Parse(f)
		}
	}
}

// BenchmarkAllowed asks one question an iteration, but for the corpus: there
// it is all real questions, and the time of one is reported as ns/question.
func BenchmarkAllowed(b *testing.B) {
	small, huge := robots.Parse([]byte(smallFile)), robots.Parse(hugeFile())
	for _, bm := range []struct {
		name       string
		file       *robots.File
		agent, url string
	}{
		{"small", small, "ExampleBot", "https://example.com/search/about"},
		{"small/header", small, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "https://example.com/x.pdf"},
		{"small/escapes", small, "ExampleBot", "https://example.com/%73earch/über"},
		{"huge/first", huge, "Googlebot", "https://example.com/section-0/article-0/x.html"},
		{"huge/miss", huge, "crawler-499", "https://example.com/no/such/page?x=y"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.url)))
			b.ReportAllocs()
			for b.Loop() {
				bm.file.Allowed(bm.agent, bm.url)
			}
		})
	}
	b.Run("huge/group", func(b *testing.B) {
		const url = "https://example.com/section-0/article-0/x.html"
		g := huge.Group("Googlebot")
		b.SetBytes(int64(len(url)))
		b.ReportAllocs()
		for b.Loop() {
			g.Allowed(url)
		}
	})
	b.Run("corpus", func(b *testing.B) {
		var files []*robots.File
		var urls [][]string
		questions, size := 0, 0
		for _, s := range sites(b) {
			files = append(files, robots.Parse(s.body))
			urls = append(urls, s.urls)
			questions += len(s.urls)
			for _, u := range s.urls {
				size += len(u)
			}
		}
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for i, f := range files {
				for _, u := range urls[i] {
					f.Allowed("Googlebot", u)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*questions), "ns/question")
	})
}
