package sums

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
)

// A Day counts days from 1970-01-01, in UTC.
type Day int64

// DayOf is the day of a time.
func DayOf(at time.Time) Day { return Day(at.Unix() / (24 * 60 * 60)) }

// Time is the beginning of the day.
func (d Day) Time() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// A Sum is what statements came to.
type Sum struct {
	Charged, Free, Refused int64
	// Loss is the sum of the charges, each by itself.
	Loss accountant.Loss
}

// Statements are how many there were.
func (s Sum) Statements() int64 { return s.Charged + s.Free + s.Refused }

// Add adds another sum.
func (s *Sum) Add(t Sum) {
	s.Charged, s.Free, s.Refused = s.Charged+t.Charged, s.Free+t.Free, s.Refused+t.Refused
	s.Loss = s.Loss.Add(t.Loss)
}

// An ofTable is a table's sum of a day, and that of each analyst.
type ofTable struct {
	all      Sum
	analysts map[string]*Sum
}

// Sums are those of one ledger. The zero Sums are empty.
type Sums struct {
	mu       sync.Mutex // protects what follows
	ledger   string
	position int64
	days     map[Day]map[policy.TableName]*ofTable
	acts     map[Day][]int64 // entries of what stewards did
}

// atOnce is how many entries are read in one step.
const atOnce = 20_000

// CatchUp reads one step on, and says whether there is more to read.
func (s *Sums) CatchUp(ctx context.Context, l *ledger.Reader) (more bool, err error) {
	o, err := l.Overview(ctx)
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledger != o.Ledger || s.position > o.Head.Entry {
		s.ledger, s.position, s.days = o.Ledger, 0, make(map[Day]map[policy.TableName]*ofTable)
		s.acts = make(map[Day][]int64)
	}
	last := min(s.position+atOnce, o.Head.Entry)
	if last == s.position {
		return false, nil
	}
	// Entries of a step that fails half way are not added: they will be read again.
	var entries []ledger.Entry
	if err := l.EachLogged(ctx, s.position, last, func(e ledger.Entry) bool { entries = append(entries, e); return true }); err != nil {
		return false, err
	}
	for _, e := range entries {
		s.add(e)
	}
	s.position = last
	return last < o.Head.Entry, nil
}

// Position is the last entry that is in the sums.
func (s *Sums) Position() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.position
}

func (s *Sums) add(e ledger.Entry) {
	day := DayOf(e.At)
	var one Sum
	switch e.Verdict {
	case ledger.Charged:
		one.Charged, one.Loss = 1, e.Loss
	case ledger.Decided, ledger.Replayed, ledger.Derived:
		one.Free = 1
	case ledger.Refused:
		one.Refused = 1
	case ledger.Granted, ledger.Frozen, ledger.Thawed, ledger.Epoch, ledger.Inspected, ledger.Resolved, ledger.Declined:
		s.acts[day] = append(s.acts[day], e.ID)
		return
	case ledger.Requested, ledger.Thinned: // neither statements nor acts of stewards
		return
	}
	if e.Kind != "" && e.Kind != auditor.EventRound { // a seal, or an alarm that was acknowledged: its loss counts, but it is no statement
		one = Sum{Loss: one.Loss}
	}
	if s.days[day] == nil {
		s.days[day] = make(map[policy.TableName]*ofTable)
	}
	t := s.days[day][e.Table]
	if t == nil {
		t = &ofTable{analysts: make(map[string]*Sum)}
		s.days[day][e.Table] = t
	}
	own := t.analysts[e.Analyst]
	if own == nil {
		own = &Sum{}
		t.analysts[e.Analyst] = own
	}
	t.all.Add(one)
	own.Add(one)
}

// Of are the sums of a table on each day from one to another; of an analyst, if one is named.
func (s *Sums) Of(table policy.TableName, analyst string, first, last Day) []Sum {
	s.mu.Lock()
	defer s.mu.Unlock()
	days := make([]Sum, 0, last-first+1)
	for d := first; d <= last; d++ {
		var sum Sum
		if t := s.days[d][table]; t != nil && analyst == "" {
			sum = t.all
		} else if t != nil && t.analysts[analyst] != nil {
			sum = *t.analysts[analyst]
		}
		days = append(days, sum)
	}
	return days
}

// OfAll is the sum of all tables from one day to another, with refusals in which no protected table was made out; of an analyst, if one is named.
func (s *Sums) OfAll(analyst string, first, last Day) (sum Sum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for d := first; d <= last; d++ {
		for _, t := range s.days[d] {
			if analyst == "" {
				sum.Add(t.all)
			} else if own := t.analysts[analyst]; own != nil {
				sum.Add(*own)
			}
		}
	}
	return sum
}

// A ByAnalyst is an analyst with her sum.
type ByAnalyst struct {
	Analyst string
	Sum
}

// Analysts are the sums of a table by analyst, from one day to another, by name.
func (s *Sums) Analysts(table policy.TableName, first, last Day) []ByAnalyst {
	s.mu.Lock()
	defer s.mu.Unlock()
	sums := make(map[string]*Sum)
	for d := first; d <= last; d++ {
		t := s.days[d][table]
		if t == nil {
			continue
		}
		for name, own := range t.analysts {
			if sums[name] == nil {
				sums[name] = &Sum{}
			}
			sums[name].Add(*own)
		}
	}
	var list []ByAnalyst
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, ByAnalyst{name, *sums[name]})
	}
	return list
}

// Acts are the entries of what stewards did from one day to another, in order.
func (s *Sums) Acts(first, last Day) (entries []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for d := first; d <= last; d++ {
		entries = append(entries, s.acts[d]...)
	}
	slices.Sort(entries)
	return entries
}
