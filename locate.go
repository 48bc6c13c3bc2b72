package robots

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Locate returns the URL of the robots.txt that governs rawURL (RFC 9309
// section 2.3): the same scheme, host and port, and the path /robots.txt.
//
// It returns one URL for all spellings of an origin, so it also serves as a
// cache key. Scheme and host are in lower case; internationalised names are
// A-labels (UTS #46, https://exämple.com is https://xn--exmple-cua.com); IP
// addresses are in canonical form, IPv6 in brackets; user information and the
// scheme's default port are dropped, any other port is kept. A trailing dot of
// the host is kept, because a server can tell the two names apart.
//
// The path and query of rawURL play no part and need not be well-formed. A URL
// without a usable http or https host is a [*URLError]: other schemes (an ftp
// origin has a file of its own, which this package cannot fetch), relative
// URLs, empty or over-long names, characters that no host name holds, ports
// outside 1 to 65535, IPv6 zones, and numbers that are not a dotted IPv4
// address, such as 127.1, which systems read in different ways.
func Locate(rawURL string) (string, error) {
	if n := plainOrigin(rawURL); n > 0 {
		return rawURL[:n] + "/robots.txt", nil
	}
	return locate(rawURL)
}

// A URLError tells why a URL has no robots.txt that could be asked for.
type URLError struct {
	URL    string // as it was given
	Reason string // what is wrong with it, and what would be right
}

// Error returns the URL, cut if it is very long, and the reason.
func (e *URLError) Error() string {
	return "robots: URL " + quoteShort(e.URL) + " " + e.Reason
}

// locate is Locate for any spelling.
func locate(rawURL string) (string, error) {
	scheme, rest, ok := cutScheme(rawURL)
	if !ok {
		return "", &URLError{rawURL, "is not an absolute http or https URL; write it as https://example.com/page"}
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	host, port, why := splitAuthority(authority)
	if why == "" {
		host, why = canonicalHost(host)
	}
	if why == "" {
		port, why = canonicalPort(scheme, port)
	}
	if why != "" {
		return "", &URLError{rawURL, why}
	}
	return scheme + "://" + host + port + "/robots.txt", nil
}

// quoteShort quotes hostile text for a message, at most about 200 octets of it.
func quoteShort(s string) string {
	const most = 200
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}

// plainOrigin returns the length of the origin that rawURL begins with if it
// is already in the form that Locate returns: a lower-case scheme and name,
// and no port. It returns 0 if it takes a closer look to say. Nearly every URL
// that a crawler asks about is of this kind, and Locate is on its hot path.
func plainOrigin(rawURL string) int {
	var start int
	switch {
	case strings.HasPrefix(rawURL, "https://"):
		start = len("https://")
	case strings.HasPrefix(rawURL, "http://"):
		start = len("http://")
	default:
		return 0
	}
	end, label := start, start
scan:
	for ; end < len(rawURL); end++ {
		switch c := rawURL[end]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_':
		case c == '.':
			if end == label {
				return 0 // an empty label
			}
			if end-label > maxLabel {
				return 0
			}
			label = end + 1
		case c == '/' || c == '?' || c == '#':
			break scan
		default:
			return 0
		}
	}
	// The last label tells a name from an address; a trailing dot, which
	// leaves it empty, is for the closer look too.
	if end == label || end-label > maxLabel || end-start > maxHost || rawURL[label] <= '9' {
		return 0
	}
	return end
}

const (
	maxHost  = 253 // octets of a name without its trailing dot, RFC 1035 section 2.3.4
	maxLabel = 63
)

// cutScheme splits an http or https URL after its "://".
func cutScheme(rawURL string) (scheme, rest string, ok bool) {
	for _, s := range [...]string{"https", "http"} {
		n := len(s) + len("://")
		if len(rawURL) >= n && rawURL[len(s):n] == "://" && strings.EqualFold(rawURL[:len(s)], s) {
			return s, rawURL[n:], true
		}
	}
	return "", "", false
}

// splitAuthority returns host and port of an authority. The port keeps its
// colon, the host its brackets. why is not empty if it cannot be split.
func splitAuthority(authority string) (host, port, why string) {
	// To browsers a backslash is a slash, and ends the host: what comes before
	// it in http://a\@b/ is the host to them, and user information to others.
	if strings.IndexByte(authority, '\\') >= 0 {
		return "", "", "has a backslash in its host or user information"
	}
	// The last @ ends the user information, as in the WHATWG URL standard: with
	// the first one, http://a@b@c/ would be asked for at b and fetched from c.
	host = authority[strings.LastIndexByte(authority, '@')+1:]
	if strings.HasPrefix(host, "[") {
		end := strings.IndexByte(host, ']')
		if end < 0 {
			return "", "", `has a "[" without "]" in its host`
		}
		host, port = host[:end+1], host[end+1:]
		if port != "" && port[0] != ':' {
			return "", "", `has text after the "]" of its host`
		}
		return host, port, ""
	}
	if i := strings.IndexByte(host, ':'); i >= 0 {
		host, port = host[:i], host[i:]
	}
	return host, port, ""
}

// canonicalPort returns ":port", or "" for the scheme's default.
func canonicalPort(scheme, port string) (canonical, why string) {
	if port == "" || port == ":" {
		return "", ""
	}
	n, err := strconv.ParseUint(port[1:], 10, 16)
	if err != nil || n == 0 {
		return "", "has a port that is not a number from 1 to 65535"
	}
	if scheme == "http" && n == 80 || scheme == "https" && n == 443 {
		return "", ""
	}
	return ":" + strconv.FormatUint(n, 10), ""
}

// hostNames maps names the way browsers look them up: non-transitional UTS #46
// with the Bidi rule. Underscores, and hyphens in the third and fourth place,
// are let through, because real hosts have them.
var hostNames = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
)

// canonicalHost returns the one spelling of a host, or why it is not usable.
func canonicalHost(host string) (canonical, why string) {
	if strings.HasPrefix(host, "[") {
		addr, err := netip.ParseAddr(host[1 : len(host)-1])
		if err != nil || !addr.Is6() || addr.Zone() != "" {
			return "", "has brackets around what is not a plain IPv6 address"
		}
		return "[" + addr.String() + "]", ""
	}
	// Every octet may be escaped, so four times the longest name is enough to
	// hold it, and keeps the tables away from megabytes of hostile text.
	if len(host) > 4*(maxHost+1) {
		return "", "has a host name longer than 253 octets"
	}
	if strings.IndexByte(host, '%') >= 0 {
		plain, err := url.PathUnescape(host)
		if err != nil {
			return "", "has a broken percent-escape in its host"
		}
		host = plain
	}
	ascii, valid := true, utf8.ValidString(host)
	for i := range len(host) {
		ascii = ascii && host[i] < 0x80
	}
	if ascii {
		host = strings.ToLower(host)
	} else {
		var err error
		if host, err = hostNames.ToASCII(host); err != nil || !valid {
			return "", "has a host that is not a valid internationalised name"
		}
	}
	if why := checkName(host); why != "" {
		return "", why
	}
	return host, ""
}

// checkName tells what is wrong with an ASCII host name or IPv4 address in
// lower case.
func checkName(host string) (why string) {
	name := strings.TrimSuffix(host, ".")
	if name == "" {
		return "has no host"
	}
	if len(name) > maxHost {
		return "has a host name longer than 253 octets"
	}
	label := ""
	for rest, more := name, true; more; {
		label, rest, more = strings.Cut(rest, ".")
		if label == "" {
			return "has an empty label in its host"
		}
		if len(label) > maxLabel {
			return "has a label of more than 63 octets in its host"
		}
		for _, c := range []byte(label) {
			if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
				return "has " + strconv.QuoteToASCII(string(rune(c))) + " in its host, which no host name holds"
			}
		}
	}
	// A last label that is a number makes the host an IPv4 address (WHATWG URL
	// standard, "ends in a number"). Only the dotted decimal form is the same
	// address to everyone.
	if isNumber(label) {
		if addr, err := netip.ParseAddr(host); err != nil || !addr.Is4() {
			return "has a number for a host that is not an IPv4 address such as 192.0.2.1"
		}
	}
	return ""
}

// isNumber reports whether a label is a decimal or a 0x number.
func isNumber(label string) bool {
	digits := "0123456789"
	if strings.HasPrefix(label, "0x") {
		label, digits = label[2:], "0123456789abcdef"
	}
	return strings.Trim(label, digits) == ""
}
