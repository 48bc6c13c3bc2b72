// Command fleet shows crawler processes that share what they know of
// robots.txt through Redis or Valkey: see README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	workIfAsked()
	measure := flag.Int("measure", 0, "measure memory and speed with this `number` of origins instead")
	files := flag.String("files", "", "a `folder` with robots.txt files to measure with")
	flag.Parse()
	ctx := context.Background()
	var err error
	if *measure > 0 {
		err = measureFleet(ctx, *measure, *files)
	} else {
		err = demonstrate(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// demonstrate runs four crawlers through the life of a Redis.
func demonstrate(ctx context.Context) error {
	redis, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer func() { redis.kill() }()
	site, err := startSite()
	if err != nil {
		return err
	}
	workers := make([]*worker, 4)
	for i := range workers {
		if workers[i], err = startWorker(redis.addr, site.addr); err != nil {
			return err
		}
		defer workers[i].kill()
	}
	fmt.Printf("%d crawler processes, redis-server at %s\n", len(workers), redis.addr)

	if err := round(site, workers, "Redis is there", "a"); err != nil {
		return err
	}
	if err := round(site, workers, "the same sites again", "a"); err != nil {
		return err
	}
	redis.kill()
	if err := round(site, workers, "Redis was killed", "b"); err != nil {
		return err
	}
	site.setDown(true)
	if err := round(site, workers, "and the sites answer 503", "c"); err != nil {
		return err
	}
	site.setDown(false)
	if err := redis.start(ctx); err != nil {
		return err
	}
	time.Sleep(1500 * time.Millisecond) // the workers leave a Redis that failed alone for a second
	return round(site, workers, "Redis is back, and empty", "d")
}

// round asks every worker about two pages of each of a hundred hosts.
func round(site *site, workers []*worker, what, hosts string) error {
	const n = 100
	site.forget()
	start := time.Now()
	for i := range n {
		for _, w := range workers {
			for _, path := range []string{"/open", "/private"} {
				if err := w.send(fmt.Sprintf("http://%s%d.example%s", hosts, i, path)); err != nil {
					return err
				}
			}
		}
	}
	allowed, questions := 0, 0
	for _, w := range workers {
		for range 2 * n {
			a, err := w.receive()
			if err != nil {
				return err
			}
			if questions++; a.Allowed {
				allowed++
			}
		}
	}
	total, most := site.count()
	fmt.Printf("%-26s %4d questions, %3d allowed, %3d requests for robots.txt (%d hosts, at most %d each), %v\n",
		what+":", questions, allowed, total, n, most, time.Since(start).Round(10*time.Millisecond))
	return nil
}
