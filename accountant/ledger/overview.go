package ledger

import (
	"context"
	"time"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// This file tells what a page about a ledger shows first. Nothing in it reads more than was asked for. Start at Overview.

// An Overview is what a ledger says of itself.
type Overview struct {
	Place  string // holds no password
	Ledger string // its identity; empty before the first entry
	Head   journal.Mark
	// Checkpoint is the entry of the last one; 0 if there is none yet.
	Checkpoint int64
	Proxies    []ProxySeen // by their names
	// Kept are the notes that can be dropped. Of Dropped ones what they said was, up to the time DroppedTo, which is zero if none was.
	Kept, Dropped int64
	DroppedTo     time.Time
}

// A ProxySeen is a process that wrote, and when it was last seen alive.
type ProxySeen struct {
	ID            string
	Started, Seen time.Time
}

// Overview is how the ledger is now. Nothing is verified by it.
func (r *Reader) Overview(ctx context.Context) (o Overview, err error) {
	o.Place = r.store.Place()
	through := int64(0)
	err = r.look(ctx, func(s *journal.State) {
		o.Kept, o.Dropped, through = s.Notes.Kept, s.Notes.Dropped, s.Notes.Through
		o.Ledger, o.Head, o.Checkpoint = s.Ledger, journal.Mark{Entry: s.Position, Hash: s.Hash}, s.Checkpoint
		if o.Checkpoint == 1 {
			o.Checkpoint = 0 // the first entry stands for one
		}
	})
	if err != nil {
		return o, err
	}
	if through > 0 {
		at, _, err := store.One(ctx, r.store, store.ScanNumber, `SELECT at FROM entry WHERE id = $1`, through)
		if err != nil {
			return o, r.readError(ctx, err)
		}
		o.DroppedTo = time.Unix(0, at).UTC()
	}
	rows, err := store.Collect(ctx, r.store, store.ScanProxy, store.ProxiesQuery)
	for _, row := range rows {
		o.Proxies = append(o.Proxies, ProxySeen{row.ID, time.Unix(0, row.Started).UTC(), time.Unix(0, row.Seen).UTC()})
	}
	return o, r.readError(ctx, err)
}

// EachLogged calls visit with the log's entries behind one and up to another, oldest first and without texts, questions, and numbers of events, until it returns false.
func (r *Reader) EachLogged(ctx context.Context, after, last int64, visit func(Entry) bool) error {
	scan := func(rows store.Scanner) (Entry, error) {
		var kind string
		e, err := scanLogEntry(rows, &kind)
		e.Kind = kind
		return e, err
	}
	err := store.Each(ctx, r.store, scan, visit,
		`SELECT `+bareColumns+`, coalesce((SELECT a.kind FROM audit_event a WHERE a.entry = e.id AND e.kind IN ('charged', 'decided')), '') FROM entry e WHERE id > $1 AND id <= $2 AND `+logged+` ORDER BY id`, after, last)
	return r.readError(ctx, err)
}

// bareColumns are lineColumns without texts of statements, which take most of the time, and without what takes a look at other entries.
const bareColumns = `e.id, e.at, e.analyst, e.table_schema, e.table_name, e.epoch, e.kind, '', e.sqlstate,
	e.epsilon, e.delta, e.releases, e.risk, e.body, e.operation, 0`
