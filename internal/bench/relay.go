package main

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func awaitPort(addr string, patience time.Duration) error {
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var conn net.Conn
		if conn, err = net.Dial("tcp", addr); err == nil {
			return conn.Close()
		}
	}
	return err
}

// pgbench prepares the server's own load generator, with options for the database behind a URL.
func (r *rig) pgbench(ctx context.Context, to string, options ...string) *exec.Cmd {
	path := "pgbench"
	if psql, err := r.cluster.Psql(); err == nil {
		path = filepath.Join(filepath.Dir(psql), path)
	}
	return exec.CommandContext(ctx, path, append(options, to)...)
}

var tps = regexp.MustCompile(`tps = ([0-9.]+)`)

// A load is one way to run pgbench.
type load struct {
	mode    string
	clients int
}

// relay prints transactions per second of `pgbench -S` through each peer.
func (r *rig) relay(ctx context.Context, o options) error {
	fmt.Printf("relay: pgbench -S, scale 10, %d s a run, median of %d runs, transactions per second\n", o.seconds, o.rounds)
	fmt.Printf("%-9s %7s %10s %10s %10s %13s %16s\n", "mode", "clients", "direct", "tacit", "pgbouncer", "tacit/direct", "tacit/pgbouncer")
	for _, l := range []load{{"simple", 1}, {"prepared", 1}, {"simple", 16}, {"prepared", 16}} {
		peers := []string{net.JoinHostPort(r.cluster.Host, strconv.Itoa(r.cluster.Port)), r.addr}
		if r.pool != "" {
			peers = append(peers, r.pool)
		}
		rates := make([][]float64, len(peers))
		for range o.rounds {
			for i, addr := range peers {
				rate, err := r.measure(ctx, addr, l, o.seconds, "-S")
				if err != nil {
					return err
				}
				rates[i] = append(rates[i], rate)
			}
		}
		direct, tacit := median(rates[0]), median(rates[1])
		pool, ratio := "-", "-"
		if r.pool != "" {
			pool, ratio = fmt.Sprintf("%.0f", median(rates[2])), fmt.Sprintf("%.2f", tacit/median(rates[2]))
		}
		fmt.Printf("%-9s %7d %10.0f %10.0f %10s %13.2f %16s\n", l.mode, l.clients, direct, tacit, pool, tacit/direct, ratio)
	}
	return nil
}

// measure runs a script of pgbench's own or of ours, and returns transactions per second.
func (r *rig) measure(ctx context.Context, addr string, l load, seconds int, script ...string) (float64, error) {
	cmd := r.pgbench(ctx, "postgres://ana@"+addr+"/bench?sslmode=disable", append(script, "-n", "-M", l.mode,
		"-c", strconv.Itoa(l.clients), "-j", strconv.Itoa(min(l.clients, 2)), "-T", strconv.Itoa(seconds))...)
	out, err := cmd.CombinedOutput()
	match := tps.FindSubmatch(out)
	if err != nil || match == nil {
		return 0, fmt.Errorf("pgbench at %s: %v\n%s", addr, err, out)
	}
	return strconv.ParseFloat(string(match[1]), 64)
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}
