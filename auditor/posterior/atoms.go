package posterior

import (
	"fmt"
	"math"
)

// safe reports whether every posterior lies in its limits. A posterior on its limit is safe.
func safe(atoms []Atom, posterior [][]float64) bool {
	for i := range atoms {
		if !atoms[i].holds(posterior[i]) {
			return false
		}
	}
	return true
}

func (a *Atom) holds(posterior []float64) bool {
	if a.Exempt() {
		return true
	}
	for value, prior := range a.Prior {
		if a.Boolean() && value == 0 {
			continue
		}
		if a.Limits[value].excess(prior, posterior[value]) > 1+tie {
			return false
		}
	}
	return true
}

func (a *Atom) check() error {
	total := 0.0
	for _, p := range a.Prior {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("%w: prior %v", errInvalid, a.Prior)
		}
		total += p
	}
	if len(a.Prior) < 2 || len(a.Prior) > MaxValues || math.Abs(total-1) > 1e-9 || a.People < 0 {
		return fmt.Errorf("%w: %d people of prior %v", errInvalid, a.People, a.Prior)
	}
	if a.Limits != nil && len(a.Limits) != len(a.Prior) {
		return fmt.Errorf("%w: %d limits of %d values", errInvalid, len(a.Limits), len(a.Prior))
	}
	_, err := a.concentration()
	return err
}

// concentration is the sum of the parameters of the Dirichlet law of the atom's rate, 0 if the rate is fixed. The rate of value 1 has
// variance p(1-p)/(concentration+1), which is to be (Spread*p)^2.
func (a *Atom) concentration() (float64, error) {
	p := a.Prior[1]
	if a.Spread == 0 || a.Boolean() && (p == 0 || p == 1) {
		return 0, nil
	}
	c := (1-p)/(p*a.Spread*a.Spread) - 1
	if !(a.Spread > 0) || !(c > 0) || math.IsInf(c, 1) {
		return 0, fmt.Errorf("%w: no rate has mean %v and relative deviation %v", errInvalid, p, a.Spread)
	}
	return c, nil
}
