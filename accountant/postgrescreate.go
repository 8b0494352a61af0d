package accountant

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

var (
	//go:embed postgres.sql
	postgresTables string
	//go:embed postgrestriggers.sql
	postgresTriggers string
)

const (
	columnsQuery = `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = '` + ledgerSchema + `'`
	// triggersQuery counts the triggers that are in force.
	triggersQuery = `SELECT count(*) FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
		JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = '` + ledgerSchema + `' AND t.tgenabled IN ('O', 'A') AND (t.tgname LIKE '%\_stays' OR t.tgname = 'head_moves_on')`
	ledgerTriggers = 9
)

// identify returns the version of the ledger that is in the database, 0 if there is none.
func (s *postgresStore) identify(ctx context.Context) (version int, err error) {
	found, err := collect(ctx, s, func(row scanner) (string, error) {
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
	case !slices.Equal(found, ledgerColumns()):
		return 0, s.unavailable("the schema "+ledgerSchema+" does not have a ledger's tables, or not those of this version of tacit",
			"name another database, or use the version of tacit that made them", nil)
	}
	return schemaVersion, nil
}

// ledgerColumns lists table.column for every column of a ledger, in order.
func ledgerColumns() (all []string) {
	for table, columns := range map[string]string{
		"ledger": "singleton, id, created", "head": "singleton, entry, hash", "proxy": proxyColumns, "entry": entryColumns,
		"charge": chargeColumns, "release": releaseColumns, "audit_event": eventColumns, "audit_answer": answerColumns,
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
func (s *postgresStore) create(first *entryRow) error {
	ctx, cancel := context.WithTimeout(context.Background(), statementPatience)
	defer cancel()
	err := s.makeTables(ctx, first)
	switch {
	case err == nil:
		return s.makeTriggers(ctx)
	case madeMeanwhile(err):
		s.giveUp()
		return nil
	case refused(err):
		s.giveUp()
		return s.unavailable("its tables cannot be made", "let its role create a schema in its database (GRANT CREATE ON DATABASE), or own an empty schema "+ledgerSchema+" there", err)
	default:
		s.hangUp()
		return s.failed(err)
	}
}

func (s *postgresStore) makeTables(ctx context.Context, first *entryRow) error {
	var body createdBody
	if err := unmarshal(first.body, &body); err != nil {
		return err
	}
	if _, err := s.conn.Exec(ctx, beginTurn); err != nil {
		return err
	}
	if err := s.makeSchema(ctx); err != nil {
		return err
	}
	if _, err := s.conn.Exec(ctx, postgresTables, pgx.QueryExecModeSimpleProtocol); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(syncTurn)
	batch.Queue("INSERT INTO ledger (singleton, id, created) VALUES (1, $1, $2)", body.Ledger, first.at)
	queueRows(batch, []*entryRow{first})
	batch.Queue("INSERT INTO head (singleton, entry, hash) VALUES (1, $1, $2)", first.id, first.hash[:])
	batch.Queue("COMMIT").Exec(committed)
	return s.conn.SendBatch(ctx, batch).Close()
}

// makeSchema makes the schema, unless somebody has made it for the ledger's role, which need not be allowed to make any then.
func (s *postgresStore) makeSchema(ctx context.Context) error {
	var found bool
	err := s.conn.QueryRow(ctx, `SELECT count(*) > 0 FROM pg_catalog.pg_namespace WHERE nspname = '`+ledgerSchema+`'`).Scan(&found)
	if err == nil && !found {
		_, err = s.conn.Exec(ctx, "CREATE SCHEMA "+ledgerSchema)
	}
	return err
}

// makeTriggers makes the triggers, on a server that has them.
func (s *postgresStore) makeTriggers(ctx context.Context) error {
	_, err := s.conn.Exec(ctx, postgresTriggers, pgx.QueryExecModeSimpleProtocol) // as one transaction
	if err != nil && !refused(err) {
		s.hangUp()
		return s.failed(err)
	}
	return nil
}

// findWarnings finds what a steward should know of the ledger's server.
func (s *postgresStore) findWarnings(ctx context.Context) error {
	state, err := askServer(ctx, s.conn)
	if err != nil {
		return s.failed(err)
	}
	s.warned = state.warnings()
	triggers, _, err := one(ctx, s, scanNumber, triggersQuery)
	if err != nil {
		return s.failed(err)
	}
	if triggers < ledgerTriggers {
		s.warned = append(s.warned, "its server lacks triggers that keep rows from being changed by hand; `tacit verify` finds such a change")
	}
	return nil
}
