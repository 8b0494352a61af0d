package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/accountant/ledger/store"
)

// Charges and releases say to which entries and charges they belong, without the foreign keys that postgres.sql has: these took a third of the server's time
// of each write. A ledger is refused whose rows belong to something that is not there, see strayRows of package ledger, and `tacit verify` finds them, too.
// Nothing that is stored is another thing without foreign keys, and programs of former versions go on with the ledger.

const (
	withoutReferences = "ALTER TABLE " + ledgerSchema + ".charge DROP CONSTRAINT IF EXISTS charge_entry_fkey; " +
		"ALTER TABLE " + ledgerSchema + ".release DROP CONSTRAINT IF EXISTS release_entry_fkey, DROP CONSTRAINT IF EXISTS release_charge_fkey;"
	referencesQuery = `SELECT count(*) FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_namespace n ON n.oid = c.connamespace
		WHERE n.nspname = '` + ledgerSchema + `' AND c.contype = 'f' AND c.conname IN ('charge_entry_fkey', 'release_entry_fkey', 'release_charge_fkey')`
	// lockTables waits for nobody: who reads several tables takes them in an order of his own, and so two could wait for each other.
	lockTables = "LOCK TABLE " + ledgerSchema + ".release, " + ledgerSchema + ".charge, " + ledgerSchema + ".entry IN ACCESS EXCLUSIVE MODE NOWAIT"

	referenceAttempts = 5
	referencePause    = 50 * time.Millisecond
)

// DropReferences drops the foreign keys of charges and releases, if there are any. While somebody reads the tables they stay until the ledger is opened next, and
// also if the server cannot drop them, such as for a role that does not own the tables: the ledger's warnings say so, and it goes on as it is.
func (s *Store) DropReferences(ctx context.Context) error {
	found, _, err := store.One(ctx, s, store.ScanNumber, referencesQuery)
	if err != nil {
		return s.failed(err)
	}
	if found == 0 {
		return nil
	}
	for range referenceAttempts {
		switch err = s.dropReferences(ctx); {
		case err == nil:
			return nil
		case !refused(err):
			s.disconnect()
		default:
			s.rollBack()
		}
		if !occupied(err) {
			s.warned = append(s.warned, fmt.Sprintf("its tables have foreign keys, which slow down every charge, and its server did not drop them (%v): have their owner run %s", err, withoutReferences))
			return nil
		}
		time.Sleep(referencePause)
	}
	return nil
}

// dropReferences does so in a transaction that has the head, so that nobody writes.
func (s *Store) dropReferences(ctx context.Context) error {
	if s.conn == nil {
		if err := s.connect(ctx); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, ExchangePatience)
	defer cancel()
	for _, statement := range []string{beginWrite, lockHead, lockTables, withoutReferences} {
		if _, err := s.conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	tag, err := s.conn.Exec(ctx, commit, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return err
	}
	return committed(tag)
}

// occupied says whether an error is that somebody else has a lock.
func occupied(err error) bool {
	var answer *pgconn.PgError
	return errors.As(err, &answer) && answer.Code == "55P03" // lock_not_available
}
