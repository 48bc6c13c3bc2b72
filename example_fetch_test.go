package robots_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"example.com/robots"
)

// exampleSite is a web site with a robots.txt, for the examples.
func exampleSite() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nDisallow: /private\n")
			return
		}
		fmt.Fprintf(w, "page %s", r.URL.Path)
	}))
}

// A crawler asks one Client about all sites.
func ExampleClient() {
	s := exampleSite()
	defer s.Close()

	client := robots.Client{UserAgent: "ExampleBot/1.0 (+https://bot.example)"}
	for _, path := range []string{"/page", "/private/page"} {
		ok, err := client.Allowed(context.Background(), "ExampleBot", s.URL+path)
		fmt.Println(path, ok, err)
	}
	// Output:
	// /page true <nil>
	// /private/page false <nil>
}

// Some crawlers take a site that wants a password, or shuts the door, for one
// that does not want to be crawled.
func ExampleClient_strict() {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	}))
	defer s.Close()

	client := robots.Client{Outcome: func(status int) robots.Outcome {
		if status == 401 || status == 403 {
			return robots.DisallowAll
		}
		return robots.StatusOutcome(status)
	}}
	p, err := client.Policy(context.Background(), s.URL)
	fmt.Println(p.Outcome, p.Status, err)
	// Output: disallow-all 403 <nil>
}

// An http.Client that cannot fetch what robots.txt disallows.
func ExampleTransport() {
	s := exampleSite()
	defer s.Close()

	client := http.Client{Transport: &robots.Transport{Agent: "ExampleBot"}}
	_, err := client.Get(s.URL + "/private/page")
	var refusal *robots.DisallowedError
	if errors.As(err, &refusal) {
		fmt.Printf("line %d: %v\n", refusal.Decision.Rule.Line, refusal.Decision.Rule)
	}
	// Output: line 2: Disallow: /private
}

// A crawler with an HTTP stack of its own has only the answer read.
func ExamplePolicyFromResponse() {
	s := exampleSite()
	defer s.Close()

	resp, err := http.Get(s.URL + "/robots.txt")
	if err != nil {
		return // unreachable: the zero Policy says what that means
	}
	p := robots.PolicyFromResponse(resp)
	fmt.Println(p.Outcome, p.Allowed("ExampleBot", "/private/page"))
	// Output: parsed false
}

// A textStore holds the policies of several crawlers; here, a map stands in for it.
type textStore struct{ values map[string][]byte }

func (s textStore) Get(_ context.Context, key string) (*robots.Policy, error) {
	text, ok := s.values[key]
	if !ok {
		return nil, robots.ErrCacheMiss
	}
	p := new(robots.Policy)
	return p, p.UnmarshalText(text)
}

func (s textStore) Put(_ context.Context, key string, p *robots.Policy) error {
	text, err := p.MarshalText()
	if err == nil {
		s.values[key] = text
	}
	return err
}

// Policies are kept outside of the process in their text form.
func ExampleCache() {
	s := exampleSite()
	shared := textStore{map[string][]byte{}}

	first := robots.Client{Cache: shared}
	fmt.Println(first.Allowed(context.Background(), "ExampleBot", s.URL+"/private/page"))
	s.Close()

	second := robots.Client{Cache: shared}
	fmt.Println(second.Allowed(context.Background(), "ExampleBot", s.URL+"/private/page"))
	// Output:
	// false <nil>
	// false <nil>
}
