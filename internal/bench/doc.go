// Package bench measures the library beside a peer, on real files and on
// hostile ones. It is all tests: go test -bench . says what there is, and
// README.md what it said.
package bench
