package curator

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

// unreadableQuery lists the public tables ($1 and $2 are their schemas and names) that some of the analysts ($3) may not read, and the SQL that lets
// them. Privileges on columns count.
const unreadableQuery = `
SELECT pg_catalog.format('%I.%I', n.nspname, c.relname),
       CASE WHEN NOT pg_catalog.bool_and(u.usage) THEN pg_catalog.format('GRANT USAGE ON SCHEMA %I TO %s; ', n.nspname,
           pg_catalog.string_agg(pg_catalog.quote_ident(r.rolname::pg_catalog.text), ', ' ORDER BY r.rolname) FILTER (WHERE NOT u.usage)) ELSE '' END ||
       CASE WHEN NOT pg_catalog.bool_and(u.reads) THEN pg_catalog.format('GRANT SELECT ON %I.%I TO %s;', n.nspname, c.relname,
           pg_catalog.string_agg(pg_catalog.quote_ident(r.rolname::pg_catalog.text), ', ' ORDER BY r.rolname) FILTER (WHERE NOT u.reads)) ELSE '' END
FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])) WITH ORDINALITY AS t(schema, name, i)
JOIN pg_catalog.pg_namespace AS n ON n.nspname = t.schema
JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.name
JOIN pg_catalog.pg_roles AS r ON r.rolname = ANY ($3::pg_catalog.text[])
CROSS JOIN LATERAL (SELECT pg_catalog.has_schema_privilege(r.oid, n.oid, 'USAGE') AS usage,
                           pg_catalog.has_any_column_privilege(r.oid, c.oid, 'SELECT') AS reads) AS u
WHERE NOT (u.usage AND u.reads)
GROUP BY t.i, n.nspname, c.relname
ORDER BY t.i`

// UnreadablePublic says which public tables some analysts may not read, with the SQL that lets them. It is no finding: they learn nothing that they
// should not, but a join that keeps each row of such a table reads it in the analyst's own session, and is refused there.
func UnreadablePublic(ctx context.Context, p *policy.Policy) ([]string, error) {
	if len(p.Public) == 0 || len(p.Analysts) == 0 {
		return nil, nil
	}
	var schemas, names, analysts []string
	for _, t := range p.Public {
		schemas, names = append(schemas, t.Schema), append(names, t.Name)
	}
	for _, a := range p.Analysts {
		analysts = append(analysts, a.Name)
	}
	conn, err := pgx.Connect(ctx, primary(p))
	if err != nil {
		return nil, &LoginError{p, err}
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rows, err := conn.Query(ctx, unreadableQuery, schemas, names, analysts)
	if err != nil {
		return nil, err
	}
	var notes []string
	var table, grant string
	_, err = pgx.ForEachRow(rows, []any{&table, &grant}, func() error {
		notes = append(notes, printable(fmt.Sprintf("not all analysts may read the public table %s, so that a join that keeps its rows is refused: %s", table, grant)))
		return nil
	})
	return notes, err
}
