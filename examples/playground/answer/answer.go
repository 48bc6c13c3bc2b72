// Package answer turns the questions of the playground's page into answers. It
// is plain Go, so that it can be tested outside of a browser; package wasm is
// the way into it.
package answer

import (
	"encoding/json"
	"fmt"
)

// A request is a question of the page.
type request struct {
	Op string // "check", "lint", "diff" or "crawlers"

	Text  string // the file, for "check" and "lint"
	Agent string // "" is "*"
	URLs  []string
	// Google asks for the dialect of Google's parser. Lint and diff have the
	// RFC's only.
	Google bool

	Old, New string // for "diff"
}

// Answer answers one question. What it returns is always a JSON object; if it
// could not answer, one with an "error".
func Answer(question string) string {
	var r request
	if err := json.Unmarshal([]byte(question), &r); err != nil {
		return encode(failure{fmt.Sprintf("no question: %v", err)})
	}
	switch r.Op {
	case "check":
		return encode(check(&r))
	case "lint":
		return encode(lint(r.Text))
	case "diff":
		return encode(diff(r.Old, r.New))
	case "crawlers":
		return encode(crawlers())
	}
	return encode(failure{fmt.Sprintf("no such question: %q", r.Op)})
}

type failure struct {
	Error string `json:"error"`
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // no value of ours fails
		b, _ = json.Marshal(failure{err.Error()})
	}
	return string(b)
}

// count returns "1 word" or "n words".
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
