package workloads

import (
	"context"
	"fmt"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/spent"
	"tacit/rewrite"
)

// Problems say why workloads of a policy cannot be measured, or never are: each in a sentence for the steward. A workload that no budget covers is not
// refused, since its questions are charged by themselves then, which nobody sees.
func Problems(ctx context.Context, p *policy.Policy) (problems []string, err error) {
	var tables []*policy.Table
	for _, t := range p.Tables {
		if t.Workload != nil {
			tables = append(tables, t)
		}
	}
	if len(tables) == 0 {
		return nil, nil
	}
	c, err := curator.New(ctx, p)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	catalog, _, err := c.Catalog(ctx, p)
	if err != nil {
		return nil, err
	}
	// A ledger that is not there yet has nothing to say, and whether it can be used others check.
	l, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err == nil {
		defer l.Close()
	}
	for _, t := range tables {
		text, err := problemOf(ctx, p, t, catalog, l)
		if err != nil {
			return nil, err
		}
		if text != "" {
			problems = append(problems, text)
		}
	}
	return problems, nil
}

// problemOf is why the workload of a table is not measured; "" if nothing is known that speaks against it. The ledger is nil if it cannot be read.
func problemOf(ctx context.Context, p *policy.Policy, t *policy.Table, catalog *rewrite.Catalog, l *ledger.Reader) (string, error) {
	w, err := marginals.New(catalog, p.Limits, t, live.NoRandomness{})
	if err != nil {
		return err.Error(), nil
	}
	measurement := ledger.ChargedQuestion{Loss: w.Loss, Term: w.Term}
	accounting := live.Accounting(t)
	takes := spent.On(accounting, []ledger.ChargedQuestion{measurement})
	switch {
	case takes.Exceeds(t.Budget):
		return never(t, w.Loss, takes), nil
	case !t.Workload.BySteward && len(p.Analysts) > 0 && noCapCovers(p, takes):
		return fmt.Sprintf("the workload of %v costs %v, which is more than each analyst's own budget, so that no question measures it: tacit measure --table %v does",
			t.Name, w.Loss, t.Name), nil
	case l == nil || t.Window > 0:
		return "", nil
	}
	charged, err := l.Charges(ctx, t.Name)
	if err != nil {
		return "", err
	}
	for _, c := range charged {
		if c.Mechanism == marginals.Kind && c.Key == w.Question.Key {
			return "", nil // it was
		}
	}
	balance, err := l.Balance(ctx, accounting, live.Steward, nil)
	if err != nil {
		return "", err
	}
	if after := spent.On(accounting, append(charged, measurement)); after.Exceeds(balance.Budget) {
		return fmt.Sprintf("the workload of %v was not measured, and is not any more: with it %v would be spent of %v. Grant the rest, or open a new epoch",
			t.Name, after.RoundUp(3), accountant.Named(balance.Budget)), nil
	}
	return "", nil
}

// never says that a budget as a whole does not cover a measurement, and by what that can be. Where thresholds keep a part of the delta, what is left for
// composition makes the same loss a larger epsilon.
func never(t *policy.Table, loss, takes accountant.Loss) string {
	text := fmt.Sprintf("the workload of %v is never measured, and its questions are charged by themselves: it costs %v, which takes %v of the budget's %v",
		t.Name, loss, takes.RoundUp(3), accountant.Named(t.Budget))
	if t.Composition != policy.BasicComposition && t.Thresholds > 0 && loss.Delta > t.Budget.Delta-t.Thresholds {
		text += fmt.Sprintf(". Thresholds on unknown keys keep %v of the delta: give the workload less than the rest, or write budget.thresholds: 0 if all keys are declared", t.Thresholds)
	}
	return text
}

// noCapCovers reports whether each analyst has a budget of her own on each table, which a loss exceeds.
func noCapCovers(p *policy.Policy, takes accountant.Loss) bool {
	for _, a := range p.Analysts {
		if a.Budget == nil || !takes.Exceeds(*a.Budget) {
			return false
		}
	}
	return true
}
