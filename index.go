package robots

import (
	"math/bits"
	"strings"
)

// An index answers for a group in a time that depends on the URL and on the
// rules that match its start, not on how many rules there are.
//
// It is a tree over the heads of the patterns, the literal octets before the
// first "*". A node is where heads part: it says which octet of a path to look
// at next, and where to go for each. The octets between, which all heads below
// have in common, are skipped (this makes it a PATRICIA tree): on its way a path
// meets all rules whose heads it starts with, but also others, so the head of a
// rule is compared with it once the rule is reached. That reads little of the
// text, which is likely not in the cache, and a rule with a head of its own, as
// nearly all have, takes no more than an octet and a ref.
type index struct {
	// tree has nodes and lists. Its first word is the ref of the root.
	//
	// A node:
	//	skip<<nodeSkip | ways   octets to skip, behind the one that led here; how many ways there are
	//	octets                  those of the ways, ascending, eight in two words, filled up with zeros
	//	refs                    where each way leads
	//
	// The way of the octet 0 is that of the rules whose heads end at the node: no
	// head has a 0 in it, nor has a path in normal form.
	//
	// A list, of the rules with one head:
	//	off, size     where the text has the head; 0, 0 if all rules are odd, and it has not
	//	needs         what a path must have to match any of them, in two words
	//	first, count  its entries
	tree    []uint32
	entries []entry
	parts   []uint32 // groups to ask too, since other groups share them

	// maker is what makes the index, which until then has nothing else; or nil.
	maker *maker
}

const (
	nodeSkip    = 9 // there are up to 256 ways
	nodeWays    = 1<<nodeSkip - 1
	nodeMaxSkip = 1<<(32-nodeSkip) - 1

	listWords = 6
)

// An entry is a rule of a list. The best come first.
type entry struct {
	needs octetSet // what a path must have to match it
	key   uint32   // as in verdict
	ref   ref      // to a rule
}

// A ref is what stands at a place in the tree: a kind, and a number.
type ref uint32

const (
	refNode  ref = iota << 29 // a node, at that word of the tree
	refList                   // a list, at that word
	refOpen                   // the rule of that number, whose pattern is literal and in normal form
	refTail                   // the rule, whose pattern is so too but for one star, not at its end
	refClean                  // the rule, whose pattern is in normal form, but has more stars or a "$"
	refOdd                    // the rule, whose pattern needs more than a look, as to File.weigh
	refNone                   // nothing
	refKind  ref = 7 << 29
)

func (r ref) kind() ref      { return r & refKind }
func (r ref) number() uint32 { return uint32(r &^ refKind) }

// maxIndexed is the length of a file, far beyond any sane limit, beyond which
// its groups are scanned for good: refs and the offsets of sprouts might not have
// room for what they tell.
const maxIndexed = 64 << 20

// answer returns what decides of a question.
func (x *index) answer(f *File, q *question, path string) verdict {
	v := undecided
	tree := x.tree
	at, depth := ref(tree[0]), 0
	for ; at.kind() == refNode; depth++ {
		if counting {
			count(1)
		}
		n := int(at.number())
		octets, refs := n+1, n+1+octetWords(tree[n]&nodeWays)
		depth += int(tree[n] >> nodeSkip)
		if tree[octets]&0xFF == 0 {
			v = x.weigh(f, ref(tree[refs]), depth, q, path, v)
		}
		if depth >= len(path) {
			at = refNone
			break
		}
		// Eight ways are tried at a time: theirs is the lowest octet that is zero
		// once that of the path is taken off. (Higher ones may seem to be.)
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
		v = x.weigh(f, at, depth, q, path, v)
	}
	for _, p := range x.parts {
		v = v.or(f.groups[p].answer(q, path))
	}
	return v
}

// octetWords returns how many words a node has for the octets of its ways.
func octetWords(ways uint32) int { return int(ways+7) / 8 * 2 }

// weigh returns the better of v and of the rules that a ref other than that of a
// node stands for, whose head has a length of at least depth.
func (x *index) weigh(f *File, at ref, depth int, q *question, path string, v verdict) verdict {
	n := at.number()
	switch at.kind() {
	case refOpen:
		// The pattern is all that counts, so its size is the key.
		r := &f.rules()[n]
		if counting {
			count(1 + r.len())
		}
		if v.better(r.size, n) && strings.HasPrefix(path, f.text[r.off:][:r.len()]) {
			v = verdict{r.size, n}
		}
	case refTail, refClean:
		r := &f.rules()[n]
		if counting {
			count(depth)
		}
		// Most fail here, before their first star is looked for.
		if !strings.HasPrefix(path, f.text[r.off:][:depth]) {
			return v
		}
		p := cutPattern(f.text[r.off:][:r.len()], f.dialect)
		if key := p.spec<<1 | r.size&1; v.better(key, n) && q.matches(path, &p) {
			v = verdict{key, n}
		}
	case refOdd:
		v = f.weigh(n, q, path, v)
	case refList:
		v = x.weighList(f, n, q, path, v)
	}
	return v
}

// weighList returns the better of v and of the rules of the list at that word of
// the tree.
func (x *index) weighList(f *File, at uint32, q *question, path string, v verdict) verdict {
	list := x.tree[at:][:listWords]
	head := int(list[1])
	if counting {
		count(1 + head)
	}
	// A head of one octet is "/", as each path has. Most lists have that.
	if head > 1 && !strings.HasPrefix(path, f.text[list[0]:][:head]) {
		return v
	}
	// A list may be that of very many rules behind "/*?", and the path without a query.
	has := q.octets(path)
	if (octetSet(list[2])|octetSet(list[3])<<32)&^has != 0 {
		return v
	}
	entries := x.entries[list[4]:][:list[5]]
	for i := range entries {
		e := &entries[i]
		if counting {
			count(1)
		}
		if e.needs&^has != 0 {
			continue
		}
		if e.key < v.key {
			break
		}
		n := e.ref.number()
		ok := true
		switch e.ref.kind() {
		case refTail:
			r := &f.rules()[n]
			ok = q.find(path, f.text[r.off:][:r.len()][head+1:], head) >= 0
		case refClean:
			r := &f.rules()[n]
			p := cutPattern(f.text[r.off:][:r.len()], f.dialect)
			if len(p.text) > head {
				ok = q.matchesTail(path, &p, p.text[head+1:], head)
			} else {
				ok = !p.anchored || len(path) == head
			}
		case refOdd:
			v = f.weigh(n, q, path, v)
			continue
		}
		if ok {
			return v.or(verdict{e.key, n}) // no other of the list is better
		}
	}
	return v
}
