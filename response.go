package robots

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// PolicyFromResponse returns what a response to a request for robots.txt says,
// for callers with an HTTP stack of their own. It reads at most [MaxBytes] of
// the decoded body, closes it, and cannot fail: what cannot be read is a
// Policy that denies, with its Err set.
//
// The response must be the last one: a redirect that was not followed counts
// as a missing file. URL and Redirects are taken from the chain of requests
// that led to resp, which http.Client records. A 304 denies, because the copy
// that it is about is not there: whoever sent validators keeps that copy and
// its Policy. The Policy knows of no earlier one; a [Client] joins the two over
// time.
func PolicyFromResponse(resp *http.Response) *Policy {
	now := wallClock()
	if resp == nil {
		p := &Policy{Err: &FetchError{Err: errors.New("there is no response")}}
		return p.settled(nil, nil, now)
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	defer resp.Body.Close()
	p := &Policy{}
	p.URL, p.Redirects = requestChain(resp.Request)
	p.read(resp, Parser{}, StatusOutcome)
	return p.settled(nil, resp.Header, now)
}

// requestChain returns the URL that was asked for first and those that
// redirects led to.
func requestChain(req *http.Request) (first string, redirects []string) {
	for req != nil && req.URL != nil {
		u := bareURL(req.URL)
		if req.Response == nil || len(redirects) == maxChain {
			first = u
			break
		}
		redirects = append(redirects, u)
		req = req.Response.Request
	}
	for i, j := 0, len(redirects)-1; i < j; i, j = i+1, j-1 {
		redirects[i], redirects[j] = redirects[j], redirects[i]
	}
	if robots, err := Locate(first); err == nil && strings.HasSuffix(first, "/robots.txt") {
		first = robots
	}
	return first, redirects
}

const maxChain = 100 // requests that requestChain walks back, were they in a ring

// bareURL returns a URL without what is no part of a request for a public
// file: user information and fragment.
func bareURL(u *url.URL) string {
	bare := *u
	bare.User, bare.Fragment, bare.RawFragment = nil, "", ""
	return bare.String()
}

// wallClock returns the time to keep in a Policy: without the monotonic
// reading, which stops while a machine sleeps and does not survive a cache.
func wallClock() time.Time {
	return time.Now().UTC().Round(0)
}

// read sets Outcome, Status and what follows from them from a final response
// other than a 304 that was asked for. It does not close the body.
func (p *Policy) read(resp *http.Response, parser Parser, outcome func(int) Outcome) {
	p.Status = resp.StatusCode
	if p.Status == http.StatusNotModified {
		// It says that there is a file, which we do not have. That is neither
		// a redirect nor a missing file, so it cannot be permission.
		p.fail(resp, errors.New("not modified, but there is no copy that it could be about"))
		return
	}
	switch p.Outcome = outcome(p.Status); p.Outcome {
	case Parsed:
	case AllowAll:
		return
	default:
		p.Outcome = DisallowAll
		failure := &FetchError{URL: responseURL(resp, p.URL), Status: p.Status}
		if StatusOutcome(p.Status) != DisallowAll {
			failure.Err = errDenied
		}
		p.Err = failure
		return
	}
	if !wholeRange(resp) {
		p.fail(resp, errors.New("the answer is a part of the file only"))
		return
	}
	text, err := readBody(resp, parser.limit())
	p.Size = min(len(text), parser.limit())
	if err != nil {
		// Half a file may lack the rule that matters (RFC 9309 section
		// 2.3.1.4; Google names broken chunking among the server errors).
		p.fail(resp, fmt.Errorf("reading the body: %w", err))
		return
	}
	p.File = parser.Parse(text)
	p.ContentType = short(resp.Header.Get("Content-Type"))
	p.warn(text)
}

// fail makes p unreachable because of a response that is no answer.
func (p *Policy) fail(resp *http.Response, err error) {
	p.Outcome = DisallowAll
	p.Err = &FetchError{URL: responseURL(resp, p.URL), Status: p.Status, Err: keptError(err)}
}

func responseURL(resp *http.Response, otherwise string) string {
	if resp.Request == nil || resp.Request.URL == nil {
		return otherwise
	}
	return bareURL(resp.Request.URL)
}

// wholeRange reports whether a response holds the whole file. A 206 is no
// answer to a request without a Range; it is taken if it is all of it.
func wholeRange(resp *http.Response) bool {
	value := resp.Header.Get("Content-Range")
	if resp.StatusCode != http.StatusPartialContent || value == "" {
		return true
	}
	span, total, _ := strings.Cut(strings.TrimPrefix(value, "bytes "), "/")
	first, last, _ := strings.Cut(span, "-")
	end, err := strconv.ParseUint(last, 10, 63)
	return err == nil && first == "0" && total == strconv.FormatUint(end+1, 10)
}

// readBody returns the decoded body, up to one octet past the limit, which is
// how the parser learns that there was more. What the limit leaves is not
// read, however much it is.
func readBody(resp *http.Response, limit int) ([]byte, error) {
	var body io.Reader = resp.Body
	switch coding := strings.ToLower(strings.TrimSpace(strings.Join(resp.Header["Content-Encoding"], ","))); {
	case coding == "gzip" || coding == "x-gzip":
		// A stream of empty blocks never yields an octet. Text that does not
		// compress grows by a few octets in a thousand.
		body = io.LimitReader(body, int64(limit)+int64(limit)/8+64<<10)
		unzipped, err := gzip.NewReader(body)
		if err == io.EOF && endIsSaid(resp) {
			return nil, nil // nothing was sent and nothing was encoded
		}
		if err != nil {
			return nil, cutShort(err)
		}
		body = unzipped
	case coding == "", coding == "identity", coding == "none", coding == "utf-8":
		// The last two are no codings; servers that send them mean "none".
	default:
		return nil, fmt.Errorf("its Content-Encoding is %s; only gzip was asked for", quoteShort(coding))
	}
	text, err := io.ReadAll(io.LimitReader(body, int64(limit)+1))
	return text, cutShort(err)
}

// endIsSaid reports whether a body that is cut short can be told from one that
// ends: in HTTP/1 not if it lasts for as long as the connection.
func endIsSaid(resp *http.Response) bool {
	return resp.ContentLength == 0 || len(resp.TransferEncoding) > 0 || resp.ProtoMajor >= 2
}

// cutShort says in so many words that a stream ended too early.
func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// warn notes what is odd about a file that was read.
func (p *Policy) warn(text []byte) {
	media, _, err := mime.ParseMediaType(p.ContentType)
	switch {
	case p.ContentType == "":
		p.Warnings = append(p.Warnings, "there is no Content-Type; it should be text/plain")
	case err != nil || media != "text/plain":
		p.Warnings = append(p.Warnings, "the Content-Type is "+quoteShort(p.ContentType)+"; it should be text/plain")
	}
	start := bytes.ToLower(text[:min(len(text), 1024)])
	if bytes.Contains(start, []byte("<!doctype html")) || bytes.Contains(start, []byte("<html")) {
		p.Warnings = append(p.Warnings, "the body looks like HTML; only lines that are rules count")
	}
	if bytes.IndexByte(text, 0) >= 0 {
		p.Warnings = append(p.Warnings, "the body holds NUL octets; it should be UTF-8 text")
	}
	if p.File.Truncated() {
		p.Warnings = append(p.Warnings, "the file was cut at "+strconv.Itoa(p.Size)+" octets; rules past them do not count")
	}
}

// short bounds a header value that is kept for show.
func short(s string) string {
	// A part of the string would keep all of it.
	return strings.Clone(s[:min(len(s), 256)])
}

// settled completes a policy that was just read, in view of the one before it
// (nil if there is none) and of the headers of the answer (nil if there was
// none): the last good copy, the times, and the run of failures.
func (p *Policy) settled(prev *Policy, h http.Header, now time.Time) *Policy {
	p.Fetched = now
	if prev == nil {
		prev = &Policy{}
	}
	p.good = prev.lastGood()
	if p.unreachable() {
		p.answered = prev.lastAnswer()
		s, retry := prev.streak().failed(now, retryAfter(h, now))
		p.FailingSince, p.fails, p.Expires = s.since, s.count, retry
		return p
	}
	d, ok := lifetime(h, now)
	switch {
	case p.Outcome != Parsed:
	case p.File == nil: // a 304 for the copy that prev holds
		good := *p.good
		good.fetched = now
		if ok {
			good.fresh, good.hasFresh = d, true
		}
		d, ok = good.fresh, good.hasFresh
		p.File, p.ContentType, p.Size, p.good = good.file, good.contentType, good.size, &good
		p.Warnings = append(p.Warnings, good.warnings...)
	default:
		p.good = &goodCopy{
			file: p.File, fetched: now, contentType: p.ContentType, size: p.Size, warnings: p.Warnings,
			from: p.lastURL(), etag: validETag(h.Get("ETag")), lastModified: validDate(h.Get("Last-Modified")),
			fresh: d, hasFresh: ok,
		}
	}
	p.Expires = now.Add(freshFor(d, ok, h))
	return p
}

// errDenied marks a status that is an answer to StatusOutcome, and a complete
// disallow to the caller's own table. The site was reached, so no run of
// failures begins, and no time makes a 403 anything else.
var errDenied = errors.New("Client.Outcome takes this status for a complete disallow")

// unreachable reports whether p, just read, is a failure of the site.
func (p *Policy) unreachable() bool {
	return p.Err != nil && !errors.Is(p.Err, errDenied)
}

// lastURL returns the URL that answered.
func (p *Policy) lastURL() string {
	if n := len(p.Redirects); n > 0 {
		return p.Redirects[n-1]
	}
	return p.URL
}

// validETag returns an entity tag that can be sent back, or "".
func validETag(tag string) string {
	if len(tag) > 1024 {
		return ""
	}
	for _, c := range []byte(tag) {
		if c < ' ' || c == 0x7f {
			return ""
		}
	}
	return tag
}

// validDate returns an HTTP date that can be sent back, or "".
func validDate(date string) string {
	if len(date) > 64 {
		return "" // a fraction of a second may have any number of digits
	}
	if _, err := http.ParseTime(date); err != nil {
		return ""
	}
	return date
}
