package seal

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/epoch"
	"tacit/release/internal/live"
	"tacit/rewrite/query"
)

// An estimation is an estimate of a prior: for each type the number of people whose private value is true, with two-sided geometric noise.
//
// Adjacency: the private value of one person changes, and the public columns of everybody stay, so that the sizes of types are no secret.
// Sensitivity: then one total changes by one, in L1. Guarantee: epsilon-differential privacy (Ghosh, Roughgarden, Sundararajan, "Universally
// utility-maximizing privacy mechanisms").
//
// What can be found out from public columns is found out before it is charged, it is charged before a private value is read, and an
// estimate that was recorded for a first epoch that could then not be sealed is taken again.
type estimation struct {
	question accountant.Question
	// reservation is nil if noisy was recorded before.
	reservation *ledger.Reservation
	noisy       []int64
}

// beginEstimate charges an estimate, or finds the one that was recorded for the same people. It is nil of a prior that needs none.
func (w *Sealing) beginEstimate(ctx context.Context) (*estimation, error) {
	if w.Table.Mechanism.Audit.Prior.Kind != policy.EstimatedPrior {
		return nil, nil
	}
	if len(w.values) != 2 {
		return nil, errors.New("prior: an estimate is made of a Boolean column that is NOT NULL; publish totals instead, or declare probabilities")
	}
	f, err := w.publicFacts(ctx)
	if err != nil {
		return nil, err
	}
	opening, types, err := w.opening(f)
	if err != nil {
		return nil, err
	}
	if err := w.certify(&opening, f); err != nil {
		return nil, err
	}
	for t, n := range types.people(f) {
		if least := w.NoiseBound(len(opening.Types)) / float64(n); least > w.widest() { // the share is at most 1
			return nil, w.tooWide(types.types[t].Name, n, least)
		}
	}
	e := &estimation{}
	if e.question, err = w.estimateQuestion(types, f); err != nil {
		return nil, err
	}
	if recorded, ok, err := w.ledger.Lookup(ctx, e.question, 0); err != nil || ok {
		if err != nil {
			return nil, err
		}
		r, err := cells.DecodeRelease(recorded, 1, 1)
		if err != nil {
			return nil, err
		}
		e.noisy = r.Counts
		return e, nil
	}
	epsilon := w.Table.Mechanism.Audit.Prior.Estimate
	e.reservation, err = w.ledger.Reserve(ctx, accountant.Charge{
		Analyst: live.Steward, SQL: "-- " + w.estimateText(), Accounting: w.accounting,
		Items: []accountant.Item{{Question: e.question, Loss: accountant.Loss{Epsilon: epsilon}, Mechanism: string(policy.Geometric)}},
	})
	return e, err
}

// publicFacts reads the public columns alone: the first of them stands where the private one does otherwise.
func (w *Sealing) publicFacts(ctx context.Context) (*epoch.PublicFacts, error) {
	public := *w.columns
	columns := public.PublicColumns()
	if len(columns) == 0 {
		return nil, errors.New("prior: an estimate needs a public column; list one under columns")
	}
	public.Private = columns[0].Name
	public.Columns = append([]query.Column(nil), public.Columns...)
	for i, c := range public.Columns {
		if c.Name == w.columns.Private {
			public.Columns = append(public.Columns[:i], public.Columns[i+1:]...)
			break
		}
	}
	sealed, err := sealTable(ctx, w.curator, &public, nil)
	if err != nil {
		return nil, err
	}
	for i := range sealed.Rows {
		u := &sealed.Rows[i]
		u.Tuple, u.Value = append([]query.Value{u.Value}, u.Tuple...), w.values[0]
	}
	f, _, err := sealed.facts(w.columns, w.values, w.policy.Limits.Cells)
	if err == nil && len(f.Units) == 0 {
		err = errors.New("it has no rows")
	}
	return f, err
}

// estimateText is the question that an estimate answers.
func (w *Sealing) estimateText() string {
	return "totals of " + w.Table.Mechanism.Audit.Private + " for the prior of " + w.Table.Name.String()
}

// estimateQuestion is about the types and how many people each has, not about a seal.
func (w *Sealing) estimateQuestion(types *personTypes, f *epoch.PublicFacts) (accountant.Question, error) {
	var by [][]*string
	for _, values := range types.by {
		by = append(by, epoch.StoredValues(values))
	}
	key, err := json.Marshal([]any{w.estimateText(), w.Table.Mechanism.Audit.Prior.By, by, types.people(f), w.Table.Mechanism.Audit.Prior.Estimate})
	return accountant.Question{Table: w.Table.Name, Key: sha256.Sum256(key), Text: w.estimateText()}, err
}

// estimate sets the priors from the estimate, which is drawn and recorded now if it was not before.
func (w *Sealing) estimate(ctx context.Context, e *estimation, types *personTypes, f *epoch.PublicFacts, counts epoch.UnitCounts) error {
	people := types.people(f)
	if e.noisy == nil {
		if err := w.draw(ctx, e, types, types.totals(f, counts)); err != nil {
			return err
		}
	}
	if len(e.noisy) != len(people) {
		return errors.New("rows were written while the prior was estimated; try again")
	}
	types.estimate(e.noisy, people, w.NoiseBound(len(people)))
	for i := range types.types {
		t := &types.types[i]
		if t.Interval > w.widest() || t.Prior[1]*(1+t.Interval) >= 1 {
			return w.tooWide(t.Name, people[i], t.Interval)
		}
	}
	return nil
}

// draw adds the noise, and records what comes of it.
func (w *Sealing) draw(ctx context.Context, e *estimation, types *personTypes, totals [][]int64) error {
	m, err := mechanisms.New(mechanisms.Config{
		Kind: policy.Geometric, Epsilon: w.Table.Mechanism.Audit.Prior.Estimate, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, KeepNegative: true,
		Random: w.request.Random,
	})
	if err != nil {
		return err
	}
	truth := make([]int64, len(totals))
	for t := range totals {
		truth[t] = totals[t][1]
	}
	noisy, err := m.Sanitize(mechanisms.Histogram{Counts: truth})
	if err != nil {
		return err
	}
	payload, err := (&cells.Released{Counts: noisy.Counts, Keys: [][]query.Value{typeKeys(types)}}).Encode()
	if err != nil {
		return err
	}
	e.noisy = noisy.Counts
	_, err = w.ledger.Record(ctx, e.reservation, [][]byte{payload})
	return err
}

func typeKeys(types *personTypes) []query.Value {
	keys := make([]query.Value, len(types.types))
	for i, t := range types.types {
		keys[i] = query.Value{Text: t.Name}
	}
	return keys
}

// estimateFailure is the most probability that the noise of any type is beyond its interval, and samplingDeviations how many standard
// deviations a share may lie from the rate by chance, which is exceeded with a probability of about 6e-7 for each type.
const (
	estimateFailure    = 1e-9
	samplingDeviations = 5
)

// NoiseBound is the smallest k with P(|noise| > k) <= estimateFailure/types. Of two-sided geometric noise with a = exp(-epsilon),
// P(|noise| >= k) = 2a^k/(1+a) exactly.
func (w *Sealing) NoiseBound(types int) float64 {
	epsilon := float64(w.Table.Mechanism.Audit.Prior.Estimate) / 1e9
	return max(0, math.Ceil(math.Log(2*float64(types)/(estimateFailure*(1+math.Exp(-epsilon))))/epsilon)-1)
}

// widest is the widest interval at which some answer is safe, see the policy's interval.
func (w *Sealing) widest() float64 {
	if a := w.Table.Mechanism.Audit; !a.OneSided {
		return float64(a.Epsilon) / 1e9
	}
	return math.Nextafter(1, 0)
}

func (w *Sealing) tooWide(name string, people int64, interval float64) error {
	return fmt.Errorf("prior: people of type %s are %d, too few for an estimate at epsilon %v: their rate would be known up to %.3g of itself, and no answer about them would ever be safe; "+
		"raise estimate.epsilon, name fewer columns under by, or declare values", name, people, w.Table.Mechanism.Audit.Prior.Estimate, interval)
}

// estimate sets priors of a Boolean column from noisy totals: true with probability noisy/people. The interval covers noise up to the bound,
// and what the rate of a type may differ from its share by chance, both on either side.
func (p *personTypes) estimate(noisy, people []int64, bound float64) {
	for i := range p.types {
		n := float64(max(people[i], 1))
		share := min(max(float64(noisy[i])/n, 1/n), 1-1/n)
		if n == 1 {
			share = 0.5
		}
		nearest := min(max(0.5, share-bound/n), share+bound/n) // of the possible shares, to one half, where the variance is largest
		deviation := math.Sqrt(nearest * (1 - nearest) / n)
		p.types[i].Prior = []float64{1 - share, share}
		p.types[i].Interval = min((bound/n+samplingDeviations*deviation)/share, math.Nextafter(1, 0))
	}
}
