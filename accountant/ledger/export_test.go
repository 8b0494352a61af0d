package ledger

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/archive"
	"tacit/policy"
)

// exported is a ledger as lines, and the head that was exported.
func exported(t *testing.T, r *Reader) (lines [][]byte, head journal.Mark) {
	t.Helper()
	head, err := r.Export(context.Background(), func(e *journal.Entry) error {
		line, err := archive.Append(nil, e)
		lines = append(lines, line)
		return err
	}, nil)
	do(t, err)
	return lines, head
}

func verifyLines(lines [][]byte, noted *journal.Mark) (*Verification, error) {
	return VerifyEntries(archive.NewReader(bytes.NewReader(bytes.Join(lines, nil))).Next, noted)
}

// An archive says what the ledger does: it verifies, and what is verified of it is what is verified of the ledger.
func TestExport(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		l := openAt(t, location)
		record(t, l, reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1e8})), []byte("first"))
		reserve(t, l, charge("bob", "left open", accountant.Loss{Epsilon: 3}))
		l.Note(Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: "SELECT 'é\u2028'"})
		recordAudit(t, l, appendAudit(t, l, auditEntry("ana", 3, 0)), []byte("12"))
		_, err := l.Grant(context.Background(), Grant{Table: visits, Analyst: "ana", Budget: policy.Budget{Epsilon: 5}, By: "root", Reason: "because"})
		do(t, err)
		writeCheckpoint(t, l)
		closeLedger(t, l) // so that nothing is written between the two readings
		r, err := OpenReadOnly(context.Background(), location)
		do(t, err)
		defer r.Close()
		lines, head := exported(t, r)
		want, err := r.Verify(context.Background(), nil)
		do(t, err)
		got, err := verifyLines(lines, &head)
		do(t, err)
		got.Unguarded = want.Unguarded
		if diff := cmp.Diff(want, got); diff != "" || len(got.Problems) > 0 || int64(len(lines)) != got.Entries || got.Charges != 2 || got.Checkpoints != 1 {
			t.Errorf("-ledger +archive:\n%s", diff)
		}
	})
}

// An archive is of one moment, whatever is written meanwhile.
func TestExportWhileWritten(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		l := openAt(t, location)
		record(t, l, reserve(t, l, charge("ana", "before", accountant.Loss{Epsilon: 1e8})), []byte("old"))
		r, err := OpenReadOnly(context.Background(), location)
		do(t, err)
		defer r.Close()
		_, before := exported(t, r)
		head, err := r.Export(context.Background(), func(e *journal.Entry) error {
			if e.ID == 1 {
				record(t, l, reserve(t, l, charge("ana", "meanwhile", accountant.Loss{Epsilon: 1e8})), []byte("new"))
			}
			return nil
		}, nil)
		if _, after := exported(t, r); err != nil || head != before || after.Entry <= before.Entry {
			t.Errorf("exported up to %v, %v; before it was %v and afterwards %v", head, err, before, after)
		}
	})
}

// Whatever is edited, left out, doubled or moved in an archive is found; what is left out at its end, by whoever noted the head.
func TestEditedArchive(t *testing.T) {
	path := newPath(t)
	eventful(t, path)
	r, err := look(path)
	do(t, err)
	defer r.Close()
	lines, head := exported(t, r)
	found := func(what string, i int, edited [][]byte, noted *journal.Mark) {
		t.Helper()
		if v, err := verifyLines(edited, noted); err == nil && len(v.Problems) == 0 {
			t.Errorf("line %d %s, and nothing was found: %s", i+1, what, lines[i])
		}
	}
	for i, line := range lines {
		found("is left out", i, slices.Delete(slices.Clone(lines), i, i+1), &head)
		found("stands twice", i, slices.Insert(slices.Clone(lines), i, line), &head)
		found("is the end", i, lines[:i], &head)
		if i < len(lines)-1 {
			found("is left out", i, slices.Delete(slices.Clone(lines), i, i+1), nil)
			swapped := slices.Clone(lines)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			found("is moved", i, swapped, nil)
		}
		e, err := archive.NewReader(bytes.NewReader(line)).Next()
		do(t, err)
		e.Epsilon++
		edited := slices.Clone(lines)
		edited[i], err = archive.Append(nil, e)
		do(t, err)
		found("is edited", i, edited, nil)
	}
	if v, err := verifyLines(lines, &journal.Mark{Entry: 2, Hash: [32]byte{1}}); err != nil || len(v.Problems) != 1 {
		t.Errorf("another entry was noted: %+v, %v", v, err)
	}
	if v, err := verifyLines(nil, nil); err != nil || len(v.Problems) != 1 {
		t.Errorf("an empty archive: %+v, %v", v, err)
	}
	if _, err := VerifyEntries(func() (*journal.Entry, error) { return nil, io.ErrUnexpectedEOF }, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an archive that cannot be read: %v", err)
	}
}

// No archive is made of a ledger whose chain is broken, and an error of whoever writes it ends it.
func TestExportEnds(t *testing.T) {
	path := newPath(t)
	used(t, path)
	r, err := look(path)
	do(t, err)
	defer r.Close()
	full := errors.New("the disk is full")
	if _, err := r.Export(context.Background(), func(*journal.Entry) error { return full }, nil); !errors.Is(err, full) {
		t.Errorf("an archive that cannot be written: %v", err)
	}
	atPrompt(t, path, "DROP TRIGGER charge_is_kept", "UPDATE charge SET epsilon = 1 WHERE id = 2")
	visited := 0
	_, err = r.Export(context.Background(), func(*journal.Entry) error { visited++; return nil }, nil)
	if !errors.Is(err, accountant.ErrUnavailable) || visited != 3 {
		t.Errorf("of a broken chain %d entries were visited: %v", visited, err)
	}
}
