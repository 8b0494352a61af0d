package suppressor

import "math"

// chernoff is the probability that the proofs of Theorems 5 and 6 allow for a cell of n people with priors in (Delta, 1-Delta) to be
// unsafe: (e^rho/(1+rho)^(1+rho))^(n Delta) + e^(-rho^2 n Delta/2) with rho = Delta ln(1+epsilon).
func chernoff(people float64, spread, epsilon float64) float64 {
	rho := spread * math.Log1p(epsilon)
	return math.Exp(people*spread*(rho-(1+rho)*math.Log1p(rho))) + math.Exp(-rho*rho*people*spread/2)
}

// Claim is a table of which the theorems of section 6 say something: cells of at least People people with priors in (Delta, 1-Delta).
type Claim struct {
	People  int
	Delta   float64 // not the probability of a breach, but how far priors are from 0 and 1
	Epsilon float64
}

// Theorem5 bounds the probability that all of some cells are safe from below. It assumes that sums are normal, and bounds a factor of
// densities where Definition 1 bounds a factor of probabilities: it is a design rule, not a guarantee.
func (c Claim) Theorem5(cells int) float64 {
	return math.Pow(max(0, 1-chernoff(float64(c.People), c.Delta, c.Epsilon)), float64(cells))
}

// Theorem6 bounds the probability that a suppressor of one cell releases it from below: delta is its probability of a breach. The theorem
// is for some l that the cell's bound stays below delta/l with; the best is taken. 0: the theorem says nothing.
func (c Claim) Theorem6(delta float64) float64 {
	l := delta / chernoff(float64(c.People), c.Delta, c.Epsilon)
	if l <= 2 {
		return 0
	}
	// ln of e^(l/2-1)/(l/2)^(l/2), times ln(1/delta)/l
	return 1 - math.Exp((l/2-1-l/2*math.Log(l/2))/l*math.Log(1/delta))
}

// Unsafe is the probability that the sum of a cell is unsafe when nothing else is released, if all of its people have the same prior.
func (c Claim) Unsafe(prior float64) float64 {
	n := float64(c.People)
	reach := c.Epsilon * min(prior, 1-prior) * (1 + tie)
	unsafe, all := 0.0, 0.0
	add := func(v int, weight float64) {
		if all += weight; math.Abs(float64(v)/n-prior) > reach {
			unsafe += weight
		}
	}
	// From the mode to both sides, by the ratio of neighbouring probabilities, down to where nothing counts.
	mode, odds := int((n+1)*prior), prior/(1-prior)
	for v, weight := mode, 1.0; v <= c.People && weight > 1e-300; v++ {
		add(v, weight)
		weight *= odds * (n - float64(v)) / float64(v+1)
	}
	for v, weight := mode, 1.0; v > 0 && weight > 1e-300; v-- {
		weight *= float64(v) / (odds * (n - float64(v) + 1))
		add(v-1, weight)
	}
	return unsafe / all
}

// LeastPeople is the least number of people so that a cell of as many or more, all with the same prior, is unsafe with at most a risk. It
// looks at three times the number that the normal law asks for, and 100 more; from there on the risk is far below.
func LeastPeople(prior, epsilon, risk float64) int {
	p := min(prior, 1-prior)
	z := math.Sqrt2 * math.Erfinv(1-risk)
	n := int(3*z*z*(1-p)/(p*epsilon*epsilon)) + 100
	for n > 0 && (Claim{People: n, Epsilon: epsilon}).Unsafe(prior) <= risk {
		n--
	}
	return n + 1
}

// LeastByTheorem is the least number of people for which the theorems' bound for one cell is at most risk.
func LeastByTheorem(spread, epsilon, risk float64) int {
	low, high := 1, 1
	for chernoff(float64(high), spread, epsilon) > risk {
		low, high = high, 2*high
	}
	for low < high {
		if n := (low + high) / 2; chernoff(float64(n), spread, epsilon) > risk {
			low = n + 1
		} else {
			high = n
		}
	}
	return low
}
