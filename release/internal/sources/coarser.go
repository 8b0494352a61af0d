package sources

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/release/internal/cells"
	"tacit/release/internal/combine"
	"tacit/rewrite/query"
)

// A count that follows from a finer release is made more exact by a coarser one: counts by region and sex by counts by region. This file finds such releases, and which cells of
// the question each of their cells adds up. What is made of them package combine decides. Start at Wanted.Coarser.

// maxCoarser bounds the coarser releases that one question is fitted to: the oldest are taken, so that later ones change nothing.
const maxCoarser = 8

// A Wanted is a question with declared cells that follows from finer releases.
type Wanted struct {
	Kind  Kind
	Asked *query.Shape
	Query *query.BoundQuery
	Count query.Count
	// Keys are its cells, column by column, and Cells how many there are.
	Keys  [][]query.Value
	Cells int
	// Since is when releases were made at the earliest, and Counted when their counts began. MaxAge is how old they may be; 0: any age.
	Since, Counted time.Time
	MaxAge         time.Duration
}

// An Estimated is what one release gives for a question.
type Estimated struct {
	combine.Estimate
	recording cells.Recording
	// following is set of a finer release.
	following *Following
}

// A Combined is what finer and coarser releases give together.
type Combined struct {
	*combine.Mean
	// First is the oldest finer release of it; the mean has no counts if that is the only release.
	First    Following
	Recorded []cells.Recording
	// LeftOut are the columns of which rows with undeclared values are not in all of it.
	LeftOut []string
}

// Combine makes one answer of finer releases, of which there is one at least, and of coarser ones, see [combine.Best].
func Combine(ctx context.Context, noise *mechanisms.Mechanism, finer []Following, coarser []Estimated, goal int64) (c Combined, err error) {
	all := slices.Clone(coarser)
	for i := range finer {
		f := &finer[i]
		all = append(all, Estimated{combine.Estimate{Counts: f.Cells.Counts, Added: f.Added}, f.Cells.Recording, f})
	}
	slices.SortFunc(all, func(a, b Estimated) int { return cmp.Compare(a.recording.Release, b.recording.Release) })
	estimates := make([]combine.Estimate, len(all))
	for i, e := range all {
		estimates[i] = e.Estimate
	}
	if c.Mean, err = combine.Best(ctx, noise, estimates, goal); err != nil {
		return c, err
	}
	for _, i := range slices.Backward(c.Sources) {
		c.Recorded = append(c.Recorded, all[i].recording)
		if f := all[i].following; f != nil {
			c.First, c.LeftOut = *f, append(c.LeftOut, f.Derivation.LeftOut()...)
		}
	}
	slices.Reverse(c.Recorded)
	slices.Sort(c.LeftOut)
	c.LeftOut = slices.Compact(c.LeftOut)
	return c, nil
}

// Coarser are the releases whose cells add up cells of a question that follows from finer ones, the oldest first. There are none where these are too many to be
// fitted, nor where a finer release may leave out rows that the coarser ones count: what is missing would be spread over cells that have nothing to do with it.
func (w *Wanted) Coarser(ctx context.Context, l *ledger.Ledger, x *Index, finer []Following) (found []Estimated, err error) {
	leavesOut := func(f Following) bool { return len(f.Derivation.LeftOut()) > 0 }
	if w.Cells > combine.MostFitted || len(w.Query.Keys) == 0 || slices.ContainsFunc(finer, leavesOut) {
		return nil, nil
	}
	for _, r := range x.coarser(w.Kind, w.Asked, w.Since) {
		places, ok := r.Kept.Shape.Coarsens(w.Query, w.Count)
		if !ok || r.Counted.Before(w.Counted) {
			continue
		}
		e, ok, err := w.estimated(ctx, l, r, places)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, e)
		}
		if len(found) == maxCoarser {
			break
		}
	}
	return found, nil
}

// coarser returns releases of a kind since some time whose cells are told apart by columns of the question's keys, the oldest first.
func (x *Index) coarser(kind Kind, asked *query.Shape, since time.Time) (found []*Recorded) {
	needed := cells.KeyInputs(asked)
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, of := range x.Kinds[kind] {
		if slices.ContainsFunc(of.columns, func(name string) bool { return !slices.Contains(needed, name) }) {
			continue
		}
		for _, r := range of.Beyond[cells.ConditionsBeyond(of.columns, asked)] {
			if !r.at.Before(since) {
				found = append(found, r)
			}
		}
	}
	slices.SortFunc(found, func(a, b *Recorded) int { return cmp.Compare(a.ID, b.ID) })
	return found[:min(len(found), maxCompared)]
}

// estimated are the cells of one release; ok is false unless each cell of the question is in one of them.
func (w *Wanted) estimated(ctx context.Context, l *ledger.Ledger, r *Recorded, places []int) (e Estimated, ok bool, err error) {
	recorded, ok, err := l.Lookup(ctx, r.Question, w.MaxAge)
	if err != nil || !ok || recorded.ID != r.ID {
		return e, false, err
	}
	coarse, err := cells.DecodeRelease(recorded, len(places), w.Count.Columns())
	if err != nil || coarse.Suppressed != nil || coarse.Cells() > combine.MostFitted {
		return e, false, err
	}
	index := cells.Index(coarse.Keys, coarse.Cells())
	groups := make([][]int, coarse.Cells())
	var b strings.Builder
	key := make([]query.Value, len(places))
	for i := range w.Cells {
		for k, place := range places {
			key[k] = w.Keys[place][i]
		}
		at, found := index[cells.CellKey(&b, key)]
		if !found {
			return e, false, nil
		}
		groups[at] = append(groups[at], i)
	}
	e.recording = cells.RecordingOf(recorded)
	for at, group := range groups {
		if len(group) > 0 {
			e.Of, e.Counts = append(e.Of, group), append(e.Counts, coarse.Counts[at])
		}
	}
	return e, true, nil
}
