package books

import (
	"context"
	"maps"
	"slices"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
)

// Read has a line for each table of the policy, and below it one for each analyst who was charged something or has a cap. Tables
// that the ledger knows and the policy does not come last.
func Read(ctx context.Context, l *ledger.Reader, p *policy.Policy) ([]Line, error) {
	b, known, err := newReader(ctx, l, p)
	if err != nil {
		return nil, err
	}
	for _, t := range p.Tables {
		b.table(t, release.Accounting(t))
	}
	for _, k := range known {
		if _, ok := p.Table(k.Table); !ok {
			b.table(nil, k.Accounting)
		}
	}
	return b.lines, b.err
}

// ReadTable has the lines of one table: first its own.
func ReadTable(ctx context.Context, l *ledger.Reader, p *policy.Policy, t *policy.Table) ([]Line, error) {
	b, _, err := newReader(ctx, l, p)
	if err != nil {
		return nil, err
	}
	b.table(t, release.Accounting(t))
	return b.lines, b.err
}

// ReadWhole has a table's own line.
func ReadWhole(ctx context.Context, l *ledger.Reader, t *policy.Table) (Line, error) {
	a := release.Accounting(t)
	s, err := l.Balance(ctx, a, "", nil)
	return NewTableLine(t, a, s), err
}

// ReadOwn has an analyst's line of a table, whether she was charged or not.
func ReadOwn(ctx context.Context, l *ledger.Reader, t *policy.Table, analyst policy.Analyst) (Line, error) {
	a, limit := release.Accounting(t), CapOn(t, analyst.Budget)
	s, err := l.Balance(ctx, a, analyst.Name, limit)
	return NewAnalystLine(t, a, analyst.Name, limit, s), err
}

func newReader(ctx context.Context, l *ledger.Reader, p *policy.Policy) (*budgetReader, []ledger.ChargedTable, error) {
	known, err := l.Charged(ctx)
	if err != nil {
		return nil, nil, err
	}
	b := &budgetReader{ctx: ctx, ledger: l, policy: p, charged: make(map[policy.TableName][]string)}
	for _, k := range known {
		b.charged[k.Table] = k.Analysts
	}
	return b, known, nil
}

// A budgetReader collects lines, until an error.
type budgetReader struct {
	ctx     context.Context
	ledger  *ledger.Reader
	policy  *policy.Policy
	charged map[policy.TableName][]string
	lines   []Line
	err     error
}

// table adds a line for a table, one for each analyst of the policy who has a cap or was charged or is frozen, and one for those who are no
// longer in the policy.
func (b *budgetReader) table(t *policy.Table, a accountant.Accounting) {
	whole := b.standing(a, "", nil)
	b.lines = append(b.lines, NewTableLine(t, a, whole))
	charged := make(map[string]bool)
	for _, name := range b.charged[a.Table] {
		charged[name] = true
	}
	for _, analyst := range b.policy.Analysts {
		limit := CapOn(t, analyst.Budget)
		if s := b.standing(a, analyst.Name, limit); limit != nil || charged[analyst.Name] || s.Frozen != whole.Frozen {
			b.lines = append(b.lines, NewAnalystLine(t, a, analyst.Name, limit, s))
		}
		delete(charged, analyst.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(charged)) {
		b.lines = append(b.lines, NewAnalystLine(t, a, name, nil, b.standing(a, name, nil)))
	}
}

func (b *budgetReader) standing(a accountant.Accounting, analyst string, limit *policy.Budget) (s accountant.Balance) {
	if b.err == nil {
		s, b.err = b.ledger.Balance(b.ctx, a, analyst, limit)
	}
	return s
}

// CapOn is what an analyst's cap says of a table: of an audited one its risk alone, as nothing else is charged there to analysts.
func CapOn(t *policy.Table, limit *policy.Budget) *policy.Budget {
	if limit == nil || t == nil || t.Mechanism.Kind != policy.Audit {
		return limit
	}
	if limit.Risk == policy.NoRiskCap {
		return nil
	}
	return &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: limit.Risk}
}
