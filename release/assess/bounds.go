package assess

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/rewrite/query"
)

// Bounds on what a person counts for trade rows that are left out for noise. What a choice leaves out is counted exactly, from all rows: it is for
// the steward alone, like an assessment. Whoever takes bounds from this tells something of the table by them, which no budget is charged for;
// so the choices are a few round numbers, and far apart.

// Bounds compares bounds on the rows and groups of a person, on one question.
type Bounds struct {
	Question string
	// Rows and Groups are today's.
	Rows, Groups int
	Persons      int64
	// TotalRows and TotalGroups are what all persons together have.
	TotalRows, TotalGroups int64
	Cells                  int
	Choices                []BoundsChoice
	// Proposed is the index in Choices of the one that is proposed, and Today that of today's.
	Proposed, Today int
}

// A BoundsChoice is one pair of bounds.
type BoundsChoice struct {
	Rows, Groups int
	// RowsLeftOut and GroupsLeftOut are shares of all rows, and of all groups of persons.
	RowsLeftOut, GroupsLeftOut float64
	// RowsWithin and PersonsWithin bound the noise of a count of rows, and of persons by groups, with probability 0.95.
	RowsWithin, PersonsWithin int64
	// Error is the root of the mean squared error of a count of rows in a cell, what is left out being spread evenly over the cells.
	Error float64
}

// boundChoices are the bounds that are compared, besides today's.
var boundChoices = []int{1, 2, 4, 8, 15, 30, 60, 125, 250, 500}

// CompareBounds says what other bounds of a person would leave out of a statement's counts, and with how much noise the rest would be counted.
func CompareBounds(ctx context.Context, p *policy.Policy, sql string) ([]*Bounds, error) {
	var all []*Bounds
	err := inspect(ctx, p, func(i inspecting) error {
		queries, err := i.bindCounts(ctx, sql)
		if err != nil {
			return err
		}
		for _, q := range queries {
			b, err := i.bounds(ctx, q)
			if err != nil {
				return err
			}
			all = append(all, b)
		}
		return nil
	})
	return all, err
}

func (w *inspecting) bounds(ctx context.Context, q *query.BoundQuery) (*Bounds, error) {
	t := q.Table.Policy
	switch {
	case t.Person == nil:
		return nil, requestErrorf("each row of %v is a person: there are no bounds to compare", t.Name)
	case q.Partner() != nil || len(q.OtherTables()) > 0:
		return nil, requestErrorf("the statement reads two protected tables; compare the bounds of each by itself")
	case q.OfEachPerson():
		return nil, requestErrorf("a person is one row of what the statement counts: there are no bounds to compare")
	case !t.Mechanism.Kind.AddsNoise():
		return nil, requestErrorf("kind %s adds no noise that bounds could be weighed against", t.Mechanism.Kind)
	}
	b := &Bounds{Question: q.Question(q.Counts[0]), Rows: t.Person.Rows, Groups: t.Person.Groups}
	rows := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(boundChoices), b.Rows))))
	groups := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(boundChoices), b.Groups))))
	if len(q.Keys) == 0 {
		groups = []int{1}
	}
	sql, args := q.BoundsSQL(rows, groups)
	var kept []int64
	err := w.inspection.Rows(ctx, sql, args, func(row [][]byte) error {
		for _, v := range row {
			n, err := strconv.ParseInt(string(v), 10, 64)
			if err != nil {
				return err
			}
			kept = append(kept, n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(kept) != 3+len(groups)+len(rows)*len(groups) {
		return nil, errors.New("release: internal error: bounds without figures")
	}
	b.Persons, b.TotalRows, b.TotalGroups = kept[0], kept[1], kept[2]
	if b.Cells, err = w.cellsWithRows(ctx, q); err != nil {
		return nil, err
	}
	if err := b.choose(w.state, t, bounds{rows, groups, kept[3:]}); err != nil {
		return nil, err
	}
	b.propose()
	return b, nil
}

// cellsWithRows is how many groups of a query have rows.
func (w *inspecting) cellsWithRows(ctx context.Context, q *query.BoundQuery) (cells int, err error) {
	err = w.inspection.Count(ctx, q.Unbounded(), []query.Count{{}}, func([]query.Value, []int64) error {
		cells++
		return nil
	})
	return max(1, cells), err
}

// bounds are those that are compared, and what BoundsSQL says that they keep.
type bounds struct {
	rows, groups []int
	kept         []int64
}

// rowsKept is how many rows the bounds of these indexes keep.
func (of bounds) rowsKept(rows, groups int) int64 { return of.kept[len(of.groups)*(1+rows)+groups] }

// choose fills in the choices, of which each bound on rows has those on groups that are no larger. Beyond today's, none is larger than
// one that leaves nothing out.
func (b *Bounds) choose(s *live.State, t *policy.Table, of bounds) error {
	for i, r := range of.rows {
		if r > b.Rows && of.rowsKept(i-1, len(of.groups)-1) == b.TotalRows {
			break // the bound before leaves nothing out
		}
		for j, g := range of.groups {
			if g > r || g > b.Groups && j > 0 && of.kept[j-1] == b.TotalGroups {
				continue
			}
			ofRows, ofPersons := live.Sensitivity{Cells: r, PerCell: r}, live.Sensitivity{Cells: g, PerCell: 1}
			made, err := s.Calibrate(t, []live.Sensitivity{ofRows, ofPersons}, nil)
			if err != nil {
				return err
			}
			kept := of.rowsKept(i, j)
			law, _ := made[ofRows].Law()
			if r == b.Rows && (g == b.Groups || len(of.groups) == 1) {
				b.Today = len(b.Choices)
			}
			b.Choices = append(b.Choices, BoundsChoice{
				Rows: r, Groups: g, RowsLeftOut: leftShare(kept, b.TotalRows), GroupsLeftOut: leftShare(of.kept[j], b.TotalGroups),
				RowsWithin: made[ofRows].HalfWidth95(), PersonsWithin: made[ofPersons].HalfWidth95(),
				Error: math.Hypot(float64(b.TotalRows-kept)/float64(b.Cells), math.Sqrt(law.Variance())),
			})
		}
	}
	return nil
}

func leftShare(kept, all int64) float64 {
	if all == 0 {
		return 0
	}
	return 1 - float64(kept)/float64(all)
}

// nearlyBest is how much larger an error may be than the least for bounds that are proposed: smaller bounds on groups have less noise of persons.
const nearlyBest = 1.05

// propose takes the bound on rows with the least error of a count of rows, and with it the least bound on groups that is nearly as good.
func (b *Bounds) propose() {
	best := b.Choices[0]
	for _, c := range b.Choices {
		if c.Error < best.Error {
			best = c
		}
	}
	b.Proposed = slices.IndexFunc(b.Choices, func(c BoundsChoice) bool { return c.Rows == best.Rows && c.Error <= nearlyBest*best.Error })
}
