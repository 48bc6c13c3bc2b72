//go:build unix

package main

import (
	"context"
	"syscall"
	"testing"
	"time"
)

// A Redis that is there and says nothing holds nobody up for long: what is
// asked has an answer, and it is the site's.
func TestRedisHangs(t *testing.T) {
	redis, site := newServer(t), newSite(t)
	shared := newShared(t, redis)
	shared.Redis = NewRedis(redis.addr, 100*time.Millisecond)
	t.Cleanup(func() { shared.Redis.Close() })
	client := newClient(shared, site.addr)
	if err := redis.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer redis.cmd.Process.Signal(syscall.SIGCONT)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for path, want := range map[string]bool{"/open": true, "/private": false} {
		for _, h := range hosts("a", 10) {
			if got, err := client.Allowed(ctx, agent, "http://"+h+path); err != nil || got != want {
				t.Errorf("Allowed(%s%s) = %v, %v, want %v", h, path, got, err, want)
			}
		}
	}
	if shared.Stats.Failures.Load() == 0 {
		t.Error("no failure of Redis was counted")
	}
}
