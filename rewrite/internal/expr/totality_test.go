package expr

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
)

// extremes are values of each type at the ends of what it holds, and some within. Constant arguments are taken from them, too.
var extremes = map[pgvalue.OID][]string{
	pgvalue.Bool:        {"t", "f"},
	pgvalue.Int2:        {"-32768", "-1", "0", "1", "32767"},
	pgvalue.Int4:        {"-2147483648", "-1", "0", "1", "7", "2147483647"},
	pgvalue.Int8:        {"-9223372036854775808", "-1", "0", "1", "9223372036854775807"},
	pgvalue.Numeric:     {"NaN", "0", "-0.0000000000000001", "1e-100", "1.5", "-1e100", "1e100", "1e131071", "-1e131071", "1e-16383"},
	pgvalue.Float4:      {"NaN", "Infinity", "-Infinity", "0", "-0", "1e-45", "-1e-45", "1.5", "3.4e38", "-3.4e38", "1e-30", "1e30"},
	pgvalue.Float8:      {"NaN", "Infinity", "-Infinity", "0", "-0", "5e-324", "-5e-324", "1.5", "1.7e308", "-1.7e308", "1e-100", "1e100"},
	pgvalue.Text:        {"", " ", "a", "Ünïcode ﷺ", "1", "%_\\", "(((", "O'slo", "x,y,z", "day", "year", "UTC"},
	pgvalue.Varchar:     {"", "a", "Ünïcode"},
	pgvalue.Bpchar:      {"", "a", "abc"},
	pgvalue.Date:        {"-infinity", "infinity", "4713-01-01 BC", "5874897-12-31", "0001-01-01", "9999-12-31", "2020-02-29"},
	pgvalue.Timestamp:   {"-infinity", "infinity", "4713-01-01 00:00:00 BC", "294276-12-31 23:59:59.999999", "0001-01-01", "9999-12-31 23:59:59", "2020-02-29 12:34:56.789"},
	pgvalue.Timestamptz: {"-infinity", "infinity", "4713-01-02 00:00:00+00 BC", "294276-12-31 23:59:59.999999+00", "0001-01-01 00:00:00+00", "9999-12-31 00:00:00+00", "2020-02-29 12:34:56.789+00"},
	pgvalue.Interval:    {"178956970 years 7 mons 2147483647 days 2562047788:00:54.775807", "-178956970 years -8 mons", "0", "-1200000 mons 36000000 days", "1 mon -30 days", "00:00:00.000001"},
	pgvalue.Jsonb: {"null", "1", `"a"`, "true", "[]", "{}", `{"a": null, "1": [1, "a", null], "Ünïcode ﷺ": {"a": 1e1000}}`, `[{"a": "b\\u2603"}, 1e-1000, "1", [], -1]`,
		`"` + strings.Repeat("x", 60_000) + `"`, `["` + strings.Repeat("x", 70_000) + `"]`},
	1009:         {"{}", "{NULL}", "{a,1,NULL}", "{{a,b},{c,d}}", "[-3:-1]={x,y,1}", "{" + strings.Repeat("xyz,", 20_000) + "a}"},
	1015:         {"{}", "{NULL}", "{a,1,NULL}", "{{a,b},{c,d}}"},
	1007:         {"{}", "{NULL}", "{1,-2147483648,2147483647}", "{{1,2},{3,4}}", "[2147483646:2147483646]={7}"},
	1016:         {"{}", "{NULL}", "{1,-9223372036854775808,9223372036854775807}"},
	pgvalue.UUID: {"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
}

// constantTexts are constant arguments besides the extremes that this package reads.
var constantTexts = map[pgvalue.OID][]string{
	pgvalue.Text:     {"month", "epoch", "YYYY-MM-DD", "FMMonth DDD HH24:MI:SS.US", "Europe/Berlin", "[a-z]+", "g", strings.Repeat("x", bounds.MaxTextArgument)},
	pgvalue.Int4:     {"100", "-100", "1000000"},
	pgvalue.Interval: {"1 day", "900 years", "-900 years", "1 month -3 days 04:05:06", "999999 days"},
	pgvalue.Numeric:  {"10", "-3", "0.5", "1e100", "1e-100"},
	pgvalue.Float8:   {"10", "-3", "0.5", "1e100", "1e-100"},
}

// TestFunctionsAreTotal applies every function, operator and cast that can be used on columns to columns that hold the extremes of
// their types, with and without declared domains, and with every constant that it accepts: the server must never raise an error,
// whichever rows it reads. It fails if a function is listed that can fail, if a guard or a bound is wrong, and if a constant is not
// checked that the server checks when it reaches a row.
func TestFunctionsAreTotal(t *testing.T) {
	on := newServer(t)
	var columns []Column
	var values [][]string
	for _, b := range pgvalue.Builtins {
		for n := range 2 {
			columns = append(columns, Column{Name: fmt.Sprintf("%s_%d", b.Name, n+1), TypeOID: b.OID, TypeName: "pg_catalog." + b.Name, Typmod: -1, Formatted: b.Shown})
			values = append(values, extremes[b.OID])
		}
	}
	for _, name := range []string{"jsonb", "_text", "_varchar", "_int4", "_int8"} {
		oid := typeNamed(name)
		for n := range 2 {
			columns = append(columns, Column{Name: fmt.Sprintf("%s_%d", name, n+1), TypeOID: oid, TypeName: "pg_catalog." + name, Typmod: -1, Formatted: pgvalue.ShownType(oid)})
			values = append(values, extremes[oid])
		}
	}
	columns = append(columns, Column{Name: "enum_1", TypeOID: pgvalue.Enum, TypeName: "pg_catalog.text", Typmod: -1, Formatted: "enum"})
	values = append(values, []string{"", strings.Repeat("x", 63)})
	if on.try("SELECT '2562047788:00:54'::interval", nil) != nil { // PostgreSQL 14 reads no more hours than an integer has
		for _, v := range values {
			for i := range v {
				v[i] = strings.Replace(v[i], "2562047788:00:54.775807", "2147483647:59:59.999999", 1)
			}
		}
	}
	makeExtremes(on, columns, values)
	if on.try("SELECT 'infinity'::interval", nil) == nil { // since PostgreSQL 17
		on.exec("INSERT INTO t_interval_1 VALUES ('infinity'), ('-infinity'); INSERT INTO t_interval_2 SELECT interval_1 FROM t_interval_1 WHERE interval_1 IN ('infinity', '-infinity')")
	}
	calls := 0
	apply := func(f *Overload) {
		if f.SQL == "" {
			return
		}
		for _, declared := range []bool{false, true} {
			for _, args := range samples(f, columns, declared) {
				c := &Call{Function: f, Args: args}
				if f.ServerCheck != "" && on.try("SELECT "+fmt.Sprintf(f.ServerCheck, "$1::pg_catalog.text"), []string{args[f.ServerChecked].Literal.Text}) != nil {
					continue // refused before it is asked
				}
				if !slices.ContainsFunc(args, func(o Operand) bool { return !o.IsConstant() }) {
					continue
				}
				b := &Binding{MaxAtoms: MaxAtoms}
				column := c.Bind(b)
				if b.Refusal != nil {
					continue
				}
				calls++
				w := &SQLWriter{Column: func(c *Column) string { return c.Name }}
				sql := "SELECT count(" + w.Value(column) + ") FROM " + sources(column)
				if err := on.try(sql, w.Args); err != nil {
					t.Errorf("%s\n%s %q\n%v", column.Text(), sql, w.Args, err)
					continue
				}
				checkBounds(on, column)
			}
		}
	}
	for _, name := range sortedNames() {
		for i := range FunctionList[name] {
			apply(&FunctionList[name][i])
		}
	}
	for i := range CastList {
		apply(&CastList[i])
	}
	if calls < 1200 {
		t.Errorf("only %d calls were tried", calls)
	}
}

// checkBounds compares the bounds of a column with the least and the greatest value that it has. They are what the next function is
// proved by.
func checkBounds(on *server, column *Column) {
	w := &SQLWriter{Column: func(c *Column) string { return c.Name }}
	value, oid := w.Value(column), column.TypeOID
	switch {
	case pgvalue.IsText(oid):
		value, oid = "octet_length("+value+")", pgvalue.Int4
	case pgvalue.IsStructured(oid): // no text is made of it
		return
	case oid == pgvalue.Interval:
		value, oid = "extract(day FROM "+value+")", pgvalue.Numeric
	}
	if oid == pgvalue.Bool {
		return
	}
	for _, extreme := range on.query(fmt.Sprintf("SELECT unnest(ARRAY[min(v), max(v)])::text FROM (SELECT %s AS v FROM %s) AS t", value, sources(column)), w.Args) {
		if extreme[0] == nil {
			continue
		}
		d, refusal := pgvalue.ReadDatum(oid, string(extreme[0]))
		if pgvalue.IsTime(oid) && refusal != nil {
			continue // of a year that no constant has
		}
		if wide := column.computation.wide; !wide.Known() || refusal != nil || !bounds.OfConstant(d).Within(wide.Least, wide.Greatest) {
			on.tb.Errorf("%s is %s, and thought to be between %v and %v", column.Text(), extreme[0], wide.Least, wide.Greatest)
		}
	}
}

// TestFunctionsHaveBounds fails if nothing was said of the values of a function that another could fail on.
func TestFunctionsHaveBounds(t *testing.T) {
	check := func(f *Overload) {
		if f.SQL != "" && f.Result != pgvalue.Bool && f.bounds == nil && f.boundsOf == nil {
			t.Errorf("%s: %v has no bounds", f.Name, f.Args)
		}
	}
	for _, name := range sortedNames() {
		for i := range FunctionList[name] {
			check(&FunctionList[name][i])
		}
	}
	for i := range CastList {
		check(&CastList[i])
	}
}

func sortedNames() []string {
	var names []string
	for name := range FunctionList {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// makeExtremes creates a table for each column, so that their values can be combined.
func makeExtremes(on *server, columns []Column, values [][]string) {
	for i, c := range columns {
		on.exec(fmt.Sprintf("CREATE TABLE t_%s (%s %s)", c.Name, c.Name, strings.TrimPrefix(c.TypeName, "pg_catalog.")))
		on.exec(fmt.Sprintf("INSERT INTO t_%s VALUES (NULL)", c.Name))
		for _, v := range values[i] {
			on.exec(fmt.Sprintf("INSERT INTO t_%s VALUES (%s)", c.Name, pgvalue.QuoteString(v)))
		}
		switch c.TypeOID { // what is small as it is stored, and whose text is beyond what the server can hold
		case pgvalue.Jsonb:
			on.exec(fmt.Sprintf("INSERT INTO t_%[1]s VALUES (('[' || repeat('1e131071,', 8200) || '1]')::jsonb), (('{\"a\": 1e131071, \"1\": ' || repeat('[', 500) || repeat(']', 500) || '}')::jsonb), (jsonb_build_object('a', repeat('x', 5000000)))", c.Name))
		case typeNamed("_int4"):
			on.exec(fmt.Sprintf("INSERT INTO t_%s VALUES (array_fill(NULL::int4, ARRAY[100000000, 1, 1, 1, 1, 1]))", c.Name))
		case typeNamed("_text"):
			on.exec(fmt.Sprintf("INSERT INTO t_%s VALUES (array_fill(NULL::text, ARRAY[50000000])), (ARRAY[repeat('\"', 3000000), 'a'])", c.Name))
		}
		if c.TypeOID == pgvalue.Text {
			on.exec(fmt.Sprintf("INSERT INTO t_%s VALUES (repeat('xy ', 300000)), (repeat('x', 60000))", c.Name))
		}
	}
}

func sources(column *Column) string {
	var tables []string
	for _, c := range column.Inputs() {
		tables = append(tables, "t_"+c.Name)
	}
	return strings.Join(tables, ", ")
}

// samples are the arguments of a function: for each position a column, and constants, in combination. A declared domain is put on
// integers and dates, from the middle of the type.
func samples(f *Overload, columns []Column, declared bool) [][]Operand {
	choices := make([][]Operand, len(f.Args))
	for i, oid := range f.Args {
		if !slices.Contains(f.constant, i) {
			choices[i] = append(choices[i], Operand{Row: sampleColumn(columns, oid, i, declared)})
		}
		if oid == pgvalue.Interval && !slices.Contains(f.constant, i) {
			age, _ := Resolve(FunctionList["-"], []pgvalue.OID{pgvalue.Timestamp, pgvalue.Timestamp})
			choices[i] = append(choices[i], Operand{Row: &Call{Function: age, Args: []Operand{
				{Row: sampleColumn(columns, pgvalue.Timestamp, 0, declared)}, {Row: sampleColumn(columns, pgvalue.Timestamp, 1, declared)}}}})
		}
		for _, text := range slices.Concat(extremes[oid], constantTexts[oid]) {
			if _, refusal := pgvalue.ReadDatum(oid, text); refusal == nil {
				choices[i] = append(choices[i], Operand{Literal: pgvalue.Literal{OID: oid, Text: text}})
			}
		}
	}
	combined := [][]Operand{nil}
	for _, c := range choices {
		var longer [][]Operand
		for _, head := range combined {
			for _, o := range c {
				longer = append(longer, append(slices.Clip(head), o))
			}
		}
		combined = longer
	}
	if len(combined) > maxSamples {
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(combined), func(i, j int) { combined[i], combined[j] = combined[j], combined[i] })
		combined = combined[:maxSamples]
	}
	return combined
}

// maxSamples bounds the calls of one function, which are chosen alike in every run.
const maxSamples = 120

func sampleColumn(columns []Column, oid pgvalue.OID, n int, declared bool) *Column {
	i := slices.IndexFunc(columns, func(c Column) bool { return c.TypeOID == oid })
	c := columns[min(i+n%2, len(columns)-1)]
	if declared {
		switch {
		case pgvalue.IsInteger(oid):
			c.Domain = []string{"-3", "0", "100"}
			if n > 0 {
				c.Domain = []string{"1", "2", "90"} // a divisor
			}
		case oid == pgvalue.Date:
			c.Domain = []string{"1999-01-01", "2030-12-31"}
		}
	}
	return &c
}
