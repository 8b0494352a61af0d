package utility

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// A Task is what a classifier predicts.
type Task struct {
	// Target is a variable with two levels. [Histogram.Keep] makes a table of the persons who have one of two. Required.
	Target string
	// Positive is the level whose probability the classifier tells. Required.
	Positive string
	// Ridge is the weight of the penalty, Ridge/2 times the sum of the squared coefficients, against the log loss of one person. Default 1,
	// which is also that of scikit-learn (its C is 1/Ridge).
	Ridge float64
}

// A Logistic is a logistic regression on all variables of a table but the target. The probability of the positive level is
// 1/(1 + exp(-z)), where z is the intercept plus one coefficient for the level of each variable.
type Logistic struct {
	domain Domain
	task   Task
	// intercept is infinite if the classifier is constant.
	intercept float64
	// coefficients are by variable and level; none for the target.
	coefficients [][]float64
}

// TrainLogistic fits a classifier to the counts of a table, sanitized or not, which must not be negative (Das et al. 2024, "Classification":
// income of 50,000 or more from race, age, sex and ownership). They need not be whole.
//
// It minimizes the log loss of all persons plus the penalty, in which the intercept has no part: strictly convex, so that there is one minimum
// if both levels of the target have persons, and separable data have one, too. If only one has, the loss falls without end
// as the intercept grows, and the classifier is constant, as its limit is.
func TrainLogistic(h *Histogram, t Task) (*Logistic, error) {
	if t.Ridge == 0 {
		t.Ridge = 1
	}
	if !(t.Ridge > 0) || math.IsInf(t.Ridge, 1) {
		return nil, fmt.Errorf("utility: ridge is %v, must be more than 0", t.Ridge)
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if distributed(h.Counts) == 0 {
		return nil, ErrNoDistribution
	}
	f, err := newLogisticFit(h, t)
	if err != nil {
		return nil, err
	}
	if positive, negative := f.classes(); positive == 0 || negative == 0 {
		return f.constant(positive > 0), nil
	}
	result, err := optimize.Minimize(optimize.Problem{Func: f.loss, Grad: f.gradient, Hess: f.hessian}, make([]float64, f.size),
		&optimize.Settings{GradientThreshold: steep, Converger: optimize.NeverTerminate{}, MajorIterations: mostSteps}, &optimize.Newton{})
	if result == nil {
		return nil, fmt.Errorf("utility: logistic regression: %w", err)
	}
	if slope := f.steepest(result.X); !(slope <= nearlySteep) {
		return nil, fmt.Errorf("utility: logistic regression did not converge: %v after %d steps, a gradient of %.2g remains", result.Status, result.MajorIterations, slope)
	}
	return f.classifier(result.X), nil
}

const (
	// steep is the largest derivative, of the loss of an average person, at which the minimum is taken for found. Rounding may end the search
	// before that: then nearlySteep will do, which no accuracy can tell from steep.
	steep       = 1e-11
	nearlySteep = 1e-8
	mostSteps   = 200
)

// A logisticFit is the function that is minimized: the loss of an average person, with the penalty divided by the number of persons. Its
// arguments are the intercept and the coefficients of all variables one after another.
type logisticFit struct {
	domain Domain
	task   Task
	target int
	// positives and negatives are the persons of each combination of levels of the other variables that has some.
	positives, negatives []float64
	// active are, for each combination, the arguments that add up to z, each less than the next.
	active [][]int
	starts []int // of the variables' coefficients
	size   int
	total  float64
}

func newLogisticFit(h *Histogram, t Task) (*logisticFit, error) {
	f := &logisticFit{domain: h.Domain, task: t, total: total(h.Counts), size: 1}
	var err error
	if f.target, err = h.Domain.Position(t.Target); err != nil {
		return nil, err
	}
	target := h.Domain[f.target]
	if len(target.Levels) != 2 {
		return nil, fmt.Errorf("utility: the target %s has %d levels, must have two; Keep those that count", t.Target, len(target.Levels))
	}
	positive, err := target.level(t.Positive)
	if err != nil {
		return nil, err
	}
	if len(h.Domain) == 1 {
		return nil, errors.New("utility: there is no variable to predict from")
	}
	f.starts = make([]int, len(h.Domain))
	for i, v := range h.Domain {
		f.starts[i] = f.size
		if i != f.target {
			f.size += len(v.Levels)
		}
	}
	f.collect(h.Counts, positive)
	return f, nil
}

// collect sets the persons of each combination of levels of the other variables, and what adds up to its z.
func (f *logisticFit) collect(counts []float64, positive int) {
	inner := f.domain[f.target+1:].Cells()
	for cell := range counts {
		if cell/inner%2 != 0 {
			continue // a combination is met once, at the first level of the target
		}
		first, second := counts[cell], counts[cell+inner]
		if first+second == 0 {
			continue
		}
		if positive == 1 {
			first, second = second, first
		}
		f.positives, f.negatives = append(f.positives, first), append(f.negatives, second)
		f.active = append(f.active, f.activeAt(cell))
	}
}

// activeAt are the arguments of a cell: the intercept, and the coefficients of its levels.
func (f *logisticFit) activeAt(cell int) []int {
	active := make([]int, 1, len(f.domain))
	for i := len(f.domain) - 1; i >= 0; i-- {
		size := len(f.domain[i].Levels)
		if i != f.target {
			active = append(active, f.starts[i]+cell%size)
		}
		cell /= size
	}
	slices.Sort(active)
	return active
}

// classes are the persons of the two levels of the target.
func (f *logisticFit) classes() (positive, negative float64) {
	return total(f.positives), total(f.negatives)
}

func (f *logisticFit) z(x []float64, combination int) float64 {
	var sum float64
	for _, i := range f.active[combination] {
		sum += x[i]
	}
	return sum
}

func (f *logisticFit) loss(x []float64) float64 {
	var sum float64
	for c := range f.active {
		z := f.z(x, c)
		sum += f.positives[c]*softplus(-z) + f.negatives[c]*softplus(z)
	}
	for _, w := range x[1:] {
		sum += f.task.Ridge / 2 * w * w
	}
	return sum / f.total
}

func (f *logisticFit) gradient(gradient, x []float64) {
	gradient[0] = 0
	for i, w := range x[1:] {
		gradient[i+1] = f.task.Ridge * w / f.total
	}
	for c, active := range f.active {
		z := f.z(x, c)
		slope := (f.negatives[c]*logistic(z) - f.positives[c]*logistic(-z)) / f.total
		for _, i := range active {
			gradient[i] += slope
		}
	}
}

func (f *logisticFit) hessian(hessian *mat.SymDense, x []float64) {
	raw := hessian.RawSymmetric() // its upper triangle counts
	clear(raw.Data)
	for i := 1; i < f.size; i++ {
		raw.Data[i*raw.Stride+i] = f.task.Ridge / f.total
	}
	for c, active := range f.active {
		z := f.z(x, c)
		curvature := (f.positives[c] + f.negatives[c]) * logistic(z) * logistic(-z) / f.total
		for n, i := range active {
			row := raw.Data[i*raw.Stride:]
			for _, j := range active[n:] {
				row[j] += curvature
			}
		}
	}
}

// steepest is the largest derivative.
func (f *logisticFit) steepest(x []float64) float64 {
	gradient := make([]float64, f.size)
	f.gradient(gradient, x)
	largest := 0.0
	for _, g := range gradient {
		largest = max(largest, math.Abs(g)) // NaN if one is
	}
	return largest
}

// constant is the classifier that is sure of one class.
func (f *logisticFit) constant(positive bool) *Logistic {
	x := make([]float64, f.size)
	x[0] = math.Inf(-1)
	if positive {
		x[0] = math.Inf(1)
	}
	return f.classifier(x)
}

func (f *logisticFit) classifier(x []float64) *Logistic {
	l := &Logistic{domain: f.domain, task: f.task, intercept: x[0], coefficients: make([][]float64, len(f.domain))}
	for i, v := range f.domain {
		if i != f.target {
			l.coefficients[i] = x[f.starts[i] : f.starts[i]+len(v.Levels)]
		}
	}
	return l
}

// logistic is 1/(1 + exp(-z)).
func logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// softplus is ln(1 + exp(z)).
func softplus(z float64) float64 { return max(0, z) + math.Log1p(math.Exp(-math.Abs(z))) }

func (l *Logistic) z(cell int) float64 {
	z := l.intercept
	for i := len(l.domain) - 1; i >= 0; i-- {
		size := len(l.domain[i].Levels)
		if l.coefficients[i] != nil {
			z += l.coefficients[i][cell%size]
		}
		cell /= size
	}
	return z
}

// Accuracy is the share of the persons of a table, the original one as a rule, whose level of the target is predicted: the positive one if its
// probability is more than 1/2. It is in [0, 1]. What always predicts the more frequent level has the accuracy that [Majority] tells.
func (l *Logistic) Accuracy(h *Histogram) (float64, error) {
	if err := sameDomain(h, &Histogram{Domain: l.domain, Counts: h.Counts}); err != nil {
		return 0, err
	}
	persons := distributed(h.Counts)
	if persons == 0 {
		return 0, ErrNoDistribution
	}
	target, _ := l.domain.Position(l.task.Target)
	positive, _ := l.domain[target].level(l.task.Positive)
	inner := l.domain[target+1:].Cells()
	var right float64
	for cell, n := range h.Counts {
		if n > 0 && (cell/inner%2 == positive) == (l.z(cell) > 0) {
			right += n
		}
	}
	return right / persons, nil
}

// Majority is the share of the most frequent level of a variable, in (0, 1]: the accuracy of a classifier that looks at nothing.
func Majority(h *Histogram, target string) (float64, error) {
	m, err := h.Marginal(target)
	if err != nil {
		return 0, err
	}
	persons := distributed(m.Counts)
	if persons == 0 {
		return 0, ErrNoDistribution
	}
	return slices.Max(m.Counts) / persons, nil
}
