package attack

import (
	"errors"
	"fmt"
)

// A Publication is what an agency has put out: cells, some of them hidden, and sums that everybody knows to hold between them. Totals are cells like
// others and may be hidden, too. [Cross] makes one from a table with any number of ways.
type Publication struct {
	Cells []Cell
	Sums  []Sum
}

// A Cell is one number of a table, an inner one or a total. No cell is negative.
type Cell struct {
	Name   string
	Value  int64 // ignored if Hidden
	Hidden bool
	// Least and Most are what is known of a hidden cell beforehand, such as the number of people who could be in it. Default of Most: 0, nothing
	// is known (of a cell that is known to be 0 there is nothing to find out).
	Least, Most int64
}

// A Sum says that a total is the sum of its parts, all by their number in Publication.Cells.
type Sum struct {
	Total int
	Parts []int
}

// ErrMalformed is returned when a publication makes no sense whatever its numbers: a sum of cells that there are not, negative numbers.
var ErrMalformed = errors.New("attack: malformed table")

// ErrInconsistent is returned when no table has the published numbers.
var ErrInconsistent = errors.New("attack: no table has these numbers")

// maxNumber keeps sums of numbers within int64.
const maxNumber = 1 << 40

func (p *Publication) validate() error {
	for _, c := range p.Cells {
		switch {
		case !c.Hidden && c.Value < 0:
			return fmt.Errorf("%w: %s is %d; counts are not negative", ErrMalformed, c.Name, c.Value)
		case c.Least < 0 || c.Most < 0 || c.Most > 0 && c.Most < c.Least:
			return fmt.Errorf("%w: %s is known to be from %d to %d", ErrMalformed, c.Name, c.Least, c.Most)
		case max(c.Value, c.Least, c.Most) > maxNumber:
			return fmt.Errorf("%w: %s is more than 2^40; divide all numbers by a common unit", ErrMalformed, c.Name)
		}
	}
	for i, s := range p.Sums {
		if err := p.validateSum(s); err != nil {
			return fmt.Errorf("%w: sum %d: %w", ErrMalformed, i+1, err)
		}
	}
	return nil
}

func (p *Publication) validateSum(s Sum) error {
	seen := map[int]bool{}
	for _, cell := range append([]int{s.Total}, s.Parts...) {
		if cell < 0 || cell >= len(p.Cells) {
			return fmt.Errorf("there is no cell %d", cell)
		}
		if seen[cell] {
			return fmt.Errorf("%s occurs twice", p.Cells[cell].Name)
		}
		seen[cell] = true
	}
	if len(s.Parts) == 0 {
		return fmt.Errorf("%s has no parts", p.Cells[s.Total].Name)
	}
	return nil
}

// An equation is a sum with what is shown of it moved to the right: the hidden parts, less the total if it is hidden, are Rest.
type equation struct {
	sum   int // in Publication.Sums
	terms []term
	rest  int64
}

type term struct {
	cell int
	sign int64
}

// equations are the sums with hidden cells. A sum without any must hold.
func (p *Publication) equations() ([]equation, error) {
	var equations []equation
	for i, s := range p.Sums {
		e := equation{sum: i}
		for _, part := range s.Parts {
			e.add(p.Cells[part], term{part, 1})
		}
		e.add(p.Cells[s.Total], term{s.Total, -1})
		if len(e.terms) == 0 && e.rest != 0 {
			return nil, fmt.Errorf("%w: %s is %d, and its parts sum up to %d", ErrInconsistent,
				p.Cells[s.Total].Name, p.Cells[s.Total].Value, p.Cells[s.Total].Value-e.rest)
		}
		if len(e.terms) > 0 {
			equations = append(equations, e)
		}
	}
	return equations, nil
}

func (e *equation) add(c Cell, t term) {
	if c.Hidden {
		e.terms = append(e.terms, t)
	} else {
		e.rest -= t.sign * c.Value
	}
}
