package audit_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/robots"
	"example.com/robots/audit"
)

func corpus(t testing.TB) []string {
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		t.Skip("ROBOTS_CORPUS is not set")
	}
	names, err := filepath.Glob(filepath.Join(dir, "robots", "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s/robots: %v", dir, err)
	}
	return names
}

func TestCorpusTable(t *testing.T) {
	names := corpus(t)
	files := map[audit.Code]int{}
	total := map[audit.Code]int{}
	type timing struct {
		d    time.Duration
		name string
	}
	var times []timing
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := robots.Parse(data)
		start := time.Now()
		findings := audit.Lint(f)
		times = append(times, timing{time.Since(start), name})
		seen := map[audit.Code]bool{}
		for _, x := range findings {
			total[x.Code]++
			seen[x.Code] = true
			if x.Line < 1 || x.Column < 1 || x.Message == "" {
				t.Errorf("%s: bad finding %+v", name, x)
			}
		}
		for c := range seen {
			files[c]++
		}
	}
	slices.SortFunc(times, func(a, b timing) int { return cmp.Compare(a.d, b.d) })
	t.Logf("median %v, 90 %% %v, 99 %% %v, max %v", times[len(times)/2], times[len(times)*9/10], times[len(times)*99/100], times[len(times)-5:])
	for _, c := range slices.SortedFunc(maps.Keys(files), func(a, b audit.Code) int { return cmp.Compare(files[b], files[a]) }) {
		t.Log(fmt.Sprintf("%-18s %5d files %5.1f %% %7d findings", c, files[c], 100*float64(files[c])/float64(len(names)), total[c]))
	}
}
