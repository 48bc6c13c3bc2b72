//go:build robots_count

package robots

// counting is whether work is counted, for the tests of the bounds on it.
const counting = true

// work is the number of octets, rules and the like that have been looked at.
var work int

func count(n int) { work += n }
