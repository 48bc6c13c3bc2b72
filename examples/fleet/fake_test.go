package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// A roundTrip answers requests without a server.
type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req), nil }

func request(t *testing.T, url string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func response(req *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status,
		Header:     http.Header{"Etag": {`"1"`}, "Content-Type": {"text/plain"}},
		Body:       io.NopCloser(strings.NewReader(body)),
		Request:    req,
	}
}
