package audit

import (
	"context"
	"sync"

	"example.com/robots"
)

// client is made for the first origin; sites are asked once in its lifetime.
var client = sync.OnceValue(func() *robots.Client { return new(robots.Client) })

// openOrigin fetches the robots.txt that governs a URL. That it is unreachable
// is an error here: a test must not pass because nothing can be fetched.
func openOrigin(url string) (*robots.Policy, error) {
	p, err := client().Policy(context.Background(), url)
	if err != nil {
		return nil, err
	}
	return p, p.Err
}
