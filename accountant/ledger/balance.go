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
	var v journal.Extract
	var key balanceKey
	var found accountant.Balance
	var keep, known bool
	err := r.look(ctx, func(s *journal.State) {
		now := r.now().UnixNano()
		if key, keep = balanceKeyOf(s, a, analyst, limit, now); keep {
			found, known = r.balances.kept.Get(key)
		}
		if !known {
			v = s.Extract(a, analyst, limit, now)
		}
	})
	if err != nil || known {
		return found, err
	}
	found = v.Balance(r.composer)
	if keep {
		r.balances.kept.Add(key, found)
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
