package pgtest

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

//go:embed supervise.sh
var superviseScript string

// A supervisor is the shell that runs supervise.sh.
type supervisor struct {
	command   *exec.Cmd
	dir       string         // the cluster's, which goes with the supervisor
	lifeline  io.WriteCloser // our end of its standard input
	complaint bytes.Buffer   // its standard error; may be read after exited is closed
	exited    chan struct{}
	lives     chan serverLife // each life of the server, once
	done      chan struct{}   // one value for each command that was carried out

	mu      sync.Mutex // protects current
	current serverLife
}

// A serverLife is the time from the start of the postmaster to its end.
type serverLife struct {
	pid   int
	ended chan struct{}
}

// supervise runs a command that is supervise.sh, as an account.
func supervise(a account, command []string) (*supervisor, error) {
	s := &supervisor{
		command: exec.Command(command[0], command[1:]...),
		exited:  make(chan struct{}), lives: make(chan serverLife, 1), done: make(chan struct{}, 1),
	}
	s.command.Dir = "/"
	s.command.Env = a.environment
	s.command.Stderr = &s.complaint
	s.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: a.credential}
	var err error
	if s.lifeline, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	said, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("cannot run %s as %s: %w", command[0], a.name, err)
	}
	lines := bufio.NewScanner(said)
	if lines.Scan() { // else the supervisor has ended, with a complaint
		s.dir = lines.Text()
	}
	go s.listen(lines)
	return s, nil
}

// listen follows what the supervisor says until its end.
func (s *supervisor) listen(lines *bufio.Scanner) {
	for lines.Scan() {
		switch word, number, _ := strings.Cut(lines.Text(), " "); word {
		case "server":
			pid, _ := strconv.Atoi(number)
			s.begin(serverLife{pid: pid, ended: make(chan struct{})})
		case "ended":
			close(s.server().ended)
		case "done", "copied":
			s.done <- struct{}{}
		}
	}
	_ = s.command.Wait() // its status says no more than its complaint
	close(s.exited)
}

func (s *supervisor) begin(life serverLife) {
	s.mu.Lock()
	s.current = life
	s.mu.Unlock()
	s.lives <- life
}

// server is the server's present life, or its last one.
func (s *supervisor) server() serverLife {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// life waits until the server was started, and returns what is closed when it has ended.
func (s *supervisor) life(ctx context.Context) (ended <-chan struct{}, err error) {
	select {
	case life := <-s.lives:
		return life.ended, nil
	case <-s.exited:
		return nil, errors.New(strings.TrimSpace(s.complaint.String()))
	case <-ctx.Done():
		return nil, fmt.Errorf("the server was not started: %w", ctx.Err())
	}
}

// order has a command carried out that says when it is done.
func (s *supervisor) order(command string) error {
	if _, err := fmt.Fprintln(s.lifeline, command); err != nil {
		return fmt.Errorf("pgtest: %s: %w", command, err)
	}
	select {
	case <-s.done:
		return nil
	case <-s.exited:
		return fmt.Errorf("pgtest: %s: the supervisor has ended", command)
	}
}

// stop ends the server and the supervisor, and returns when they are gone.
func (s *supervisor) stop() error {
	_ = s.lifeline.Close() // fails only if the supervisor has ended already
	select {
	case <-s.exited:
		return nil
	case <-time.After(stopTimeout):
		return fmt.Errorf("pgtest: the supervisor of the cluster, process %d, has not ended after %v", s.command.Process.Pid, stopTimeout)
	}
}

// logTail is the end of the server's log, for people.
func (s *supervisor) logTail() string {
	log, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return err.Error()
	}
	const enough = 4000
	return strings.TrimSpace(string(log[max(0, len(log)-enough):]))
}
