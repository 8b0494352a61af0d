package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
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
		return nil, &accountant.UnavailableError{Path: path, Problem: "it cannot be opened", Err: err}
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

// Query sees what the transaction has written.
func (w *writer) Query(_ context.Context, query string, args ...any) (store.Rows, error) {
	statement, err := w.prepare(numbered(query))
	if err != nil {
		return nil, err
	}
	return store.AsRows(statement.Query(args...))
}

// The statements that insert a row.
var (
	insertEntry   = insertion("entry", journal.EntryColumns)
	insertCharge  = insertion("charge", journal.ChargeColumns)
	insertRelease = insertion("release", journal.ReleaseColumns)
	insertEvent   = insertion("audit_event", journal.EventColumns)
	insertAnswer  = insertion("audit_answer", journal.AnswerColumns)
	replaceProxy  = insertion("proxy", journal.ProxyColumns) + ` ON CONFLICT (id) DO UPDATE SET started = excluded.started, seen = excluded.seen, digest = excluded.digest`
)

const thinNote = `UPDATE entry SET ` + store.ThinNote + `, body = ? WHERE id = ?`

const moveHead = `UPDATE head SET entry = ?, hash = ?`

func insertion(table, columns string) string {
	places := strings.Repeat(", ?", strings.Count(columns, ",")+1)[2:]
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + places + ")"
}

// insert writes the rows of a batch.
func (w *writer) insert(b *journal.Batch) error {
	if b.Upgrade {
		if err := w.script(version2); err != nil {
			return err
		}
	}
	for _, note := range b.Thinned {
		if err := w.thin(note); err != nil {
			return err
		}
	}
	for _, e := range b.Entries {
		if err := w.insertEntry(e); err != nil {
			return err
		}
	}
	if b.Heartbeat != nil {
		if err := w.exec(replaceProxy, b.Heartbeat.Values()...); err != nil {
			return err
		}
	}
	if len(b.Entries) == 0 {
		return nil
	}
	return w.exec(moveHead, b.Head.Entry, b.Head.Hash[:])
}

// thin drops what a note says.
func (w *writer) thin(note *journal.Entry) error {
	statement, err := w.prepare(thinNote)
	if err != nil {
		return err
	}
	done, err := statement.Exec(note.Body, note.ID)
	if err != nil {
		return err
	}
	if rows, err := done.RowsAffected(); err != nil || rows != 1 {
		return errors.Join(err, fmt.Errorf("%d rows are entry %d", rows, note.ID))
	}
	return nil
}

func (w *writer) insertEntry(e *journal.Entry) error {
	if err := w.exec(insertEntry, e.Values()...); err != nil {
		return err
	}
	err := insertRows(w, insertCharge, e.Charged)
	if err == nil {
		err = insertRows(w, insertRelease, e.Released)
	}
	if err == nil {
		err = insertRows(w, insertEvent, e.Events)
	}
	if err == nil {
		err = insertRows(w, insertAnswer, e.Answers)
	}
	return err
}

// insertRows inserts the rows of one table until one fails.
func insertRows[R any, P interface {
	*R
	Values() []any
}](w *writer, statement string, rows []R) error {
	for i := range rows {
		if err := w.exec(statement, P(&rows[i]).Values()...); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the statements first: SQLite tidies its files up only when nothing is open.
func (w *writer) Close() error {
	var errs []error
	for _, statement := range w.statements {
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}
