package main

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"time"
)

// A server is a redis-server of our own: on loopback, in memory alone, to be
// killed and started again.
type server struct {
	addr string
	cmd  *exec.Cmd
}

// startServer starts redis-server, or valkey-server, on a free port.
func startServer(ctx context.Context) (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{addr: l.Addr().String()}
	l.Close()
	return s, s.start(ctx)
}

func (s *server) start(ctx context.Context) error {
	path, err := serverPath()
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(s.addr)
	if err != nil {
		return err
	}
	s.cmd = exec.Command(path, "--bind", host, "--port", port, "--save", "", "--appendonly", "no")
	if err := s.cmd.Start(); err != nil {
		return err
	}
	client := NewRedis(s.addr, patience)
	defer client.Close()
	for client.Ping(ctx).Err() != nil {
		if !sleep(ctx, 20*time.Millisecond) {
			s.kill()
			return fmt.Errorf("fleet: %s at %s does not answer: %w", path, s.addr, ctx.Err())
		}
	}
	return nil
}

// kill ends it without a chance to say goodbye.
func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

func serverPath() (string, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("valkey-server")
	}
	if err != nil {
		return "", fmt.Errorf("fleet: neither redis-server nor valkey-server is there (apt-get install redis-server): %w", err)
	}
	return path, nil
}
