package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"

	"example.com/robots"
	"github.com/redis/go-redis/v9/logging"
)

const agent = "FleetBot"

// patience is longer than a crawler's should be, so that here a machine that is
// busy does not pass for a Redis that is away.
const patience = 5 * time.Second

// A job is a question to a worker, and an answer is what it says.
type (
	job    struct{ URL string }
	answer struct {
		URL      string
		Allowed  bool
		Decision string
		Err      string `json:",omitempty"`
	}
)

// newClient returns what a crawler uses: a robots.Client that shares its
// policies. All sites are at siteAddr here, whatever their names.
func newClient(shared *Shared, siteAddr string) *robots.Client {
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, siteAddr)
	}
	return &robots.Client{
		UserAgent:  agent + "/1.0 (+https://example.com/bot)",
		HTTPClient: &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}},
		Timeout:    10 * time.Second,
		Cache:      shared,
	}
}

// work is the whole of a worker process: jobs come in and answers go out, a
// line of JSON each, and as many at a time as there are.
func work(redisAddr, siteAddr string, in io.Reader, out io.Writer) error {
	shared := &Shared{Redis: NewRedis(redisAddr, patience), MaxFetch: 12 * time.Second}
	client := newClient(shared, siteAddr)
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		lines = bufio.NewScanner(in)
		enc   = json.NewEncoder(out)
	)
	for lines.Scan() {
		var j job
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			return err
		}
		wg.Go(func() {
			a := ask(client, j)
			mu.Lock()
			defer mu.Unlock()
			enc.Encode(a)
		})
	}
	wg.Wait()
	return lines.Err()
}

func ask(client *robots.Client, j job) answer {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a := answer{URL: j.URL}
	p, err := client.Policy(ctx, j.URL)
	if err != nil {
		a.Err = err.Error()
		return a
	}
	d := p.Explain(agent, j.URL)
	a.Allowed, a.Decision = d.Allowed, d.String()
	return a
}

// The environment variables that make a process of this program a worker.
const (
	envRedis = "FLEET_WORKER_REDIS"
	envSite  = "FLEET_WORKER_SITE"
)

// workIfAsked turns this process into a worker if its environment says so.
func workIfAsked() {
	logging.Disable() // that Redis is away is part of the show, and of the tests
	if os.Getenv(envRedis) == "" {
		return
	}
	if err := work(os.Getenv(envRedis), os.Getenv(envSite), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fleet: worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A worker is such a process, seen from the one that started it.
type worker struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	enc *json.Encoder
	dec *json.Decoder
}

func startWorker(redisAddr, siteAddr string) (*worker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &worker{cmd: exec.Command(self)}
	w.cmd.Env = append(os.Environ(), envRedis+"="+redisAddr, envSite+"="+siteAddr)
	w.cmd.Stderr = os.Stderr
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	w.enc, w.dec = json.NewEncoder(w.in), json.NewDecoder(out)
	return w, w.cmd.Start()
}

// send asks without waiting for the answer.
func (w *worker) send(url string) error { return w.enc.Encode(job{URL: url}) }

// receive returns the next answer, which may be to any of the questions.
func (w *worker) receive() (answer, error) {
	var a answer
	err := w.dec.Decode(&a)
	return a, err
}

func (w *worker) kill() {
	w.cmd.Process.Kill()
	w.cmd.Wait()
}
