package chaos

import (
	"bytes"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tacit/internal/pgtest"
)

// A proxy is a process of `tacit serve`, which is started again after it was killed.
type proxy struct {
	t       *testing.T
	number  int
	binary  string
	policy  string
	port    int
	metrics int
	relay   *pgtest.Relay

	mu      sync.Mutex // protects what follows
	process *exec.Cmd  // nil while it does not run
	ended   chan struct{}
	killed  bool
	log     bytes.Buffer
}

func freePort(t *testing.T) int {
	t.Helper()
	port, err := pgtest.FreePort()
	must(t, err)
	return port
}

// start starts the process, and does not wait until it listens.
func (p *proxy) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	cmd := exec.Command(p.binary, "serve", "--policy", p.policy)
	cmd.Stderr = &lockedWriter{to: &p.log, mu: &p.mu}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	p.process, p.ended, p.killed = cmd, ended, false
	go func() {
		err := cmd.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.killed {
			p.t.Errorf("proxy %d has ended by itself: %v\n%s", p.number, err, tail(p.log.String()))
		}
		p.process = nil
		close(ended)
	}()
	return nil
}

// kill kills the process if it runs, and returns when it has ended.
func (p *proxy) kill() {
	p.mu.Lock()
	if p.process == nil {
		p.mu.Unlock()
		return
	}
	p.killed = true
	_ = p.process.Process.Kill()
	ended := p.ended
	p.mu.Unlock()
	<-ended
}

// signal sends SIGSTOP or SIGCONT.
func (p *proxy) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process != nil {
		_ = p.process.Process.Signal(s)
	}
}

// awaitListening returns when the proxy accepts connections.
func (p *proxy) awaitListening() {
	p.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", p.address())
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(deadline) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.t.Fatalf("proxy %d does not listen: %v\n%s", p.number, err, tail(p.log.String()))
		}
	}
}

// reloads is how often the process has said that another policy is in force.
func (p *proxy) reloads() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Count(p.log.String(), "policy reloaded")
}

// awaitReload returns when the process has said so once more than before, or says that it did not.
func (p *proxy) awaitReload(before int) bool {
	for deadline := time.Now().Add(time.Minute); p.reloads() == before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Errorf("proxy %d did not take another policy", p.number)
			return false
		}
	}
	return true
}

func (p *proxy) address() string { return fmt.Sprintf("127.0.0.1:%d", p.port) }

// tail is the end of a log.
func tail(log string) string { return log[max(0, len(log)-3000):] }

// A lockedWriter writes under a mutex.
type lockedWriter struct {
	to *bytes.Buffer
	mu *sync.Mutex
}

func (w *lockedWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(b)
}
