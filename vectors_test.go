package robots_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/robots"
)

// A vector is a file with questions that Google's parser has answered.
type vector struct {
	Robots    string
	RobotsB64 []byte `json:"robots_b64"` // if set, the octets of the file
	Queries   []query
}

type query struct {
	agent, url string
	allowed    bool
	line       int
}

func (q *query) UnmarshalJSON(data []byte) error {
	var allowed int
	v := []any{&q.agent, &q.url, &allowed, &q.line}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if len(v) != 4 {
		return fmt.Errorf("query of %d elements, want 4", len(v))
	}
	q.allowed = allowed == 1
	return nil
}

// TestGoogleVectors asks the questions of the sample in testdata, verdicts and
// lines: scanned, indexed, and as often as it takes for an index to be built.
func TestGoogleVectors(t *testing.T) {
	f, err := os.Open("testdata/google.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	runVectors(t, z, 8000)
}

// TestAllGoogleVectors asks all questions, of which testdata has a sample.
func TestAllGoogleVectors(t *testing.T) {
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		t.Skip("ROBOTS_CORPUS is not set")
	}
	f, err := os.Open(filepath.Join(dir, "..", "vectors", "google.jsonl"))
	if os.IsNotExist(err) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	runVectors(t, f, 25000)
}

func runVectors(t *testing.T, r io.Reader, atLeast int) {
	t.Helper()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	asked, bad := 0, 0
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		body := []byte(v.Robots)
		if v.RobotsB64 != nil {
			body = v.RobotsB64
		}
		google, unlimited := robots.Parser{Dialect: robots.Google}, robots.Parser{Dialect: robots.Google, MaxBytes: -1}
		files := []struct {
			way   string
			f     *robots.File
			times int
		}{
			{"scanned", google.Parse(body), 1},
			{"indexed", robots.Warm(google.Parse(body)), 1},
			{"asked often", google.Parse(body), robots.WarmUp + 8},
			{"without a limit", unlimited.Parse(body), 1},
		}
		for _, q := range v.Queries {
			asked++
			for _, file := range files {
				for range file.times {
					d := file.f.Explain(q.agent, q.url)
					if d.Allowed == q.allowed && d.Rule.Line == q.line {
						continue
					}
					if bad++; bad <= 5 {
						t.Errorf("%s: Explain(%q, %q) = %v, want allowed %v, line %d, of\n%q",
							file.way, q.agent, q.url, d, q.allowed, q.line, body)
					}
					break
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if bad > 0 || asked < atLeast {
		t.Errorf("%d questions (want %d and more), %d wrong answers", asked, atLeast, bad)
	}
}
