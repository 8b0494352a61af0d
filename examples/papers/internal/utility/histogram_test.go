package utility

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// voters are the eight persons of Zhu et al. 2023, figure 1.
func voters(t testing.TB) *Histogram {
	t.Helper()
	h, err := NewHistogram(Domain{{"gender", []string{"M", "F"}}, {"block", []string{"1", "2"}}, {"age", []string{"Yes", "No"}}})
	if err != nil {
		t.Fatal(err)
	}
	copy(h.Counts, []float64{1, 0, 1, 2, 2, 0, 1, 0})
	return h
}

// table is a table of variables with so many levels each.
func table(t testing.TB, counts []float64, sizes ...int) *Histogram {
	t.Helper()
	d := make(Domain, len(sizes))
	for i, size := range sizes {
		d[i].Name = string(rune('a' + i))
		for l := range size {
			d[i].Levels = append(d[i].Levels, string(rune('A'+l)))
		}
	}
	h, err := NewHistogram(d)
	if err != nil {
		t.Fatal(err)
	}
	if counts == nil {
		return h
	}
	if h, err = h.With(counts); err != nil {
		t.Fatal(err)
	}
	return h
}

// random is a table of counts from 0 to most.
func random(t testing.TB, r *rand.Rand, most int, sizes ...int) *Histogram {
	t.Helper()
	h := table(t, nil, sizes...)
	for i := range h.Counts {
		h.Counts[i] = float64(r.IntN(most + 1))
	}
	return h
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestHistogram(t *testing.T) {
	h := voters(t)
	for _, test := range []struct {
		what string
		got  func() (*Histogram, error)
		want []float64
	}{
		{"one variable", func() (*Histogram, error) { return h.Marginal("block") }, []float64{3, 4}},
		{"two, in their order", func() (*Histogram, error) { return h.Marginal("gender", "age") }, []float64{2, 2, 3, 0}},
		{"two, turned around", func() (*Histogram, error) { return h.Marginal("age", "gender") }, []float64{2, 3, 2, 0}},
		{"none", func() (*Histogram, error) { return h.Marginal() }, []float64{7}},
		{"first given", func() (*Histogram, error) { return h.Given("gender", "F") }, []float64{2, 0, 1, 0}},
		{"middle given", func() (*Histogram, error) { return h.Given("block", "2") }, []float64{1, 2, 1, 0}},
		{"last given", func() (*Histogram, error) { return h.Given("age", "No") }, []float64{0, 2, 0, 0}},
		{"levels turned around", func() (*Histogram, error) { return h.Keep("age", "No", "Yes") }, []float64{0, 1, 2, 1, 0, 2, 0, 1}},
	} {
		t.Run(test.what, func(t *testing.T) {
			got, err := test.got()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got.Counts); diff != "" {
				t.Error(diff)
			}
			if got.Domain.Cells() != len(got.Counts) {
				t.Errorf("%d cells, %d counts", got.Domain.Cells(), len(got.Counts))
			}
		})
	}
	if len(h.Domain) != 3 || len(h.Domain[2].Levels) != 2 {
		t.Error("the table's own domain was changed")
	}
}

// Given a level of one variable after another, what is left is the count of the cell.
func TestGivenAll(t *testing.T) {
	h := random(t, seeded(1), 9, 3, 2, 4)
	for a, outer := range h.Domain[0].Levels {
		for b, middle := range h.Domain[1].Levels {
			for c, inner := range h.Domain[2].Levels {
				cell, err := h.Domain.Cell(outer, middle, inner)
				if err != nil || cell != (a*2+b)*4+c {
					t.Fatalf("cell %d, %v", cell, err)
				}
				one, _ := h.Given("b", middle)
				one, _ = one.Given("c", inner)
				one, _ = one.Given("a", outer)
				if diff := cmp.Diff([]float64{h.Counts[cell]}, one.Counts); diff != "" {
					t.Errorf("%s%s%s: %s", outer, middle, inner, diff)
				}
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	d := voters(t).Domain
	for _, test := range []struct {
		quasi []string
		want  [][]int
	}{
		{[]string{"gender"}, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}},
		{[]string{"age", "gender"}, [][]int{{0, 1, 4, 5}, {2, 3, 6, 7}}},
		{[]string{"gender", "block", "age"}, [][]int{{0, 1, 2, 3, 4, 5, 6, 7}}},
	} {
		got, err := d.Blocks(test.quasi...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v: %s", test.quasi, diff)
		}
	}
}

func TestIntegers(t *testing.T) {
	if counts, err := table(t, []float64{1, 5, 9}, 3).Integers(); err != nil || !cmp.Equal([]int64{1, 5, 9}, counts) {
		t.Errorf("%v, %v", counts, err)
	}
	for _, n := range []float64{2.5, -1, 1 << 54} {
		if _, err := table(t, []float64{1, n}, 2).Integers(); err == nil {
			t.Errorf("%v is taken for a whole number of persons", n)
		}
	}
}

func TestRefusedTables(t *testing.T) {
	many := make([]string, 5000)
	for i := range many {
		many[i] = strings.Repeat("x", i)
	}
	h := voters(t)
	for _, test := range []struct {
		what string
		err  func() error
		want string
	}{
		{"no name", func() error { _, err := NewHistogram(Domain{{"", []string{"x"}}}); return err }, "variable 1 has no name"},
		{"same name", func() error { _, err := NewHistogram(Domain{{"v", []string{"x"}}, {"v", []string{"x"}}}); return err }, "two variables v"},
		{"no levels", func() error { _, err := NewHistogram(Domain{{"v", nil}}); return err }, "v has no levels"},
		{"same level", func() error { _, err := NewHistogram(Domain{{"v", []string{"x", "x"}}}); return err }, `level "x" twice`},
		{"too many cells", func() error { _, err := NewHistogram(Domain{{"v", many}, {"w", many}}); return err }, "more than 16777216"},
		{"unknown level", func() error { _, err := h.Domain.Cell("M", "3", "Yes"); return err }, `"3" is none of the levels of block`},
		{"too few levels", func() error { _, err := h.Domain.Cell("M"); return err }, "1 levels for 3 variables"},
		{"unknown variable", func() error { _, err := h.Marginal("town"); return err }, "no variable town"},
		{"variable twice", func() error { _, err := h.Marginal("age", "age"); return err }, "named twice"},
		{"level kept twice", func() error { _, err := h.Keep("age", "No", "No"); return err }, "twice"},
		{"nothing kept", func() error { _, err := h.Keep("age"); return err }, "no levels"},
		{"no quasi-identifier", func() error { _, err := h.Domain.Blocks(); return err }, "at least one"},
		{"a count that is no number", func() error { _, err := h.With([]float64{1, 1, 1, 1, 1, 1, 1, math.NaN()}); return err }, "is NaN"},
		{"other size", func() error { _, err := h.With([]float64{1}); return err }, "1 counts for 8 cells"},
	} {
		if err := test.err(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.what, err, test.want)
		}
	}
}

// Tables that are put together by hand, with fewer counts than cells, or a domain that is none.
func TestRefusedHistograms(t *testing.T) {
	full := voters(t)
	for what, h := range map[string]*Histogram{
		"a count too few":  {Domain: full.Domain, Counts: full.Counts[:7]},
		"no counts":        {Domain: full.Domain},
		"a count too many": {Domain: full.Domain, Counts: make([]float64, 9)},
		"no levels":        {Domain: Domain{{"v", nil}, {"w", []string{"x", "y"}}}},
	} {
		v := h.Domain[0].Name
		for which, use := range map[string]func() error{
			"Marginal": func() error { _, err := h.Marginal(v); return err },
			"Given":    func() error { _, err := h.Given(v, "M"); return err },
			"Keep":     func() error { _, err := h.Keep(v, "M"); return err },
			"Train":    func() error { _, err := TrainLogistic(h, Task{Target: v, Positive: "M"}); return err },
			"TVDs":     func() error { _, err := MarginalTVDs(h, h, 1); return err },
			"HeatMap": func() error {
				_, err := NewHeatMap(h, h, Scale{Variable: v}, Scale{Variable: h.Domain[1].Name})
				return err
			},
			"Majority": func() error { _, err := Majority(h, v); return err },
		} {
			if use() == nil {
				t.Errorf("%s of a table with %s", which, what)
			}
		}
	}
}
