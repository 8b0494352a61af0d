package release

import (
	"context"
	"errors"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
)

// An assessing is the assessment of one query.
type assessing struct {
	door     *Door
	snapshot *snapshot
	regime   *regime
	query    *rewrite.BoundQuery
	request  AssessRequest
	// withDelta says that the request has a delta.
	withDelta bool
	// refusal is what analysts are told who ask the query today; "" if they are answered.
	refusal string
}

// trueCells are the true counts of one question.
type trueCells struct {
	mechanisms.Histogram
	sensitivity sensitivity
	// byThreshold says that a threshold decides which keys are shown, by persons, how many each key has, whose sensitivity is bySelection.
	byThreshold bool
	persons     []int64
	bySelection sensitivity
	// selects says that the counts are persons, so that the threshold shows them itself.
	selects bool
	// distinct are the counts that there are, and place says where a cell's count is among them.
	distinct []int64
	place    []int
	attack   *attack
}

// questions counts what the query asks, and compares the mechanisms on each count.
func (w *assessing) questions(ctx context.Context) ([]AssessedQuestion, error) {
	target, err := w.target(ctx)
	if err != nil {
		return nil, err
	}
	if w.refusal, err = w.door.refusalOf(ctx, w.query, w.regime); err != nil {
		return nil, err
	}
	t := *w.query.Table.Policy
	p, err := w.plan(ctx, &t)
	if err != nil {
		return nil, err
	}
	all, err := w.count(ctx, p, target)
	if err != nil {
		return nil, err
	}
	unfitted := w.unfitted(p)
	t.Mechanism.Kind = policy.DPSwapping // so that blocks are made
	blocks := blocksOf(&t, p.query, all.keys, len(all.counts[0]))
	var questions []AssessedQuestion
	for i, q := range p.questions {
		if !p.shows(i) {
			continue
		}
		cells := newTrueCells(all.counts[i], blocks, sensitivityOf(p.query, q.count))
		if all.byThreshold {
			cells.byThreshold, cells.selects = true, i == 0
			cells.persons, cells.bySelection = all.counts[0], sensitivityOf(p.query, p.questions[0].count)
		}
		cells.attack = target.on(all, cells)
		question := describeCounts(all.counts[i])
		question.Question, question.Declared, question.Unfitted = q.ledger.Text, !p.byThreshold, unfitted
		question.Threshold, question.Refusal, question.Undeclared = all.byThreshold, w.refusal, all.undeclared[i]
		question.Counted = countedBy(cells.sensitivity)
		question.Attack, question.Mechanisms = cells.attack.AssessedAttack, w.compare(cells)
		if w.request.Curves {
			question.Curves = w.curves(cells)
		}
		questions = append(questions, question)
	}
	return questions, nil
}

// plan decides which cells there are. The steward asks of cells that no analyst might be shown: its terms, which t is given, refuse no key.
func (w *assessing) plan(ctx context.Context, t *policy.Table) (*plan, error) {
	t.Mechanism = policy.Mechanism{Kind: policy.Geometric, Epsilon: 1e9, Delta: 1e12, Quasi: w.request.Quasi}
	made, err := newMechanisms(t, w.door.random)
	if err != nil {
		return nil, err
	}
	w.regime.mechanisms = map[policy.TableName]map[sensitivity]*mechanisms.Mechanism{t.Name: made}
	p, err := w.door.newPlan(ctx, w.query, w.regime)
	var refusal *rewrite.Refusal
	if errors.As(err, &refusal) {
		return nil, stewardError(refusal)
	}
	if err != nil {
		return nil, err
	}
	return p, p.settleCells(ctx, w.snapshot)
}

// shows says whether a question is one of the statement's counts. The one that selects keys need not be.
func (p *plan) shows(question int) bool {
	for _, i := range p.shown {
		if i == question {
			return true
		}
	}
	return false
}

func newTrueCells(counts []int64, blocks [][]int, s sensitivity) *trueCells {
	c := &trueCells{Histogram: mechanisms.Histogram{Counts: counts, Blocks: blocks}, sensitivity: s, place: make([]int, len(counts))}
	index := make(map[int64]int)
	for i, n := range counts {
		place, known := index[n]
		if !known {
			place = len(c.distinct)
			index[n], c.distinct = place, append(c.distinct, n)
		}
		c.place[i] = place
	}
	return c
}

// unfitted reports whether an answer would have cells fitted to totals, which are compared as if they were not.
func (w *assessing) unfitted(p *plan) bool {
	if !p.terms.Mechanism.FitTotals || p.byThreshold || len(p.query.GroupingSets) == 0 {
		return false
	}
	margins, _ := p.fitted(w.regime, w.door.random)
	return margins != nil
}

// describeCounts says what the true counts of a question are like.
func describeCounts(counts []int64) AssessedQuestion {
	q := AssessedQuestion{Cells: len(counts)}
	for _, n := range counts {
		q.Total += n
		q.Largest = max(q.Largest, n)
		if n == 0 {
			q.Zeros++
		}
	}
	return q
}
