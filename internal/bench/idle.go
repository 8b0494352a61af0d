package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// idleClients are as many as are connected at one time, each with a session of its own at the server.
const idleClients = 2000

// idle prints how much memory a client takes of the proxy that is connected, has asked one thing, and waits.
func (r *rig) idle(ctx context.Context, _ options) error {
	fmt.Printf("\nidle: %d clients that wait, each after one statement, resident memory of each\n", idleClients)
	figures := make(map[string]float64)
	for name, of := range map[string]struct {
		addr string
		cmd  *exec.Cmd
	}{"tacit": {r.addr, r.running[0]}, "pgbouncer": {r.pool, r.running[len(r.running)-1]}} {
		if of.addr == "" {
			continue
		}
		each, err := idleBytes(ctx, of.addr, of.cmd.Process.Pid)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		figures[name] = each
		fmt.Printf("%-10s %8.1f KiB\n", name, each/1024)
	}
	if peer := figures["pgbouncer"]; peer > 0 {
		fmt.Printf("tacit/pgbouncer %.1f\n", figures["tacit"]/peer)
	}
	return nil
}

// idleBytes is by how much a process grows for each client that waits.
func idleBytes(ctx context.Context, addr string, pid int) (each float64, err error) {
	var open []*pgx.Conn
	defer func() {
		for _, conn := range open {
			conn.Close(ctx)
		}
	}()
	connect := func() error {
		conn, err := pgx.Connect(ctx, fmt.Sprintf("postgres://ana@%s/bench?sslmode=disable&default_query_exec_mode=simple_protocol", addr))
		if err != nil {
			return err
		}
		open = append(open, conn)
		_, err = conn.Exec(ctx, "SELECT 1")
		return err
	}
	for range 10 { // what is made once for all is made
		if err := connect(); err != nil {
			return 0, err
		}
	}
	before, err := resident(pid)
	if err != nil {
		return 0, err
	}
	for range idleClients {
		if err := connect(); err != nil {
			return 0, fmt.Errorf("after %d clients: %w", len(open), err)
		}
	}
	time.Sleep(2 * time.Second)
	after, err := resident(pid)
	return float64(after-before) / idleClients, err
}

// resident is the resident memory of a process, in bytes.
func resident(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := bytes.Cut(status, []byte("VmRSS:"))
	fields := bytes.Fields(rest)
	if !found || len(fields) < 2 {
		return 0, fmt.Errorf("process %d does not tell its resident memory", pid)
	}
	kilobytes, err := strconv.ParseInt(string(fields[0]), 10, 64)
	return kilobytes << 10, err
}
