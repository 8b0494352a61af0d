package auditor

import (
	"math"

	"tacit/policy"
)

// Latecomers are people who came in a later epoch, of a type whose totals were published. Given the totals, whatever the true rate is does not
// matter for the people who were counted; for others it does, and all that is known of it is that Y of N had the value. So they are a
// type of their own, with the prior p = Y/N in an interval of five standard deviations of Y/N, relative to it. That the rate lies
// in it is an assumption outside of delta: at the upper end of an interval of x a total as low lies 5/sqrt(1+x) standard deviations of
// that end away, about 4.6 where x is 0.2, beyond which (at an epsilon of 0.5) nothing is released.
//
// That needs one rate with an interval below 1, more than 25 counted people with the value. Types of others, and those of more than
// two values, for which no engine takes the ends of intervals of all rates at once, have no latecomers: who comes stays pending.
const latecomerDeviations = 5

// addLatecomers makes the types of latecomers. They follow the types of the opening.
func (s *State) addLatecomers(totals [][]int64) {
	s.latecomers = make([]int, len(totals))
	for t, counts := range totals {
		s.latecomers[t] = -1
		if late, ok := latecomerType(counts); ok {
			s.latecomers[t] = len(s.types)
			s.types = append(s.types, s.Config.ends(&late))
		}
	}
}

func latecomerType(totals []int64) (Type, bool) {
	if len(totals) != 2 || totals[1] == 0 || totals[0] == 0 {
		return Type{}, false
	}
	yes, all := float64(totals[1]), float64(totals[0]+totals[1])
	p := yes / all
	interval := latecomerDeviations * math.Sqrt((1-p)/yes)
	return Type{Prior: []float64{1 - p, p}, Interval: interval}, interval < 1
}

// comers are units of a new epoch with the types that they have in the model.
func (s *State) comers(added []Unit) ([]Unit, error) {
	units := append([]Unit(nil), added...)
	for i, u := range units {
		if err := s.Config.validateUnit(u); err != nil {
			return nil, err
		}
		if !s.totals {
			continue
		}
		if units[i].Type = s.latecomers[u.Type]; units[i].Type < 0 {
			return nil, invalid("people came to type %d, whose published totals say too little about them", u.Type)
		}
	}
	return units, nil
}

// trial is a table of its own with people who came, to ask what it would cost to take them in. It shares nothing that changes.
func (s *State) trial(added []Unit) (*State, error) {
	units, err := s.comers(added)
	if err != nil {
		return nil, err
	}
	trial := &State{Config: s.Config, types: s.types, totals: s.totals, latecomers: s.latecomers, root: &block{}}
	trial.intervals = s.intervals || s.totals
	trial.addUnits(units)
	return trial, nil
}

// planOfComers is what the certified plan of an epoch costs. Sealing an epoch, proposing one and restoring one all take it from here.
func (s *State) planOfComers(p *Epoch) (policy.Risk, error) {
	trial, err := s.trial(p.Added)
	if err != nil || p.Plan == nil {
		return 0, err
	}
	return trial.planRisk(trial.planBlocks(0, p.Plan))
}

// freshPeople is the risk of the sum of people who came.
func (s *State) freshPeople(added []Unit) (float64, error) {
	trial, err := s.trial(added)
	if err != nil {
		return 1, err
	}
	all := make([]int32, len(added))
	for i := range all {
		all[i] = int32(i)
	}
	return trial.freshRisk(all, trial.planQuestion())
}
