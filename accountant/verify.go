package accountant

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Verification is what was found when all of a ledger was read.
type Verification struct {
	Ledger      string // its identity
	Entries     int64
	Head        Mark
	Charges     int64
	Releases    int64
	Checkpoints int64
	// Broken says that the chain could not be followed behind Entries, so that Head is no head.
	Broken bool
	// Problems are contradictions; none if the ledger is sound. Behind the first one in the chain nothing more of the chain is looked at.
	Problems []Problem
}

// A Problem is a contradiction that was found in a ledger.
type Problem struct {
	Entry int64 // where; 0 if it is in no entry
	Text  string
}

// A Mark is an entry with its hash. Whoever has noted one can tell that a ledger still has all that it had then.
type Mark struct {
	Entry int64
	Hash  [32]byte
}

// String is NUMBER:HASH.
func (m Mark) String() string { return fmt.Sprintf("%d:%x", m.Entry, m.Hash) }

// ParseMark reads what Mark.String wrote.
func ParseMark(text string) (m Mark, err error) {
	number, hash, _ := strings.Cut(text, ":")
	if m.Entry, err = strconv.ParseInt(number, 10, 64); err == nil {
		err = (*digest)(&m.Hash).parse(hash)
	}
	if err != nil || m.Entry <= 0 || m.String() != text {
		return Mark{}, fmt.Errorf("%q is not a mark: write NUMBER:HASH, as tacit verify prints it", text)
	}
	return m, nil
}

// HashOf is the hash of an entry, if there is one.
func (r *Reader) HashOf(ctx context.Context, entry int64) (hash [32]byte, found bool, err error) {
	b, found, err := one(ctx, r.store, scanBytes, hashQuery, entry)
	return digestOf(b), found, r.readError(ctx, err)
}

// Verify reads the whole ledger as it is at one moment, and looks whether it contradicts itself: that every row of every table is the one that
// was written, by the chain of hashes, and none is missing or one too many; that what is recorded, answered, adopted and abandoned was
// charged before; that sums and checkpoints are those of the entries; that no budget was exceeded under the accounting that its charges were
// made under; and that the guard, if there is one, remembers this ledger.
//
// It does not see an edit by somebody who computes all hashes anew up to the head, unless the guard, or a Mark that was noted elsewhere, does.
// Progress, if it is not nil, is told how many entries were read, and of how many.
func (r *Reader) Verify(ctx context.Context, progress func(done, total int64)) (*Verification, error) {
	// What the guard remembers was written before it is read, and so it is in the snapshot that is taken afterwards.
	remembered, guardErr := r.store.remembered()
	snap, err := r.store.snapshot(ctx)
	if err != nil {
		return nil, r.readError(ctx, err)
	}
	defer snap.close()
	v := &verifier{snap: snap, reader: r, remembered: remembered, guardErr: guardErr, state: newState(), overseer: newOverseer(r), progress: progress}
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
	snap     snapshot
	reader   *Reader
	state    *state
	overseer *overseer
	progress func(done, total int64)
	broken   bool // the chain
	// What the guard remembers.
	remembered mark
	guardErr   error
	found      Verification
}

const maxProblems = 100

func (v *verifier) problem(entry int64, format string, args ...any) {
	if len(v.found.Problems) < maxProblems {
		v.found.Problems = append(v.found.Problems, Problem{Entry: entry, Text: fmt.Sprintf(format, args...)})
	}
}

func (v *verifier) run(ctx context.Context) error {
	h, err := v.head(ctx)
	if err != nil {
		return err
	}
	if err := v.chain(ctx, h); err != nil {
		return err
	}
	if !v.broken && (h.entry != v.state.position || h.hash != v.state.hash) {
		v.problem(0, "the head is entry %d with hash %v, and the last entry is %d with hash %v", h.entry, h.hash, v.state.position, v.state.hash)
	}
	for _, check := range []func(context.Context) error{v.identity, v.rows, v.proxies, v.guard, v.file} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	v.found.Ledger, v.found.Entries = v.state.ledger, v.state.position
	v.found.Head = Mark{Entry: v.state.position, Hash: v.state.hash}
	v.found.Broken = v.broken
	v.found.Charges, v.found.Releases = v.state.last.charge, v.state.last.release
	return nil
}

// head reads the head, of which there is one.
func (v *verifier) head(ctx context.Context) (head, error) {
	heads, err := collect(ctx, v.snap, scanHead, headQuery+` WHERE singleton = 1`)
	if err != nil {
		return head{}, err
	}
	rows, _, err := one(ctx, v.snap, scanNumber, `SELECT count(*) FROM head`)
	if err != nil {
		return head{}, err
	}
	if len(heads) != 1 || rows != 1 {
		v.problem(0, "there is not exactly one head")
		return head{}, nil
	}
	return heads[0], nil
}

// chain takes in all entries.
func (v *verifier) chain(ctx context.Context, h head) error {
	for {
		entries, err := readEntries(ctx, v.snap, v.state.position+1, v.state.position+scanPage)
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			if err := v.entry(e); err != nil {
				v.problem(e.id, "%v", err)
				v.broken = true
				return nil
			}
		}
		if v.progress != nil {
			v.progress(v.state.position, max(h.entry, v.state.position))
		}
	}
}

// entry takes in an entry. What it says is compared with what is known before it.
func (v *verifier) entry(e *entryRow) error {
	v.overseer.before(v.state, e, v.problem)
	if e.kind == kindCheckpoint {
		v.found.Checkpoints++
		if v.state.checkpointBody() != e.body {
			v.problem(e.id, "the checkpoint does not say what the entries before it do")
		}
	}
	if err := v.state.apply(e); err != nil {
		return err
	}
	v.overseer.after(v.state, e)
	return nil
}

// identity compares the table ledger with the first entry, and ends the oversight of budgets.
func (v *verifier) identity(ctx context.Context) error {
	v.overseer.end(v.state, v.problem)
	type identity struct {
		singleton, created int64
		id                 string
	}
	ids, err := collect(ctx, v.snap, func(row scanner) (i identity, err error) {
		return i, row.Scan(&i.singleton, &i.id, &i.created)
	}, `SELECT singleton, id, created FROM ledger`)
	if err != nil {
		return err
	}
	first, _, err := one(ctx, v.snap, scanNumber, `SELECT at FROM entry WHERE id = 1`)
	if err != nil {
		return err
	}
	if len(ids) != 1 || ids[0] != (identity{1, first, v.state.ledger}) {
		v.problem(0, "the table ledger does not say what the first entry does")
	}
	return nil
}

// rows counts the rows of each table: there are as many as belong to the entries.
func (v *verifier) rows(ctx context.Context) error {
	if v.broken {
		return nil
	}
	for table, want := range map[string]int64{
		"entry": v.state.position, "charge": v.state.last.charge, "release": v.state.last.release,
		"audit_event": v.state.last.event, "audit_answer": v.state.last.answer,
	} {
		got, _, err := one(ctx, v.snap, scanNumber, `SELECT count(*) FROM `+table)
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
	rows, err := collect(ctx, v.snap, scanProxy, proxiesQuery)
	if err != nil {
		return err
	}
	known := map[string]bool{"": true} // who charged in a former version
	for _, row := range rows {
		known[row.id] = true
		if v.state.linker.proxy(&row) != row.digest {
			v.problem(0, "the row of proxy %s is not as it was written", row.id)
		}
	}
	for _, owner := range sortedKeys(v.state.owners) {
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
	entry, problem, err := v.remembered.contradicts(ctx, v.snap, v.state.ledger)
	if problem != "" {
		v.problem(entry, "%s", problem)
	}
	return err
}

// file has the store look at its own files, if it has any.
func (v *verifier) file(ctx context.Context) error {
	s, ok := v.reader.store.(interface {
		integrity(ctx context.Context) (problem string, err error)
		meddled(ctx context.Context) (problem string, err error)
	})
	if !ok {
		return nil
	}
	for _, look := range []func(context.Context) (string, error){s.integrity, s.meddled} {
		problem, err := look(ctx)
		if err != nil {
			return err
		}
		if problem != "" {
			v.problem(0, "%s", problem)
		}
	}
	return nil
}

// String is for people.
func (p Problem) String() string {
	if p.Entry == 0 || strings.HasPrefix(p.Text, "entry ") {
		return p.Text
	}
	return fmt.Sprintf("entry %d: %s", p.Entry, p.Text)
}
