// Command colly crawls with Colly as robots.txt asks: see README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"example.com/robots"
	"github.com/gocolly/colly/v2"
)

// Many crawlers begin their User-Agent so, since many sites look for it.
const userAgent = "Mozilla/5.0 (compatible; ShopBot/1.0; +https://example.com/bot)"

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go http.Serve(l, shop())
	if err := crawl(context.Background(), os.Stdout, "http://"+l.Addr().String()+"/"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// crawl follows all links from a page and writes what became of them.
func crawl(ctx context.Context, out io.Writer, site string) error {
	c := colly.NewCollector(colly.UserAgent(userAgent), colly.StdlibContext(ctx))
	client := Obey(c, nil)
	if err := Slow(ctx, c, client, site, 50*time.Millisecond); err != nil {
		return err
	}
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		e.Request.Visit(e.Attr("href")) // its error goes to OnError too
	})
	c.OnResponse(func(r *colly.Response) {
		fmt.Fprintf(out, "%d   %s\n", r.StatusCode, r.Request.URL)
	})
	c.OnError(func(r *colly.Response, err error) {
		if refused := (*robots.DisallowedError)(nil); errors.As(err, &refused) {
			fmt.Fprintf(out, "skip  %s  %v\n", refused.URL, refused.Decision)
			return
		}
		fmt.Fprintf(out, "fail  %s  %v\n", r.Request.URL, err)
	})
	return c.Visit(site)
}

const shopRobots = `User-agent: *
Disallow: /

User-agent: ShopBot
Crawl-delay: 0.1
Disallow: /cart
Allow: /cart/help
`

func shop() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, shopRobots) })
	m.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<a href="/shoes">Shoes</a> <a href="/cart">Cart</a> <a href="/cart/help">Help</a> <a href="/old">Old cart</a>`)
	})
	m.HandleFunc("/shoes", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "Shoes") })
	m.HandleFunc("/cart", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "Cart") })
	m.HandleFunc("/cart/help", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "Help") })
	m.Handle("/old", http.RedirectHandler("/cart?from=old", http.StatusMovedPermanently))
	return m
}
