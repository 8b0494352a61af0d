package advice

import (
	"context"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/spent"
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
	// TooNoisy says that there are releases of which they follow, but with errors larger than the counts that were shown.
	TooNoisy bool
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
	l, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	var advice []*Advice
	for _, t := range p.Tables {
		if t.Mechanism.Kind == policy.Audit {
			continue
		}
		charged, err := l.Charges(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		shown := func(release int64) (float64, error) { return meanShown(ctx, l, release) }
		a, err := adviseOn(t, p.Limits.Cells, charged, shown)
		if err != nil {
			return nil, err
		}
		advice = append(advice, a)
	}
	return advice, nil
}

// adviseOn looks for the release among those of at most limit cells. shown is the mean of the counts of a recorded release.
func adviseOn(t *policy.Table, limit int, charged []ledger.ChargedQuestion, shown func(release int64) (float64, error)) (*Advice, error) {
	made, err := live.NewMechanisms(t, live.NoRandomness{})
	if err != nil {
		return nil, err
	}
	accounting := live.AccountingOf(t, live.MainTerm(made))
	w := newAskedBefore(t, limit, charged)
	a := &Advice{Table: t.Name, Asked: len(charged), Derivable: w.derivable, Spent: spent.On(accounting, charged)}
	mechanism := made[live.SensitivityOfRow]
	if err := w.searchUseful(mechanism, charged, shown); err != nil || w.search.best.answers < 2 {
		a.TooNoisy = w.tooNoisy
		return a, err
	}
	finer := w.finer(mechanism)
	finer.Spent = spent.On(accounting, w.instead(mechanism, charged))
	if finer.Spent.Epsilon < a.Spent.Epsilon {
		a.Finer = finer
	}
	return a, nil
}

// maxUsefulSearches bounds how often smaller releases are looked for.
const maxUsefulSearches = 8

// searchUseful looks for a release whose sums are not noisier than what was shown. The fewer its cells, the fewer are added up.
func (w *askedBefore) searchUseful(m *mechanisms.Mechanism, charged []ledger.ChargedQuestion, shown func(release int64) (float64, error)) error {
	for range maxUsefulSearches {
		w.search.run()
		if w.search.best.answers < 2 {
			return nil
		}
		useful, err := w.useful(m, charged, shown)
		if err != nil || useful {
			w.tooNoisy = false
			return err
		}
		w.tooNoisy, w.search.limit = true, w.search.best.cells/2
	}
	w.search.best = finerRelease{}
	return nil
}

// useful says whether no answer would have had an error larger than its counts, unless it had such an error as it was. It looks at the noisy
// counts that were shown, which cost nothing to look at.
func (w *askedBefore) useful(m *mechanisms.Mechanism, charged []ledger.ChargedQuestion, shown func(release int64) (float64, error)) (bool, error) {
	counts, added := w.search.answered(w.within)
	for i, count := range counts {
		release := charged[w.asked[count].charges[0]].Release
		if release == 0 {
			continue
		}
		mean, err := shown(release)
		if err != nil {
			return false, err
		}
		if sum, _ := m.SumError(added[i]); float64(sum.HalfWidth95) > max(mean, float64(m.HalfWidth95())) {
			return false, nil
		}
	}
	return true, nil
}

// meanShown is the mean of the counts of a recorded release, those below 0 taken as 0.
func meanShown(ctx context.Context, l *ledger.Reader, release int64) (float64, error) {
	payload, err := l.Payload(ctx, release)
	if err != nil {
		return 0, err
	}
	counts, err := cells.DecodeCounts(payload)
	if err != nil || len(counts) == 0 {
		return 0, err
	}
	sum := 0.0
	for _, n := range counts {
		sum += float64(max(0, n))
	}
	return sum / float64(len(counts)), nil
}
