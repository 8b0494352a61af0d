package assess

import (
	"context"
	"math"
	"slices"

	"tacit/policy"
)

// A Curve is one kind over a range of epsilon.
type Curve struct {
	Kind policy.Kind
	// Points have rising epsilons, of which those that were asked for are some, and today's is; one point with epsilon 0 for a kind without
	// one. Amounts with which the kind cannot be made are left out.
	Points []AssessedPoint
}

// An AssessedPoint is a mechanism with one epsilon.
type AssessedPoint struct {
	Epsilon policy.Epsilon
	// Asked says that it is one of the table's rows, and Today that it is what analysts get.
	Asked, Today bool
	Figures
}

// The range of curves: curveReach to both sides of the epsilons that are compared, in steps of a quarter of a doubling, or so many that they are
// at most MostSteps. Beyond hardlyNoise for each cell that a person can be in there is hardly any.
const (
	curveReach  = 16
	MostSteps   = 64
	hardlyNoise = policy.Epsilon(16e9)
)

// curves are those of all kinds.
func (w *assessing) curves(ctx context.Context, c *trueCells) (curves []Curve, err error) {
	epsilons := CurveEpsilons(w.compared(), hardlyNoise*policy.Epsilon(c.sensitivity.Cells))
	for _, kind := range w.request.Kinds {
		if kind == policy.Suppression {
			curves = append(curves, w.curve(ctx, kind, []policy.Epsilon{0}, c))
			continue
		}
		curves = append(curves, w.curve(ctx, kind, epsilons, c))
	}
	return curves, ctx.Err()
}

// compared are the epsilons that were asked for, and today's.
func (w *assessing) compared() []policy.Epsilon {
	compared := slices.Clone(w.request.Epsilons)
	if own := w.query.Table.Policy.Mechanism.Epsilon; own > 0 {
		compared = append(compared, own)
	}
	slices.Sort(compared)
	return slices.Compact(compared)
}

// CurveEpsilons are evenly spaced on a logarithmic scale around those that are compared, and these. They go beyond a limit only if these do.
func CurveEpsilons(compared []policy.Epsilon, limit policy.Epsilon) []policy.Epsilon {
	first, last := compared[0], compared[len(compared)-1]
	low, high := max(1, first/curveReach), max(last, limit)
	if last < limit/curveReach {
		high = last * curveReach
	}
	doublings := math.Log2(float64(high) / float64(low))
	steps := max(1, min(MostSteps, math.Round(4*doublings)))
	epsilons := slices.Clone(compared)
	for i := 0.0; i <= steps; i++ {
		epsilons = append(epsilons, min(high, policy.Epsilon(math.Round(float64(low)*math.Exp2(doublings*i/steps)))))
	}
	slices.Sort(epsilons)
	return slices.Compact(epsilons)
}

func (w *assessing) curve(ctx context.Context, kind policy.Kind, epsilons []policy.Epsilon, c *trueCells) Curve {
	curve := Curve{Kind: kind}
	for _, epsilon := range epsilons {
		if ctx.Err() != nil {
			return curve
		}
		m := w.mechanism(kind, epsilon)
		t := *w.query.Table.Policy
		t.Mechanism = m
		if made, err := c.makeFor(&t); err == nil {
			curve.Points = append(curve.Points, AssessedPoint{
				Epsilon: epsilon, Asked: epsilon == 0 || slices.Contains(w.request.Epsilons, epsilon), Today: w.today(m, c.byThreshold), Figures: c.figures(made),
			})
		}
	}
	return curve
}
