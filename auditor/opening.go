package auditor

import (
	"errors"
	"fmt"

	"tacit/policy"
)

// An Opening is the public facts of a table when its first epoch is sealed, and what its auditor promises.
type Opening struct {
	Config
	Units []Unit
	// Totals are, for each type, the number of people with each value, where these are published: then the prior of the type is their
	// shares, and the numbers count as released. They are outside of the guarantee. nil: priors are declared.
	//
	// Given the totals all data sets that have them are equally likely within a type, whatever the true rates are. Of people who come in
	// later epochs that is not so: see [Epoch].
	Totals [][]int64
	// Plan is the block of the certified plan of each unit, numbered from 0, or -1 for units in none; nil if there is no plan.
	Plan []int32
	// Workload is what is always answered besides; nil if nothing is.
	Workload *Workload
}

// ErrDelta is returned when certificates would cost more than delta, so that they could not be kept.
var ErrDelta = errors.New("auditor: certificates cost more than delta")

// Open makes the state of a table from its public facts.
func Open(o Opening) (*State, error) {
	s, err := newState(o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Event is the event of the opening, with its charge: the risks of the certified plan and of the workload.
func (o Opening) Event() (Event, policy.Risk, error) {
	s, err := newState(o)
	if err != nil {
		return Event{}, 0, err
	}
	if charge := s.planCharge + s.workloadCharge; charge > o.Delta {
		return Event{}, 0, fmt.Errorf("%w: %v of %v", ErrDelta, charge, o.Delta)
	}
	if o.Workload != nil {
		w := *o.Workload
		w.Charge, o.Workload = s.workloadCharge, &w
	}
	return Event{Kind: EventOpened, Payload: encodeOpening(&o)}, s.planCharge + s.workloadCharge, nil
}

func (o *Opening) validate() error {
	if err := o.Config.validate(); err != nil {
		return err
	}
	if len(o.Units) == 0 || len(o.Units) > maxUnits {
		return invalid("%d units", len(o.Units))
	}
	people, all := make([]int64, len(o.Types)), int64(0)
	for i, u := range o.Units {
		if err := o.validateUnit(u); err != nil {
			return err
		}
		people[u.Type] += int64(u.People)
		if all += int64(u.People); all > maxPeople {
			return invalid("too many people, at unit %d", i)
		}
	}
	if err := o.validateTotals(people); err != nil {
		return err
	}
	if err := validatePlan(o.Plan, o.Units); err != nil || o.Workload == nil {
		return err
	}
	return o.Workload.validate(o)
}

func (c *Config) validateUnit(u Unit) error {
	if u.Type < 0 || u.Type >= len(c.Types) || u.People < 0 || u.People > maxPeople {
		return invalid("a unit of %d people of type %d", u.People, u.Type)
	}
	return nil
}

func (o *Opening) validateTotals(people []int64) error {
	if o.Totals == nil {
		return nil
	}
	if len(o.Totals) != len(o.Types) {
		return invalid("totals of %d types of %d", len(o.Totals), len(o.Types))
	}
	for t, totals := range o.Totals {
		sum := int64(0)
		for _, n := range totals {
			if n < 0 || n > maxPeople {
				return invalid("a total of %d", n)
			}
			sum += n
		}
		if len(totals) != o.Values || sum != people[t] {
			return invalid("totals of type %d sum to %d, of %d people", t, sum, people[t])
		}
	}
	return nil
}

func validatePlan(plan []int32, units []Unit) error {
	if plan == nil {
		return nil
	}
	if len(plan) != len(units) {
		return invalid("a plan of %d units of %d", len(plan), len(units))
	}
	for _, b := range plan {
		if b < -1 || int(b) >= len(units) {
			return invalid("block %d of a plan of %d units", b, len(units))
		}
	}
	return nil
}
