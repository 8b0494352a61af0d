package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// strays are statements that plant rows which belong to an entry or a charge that is not there.
var strays = []string{
	"INSERT INTO charge SELECT id + 100, %d, question_key, question, mechanism, term, blocks, shape, epsilon, delta, releases FROM charge WHERE id = 1",
	"INSERT INTO release SELECT id + 100, %d, charge + 1, at, payload FROM release WHERE id = 1",
	"INSERT INTO release SELECT id + 100, entry, %d, at, payload FROM release WHERE id = 1",
}

// plant makes a ledger with a charge that was answered and one that was not, and plants a row in it.
func plant(t *testing.T, location policy.LedgerLocation, statement string) {
	t.Helper()
	l, err := Open(context.Background(), Options{Location: location, Role: Serve})
	do(t, err)
	record(t, l, reserve(t, l, charge("ana", "answered", accountant.Loss{Epsilon: 1})), []byte("answer"))
	reserve(t, l, charge("ana", "open", accountant.Loss{Epsilon: 1}))
	seal(t, l) // entries before a checkpoint are not read when a ledger is opened
	closeLedger(t, l)
	r, err := OpenReadOnly(context.Background(), location)
	do(t, err)
	defer r.Close()
	verified(t, r)
	_, err = load(context.Background(), r.store)
	do(t, err)
	if location.SQLite != "" {
		atPrompt(t, location.SQLite, "PRAGMA foreign_keys = 0", statement)
		return
	}
	execute(t, location, statement)
}

// seal writes a checkpoint.
func seal(t *testing.T, l *Ledger) {
	t.Helper()
	do(t, l.do(context.Background(), func(b *batch) error {
		b.Add(&journal.Entry{Kind: journal.KindCheckpoint, Body: b.State.CheckpointBody()})
		return nil
	}))
}

func execute(t *testing.T, location policy.LedgerLocation, statements string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), location.Postgres)
	do(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), "SET search_path = tacit_ledger; "+statements, pgx.QueryExecModeSimpleProtocol)
	do(t, err)
}

// A row that belongs to nothing, which a foreign key would have refused, is found when the ledger is opened, read and verified.
func TestStrayRowsAreFound(t *testing.T) {
	for name, place := range map[string]func() policy.LedgerLocation{
		"SQLite":     func() policy.LedgerLocation { return policy.LedgerLocation{SQLite: newPath(t)} },
		"PostgreSQL": func() policy.LedgerLocation { return ledgertest.NewPostgres(t) },
	} {
		for _, stray := range strays {
			for _, number := range []int{-1, 0, 50} {
				statement := fmt.Sprintf(stray, number)
				location := place()
				plant(t, location, statement)
				if l, err := Open(context.Background(), Options{Location: location, Role: Serve}); err == nil || !strings.Contains(err.Error(), "belong to") {
					t.Errorf("%s, %s: it is opened with %v", name, statement, err)
					if err == nil {
						l.Close()
					}
				}
				r, err := OpenReadOnly(context.Background(), location)
				do(t, err)
				if _, err := r.Balance(context.Background(), charge("ana", "", accountant.Loss{}).Accounting, "ana", nil); err == nil || !strings.Contains(err.Error(), "belong to") {
					t.Errorf("%s, %s: it is read with %v", name, statement, err)
				}
				if v, err := r.Verify(context.Background(), nil); err != nil || len(v.Problems) == 0 {
					t.Errorf("%s, %s: verify finds %v, %v", name, statement, v, err)
				}
				do(t, r.Close())
			}
		}
	}
}

const (
	formerReferences = `ALTER TABLE charge ADD FOREIGN KEY (entry) REFERENCES entry (id);
		ALTER TABLE release ADD FOREIGN KEY (entry) REFERENCES entry (id), ADD FOREIGN KEY (charge) REFERENCES charge (id)`
	referencesLeft = `SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid IN ('tacit_ledger.charge'::regclass, 'tacit_ledger.release'::regclass)`
)

// withReferences is a ledger as former versions made them, of either format.
func withReferences(t *testing.T, test func(t *testing.T, location policy.LedgerLocation)) {
	t.Run("version 1", func(t *testing.T) { test(t, formerPostgres(t)) })
	t.Run("version 2", func(t *testing.T) {
		location := ledgertest.NewPostgres(t)
		l := openAt(t, location)
		record(t, l, reserve(t, l, charge("ana", "before", accountant.Loss{Epsilon: 1})), []byte("x"))
		do(t, l.Close())
		execute(t, location, formerReferences)
		test(t, location)
	})
}

// goesOn charges with an answer, and says how many foreign keys there are, and what the steward is told of them.
func goesOn(t *testing.T, location policy.LedgerLocation, role Role, text string) (references int64, warnings []string) {
	t.Helper()
	l, err := Open(context.Background(), Options{Location: location, Role: role})
	do(t, err)
	defer l.Close()
	record(t, l, reserve(t, l, charge("ana", text, accountant.Loss{Epsilon: 1})), []byte("x"))
	references, _, err = store.One(context.Background(), l.store, store.ScanNumber, referencesLeft)
	do(t, err)
	verified(t, l.Reader)
	for _, warning := range l.Warnings() {
		if strings.Contains(warning, "foreign keys") {
			warnings = append(warnings, warning)
		}
	}
	return references, warnings
}

// A proxy drops the foreign keys of a ledger that a former version made, and a steward's command leaves them.
func TestFormerReferencesAreDropped(t *testing.T) {
	withReferences(t, func(t *testing.T, location policy.LedgerLocation) {
		if n, _ := goesOn(t, location, Steward, "steward"); n != 3 {
			t.Errorf("a steward's command leaves %d", n)
		}
		if n, warnings := goesOn(t, location, Serve, "proxy"); n != 0 || len(warnings) > 0 {
			t.Errorf("%d are left, and warnings say %v", n, warnings)
		}
	})
	l := openAt(t, ledgertest.NewPostgres(t))
	if n, _, err := store.One(context.Background(), l.store, store.ScanNumber, referencesLeft); n != 0 || err != nil {
		t.Errorf("a new ledger has %d, %v", n, err)
	}
}

// While somebody reads the tables the foreign keys stay, and nobody waits. The next proxy drops them.
func TestFormerReferencesStayWhileTablesAreRead(t *testing.T) {
	withReferences(t, func(t *testing.T, location policy.LedgerLocation) {
		conn, err := pgx.Connect(t.Context(), location.Postgres)
		do(t, err)
		defer conn.Close(context.Background())
		tx, err := conn.Begin(t.Context())
		do(t, err)
		_, err = tx.Exec(t.Context(), "SELECT count(*) FROM tacit_ledger.charge")
		do(t, err)
		if n, _ := goesOn(t, location, Serve, "beside a reader"); n != 3 {
			t.Errorf("%d are left beside a reader", n)
		}
		do(t, tx.Rollback(t.Context()))
		if n, _ := goesOn(t, location, Serve, "afterwards"); n != 0 {
			t.Errorf("%d are left afterwards", n)
		}
	})
}

// A role that does not own the tables goes on with the foreign keys, and the warnings say what their owner is to run.
func TestFormerReferencesOfAnotherOwner(t *testing.T) {
	location := ledgertest.NewPostgres(t)
	goesOn(t, location, Serve, "before")
	c, err := ledgertest.SharedCluster()
	do(t, err)
	do(t, ledgertest.Superuser(c, ledgertest.DatabaseOf(t, location), "SET search_path = tacit_ledger; "+formerReferences+`;
		ALTER TABLE entry OWNER TO postgres; ALTER TABLE charge OWNER TO postgres; ALTER TABLE release OWNER TO postgres;
		GRANT SELECT, INSERT, UPDATE ON entry, charge, release TO tacit_ledger`))
	n, warnings := goesOn(t, location, Serve, "without rights")
	if n != 3 || len(warnings) != 1 || !strings.Contains(warnings[0], "ALTER TABLE tacit_ledger.charge DROP CONSTRAINT") {
		t.Errorf("%d are left, and warnings say %v", n, warnings)
	}
}

// Whatever keeps the server from dropping foreign keys, also where it ends the session meanwhile, a proxy goes on with them and can charge.
func TestProxyStartsWithReferencesThatStay(t *testing.T) {
	for what, refuses := range map[string]string{
		"it answers with an error": "RAISE EXCEPTION 'the tables are frozen'", "it ends the session": "PERFORM pg_terminate_backend(pg_backend_pid())",
	} {
		location := ledgertest.NewPostgres(t)
		goesOn(t, location, Serve, "before")
		c, err := ledgertest.SharedCluster()
		do(t, err)
		execute(t, location, formerReferences)
		do(t, ledgertest.Superuser(c, ledgertest.DatabaseOf(t, location), `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN `+refuses+`; END $$;
			CREATE EVENT TRIGGER refuses ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION refuse()`))
		n, warnings := goesOn(t, location, Serve, "kept")
		if n != 3 || len(warnings) != 1 || strings.Contains(warnings[0], "may not drop") {
			t.Errorf("%s: %d are left, and warnings say %v", what, n, warnings)
		}
	}
}
