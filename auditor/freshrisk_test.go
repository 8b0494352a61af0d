package auditor

import (
	"testing"

	"tacit/auditor/posterior"
)

// Units of other sizes, of other types and asked about other values have risks of their own, and what is kept is what is computed, also after a
// rule has changed.
func TestKeptRisksAreComputedOnes(t *testing.T) {
	o := Opening{Config: Config{Values: 2, Epsilon: 0.5, Delta: risk(0.1), PerDecision: risk(0.1), PerStatement: risk(0.1),
		Types: []Type{{Prior: boolean(0.4)}, {Prior: boolean(0.1)}, {Prior: boolean(0.4), Interval: 0.2}, {Prior: boolean(0.2), Spread: 0.1}}}}
	for i := range 300 {
		o.Units = append(o.Units, Unit{i % 4, 1 + i*i%97})
	}
	s, err := newState(o)
	if err != nil {
		t.Fatal(err)
	}
	different := make(map[float64]bool)
	for range 2 {
		for _, earlier := range []bool{false, true} {
			for _, intervals := range []bool{true, false} {
				s.earlier, s.intervals = earlier, intervals
				for u := range o.Units {
					units, sets := []int32{int32(u)}, []posterior.ValueSet{posterior.True}
					kept, err := s.freshRisk(units, sets)
					if err != nil {
						t.Fatal(err)
					}
					computed, err := s.computeFreshRisk(units, sets)
					if err != nil || kept != computed {
						t.Fatalf("unit %+v: kept %v, computed %v, %v", o.Units[u], kept, computed, err)
					}
					different[kept] = true
				}
			}
		}
	}
	if len(different) < 20 {
		t.Errorf("%d different risks", len(different))
	}
}
