package postgres

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

var (
	//go:embed postgres.sql
	postgresTables string
	//go:embed postgrestriggers.sql
	postgresTriggers string
	// What brings a ledger of version 1 up to version 2. A new one is made by both.
	//go:embed version2.sql
	version2Tables string
	//go:embed version2triggers.sql
	version2Triggers string
)

const (
	columnsQuery = `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = '` + ledgerSchema + `'`
	// triggersQuery counts the triggers that are in force.
	triggersQuery = `SELECT count(*) FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = '` + ledgerSchema + `' AND t.tgenabled IN ('O', 'A') AND (t.tgname LIKE '%\_stays' OR t.tgname IN ('head_moves_on', 'entry_is_kept'))`
	versionQuery = `SELECT version FROM ledger`
)

// ledgerTriggers is how many triggers a ledger of a version has.
func ledgerTriggers(version int) int64 {
	if version == 1 {
		return 9
	}
	return 10
}

// identify returns the version of the ledger that is in the database, 0 if there is none.
func (s *Store) identify(ctx context.Context) (version int, err error) {
	found, err := store.Collect(ctx, s, func(row store.Scanner) (string, error) {
		var table, column string
		err := row.Scan(&table, &column)
		return table + "." + column, err
	}, columnsQuery)
	if err != nil {
		return 0, s.failed(err)
	}
	slices.Sort(found)
	switch {
	case len(found) == 0:
		return 0, nil
	case slices.Equal(found, ledgerColumns("singleton, id, created")):
		return s.identifyFirst(ctx)
	case !slices.Equal(found, ledgerColumns("singleton, id, created, version")):
		return 0, s.unavailable("the schema "+ledgerSchema+" does not have a ledger's tables, or not those of this version of tacit",
			"name another database, or use the version of tacit that made them", nil)
	}
	number, _, err := store.One(ctx, s, store.ScanNumber, versionQuery)
	if err != nil {
		return 0, s.failed(err)
	}
	if version = int(number); !journal.KnownVersion(version) {
		return 0, s.unavailable("it was written by another version of tacit", "", journal.OtherVersion(version))
	}
	return version, nil
}

// identifyFirst returns the version of a ledger that has the tables of version 1, if its first entry says so.
func (s *Store) identifyFirst(ctx context.Context) (version int, err error) {
	text, found, err := store.One(ctx, s, store.ScanText, "SELECT body FROM entry WHERE id = 1")
	if err != nil {
		return 0, s.failed(err)
	}
	var body journal.CreatedBody
	if found && journal.Unmarshal(text, &body) == nil && body.Version != 1 {
		return 0, s.unavailable("it was written by another version of tacit", "", journal.OtherVersion(body.Version))
	}
	return 1, nil // what else is wrong with the entry is found when it is read
}

// ledgerColumns lists table.column for every column of a ledger whose table ledger has these columns, in order.
func ledgerColumns(ledger string) (all []string) {
	for table, columns := range map[string]string{
		"ledger": ledger, "head": "singleton, entry, hash", "proxy": journal.ProxyColumns, "entry": journal.EntryColumns,
		"charge": journal.ChargeColumns, "release": journal.ReleaseColumns, "audit_event": journal.EventColumns, "audit_answer": journal.AnswerColumns,
	} {
		for column := range strings.SplitSeq(columns, ",") {
			all = append(all, table+"."+strings.TrimSpace(column))
		}
	}
	slices.Sort(all)
	return all
}

// create makes the tables with the ledger's first entry, all at once. If somebody else does at the same moment, one of them wins, and
// both go on with his ledger.
func (s *Store) create(first *journal.Entry) error {
	ctx, cancel := context.WithTimeout(context.Background(), statementPatience)
	defer cancel()
	err := s.makeTables(ctx, first)
	switch {
	case err == nil:
		return nil
	case madeMeanwhile(err):
		s.rollBack()
		if s.conn == nil { // it broke while it rolled back
			return s.connect(ctx)
		}
		return nil
	case refused(err):
		s.rollBack()
		return s.unavailable("its tables cannot be made", "let its role create a schema in its database (GRANT CREATE ON DATABASE), or own an empty schema "+ledgerSchema+" there", err)
	default:
		s.disconnect()
		return s.failed(err)
	}
}

func (s *Store) makeTables(ctx context.Context, first *journal.Entry) error {
	var body journal.CreatedBody
	if err := journal.Unmarshal(first.Body, &body); err != nil {
		return err
	}
	if _, err := s.conn.Exec(ctx, beginWrite); err != nil {
		return err
	}
	if err := s.makeSchema(ctx); err != nil {
		return err
	}
	if _, err := s.conn.Exec(ctx, postgresTables+version2Tables+withoutReferences, pgx.QueryExecModeSimpleProtocol); err != nil {
		return err
	}
	if err := s.makeTriggers(ctx); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(syncWrite)
	batch.Queue("INSERT INTO ledger (singleton, id, created) VALUES (1, $1, $2)", body.Ledger, first.At)
	batch.Queue(insertFirst, first.Values()...)
	batch.Queue("INSERT INTO head (singleton, entry, hash) VALUES (1, $1, $2)", first.ID, first.Hash[:])
	batch.Queue(commit).Exec(committed)
	return s.conn.SendBatch(ctx, batch).Close()
}

// committed checks the answer to a COMMIT: of a transaction in which something failed the server rolls back, and says so here only.
func committed(tag pgconn.CommandTag) error {
	if tag.String() != commit {
		return errRolledBack
	}
	return nil
}

// insertFirst inserts an entry that has no other rows.
var insertFirst = "INSERT INTO entry (" + journal.EntryColumns + ") VALUES (" + places(strings.Count(journal.EntryColumns, ",")+1) + ")"

// places are so many parameters.
func places(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", i+1)
	}
	return strings.Join(all, ", ")
}

// makeSchema makes the schema, unless somebody has made it for the ledger's role, which need not be allowed to make any then.
func (s *Store) makeSchema(ctx context.Context) error {
	var found bool
	err := s.conn.QueryRow(ctx, `SELECT count(*) > 0 FROM pg_catalog.pg_namespace WHERE nspname = '`+ledgerSchema+`'`).Scan(&found)
	if err == nil && !found {
		_, err = s.conn.Exec(ctx, "CREATE SCHEMA "+ledgerSchema)
	}
	return err
}

// makeTriggers makes the triggers in the transaction of the tables, on a server that has them: there is no moment in which a ledger lacks them.
func (s *Store) makeTriggers(ctx context.Context) error {
	if _, err := s.conn.Exec(ctx, "SAVEPOINT triggers"); err != nil {
		return err
	}
	_, err := s.conn.Exec(ctx, postgresTriggers+version2Triggers, pgx.QueryExecModeSimpleProtocol)
	if refused(err) {
		_, err = s.conn.Exec(ctx, "ROLLBACK TO SAVEPOINT triggers")
	}
	return err
}

// upgrade brings the tables of version 1 up to version 2, in the transaction that has locked the head. Where there are no triggers, since the server cannot have
// any, there are none afterwards. It locks the table of entries before that of the ledger, as whoever reads both does: so none waits for the other in a circle.
func (s *Store) upgrade(ctx context.Context) error {
	var triggers int64
	err := s.conn.QueryRow(ctx, triggersQuery).Scan(&triggers)
	if err == nil && triggers > 0 {
		_, err = s.conn.Exec(ctx, version2Triggers, pgx.QueryExecModeSimpleProtocol)
	}
	if err == nil {
		_, err = s.conn.Exec(ctx, version2Tables, pgx.QueryExecModeSimpleProtocol)
	}
	return err
}

// findWarnings finds what a steward should know of the ledger's server.
func (s *Store) findWarnings(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, statementPatience)
	defer cancel()
	state, err := askServer(ctx, s.conn)
	if err != nil {
		return s.failed(err)
	}
	s.warned = state.warnings()
	triggers, _, err := store.One(ctx, s, store.ScanNumber, triggersQuery)
	if err != nil {
		return s.failed(err)
	}
	version, err := s.identify(ctx)
	if err != nil {
		return err
	}
	if triggers < ledgerTriggers(version) {
		s.warned = append(s.warned, "its server lacks triggers that keep rows from being changed by hand; `tacit verify` finds such a change")
	}
	return nil
}
