package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"example.com/robots"
	"github.com/redis/go-redis/v9"
)

// Shared is a robots.Cache that any number of processes share through Redis or
// Valkey, with a second level in the memory of each. Give a robots.Client one
// as its Cache, and all the processes together ask each site once.
//
// Of those that find nothing fresh, Get lets one go and fetch, and the others
// wait for what it puts. They never wait for one that has died: its turn ends
// within LockTTL. Redis is not needed for any decision. While it is away each
// process asks the sites itself, and remembers what they say.
//
// Redis is set; the zero values of the other fields are the defaults. A Shared
// is safe for concurrent use and must not be copied, nor its fields be changed,
// after the first use.
type Shared struct {
	Redis  redis.UniversalClient // with timeouts: see NewRedis
	Memory robots.MemoryCache    // set its MaxBytes for another size

	Prefix   string        // of all keys; "" for "robots:"
	Keep     time.Duration // how long Redis keeps a policy; 0 for 60 days, as robots.Cache advises
	LockTTL  time.Duration // how long the fleet waits for a process that has died; 0 for 3 seconds
	MaxFetch time.Duration // the most that a fetch takes, a bit more than Client.Timeout; 0 for 35 seconds
	Rest     time.Duration // how long Redis is left alone after it failed; 0 for a second

	Stats Stats

	retryAt atomic.Int64 // when Redis may be tried again, in nanoseconds of Unix time
	mu      sync.Mutex
	asking  map[string]*question
	turns   map[string]*turn
}

// Stats counts what became of the calls, for an operator to watch.
type Stats struct {
	Memory, Redis atomic.Int64 // fresh policies from either level
	Turns         atomic.Int64 // times that this process was let go to fetch
	Waits         atomic.Int64 // times that it waited for another one
	Failures      atomic.Int64 // of Redis
}

// A question is one Get that any number of callers in the process wait for.
type question struct {
	done   chan struct{} // closed when the answer is set
	policy *robots.Policy
	err    error
}

// A turn is the right to fetch, and the duty to put: this process has the lock
// on a key.
type turn struct {
	token string
	known *robots.Policy // the stale policy, for its validators and last good copy; or nil
	done  chan struct{}  // closed when it is over
}

// NewRedis returns a client of the server at addr whose every call ends after
// about twice the timeout: for a server that does not answer there is no use in
// waiting, since the site can be asked. 250 ms are much for a server nearby.
func NewRedis(addr string, timeout time.Duration) *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr:                  addr,
		DialTimeout:           timeout,
		ReadTimeout:           timeout,
		WriteTimeout:          timeout,
		PoolTimeout:           timeout,
		DialerRetries:         1,
		MaxRetries:            1, // a connection may have been cut since it was last used
		ContextTimeoutEnabled: true,
	})
}

var errResting = errors.New("fleet: Redis failed a moment ago and is left alone")

// Get returns a fresh policy from memory or Redis. If there is none, it waits
// for another process to fetch one, or tells the Client to do so by returning
// what is stale, or robots.ErrCacheMiss.
func (s *Shared) Get(ctx context.Context, key string) (*robots.Policy, error) {
	known, _ := s.Memory.Get(ctx, key)
	if fresh(known) {
		s.Stats.Memory.Add(1)
		return known, nil
	}
	s.mu.Lock()
	if t := s.turns[key]; t != nil {
		// A Client asks once more before it fetches, and so do others while it
		// does: they will find its flight.
		s.mu.Unlock()
		return orMiss(t.known)
	}
	q := s.asking[key]
	if q == nil {
		q = &question{done: make(chan struct{})}
		if s.asking == nil {
			s.asking = make(map[string]*question)
		}
		s.asking[key] = q
		go s.ask(q, key, known)
	}
	s.mu.Unlock()
	select {
	case <-q.done:
		return q.policy, q.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Put keeps p in memory and in Redis, and ends the turn of this process. That
// Redis fails is no error: the policy is kept.
func (s *Shared) Put(ctx context.Context, key string, p *robots.Policy) error {
	if err := s.Memory.Put(ctx, key, p); err != nil {
		return err
	}
	token := ""
	s.mu.Lock()
	if t := s.turns[key]; t != nil {
		token = t.token
		s.end(key, t)
	}
	s.mu.Unlock()
	text, err := p.MarshalText()
	if err != nil {
		return err
	}
	if s.usable() {
		s.note(putScript.Run(ctx, s.Redis, s.keys(key), token, text, orDefault(s.Keep, 60*24*time.Hour).Milliseconds()).Err())
	}
	return nil
}

// ask answers q, and sees to it that Get is not stuck whatever happens.
func (s *Shared) ask(q *question, key string, known *robots.Policy) {
	// The wait is for another process to fetch, and for a second one should the
	// first have died.
	ctx, cancel := context.WithTimeout(context.Background(), 2*s.maxFetch())
	defer cancel()
	p, t, err := s.turnOrPolicy(ctx, key, known)
	switch {
	case t != nil:
		s.Stats.Turns.Add(1)
		q.policy, q.err = orMiss(t.known)
	case err != nil && p == nil:
		q.err = err
	default:
		// Without Redis the stale policy in memory is the best that is known.
		q.policy = p
	}
	s.mu.Lock()
	delete(s.asking, key)
	if t != nil {
		if s.turns == nil {
			s.turns = make(map[string]*turn)
		}
		s.turns[key] = t
		go s.hold(key, t)
	}
	s.mu.Unlock()
	close(q.done)
}

// turnOrPolicy returns a fresh policy, or the turn to fetch one. With an error
// the policy is the one known, if any.
func (s *Shared) turnOrPolicy(ctx context.Context, key string, known *robots.Policy) (*robots.Policy, *turn, error) {
	token := newToken()
	stamp := ""
	for pause, waited := firstPoll, false; ; {
		if !s.usable() {
			return known, nil, errResting
		}
		answer, err := takeScript.Run(ctx, s.Redis, s.keys(key), token, stamp, s.lockTTL().Milliseconds()).Result()
		if s.note(err); err != nil {
			return known, nil, fmt.Errorf("fleet: asking Redis for %s: %w", key, err)
		}
		switch answer := answer.(type) {
		case string: // another policy than the one that was seen
			stamp = stampOf(answer)
			p := new(robots.Policy)
			if p.UnmarshalText([]byte(answer)) != nil {
				continue // damaged, or of a later version: as if it were not there
			}
			if fresh(p) {
				s.Stats.Redis.Add(1)
				return p, nil, s.Memory.Put(ctx, key, p)
			}
			if known == nil || p.Fetched.After(known.Fetched) {
				known = p
			}
			continue
		case int64:
			if answer == 1 {
				return known, &turn{token: token, known: known, done: make(chan struct{})}, nil
			}
		}
		if !waited {
			waited = true
			s.Stats.Waits.Add(1)
		}
		if !sleep(ctx, pause) {
			return known, nil, fmt.Errorf("fleet: waiting for another process to fetch %s: %w", key, ctx.Err())
		}
		pause = min(2*pause, lastPoll)
	}
}

// fresh reports whether a Client would use p without asking the site.
func fresh(p *robots.Policy) bool { return p != nil && time.Now().Before(p.Expires) }

func orMiss(p *robots.Policy) (*robots.Policy, error) {
	if p == nil {
		return nil, robots.ErrCacheMiss
	}
	return p, nil
}

// usable reports whether Redis may be tried.
func (s *Shared) usable() bool { return time.Now().UnixNano() >= s.retryAt.Load() }

// note takes note of a failure of Redis, so that the next calls do not each
// wait for a timeout.
func (s *Shared) note(err error) {
	if err == nil || errors.Is(err, redis.Nil) {
		return
	}
	s.Stats.Failures.Add(1)
	s.retryAt.Store(time.Now().Add(orDefault(s.Rest, time.Second)).UnixNano())
}

func (s *Shared) lockTTL() time.Duration  { return orDefault(s.LockTTL, 3*time.Second) }
func (s *Shared) maxFetch() time.Duration { return orDefault(s.MaxFetch, 35*time.Second) }

func orDefault(d, standard time.Duration) time.Duration {
	if d <= 0 {
		return standard
	}
	return d
}

// keys returns the names of the policy and of the lock. The braces keep both on
// one node of a cluster.
func (s *Shared) keys(key string) []string {
	prefix := s.Prefix
	if prefix == "" {
		prefix = "robots:"
	}
	return []string{prefix + "{" + key + "}", prefix + "{" + key + "}:lock"}
}
