package pgtest

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
)

// ErrNoDisk is returned by Start when a cluster wants a disk of its own and this system gives it none.
var ErrNoDisk = errors.New("pgtest: no disk of its own for the cluster")

// ownNamespace runs a command in which file systems can be mounted without privileges, and which nobody else sees.
var ownNamespace = []string{"unshare", "--user", "--map-root-user", "--mount"}

// probeDisk says why no small disk can be had: user namespaces may be forbidden, as they are in most containers.
func probeDisk() error {
	a, err := serverAccount()
	if err != nil {
		return err
	}
	script := "mount -t tmpfs -o size=64k tmpfs /tmp && unshare --user --map-user=1 --map-group=1 true"
	command := exec.Command(ownNamespace[0], append(ownNamespace[1:], "/bin/sh", "-c", script)...)
	command.Env = a.environment
	command.Dir = "/"
	command.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential}
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: neither user namespaces nor tmpfs: %v: %s", ErrNoDisk, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// FillDisk fills the cluster's own disk but for so many KiB. Until FreeDisk the server fails to write: statements that need a new page
// fail, and a log that needs a new segment ends the server.
func (c *Cluster) FillDisk(leaveKiB int) error {
	return c.supervisor.order(fmt.Sprintf("fill %d", leaveKiB))
}

// FreeDisk takes away what FillDisk wrote.
func (c *Cluster) FreeDisk() error { return c.supervisor.order("free") }
