package auditor

import (
	"math"
	"testing"

	"tacit/policy"
)

// Priors at the ends of floating point: every decision has a risk that is a probability, and a charge that covers it.
func TestExtremePriors(t *testing.T) {
	for _, p := range []float64{5e-324, 1e-310, 1e-300, 1e-17, 1e-12, 1 - 1e-16} {
		for _, interval := range []float64{0, 0.1} {
			for _, spread := range []float64{0, 0.1, 1e-9} {
				o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(1), PerDecision: risk(1), PerStatement: risk(1),
					Types: []Type{{Prior: boolean(p), Interval: interval, Spread: spread}, {Prior: boolean(0.3)}}}, Units: []Unit{{0, 100}, {1, 100}, {0, 50}, {1, 50}}}
				s, err := newState(o)
				if err != nil {
					continue // refused at the start, which is as safe
				}
				for _, units := range [][]int32{{0}, {0, 1}, {0, 1, 2, 3}, {2, 3}} {
					st, _ := s.Begin([]Query{about(units...)}, Left{risk(1), risk(1)}, [32]byte{})
					r, _ := st.Next()
					d := r.Decisions[0]
					if !(d.Risk >= 0 && d.Risk <= 1) || r.Charge < 0 || d.Outcome == Released && r.Charge.Float() < d.Risk {
						t.Errorf("prior %v, interval %v, spread %v, units %v: %+v for %v", p, interval, spread, units, d, r.Charge)
					}
				}
			}
		}
	}
}

// A risk that is no number, or below 0, is never released, under any rule.
func TestRiskThatIsNoNumber(t *testing.T) {
	for _, rule := range []policy.AuditRule{policy.LedgerRule, policy.ThresholdRule, policy.PaperRule} {
		o := hairAndEyes()
		o.Rule, o.Decisions = rule, 16
		s, err := newState(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range []float64{math.NaN(), -1e-300, -1, math.Inf(-1), math.Inf(1)} {
			for _, exact := range []bool{false, true} {
				if v := wholeBudget(s, [32]byte{}).judge(estimate{u, exact, 0, 0}, 0); v.released || v.charge < 0 {
					t.Errorf("%s of risk %v: %+v", rule, u, v)
				}
				if e := (estimate{u, exact, 0, 0}); e.charge() <= policy.OneRisk {
					t.Errorf("risk %v is charged %v", u, e.charge())
				}
			}
		}
	}
}
