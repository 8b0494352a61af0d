package auditor

import (
	"tacit/auditor/internal/history"
	"tacit/policy"
)

// arrivalUnits are units of a new epoch with the types that they have in the model.
func (m *model) arrivalUnits(added []Unit) ([]Unit, error) {
	units := append([]Unit(nil), added...)
	for i, u := range units {
		if err := m.Config.validateUnit(u); err != nil {
			return nil, err
		}
		if !m.totals {
			continue
		}
		if units[i].Type = m.arrivals[u.Type]; units[i].Type < 0 {
			return nil, invalid("people came to type %d, whose published totals say too little about them", u.Type)
		}
	}
	return units, nil
}

// arriving is the model of a table of people who came alone, to ask what it would cost to take them in. It shares nothing that changes.
func (m *model) arriving(added []Unit) (*model, error) {
	units, err := m.arrivalUnits(added)
	if err != nil {
		return nil, err
	}
	alone := &model{Config: m.Config, priors: m.priors, totals: m.totals, arrivals: m.arrivals, history: history.New(m.Config.Values),
		intervals: m.intervals || m.totals}
	alone.addUnits(units)
	return alone, nil
}

// arrivalsPlanRisk is what the certified plan of an epoch costs. Sealing an epoch, proposing one and restoring one all take it from here.
func (m *model) arrivalsPlanRisk(p *Epoch) (policy.Risk, error) {
	alone, err := m.arriving(p.Added)
	if err != nil || p.Plan == nil {
		return 0, err
	}
	alone.earlier = p.earlier
	plan := newPlanCover()
	return alone.planRisk(plan.enter(alone, 0, p.Plan))
}

// arrivalsRisk is the risk of the sum of people who came.
func (m *model) arrivalsRisk(added []Unit) (float64, error) {
	alone, err := m.arriving(added)
	if err != nil {
		return 1, err
	}
	all := make([]int32, len(added))
	for i := range all {
		all[i] = int32(i)
	}
	return alone.freshRisk(all, alone.eachValue())
}
