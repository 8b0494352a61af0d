package curator

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tacit/policy"
)

// This file tells cheaply whether the catalog is as it was when the separation of the roles was last checked. The invariant: a digest is
// taken before the check that it stands for, so that what changes meanwhile is seen as a change. Start at Changes.Now.

//go:embed changes.sql
var changesSQL string

// A Digest identifies a state of the catalog, as far as the separation of the roles depends on it.
type Digest struct {
	snapshot string // of the transactions, and when settings were read; digests of one snapshot are the same
	// Others changes when somebody else than an analyst changes something, Any when anybody does.
	Others, Any string
}

// SameMoment reports whether nothing at all was committed between two digests, and the server has not read its settings again.
func (d Digest) SameMoment(other Digest) bool {
	return d.snapshot != "" && d.snapshot == other.snapshot
}

// Changes asks for digests on a connection of its own, so that nothing that analysts do can keep it waiting. It may be used by many
// goroutines.
type Changes struct {
	curator *Curator
	mu      sync.Mutex // protects conn, and its use
	conn    *pgx.Conn  // nil before it is needed, and after it failed
	ended   bool
}

// NewChanges does not connect yet.
func NewChanges(c *Curator) *Changes { return &Changes{curator: c} }

// Now is the digest of the catalog as it is after the call began; last is an earlier one, or the zero value. A connection that was lost
// is made anew once.
func (c *Changes) Now(ctx context.Context, p *policy.Policy, last Digest) (Digest, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var d Digest
	err := errors.New("closed")
	for attempt := 0; attempt < 2 && !c.ended; attempt++ {
		if c.conn == nil {
			if c.conn, err = pgx.ConnectConfig(ctx, c.curator.pool.Config().ConnConfig); err != nil {
				c.conn = nil
				return last, fmt.Errorf("curator: %w", err)
			}
		}
		if d, err = digest(ctx, c.conn, p, last, pgx.QueryExecModeCacheStatement); err == nil {
			return d, nil
		}
		c.close()
	}
	return last, fmt.Errorf("changes of the catalog: %w", err)
}

// Close gives the connection back.
func (c *Changes) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.close()
	c.ended = true
}

// close is Close for who holds mu.
func (c *Changes) close() {
	if c.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), CloseTimeout)
	defer cancel()
	_ = c.conn.Close(ctx)
	c.conn = nil
}

func digest(ctx context.Context, conn *pgx.Conn, p *policy.Policy, last Digest, mode pgx.QueryExecMode) (Digest, error) {
	now := last
	var digests pgtype.FlatArray[string]
	err := conn.QueryRow(ctx, changesSQL, mode, analystNames(p), last.snapshot).Scan(&now.snapshot, &digests)
	if err == nil && len(digests) == 2 {
		now.Others, now.Any = digests[0], digests[1]
	}
	return now, err
}

func analystNames(p *policy.Policy) []string {
	names := make([]string, len(p.Analysts))
	for i, a := range p.Analysts {
		names[i] = a.Name
	}
	return names
}
