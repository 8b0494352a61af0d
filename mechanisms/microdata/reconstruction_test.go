package microdata

import (
	"math"
	"testing"

	"tacit/internal/battery"
)

func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// TestReconstruction compares frequencies with the distributions stated, for means that are integers and means that are not.
func TestReconstruction(t *testing.T) {
	n, c := quasiOf(nullableOf(number("n", -2, 40))), quasiOf(nullableOf(category("c", 6)))
	for _, test := range []struct {
		what    string
		column  Column
		numbers Numbers
		g       Generalised
		p       func(v Cell) float64 // Null included
	}{
		{"categories", c, "", Generalised{Low: 1, High: 3}, uniform(1, 3, false)},
		{"categories and NULL", c, GaussianNumbers, Generalised{Low: 1, High: 3, Null: true}, uniform(1, 3, true)},
		{"numbers", n, "", Generalised{Low: 5, High: 20}, uniform(5, 20, false)},
		{"numbers and NULL", n, UniformNumbers, Generalised{Low: 5, High: 20, Null: true}, uniform(5, 20, true)},
		{"one number", n, GaussianNumbers, Generalised{Low: 5, High: 5}, uniform(5, 5, false)},
		{"NULL", n, GaussianNumbers, Generalised{Low: Null, High: Null, Null: true}, uniform(0, -1, true)},
		{"Gaussian", n, GaussianNumbers, Generalised{Low: 10, High: 22}, rounded(16, 3)},
		{"Gaussian at the end of the range", n, GaussianNumbers, Generalised{Low: 0, High: 8}, rounded(4, 2)},
		{"Gaussian between integers at the end of the range", n, GaussianNumbers, Generalised{Low: 0, High: 5}, halves(2.5, 1.25)},
		{"Gaussian between integers", n, GaussianNumbers, Generalised{Low: 10, High: 25}, halves(17.5, 3.75)},
	} {
		t.Run(test.what, func(t *testing.T) {
			r, err := NewReconstruction(ReconstructionConfig{Columns: []Column{test.column}, Numbers: test.numbers, Random: battery.Seeded(19)})
			if err != nil {
				t.Fatal(err)
			}
			size := test.column.size()
			observed, p := make([]int, size+1), make([]float64, size+1)
			for range 200_000 {
				row, err := r.Row(nil, []Generalised{test.g})
				if err != nil || !test.column.admits(row[0]) {
					t.Fatalf("%v: %v", row, err)
				}
				observed[row[0]+1]++
			}
			for v := Null; v < Cell(size); v++ {
				p[v+1] = test.p(v)
			}
			chiSquared(t, observed, p)
		})
	}
}

func uniform(low, high Cell, null bool) func(Cell) float64 {
	n := float64(high - low + 1)
	if null {
		n++
	}
	return func(v Cell) float64 {
		if low <= v && v <= high || null && v == Null {
			return 1 / n
		}
		return 0
	}
}

// rounded is a Gaussian rounded to the nearest cell from 0 to 42.
func rounded(mean, sigma float64) func(Cell) float64 {
	return func(v Cell) float64 {
		below, above := phi((float64(v)-0.5-mean)/sigma), phi((float64(v)+0.5-mean)/sigma)
		switch v {
		case Null:
			return 0
		case 0:
			below = 0
		case 42:
			above = 1
		}
		return above - below
	}
}

// halves is a Gaussian rounded to the nearest half, then up or down, and held to 0 and more.
func halves(mean, sigma float64) func(Cell) float64 {
	twice := func(w float64) float64 { return phi((w/2+0.25-mean)/sigma) - phi((w/2-0.25-mean)/sigma) }
	return func(v Cell) float64 {
		w := 2 * float64(v)
		p := twice(w) + (twice(w-1)+twice(w+1))/2
		switch v {
		case Null:
			return 0
		case 0:
			return phi((-0.25-mean)/sigma) + twice(0) + twice(1)/2
		}
		return p
	}
}

// TestReconstructedRows: a row has a cell for every quasi-identifier, after those that were there.
func TestReconstructedRows(t *testing.T) {
	columns := []Column{quasiOf(category("a", 4)), category("b", 2), quasiOf(number("c", 0, 9))}
	r, err := NewReconstruction(ReconstructionConfig{Columns: columns, Random: battery.Seeded(20)})
	if err != nil {
		t.Fatal(err)
	}
	row, err := r.Row([]Cell{42}, []Generalised{{Low: 2, High: 2}, {Low: 7, High: 7}})
	if err != nil || len(row) != 3 || row[0] != 42 || row[1] != 2 || row[2] != 7 {
		t.Errorf("%v, %v", row, err)
	}
	if _, err := r.Row(nil, []Generalised{{}}); err == nil {
		t.Error("a class of one column is accepted")
	}
}
