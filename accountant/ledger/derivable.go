package ledger

import (
	"context"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// DerivableReleases are those about a table's rows of the present epoch of which something may be derived: they have a shape.
type DerivableReleases struct {
	// Releases are the newest ones, newest first, without their payloads.
	Releases []*accountant.Release
	// Epoch is the one that they are of.
	Epoch int64
	// Through is the last release of the ledger that was looked at, of whatever table: what is newer than that is not among them.
	Through int64
}

// Derivable returns the releases with a shape that are newer than a release, at most limit of them. Who keeps what it returns asks for
// those after Through the next time, and for all again if the epoch is another one.
func (r *Reader) Derivable(ctx context.Context, table policy.TableName, after int64, limit int) (*DerivableReleases, error) {
	d := &DerivableReleases{}
	if err := r.look(ctx, func(s *journal.State) { d.Epoch, d.Through = s.Table(table).Epoch, s.Last.Release }); err != nil {
		return nil, err
	}
	if d.Through == after {
		return d, nil
	}
	var err error
	d.Releases, err = store.Collect(ctx, r.store, scanBareRelease, `SELECT `+releaseFields+releaseJoin+`
		WHERE r.id > $1 AND r.id <= $2 AND c.shape <> '' AND e.table_schema = $3 AND e.table_name = $4 AND e.epoch = $5 ORDER BY r.id DESC LIMIT $6`,
		after, d.Through, table.Schema, table.Name, d.Epoch, limit)
	return d, r.readError(ctx, err)
}
