package utility

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Histogram is a table of counts. Sanitized counts may be negative, or no whole numbers, unless a measure says otherwise.
type Histogram struct {
	Domain Domain
	// Counts of the cells, in the order of the domain: as many as it has cells.
	Counts []float64
}

// check says what is wrong with a table that was not made by this package.
func (h *Histogram) check() error {
	if err := h.Domain.check(); err != nil {
		return err
	}
	if len(h.Counts) != h.Domain.Cells() {
		return fmt.Errorf("utility: %d counts for %d cells", len(h.Counts), h.Domain.Cells())
	}
	return nil
}

// NewHistogram returns an empty table, or says what is wrong with the domain.
func NewHistogram(d Domain) (*Histogram, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return &Histogram{Domain: d, Counts: make([]float64, d.Cells())}, nil
}

// With is a table of the same domain with other counts, which it keeps.
func (h *Histogram) With(counts []float64) (*Histogram, error) {
	if len(counts) != len(h.Counts) {
		return nil, fmt.Errorf("utility: %d counts for %d cells", len(counts), len(h.Counts))
	}
	for i, n := range counts {
		if !finite(n) {
			return nil, fmt.Errorf("utility: the count of cell %d is %v", i, n)
		}
	}
	return &Histogram{Domain: h.Domain, Counts: counts}, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Integers are the counts as mechanisms take them: whole numbers from 0 to 2^53.
func (h *Histogram) Integers() ([]int64, error) {
	counts := make([]int64, len(h.Counts))
	for i, n := range h.Counts {
		if !(n >= 0 && n <= 1<<53) || n != math.Trunc(n) {
			return nil, fmt.Errorf("utility: the count of cell %d is %v, no whole number from 0 to 2^53", i, n)
		}
		counts[i] = int64(n)
	}
	return counts, nil
}

func total(counts []float64) float64 {
	var sum float64
	for _, n := range counts {
		sum += n
	}
	return sum
}

// Marginal is the table of these variables alone, in this order: all others are summed over.
func (h *Histogram) Marginal(variables ...string) (*Histogram, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	at, err := h.Domain.positions(variables)
	if err != nil {
		return nil, err
	}
	m := &Histogram{Domain: make(Domain, len(at))}
	for i, p := range at {
		m.Domain[i] = h.Domain[p]
	}
	m.Counts = make([]float64, m.Domain.Cells())
	for cell, to := range h.Domain.index(at) {
		m.Counts[to] += h.Counts[cell]
	}
	return m, nil
}

// Given is the table of the persons who have that level of a variable, by the other variables.
func (h *Histogram) Given(variable, level string) (*Histogram, error) {
	m, err := h.Keep(variable, level)
	if err != nil {
		return nil, err
	}
	// The variable has a single level, so the cells are those of the others.
	m.Domain = slices.DeleteFunc(m.Domain, func(v Variable) bool { return v.Name == variable })
	return m, nil
}

// Keep is the table of the persons who have one of these levels of a variable, and of no other levels, in this order.
func (h *Histogram) Keep(variable string, levels ...string) (*Histogram, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	at, err := h.Domain.Position(variable)
	if err != nil {
		return nil, err
	}
	v := h.Domain[at]
	kept := make([]int, len(levels))
	for i, level := range levels {
		if kept[i], err = v.level(level); err != nil {
			return nil, err
		}
	}
	d := slices.Clone(h.Domain)
	d[at] = Variable{Name: v.Name, Levels: slices.Clone(levels)}
	if err := d.check(); err != nil {
		return nil, err
	}
	inner := d[at+1:].Cells()
	m := &Histogram{Domain: d, Counts: make([]float64, 0, d.Cells())}
	for outer := range d[:at].Cells() {
		for _, l := range kept {
			from := (outer*len(v.Levels) + l) * inner
			m.Counts = append(m.Counts, h.Counts[from:from+inner]...)
		}
	}
	return m, nil
}

// sameDomain checks that two tables can be compared.
func sameDomain(a, b *Histogram) error {
	same := slices.EqualFunc(a.Domain, b.Domain, func(v, w Variable) bool {
		return v.Name == w.Name && slices.Equal(v.Levels, w.Levels)
	})
	if !same {
		return errors.New("utility: the tables have different domains")
	}
	return cmp.Or(a.check(), b.check())
}
