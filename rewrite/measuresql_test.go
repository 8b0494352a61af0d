package rewrite

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// TestSumsOfExtremes has the curator's statement add up each value by itself, of each type, with bounds of which some are at the ends of types:
// nothing fails, what is released is D^d in all and never negative, and it is that of the value in exact arithmetic, held between the bounds and rounded to
// the grid.
func TestSumsOfExtremes(t *testing.T) {
	twin := newTwin(t)
	floats := []string{"NaN", "Infinity", "-Infinity", "5e-324", "-5e-324", "1.7976931348623157e308", "-2.3e-308", "0.1", "70.5", "-3", "1e15"}
	for _, c := range []struct {
		typeName string
		oid      pgvalue.OID
		typmod   int32
		values   []string
	}{
		{"int2", pgvalue.Int2, -1, []string{"-32768", "32767", "0", "7"}},
		{"int4", pgvalue.Int4, -1, []string{"-2147483648", "2147483647", "0", "7", "90"}},
		{"int8", pgvalue.Int8, -1, []string{"-9223372036854775808", "9223372036854775807", "0", "7", "3000000001"}},
		{"numeric", pgvalue.Numeric, 10<<16 + 2 + 4, []string{"NaN", "-99999999.99", "99999999.99", "0.01", "70.55"}},
		{"numeric", pgvalue.Numeric, -1, []string{"NaN", "Infinity", "-Infinity", "1e1000", "1e-1000", "70.123456789"}},
		{"float4", pgvalue.Float4, -1, []string{"NaN", "Infinity", "-Infinity", "1e-45", "-1e-45", "3.4028235e38", "0.1", "70.5", "-3", "1e15"}},
		{"float8", pgvalue.Float8, -1, floats},
	} {
		sql := fmt.Sprintf("DROP TABLE IF EXISTS extremes; CREATE TABLE extremes (id int, v %s); INSERT INTO extremes VALUES (-1, NULL)", formatted(c.oid, c.typeName, c.typmod))
		for i, v := range c.values {
			sql += fmt.Sprintf(", (%d, '%s')", i, v)
		}
		twin.exec(sql)
		for _, bounds := range [][2]string{{"0", "120"}, {"-5", "100"}, {"3000000000", "3000000100"}, {"-1000000000000000000", "1000000000000000000"}, {"0", "0.000001"}, {"1", "2"}} {
			if bounds[1] == "0.000001" && pgvalue.IsInteger(c.oid) {
				continue
			}
			for _, drops := range []bool{false, true} {
				for degree := 1; degree <= 2; degree++ {
					column := expr.Column{Name: "v", TypeOID: c.oid, TypeName: "pg_catalog." + c.typeName, Typmod: c.typmod, Formatted: c.typeName, Domain: bounds[:], DropOutside: drops}
					checkExtremes(t, twin, column, c.values, degree)
				}
			}
		}
	}
}

func formatted(oid pgvalue.OID, typeName string, typmod int32) string {
	if oid == pgvalue.Numeric && typmod >= 0 {
		return "numeric(10,2)"
	}
	return typeName
}

// checkExtremes compares what is released of each value with exact arithmetic.
func checkExtremes(t *testing.T, twin *twin, column expr.Column, values []string, degree int) {
	t.Helper()
	id := expr.Column{Name: "id", TypeOID: pgvalue.Int4, TypeName: "pg_catalog.int4", Typmod: -1, Formatted: "integer"}
	table := &expr.Table{
		Policy:  &policy.Table{Name: tableNamed("extremes"), Mechanism: policy.Mechanism{Kind: policy.Geometric, Epsilon: 1e9}},
		Columns: []expr.Column{id, column},
	}
	number := &table.Columns[1]
	m, ok := query.NewMeasure(table, number, number, degree)
	if !ok {
		return // these bounds are none of the type
	}
	q := &query.CountQuery{Table: table, Counts: []query.Count{{Measure: m}}, Keys: []expr.Expression{&table.Columns[0]}}
	bound, refusal := q.Bind(nil)
	if refusal != nil {
		t.Fatal(refusal)
	}
	sql, args := bound.CountSQL(bound.Counts)
	rows := twin.query(sql, args)
	if len(rows) != len(values)+1 {
		t.Fatalf("%d rows for %q", len(rows), values)
	}
	for _, row := range rows {
		got, err := query.ReadNumbers(bound.Counts, row[1:])
		if err != nil {
			t.Fatal(err)
		}
		i, _ := strconv.Atoi(string(row[0]))
		text := "NULL"
		if i >= 0 {
			text = values[i]
		}
		total := int64(0)
		for _, n := range got {
			total += n
			if n < 0 {
				t.Errorf("%s of %+v: %v is released", text, m, got)
			}
		}
		x, inside := exactSteps(m, text)
		want := m.Total()
		if text == "NULL" || m.DropOutside && !inside {
			want, x = 0, new(big.Rat)
		}
		if total != want {
			t.Errorf("%s of %v from %v by %v, degree %d: %v adds up to %d, not %d", text, number.Formatted, m.Least, m.Grid, degree, got, total, want)
		}
		upper := new(big.Rat).SetInt64(got[1])
		if degree == 2 {
			upper.Add(upper.Quo(upper, big.NewRat(2, 1)), new(big.Rat).SetInt64(got[2])).Quo(upper, new(big.Rat).SetInt64(m.Steps))
		}
		// Half a step for rounding, and as much as a float4 of a number that is within the bounds is off.
		if off := new(big.Rat).Sub(upper, x); off.Abs(off).Cmp(big.NewRat(11, 20)) > 0 {
			t.Errorf("%s of %v from %v by %v, degree %d: %s steps, not %s", text, number.Formatted, m.Least, m.Grid, degree, upper.FloatString(3), x.FloatString(3))
		}
	}
}

// exactSteps is how many steps a value, held between the bounds, is above the least, and whether it is between them.
func exactSteps(m *query.Measure, text string) (x *big.Rat, inside bool) {
	most := new(big.Rat).SetInt64(m.Steps)
	switch strings.TrimLeft(text, "-") {
	case "NaN", "Infinity":
		if text[0] == '-' {
			return new(big.Rat), false
		}
		return most, false
	case "NULL":
		return new(big.Rat), false
	}
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("a value that is no number: " + text)
	}
	x.Sub(x, m.Least).Quo(x, m.Grid)
	switch {
	case x.Sign() < 0:
		return new(big.Rat), false
	case x.Cmp(most) > 0:
		return most, false
	}
	return x, true
}
