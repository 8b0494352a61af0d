package risk

import (
	"errors"
	"fmt"
	"math"
)

// A Scope says which cells a law of sizes is of.
type Scope int

const (
	// NonEmpty cells are those that a table has: the law is conditioned on at least one record. The default: all measures are averages
	// over such cells. The 2023 paper leaves the condition out, and so counts cells that do not exist as cells without risk (erratum to
	// (16) to (30)).
	NonEmpty Scope = iota
	// AllCells may be empty, too: nothing is disclosed there.
	AllCells
)

// Sizes is a law of the number n of records of a cell. The zero Sizes is none. Make one with [Poisson], [NegativeBinomial], or by
// maximum likelihood with [Table.FitPoisson] or [Table.FitNegativeBinomial].
type Sizes struct {
	scope Scope
	// mean of a Poisson law without condition.
	mean float64
	// shape and odds, (1-success)/success, of a negative binomial law; odds is 0 for a Poisson law.
	shape, odds float64
	// occupied is P(n >= 1) without condition.
	occupied float64
	// given are the probabilities of 1, 2, ... records if there is any; what follows has less than leftOutSizes together.
	given []float64
}

// maxSize is the largest number of records of a cell that sums go up to. Each merger of labels takes up to its square (see urn.risks).
const maxSize = 1 << 16

// leftOutSizes bounds the probability of sizes that are not added up, and with it the error of a risk, which is at most 1.
const leftOutSizes = 1e-16

// Poisson is the law of probabilities exp(-mean) mean^n/n!, where n is at least 1 unless the scope is all cells. Conditioned on n >= 1,
// a mean of 0 stands for the limit: all cells have one record.
func Poisson(mean float64, scope Scope) (Sizes, error) {
	if !(mean >= 0) || mean == 0 && scope == AllCells {
		return Sizes{}, fmt.Errorf("risk: the mean of Poisson sizes is %v: give one above 0", mean)
	}
	s := Sizes{scope: scope, mean: mean, occupied: -math.Expm1(-mean)}
	if mean == 0 {
		s.given = []float64{1}
		return s, nil
	}
	err := s.tabulate(math.Log(mean)-mean-math.Log(s.occupied), func(n float64) float64 { return mean / (n + 1) })
	return s, err
}

// NegativeBinomial is the law of probabilities C(n+shape-1, n) (1-success)^n success^shape (the 2021 paper misprints the coefficient),
// where n is at least 1 unless the scope is all cells. Conditioned on n >= 1, a shape of 0 stands for the limit, the logarithmic law.
func NegativeBinomial(shape, success float64, scope Scope) (Sizes, error) {
	switch {
	case !(shape >= 0) || math.IsInf(shape, 1) || shape == 0 && scope == AllCells:
		return Sizes{}, fmt.Errorf("risk: the shape of negative binomial sizes is %v: give one above 0", shape)
	case !(success > 0 && success < 1):
		return Sizes{}, fmt.Errorf("risk: the success probability of negative binomial sizes is %v: give one between 0 and 1", success)
	}
	return negativeBinomial(shape, (1-success)/success, scope)
}

func negativeBinomial(shape, odds float64, scope Scope) (Sizes, error) {
	logSuccess := -math.Log1p(odds)
	failure := odds / (1 + odds)
	s := Sizes{scope: scope, shape: shape, odds: odds, occupied: -math.Expm1(shape * logSuccess)}
	conditioned := shape / s.occupied
	if shape == 0 {
		conditioned = -1 / logSuccess
	}
	first := math.Log(conditioned) + math.Log(failure) + shape*logSuccess
	err := s.tabulate(first, func(n float64) float64 { return failure * (n + shape) / (n + 1) })
	return s, err
}

// tabulate fills in the probabilities, given ln P(1) and the ratio P(n+1)/P(n). The ratio is monotone in n: what follows n is at
// most P(n) q/(1-q), where q is the larger of the next ratio and the last.
func (s *Sizes) tabulate(logFirst float64, ratio func(n float64) float64) error {
	last := ratio(math.MaxFloat64 / 4)
	for n, log := 1, logFirst; n <= maxSize; n++ {
		p := math.Exp(log)
		s.given = append(s.given, p)
		step := ratio(float64(n))
		if q := max(step, last); q < 1 && p*q/(1-q) <= leftOutSizes {
			return nil
		}
		log += math.Log(step)
	}
	return fmt.Errorf("risk: these sizes go beyond %d records in a cell: use the local or the expected measure for cells as large", maxSize)
}

// Probability is P(n).
func (s Sizes) Probability(n int64) float64 {
	switch {
	case n == 0 && s.scope == AllCells:
		return 1 - s.occupied
	case n < 1 || n > int64(len(s.given)):
		return 0
	}
	return s.share() * s.given[n-1]
}

// share is that of cells with records.
func (s Sizes) share() float64 {
	if s.scope == AllCells {
		return s.occupied
	}
	return 1
}

// Mean is the expected number of records.
func (s Sizes) Mean() float64 {
	switch {
	case s.odds == 0 && s.mean == 0:
		return 1
	case s.odds == 0:
		return s.mean * s.share() / s.occupied
	case s.shape == 0:
		return s.odds / math.Log1p(s.odds)
	}
	return s.shape * s.odds * s.share() / s.occupied
}

// Parameters are those of the law without condition: the mean of a Poisson law; shape and success probability of a negative binomial
// one.
func (s Sizes) Parameters() []float64 {
	if s.odds == 0 {
		return []float64{s.mean}
	}
	return []float64{s.shape, 1 / (1 + s.odds)}
}

// upTo are 1, 2, ..., the sizes that are added up.
func (s Sizes) upTo() []int64 {
	out := make([]int64, len(s.given))
	for i := range out {
		out[i] = int64(i + 1)
	}
	return out
}

// expect is the expectation of risks of 1, 2, ... records.
func (s Sizes) expect(risks []float64) float64 {
	sum := 0.0
	for i, r := range risks {
		sum += s.given[i] * r
	}
	return s.share() * sum
}

// generate is E[t^n] given n >= 1, for t from 0 to 1, in closed form.
func (s Sizes) generate(t float64) float64 {
	switch {
	case s.odds == 0 && s.mean == 0:
		return t
	case s.odds == 0:
		return math.Exp(-s.mean*(1-t)) * math.Expm1(-s.mean*t) / math.Expm1(-s.mean)
	}
	all := math.Log1p(s.odds)                       // -ln(1-failure)
	some := -math.Log1p(-t * s.odds / (1 + s.odds)) // -ln(1-failure t)
	if s.shape == 0 {
		return some / all
	}
	return math.Exp(-s.shape*(all-some)) * math.Expm1(-s.shape*some) / math.Expm1(-s.shape*all)
}

// powers are the expectations of t^n and t^(n-1) given n >= 1.
func (s Sizes) powers() powers {
	return powers{
		ofSize: s.generate,
		ofRest: func(t float64) float64 {
			if t == 0 {
				return s.given[0]
			}
			return s.generate(t) / t
		},
		errors: 4*s.Mean() + 64,
	}
}

// check refuses the zero Sizes.
func (s Sizes) check() error {
	if len(s.given) == 0 {
		return errors.New("risk: no law of sizes is given: make one with Poisson, NegativeBinomial, FitPoisson or FitNegativeBinomial")
	}
	return nil
}
