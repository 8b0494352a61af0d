package ledger

import (
	"context"
	"fmt"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// load reads the state of a ledger: its last checkpoint, and what came after. What it has read is sound: it follows from the checkpoint, or
// from the first entry, by the chain.
func load(ctx context.Context, q interface {
	Snapshot(context.Context) (store.Snapshot, error)
}) (*journal.State, error) {
	snap, err := q.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	s, err := loadCheckpoint(ctx, snap)
	if err != nil {
		return nil, err
	}
	if err := advance(ctx, snap, s); err != nil {
		return nil, err
	}
	if err := findStrays(ctx, snap, s); err != nil {
		return nil, err
	}
	id, _, err := store.One(ctx, snap, store.ScanIdentity, store.IdentityQuery)
	if err == nil && id != s.Ledger {
		err = &contradiction{fmt.Errorf("it says that it is ledger %s, and its first entry that it is %s", id, s.Ledger)}
	}
	return s, err
}

// advance applies all entries behind a state's.
func advance(ctx context.Context, snap store.Snapshot, s *journal.State) error {
	h, found, err := store.One(ctx, snap, store.ScanHead, store.HeadQuery)
	if err != nil {
		return err
	}
	for {
		entries, err := store.ReadEntries(ctx, snap, s.Position+1, s.Position+store.ScanPage)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := s.Apply(e); err != nil {
				return &contradiction{err}
			}
		}
		if len(entries) == 0 {
			break
		}
	}
	if !found || h.Entry != s.Position || h.Hash != s.Hash {
		return &contradiction{fmt.Errorf("its head is entry %d with hash %v, and its last entry is %d with hash %v", h.Entry, h.Hash, s.Position, s.Hash)}
	}
	return nil
}

// strayRows are the first and the last entry to which a charge belongs, and a release, and the first and the last charge that a release answers. Indexes have
// them: entries and charges are numbered from 1 without a gap, so that a row which belongs to none of them lies outside.
const strayRows = `SELECT coalesce((SELECT min(entry) FROM charge), 1), coalesce((SELECT max(entry) FROM charge), 0),
	coalesce((SELECT min(entry) FROM release), 1), coalesce((SELECT max(entry) FROM release), 0),
	coalesce((SELECT min(charge) FROM release), 1), coalesce((SELECT max(charge) FROM release), 0)`

// findStrays refuses a ledger with charges or releases of entries, or answers to charges, that are not there. Tables have no foreign keys everywhere.
func findStrays(ctx context.Context, q store.Queryer, s *journal.State) error {
	type bounds struct{ first, last int64 }
	found, _, err := store.One(ctx, q, func(row store.Scanner) (b [3]bounds, err error) {
		err = row.Scan(&b[0].first, &b[0].last, &b[1].first, &b[1].last, &b[2].first, &b[2].last)
		return b, err
	}, strayRows)
	if err != nil {
		return err
	}
	for i, row := range []struct {
		what, belongs string
		last          int64
	}{{"charge", "entry", s.Position}, {"release", "entry", s.Position}, {"release", "charge", s.Last.Charge}} {
		if b := found[i]; b.first < 1 || b.last > row.last {
			return &contradiction{fmt.Errorf("rows of %s belong to %s %d to %d, of %d that there are", row.what, row.belongs, b.first, b.last, row.last)}
		}
	}
	return nil
}

// A contradiction is found in a ledger that was edited, or damaged.
type contradiction struct{ err error }

func (c *contradiction) Error() string { return c.err.Error() }

func (c *contradiction) Unwrap() error { return c.err }

// lastCheckpoint finds the last checkpoint, and the entry before it.
const lastCheckpoint = `SELECT coalesce(max(id), 0) FROM entry WHERE kind = 'checkpoint'`

// loadCheckpoint returns the state at the last checkpoint; if there is none, that before the first entry.
func loadCheckpoint(ctx context.Context, q store.Queryer) (*journal.State, error) {
	id, _, err := store.One(ctx, q, store.ScanNumber, lastCheckpoint)
	if err != nil || id == 0 {
		return journal.NewState(), err
	}
	entries, err := store.ReadEntries(ctx, q, id, id)
	if err != nil {
		return nil, err
	}
	before, err := store.HashAt(ctx, q, id-1)
	if err != nil {
		return nil, err
	}
	s, err := journal.StateFrom(entries[0], before)
	if err != nil {
		return nil, &contradiction{fmt.Errorf("checkpoint %d: %w", id, err)}
	}
	return s, countAnswers(ctx, q, s)
}

// answersUpTo counts the answers of each audited table, up to one. SQLite joins a CROSS JOIN in the order in which it is written: in this one
// its indexes have all that is needed, and it does not go through the payloads.
const answersUpTo = `SELECT v.table_schema, v.table_name, count(*) FROM audit_event v CROSS JOIN audit_answer w
	WHERE w.event = v.id AND w.id <= $1 GROUP BY v.table_schema, v.table_name`

// A tableAnswers is how many events of a table have their answers.
type tableAnswers struct {
	table   policy.TableName
	answers int64
}

func scanTableAnswers(rows store.Scanner) (c tableAnswers, err error) {
	err = rows.Scan(&c.table.Schema, &c.table.Name, &c.answers)
	return c, err
}

// countAnswers adds to a checkpoint's state what the checkpoint does not say: how many answers each audited table has. Answers are numbered
// from 1 in the order of their entries, and the checkpoint has the number of the last one before it: what has a later number is counted
// with the entry that it belongs to, and what has none is missing.
func countAnswers(ctx context.Context, q store.Queryer, s *journal.State) error {
	counted, err := store.Collect(ctx, q, scanTableAnswers, answersUpTo, s.Last.Answer)
	if err != nil {
		return err
	}
	left := s.Last.Answer
	for _, c := range counted {
		t := s.Table(c.table)
		if c.answers > t.Events {
			return &contradiction{fmt.Errorf("of %v %d events have answers, and checkpoint %d knows of %d events", c.table, c.answers, s.Checkpoint, t.Events)}
		}
		t.Answers = c.answers
		left -= c.answers
	}
	if left != 0 {
		return &contradiction{fmt.Errorf("before checkpoint %d %d audit answers, or their events, are missing", s.Checkpoint, left)}
	}
	return nil
}
