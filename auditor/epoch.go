package auditor

import (
	"math"

	"tacit/policy"
)

// An Epoch is what changed in a table since the last one was sealed. What was released of people who left stays in the model for ever, as
// units of their own: old answers less new ones are about them. People who came are in no released sum yet; a question about a group
// that got some is then one about them alone, in the eyes of whoever knows the old answer.
//
// The model takes the values of people who come as independent of those of people who left. That is an assumption about who they are: an
// update that changes somebody's private value, or a public attribute that units are made of, makes her leave and come. One who only
// moves to other public attributes keeps her value, and what was said of her old unit is about her. So an epoch in which people both left
// and came needs somebody's word that they are different people.
//
// Where priors are published totals, people who come have the prior of latecomers: the published share, in an interval. They
// can be of types only for which that is narrower than the share itself, and of a Boolean attribute.
type Epoch struct {
	// Gone is how many people of a unit left. Units rise.
	Gone []Departure
	// Added are new units, numbered after all that there are: first those of the departures, in order, and then these.
	Added []Unit
	// Plan is the block of each added unit in a further certified plan of these, or -1; nil if there is none. Its charge is that of the event.
	Plan []int32
	// Distinct states that those who left and those who came are different people. Required where there are both.
	Distinct bool
}

// A Departure is people who left a unit. The unit keeps the others, and a new unit, which no query may name, holds these.
type Departure struct {
	Unit   int32
	People int
}

// SealEvent is the event of sealing the epoch, with the charge of its plan.
func (s *State) SealEvent(p Epoch) (Event, policy.Risk, error) {
	if err := s.validateEpoch(&p); err != nil {
		return Event{}, 0, err
	}
	risk, err := s.planOfComers(&p)
	if err == nil && risk > s.Config.Delta {
		err = invalid("a plan for %v, of a delta of %v", risk, s.Config.Delta)
	}
	if err != nil {
		return Event{}, 0, err
	}
	return Event{Kind: EventSealed, Payload: encodeEpoch(&p)}, risk, nil
}

func (s *State) validateEpoch(p *Epoch) error {
	if len(s.units)+len(p.Gone)+len(p.Added) > maxUnits {
		return invalid("too many units")
	}
	for i, g := range p.Gone {
		if g.Unit < 0 || int(g.Unit) >= len(s.units) || i > 0 && g.Unit <= p.Gone[i-1].Unit {
			return invalid("units of an epoch do not rise")
		}
		if u := &s.units[g.Unit]; u.gone || g.People <= 0 || g.People > u.People {
			return invalid("%d people leave unit %d of %d", g.People, g.Unit, u.People)
		}
	}
	if len(p.Gone) > 0 && len(p.Added) > 0 && !p.Distinct {
		return invalid("people left and came, of whom nobody says that they are different people")
	}
	if _, err := s.comers(p.Added); err != nil {
		return err
	}
	people := s.people
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
	charge, err := s.planOfComers(p)
	if err != nil {
		return err
	}
	units, err := s.comers(p.Added)
	if err != nil {
		return err
	}
	// From here on nothing fails.
	for _, g := range p.Gone {
		s.depart(g)
	}
	first := len(s.units)
	s.addUnits(units)
	s.planBlocks(first, p.Plan)
	s.intervals = s.intervals || s.totals && len(units) > 0
	s.spend(charge)
	return nil
}

// depart divides a unit. Both stay in the same sums.
func (s *State) depart(g Departure) {
	u := &s.units[g.Unit]
	u.People -= g.People
	left := *u
	left.People, left.gone = g.People, true
	b := u.block
	s.units = append(s.units, left)
	if b != s.root {
		u.torn = s.types[u.Type].spread > 0
		b.units = append(s.members(b), int32(len(s.units)-1))
	}
}

// acknowledge ends an alarm. What was observed so far is not held against the model again.
func (s *State) acknowledge() {
	s.alarm = ""
	s.watch = watch{}
}

// AcknowledgeEvent is the event by which a steward says that an alarm was looked at, and that questions go on being answered.
func (s *State) AcknowledgeEvent() Event {
	return Event{Kind: EventAcknowledged, Payload: (&encoder{}).payload()}
}

func encodeEpoch(p *Epoch) []byte {
	var e encoder
	e.uint(uint64(len(p.Gone)))
	last := int32(0)
	for _, g := range p.Gone {
		e.uint(uint64(g.Unit - last))
		e.uint(uint64(g.People))
		last = g.Unit
	}
	e.units(p.Added)
	e.plan(p.Plan)
	e.bool(p.Distinct)
	return e.payload()
}

func decodeEpoch(payload []byte) (Epoch, error) {
	d := newDecoder(payload)
	p := Epoch{Gone: make([]Departure, d.few(2, maxUnits, "number of departures"))}
	last := uint64(0)
	for i := range p.Gone {
		last = min(last+d.uint(maxUnits, "unit"), math.MaxInt32)
		p.Gone[i] = Departure{int32(last), int(d.uint(maxPeople, "number of people"))}
	}
	p.Added = d.units()
	p.Plan = d.plan()
	p.Distinct = d.bool("word that people are different")
	return p, d.end()
}

// A Batch is the people who came to a group, or who left it, since the last epoch.
type Batch struct {
	Units []Unit
	// Merge names a coarser group: batches that are not safe by themselves enter together with the others of the same name, if they are
	// safe together. -1: none.
	Merge int
}

// PendingBatches says which batches a new epoch may hold. Whoever knows a group's old answer learns from the new one the sum of its batch
// alone, so that a batch enters when its own sum could be released at the given risk; the others stay pending until they have grown. It
// looks at public sizes and priors only.
func (s *State) PendingBatches(batches []Batch, most policy.Risk) (admitted []bool) {
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

func (s *State) admits(units []Unit, most policy.Risk) bool {
	risk, err := s.freshPeople(units)
	e := estimate{risk: risk, exact: true}
	return err == nil && e.charge() <= most
}
