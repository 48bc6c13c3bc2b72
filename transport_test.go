package robots_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/robots"
)

func TestTransport(t *testing.T) {
	w := newWeb(t)
	w.handle("https://example.com", func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			text("User-agent: *\nDisallow: /private\n\nUser-agent: FriendBot\nDisallow: /enemy\n")(rw, r)
		case "/hop":
			redirect(302, "/private/hop")(rw, r)
		case "/away":
			redirect(302, "https://closed.example/page")(rw, r)
		default:
			text("page")(rw, r)
		}
	})
	w.handle("https://closed.example", text("User-agent: *\nDisallow: /\n"))
	w.handle("https://down.example", answer(500, "", ""))
	for _, tt := range []struct {
		name, agent, url string
		header           string
		want             string // of the body; "" if refused
		decision         robots.Decision
		requests         []string // behind those for robots.txt
	}{
		{name: "allowed", agent: "ExampleBot", url: "https://example.com/page", want: "page", requests: []string{"https://example.com/page"}},
		{name: "disallowed", agent: "ExampleBot", url: "https://u:p@example.com/private/1#f",
			decision: robots.Decision{Reason: robots.ReasonRule, Agent: "*", Rule: robots.Rule{Line: 2, Pattern: "/private"}}},
		{name: "own group", agent: "FriendBot", url: "https://example.com/private/1", want: "page", requests: []string{"https://example.com/private/1"}},
		{name: "header of the request", header: "Mozilla/5.0 (compatible; FriendBot/1.0; +https://friend.example)", url: "https://example.com/private/1", want: "page", requests: []string{"https://example.com/private/1"}},
		{name: "no agent", url: "https://example.com/private/1",
			decision: robots.Decision{Reason: robots.ReasonRule, Agent: "*", Rule: robots.Rule{Line: 2, Pattern: "/private"}}},
		{name: "robots.txt itself", agent: "ExampleBot", url: "https://closed.example/robots.txt", want: "User-agent: *\nDisallow: /\n", requests: nil},
		{name: "robots.txt with a query", agent: "ExampleBot", url: "https://closed.example/robots.txt?page=1",
			decision: robots.Decision{Reason: robots.ReasonRule, Agent: "*", Rule: robots.Rule{Line: 2, Pattern: "/"}}},
		{name: "each hop", agent: "ExampleBot", url: "https://example.com/hop", requests: []string{"https://example.com/hop"},
			decision: robots.Decision{Reason: robots.ReasonRule, Agent: "*", Rule: robots.Rule{Line: 2, Pattern: "/private"}}},
		{name: "each hop's origin", agent: "ExampleBot", url: "https://example.com/away", requests: []string{"https://example.com/away"},
			decision: robots.Decision{Reason: robots.ReasonRule, Agent: "*", Rule: robots.Rule{Line: 2, Pattern: "/"}}},
		{name: "unreachable", agent: "ExampleBot", url: "https://down.example/", decision: robots.Decision{Reason: robots.ReasonUnreachable}},
		{name: "no file", agent: "ExampleBot", url: "https://nofile.example/page", requests: []string{"https://nofile.example/page"}, want: "404 page not found\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, own := range []bool{true, false} {
				rt := &robots.Transport{Agent: tt.agent, Base: w.transport()}
				if !own {
					rt.Client = w.client()
				}
				w.seen()
				req, err := http.NewRequest("GET", tt.url, nil)
				if err != nil {
					t.Fatal(err)
				}
				if tt.header != "" {
					req.Header.Set("User-Agent", tt.header)
				}
				resp, err := (&http.Client{Transport: rt}).Do(req)
				if tt.want != "" {
					if err != nil {
						t.Fatal(err)
					}
					body, _ := io.ReadAll(resp.Body)
					resp.Body.Close()
					if string(body) != tt.want {
						t.Errorf("body %q, want %q", body, tt.want)
					}
				} else {
					var refusal *robots.DisallowedError
					if !errors.As(err, &refusal) || !errors.Is(err, robots.ErrDisallowed) {
						t.Fatalf("err %v, want a *DisallowedError", err)
					}
					if d := cmp.Diff(tt.decision, refusal.Decision); d != "" {
						t.Errorf("Decision (-want +got):\n%s", d)
					}
					if strings.ContainsAny(refusal.URL, "@#") || !strings.Contains(refusal.Error(), refusal.URL) {
						t.Errorf("URL %q, error %q", refusal.URL, refusal)
					}
					if tt.decision.Reason == robots.ReasonUnreachable {
						var failure *robots.FetchError
						if !errors.As(err, &failure) || failure.Status != 500 {
							t.Errorf("err %v does not say why", err)
						}
					}
				}
				seen := slices.DeleteFunc(w.seen(), func(s string) bool { return strings.HasSuffix(s, "/robots.txt") })
				if d := cmp.Diff(tt.requests, seen, cmp.Transformer("", func(s []string) string { return strings.Join(s, " ") })); d != "" {
					t.Errorf("requests (-want +got):\n%s", d)
				}
			}
		})
	}
}

func TestDisallowedErrorText(t *testing.T) {
	for _, tt := range []struct {
		err  robots.DisallowedError
		want string
	}{
		{
			robots.DisallowedError{URL: "https://example.com/x", Decision: robots.Decision{Reason: robots.ReasonRule, Agent: "examplebot", Rule: robots.Rule{Line: 3, Pattern: "/x"}}},
			`robots: "https://example.com/x" is disallowed for "examplebot" by line 3 of robots.txt, Disallow: "/x"`,
		},
		{
			robots.DisallowedError{URL: "https://example.com/x", Decision: robots.Decision{Reason: robots.ReasonUnreachable}, Err: &robots.FetchError{URL: "https://example.com/robots.txt", Status: 503}},
			`robots: "https://example.com/x" is disallowed while robots.txt is unreachable: robots: "https://example.com/robots.txt" gives no rules: status 503`,
		},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("Error() = %q, want %q", got, tt.want)
		}
	}
}

// body tells whether it was closed.
type body struct {
	io.Reader
	closed bool
}

func (b *body) Close() error { b.closed = true; return nil }

// A RoundTripper must close the request's body, whatever happens.
func TestTransportClosesBody(t *testing.T) {
	w := newWeb(t)
	w.handle("https://closed.example", text("User-agent: *\nDisallow: /\n"))
	rt := &robots.Transport{Agent: "ExampleBot", Base: w.transport()}
	for _, url := range []string{"https://closed.example/x", "ftp://example.com/x", "https://a..b/"} {
		b := &body{Reader: strings.NewReader("x")}
		req, err := http.NewRequest("POST", url, b)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := rt.RoundTrip(req); resp != nil || err == nil || !b.closed {
			t.Errorf("RoundTrip(%s) = %v, %v, body closed: %v", url, resp, err, b.closed)
		}
	}
	if resp, err := rt.RoundTrip(&http.Request{}); resp != nil || err == nil {
		t.Errorf("RoundTrip of nothing = %v, %v", resp, err)
	}
	opaque, _ := http.NewRequest("GET", "https://example.com", nil)
	opaque.URL.Opaque = "//closed.example/x"
	if resp, err := rt.RoundTrip(opaque); resp != nil || err == nil {
		t.Errorf("RoundTrip of an opaque URL = %v, %v", resp, err)
	}
}

// The context of a request ends the wait for robots.txt too.
func TestTransportContext(t *testing.T) {
	inTime(t, func(t *testing.T, e *epoch) {
		e.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		rt := &robots.Transport{Agent: "ExampleBot", Client: e.client}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, "GET", "http://example.com/", nil)
		if resp, err := rt.RoundTrip(req); resp != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("RoundTrip = %v, %v, want context.DeadlineExceeded", resp, err)
		}
	})
}

// A Client whose own requests go through the Transport that asks it does not
// wait for itself, also where robots.txt redirects to another path, and with a
// RoundTripper in between.
func TestTransportAroundItsClient(t *testing.T) {
	w := newWeb(t)
	w.handle("https://example.com", text("page"))
	w.handle("https://example.com/robots.txt", redirect(301, "/rules/robots.php"))
	w.handle("https://example.com/rules/robots.php", text("User-agent: *\nDisallow: /rules\n"))
	for _, wrapped := range []bool{false, true} {
		rt := &robots.Transport{Agent: "ExampleBot", Base: w.transport()}
		client := &http.Client{Transport: rt}
		if wrapped {
			client.Transport = roundTripFunc(func(r *http.Request) (*http.Response, error) { return rt.RoundTrip(r) })
		}
		rt.Client = &robots.Client{HTTPClient: client, Timeout: 10 * time.Second}
		resp, err := client.Get("https://example.com/page")
		if err != nil {
			t.Fatalf("wrapped %v: %v", wrapped, err)
		}
		resp.Body.Close()
		if resp, err := client.Get("https://example.com/rules/x"); !errors.Is(err, robots.ErrDisallowed) {
			t.Errorf("wrapped %v: %v, %v, want ErrDisallowed", wrapped, resp, err)
		}
	}
}
