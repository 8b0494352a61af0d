package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"tacit/policy"
)

func TestMentions(t *testing.T) {
	c := fixture()
	odd := policy.TableName{Schema: "Über", Name: "Änd. X"}
	c.Tables[odd] = &Table{Policy: &policy.Table{Name: odd}}
	for _, sql := range []string{
		"SELECT * FROM members", "select * from MEMBERS", `SELECT * FROM "members"`, "members", "xmembersx", "TABLE mEmBeRs;",
		`SELECT * FROM U&"m\0065mbers"`, `u&"x"`, `SELECT * FROM "Über"."Änd. X"`, "Änd. x",
		"SET ROLE bob", "set\trole x", "SELECT set_config('a', 'b', false)", "SET/**/SESSION AUTHORIZATION x", "RESET ROLE",
		"DO $$ $$", "do'x'", "1do", ";DO", "EXECUTE q", "DEALLOCATE ALL", "DISCARD ALL", "ALTER USER x", "CREATE FUNCTION f()", "UPDATE pg_settings SET x = 1",
		"SET NAMES 'x'", "SET client_encoding TO x", `SET "Standard_Conforming_Strings" = off`, "CREATE EXTENSION x", "CREATE PROCEDURE x",
	} {
		if !Mentions(sql, c) {
			t.Errorf("%q is missed", sql)
		}
	}
	for _, sql := range []string{
		"", "x", "SELECT 1", "SELECT * FROM memberless", "SELECT abalance FROM pgbench_accounts WHERE aid = 1;", "UPDATE t SET x = 1", "member", "SELECT u & \"x\"",
		"SELECT domain, window, undo, do_it, names_, roles, functional FROM t", "SET search_path = x", "BEGIN", "SHOW transaction_isolation", "SELECT 'änd. x'",
	} {
		if Mentions(sql, c) {
			t.Errorf("%q is stopped", sql)
		}
	}
}

// TestMentionsLikeContains compares the one-pass search with the definition: the lowered text contains the lowered name.
func TestMentionsLikeContains(t *testing.T) {
	for _, name := range []string{"a", "ab", "aab", "aB", "b_b"} {
		table := policy.TableName{Schema: "s", Name: name}
		c := &Catalog{Tables: map[policy.TableName]*Table{table: {}}}
		for n := range 6 * 6 * 6 * 6 {
			var text strings.Builder
			for ; n > 0; n /= 6 {
				text.WriteByte("aAbB_ "[n%6])
			}
			if got, want := Mentions(text.String(), c), strings.Contains(lowerASCII(text.String()), lowerASCII(name)); got != want {
				t.Errorf("%q in %q: %t", name, text.String(), got)
			}
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
				if Mentions(sql, c) {
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
