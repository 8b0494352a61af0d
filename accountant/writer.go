package accountant

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// A writer is the one connection that writes, with the statements that it has prepared so far. No caller's context reaches its statements:
// a transaction that has begun is not interrupted.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	statements map[string]*sql.Stmt
}

func openWriter(path string) (*writer, error) {
	db, err := openDatabase(path, readWrite, 1)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		db.Close()
		return nil, &UnavailableError{Path: path, Problem: "it cannot be opened", Err: err}
	}
	return &writer{db: db, conn: conn, statements: make(map[string]*sql.Stmt)}, nil
}

func (w *writer) prepare(query string) (*sql.Stmt, error) {
	if statement := w.statements[query]; statement != nil {
		return statement, nil
	}
	statement, err := w.conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.statements[query] = statement
	}
	return statement, err
}

func (w *writer) exec(query string, args ...any) error {
	statement, err := w.prepare(query)
	if err == nil {
		_, err = statement.Exec(args...)
	}
	return err
}

// script executes many statements, which are not kept prepared.
func (w *writer) script(statements string) error {
	_, err := w.conn.ExecContext(context.Background(), statements)
	return err
}

// query sees what the transaction has written.
func (w *writer) query(_ context.Context, query string, args ...any) (rows, error) {
	statement, err := w.prepare(numbered(query))
	if err != nil {
		return nil, err
	}
	return asRows(statement.Query(args...))
}

// The statements that insert a row.
var (
	insertEntry   = insertion("entry", entryColumns)
	insertCharge  = insertion("charge", chargeColumns)
	insertRelease = insertion("release", releaseColumns)
	insertEvent   = insertion("audit_event", eventColumns)
	insertAnswer  = insertion("audit_answer", answerColumns)
	replaceProxy  = insertion("proxy", proxyColumns) + ` ON CONFLICT (id) DO UPDATE SET started = excluded.started, seen = excluded.seen, digest = excluded.digest`
)

const moveHead = `UPDATE head SET entry = ?, hash = ?`

func insertion(table, columns string) string {
	places := strings.Repeat(", ?", strings.Count(columns, ",")+1)[2:]
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + places + ")"
}

// insert writes the rows of a batch.
func (w *writer) insert(b *batch) error {
	for _, e := range b.entries {
		if err := w.insertEntry(e); err != nil {
			return err
		}
	}
	if b.beat != nil {
		if err := w.exec(replaceProxy, b.beat.values()...); err != nil {
			return err
		}
	}
	if len(b.entries) == 0 {
		return nil
	}
	return w.exec(moveHead, b.head.entry, b.head.hash[:])
}

func (w *writer) insertEntry(e *entryRow) error {
	if err := w.exec(insertEntry, e.values()...); err != nil {
		return err
	}
	for i := range e.charged {
		if err := w.exec(insertCharge, e.charged[i].values()...); err != nil {
			return err
		}
	}
	for i := range e.released {
		if err := w.exec(insertRelease, e.released[i].values()...); err != nil {
			return err
		}
	}
	for i := range e.events {
		if err := w.exec(insertEvent, e.events[i].values()...); err != nil {
			return err
		}
	}
	for i := range e.answers {
		if err := w.exec(insertAnswer, e.answers[i].values()...); err != nil {
			return err
		}
	}
	return nil
}

// close closes the statements first: SQLite tidies its files up only when nothing is open.
func (w *writer) close() error {
	var errs []error
	for _, statement := range w.statements {
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}
