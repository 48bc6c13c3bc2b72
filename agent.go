package robots

import "strings"

// breakByte marks the bytes that end a word of a User-Agent header.
var breakByte = func() (t [256]bool) {
	for i := range t {
		t[i] = i <= ' ' || i == 0x7f || strings.IndexByte(`;,()[]{}<>"'`, byte(i)) >= 0
	}
	return t
}()

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// isToken reports whether s is a bare product token: not empty, and all of it
// token bytes.
func isToken(s string) bool {
	for i := range len(s) {
		if class[s[i]]&classToken == 0 {
			return false
		}
	}
	return s != ""
}

// ProductToken returns the product token of the crawler that sends userAgent,
// the value of an HTTP User-Agent header (RFC 9309 section 2.2.1: the token is
// a substring of that value). The result is a substring of userAgent, in the
// case that it has there; nothing is allocated.
//
//	Googlebot                                                      Googlebot
//	MyBot/1.0 (+https://example.com/bot; bot@example.com)          MyBot
//	Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/…)  bingbot
//	Sogou web spider/4.0(+http://www.sogou.com/docs/help/…)        Sogou web spider
//	Mozilla/5.0 (X11; Linux x86_64; rv:140.0) … Firefox/140.0      (nothing)
//
// A bare token (letters, digits, "-", "_", ".") is returned as it is, whatever
// it says. In a longer value the answer is the first of these that is there:
//
//  1. the product at the start, if it is a known crawler (see [Crawlers]) or
//     has "bot", "spider" or "crawl" in its name;
//  2. the name that follows "compatible;";
//  3. the product at the start, unless it is a browser's ("Mozilla", "Opera");
//  4. a known crawler, or a name as in 1, that stands as a product or begins a
//     part of a comment;
//  5. a "Name/version" in a comment with a URL or an address after it;
//  6. a "Name/version" outside comments, or else a name at the end.
//
// URLs, e-mail addresses and the words of browsers and platforms (AppleWebKit,
// Chrome, Android and so on) are never the answer. A name of several words is
// found if it is a known crawler's; of any other its first word counts, as it
// does on a user-agent line.
//
// The answer is "" if nothing is left. So it is for the header of a plain
// browser: it names no crawler, no group can name it, and the rules for "*"
// apply, which is the safe reading.
//
// The time taken is linear in the length of userAgent, which may be hostile.
func ProductToken(userAgent string) string {
	if isToken(userAgent) {
		return userAgent
	}
	s := userAgent
	// Headers get pasted together with their name.
	if len(s) > 11 && s[10] == ':' && hasPrefixFold(s, "user-agent:") {
		s = s[11:]
	}
	first := ""
	if !strings.HasPrefix(s, "Mozilla/") {
		start := 0
		for start < len(s) && s[start] <= ' ' {
			start++
		}
		first, _ = product(s, start)
		if first == "" {
			first = cut(s[start:])
		}
		if isBrowserWord(first) {
			first = ""
		}
	}
	if first != "" && (looksLikeBot(first) || lookupCrawler(first) != nil) {
		return first
	}
	if t := afterCompatible(s); t != "" {
		return t
	}
	if first != "" {
		return first
	}
	return anyProduct(s)
}

// afterCompatible returns the name after the first "compatible;" that has one:
// "(compatible; Name/1.0; +http://…)".
func afterCompatible(s string) string {
	// What the word begins with is looked at afterwards: c and o are many in a
	// header, p is not, and the C may be a capital.
	const start, end = "com", "patible"
	for i := 0; ; {
		n := strings.Index(s[i:], end)
		if n < 0 {
			return ""
		}
		word := i + n - len(start)
		i += n + len(end)
		if word < 0 || !hasPrefixFold(s[word:], start) || word > 0 && class[s[word-1]]&classToken != 0 {
			continue
		}
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i == len(s) || s[i] != ';' && s[i] != ',' && s[i] != ':' {
			continue
		}
		// Addresses may come before the name. A browser's word ends the search:
		// in "(compatible; MSIE 9.0; Windows NT 6.1; …)" no name follows.
		for i++; i < len(s); {
			if breakByte[s[i]] || s[i] == '+' {
				if s[i] == '(' || s[i] == ')' {
					break
				}
				i++
				continue
			}
			var t string
			t, i = product(s, i)
			if isBrowserWord(t) {
				break
			}
			if t != "" {
				return t
			}
		}
	}
}

// anyProduct looks through the whole of s for what may be a crawler's name:
// rules 4 to 6 of [ProductToken].
func anyProduct(s string) string {
	var (
		depth  int    // of comments
		opens  bool   // the next word begins a part of a comment
		part   string // the versioned name that the present part of a comment began with
		run    string // the first of the words before this one that may be one name with it
		linked string // rule 5
		plain  string // rule 6
		last   string // the last word outside comments, if it may be a name
	)
	for i := 0; i < len(s); {
		if breakByte[s[i]] || s[i] == '+' {
			switch s[i] {
			case ' ', '+':
				i++
				continue
			case '(', '[', '{':
				depth++
				opens, part = true, ""
			case ')', ']', '}':
				depth = max(depth-1, 0)
				part = ""
			case ';', ',':
				opens = true
			}
			run = ""
			i++
			continue
		}
		t, end := product(s, i)
		versioned := i+len(t) < len(s) && s[i+len(t)] == '/'
		browser := isBrowserWord(t)
		if depth == 0 {
			last = t
			if browser {
				last = ""
			}
		}
		switch {
		case t == "" && isAddress(s[i:end]):
			if linked == "" {
				linked = part
			}
		case t == "like": // "like Gecko" names what the sender is not
			for end < len(s) && breakByte[s[end]] {
				end++
			}
			end = wordEnd(s, end)
		case t == "" || browser:
			if opens {
				part = ""
			}
		case (depth == 0 || opens) && lookupCrawler(t) != nil:
			return t
		case (depth == 0 || opens) && looksLikeBot(t):
			if run != "" {
				return run
			}
			return t
		case depth == 0 && versioned && plain == "":
			plain = t
		case opens && versioned:
			part = t
		case opens:
			part = ""
		}
		if run == "" && !browser && !versioned {
			run = t
		} else if t == "" || browser || versioned {
			run = ""
		}
		opens = false
		i = end
	}
	switch {
	case linked != "":
		return linked
	case plain != "":
		return plain
	}
	return last
}

// wordEnd returns the end of the word that begins at s[i].
func wordEnd(s string, i int) int {
	for i < len(s) && !breakByte[s[i]] {
		i++
	}
	return i
}

// product returns the name that the word at s[i:] begins with, or the known name
// of several words that begins there, and where the word or name ends. The name
// is "" if the word is an address, a number, "name:value", or "Yahoo!" (of
// "Yahoo! Slurp").
func product(s string, i int) (name string, end int) {
	n, letters := i, false
	for n < len(s) && class[s[n]]&classToken != 0 {
		letters = letters || isLetter(s[n])
		n++
	}
	mail := false
	for end = n; end < len(s) && !breakByte[s[end]]; end++ {
		mail = mail || s[end] == '@'
	}
	var next byte // after the name, in the same word
	if n < end {
		next = s[n]
	}
	switch {
	case n == i || mail || next == ':' || next == '!' || next == '=':
		return "", end
	case !letters && next != '/': // "008/0.83" is a product, "5.0" is not
		return "", end
	case next == 0 && end < len(s) && s[end] == ' ':
		if t := spacedCrawler(s[i:]); t != "" {
			return t, i + len(t)
		}
	}
	if hasPrefixFold(s[i:n], "www.") {
		return "", end
	}
	return s[i:n], end
}

// cut returns what a user-agent line with the value s is read as, if it begins
// with a name such as "Hatena::Fetcher/0.01" or "Y!J-ASR/0.1": what comes before
// the first byte that is in no token.
func cut(s string) string {
	n := 0
	for n < len(s) && class[s[n]]&classToken != 0 {
		n++
	}
	w := s[n:wordEnd(s, n)]
	if len(w) < 2 || w[0] != ':' && w[0] != '!' || isAddress(s[:n+len(w)]) {
		return ""
	}
	return s[:n]
}

// isAddress reports whether the word w is a URL or an e-mail address.
func isAddress(w string) bool {
	w = strings.TrimPrefix(w, "+")
	return strings.Contains(w, "://") || strings.IndexByte(w, '@') >= 0 || hasPrefixFold(w, "www.")
}

// looksLikeBot reports whether token has "bot", "spider" or "crawl" in it, in
// any case. Telephones by Cubot do not count.
func looksLikeBot(token string) bool {
	for i := 0; i+3 <= len(token); i++ {
		switch token[i] | 0x20 {
		case 'b':
			if hasPrefixFold(token[i:], "bot") && !hasPrefixFold(token, "cubot") {
				return true
			}
		case 's':
			if hasPrefixFold(token[i:], "spider") {
				return true
			}
		case 'c':
			if hasPrefixFold(token[i:], "crawl") {
				return true
			}
		}
	}
	return false
}

// hasPrefixFold reports whether s begins with prefix, which is in lower case, in
// any case. Some control characters pass for punctuation, which does no harm in
// a guess at names.
func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if s[i]|0x20 != prefix[i] {
			return false
		}
	}
	return true
}

// isBrowserWord reports whether t is a word that browsers and the platforms
// under them put into their headers, as they spell it: what stands there in
// another case is no browser's. The list need not be complete. A name that is
// missing from it is taken for a crawler's that no robots.txt names, and the
// rules for "*" apply to it all the same.
func isBrowserWord(t string) bool {
	switch t {
	case "Mozilla", "mozilla", "compatible", "Compatible", "like",
		"AppleWebKit", "KHTML", "Gecko", "Presto", "Trident", "Goanna", "Version", "Mobile",
		"Safari", "Chrome", "Chromium", "HeadlessChrome", "CriOS", "Firefox", "FxiOS", "Focus", "Klar",
		"Edge", "Edg", "EdgA", "EdgiOS", "MSIE", "Opera", "OPR", "OPT", "OPiOS", "OPX", "Vivaldi", "Brave",
		"SamsungBrowser", "YaBrowser", "Yowser", "UCBrowser", "UBrowser", "QQBrowser", "MQQBrowser", "MicroMessenger",
		"MiuiBrowser", "HuaweiBrowser", "Whale", "Silk", "Maxthon", "Ddg", "DuckDuckGo", "GSA", "Electron",
		"Konqueror", "Epiphany", "SeaMonkey", "PaleMoon", "Waterfox", "Iceweasel", "Camino", "Galeon", "Netscape",
		"Windows", "Win64", "WOW64", "Win32", "x64", "x86_64", "Linux", "X11", "Wayland", "Ubuntu", "Fedora", "Debian", "CrOS", "FreeBSD", "OpenBSD",
		"Android", "Build", "wv", "Tablet", "Tizen", "KaiOS", "HarmonyOS", "BlackBerry", "BB10", "PlayStation", "Nintendo",
		"Macintosh", "Intel", "PPC", "Mac", "iPhone", "iPad", "iPod", "CPU", "U", "I", "N",
		".NET", "CLR", "Media", "Touch", "SLCC2", "InfoPath.2", "InfoPath.3", ".NET4.0C", ".NET4.0E", "NT":
		return true
	}
	return false
}
