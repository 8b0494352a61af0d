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

// ReadWholes have the own line of each table, in order.
func ReadWholes(ctx context.Context, l *ledger.Reader, tables []*policy.Table) ([]Line, error) {
	asked := make([]ledger.BalanceOf, len(tables))
	for i, t := range tables {
		asked[i].Accounting = release.Accounting(t)
	}
	found, err := l.Balances(ctx, asked)
	if err != nil {
		return nil, err
	}
	lines := make([]Line, len(tables))
	for i, t := range tables {
		lines[i] = NewTableLine(t, asked[i].Accounting, found[i])
	}
	return lines, nil
}

// ReadOwns have an analyst's line of each table, in order, whether she was charged or not.
func ReadOwns(ctx context.Context, l *ledger.Reader, tables []*policy.Table, analyst policy.Analyst) ([]Line, error) {
	asked := make([]ledger.BalanceOf, len(tables))
	for i, t := range tables {
		asked[i] = ledger.BalanceOf{Accounting: release.Accounting(t), Analyst: analyst.Name, Limit: CapOn(t, analyst.Budget)}
	}
	found, err := l.Balances(ctx, asked)
	if err != nil {
		return nil, err
	}
	lines := make([]Line, len(tables))
	for i, t := range tables {
		lines[i] = NewAnalystLine(t, asked[i].Accounting, analyst.Name, asked[i].Limit, found[i])
	}
	return lines, nil
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
	charged := make(map[string]bool)
	for _, name := range b.charged[a.Table] {
		charged[name] = true
	}
	asked := []ledger.BalanceOf{{Accounting: a}}
	for _, analyst := range b.policy.Analysts {
		asked = append(asked, ledger.BalanceOf{Accounting: a, Analyst: analyst.Name, Limit: CapOn(t, analyst.Budget)})
	}
	gone := maps.Clone(charged)
	for _, analyst := range b.policy.Analysts {
		delete(gone, analyst.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		asked = append(asked, ledger.BalanceOf{Accounting: a, Analyst: name})
	}
	if b.err != nil {
		return
	}
	var found []accountant.Balance
	if found, b.err = b.ledger.Balances(b.ctx, asked); b.err != nil {
		return
	}
	b.lines = append(b.lines, NewTableLine(t, a, found[0]))
	for i, of := range asked[1:] {
		if s := found[1+i]; of.Limit != nil || charged[of.Analyst] || s.Frozen != found[0].Frozen {
			b.lines = append(b.lines, NewAnalystLine(t, a, of.Analyst, of.Limit, s))
		}
	}
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
