package ledger

import (
	"cmp"
	"slices"
	"time"

	"tacit/policy"
)

// This file groups refused statements by their reason: what analysts needed and did not get.

// A Need is what was refused for one reason.
type Need struct {
	Table    policy.TableName // zero if none was made out
	SQLState string
	Reason   string // "" of statements that an earlier version refused, which did not note it
	// Times is how often, and Analysts who was refused, in order.
	Times    int
	Analysts []string
	// Last is the last time, and Example the statement then.
	Last    time.Time
	Example string
}

// Needs groups the refusals among entries, most frequent first.
func Needs(entries []Entry) []Need {
	type reason struct {
		table         policy.TableName
		code, message string
	}
	groups := make(map[reason]*Need)
	var needs []*Need
	for _, e := range entries {
		if e.Verdict != Refused {
			continue
		}
		key := reason{e.Table, e.SQLState, e.Reason}
		n := groups[key]
		if n == nil {
			n = &Need{Table: e.Table, SQLState: e.SQLState, Reason: e.Reason}
			groups[key], needs = n, append(needs, n)
		}
		n.Times++
		if i, known := slices.BinarySearch(n.Analysts, e.Analyst); !known {
			n.Analysts = slices.Insert(n.Analysts, i, e.Analyst)
		}
		if !e.At.Before(n.Last) {
			n.Last, n.Example = e.At, e.SQL
		}
	}
	slices.SortStableFunc(needs, func(a, b *Need) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), b.Last.Compare(a.Last), cmp.Compare(a.Reason, b.Reason))
	})
	sorted := make([]Need, len(needs))
	for i, n := range needs {
		sorted[i] = *n
	}
	return sorted
}
