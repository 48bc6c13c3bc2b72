//go:build !robots_count

package robots

// counting is whether work is counted, for the tests of the bounds on it.
const counting = false

func count(int) {}
