package curator

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"tacit/rewrite/mask"
	"tacit/rewrite/query"
)

// withheldFunctionsQuery lists the functions that the hardening takes from PUBLIC and tools call all the same. What of them is withheld,
// the server's privileges say: the number of rows may be no secret, and versions differ.
const withheldFunctionsQuery = `
SELECT p.proname, t.typname, coalesce(a.typname, ''), p.proretset,
       coalesce(o.names, '{}')::pg_catalog.text[], coalesce(o.types, '{}')::pg_catalog.text[]
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_type AS t ON t.oid = p.prorettype
LEFT JOIN pg_catalog.pg_type AS a ON a.oid = p.proargtypes[0]
LEFT JOIN LATERAL (
    SELECT pg_catalog.array_agg(u.name ORDER BY u.i) AS names, pg_catalog.array_agg(ut.typname ORDER BY u.i) AS types
    FROM ROWS FROM (pg_catalog.unnest(p.proargnames), pg_catalog.unnest(p.proallargtypes), pg_catalog.unnest(p.proargmodes))
         WITH ORDINALITY AS u(name, type, mode, i)
    JOIN pg_catalog.pg_type AS ut ON ut.oid = u.type
    WHERE u.mode IN ('o', 't')) AS o ON true
WHERE p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND p.prokind = 'f'
  AND p.proacl IS NOT NULL -- else PUBLIC may execute it; this spares the patterns three thousand names
  AND (p.proname ~ $1 AND p.proname !~ $2 OR p.proname ~ $3)
  AND NOT pg_catalog.has_function_privilege('public', p.oid, 'EXECUTE')
ORDER BY p.proname, a.typname = 'name' DESC, p.oid`

const classColumnsQuery = `
SELECT a.attname, t.typname, NOT pg_catalog.has_column_privilege('public', a.attrelid, a.attnum, 'SELECT')
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = 'pg_catalog.pg_class'::pg_catalog.regclass AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum`

// fromSystemViews leaves out what shows privileges on single columns: of a protected table there are none.
const fromSystemViews = `
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_rewrite AS r ON r.ev_class = c.oid AND r.rulename = '_RETURN'
WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind = 'v'
  AND c.relname NOT IN ('column_privileges', 'role_column_grants')
  AND pg_catalog.has_table_privilege('public', c.oid, 'SELECT')`

const systemViewsQuery = "SELECT n.nspname = 'information_schema', c.relname, pg_catalog.pg_get_viewdef(c.oid)" + fromSystemViews

// serverToldQuery asks whether the curator may ask which server this is, as PostgreSQL lets everybody.
const serverToldQuery = `SELECT pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')
	AND pg_catalog.has_function_privilege('pg_catalog.pg_control_checkpoint()', 'EXECUTE')`

// ruleVersionsQuery tells the server, and digests which version each view's rule has. That takes a 25th to a 50th of the time that the definitions
// take. Whoever replaces a view makes a new version of its rule, under the xid of the transaction. Other servers may have other rules under the same
// xids, and so may other timelines of one server. On one timeline an xid comes again after four billion others.
//
// Two cases are missed: servers that were copied with their files and went apart on one timeline, and a view that is replaced under the very xid of its
// former version. A miss costs a wrong answer about the server's own catalog, and no privacy (see package mask).
const ruleVersionsQuery = "SELECT pg_catalog.concat_ws(' ', pg_catalog.version(), (SELECT s.system_identifier FROM pg_catalog.pg_control_system() AS s), " +
	"(SELECT t.timeline_id FROM pg_catalog.pg_control_checkpoint() AS t), pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat(" +
	"n.nspname, '.', c.relname, ' ', r.oid, ' ', r.xmin), ', ' ORDER BY c.oid)))" + fromSystemViews

// ruleTreesQuery digests the rules themselves. It is for a curator who may not ask which server this is, and takes some 10 ms of the server's time.
const ruleTreesQuery = "SELECT pg_catalog.concat_ws(' ', pg_catalog.version(), pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat(" +
	"n.nspname, '.', c.relname, ' ', r.ev_action), ', ' ORDER BY c.oid)))" + fromSystemViews

// A systemViews has the definitions of the views of a server's own catalog by name. It never changes.
type systemViews struct {
	rules           string // what systemRules said of them
	views, standard map[string]string
}

// knownSystemViews are those that were loaded last. All databases of a server have the same, and they hardly ever change.
var knownSystemViews atomic.Pointer[systemViews]

// loadWithheld asks the server what it withholds of its own catalog.
func loadWithheld(ctx context.Context, s *Snapshot) (*mask.Withheld, error) {
	w := &mask.Withheld{}
	if err := loadWithheldFunctions(ctx, s, w); err != nil {
		return nil, err
	}
	rows, err := s.Conn.Query(ctx, classColumnsQuery)
	if err != nil {
		return nil, err
	}
	var c mask.Column
	_, err = pgx.ForEachRow(rows, []any{&c.Name, &c.Type, &c.Withheld}, func() error {
		w.Columns = append(w.Columns, c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	views, err := loadSystemViews(ctx, s)
	if err != nil {
		return nil, err
	}
	w.Views, w.Standard = views.views, views.standard
	return w, nil
}

// systemRules tells the rules of a server's own views from those of other servers and times.
func systemRules(ctx context.Context, s *Snapshot) (rules string, err error) {
	var told bool
	if err := s.Conn.QueryRow(ctx, serverToldQuery).Scan(&told); err != nil {
		return "", err
	}
	query := ruleTreesQuery
	if told {
		query = ruleVersionsQuery
	}
	err = s.Conn.QueryRow(ctx, query).Scan(&rules)
	return rules, err
}

func loadSystemViews(ctx context.Context, s *Snapshot) (*systemViews, error) {
	rules, err := systemRules(ctx, s)
	if err != nil {
		return nil, err
	}
	if known := knownSystemViews.Load(); known != nil && known.rules == rules {
		return known, nil
	}
	rows, err := s.Conn.Query(ctx, systemViewsQuery)
	if err != nil {
		return nil, err
	}
	v := &systemViews{rules: rules, views: make(map[string]string), standard: make(map[string]string)}
	var standard bool
	var name, definition string
	_, err = pgx.ForEachRow(rows, []any{&standard, &name, &definition}, func() error {
		if standard {
			v.standard[name] = definition
		} else {
			v.views[name] = definition
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	knownSystemViews.Store(v)
	return v, nil
}

// shown lists the columns of a table that analysts are shown as selectable.
func shown(ctx context.Context, s *Snapshot, t *query.Table) (mask.Table, error) {
	table := mask.Table{OID: t.OID}
	rows, err := s.Conn.Query(ctx, "SELECT attname, attnum FROM pg_catalog.pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum", t.OID)
	if err != nil {
		return table, err
	}
	var c mask.TableColumn
	_, err = pgx.ForEachRow(rows, []any{&c.Name, &c.Number}, func() error {
		if t.Column(c.Name) != nil {
			table.Columns = append(table.Columns, c)
		}
		return nil
	})
	return table, err
}

func loadWithheldFunctions(ctx context.Context, s *Snapshot, w *mask.Withheld) error {
	rows, err := s.Conn.Query(ctx, withheldFunctionsQuery, countersPattern, ownActivityPattern, sizesPattern)
	if err != nil {
		return err
	}
	var f mask.Function
	var names, types []string
	seen := make(map[string]bool) // by the first of several forms
	_, err = pgx.ForEachRow(rows, []any{&f.Name, &f.Type, &f.Argument, &f.Set, &names, &types}, func() error {
		if seen[f.Name] {
			return nil
		}
		seen[f.Name] = true
		if len(names) != len(types) {
			return fmt.Errorf("function %s has columns without names", f.Name)
		}
		f.Columns = nil
		for i := range names {
			f.Columns = append(f.Columns, mask.Column{Name: names[i], Type: types[i]})
		}
		w.Functions = append(w.Functions, f)
		return nil
	})
	return err
}
