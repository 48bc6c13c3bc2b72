package audit_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/robots"
	"example.com/robots/audit"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the files in testdata/golden")

// golden compares what write writes with a file in testdata/golden.
func golden(t *testing.T, name string, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	return b.Bytes()
}

func mixed(t *testing.T) audit.Report {
	t.Helper()
	data, err := os.ReadFile("testdata/mixed.robots.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := robots.Parse(data)
	return audit.Report{Name: "public/a b:c.txt", Text: f.String(), Findings: audit.Lint(f)}
}

func TestFormats(t *testing.T) {
	r := mixed(t)
	golden(t, "lint.txt", func(w io.Writer) error { return audit.WriteText(w, r) })
	golden(t, "lint.github.txt", func(w io.Writer) error { return audit.WriteGitHub(w, r) })

	data := golden(t, "lint.json", func(w io.Writer) error { return audit.WriteJSON(w, r, audit.Report{Name: "empty.txt"}) })
	var list []audit.Finding
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var f struct {
			File string `json:"file"`
			audit.Finding
		}
		if err := d.Decode(&f); err != nil || f.File != r.Name {
			t.Fatalf("%+v, %v", f, err)
		}
		list = append(list, f.Finding)
	}
	if diff := cmp.Diff(r.Findings, list); diff != "" {
		t.Errorf("findings in JSON (-want +got):\n%s", diff)
	}
}

// TestTextCondensed: a code with many findings is cut short, and hostile
// octets do not reach the terminal.
func TestTextCondensed(t *testing.T) {
	f := robots.Parse([]byte("User-agent: *\n" + strings.Repeat("Disallow: \x1b[2J\u202e\u200e/x\n", 9)))
	r := audit.Report{Name: "r", Text: f.String(), Findings: audit.Lint(f)}
	for most, want := range map[int]int{0: 5, 2: 2, -1: 9} {
		r.Most = most
		var b strings.Builder
		if err := audit.WriteText(&b, r); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "error: "); got != want {
			t.Errorf("WriteText, Most %d: %d findings in full, want %d:\n%s", most, got, want, b.String())
		}
		if strings.ContainsAny(b.String(), "\x1b\u202e\u200e") {
			t.Errorf("WriteText lets control characters through: %q", b.String())
		}
	}
}

// TestSARIF checks the structure against what the schema of SARIF 2.1.0
// demands of the properties that are used.
func TestSARIF(t *testing.T) {
	data := golden(t, "lint.sarif", func(w io.Writer) error { return audit.WriteSARIF(w, mixed(t)) })
	var log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string `json:"name"`
					Rules []struct {
						ID                   string            `json:"id"`
						ShortDescription     map[string]string `json:"shortDescription"`
						DefaultConfiguration map[string]string `json:"defaultConfiguration"`
					} `json:"rules"`
				} `json:"driver"`
			} `json:"tool"`
			ColumnKind string `json:"columnKind"`
			Results    []struct {
				RuleID    string            `json:"ruleId"`
				RuleIndex int               `json:"ruleIndex"`
				Level     string            `json:"level"`
				Message   map[string]string `json:"message"`
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct {
							URI string `json:"uri"`
						} `json:"artifactLocation"`
						Region struct {
							StartLine   int `json:"startLine"`
							StartColumn int `json:"startColumn"`
						} `json:"region"`
					} `json:"physicalLocation"`
				} `json:"locations"`
				Properties map[string]string `json:"properties"`
			} `json:"results"`
		} `json:"runs"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Errorf("there is more than one JSON value")
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || !strings.Contains(log.Schema, "sarif") {
		t.Fatalf("version %q, %d runs, schema %q", log.Version, len(log.Runs), log.Schema)
	}
	run := log.Runs[0]
	if run.Tool.Driver.Name == "" || run.ColumnKind != "unicodeCodePoints" && run.ColumnKind != "utf16CodeUnits" {
		t.Errorf("driver %q, columnKind %q", run.Tool.Driver.Name, run.ColumnKind)
	}
	level := map[string]bool{"none": true, "note": true, "warning": true, "error": true}
	seen := make(map[string]bool)
	for _, r := range run.Tool.Driver.Rules {
		if r.ID == "" || seen[r.ID] || r.ShortDescription["text"] == "" || !level[r.DefaultConfiguration["level"]] {
			t.Errorf("bad rule %+v", r)
		}
		seen[r.ID] = true
	}
	if len(run.Results) == 0 {
		t.Error("no results")
	}
	for _, r := range run.Results {
		if r.RuleIndex < 0 || r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("result of %q has the wrong rule index %d", r.RuleID, r.RuleIndex)
		}
		if !level[r.Level] || r.Message["text"] == "" || len(r.Locations) != 1 {
			t.Errorf("bad result %+v", r)
			continue
		}
		p := r.Locations[0].PhysicalLocation
		if u, err := url.Parse(p.ArtifactLocation.URI); err != nil || u.Path != "public/a b:c.txt" {
			t.Errorf("URI %q: %v", p.ArtifactLocation.URI, err)
		}
		if p.Region.StartLine < 1 || p.Region.StartColumn < 1 {
			t.Errorf("bad region %+v", p.Region)
		}
	}
}

func TestResultFormats(t *testing.T) {
	const name = "testdata/expect.txt"
	e, err := audit.ParseExpectations(name, []byte("file shop.robots.txt\nallow * /cart\nblock GPTBot,* /<>&\"'\nallow * /cart/help by 9\nallow * / by 0\nblock * /cart/help by 4\nallow * /cart/help by 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	results, err := e.Run(nil)
	if err != nil {
		t.Fatal(err)
	}
	suite := audit.Suite{Name: name, Results: results}
	golden(t, "results.txt", func(w io.Writer) error { return audit.WriteResults(w, suite) })
	golden(t, "results.json", func(w io.Writer) error { return audit.WriteResultsJSON(w, suite) })
	data := golden(t, "results.junit.xml", func(w io.Writer) error { return audit.WriteResultsJUnit(w, suite) })

	// The counts of a suite are those of its elements; there is nothing in it
	// that the schema of Jenkins does not have.
	d := xml.NewDecoder(bytes.NewReader(data))
	attrs := map[string]string{
		"testsuites": " tests failures errors time ", "testsuite": " name tests failures errors skipped time ",
		"testcase": " name classname time ", "failure": " message type ",
	}
	parent := map[string]string{"testsuites": "", "testsuite": "testsuites", "testcase": "testsuite", "failure": "testcase"}
	counts := make(map[string]int)
	stack := []string{""}
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			name := tok.Name.Local
			if p, ok := parent[name]; !ok || p != stack[len(stack)-1] {
				t.Errorf("<%s> in <%s>", name, stack[len(stack)-1])
			}
			for _, a := range tok.Attr {
				if !strings.Contains(attrs[name], " "+a.Name.Local+" ") {
					t.Errorf("<%s> has %s", name, a.Name.Local)
				}
			}
			counts[name]++
			stack = append(stack, name)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	if counts["testcase"] != len(results) || counts["failure"] != 5 || !bytes.Contains(data, []byte(`tests="7" failures="5" errors="0" skipped="0"`)) {
		t.Errorf("elements %v of %d results:\n%s", counts, len(results), data)
	}
}

// TestREADME: the table has every code, as Checks has it.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for c := range audit.Checks() {
		if row := "\n| `" + string(c.Code) + "` | " + c.Severity.String() + " | " + c.Summary + " |"; !strings.Contains(string(readme), row) {
			t.Errorf("README.md has no row%s", row)
		}
	}
}
