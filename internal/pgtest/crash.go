package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Crash kills the postmaster and all its children by SIGKILL, as if the machine's memory were lost but not its disk: what the server
// had not written to its files is gone. The port is free afterwards until Restart.
func (c *Cluster) Crash() error {
	life := c.supervisor.server()
	if !c.Running() {
		return errors.New("pgtest: the server does not run")
	}
	// Stopped, it starts no more children while they are listed.
	if err := syscall.Kill(life.pid, syscall.SIGSTOP); err != nil {
		return fmt.Errorf("pgtest: stopping the postmaster: %w", err)
	}
	children, err := childrenOf(life.pid)
	for _, pid := range append(children, life.pid) {
		if killed := syscall.Kill(pid, syscall.SIGKILL); killed != nil && !errors.Is(killed, syscall.ESRCH) {
			err = errors.Join(err, fmt.Errorf("pgtest: killing process %d: %w", pid, killed))
		}
	}
	<-life.ended
	for _, pid := range children {
		err = errors.Join(err, awaitDeath(pid))
	}
	return err
}

// Running says whether there is a postmaster. One whose disk is full may have ended by itself.
func (c *Cluster) Running() bool {
	select {
	case <-c.supervisor.server().ended:
		return false
	default:
		return true
	}
}

// Restart starts the server again, which has ended, on the same data and the same port, and returns when it has recovered and accepts connections.
func (c *Cluster) Restart() error {
	if c.Running() {
		return errors.New("pgtest: the server still runs")
	}
	if _, err := fmt.Fprintln(c.supervisor.lifeline, "start"); err != nil {
		return fmt.Errorf("pgtest: starting the server: %w", err)
	}
	if err := c.awaitReady(); err != nil {
		return fmt.Errorf("pgtest: the server did not start again: %w", err)
	}
	return nil
}

// childrenOf lists the children of a process.
func childrenOf(parent int) (children []int, err error) {
	out, err := exec.Command("ps", "-A", "-o", "pid=", "-o", "ppid=").Output()
	if err != nil {
		return nil, fmt.Errorf("pgtest: listing processes: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		var pid, ppid int
		if _, err := fmt.Sscan(line, &pid, &ppid); err == nil && ppid == parent {
			children = append(children, pid)
		}
	}
	return children, nil
}

// awaitDeath returns when a process that was killed has ended, whether or not its new parent has looked at its status.
func awaitDeath(pid int) error {
	for deadline := time.Now().Add(stopTimeout); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || isZombie(pid) {
			return nil
		}
	}
	return fmt.Errorf("pgtest: process %d was killed and does not end", pid)
}

func isZombie(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	_, behindName, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(behindName, "Z")
}
