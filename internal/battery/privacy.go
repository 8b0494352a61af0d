package battery

import "math"

// HockeyStick is the smallest delta with P(S) <= exp(epsilon) Q(S) + delta for every S; p and q list the probabilities of the same
// outputs.
func HockeyStick(epsilon float64, p, q []float64) float64 {
	delta, factor := 0.0, math.Exp(epsilon)
	for i := range p {
		if q[i] == 0 { // factor may be infinite
			delta += p[i]
			continue
		}
		delta += max(0, p[i]-factor*q[i])
	}
	return delta
}

// Product is the joint distribution of two independent outputs.
func Product(p, q []float64) []float64 {
	joint := make([]float64, 0, len(p)*len(q))
	for _, x := range p {
		for _, y := range q {
			joint = append(joint, x*y)
		}
	}
	return joint
}
