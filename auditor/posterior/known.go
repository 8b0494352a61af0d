package posterior

import (
	"fmt"
	"math/bits"
)

// known is what follows about the counts of single atoms from the priors and the released sums by bounds alone: counts that can have
// one value only leave the system as constants. Without that step a sum of 0, or of everybody, would have no tilt.
type known struct {
	System
	all       ValueSet
	low, high []int      // the count of value 1, of a Boolean attribute
	support   []ValueSet // the values that an atom's people can have
}

// A row is a sum over atoms whose counts vary; what the constants contribute is subtracted.
type row struct {
	atoms []int32
	set   ValueSet
	value int
}

// maxPasses bounds the propagation: each pass only sharpens what the solver may not need.
const maxPasses = 50

func (s System) known() (*known, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	k := &known{System: s, low: make([]int, len(s.Atoms)), high: make([]int, len(s.Atoms)), support: make([]ValueSet, len(s.Atoms))}
	for a := range s.Atoms {
		k.begin(a)
	}
	for range maxPasses {
		moved := false
		for i := range s.Sums {
			m, err := k.propagate(&s.Sums[i])
			if err != nil {
				return nil, err
			}
			moved = moved || m
		}
		if !moved {
			break
		}
	}
	return k, nil
}

func (k *known) begin(a int) {
	atom := &k.Atoms[a]
	k.all = 1<<len(atom.Prior) - 1
	if len(atom.Prior) == MaxValues {
		k.all = ^ValueSet(0)
	}
	k.high[a] = atom.People
	for value, p := range atom.Prior {
		if p > 0 {
			k.support[a] |= 1 << value
		}
	}
	if !atom.Boolean() {
		return
	}
	if atom.Prior[1] <= 0 {
		k.high[a] = 0
	}
	if atom.Prior[1] >= 1 || atom.Prior[0] <= 0 {
		k.low[a] = atom.People
	}
}

func (s System) validate() error {
	for a := range s.Atoms {
		atom := &s.Atoms[a]
		if n := len(atom.Prior); n < 2 || n > MaxValues || n != len(s.Atoms[0].Prior) || atom.People < 0 {
			return fmt.Errorf("%w: atom %d", errInvalid, a)
		}
		if atom.Limits != nil && len(atom.Limits) != len(atom.Prior) {
			return fmt.Errorf("%w: limits of atom %d", errInvalid, a)
		}
	}
	for i := range s.Sums {
		if err := s.validateSet(s.Sums[i].Set); err != nil {
			return err
		}
	}
	return nil
}

func (s System) validateSet(q Set) error {
	for i, a := range q.Atoms {
		if a < 0 || a >= len(s.Atoms) || i > 0 && a <= q.Atoms[i-1] {
			return fmt.Errorf("%w: atoms of a set", errInvalid)
		}
	}
	return nil
}

// constant reports whether the atom has one possible vector of counts.
func (k *known) constant(a int) bool {
	if k.Atoms[a].Boolean() {
		return k.low[a] == k.high[a]
	}
	return k.Atoms[a].People == 0 || bits.OnesCount64(uint64(k.support[a])) == 1
}

// count is the number of people of a constant atom who have one of the values.
func (k *known) count(a int, set ValueSet) int {
	n := 0
	if !k.Atoms[a].Boolean() {
		if set&k.support[a] != 0 {
			n = k.Atoms[a].People
		}
		return n
	}
	if set.Has(1) {
		n += k.low[a]
	}
	if set.Has(0) {
		n += k.Atoms[a].People - k.low[a]
	}
	return n
}

// row splits the sum of a set into a part that varies and the contribution of constants, which it returns.
func (k *known) row(q Set) (row, int) {
	r, constant := row{set: q.Values & k.all, atoms: make([]int32, 0, len(q.Atoms))}, 0
	for _, a := range q.Atoms {
		inside := r.set & k.support[a]
		switch {
		case k.constant(a):
			constant += k.count(a, r.set)
		case inside == 0:
		case inside == k.support[a]:
			constant += k.Atoms[a].People
		default:
			r.atoms = append(r.atoms, int32(a))
		}
	}
	return r, constant
}

// people counts everybody in the atoms of the row.
func (k *known) people(r row) int {
	n := 0
	for _, a := range r.atoms {
		n += k.Atoms[a].People
	}
	return n
}

// propagate sharpens the bounds by one released sum: an atom has at least what the others cannot make up, and at most what they leave.
func (k *known) propagate(s *Sum) (bool, error) {
	r, constant := k.row(s.Set)
	rest := s.Value - constant
	people := k.people(r)
	if rest < 0 || rest > people {
		return false, errImpossible
	}
	if len(r.atoms) == 0 {
		return false, nil
	}
	if k.Atoms[0].Boolean() {
		if r.set == 1 {
			rest = people - rest
		}
		return k.tighten(r, rest)
	}
	switch rest {
	case 0:
		return k.restrict(r, ^r.set)
	case people:
		return k.restrict(r, r.set)
	}
	return false, nil
}

func (k *known) restrict(r row, to ValueSet) (bool, error) {
	for _, a := range r.atoms {
		k.support[a] &= to
		if k.support[a] == 0 {
			return false, errImpossible
		}
	}
	return true, nil
}

func (k *known) tighten(r row, rest int) (bool, error) {
	low, high := 0, 0
	for _, a := range r.atoms {
		low += k.low[a]
		high += k.high[a]
	}
	if rest < low || rest > high {
		return false, errImpossible
	}
	moved := false
	for _, a := range r.atoms {
		l, h := max(k.low[a], rest-(high-k.high[a])), min(k.high[a], rest-(low-k.low[a]))
		if l > h {
			return false, errImpossible
		}
		if l != k.low[a] || h != k.high[a] {
			moved = true
		}
		low += l - k.low[a]
		high += h - k.high[a]
		k.low[a], k.high[a] = l, h
	}
	return moved, nil
}
