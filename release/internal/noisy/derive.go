package noisy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/reply"
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
// Of all releases that an answer follows from, that one is taken of which the fewest cells are added up, and of several the oldest: so an
// answer that was derived before is derived from the same release again, unless there is now one of which fewer cells are added up. Of those
// that a SourceIndex finds, MaxMapped are tried, those with the fewest cells.
const MaxMapped = 8

// A derivedFrom says where a derived answer comes from.
type derivedFrom struct {
	recorded cells.Recording
	// added is how many cells a count adds up at most, and cells how many each does.
	added int
	cells []int
	error mechanisms.SumError
	// found is the mechanism of counts by value of which sums were computed, nil of others.
	found *mechanisms.Mechanism
	// rowsOf is the question about sums whose number of rows a count is; nil of others.
	rowsOf *Question
	// measured are the errors of counts that follow from a workload; nil of others.
	measured *marginals.Errors
	// leftOut are the columns of which rows with undeclared values are in no sum.
	leftOut []string
}

// A Source is a recorded release that a question follows from.
type Origin struct {
	*RecordedCells
	Derivation *query.Derivation
}

// derive answers what follows from recorded releases of the questions that are missing, unless the analyst or the policy wants fresh answers.
func (a *Statement) derive(ctx context.Context) error {
	if a.Request.Fresh {
		return nil
	}
	d := &deriving{Statement: a, recorded: make(map[policy.TableName]*SourceIndex), tried: make(map[[32]byte]*Question)}
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
	}
	return nil
}

// A deriving is the work on one statement, of which equal questions have one answer.
type deriving struct {
	*Statement
	recorded map[policy.TableName]*SourceIndex
	tried    map[[32]byte]*Question
}

// look takes note of what is recorded of a table.
func (d *deriving) look(ctx context.Context, table policy.TableName) (err error) {
	if _, ok := d.recorded[table]; !ok {
		d.recorded[table], err = d.answerer.Derivables.of(ctx, d.ledger, table)
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
		var sources []Origin
		if !tried {
			d.tried[q.Ledger.Key] = q
			sources = d.recorded[p.Terms.Name].Sources(p, q)
		}
		if len(sources) == 0 && (before == nil || before.derived == nil) {
			continue
		}
		if err := d.fixCells(ctx, p); err != nil {
			return err
		}
		switch {
		case q.Released != nil: // there are no cells
		case !tried:
			if err := d.from(ctx, p, q, sources); err != nil {
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

// Sources are the releases that a question follows from, those with the fewest cells first, and of equally many the oldest.
func (x *SourceIndex) Sources(p *QueryPlan, q *Question) []Origin {
	kind, asked, ok := p.Sought(q)
	if !ok {
		return nil
	}
	var sources []Origin
	for _, r := range x.find(kind, asked, p.since) {
		derivation, ok := p.Follows(q, r)
		if !ok {
			continue
		}
		if sources = append(sources, Origin{r, derivation}); len(sources) == MaxMapped {
			break
		}
	}
	return sources
}

// Sought is what releases have in common with a question that follows from them; ok is false if it follows from none.
func (p *QueryPlan) Sought(q *Question) (kind sourceKind, asked *query.Shape, ok bool) {
	if _, ok := q.Mechanism.SumError(1); !ok || p.Margins != nil {
		return kind, nil, false
	}
	asked, ok = p.Query.CountShape(q.Count)
	if !ok {
		return kind, nil, false
	}
	return sourceKind{asked.Aggregate, p.mechanismOf(q), p.ByThreshold, q.selects}, asked, true
}

// Follows says how a question follows from a release of its kind, if it does.
func (p *QueryPlan) Follows(q *Question, r *RecordedCells) (*query.Derivation, bool) {
	derivation, ok := r.Kept.Shape.Derive(p.Query, q.Count)
	if !ok || p.ByThreshold && !(derivation.OneToOne() && derivation.Selects()) {
		return nil, false
	}
	return derivation, true
}

// from answers a question from the best of its sources, if its cells follow from one.
func (d *deriving) from(ctx context.Context, p *QueryPlan, q *Question, sources []Origin) error {
	since := d.cellsCount(p, q)
	for _, s := range sources {
		if s.counted.Before(since) {
			continue
		}
		if q.derived != nil && q.derived.added == 1 && q.derived.recorded.Release < s.ID {
			continue // no other is better
		}
		released, cellsAdded, err := d.cells(ctx, p, q, s)
		if err != nil {
			return err
		}
		added := most(cellsAdded)
		if released == nil || q.derived != nil && (added > q.derived.added || added == q.derived.added && s.ID > q.derived.recorded.Release) {
			continue
		}
		if first := p.Questions[0]; p.ByThreshold && first != q && !cells.SameKeys(first.Released.Keys, released.Keys) {
			continue
		}
		bound, _ := q.Mechanism.SumError(added)
		if p.within > 0 && bound.HalfWidth95 > p.within {
			continue
		}
		q.Released, q.derived = released, &derivedFrom{recorded: released.Recording, added: added, cells: cellsAdded, error: bound, leftOut: s.Derivation.LeftOut()}
	}
	return nil
}

// most is how many cells a count adds up at most; where there are no cells it is one.
func most(added []int) int { return slices.Max(append([]int{1}, added...)) }

// cells are the cells of a query, and how many cells of a source the count of each adds up; nil if not all cells follow from it.
func (d *deriving) cells(ctx context.Context, p *QueryPlan, q *Question, s Origin) (*cells.Released, []int, error) {
	found, ok, err := d.ledger.Lookup(ctx, s.question, p.maxAge)
	if err != nil {
		return nil, nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	if !ok || found.ID != s.ID { // it is too old by now
		return nil, nil, nil
	}
	finer, err := cells.DecodeRelease(found, len(s.Kept.Shape.Keys), q.Count.Columns())
	if err != nil {
		return nil, nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	finer.Recording = cells.RecordingOf(found)
	if finer.Suppressed != nil {
		return nil, nil, nil
	}
	cells, err := d.mapCells(ctx, p, s.Derivation, finer)
	if err != nil {
		return nil, nil, live.Unevaluated(ctx, err)
	}
	made, added := p.madeOf(cells, finer)
	if made != nil {
		made.Recording = finer.Recording
	}
	return made, added, nil
}

// madeOf makes the cells of a query of those of a finer release, and says how many make each.
func (p *QueryPlan) madeOf(parts []mappedCell, finer *cells.Released) (*cells.Released, []int) {
	if p.ByThreshold {
		return p.selectCells(parts, finer), slices.Repeat([]int{1}, len(parts))
	}
	return p.addUp(parts, finer)
}

// A mappedCell is a cell of a finer release that counts, with the keys of the cell that it is a part of.
type mappedCell struct {
	finer int
	keys  []query.Value
}

// mapCells tells which cells of a finer release make which cells of a query. Where keys are computed, or cells left out, it asks the
// server, about what was released alone: no table is read.
func (d *deriving) mapCells(ctx context.Context, p *QueryPlan, by *query.Derivation, finer *cells.Released) ([]mappedCell, error) {
	cells := make([]mappedCell, 0, finer.Cells())
	if places, ok := by.Projection(); ok {
		for i := range finer.Cells() {
			keys := make([]query.Value, len(places))
			for j, place := range places {
				keys[j] = finer.Keys[place][i]
			}
			cells = append(cells, mappedCell{i, keys})
		}
		return cells, nil
	}
	sql, args := by.SQL(finer.Keys)
	rows, err := constant(ctx, d.State, beginning(d.answerer.monitor.Curator), sql, args)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		ordinal, err := ordinalOf(row[0], finer.Cells())
		if err != nil || len(row) != 1+len(p.Query.Keys) {
			return nil, errors.Join(err, fmt.Errorf("release: internal error: a derived cell of %d columns", len(row)))
		}
		cells = append(cells, mappedCell{ordinal, row[1:]})
	}
	return cells, nil
}

// addUp adds up the cells of a finer release to the declared cells of a query, and says how many make each. Unless each of
// these is made of some, and no others are, it returns nil.
func (p *QueryPlan) addUp(parts []mappedCell, finer *cells.Released) (*cells.Released, []int) {
	index := cells.Index(p.Keys, p.Cells)
	var b strings.Builder
	sums := &cells.Released{Keys: p.Keys, Counts: make([]int64, p.Cells*max(1, finer.Columns)), Columns: finer.Columns}
	added := make([]int, p.Cells)
	for _, c := range parts {
		i, ok := index[cells.CellKey(&b, c.keys)]
		if !ok {
			return nil, nil
		}
		if !sums.AddCell(i, finer, c.finer) {
			return nil, nil
		}
		added[i]++
	}
	if len(added) == 0 || slices.Min(added) == 0 {
		return nil, nil
	}
	return sums, added
}

// selectCells keeps cells of a release whose cells were selected by a threshold: those that a filter lets pass, in the order that a new
// release would have.
func (p *QueryPlan) selectCells(parts []mappedCell, finer *cells.Released) *cells.Released {
	if len(parts) > p.Limit {
		return nil
	}
	slices.SortFunc(parts, func(a, b mappedCell) int { return p.compareCells(a.keys, b.keys) })
	kept := &cells.Released{
		Keys: make([][]query.Value, len(p.Query.Keys)), Counts: make([]int64, len(parts)*max(1, finer.Columns)), Columns: finer.Columns,
	}
	for i, c := range parts {
		kept.AddCell(i, finer, c.finer)
		for k, v := range c.keys {
			kept.Keys[k] = append(kept.Keys[k], v)
		}
	}
	return kept
}
