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
