package residual

import (
	"fmt"
	"math"
)

// A Record is what is kept of a release, from which it is made again: the noisy integers themselves, and the variances of their noise. So what
// is said of it later does not depend on how a later version finds a strategy.
type Record struct {
	Sizes     []int            `json:"sizes"`
	Marginals [][]int          `json:"marginals"`
	Residuals []ResidualRecord `json:"residuals"`
	// Bases are those of columns that are asked in ranges.
	Bases []BaseRecord `json:"bases,omitempty"`
}

// A BaseRecord has the queries of a column: integers of the scale of Scale times a count, row by row.
type BaseRecord struct {
	Column  int     `json:"column"`
	Scale   int64   `json:"scale"`
	Queries []int64 `json:"queries"`
}

// A ResidualRecord is one residual: integers of the scale of N_A times a count.
type ResidualRecord struct {
	Columns  []int   `json:"columns"`
	Variance float64 `json:"variance"` // sigma_A^2, of the scale of counts
	Noisy    []int64 `json:"noisy"`
}

// Record is that of one release.
func (m *Measurement) Record() *Record {
	w := m.workload
	r := &Record{Sizes: w.sizes}
	for _, s := range w.sets {
		r.Marginals = append(r.Marginals, notNil(s.columns()))
	}
	for i, a := range w.residuals {
		r.Residuals = append(r.Residuals, ResidualRecord{notNil(a.columns()), m.variances[i], m.noisy[i]})
	}
	for i, b := range w.bases {
		if b != nil {
			r.Bases = append(r.Bases, BaseRecord{i, b.scale, b.queries})
		}
	}
	return r
}

func notNil(columns []int) []int { return append([]int{}, columns...) }

// Measurement makes the release again. What is no record of one is refused.
func (r *Record) Measurement() (*Measurement, *Strategy, error) {
	marginals := make([]Marginal, len(r.Marginals))
	for i, columns := range r.Marginals {
		marginals[i] = Marginal{columns, 1}
	}
	bases := make([]*base, len(r.Sizes))
	for _, kept := range r.Bases {
		if kept.Column < 0 || kept.Column >= len(bases) || bases[kept.Column] != nil {
			return nil, nil, fmt.Errorf("column %d has no queries of its own, or two of them", kept.Column)
		}
		var err error
		if bases[kept.Column], err = newBase(r.Sizes[kept.Column], kept.Scale, kept.Queries); err != nil {
			return nil, nil, err
		}
	}
	w, err := newWorkload(r.Sizes, bases, marginals, make([]set, len(marginals)))
	if err != nil {
		return nil, nil, err
	}
	if len(r.Residuals) != len(w.residuals) {
		return nil, nil, fmt.Errorf("%d residuals instead of %d", len(r.Residuals), len(w.residuals))
	}
	noisy, variances := make([][]int64, len(w.residuals)), make([]float64, len(w.residuals))
	for _, kept := range r.Residuals {
		a, ok := w.under(kept.Columns)
		place, known := w.place[a]
		switch {
		case !ok || !known || noisy[place] != nil:
			return nil, nil, fmt.Errorf("columns %v have no residual, or two", kept.Columns)
		case float64(len(kept.Noisy)) != w.product(a):
			return nil, nil, fmt.Errorf("%d numbers for the residual of columns %v", len(kept.Noisy), kept.Columns)
		case !(kept.Variance > 0) || math.IsInf(kept.Variance, 1):
			return nil, nil, fmt.Errorf("the variance %v of columns %v", kept.Variance, kept.Columns)
		}
		noisy[place], variances[place] = kept.Noisy, kept.Variance
	}
	s := &Strategy{w, variances}
	return s.measurement(noisy), s, nil
}
