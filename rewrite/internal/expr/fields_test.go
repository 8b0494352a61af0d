package expr

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/timetext"
)

// TestFormatsAreKnown fails if to_char writes a time in a text that is not known, or if a single field is said to have a text that no time has. The
// calendar repeats after 28 years.
func TestFormatsAreKnown(t *testing.T) {
	on := newServer(t)
	words := []string{"Month", "MONTH", "month", "Mon", "MON", "mon", "Day", "DAY", "day", "Dy", "DY", "dy", "IDDD", "DDD", "DD", "ID", "D", "HH24", "HH12", "HH", "MI", "MM",
		"IW", "WW", "W", "Q", "AM", "am"}
	single := make([]string, 0, 2*len(words))
	for _, word := range words {
		single = append(single, word, "FM"+word)
	}
	for _, format := range append(slices.Clone(single), "HH24:MI", "FMMonth FMDD", "FMDay Month", "D-Dy", "Q. IW", "FMHH12 am") {
		known := timetext.Texts(format)
		found := make(map[string]bool)
		for _, row := range on.query(`SELECT DISTINCT pg_catalog.to_char(s, $1) FROM pg_catalog.generate_series('2000-01-01'::pg_catalog.timestamp, '2027-12-31', '1 day') AS s
			UNION SELECT pg_catalog.to_char(s, $1) FROM pg_catalog.generate_series('2024-02-29'::pg_catalog.timestamp, '2024-03-01', '1 minute') AS s`, []string{format}) {
			found[string(row[0])] = true
			if !slices.Contains(known, string(row[0])) {
				t.Errorf("%s: %q is not known among %q", format, row[0], known)
			}
		}
		if slices.Contains(single, format) && len(known) != len(found) {
			t.Errorf("%s: %d texts are known, and times have %d", format, len(known), len(found))
		}
	}
	for _, format := range []string{"YYYY", "MM YYYY", "US", "SS", "HH24:MI:SS", "MM DD HH24 MI"} {
		if known := timetext.Texts(format); known != nil {
			t.Errorf("%s: %d texts are known", format, len(known))
		}
	}
}

// TestFieldsAreWithinTheirBounds fails if the server finds a field of a time, a difference or an age beyond the bounds that are stated of it,
// from the bounds of the times alone.
func TestFieldsAreWithinTheirBounds(t *testing.T) {
	on := newServer(t)
	dates := []string{"0001-01-01", "0001-12-31", "0099-12-31", "0100-01-01", "0999-12-31", "1000-01-01", "1582-10-15", "1899-12-31", "1900-03-01", "1969-12-31", "1970-01-01",
		"1999-12-31", "2000-01-01", "2000-12-31", "2001-01-01", "2010-12-31", "2011-01-01", "2016-02-29", "2023-01-01", "2024-02-29", "2024-12-30", "2024-12-31", "9999-12-31"}
	read := func(text string) pgvalue.Datum {
		d, refusal := pgvalue.ReadDatum(pgvalue.Timestamp, text)
		if refusal != nil {
			t.Fatal(refusal)
		}
		return d
	}
	check := func(what string, units []string, a argument, v bounds.Bounds, sql string, args ...string) {
		t.Helper()
		fields := make([]string, len(units))
		for i, unit := range units {
			fields[i] = "extract(" + unit + " FROM x)"
		}
		row := on.query("SELECT "+strings.Join(fields, ", ")+" FROM (SELECT "+sql+") AS t(x)", args)[0]
		for i, unit := range units {
			unitOf := argument{oid: pgvalue.Text, constant: pgvalue.Datum{OID: pgvalue.Text, Text: unit}}
			b := fieldBounds([]argument{unitOf, a}, []bounds.Bounds{{}, v})
			got, ok := new(big.Rat).SetString(string(row[i]))
			if !ok || got.Cmp(b.Least) < 0 || got.Cmp(b.Greatest) > 0 {
				t.Errorf("%s of %s %v is %v, beyond %v to %v", unit, what, args, got, b.Least, b.Greatest)
			}
		}
	}
	difference := argument{oid: pgvalue.Interval, column: &Column{computation: &computation{elapsed: true}}}
	age := argument{oid: pgvalue.Interval, column: &Column{computation: &computation{aged: true}}}
	interval := argument{oid: pgvalue.Interval, column: &Column{computation: &computation{}}}
	for i, text := range dates {
		first := bounds.OfConstant(read(text))
		time := argument{oid: pgvalue.Timestamp, column: &Column{TypeOID: pgvalue.Timestamp}}
		last := first.Plus(bounds.Integers(0, 1))
		check("the time", timeFields, time, bounds.Between(first.Least, last.Greatest), "$1::timestamp + interval '23:59:59.999999'", text)
		for _, other := range dates[i%3:] {
			v := bounds.OfConstant(read(other)).Minus(first)
			check("the difference", intervalFields, difference, v, "$1::timestamp - $2::timestamp", other, text)
			check("the age", intervalFields, age, v, "age($1::timestamp, $2::timestamp)", other, text)
			check("the interval", intervalFields, interval, v, "age($1::timestamp, $2::timestamp)", other, text)
		}
	}
	for _, unit := range truncUnits {
		if strings.HasPrefix(unit, "mi") && unit != "minute" && unit != "millennium" {
			continue
		}
		for _, text := range dates {
			unitOf := argument{oid: pgvalue.Text, constant: pgvalue.Datum{OID: pgvalue.Text, Text: unit}}
			v := bounds.OfConstant(read(text))
			b := truncated([]argument{unitOf, {}}, []bounds.Bounds{{}, v})
			cut := bounds.OfConstant(read(string(on.query("SELECT to_char(date_trunc($1, $2::timestamp), 'YYYY-MM-DD HH24:MI:SS')", []string{unit, text})[0][0])))
			if !cut.Within(b.Least, b.Greatest) {
				t.Errorf("%s cut to its %s is beyond %v to %v", text, unit, b.Least, b.Greatest)
			}
		}
	}
}
