package rewrite

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// derivable are keys of random statements: columns of each type, and what is computed of them. Among them are functions that tell values
// apart which the keys of cells do not: digits of a numeric, the sign of a zero, blanks.
var derivableKeys = []string{"city", "plan", "birth_year", "level", "points", "salary", "ratio", "score", "weight", "active", "code", "joined", "seen", "paid", "token", `"Odd Name"`,
	"birth_year / 10", "birth_year % 2", "coalesce(level, 0)", "lower(city)", "left(city, 1)", "length(plan)", "upper(plan)", "city || plan", "concat(plan, '-', level)",
	"CASE WHEN birth_year > 1985 THEN 'old' ELSE plan END", "CASE WHEN active THEN level ELSE birth_year END", "greatest(level, birth_year)", "nullif(city, 'Oslo')",
	"date_trunc('month', seen)", "date_trunc('month', joined)", "date_trunc('day', paid)", "extract(year FROM joined)", "to_char(seen, 'YYYY-MM')", "joined::timestamp",
	"active IS NULL", "level IS NULL AND active", "city = 'Oslo'", "birth_year = level", "city IN ('Oslo', 'Rome')",
	"ratio / 3", "ratio / 3", "ratio * 2", "birth_year / 3.0", "birth_year / 3.0 / 7", "round(birth_year / 3.0)", "round(ratio, 1)", "abs(score)", "code::text", "code::text || 'x'", "length(code)", "octet_length(plan)",
	"ratio = 2", "score = 0", "code = 'a'"}

// derivableTests are conditions computed of columns.
var derivableTests = []string{"birth_year / 10 = 199", "birth_year % 2 = 0", "lower(city) = 'oslo'", "length(plan) = 4", "upper(plan) = 'GOLD'", "date_trunc('month', seen) = '2020-01-01'",
	"extract(year FROM joined) = 2020", "coalesce(level, 0) > 0", "ratio / 3 < 0.6", "length(code) = 1", "city LIKE 'O%'",
	"octet_length(plan) = 4", "date_trunc('day', paid) = '2020-01-31'", "code::text = 'a'", "abs(score) = 0", "greatest(level, birth_year) > 3", "active IS NOT TRUE", "birth_year = level"}

// derivedFrom is Derive of a shape that was recorded as a text.
func derivedFrom(text string, q *query.BoundQuery, c query.Count) (*query.Derivation, bool) {
	shape, ok := query.ParseShape(text)
	if !ok {
		return nil, false
	}
	return shape.Derive(q, c)
}

// A statements makes pairs of statements, of which one may follow from the other.
type statements struct {
	*conditions
	derived, refused int
}

// parts are conditions that hold together.
func (g *statements) parts(most int) []string {
	parts := make([]string, g.IntN(most+1))
	for i := range parts {
		if parts[i] = g.condition(g.IntN(2)); g.IntN(3) == 0 {
			parts[i] = g.pick(derivableTests)
		}
	}
	return parts
}

func (g *statements) some(all []string, most int) []string {
	var some []string
	for range g.IntN(most + 1) {
		if item := g.pick(all); !slices.Contains(some, item) {
			some = append(some, item)
		}
	}
	return some
}

// pair makes a finer statement and one that is likely to follow from it: with more conditions, fewer keys, keys that are computed of the
// finer ones, and conditions that stand in FILTER or in WHERE.
func (g *statements) pair() (finer, coarser string) {
	keys := g.some(derivableKeys, 4)
	where, filter := g.parts(2), g.parts(1)
	near := &conditions{g.Rand, nil, nil}
	for _, k := range keys {
		if constants[k] != nil {
			near.columns = append(near.columns, k)
		}
	}
	narrowed := slices.Concat(where, filter)
	for range g.IntN(3) {
		if len(near.columns) > 0 && g.IntN(10) > 0 {
			narrowed = append(narrowed, near.condition(g.IntN(2)))
		} else {
			narrowed = append(narrowed, g.parts(1)...)
		}
	}
	g.Shuffle(len(narrowed), func(i, j int) { narrowed[i], narrowed[j] = narrowed[j], narrowed[i] })
	if g.IntN(8) == 0 && len(narrowed) > 0 {
		narrowed = narrowed[1:]
	}
	var fewer []string
	for _, k := range keys {
		if g.IntN(2) == 0 {
			fewer = append(fewer, k)
		}
	}
	if g.IntN(6) == 0 {
		fewer = append(fewer, g.some(derivableKeys, 1)...)
	}
	if g.IntN(3) > 0 {
		fewer = append(fewer, g.computedOf(keys)...)
	}
	cut := len(narrowed)
	if g.IntN(2) == 0 {
		cut = g.IntN(cut + 1)
	}
	return g.statement(keys, where, filter), g.statement(fewer, narrowed[:cut], narrowed[cut:])
}

// computedOf are keys that name one of the given columns.
func (g *statements) computedOf(keys []string) []string {
	var found []string
	for _, k := range derivableKeys {
		if slices.ContainsFunc(keys, func(column string) bool {
			return constants[column] != nil && k != column && strings.Contains(k, column)
		}) && g.IntN(6) == 0 {
			found = append(found, k)
		}
	}
	return found
}

func (g *statements) statement(keys, where, filter []string) string {
	sql := "SELECT count(*)"
	if len(filter) > 0 {
		sql += " FILTER (WHERE (" + strings.Join(filter, ") AND (") + "))"
	}
	sql += " FROM members"
	if len(where) > 0 {
		sql += " WHERE (" + strings.Join(where, ") AND (") + ")"
	}
	switch {
	case len(keys) > 0 && g.IntN(6) == 0: // the same cells, which are then added up
		sql += " GROUP BY ROLLUP (" + strings.Join(keys, ", ") + ")"
	case len(keys) > 0:
		sql += " GROUP BY " + strings.Join(keys, ", ")
	}
	return sql
}

// bound is the query of a statement; nil if it is refused.
func (t *twin) bound(sql string) *query.BoundQuery {
	t.tb.Helper()
	a, ok := analyze(t.tb, sql).(*Answer)
	if !ok {
		return nil
	}
	q, refusal := a.Queries[0].Bind(nil, t.constants(a, nil)...)
	if refusal != nil {
		t.tb.Fatalf("%s: %v", sql, refusal)
	}
	return q
}

// exact are the true counts of a query by cell, without cells of zero.
func (t *twin) exact(q *query.BoundQuery) (keys [][]pgvalue.Value, counts []int64, cells map[string]int64) {
	t.tb.Helper()
	sql, args := q.CountSQL(q.Counts[:1])
	keys, cells = make([][]pgvalue.Value, len(q.Keys)), make(map[string]int64)
	for _, row := range t.query(sql, args) {
		for i := range keys {
			keys[i] = append(keys[i], pgvalue.Value{Text: string(row[i]), Null: row[i] == nil})
		}
		var n int64
		fmt.Sscan(string(row[len(keys)]), &n)
		counts = append(counts, n)
		if n > 0 {
			cells[fmt.Sprintf("%q", markNull(row[:len(keys)]))] += n
		}
	}
	return keys, counts, cells
}

// markNull tells NULL from an empty text.
func markNull(row [][]byte) []string {
	marked := make([]string, len(row))
	for i, v := range row {
		if marked[i] = "NULL"; v != nil {
			marked[i] = "=" + string(v)
		}
	}
	return marked
}

// sum adds up the finer counts as a derivation says.
func sum(rows [][][]byte, counts []int64) map[string]int64 {
	sums := make(map[string]int64)
	for _, row := range rows {
		var ordinal int
		fmt.Sscan(string(row[0]), &ordinal)
		if n := counts[ordinal-1]; n > 0 {
			sums[fmt.Sprintf("%q", markNull(row[1:]))] += n
		}
	}
	return sums
}

// TestDerivedCountsAreExact makes random pairs of statements, and compares the sums of true finer counts, wherever one statement is said
// to follow from the other, with the true counts of the coarser one. It fails if a condition is taken for a function of keys that it is
// not (NULL, digits, blanks, zeros and collations included), if a condition of the finer statement does not follow, or if FILTER, WHERE,
// OR and IN are mixed up. It fails, too, if hardly anything is derived.
func TestDerivedCountsAreExact(t *testing.T) {
	server := newTwin(t)
	server.exec(trapRows)
	g := &statements{conditions: &conditions{rand.New(rand.NewPCG(17, 18)), columnNames, pairs}}
	computed, summed, filtered, complete, tries := 0, 0, 0, 0, 3000
	if testing.Short() {
		tries = 500
	}
	for range tries {
		finer, coarser := g.pair()
		f, q := server.bound(finer), server.bound(coarser)
		if f == nil || q == nil {
			continue
		}
		shape, ok := f.Shape(f.Counts[0])
		if !ok {
			continue
		}
		d, ok := derivedFrom(shape, q, q.Counts[0])
		if !ok {
			g.refused++
			continue
		}
		g.derived++
		keys, counts, _ := server.exact(f)
		_, _, want := server.exact(q)
		sql, args := d.SQL(keys)
		rows := server.query(sql, args)
		if got := sum(rows, counts); !maps.Equal(got, want) {
			t.Errorf("%s\nfrom %s:\n%v instead of\n%v", coarser, finer, got, want)
		}
		server.checkKind(d, q, keys, rows, finer+"\n"+coarser)
		if checkLeftOut(t, f, q, d, keys, counts, rows, want, finer+"\n"+coarser) {
			complete++
		}
		if slices.ContainsFunc(q.Keys, func(k *expr.Column) bool { return !k.Stored() }) {
			computed++
		}
		if !d.OneToOne() {
			summed++
		}
		if d.Rest != expr.Truth(true) {
			filtered++
		}
	}
	if g.derived < tries/3 || computed < tries/6 || summed < tries/6 || filtered < tries/15 || complete < tries/300 || g.refused < tries*7/30 {
		t.Errorf("%d derived (%d with computed keys, %d summed, %d filtered, %d of declared values alone), %d not", g.derived, computed, summed, filtered, complete, g.refused)
	}
	t.Logf("%d derived (%d with computed keys, %d summed, %d filtered, %d of declared values alone), %d not", g.derived, computed, summed, filtered, complete, g.refused)
}

// checkLeftOut drops the finer cells that a release would not have, since a key has a value that is not declared or known. The sums must be
// what they were, of such keys, unless something is said to be left out. It reports whether this told anything. Of cells that a threshold
// decides about none are added up.
func checkLeftOut(t *testing.T, f, q *query.BoundQuery, d *query.Derivation, keys [][]pgvalue.Value, counts []int64, rows [][][]byte, want map[string]int64, what string) bool {
	t.Helper()
	if len(d.LeftOut()) > 0 || d.OneToOne() || slices.ContainsFunc(f.KeyGroups(), func(g *query.KeyGroup) bool { return !g.Declared() }) {
		return false
	}
	shown := make([]int64, len(counts))
	for i := range counts {
		shown[i] = counts[i]
		for k, column := range f.Keys {
			if v := keys[k][i]; column.Stored() && !v.Null && !isCell(column, f, v.Text) {
				shown[i] = 0
			}
		}
	}
	got := sum(rows, shown)
	for _, row := range rows {
		cell := fmt.Sprintf("%q", markNull(row[1:]))
		declared := true
		for i, k := range q.Keys {
			declared = declared && (!k.Stored() || row[1+i] == nil || isCell(k, q, string(row[1+i])))
		}
		if declared && got[cell] != want[cell] {
			t.Errorf("%s\nnothing is said to be left out, and %s is %d instead of %d", what, cell, got[cell], want[cell])
		}
	}
	return true
}

// isCell reports whether a value of a stored key is declared, or known from a query.
func isCell(k *expr.Column, q *query.BoundQuery, text string) bool {
	known, _ := k.Known(q.Where)
	return slices.Contains(k.Domain, text) || k.Domain == nil && slices.Contains(known, pgvalue.Value{Text: text})
}

// checkKind compares what a derivation says of itself with its cells.
func (t *twin) checkKind(d *query.Derivation, q *query.BoundQuery, keys [][]pgvalue.Value, rows [][][]byte, what string) {
	t.tb.Helper()
	made := make(map[string]int)
	for _, row := range rows {
		made[fmt.Sprintf("%q", markNull(row[1:]))]++
	}
	if d.OneToOne() && len(made) != len(rows) {
		t.tb.Errorf("%s\n%d cells are made of %d, one of each", what, len(made), len(rows))
	}
	if places, ok := d.Projection(); ok {
		for i, row := range rows {
			for j, place := range places {
				if v := keys[place][i]; v.Null != (row[1+j] == nil) || v.Text != string(row[1+j]) {
					t.tb.Errorf("%s\ncell %d has %q for key %d, not %q", what, i, row[1+j], j, v.Text)
				}
			}
		}
		if len(keys) > 0 && len(rows) != len(keys[0]) {
			t.tb.Errorf("%s\na projection drops cells", what)
		}
	}
	if d.Selects() && d.OneToOne() { // groups, whatever FILTER leaves of them
		groups, _, _ := t.exact(&query.BoundQuery{Table: q.Table, Keys: q.Keys, Counts: []query.Count{{}}, Where: q.Where})
		if len(q.Keys) > 0 && len(groups[0]) != len(rows) {
			t.tb.Errorf("%s\n%d groups are selected of finer ones, and %d exist", what, len(rows), len(groups[0]))
		}
	}
}

// TestWhatFollows fails if a condition is taken to follow from another that lets more rows pass, or from one that the server compares in
// another way; and if what follows plainly is not seen.
func TestWhatFollows(t *testing.T) {
	server := newTwin(t)
	for _, test := range []struct {
		finer, coarser string // conditions over the keys city, birth_year, code, points, plan, salary
		want           bool
	}{
		{"true", "city = 'Oslo'", true},
		{"city = 'Oslo'", "true", false},
		{"city IN ('Oslo', 'Rome')", "city = 'Oslo'", true},
		{"city IN ('Oslo', 'Rome')", "city IN ('Oslo', 'Bern')", false},
		{"city <> 'Oslo'", "city IN ('Rome', 'Bern')", true},
		{"city NOT IN ('Oslo', 'Rome')", "city NOT IN ('Oslo', 'Rome', 'Bern')", true},
		{"city NOT IN ('Oslo', 'Rome')", "city <> 'Oslo'", false},
		{"city IS NOT NULL", "city = 'Oslo'", true},
		{"city IS NOT NULL", "city IS NOT NULL AND birth_year = 5", true},
		{"city IS NOT NULL", "lower(city) = 'oslo'", false}, // it does, but that is not known
		{"city > 'Oslo'", "city = 'Rome'", false},           // whether it does, the collation says
		{"city > 'Oslo'", "city IS NOT NULL", false},
		{"city > 'Oslo'", "city > 'Oslo' AND birth_year = 5", true},
		{"birth_year >= 18", "birth_year > 40", true},
		{"birth_year >= 18", "birth_year = 18", true},
		{"birth_year >= 18", "birth_year IN (17, 18)", false},
		{"birth_year >= 18", "birth_year >= 17", false},
		{"birth_year >= 18 OR birth_year IS NULL", "birth_year >= 18", false}, // it does, but the OR is no atom
		{"birth_year BETWEEN 5 AND 9", "birth_year IN (5, 7, 9)", true},
		{"birth_year BETWEEN 5 AND 9", "birth_year BETWEEN 6 AND 8 OR birth_year = 5", true},
		{"birth_year <> 5", "birth_year > 5", true},
		{"birth_year <> 5", "birth_year >= 5", false},
		{"birth_year IS NULL", "birth_year IS NULL AND city = 'Oslo'", true},
		{"points = 3", "points = 3::float8", false},
		{"points >= 3::float8", "points = 5", false},
		{"salary > 1", "salary > 1.5", true},
		{"salary > 1", "salary = 'NaN'", true},
		{"salary < 2", "salary = 'NaN'", false},
		{"code = 'a'", "code IN ('a  ', 'b')", false},
		{"code IN ('a', 'b')", "code = 'a '", true},
		{"code <> 'a '::varchar", "code = 'b'", false},
		{"plan = 'gold'", "plan = 'gold'::varchar", true},
		{"level = 3", "level = 3 AND city = 'Oslo'", true}, // level is no key
		{"level = 3", "level = 4", false},
		{"true", "level = 3", false},
		{"level > 3", "level > 4", false}, // the rest is no function of keys
		{"level > 3 AND city = 'Oslo'", "city = 'Oslo'", false},
		{"city = 'Oslo' OR plan = 'gold'", "(plan = 'gold' OR city = 'Oslo') AND birth_year = 5", true},
		{"city = 'Oslo' OR plan = 'gold'", "city = 'Oslo'", false},
	} {
		const statement = "SELECT count(*) FROM members WHERE %s GROUP BY city, birth_year, code, points, plan, salary"
		f, q := server.bound(fmt.Sprintf(statement, test.finer)), server.bound(fmt.Sprintf(statement, test.coarser))
		shape, ok := f.Shape(f.Counts[0])
		if !ok {
			t.Errorf("%s has no shape", test.finer)
			continue
		}
		if _, got := derivedFrom(shape, q, q.Counts[0]); got != test.want {
			t.Errorf("%s follows from %s: %t, want %t", test.coarser, test.finer, got, test.want)
		}
	}
}

// BenchmarkDerive is one look at a recorded shape, of which there may be thousands: most are of other questions.
func BenchmarkDerive(b *testing.B) {
	f := boundQuery(b, "SELECT city, plan, birth_year, count(*) FROM members WHERE active AND level IN (1, 2, 3) GROUP BY 1, 2, 3")
	q := boundQuery(b, "SELECT birth_year / 10, count(*) FROM members WHERE active AND level IN (1, 2, 3) AND city = 'Oslo' GROUP BY 1")
	text, _ := f.Shape(f.Counts[0])
	shape, ok := query.ParseShape(text)
	if !ok {
		b.Fatal(text)
	}
	for b.Loop() {
		if _, ok := shape.Derive(q, q.Counts[0]); !ok {
			b.Fatal("not derived")
		}
	}
}

// TestLeftOut fails if rows that are in no finer cell are not mentioned, or if some are that cannot be there.
func TestLeftOut(t *testing.T) {
	const finer = "SELECT count(*) FROM members GROUP BY city, plan, birth_year, active, joined, birth_year / 10"
	f := boundQuery(t, finer)
	for i, domain := range map[string][]string{"birth_year": {"5", "6", "7", "9"}, "active": {"f", "t"}, "joined": {"2020-01-01", "2020-01-02"}} {
		f.Table.Column(i).Domain = domain
	}
	shape, ok := f.CountShape(f.Counts[0])
	if !ok {
		t.Fatal("no shape")
	}
	for _, test := range []struct {
		keys, where string
		want        string
	}{
		{"city, plan, birth_year, active, joined", "true", ""},
		{"city, plan, birth_year, active", "true", "joined"},
		{"plan, birth_year, joined", "true", "city"}, // a boolean has no other values
		{"city", "true", "birth_year joined plan"},
		{"city, birth_year", "plan = 'gold' AND joined IS NULL", ""},
		{"city, birth_year", "plan IN ('gold', 'lead') AND joined IS NULL", "plan"},
		{"city, birth_year", "plan <> 'gold' AND joined IS NULL", "plan"},
		{"city, plan, joined", "birth_year BETWEEN 5 AND 7", ""},
		{"city, plan, joined", "birth_year > 4 AND birth_year < 8", ""},
		{"city, plan, joined", "birth_year BETWEEN 5 AND 8", "birth_year"},
		{"city, plan, joined", "birth_year < 7", "birth_year"},
		{"city, plan, joined", "birth_year IN (5, 9)", ""},
		{"city, plan, joined", "birth_year IN (5, 8)", "birth_year"},
		{"city, plan, joined, birth_year / 10", "true", "birth_year"},
		{"city, plan, joined, upper(city)", "birth_year = 5", ""},
		{"upper(city), plan, joined", "birth_year = 5", "city"},
		{"city, plan, birth_year", "joined BETWEEN '2020-01-01' AND '2020-01-02'", ""},
		{"city, plan, birth_year", "joined >= '2020-01-01'", "joined"},
		{"city, plan, birth_year", "joined BETWEEN '2020-01-01' AND '2020-01-03'", "joined"},
	} {
		q := *boundQuery(t, "SELECT count(*) FROM members WHERE "+test.where+" GROUP BY "+test.keys)
		for _, c := range f.Table.Columns {
			q.Table.Column(c.Name).Domain = c.Domain
		}
		q.Digests = &query.DomainDigests{}
		d, ok := shape.Derive(&q, q.Counts[0])
		if !ok {
			t.Errorf("%s by %s is not derived", test.where, test.keys)
			continue
		}
		if got := strings.Join(d.LeftOut(), " "); got != test.want {
			t.Errorf("%s by %s leaves out %q, want %q", test.where, test.keys, got, test.want)
		}
	}
}
