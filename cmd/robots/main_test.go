package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shop is the file that the tests ask.
const shop = "../../testdata/example.txt"

// A scenario is a run of the command.
type scenario struct {
	args   string // separated by white space, "_" for a space in one, "''" for an empty one
	stdin  string
	code   int
	stdout string
	stderr string // without its last line end
}

func (s scenario) run(t *testing.T) {
	t.Helper()
	args := strings.Fields(s.args)
	for i, arg := range args {
		args[i] = strings.ReplaceAll(strings.ReplaceAll(arg, "_", " "), "''", "")
	}
	var stdout, stderr bytes.Buffer
	code := run(args, strings.NewReader(s.stdin), &stdout, &stderr)
	if code != s.code {
		t.Errorf("robots %q: exit code %d, want %d", args, code, s.code)
	}
	if diff := cmp.Diff(strings.TrimPrefix(s.stdout, "\n"), stdout.String()); diff != "" {
		t.Errorf("robots %q: stdout (-want +got):\n%s", args, diff)
	}
	if diff := cmp.Diff(s.stderr, strings.TrimSuffix(stderr.String(), "\n")); diff != "" {
		t.Errorf("robots %q: stderr (-want +got):\n%s", args, diff)
	}
}

func TestUnknownCommand(t *testing.T) {
	const code = exitMisuse
	for _, s := range []scenario{
		{args: "chekc", code: code, stderr: `robots: unknown command "chekc": did you mean "check"?`},
		{args: "Explain /x", code: code, stderr: `robots: unknown command "Explain": did you mean "explain"?`},
		{args: "help ex", code: code, stderr: `robots: unknown command "ex": did you mean "explain"?`},
		{args: "https://example.com/x", code: code, stderr: `robots: unknown command "https://example.com/x": to ask about a URL write: robots check -f FILE URL`},
		{args: "-f x", code: code, stderr: `robots: unknown command "-f": the command comes first: robots check -f …`},
	} {
		s.run(t)
	}
	var stderr strings.Builder
	if got := run([]string{"frobnicate"}, nil, io.Discard, &stderr); got != code || !strings.Contains(stderr.String(), `"frobnicate": the commands are check, `) {
		t.Errorf("robots frobnicate: exit code %d, stderr %q", got, stderr.String())
	}
}

func TestHelp(t *testing.T) {
	output := func(wantCode int, args ...string) (stdout, stderr string) {
		t.Helper()
		var o, e strings.Builder
		if code := run(args, nil, &o, &e); code != wantCode {
			t.Errorf("robots %q: exit code %d, want %d", args, code, wantCode)
		}
		return o.String(), e.String()
	}
	usage, stderr := output(exitOK, "help")
	if stderr != "" {
		t.Errorf("robots help: stderr %q", stderr)
	}
	for _, flag := range []string{"-h", "-help", "--help"} {
		if got, _ := output(exitOK, flag); got != usage {
			t.Errorf("robots %s: got %q, want that of robots help", flag, got)
		}
		if got, _ := output(exitOK, "help", flag); got != usage {
			t.Errorf("robots help %s: got %q, want that of robots help", flag, got)
		}
	}
	if got, _ := output(exitOK, "help", "help"); got != usage {
		t.Errorf("robots help help: got %q, want that of robots help", got)
	}
	scenario{args: "help check extra", code: exitMisuse, stderr: `robots help: "extra" is too much: it tells about one command: robots help check`}.run(t)
	if stdout, stderr := output(exitMisuse); stdout != "" || stderr != usage {
		t.Errorf("robots: got %q and stderr %q, want the usage as the latter", stdout, stderr)
	}
	for _, c := range commands {
		if !strings.Contains(usage, "\t"+c.name+" ") || !strings.Contains(usage, c.summary+"\n") {
			t.Errorf("robots help lacks %q", c.name)
		}
		help, stderr := output(exitOK, "help", c.name)
		if !strings.HasPrefix(help, "Usage: robots "+c.name) || stderr != "" {
			t.Errorf("robots help %s: got %q and stderr %q", c.name, help, stderr)
		}
		for line := range strings.Lines(help) {
			if n := len(strings.TrimRight(line, "\n")); n > 80 && !strings.HasPrefix(line, "    \t") {
				t.Errorf("robots help %s: a line of %d octets: %s", c.name, n, line)
			}
		}
		if got, _ := output(exitOK, c.name, "-h"); got != help {
			t.Errorf("robots %s -h: got %q, want that of robots help %[1]s", c.name, got)
		}
	}
}

// An answer that could not be written is none.
func TestWriteError(t *testing.T) {
	var stderr strings.Builder
	code := run([]string{"check", "-f", shop, "-json", "/products/"}, nil, brokenWriter{}, &stderr)
	if want := "robots: writing the answer: broken\n"; code != exitMisuse || stderr.String() != want {
		t.Errorf("exit code %d, stderr %q, want %d, %q", code, stderr.String(), exitMisuse, want)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestReadError(t *testing.T) {
	var stderr strings.Builder
	code := run([]string{"check", "/products/"}, brokenReader{}, io.Discard, &stderr)
	if want := "robots check: cannot read standard input: broken\n"; code != exitMisuse || stderr.String() != want {
		t.Errorf("exit code %d, stderr %q, want %d, %q", code, stderr.String(), exitMisuse, want)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestTerminal(t *testing.T) {
	// A character device that is not /dev/null passes for a terminal.
	tty, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer tty.Close()
	var stderr strings.Builder
	code := run([]string{"check", "/x"}, tty, io.Discard, &stderr)
	if want := "robots check: no robots.txt: name it with -f FILE, or pipe it into the standard input\n"; code != exitMisuse || stderr.String() != want {
		t.Errorf("exit code %d, stderr %q, want %d, %q", code, stderr.String(), exitMisuse, want)
	}
	stderr.Reset()
	code = run([]string{"check", "-f", "-", "/x"}, tty, io.Discard, &stderr)
	if want := "robots: reading robots.txt from the terminal; end it with Ctrl-D"; code != exitOK || !strings.HasPrefix(stderr.String(), want) {
		t.Errorf("exit code %d, stderr %q, want %d, %q…", code, stderr.String(), exitOK, want)
	}

	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(null) {
		t.Errorf("%s passes for a terminal", os.DevNull)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if isTerminal(file) {
		t.Error("a file passes for a terminal")
	}
}

func TestNearest(t *testing.T) {
	words := []string{"check", "explain", "lint", "test", "f", "agent", "crawlers", "msnbot"}
	for _, test := range []struct{ word, want string }{
		{"check", "check"},
		{"chcek", "check"},
		{"CHECKS", "check"},
		{"expl", "explain"},
		{"tset", "test"},
		{"agents", "agent"},
		{"list", "lint"},
		{"g", ""},
		{"exlpian", ""},
		{"crwlaers", "crawlers"},
		{"mybot", ""},
		{"", ""},
		{"xyz", ""},
		{strings.Repeat("check", 1000), ""},
	} {
		if got := nearest(test.word, words); got != test.want {
			t.Errorf("nearest(%.20q) = %q, want %q", test.word, got, test.want)
		}
	}
}
