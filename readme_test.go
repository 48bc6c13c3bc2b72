package robots_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The README's sample is examples/quickstart, which is compiled and run there.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	_, rest, _ := strings.Cut(readme, "```go\n")
	sample, _, _ := strings.Cut(rest, "```")
	// Modules nested in this one are not there when it is a dependency.
	if program, err := os.ReadFile("examples/quickstart/main.go"); err != nil {
		t.Log(err)
	} else if diff := cmp.Diff(string(program), sample); diff != "" {
		t.Errorf("the sample is not examples/quickstart/main.go (-want +got):\n%s", diff)
	}
	if n := strings.Count(readme, "\n"); n >= 80 {
		t.Errorf("%d lines, want less than 80", n)
	}
	for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(readme, -1) {
		if strings.Contains(link[1], "://") || strings.HasPrefix(link[1], "examples") {
			continue
		}
		if _, err := os.Stat(link[1]); err != nil {
			t.Errorf("link: %v", err)
		}
	}
}
