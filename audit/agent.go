package audit

import (
	"fmt"
	"strings"

	"example.com/robots"
)

// CheckAgent returns an [*AgentError] unless agent names one crawler, and all of
// it does: "*", a product token, the name of a known crawler that has spaces in
// it, or a whole User-Agent header with a product token in it, which is told by
// a "/" or a "(".
//
// Package robots takes any text for an agent, as it must take what clients send,
// and asks about the first name in it. For a question that a person wrote that
// is too kind: of "GPTBot,CCBot" the answer would be that for GPTBot alone.
func CheckAgent(agent string) error {
	s := strings.TrimSpace(agent)
	token := robots.ProductToken(s)
	// ProductToken takes a header with its name in front, too.
	if i := strings.IndexByte(s, ':') + 1; strings.EqualFold(s[:i], "User-agent:") {
		s = strings.TrimSpace(s[i:])
	}
	header := strings.ContainsAny(s, "/(")
	switch {
	case s == "":
		return &AgentError{Agent: agent, Text: "it is empty: give a product token such as Googlebot, or * for the group of all others"}
	case s == "*" || s == token || knownSpaced(s):
		return nil
	case isList(s, header):
		return &AgentError{Agent: agent, List: splitList(s), Text: "it lists several, and one is wanted: give each by itself"}
	case token == "" && strings.HasPrefix(s, "Mozilla/"):
		return &AgentError{Agent: agent, Text: "it is the header of a browser, with no crawler's product token in it: give one such as Googlebot, or * for the group of all others"}
	case token == "":
		return &AgentError{Agent: agent, Text: "there is no product token in it: give one such as Googlebot, of letters, digits and ._-"}
	case !header:
		return &AgentError{Agent: agent, Text: fmt.Sprintf("it is neither a product token, of letters, digits and ._-, nor a User-Agent header such as MyBot/1.0: of it only %q would count; give that, if it is meant", token)}
	}
	return nil
}

// An AgentError is a text that is not the name of one crawler.
type AgentError struct {
	Agent string
	List  []string // its parts, if it is a list with commas
	Text  string   // what is wrong, and what to write
}

// Error returns "robots: agent "AGENT": TEXT".
func (e *AgentError) Error() string {
	return fmt.Sprintf("robots: agent %s: %s", quote(e.Agent), e.Text)
}

// isList reports whether s is a list of agents with commas between them. There
// are commas in User-Agent headers, too: what may be one is a list only if each
// part of it is "*", or a product with or without a version.
func isList(s string, header bool) bool {
	parts := splitList(s)
	for _, p := range parts {
		name, _, versioned := strings.Cut(p, "/")
		if header && p != "*" && (name == "" || name != robots.ProductToken(name) || versioned && strings.ContainsAny(p, " \t(")) {
			return false
		}
	}
	return len(parts) > 1
}

// splitList splits at the commas.
func splitList(s string) (list []string) {
	for p := range strings.SplitSeq(s, ",") {
		if p = strings.TrimSpace(p); p != "" {
			list = append(list, p)
		}
	}
	return list
}
