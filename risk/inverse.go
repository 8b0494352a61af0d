package risk

import (
	"errors"
	"fmt"
	"math"
)

// A Range is where an epsilon is looked for: more than 0, and Low at most High.
type Range struct{ Low, High float64 }

// An Inverse is the answer to which epsilon an acceptable risk allows.
type Inverse struct {
	// Epsilon is the largest one of the range such that the risk is at most the target at it and at every lower one of the range. It is
	// rounded down, by less than one part in 10^6 unless the risk is nearly flat where it exceeds the target. It is 0 if Answer is Never.
	Epsilon float64
	// Risk is that at Epsilon, or at the lowest of the range if Answer is Never.
	Risk   float64
	Answer Outcome
}

// An Answer says where the target is.
type Outcome string

const (
	// Crossed is that the risk is at most the target up to Epsilon.
	Crossed Outcome = "crossed"
	// Never is that the risk exceeds the target at the lowest epsilon already: more noise does not help much, as risk has a floor above 0
	// (see [AllNoise]). Fewer or coarser quasi-identifiers, or withheld cells, may.
	Never Outcome = "never"
	// Always is that the risk is at most the target in all of the range.
	Always Outcome = "always"
)

// Largest finds the largest epsilon that a risk allows.
//
// The risk of a heterogeneous cell rises and falls with epsilon: it is disclosed when one of its labels vanishes, which takes some noise.
// So a search by bisection may come out anywhere. This one goes up from the lowest epsilon by steps of which it is proved that the risk
// does not exceed the target between their ends: for every count, the probabilities that it survives and that it vanishes are monotone in
// epsilon, so that each is at most the larger one of those at the ends; and the measures of this package are sums of products of them with
// positive coefficients, so that they are at most the measure at those. (The attacks of [Attacks] that guess are not.) A step is halved
// until that holds.
//
// at must be so. It is where larger epsilons have noise of smaller scale and all else stays: with [mechanisms.Mechanism.Survival] of all kinds
// and calibrations, but for the discrete Gaussian's, whose variance is found by a search and steady to one part in 10^6. It is not so with
// [mechanisms.Mechanism.SelectionSurvival], whose threshold falls by whole steps as epsilon rises: between two steps fewer and fewer small
// counts are shown. A survival that says so itself ([mechanisms.Survival.Monotone]) is refused: look at the points of a [Curve] then, which is a
// check of these points alone.
//
// A risk that is NaN is an error.
func Largest(target float64, risk Measure[float64], at SurvivalAt, within Range) (Inverse, error) {
	if !(target >= 0 && target <= 1) {
		return Inverse{}, fmt.Errorf("risk: a target of %v, must be a probability", target)
	}
	if !(within.Low > 0 && within.Low <= within.High && !math.IsInf(within.High, 1)) {
		return Inverse{}, fmt.Errorf("risk: epsilon from %v to %v, must be more than 0 and in order", within.Low, within.High)
	}
	w := walk{target: target, risk: risk, at: at, high: within.High}
	return w.up(within.Low)
}

// SmallestScale finds the smallest scale of noise, such as sigma, that a risk allows: it is at most the target at that and at every larger
// scale of the range. It is in the place of Epsilon, and rounded up; at is the survival at a scale.
func SmallestScale(target float64, risk Measure[float64], at SurvivalAt, within Range) (Inverse, error) {
	inverse, err := Largest(target, risk, func(x float64) (Survival, error) { return at(1 / x) }, Range{1 / within.High, 1 / within.Low})
	if err == nil && inverse.Answer != Never {
		inverse.Epsilon = 1 / inverse.Epsilon
	}
	return inverse, err
}

// A walk is where Largest has come to.
type walk struct {
	target float64
	risk   Measure[float64]
	at     SurvivalAt
	high   float64
}

// The steps of a walk, as shares of the epsilon that was reached.
const (
	firstStep = 1.0
	leastStep = 1e-8
	// maxSteps are taken only where the risk stays within some 1e-4 of the target for long.
	maxSteps = 10_000
)

func (w walk) up(low float64) (Inverse, error) {
	here, err := w.survival(low)
	if err != nil {
		return Inverse{}, err
	}
	risk, err := w.riskOf(here, low)
	if err != nil {
		return Inverse{}, err
	}
	if risk > w.target {
		return Inverse{Risk: risk, Answer: Never}, nil
	}
	epsilon, step := low, firstStep
	for range maxSteps {
		if epsilon == w.high {
			return Inverse{Epsilon: epsilon, Risk: w.risk(here), Answer: Always}, nil
		}
		next := min(w.high, epsilon*(1+step))
		there, err := w.survival(next)
		if err != nil {
			return Inverse{}, err
		}
		most, err := w.riskOf(between{here, there}, next)
		switch {
		case err != nil:
			return Inverse{}, err
		case most <= w.target:
			epsilon, here, step = next, there, 2*step
		case step <= leastStep:
			return Inverse{Epsilon: epsilon, Risk: w.risk(here), Answer: Crossed}, nil
		default:
			step /= 2
		}
	}
	return Inverse{Epsilon: epsilon, Risk: w.risk(here), Answer: Crossed}, nil
}

// survival refuses those of which it is known that the proof is not theirs.
func (w walk) survival(epsilon float64) (Survival, error) {
	s, err := w.at(epsilon)
	if err != nil {
		return nil, fmt.Errorf("risk: at epsilon %v: %w", epsilon, err)
	}
	if m, says := s.(interface{ Monotone() bool }); says && !m.Monotone() {
		return nil, errors.New("risk: no largest epsilon can be proved, since more epsilon may mean less survival here: compare the points of a curve")
	}
	return s, nil
}

// riskOf refuses what is no number, of which no comparison holds.
func (w walk) riskOf(s Survival, epsilon float64) (float64, error) {
	risk := w.risk(s)
	if math.IsNaN(risk) {
		return 0, fmt.Errorf("risk: the risk at epsilon %v is no number", epsilon)
	}
	return risk, nil
}

// A between bounds the probabilities of all survivals between two: they no longer add up to 1.
type between struct{ low, high Survival }

func (b between) Survives(n int64) float64 { return max(b.low.Survives(n), b.high.Survives(n)) }

func (b between) Vanishes(n int64) float64 { return max(b.low.Vanishes(n), b.high.Vanishes(n)) }
