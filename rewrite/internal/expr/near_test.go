package expr

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
)

// nearTypes are the types of numbers in which declared ranges are tried, with the ends of some and the divisors of their values.
var nearTypes = map[pgvalue.OID]struct{ ends, divisors []string }{
	pgvalue.Int8:    {[]string{"-250007", "-1", "0", "1", "99999", "400000"}, []string{"-1000", "7", "1000"}},
	pgvalue.Float8:  {[]string{"-2.5", "-0.1", "0", "0.3", "4.5", "1000.7", "5000"}, []string{"0.1", "-3", "10"}},
	pgvalue.Float4:  {[]string{"-2.5", "-0.1", "0", "0.3", "4.5", "1000.7", "5000"}, []string{"0.1", "-3", "10"}},
	pgvalue.Numeric: {[]string{"-100000", "-0.50", "-1e-30", "0", "0.005", "1", "1.5", "9999.99", "100000", "12345678901234567890.5"}, []string{"10000", "3", "-7.5", "0.0001", "1e-20", "12345.678901", "1e17", "100000000000000000000.5"}},
}

// TestCellsOfRangesAreMet applies the functions that round to columns with declared ranges and compares the least and the greatest cell with those of
// rows at the ends of the ranges, next to them, and between. It fails if a cell is listed that no value in the range can be in, or if one that such a
// value is in is not listed.
func TestCellsOfRangesAreMet(t *testing.T) {
	on := newServer(t)
	random := rand.New(rand.NewPCG(3, 4))
	tried, quotients := 0, 0
	for oid, of := range nearTypes {
		for i, least := range of.ends {
			for _, greatest := range of.ends[i+1:] {
				name := fmt.Sprintf("v%d", tried)
				c := &Column{Name: name, TypeOID: oid, TypeName: pgvalue.TypeName(oid), Typmod: -1, Formatted: pgvalue.ShownType(oid)}
				r, err := NewValueRange(c, least, greatest)
				if err != nil {
					t.Fatal(err)
				}
				c.Range = r
				makeRows(on, c, least, greatest, random)
				for j, e := range roundedExpressions(c, of.divisors) {
					if testing.Short() && (i+j)%4 != 0 {
						continue
					}
					b := &Binding{MaxAtoms: MaxAtoms}
					column := b.Column(e)
					if b.Refusal != nil || column.Stored() { // the quotient of whole numbers and the limits of bigint, say
						continue
					}
					tried++
					if strings.Contains(column.Text(), "/") {
						quotients++
					}
					checkEnds(on, column)
				}
			}
		}
	}
	if tried < 700 || quotients < 400 {
		t.Errorf("only %d calls were tried, %d of quotients", tried, quotients)
	}
}

// makeRows fills a table with the ends of a range, values next to them, and values between.
func makeRows(on *server, c *Column, least, greatest string, random *rand.Rand) {
	typeName := strings.TrimPrefix(c.TypeName, "pg_catalog.")
	on.exec(fmt.Sprintf("CREATE TABLE t_%s (%[1]s %s)", c.Name, typeName))
	var between []string
	for range 20 {
		between = append(between, fmt.Sprintf("(%s + (%s - (%[1]s)) * 0.%06[3]d)", least, greatest, random.IntN(1_000_000)))
	}
	for _, next := range []string{"1e-18", "1e-7", "0.000005", "0.49", "0.5", "0.51", "1"} {
		between = append(between, fmt.Sprintf("(%s + %s)", least, next), fmt.Sprintf("(%s - %s)", greatest, next))
	}
	sql := fmt.Sprintf("INSERT INTO t_%s SELECT v FROM unnest(ARRAY[%s, %s, %s]::%s[]) AS v", c.Name, least, greatest, strings.Join(between, ", "), typeName)
	on.exec(fmt.Sprintf("%s WHERE v BETWEEN %s::%s AND %s::%[3]s", sql, pgvalue.QuoteString(least), typeName, pgvalue.QuoteString(greatest)))
}

// roundedExpressions are a column and its quotients by constants, rounded in every way that there is for their type.
func roundedExpressions(c *Column, divisors []string) (expressions []Expression) {
	numbers := []Expression{c}
	for _, d := range divisors {
		numbers = append(numbers, called("/", Operand{Row: c}, Operand{Literal: pgvalue.Literal{OID: c.TypeOID, Text: d}}))
	}
	numbers = append(numbers, called("abs", Operand{Row: c}), called("*", Operand{Row: c}, Operand{Literal: pgvalue.Literal{OID: c.TypeOID, Text: divisors[0]}}))
	add := func(e Expression) { expressions = append(expressions, e) }
	for _, number := range numbers {
		o := Operand{Row: number}
		switch {
		case pgvalue.IsInteger(c.TypeOID):
			add(number)
			add(called("%", o, Operand{Literal: pgvalue.Literal{OID: pgvalue.Int8, Text: "10"}}))
		default:
			add(&Call{Function: cast(c.TypeOID, pgvalue.Int8), Args: []Operand{o}})
		}
		if pgvalue.IsFloat(c.TypeOID) {
			for _, whole := range []string{"floor", "ceil", "round", "trunc"} {
				add(&Call{Function: cast(pgvalue.Float8, pgvalue.Int8), Args: []Operand{{Row: called(whole, o)}}})
			}
			o = Operand{Row: &Call{Function: cast(c.TypeOID, pgvalue.Numeric), Args: []Operand{o}}}
		}
		if pgvalue.IsInteger(c.TypeOID) {
			continue
		}
		for _, whole := range []string{"floor", "ceil", "round", "trunc"} {
			add(called(whole, o))
		}
		for _, places := range []string{"-3", "0", "2"} {
			add(called("round", o, Operand{Literal: pgvalue.Literal{OID: pgvalue.Int4, Text: places}}))
			add(called("trunc", o, Operand{Literal: pgvalue.Literal{OID: pgvalue.Int4, Text: places}}))
		}
	}
	return expressions
}

func cast(from, to pgvalue.OID) *Overload {
	f, ok := CastBetween(from, to)
	if !ok {
		panic("no such cast")
	}
	return f
}

func called(name string, args ...Operand) Expression {
	var types []pgvalue.OID
	for _, a := range args {
		if a.Row != nil {
			types = append(types, a.Row.TypeOf())
		} else {
			types = append(types, a.Literal.OID)
		}
	}
	f, ok := Resolve(FunctionList[name], types)
	if !ok {
		panic("no such function: " + name)
	}
	for i, a := range args {
		if a.Row != nil && types[i] != f.Args[i] {
			args[i].Row = &Call{Function: cast(types[i], f.Args[i]), Args: []Operand{a}}
		}
	}
	return &Call{Function: f, Args: args}
}

// mostExact is a number of so many digits that a quotient may be rounded to a whole number, or to as many digits as its operands have: one cell more is
// listed there.
var mostExact = bounds.PowerOfTen(16)

// checkEnds compares the bounds by which cells are listed with the values of rows.
func checkEnds(on *server, column *Column) {
	w := &SQLWriter{Column: func(c *Column) string { return c.Name }}
	rows := on.query(fmt.Sprintf("SELECT min(v)::text, max(v)::text FROM (SELECT %s AS v FROM %s) AS t", w.Value(column), sources(column)), w.Args)
	narrow := column.computation.narrow
	step := column.computation.step
	if pgvalue.IsInteger(column.TypeOID) {
		step = big.NewRat(1, 1)
	}
	if !narrow.Known() || step == nil {
		on.tb.Errorf("%s has no bounds, or no step", column.Text())
		return
	}
	for i, end := range []*big.Rat{narrow.Least, narrow.Greatest} {
		d, refusal := pgvalue.ReadDatum(column.TypeOID, string(rows[0][i]))
		exact := !strings.Contains(column.Text(), "%") && !strings.Contains(column.Text(), "abs") && new(big.Rat).Abs(end).Cmp(mostExact) < 0
		if refusal != nil || !bounds.OfConstant(d).Within(narrow.Least, narrow.Greatest) || exact && bounds.OfConstant(d).Least.Cmp(end) != 0 {
			on.tb.Errorf("%s of %s to %s is %s, and cells are from %s to %s", column.Text(), column.Inputs()[0].Range.Least.Text, column.Inputs()[0].Range.Greatest.Text,
				slices.Concat(rows[0][0], []byte(" to "), rows[0][1]), narrow.Least.FloatString(3), narrow.Greatest.FloatString(3))
			return
		}
	}
}
