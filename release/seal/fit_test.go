package seal

import (
	"context"
	"strings"
	"testing"

	"tacit/policy"
	"tacit/release/internal/epoch"
	"tacit/rewrite/query"
)

// wards is a table of 24,000 people by sex, ward and day, whose rate of true depends on the ward alone: 0.2, 0.35 and 0.5.
func wards() (*epoch.PublicFacts, epoch.UnitCounts) {
	f := &epoch.PublicFacts{Columns: []string{"sex", "ward", "day"}, Values: []query.Value{{Text: "f"}, {Text: "t"}}, By: []string{"sex"}}
	var counts epoch.UnitCounts
	for _, sex := range []string{"female", "male"} {
		for ward, rate := range map[string]int64{"A": 20, "B": 35, "C": 50} {
			for _, day := range []string{"mon", "tue"} {
				f.Units = append(f.Units, epoch.Unit{Tuple: len(f.Tuples), People: 2000, First: 1, Last: 1})
				f.Tuples = append(f.Tuples, []query.Value{{Text: sex}, {Text: ward}, {Text: day}})
				counts = append(counts, []int64{2000 - 20*rate, 20 * rate})
			}
		}
	}
	return f, counts
}

func sealingOf(prior policy.Prior) *Sealing {
	w := &Sealing{Table: &policy.Table{}}
	w.Table.Mechanism.Audit = &policy.Auditor{Epsilon: 2e8, Delta: 5e16, Decision: 5e15, Statement: 125e14, Rule: policy.LedgerRule, Prior: prior}
	return w
}

func fitOf(t *testing.T, w *Sealing, f *epoch.PublicFacts, counts epoch.UnitCounts) (*Fit, *Fit) {
	t.Helper()
	o, types, err := w.opening(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.priors(&o, types, f, counts); err != nil {
		t.Fatal(err)
	}
	own, err := w.checkFit(context.Background(), o, f, counts)
	if err != nil {
		t.Fatal(err)
	}
	instead, err := w.instead(context.Background(), own, f, counts)
	if err != nil {
		t.Fatal(err)
	}
	return own, instead
}

// With types by sex the rates of the wards raise an alarm at once; by ward nothing does, which is the coarsest prior that fits. Where
// wards are smaller than a type may be, none is proposed.
func TestFit(t *testing.T) {
	f, counts := wards()
	own, instead := fitOf(t, sealingOf(policy.Prior{Kind: policy.TotalsPrior, By: []string{"sex"}, Least: 1000}), f, counts)
	if own.Tried != 6 || len(own.Alarms) != 3 || own.Alarms[0][0] != "ward" || !strings.Contains(own.String(), "nearly certain with by: [sex]: 3 of 6 groupings") {
		t.Errorf("by sex: %+v", own)
	}
	if instead == nil || strings.Join(instead.By, " ") != "ward" || len(instead.Alarms) != 0 || instead.Types != 3 || instead.Smallest != 8000 {
		t.Errorf("instead: %+v", instead)
	}
	if _, instead := fitOf(t, sealingOf(policy.Prior{Kind: policy.TotalsPrior, By: []string{"sex"}, Least: 9000}), f, counts); instead != nil {
		t.Errorf("types of 8000 where 9000 are the least: %+v", instead)
	}
	f.By = []string{"ward"}
	if own, _ := fitOf(t, sealingOf(policy.Prior{Kind: policy.TotalsPrior, By: []string{"ward"}, Least: 1000}), f, counts); len(own.Alarms) != 0 || own.Suppressed == own.Counts {
		t.Errorf("by ward: %+v", own)
	}
	// Declared rates are tried as they are, and nothing is proposed.
	f.By = nil
	everybody := []policy.PriorType{{Probabilities: []policy.Share{policy.OneShare * 65 / 100, policy.OneShare * 35 / 100}}}
	own, instead = fitOf(t, sealingOf(policy.Prior{Kind: policy.DeclaredPrior, Types: everybody}), f, counts)
	if len(own.Alarms) == 0 || instead != nil {
		t.Errorf("declared: %+v, %+v", own, instead)
	}
}
