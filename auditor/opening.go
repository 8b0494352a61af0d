package auditor

import "errors"

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
	// earlier: intervals were charged by the rule before boxRule.
	earlier bool
}

// ErrDelta is returned when certificates would cost more than delta, so that they could not be kept.
var ErrDelta = errors.New("auditor: certificates cost more than delta")

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
	return o.Workload.validate(&o.Config, o.Totals != nil, len(o.Units))
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

// An Epoch is what changed in a table since the last one was sealed. What was released of people who left stays in the model for ever, as
// units of their own: old answers less new ones are about them. People who came are in no released sum yet; a question about a group
// that got some is then one about them alone, in the eyes of whoever knows the old answer.
//
// The model takes the values of people who come as independent of those of people who left. That is an assumption about who they are: an
// update that changes somebody's private value, or a public attribute that units are made of, makes her leave and come. One who only
// moves to other public attributes keeps her value, and what was said of her old unit is about her. So an epoch in which people both left
// and came needs somebody's word that they are different people.
//
// Where priors are published totals, people who come have the prior of arrivals: the published share, in an interval. They
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
	// earlier: intervals were charged by the rule before boxRule.
	earlier bool
}

// A Departure is people who left a unit. The unit keeps the others, and a new unit, which no query may name, holds these.
type Departure struct {
	Unit   int32
	People int
}
