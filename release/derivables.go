package release

import (
	"context"
	"sync"

	"tacit/accountant"
	"tacit/policy"
)

// derivables remember the releases that answers can be derived from, so that the ledger is asked only for those that are new. The zero
// value is ready; it may be used by many goroutines.
type derivables struct {
	mu     sync.Mutex // protects tables, but not what is in an index
	tables map[policy.TableName]*sourceIndex
}

// of returns the releases of a table's present epoch.
func (d *derivables) of(ctx context.Context, ledger *accountant.Ledger, table policy.TableName) (*sourceIndex, error) {
	known := d.known(table)
	newer, err := ledger.Derivable(ctx, table, known.seen(), maxSources)
	if err == nil && newer.Epoch != known.epoch && known.seen() > 0 {
		known = newSourceIndex(newer.Epoch)
		newer, err = ledger.Derivable(ctx, table, 0, maxSources)
	}
	if err != nil {
		return nil, err
	}
	known = d.remember(table, known, newer.Epoch)
	known.take(newer)
	return known, nil
}

func (d *derivables) known(table policy.TableName) *sourceIndex {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.tables[table]; known != nil {
		return known
	}
	return newSourceIndex(0)
}

// remember keeps the index of an epoch, unless another statement has one of it already, or one of a later epoch.
func (d *derivables) remember(table policy.TableName, index *sourceIndex, epoch int64) *sourceIndex {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tables == nil {
		d.tables = make(map[policy.TableName]*sourceIndex)
	}
	before := d.tables[table]
	if before != nil && before.epoch >= epoch {
		return before
	}
	if index.epoch != epoch {
		index = newSourceIndex(epoch)
	}
	d.tables[table] = index
	return index
}
