package release

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
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
// that a sourceIndex finds, maxMapped are tried, those with the fewest cells.
const maxMapped = 8

// A derivedFrom says where a derived answer comes from.
type derivedFrom struct {
	release int64 // its number in the ledger
	// added is how many cells a count adds up at most.
	added int
	error mechanisms.SumError
	// leftOut are the columns of which rows with undeclared values are in no sum.
	leftOut []string
}

// A source is a recorded release that a question follows from.
type source struct {
	*recordedCells
	derivation *rewrite.Derivation
}

// derive answers what follows from recorded releases of the questions that are missing, unless the analyst or the policy wants fresh answers.
func (a *answer) derive(ctx context.Context) error {
	if a.ask.Fresh {
		return nil
	}
	d := &deriving{answer: a, recorded: make(map[policy.TableName]*sourceIndex), tried: make(map[[32]byte]*question)}
	for _, p := range a.plans {
		if p.answered() || !p.terms.Derive || len(p.tables) > 1 {
			continue
		}
		if err := d.look(ctx, p.terms.Name); err != nil {
			return failure(ctx, refuseLedger(), err)
		}
		if err := d.counts(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// A deriving is the work on one statement, of which equal questions have one answer.
type deriving struct {
	*answer
	recorded map[policy.TableName]*sourceIndex
	tried    map[[32]byte]*question
}

// look takes note of what is recorded of a table.
func (d *deriving) look(ctx context.Context, table policy.TableName) (err error) {
	if _, ok := d.recorded[table]; !ok {
		d.recorded[table], err = d.door.derivables.of(ctx, d.ledger, table)
	}
	return err
}

// counts answers questions of one query. Where a threshold decides which cells are shown, the first question is the one that selects them,
// and the others follow only from releases of the same cells.
func (d *deriving) counts(ctx context.Context, p *plan) error {
	for i, q := range p.questions {
		if ctx.Err() != nil { // a statement may have thousands of counts
			return failure(ctx, refuseCancelled(), ctx.Err())
		}
		if i > 0 && p.byThreshold && p.questions[0].derived != nil {
			if err := d.lookUpBeside(ctx, p, q); err != nil {
				return err
			}
		}
		if q.released != nil || p.byThreshold && i > 0 && p.questions[0].released == nil {
			continue
		}
		before, tried := d.tried[q.ledger.Key]
		var sources []source
		if !tried {
			d.tried[q.ledger.Key] = q
			sources = d.recorded[p.terms.Name].sources(p, q)
		}
		if len(sources) == 0 && (before == nil || before.derived == nil) {
			continue
		}
		if err := d.settle(ctx, p); err != nil {
			return err
		}
		switch {
		case q.released != nil: // there are no cells
		case !tried:
			if err := d.from(ctx, p, q, sources); err != nil {
				return err
			}
		case p.byThreshold || sameKeys(before.released.keys, p.keys):
			q.released, q.derived = before.released, before.derived
		}
	}
	return nil
}

// lookUpBeside answers a count of cells that were derived, if the ledger has it: it may have been asked of these very cells before.
func (d *deriving) lookUpBeside(ctx context.Context, p *plan, q *question) error {
	r, err := d.lookUp(ctx, p, q)
	if err != nil {
		return failure(ctx, refuseLedger(), err)
	}
	if r != nil && sameKeys(p.questions[0].released.keys, r.keys) {
		q.released, q.replayed, q.anew = r, true, false
	}
	return nil
}

// settle makes the cells that a new answer would have, before anything is derived for them.
func (d *deriving) settle(ctx context.Context, p *plan) error {
	if p.byThreshold {
		return nil
	}
	if err := p.settleNow(ctx, d.door); err != nil {
		return err
	}
	p.keepSettled()
	return nil
}

// sources are the releases that a question follows from, those with the fewest cells first, and of equally many the oldest.
func (x *sourceIndex) sources(p *plan, q *question) []source {
	kind, asked, ok := p.sought(q)
	if !ok {
		return nil
	}
	var since time.Time
	if p.terms.Replay > 0 {
		since = time.Now().Add(-p.terms.Replay)
	}
	var sources []source
	for _, r := range x.find(kind, asked, since) {
		derivation, ok := p.follows(q, r)
		if !ok {
			continue
		}
		if sources = append(sources, source{r, derivation}); len(sources) == maxMapped {
			break
		}
	}
	return sources
}

// sought is what releases have in common with a question that follows from them; ok is false if it follows from none.
func (p *plan) sought(q *question) (kind sourceKind, asked *rewrite.Shape, ok bool) {
	if _, ok := q.mechanism.SumError(1); !ok || p.margins != nil {
		return kind, nil, false
	}
	asked, ok = p.query.CountShape(q.count)
	if !ok {
		return kind, nil, false
	}
	return sourceKind{asked.Aggregate, p.mechanismOf(q), p.byThreshold, q.selects}, asked, true
}

// follows says how a question follows from a release of its kind, if it does.
func (p *plan) follows(q *question, r *recordedCells) (*rewrite.Derivation, bool) {
	derivation, ok := r.kept.shape.Derive(p.query, q.count)
	if !ok || p.byThreshold && !(derivation.OneToOne() && derivation.Selects()) {
		return nil, false
	}
	return derivation, true
}

// from answers a question from the best of its sources, if its cells follow from one.
func (d *deriving) from(ctx context.Context, p *plan, q *question, sources []source) error {
	for _, s := range sources {
		if q.derived != nil && q.derived.added == 1 && q.derived.release < s.id {
			continue // no other is better
		}
		released, added, err := d.cells(ctx, p, s)
		if err != nil {
			return err
		}
		if released == nil || q.derived != nil && (added > q.derived.added || added == q.derived.added && s.id > q.derived.release) {
			continue
		}
		if first := p.questions[0]; p.byThreshold && first != q && !sameKeys(first.released.keys, released.keys) {
			continue
		}
		bound, _ := q.mechanism.SumError(added)
		q.released, q.derived = released, &derivedFrom{release: s.id, added: added, error: bound, leftOut: s.derivation.LeftOut()}
	}
	return nil
}

// cells are the cells of a query, of which each count adds up that many cells of a source at most; nil if not all cells follow from it.
func (d *deriving) cells(ctx context.Context, p *plan, s source) (*released, int, error) {
	found, ok, err := d.ledger.Lookup(ctx, s.question, p.terms.Replay)
	if err != nil {
		return nil, 0, failure(ctx, refuseLedger(), err)
	}
	if !ok || found.ID != s.id { // it is too old by now
		return nil, 0, nil
	}
	finer, err := decodeRelease(found, len(s.kept.shape.Keys))
	if err != nil {
		return nil, 0, failure(ctx, refuseLedger(), err)
	}
	if finer.suppressed != nil {
		return nil, 0, nil
	}
	cells, err := d.mapCells(ctx, p, s.derivation, finer)
	if err != nil {
		return nil, 0, failure(ctx, refuseUnavailable(), err)
	}
	if p.byThreshold {
		return p.selectCells(cells, finer), 1, nil
	}
	sums, added := p.addUp(cells, finer)
	return sums, added, nil
}

// A mappedCell is a cell of a finer release that counts, with the keys of the cell that it is a part of.
type mappedCell struct {
	finer int
	keys  []rewrite.Value
}

// mapCells tells which cells of a finer release make which cells of a query. Where keys are computed, or cells left out, it asks the
// server, about what was released alone: no table is read.
func (d *deriving) mapCells(ctx context.Context, p *plan, by *rewrite.Derivation, finer *released) ([]mappedCell, error) {
	cells := make([]mappedCell, 0, len(finer.counts))
	if places, ok := by.Projection(); ok {
		for i := range finer.counts {
			keys := make([]rewrite.Value, len(places))
			for j, place := range places {
				keys[j] = finer.keys[place][i]
			}
			cells = append(cells, mappedCell{i, keys})
		}
		return cells, nil
	}
	s, err := d.door.curator.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer s.end()
	sql, args := by.SQL(finer.keys)
	err = s.query(ctx, sql, args, func(row [][]byte) error {
		ordinal, err := strconv.Atoi(string(row[0]))
		if err != nil || ordinal < 1 || ordinal > len(finer.counts) || len(row) != 1+len(p.query.Keys) {
			return fmt.Errorf("release: internal error: derived cell %q of %d, %d columns", row[0], len(finer.counts), len(row))
		}
		keys := make([]rewrite.Value, len(row)-1)
		for i, text := range row[1:] {
			keys[i] = rewrite.Value{Text: string(text), Null: text == nil}
		}
		cells = append(cells, mappedCell{ordinal - 1, keys})
		return nil
	})
	return cells, err
}

// addUp adds up the cells of a finer release to the declared cells of a query, and says how many make one at most. Unless each of
// these is made of some, and no others are, it returns nil.
func (p *plan) addUp(cells []mappedCell, finer *released) (*released, int) {
	index := make(map[string]int, p.cells)
	var b strings.Builder
	cell := make([]rewrite.Value, len(p.keys))
	for i := range p.cells {
		for k := range p.keys {
			cell[k] = p.keys[k][i]
		}
		index[cellKey(&b, cell)] = i
	}
	sums := &released{keys: p.keys, counts: make([]int64, p.cells)}
	added := make([]int, p.cells)
	for _, c := range cells {
		i, ok := index[cellKey(&b, c.keys)]
		if !ok {
			return nil, 0
		}
		if sums.counts[i], ok = add(sums.counts[i], finer.counts[c.finer]); !ok {
			return nil, 0
		}
		added[i]++
	}
	if len(added) == 0 || slices.Min(added) == 0 {
		return nil, 0
	}
	return sums, slices.Max(added)
}

// add says whether the sum is an int64.
func add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (a^sum)&(b^sum) >= 0 // or it has the sign that both lack
}

// selectCells keeps cells of a release whose cells were selected by a threshold: those that a filter lets pass, in the order that a new
// release would have.
func (p *plan) selectCells(cells []mappedCell, finer *released) *released {
	if len(cells) > p.limit {
		return nil
	}
	slices.SortFunc(cells, func(a, b mappedCell) int { return p.compareCells(a.keys, b.keys) })
	kept := &released{keys: make([][]rewrite.Value, len(p.query.Keys)), counts: make([]int64, len(cells))}
	for i, c := range cells {
		kept.counts[i] = finer.counts[c.finer]
		for k, v := range c.keys {
			kept.keys[k] = append(kept.keys[k], v)
		}
	}
	return kept
}
