package assess

import (
	"context"
	"crypto/rand"
	"errors"
	"math"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/risk"
)

// compare makes each kind at each epsilon, and says what it does to the cells.
func (w *assessing) compare(ctx context.Context, c *trueCells) (all []Mechanism, err error) {
	for i, epsilon := range w.request.Epsilons {
		for _, kind := range w.request.Kinds {
			if kind == policy.Suppression && i > 0 {
				continue // it has no epsilon
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			all = append(all, w.assess(w.mechanism(kind, epsilon), c))
		}
	}
	return all, nil
}

// mechanism is the table's own, if it is of that kind, or else as the papers have it: a withheld cell counts as k/2.
func (w *assessing) mechanism(kind policy.Kind, epsilon policy.Epsilon) policy.Mechanism {
	own := w.query.Table.Policy.Mechanism
	m := policy.Mechanism{Kind: kind, Bound: own.Bound}
	if kind == own.Kind {
		m = own
		m.FitTotals = false // assess compares single cells
	}
	m.Epsilon, m.Delta, m.K = epsilon, w.request.Delta, w.request.K
	if kind == policy.Suppression {
		m.Epsilon = 0
	}
	return m
}

// today says whether a mechanism is what analysts get.
func (w *assessing) today(m policy.Mechanism, byThreshold bool) bool {
	own := w.query.Table.Policy.Mechanism
	if w.refusal != "" {
		return false
	}
	delta := m.Kind.NeedsDelta() || byThreshold // has a part in what is shown
	return m.Kind == own.Kind && m.Epsilon == own.Epsilon && (!m.Kind.Suppresses() || m.K == own.K) && (!delta || m.Delta == own.Delta)
}

func (w *assessing) assess(m policy.Mechanism, c *trueCells) Mechanism {
	t := *w.query.Table.Policy
	t.Mechanism = m
	assessed := Mechanism{Kind: m.Kind, Epsilon: m.Epsilon, Today: w.today(m, c.byThreshold)}
	made, err := c.makeFor(&t)
	if err != nil {
		assessed.Problem = err.Error()
		return assessed
	}
	assessed.HalfWidth95, assessed.Figures = made.counts.HalfWidth95(), c.figures(made)
	guarantee := func(a policy.Adjacency) Guarantee {
		g := assessGuarantee(made.counts.Guarantee(a), m.Epsilon)
		if c.selects {
			return g.withThreshold(m, a == t.Adjacency)
		}
		return g
	}
	assessed.AddRemove, assessed.ReplaceOne = guarantee(policy.AddRemove), guarantee(policy.ReplaceOne)
	if m.Kind == policy.DPSwapping && len(c.Blocks) == 1 && c.sensitivity.Cells == 1 {
		// All keys move with quasi-identifiers, and the number of persons is the same on both sides.
		assessed.ReplaceOne.Delta = mechanisms.SwappingDelta(float64(m.Epsilon)/1e9, len(c.Counts))
	}
	return assessed
}

func assessGuarantee(g mechanisms.Guarantee, epsilon policy.Epsilon) Guarantee {
	// A pure epsilon is computed in floating point, and may come out a little above the one that it is.
	e := float64(epsilon) / 1e9
	delta := g.Delta(e)
	if g.Pure <= e*(1+1e-12) {
		delta = 0
	}
	return Guarantee{Delta: delta, Pure: g.Pure, Rho: g.Rho, Exact: g.Exact}
}

// withThreshold adds what mechanisms.Select spends of delta besides that of the noise. It is known under the table's own adjacency, for
// which the threshold was made; of the other one nothing is stated.
func (g Guarantee) withThreshold(m policy.Mechanism, own bool) Guarantee {
	switch {
	case !m.Kind.Guaranteed():
		return g
	case !own:
		return Guarantee{Delta: 1, Pure: math.Inf(1), Rho: math.Inf(1)}
	}
	return Guarantee{Delta: min(1, g.Delta+float64(m.Delta)/float64(policy.OneDelta)), Pure: math.Inf(1), Rho: math.Inf(1)}
}

// madeMechanisms are one kind at one epsilon: for the counts, and for the persons that a threshold decides by; nil if there is none.
type madeMechanisms struct{ counts, selection *mechanisms.Mechanism }

var errNoThreshold = errors.New("analysts would be refused: keys are not declared, or too many, and this kind has no threshold for such keys")

func (c *trueCells) makeFor(t *policy.Table) (made madeMechanisms, err error) {
	if made.counts, err = mechanisms.New(live.MechanismConfig(t, c.sensitivity, rand.Reader)); err != nil || !c.byThreshold {
		return made, err
	}
	if made.selection, err = mechanisms.New(live.MechanismConfig(t, c.bySelection, rand.Reader)); err == nil && made.selection.Threshold() == 0 {
		err = errNoThreshold
	}
	return made, err
}

// figures say what the mechanism does to the cells.
func (c *trueCells) figures(m madeMechanisms) Figures {
	cells := c.expect(m)
	for i, left := range c.leftOut { // what is shown is compared with what there is
		cells[i].Bias -= float64(left)
	}
	f := Figures{Summary: mechanisms.Summarize(cells), Uniques: c.uniques(m), Risk: c.attack.risk(m, c)}
	for _, cell := range cells {
		f.Error += (cell.Variance + cell.Bias*cell.Bias) / float64(len(cells))
	}
	f.Error = math.Sqrt(f.Error)
	return f
}

// expect is the distribution of each cell. What is shown of one depends on its own count alone, unless counts are swapped; so each count
// is looked at once.
func (c *trueCells) expect(m madeMechanisms) []mechanisms.Expectation {
	if m.counts.Kind() == policy.DPSwapping {
		return m.counts.Expect(c.Histogram)
	}
	var distinct []mechanisms.Expectation
	if c.selects {
		distinct, _ = m.selection.ExpectSelection(c.distinct)
	} else {
		distinct = m.counts.Expect(mechanisms.Histogram{Counts: c.distinct})
	}
	cells := make([]mechanisms.Expectation, len(c.Counts))
	for i, place := range c.place {
		cells[i] = distinct[place]
	}
	if !c.byThreshold || c.selects {
		return cells
	}
	survival, _ := m.selection.SelectionSurvival()
	for i, n := range c.Counts {
		cells[i] = cells[i].Behind(survival.Survives(c.persons[i]), n)
	}
	return cells
}

// uniques are unique exact matches.
func (c *trueCells) uniques(m madeMechanisms) risk.UniqueMatches {
	u, err := risk.ExpectUniqueMatches(m.counts, c.Histogram)
	if err != nil || !c.byThreshold {
		return u // counts are not negative: there is no error
	}
	if c.selects {
		one, _ := m.selection.ExpectSelection([]int64{1})
		absent := one[0].Distribution(0.75)
		u.AsOne, u.OneOrMore = u.Uniques*(one[0].Distribution(1)-absent), u.Uniques*(1-absent)
		return u
	}
	survival, _ := m.selection.SelectionSurvival()
	shown := 0.0
	for i, n := range c.Counts {
		if n == 1 {
			shown += survival.Survives(c.persons[i]) / u.Uniques
		}
	}
	u.AsOne, u.OneOrMore = u.AsOne*shown, u.OneOrMore*shown
	return u
}
