package accountant

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
)

// A broughtCopy is a copy of a former version's ledger, in a directory of its own, that was brought up to this version: looking at a ledger
// does not change it.
type broughtCopy struct {
	directory string
	db        *sql.DB
}

// bringUpCopy copies a ledger of a former version, if it is sound, and brings the copy up.
func (r *sqliteReader) bringUpCopy(ctx context.Context, version int) error {
	if err := r.checkFormer(ctx, version); err != nil {
		return err
	}
	directory, err := os.MkdirTemp("", "tacit-ledger-") // which only this user may read
	if err != nil {
		return r.unavailable("it is of a former version, and cannot be copied to be read", err)
	}
	c := &broughtCopy{directory: directory}
	path := filepath.Join(directory, "ledger.db")
	if err := c.make(ctx, r.db, path, version); err != nil {
		return errors.Join(r.unavailable("it is of a former version, and cannot be copied to be read", err), c.close())
	}
	r.brought.Store(c)
	return nil
}

func (c *broughtCopy) make(ctx context.Context, from *sql.DB, path string, version int) error {
	// A connection that may only query does not make copies, either.
	if err := copyDatabase(ctx, from, path); err != nil {
		return err
	}
	w, err := openWriter(path)
	if err != nil {
		return err
	}
	err = w.script("PRAGMA foreign_keys = OFF; BEGIN")
	if err == nil {
		err = w.bringUp(ctx, version)
	}
	if err == nil {
		err = w.exec("COMMIT")
	}
	if err := errors.Join(err, w.close()); err != nil {
		return err
	}
	c.db, err = openDatabase(path, readOnly, readers)
	return err
}

// copyDatabase makes a copy of a database in use.
func copyDatabase(ctx context.Context, from *sql.DB, path string) error {
	conn, err := from.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA query_only = 0"); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "VACUUM INTO ?", path)
	_, off := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA query_only = 1")
	return errors.Join(err, off)
}

// close removes the copy, if there is one.
func (c *broughtCopy) close() error {
	if c == nil {
		return nil
	}
	var err error
	if c.db != nil {
		err = c.db.Close()
	}
	return errors.Join(err, os.RemoveAll(c.directory))
}

// newest is the ledger itself, or the copy that was brought up, while the ledger is of a former version. A copy that has served is closed
// with the reader, for others may be reading it.
func (r *sqliteReader) newest(ctx context.Context) *sql.DB {
	c := r.brought.Load()
	if c == nil {
		return r.db
	}
	var version int
	if err := r.db.QueryRowContext(ctx, "SELECT user_version FROM pragma_user_version").Scan(&version); err == nil && version == schemaVersion {
		return r.db
	}
	return c.db
}
