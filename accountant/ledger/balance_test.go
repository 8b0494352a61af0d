package ledger

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/policy"
)

// Under a rule that composes, more fits into a budget than the sum of losses, and what is shown as spent is what the rule proves.
func TestComposedBudgets(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	c := charge("ana", "", accountant.Loss{Epsilon: 1e7}) // 0.01
	c.Budget, c.Composition = policy.Budget{Epsilon: 2e9, Delta: 1e12}, policy.PLDComposition
	c.Main = composition.Term{Noise: composition.GeometricNoise, Epsilon: 1e7, Moves: 1}
	c.Items[0].Term = c.Main
	c.Cap = &policy.Budget{Epsilon: 1e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap}
	var over *accountant.OverBudgetError
	made := 0
	for ; made < 1000; made++ {
		c.Items[0].Question = question(patients, fmt.Sprint(made))
		if _, err := l.Reserve(ctx, c); err != nil {
			if !errors.As(err, &over) {
				t.Fatal(err)
			}
			break
		}
	}
	filter := c.Filter()
	filter.Epsilon = c.Cap.Epsilon
	var composer composition.Composer
	if made <= 100 || !composer.Covers(filter, composition.Tally{c.Main: int64(made)}) || composer.Covers(filter, composition.Tally{c.Main: int64(made) + 1}) {
		t.Errorf("%d charges fit", made)
	}
	if over.Of != "analyst" || over.Needed != (accountant.Loss{Epsilon: 1e7}) {
		t.Errorf("refused by %+v", over)
	}
	s, err := l.Balance(ctx, c.Accounting, "ana", c.Cap)
	do(t, err)
	want := composer.Spent(filter, composition.Tally{c.Main: int64(made)})
	if s.Own.Epsilon != want.Epsilon || s.Own.Delta != want.Delta || s.Own.Epsilon >= policy.Epsilon(made)*1e7 || s.OwnLeft.Epsilon != 1e9-want.Epsilon {
		t.Errorf("%+v; spent is %+v", s, want)
	}
	c.Cap = nil
	reserve(t, l, c)
}

// A charge counts for the whole of the window, and until the end of the day after that, since its answer may come a day later; the lifetime has
// it for ever.
func TestWindow(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	now := time.Date(2036, 3, 1, 18, 0, 0, 0, time.UTC)
	l.setClock(func() time.Time { return now })
	c := charge("ana", "a", accountant.Loss{Epsilon: 6e8})
	c.Window = 48 * time.Hour
	reserve(t, l, c)
	next := c
	next.Items = []accountant.Item{{Question: question(patients, "b"), Loss: accountant.Loss{Epsilon: 5e8}}}
	var over *accountant.OverBudgetError
	for _, at := range []time.Time{now, now.Add(48 * time.Hour), time.Date(2036, 3, 4, 23, 59, 59, 999999999, time.UTC)} {
		now = at
		if _, err := l.Reserve(ctx, next); !errors.As(err, &over) {
			t.Fatalf("at %v: error %v, want over budget", at, err)
		}
	}
	now = time.Date(2036, 3, 5, 0, 0, 0, 0, time.UTC)
	closeLedger(t, l)
	l = open(t, path)
	l.setClock(func() time.Time { return now })
	reserve(t, l, next)
	s, err := l.Balance(ctx, c.Accounting, "ana", nil)
	do(t, err)
	if s.Spent.Epsilon != 5e8 || s.Own.Epsilon != 5e8 || s.Lifetime.Epsilon != 11e8 || s.OwnLifetime.Epsilon != 11e8 || s.Left.Epsilon != 5e8 {
		t.Errorf("the standing is %+v", s)
	}
}

// A clock that was ahead for a moment does not empty a window.
func TestWindowAfterAWrongClock(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	now := time.Date(2036, 3, 1, 18, 0, 0, 0, time.UTC)
	l.setClock(func() time.Time { return now })
	spend := func(text string) error {
		c := charge("ana", text, accountant.Loss{Epsilon: 1e9})
		c.Window = 30 * 24 * time.Hour
		_, err := l.Reserve(ctx, c)
		return err
	}
	do(t, spend("a"))
	now = now.AddDate(10, 0, 0)
	_, err := l.Freeze(ctx, Freeze{Table: visits, By: "root", Reason: "x"})
	do(t, err)
	now = now.AddDate(-10, 0, 1)
	var over *accountant.OverBudgetError
	if err := spend("b"); !errors.As(err, &over) {
		t.Errorf("after the clock was put right: error %v, want over budget", err)
	}
	s, err := l.Balance(ctx, accountant.Accounting{Table: patients, Composition: policy.BasicComposition, Window: 30 * 24 * time.Hour}, "ana", nil)
	if err != nil || s.Spent.Epsilon != 1e9 {
		t.Errorf("the standing is %+v, %v", s, err)
	}
}

// Each block has the whole budget. What names no block counts in all, and so does what was charged under another partition.
func TestBlocks(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	n := 0
	try := func(partition string, epsilon policy.Epsilon, blocks ...string) (string, bool) {
		t.Helper()
		n++
		c := charge("ana", fmt.Sprint(n), accountant.Loss{Epsilon: epsilon})
		c.Budget.Epsilon, c.Partition, c.Items[0].Blocks = 10, partition, blocks
		_, err := l.Reserve(ctx, c)
		var over *accountant.OverBudgetError
		if errors.As(err, &over) {
			return over.Block, false
		}
		do(t, err)
		return "", true
	}
	for i, step := range []struct {
		partition string
		epsilon   policy.Epsilon
		blocks    []string
		over      string
		fits      bool
	}{
		{"month", 6, []string{"01", "02"}, "", true},
		{"month", 5, []string{"02", "03"}, "02", false},
		{"month", 7, []string{"03"}, "", true},
		{"month", 4, nil, "03", false},
		{"month", 3, nil, "", true},               // 01: 9, 02: 9, 03: 10
		{"month", 8, []string{"04"}, "04", false}, // which has the 3 of all
		{"month", 7, []string{"04"}, "", true},
		{"month", 1, []string{"03"}, "03", false},
		{"month", 1, []string{"01"}, "", true},
		{"month", 0, nil, "", true},
		{"", 1, nil, "", false}, // 24 in all
		{"year", 1, []string{"2026"}, "2026", false},
	} {
		if over, fits := try(step.partition, step.epsilon, step.blocks...); fits != step.fits || over != step.over {
			t.Errorf("step %d: fits: %v, over in %q", i, fits, over)
		}
	}
	closeLedger(t, l)
	l = open(t, path)
	a := charge("ana", "", accountant.Loss{}).Accounting
	a.Budget.Epsilon, a.Partition = 10, "month"
	s, err := l.Balance(ctx, a, "ana", nil)
	do(t, err)
	if s.Spent.Epsilon != 10 || s.Block != "01" || len(s.Blocks) != 4 || s.Blocks[1] != (accountant.BlockBalance{Name: "02", Spent: accountant.Loss{Epsilon: 9}, Left: accountant.Loss{Epsilon: 1, Delta: 1e12}}) {
		t.Errorf("the standing is %+v", s)
	}
	s, err = l.Balance(ctx, a, "ana", &policy.Budget{Epsilon: 11, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap})
	do(t, err)
	for _, c := range []struct {
		of        []string
		fullest   string
		left, own policy.Epsilon
	}{
		{nil, "01", 0, 1},
		{[]string{"02"}, "02", 1, 2},
		{[]string{"05", "02", "06"}, "02", 1, 2},
		{[]string{"02", "03"}, "03", 0, 1},
		{[]string{"05", "06"}, "05", 7, 8}, // only what all blocks were charged
	} {
		if got := s.Among(c.of); got.Name != c.fullest || got.Left.Epsilon != c.left || got.OwnLeft.Epsilon != c.own {
			t.Errorf("of %v: %+v, own %v", c.of, got, got.OwnLeft)
		}
	}
	a.Partition = ""
	if s, err := l.Balance(ctx, a, "ana", nil); err != nil || s.Spent.Epsilon != 24 {
		t.Errorf("without blocks the standing is %+v, %v", s, err)
	}
}

// A state that was read from a checkpoint is the one that all entries together make.
func TestCheckpoints(t *testing.T) {
	path := newPath(t)
	ctx := context.Background()
	eventful(t, path)
	l := open(t, path) // seals after many entries, so that at least one follows the last checkpoint
	_, err := l.Freeze(ctx, Freeze{Table: patients, Analyst: "eve", By: "root", Reason: "after the last checkpoint"})
	do(t, err)
	closeLedger(t, l)
	r, err := look(path)
	do(t, err)
	defer r.Close()
	snap, err := r.store.Snapshot(ctx)
	do(t, err)
	defer snap.Close()
	whole := journal.NewState()
	do(t, advance(ctx, snap, whole))
	loaded, err := load(ctx, r.store)
	do(t, err)
	if loaded.Checkpoint == 1 || loaded.Checkpoint == loaded.Position {
		t.Fatalf("the last checkpoint is %d of %d entries: nothing was tested", loaded.Checkpoint, loaded.Position)
	}
	if a, b := whole.CheckpointBody(), loaded.CheckpointBody(); a != b || whole.Hash != loaded.Hash || whole.Checkpoint != loaded.Checkpoint || whole.Weight != loaded.Weight {
		t.Errorf("from the first entry:\n%s\nfrom the checkpoint:\n%s", a, b)
	}
	for name, table := range whole.Tables {
		if got := loaded.Table(name).Answers; got != table.Answers {
			t.Errorf("%v has %d answers from the first entry, and %d from the checkpoint", name, table.Answers, got)
		}
	}
	v, err := r.Verify(ctx, nil)
	if err != nil || v.Checkpoints < 2 || len(v.Problems) > 0 {
		t.Errorf("verified: %+v, %v", v, err)
	}
}

// Budgets that were exceeded are found from the entries, whatever the program that wrote them thought of it.
func TestVerifyFindsOverspending(t *testing.T) {
	for name, spend := range map[string]func(l *Ledger, p *batch){
		"a table's": func(l *Ledger, p *batch) { overspend(p, charge("ana", "a", accountant.Loss{Epsilon: 1e9 + 1})) },
		"an analyst's": func(l *Ledger, p *batch) {
			c := charge("ana", "a", accountant.Loss{Epsilon: 5})
			c.Cap = &policy.Budget{Epsilon: 4}
			overspend(p, c)
		},
		"one that a grant raised later": func(l *Ledger, p *batch) {
			overspend(p, charge("ana", "a", accountant.Loss{Epsilon: 1e9 + 1}))
			e := journal.NewEntry(journal.KindGranted, patients, "")
			e.Body = journal.Marshal(journal.ActionBody{By: "root", Reason: "x", Amounts: &journal.Amounts{Epsilon: 5}})
			p.Add(e)
		},
		"one that was raised later": func(l *Ledger, p *batch) {
			overspend(p, charge("ana", "a", accountant.Loss{Epsilon: 1e9 + 1}))
			c := charge("ana", "b", accountant.Loss{Epsilon: 1})
			c.Budget.Epsilon = 2e9
			overspend(p, c)
		},
		"one of an epoch that is over": func(l *Ledger, p *batch) {
			overspend(p, charge("ana", "a", accountant.Loss{Epsilon: 1e9 + 1}))
			e := journal.NewEntry(journal.KindEpoch, patients, "")
			e.Epoch, e.Body = 2, journal.Marshal(journal.ActionBody{By: "root", Reason: "x"})
			p.Add(e)
		},
		"a window's, in a day": func(l *Ledger, p *batch) {
			c := charge("ana", "a", accountant.Loss{Epsilon: 1e9 + 1})
			c.Window = 24 * time.Hour
			overspend(p, c)
			p.Now += int64(9 * 24 * time.Hour)
			c = charge("ana", "b", accountant.Loss{Epsilon: 1})
			c.Window = 24 * time.Hour
			overspend(p, c)
		},
		"releases": func(l *Ledger, p *batch) { overspend(p, charge("ana", "a", accountant.Loss{Releases: 1})) },
		"risk": func(l *Ledger, p *batch) {
			e := auditEntry("ana", 1e6+1, 0)
			p.append(&e)
		},
		"a composed one": func(l *Ledger, p *batch) {
			c := charge("ana", "a", accountant.Loss{Epsilon: 2e9})
			c.Composition = policy.PLDComposition
			overspend(p, c)
		},
		"a block's": func(l *Ledger, p *batch) {
			c := charge("ana", "a", accountant.Loss{Epsilon: 1e9 + 1})
			c.Partition, c.Items[0].Blocks = "month", []string{"01"}
			overspend(p, c)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			l, err := openAs(path, Serve)
			do(t, err)
			do(t, l.do(context.Background(), func(p *batch) error {
				p.reserved = true
				spend(l, p)
				return nil
			}))
			closeLedger(t, l)
			r, err := look(path)
			do(t, err)
			defer r.Close()
			v, err := r.Verify(context.Background(), nil)
			do(t, err)
			if len(v.Problems) == 0 {
				t.Error("it was not found")
			}
		})
	}
}

// overspend charges without a look at budgets.
func overspend(p *batch, c accountant.Charge) {
	pending, err := newPendingCharges([]accountant.Charge{c})
	if err != nil {
		panic(err)
	}
	w := &pending[0]
	w.adopts = make([]int64, len(c.Items))
	for _, item := range c.Items {
		w.demand.Items = append(w.demand.Items, journal.DemandedItem{Priced: journal.Priced{Loss: item.Loss}, Blocks: item.Blocks})
		w.demand.Total = w.demand.Total.Add(item.Loss)
	}
	p.reserve(w)
}

// A release of other noise than most of a table's may take more of the budget than its own loss: the error says so.
func TestTakes(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	a := charge("ana", "", accountant.Loss{}).Accounting
	main := composition.Term{Noise: composition.GeometricNoise, Epsilon: 1e8, Moves: 1}
	a.Composition, a.Thresholds, a.Main = policy.PLDComposition, 5e11, main
	a.Budget = policy.Budget{Epsilon: 10e9, Delta: 1e12}
	many := charge("ana", "many", accountant.Loss{Epsilon: 1e8})
	many.Accounting = a
	many.Items[0].Term = main
	for i := range 250 {
		item := many.Items[0]
		item.Key = sha256.Sum256([]byte{byte(i)})
		many.Items = append(many.Items, item)
	}
	many.Items = many.Items[1:]
	_, err := l.Reserve(ctx, many)
	do(t, err)
	one := charge("ana", "one", accountant.Loss{Epsilon: 1e9})
	one.Accounting = a
	one.Items[0].Term = composition.Approximate(1e9, 0)
	_, err = l.Reserve(ctx, one)
	var over *accountant.OverBudgetError
	if !errors.As(err, &over) {
		t.Fatalf("a charge that takes more than is left: %v", err)
	}
	if over.Remaining.Epsilon <= over.Needed.Epsilon || over.Takes.Epsilon <= over.Remaining.Epsilon || over.Takes.Epsilon > 3e9 || over.Takes.Delta != 0 {
		t.Errorf("it says %+v", over)
	}
}
