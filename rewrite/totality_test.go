package rewrite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// extremes are values of each type at the ends of what it holds, and some within. Constant arguments are taken from them, too.
var extremes = map[typeOID][]string{
	oidBool:        {"t", "f"},
	oidInt2:        {"-32768", "-1", "0", "1", "32767"},
	oidInt4:        {"-2147483648", "-1", "0", "1", "7", "2147483647"},
	oidInt8:        {"-9223372036854775808", "-1", "0", "1", "9223372036854775807"},
	oidNumeric:     {"NaN", "0", "-0.0000000000000001", "1e-100", "1.5", "-1e100", "1e100", "1e131071", "-1e131071", "1e-16383"},
	oidFloat4:      {"NaN", "Infinity", "-Infinity", "0", "-0", "1e-45", "-1e-45", "1.5", "3.4e38", "-3.4e38", "1e-30", "1e30"},
	oidFloat8:      {"NaN", "Infinity", "-Infinity", "0", "-0", "5e-324", "-5e-324", "1.5", "1.7e308", "-1.7e308", "1e-100", "1e100"},
	oidText:        {"", " ", "a", "Ünïcode ﷺ", "1", "%_\\", "(((", "O'slo", "x,y,z", "day", "year", "UTC"},
	oidVarchar:     {"", "a", "Ünïcode"},
	oidBpchar:      {"", "a", "abc"},
	oidDate:        {"-infinity", "infinity", "4713-01-01 BC", "5874897-12-31", "0001-01-01", "9999-12-31", "2020-02-29"},
	oidTimestamp:   {"-infinity", "infinity", "4713-01-01 00:00:00 BC", "294276-12-31 23:59:59.999999", "0001-01-01", "9999-12-31 23:59:59", "2020-02-29 12:34:56.789"},
	oidTimestamptz: {"-infinity", "infinity", "4713-01-02 00:00:00+00 BC", "294276-12-31 23:59:59.999999+00", "0001-01-01 00:00:00+00", "9999-12-31 00:00:00+00", "2020-02-29 12:34:56.789+00"},
	oidUUID:        {"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
}

// constantTexts are constant arguments besides the extremes that this package reads.
var constantTexts = map[typeOID][]string{
	oidText:     {"month", "epoch", "YYYY-MM-DD", "FMMonth DDD HH24:MI:SS.US", "Europe/Berlin", "[a-z]+", "g", strings.Repeat("x", maxTextArgument)},
	oidInt4:     {"100", "-100", "1000000"},
	oidInterval: {"1 day", "900 years", "-900 years", "1 month -3 days 04:05:06", "999999 days"},
	oidNumeric:  {"10", "-3", "0.5", "1e100", "1e-100"},
	oidFloat8:   {"10", "-3", "0.5", "1e100", "1e-100"},
}

// TestFunctionsAreTotal applies every function, operator and cast that can be used on columns to columns that hold the extremes of
// their types, with and without declared domains, and with every constant that it accepts: the server must never raise an error,
// whichever rows it reads. It fails if a function is listed that can fail, if a guard or a bound is wrong, and if a constant is not
// checked that the server checks when it reaches a row.
func TestFunctionsAreTotal(t *testing.T) {
	server := newTwin(t)
	var columns []Column
	var values [][]string
	for _, b := range builtins {
		if b.oid == oidInterval {
			continue
		}
		for n := range 2 {
			columns = append(columns, Column{Name: fmt.Sprintf("%s_%d", b.name, n+1), TypeOID: b.oid, TypeName: "pg_catalog." + b.name, Typmod: -1, Formatted: b.shown})
			values = append(values, extremes[b.oid])
		}
	}
	makeExtremes(server, columns, values)
	calls := 0
	apply := func(f *overload) {
		if f.sql == "" {
			return
		}
		for _, declared := range []bool{false, true} {
			for _, args := range samples(f, columns, declared) {
				c := &call{function: f, args: args}
				if f.probe != "" && server.try("SELECT "+fmt.Sprintf(f.probe, "$1::"+typeName(f.probedAs)), []string{args[f.probed].literal.text}) != nil {
					continue // refused before it is asked
				}
				if !slices.ContainsFunc(args, func(o operand) bool { return !o.isConstant() }) {
					continue
				}
				b := &binding{maxAtoms: maxAtoms}
				column := c.bind(b)
				if b.refusal != nil {
					continue
				}
				calls++
				w := &sqlWriter{column: func(c *Column) string { return c.Name }}
				sql := "SELECT count(" + w.value(column) + ") FROM " + sources(column)
				if err := server.try(sql, w.args); err != nil {
					t.Errorf("%s\n%s %q\n%v", column.Text(), sql, w.args, err)
					continue
				}
				checkBounds(server, column)
			}
		}
	}
	for _, name := range sortedNames() {
		for i := range functionList[name] {
			apply(&functionList[name][i])
		}
	}
	for i := range castList {
		apply(&castList[i])
	}
	if calls < 1200 {
		t.Errorf("only %d calls were tried", calls)
	}
}

// checkBounds compares the bounds of a column with the least and the greatest value that it has. They are what the next function is
// proved by.
func checkBounds(server *twin, column *Column) {
	w := &sqlWriter{column: func(c *Column) string { return c.Name }}
	value, oid := w.value(column), column.TypeOID
	switch {
	case isText(oid):
		value, oid = "octet_length("+value+")", oidInt4
	case oid == oidInterval:
		value, oid = "extract(day FROM "+value+")", oidNumeric
	}
	if oid == oidBool {
		return
	}
	for _, extreme := range server.query(fmt.Sprintf("SELECT unnest(ARRAY[min(v), max(v)])::text FROM (SELECT %s AS v FROM %s) AS t", value, sources(column)), w.args) {
		if extreme[0] == nil {
			continue
		}
		d, refusal := readDatum(oid, string(extreme[0]))
		if isTime(oid) && refusal != nil {
			continue // of a year that no constant has
		}
		if wide := column.computation.wide; !wide.known() || refusal != nil || !datumBounds(d).within(wide.least, wide.greatest) {
			server.tb.Errorf("%s is %s, and thought to be between %v and %v", column.Text(), extreme[0], wide.least, wide.greatest)
		}
	}
}

// TestFunctionsHaveBounds fails if nothing was said of the values of a function that another could fail on.
func TestFunctionsHaveBounds(t *testing.T) {
	check := func(f *overload) {
		if f.sql != "" && f.result != oidBool && f.bounds == nil && f.boundsOf == nil {
			t.Errorf("%s: %v has no bounds", f.name, f.args)
		}
	}
	for _, name := range sortedNames() {
		for i := range functionList[name] {
			check(&functionList[name][i])
		}
	}
	for i := range castList {
		check(&castList[i])
	}
}

func sortedNames() []string {
	var names []string
	for name := range functionList {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// makeExtremes creates a table for each column, so that their values can be combined.
func makeExtremes(server *twin, columns []Column, values [][]string) {
	for i, c := range columns {
		server.exec(fmt.Sprintf("CREATE TABLE t_%s (%s %s)", c.Name, c.Name, strings.TrimPrefix(c.TypeName, "pg_catalog.")))
		server.exec(fmt.Sprintf("INSERT INTO t_%s VALUES (NULL)", c.Name))
		for _, v := range values[i] {
			server.exec(fmt.Sprintf("INSERT INTO t_%s VALUES (%s)", c.Name, quoteString(v)))
		}
		if c.TypeOID == oidText {
			server.exec(fmt.Sprintf("INSERT INTO t_%s VALUES (repeat('xy ', 300000)), (repeat('x', 60000))", c.Name))
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

func (t *twin) try(sql string, args []string) error {
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	return t.conn.ExecParams(context.Background(), sql, params, nil, nil, nil).Read().Err
}

// samples are the arguments of a function: for each position a column, and constants, in combination. A declared domain is put on
// integers and dates, from the middle of the type.
func samples(f *overload, columns []Column, declared bool) [][]operand {
	choices := make([][]operand, len(f.args))
	for i, oid := range f.args {
		if !slices.Contains(f.constant, i) && oid != oidInterval {
			choices[i] = append(choices[i], operand{row: sampleColumn(columns, oid, i, declared)})
		}
		if oid == oidInterval && !slices.Contains(f.constant, i) {
			age, _ := resolve(functionList["-"], []typeOID{oidTimestamp, oidTimestamp})
			choices[i] = append(choices[i], operand{row: &call{function: age, args: []operand{
				{row: sampleColumn(columns, oidTimestamp, 0, declared)}, {row: sampleColumn(columns, oidTimestamp, 1, declared)}}}})
		}
		for _, text := range slices.Concat(extremes[oid], constantTexts[oid]) {
			if _, refusal := readDatum(oid, text); refusal == nil {
				choices[i] = append(choices[i], operand{literal: literal{oid: oid, text: text}})
			}
		}
	}
	combined := [][]operand{nil}
	for _, c := range choices {
		var longer [][]operand
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

func sampleColumn(columns []Column, oid typeOID, n int, declared bool) *Column {
	i := slices.IndexFunc(columns, func(c Column) bool { return c.TypeOID == oid })
	c := columns[i+n%2]
	if declared {
		switch {
		case IsInteger(oid):
			c.Domain = []string{"-3", "0", "100"}
			if n > 0 {
				c.Domain = []string{"1", "2", "90"} // a divisor
			}
		case oid == oidDate:
			c.Domain = []string{"1999-01-01", "2030-12-31"}
		}
	}
	return &c
}
