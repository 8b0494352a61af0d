package auditor

import (
	"math"

	"tacit/auditor/internal/history"
	"tacit/auditor/posterior"
)

// A model is what is known of a table's people, whoever asks: the public facts, and the history of released sums.
type model struct {
	Config  Config
	priors  []priors // by type
	units   []unit
	people  int64 // of all epochs, gone or not
	history *history.History

	totals bool
	// arrivals is the type of people of each type who come in later epochs, -1 if there can be none; of tables with totals.
	arrivals  []int
	intervals bool // some type has one
	earlier   bool // decisions are made by the rule before boxRule: those of an old log, while it is read

	scratch scratch
}

// A unit is public facts about a Unit. Its people are counted by the history.
type unit struct {
	kind int  // its type
	gone bool // its people left; what was released of them stays
	// rate is the unit whose people have the same rate, where their type has a spread: itself, or the one that they left. torn: people
	// of the rate left who stay in released sums.
	rate int32
	torn bool
	plan int32 // block of the certified plan, or -1
	cell int32 // of the workload, or -1
}

// scratch is memory that questions share.
type scratch struct {
	stamp  int
	units  []int // by unit: the stamp of the question that it is affected by
	people []int // by type
	types  []int // with people
	atoms  posterior.Group
	groups []posterior.Group
	fresh  map[freshUnit]float64 // risks
}

// newModel is the model of a table of which nothing was released but its totals.
func newModel(o *Opening) model {
	m := model{Config: o.Config, totals: o.Totals != nil, history: history.New(o.Values), earlier: o.earlier}
	m.Config.Types = append([]Type(nil), o.Types...)
	if m.totals {
		m.priorsFromTotals(o.Totals)
	}
	for t := range m.Config.Types {
		m.priors = append(m.priors, m.Config.priors(&m.Config.Types[t]))
		m.intervals = m.intervals || len(m.priors[t].ends) > 1
	}
	m.addUnits(o.Units)
	if m.totals {
		m.addArrivalTypes(o.Totals)
		m.releaseTotals(o.Totals)
	}
	return m
}

func (m *model) addUnits(units []Unit) {
	for _, u := range units {
		m.units = append(m.units, unit{kind: u.Type, plan: -1, cell: -1, rate: int32(len(m.units))})
		m.history.Add(u.People)
		m.people += int64(u.People)
	}
}

// priorsFromTotals makes published shares the priors.
func (m *model) priorsFromTotals(totals [][]int64) {
	for t, counts := range totals {
		prior, sum := make([]float64, len(counts)), int64(0)
		for _, n := range counts {
			sum += n
		}
		for v, n := range counts {
			prior[v] = float64(n) / float64(max(sum, 1))
		}
		if sum == 0 {
			prior[0] = 1
		}
		// What is conditioned on is exact, so that neither an interval nor a spread of the rate of the type is left.
		m.Config.Types[t] = Type{Name: m.Config.Types[t].Name, Prior: prior}
	}
}

// addArrivalTypes makes the types of arrivals. They follow the types of the opening.
func (m *model) addArrivalTypes(totals [][]int64) {
	m.arrivals = make([]int, len(totals))
	for t, counts := range totals {
		m.arrivals[t] = -1
		if arrival, ok := arrivalType(counts); ok {
			m.arrivals[t] = len(m.priors)
			m.priors = append(m.priors, m.Config.priors(&arrival))
		}
	}
}

// releaseTotals makes the people of each type a block of known sums.
func (m *model) releaseTotals(totals [][]int64) {
	byType := make([][]int32, len(totals))
	for i := range m.units {
		t := m.units[i].kind
		byType[t] = append(byType[t], int32(i))
	}
	for t, units := range byType {
		if len(units) == 0 {
			continue
		}
		known := posterior.Classes{Sets: m.eachValue()}
		for _, set := range known.Sets {
			for v, n := range totals[t] {
				if set.Has(v) {
					known.Sums = append(known.Sums, int(n))
				}
			}
		}
		m.history.Condition(units, known)
	}
}

// eachValue is the sets of one value each, which certificates are about, so that queries about any values are unions of these.
func (m *model) eachValue() []posterior.ValueSet {
	if m.Config.Values == 2 {
		return []posterior.ValueSet{posterior.True}
	}
	sets := make([]posterior.ValueSet, m.Config.Values)
	for v := range sets {
		sets[v] = 1 << v
	}
	return sets
}

// shape is how a query relates to what was released.
func (m *model) shape(q *Query) history.Shape { return m.history.Shape(q.Units, q.Values) }

// validateQuery refuses a query that cannot be asked of the table.
func (m *model) validateQuery(q *Query) error {
	for i, u := range q.Units {
		switch {
		case u < 0 || int(u) >= len(m.units) || i > 0 && u <= q.Units[i-1]:
			return invalid("units of a question do not rise")
		case m.units[u].gone:
			return invalid("unit %d is gone", u)
		}
	}
	union := posterior.ValueSet(0)
	for _, set := range q.Values {
		if set == 0 || set&union != 0 || set>>m.Config.Values != 0 {
			return invalid("sets of values of a question")
		}
		union |= set
	}
	if len(q.Values) == 0 || m.Config.Values == 2 && (len(q.Values) != 1 || q.Values[0] != posterior.True) {
		return invalid("a question about no values, or about false")
	}
	return nil
}

// Marks of blocks.
const (
	// planLapsed: the certificate of the plan does not hold any more in the linked sums of the block.
	planLapsed history.Marks = 1 << iota
	// workloadLapsed: that of the workload does not.
	workloadLapsed
	// exposed: a posterior in the linked sums of the block left its limits. Nothing new is released of them.
	exposed
)

// Arrivals are people who came in a later epoch, of a type whose totals were published. Given the totals, whatever the true rate is does
// not matter for the people who were counted; for others it does, and all that is known of it is that Y of N had the value. So they are a
// type of their own, with the prior p = Y/N in an interval of five standard deviations of Y/N, relative to it. That the rate lies
// in it is an assumption outside of delta: at the upper end of an interval of x a total as low lies 5/sqrt(1+x) standard deviations of
// that end away, about 4.6 where x is 0.2, beyond which (at an epsilon of 0.5) nothing is released.
//
// That needs one rate with an interval below 1, more than 25 counted people with the value. Types of others, and those of more than
// two values, for which no engine takes the ends of intervals of all rates at once, have no arrivals: who comes stays pending.
const arrivalDeviations = 5

// arrivalType is the type of people who come to a type with published totals; false if there can be none.
func arrivalType(totals []int64) (Type, bool) {
	if len(totals) != 2 || totals[1] == 0 || totals[0] == 0 {
		return Type{}, false
	}
	yes, all := float64(totals[1]), float64(totals[0]+totals[1])
	p := yes / all
	interval := arrivalDeviations * math.Sqrt((1-p)/yes)
	return Type{Prior: []float64{1 - p, p}, Interval: interval}, interval < 1
}
