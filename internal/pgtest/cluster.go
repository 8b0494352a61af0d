package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	startTimeout = 2 * time.Minute // initdb on a slow and busy machine
	stopTimeout  = 30 * time.Second
	pollInterval = 10 * time.Millisecond
)

// Options of a cluster. The zero value is a good default.
type Options struct {
	// Settings are lines of postgresql.conf by name, which come after and so override those of this package. The server stays
	// on its loopback port whatever they say of listen_addresses and port.
	Settings map[string]string
	// DiskKiB puts the data directory on a disk of its own of that size, which can be filled; half of it is used when the server
	// starts, so that less than 65,536 is not enough. Default 0: an ordinary directory. Where there can be none, Start returns ErrNoDisk.
	DiskKiB int
	// StandbyOf makes the cluster a streaming standby of another, which must have wal_level = replica and max_wal_senders above 1, as
	// this one must, and outlive it.
	StandbyOf *Cluster
}

// A Cluster is a running PostgreSQL server whose superuser is postgres.
type Cluster struct {
	Host string
	Port int

	bin            string // directory of the server's binaries
	major          int    // version of the server, once it was ready
	socketDir      string // directory of the server's socket, closed to others
	supervisor     *supervisor
	databases      atomic.Int64
	templates      sync.Map       // *template by the key of CloneDatabase
	administrators chan *pgx.Conn // at most one, which nobody uses
	removeTemp     func()         // removes what TempInMemory made
	stopOnce       sync.Once
	stopErr        error
}

// Start makes a cluster and returns when it accepts connections. The caller must Stop it.
func Start(options Options) (*Cluster, error) {
	bin, err := findBinaries()
	if err != nil {
		return nil, err
	}
	if options.DiskKiB > 0 {
		if err := probeDisk(); err != nil {
			return nil, err
		}
	}
	// Somebody may take the port between our choice and the server's bind.
	for attempt := 1; ; attempt++ {
		c, err := launch(bin, options)
		if err != nil {
			return nil, fmt.Errorf("pgtest: %w", err)
		}
		if options.StandbyOf != nil {
			err = c.backUp(options.StandbyOf)
		}
		if err == nil {
			err = c.awaitReady()
		}
		if err == nil {
			return c, nil
		}
		c.Stop()
		if attempt == 3 || !strings.Contains(err.Error(), "Address already in use") {
			return nil, fmt.Errorf("pgtest: PostgreSQL from %s did not start: %w", bin, err)
		}
	}
}

// launch starts the supervisor, which starts the server.
func launch(bin string, options Options) (*Cluster, error) {
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	c := &Cluster{Host: "127.0.0.1", Port: port, bin: bin, administrators: make(chan *pgx.Conn, 1)}
	account, err := serverAccount()
	if err != nil {
		return nil, err
	}
	template := filepath.Join(account.tempDir, "tacit-pgtest.XXXXXXXX")
	command := []string{"/bin/sh", "-c", superviseScript, "tacit-pgtest", bin, template, c.configuration(options)}
	if primary := options.StandbyOf; primary != nil {
		command = append(command, "", primary.socketDir, strconv.Itoa(primary.Port))
	}
	if options.DiskKiB > 0 {
		command = append(append(slices.Clone(ownNamespace), command...), strconv.Itoa(options.DiskKiB))
	}
	if c.supervisor, err = supervise(account, command); err != nil {
		return nil, err
	}
	c.socketDir = c.supervisor.dir
	return c, nil
}

// awaitReady returns when the server accepts connections, or has ended instead.
func (c *Cluster) awaitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	ended, err := c.supervisor.life(ctx)
	if err != nil {
		return err
	}
	for {
		lastErr := c.probe(ctx)
		if lastErr == nil {
			return nil
		}
		select {
		case <-ended:
			return errors.New(c.supervisor.logTail())
		case <-ctx.Done():
			return fmt.Errorf("not ready after %v: %w", startTimeout, lastErr)
		case <-time.After(pollInterval):
		}
	}
}

// probe connects once, by the socket in the cluster's own directory. The server listens on its port by then, or it has ended.
func (c *Cluster) probe(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres", "postgres"))
	if err != nil {
		return err
	}
	if c.major == 0 {
		fmt.Sscanf(conn.PgConn().ParameterStatus("server_version"), "%d", &c.major) // of 15.4 (Debian) or 19beta1
	}
	return conn.Close(ctx)
}

// Stop shuts the cluster down at once and returns when its processes and its directory are gone. Stopping again does nothing.
func (c *Cluster) Stop() error {
	c.stopOnce.Do(func() { c.stopErr = c.supervisor.stop() })
	return c.stopErr
}

// URL returns a connection string for a role and a database: by TCP, or for the superuser by a socket that other accounts of this
// machine cannot reach.
func (c *Cluster) URL(user, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(user), Host: c.address(), Path: "/" + database}
	query := url.Values{"sslmode": {"disable"}}
	if user == "postgres" {
		u.User, u.Host = nil, ""
		query = url.Values{"host": {c.socketDir}, "port": {strconv.Itoa(c.Port)}, "user": {user}}
	}
	u.RawQuery = query.Encode()
	return u.String()
}

func (c *Cluster) address() string { return net.JoinHostPort(c.Host, strconv.Itoa(c.Port)) }
