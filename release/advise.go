package release

import (
	"context"

	"tacit/accountant"
	"tacit/policy"
)

// An Advice tells a steward which one finer release would have answered most of the questions that analysts were charged for on a table,
// and what it would have saved. It is about the past: of the questions to come it says as much as those of the past are like them.
type Advice struct {
	Table policy.TableName
	// Asked is how many questions were charged since the epoch began, and Derivable how many of them can follow from other releases at all.
	Asked, Derivable int
	// Spent is what they add up to under the table's rule.
	Spent accountant.Loss
	// Finer is the release; nil if none would have answered two questions or more, or would have cost less than they did.
	Finer *FinerRelease
}

// A FinerRelease is one from whose cells many questions would have followed.
type FinerRelease struct {
	// Statement asks for it.
	Statement string
	Keys      []string // columns
	Where     []string // conditions in canonical form, all of which hold
	Cells     int
	// Answers is how many of the questions it would have answered.
	Answers int
	// Cost is what it would have cost by itself, and Spent what everything would add up to if it had been asked instead of those questions.
	Cost, Spent accountant.Loss
	// Added is how many of its cells a count would have added up in the middle of the answers, and MostAdded at most.
	Added, MostAdded int
	// HalfWidth95 is that of an answer as it was, and AddedHalfWidth95 and MostHalfWidth95 those of sums of so many cells.
	HalfWidth95, AddedHalfWidth95, MostHalfWidth95 int64
	// Recorded says that it was asked for already, so that from then on such questions follow from it.
	Recorded bool
	// Best says that there is no better one; otherwise there may be, for not all could be tried.
	Best bool
}

// Saved is what would have been left besides.
func (a *Advice) Saved() accountant.Loss {
	if a.Finer == nil {
		return accountant.Loss{}
	}
	return saved(a.Spent, a.Finer.Spent)
}

func saved(spent, instead accountant.Loss) accountant.Loss {
	return accountant.Loss{Epsilon: spent.Epsilon - instead.Epsilon, Delta: spent.Delta - min(spent.Delta, instead.Delta)}
}

// Advise reads the ledger of a policy, beside a proxy or without one, and gives an advice on every table whose counts have noise. It
// charges nothing and connects to no database but the ledger's.
func Advise(ctx context.Context, p *policy.Policy) ([]*Advice, error) {
	ledger, err := accountant.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil, err
	}
	defer ledger.Close()
	var advice []*Advice
	for _, t := range p.Tables {
		if t.Mechanism.Kind == policy.Audit {
			continue
		}
		charged, err := ledger.Charges(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		a, err := advise(t, p.Limits.Cells, charged)
		if err != nil {
			return nil, err
		}
		advice = append(advice, a)
	}
	return advice, nil
}

// advise looks for the release among those of at most limit cells.
func advise(t *policy.Table, limit int, charged []accountant.ChargedQuestion) (*Advice, error) {
	made, err := newMechanisms(t, noRandomness{})
	if err != nil {
		return nil, err
	}
	accounting := accountingOf(t, mainTerm(made))
	w := newAskedBefore(t, limit, charged)
	a := &Advice{Table: t.Name, Asked: len(charged), Derivable: w.derivable, Spent: spentOn(accounting, charged)}
	w.search.run()
	if w.search.best.answers < 2 {
		return a, nil
	}
	mechanism := made[sensitivity{1, 1}]
	finer := w.finer(mechanism)
	finer.Spent = spentOn(accounting, w.instead(mechanism, charged))
	if finer.Spent.Epsilon < a.Spent.Epsilon {
		a.Finer = finer
	}
	return a, nil
}
