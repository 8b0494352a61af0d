package ledger

import (
	"context"
	"fmt"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// HeadMismatch says why the ledger is not the newest state of itself, as the guard remembers it; nil if nothing speaks against it. Readers show
// what they find, also of a backup that is looked at: whoever takes decisions by it should know.
func (r *Reader) HeadMismatch(ctx context.Context) error {
	// What the guard remembers was written before it is read, and so it is in what is looked at afterwards.
	remembered, err := r.store.Remembered()
	if err != nil {
		return err
	}
	var ledger string
	if err := r.look(ctx, func(s *journal.State) { ledger = s.Ledger }); err != nil {
		return err
	}
	_, problem, err := headMismatch(ctx, r.store, remembered, ledger)
	switch {
	case err != nil:
		return r.readError(ctx, err)
	case problem != "":
		return &accountant.UnavailableError{Path: r.store.Place(), Problem: problem, Remedy: "restore its newest state, and do not rely on this one's sums"}
	}
	return nil
}

// Guarded is the entry that the guard remembers as the end; 0 if there is no guard yet.
func (r *Reader) Guarded() (entry int64, err error) {
	m, err := r.store.Remembered()
	if err != nil || !m.Known() {
		return 0, err
	}
	return m.Entry, nil
}

// headMismatch says in what, and at which entry if it is there, a ledger is not what is remembered of it; empty if it is, or nothing is known.
func headMismatch(ctx context.Context, q store.Queryer, m journal.Witness, ledger string) (entry int64, problem string, err error) {
	if !m.Known() {
		return 0, "", nil
	}
	hash, err := store.HashAt(ctx, q, m.Entry)
	switch {
	case err != nil:
		return 0, "", err
	case m.ID != ledger:
		return 0, "the guard remembers another ledger, " + m.ID, nil
	case hash == journal.Digest{}:
		return 0, fmt.Sprintf("the guard remembers entry %d, which is not there: this is an older state, or the guard of a later one", m.Entry), nil
	case hash != m.Hash:
		return m.Entry, fmt.Sprintf("the guard remembers another entry %d: the ledger was rewritten", m.Entry), nil
	}
	return 0, "", nil
}
