package microdata

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

func TestColumnRefusals(t *testing.T) {
	h := continents(t)
	for want, columns := range map[string][]Column{
		"no name":                        {{Values: letters(2)}},
		"is numeric and has a list":      {{Name: "a", Numeric: true, Values: letters(2)}},
		"above its end":                  {number("a", 3, 2)},
		"the range has more":             {number("a", math.MinInt64, math.MaxInt64)},
		"categorical and has a range":    {{Name: "a", Values: letters(2), Max: 3}},
		"lists the values already":       {{Name: "a", Values: letters(2), Hierarchy: h}},
		"has 0 values":                   {{Name: "a"}},
		"lists a value twice":            {{Name: "a", Values: []string{"x", "x"}}},
		"stands twice":                   {quasiOf(category("a", 2)), category("a", 2)},
		"no column is a quasi":           {category("a", 2)},
		"1001 columns, must be at most ": make([]Column, 1001),
	} {
		if _, err := NewTable(columns); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestHierarchyRefusals(t *testing.T) {
	deep := Node{Label: "leaf"}
	for i := range maxLevels {
		deep = Node{Label: letters(i + 1)[i], Children: []Node{deep}}
	}
	for want, root := range map[string]Node{
		"stands twice": {Label: "a", Children: []Node{{Label: "b"}, {Label: "b"}}},
		"levels":       deep,
	} {
		if _, err := NewHierarchy(root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAppendAndCells(t *testing.T) {
	columns := []Column{quasiOf(nullableOf(category("a", 2))), number("b", -5, 5), {Name: "c", Hierarchy: continents(t)}}
	table := tableOf(t, columns)
	for _, row := range [][]Cell{{0, 0}, {2, 0, 0}, {-2, 0, 0}, {0, 11, 0}, {0, Null, 0}, {0, 0, 8}} {
		if err := table.Append(row); err == nil || table.Rows() != 0 {
			t.Errorf("%v is accepted", row)
		}
	}
	a, _ := table.Category(0, "v1")
	b, _ := table.Number(1, -4)
	c, _ := table.Category(2, "jp")
	if err := table.Append([]Cell{a, b, c}); err != nil {
		t.Fatal(err)
	}
	if columns[0].Text(table.Cell(0, 0)) != "v1" || columns[1].Int(table.Cell(0, 1)) != -4 || columns[2].Text(table.Cell(0, 2)) != "jp" {
		t.Errorf("the row reads %v", table.cells)
	}
	for _, err := range []error{second(table.Category(0, "v2")), second(table.Number(1, 6)), second(table.Number(0, 0)), second(table.Category(1, "1"))} {
		if !errors.Is(err, errNotInDomain) {
			t.Errorf("a value outside the domain gives %v", err)
		}
	}
}

func second(_ Cell, err error) error { return err }

func TestDistanceByHand(t *testing.T) {
	columns := []Column{quasiOf(category("a", 3)), nullableOf(number("b", 10, 22)), number("c", 0, 8), number("d", 7, 7)}
	table := tableOf(t, columns, []Cell{0, 3, 8, 0}, []Cell{1, 9, 0, 0}, []Cell{0, Null, 8, 0}, []Cell{1, Null, 4, 0})
	d, err := newDistance(columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.unit != 24 || d.most() != 96 { // lcm(12, 8)
		t.Errorf("unit %d, most %d", d.unit, d.most())
	}
	for _, test := range []struct {
		a, b int
		want uint64 // in 24ths
	}{{0, 0, 0}, {0, 1, 24 + 12 + 24}, {0, 2, 24}, {2, 3, 24 + 12}, {1, 3, 24 + 12}} {
		if got := d.between(table, test.a, test.b); got != test.want || d.between(table, test.b, test.a) != got {
			t.Errorf("rows %d and %d are at %d/24, want %d/24", test.a, test.b, got, test.want)
		}
	}
	for _, on := range [][]int{{4}, {-1}, {1, 1}} {
		if _, err := newDistance(columns, on); err == nil {
			t.Errorf("a distance on %v is accepted", on)
		}
	}
}

// TestRefusals: every mechanism says what is wrong with its configuration.
func TestRefusals(t *testing.T) {
	good, learnt := []Column{quasiOf(category("a", 2)), number("b", 0, 9)}, []Column{{Name: "a", Values: letters(2), Quasi: true, FromData: true}}
	random := battery.Seeded(0)
	numeric := []Column{quasiOf(number("a", 0, 9))}
	safe := func(c SafeKAnonymityConfig) error { return errorOf(NewSafeKAnonymity(c)) }
	for what, err := range map[string]error{
		"randomness": errorOf(NewSwapping(SwappingConfig{Columns: good, Rate: 1})),
		"rate":       errorOf(NewSwapping(SwappingConfig{Columns: good, Random: random})),
		"0 to 1":     errorOf(NewSwapping(SwappingConfig{Columns: good, Rate: policy.OneShare + 1, Random: random})),
		"donors":     errorOf(NewSwapping(SwappingConfig{Columns: good, Rate: 1, Donors: "x", Random: random})),
		"column":     errorOf(NewSwapping(SwappingConfig{Columns: good, Rate: 1, CompareOn: []int{9}, Random: random})),
		"quasi":      errorOf(NewSwapping(SwappingConfig{Columns: good[1:], Rate: 1, Random: random})),

		"dp-swapping: a source":  errorOf(NewDPSwapping(DPSwappingConfig{Columns: good, Epsilon: 1})),
		"epsilon is 0":           errorOf(NewDPSwapping(DPSwappingConfig{Columns: good, Random: random})),
		"declared":               errorOf(NewDPSwapping(DPSwappingConfig{Columns: learnt, Epsilon: 1, Random: random})),
		"dp-swapping: no column": errorOf(NewDPSwapping(DPSwappingConfig{Columns: good[1:], Epsilon: 1, Random: random})),

		"donor: a source": errorOf(NewDonorSwapping(DonorSwappingConfig{Columns: good, Epsilon: 1})),
		"donor: epsilon":  errorOf(NewDonorSwapping(DonorSwappingConfig{Columns: good, Epsilon: maxDonorEpsilon + 1, Random: random})),
		"share of rows":   errorOf(NewDonorSwapping(DonorSwappingConfig{Columns: good, Epsilon: 1, Keep: -1, Random: random})),

		"k is 1":                    errorOf(NewKAnonymity(KAnonymityConfig{Columns: good, K: 1})),
		"k-anonymity: no column is": errorOf(NewKAnonymity(KAnonymityConfig{Columns: good[1:], K: 2})),
		"k is 1000001":              errorOf(NewDPKAnonymity(DPKAnonymityConfig{Columns: good, K: maxK + 1, Epsilon: 1, Random: random})),
		"dp-k-anonymity: epsilon":   errorOf(NewDPKAnonymity(DPKAnonymityConfig{Columns: good, K: 2, Random: random})),
		"dp-k-anonymity: a so":      errorOf(NewDPKAnonymity(DPKAnonymityConfig{Columns: good, K: 2, Epsilon: 1})),

		"safe-k-anonymity: k is": safe(SafeKAnonymityConfig{Columns: good}),
		"comes from the rows":    safe(SafeKAnonymityConfig{Columns: learnt, K: 2}),
		"beta is 0":              safe(SafeKAnonymityConfig{Columns: good, K: 2}),
		"beta is 1":              safe(SafeKAnonymityConfig{Columns: good, K: 2, Beta: policy.OneShare}),
		"safe-k-anonymity: a so": safe(SafeKAnonymityConfig{Columns: good, K: 2, Beta: 1}),
		"each quasi-identifier":  safe(SafeKAnonymityConfig{Columns: good, K: 2, Beta: 1, Random: random}),
		"the width is 0":         safe(SafeKAnonymityConfig{Columns: numeric, Scheme: []Generalisation{{}}, K: 2, Beta: 1, Random: random}),
		"has a level":            safe(SafeKAnonymityConfig{Columns: numeric, Scheme: []Generalisation{{Width: 1, Level: 1}}, K: 2, Beta: 1, Random: random}),
		"has a width":            safe(SafeKAnonymityConfig{Columns: good, Scheme: []Generalisation{{Width: 1}}, K: 2, Beta: 1, Random: random}),
		"has no level 2":         safe(SafeKAnonymityConfig{Columns: good, Scheme: []Generalisation{{Level: 2}}, K: 2, Beta: 1, Random: random}),

		"reconstruction: a so":  errorOf(NewReconstruction(ReconstructionConfig{Columns: good})),
		"unknown numbers":       errorOf(NewReconstruction(ReconstructionConfig{Columns: good, Numbers: "x", Random: random})),
		"reconstruction: no":    errorOf(NewReconstruction(ReconstructionConfig{Columns: good[1:], Random: random})),
		"too many for Gaussian": errorOf(NewReconstruction(ReconstructionConfig{Columns: []Column{quasiOf(number("a", 0, 1<<22))}, Numbers: GaussianNumbers, Random: random})),
	} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}

func errorOf[M any](_ *M, err error) error { return err }

// everyMechanism runs each on a table with its own source.
func everyMechanism(t *testing.T, columns []Column, random func() io.Reader) map[string]func(*Table) (any, error) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	swap, err := NewSwapping(SwappingConfig{Columns: columns, Rate: policy.OneShare, Random: random()})
	must(err)
	donor, err := NewDonorSwapping(DonorSwappingConfig{Columns: columns, Epsilon: 1, Random: random()})
	must(err)
	dpk, err := NewDPKAnonymity(DPKAnonymityConfig{Columns: columns, K: 2, Epsilon: half, Random: random()})
	must(err)
	safe, err := NewSafeKAnonymity(SafeKAnonymityConfig{Columns: columns, Scheme: make([]Generalisation, 1), K: 2, Beta: policy.OneShare / 2, Random: random()})
	must(err)
	return map[string]func(*Table) (any, error){
		"swapping":          func(t *Table) (any, error) { r, err := swap.Swap(t); return nilIfEmpty(r), err },
		"dp-swapping-donor": func(t *Table) (any, error) { r, err := donor.Swap(t); return nilIfEmpty(r), err },
		"dp-k-anonymity":    func(t *Table) (any, error) { r, err := dpk.Anonymise(t); return nilIfEmpty(r), err },
		"safe-k-anonymity":  func(t *Table) (any, error) { r, err := safe.Anonymise(t); return nilIfEmpty(r), err },
	}
}

func nilIfEmpty[E any](s []E) any {
	if s == nil {
		return nil
	}
	return s
}

// TestRandomnessFails: wherever the source ends, the mechanism returns ErrRandomness and nothing else.
func TestRandomnessFails(t *testing.T) {
	columns := []Column{quasiOf(category("a", 2)), number("b", 0, 9)}
	rows := make([][]Cell, 40)
	for i := range rows {
		rows[i] = []Cell{Cell(i % 2), Cell(i % 10)}
	}
	table := tableOf(t, columns, rows...)
	failed := map[string]int{}
	for bytes := int64(0); bytes < 240; bytes += 8 {
		for name, run := range everyMechanism(t, columns, func() io.Reader { return io.LimitReader(battery.Seeded(1), bytes) }) {
			result, err := run(table)
			if err == nil {
				continue
			}
			failed[name]++
			if result != nil || !errors.Is(err, sampling.ErrRandomness) {
				t.Errorf("%s with %d bytes: %v, %v", name, bytes, result, err)
			}
		}
	}
	if len(failed) != 4 {
		t.Errorf("failures: %v", failed)
	}
	r, err := NewReconstruction(ReconstructionConfig{Columns: columns, Random: strings.NewReader("")})
	if err != nil {
		t.Fatal(err)
	}
	if row, err := r.Row(nil, []Generalised{{Low: 0, High: 1}}); row != nil || !errors.Is(err, sampling.ErrRandomness) {
		t.Errorf("%v, %v", row, err)
	}
}

// TestOtherTables: a mechanism refuses a table with other columns than those it was checked with.
func TestOtherTables(t *testing.T) {
	columns, others := []Column{quasiOf(category("a", 2))}, tableOf(t, []Column{quasiOf(category("a", 3))})
	for name, run := range everyMechanism(t, columns, func() io.Reader { return battery.Seeded(1) }) {
		if _, err := run(others); err == nil || !strings.Contains(err.Error(), "other columns") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := run(tableOf(t, columns)); err != nil {
			t.Errorf("%s: a table without rows: %v", name, err)
		}
	}
	k, err := NewKAnonymity(KAnonymityConfig{Columns: columns, K: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Anonymise(others); err == nil {
		t.Error("k-anonymity takes another table")
	}
}

// TestShuffle compares frequencies of all orders of four.
func TestShuffle(t *testing.T) {
	b, counts := sampling.NewBits(battery.Seeded(2)), map[[4]int32]int{}
	for range 48_000 {
		counts[[4]int32(shuffle(4, b))]++
	}
	var observed []int
	var p []float64
	for _, n := range counts {
		observed, p = append(observed, n), append(p, 1.0/24)
	}
	if len(observed) != 24 {
		t.Fatalf("%d orders", len(observed))
	}
	chiSquared(t, observed, p)
}
