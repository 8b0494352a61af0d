package accountant

import (
	"context"
	"fmt"
)

// Doubt says why the ledger is not the newest state of itself, as the guard remembers it; nil if nothing speaks against it. Readers show
// what they find, also of a backup that is looked at: whoever takes decisions by it should know.
func (r *Reader) Doubt(ctx context.Context) error {
	// What the guard remembers was written before it is read, and so it is in what is looked at afterwards.
	remembered, err := r.store.remembered()
	if err != nil {
		return err
	}
	var ledger string
	if err := r.look(ctx, func(s *state) { ledger = s.ledger }); err != nil {
		return err
	}
	_, problem, err := remembered.contradicts(ctx, r.store, ledger)
	switch {
	case err != nil:
		return r.readError(ctx, err)
	case problem != "":
		return &UnavailableError{Path: r.store.place(), Problem: problem, Remedy: "restore its newest state, and do not rely on this one's sums"}
	}
	return nil
}

// contradicts says in what, and at which entry if it is there, a ledger is not what is remembered of it; empty if it is, or nothing is known.
func (m mark) contradicts(ctx context.Context, q queryer, ledger string) (entry int64, problem string, err error) {
	if !m.known() || m.former {
		return 0, "", nil
	}
	hash, err := hashAt(ctx, q, m.entry)
	switch {
	case err != nil:
		return 0, "", err
	case m.id != ledger:
		return 0, "the guard remembers another ledger, " + m.id, nil
	case hash == digest{}:
		return 0, fmt.Sprintf("the guard remembers entry %d, which is not there: this is an older state, or the guard of a later one", m.entry), nil
	case hash != m.hash:
		return m.entry, fmt.Sprintf("the guard remembers another entry %d: the ledger was rewritten", m.entry), nil
	}
	return 0, "", nil
}
