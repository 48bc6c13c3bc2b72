package robots

import (
	"math/bits"
	"strings"
)

// An index answers for a group in a time that depends on the URL and on the
// rules that match its start, not on how many rules there are.
//
// It is a tree over the heads of the patterns, the literal octets before the
// first "*". A node is a place where heads part: it says at which octet of a
// path to look next, and where to go for each octet there. The octets between,
// in which the heads do not differ, are not looked at on the way (it is a
// PATRICIA tree), but when a rule is reached: of all rules only those that are
// on the way of the path can match it, and their heads are still compared. So a
// rule that has a head for itself takes four octets and one, and of the text,
// which is likely not in the cache, little is read.
type index struct {
	// The first word is the ref of the root. The words of a node are:
	//
	//	how many octets to skip, from the one behind that which led here;
	//	and, in the lower bits, how many ways there are
	//	the octet of each way, ascending, eight in two words, filled up with zeros
	//	the ref of each way
	//
	// The octet of the rules that end here is 0, which is in no path in normal
	// form, and in no head. The words of a list are:
	//
	//	where in the text its head is
	//	the length of its head, or 0 if the text does not have it
	//	its first entry
	//	how many runs of entries it has
	//	for each run how many entries are in it; and, in the lower bits, its need
	//
	// The need of a run is an octet that a path must have to match any of its
	// rules, of those in their tails the one that is least likely to be there, or
	// 0. So all for which an octet is missing are passed over at once.
	tree    []uint32
	entries []entry
	parts   []uint32 // groups to ask too, since other groups share them

	// maker is what makes the index, of which there is nothing else until it
	// is done, or nil.
	maker *maker
}

// The upper bits of the first word of a node.
const (
	nodeWays    = 1<<nodeSkip - 1
	nodeSkip    = 9
	nodeMaxSkip = 1<<(32-nodeSkip) - 1
)

// A ref says what is at a place in the tree: a kind, and a number.
type ref uint32

const (
	refNode  ref = iota << 29 // a node, at that word of the tree
	refList                   // a list, at that word: several rules with one head
	refOpen                   // the rule with that number, which is all literal
	refClean                  // the rule, which has stars or a "$", in normal form
	refOdd                    // the rule, of which more is to be found out
	refNone                   // nothing
	refKind  ref = 7 << 29
)

func (r ref) kind() ref      { return r & refKind }
func (r ref) number() uint32 { return uint32(r &^ refKind) }

// maxIndexed is the length of a file, far beyond any sane limit, beyond which
// its groups are scanned for good: refs, runs and the offsets of sprouts might
// not have room for what they tell.
const maxIndexed = 64 << 20

// runCount is where in the word of a run the number of its entries starts.
const runCount = 8

// An entry is a rule of a list. In a run the best come first.
type entry struct {
	key uint32 // as in verdict
	ref ref
}

// answer returns what decides of a question.
func (x *index) answer(f *File, q *question, path string) verdict {
	v := undecided
	tree := x.tree
	at := ref(tree[0])
	for depth := 0; at.kind() == refNode; depth++ {
		if counting {
			count(1)
		}
		n := int(at.number())
		octets, refs := n+1, n+1+octetWords(tree[n]&nodeWays)
		if tree[octets]&0xFF == 0 {
			v = x.weigh(f, ref(tree[refs]), q, path, v)
		}
		depth += int(tree[n] >> nodeSkip)
		if depth >= len(path) {
			at = refNone
			break
		}
		// Eight octets are compared at a time: the lowest that is zero once the
		// one of the path is taken off is it.
		c := uint64(path[depth]) * each
		at = refNone
		for i := octets; i < refs; i += 2 {
			w := (uint64(tree[i]) | uint64(tree[i+1])<<32) ^ c
			if m := (w - each) &^ w & high; m != 0 {
				at = ref(tree[refs+(i-octets)*4+bits.TrailingZeros64(m)>>3])
				break
			}
		}
	}
	if at != refNone {
		v = x.weigh(f, at, q, path, v)
	}
	for _, p := range x.parts {
		v = v.or(f.groups[p].answer(q, path))
	}
	return v
}

// octetWords returns how many words a node has for the octets of its ways.
func octetWords(ways uint32) int { return int(ways+7) / 8 * 2 }

// weigh returns the better of v and of the rules that a ref other than that of a
// node stands for.
func (x *index) weigh(f *File, at ref, q *question, path string, v verdict) verdict {
	n := at.number()
	switch at.kind() {
	case refOpen:
		// The pattern is all that counts, so its size is the key.
		r := &f.rules[n]
		if counting {
			count(1 + r.len())
		}
		if v.better(r.size, n) && strings.HasPrefix(path, f.text[r.off:][:r.len()]) {
			v = verdict{r.size, n}
		}
	case refClean:
		r := &f.rules[n]
		p := cutPattern(f.text[r.off:][:r.len()], f.dialect)
		if key := p.spec<<1 | r.size&1; v.better(key, n) && q.matches(path, &p) {
			v = verdict{key, n}
		}
	case refOdd:
		v = f.weighOdd(n, q, path, v)
	case refList:
		off, head, first, runs := x.tree[n], x.tree[n+1], x.tree[n+2], x.tree[n+3]
		if counting {
			count(1 + int(head))
		}
		if strings.HasPrefix(path, f.text[off:][:head]) {
			v = weighList(f, x.tree[n+4:][:runs], x.entries[first:], int(head), q, path, v)
		}
	}
	return v
}

// weighList returns the better of v and of the entries of a list, which begin
// with these. Their head has a length, and the path starts with it; or all are
// odd.
func weighList(f *File, runs []uint32, entries []entry, head int, q *question, path string, v verdict) verdict {
	for _, r := range runs {
		if counting {
			count(1)
		}
		run := entries[:r>>runCount]
		entries = entries[len(run):]
		if need := byte(r); run[0].key < v.key || need != 0 && q.lacks(path, need) {
			continue
		}
		for i := range run {
			e := &run[i]
			if counting {
				count(1)
			}
			if e.key < v.key {
				break
			}
			n := e.ref.number()
			ok := true
			switch e.ref.kind() {
			case refClean:
				r := &f.rules[n]
				p := cutPattern(f.text[r.off:][:r.len()], f.dialect)
				if len(p.text) > head {
					ok = q.matchesTail(path, &p, p.text[head+1:], head)
				} else {
					ok = !p.anchored || len(path) == head
				}
			case refOdd:
				v = f.weighOdd(n, q, path, v)
				continue
			}
			if ok && v.better(e.key, n) {
				v = verdict{e.key, n}
			}
		}
	}
	return v
}
