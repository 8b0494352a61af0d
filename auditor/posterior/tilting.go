package posterior

import (
	"math"
	"slices"

	"tacit/auditor/posterior/internal/linear"
)

// A tilting is the tilt of a population under which the sums have their values as means: of all laws, the prior tilted this way is
// closest to the prior (the exponential family of the sums; Lagrange multipliers).
type tilting struct {
	population
	*incidence
	gram        *linear.Gram
	multipliers []float64
	log         float64 // K(multipliers) - multipliers.values, of the last full step
	gradient    []float64
	step        []float64
	trial, home []float64
}

const (
	converged      = 1e-13 // of the Newton decrement, in squared standard deviations
	maxMultiplier  = 40
	maxNewton      = 60
	maxChord       = 40
	armijo         = 1e-4
	leastReduction = 1e-9
)

func newTilting(l *linked, rows []row, family int) (*tilting, error) {
	in, g := newIncidence(len(l.atoms), rows, family)
	t := &tilting{incidence: in, gram: g, multipliers: make([]float64, len(rows)), gradient: make([]float64, len(rows)),
		step: make([]float64, len(rows)), trial: make([]float64, len(rows)), home: make([]float64, len(rows))}
	var err error
	if l.Atoms[l.atoms[0]].Boolean() {
		t.population, err = newBooleanPopulation(l, in)
	} else {
		t.population, err = newCategoricalPopulation(l, in)
	}
	return t, err
}

// newton solves from the current multipliers, to which the population is tilted, by damped Newton steps of the convex function K(x) - x.values. On success the population
// is tilted and the gram factored at the solution.
func (t *tilting) newton() error {
	t.log = t.objective(t.multipliers)
	for range maxNewton {
		if !t.refactor() {
			return ErrNotSolved
		}
		decrement := t.direction()
		switch {
		case math.IsNaN(decrement):
			return ErrNotSolved
		case decrement < converged:
			return nil
		}
		if !t.lineSearch(decrement) || slices.ContainsFunc(t.multipliers, func(x float64) bool { return math.Abs(x) > maxMultiplier }) {
			return ErrNotSolved
		}
	}
	return ErrNotSolved
}

// lineSearch halves the step until it gains enough. Close to the solution the gain is below rounding, and the full step right.
func (t *tilting) lineSearch(decrement float64) bool {
	for size := 1.0; size > 1e-6; size /= 2 {
		copy(t.trial, t.multipliers)
		linear.Axpy(size, t.step, t.trial)
		t.tilt(t.trial)
		log := t.objective(t.trial)
		if decrement < leastReduction || log <= t.log-armijo*size*decrement {
			t.multipliers, t.trial, t.log = t.trial, t.multipliers, log
			return true
		}
	}
	return false
}

// objective is K(x) - x.values of the multipliers to which the population is tilted.
func (t *tilting) objective(multipliers []float64) float64 {
	return t.logMoment() - linear.Dot(multipliers, t.values)
}

func (t *tilting) refactor() bool {
	t.covariances(t.gram)
	return t.gram.Factor()
}

// direction sets the Newton step of the current factor, and returns its squared length in standard deviations.
func (t *tilting) direction() float64 {
	copy(t.gradient, t.values)
	t.subtractMeans(t.gradient)
	copy(t.step, t.gradient)
	t.gram.Solve(t.step)
	return linear.Dot(t.gradient, t.step)
}

// follow solves after the value of the last row moved, from a factor of nearby: it predicts to first order, steps with the old factor
// while that converges fast, and leaves the end to newton, which then factors once. If it fails the tilting is where it was.
func (t *tilting) follow(value float64) error {
	last := len(t.values) - 1
	copy(t.home, t.multipliers)
	before := t.values[last]
	t.values[last] = value
	t.predict(value - before)
	if err := t.newton(); err != nil {
		copy(t.multipliers, t.home)
		t.values[last] = before
		t.tilt(t.multipliers)
		t.refactor()
		return err
	}
	return nil
}

func (t *tilting) predict(change float64) {
	clear(t.step)
	t.step[len(t.step)-1] = change
	t.gram.Solve(t.step)
	previous := math.Inf(1)
	for range maxChord {
		linear.Axpy(1, t.step, t.multipliers)
		t.tilt(t.multipliers)
		decrement := t.direction()
		if decrement < converged/10 {
			return
		}
		if !(decrement < previous/8) {
			break
		}
		previous = decrement
	}
	if !(previous < 1) {
		copy(t.multipliers, t.home)
		t.tilt(t.multipliers)
	}
}

// logDensity is the logarithm of the saddlepoint approximation of the probability of the values (Daniels 1954), up to the power of 2 pi
// that their number gives.
func (t *tilting) logDensity() float64 { return t.log - t.gram.LogDet()/2 }

// current are the posteriors at the solution. They are overwritten by the next.
func (t *tilting) current() []float64 {
	t.gram.Invert()
	return t.posteriors(t.gram)
}

// conditional is the mean and the variance of another sum, given the sums.
func (t *tilting) conditional(r row, posteriors []float64) (mean, variance float64) {
	clear(t.gradient)
	variance = t.against(r, t.gradient)
	copy(t.step, t.gradient)
	t.gram.Solve(t.step)
	return t.mean(posteriors, r), variance - linear.Dot(t.gradient, t.step)
}
