package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// totalitySite has a table with one row of extremes, that of Bob.
var totalitySite = siteOptions{
	extra: `
CREATE TABLE public.extremes (id int PRIMARY KEY, name text, n8 int8, low int4, num numeric, real8 float8, unit8 float8, ts timestamp, c1 varchar COLLATE "C", c2 varchar COLLATE "POSIX");
INSERT INTO public.extremes SELECT i, 'person ' || i, 1, 1, 1, 1, 1, '2020-01-01', 'x', 'x' FROM generate_series(1, 50) AS i;
INSERT INTO public.extremes VALUES (99, 'Bob', 9223372036854775807, 1, 1, 1, 1e-300, '9999-12-31', 'x', 'x');`,
	tables: `
  public.extremes:
    person: row
    mechanism: {kind: geometric, epsilon: 1}
    budget: {epsilon: 100000, delta: 1e-4}
    columns:
      name: {}
      n8: {}
      low: {range: [1, 100]}
      num: {}
      real8: {}
      unit8: {values: [-1, 1]}
      ts: {}
      c1: {}
      c2: {}
`,
}

// TestErrorsTellNothing asks for expressions that PostgreSQL cannot evaluate, of the one row of Bob. An error of the count would say
// that he is there, so each is to be refused, or answered. It fails if the proof that no row can fail has a hole: values that are NULL in
// every row beside others, units and patterns that the server checks later than this program, results of functions that grow or are
// rounded, values between declared ones, infinite constants, and collations.
func TestErrorsTellNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, totalitySite)
	s.serve()
	conn := s.connect("ana", func(c *pgx.ConnConfig) { c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol })
	grown := "name"
	for range 5 {
		grown = fmt.Sprintf("replace(%s, 'o', '%s')", grown, strings.Repeat("o", 100))
	}
	substituted := "name"
	for range 5 {
		substituted = fmt.Sprintf("regexp_replace(%s, 'o', '%s', 'g')", substituted, strings.Repeat("o", 100))
	}
	small := "low::numeric" + strings.Repeat(" / 1e99", 12)
	later := "ts" + strings.Repeat(" + interval '999999 days'", 9)
	for _, expression := range []string{
		"GREATEST(NULL::int8 + n8, n8) * n8 > 0",
		"COALESCE(NULL::int8 + n8, n8) * n8 > 0",
		"CASE WHEN low = 7 THEN NULL::int8 + n8 ELSE n8 END * n8 > 0",
		"date_part('dows', ts) = 1",
		"extract('epochs' FROM ts) = 1",
		"date_trunc('quarters', ts) = '2020-01-01'",
		grown + " = ''",
		substituted + " = ''",
		"1 / ((low::float8 + 1e20::float8) - 1e20::float8) > 0",
		"1 / ((low::float8 + 1.0000000000000004::float8)::numeric - 2) > 0",
		"1 / (low::float4 + 16777216::float4 - 16777216::float4) > 0",
		"(" + small + ") / (" + small + ") > 0",
		"unit8 * unit8 * unit8 * unit8 > 0",
		"width_bucket(GREATEST('NaN'::float8, real8), 0, 1, 10) = 1",
		"width_bucket(GREATEST('NaN'::numeric, num), 0, 1, 10) = 1",
		"sign(GREATEST('NaN'::numeric, num))::int4 = 1",
		"extract(year FROM GREATEST(ts, 'infinity'))::int4 = 1",
		"extract(day FROM ts - timestamp '0001-01-01')::int2 > 0",
		"extract(year FROM " + later + ")::int2 > 0",
		"lower(c1::text || c2::text) = 'x'",
		"c1::text = c2::text",
		"NULLIF(c1, 'a') = NULLIF(c2, 'a')",
		"GREATEST(c1::text, c2::text) = 'x'",
		"name ~* '(?:[Z[:upper:]]?[Z[:upper:]]?[Z[:upper:]]?[Z[:upper:]]?){100}abcdefghijklmnopqrstuvwxyz'",
	} {
		sql := "SELECT count(*) FROM extremes WHERE CASE WHEN name = 'Bob' THEN " + expression + " END"
		_, err := conn.Exec(context.Background(), sql)
		var refused *pgconn.PgError
		if err != nil && (!errors.As(err, &refused) || refused.Code != "0A000" && refused.Code != "22023") {
			t.Errorf("%.200s\n%v", expression, err)
		}
	}
}
