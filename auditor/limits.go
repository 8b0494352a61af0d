package auditor

import (
	"math"

	"tacit/auditor/posterior"
)

// The ends of a type are its prior, and the two ends of its interval if it has one. All have the same limits, those that are safe for
// each of them.
type ends struct {
	priors [][]float64 // the middle, and then the low and the high end
	limits []posterior.Limit
	spread float64
	// never: no posterior is safe for all ends, since some of them is outside of the limits itself.
	never bool
}

func (c *Config) ends(t *Type) ends {
	e := ends{priors: [][]float64{t.Prior}, limits: c.limits(t.Prior), spread: t.Spread}
	if t.Interval == 0 || e.limits == nil {
		return e
	}
	for _, factor := range []float64{1 - t.Interval, 1 + t.Interval} {
		p := min(1, t.Prior[1]*factor)
		prior := []float64{1 - p, p}
		e.priors = append(e.priors, prior)
		if own := c.limits(prior); own != nil {
			e.limits[1].Low, e.limits[1].High = max(e.limits[1].Low, own[1].Low), min(e.limits[1].High, own[1].High)
		}
	}
	e.never = e.contradictory()
	return e
}

// limits are the safe posteriors by Definition 1 of the paper: no value's probability, nor that of its absence, changes by more than the
// factor epsilon. nil if everybody of the prior is certain.
func (c *Config) limits(prior []float64) []posterior.Limit {
	limits := make([]posterior.Limit, len(prior))
	for v, p := range prior {
		if p == 1 {
			return nil
		}
		margin := c.Epsilon * p
		if len(prior) == 2 {
			margin = c.Epsilon * min(p, 1-p)
		}
		limits[v] = posterior.Limit{Low: p - margin, High: p + margin}
	}
	if c.OneSided {
		limits[1] = oneSided(prior[1], c.Epsilon)
	}
	return limits
}

// oneSided are limits that no fall reaches, and a rise only beyond the factor 1+epsilon: -1 and 2 are no probabilities.
func oneSided(p, epsilon float64) posterior.Limit {
	high := (1 + epsilon) * p
	if high >= 1 {
		high = 2
	}
	return posterior.Limit{Low: -1, High: high}
}

// contradictory says that no posterior is safe for both ends of an interval: that some prior lies outside of the limits.
func (e *ends) contradictory() bool {
	for _, prior := range e.priors {
		for v, l := range e.limits {
			if len(prior) == 2 && v == 0 {
				continue
			}
			if prior[v] < l.Low || prior[v] > l.High || math.IsNaN(l.Low) {
				return true
			}
		}
	}
	return false
}
