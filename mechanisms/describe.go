package mechanisms

import (
	"fmt"

	"tacit/policy"
)

// Describe tells an analyst in a phrase what her counts are: what is done to them, and how far from the truth they may be.
func (m *Mechanism) Describe() string {
	switch m.config.Kind {
	case policy.DPSuppression:
		return fmt.Sprintf("geometric noise, each count within ±%d with probability 95%%; counts below %d after noise are %s",
			m.HalfWidth95(), m.config.K, m.withheld())
	case policy.Suppression:
		return fmt.Sprintf("no guarantee: counts below %d are %s, all others are exact", m.config.K, m.withheld())
	case policy.DPSuppressionEq2:
		return fmt.Sprintf("no guarantee: counts that are below %d after noise are %s, all others are exact", m.config.K, m.withheld())
	case policy.DPSuppressionAlg2:
		return fmt.Sprintf("no guarantee: counts below a noisy threshold near %d are %s, all others are exact", m.config.K, m.withheld())
	case policy.DPSwapping:
		return "no guarantee: exact counts, moved at random between cells that differ only in keys made of quasi-identifiers"
	default:
		return fmt.Sprintf("%s noise, each count within ±%d with probability 95%%", m.config.Kind, m.HalfWidth95())
	}
}

// withheld says what becomes of a suppressed count.
func (m *Mechanism) withheld() string {
	f := m.config.Fill
	switch {
	case f.Kind == policy.FillNull && m.config.Kind == policy.Suppression:
		return "withheld"
	case f.Kind == policy.FillNull:
		interval, _ := m.Interval95(0, true)
		return fmt.Sprintf("withheld (they are at most %d with probability 95%%)", interval.High)
	case f.Kind == policy.FillHalf && m.config.Kind == policy.DPSuppressionAlg2:
		return "shown as half the threshold"
	}
	return fmt.Sprintf("shown as %.0f instead", fillValue(f, m.config.K))
}

// BiasOfZero is the bias of an empty cell: what showing negative counts as 0 adds to it on average. It is the largest bias that
// projection to counts from 0 on brings to any cell. It is 0 where counts are not projected.
func (m *Mechanism) BiasOfZero() float64 {
	if a, ok := m.method.(additive); ok && a.k == 0 && !a.keepNegative {
		bias, _ := a.noise.excess(0)
		return bias
	}
	return 0
}
