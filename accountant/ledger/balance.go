package ledger

import (
	"context"
	"errors"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/policy"
)

// Balance says how a table stands, and an analyst on it. What it points to must not be changed.
func (r *Reader) Balance(ctx context.Context, a accountant.Accounting, analyst string, limit *policy.Budget) (accountant.Balance, error) {
	found, err := r.Balances(ctx, []BalanceOf{{a, analyst, limit}})
	if err != nil {
		return accountant.Balance{}, err
	}
	return found[0], nil
}

// A BalanceOf says of what a balance is, as the arguments of Balance do.
type BalanceOf struct {
	Accounting accountant.Accounting
	Analyst    string
	Limit      *policy.Budget
}

// Balances are many at once, of the same moment: the ledger is looked at once.
func (r *Reader) Balances(ctx context.Context, asked []BalanceOf) ([]accountant.Balance, error) {
	type look struct {
		extract     journal.Extract
		key         balanceKey
		keep, known bool
	}
	looks, found := make([]look, len(asked)), make([]accountant.Balance, len(asked))
	err := r.look(ctx, func(s *journal.State) {
		now := r.now().UnixNano()
		for i, of := range asked {
			l := &looks[i]
			if l.key, l.keep = balanceKeyOf(s, of.Accounting, of.Analyst, of.Limit, now); l.keep {
				found[i], l.known = r.balances.kept.Get(l.key)
			}
			if !l.known {
				l.extract = s.Extract(of.Accounting, of.Analyst, of.Limit, now)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range looks {
		if l := &looks[i]; !l.known {
			found[i] = l.extract.Balance(r.composer)
			if l.keep {
				r.balances.kept.Add(l.key, found[i])
			}
		}
	}
	return found, nil
}

// Epoch is a table's present one, from 1.
func (r *Reader) Epoch(ctx context.Context, table policy.TableName) (epoch int64, err error) {
	err = r.look(ctx, func(s *journal.State) { epoch = s.Table(table).Epoch })
	return epoch, err
}

// A ChargedTable is one that the ledger knows, whether the policy does or not.
type ChargedTable struct {
	accountant.Accounting          // that its last charge was made under
	Analysts              []string // who were charged in its present epoch, by name
	Epoch                 int64
}

// Charged lists the tables that something was charged for, by name.
func (r *Reader) Charged(ctx context.Context) (charged []ChargedTable, err error) {
	var fault error
	err = r.look(ctx, func(s *journal.State) {
		for _, name := range s.TableNames() {
			t := s.Tables[name]
			if t.All.Risk == 0 && len(t.All.Days) == 0 && len(t.Earlier) == 0 {
				continue // a steward's acts alone
			}
			latest, _, err := t.Latest.Of(name)
			fault = errors.Join(fault, err)
			latest.Adjacency = t.Adjacency
			charged = append(charged, ChargedTable{Accounting: latest, Analysts: journal.SortedKeys(t.Analysts), Epoch: t.Epoch})
		}
	})
	if err == nil {
		err = r.readError(ctx, fault)
	}
	return charged, err
}
