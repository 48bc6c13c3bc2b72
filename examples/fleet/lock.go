package main

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// Those who wait for another process to fetch look again after these pauses,
// from the first to the last. A look costs Redis some microseconds and moves no
// policy.
const (
	firstPoll = 10 * time.Millisecond
	lastPoll  = 250 * time.Millisecond
)

// The scripts run in Redis, each as a whole, so that nothing comes between the
// look and the lock. KEYS are the policy and its lock.
var (
	// takeScript answers with the policy if it is not the one that the caller
	// has seen (ARGV[2] is its stamp); else with 1 if the caller (ARGV[1] is
	// its token) may fetch now, and 0 if another one is at it.
	takeScript = redis.NewScript(`
if redis.call('GETRANGE', KEYS[1], 0, 24) ~= ARGV[2] then return redis.call('GET', KEYS[1]) end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[3]) then return 1 end
return 0`)

	// holdScript keeps a lock for longer, and takes it again if Redis has lost
	// it. It answers with 0 if another process has it by now.
	holdScript = redis.NewScript(`
local owner = redis.call('GET', KEYS[2])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1`)

	// putScript stores the policy, and gives back the lock if it is the
	// caller's still.
	putScript = redis.NewScript(`
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
return 1`)
)

// stampOf returns what tells two policies apart: the first line of the text,
// which holds its checksum.
func stampOf(text string) string { return text[:min(25, len(text))] }

func newToken() string { return rand.Text() }

// hold keeps a turn until it is over. If the process dies, nobody does, and
// another one has the turn after LockTTL. It ends after MaxFetch too: a Client
// whose callers have all left puts nothing.
func (s *Shared) hold(key string, t *turn) {
	ctx, cancel := context.WithTimeout(context.Background(), s.maxFetch())
	defer cancel()
	tick := time.NewTicker(s.lockTTL() / 3)
	defer tick.Stop()
	for {
		select {
		case <-t.done:
			return
		case <-ctx.Done():
			s.mu.Lock()
			s.end(key, t)
			s.mu.Unlock()
			return
		case <-tick.C:
		}
		if s.usable() {
			// If another process has the lock by now, both will fetch: the
			// later answer stays.
			s.note(holdScript.Run(ctx, s.Redis, s.keys(key), t.token, s.lockTTL().Milliseconds()).Err())
		}
	}
}

// end takes a turn off the list; s.mu must be held.
func (s *Shared) end(key string, t *turn) {
	if s.turns[key] == t {
		delete(s.turns, key)
		close(t.done)
	}
}

// sleep waits for d, and reports false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
