package query

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// TestPolynomials adds up random rows, of which some lie at the ends: what is released follows from the power sums, none of it is negative, each
// row adds Total to it, and the number of rows and both power sums follow from it.
func TestPolynomials(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		m := Measure{Steps: 1 + r.Int64N(32768), Degree: 1 + r.IntN(2), Least: new(big.Rat), Grid: big.NewRat(1, 1)}
		powers := make([]int64, m.Degree+1)
		before := m.polynomials(wide(powers...))
		for range r.IntN(20) {
			x := []int64{0, m.Steps, r.Int64N(m.Steps + 1)}[r.IntN(3)]
			for k, term := 0, int64(1); k <= m.Degree; k, term = k+1, term*x {
				powers[k] += term
			}
			after := m.polynomials(wide(powers...))
			moved := int64(0)
			for i := range after {
				if after[i] < before[i] {
					t.Fatalf("%+v: a row lowers %v to %v", m, before, after)
				}
				moved += after[i] - before[i]
			}
			if moved != m.Total() {
				t.Fatalf("%+v: a row moves %v by %d, not by %d", m, before, moved, m.Total())
			}
			before = after
		}
		sum := int64(0)
		for _, p := range before {
			sum += p
		}
		upper := before[1]
		if m.Degree == 2 {
			upper = (before[1]/2 + before[2]) / m.Steps
			if before[2] != powers[2] {
				t.Fatalf("%+v: squares %d, not %d", m, before[2], powers[2])
			}
		}
		if sum != powers[0]*m.Total() || upper != powers[1] {
			t.Fatalf("%+v: %v of %v", m, before, powers)
		}
	}
}

// TestHeldSums adds a row to sums that are at the largest that is added up: no more than Total moves.
func TestHeldSums(t *testing.T) {
	m := Measure{Steps: 1000, Degree: 1, Least: new(big.Rat), Grid: big.NewRat(1, 1)}
	before, after := m.polynomials(wide(mostTotal/1000, mostTotal-5)), m.polynomials(wide(mostTotal/1000+1, mostTotal))
	moved := int64(0)
	for i := range after {
		moved += max(after[i]-before[i], before[i]-after[i])
	}
	if moved > m.Total() {
		t.Errorf("%v, %v: %d", before, after, moved)
	}
}

func wide(powers ...int64) (sums []*big.Int) {
	for _, p := range powers {
		sums = append(sums, big.NewInt(p))
	}
	return sums
}

// TestSumsOfManyRows adds a row to 2^33 that have the greatest value: their squares are beyond an int64, and no more than Total moves.
func TestSumsOfManyRows(t *testing.T) {
	m := &Measure{Steps: 32768, Degree: 2, Least: new(big.Rat), Grid: big.NewRat(1, 1)}
	counts := []Count{{}, {Measure: m}}
	read := func(columns ...string) []int64 {
		var row [][]byte
		for _, c := range columns {
			row = append(row, []byte(c))
		}
		numbers, err := ReadNumbers(counts, row)
		if err != nil {
			t.Fatal(err)
		}
		return numbers
	}
	before := read("7", "8589934592", "281474976710656", "9223372036854775808")
	if diff := cmp.Diff([]int64{7, 0, 0, mostTotal}, before); diff != "" {
		t.Error(diff)
	}
	after := read("7", "8589934593", "281474976710656", "9223372036854775808") // of the least value
	if diff := cmp.Diff([]int64{7, m.Total(), 0, mostTotal}, after); diff != "" {
		t.Error(diff)
	}
}

// TestRoundedSums adds rows to sums of decimals that are rounded as a whole: each row moves what is released by D, and lowers nothing of it.
func TestRoundedSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	m := &Measure{Steps: 10, Degree: 1, Least: big.NewRat(-5, 2), Grid: big.NewRat(1, 4)}
	c := Count{Measure: m, measured: &expr.Column{Name: "v", TypeOID: pgvalue.Numeric, TypeName: "pg_catalog.numeric", Typmod: -1}}
	sum, before := new(big.Rat), []int64{0, 0}
	for n := 1; n <= 5000; n++ {
		fraction := []*big.Rat{new(big.Rat), big.NewRat(1, 1), big.NewRat(r.Int64N(1001), 1000)}[r.IntN(3)]
		value := fraction.Mul(fraction, big.NewRat(5, 2))
		sum.Add(sum, value.Add(value, m.Least))
		after, err := ReadNumbers([]Count{c}, [][]byte{[]byte(strconv.Itoa(n)), []byte(sum.FloatString(6))})
		if err != nil {
			t.Fatal(err)
		}
		if after[0] < before[0] || after[1] < before[1] || after[0]+after[1]-before[0]-before[1] != m.Steps {
			t.Fatalf("a row moves %v to %v", before, after)
		}
		before = after
	}
}

// TestNamesOfNumbers names a column of a joined table by that table, where the question has a name of its own for it.
func TestNamesOfNumbers(t *testing.T) {
	visits := &expr.Table{Policy: &policy.Table{Name: policy.TableName{Schema: "public", Name: "Visits"}}}
	own := &expr.Column{Name: "cost"}
	joined := &expr.Column{Name: "cost", Joined: &expr.Join{Protected: visits, Text: "t2", Alias: "t2"}}
	for c, want := range map[*expr.Column]string{own: "cost", joined: `"Visits".cost`} {
		if got := (Count{measured: c}).MeasureText(); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
