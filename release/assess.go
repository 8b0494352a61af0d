package release

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
)

// An AssessRequest says which mechanisms are compared on what.
type AssessRequest struct {
	// SQL is one statement whose counts are of one protected table. Required.
	SQL string
	// Epsilons at which mechanisms are compared. Default: that of the table, or 1.
	Epsilons []policy.Epsilon
	// Delta of Gaussian noise. Default: that of the table, or 1e-6.
	Delta policy.Delta
	// K of suppression. Default: that of the table, or 6.
	K int64
	// Quasi are the quasi-identifiers of dp-swapping: columns that statements may use. Default: those of the table, or all keys of the
	// question.
	Quasi []string
}

// An Assessment compares mechanisms on one statement. It is computed from true counts, charged to nobody and recorded nowhere: it is for
// the steward alone.
type Assessment struct {
	Table     policy.TableName
	Adjacency policy.Adjacency
	Questions []AssessedQuestion
}

// An AssessedQuestion is one count over the cells of a query.
type AssessedQuestion struct {
	Question string
	// Declared says that the cells are those of declared domains; otherwise they are those that have rows.
	Declared bool
	Cells    int
	// Total, Largest and Zeros are of the true counts.
	Total, Largest int64
	Zeros          int
	// Unfitted says that the table fits these cells to the totals of their grouping sets (mechanism.totals), and that the figures of its
	// own mechanism are nevertheless of cells that are measured by themselves.
	Unfitted   bool
	Mechanisms []AssessedMechanism
}

// An AssessedMechanism is one mechanism with one epsilon on one question.
type AssessedMechanism struct {
	Kind policy.Kind
	// Epsilon is that of the mechanism; 0 if it has none.
	Epsilon policy.Epsilon
	// Problem says why the mechanism cannot be made with these amounts; the rest is zero then.
	Problem string
	// AddRemove and ReplaceOne are what it guarantees under either adjacency.
	AddRemove, ReplaceOne AssessedGuarantee
	// HalfWidth95 bounds the noise of a count with probability 0.95.
	HalfWidth95 int64
	mechanisms.Summary
}

// An AssessedGuarantee is a guarantee at the epsilon of the mechanism.
type AssessedGuarantee struct {
	// Delta is that at Epsilon.
	Delta float64
	// Pure and Rho are +Inf if the mechanism has none.
	Pure, Rho float64
	// Exact says that no smaller Delta holds.
	Exact bool
}

// Assess compares all mechanisms of counts on a statement, exactly: from the true counts, which the curator reads, and the distributions
// of what the mechanisms release. Errors are those of a statement that an analyst could not ask either, and of the connection.
func Assess(ctx context.Context, p *policy.Policy, request AssessRequest) (*Assessment, error) {
	d := &Door{random: rand.Reader}
	var err error
	if d.curator, err = newCurator(ctx, p.Upstream.Curator, p.Limits.CountTimeout); err != nil {
		return nil, err
	}
	defer d.curator.close()
	s, err := d.curator.beginApart(ctx)
	if err != nil {
		return nil, fmt.Errorf("curator: %w", err)
	}
	defer s.end()
	r := &regime{policy: p, cells: &cellCache{}, unfitted: true}
	if r.catalog, err = loadCatalog(ctx, s, p); err != nil {
		return nil, err
	}
	r.domains = digestDomains(r.catalog)
	queries, err := bindForSteward(ctx, s, r, request.SQL)
	if err != nil {
		return nil, err
	}
	first := queries[0].Table.Policy
	if first.Mechanism.Kind == policy.Audit {
		return nil, fmt.Errorf("counts of %v are exact or suppressed, which no noise compares with; EXPLAIN tells an analyst what would be suppressed", first.Name)
	}
	a := &Assessment{Table: first.Name, Adjacency: first.Adjacency}
	for _, q := range queries {
		if q.Table.Policy.Name != a.Table || q.Partner() != nil {
			return nil, errors.New("the statement counts more than one protected table; assess each by itself")
		}
		filled, err := request.fill(q)
		if err != nil {
			return nil, err
		}
		w := &assessing{door: d, snapshot: s, regime: r, query: q, request: filled}
		questions, err := w.questions(ctx)
		if err != nil {
			return nil, err
		}
		a.Questions = append(a.Questions, questions...)
	}
	return a, nil
}

// bindForSteward reads a statement with the names that the policy's tables have, whatever schema they are in.
func bindForSteward(ctx context.Context, s *snapshot, r *regime, sql string) ([]*rewrite.BoundQuery, error) {
	verdict, err := rewrite.Analyze(sql, &rewrite.Session{Catalog: r.catalog, Limits: r.policy.Limits, Resolve: r.resolveByName})
	if err != nil {
		return nil, err
	}
	if refusal, ok := verdict.(*rewrite.Refusal); ok {
		return nil, stewardError(refusal)
	}
	answer, ok := verdict.(*rewrite.Answer)
	switch {
	case !ok || len(answer.Queries) == 0:
		return nil, errors.New("the statement counts no protected table")
	case answer.Params > 0:
		return nil, errors.New("the statement has parameters; write values in their place")
	}
	constants, err := s.constants(ctx, answer)
	if err != nil {
		return nil, err
	}
	queries := make([]*rewrite.BoundQuery, len(answer.Queries))
	for i, q := range answer.Queries {
		var refusal *rewrite.Refusal
		if queries[i], refusal = q.Bind(nil, constants...); refusal != nil {
			return nil, stewardError(refusal)
		}
	}
	return queries, nil
}

// resolveByName finds a table of the policy by its name alone.
func (r *regime) resolveByName(name string) (policy.TableName, bool, error) {
	names := slices.Clone(r.policy.Public)
	for _, t := range r.policy.Tables {
		names = append(names, t.Name)
	}
	for _, n := range names {
		if n.Name == name {
			return n, true, nil
		}
	}
	return policy.TableName{}, false, nil
}

// stewardError is a refusal as one line of text.
func stewardError(r *rewrite.Refusal) error {
	text := r.Message
	if r.Hint != "" {
		text += "; " + r.Hint
	}
	return errors.New(text)
}

// constants evaluates what depends on no column, in the curator's session.
func (s *snapshot) constants(ctx context.Context, a *rewrite.Answer) ([]rewrite.Value, error) {
	sql, values := a.Constants(nil)
	if sql == "" {
		return nil, nil
	}
	args := make([]string, len(values))
	for i, v := range values {
		args[i] = v.Text
	}
	var constants []rewrite.Value
	err := s.query(ctx, sql, args, func(row [][]byte) error {
		for _, v := range row {
			constants = append(constants, rewrite.Value{Text: string(v), Null: v == nil})
		}
		return nil
	})
	if err == nil && constants == nil {
		return nil, rewrite.RefuseConstants()
	}
	return constants, err
}

// fill fills a request in for a query.
func (r AssessRequest) fill(q *rewrite.BoundQuery) (AssessRequest, error) {
	m := q.Table.Policy.Mechanism
	for _, name := range r.Quasi {
		if !slices.ContainsFunc(q.Table.Policy.Columns, func(c policy.Column) bool { return c.Name == name }) {
			return r, fmt.Errorf("%q is not among the columns of %v that statements may use", name, q.Table.Policy.Name)
		}
	}
	if len(r.Epsilons) == 0 {
		r.Epsilons = []policy.Epsilon{cmp.Or(m.Epsilon, 1e9)}
	}
	r.Delta, r.K = cmp.Or(r.Delta, m.Delta, 1e12), cmp.Or(r.K, m.K, 6)
	if len(r.Quasi) == 0 {
		r.Quasi = m.Quasi
	}
	if len(r.Quasi) == 0 {
		for _, k := range q.Keys {
			for _, origin := range k.Origins() {
				r.Quasi = append(r.Quasi, origin.Name)
			}
		}
	}
	return r, nil
}

// An assessing is the assessment of one query.
type assessing struct {
	door     *Door
	snapshot *snapshot
	regime   *regime
	query    *rewrite.BoundQuery
	request  AssessRequest
}

// questions counts what the query asks, and compares the mechanisms on each count.
func (w *assessing) questions(ctx context.Context) ([]AssessedQuestion, error) {
	// The steward asks of cells that no analyst might be shown. These terms refuse no key.
	t := *w.query.Table.Policy
	t.Mechanism = policy.Mechanism{Kind: policy.Geometric, Epsilon: 1e9, Delta: 1e12, Quasi: w.request.Quasi}
	made, err := newMechanisms(&t, w.door.random)
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
	if err := p.settleCells(ctx, w.snapshot); err != nil {
		return nil, err
	}
	task := &task{plan: p}
	for _, i := range p.shown {
		task.questions = append(task.questions, p.questions[i])
	}
	keys, counts, err := task.trueCounts(ctx, w.snapshot)
	if err != nil {
		return nil, err
	}
	unfitted := w.unfitted(p)
	t.Mechanism.Kind = policy.DPSwapping // so that blocks are made
	questions := make([]AssessedQuestion, len(task.questions))
	for i, q := range task.questions {
		questions[i] = describeCounts(counts[i])
		questions[i].Question, questions[i].Declared = q.ledger.Text, !p.byThreshold
		questions[i].Unfitted = unfitted
		h := mechanisms.Histogram{Counts: counts[i], Blocks: blocksOf(&t, p.query, keys, len(counts[i]))}
		questions[i].Mechanisms = w.compare(h, sensitivityOf(p.query, q.count))
	}
	return questions, nil
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

// trueCounts are those of all declared cells, or of the groups that there are.
func (t *task) trueCounts(ctx context.Context, s *snapshot) (keys [][]rewrite.Value, counts [][]int64, err error) {
	if !t.plan.byThreshold {
		keys = t.plan.keys
		counts, err = t.countFixed(ctx, s, keys, t.plan.cells)
		return keys, counts, err
	}
	keys, counts = make([][]rewrite.Value, len(t.plan.query.Keys)), make([][]int64, len(t.questions))
	err = t.count(ctx, s, func(group []rewrite.Value, n []int64) error {
		if len(counts[0]) == t.plan.limit {
			return fmt.Errorf("there are more than %d groups, the limit on cells", t.plan.limit)
		}
		for i, v := range group {
			keys[i] = append(keys[i], v)
		}
		for i, n := range n {
			counts[i] = append(counts[i], n)
		}
		return nil
	})
	return keys, counts, err
}

// compare makes each kind at each epsilon, and says what it does to a histogram.
func (w *assessing) compare(h mechanisms.Histogram, s sensitivity) []AssessedMechanism {
	var all []AssessedMechanism
	for i, epsilon := range w.request.Epsilons {
		for _, kind := range policy.Kinds {
			if kind == policy.Suppression && i > 0 {
				continue // it has no epsilon
			}
			all = append(all, w.assess(w.mechanism(kind, epsilon), h, s))
		}
	}
	return all
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

func (w *assessing) assess(m policy.Mechanism, h mechanisms.Histogram, s sensitivity) AssessedMechanism {
	t := *w.query.Table.Policy
	t.Mechanism = m
	assessed := AssessedMechanism{Kind: m.Kind, Epsilon: m.Epsilon}
	made, err := mechanisms.New(mechanismConfig(&t, s, rand.Reader))
	if err != nil {
		assessed.Problem = err.Error()
		return assessed
	}
	assessed.HalfWidth95, assessed.Summary = made.HalfWidth95(), mechanisms.Summarize(made.Expect(h))
	assessed.AddRemove = assessGuarantee(made.Guarantee(policy.AddRemove), m.Epsilon)
	assessed.ReplaceOne = assessGuarantee(made.Guarantee(policy.ReplaceOne), m.Epsilon)
	if m.Kind == policy.DPSwapping && len(h.Blocks) == 1 && s.cells == 1 {
		// All keys move with quasi-identifiers, and the number of persons is the same on both sides.
		assessed.ReplaceOne.Delta = mechanisms.SwappingDelta(float64(m.Epsilon)/1e9, len(h.Counts))
	}
	return assessed
}

func assessGuarantee(g mechanisms.Guarantee, epsilon policy.Epsilon) AssessedGuarantee {
	// A pure epsilon is computed in floating point, and may come out a little above the one that it is.
	e := float64(epsilon) / 1e9
	delta := g.Delta(e)
	if g.Pure <= e*(1+1e-12) {
		delta = 0
	}
	return AssessedGuarantee{Delta: delta, Pure: g.Pure, Rho: g.Rho, Exact: g.Exact}
}
