package curator_test

import (
	"testing"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

// The check asks for names as LIKE has them, the script by regular expressions: both must mean the same functions of this server.
func TestNamesOfFunctionsAreThoseOfTheScript(t *testing.T) {
	conn := site.Connect(t, "postgres", "postgres")
	for _, test := range curator.NameTests() {
		var matched, differ int
		err := conn.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE x.expression), count(*) FILTER (WHERE x.expression AND NOT x.asked OR x.asked AND NOT x.expression AND NOT $4)
			FROM pg_proc AS p CROSS JOIN LATERAL (SELECT CASE WHEN $4 THEN p.proname || '(' || replace(oidvectortypes(p.proargtypes), ', ', ',') || ')' ELSE p.proname END ~ $1 AS expression,
			                                             p.proname LIKE ANY ($2::text[]) OR p.proname = ANY ($3::text[]) AS asked) AS x
			WHERE p.pronamespace = 'pg_catalog'::regnamespace`, test.Expression, append([]string{}, test.Like...), append([]string{}, test.Names...), test.Wider).Scan(&matched, &differ)
		if err != nil || matched == 0 || differ > 0 {
			t.Errorf("%s: of %d functions %d differ (%v)", test.Expression, matched, differ, err)
		}
	}
}
