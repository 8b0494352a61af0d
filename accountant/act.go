package accountant

import (
	"context"
	"errors"
	"fmt"

	"tacit/policy"
)

// A Grant raises a budget.
type Grant struct {
	Table policy.TableName // Required.
	// Analyst is she whose cap is raised. Default: the table's budget is.
	Analyst string
	// To is the policy's budget of the table, or the analyst's cap on it, which is raised. Default: one that allows nothing.
	To policy.Budget
	// Budget has the amounts that are added, until the epoch ends. Delta is divided between composition and thresholds as the policy's is. An
	// amount that the cap does not name has no bound to be raised.
	Budget policy.Budget
	By     string // who grants it. Required.
	Reason string // Required.
}

// A Freeze stops charges.
type Freeze struct {
	Table   policy.TableName // Required.
	Analyst string           // whose. Default: everybody's.
	By      string           // who stops them. Required.
	Reason  string           // Required.
}

// Grant adds to a budget, and returns the entry that says so. The error is a *GrantError, ErrUnavailable, after which the log says whether it
// was done, or a fault of the caller's.
func (l *Ledger) Grant(ctx context.Context, g Grant) (entry int64, err error) {
	amounts := amountsOf(Loss(g.Budget))
	switch {
	case !amounts.loss().valid():
		return 0, fmt.Errorf("accountant: a grant of %v", amounts.loss())
	case amounts.loss() == Loss{}:
		return 0, errors.New("accountant: a grant of nothing")
	case unbounded(g.To, amounts.loss()):
		return 0, errors.New("accountant: a grant of what has no bound")
	}
	return l.act(ctx, act{
		kind: kindGranted, table: g.Table, analyst: g.Analyst, to: g.To, body: actBody{By: g.By, Reason: g.Reason, Amounts: &amounts},
	})
}

// unbounded says whether a grant has an amount that a cap does not name.
func unbounded(limit policy.Budget, granted Loss) bool {
	return granted.Epsilon > 0 && limit.Epsilon == policy.NoEpsilonCap || granted.Delta > 0 && limit.Delta == policy.NoDeltaCap ||
		granted.Releases > 0 && limit.Releases == policy.NoReleasesCap || granted.Risk > 0 && limit.Risk == policy.NoRiskCap
}

// A GrantError is returned when a budget would have, with a grant, a delta at which it promises nothing useful. What is granted cannot be
// taken back, and so a slip of the hand must not be.
type GrantError struct {
	Table   policy.TableName
	Analyst string // empty: the table's budget
	Delta   policy.Delta
}

func (e *GrantError) Error() string {
	of := e.Table.String()
	if e.Analyst != "" {
		of = e.Analyst + " on " + of
	}
	return fmt.Sprintf("the budget of %s would have delta %v with this grant, and one above %v promises nothing useful; "+
		"grant a delta well below one over the number of persons, such as 1e-6", of, e.Delta, policy.MaxDelta)
}

// admitsGrant returns a *GrantError if a grant raises delta beyond use.
func (t *table) admitsGrant(a *act) error {
	granted := a.body.Amounts.loss()
	sum := Loss(a.to).Add(t.granted[a.analyst]).Add(granted)
	switch {
	case granted.Delta > 0 && sum.Delta > policy.MaxDelta:
		return &GrantError{Table: a.table, Analyst: a.analyst, Delta: sum.Delta}
	case unbounded(policy.Budget(sum), granted):
		return fmt.Errorf("the budget of %v would have no bound with this grant; grant less", a.table)
	}
	return nil
}

// Freeze stops charges on a table, or those of one analyst: whatever would be charged is refused, until Thaw. What is recorded is answered
// as before, and what was reserved may be recorded. A *FrozenError is returned if they are frozen.
func (l *Ledger) Freeze(ctx context.Context, f Freeze) (entry int64, err error) {
	return l.act(ctx, act{kind: kindFrozen, table: f.Table, analyst: f.Analyst, body: actBody{By: f.By, Reason: f.Reason}})
}

// Thaw ends a Freeze of the same table and analyst. A *NotFrozenError is returned if there is none.
func (l *Ledger) Thaw(ctx context.Context, f Freeze) (entry int64, err error) {
	return l.act(ctx, act{kind: kindThawed, table: f.Table, analyst: f.Analyst, body: actBody{By: f.By, Reason: f.Reason}})
}

// OpenEpoch begins an epoch of a table: its rows were exchanged for those of other people. Budgets are full again, grants end, what was
// released is no longer replayed, and what was reserved can no longer be recorded. The rows of an audited table change by seals, which
// know them.
//
// Nothing here makes sure that the people are others. Of those who are in the rows of both epochs both epochs tell, and the losses add up.
func (l *Ledger) OpenEpoch(ctx context.Context, table policy.TableName, by, reason string) (entry int64, err error) {
	return l.act(ctx, act{kind: kindEpoch, table: table, body: actBody{By: by, Reason: reason}})
}

// An act is what a steward does.
type act struct {
	kind    Kind
	table   policy.TableName
	analyst string
	to      policy.Budget // of a grant
	body    actBody
}

func (a *act) check() error {
	switch {
	case a.table == (policy.TableName{}):
		return errors.New("accountant: an act on no table")
	case a.body.By == "":
		return errors.New("accountant: an act of nobody")
	case a.body.Reason == "":
		return errors.New("accountant: an act without a reason")
	}
	return keepable(a.table.Schema, a.table.Name, a.analyst, a.body.By, a.body.Reason)
}

// act writes an act down.
func (l *Ledger) act(ctx context.Context, a act) (entry int64, err error) {
	if err := a.check(); err != nil {
		return 0, err
	}
	operation := NewOperation()
	err = l.do(ctx, func(p *plan) error {
		t := p.state.table(a.table)
		if err := t.admitsAct(&a); err != nil {
			return err
		}
		e := about(a.kind, a.table, a.analyst)
		e.operation, e.body = operation.bytes(), marshal(a.body)
		if a.kind == kindEpoch {
			e.epoch = t.epoch + 1
		}
		entry = p.add(e).id
		return nil
	})
	return entry, err
}

func (t *table) admitsAct(a *act) error {
	reason, frozen := t.frozen[a.analyst]
	switch {
	case a.kind == kindFrozen && frozen:
		return &FrozenError{Table: a.table, Analyst: a.analyst, Reason: reason}
	case a.kind == kindThawed && !frozen:
		return &NotFrozenError{Table: a.table, Analyst: a.analyst}
	case a.kind == kindGranted:
		return t.admitsGrant(a)
	case a.kind == kindEpoch && t.events > 0:
		return fmt.Errorf("%v is audited: its epochs are sealed, see tacit seal", a.table)
	}
	return nil
}

// A NotFrozenError is returned when something is to be thawed that is not frozen.
type NotFrozenError struct {
	Table   policy.TableName
	Analyst string // empty: the table
}

func (e *NotFrozenError) Error() string {
	if e.Analyst != "" {
		return fmt.Sprintf("charges of %s on %v are not frozen", e.Analyst, e.Table)
	}
	return fmt.Sprintf("charges on %v are not frozen", e.Table)
}
