package robots

import (
	"context"
	"errors"
	"sync"
)

// ErrCacheMiss is what [Cache.Get] returns if it has nothing under a key.
var ErrCacheMiss = errors.New("robots: not in the cache")

// A Cache keeps policies for a [Client], in memory or in a store that several
// crawlers share; the text form of a [Policy] is made for the latter. It must
// be safe for concurrent use, and its methods must return when ctx ends.
//
// An entry stays of use long after its Expires: it holds the last good copy,
// and since when a site has failed. A store with expiry should keep one for 60
// days or more after it was put. Losing an entry is safe, as it only makes the
// Client ask the site again.
//
// A Cache that fails does not change any decision: the Client fetches instead.
// What it returns is believed, so that whoever can write to a shared store can
// allow and disallow.
type Cache interface {
	// Get returns the policy last put under key, or ErrCacheMiss.
	Get(ctx context.Context, key string) (*Policy, error)
	// Put keeps p under key, in the place of an earlier one. Key is a
	// robots.txt URL as from Locate, and a fragment if the Client's Parser is
	// not the default one. p must not be changed.
	Put(ctx context.Context, key string, p *Policy) error
}

// DefaultCacheBytes is the bound of a MemoryCache that does not set its own:
// 64 MiB, enough for about 52,000 origins with files of a few lines, or 19,000
// with files of 40 rules.
const DefaultCacheBytes = 64 << 20

// A MemoryCache keeps policies in the memory of the process, up to a number of
// octets. When it is full, the least recently used go first. The zero
// MemoryCache is ready. It is safe for concurrent use and must not be copied,
// nor MaxBytes be changed, after the first use.
type MemoryCache struct {
	// MaxBytes bounds the memory in octets: the text of the files, twice if
	// the last good copy differs from the current one, and what surrounds it,
	// as estimated. 0 stands for [DefaultCacheBytes], a negative number for no
	// bound. A policy larger than that is not kept, and a Client asks for its
	// robots.txt before each page: 8 MiB are enough for any that a Parser with
	// the standard limit reads.
	MaxBytes int64

	mu      sync.Mutex
	entries map[string]*cacheEntry
	ring    cacheEntry // ring.next is the most recently used, ring.prev the least
	bytes   int64
}

// A cacheEntry is an element of a ring that starts and ends at
// MemoryCache.ring.
type cacheEntry struct {
	next, prev *cacheEntry
	key        string
	policy     *Policy
	bytes      int64
}

// Get returns the policy under key, which is then the most recently used, or
// ErrCacheMiss.
func (m *MemoryCache) Get(_ context.Context, key string) (*Policy, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[key]
	if e == nil {
		return nil, ErrCacheMiss
	}
	if m.ring.next != e {
		e.unlink()
		e.linkAfter(&m.ring)
	}
	return e.policy, nil
}

// Put keeps p under key and drops what there is no more room for. It returns
// no error.
func (m *MemoryCache) Put(_ context.Context, key string, p *Policy) error {
	e := &cacheEntry{key: key, policy: p, bytes: p.bytes() + int64(len(key)) + entryBytes}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(m.entries[key])
	limit := m.MaxBytes
	if limit == 0 {
		limit = DefaultCacheBytes
	}
	if limit > 0 && e.bytes > limit {
		return nil
	}
	if m.entries == nil {
		m.entries = make(map[string]*cacheEntry)
		m.ring.next, m.ring.prev = &m.ring, &m.ring
	}
	m.entries[key] = e
	e.linkAfter(&m.ring)
	m.bytes += e.bytes
	for limit > 0 && m.bytes > limit {
		m.drop(m.ring.prev)
	}
	return nil
}

// Len returns the number of policies that are kept.
func (m *MemoryCache) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.entries)
}

// Bytes returns the memory that they take by the same estimate that MaxBytes
// bounds.
func (m *MemoryCache) Bytes() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bytes
}

// remove drops p, if that is the policy under key.
func (m *MemoryCache) remove(key string, p *Policy) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.entries[key]; e != nil && e.policy == p {
		m.drop(e)
	}
}

// drop removes an entry unless it is nil; m.mu must be held.
func (m *MemoryCache) drop(e *cacheEntry) {
	if e == nil {
		return
	}
	e.unlink()
	delete(m.entries, e.key)
	m.bytes -= e.bytes
}

func (e *cacheEntry) unlink() {
	e.prev.next, e.next.prev = e.next, e.prev
}

func (e *cacheEntry) linkAfter(f *cacheEntry) {
	e.prev, e.next = f, f.next
	e.prev.next, e.next.prev = e, e
}

// What things take, in octets, with the overhead of maps and allocations.
const (
	entryBytes  = 160 // a cacheEntry and its place in the map
	policyBytes = 260
	copyBytes   = 160
	fileBytes   = 260

	ruleBytes    = 32 // in the index of a group that is asked much, and in the table of lines
	sectionBytes = 4  // in that table
	groupBytes   = 40
)

// bytes estimates the memory that a policy takes, whatever it shares.
func (p *Policy) bytes() int64 {
	n := policyBytes + len(p.URL) + len(p.ContentType) + p.File.bytes()
	n += listBytes(p.Redirects) + listBytes(p.Warnings)
	if p.Err != nil {
		n += 200 + 2*len(p.Err.Error())
	}
	if failure, ok := p.Err.(*FetchError); ok {
		n += len(failure.URL)
	}
	if g := p.good; g != nil {
		n += copyBytes + len(g.from) + len(g.etag) + len(g.lastModified)
		if g.file != p.File {
			n += g.file.bytes() + len(g.contentType) + listBytes(g.warnings)
		}
	}
	return int64(n)
}

// listBytes estimates the memory that a list of strings takes.
func listBytes(list []string) int {
	n := 0
	for _, s := range list {
		n += 16 + len(s)
	}
	return n
}

// bytes estimates the memory that a file takes; nil takes none.
func (f *File) bytes() int {
	if f == nil {
		return 0
	}
	return fileBytes + len(f.text) + int(f.has.end()) + ruleBytes*int(f.has.rules) + sectionBytes*int(f.has.sections) +
		groupBytes*len(f.groups)
}
