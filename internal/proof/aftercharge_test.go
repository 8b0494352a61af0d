package proof

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestErrorsAfterTheChargeAreFreeToMend sends statements that fail on the numbers that are released. It fails if the error does not say how
// to mend them, in either protocol, if the mended statement is charged, and if an error of other statements says more than PostgreSQL does.
func TestErrorsAfterTheChargeAreFreeToMend(t *testing.T) {
	conn, direct := newIntervalSite(t, 400)
	const free = "The counts are recorded: the corrected statement is free."
	run := func(conn *pgconn.PgConn, sql string, extended bool) *pgconn.PgError {
		t.Helper()
		var err error
		if extended {
			err = conn.ExecParams(t.Context(), sql, nil, nil, nil, nil).Read().Err
		} else {
			_, err = conn.Exec(t.Context(), sql).ReadAll()
		}
		failed, _ := err.(*pgconn.PgError)
		if failed == nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return failed
	}
	left := func() string {
		return ask(t, conn, "SELECT epsilon_left FROM tacit.budget WHERE table_name = 'patients'", false).Rows[0][0]
	}
	for i, c := range []struct{ number, code, hint, mended string }{
		{"1 / (count(*) - count(*))", "22012", "divide by nullif(count(*), 0)", "1 / nullif(count(*) - count(*), 0)"},
		{"ln(0 * count(*))", "2201E", "ln(nullif(greatest(count(*), 0), 0))", "ln(nullif(greatest(0 * count(*), 0), 0))"},
		{"sqrt(-1 - count(*))", "2201F", "sqrt(greatest(sum(x), 0))", "sqrt(greatest(-1 - count(*), 0))"},
		{"(count(*) + 1000000)::smallint", "22003", "cast it to numeric", "(count(*) + 1000000)::numeric"},
		{"(count(*) || 'x')::int", "22P02", free, "count(*) || 'x'"},
	} {
		for _, extended := range []bool{false, true} {
			from := " FROM patients WHERE age > " + string(rune('0'+i))
			if extended {
				from += "0"
			}
			failed := run(conn, "SELECT "+c.number+from, extended)
			own := run(direct, "SELECT "+c.number+from, extended)
			if failed.Code != c.code || failed.Message != own.Message || !strings.Contains(failed.Hint, c.hint) || !strings.HasSuffix(failed.Hint, free) {
				t.Errorf("%s: %s %s; %s", c.number, failed.Code, failed.Message, failed.Hint)
			}
			before := left()
			ask(t, conn, "SELECT "+c.mended+from, extended)
			if after := left(); after != before {
				t.Errorf("%s: was charged: %s left of %s", c.mended, after, before)
			}
			if failed := run(conn, "SELECT 1 / (length('x') - 1)", extended); failed.Hint != "" {
				t.Errorf("a hint without counts: %s", failed.Hint)
			}
		}
	}
	failed := run(conn, "BEGIN; SELECT count(*) / 0 FROM patients WHERE sex = 'F'; COMMIT", false)
	if failed.Code != "22012" || !strings.HasSuffix(failed.Hint, free) {
		t.Errorf("%s %s", failed.Code, failed.Hint)
	}
	ask(t, conn, "ROLLBACK", false)
	ask(t, conn, "SET tacit.fresh = on", false)
	if failed := run(conn, "SELECT 1 / (count(*) - count(*)) FROM patients", true); !strings.Contains(failed.Hint, "with tacit.fresh off") {
		t.Error(failed.Hint)
	}
}

// TestUnreadablePublicTableCostsNothing joins a public table that the analyst may not read, so that her own session would fail to. It fails if
// that is charged, in either protocol and of a prepared statement, or if the error is not PostgreSQL's own.
func TestUnreadablePublicTableCostsNothing(t *testing.T) {
	conn, direct := newIntervalSite(t, 400)
	if _, err := direct.Exec(t.Context(), "REVOKE SELECT ON regions FROM ana, bob, PUBLIC").ReadAll(); err != nil {
		t.Fatal(err)
	}
	left := func() string {
		return ask(t, conn, "SELECT epsilon_left FROM tacit.budget WHERE table_name = 'patients'", false).Rows[0][0]
	}
	const join = "SELECT r.country, count(p.sex) FROM regions AS r LEFT JOIN patients AS p ON p.region = r.region GROUP BY r.country"
	ask(t, conn, "PREPARE kept AS "+join, false)
	before := left()
	for _, sql := range []string{join, "EXECUTE kept", "COPY (" + join + ") TO STDOUT", "SELECT 1; " + join, "EXPLAIN " + join} {
		if _, err := conn.Exec(t.Context(), sql).ReadAll(); !isDenied(err) {
			t.Errorf("%s: %v", sql, err)
		}
	}
	for _, sql := range []string{join, "EXECUTE kept"} {
		if err := conn.ExecParams(t.Context(), sql, nil, nil, nil, nil).Read().Err; !isDenied(err) {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if after := left(); after != before {
		t.Errorf("%s left of %s", after, before)
	}
	if _, err := direct.Exec(t.Context(), "GRANT SELECT (region, country) ON regions TO ana").ReadAll(); err != nil {
		t.Fatal(err)
	}
	if rows := ask(t, conn, join, true).Rows; len(rows) != 2 || left() == before {
		t.Errorf("with the privilege: %v", rows)
	}
	// What is recorded is free, and so is asked without a look at the privilege first.
	if _, err := direct.Exec(t.Context(), "REVOKE SELECT (region, country) ON regions FROM ana").ReadAll(); err != nil {
		t.Fatal(err)
	}
	_, err := conn.Exec(t.Context(), join).ReadAll()
	if failed, ok := err.(*pgconn.PgError); !ok || failed.Code != "42501" || failed.Hint != "" && !strings.Contains(failed.Hint, "can grant the privilege") {
		t.Errorf("without it again: %v", err)
	}
}

func isDenied(err error) bool {
	failed, ok := err.(*pgconn.PgError)
	return ok && failed.Code == "42501" && failed.Message == "permission denied for table regions" && failed.Hint == ""
}
