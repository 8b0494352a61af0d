package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"

	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// This file reads a whole ledger for an archive, and verifies what an archive has. Start at Export.

// Export calls visit with all entries as they are at one moment, and the rows that belong to them, from the first one on. It holds a page of them, whatever the
// size of the ledger. It follows the chain meanwhile, and ends with an error where it breaks; what comes before was visited. It returns the
// last entry. Progress, if it is not nil, is told how many entries were visited, and of how many.
func (r *Reader) Export(ctx context.Context, visit func(*journal.Entry) error, progress func(done, total int64)) (journal.Mark, error) {
	snap, err := r.store.Snapshot(ctx)
	if err != nil {
		return journal.Mark{}, r.readError(ctx, err)
	}
	defer snap.Close()
	h, found, err := store.One(ctx, snap, store.ScanHead, store.HeadQuery)
	if err != nil {
		return journal.Mark{}, r.readError(ctx, err)
	}
	s := journal.NewState()
	for {
		entries, err := store.ReadEntries(ctx, snap, s.Position+1, s.Position+store.ScanPage)
		if err != nil {
			return journal.Mark{}, r.readError(ctx, err)
		}
		for _, e := range entries {
			if err := s.Apply(e); err != nil {
				return journal.Mark{}, r.readError(ctx, &contradiction{err})
			}
			if err := visit(e); err != nil {
				return journal.Mark{}, err
			}
		}
		if len(entries) == 0 {
			break
		}
		if progress != nil {
			progress(s.Position, max(h.Entry, s.Position))
		}
	}
	if !found || h.Entry != s.Position || h.Hash != s.Hash {
		err := fmt.Errorf("its head is entry %d, and its last entry is %d, or has another hash", h.Entry, s.Position)
		return journal.Mark{}, r.readError(ctx, &contradiction{err})
	}
	return journal.Mark{Entry: s.Position, Hash: s.Hash}, nil
}

// VerifyEntries is Verify of entries that are somewhere else, such as in an archive: next returns one after the other, and io.EOF behind the last one. An error of
// next is returned. What is not in entries it cannot look at, which are the guard, the rows of proxies, and whether entries are missing at the
// end. It compares the entry that was noted, if it is not nil.
func VerifyEntries(next func() (*journal.Entry, error), noted *journal.Mark) (*Verification, error) {
	v := newVerifier(&composition.Composer{})
	missed := noted
	for {
		e, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if noted != nil && noted.Entry == e.ID && noted.Hash == e.Hash {
			missed = nil
		}
		if err := v.entry(e); err != nil {
			v.problem(e.ID, "%v", err)
			v.broken = true
			break
		}
	}
	if v.state.Position == 0 && !v.broken {
		v.problem(0, "there are no entries")
	}
	v.end()
	if missed != nil && !v.broken {
		v.problem(missed.Entry, "it was noted, and is not there, or is another one")
	}
	v.sum()
	return &v.found, nil
}
