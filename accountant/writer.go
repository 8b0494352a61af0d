package accountant

import (
	"context"
	"database/sql"
	"errors"
)

// A writer is the one connection that writes, with the statements that it has prepared so far.
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

// close closes the statements first: SQLite tidies its files up only when nothing is open.
func (w *writer) close() error {
	var errs []error
	for _, statement := range w.statements {
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}
