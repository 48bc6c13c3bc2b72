package audit

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxSitemap is the size of the largest sitemap that is read, uncompressed:
// what the protocol allows (50 MiB), and some. maxSitemaps bounds an index.
const (
	maxSitemap  = 64 << 20
	maxSitemaps = 50000
)

// SitemapExpectations reads a sitemap from disk (XML or plain text, gzipped or
// not) and returns the expectation that the agents, "*" if there are none, may
// fetch each of its URLs. Of a sitemap index, it reads each sitemap from the
// folder of the index, by the last part of its URL, and returns one element for
// each. Errors name the file and the line. It is one, too, if there is no URL in
// the sitemap, or in all the sitemaps of an index together.
//
// An agent is what [CheckAgent] takes, or a class such as @search.
func SitemapExpectations(name string, agents ...string) ([]*Expectations, error) {
	if len(agents) == 0 {
		agents = []string{"*"}
	}
	for _, a := range agents {
		if _, err := agentsOf(a); err != nil {
			return nil, err
		}
	}
	list, err := sitemapExpectations(name, agents, true)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if len(e.List) > 0 {
			return list, nil
		}
	}
	return nil, fmt.Errorf("robots: sitemap %s: there is no URL in it", name)
}

func sitemapExpectations(name string, agents []string, mayIndex bool) ([]*Expectations, error) {
	f, err := os.Open(name)
	if err != nil {
		if strings.Contains(name, "://") {
			return nil, fmt.Errorf("robots: sitemap: %s is a URL, not a file: save what it serves", quote(name))
		}
		return nil, fmt.Errorf("robots: sitemap: %w", err)
	}
	defer f.Close()
	locs, index, err := readSitemap(f)
	if err != nil {
		return nil, fmt.Errorf("robots: sitemap %s: %w", name, err)
	}
	if !index {
		e := &Expectations{Name: name}
		for _, l := range locs {
			if !isURL(l.url) {
				return nil, fmt.Errorf("robots: sitemap %s:%d: %s is no absolute URL", name, l.line, quote(l.url))
			}
			e.List = append(e.List, Expectation{Line: l.line, Allow: true, Agents: agents, URL: l.url, By: -1})
		}
		return []*Expectations{e}, nil
	}
	if !mayIndex {
		return nil, fmt.Errorf("robots: sitemap %s: an index inside of an index is not allowed", name)
	}
	var list []*Expectations
	for _, l := range locs {
		u, err := url.Parse(l.url)
		if err != nil || path.Base(u.Path) == "/" || path.Base(u.Path) == "." {
			return nil, fmt.Errorf("robots: sitemap %s:%d: %s names no file", name, l.line, quote(l.url))
		}
		// Base leaves no "/" in, but on Windows a "\" would be a separator too.
		child := filepath.Join(filepath.Dir(name), filepath.Base(path.Base(u.Path)))
		es, err := sitemapExpectations(child, agents, false)
		if err != nil {
			return nil, fmt.Errorf("%w (named in %s:%d)", err, name, l.line)
		}
		list = append(list, es...)
	}
	return list, nil
}

// A location is a URL in a sitemap.
type location struct {
	url  string
	line int
}

// readSitemap reads the URLs of a sitemap, or those of the sitemaps of an
// index.
func readSitemap(r io.Reader) (locs []location, index bool, err error) {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, false, err
		}
		b = bufio.NewReader(z)
	}
	data, err := io.ReadAll(io.LimitReader(b, maxSitemap+1))
	if err != nil {
		return nil, false, err
	}
	if len(data) > maxSitemap {
		return nil, false, fmt.Errorf("larger than %d octets", maxSitemap)
	}
	data = bytes.TrimPrefix(data, []byte(bom))
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) == 0 {
		return nil, false, errors.New("it is empty")
	}
	if trimmed[0] != '<' {
		for i, text := range strings.Split(string(data), "\n") {
			if text = strings.TrimSpace(text); text != "" {
				locs = append(locs, location{text, i + 1})
			}
		}
		return locs, false, nil
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	var open []string // the names of the open elements
	var loc strings.Builder
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, false, err
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if len(open) == 0 {
				switch t.Name.Local {
				case "urlset":
				case "sitemapindex":
					index = true
				default:
					return nil, false, fmt.Errorf("<%s> is no sitemap: want <urlset> or <sitemapindex>", t.Name.Local)
				}
			}
			open = append(open, t.Name.Local)
			loc.Reset()
		case xml.CharData:
			// Not the <loc> of an image or a video, which are deeper.
			if len(open) == 3 && open[2] == "loc" && (open[1] == "url" || open[1] == "sitemap") {
				loc.Write(t)
			}
		case xml.EndElement:
			if len(open) == 3 && open[2] == "loc" {
				if s := strings.TrimSpace(loc.String()); s != "" {
					line, _ := d.InputPos()
					locs = append(locs, location{s, line})
				}
			}
			open = open[:len(open)-1]
		}
		if index && len(locs) > maxSitemaps {
			return nil, false, fmt.Errorf("an index of more than %d sitemaps", maxSitemaps)
		}
	}
	return locs, index, nil
}
