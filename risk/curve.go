package risk

import "fmt"

// A Measure is a risk, or averages of one, at a survival: for instance
//
//	func(s risk.Survival) risk.Average { return t.Local(s, risk.Event) }
type Measure[R any] func(s Survival) R

// A SurvivalAt is the survival of a mechanism at epsilon, or whatever else its noise follows from.
type SurvivalAt func(epsilon float64) (Survival, error)

// A Point of a curve.
type Point[R any] struct {
	Epsilon float64
	Risk    R
}

// Curve is the risk at each epsilon.
func Curve[R any](measure Measure[R], at SurvivalAt, epsilons []float64) ([]Point[R], error) {
	points := make([]Point[R], 0, len(epsilons))
	for _, epsilon := range epsilons {
		s, err := at(epsilon)
		if err != nil {
			return nil, fmt.Errorf("risk: at epsilon %v: %w", epsilon, err)
		}
		points = append(points, Point[R]{Epsilon: epsilon, Risk: measure(s)})
	}
	return points, nil
}
