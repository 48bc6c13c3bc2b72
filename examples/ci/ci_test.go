package ci_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const workflow = ".github/workflows/robots.yml"

// A step is one "run" of the workflow.
type step struct{ job, name, run string }

// steps reads as much YAML as the workflow has.
func steps(t *testing.T) []step {
	t.Helper()
	data, err := os.ReadFile(workflow)
	if err != nil {
		t.Fatal(err)
	}
	var list []step
	var job, name string
	block := -1 // the indentation of "run: |"
	for line := range strings.Lines(string(data)) {
		text := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if block >= 0 && (text == "" || indent > block) {
			list[len(list)-1].run += text + "\n"
			continue
		}
		block = -1
		if s, ok := strings.CutSuffix(text, ":"); ok && indent == 2 {
			job = s
		} else if s, ok := strings.CutPrefix(text, "- name: "); ok {
			name = s
		} else if s, ok := strings.CutPrefix(text, "run: "); ok {
			if s == "|" {
				s, block = "", indent
			}
			list = append(list, step{job, name, s})
		}
	}
	return list
}

// A repo is one that a site owner has: the files of this folder, copied. Its
// origin has what the folder has, whatever becomes of the copy.
type repo struct{ dir, bin string }

func newRepo(t *testing.T, bin string) repo {
	t.Helper()
	r := repo{t.TempDir(), bin}
	for _, name := range []string{"robots.txt", "robots.expect", "served.expect", workflow} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r.write(t, name, string(data))
	}
	const git = "git -c user.name=owner -c user.email=owner@shop.example "
	out, err := r.run("git init -q\ngit add -A\n" + git + "commit -qm site\ngit update-ref refs/remotes/origin/main HEAD")
	if err != nil {
		t.Fatalf("git: %v\n%s", err, out)
	}
	return r
}

func (r repo) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (r repo) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// run runs a step as a runner of GitHub's does.
func (r repo) run(script string) (output string, err error) {
	cmd := exec.Command("bash", "-e", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(),
		"PATH="+r.bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"GITHUB_BASE_REF=main",
		"GITHUB_STEP_SUMMARY="+filepath.Join(r.dir, "summary.md"),
		"RUNNER_TEMP="+r.dir)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func buildRobots(t *testing.T) (bin string) {
	t.Helper()
	bin = t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "example.com/robots/cmd/robots").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// Each step of the workflow runs on the files of this folder, and on files with
// a mistake in them.
func TestWorkflow(t *testing.T) {
	bin := buildRobots(t)
	// A robots.txt as it is served, which is not always the one in the repository.
	var served atomic.Value
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, served.Load().(string))
	}))
	defer site.Close()

	good, bad := newRepo(t, bin), newRepo(t, bin)
	for _, r := range []repo{good, bad} {
		r.write(t, "served.expect", strings.Replace(r.read(t, "served.expect"), "https://www.shop.example", site.URL, 1))
	}
	bad.write(t, "robots.txt", strings.Replace(bad.read(t, "robots.txt"), "Disallow: /checkout/", "Dissallow /checkout/\nDisallow: /checkout*", 1))
	bad.write(t, "robots.expect", "file robots.txt\nallow * /checkout\n")

	saidOfBad := map[string]string{
		"file/Lint":    "::warning file=robots.txt,line=5",
		"file/Test":    "robots.expect:2: * must be allowed to fetch /checkout",
		"file/Compare": "", // tells, and does not fail
		"served/Test":  "* must not be allowed to fetch /checkout/pay",
	}
	ran := 0
	for _, s := range steps(t) {
		if s.name == "Install" {
			// This one is not for a machine without the published module.
			if !strings.HasPrefix(s.run, "go install ") || !strings.HasSuffix(s.run, "/cmd/robots@latest") {
				t.Errorf("%s/%s runs %q, want go install .../cmd/robots@latest", s.job, s.name, s.run)
			}
			continue
		}
		ran++
		say, known := saidOfBad[s.job+"/"+s.name]
		if !known {
			t.Errorf("no test for the step %s/%s", s.job, s.name)
		}
		served.Store(good.read(t, "robots.txt"))
		if out, err := good.run(s.run); err != nil {
			t.Errorf("%s/%s: %v\n%s", s.job, s.name, err, out)
		}
		served.Store("User-agent: *\nDisallow: /cart/\n")
		out, err := bad.run(s.run)
		if failed := err != nil; failed != (say != "") || !strings.Contains(out, say) {
			t.Errorf("%s/%s with mistakes: error %v, got\n%s\nwant %q", s.job, s.name, err, out, say)
		}
	}
	if ran != len(saidOfBad) {
		t.Errorf("%d steps ran, want %d", ran, len(saidOfBad))
	}
	if got, want := good.read(t, "summary.md"), "equal"; !strings.Contains(got, want) {
		t.Errorf("the comparison of equal files says\n%s\nwant %q", got, want)
	}
	if got, want := bad.read(t, "summary.md"), "closed /checkout"; !strings.Contains(got, want) {
		t.Errorf("the comparison says\n%s\nwant %q", got, want)
	}
}
