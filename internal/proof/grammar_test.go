package proof

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A grammar makes statements out of bytes: each byte is one choice, and where they end the first, simplest choice is made. It knows
// the shapes that are answered, about the tables of testdata/schema.sql, and leads from them towards what must be refused.
type grammar struct {
	choices []byte
	depth   int
	aliases int
	with    []relation // WITH queries in scope
}

func newGrammar(choices []byte) *grammar { return &grammar{choices: choices} }

// randomBytes are choices for some statements.
func randomBytes(r *rand.Rand) []byte {
	choices := make([]byte, 30+r.IntN(400))
	for i := range choices {
		choices[i] = byte(r.Uint32())
	}
	return choices
}

// below chooses a number below n.
func (g *grammar) below(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := int(g.choices[0])
	g.choices = g.choices[1:]
	return c % n
}

// one chooses one of some texts.
func (g *grammar) one(texts ...string) string { return texts[g.below(len(texts))] }

// rarely is true once in n times.
func (g *grammar) rarely(n int) bool { return g.below(n) == n-1 }

// A relation is what can stand in FROM.
type relation struct {
	name    string
	columns []column
	// protected rows are behind it, not counts.
	protected bool
}

// A column has one of the types i (integer), t (text), b (boolean), d (date), n (numeric), s (timestamp).
type column struct {
	name string
	kind byte
}

func columnsOf(list string) (columns []column) {
	for _, c := range strings.Fields(list) {
		columns = append(columns, column{c[2:], c[0]})
	}
	return columns
}

var protectedTables = []relation{
	{"people", columnsOf(`t:region t:sex i:age i:visits d:admitted t:illness t:ward n:income n:score b:active s:seen s:left_at i:rank t:label t:"Mixed" t:name`), true},
	{"members", columnsOf(`t:city t:plan i:birth_year i:level n:salary b:active d:joined t:full_name`), true},
	{"logins", columnsOf(`t:device t:city i:member_id`), true},
	{"adults", columnsOf(`t:region i:age`), true},
}

var ownTables = []relation{
	{"regions", columnsOf("t:region t:country"), false},
	{"notes", columnsOf("t:region t:note i:n d:at"), false},
	{"targets", columnsOf("t:region i:target d:quarter"), false},
	{"calendar", columnsOf("d:day b:holiday"), false},
	{"cities", columnsOf("t:city t:country"), false},
	{"mine", columnsOf("t:city i:n"), false},
}

// script is what one session sends, statement by statement.
func (g *grammar) script() []string {
	var script []string
	if g.rarely(6) {
		script = append(script, g.one(
			"CREATE TEMP TABLE people (region text, age int, sex text)",
			"CREATE TEMP VIEW members AS SELECT 'x'::text AS city, 1 AS birth_year",
			"SET LOCAL search_path = ana, public",
			"SET LOCAL search_path = pg_catalog",
			"SET LOCAL search_path = pg_temp, public",
			"CREATE TABLE ana.people (region text, age int)",
			"CREATE TEMP TABLE kept AS SELECT region, count(*) AS n FROM people GROUP BY region",
			"SAVEPOINT a",
			"PREPARE q AS "+g.counting(),
			"SET LOCAL TimeZone = 'Asia/Tokyo'",
			"DECLARE c CURSOR FOR "+g.counting(),
		))
	}
	for range 1 + g.below(2) {
		script = append(script, g.statement())
	}
	return script
}

// statement is one statement, as often as not a count.
func (g *grammar) statement() string {
	g.depth, g.with = 0, nil
	sql := ""
	switch g.below(12) {
	case 0, 1, 2:
		sql = g.counting()
	case 3, 4, 5, 6, 7:
		sql = g.query()
	case 8:
		sql = g.writing()
	case 9:
		sql = g.utility()
	case 10:
		sql = g.mutated(g.counting())
	default:
		sql = g.mutated(g.query())
	}
	if g.rarely(30) {
		sql += "; " + g.one("SELECT 1", "COMMIT", g.counting(), g.query())
	}
	return sql
}

// counting is a count of a protected table, as it is answered.
func (g *grammar) counting() string {
	r := protectedTables[g.below(3)]
	alias := g.alias(r.name)
	scope := []relation{{alias, r.columns, true}}
	sql, _ := g.count(g.spell(r.name)+" AS "+alias, scope)
	return sql
}

// count prints a SELECT of counts from something, and tells its columns.
func (g *grammar) count(from string, scope []relation) (string, []column) {
	var outputs, keys []string
	var columns []column
	if g.below(2) == 1 {
		for range 1 + g.below(2) {
			kind := "tiibdtn"[g.below(7)]
			key := g.key(scope, kind)
			name := fmt.Sprintf("k%d", len(keys)+1)
			outputs, columns = append(outputs, key+" AS "+name), append(columns, column{name, kind})
			keys = append(keys, g.one(key, fmt.Sprint(len(keys)+1), name))
		}
	}
	for range 1 + g.below(2) {
		name := fmt.Sprintf("c%d", len(columns)+1)
		outputs, columns = append(outputs, g.aggregate(scope)+" AS "+name), append(columns, column{name, 'i'})
	}
	sql := "SELECT " + strings.Join(outputs, ", ") + " FROM " + from
	if g.below(2) == 1 {
		sql += " WHERE " + g.boolean(scope)
	}
	if len(keys) > 0 {
		list := strings.Join(keys, ", ")
		if g.rarely(10) {
			list = g.one("ROLLUP", "CUBE", "GROUPING SETS") + " (" + list + ")"
		}
		sql += " GROUP BY " + list
	}
	if g.rarely(5) {
		sql += " HAVING " + g.aggregate(scope) + g.one(" > ", " < ", " <> ") + g.one("3", "100", "(SELECT max(n) FROM notes)")
	}
	if g.rarely(4) {
		sql += g.order(len(columns))
	}
	return sql, columns
}

// order orders by all columns, so that a LIMIT is certain.
func (g *grammar) order(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(i+1)+g.one("", " DESC", " NULLS FIRST"))
	}
	sql := " ORDER BY " + strings.Join(list, ", ")
	if g.below(2) == 1 {
		sql += g.one(" LIMIT 3", " LIMIT ALL", " OFFSET 1", " FETCH FIRST 2 ROWS ONLY")
	}
	return sql
}

// aggregate is a count, or what is near to one.
func (g *grammar) aggregate(scope []relation) string {
	filter := ""
	if g.rarely(4) {
		filter = " FILTER (WHERE " + g.boolean(scope) + ")"
	}
	switch g.below(14) {
	default:
		return "count(*)" + filter
	case 4:
		return "count(" + g.value(scope, g.kind()) + ")" + filter
	case 5:
		return "count(DISTINCT " + g.column(scope, g.kind()) + ")" + filter
	case 6:
		return "count(1)" + filter
	case 7:
		return "sum(CASE WHEN " + g.boolean(scope) + " THEN " + g.one("1", "1", "50", "age") + " ELSE 0 END)" + filter
	case 8:
		return "sum((" + g.boolean(scope) + ")::int)" + filter
	case 9:
		return "avg((" + g.boolean(scope) + ")::int)" + filter
	case 10:
		return g.one("max", "sum", "avg", "min", "bool_or", "stddev") + "(" + g.column(scope, 'i') + ")" + filter
	case 11:
		return "pg_catalog.count(*)" + filter
	case 12:
		return "count(*)" + filter + " OVER ()"
	case 13:
		return "sum(count(*)) OVER ()"
	}
}

// query is a SELECT from several things.
func (g *grammar) query() string {
	sql, _ := g.selection()
	return sql
}

const deepest = 3

// selection is a SELECT, perhaps with WITH queries and set operations, and its columns.
func (g *grammar) selection() (string, []column) {
	g.depth++
	defer func() { g.depth-- }()
	outer := g.with
	defer func() { g.with = outer }()
	prefix := ""
	if g.depth <= deepest && g.rarely(3) {
		prefix = "WITH "
		if g.rarely(5) {
			prefix += "RECURSIVE "
		}
		for i := range 1 + g.below(2) {
			if i > 0 {
				prefix += ", "
			}
			name := g.one(g.alias("w"), "people", "members", "notes", `"people"`, "logins")
			body, columns := g.selection()
			if g.rarely(3) { // from what the query itself hides, or does not hide yet
				r := protectedTables[g.below(len(protectedTables))]
				body, columns = "SELECT "+g.one("*", r.columns[0].name)+" FROM "+g.spell(r.name), r.columns
				name = g.one(r.name, `"`+r.name+`"`)
			}
			prefix += name + " AS " + g.one("", "", "MATERIALIZED ") + "(" + body + ") "
			g.with = append(append([]relation{}, g.with...), relation{strings.Trim(name, `"`), columns, false})
		}
	}
	sql, columns := g.simple()
	if g.rarely(8) {
		sql = "(" + sql + ") " + g.one("UNION ALL", "UNION", "EXCEPT", "INTERSECT ALL") + " (" + g.matching(columns) + ")"
	}
	return prefix + sql, columns
}

// matching is a SELECT of as many columns of the same types.
func (g *grammar) matching(columns []column) string {
	r := g.table(true)
	scope := []relation{r}
	var outputs []string
	for _, c := range columns {
		outputs = append(outputs, g.column(scope, c.kind))
	}
	if len(outputs) == 0 {
		outputs = []string{"1"}
	}
	return "SELECT " + strings.Join(outputs, ", ") + " FROM " + g.spell(r.name) + g.one("", " WHERE false", " LIMIT 0")
}

// simple is a SELECT without WITH.
func (g *grammar) simple() (string, []column) {
	from, scope := g.from()
	protected := false
	for _, r := range scope {
		protected = protected || r.protected
	}
	if protected && !g.rarely(4) || g.rarely(5) {
		return g.count(from, scope)
	}
	var outputs []string
	var columns []column
	for i := range 1 + g.below(3) {
		kind := g.kind()
		name := fmt.Sprintf("o%d", i+1)
		outputs, columns = append(outputs, g.value(scope, kind)+" AS "+name), append(columns, column{name, kind})
	}
	list := strings.Join(outputs, ", ")
	if g.rarely(10) {
		list, columns = g.one("*", scope[0].name+".*"), scope[0].columns
	}
	sql := "SELECT " + g.one("", "", "", "DISTINCT ", "ALL ") + list + " FROM " + from
	if g.below(3) == 2 {
		sql += " WHERE " + g.boolean(scope)
	}
	if g.rarely(5) && list != "*" {
		sql += g.order(len(columns))
	}
	if g.rarely(40) {
		sql += g.one(" FOR UPDATE", " FOR SHARE OF "+scope[0].name, " FOR KEY SHARE SKIP LOCKED")
	}
	return sql, columns
}

// from is a FROM list, and what is in scope by it.
func (g *grammar) from() (string, []relation) {
	from, r := g.item()
	scope := []relation{r}
	for g.depth <= deepest && g.rarely(3) && len(scope) < 3 {
		item, other := g.item()
		all := append(append([]relation{}, scope...), other)
		switch g.below(5) {
		case 0:
			from += g.one(" JOIN ", " LEFT JOIN ", " FULL JOIN ", " RIGHT JOIN ") + item + " ON " + g.column([]relation{scope[0]}, 't') + " = " + g.column([]relation{other}, 't')
		case 1:
			from += g.one(", ", " CROSS JOIN ") + item
		case 2:
			from += " JOIN " + item + " ON " + g.boolean(all)
		case 3:
			from += g.one(" NATURAL JOIN ", " NATURAL LEFT JOIN ") + item
		default:
			from += " JOIN " + item + " USING (" + g.one("region", "city") + ")"
		}
		scope = all
	}
	return from, scope
}

// item is one element of FROM.
func (g *grammar) item() (string, relation) {
	if g.depth <= deepest {
		switch g.below(9) {
		case 3: // counts
			alias := g.alias("c")
			r := protectedTables[g.below(3)]
			inner := g.alias(r.name)
			sql, columns := g.count(g.spell(r.name)+" "+inner, []relation{{inner, r.columns, true}})
			return g.one("", "", "", "", "LATERAL ") + "(" + sql + ") AS " + alias, relation{alias, columns, false}
		case 4: // rows of a protected table, wrapped
			alias := g.alias("x")
			r := protectedTables[g.below(len(protectedTables))]
			tail := g.one("", "", " WHERE "+g.boolean([]relation{r}), " ORDER BY 1", " LIMIT 5", " OFFSET 2", " FOR UPDATE")
			return "(SELECT " + g.one("*", "*", r.name+".*", "DISTINCT *") + " FROM " + g.spell(r.name) + tail + ") AS " + alias, relation{alias, r.columns, true}
		case 5:
			alias := g.alias("s")
			sql, columns := g.selection()
			return g.one("", "", "", "LATERAL ") + "(" + sql + ") AS " + alias, relation{alias, columns, false}
		case 6:
			if len(g.with) > 0 {
				w := g.with[g.below(len(g.with))]
				alias := g.alias("u")
				return w.name + " AS " + alias, relation{alias, w.columns, false}
			}
		case 7:
			alias := g.alias("f")
			return "generate_series(1, 3) AS " + alias + "(n)", relation{alias, columnsOf("i:n"), false}
		}
	}
	r := g.table(g.below(3) > 0)
	alias := g.alias("t")
	sample := ""
	if g.rarely(40) {
		sample = " TABLESAMPLE SYSTEM (50) REPEATABLE (1)"
	}
	return g.spell(r.name) + " AS " + alias + sample, relation{alias, r.columns, r.protected}
}

func (g *grammar) table(protected bool) relation {
	if protected {
		return protectedTables[g.below(len(protectedTables))]
	}
	return ownTables[g.below(len(ownTables))]
}

func (g *grammar) alias(stem string) string {
	g.aliases++
	if g.rarely(20) { // names that mean something else
		return g.one("people", "notes", "count", "age", "region", "members", `"T"`)
	}
	return fmt.Sprintf("%.1s%d", stem, g.aliases)
}

// spell writes the name of a table in one of the ways that mean it.
func (g *grammar) spell(name string) string {
	switch g.below(14) {
	default:
		return name
	case 6:
		return "public." + name
	case 7:
		return `"` + name + `"`
	case 8:
		return `"public"."` + name + `"`
	case 9:
		return strings.ToUpper(name)
	case 10:
		return fmt.Sprintf(`U&"\%04x%s"`, name[0], name[1:])
	case 11:
		return "public /* people */ . -- '\n " + name
	case 12:
		return fmt.Sprintf(`public.U&"!%04x%s" UESCAPE '!'`, name[0], name[1:])
	case 13:
		return g.one("ONLY "+name, name+" *", "ana."+name, "pg_temp."+name, "copy.public."+name, `"PEOPLE"`)
	}
}

func (g *grammar) kind() byte { return "itbdns"[g.below(6)] }

// column is a column of some kind, if the scope has one.
func (g *grammar) column(scope []relation, kind byte) string {
	if g.rarely(40) {
		r := scope[g.below(len(scope))]
		return g.one(r.name, r.name+".*", "ctid", "tableoid", r.name+".nothing", "nothing", r.name+".to_jsonb", "("+r.name+").age", `"Mixed Case"`)
	}
	var found []string
	for _, r := range scope {
		for _, c := range r.columns {
			if c.kind == kind {
				found = append(found, g.one(c.name, r.name+"."+c.name))
			}
		}
	}
	if len(found) == 0 {
		return g.constant(kind)
	}
	return found[g.below(len(found))]
}

func (g *grammar) constant(kind byte) string {
	switch kind {
	case 't':
		return g.one("'north'", "'F'", "'flu'", "''", "E'\\x41'", "U&'\\0041'", "$x$people$x$", "'Oslo'", "'it''s'", "NULL::text")
	case 'b':
		return g.one("true", "false", "NULL::bool", "'t'::bool")
	case 'd':
		return g.one("'2024-03-01'::date", "DATE '2024-06-30'", "'infinity'::date", "NULL::date")
	case 'n':
		return g.one("1.5", "'NaN'::numeric", "1e3", "0.0", "-3.25")
	case 's':
		return g.one("'2024-02-29 12:00:00'::timestamp", "TIMESTAMP '2024-01-01 00:00:00'", "NULL::timestamp")
	}
	return g.one("1", "30", "0", "-5", "2147483647", "NULL::int", "99")
}

// key is what a count may be grouped by.
func (g *grammar) key(scope []relation, kind byte) string {
	if g.below(3) > 0 {
		return g.column(scope, kind)
	}
	return g.value(scope, kind)
}

// value is an expression of some kind.
func (g *grammar) value(scope []relation, kind byte) string {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > deepest+2 || g.below(3) == 0 {
		return g.column(scope, kind)
	}
	if g.rarely(12) {
		return g.scalar(scope, kind)
	}
	if g.rarely(10) {
		return "CASE WHEN " + g.boolean(scope) + " THEN " + g.value(scope, kind) + " ELSE " + g.constant(kind) + " END"
	}
	if g.rarely(10) {
		return g.one("coalesce", "nullif", "greatest", "least") + "(" + g.value(scope, kind) + ", " + g.constant(kind) + ")"
	}
	switch kind {
	case 't':
		return g.text(scope)
	case 'b':
		return g.boolean(scope)
	case 'd':
		return g.one("date_trunc('month', "+g.column(scope, 'd')+")::date", g.column(scope, 'd')+" + 1", g.constant('d'), "("+g.column(scope, 's')+")::date")
	case 'n':
		return g.one(g.column(scope, 'n'), "extract(year FROM "+g.column(scope, 'd')+")", "round("+g.column(scope, 'n')+"::numeric)", g.column(scope, 'i')+" / 2.0", "ln("+g.column(scope, 'n')+")", g.column(scope, 'i')+"::numeric")
	case 's':
		return g.one("date_trunc('day', "+g.column(scope, 's')+")", g.column(scope, 's'), g.column(scope, 'd')+"::timestamp")
	}
	switch g.below(9) {
	case 0:
		return g.column(scope, 'i') + g.one(" / 10 * 10", " % 7", " + 1", " - 1", " * 2", " / 10", " & 3")
	case 1:
		return "abs(" + g.column(scope, 'i') + ")"
	case 2:
		return "length(" + g.value(scope, 't') + ")"
	case 3:
		return "width_bucket(" + g.column(scope, 'i') + ", 0, 100, 5)"
	case 4:
		return "(" + g.column(scope, 'i') + ") - " + g.column(scope, 'i')
	case 5:
		return "(" + g.boolean(scope) + ")::int"
	case 6:
		return g.one("100 / ", "mod(7, ", "power(2, ", "(1 + ") + g.column(scope, 'i') + g.one("", ")")
	case 7:
		return g.column(scope, 't') + "::int"
	}
	return g.constant('i')
}

func (g *grammar) text(scope []relation) string {
	t := g.column(scope, 't')
	switch g.below(9) {
	case 0:
		return g.one("lower", "upper", "trim", "reverse", "md5", "initcap", "quote_literal") + "(" + t + ")"
	case 1:
		return t + " || " + g.value(scope, 't')
	case 2:
		return g.one("left", "right", "repeat") + "(" + t + ", " + g.one("1", "3", "age") + ")"
	case 3:
		return "substring(" + t + " FROM 1 FOR 2)"
	case 4:
		return "(" + g.value(scope, g.kind()) + ")::text"
	case 5:
		return "to_char(" + g.column(scope, 'd') + ", " + g.one("'YYYY-MM'", "'YYYY'", "illness") + ")"
	case 6:
		return "replace(" + t + ", 'a', 'b')"
	case 7:
		return "concat(" + t + ", " + g.column(scope, 'i') + ")"
	}
	return t + " COLLATE \"C\""
}

// scalar is a sub-select that stands for one value.
func (g *grammar) scalar(scope []relation, kind byte) string {
	if g.depth > deepest {
		return g.constant(kind)
	}
	if kind == 'i' && g.below(3) > 0 {
		return "(" + g.counting() + ")"
	}
	r := g.table(g.below(2) == 0)
	inner := []relation{r}
	if g.rarely(3) {
		inner = append(inner, scope...) // correlated
	}
	return "(SELECT " + g.one("", "max") + "(" + g.column(inner, kind) + ") FROM " + g.spell(r.name) + g.one(" LIMIT 1", "", " WHERE "+g.boolean(inner)+" LIMIT 1") + ")"
}

// boolean is a condition.
func (g *grammar) boolean(scope []relation) string {
	g.depth++
	defer func() { g.depth-- }()
	kind := g.kind()
	c := g.column(scope, kind)
	if g.depth > deepest+2 {
		return c + " IS NOT NULL"
	}
	switch g.below(16) {
	default:
		return c + g.one(" = ", " > ", " <= ", " <> ", " IS DISTINCT FROM ") + g.constant(kind)
	case 4:
		return g.value(scope, kind) + g.one(" = ", " < ", " >= ") + g.value(scope, kind)
	case 5:
		return "(" + g.boolean(scope) + g.one(" AND ", " OR ") + g.boolean(scope) + ")"
	case 6:
		return "NOT (" + g.boolean(scope) + ")"
	case 7:
		return c + g.one(" IS NULL", " IS NOT NULL")
	case 8:
		return c + g.one(" IN (", " NOT IN (") + g.constant(kind) + ", " + g.constant(kind) + ")"
	case 9:
		return c + " BETWEEN " + g.constant(kind) + " AND " + g.constant(kind)
	case 10:
		return g.column(scope, 't') + g.one(" LIKE 'n%'", " ~ '^f'", " ILIKE '%O%'", " LIKE ward", " SIMILAR TO 'a%'", " ~ '('")
	case 11:
		return c + " = " + g.one("ANY", "ALL") + " (ARRAY[" + g.constant(kind) + ", " + g.constant(kind) + "])"
	case 12:
		return g.column(scope, 'b') + g.one("", " IS TRUE", " IS UNKNOWN")
	case 13:
		r := g.table(g.below(2) == 0)
		return c + g.one(" IN ", " NOT IN ", " = ANY ", " > ALL ") + "(SELECT " + g.column([]relation{r}, kind) + " FROM " + g.spell(r.name) + ")"
	case 14:
		r := g.table(g.below(2) == 0)
		return g.one("EXISTS ", "NOT EXISTS ") + "(SELECT " + g.one("", "1", "*") + " FROM " + g.spell(r.name) + " WHERE " + g.boolean(append([]relation{r}, scope...)) + ")"
	case 15:
		return g.one("pg_advisory_lock(1) IS NULL", "random() < 2", "1 / 0 = 1", "ana.f(1)", "current_setting('role') = 'x'", "setseed(0.1) IS NULL", "(1, 2) = (1, 2)", "has_table_privilege('people', 'SELECT')")
	}
}

// writing is a statement that writes to a table of the analyst's own, or tries to write to another.
func (g *grammar) writing() string {
	target := g.one("notes", "notes", "targets", "people", "public.members")
	switch g.below(9) {
	case 0:
		return "INSERT INTO targets (region, target) SELECT 'x', (" + g.counting() + ")"
	case 1:
		return "INSERT INTO " + target + " (region) SELECT " + g.one("region", "illness", "count(*)::text") + " FROM " + g.spell("people") + g.one("", " GROUP BY 1", " GROUP BY region")
	case 2:
		return "UPDATE " + target + " SET region = 'y' WHERE " + g.boolean([]relation{ownTables[1]}) + g.one("", " RETURNING *", " RETURNING ("+g.counting()+")")
	case 3:
		return "UPDATE notes SET n = x.c1 FROM (" + g.counting() + ") AS x"
	case 4:
		return "DELETE FROM " + target + g.one("", " USING people", " USING ("+g.counting()+") AS x", " WHERE n IN ("+g.counting()+")")
	case 5:
		return "CREATE " + g.one("TEMP ", "") + "TABLE " + g.one("kept", "ana.kept", "people", "pg_temp.people") + " AS " + g.one(g.counting(), g.query())
	case 6:
		sql := g.counting()
		return strings.Replace(sql, " FROM ", " INTO "+g.one("TEMP ", "")+"made FROM ", 1)
	case 7:
		return "WITH x AS (" + g.query() + ") INSERT INTO notes (n) SELECT 1 FROM x"
	}
	return "MERGE INTO notes USING " + g.spell("people") + " AS p ON p.region = notes.region WHEN MATCHED THEN DELETE"
}

// utility is another statement.
func (g *grammar) utility() string {
	q := g.one(g.counting(), g.query())
	name := g.spell(protectedTables[g.below(len(protectedTables))].name)
	return g.one(
		"EXPLAIN (COSTS OFF) "+q,
		"EXPLAIN ANALYZE "+q,
		"COPY ("+q+") TO STDOUT",
		"COPY "+name+" TO STDOUT",
		"PREPARE p AS "+q,
		"EXECUTE q",
		"EXECUTE p",
		"DECLARE c2 CURSOR FOR "+q,
		"FETCH ALL FROM c",
		"CREATE VIEW ana.v AS "+q,
		"CREATE TEMP VIEW v AS "+q,
		"LOCK "+name,
		"TRUNCATE "+name,
		"ANALYZE "+name,
		"CREATE TABLE ana.t (LIKE "+name+")",
		"CREATE TABLE ana.t () INHERITS ("+name+")",
		"CREATE TABLE ana.t (n int REFERENCES "+name+" (id))",
		"ALTER TABLE "+name+" RENAME TO other",
		"ALTER TABLE notes RENAME TO people",
		"COMMENT ON TABLE "+name+" IS 'x'",
		"DROP TABLE IF EXISTS "+name,
		"DO $$BEGIN PERFORM 1 FROM people; END$$",
		"SELECT '"+strings.ReplaceAll(name, "'", "''")+"'::regclass",
		"CREATE RULE r AS ON DELETE TO notes DO ALSO "+q,
		"SET LOCAL search_path = ana, public, pg_temp",
		"ROLLBACK TO a",
		"DEALLOCATE ALL",
		"CREATE SEQUENCE ana.s OWNED BY people.id",
		"GRANT SELECT ON "+name+" TO ana",
		"TABLE "+name,
		"VALUES ((SELECT max(age) FROM "+name+"))",
	)
}

// mutated changes some words of a statement.
func (g *grammar) mutated(sql string) string {
	words := strings.Fields(sql)
	for range 1 + g.below(3) {
		i := g.below(len(words))
		switch g.below(7) {
		case 0:
			words[i] = g.one("people", "public.people", "notes", "age", "region", "*", "count(*)", "name", "NULL", "members")
		case 1:
			words = append(words[:i:i], append([]string{g.one("DISTINCT", "ALL", "LATERAL", "ONLY", "NOT", "(", ")", ",", "--", "/*", "*/", "'", `"`, ";", "FROM people", "UNION SELECT", ", people", ", name", "OVER ()")}, words[i:]...)...)
		case 2:
			if len(words) > 1 {
				words = append(words[:i:i], words[i+1:]...)
			}
		case 3:
			j := g.below(len(words))
			words[i], words[j] = words[j], words[i]
		case 4:
			words[i] = strings.ToUpper(words[i])
		case 5:
			words[i] = "(" + words[i] + ")"
		case 6:
			words[i] = words[i] + "/**/"
		}
	}
	return strings.Join(words, g.one(" ", " ", "\n", "\t", " /* FROM notes */ ", " -- x\n"))
}
