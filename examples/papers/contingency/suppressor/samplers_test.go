package suppressor

import (
	"errors"
	"math"
	"testing"

	"tacit/auditor/posterior"
	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
)

func seeded(seed byte) *sampling.Bits { return sampling.NewBits(battery.Seeded(seed)) }

// mixed is a 2x3 table with several types in a cell, a certain person and an empty cell.
func mixed() Table {
	return Table{2, 3, []Cell{
		{{3, 0.3}, {2, 0.5}}, {{4, 0.4}}, {{2, 0.8}, {1, 1}},
		{{4, 0.5}}, {}, {{3, 0.25}},
	}}
}

// equal has one prior.
func equal() Table {
	return Table{2, 2, []Cell{{{3, 0.4}}, {{4, 0.4}}, {{2, 0.4}}, {{5, 0.4}}}}
}

// square is a 3x3 table in which known cells leave a cycle of six cells only.
func square() Table {
	t := Table{Rows: 3, Columns: 3}
	for i := range 9 {
		t.Cells = append(t.Cells, Cell{{3, 0.2 + 0.05*float64(i)}})
	}
	return t
}

type situation struct {
	name     string
	table    Table
	released Released
	cell     Region
}

func situations() []situation {
	m, e, s := mixed(), equal(), square()
	ms, es, ss := []int{2, 1, 2, 3, 0, 1}, []int{1, 2, 1, 3}, []int{1, 2, 0, 1, 1, 2, 2, 1, 1}
	hexagon := s.Margins(ss).And(At(0, 2), 0).And(At(1, 0), 1).And(At(2, 1), 1)
	return []situation{
		{"mixed priors", m, m.Margins(ms), At(0, 0)},
		{"a known cell", m, m.Margins(ms).And(At(0, 1), 1), At(1, 2)},
		{"equal priors", e, e.Margins(es), At(1, 1)},
		{"3 by 3", s, s.Margins(ss), At(1, 1)},
		{"a cycle of six", s, hexagon, At(0, 0)},
	}
}

// distribution is an exact law for the chi-squared test.
func distribution(law posterior.Law) battery.Distribution {
	pmf := func(z int64) (p float64) {
		for i, v := range law.Values {
			if int64(v) == z {
				p = law.Probability[i]
			}
		}
		return p
	}
	upper := func(k int64) (p float64) {
		for i, v := range law.Values {
			if int64(v) >= k {
				p += law.Probability[i]
			}
		}
		return p
	}
	return battery.Distribution{PMF: pmf, Upper: upper}
}

// Each sampler draws a cell from the law that elimination computes. A chain is so short of its limit after 60 sweeps that 1,500 draws do not show it.
func TestSamplersDrawFromTheLaw(t *testing.T) {
	for i, s := range situations() {
		if testing.Short() && i%2 != 0 {
			continue
		}
		counter, err := NewCounter(s.table, seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		for name, sampler := range map[string]Sampler{
			"counter": counter,
			"chain":   &Chain{Table: s.table, Bits: seeded(2), Sweeps: 60},
		} {
			t.Run(s.name+"/"+name, func(t *testing.T) { checkSampler(t, s, sampler) })
		}
	}
}

func checkSampler(t *testing.T, s situation, sampler Sampler) {
	law, err := s.table.System(0.5, s.released).Eliminate(s.table.Set(s.cell), posterior.EliminationLimit{})
	if err != nil {
		t.Fatal(err)
	}
	draws := make([]int64, 1500)
	for i := range draws {
		values, err := sampler.Sample(s.released)
		if err != nil {
			t.Fatal(err)
		}
		for _, sum := range s.released {
			if got := s.table.Sum(values, sum.Region); got != sum.Value {
				t.Fatalf("draw %v has %d in %+v, released %d", values, got, sum.Region, sum.Value)
			}
		}
		draws[i] = int64(s.table.Sum(values, s.cell))
	}
	statistic, freedom := battery.ChiSquared(distribution(law), draws)
	if limit := battery.Limit(freedom); freedom == 0 || statistic >= limit {
		t.Errorf("chi-squared %v with %d degrees of freedom, limit %v", statistic, freedom, limit)
	}
}

// eliminated believes by exact elimination, whatever regions are released.
type eliminated struct{ Table }

// Posterior implements [Beliefs].
func (e eliminated) Posterior(released Released) ([][]float64, error) {
	q, err := e.System(0, released).EliminatedPosterior(posterior.EliminationLimit{})
	if err != nil {
		return nil, err
	}
	beliefs := make([][]float64, len(e.Cells))
	atom := 0
	for i, cell := range e.Cells {
		for range cell {
			beliefs[i] = append(beliefs[i], q[atom][1])
			atom++
		}
	}
	return beliefs, nil
}

func TestCounterBelievesAsElimination(t *testing.T) {
	for _, s := range situations() {
		t.Run(s.name, func(t *testing.T) {
			counter, err := NewCounter(s.table, nil)
			if err != nil {
				t.Fatal(err)
			}
			// Without a row's sum, the program runs over what is left.
			for _, released := range []Released{s.released, s.released[1:], s.released[:s.table.Rows], nil} {
				compareBeliefs(t, counter, eliminated{s.table}, released)
			}
		})
	}
}

func compareBeliefs(t *testing.T, got, want Beliefs, released Released) {
	t.Helper()
	g, err := got.Posterior(released)
	if err != nil {
		t.Fatal(err)
	}
	w, err := want.Posterior(released)
	if err != nil {
		t.Fatal(err)
	}
	for i := range w {
		for k := range w[i] {
			if !(math.Abs(g[i][k]-w[i][k]) <= 1e-12) {
				t.Errorf("cell %d, group %d: %v, want %v", i, k, g[i][k], w[i][k])
			}
		}
	}
}

func TestSamplersRefuse(t *testing.T) {
	e := equal()
	margins := e.Margins([]int{1, 2, 1, 3})
	counter, err := NewCounter(e, seeded(5))
	if err != nil {
		t.Fatal(err)
	}
	chain := &Chain{Table: e, Bits: seeded(5), Sweeps: 1}
	for _, test := range []struct {
		name     string
		sampler  Sampler
		released Released
		want     error
	}{
		{"the program, a rectangle", counter, Released{{e.All(), 5}}, ErrShape},
		{"the program, contradicting margins", counter, margins.And(e.Row(0), 2), ErrInconsistent},
		{"the chain, a margin unknown", chain, margins[1:], ErrMargins},
		{"the chain, contradicting margins", chain, margins.And(e.Row(0), 2), ErrInconsistent},
		{"the chain, too many in a cell", chain, margins.And(At(0, 0), 4), ErrInconsistent},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := test.sampler.Sample(test.released); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
	if _, err := NewCounter(Table{1, 1, []Cell{{{1, math.NaN()}}}}, nil); !errors.Is(err, ErrPrior) {
		t.Errorf("no prior: %v", err)
	}
}

// Data sets are drawn from the priors.
func TestDraw(t *testing.T) {
	table := mixed()
	bits := seeded(6)
	law, err := table.System(0.5, nil).Eliminate(table.Set(table.All()), posterior.EliminationLimit{})
	if err != nil {
		t.Fatal(err)
	}
	draws := make([]int64, 5000)
	for i := range draws {
		values, err := table.Draw(bits)
		if err != nil {
			t.Fatal(err)
		}
		draws[i] = int64(table.Sum(values, table.All()))
	}
	if statistic, freedom := battery.ChiSquared(distribution(law), draws); statistic >= battery.Limit(freedom) {
		t.Errorf("chi-squared %v with %d degrees of freedom", statistic, freedom)
	}
}
