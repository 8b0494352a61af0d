package policy

import (
	"fmt"
	"slices"
	"time"

	"tacit/policy/internal/document"
)

// A range of dates may end at the present day. Its end moves, and the meaning of what was recorded must not. So that end has no part in what
// identifies a domain, or a division into blocks: package query writes the day into each question whose cells depend on it.
//
// A policy has no clock. Until [Policy.On] says which day it is, such a range has its first day alone.

const todayEnd = "today"

// rangeToToday is a range that ends at the present day.
func (d *decoder) rangeToToday(n *document.Node, first int64, isDate, ok bool) *Range {
	switch {
	case !ok:
		return nil
	case !isDate:
		d.Report(n, "only a range of dates ends at today", rangeRemedy)
		return nil
	}
	return &Range{First: first, Last: first, Dates: true, Today: true}
}

// fixedRanges reports ranges of an audited table that end at the present day.
func (d *decoder) fixedRanges(n *document.Node, columns []Column) {
	for _, c := range columns {
		if r := c.Domain.Range; r != nil && r.Today {
			d.Report(d.Object(n).Optional(c.Name), fmt.Sprintf("the range of %q ends at today, and what is public of a sealed table must not move while an epoch lasts", c.Name),
				"write the last day of the epoch")
		}
	}
}

// On is the policy on the day of a time, in UTC: ranges that end at the present day end there, or on their first day if that is later. It is
// the same policy if they do already.
func (p *Policy) On(now time.Time) *Policy {
	today := daysOf(now.UTC().Truncate(24 * time.Hour))
	moved := false
	tables := slices.Clone(p.Tables)
	for i, t := range tables {
		if next := t.on(today); next != t {
			tables[i], moved = next, true
		}
	}
	if !moved {
		return p
	}
	next := *p
	next.Tables = tables
	return &next
}

func (t *Table) on(today int64) *Table {
	next := *t
	next.Columns = slices.Clone(t.Columns)
	moved := false
	for i, c := range t.Columns {
		r := c.Domain.Range
		if r == nil || !r.Today || r.Last == max(today, r.First) {
			continue
		}
		moved = true
		to := *r
		to.Last = max(today, r.First)
		next.Columns[i].Domain.Range = &to
		if b := t.Blocks; b != nil && b.Column == c.Name {
			blocks := *b
			blocks.Domain.Range = &to
			next.Blocks = &blocks
		}
	}
	if !moved {
		return t
	}
	return &next
}
