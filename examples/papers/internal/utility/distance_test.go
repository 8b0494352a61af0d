package utility

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tvd is the distance of whole tables.
func tvd(original, sanitized []float64) (float64, error) {
	d, scale, err := differences(original, sanitized)
	return halfNorm(d, scale), err
}

func TestTVD(t *testing.T) {
	for _, test := range []struct {
		what                string
		original, sanitized []float64
		want                float64
	}{
		{"equal", []float64{3, 0, 7}, []float64{3, 0, 7}, 0},
		{"same shares of another total: not the distance of counts", []float64{1, 2, 3}, []float64{100, 200, 300}, 0},
		{"disjoint", []float64{5, 0}, []float64{0, 1}, 1},
		{"half of the l1 norm, not all of it", []float64{1, 1}, []float64{1, 3}, 0.25},
		{"each total its own", []float64{2, 2, 0, 0}, []float64{0, 1, 1, 0}, 0.5},
	} {
		if got, err := tvd(test.original, test.sanitized); err != nil || got != test.want {
			t.Errorf("%s: %v, %v, want %v", test.what, got, err, test.want)
		}
	}
	for _, test := range []struct {
		what                string
		original, sanitized []float64
		want                float64
	}{
		{"large counts", []float64{1e200, 1}, []float64{1e200, 2}, 0},
		{"large counts, and small ones", []float64{1e307, 1e307}, []float64{1, 3}, 0.25},
		{"small counts", []float64{1e-200, 0}, []float64{0, 1e-200}, 1},
		{"the smallest count", []float64{5e-324, 0}, []float64{1, 1}, 0.5},
	} {
		if got, err := tvd(test.original, test.sanitized); err != nil || !(math.Abs(got-test.want) <= 1e-15) {
			t.Errorf("%s: %v, %v, want %v", test.what, got, err, test.want)
		}
	}
	for _, bad := range [][]float64{{0, 0}, {-1, 2}, {math.NaN(), 1}, {math.Inf(1), 1}, {1e308, 1e308}} {
		if _, err := tvd([]float64{1, 1}, bad); !errors.Is(err, ErrNoDistribution) {
			t.Errorf("%v: %v", bad, err)
		}
		if _, err := tvd(bad, []float64{1, 1}); !errors.Is(err, ErrNoDistribution) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// naiveTVDs goes through the cells of each marginal by itself, as the definition has it.
func naiveTVDs(original, sanitized *Histogram, most int) [][]MarginalTVD {
	found := make([][]MarginalTVD, most)
	var choose func(from int, chosen []int)
	choose = func(from int, chosen []int) {
		if n := len(chosen); n > 0 {
			p, q := map[string]float64{}, map[string]float64{}
			for cell, rest := 0, 0; cell < len(original.Counts); cell++ {
				rest = cell
				key := ""
				for v := len(original.Domain) - 1; v >= 0; v-- {
					size := len(original.Domain[v].Levels)
					for _, c := range chosen {
						if c == v {
							key += fmt.Sprint(rest%size, ",")
						}
					}
					rest /= size
				}
				p[key] += original.Counts[cell] / total(original.Counts)
				q[key] += sanitized.Counts[cell] / total(sanitized.Counts)
			}
			var sum float64
			for key := range p {
				sum += math.Abs(p[key] - q[key])
			}
			found[n-1] = append(found[n-1], MarginalTVD{append([]int(nil), chosen...), sum / 2})
		}
		for v := from; v < len(original.Domain) && len(chosen) < most; v++ {
			choose(v+1, append(chosen, v))
		}
	}
	choose(0, nil)
	return found
}

func TestMarginalTVDs(t *testing.T) {
	r := seeded(2)
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
	rounds := 5
	if testing.Short() {
		rounds = 2
	}
	for _, sizes := range [][]int{{4}, {2, 3}, {3, 1, 2}, {2, 3, 4, 2}, {3, 3, 3, 3, 3, 3}} {
		for range rounds {
			a, b := random(t, r, 9, sizes...), random(t, r, 9, sizes...)
			for most := 1; most <= len(sizes); most++ {
				got, err := MarginalTVDs(a, b, most)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(naiveTVDs(a, b, most), got, near); diff != "" {
					t.Fatalf("sizes %v, up to %d: %s", sizes, most, diff)
				}
			}
		}
	}
	got, err := MarginalTVDs(table(t, nil, 3, 3, 3, 3, 3, 3).filled(1), table(t, nil, 3, 3, 3, 3, 3, 3).filled(2), 3)
	if err != nil || len(got[0]) != 6 || len(got[1]) != 15 || len(got[2]) != 20 {
		t.Errorf("%d, %d, %d marginals of six variables, %v", len(got[0]), len(got[1]), len(got[2]), err)
	}
	for _, ways := range got {
		for _, m := range ways {
			if m.TVD != 0 {
				t.Errorf("%v: %v between equal shares, want 0 exactly", m.Variables, m.TVD)
			}
		}
	}
}

// filled is the same table with the same count everywhere.
func (h *Histogram) filled(n float64) *Histogram {
	for i := range h.Counts {
		h.Counts[i] = n
	}
	return h
}

// Distances are in [0, 1], and no marginal is farther than the tables it is a marginal of. (This is why the box plots of the paper rise from
// 1 to 3 ways.)
func TestMarginalsAreNearer(t *testing.T) {
	r := seeded(3)
	for range 200 {
		a, b := random(t, r, 3, 2, 3, 2, 2), random(t, r, 3, 2, 3, 2, 2)
		if total(a.Counts) == 0 || total(b.Counts) == 0 {
			continue
		}
		all, err := MarginalTVDs(a, b, 4)
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]float64{}
		for _, ways := range all {
			for _, m := range ways {
				of[fmt.Sprint(m.Variables)] = m.TVD
				if !(m.TVD >= 0 && m.TVD <= 1) {
					t.Errorf("%v: %v", m.Variables, m.TVD)
				}
				for i := range m.Variables {
					if part, ok := of[fmt.Sprint(without(m.Variables, i))]; ok && part > m.TVD+1e-15 {
						t.Errorf("%v without its variable %d: %v, more than %v", m.Variables, i, part, m.TVD)
					}
				}
			}
		}
		if whole, _ := tvd(a.Counts, b.Counts); math.Abs(whole-all[3][0].TVD) > 1e-15 {
			t.Errorf("the marginal of all variables is at %v, the table at %v", all[3][0].TVD, whole)
		}
	}
}

func without(variables []int, i int) []int {
	return append(append([]int{}, variables[:i]...), variables[i+1:]...)
}

func TestRefusedMarginals(t *testing.T) {
	a := table(t, []float64{1, 2, 3, 4}, 2, 2)
	for what, err := range map[string]error{
		"no way":         second(MarginalTVDs(a, a, 0)),
		"too many ways":  second(MarginalTVDs(a, a, 3)),
		"another domain": second(MarginalTVDs(a, table(t, []float64{1, 2, 3, 4}, 4), 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

func second[T any](_ T, err error) error { return err }
