package posterior

import "fmt"

// Insiders are people of a block who share their own values with an attacker. Who they are and what their values are is not known to the
// auditor, so that a risk against t insiders is the largest risk of any number of insiders up to t, anywhere in the block, with any values:
//   - In people with no sum the rest are n-t independent people, whatever values the insiders have, and what an answer tells of them is
//     its difference from the insiders' part. So only where the insiders stand matters.
//   - In a block with a known sum it also matters how many insiders have the value, k of them: then the sum of the rest is k less.
//
// The risk is neither rising nor falling in t, because posteriors are multiples of one part in n-t: so all numbers are tried. Insiders do
// not protect themselves: the risk is that of the others.

// MaxInsiders bounds the insiders of a block.
const MaxInsiders = 50

// maxCoalitions bounds how many ways to place insiders one decision tries.
const maxCoalitions = 60_000

// A coalition tries all ways to place insiders in a cut.
type coalition struct {
	cut         // what is left of it
	known  bool // the sum is known
	people int  // of the whole cut
	of     int  // its sum
	tried  int
	work   float64
	risk   func(*cut) (float64, error)
	most   float64
}

// worst is the largest risk of a cut after up to the given number of insiders are taken out of it.
func worst(c cut, insiders int, known bool, risk func(*cut) (float64, error)) (float64, error) {
	if insiders < 0 || insiders > MaxInsiders {
		return 0, fmt.Errorf("%w: %d insiders, of at most %d", errInvalid, insiders, MaxInsiders)
	}
	n1, n2 := c.people()
	w := coalition{known: known, people: n1 + n2, of: c.sum, risk: risk}
	for _, side := range [2][]part{c.inside, c.outside} {
		for i := range side {
			if side[i].shared > 0 {
				return 0, fmt.Errorf("%w: insiders among people who share a rate", ErrTypes)
			}
		}
	}
	w.inside, w.outside = append([]part(nil), c.inside...), append([]part(nil), c.outside...)
	err := w.place(0, insiders, 0)
	return w.most, err
}

// place takes up to left more insiders out of the parts from i on, after taken from those before.
func (w *coalition) place(i, left, taken int) error {
	if i == len(w.inside)+len(w.outside) {
		return w.try(taken)
	}
	p := w.part(i)
	all := p.people
	defer func() { p.people = all }()
	for n := 0; n <= min(left, all); n++ {
		p.people = all - n
		if err := w.place(i+1, left-n, taken+n); err != nil {
			return err
		}
	}
	return nil
}

func (w *coalition) part(i int) *part {
	if i < len(w.inside) {
		return &w.inside[i]
	}
	return &w.outside[i-len(w.inside)]
}

// try evaluates one placement, with all values that the insiders can have.
func (w *coalition) try(taken int) error {
	least, most := 0, 0
	if w.known {
		least, most = max(0, taken-(w.people-w.of)), min(taken, w.of)
	}
	for k := least; k <= most; k++ {
		if w.tried++; w.tried > maxCoalitions {
			return fmt.Errorf("%w: more than %d ways to place insiders", ErrTooLarge, maxCoalitions)
		}
		left := cut{present(w.inside), present(w.outside), w.of - k}
		if w.work += left.work(); w.work > maxWork {
			return fmt.Errorf("%w: insiders among %d types", ErrTooLarge, len(left.inside)+len(left.outside))
		}
		r, err := w.risk(&left)
		if err != nil {
			return err
		}
		w.most = max(w.most, r)
	}
	return nil
}
