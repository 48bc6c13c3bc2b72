package audit

import "fmt"

// openOrigin fetches the robots.txt that governs a URL.
func openOrigin(url string) (Explainer, error) {
	return nil, fmt.Errorf("cannot fetch %s yet", url)
}
