package suppressor

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"

	"tacit/auditor/posterior"
	"tacit/mechanisms/sampling"
)

// A Group is a number of people of one cell who have the private attribute with the same probability.
type Group struct {
	People int
	Prior  float64
}

// A Cell holds the people of one row and column.
type Cell []Group

// People is their number, the paper's b_ij.
func (c Cell) People() int {
	n := 0
	for _, g := range c {
		n += g.People
	}
	return n
}

// A Table is a contingency table before anything is released of it: who is in each cell, row by row, and with what probability each person
// has the private attribute.
type Table struct {
	Rows, Columns int
	Cells         []Cell
}

// A Region is a rectangle of cells: rows Top to Bottom-1 and columns Left to Right-1.
type Region struct{ Top, Bottom, Left, Right int }

// At is the region of one cell.
func At(row, column int) Region { return Region{row, row + 1, column, column + 1} }

// Row is the region of a row.
func (t Table) Row(row int) Region { return Region{row, row + 1, 0, t.Columns} }

// Column is the region of a column.
func (t Table) Column(column int) Region { return Region{0, t.Rows, column, column + 1} }

// All is the whole table.
func (t Table) All() Region { return Region{0, t.Rows, 0, t.Columns} }

// Sum adds the cells of a region up.
func (t Table) Sum(values []int, r Region) int {
	sum := 0
	for row := r.Top; row < r.Bottom; row++ {
		for column := r.Left; column < r.Right; column++ {
			sum += values[row*t.Columns+column]
		}
	}
	return sum
}

// Released are sums that were released: the paper's I and V.
type Released []Sum

// A Sum is the number of people of a region who have the private attribute.
type Sum struct {
	Region
	Value int
}

// And is what is released with one more sum; what it is called on does not change.
func (v Released) And(r Region, value int) Released {
	return append(v[:len(v):len(v)], Sum{r, value})
}

// Margins are the sums of all rows and columns of a data set.
func (t Table) Margins(values []int) Released {
	var v Released
	for row := range t.Rows {
		v = v.And(t.Row(row), t.Sum(values, t.Row(row)))
	}
	for column := range t.Columns {
		v = v.And(t.Column(column), t.Sum(values, t.Column(column)))
	}
	return v
}

// System is the table and what is released of it, with the limits of Definition 1. Atoms are the groups, cell by cell.
func (t Table) System(epsilon float64, released Released) posterior.System {
	var s posterior.System
	for _, cell := range t.Cells {
		for _, g := range cell {
			s.Atoms = append(s.Atoms, g.atom(epsilon))
		}
	}
	for _, sum := range released {
		s.Sums = append(s.Sums, posterior.Sum{Set: t.Set(sum.Region), Value: sum.Value})
	}
	return s
}

func (g Group) atom(epsilon float64) posterior.Atom {
	a := posterior.Atom{People: g.People, Prior: []float64{1 - g.Prior, g.Prior}}
	if g.Prior > 0 && g.Prior < 1 {
		reach := epsilon * min(g.Prior, 1-g.Prior)
		a.Limits = []posterior.Limit{{Low: 1 - g.Prior - reach, High: 1 - g.Prior + reach}, {Low: g.Prior - reach, High: g.Prior + reach}}
	}
	return a
}

// Set is a region as a question to a system.
func (t Table) Set(r Region) posterior.Set {
	q := posterior.Set{Values: posterior.True}
	atom := 0
	for i, cell := range t.Cells {
		row, column := i/t.Columns, i%t.Columns
		for range cell {
			if row >= r.Top && row < r.Bottom && column >= r.Left && column < r.Right {
				q.Atoms = append(q.Atoms, atom)
			}
			atom++
		}
	}
	return q
}

// Draw draws a data set from the priors and returns its cells.
func (t Table) Draw(bits *sampling.Bits) ([]int, error) {
	values := make([]int, len(t.Cells))
	for i, cell := range t.Cells {
		for _, g := range cell {
			p, err := g.odds()
			if err != nil {
				return nil, err
			}
			r := sampling.Ratio{Of: p.Num().Uint64(), All: p.Denom().Uint64()}
			for range g.People {
				bits.Start()
				if bits.Bernoulli(r) {
					values[i]++
				}
			}
		}
	}
	return values, bits.Err()
}

// ErrPrior is returned when a probability is no decimal fraction from 0 to 1 with up to 18 places.
var ErrPrior = errors.New("suppressor: no probability")

// odds is the prior as the decimal fraction that it was written as, so that weights are small integers.
func (g Group) odds() (*big.Rat, error) {
	p, ok := new(big.Rat).SetString(strconv.FormatFloat(g.Prior, 'f', -1, 64))
	if !ok || p.Sign() < 0 || p.Cmp(big.NewRat(1, 1)) > 0 || p.Denom().BitLen() > 60 {
		return nil, fmt.Errorf("%w: %v", ErrPrior, g.Prior)
	}
	return p, nil
}
