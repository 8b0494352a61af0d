package pgtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The tests of this file run this test binary again as a child that runs a cluster of its own and ends in some way.
const childVariable = "TACIT_PGTEST_CHILD"

// childRun stands for testing.M in a child.
type childRun struct {
	mode    string
	cluster *Cluster
}

func childMain(mode string) {
	run := &childRun{mode: mode}
	Main(run, func(c *Cluster) { run.cluster = c })
}

// Run says where the cluster is, waits to be told to go on, and ends as its mode says.
func (r *childRun) Run() int {
	where, err := ask(r.cluster, "postgres",
		`SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1) || ' ' || current_setting('data_directory')`)
	if err != nil {
		panic(err)
	}
	fmt.Println(where)
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return 3 // the parent is gone
	}
	switch r.mode {
	case "panic":
		panic("as a test might")
	case "exit":
		os.Exit(9) // as log.Fatal in a test does
	case "fail":
		return 1
	}
	return 0
}

func TestNothingIsLeft(t *testing.T) {
	tests := []struct {
		mode       string
		signal     syscall.Signal // sent to a child that waits
		wantStatus int            // -1: killed by the signal
		// sudden is an end without a chance to wait for the cluster's: that may come a little later.
		sudden bool
	}{
		{mode: "pass"},
		{mode: "fail", wantStatus: 1},
		{mode: "panic", wantStatus: 2, sudden: true},
		{mode: "exit", wantStatus: 9, sudden: true},
		{mode: "wait", signal: syscall.SIGINT, wantStatus: 130},
		{mode: "wait", signal: syscall.SIGTERM, wantStatus: 143},
		{mode: "wait", signal: syscall.SIGHUP, wantStatus: 129},
		{mode: "wait", signal: syscall.SIGKILL, wantStatus: -1, sudden: true},
	}
	for _, test := range tests {
		name := test.mode
		if test.signal != 0 {
			name = test.signal.String()
		}
		t.Run(name, func(t *testing.T) {
			c := startChild(t, test.mode)
			if test.signal != 0 {
				// To the whole process group, as a terminal does.
				if err := syscall.Kill(-c.cmd.Process.Pid, test.signal); err != nil {
					t.Fatal(err)
				}
			} else {
				fmt.Fprintln(c.stdin)
			}
			c.wait(t, test.wantStatus)
			if test.sudden {
				c.awaitEnd()
			}
			if left := c.leftovers(); left != "" {
				t.Error(left)
			}
		})
	}
}

// A child is a process with a cluster.
type child struct {
	cmd       *exec.Cmd
	stdin     io.Writer
	stderr    bytes.Buffer
	directory string // made for the cluster
	serverPID int
}

// startChild returns when the child's cluster runs.
func startChild(t *testing.T, mode string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), childVariable+"="+mode)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.cmd.Stderr = &c.stderr
	stdin, inErr := c.cmd.StdinPipe()
	stdout, outErr := c.cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, c.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	c.stdin = stdin
	var data string
	if _, err := fmt.Fscanln(stdout, &c.serverPID, &data); err != nil {
		t.Fatalf("the child did not say where its cluster is: %v\n%s", err, &c.stderr)
	}
	c.directory = filepath.Dir(data)
	if left := c.leftovers(); !strings.Contains(left, "directory") || !strings.Contains(left, "process") {
		t.Fatalf("a running cluster is not seen: %q", left)
	}
	return c
}

func (c *child) wait(t *testing.T, wantStatus int) {
	t.Helper()
	var exit *exec.ExitError
	if err := c.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if status := c.cmd.ProcessState.ExitCode(); status != wantStatus {
		t.Errorf("exit status %d, want %d\n%s", status, wantStatus, &c.stderr)
	}
}

// leftovers names what is left of the child's cluster.
func (c *child) leftovers() string {
	var left []string
	if _, err := os.Stat(c.directory); !errors.Is(err, fs.ErrNotExist) {
		left = append(left, "directory "+c.directory)
	}
	if err := syscall.Kill(c.serverPID, 0); !errors.Is(err, syscall.ESRCH) {
		left = append(left, fmt.Sprintf("process %d", c.serverPID))
	}
	return strings.Join(left, ", ")
}

// awaitEnd returns when nothing is left, or after so long that what is left will stay.
func (c *child) awaitEnd() {
	for range 3000 {
		if c.leftovers() == "" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A supervisor whose process has ended before it heard of the server ends as well, and sends no signal to whoever has the server's process id next.
func TestNobodyHearsOfServer(t *testing.T) {
	bin, err := findBinaries()
	must(t, err)
	account, err := serverAccount()
	must(t, err)
	port, err := FreePort()
	must(t, err)
	c := &Cluster{Host: "127.0.0.1", Port: port, bin: bin}
	command := exec.Command("/bin/sh", "-c", superviseScript, "tacit-pgtest", bin, filepath.Join(account.tempDir, "tacit-pgtest.XXXXXXXX"), c.configuration(Options{}))
	command.Dir, command.Env = "/", account.environment
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: account.credential}
	lifeline, err := command.StdinPipe()
	must(t, err)
	said, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	dir, err := bufio.NewReader(said).ReadString('\n')
	must(t, err)
	must(t, errors.Join(said.Close(), lifeline.Close()))
	tooLong := time.AfterFunc(10*time.Minute, func() { command.Process.Kill() })
	defer tooLong.Stop()
	if err := command.Wait(); err != nil {
		t.Errorf("the supervisor: %v", err)
	}
	if _, err := os.Stat(strings.TrimSpace(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", strings.TrimSpace(dir), err)
	}
}
