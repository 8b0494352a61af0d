package workloads

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"tacit/mechanisms/residual"
	"tacit/policy"
	"tacit/release/internal/passing"
	"tacit/rewrite/query"
)

// This file finds which values the counts of questions add up, and of which columns ranges are worth measuring: those whose queries have the questions' squared errors
// fall, at the same loss. Start at setsOf and asked.chooseRanges.

// setsOf are, for each column, the sets of values that counts of a question add up, by their places in the declared order: each value of a key by itself, those that
// an expression has equal values of, as far as it is understood, and else all that the conditions let pass.
func setsOf(t *policy.Table, s *query.Shape, names []string, sizes map[string]int) [][][]int {
	sets := make([][][]int, len(names))
	for i, name := range names {
		places := passing.Places(t, name, s, sizes[name])
		sets[i] = [][]int{places}
		for _, k := range s.Keys {
			if !slices.Equal(k.Inputs, []string{name}) {
				continue
			}
			group := groupingOf(t, k)
			if group == nil {
				continue
			}
			sets[i] = nil
			last := int64(0)
			for _, place := range places {
				if of := group(place); sets[i] == nil || of != last {
					sets[i], last = append(sets[i], nil), of
				}
				end := len(sets[i]) - 1
				sets[i][end] = append(sets[i][end], place)
			}
			break
		}
	}
	return sets
}

var (
	// divided is a whole number by a constant, perhaps moved before, and perhaps moved or multiplied by others afterwards.
	divided = regexp.MustCompile(`^\(*(?:floor\()?\(*([^ ()]+)(?: ([-+]) ([0-9]{1,9})\))? / ([1-9][0-9]{0,8})\)*(?: [-+*] [1-9][0-9]{0,8}\)*)*$`)
	// cut is a date by a unit of the calendar.
	cut = regexp.MustCompile(`date_trunc\('(week|month|quarter|year)'`)
)

// groupingOf tells which values make equal ones of a key, of successive values that are declared as a range; nil of an expression that is not understood.
func groupingOf(t *policy.Table, k query.ShapeKey) func(place int) int64 {
	if k.Stored {
		return func(place int) int64 { return int64(place) }
	}
	at := slices.IndexFunc(t.Columns, func(c policy.Column) bool { return c.Name == k.Inputs[0] })
	if at < 0 || t.Columns[at].Domain.Range == nil {
		return nil
	}
	r := t.Columns[at].Domain.Range
	if m := divided.FindStringSubmatch(k.Text); m != nil && !r.Dates {
		by, _ := strconv.ParseInt(m[4], 10, 64)
		moved, _ := strconv.ParseInt("0"+m[3], 10, 64)
		if m[2] == "-" {
			moved = -moved
		}
		return ofValues(r, func(n int64) int64 { return (n + moved) / by })
	}
	if m := cut.FindStringSubmatch(k.Text); m != nil && r.Dates {
		return ofValues(r, func(day int64) int64 { return period(day, m[1]) })
	}
	return nil
}

// ofValues groups the values of a range. Behind them is the place of NULL, which is a group by itself.
func ofValues(r *policy.Range, group func(n int64) int64) func(place int) int64 {
	return func(place int) int64 {
		if n := r.First + int64(place); n <= r.Last {
			return group(n)
		}
		return math.MaxInt64
	}
}

// period numbers the weeks, months, quarters or years of days since 1970-01-01.
func period(day int64, unit string) int64 {
	const secondsOfDay = 24 * 60 * 60
	if unit == "week" { // 1970-01-01 was a Thursday
		return (day + 3 + 7<<40) / 7
	}
	date := time.Unix(day*secondsOfDay, 0).UTC()
	months := int64(date.Year())*12 + int64(date.Month()) - 1
	return months / map[string]int64{"month": 1, "quarter": 3, "year": 12}[unit]
}

const (
	// worthRanges is by what share the mean squared error has to fall for ranges of a column to be proposed.
	worthRanges = 0.02
	// mostRanges is how many columns of a marginal have ranges, as a policy has it.
	mostRanges = 2
)

// chooseRanges tries the columns of which successive values were added up, one after the other.
func (a *asked) chooseRanges(t *policy.Table) error {
	a.ranges = make([][]int, len(a.marginals))
	best, err := a.squares(t)
	if err != nil {
		return err
	}
	for c, name := range a.columns {
		at := slices.IndexFunc(t.Columns, func(d policy.Column) bool { return d.Name == name })
		if t.Columns[at].Domain.Range == nil { // it is not known which of its values follow one another
			continue
		}
		before := a.ranges
		a.ranges = a.with(c)
		squares := best
		if !slices.EqualFunc(before, a.ranges, slices.Equal) {
			if squares, err = a.squares(t); err != nil {
				return err
			}
		}
		if squares > best*(1-worthRanges) {
			a.ranges = before
			continue
		}
		best = squares
	}
	a.workload = nil
	_, err = a.strategy()
	return err
}

// with has ranges of a column besides, in those marginals of which counts added up several successive values of it.
func (a *asked) with(column int) [][]int {
	wanted := make(map[int]bool)
	for _, c := range a.counts {
		i := slices.Index(a.marginals[c.marginal].Columns, column)
		if i < 0 || a.sizes[column] > residual.MostRanged || len(a.ranges[c.marginal]) >= mostRanges {
			continue
		}
		for _, set := range c.sets[i] {
			if n := len(set); n > 1 && n < a.sizes[column] && set[n-1]-set[0] == n-1 {
				wanted[c.marginal] = true
			}
		}
	}
	ranges := slices.Clone(a.ranges)
	for k := range wanted {
		ranges[k] = append(slices.Clone(ranges[k]), column)
	}
	return ranges
}

// squares are those of the errors of all questions at the loss 1.
func (a *asked) squares(t *policy.Table) (float64, error) {
	a.workload = nil
	s, err := a.strategy()
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, c := range a.counts {
		variance, ok := s.MeanVariance(a.marginals[c.marginal].Columns, c.sets)
		if !ok {
			return 0, errors.New("workloads: internal error: a question of other columns than its marginal's")
		}
		sum += variance
	}
	return sum * s.Loss(t.Adjacency), nil
}

// strategy is that of the least total with the loss 1.
func (a *asked) strategy() (*residual.Strategy, error) {
	if a.workload == nil {
		w, err := residual.NewRangeWorkload(a.sizes, a.marginals, a.ranges)
		if err != nil {
			return nil, err
		}
		a.workload = w
	}
	return a.workload.LeastTotal(), nil
}
