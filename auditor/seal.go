package auditor

import "tacit/policy"

// SealEvent is the event of sealing the epoch, with the charge of its plan.
func (s *State) SealEvent(p Epoch) (Event, policy.Risk, error) {
	if err := s.validateEpoch(&p); err != nil {
		return Event{}, 0, err
	}
	risk, err := s.arrivalsPlanRisk(&p)
	if err == nil && risk > s.Config.Delta {
		err = invalid("a plan for %v, of a delta of %v", risk, s.Config.Delta)
	}
	if err != nil {
		return Event{}, 0, err
	}
	return Event{Kind: EventSealed, Payload: encodeEpoch(&p)}, risk, nil
}

// validateEpoch refuses an epoch that cannot follow the present one.
func (m *model) validateEpoch(p *Epoch) error {
	if len(m.units)+len(p.Gone)+len(p.Added) > maxUnits {
		return invalid("too many units")
	}
	for i, g := range p.Gone {
		if g.Unit < 0 || int(g.Unit) >= len(m.units) || i > 0 && g.Unit <= p.Gone[i-1].Unit {
			return invalid("units of an epoch do not rise")
		}
		if people := m.history.People(g.Unit); m.units[g.Unit].gone || g.People <= 0 || g.People > people {
			return invalid("%d people leave unit %d of %d", g.People, g.Unit, people)
		}
	}
	if len(p.Gone) > 0 && len(p.Added) > 0 && !p.Distinct {
		return invalid("people left and came, of whom nobody says that they are different people")
	}
	if _, err := m.arrivalUnits(p.Added); err != nil {
		return err
	}
	people := m.people
	for _, u := range p.Added {
		if people += int64(u.People); people > maxPeople {
			return invalid("too many people")
		}
	}
	return validatePlan(p.Plan, p.Added)
}

// seal starts an epoch. It ends no alarm: what refuted the prior is released still, see AcknowledgeEvent.
func (s *State) seal(p *Epoch) error {
	if err := s.validateEpoch(p); err != nil {
		return err
	}
	charge, err := s.arrivalsPlanRisk(p)
	if err != nil {
		return err
	}
	units, err := s.arrivalUnits(p.Added)
	if err != nil {
		return err
	}
	// From here on nothing fails.
	for _, g := range p.Gone {
		s.depart(g)
	}
	first := len(s.units)
	s.addUnits(units)
	s.plan.enter(&s.model, first, p.Plan)
	s.intervals = s.intervals || s.totals && len(units) > 0
	s.account.spend(charge)
	if s.earlier = p.earlier && s.intervals; s.earlier {
		s.noteRule(charge)
		s.earlier = false
	}
	return nil
}

// depart divides a unit. Both stay in the same sums.
func (m *model) depart(g Departure) {
	u := &m.units[g.Unit]
	left := *u
	left.gone = true
	u.torn = u.torn || m.priors[u.kind].spread > 0 && !m.history.Fresh(m.history.Block(g.Unit))
	m.history.Divide(g.Unit, g.People)
	m.units = append(m.units, left)
}

// AcknowledgeEvent is the event by which a steward says that an alarm was looked at, and that questions go on being answered.
func (s *State) AcknowledgeEvent() Event {
	return Event{Kind: eventAcknowledged, Payload: (&encoder{}).payload()}
}

// acknowledge ends an alarm. What was observed so far is not held against the model again.
func (s *State) acknowledge() {
	s.alarm = ""
	s.watch = watch{}
}

// A Batch is the people who came to a group, or who left it, since the last epoch.
type Movement struct {
	Units []Unit
	// Merge names a coarser group: batches that are not safe by themselves enter together with the others of the same name, if they are
	// safe together. -1: none.
	Merge int
}

// PendingBatches says which batches a new epoch may hold. Whoever knows a group's old answer learns from the new one the sum of its batch
// alone, so that a batch enters when its own sum could be released at the given risk; the others stay pending until they have grown. It
// looks at public sizes and priors only.
func (s *State) PendingBatches(batches []Movement, most policy.Risk) (admitted []bool) {
	admitted = make([]bool, len(batches))
	merged := make(map[int][]int)
	var names []int
	for i := range batches {
		if admitted[i] = s.admits(batches[i].Units, most); admitted[i] || batches[i].Merge < 0 {
			continue
		}
		name := batches[i].Merge
		if merged[name] == nil {
			names = append(names, name)
		}
		merged[name] = append(merged[name], i)
	}
	for _, name := range names {
		var units []Unit
		for _, i := range merged[name] {
			units = append(units, batches[i].Units...)
		}
		if len(merged[name]) > 1 && s.admits(units, most) {
			for _, i := range merged[name] {
				admitted[i] = true
			}
		}
	}
	return admitted
}

// admits reports whether the sum of people who came could be released at the given risk.
func (m *model) admits(units []Unit, most policy.Risk) bool {
	risk, err := m.arrivalsRisk(units)
	e := estimate{risk: risk, exact: true}
	return err == nil && e.charge() <= most
}
