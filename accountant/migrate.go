package accountant

import (
	"context"
	"errors"
)

// migrate makes a ledger of a former version one of this version, at once or not at all: its entries, in their order, as a chain, in which
// answers are entries, too. Charges have no terms: what is known of them is their losses. What the former version had summed up is kept
// in the last entry, as a check.
func (s *sqlite) migrate(ctx context.Context, version int) error {
	err := s.writer.script("PRAGMA foreign_keys = OFF") // cannot be said within a transaction
	if err == nil {
		err = s.writer.exec("BEGIN IMMEDIATE")
	}
	if err == nil {
		err = s.writer.bringUp(ctx, version)
	}
	if err == nil {
		err = s.writer.exec("COMMIT")
	}
	if err == nil {
		err = s.writer.script("PRAGMA foreign_keys = ON")
	}
	if err != nil {
		return s.unavailable("it cannot be brought from its version to this one", err)
	}
	return nil
}

// bringUp does the work of a migration, within a transaction. It comes to the same head whenever and wherever it is done, so that the head of
// a copy that was brought up to be looked at is the one that the ledger has afterwards: the entry that ends it has the time of the last one
// before.
func (w *writer) bringUp(ctx context.Context, version int) error {
	steps := toFourth + schema
	switch version {
	case firstVersion:
		steps = toSecond + toThird + steps
	case secondVersion:
		steps = toThird + steps
	}
	if err := w.script(steps); err != nil {
		return err
	}
	m := &migration{writer: w, plan: &plan{state: newState()}}
	if err := m.run(ctx, version); err != nil {
		return err
	}
	return w.script(`DROP TABLE former_answer; DROP TABLE former_event; DROP TABLE former_release; DROP TABLE former_charge;
		DROP TABLE former_balance; DROP TABLE former_entry; DROP TABLE former_ledger`)
}

// A migration writes the entries of a former ledger.
type migration struct {
	*writer
	*plan
	numbers  []int64 // of the entries, by the former numbers less 1
	releases former[formerRelease]
	answers  former[formerAnswer]
}

// A former reads a table of a former version, some rows at a time.
type former[Row any] struct {
	rows []Row
	last int64
	done bool
}

// next is the first row that was not taken yet; nil behind the last.
func (f *former[Row]) next(ctx context.Context, q queryer, scan func(scanner) (Row, error), query string, id func(*Row) int64) (*Row, error) {
	if len(f.rows) == 0 && !f.done {
		var err error
		if f.rows, err = collect(ctx, q, scan, query+` LIMIT 500`, f.last); err != nil {
			return nil, err
		}
		if f.done = len(f.rows) == 0; !f.done {
			f.last = id(&f.rows[len(f.rows)-1])
		}
	}
	if len(f.rows) == 0 {
		return nil, nil
	}
	return &f.rows[0], nil
}

func (f *former[Row]) take() { f.rows = f.rows[1:] }

// A formerRelease is a row of the table release, and the entry that was charged for it.
type formerRelease struct {
	releaseRow
	schema, name string
}

// A formerAnswer is a row of the table audit_answer, and the entry of its event.
type formerAnswer struct {
	answerRow
	schema, name string
}

const (
	formerEntries = `SELECT id, at, analyst, table_schema, table_name, verdict, statement, sqlstate, adjacency, epsilon, delta, releases, risk
		FROM former_entry WHERE id > $1 ORDER BY id`
	formerCharges  = `SELECT id, entry, question_key, question, mechanism, '', '', '', epsilon, delta, releases FROM former_charge WHERE entry = $1 ORDER BY id`
	formerEvents   = `SELECT ` + eventColumns + ` FROM former_event WHERE entry = $1`
	formerReleases = `SELECT r.id, c.entry, r.charge, r.at, r.payload, e.table_schema, e.table_name
		FROM former_release r JOIN former_charge c ON c.id = r.charge JOIN former_entry e ON e.id = c.entry WHERE r.id > $1 ORDER BY r.id`
	formerAnswers = `SELECT w.id, v.entry, w.event, w.at, w.payload, v.table_schema, v.table_name
		FROM former_answer w JOIN former_event v ON v.id = w.event WHERE w.id > $1 ORDER BY w.id`
	formerBalances = `SELECT table_schema, table_name, analyst, adjacency, epsilon, delta, releases, risk FROM former_balance ORDER BY 1, 2, 3`
)

func (m *migration) run(ctx context.Context, version int) error {
	var created int64
	id, _, err := one(ctx, m.writer, func(row scanner) (id string, err error) {
		return id, row.Scan(&id, &created)
	}, `SELECT id, created FROM former_ledger`)
	if err != nil {
		return err
	}
	first := firstEntry(id, created, version)
	if err := errors.Join(m.state.apply(first), m.writer.found(first)); err != nil {
		return err
	}
	if err := m.entries(ctx); err != nil {
		return err
	}
	if err := m.answered(ctx, lastEntry, lastEntry); err != nil {
		return err
	}
	body := migratedBody{From: version}
	if body.Balances, err = collect(ctx, m.writer, scanFormerBalance, formerBalances); err != nil {
		return err
	}
	if err := m.write(&entryRow{kind: kindMigrated, body: marshal(body)}); err != nil {
		return err
	}
	return m.exec(moveHead, m.state.position, m.state.hash[:])
}

// write adds an entry, with the rows that belong to it.
func (m *migration) write(e *entryRow) error {
	m.batch.entries = nil
	if err := m.try(e); err != nil {
		return err
	}
	return m.insertEntry(e)
}

// entries writes the former entries, and between them the answers, by their times.
func (m *migration) entries(ctx context.Context) error {
	var all former[entryRow]
	for {
		e, err := all.next(ctx, m.writer, scanFormerEntry, formerEntries, func(e *entryRow) int64 { return e.id })
		if err != nil || e == nil {
			return err
		}
		row := *e
		all.take()
		if row.charged, err = collect(ctx, m.writer, scanCharge, formerCharges, row.id); err != nil {
			return err
		}
		if row.events, err = collect(ctx, m.writer, scanAuditEvent, formerEvents, row.id); err != nil {
			return err
		}
		before := int64(0)
		if len(row.events) > 0 {
			// What the event before it let out was known when this one was decided, whatever the clocks say.
			before = m.state.table(row.tableName()).event
		}
		if err := m.answered(ctx, row.at, before); err != nil {
			return err
		}
		if err := m.write(&row); err != nil {
			return err
		}
		m.numbers = append(m.numbers, row.id)
	}
}

// answered writes the answers that were recorded before a time, as far as what they answer is written, and those of events up to one.
func (m *migration) answered(ctx context.Context, before, event int64) error {
	for {
		a, err := m.answers.next(ctx, m.writer, scanFormerAnswer, formerAnswers, func(a *formerAnswer) int64 { return a.id })
		if err != nil {
			return err
		}
		if a == nil || a.entry > int64(len(m.numbers)) || a.at >= before && a.event > event {
			break
		}
		e := &entryRow{kind: kindAnswered, at: a.at, schema: a.schema, name: a.name, refers: m.numbers[a.entry-1], answers: []answerRow{a.answerRow}}
		m.answers.take()
		if err := m.write(e); err != nil {
			return err
		}
	}
	for {
		r, err := m.releases.next(ctx, m.writer, scanFormerRelease, formerReleases, func(r *formerRelease) int64 { return r.id })
		if err != nil || r == nil || r.entry > int64(len(m.numbers)) || r.at >= before {
			return err
		}
		e := &entryRow{kind: kindRecorded, at: r.at, schema: r.schema, name: r.name, refers: m.numbers[r.entry-1], released: []releaseRow{r.releaseRow}}
		m.releases.take()
		if err := m.write(e); err != nil {
			return err
		}
	}
}

func scanFormerEntry(row scanner) (e entryRow, err error) {
	err = row.Scan(&e.id, &e.at, &e.analyst, &e.schema, &e.name, &e.kind, &e.statement, &e.sqlstate, &e.adjacency,
		&e.epsilon, &e.delta, &e.releases, &e.risk)
	return e, err
}

func scanFormerRelease(row scanner) (r formerRelease, err error) {
	err = row.Scan(&r.id, &r.entry, &r.charge, &r.at, &r.payload, &r.schema, &r.name)
	return r, err
}

func scanFormerAnswer(row scanner) (a formerAnswer, err error) {
	err = row.Scan(&a.id, &a.entry, &a.event, &a.at, &a.payload, &a.schema, &a.name)
	return a, err
}

func scanFormerBalance(row scanner) (b formerBalance, err error) {
	err = row.Scan(&b.Schema, &b.Name, &b.Analyst, &b.Adjacency, &b.Spent.Epsilon, &b.Spent.Delta, &b.Spent.Releases, &b.Spent.Risk)
	return b, err
}
