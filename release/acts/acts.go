package acts

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release"
	"tacit/release/books"
)

// Do writes an act to the policy's ledger, which was made before. Proxies may run meanwhile. On an empty basis it is done whatever others have done.
func (a *Act) Do(ctx context.Context, location policy.LedgerLocation, by string, basis ledger.Basis) error {
	l, err := ledger.Open(ctx, ledger.Options{Location: location, Role: ledger.Steward, Existing: true})
	if err != nil {
		return err
	}
	a.By = by
	return errors.Join(a.write(ctx, l, basis), l.Close())
}

func (a *Act) write(ctx context.Context, l *ledger.Ledger, basis ledger.Basis) (err error) {
	freeze := ledger.Freeze{Table: a.table.Name, Analyst: a.Analyst, By: a.By, Reason: a.Reason, Basis: basis}
	switch a.Kind {
	case Grant:
		return a.writeGrant(ctx, l, basis)
	case Freeze:
		a.Entry, err = l.Freeze(ctx, freeze)
	case Thaw:
		a.Entry, err = l.Thaw(ctx, freeze)
	case Epoch:
		a.Entry, err = l.OpenEpochOn(ctx, basis, a.table.Name, a.By, a.Reason)
	case Publish, Seal:
		a.What = a.decision()
		fallthrough
	case Resolve:
		a.Entry, err = l.Resolve(ctx, ledger.Resolution{Table: a.table.Name, What: a.What, By: a.By, Reason: a.Reason, Basis: basis})
	case Decline:
		a.Entry, err = l.Decline(ctx, a.asked, a.By, a.Reason)
	}
	return err
}

// to is the policy's budget that a grant raises.
func (a *Act) to() policy.Budget {
	if a.limit != nil {
		return *a.limit
	}
	return a.table.Budget
}

// writeGrant writes a grant, and reads the new budget, so that the steward sees a mistyped amount.
func (a *Act) writeGrant(ctx context.Context, l *ledger.Ledger, basis ledger.Basis) (err error) {
	a.Entry, err = l.Grant(ctx, ledger.Grant{
		Table: a.table.Name, Analyst: a.Analyst, To: a.to(), Budget: policy.Budget(a.amount), By: a.By, Reason: a.Reason, Basis: basis, Request: a.asked,
	})
	if err != nil {
		return err
	}
	// The grant holds, whether the new budget can be read or not.
	if s, err := l.Balance(ctx, release.Accounting(a.table), a.Analyst, a.limit); err == nil {
		raised := &s.Budget
		if s.Cap != nil {
			raised = s.Cap
		}
		a.raised, a.Budget = accountant.Named(*raised), books.CappedAmounts(accountant.Loss(*raised), *raised)
	}
	return nil
}

// String says what was done.
func (a *Act) String() string {
	text := a.words(map[Kind]string{Grant: "granted", Freeze: "frozen", Thaw: "thawed", Epoch: "opened an epoch", Decline: "declined a request", Resolve: "noted a decision"})
	if a.Budget != nil {
		text += ", which makes " + a.raised.String()
	}
	return fmt.Sprintf("%s (entry %d of the ledger, by %s: %s)", text, a.Entry, a.By, terminal.OneLine(a.Reason))
}

// Words say what is to be done, and about whom.
func (a *Act) Words() string {
	return a.words(map[Kind]string{Grant: "grant", Freeze: "freeze", Thaw: "thaw", Epoch: "open an epoch", Decline: "decline a request", Resolve: "note a decision", Publish: "publish", Seal: "seal an epoch"})
}

func (a *Act) words(names map[Kind]string) string {
	what := names[a.Kind]
	if a.Granted != nil {
		what += " " + books.GrantText(a.amount)
	}
	of := a.Table
	if a.Kind == Publish {
		of = a.publication.Name.String() + ", a copy of " + of
	}
	if a.Analyst != "" {
		of = a.Analyst + " on " + of
	}
	return what + ": " + of
}

// An Outlook is what an act would change.
type Outlook struct {
	Before, After books.Line
	// Impossible says why it cannot be done; empty if it can. What else speaks against it shows when it is done.
	Impossible string
	// Basis is what it would change that of.
	Basis ledger.Basis

	// Of an act that reads rows: what it is charged, and what is published. Additive says that After has the charge, which is composed with the others otherwise.
	Charged, Published string
	Additive           bool
	Epochs             int // that an audited table has
}

// Outlook shows what the act would change now.
func (a *Act) Outlook(ctx context.Context, r *ledger.Reader) (o Outlook, err error) {
	accounting := release.Accounting(a.table)
	found, err := r.Outlook(ctx, accounting, a.Analyst, a.limit, a.amount)
	if err != nil {
		return o, err
	}
	line := func(b accountant.Balance) books.Line {
		if a.Analyst != "" {
			return books.NewAnalystLine(a.table, accounting, a.Analyst, a.limit, b)
		}
		return books.NewTableLine(a.table, accounting, b)
	}
	o.Before, o.Basis = line(found.Before), found.Basis
	if a.ReadsRows() {
		err = a.outlook(ctx, r, &o)
		return o, err
	}
	reason, frozen := found.Frozen[a.Analyst]
	switch a.Kind {
	case Grant, Decline, Resolve, Publish, Seal:
	case Freeze:
		if frozen {
			o.Impossible = "it is frozen already: " + reason
		}
		found.Frozen[a.Analyst] = a.Reason
	case Thaw:
		if !frozen {
			o.Impossible = "it is not frozen"
		}
		delete(found.Frozen, a.Analyst)
	case Epoch:
		found.After = accountant.Balance{Epoch: found.Before.Epoch + 1, Budget: a.table.Budget, Left: accountant.Loss{}.Remaining(a.table.Budget)}
	}
	found.After.Frozen = cmp.Or(found.Frozen[""], found.Frozen[a.Analyst])
	o.After = line(found.After)
	return o, nil
}
