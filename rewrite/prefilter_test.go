package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/scan"
)

func TestMentions(t *testing.T) {
	c := fixture()
	odd := policy.TableName{Schema: "Über", Name: "Änd. X"}
	c.Tables[odd] = &expr.Table{Policy: &policy.Table{Name: odd}}
	for _, sql := range []string{
		"SELECT * FROM members", "select * from MEMBERS", `SELECT * FROM "members"`, "members", "xmembersx", "TABLE mEmBeRs;",
		`SELECT * FROM U&"m\0065mbers"`, `u&"x"`, `SELECT * FROM "Über"."Änd. X"`, "Änd. x",
		"SET ROLE bob", "set\trole x", "SELECT set_config('a', 'b', false)", "SET/**/SESSION AUTHORIZATION x", "RESET ROLE",
		"DO $$ $$", "do'x'", "1do", ";DO", "EXECUTE q", "DEALLOCATE ALL", "DISCARD ALL", "ALTER USER x", "CREATE FUNCTION f()", "UPDATE pg_settings SET x = 1",
		"SELECT 1; GRANT a TO b", "DROP OWNED BY x", "REVOKE a FROM b", "SECURITY LABEL ON TABLE x IS ''", "SELECT 1 FROM t;do'x'", "/* SELECT */ SET ROLE x",
		"-- SELECT\nSET ROLE x", "'SELECT';DO", "EXPLAIN EXECUTE q", "CREATE TABLE t AS EXECUTE q", `SELECT 1 AS "pg_settings"`, "SELECT $$;$$; SET ROLE x", `SELECT E'\';'; SET ROLE x`,
		"SET NAMES 'x'", "SET client_encoding TO x", "TABLE pg_class", "SELECT c.* FROM pg_class c", `SELECT "reltuples" FROM PG_CLASS`,
		"SELECT pg_relation_size('x')", "SELECT * FROM pg_catalog.pg_stat_user_tables", "SELECT * FROM tacit.budget", "SET tacit.fresh = on", `SELECT 1 FROM "tacit" . /* x */ "x"`, `SET "Standard_Conforming_Strings" = off`, "CREATE EXTENSION x", "CREATE PROCEDURE x",
	} {
		if !NeedsAnalysis(sql, c) {
			t.Errorf("%q is missed", sql)
		}
	}
	for _, sql := range []string{
		"", "x", "SELECT 1", "SELECT * FROM memberless", "SELECT abalance FROM pgbench_accounts WHERE aid = 1;", "UPDATE t SET x = 1", "member", "SELECT u & \"x\"",
		"SELECT domain, window, undo, do_it, names_, roles, functional FROM t", "SET search_path = x", "BEGIN", "SHOW transaction_isolation", "SELECT 'änd. x'",
		"SELECT role FROM t", "SELECT 'set_config'", "SELECT relname, 'reltuples *' FROM pg_class", "SELECT * FROM pg_tables", "SELECT 'pg_locks'",
		"SELECT tacit FROM t", "SELECT * FROM pgbench_accounts, xpg_class", "SELECT 'tacit.budget', x.tacit", "INSERT INTO t (role, names) VALUES (1, 'do') ON CONFLICT DO NOTHING; SELECT language FROM t", "(SELECT role)", "COPY t (role) FROM STDIN",
		"SELECT $$;DO$$", "SELECT 1 /* ; DO */ -- ;DO", `SELECT ';SET ROLE x', E'\';SET ROLE x', ";DO"`, "CREATE TABLE t (a text DEFAULT 'role')", "WITH x AS (SELECT role FROM t) SELECT 1", "COMMENT ON TABLE t IS 'grant'",
	} {
		if NeedsAnalysis(sql, c) {
			t.Errorf("%q is stopped", sql)
		}
	}
}

// TestMentionsLikeContains compares the one-pass search with the definition: the lowered text contains the lowered name.
func TestMentionsLikeContains(t *testing.T) {
	for _, name := range []string{"a", "ab", "aab", "aB", "b_b"} {
		table := policy.TableName{Schema: "s", Name: name}
		c := &Catalog{Tables: map[policy.TableName]*expr.Table{table: {}}}
		for n := range 6 * 6 * 6 * 6 {
			var text strings.Builder
			for ; n > 0; n /= 6 {
				text.WriteByte("aAbB_ "[n%6])
			}
			if got, want := NeedsAnalysis(text.String(), c), strings.Contains(scan.LowerASCII(text.String()), scan.LowerASCII(name)); got != want {
				t.Errorf("%q in %q: %t", name, text.String(), got)
			}
		}
	}
}

// TestLoad relays large statements that name no protected table, whatever words they have otherwise, and names the limit where
// one cannot be told from those that matter.
func TestLoad(t *testing.T) {
	rows := atoms("('name %[1]d', 'role', %[1]d, 'do; SET ROLE x')", 15_000, ", ")
	for _, sql := range []string{
		"INSERT INTO users (name, role, n, language) VALUES " + rows,
		"SELECT role FROM users WHERE n = " + rep("(", 10_000) + "1" + rep(")", 10_000),
		"SELECT role, '" + rep("x", 2<<20) + "'",
		"COPY users (role) FROM STDIN",
	} {
		if v := analyze(t, sql); describe(v) != "relay\n" {
			t.Errorf("%.60s...: %s", sql, describe(v))
		}
	}
	for sql, limit := range map[string]string{
		"SELECT 1; SET ROLE x; INSERT INTO users (name, role, n, language) VALUES " + rows: "100000 words",
		"DO '" + rep("x", 2<<20) + "'":                                    "limits.statement_bytes",
		"DO " + rep("(", 10_000):                                          "limits.nesting",
		"INSERT INTO users SELECT 'members' UNION ALL VALUES " + rows:     "100000 words",
		"INSERT INTO users SELECT set_config('role', 'x', true), " + rows: "100000 words",
	} {
		r := refusalOf(analyze(t, sql))
		if r == nil || !strings.HasPrefix(r.Code, "5400") || !contains(r.Message, limit) || contains(r.Message+r.Hint, "protected") != contains(sql, "members") {
			t.Errorf("%.60s...: %+v", sql, r)
		}
	}
}

// BenchmarkMentions is the price of relaying a statement.
func BenchmarkMentions(b *testing.B) {
	c := fixture()
	for _, sql := range []string{
		"SELECT abalance FROM pgbench_accounts WHERE aid = 4711;",
		"UPDATE pgbench_accounts SET abalance = abalance + 17 WHERE aid = 4711 RETURNING abalance, bid, filler;",
	} {
		b.Run(fmt.Sprint(len(sql), " bytes"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if NeedsAnalysis(sql, c) {
					b.Fatal("stopped")
				}
			}
		})
	}
}

func BenchmarkAnalyze(b *testing.B) {
	s := testSession()
	for b.Loop() {
		if _, err := Analyze("SELECT city, count(*) FROM members WHERE birth_year > $1 AND plan IN ('gold', 'free') GROUP BY city ORDER BY 2 DESC", s); err != nil {
			b.Fatal(err)
		}
	}
}
