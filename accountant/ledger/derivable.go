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
	return r.derivable(ctx, d, table, after, limit)
}

// derivable adds the releases that are newer. The sum in the join keeps a server that knows nothing yet of how many rows there are from looking at each
// charge for its release: few releases are new.
func (r *Reader) derivable(ctx context.Context, d *DerivableReleases, table policy.TableName, after int64, limit int) (*DerivableReleases, error) {
	var err error
	d.Releases, err = store.Collect(ctx, r.store, scanBareRelease, `SELECT `+releaseFields+` FROM release r JOIN charge c ON c.id = r.charge + 0 JOIN entry e ON e.id = c.entry
		WHERE r.id > $1 AND r.id <= $2 AND c.shape <> '' AND e.table_schema = $3 AND e.table_name = $4 AND e.epoch = $5 ORDER BY r.id DESC LIMIT $6`,
		after, d.Through, table.Schema, table.Name, d.Epoch, limit)
	return d, r.readError(ctx, err)
}

// Derivable is that of a Reader. Where this process has recorded all that is newer, it is at hand.
func (l *Ledger) Derivable(ctx context.Context, table policy.TableName, after int64, limit int) (*DerivableReleases, error) {
	d := &DerivableReleases{}
	known, err := l.recentDerivable(d, table, after, limit)
	if err != nil || known {
		return d, err
	}
	return l.derivable(ctx, d, table, after, limit)
}

// recentDerivable reports whether all releases that are newer are at hand, and adds them. What is not known to be written is not among them: the store would not
// have it, and whoever asks for what is newer than Through would never be told of it.
func (l *Ledger) recentDerivable(d *DerivableReleases, table policy.TableName, after int64, limit int) (known bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return false, l.rebuilding()
	}
	d.Epoch, d.Through = l.state.Table(table).Epoch, l.through
	for id := d.Through; id > after && len(d.Releases) < limit; id-- {
		r := l.recent[id%maxRecent]
		if r == nil || r.ID != id {
			d.Releases = nil
			return false, nil
		}
		if r.Shape != "" && r.Table == table && r.Epoch == d.Epoch {
			d.Releases = append(d.Releases, r)
		}
	}
	return true, nil
}
