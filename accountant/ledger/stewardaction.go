package ledger

import (
	"context"
	"errors"
	"fmt"

	"tacit/accountant"
	"tacit/accountant/journal"
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
	Basis  Basis  // Default: whatever stewards did before.
	// Request is the entry of a request of the table that the grant answers. Default: none.
	Request int64
}

// A Freeze stops charges.
type Freeze struct {
	Table   policy.TableName // Required.
	Analyst string           // whose. Default: everybody's.
	By      string           // who stops them. Required.
	Reason  string           // Required.
	Basis   Basis            // Default: whatever stewards did before.
}

// Grant adds to a budget, and returns the entry that says so. The error is a *GrantError, ErrUnavailable, after which the log says whether it
// was done, or a fault of the caller's.
func (l *Ledger) Grant(ctx context.Context, g Grant) (entry int64, err error) {
	amounts := journal.AmountsOf(accountant.Loss(g.Budget))
	switch {
	case !amounts.Loss().IsChargeable():
		return 0, fmt.Errorf("accountant: a grant of %v", amounts.Loss())
	case amounts.Loss() == accountant.Loss{}:
		return 0, errors.New("accountant: a grant of nothing")
	case unbounded(g.To, amounts.Loss()):
		return 0, errors.New("accountant: a grant of what has no bound")
	}
	return l.takeAction(ctx, stewardAction{
		kind: journal.KindGranted, table: g.Table, analyst: g.Analyst, to: g.To, body: journal.ActionBody{By: g.By, Reason: g.Reason, Amounts: &amounts}, basis: g.Basis, request: g.Request,
	})
}

// unbounded says whether a grant has an amount that a cap does not name.
func unbounded(limit policy.Budget, granted accountant.Loss) bool {
	return granted.Epsilon > 0 && limit.Epsilon == policy.NoEpsilonCap || granted.Delta > 0 && limit.Delta == policy.NoDeltaCap ||
		granted.Releases > 0 && limit.Releases == policy.NoReleasesCap || granted.Risk > 0 && limit.Risk == policy.NoRiskCap
}

// A GrantError is returned when a budget would have, with a grant, a delta at which it promises nothing useful. What is granted cannot be
// taken back, and so a slip of the hand must not be.
type grantError struct {
	Table   policy.TableName
	Analyst string // empty: the table's budget
	Delta   policy.Delta
}

func (e *grantError) Error() string {
	of := e.Table.String()
	if e.Analyst != "" {
		of = e.Analyst + " on " + of
	}
	return fmt.Sprintf("the budget of %s would have delta %v with this grant, and one above %v promises nothing useful; "+
		"grant a delta well below one over the number of persons, such as 1e-6", of, e.Delta, policy.MaxDelta)
}

// checkGrant returns a *GrantError if a grant raises delta beyond use.
func (a *stewardAction) checkGrant(t *journal.Table) error {
	granted := a.body.Amounts.Loss()
	sum := accountant.Loss(a.to).Add(t.Granted[a.analyst]).Add(granted)
	switch {
	case granted.Delta > 0 && sum.Delta > policy.MaxDelta:
		return &grantError{Table: a.table, Analyst: a.analyst, Delta: sum.Delta}
	case unbounded(policy.Budget(sum), granted):
		return fmt.Errorf("the budget of %v would have no bound with this grant; grant less", a.table)
	}
	return nil
}

// Freeze stops charges on a table, or those of one analyst: whatever would be charged is refused, until Thaw. What is recorded is answered
// as before, and what was reserved may be recorded. A *FrozenError is returned if they are frozen.
func (l *Ledger) Freeze(ctx context.Context, f Freeze) (entry int64, err error) {
	return l.takeAction(ctx, stewardAction{kind: journal.KindFrozen, table: f.Table, analyst: f.Analyst, body: journal.ActionBody{By: f.By, Reason: f.Reason}, basis: f.Basis})
}

// Thaw ends a Freeze of the same table and analyst. A *NotFrozenError is returned if there is none.
func (l *Ledger) Thaw(ctx context.Context, f Freeze) (entry int64, err error) {
	return l.takeAction(ctx, stewardAction{kind: journal.KindThawed, table: f.Table, analyst: f.Analyst, body: journal.ActionBody{By: f.By, Reason: f.Reason}, basis: f.Basis})
}

// OpenEpoch begins an epoch of a table: its rows were exchanged for those of other people. Budgets are full again, grants end, what was
// released is no longer replayed, and what was reserved can no longer be recorded. The rows of an audited table change by seals, which
// know them.
//
// Nothing here makes sure that the people are others. Of those who are in the rows of both epochs both epochs tell, and the losses add up.
func (l *Ledger) OpenEpoch(ctx context.Context, table policy.TableName, by, reason string) (entry int64, err error) {
	return l.OpenEpochOn(ctx, "", table, by, reason)
}

// OpenEpochOn is OpenEpoch for a steward who has seen a basis.
func (l *Ledger) OpenEpochOn(ctx context.Context, basis Basis, table policy.TableName, by, reason string) (entry int64, err error) {
	return l.takeAction(ctx, stewardAction{kind: journal.KindEpoch, table: table, body: journal.ActionBody{By: by, Reason: reason}, basis: basis})
}

// An Inspection shows a steward what is computed from true counts.
type Inspection struct {
	Table policy.TableName // Required.
	// SQL is what is counted. Required.
	SQL    string
	By     string // who is shown it. Required.
	Reason string // Required.
}

// Inspect writes down that a steward is shown true counts, and is called before they are read. It charges nothing: nobody else is shown them.
func (l *Ledger) Inspect(ctx context.Context, i Inspection) (entry int64, err error) {
	if i.SQL == "" {
		return 0, errors.New("accountant: an inspection of nothing")
	}
	if err := accountant.CheckText(i.SQL); err != nil {
		return 0, err
	}
	return l.takeAction(ctx, stewardAction{kind: journal.KindInspected, table: i.Table, statement: i.SQL, body: journal.ActionBody{By: i.By, Reason: i.Reason}})
}

// A Resolution is what a steward has decided, without a change of any budget: which mechanism a table is to have, for instance.
type Resolution struct {
	Table policy.TableName // Required.
	// What was decided. Required.
	What   string
	By     string // Required.
	Reason string // Required.
	Basis  Basis
}

// Resolve writes down what a steward has decided.
func (l *Ledger) Resolve(ctx context.Context, r Resolution) (entry int64, err error) {
	if r.What == "" {
		return 0, errors.New("accountant: a decision about nothing")
	}
	if err := accountant.CheckText(r.What); err != nil {
		return 0, err
	}
	return l.takeAction(ctx, stewardAction{kind: journal.KindResolved, table: r.Table, statement: r.What, body: journal.ActionBody{By: r.By, Reason: r.Reason}, basis: r.Basis})
}

// A stewardAction is what a steward does.
type stewardAction struct {
	kind    journal.Kind
	table   policy.TableName
	analyst string
	to      policy.Budget // of a grant
	// statement is what is counted for a steward, or was decided.
	statement string
	body      journal.ActionBody
	basis     Basis
	request   int64 // that a grant answers
}

func (a *stewardAction) check() error {
	switch {
	case a.table == (policy.TableName{}):
		return errors.New("accountant: an act on no table")
	case a.body.By == "":
		return errors.New("accountant: an act of nobody")
	case a.body.Reason == "":
		return errors.New("accountant: an act without a reason")
	}
	return accountant.CheckText(a.table.Schema, a.table.Name, a.analyst, a.body.By, a.body.Reason)
}

// takeAction writes an act down.
func (l *Ledger) takeAction(ctx context.Context, a stewardAction) (entry int64, err error) {
	if err := a.check(); err != nil {
		return 0, err
	}
	operation := accountant.NewOperation()
	err = l.do(ctx, func(b *batch) error {
		t := b.State.Table(a.table)
		if err := a.checkOn(t); err != nil {
			return err
		}
		if a.request != 0 {
			if r := b.State.Request(a.request); r == nil || !r.IsOpen() || r.Schema != a.table.Schema || r.Name != a.table.Name {
				return errNotOpen
			}
		}
		e := journal.NewEntry(a.kind, a.table, a.analyst)
		e.Operation, e.Body, e.Statement = operation.Bytes(), journal.Marshal(a.body), journal.Shorten(a.statement)
		e.Refers = a.request
		if a.kind == journal.KindEpoch {
			e.Epoch = t.Epoch + 1
		}
		entry = b.Add(e).ID
		return nil
	})
	return entry, err
}

// checkOn says why an act cannot be done on a table.
func (a *stewardAction) checkOn(t *journal.Table) error {
	reason, frozen := t.Frozen[a.analyst]
	switch {
	case a.basis != "" && a.basis != basisOf(t):
		return ErrActedMeanwhile
	case a.kind == journal.KindFrozen && frozen:
		return &accountant.FrozenError{Table: a.table, Analyst: a.analyst, Reason: reason}
	case a.kind == journal.KindThawed && !frozen:
		return &notFrozenError{Table: a.table, Analyst: a.analyst}
	case a.kind == journal.KindGranted:
		return a.checkGrant(t)
	case a.kind == journal.KindEpoch && t.Events > 0:
		return fmt.Errorf("%v is audited: its epochs are sealed, see tacit seal", a.table)
	}
	return nil
}

// A NotFrozenError is returned when something is to be thawed that is not frozen.
type notFrozenError struct {
	Table   policy.TableName
	Analyst string // empty: the table
}

func (e *notFrozenError) Error() string {
	if e.Analyst != "" {
		return fmt.Sprintf("charges of %s on %v are not frozen", e.Analyst, e.Table)
	}
	return fmt.Sprintf("charges on %v are not frozen", e.Table)
}
