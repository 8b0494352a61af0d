package assess

import (
	"context"
	"errors"
	"slices"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/noisy"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// An assessing is the assessment of one query.
type assessing struct {
	inspecting
	query   *query.BoundQuery
	request Request
	// withDelta says that the request has a delta.
	withDelta bool
	// refusal is what analysts are told who ask the query today; "" if they are answered.
	refusal string
}

// trueCells are the true counts of one question.
type trueCells struct {
	mechanisms.Histogram
	sensitivity live.Sensitivity
	// ByThreshold says that a threshold decides which keys are shown, by persons, how many each key has, whose sensitivity is bySelection.
	byThreshold bool
	persons     []int64
	bySelection live.Sensitivity
	// selects says that the counts are persons, so that the threshold shows them itself.
	selects bool
	// leftOut is what the bounds of a person keep out of each cell; nil if each row is a person.
	leftOut []int64
	// distinct are the counts that there are, and place says where a cell's count is among them.
	distinct []int64
	place    []int
	attack   *attack
}

// questions counts what the query asks, and compares the mechanisms on each count.
func (w *assessing) questions(ctx context.Context) ([]Question, error) {
	target, err := w.target(ctx)
	if err != nil {
		return nil, err
	}
	if w.refusal, err = w.refusalOf(ctx, w.query); err != nil {
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
	blocks := live.BlocksOf(&t, p.Query, all.keys, len(all.counts[0]))
	var questions []Question
	for i, q := range p.Questions {
		if !slices.Contains(p.Shown, i) { // one that selects keys need not be the statement's
			continue
		}
		cells := newTrueCells(all.counts[i], blocks, live.SensitivityOf(p.Query, q.Count))
		if all.byThreshold {
			cells.byThreshold, cells.selects = true, i == 0
			cells.persons, cells.bySelection = all.counts[0], live.SensitivityOf(p.Query, p.Questions[0].Count)
		}
		cells.attack = target.on(all, cells)
		question := describeCounts(all.counts[i])
		if all.leftOut != nil {
			cells.leftOut, question.LeftOut = all.leftOut[i], &all.allLeftOut[i]
		}
		question.Question, question.Declared, question.Unfitted = q.Ledger.Text, !p.ByThreshold, unfitted
		question.Threshold, question.Refusal, question.Undeclared = all.byThreshold, w.refusal, all.undeclared[i]
		question.Counted = countedBy(cells.sensitivity)
		question.Attack = cells.attack.Attack
		if question.Mechanisms, err = w.compare(ctx, cells); err != nil {
			return nil, err
		}
		if w.request.Curves {
			if question.Curves, err = w.curves(ctx, cells); err != nil {
				return nil, err
			}
		}
		questions = append(questions, question)
	}
	return questions, nil
}

// plan decides which cells there are. The steward asks of cells that no analyst might be shown: its terms, which t is given, refuse no key.
func (w *assessing) plan(ctx context.Context, t *policy.Table) (*noisy.QueryPlan, error) {
	t.Mechanism = policy.Mechanism{Kind: policy.Geometric, Epsilon: 1e9, Delta: 1e12, Quasi: w.request.Quasi}
	state, err := w.state.WithTerms(t)
	if err != nil {
		return nil, err
	}
	p, err := noisy.NewQueryPlan(ctx, w.curator, w.query, state)
	var refusal *pgerror.Refusal
	if errors.As(err, &refusal) {
		return nil, stewardError(refusal)
	}
	if err != nil {
		return nil, err
	}
	return p, p.FixCells(ctx, w.curator)
}

func newTrueCells(counts []int64, blocks [][]int, s live.Sensitivity) *trueCells {
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
func (w *assessing) unfitted(p *noisy.QueryPlan) bool {
	if !p.Terms.Mechanism.FitTotals || p.ByThreshold || len(p.Query.GroupingSets) == 0 {
		return false
	}
	margins, _ := p.Fitted(w.state)
	return margins != nil
}

// describeCounts says what the true counts of a question are like.
func describeCounts(counts []int64) Question {
	q := Question{Cells: len(counts)}
	for _, n := range counts {
		q.Total += n
		q.Largest = max(q.Largest, n)
		if n == 0 {
			q.Zeros++
		}
	}
	return q
}
