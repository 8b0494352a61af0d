package release

import (
	"errors"
	"io"
	"time"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
)

// protectedTables are the tables that are charged for a query: one, or the two that it joins. The first is the one that leads, by
// which a recorded release is looked up.
func protectedTables(q *rewrite.BoundQuery) []*policy.Table {
	tables := []*policy.Table{q.Table.Policy}
	if partner := q.Partner(); partner != nil && partner.Policy.Name != q.Table.Policy.Name {
		tables = append(tables, partner.Policy)
	}
	return tables
}

// terms are what the policy says of the counts of a query. Those of a join have the stricter of what it says of the two tables: the
// smaller epsilon and delta, the shorter replay, negative counts only if both show them; and the bounds of a person that the query
// uses. Then the loss is one that either table's steward allows for a count, and each table's budget bears it in full: the rows of a
// person in that table alone change the join by no more than all her rows do.
func terms(q *rewrite.BoundQuery) *policy.Table {
	own := q.Table.Policy
	partner := q.Partner()
	if partner == nil {
		return own
	}
	t, other := *own, partner.Policy
	t.Mechanism.Epsilon = min(own.Mechanism.Epsilon, other.Mechanism.Epsilon)
	t.Mechanism.Delta = min(own.Mechanism.Delta, other.Mechanism.Delta)
	t.Mechanism.KeepNegative = own.Mechanism.KeepNegative && other.Mechanism.KeepNegative
	t.Replay = shorter(own.Replay, other.Replay)
	t.Person = &policy.Person{Column: own.Person.Column}
	t.Person.Rows, t.Person.Groups = q.PersonBounds()
	return &t
}

// shorter is the shorter of two times for which answers are replayed, of which 0 is for ever.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// mechanismsFor are those of a query's terms: made once for each table, and for a join when it is first asked.
//
// Both tables of a join were accepted by themselves. Together they can have so small an epsilon and so large bounds that no noise is
// made for it, which is refused; what is left out here, that no count of the query needs, does not matter.
func (r *regime) mechanismsFor(q *rewrite.BoundQuery, t *policy.Table, random io.Reader) (map[sensitivity]*mechanisms.Mechanism, error) {
	if q.Partner() == nil {
		return r.mechanisms[t.Name], nil
	}
	needed := make([]sensitivity, 0, len(q.Counts)+1)
	if len(q.Keys) > 0 { // a threshold may have to decide
		needed = append(needed, sensitivityOf(q, q.Persons()))
	}
	for _, c := range q.Counts {
		needed = append(needed, sensitivityOf(q, c))
	}
	made, err := r.calibrate(t, needed, nil, random)
	if err != nil {
		return nil, errors.Join(refuseNoiseOfJoin(q, t), err)
	}
	return made, nil
}

// calibrate returns mechanisms for what is not a table's own terms, or not for cells alone.
func (r *regime) calibrate(t *policy.Table, needed []sensitivity, margins *mechanisms.Margins, random io.Reader) (map[sensitivity]*mechanisms.Mechanism, error) {
	made := make(map[sensitivity]*mechanisms.Mechanism)
	for _, s := range needed {
		c := mechanismConfig(t, s, random)
		c.Margins = margins
		m, err := r.calibrated.mechanism(c)
		if err != nil {
			return nil, err
		}
		made[s] = m
	}
	return made, nil
}
