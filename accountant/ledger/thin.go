package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// Thinning. What notes say, the entries of statements that cost nothing, is dropped when it is old, or when there are too many. Charges, answers and acts stay,
// and so do the rows of notes, so that the chain can be followed: see package journal. Since entries are in the order of their times, the oldest notes are always those
// with the lowest numbers: the ledger knows up to which entry all were dropped, and how many are left, and a page of notes is read where one may be due.

// A Thinning is what was dropped.
type Thinning struct {
	Through                    int64     // up to this entry all notes were dropped
	Before                     time.Time // all that was dropped is older; zero if some of it is not, of which there were too many
	Replayed, Derived, Refused int64     // how many
}

// Sum is how many notes were dropped.
func (t Thinning) Sum() int64 { return t.Replayed + t.Derived + t.Refused }

func (t *Thinning) add(more *duePage) {
	switch {
	case more.body.Before == 0:
		t.Before = time.Time{}
	case t.Sum() == 0 || !t.Before.IsZero():
		t.Before = time.Unix(0, more.body.Before).UTC()
	}
	t.Through = more.body.Through
	t.Replayed += more.body.Dropped.Replayed
	t.Derived += more.body.Dropped.Derived
	t.Refused += more.body.Dropped.Refused
}

const (
	// thinAtOnce is how many notes are dropped in one transaction, for which other writers wait.
	thinAtOnce = 2000
	// thinPause is the time between two such transactions.
	thinPause = 50 * time.Millisecond
)

// ErrFormerFormat is returned when a ledger's notes cannot be dropped, since its format is older.
var ErrFormerFormat = errors.New("accountant: the ledger has a former format, of which nothing can be dropped; a proxy brings it up when it starts")

// errThinnedMeanwhile is returned when another process has dropped notes after this page was read.
var errThinnedMeanwhile = errors.New("accountant: notes were dropped meanwhile")

// Thin drops what the notes say that are not to be kept, some at a time, so that others who write wait for a moment only. What was dropped is in the log. It returns what
// this process has dropped, also with an error. Several processes may do so at once.
func (l *Ledger) Thin(ctx context.Context, keep policy.Keep) (done Thinning, err error) {
	for {
		page, err := l.due(ctx, keep)
		if err != nil || page == nil {
			return done, err
		}
		switch err := l.do(ctx, page.write); {
		case errors.Is(err, errThinnedMeanwhile):
			continue
		case err != nil:
			return done, err
		}
		done.add(page)
		if !page.full {
			return done, nil
		}
		select {
		case <-time.After(thinPause):
		case <-ctx.Done():
			return done, ctx.Err()
		}
	}
}

// Due is what Thin would drop.
func (r *Reader) Due(ctx context.Context, keep policy.Keep) (all Thinning, err error) {
	var after *journal.Notes
	for {
		page, err := r.duePage(ctx, keep, after)
		if err != nil || page == nil {
			return all, err
		}
		all.add(page)
		if !page.full {
			return all, nil
		}
		after = &journal.Notes{Through: page.body.Through, Kept: page.notes.Kept - int64(len(page.entries))}
	}
}

// A duePage is notes that are due, the oldest ones.
type duePage struct {
	notes   journal.Notes // when it was read
	entries []*journal.Entry
	body    journal.ThinnedBody
	full    bool // there may be more
}

// due is the first page of notes that are due; nil if none is.
func (r *Reader) due(ctx context.Context, keep policy.Keep) (*duePage, error) {
	return r.duePage(ctx, keep, nil)
}

// duePage is due, as if notes were dropped before, if they are not nil.
func (r *Reader) duePage(ctx context.Context, keep policy.Keep, dropped *journal.Notes) (*duePage, error) {
	p := &duePage{}
	var format journal.Format
	if err := r.look(ctx, func(s *journal.State) { p.notes, format = s.Notes, s.Format }); err != nil {
		return nil, err
	}
	if format.Version == 1 {
		return nil, ErrFormerFormat
	}
	if dropped != nil {
		p.notes = *dropped
	}
	excess := int64(0)
	if keep.Notes > 0 {
		excess = p.notes.Kept - keep.Notes
	}
	before := int64(0)
	if keep.For > 0 {
		before = r.now().Add(-keep.For).UnixNano()
	}
	if p.notes.Kept == 0 || excess <= 0 && before <= 0 {
		return nil, nil
	}
	notes, err := store.Collect(ctx, r.store, scanNote, notesQuery, max(p.notes.Through, format.Since), thinAtOnce)
	if err != nil {
		return nil, r.readError(ctx, err)
	}
	link := journal.NewLinker()
	for i, n := range notes {
		e := n.entry
		old := e.At < before
		if !old && int64(i) >= excess {
			break
		}
		if !old && p.body.Before != 0 { // an entry has one reason
			p.full = true
			break
		}
		if old {
			p.body.Before = before
		}
		if link.Entry(n.previous, e) != e.Hash {
			return nil, r.inconsistent(&contradiction{fmt.Errorf("entry %d is not as it was written, and is not dropped", e.ID)})
		}
		p.entries = append(p.entries, e)
		p.body.Through = e.ID
		p.body.Dropped.Add(e.Kind)
	}
	p.full = p.full || len(p.entries) == thinAtOnce
	if len(p.entries) == 0 {
		return nil, nil
	}
	return p, nil
}

// notesQuery reads notes that can be dropped, behind an entry, and the hashes before them.
const notesQuery = `SELECT ` + journal.EntryColumns + `, (SELECT p.hash FROM entry p WHERE p.id = entry.id - 1)
	FROM entry WHERE id > $1 AND ` + noted + ` AND body LIKE '` + journal.SaltedLike + `' ORDER BY id LIMIT $2`

// A storedNote is a note with the hash that its own is behind.
type storedNote struct {
	entry    *journal.Entry
	previous journal.Digest
}

func scanNote(rows store.Scanner) (n storedNote, err error) {
	var previous []byte
	n.entry, err = store.ScanEntry(withMore{rows, &previous})
	n.previous = journal.DigestOf(previous)
	return n, err
}

// withMore scans one more column behind those of a row.
type withMore struct {
	store.Scanner
	more any
}

func (w withMore) Scan(dest ...any) error { return w.Scanner.Scan(append(dest, w.more)...) }

// write drops the notes of a page.
func (p *duePage) write(b *batch) error {
	if b.State.Notes.Through != p.notes.Through {
		return errThinnedMeanwhile
	}
	for _, e := range p.entries {
		thinned, ok := b.State.Linker.Thin(e)
		if !ok {
			return errThinnedMeanwhile
		}
		b.Thinned = append(b.Thinned, thinned)
	}
	b.Add(&journal.Entry{Kind: journal.KindThinned, Body: journal.Marshal(p.body)})
	return nil
}
