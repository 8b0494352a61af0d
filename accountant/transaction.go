package accountant

import (
	"context"
	"database/sql"
	"errors"
)

// A transaction is what a ledger writes at once. After an error its methods do nothing, and err stays. No caller's context reaches its
// statements: a transaction that has begun is not interrupted.
type transaction struct {
	*writer
	err error
}

func (t *transaction) exec(query string, args ...any) (result sql.Result) {
	var statement *sql.Stmt
	if t.err == nil {
		statement, t.err = t.prepare(query)
	}
	if t.err == nil {
		result, t.err = statement.Exec(args...)
	}
	return result
}

// script executes many statements, which are not kept prepared.
func (t *transaction) script(statements string) {
	if t.err == nil {
		_, t.err = t.conn.ExecContext(context.Background(), statements)
	}
}

// query returns nil rows after an error.
func (t *transaction) query(query string, args ...any) (rows *sql.Rows) {
	var statement *sql.Stmt
	if t.err == nil {
		statement, t.err = t.prepare(query)
	}
	if t.err == nil {
		rows, t.err = statement.Query(args...)
	}
	return rows
}

// insert returns the id of the new row.
func (t *transaction) insert(query string, args ...any) int64 {
	result := t.exec(query, args...)
	if t.err != nil {
		return 0
	}
	var id int64
	id, t.err = result.LastInsertId()
	return id
}

// write runs f in a durable transaction, and lets the guard follow. If f fails, nothing is written.
func (l *Ledger) write(ctx context.Context, f func(*transaction) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	t := &transaction{writer: l.writer}
	if t.exec("BEGIN IMMEDIATE"); t.err != nil {
		return l.unavailable("it cannot be written", t.err) // another program holds it; nothing has happened
	}
	before := t.sequence()
	if t.err == nil && before != l.guard.mark.sequence {
		l.abandon()
		return l.fail("another program has written it", nil)
	}
	err := f(t)
	after := t.sequence()
	if t.err != nil {
		err = l.unavailable("it cannot be written", t.err)
	}
	if err != nil {
		if abandoned := l.abandon(); abandoned != nil {
			return abandoned
		}
		return err
	}
	return l.commit(after)
}

// commit ends a transaction for good. Whether a COMMIT that failed will have happened after the next restart is unknown (its pages may
// be on disk), and whether a sync that failed once can be trusted again is, too: the ledger is done with until it is opened anew.
func (l *Ledger) commit(sequence int64) error {
	t := &transaction{writer: l.writer}
	if t.exec("COMMIT"); t.err != nil {
		l.abandon()
		return l.fail("a commit failed", t.err)
	}
	if err := l.guard.set(mark{id: l.guard.mark.id, sequence: sequence}); err != nil {
		return l.fail("its guard file cannot be written", err)
	}
	return nil
}

// abandon rolls back. SQLite may have done so of its own accord (disk full), in which case ROLLBACK fails, and that a new
// transaction can begin proves it. Otherwise the ledger's state is unknown.
func (l *Ledger) abandon() error {
	t := &transaction{writer: l.writer}
	if t.exec("ROLLBACK"); t.err == nil {
		return nil
	}
	proof := &transaction{writer: l.writer}
	proof.exec("BEGIN")
	proof.exec("ROLLBACK")
	if proof.err != nil {
		return l.fail("a transaction could not be rolled back", t.err)
	}
	return nil
}

// sequenceQuery counts what was ever written: it grows with every commit, because nothing is deleted.
const sequenceQuery = `SELECT (SELECT coalesce(max(id), 0) FROM entry) + (SELECT coalesce(max(id), 0) FROM release)
	+ (SELECT coalesce(max(id), 0) FROM audit_answer)`

func (t *transaction) sequence() int64 { return t.number(sequenceQuery) }

// number is the result of a query that gives one.
func (t *transaction) number(query string, args ...any) (n int64) {
	rows := t.query(query, args...)
	if t.err != nil {
		return 0
	}
	defer rows.Close()
	if rows.Next() {
		t.err = rows.Scan(&n)
	}
	t.err = errors.Join(t.err, rows.Err())
	return n
}
