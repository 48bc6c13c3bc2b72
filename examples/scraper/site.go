package main

import (
	"fmt"
	"net"
	"net/http"
	"strings"
)

// A web is a small one on loopback: hosts are ports.
type web struct {
	Shop, Blog, Ill, Slow string // the roots, as "http://127.0.0.1:1234"
}

const shopRobots = `User-agent: *
Disallow: /

User-agent: ExampleBot
Crawl-delay: 0.2
Disallow: /cart
Disallow: /*?sort=
Allow: /cart/help
`

// startWeb serves a shop with rules for ExampleBot, a blog without a
// robots.txt, a site whose robots.txt is broken, and one that wants to be left
// alone for an hour after each request.
func startWeb() (*web, error) {
	var listeners [4]net.Listener
	var roots [4]string
	for i := range listeners {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		listeners[i], roots[i] = l, "http://"+l.Addr().String()
	}
	w := &web{Shop: roots[0], Blog: roots[1], Ill: roots[2], Slow: roots[3]}
	for i, h := range []http.Handler{w.shop(), w.blog(), w.ill(), w.slow()} {
		go http.Serve(listeners[i], h)
	}
	return w, nil
}

func (w *web) shop() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("/robots.txt", text(shopRobots))
	m.HandleFunc("/{$}", page("/shoes", "/shoes?sort=price", "/cart", "/cart/help", "/old", w.Blog+"/", w.Ill+"/", w.Slow+"/"))
	m.HandleFunc("/shoes", page("/", "/shoes/1", "/shoes/2"))
	m.HandleFunc("/shoes/{id}", page("/cart?add={id}"))
	m.HandleFunc("/cart", page("/"))
	m.HandleFunc("/cart/help", page("/"))
	m.Handle("/old", http.RedirectHandler("/cart", http.StatusMovedPermanently))
	return m
}

func (w *web) blog() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("/{$}", page("/1", "/2#comments", w.Shop+"/"))
	m.HandleFunc("/{n}", func(rw http.ResponseWriter, r *http.Request) {
		if r.PathValue("n") == "robots.txt" {
			http.NotFound(rw, r)
			return
		}
		page("/")(rw, r)
	})
	return m
}

func (w *web) ill() http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		http.Error(rw, "out of order", http.StatusServiceUnavailable)
	})
}

func (w *web) slow() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("/robots.txt", text("User-agent: *\nCrawl-delay: 3600\nAllow: /\n"))
	m.HandleFunc("/{$}", page())
	return m
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, body)
	}
}

func page(links ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for _, l := range links {
			fmt.Fprintf(w, "<p><a href=\"%s\">%[1]s</a>\n", strings.ReplaceAll(l, "{id}", r.PathValue("id")))
		}
	}
}
