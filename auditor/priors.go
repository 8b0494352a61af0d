package auditor

import (
	"math"

	"tacit/auditor/posterior"
)

// The priors of a type are the declared one, and the two ends of its interval if it has one. All have the same limits, those that are safe
// for each of them.
type priors struct {
	ends   [][]float64 // the declared prior, and then the low and the high end
	limits []posterior.Limit
	spread float64
	within *posterior.Interval // nil: the declared prior is right
	// never: no posterior is safe for all ends, since some of them is outside of the limits itself.
	never bool
}

func (c *Config) priors(t *Type) priors {
	s := priors{ends: [][]float64{t.Prior}, limits: c.limits(t.Prior), spread: t.Spread}
	if t.Interval == 0 || s.limits == nil {
		return s
	}
	s.within = &posterior.Interval{Low: t.Prior[1] * (1 - t.Interval), High: min(1, t.Prior[1]*(1+t.Interval))}
	for _, factor := range []float64{1 - t.Interval, 1 + t.Interval} {
		p := min(1, t.Prior[1]*factor)
		prior := []float64{1 - p, p}
		s.ends = append(s.ends, prior)
		if own := c.limits(prior); own != nil {
			s.limits[1].Low, s.limits[1].High = max(s.limits[1].Low, own[1].Low), min(s.limits[1].High, own[1].High)
		}
	}
	s.never = s.contradictory()
	return s
}

// atom is people of the type with one of its priors.
func (s *priors) atom(people, end int) posterior.Atom {
	return posterior.Atom{People: people, Prior: s.ends[end], Spread: s.spread, Limits: s.limits}
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

// contradictory reports whether no posterior is safe for both ends of an interval: whether some prior lies outside of the limits.
func (s *priors) contradictory() bool {
	for _, prior := range s.ends {
		for v, l := range s.limits {
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
