package robots

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// pathOf returns the part of a URL that rules are compared with: from the first
// "/", "?" or ";" behind the host on. It may still hold a fragment. If there is
// none it is "/". The URL is absolute, or starts with "//" and a host, or is a
// path; these are told apart as Google's parser does it.
func pathOf(url string) string {
	i := 0
	switch {
	case len(url) > 8 && load64(url, 0) == wordHTTPS:
		i = authorityEnd(url, 8)
	case len(url) >= 2 && url[0] == '/' && url[1] == '/':
		i = authorityEnd(url, 2)
		if i > 2 {
			i = afterScheme(url, i)
		}
	default:
		i = authorityEnd(url, 0)
		if i > 0 {
			i = afterScheme(url, i)
		}
	}
	if i == len(url) || url[i] == '#' {
		return "/"
	}
	return url[i:]
}

// authorityEnd returns the offset of the first "/", "?", ";" or "#" of url at
// or after i, or its length.
func authorityEnd(url string, i int) int {
	// Eight octets at a time, most hosts take two or three steps. The four, and
	// "3", "7", "'" and "+", are alike in the bits of 0xE3.
	for ; i+8 <= len(url); i += 8 {
		w := load64(url, i)&(each*0xE3) ^ each*('/'&0xE3)
		for m := (w - each) &^ w & high; m != 0; m &= m - 1 {
			if j := i + bits.TrailingZeros64(m)>>3; class[url[j]]&classAuthorityEnd != 0 {
				return j
			}
		}
	}
	for i < len(url) && class[url[i]]&classAuthorityEnd == 0 {
		i++
	}
	return i
}

// afterScheme returns the end of the authority if the "/" at i is that of the
// "://" behind a scheme, else i.
func afterScheme(url string, i int) int {
	if i+1 < len(url) && url[i-1] == ':' && url[i] == '/' && url[i+1] == '/' {
		return authorityEnd(url, i+2)
	}
	return i
}

// wordHTTPS is "https://" as eight octets, little endian.
const wordHTTPS = 'h' | 't'<<8 | 't'<<16 | 'p'<<24 | 's'<<32 | ':'<<40 | '/'<<48 | '/'<<56

// cleanLen returns the number of octets at the start of a URL's path that are
// in normal form and of no fragment, which in nearly all URLs is all of them.
func cleanLen(p string, d Dialect) int {
	if d == Google {
		// Google's parser takes URLs verbatim (S10), up to a NUL.
		n := len(p)
		if i := strings.IndexByte(p, '#'); i >= 0 {
			n = i
		}
		if i := strings.IndexByte(p[:n], 0); i >= 0 {
			n = i
		}
		return n
	}
	// Nearly all paths are clean, so they are looked at whole, the last octets
	// perhaps twice: then no branch depends on where something is found.
	n := len(p)
	switch {
	case n >= 16:
		bad := unclean(load64(p, n-16)) | unclean(load64(p, n-8))
		for i := 0; i < n-16; i += 16 {
			bad |= unclean(load64(p, i)) | unclean(load64(p, i+8))
		}
		if bad == 0 {
			return n
		}
	case n >= 8:
		if unclean(load64(p, 0))|unclean(load64(p, n-8)) == 0 {
			return n
		}
	}
	i := 0
	for i+8 <= n && unclean(load64(p, i)) == 0 {
		i += 8
	}
	for i < n && class[p[i]]&classUnclean == 0 {
		i++
	}
	return i
}

// isClean reports whether the first n octets of what pathOf returned, which
// cleanLen has found, are the normal form of all that rules are compared with.
func isClean(p string, n int, d Dialect) bool {
	return p[0] == '/' && (n == len(p) || p[n] == '#' || d == Google)
}

// unclean looks at eight octets at a time. It returns zero if all are clean, and
// besides for some that are: it takes ! $ ~ and @ for unclean.
func unclean(w uint64) uint64 {
	// In this order: below '&'; from 0x80 on; from '{' on; one of < > \ ^ | ~;
	// ` or @.
	return (w - each*'&' | w | (w + each*(0x80-'{')) |
		(w&(each*0x1D) ^ each*0x1C - each) | (w&(each*0x1F) - each)) & high
}

// A pathBuffer holds the normal form of a URL's path that is not in it.
type pathBuffer struct {
	stack [1 << 10]byte
	heap  *[]byte
}

// buffers has the memory for the normal forms that are too long for the stack.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// room returns memory for n octets: stack or, if that is too short, what pooled
// has, which is given back by putBuffer.
func room(stack []byte, n int) (buf []byte, pooled *[]byte) {
	if n <= len(stack) {
		return stack[:0], nil
	}
	pooled = buffers.Get().(*[]byte)
	*pooled = slices.Grow((*pooled)[:0], n)
	return *pooled, pooled
}

// putBuffer gives back what room has taken from the pool, if anything. A buffer
// for URLs of more than 20 KB or so is not worth keeping.
func putBuffer(b *[]byte) {
	if b != nil && cap(*b) <= 64<<10 {
		buffers.Put(b)
	}
}

// path returns the normal form of what pathOf returned. It is valid until
// release is called.
func (b *pathBuffer) path(p string, d Dialect) string {
	n := cleanLen(p, d)
	if isClean(p, n, d) {
		return p[:n]
	}
	var buf []byte
	buf, b.heap = room(b.stack[:], 3*len(p)+1)
	if counting {
		count(len(p))
	}
	if p[0] != '/' {
		buf = append(buf, '/')
	}
	buf = append(buf, p[:n]...)
	if d != Google {
		buf = appendNormal(buf, p[n:], strings.IndexByte(p[:n], '?') >= 0)
	}
	return view(buf)
}

func (b *pathBuffer) release() {
	putBuffer(b.heap)
	b.heap = nil
}

// view returns a string of the octets of b without copying them, which costs
// nothing. b must not change while it is in use.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// appendNormal appends the normal form of a path, or of the rest of one that
// starts in its query, up to the fragment (RFC 9309 section 2.2.2).
func appendNormal(buf []byte, p string, query bool) []byte {
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '#':
			return buf
		case c == '?':
			query = true
			buf = append(buf, c)
		case c == '%':
			v, ok := unescape(p[i:])
			if !ok {
				buf = append(buf, c)
				continue
			}
			i += 2
			switch {
			case class[v]&(classUnreserved|classWild) != 0, query && (v == '/' || v == ':'):
				// R21, R25; and the table of section 2.2.2, which takes ":"
				// and "/" in a query for their escapes.
				buf = append(buf, v)
			default:
				buf = appendEscape(buf, v)
			}
		case class[c]&classNoURI != 0:
			buf = appendEscape(buf, c) // R20
		default:
			buf = append(buf, c)
		}
	}
	return buf
}

func appendEscape(buf []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(buf, '%', hex[c>>4], hex[c&15])
}

// unescape returns the octet that the escape at the start of s means.
func unescape(s string) (c byte, ok bool) {
	if len(s) < 3 {
		return 0, false
	}
	a, b := unhex[s[1]], unhex[s[2]]
	return a<<4 | b&15, a|b < 16
}

// unhex has the values of the hex digits, and more for all other octets.
var unhex = func() (t [256]byte) {
	for c := range t {
		t[c] = 0x80
	}
	for i := range byte(16) {
		t["0123456789ABCDEF"[i]], t["0123456789abcdef"[i]] = i, i
	}
	return t
}()
