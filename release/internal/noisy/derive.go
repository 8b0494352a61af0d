package noisy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tacit/accountant"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/combine"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/reply"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// A question that was not recorded itself may follow from releases that were: by adding up cells of a finer one, or by leaving some out.
// Such a derived answer is computed of what was released. So it costs nothing, and tells nothing of protected rows that the releases did
// not; which one it is computed of depends on the ledger, the policy and the statement alone.
//
// It has the very cells that a new release would have. Each of its counts is the sum of one cell or more, as they were shown, and so is
// within what mechanisms.SumError says of as many cells as were added up, of the rows that lie in a declared cell of the finer release. If there
// can be others that a new release would count, the notice and EXPLAIN name the columns whose values they are told apart by.
//
// Of a plain count, all releases are combined from which it follows, as package combine says: in the order of the ledger, so that an answer changes only for
// one that is better. Of sums, of cells that a threshold selected, and of what other answers are computed of, that release is taken of which the
// fewest cells are added up, and of several the oldest. Few of them are tried, see sources.Mapper.

// A derivedFrom says where a derived answer comes from.
type derivedFrom struct {
	recorded []cells.Recording
	// added is how many noisy cells a count is made of at most. cells is how many each adds up; nil of means.
	added int
	cells []int
	error mechanisms.SumError
	// mean is that of several releases, perhaps fitted to coarser ones; nil of one.
	mean *combine.Mean
	// found is the mechanism of counts by value of which sums were computed, nil of others.
	found *mechanisms.Mechanism
	// rowsOf is the question about sums whose number of rows a count is; nil of others.
	rowsOf *Question
	// sibling is the question of the same statement from which it will follow; nil of what follows already.
	sibling *sibling
	// measured are the errors of counts that follow from a workload; nil of others.
	measured *marginals.Errors
	// jointly says that these were measured jointly for a statement.
	jointly bool
	// leftOut are the columns of which rows with undeclared values are in no sum.
	leftOut []string
}

// derive answers what follows from recorded releases of the questions that are missing, unless the analyst or the policy wants fresh answers.
func (a *Statement) derive(ctx context.Context) error {
	if a.Request.Fresh {
		return nil
	}
	d := &deriving{Statement: a, recorded: make(map[policy.TableName]*sources.Index), tried: make(map[[32]byte]*Question)}
	for _, p := range a.Plans {
		if p.answered() || !p.Terms.Derive || len(p.tables) > 1 {
			continue
		}
		if err := d.look(ctx, p.Terms.Name); err != nil {
			return reply.Failure(ctx, reply.RefuseLedger.With(), err)
		}
		if err := d.counts(ctx, p); err != nil {
			return err
		}
		if err := d.fromJoint(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// A deriving is the work on one statement, of which equal questions have one answer.
type deriving struct {
	*Statement
	recorded map[policy.TableName]*sources.Index
	tried    map[[32]byte]*Question
}

// look takes note of what is recorded of a table.
func (d *deriving) look(ctx context.Context, table policy.TableName) (err error) {
	if _, ok := d.recorded[table]; !ok {
		d.recorded[table], err = d.answerer.Derivables.Of(ctx, d.ledger, table)
	}
	return err
}

// counts answers questions of one query. Where a threshold decides which cells are shown, the first question is the one that selects them,
// and the others follow only from releases of the same cells.
func (d *deriving) counts(ctx context.Context, p *QueryPlan) error {
	for i, q := range p.Questions {
		if ctx.Err() != nil { // a statement may have thousands of counts
			return reply.Failure(ctx, reply.RefuseCancelled.With(), ctx.Err())
		}
		if i > 0 && p.ByThreshold && p.Questions[0].derived != nil {
			if err := d.lookUpBeside(ctx, p, q); err != nil {
				return err
			}
		}
		if q.Released != nil || p.ByThreshold && i > 0 && p.Questions[0].Released == nil {
			continue
		}
		before, tried := d.tried[q.Ledger.Key]
		var origins []sources.Origin
		if !tried {
			d.tried[q.Ledger.Key] = q
			origins = p.Sources(d.recorded[p.Terms.Name], q)
		}
		if len(origins) == 0 && (before == nil || before.derived == nil) {
			continue
		}
		if err := d.fixCells(ctx, p); err != nil {
			return err
		}
		switch {
		case q.Released != nil: // there are no cells
		case !tried:
			if err := d.from(ctx, p, q, origins); err != nil {
				return err
			}
		case p.ByThreshold || cells.SameKeys(before.Released.Keys, p.Keys):
			q.Released, q.derived = before.Released, before.derived
		}
	}
	return nil
}

// lookUpBeside answers a count of cells that were derived, if the ledger has it: it may have been asked of these very cells before.
func (d *deriving) lookUpBeside(ctx context.Context, p *QueryPlan, q *Question) error {
	r, err := d.lookUp(ctx, p, q)
	if err != nil {
		return reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	if r != nil && cells.SameKeys(p.Questions[0].Released.Keys, r.Keys) {
		q.Released, q.replayed, q.anew = r, true, false
	}
	return nil
}

// fixCells makes the cells that a new answer would have, before anything is derived for them.
func (d *deriving) fixCells(ctx context.Context, p *QueryPlan) error {
	if p.ByThreshold {
		return nil
	}
	if err := p.fixCellsNow(ctx, d.answerer.monitor.Curator); err != nil {
		return err
	}
	p.keepFixed()
	return nil
}

// Sought is what releases have in common with a question that follows from them; ok is false if it follows from none.
func (p *QueryPlan) Sought(q *Question) (kind sources.Kind, asked *query.Shape, ok bool) {
	if _, ok := q.Mechanism.SumError(1); !ok || p.Margins != nil {
		return kind, nil, false
	}
	asked, ok = p.Query.CountShape(q.Count)
	if !ok {
		return kind, nil, false
	}
	return sources.Kind{Aggregate: asked.Aggregate, Mechanism: p.mechanismOf(q), Threshold: p.ByThreshold, Selects: q.selects}, asked, true
}

// Follows says how a question follows from a release of its kind, if it does.
func (p *QueryPlan) Follows(q *Question, r *sources.Recorded) (*query.Derivation, bool) {
	derivation, ok := r.Kept.Shape.Derive(p.Query, q.Count)
	if !ok || p.ByThreshold && !(derivation.OneToOne() && derivation.Selects()) {
		return nil, false
	}
	return derivation, true
}

// from answers a question by its sources, if its cells follow from one.
func (d *deriving) from(ctx context.Context, p *QueryPlan, q *Question, origins []sources.Origin) error {
	since, one := d.cellsCount(p, q), d.ofOne || p.ByThreshold || !q.counts()
	origins = slices.DeleteFunc(origins, func(o sources.Origin) bool { return o.Counted.Before(since) })
	mapped := sources.Mapper(func(o sources.Origin) (sources.Following, bool, error) {
		released, added, err := d.cells(ctx, p, q, o)
		first := p.Questions[0]
		ok := released != nil && (!p.ByThreshold || first == q || cells.SameKeys(first.Released.Keys, released.Keys))
		return sources.Following{Origin: o, Cells: released, Added: added}, ok, err
	})
	find := mapped.Chosen
	if one {
		find = mapped.First
	}
	found, err := find(origins)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, func(a, b sources.Following) int { return cmp.Compare(a.ID, b.ID) })
	if one {
		q.takeDerived(slices.MinFunc(found, func(a, b sources.Following) int {
			return cmp.Compare(sources.MostAdded(a.Added), sources.MostAdded(b.Added))
		}))
	} else {
		kind, asked, _ := p.Sought(q)
		wanted := sources.Wanted{Kind: kind, Asked: asked, Query: p.Query, Count: q.Count, Keys: p.Keys, Cells: p.Cells, Since: p.since, Counted: since, MaxAge: p.maxAge}
		coarser, err := wanted.Coarser(ctx, d.ledger, d.recorded[p.Terms.Name], found)
		if err != nil {
			return reply.Failure(ctx, reply.RefuseLedger.With(), err)
		}
		combined, err := sources.Combine(ctx, q.Mechanism, found, coarser, p.within)
		if err != nil {
			return reply.Failure(ctx, reply.RefuseCancelled.With(), err)
		}
		q.takeMean(combined)
	}
	if p.within > 0 && q.halfWidth95() > p.within {
		q.Released, q.derived = nil, nil
	}
	return nil
}

// takeDerived answers a question by what follows from one release.
func (q *Question) takeDerived(f sources.Following) {
	q.Released, q.derived = f.Cells, &derivedFrom{recorded: []cells.Recording{f.Cells.Recording}, added: sources.MostAdded(f.Added), cells: f.Added, leftOut: f.Derivation.LeftOut()}
	q.derived.error, _ = q.Mechanism.SumError(q.derived.added)
}

// takeMean answers a question by what releases give together.
func (q *Question) takeMean(c sources.Combined) {
	q.takeDerived(c.First)
	if len(c.Sources) > 1 {
		q.Released = &cells.Released{Keys: q.Released.Keys, Counts: c.Counts}
		q.derived = &derivedFrom{mean: c.Mean, added: c.Noisy(), error: c.SumError(), recorded: c.Recorded, leftOut: c.LeftOut}
	}
}

// cells are the cells of a query, and how many cells of a source the count of each adds up; nil if not all cells follow from it.
func (d *deriving) cells(ctx context.Context, p *QueryPlan, q *Question, s sources.Origin) (*cells.Released, []int, error) {
	found, ok, err := d.ledger.Lookup(ctx, s.Question, p.maxAge)
	if err != nil {
		return nil, nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	if !ok || found.ID != s.ID { // it is too old by now
		return nil, nil, nil
	}
	return d.cellsOf(ctx, p, q, s, found)
}

// cellsOf does so of what the ledger has of the source.
func (d *deriving) cellsOf(ctx context.Context, p *QueryPlan, q *Question, s sources.Origin, found *accountant.Release) (*cells.Released, []int, error) {
	finer, err := cells.DecodeRelease(found, len(s.Kept.Shape.Keys), q.Count.Columns())
	if err != nil {
		return nil, nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	finer.Recording = cells.RecordingOf(found)
	if finer.Suppressed != nil {
		return nil, nil, nil
	}
	parts, err := d.mapCells(ctx, p, s.Derivation, finer)
	if err != nil {
		return nil, nil, live.Unevaluated(ctx, err)
	}
	made, added := p.madeOf(parts, finer)
	if made != nil {
		made.Recording = finer.Recording
	}
	return made, added, nil
}

// madeOf makes the cells of a query of those of a finer release, and says how many make each.
func (p *QueryPlan) madeOf(parts []cells.Part, finer *cells.Released) (*cells.Released, []int) {
	if p.ByThreshold {
		return p.selectCells(parts, finer), slices.Repeat([]int{1}, len(parts))
	}
	return cells.AddUp(finer, p.Keys, cells.Group(parts, p.Keys, p.Cells))
}

// mapCells tells which cells of a finer release make which cells of a query. Where keys are computed, or cells left out, it asks the
// server, about what was released alone: no table is read.
func (d *deriving) mapCells(ctx context.Context, p *QueryPlan, by *query.Derivation, finer *cells.Released) ([]cells.Part, error) {
	parts := make([]cells.Part, 0, finer.Cells())
	if places, ok := by.Projection(); ok {
		for i := range finer.Cells() {
			keys := make([]query.Value, len(places))
			for j, place := range places {
				keys[j] = finer.Keys[place][i]
			}
			parts = append(parts, cells.Part{Finer: i, Keys: keys})
		}
		return parts, nil
	}
	sql, args := by.SQL(finer.Keys)
	rows, err := live.Constant(ctx, d.State, live.Beginning(d.answerer.monitor.Curator), sql, args)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		ordinal, err := live.OrdinalOf(row[0], finer.Cells())
		if err != nil || len(row) != 1+len(p.Query.Keys) {
			return nil, errors.Join(err, fmt.Errorf("release: internal error: a derived cell of %d columns", len(row)))
		}
		parts = append(parts, cells.Part{Finer: ordinal, Keys: row[1:]})
	}
	return parts, nil
}

// selectCells keeps cells of a release whose cells were selected by a threshold: those that a filter lets pass, in the order that a new
// release would have.
func (p *QueryPlan) selectCells(parts []cells.Part, finer *cells.Released) *cells.Released {
	if len(parts) > p.Limit {
		return nil
	}
	slices.SortFunc(parts, func(a, b cells.Part) int { return p.compareCells(a.Keys, b.Keys) })
	kept := &cells.Released{
		Keys: make([][]query.Value, len(p.Query.Keys)), Counts: make([]int64, len(parts)*max(1, finer.Columns)), Columns: finer.Columns,
	}
	for i, c := range parts {
		kept.AddCell(i, finer, c.Finer)
		for k, v := range c.Keys {
			kept.Keys[k] = append(kept.Keys[k], v)
		}
	}
	return kept
}

// Sources are releases that a question follows from: those first of which the fewest cells would be added up, and of equally many the oldest. Where there
// are very many, the index leaves out those with the most cells.
func (p *QueryPlan) Sources(x *sources.Index, q *Question) []sources.Origin {
	kind, asked, ok := p.Sought(q)
	if !ok {
		return nil
	}
	passing := sources.Passing(p.Terms, asked)
	var origins []sources.Origin
	for _, r := range x.Find(kind, asked, p.since, passing) {
		if derivation, ok := p.Follows(q, r); ok {
			origins = append(origins, sources.Origin{Recorded: r, Derivation: derivation, Passing: passing(r)})
		}
	}
	return origins
}
