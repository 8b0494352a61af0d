package live

import (
	"errors"
	"time"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// Terms are what the policy says of the counts of a query. Those of several tables have the stricter of what it says of each: the
// smaller epsilon and delta, the shorter replay, negative counts only if both show them; and the bounds of a person that the query
// uses. Then the loss is one that each table's steward allows for a count, and each table's budget bears it in full: the rows of a
// person in that table alone change the count by no more than query.BoundQuery.Sensitivity.
//
// A measure of what bounds leave out has noise of its own.
func Terms(q *query.BoundQuery) *policy.Table {
	own := q.Table.Policy
	others := q.OtherTables()
	if _, ok := q.IsBeyond(); ok {
		t := *own
		t.Mechanism = policy.Mechanism{Kind: policy.Geometric, Epsilon: own.Person.LeftOut}
		return &t
	}
	if q.Partner() == nil && len(others) == 0 {
		return own
	}
	t := *own
	for _, table := range others {
		other := table.Policy
		t.Mechanism.Epsilon = min(t.Mechanism.Epsilon, other.Mechanism.Epsilon)
		t.Mechanism.Delta = min(t.Mechanism.Delta, other.Mechanism.Delta)
		t.Mechanism.KeepNegative = t.Mechanism.KeepNegative && other.Mechanism.KeepNegative
		t.Replay = Shorter(t.Replay, other.Replay)
	}
	t.Person = &policy.Person{Column: own.Person.Column}
	t.Person.Rows, t.Person.Groups = q.PersonBounds()
	return &t
}

// Shorter is the shorter of two times for which answers are replayed, of which 0 is for ever.
func Shorter(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// MechanismsFor are those of a query's terms: made once for each table, and for a join when it is first asked.
//
// Both tables of a join were accepted by themselves. Together they can have so small an epsilon and so large bounds that no noise is
// made for it, which is refused; what is left out here, that no count of the query needs, does not matter.
func (r *State) MechanismsFor(q *query.BoundQuery, t *policy.Table) (map[Sensitivity]*mechanisms.Mechanism, error) {
	if _, ok := q.IsBeyond(); ok {
		return r.Calibrate(t, []Sensitivity{SensitivityOf(q, q.Counts[0])}, nil)
	}
	alone := q.Partner() == nil && len(q.OtherTables()) == 0
	if alone && t.Mechanism.Epsilon == q.Table.Policy.Mechanism.Epsilon { // and not one that an analyst chose
		return r.Mechanisms[t.Name], nil
	}
	made, err := r.Calibrate(t, needed(q), nil)
	if err != nil && alone {
		return nil, err
	}
	if err != nil {
		return nil, errors.Join(reply.RefuseNoiseOfJoin(q, t), err)
	}
	return made, nil
}

// needed are the sensitivities that questions about a query can have.
func needed(q *query.BoundQuery) []Sensitivity {
	made := make([]Sensitivity, 0, len(q.Counts)+1)
	if len(q.Keys) > 0 { // a threshold may have to decide
		made = append(made, SensitivityOf(q, q.Persons()))
	}
	for _, c := range q.Counts {
		made = append(made, SensitivityOf(q, c))
	}
	return made
}

// JointMechanisms are those of so many releases that have the loss of one together (see joint.go in package noisy). The noise of a sum
// grows with its range, which the steward declares.
func (r *State) JointMechanisms(q *query.BoundQuery, t *policy.Table, needed map[Sensitivity]bool, parts int) (map[Sensitivity]*mechanisms.Mechanism, error) {
	joint := *t
	if m := &joint.Mechanism; m.Kind.NeedsDelta() {
		m.Epsilon, m.Delta = m.Epsilon-policy.Epsilon(parts-1), m.Delta-policy.Delta(parts-1)
	} else {
		m.Epsilon /= policy.Epsilon(parts)
	}
	made := make(map[Sensitivity]*mechanisms.Mechanism)
	for s := range needed {
		c := MechanismConfig(&joint, s, r.random)
		if c.Kind.NeedsDelta() {
			c.Parts = int64(parts)
		}
		m, err := r.Calibrated.Mechanism(c)
		if err != nil {
			return nil, errors.Join(reply.RefuseNoiseOfSum(q, parts), err)
		}
		made[s] = m
	}
	return made, nil
}

// Calibrate returns mechanisms for what is not a table's own terms, or not for cells alone.
func (r *State) Calibrate(t *policy.Table, needed []Sensitivity, margins *mechanisms.Margins) (map[Sensitivity]*mechanisms.Mechanism, error) {
	made := make(map[Sensitivity]*mechanisms.Mechanism)
	for _, s := range needed {
		c := MechanismConfig(t, s, r.random)
		c.Margins = margins
		m, err := r.Calibrated.Mechanism(c)
		if err != nil {
			return nil, err
		}
		made[s] = m
	}
	return made, nil
}
