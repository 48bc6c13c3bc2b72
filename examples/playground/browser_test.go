package main

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

var screenshots = flag.String("screenshots", "", "take pictures of the page, into this folder")

// patience is for machines with much else to do. Nothing is expected to take
// nearly as long, and nothing is measured by it.
const patience = 2 * time.Minute

var built = sync.OnceValues(func() (site, error) { return build(context.Background()) })

// browser returns the context of a browser to make tabs with.
var browser = sync.OnceValues(func() (context.Context, error) {
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		return nil, exec.ErrNotFound
	}
	// With the flags it does not ask hosts of its maker's for anything.
	ctx, _ := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.NoSandbox, // which root cannot have
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.WSURLReadTimeout(patience),
	)...)
	ctx, _ = chromedp.NewContext(ctx)
	closeBrowser = func() { _ = chromedp.Cancel(ctx) }
	return ctx, chromedp.Do(ctx)
})

// closeBrowser ends the browser if one was started.
var closeBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	closeBrowser()
	os.Exit(code)
}

// A tab is a page that a test works with. Whatever goes wrong in it on its own
// fails the test: exceptions, messages in the console, requests to other hosts.
type tab struct {
	*testing.T
	ctx context.Context
}

// open opens the page with a fragment in a tab of its own. Scripts run before
// those of the page.
func open(t *testing.T, fragment string, scripts ...string) *tab {
	t.Helper()
	s, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return openAt(t, s, "/"+fragment, scripts...)
}

// openAt is open for a handler that has the page at a path.
func openAt(t *testing.T, h http.Handler, path string, scripts ...string) *tab {
	t.Helper()
	b, err := browser()
	switch {
	case err == exec.ErrNotFound && os.Getenv("CI") != "true":
		t.Skip("no Chromium found: install it (Debian: apt-get install chromium) to test the page")
	case err != nil:
		t.Fatalf("starting Chromium: %v", err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	ctx, cancel := chromedp.NewContext(b)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)

	err = chromedp.Listen(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("exception: %v", ev.ExceptionDetails)
		case *runtime.EventConsoleAPICalled:
			t.Errorf("console: %s %v", ev.Type, ev.Args)
		case *log.EventEntryAdded:
			t.Errorf("log: %s %s", ev.Entry.Text, ev.Entry.URL)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(ev.Request.URL, srv.URL+"/") {
				t.Errorf("request to %s", ev.Request.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &tab{t, ctx}
	p.run(chromedp.EmulateViewport(1280, 900))
	for _, script := range scripts {
		p.run(command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}))
	}
	p.run(command(network.Enable, network.EnableParams{}), command(log.Enable, cdp.Empty{}), chromedp.Navigate(srv.URL+path))
	p.wait(`document.querySelector('#results .result') && document.querySelector('#findings .finding') || !document.querySelector('#pane-compare').hidden`)
	return p
}

// command is an action that sends the browser a command.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

func (p *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// wait waits until a condition holds.
func (p *tab) wait(condition string) {
	p.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[chromedp.Void](condition, chromedp.WithPollingTimeout(patience/2))); err != nil {
		p.Fatalf("waiting for %s: %v\nthe page says:\n%s", condition, err, eval[string](p, `document.body.innerText.slice(0, 3000)`))
	}
}

func eval[T any](p *tab, script string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		p.Fatalf("%s: %v", script, err)
	}
	return v
}

// fill takes the place of what is in a field, as if it was pasted there.
func (p *tab) fill(id, text string) {
	p.Helper()
	p.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.getElementById(%q).select()`, id)))
	if text == "" {
		p.run(chromedp.KeyEvent(kb.Delete))
		return
	}
	p.run(command(input.InsertText, input.InsertTextParams{Text: text}))
}

// lines returns the numbers of the lines that are shown with a class.
func (p *tab) lines(class string) []int {
	p.Helper()
	return eval[[]int](p, fmt.Sprintf(`[...document.querySelectorAll('#editor .line.%s')].filter(e => !e.hidden).map(e => +e.dataset.line)`, class))
}

// texts returns the texts of elements, white space folded.
func (p *tab) texts(selector string) []string {
	p.Helper()
	return eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.textContent.replace(/\s+/g, ' '))`, selector))
}

func (p *tab) equal(what string, got, want any) {
	p.Helper()
	if d := cmp.Diff(want, got); d != "" {
		p.Errorf("%s (-want +got):\n%s", what, d)
	}
}

const shop = `# shop
User-agent: *
Disallow: /
Allow: /shop
Disallow: /shop/cart

User-agent: Googlebot
Disallow: /beta
Allow: /beta
Dissallow: tmp
`

func TestTyping(t *testing.T) {
	p := open(t, "")
	p.fill("file", "")
	p.run(chromedp.SendKeys(chromedp.CSS("#file"), "User-agent: *\nDisallow: /cart"))
	p.fill("agent", "")
	p.fill("urls", "")
	p.run(chromedp.SendKeys(chromedp.CSS("#urls"), "/cart/1\n/shop"))
	p.wait(`document.querySelector('#summary').textContent === '1 allowed, 1 blocked, for *.'`)
	p.equal("verdicts", p.texts("#results .verdict"), []string{"Blocked", "Allowed"})
	p.equal("lines that decide", p.lines("disallow"), []int{2})

	// The verdict changes with the next key.
	p.run(chromedp.SendKeys(chromedp.CSS("#file"), "s"))
	p.wait(`document.querySelector('#summary').textContent === '2 allowed, 0 blocked, for *.'`)
	p.equal("lines that decide", p.lines("disallow"), []int{})
}

func TestVerdicts(t *testing.T) {
	p := open(t, "")
	p.fill("file", shop)
	p.fill("agent", "MyBot/1.0")
	p.fill("urls", "https://shop.example/shop/cart/1\nnonsense\n/robots.txt")
	p.wait(`document.querySelector('#summary').textContent === '1 allowed, 1 blocked, 1 line not understood, for MyBot.'`)
	p.equal("rules", p.texts("#results .rules li"), []string{
		"line 5 Disallow: /shop/cart 10 octets decides",
		"line 4 Allow: /shop 5 octets",
		"line 3 Disallow: / 1 octet",
		"line 3 Disallow: / 1 octet does not count here",
	})
	p.equal("lines of the group", p.lines("group"), []int{2, 3, 4, 5})
	p.equal("lines that decide", p.lines("disallow"), []int{5})

	p.fill("agent", "Googlebot")
	p.fill("urls", "/beta")
	p.wait(`document.querySelector('#summary').textContent === '1 allowed, 0 blocked, for Googlebot.'`)
	p.equal("rules", p.texts("#results .rules li"), []string{
		"line 9 Allow: /beta 5 octets decides",
		"line 8 Disallow: /beta 5 octets as long, but loses",
	})
	p.equal("lines of the group", p.lines("group"), []int{7, 8, 9, 10})
	p.equal("lines that decide", p.lines("allow"), []int{9})
	if got := p.texts("#group")[0]; got != "Googlebot obeys the group that names it, and that one only." {
		t.Errorf("group: %s", got)
	}

	// The two readings differ in /robots.txt.
	p.fill("agent", "")
	p.fill("urls", "/robots.txt")
	p.wait(`document.querySelector('#summary').textContent === '1 allowed, 0 blocked, for *.'`)
	p.run(chromedp.Focus(chromedp.CSS("#dialect")), chromedp.KeyEvent("g")) // Google's parser
	p.wait(`document.querySelector('#summary').textContent === '0 allowed, 1 blocked, for *.'`)
}

func TestCrawlersOffered(t *testing.T) {
	p := open(t, "")
	p.wait(`document.querySelector('#crawlers option[value=GPTBot]')`)
	p.fill("agent", "GPTBot")
	p.wait(`document.querySelector('#crawler').textContent.startsWith('OpenAI')`)
}

func TestFindings(t *testing.T) {
	p := open(t, "")
	p.fill("file", shop)
	p.wait(`document.querySelector('#lint-summary').textContent.startsWith('1 error') && [...document.querySelectorAll('#findings .code')].some(e => e.textContent === 'rule-slash')`)
	p.equal("lines with errors", p.lines("error"), []int{10})
	p.run(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll('#findings .error .jump')].at(-1).click()`))
	p.equal("selected", eval[string](p, `(a => a.value.slice(a.selectionStart, a.selectionEnd))(document.activeElement)`), "Dissallow: tmp")

	p.fill("file", "User-agent: *\nDisallow: /tmp/\n")
	p.wait(`document.querySelector('#lint-summary').textContent === 'Nothing to complain of.'`)
	p.equal("lines with errors", p.lines("error"), []int{})
}

func TestCompare(t *testing.T) {
	p := open(t, "")
	p.fill("file", "User-agent: *\nDisallow: /b\n")
	p.run(chromedp.Click(chromedp.CSS("#tab-compare")))
	p.fill("before", "User-agent: *\nDisallow: /a\nCrawl-delay: 1\n")
	p.wait(`[...document.querySelectorAll('#changes .url')].map(e => e.textContent).join() === '/b,/a'`)
	p.equal("changes", p.texts("#changes .result"), []string{
		"Closed /bbefore no rule matchesafter line 2 Disallow: /b",
		"Opened /abefore line 2 Disallow: /aafter no rule matches",
	})
	p.equal("records", p.texts("#changes .record"), []string{"gone Crawl-delay: 1"})

	p.fill("after", "User-agent: *\nDisallow: /a # the same\nCrawl-delay: 1\n")
	p.wait(`document.querySelector('#diff-summary').textContent.startsWith('The two files mean the same')`)

	// What was changed here is what is checked there.
	p.run(chromedp.Click(chromedp.CSS("#tab-check")))
	p.equal("file", eval[string](p, `document.querySelector('#file').value`), "User-agent: *\nDisallow: /a # the same\nCrawl-delay: 1\n")
}

func TestShare(t *testing.T) {
	p := open(t, "")
	old := eval[string](p, `location.hash`)
	p.fill("file", shop+"# ünï ✓\n")
	p.fill("agent", "Googlebot")
	p.fill("urls", "/beta")
	p.run(chromedp.Click(chromedp.CSS("#share")))
	p.wait(fmt.Sprintf(`location.hash !== %q && document.querySelector('#notice').textContent !== ''`, old))
	link := eval[string](p, `location.hash`)
	if !strings.HasPrefix(link, "#z=") {
		t.Fatalf("the fragment is %q", link)
	}

	q := open(t, link)
	q.wait(`document.querySelector('#summary').textContent === '1 allowed, 0 blocked, for Googlebot.'`)
	q.equal("file", eval[string](q, `document.querySelector('#file').value`), shop+"# ünï ✓\n")
	q.equal("URLs", eval[string](q, `document.querySelector('#urls').value`), "/beta")
	q.equal("lines that decide", q.lines("allow"), []int{9})

	// A link that is opened in the same tab is followed too.
	q.fill("agent", "")
	q.wait(fmt.Sprintf(`location.hash !== %q`, link))
	q.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`location.hash = %q`, link)))
	q.wait(`document.querySelector('#agent').value === 'Googlebot'`)

	// A file that is too long is not put into the URL.
	q.run(chromedp.Evaluate[chromedp.Void](`(a => { a.value = Array.from({length: 30000}, () => Math.random()).join("\n"); a.dispatchEvent(new Event("input")) })(document.querySelector('#file'))`))
	q.run(chromedp.Click(chromedp.CSS("#share")))
	q.wait(`document.querySelector('#notice').textContent === 'The file is too long for a link.'`)
	q.equal("fragment", eval[string](q, `location.hash`), "")
}

func TestShareHostile(t *testing.T) {
	var bomb bytes.Buffer
	w, _ := flate.NewWriter(&bomb, flate.BestSpeed)
	_, _ = w.Write(make([]byte, 8<<20))
	w.Close()
	for name, fragment := range map[string]string{
		"bomb":       "#z=" + base64.RawURLEncoding.EncodeToString(bomb.Bytes()),
		"no base64":  "#z=%%%",
		"no deflate": "#z=AAAA",
		"no JSON":    "#j=AAAA",
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, fragment)
			p.wait(`document.querySelector('#notice').textContent.startsWith('The link is damaged')`)
		})
	}
	t.Run("types", func(t *testing.T) {
		p := open(t, "#j="+base64.RawURLEncoding.EncodeToString([]byte(`{"text":"User-agent: *\nDisallow: b","agent":{},"urls":"/","pane":7}`)))
		p.equal("agent", eval[string](p, `document.querySelector('#agent').value`), "")
	})
}

// Nothing of what a file, an agent or a URL says becomes part of the page.
func TestUntrusted(t *testing.T) {
	const evil = `<img src=x onerror=alert(1)><script>alert(2)</script>`
	p := open(t, "")
	p.fill("file", "User-agent: "+evil+"\nUser-agent: *\nDisallow: /"+evil+"\n"+evil+": "+evil+"\nSitemap: "+evil+"\n")
	p.fill("agent", "Mozilla/5.0 (compatible; "+evil+")")
	p.fill("urls", "/"+evil+"\n"+evil)
	p.wait(`document.querySelector('#summary').textContent.startsWith('0 allowed, 1 blocked, 1 line')`)
	p.wait(`[...document.querySelectorAll('#findings p')].some(e => e.textContent.includes('<img'))`)
	p.run(chromedp.Click(chromedp.CSS("#tab-compare")))
	p.fill("before", "User-agent: *\nDisallow: /"+evil+"2\nSitemap: "+evil+"2\n")
	p.wait(`document.querySelector('#changes').textContent.includes('<img')`)
	p.equal("elements", eval[[]string](p, `[...document.body.querySelectorAll('img, script, iframe, object, [onerror]')].map(e => e.outerHTML)`), []string{})
}

// heartbeat notes when the page draws, and when workers are asked and answer.
const heartbeat = `
window.frames_ = [];
window.asked = [];
(function beat(t) { frames_.push(performance.now()); requestAnimationFrame(beat); })();
window.Worker = class extends Worker {
  constructor(...args) {
    super(...args);
    this.addEventListener("message", () => { if (this.last) this.last.to = performance.now(); this.last = null; });
  }
  postMessage(m) {
    if (m.question) asked.push(this.last = { op: JSON.parse(m.question).op, size: m.question.length, from: performance.now() });
    super.postMessage(m);
  }
};`

// While the workers are busy with a large file the page goes on drawing. That
// is told by comparison with how long they take, whatever the machine.
func TestLargeFile(t *testing.T) {
	var text strings.Builder
	text.WriteString("User-agent: *\n")
	for i := 0; text.Len() < 500<<10-100; i++ {
		if i%20 == 0 {
			fmt.Fprintf(&text, "Wrong-%d: %d\n", i, i)
		}
		fmt.Fprintf(&text, "%s: /d%d/*/x%d\n", [...]string{"Allow", "Disallow"}[i%2], i%97, i)
	}
	text.WriteString("User-agent: last\nDisallow: /end\n")
	p := open(t, "", heartbeat)
	p.fill("agent", "last")
	p.fill("urls", "/end\n/other")
	p.run(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`asked.length = 0; (a => { a.value = %q; a.dispatchEvent(new Event("input")) })(document.querySelector('#file'))`, text.String())))
	p.wait(`document.querySelector('#summary').textContent === '1 allowed, 1 blocked, for last.'`)
	p.wait(`asked.some(q => q.op === 'lint' && q.size > 500000 && q.to)`)
	p.wait(`[...document.querySelectorAll('#findings .code')].some(e => e.textContent === 'file-size')`)

	lint := eval[struct{ From, To, Longest, Count float64 }](p, `(() => {
		const { from, to } = asked.find(q => q.op === 'lint' && q.size > 500000);
		const within = [from, ...frames_.filter(t => from < t && t < to), to];
		return { from, to, count: within.length - 2, longest: Math.max(...within.slice(1).map((t, i) => t - within[i])) };
	})()`)
	took := lint.To - lint.From
	t.Logf("lint took %.0f ms in the worker; %.0f frames were drawn meanwhile, the longest pause was %.0f ms", took, lint.Count, lint.Longest)
	t.Logf("longest pause since the page was opened: %.0f ms", eval[float64](p, `Math.max(...frames_.slice(1).map((t, i) => t - frames_[i]))`))
	if lint.Count < 3 || lint.Longest > took/2 {
		t.Errorf("the page stood still: %+v", lint)
	}
	if n := eval[int](p, `document.querySelectorAll('#editor .line').length`); n > 200 {
		t.Errorf("the editor has elements for %d lines", n)
	}

	// The marks follow the text.
	p.run(chromedp.Click(chromedp.CSS("#results .jump")))
	p.equal("lines that decide", len(p.lines("disallow")), 1)
	p.equal("selected", eval[string](p, `(a => a.value.slice(a.selectionStart, a.selectionEnd))(document.activeElement)`), "Disallow: /end")
}

// A worker that does not come back is replaced, and in the meantime verdicts go on.
func TestWatchdog(t *testing.T) {
	p := open(t, "", `
const wait = setTimeout;
window.setTimeout = (f, ms, ...args) => wait(f, ms === 45000 ? 2000 : ms, ...args); // for this only, the limit of audits
window.hang = false;
window.Worker = class extends Worker {
  postMessage(m) {
    if (m.question && hang && JSON.parse(m.question).op === "lint") return;
    super.postMessage(m);
  }
};`)
	p.run(chromedp.Evaluate[chromedp.Void](`hang = true`))
	p.fill("file", "User-agent: *\nDisallow: b\nDisallow: /c\n")
	p.fill("urls", "/c")
	p.fill("agent", "")
	p.wait(`document.querySelector('#summary').textContent === '0 allowed, 1 blocked, for *.'`)
	p.wait(`document.querySelector('#lint-summary').textContent.startsWith('That took too long')`)
	p.run(chromedp.Evaluate[chromedp.Void](`hang = false`))
	p.fill("file", "User-agent: *\nDisallow: b\nDisallow: /c\nDisallow: d\n")
	p.wait(`document.querySelector('#lint-summary').textContent.startsWith('2 errors')`)
}

// long has everything that could be too wide.
var long = map[string]string{
	"file":   "User-agent: *\nDisallow: /" + strings.Repeat("long", 100) + "\nDisallow: " + strings.Repeat("long", 100) + "\n",
	"agent":  "Mozilla/5.0 (compatible; " + strings.Repeat("Long", 50) + "/1.0; +https://example.com/bot)",
	"urls":   "https://shop.example/" + strings.Repeat("long", 200) + "\n" + strings.Repeat("long", 100),
	"before": "User-agent: " + strings.Repeat("Long", 50) + "\nDisallow: /" + strings.Repeat("long", 60) + "x\nSitemap: https://shop.example/" + strings.Repeat("long", 100),
}

func TestPhone(t *testing.T) {
	for _, width := range []int{360, 320, 800} {
		p := open(t, "")
		p.run(chromedp.EmulateViewport(int64(width), 740, chromedp.EmulateMobile))
		for _, id := range []string{"file", "agent", "urls"} {
			p.fill(id, long[id])
		}
		p.wait(`document.querySelector('#summary').textContent.startsWith('0 allowed, 1 blocked, 1 line')`)
		p.wait(`document.querySelector('#lint-summary').textContent.startsWith('1 error')`)
		p.equal(fmt.Sprint("width of check at ", width), eval[int](p, `document.documentElement.scrollWidth`), width)
		p.run(chromedp.Click(chromedp.CSS("#tab-compare")))
		p.fill("before", long["before"])
		p.wait(`document.querySelectorAll('#changes .agent').length > 1`)
		p.equal(fmt.Sprint("width of compare at ", width), eval[int](p, `document.documentElement.scrollWidth`), width)
	}
}

func TestKeyboard(t *testing.T) {
	p := open(t, "")
	p.equal("fields without a label", eval[[]string](p, `[...document.querySelectorAll('input, select, textarea')].filter(e => !e.labels.length).map(e => e.id)`), []string{})
	p.equal("live regions", eval[[]string](p, `[...document.querySelectorAll('[role=status]')].map(e => e.id)`),
		[]string{"notice", "summary", "lint-summary", "diff-summary"})

	press := func(keys string, opts ...chromedp.KeyOption) { p.Helper(); p.run(chromedp.KeyEvent(keys, opts...)) }
	focus := func() string {
		p.Helper()
		return eval[string](p, `document.activeElement.id || document.activeElement.className`)
	}
	var order []string
	for range 10 {
		press(kb.Tab)
		order = append(order, focus())
	}
	p.equal("order of focus", order, []string{"skip", "tab-check", "share", "open", "file", "agent", "dialect", "source", "urls", "jump"})

	// The button leads to its line, and typing goes on there.
	press(kb.Enter)
	p.equal("focus", focus(), "file")
	press("Disallow: /everything")
	p.wait(`document.querySelector('#file').value.includes('Disallow: /everything')`)

	// Tab leaves the editor.
	press(kb.Tab)
	p.equal("focus", focus(), "agent")
	press("MyBot")
	p.wait(`document.querySelector('#summary').textContent.endsWith('for MyBot.') || document.querySelector('#agent').value.includes('MyBot')`)

	for range 5 {
		press(kb.Tab, chromedp.KeyModifiers(kb.ModifierShift))
		if focus() == "tab-check" {
			break
		}
	}
	press(kb.ArrowRight)
	p.equal("focus", focus(), "tab-compare")
	order = nil
	for range 4 {
		press(kb.Tab)
		order = append(order, focus())
	}
	p.equal("order of focus", order, []string{"share", "keep", "before", "after"})
	if !eval[bool](p, `document.querySelector('#pane-check').hidden && document.querySelector('#tab-compare').ariaSelected === 'true'`) {
		t.Error("the pane did not change")
	}
}

func TestOpenFile(t *testing.T) {
	p := open(t, "")
	name := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(name, []byte("\xEF\xBB\xBFUser-agent: *\r\nDisallow: /x\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.run(chromedp.SetUploadFiles(chromedp.CSS("#open"), []string{name}))
	p.wait(`document.querySelector('#notice').textContent === 'robots.txt was read.'`)
	p.wait(`[...document.querySelectorAll('#findings .code')].some(e => e.textContent === 'file-bom')`)
}

func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("no -screenshots DIR")
	}
	for _, look := range []struct {
		name   string
		width  int64
		scheme string
		mobile bool
	}{
		{"desktop", 1280, "light", false},
		{"dark", 1280, "dark", false},
		{"phone", 360, "light", true},
		{"phone-dark", 360, "dark", true},
	} {
		p := open(t, "")
		opts := []chromedp.EmulateViewportOption{chromedp.EmulateScale(1.5)}
		if look.mobile {
			opts = append(opts, chromedp.EmulateMobile)
		}
		p.run(chromedp.EmulateViewport(look.width, 900, opts...),
			command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}}}))
		shoot := func(pane string) {
			png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*screenshots, look.name+"-"+pane+".png"), png, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		shoot("check")
		p.run(chromedp.Click(chromedp.CSS("#tab-compare")))
		p.wait(`document.querySelector('#changes .result')`)
		shoot("compare")
	}
}

// All that the page is made of is there, with the types that browsers insist on.
func TestServe(t *testing.T) {
	s, err := built()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"":                "text/html; charset=utf-8",
		"index.html":      "text/html; charset=utf-8",
		"app.js":          "text/javascript; charset=utf-8",
		"wasm_exec.js":    "text/javascript; charset=utf-8",
		"style.css":       "text/css; charset=utf-8",
		"icon.svg":        "image/svg+xml",
		"playground.wasm": "application/wasm",
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "/"+name, nil))
		if got := w.Header().Get("Content-Type"); w.Code != 200 || got != want {
			t.Errorf("GET /%s: status %d, type %q, want 200, %q", name, w.Code, got, want)
		}
		if got := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(got, policy) {
			t.Errorf("GET /%s: Content-Security-Policy %q", name, got)
		}
	}
	for _, request := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/nothing", 404},
		{"GET", "/../main.go", 404},
		{"POST", "/", 405},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(request.method, request.path, nil))
		if w.Code != request.status {
			t.Errorf("%s %s: status %d, want %d", request.method, request.path, w.Code, request.status)
		}
	}
	if !strings.Contains(string(s["index.html"]), fmt.Sprintf("content=%q", policy)) {
		t.Error("the policy in index.html is not the one that is sent")
	}
}

// The site can be written for another server, all of it.
func TestWrite(t *testing.T) {
	s, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new", "site")
	if err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := []string{"app.js", "editor.js", "engine.js", "icon.svg", "index.html", "playground.wasm", "share.js", "style.css", "wasm_exec.js", "worker.js"}
	if !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}

	// It works in a folder of any web server, with the policy in index.html.
	p := openAt(t, http.StripPrefix("/tools/", http.FileServer(http.Dir(dir))), "/tools/")
	p.equal("verdicts", p.texts("#results .verdict"), []string{"Allowed", "Allowed", "Allowed", "Blocked"})
}

// Text from outside is never read as HTML or code.
func TestStatic(t *testing.T) {
	names, err := filepath.Glob("static/*.js")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts (%v)", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser", "setAttribute(\"on", "http:"} {
			if bytes.Contains(data, []byte(word)) {
				t.Errorf("%s has %q", name, word)
			}
		}
	}
}
