package risk

import (
	"errors"
	"math"
	"slices"
)

// FitPoisson is the Poisson law of maximum likelihood for the sizes of the cells. Its mean is that of the sizes if the scope is all
// cells (the 2023 paper's footnote 6: 4.6, 2.43 and 3.21), which takes cells that a table cannot have for possible. Conditioned on n >=
// 1 it is the solution of mean/(1 - exp(-mean)) = mean of the sizes: 4.55557, 2.14226 and 3.05393.
func (t *Table) FitPoisson(scope Scope) (Sizes, error) {
	sizes, err := t.sizes()
	if err != nil {
		return Sizes{}, err
	}
	mean := sizes.mean()
	if scope == AllCells || mean == 1 {
		if scope == NonEmpty {
			mean = 0
		}
		return Poisson(mean, scope)
	}
	mean = bisect(0, mean, func(x float64) bool { return x/-math.Expm1(-x) <= mean })
	return Poisson(mean, scope)
}

// FitNegativeBinomial is the negative binomial law of maximum likelihood for the sizes of the cells. There is none if the sizes vary no
// more than Poisson sizes, which are its limit. If more than any shape above 0 fits, its other limit does, the logarithmic law: the
// shape is 0.
func (t *Table) FitNegativeBinomial(scope Scope) (Sizes, error) {
	sizes, err := t.sizes()
	if err != nil {
		return Sizes{}, err
	}
	if sizes.mean() == 1 {
		return Sizes{}, errors.New("risk: all cells have one record, to which no negative binomial law fits best: use FitPoisson")
	}
	const least, most = 1e-6, 1e9
	rises := func(shape float64) bool { return sizes.slope(shape, sizes.odds(shape, scope), scope) > 0 }
	switch {
	case rises(most):
		return Sizes{}, errors.New("risk: the sizes of the cells vary no more than Poisson sizes, to which negative binomial ones tend: use FitPoisson")
	case scope == NonEmpty && !rises(least):
		return negativeBinomial(0, sizes.odds(0, scope), scope)
	}
	shape := math.Exp(bisect(math.Log(least), math.Log(most), func(log float64) bool { return rises(math.Exp(log)) }))
	return negativeBinomial(shape, sizes.odds(shape, scope), scope)
}

// A tally of sizes: above[n] is how many cells have more than n records.
type tally struct {
	above          []float64
	cells, records float64
}

func (t *Table) sizes() (tally, error) {
	if err := t.Check(); err != nil {
		return tally{}, err
	}
	var out tally
	for _, p := range t.Patterns {
		n := p.Records()
		if n > maxSize {
			return tally{}, errors.New("risk: a cell is too large for a law of sizes to be fitted")
		}
		for int64(len(out.above)) <= n {
			out.above = append(out.above, 0)
		}
		out.above[n] += float64(p.Cells)
		out.cells += float64(p.Cells)
		out.records += float64(p.Cells) * float64(n)
	}
	if out.cells == 0 {
		return tally{}, errors.New("risk: the table has no cells, whose sizes could be fitted")
	}
	more := 0.0
	for n, cells := range slices.Backward(out.above) {
		out.above[n], more = more, more+cells
	}
	return out, nil
}

func (t tally) mean() float64 { return t.records / t.cells }

// odds are (1-success)/success of maximum likelihood at a shape: at which the law has the sizes' mean. Without condition that is shape
// odds; with it, shape odds/(1 - (1+odds)^-shape), which grows with the odds from 1.
func (t tally) odds(shape float64, scope Scope) float64 {
	mean := t.mean()
	if scope == AllCells {
		return mean / shape
	}
	low := func(log float64) bool {
		odds := math.Exp(log)
		if shape == 0 {
			return odds/math.Log1p(odds) <= mean
		}
		return shape*odds/-math.Expm1(-shape*math.Log1p(odds)) <= mean
	}
	return math.Exp(bisect(-50, 700, low))
}

// slope is how the logarithm of the likelihood grows with the shape, at the best odds for each. With cells n_1, n_2, ...,
//
//	sum over i of [ln Gamma(n_i+shape) - ln Gamma(shape)] + shape ln success + ...
//
// has the derivative, at fixed odds, of sum over n >= 0 of above(n)/(n+shape) + cells ln success; at the best odds it is the
// profile's. The condition subtracts cells ln(1 - success^shape).
func (t tally) slope(shape, odds float64, scope Scope) float64 {
	sum := 0.0
	for n, cells := range t.above[1:] {
		sum += cells / (float64(n+1) + shape)
	}
	logFailure := math.Log1p(odds) // -ln success
	if scope == AllCells {
		return sum + t.cells*(1/shape-logFailure) // all cells have more than 0 records
	}
	return sum - t.cells*conditionSlope(shape, logFailure)
}

// conditionSlope is x/(1-exp(-shape x)) - 1/shape, with x = -ln success. Its two terms are about 1/shape where shape x is small: there
// (y/(1-exp(-y)) - 1)/y = 1/2 + y/12 - ..., the next term being y^3/720.
func conditionSlope(shape, x float64) float64 {
	if y := shape * x; y < 1e-3 {
		return x * (0.5 + y/12)
	}
	return x/-math.Expm1(-shape*x) - 1/shape
}

// bisect is the largest x between low and high at which below holds, which it does up to there and not beyond.
func bisect(low, high float64, below func(x float64) bool) float64 {
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			return low
		}
		if below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
}
