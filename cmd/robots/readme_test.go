package main

import (
	"os"
	"regexp"
	"testing"
)

// The README shows what its command prints.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)\ngo run ./cmd/robots (explain [^\n]*)\n.*?\n```text\n(.*?)```").FindStringSubmatch(string(readme))
	if m == nil {
		t.Fatal("README.md has no robots explain with its output")
	}
	t.Chdir("../..")
	scenario{args: m[1], stdout: m[2]}.run(t)
}
