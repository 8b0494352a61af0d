package seal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/audited"
	"tacit/release/internal/epoch"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// A Request says which epoch is opened.
type Request struct {
	// Table is that of an audited table of the policy. Required.
	Table policy.TableName
	// Reason is recorded with it.
	Reason string
	// Distinct asserts that the rows that came are about other people than those that went, before this epoch or an earlier one.
	Distinct bool
	// AcknowledgeAlarm says that the steward knows of the alarm, by which the prior was refuted, and goes on: Reason says why. Without it a
	// table with an alarm is not sealed.
	AcknowledgeAlarm bool
	// CheckFit refuses the first epoch, with a MisfitError, if the prior does not fit the table, so that the first questions would close it.
	CheckFit bool
	// PublishSmall publishes totals of values that few people have, too. Without it the error is a SmallTotalsError.
	PublishSmall bool
	// Epochs is how many epochs there were when the steward looked. If there are others by now, the error is ErrSealedMeanwhile. Default: however many.
	Epochs *int
	// Progress is told when a step begins. Default: nobody is.
	Progress func(step string)
	// Random yields uniform, independent bytes, for the noise of an estimated prior: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// An Epoch is what was opened. It is for the steward, and holds public facts alone, but for the totals that the policy
// publishes.
type Epoch struct {
	Table policy.TableName
	// Epoch is its number, from 1.
	Epoch int
	// People are those who are counted from now on, in so many combinations of the public columns.
	People       int64
	Combinations int
	// Pending people have come, and are to be taken in by a later epoch.
	Pending int64
	// Untyped people are those of them of whose type nobody was when the first epoch was sealed: there is no prior for them, so that no later epoch takes them
	// in either.
	Untyped int64
	Types   []EpochType
	// Risk was charged for the certified plan, which has so many blocks, and for the declared groupings; 0 without either.
	Risk      policy.Risk
	Blocks    int
	Groupings int
	// Charged is what an estimate of the prior cost.
	Charged policy.Epsilon
	// Left is what is left of the table's risk.
	Left policy.Risk
}

// An EpochType is what is believed of people of one type from now on.
type EpochType struct {
	Name   string
	People int64
	// Prior has the probability of each value.
	Values []string
	Prior  []float64
}

// OpenEpoch opens an epoch of an audited table: counts are answered as of now, until the next one. What it reads of the private column is what
// the policy publishes of it, the totals or an estimate of them, and whether it has other values than were declared.
func OpenEpoch(ctx context.Context, p *policy.Policy, request Request) (*Epoch, error) {
	t, ok := p.Table(request.Table)
	if !ok || t.Mechanism.Audit == nil || request.Random == nil {
		return nil, fmt.Errorf("release: a request to seal %v, which the policy does not have as an audited table, or without randomness", request.Table)
	}
	l, err := live.OpenLedger(ctx, p)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	if err := live.CheckKinds(ctx, p, l); err != nil {
		return nil, err
	}
	w := &Sealing{request: request, policy: p, Table: t, ledger: l, accounting: live.Accounting(t)}
	if w.curator, err = curator.New(ctx, p); err != nil {
		return nil, err
	}
	defer w.curator.Close()
	w.enter("proving that the roles are separate")
	if err := w.prove(ctx); err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		made, err := w.seal(ctx)
		if !errors.Is(err, ledger.ErrAuditMoved) || attempt == audited.MaxMoved {
			return made, err
		}
	}
}

// seal opens the epoch behind what is in the log now. If analysts are answered meanwhile, the error is ledger.ErrAuditMoved.
func (w *Sealing) seal(ctx context.Context) (*Epoch, error) {
	book, err := audited.PresentBook(ctx, w.ledger, w.Table.Name, nil, w.policy.Limits.CountTimeout)
	switch {
	case err != nil:
		return nil, err
	case w.request.Epochs != nil && epochsOf(book) != *w.request.Epochs:
		return nil, ErrSealedMeanwhile
	case book != nil:
		return w.next(ctx, book)
	}
	return w.first(ctx)
}

// enter tells that a step begins.
func (w *Sealing) enter(step string) {
	if w.request.Progress != nil {
		w.request.Progress(step)
	}
}

// A Sealing is an epoch that is being opened.
type Sealing struct {
	request    Request
	policy     *policy.Policy
	Table      *policy.Table
	accounting accountant.Accounting
	ledger     *ledger.Ledger
	curator    *curator.Curator
	// acknowledged says that the alarm was, by an attempt before.
	acknowledged bool

	columns *query.Table
	// values are what the private column can be, labels what the prior's spellings of the values of its columns are.
	values []query.Value
	labels []map[string]string
}

// prove makes sure that the roles are separate and that the catalog fits.
func (w *Sealing) prove(ctx context.Context) error {
	return w.curator.Prove(ctx, w.policy, func(s *curator.Inspection, catalog *rewrite.Catalog) (err error) {
		w.columns = catalog.Tables[w.Table.Name]
		w.values = epoch.SealedValues(w.columns, w.Table.Mechanism.Audit.Prior)
		w.labels, err = labelsOf(ctx, s.Snapshot, w.columns, w.Table.Mechanism.Audit.Prior)
		return err
	})
}

// first opens the first epoch.
func (w *Sealing) first(ctx context.Context) (*Epoch, error) {
	if err := w.checkUnanswered(ctx); err != nil {
		return nil, err
	}
	estimated, err := w.beginEstimate(ctx)
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", w.Table.Name, err)
	}
	w.enter("reading")
	f, counts, err := w.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", w.Table.Name, err)
	}
	opening, types, err := w.opening(f)
	if err != nil {
		return nil, err
	}
	if err := w.certify(&opening, f); err != nil {
		return nil, err
	}
	f.Types = types.by
	made := &Epoch{Table: w.Table.Name, Epoch: 1, Combinations: len(f.Tuples)}
	if estimated == nil {
		err = w.priors(&opening, types, f, counts)
	} else {
		if estimated.reservation != nil {
			made.Charged = w.Table.Mechanism.Audit.Prior.Estimate
		}
		err = w.estimate(ctx, estimated, types, f, counts)
	}
	if err != nil {
		return nil, err
	}
	if err := w.checkSmallTotals(opening.Totals, types, f); err != nil {
		return nil, err
	}
	if err := w.demandFit(ctx, opening, f, counts); err != nil {
		return nil, err
	}
	event, risk, err := opening.Event()
	if errors.Is(err, auditor.ErrDelta) {
		return nil, fmt.Errorf("sealing %v: %w; %s", w.Table.Name, err, certifiedRemedy)
	}
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", w.Table.Name, err)
	}
	if made.Left, err = w.append(ctx, event, f, risk, nil); err != nil {
		return nil, err
	}
	made.Risk = risk
	made.describe(f, opening)
	return made, nil
}

// demandFit refuses a prior that does not fit, if the steward asked whether it does.
func (w *Sealing) demandFit(ctx context.Context, opening auditor.Opening, f *epoch.PublicFacts, counts epoch.UnitCounts) error {
	if !w.request.CheckFit {
		return nil
	}
	w.enter("trying whether the prior fits")
	found, err := w.checkFit(ctx, opening, f, counts)
	if err == nil && len(found.Alarms) > 0 {
		err = &MisfitError{w.Table.Name, found}
	}
	return err
}

func uniform(values int) []float64 {
	prior := make([]float64, values)
	for i := range prior {
		prior[i] = 1 / float64(values)
	}
	normalise(prior)
	return prior
}

// read is the facts of a first epoch, with the true counts.
func (w *Sealing) read(ctx context.Context) (*epoch.PublicFacts, epoch.UnitCounts, error) {
	sealed, err := sealTable(ctx, w.curator, w.columns, nil)
	if err != nil {
		return nil, nil, err
	}
	f, counts, err := sealed.facts(w.columns, w.values, w.policy.Limits.Cells)
	switch {
	case err != nil:
		return nil, nil, err
	case len(f.Units) == 0:
		return nil, nil, errors.New("it has no rows")
	}
	f.By, f.Promise = w.Table.Mechanism.Audit.Prior.By, epoch.PromiseOf(w.Table.Mechanism.Audit)
	return f, counts, nil
}

// priors sets what is believed of each type, as it is declared or as the totals say.
func (w *Sealing) priors(o *auditor.Opening, types *personTypes, f *epoch.PublicFacts, counts epoch.UnitCounts) error {
	prior := w.Table.Mechanism.Audit.Prior
	if prior.Kind == policy.DeclaredPrior {
		return types.declare(prior, w.labels, len(f.Values))
	}
	if err := types.checkLeast(f, prior.Least); err != nil {
		return err
	}
	o.Totals = types.totals(f, counts)
	for i := range types.types { // shares of totals take the place of what stands here
		types.types[i].Prior = uniform(len(f.Values))
	}
	return nil
}

// opening is what the auditor starts with, but for priors, which are to be set in its types, and a plan.
func (w *Sealing) opening(f *epoch.PublicFacts) (auditor.Opening, *personTypes, error) {
	types, err := typePeople(f, w.Table.Mechanism.Audit.Prior)
	if err != nil {
		return auditor.Opening{}, nil, err
	}
	opening := auditor.Opening{Config: auditorConfig(w.Table.Mechanism.Audit, len(f.Values)), Units: types.units(f)}
	opening.Types = types.types
	opening.Workload, err = workloadOf(f, w.Table.Mechanism.Audit, w.request.Random)
	return opening, types, err
}

// certify gives each unit its block of the certified plan, if the policy has one.
func (w *Sealing) certify(o *auditor.Opening, f *epoch.PublicFacts) error {
	blocks, err := certifiedBlocks(f, w.Table.Mechanism.Audit)
	if err != nil || blocks == nil {
		return err
	}
	for _, u := range f.Units {
		o.Plan = append(o.Plan, blocks[u.Tuple])
	}
	return nil
}

// auditorConfig is what the policy says of the auditor, without the types.
func auditorConfig(a *policy.Auditor, values int) auditor.Config {
	return auditor.Config{
		Values:       values,
		Epsilon:      float64(a.Epsilon) / 1e9,
		Delta:        a.Delta,
		PerDecision:  a.Decision,
		PerStatement: a.Statement,
		Rule:         a.Rule,
		Decisions:    a.Decisions,
		Insiders:     a.Insiders,
		OneSided:     a.OneSided,
	}
}

// certifiedRemedy says what to do about certificates that cost too much.
const certifiedRemedy = "run `tacit plan` again, declare a smaller workload, or raise plan"

// append writes the epoch into the ledger, and returns what is left of the table's risk.
func (w *Sealing) append(ctx context.Context, event auditor.Event, f *epoch.PublicFacts, risk policy.Risk, book *audited.Book) (policy.Risk, error) {
	stored, err := f.Encode()
	if err != nil {
		return 0, err
	}
	sql := "-- epoch sealed"
	if w.request.Reason != "" {
		sql += ": " + w.request.Reason
	}
	if limit := w.Table.Mechanism.Audit.Plan; risk > limit {
		return 0, fmt.Errorf("what is certified risks %v, more than the plan's part of delta, %v; %s", risk.RoundUp(reply.ShownDigits), limit, certifiedRemedy)
	}
	entry := accountant.AuditEntry{
		Analyst: live.Steward, SQL: sql, Table: w.Table.Name, Kind: event.Kind, TableBudget: w.Table.Budget, Risk: risk,
		Payload: epoch.Wrap(event.Payload, stored),
	}
	if book != nil {
		entry.Follows, entry.Answers = book.Last, book.Answers
	}
	if _, err = w.ledger.AppendAudit(ctx, entry); err != nil {
		return 0, err
	}
	standing, err := w.ledger.Balance(ctx, w.accounting, live.Steward, nil)
	return standing.Left.Risk, err
}

// describe tells of the people and of what is believed of them.
func (s *Epoch) describe(f *epoch.PublicFacts, o auditor.Opening) {
	people := make([]int64, len(o.Types))
	for i, u := range f.Units {
		people[o.Units[i].Type] += u.People
		s.People += u.People
	}
	for i, t := range o.Types {
		sealed := EpochType{Name: t.Name, People: people[i], Prior: slices.Clone(t.Prior)}
		for v, value := range f.Values {
			sealed.Values = append(sealed.Values, shownValue(value))
			if o.Totals != nil {
				sealed.Prior[v] = float64(o.Totals[i][v]) / float64(max(people[i], 1))
			}
		}
		s.Types = append(s.Types, sealed)
	}
	if o.Workload != nil {
		s.Groupings = len(o.Workload.Groupings)
	}
	if o.Plan != nil {
		s.Blocks = int(slices.Max(o.Plan)) + 1
	}
}
