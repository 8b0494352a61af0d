package sources

import (
	"context"
	"sync"

	"tacit/accountant/ledger"
	"tacit/policy"
)

// Known remember the releases that answers can be derived from, so that the ledger is asked only for those that are new. The zero
// value is ready; it may be used by many goroutines.
type Known struct {
	mu     sync.Mutex // protects tables, but not what is in an index
	tables map[policy.TableName]*Index
}

// Of returns the releases of a table's present epoch.
func (d *Known) Of(ctx context.Context, l *ledger.Ledger, table policy.TableName) (*Index, error) {
	known := d.known(table)
	newer, err := l.Derivable(ctx, table, known.seen(), MaxSources)
	if err == nil && newer.Epoch != known.epoch && known.seen() > 0 {
		known = NewIndex(newer.Epoch)
		newer, err = l.Derivable(ctx, table, 0, MaxSources)
	}
	if err != nil {
		return nil, err
	}
	known = d.remember(table, known, newer.Epoch)
	known.Take(newer)
	return known, nil
}

func (d *Known) known(table policy.TableName) *Index {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.tables[table]; known != nil {
		return known
	}
	return NewIndex(0)
}

// remember keeps the index of an epoch, unless another statement has one of it already, or one of a later epoch.
func (d *Known) remember(table policy.TableName, index *Index, epoch int64) *Index {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tables == nil {
		d.tables = make(map[policy.TableName]*Index)
	}
	before := d.tables[table]
	if before != nil && before.epoch >= epoch {
		return before
	}
	if index.epoch != epoch {
		index = NewIndex(epoch)
	}
	d.tables[table] = index
	return index
}
