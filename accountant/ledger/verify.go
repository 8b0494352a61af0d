package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// A Verification is what was found when all of a ledger was read.
type Verification struct {
	Ledger      string // its identity
	Entries     int64
	Head        journal.Mark
	Charges     int64
	Releases    int64
	Checkpoints int64
	Dropped     int64 // notes of which what they said was dropped
	// Broken says that the chain could not be followed behind Entries, so that Head is no head.
	Broken bool
	// Unguarded says that there is no guard, by which an older copy of the ledger would be told.
	Unguarded bool
	// Problems are contradictions; none if the ledger is sound. Behind the first one in the chain nothing more of the chain is looked at.
	Problems []Problem
}

// A Problem is a contradiction that was found in a ledger.
type Problem struct {
	Entry int64 // where; 0 if it is in no entry
	Text  string
}

// HashOf is the hash of an entry, if there is one.
func (r *Reader) HashOf(ctx context.Context, entry int64) (hash [32]byte, found bool, err error) {
	b, found, err := store.One(ctx, r.store, store.ScanBytes, store.HashQuery, entry)
	return journal.DigestOf(b), found, r.readError(ctx, err)
}

// Verify reads the whole ledger as it is at one moment, and looks whether it contradicts itself: that every row of every table is the one that
// was written, by the chain of hashes, and none is missing or one too many; that what is recorded, answered, adopted and abandoned was
// charged before; that sums and checkpoints are those of the entries; that no budget was exceeded under the accounting that its charges were
// made under; that of notes no other content is gone than entries say; and that the guard, if there is one, remembers this ledger.
//
// It does not see an edit by somebody who computes all hashes anew up to the head, unless the guard, or a Mark that was noted elsewhere, does.
// Progress, if it is not nil, is told how many entries were read, and of how many.
func (r *Reader) Verify(ctx context.Context, progress func(done, total int64)) (*Verification, error) {
	// What the guard remembers was written before it is read, and so it is in the snapshot that is taken afterwards.
	remembered, guardErr := r.store.Remembered()
	snap, err := r.store.Snapshot(ctx)
	if err != nil {
		return nil, r.readError(ctx, err)
	}
	defer snap.Close()
	v := newVerifier(r.composer)
	v.snap, v.reader, v.remembered, v.guardErr, v.progress = snap, r, remembered, guardErr, progress
	if err := v.run(ctx); err != nil {
		return nil, r.readError(ctx, err)
	}
	return &v.found, nil
}

// Check is Verify that returns ErrUnavailable for the first problem.
func (r *Reader) Check(ctx context.Context) error {
	found, err := r.Verify(ctx, nil)
	if err == nil && len(found.Problems) > 0 {
		err = r.inconsistent(&contradiction{errors.New(found.Problems[0].Text)})
	}
	return err
}

// A verifier verifies a ledger.
type verifier struct {
	snap     store.Snapshot
	reader   *Reader
	state    *journal.State
	budgets  *journal.BudgetCheck
	thinning *journal.ThinCheck
	progress func(done, total int64)
	broken   bool // the chain
	// What the guard remembers.
	remembered journal.Witness
	guardErr   error
	found      Verification
}

func newVerifier(c *composition.Composer) *verifier {
	return &verifier{state: journal.NewState(), budgets: journal.NewBudgetCheck(c), thinning: &journal.ThinCheck{}}
}

// sum says what was found in the chain.
func (v *verifier) sum() {
	v.found.Ledger, v.found.Entries = v.state.Ledger, v.state.Position
	v.found.Head = journal.Mark{Entry: v.state.Position, Hash: v.state.Hash}
	v.found.Charges, v.found.Releases = v.state.Last.Charge, v.state.Last.Release
	v.found.Dropped = v.state.Notes.Dropped
	v.found.Broken = v.broken
}

const maxProblems = 100

func (v *verifier) problem(entry int64, format string, args ...any) {
	if len(v.found.Problems) < maxProblems {
		v.found.Problems = append(v.found.Problems, Problem{Entry: entry, Text: fmt.Sprintf(format, args...)})
	}
}

// run looks at the chain, and at the files meanwhile.
func (v *verifier) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	file := make(chan fileCheck)
	go func() { file <- v.reader.checkFile(ctx) }()
	err := v.rowsAndChain(ctx)
	if err != nil {
		cancel()
	}
	c := <-file
	cancel()
	if err == nil {
		err = c.err
	}
	for _, problem := range c.problems {
		v.problem(0, "%s", problem)
	}
	return err
}

// rowsAndChain looks at all that is in the tables.
func (v *verifier) rowsAndChain(ctx context.Context) error {
	h, err := v.head(ctx)
	if err != nil {
		return err
	}
	if err := v.chain(ctx, h); err != nil {
		return err
	}
	if !v.broken && (h.Entry != v.state.Position || h.Hash != v.state.Hash) {
		v.problem(0, "the head is entry %d with hash %v, and the last entry is %d with hash %v", h.Entry, h.Hash, v.state.Position, v.state.Hash)
	}
	v.end()
	for _, check := range []func(context.Context) error{v.identity, v.rows, v.proxies, v.guard} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	v.sum()
	v.found.Unguarded = v.guardErr == nil && !v.remembered.Known()
	return nil
}

// head reads the head, of which there is one.
func (v *verifier) head(ctx context.Context) (journal.Head, error) {
	heads, err := store.Collect(ctx, v.snap, store.ScanHead, store.HeadQuery+` WHERE singleton = 1`)
	if err != nil {
		return journal.Head{}, err
	}
	rows, _, err := store.One(ctx, v.snap, store.ScanNumber, `SELECT count(*) FROM head`)
	if err != nil {
		return journal.Head{}, err
	}
	if len(heads) != 1 || rows != 1 {
		v.problem(0, "there is not exactly one head")
		return journal.Head{}, nil
	}
	return heads[0], nil
}

// A page is what was read at once.
type page struct {
	entries []*journal.Entry
	err     error
}

// pages reads all entries, ahead of those that are looked at. Nothing else may use the snapshot until stop returns. It does not cancel a
// query: that would cost a connection, and with it the snapshot.
func (v *verifier) pages(ctx context.Context) (pages <-chan page, stop func()) {
	out, done := make(chan page), make(chan struct{})
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(out)
		for next := v.state.Position + 1; ; {
			entries, err := store.ReadEntries(ctx, v.snap, next, next+store.ScanPage-1)
			if err == nil && len(entries) == 0 {
				return
			}
			select {
			case out <- page{entries, err}:
			case <-done:
				return
			}
			if err != nil {
				return
			}
			next = entries[len(entries)-1].ID + 1
		}
	})
	return out, func() {
		close(done)
		reading.Wait()
	}
}

// chain applies all entries.
func (v *verifier) chain(ctx context.Context, h journal.Head) error {
	pages, stop := v.pages(ctx)
	defer stop()
	for p := range pages {
		if p.err != nil {
			return p.err
		}
		for _, e := range p.entries {
			if err := v.entry(e); err != nil {
				v.problem(e.ID, "%v", err)
				v.broken = true
				return nil
			}
		}
		if v.progress != nil {
			v.progress(v.state.Position, max(h.Entry, v.state.Position))
		}
	}
	return nil
}

// entry applies an entry. What it says is compared with what is known before it.
func (v *verifier) entry(e *journal.Entry) error {
	v.budgets.Before(v.state, e, v.problem)
	if e.Kind == journal.KindCheckpoint {
		v.found.Checkpoints++
		if v.state.CheckpointBody() != e.Body {
			v.problem(e.ID, "the checkpoint does not say what the entries before it do")
		}
	}
	if err := v.state.Apply(e); err != nil {
		return err
	}
	v.budgets.After(v.state, e)
	v.thinning.After(e, v.problem)
	return nil
}

// end ends the checks that go along with the chain.
func (v *verifier) end() {
	v.budgets.End(v.state, v.problem)
	if !v.broken {
		v.thinning.End(v.problem)
	}
}

// identity compares the table ledger with the chain.
func (v *verifier) identity(ctx context.Context) error {
	type identity struct {
		singleton, created int64
		id                 string
		version            int
	}
	version := "1"
	if v.state.Format.Version > 1 {
		version = "version"
	}
	ids, err := store.Collect(ctx, v.snap, func(row store.Scanner) (i identity, err error) {
		return i, row.Scan(&i.singleton, &i.id, &i.created, &i.version)
	}, `SELECT singleton, id, created, `+version+` FROM ledger`)
	if err != nil {
		return err
	}
	first, _, err := store.One(ctx, v.snap, store.ScanNumber, `SELECT at FROM entry WHERE id = 1`)
	if err != nil {
		return err
	}
	if len(ids) != 1 || ids[0] != (identity{1, first, v.state.Ledger, v.state.Format.Version}) {
		v.problem(0, "the table ledger does not say what the entries do")
	}
	return nil
}

// rows counts the rows of each table: there are as many as belong to the entries.
func (v *verifier) rows(ctx context.Context) error {
	if v.broken {
		return nil
	}
	for table, want := range map[string]int64{
		"entry": v.state.Position, "charge": v.state.Last.Charge, "release": v.state.Last.Release,
		"audit_event": v.state.Last.Event, "audit_answer": v.state.Last.Answer,
	} {
		got, _, err := store.One(ctx, v.snap, store.ScanNumber, `SELECT count(*) FROM `+table)
		if err != nil {
			return err
		}
		if got != want {
			v.problem(0, "there are %d rows of %s, and the chain has %d", got, table, want)
		}
	}
	return nil
}

// proxies compares the processes' rows with their digests, and looks for those that have charged and have none.
func (v *verifier) proxies(ctx context.Context) error {
	rows, err := store.Collect(ctx, v.snap, store.ScanProxy, store.ProxiesQuery)
	if err != nil {
		return err
	}
	known := map[string]bool{"": true} // nobody, by whom orphans are adopted
	for _, row := range rows {
		known[row.ID] = true
		if v.state.Linker.Proxy(&row) != row.Digest {
			v.problem(0, "the row of proxy %s is not as it was written", row.ID)
		}
	}
	for _, owner := range journal.SortedKeys(v.state.Owners) {
		if !known[owner] {
			v.problem(0, "the row of proxy %s is missing", owner)
		}
	}
	return nil
}

// guard compares the ledger with what the guard remembers, if there is one.
func (v *verifier) guard(ctx context.Context) error {
	if v.guardErr != nil {
		v.problem(0, "the guard cannot be read: %v", v.guardErr)
		return nil
	}
	entry, problem, err := headMismatch(ctx, v.snap, v.remembered, v.state.Ledger)
	if problem != "" {
		v.problem(entry, "%s", problem)
	}
	return err
}

// A fileCheck is what a store says of its own files.
type fileCheck struct {
	problems []string
	err      error
}

// checkFile has the store look at its own files, if it has any.
func (r *Reader) checkFile(ctx context.Context) (c fileCheck) {
	s, ok := r.store.(interface {
		Integrity(ctx context.Context) (problem string, err error)
		SchemaChange(ctx context.Context) (problem string, err error)
	})
	if !ok {
		return c
	}
	for _, look := range []func(context.Context) (string, error){s.Integrity, s.SchemaChange} {
		problem, err := look(ctx)
		if err != nil {
			c.err = err
			return c
		}
		if problem != "" {
			c.problems = append(c.problems, problem)
		}
	}
	return c
}

// String is for people.
func (p Problem) String() string {
	if p.Entry == 0 || strings.HasPrefix(p.Text, "entry ") {
		return p.Text
	}
	return fmt.Sprintf("entry %d: %s", p.Entry, p.Text)
}
