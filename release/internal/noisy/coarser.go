package noisy

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"tacit/release/internal/cells"
	"tacit/release/internal/combine"
	"tacit/release/internal/reply"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// A count that follows from a finer release is made more exact by a coarser one: counts by region and sex by a later count by region. This file finds such releases, and which cells of the
// question each of their cells adds up. What is made of them package combine decides. Start at deriving.coarser.

// maxCoarser bounds the coarser releases that one question is fitted to: the oldest are taken, so that later ones change nothing.
const maxCoarser = 8

// An estimated is what one release gives for a question.
type estimated struct {
	combine.Estimate
	recording cells.Recording
	// following is set of a finer release.
	following *sources.Following
}

// coarser are the releases whose cells add up cells of the question, since some time, the oldest first. There are none where cells are too many to be fitted, or are
// selected by a threshold.
func (d *deriving) coarser(ctx context.Context, p *QueryPlan, q *Question, since time.Time) (found []estimated, err error) {
	if p.ByThreshold || p.Cells > combine.MostFitted || len(p.Query.Keys) == 0 {
		return nil, nil
	}
	kind, asked, ok := p.Sought(q)
	if !ok {
		return nil, nil
	}
	for _, r := range d.recorded[p.Terms.Name].Coarser(kind, asked, p.since) {
		places, ok := r.Kept.Shape.Coarsens(p.Query, q.Count)
		if !ok || r.Counted.Before(since) {
			continue
		}
		e, ok, err := d.coarserCells(ctx, p, q, r, places)
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

// coarserCells are those of one release; ok is false unless each cell of the question is in one of them.
func (d *deriving) coarserCells(ctx context.Context, p *QueryPlan, q *Question, r *sources.Recorded, places []int) (e estimated, ok bool, err error) {
	recorded, ok, err := d.ledger.Lookup(ctx, r.Question, p.maxAge)
	if err != nil {
		return e, false, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	if !ok || recorded.ID != r.ID {
		return e, false, nil
	}
	coarse, err := cells.DecodeRelease(recorded, len(places), q.Count.Columns())
	if err != nil {
		return e, false, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	if coarse.Suppressed != nil || coarse.Cells() > combine.MostFitted {
		return e, false, nil
	}
	index := cells.Index(coarse.Keys, coarse.Cells())
	groups := make([][]int, coarse.Cells())
	var b strings.Builder
	key := make([]query.Value, len(places))
	for i := range p.Cells {
		for k, place := range places {
			key[k] = p.Keys[place][i]
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

// estimates are all, in the order in which they were recorded.
func estimates(found []sources.Following, coarser []estimated) []estimated {
	all := slices.Clone(coarser)
	for i := range found {
		f := &found[i]
		all = append(all, estimated{combine.Estimate{Counts: f.Cells.Counts, Added: f.Added}, f.Cells.Recording, f})
	}
	slices.SortFunc(all, func(a, b estimated) int { return cmp.Compare(a.recording.Release, b.recording.Release) })
	return all
}
