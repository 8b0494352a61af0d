package attack

import (
	"fmt"
	"math/big"
)

// WholeBounds are the bounds of tables of whole numbers, such as counts: those of [Publication.Bounds] where a whole table attains them, and
// elsewhere what branch and bound makes of them. It looks at no more than maxCases cases for a bound, and returns ErrTooLarge where that is
// not enough: whether there is a whole table at all is NP-hard to say in three ways.
func (p Publication) WholeBounds(maxCases int) ([]Interval, error) {
	intervals, err := p.Bounds()
	if err != nil {
		return nil, err
	}
	a, err := newAttack(&p)
	if err != nil {
		return nil, err
	}
	for k := range intervals {
		if err := a.makeWhole(&intervals[k], maxCases); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Cells[intervals[k].Cell].Name, err)
		}
		if err := a.interval(intervals[k]); err != nil {
			panic("attack: internal error: " + err.Error())
		}
	}
	return intervals, nil
}

func (a attack) makeWhole(i *Interval, maxCases int) (err error) {
	i.Whole = true
	if !i.Low.Table.Whole() {
		if i.Low, err = a.whole(i.Cell, -1, maxCases); err != nil {
			return err
		}
	}
	switch {
	case i.High.Table.Whole():
	case i.High.Value == nil:
		i.High.Table = i.Low.Table // a multiple of the ray is whole
	default:
		i.High, err = a.whole(i.Cell, 1, maxCases)
	}
	return err
}

// A branching looks for the whole table with the largest side times cell.
type branching struct {
	attack
	cell  int
	side  int64
	left  int // cases that may still be looked at
	found Bound
}

func (a attack) whole(cell int, side int64, maxCases int) (Bound, error) {
	b := &branching{attack: a, cell: cell, side: side, left: maxCases}
	proof, err := b.look(nil)
	if err != nil {
		return Bound{}, err
	}
	if b.found.Value == nil {
		return Bound{}, fmt.Errorf("%w: tables of whole numbers do not fit", ErrInconsistent)
	}
	b.found.Proof = proof
	return b.found, nil
}

// look finds what is better in a box than what was found so far, and proves that there is nothing else.
func (b *branching) look(known box) (Proof, error) {
	if b.left--; b.left < 0 {
		return Proof{}, fmt.Errorf("%w: more cases than allowed", ErrTooLarge)
	}
	s := b.newSearch(b.component(b.cell), known)
	contradiction, err := s.program.start()
	if err != nil {
		return Proof{}, err
	}
	if contradiction != nil {
		return Proof{Multipliers: s.multipliers(negative(contradiction)), Impossible: true}, nil
	}
	bound, err := b.best(s)
	if err != nil {
		return Proof{}, err
	}
	if b.found.Value != nil && !b.better(bound.Value) {
		return bound.Proof, nil
	}
	at := b.fraction(bound.Table)
	if at < 0 {
		b.found = bound
		return bound.Proof, nil
	}
	split := &Split{Cell: at, At: floor(bound.Table.At(at))}
	atMost, more := known.halves(split, b.p.Cells[at])
	if split.AtMost, err = b.look(atMost); err != nil {
		return Proof{}, err
	}
	split.More, err = b.look(more)
	return Proof{Split: split}, err
}

// best is the bound of real tables.
func (b *branching) best(s *search) (Bound, error) {
	k := 0
	for s.cells[k] != b.cell {
		k++
	}
	find := s.program.most
	if b.side < 0 {
		find = s.program.least
	}
	e, err := find(k)
	if err != nil {
		return Bound{}, err
	}
	return s.bound(k, e, s.table()), nil
}

// better says whether a whole table with that bound may be better than the one found.
func (b *branching) better(bound *big.Rat) bool {
	ahead := new(big.Rat).Sub(bound, b.found.Value)
	return ahead.Mul(ahead, ratio(b.side)).Cmp(ratio(1)) >= 0
}

// fraction is the first cell of a table that is not whole, or -1.
func (b *branching) fraction(t Vector) int {
	for _, cell := range b.component(b.cell) {
		if !t.At(cell).IsInt() {
			return cell
		}
	}
	return -1
}

// floor rounds what is not negative down.
func floor(v *big.Rat) int64 { return new(big.Int).Quo(v.Num(), v.Denom()).Int64() }
