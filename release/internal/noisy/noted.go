package noisy

import (
	"slices"

	"tacit/accountant/ledger"
	"tacit/policy"
)

// This file notes in the log what a statement was answered with that it was not charged for. Start at noteReplay.

// noteReplay logs a statement that cost nothing, for each of its tables.
func (a *Statement) noteReplay() {
	verdict := ledger.Replayed
	if a.derives() {
		verdict = ledger.Derived
	}
	tables := make(map[policy.TableName]bool)
	for _, p := range a.Plans {
		for _, table := range p.tables {
			if !tables[table.Name] {
				tables[table.Name] = true
				oldest, derived := a.shownOf(table)
				a.ledger.Note(ledger.Event{
					Analyst: a.Request.Analyst, Table: table.Name, Verdict: verdict, SQL: a.Request.SQL, Request: a.Request.ID, Answered: oldest, Releases: derived,
				})
			}
		}
	}
}

// shownOf is the entry that recorded the oldest of the answers about a table that are shown, 0 if there are none, and the releases that others are derived of.
func (a *Statement) shownOf(table *policy.Table) (entry int64, derived []int64) {
	for _, p := range a.Plans {
		if !p.asks(table) {
			continue
		}
		for _, q := range p.Questions {
			for _, s := range q.recordings() {
				if entry == 0 || s.Entry < entry {
					entry = s.Entry
				}
				if q.derived != nil {
					derived = append(derived, s.Release)
				}
			}
		}
	}
	slices.Sort(derived)
	return entry, slices.Compact(derived)
}

// noteAdopted logs the statement for tables that it was not charged for because somebody else's charge was taken over: that is logged with the
// statement that it was made for, and she who was answered under it may be another analyst.
func (a *Statement) noteAdopted() {
	noted := make(map[policy.TableName]bool)
	plans := slices.Clip(a.Plans)
	for _, m := range a.measuring {
		plans = append(plans, m.plan)
	}
	for _, p := range plans {
		if !slices.ContainsFunc(p.Questions, func(q *Question) bool { return q.adopted }) {
			continue
		}
		for _, table := range p.tables {
			if _, charged := a.paid[table.Name]; !charged && !noted[table.Name] {
				noted[table.Name] = true
				a.ledger.Note(ledger.Event{Analyst: a.Request.Analyst, Table: table.Name, Verdict: ledger.Replayed, SQL: a.Request.SQL, Request: a.Request.ID})
			}
		}
	}
}
