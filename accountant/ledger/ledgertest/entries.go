package ledgertest

import (
	"context"
	"fmt"
	"testing"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// Link chains entries behind a head.
func Link(after journal.Head, entries ...*journal.Entry) *journal.Batch {
	for _, e := range entries {
		after.Entry++
		e.ID = after.Entry
		for i := range e.Charged {
			e.Charged[i].ID, e.Charged[i].Entry = 10*e.ID+int64(i), e.ID
		}
		for i := range e.Released {
			e.Released[i].ID, e.Released[i].Entry = 10*e.ID+int64(i), e.ID
		}
		e.Hash = journal.NewLinker().Entry(after.Hash, e)
		after.Hash = e.Hash
	}
	return &journal.Batch{Entries: entries, Head: after}
}

// charged is an entry with a charge whose every column is filled.
func ChargedEntry(operation byte) *journal.Entry {
	return &journal.Entry{
		At: 5, Kind: journal.KindCharged, Operation: []byte(fmt.Sprintf("operation %06d", operation)), Analyst: "ève", Schema: "pub lic", Name: `it's`,
		Epoch: 1, Statement: "SELECT 'é'", Adjacency: "add-remove", Epsilon: 7, Delta: 8, Releases: 1, Body: `{"a":1}`,
		Charged: []journal.Charge{
			{QuestionKey: journal.Digest{1, 2, 3}, Question: "q\n", Mechanism: "geometric", Term: "t", Blocks: `["a"]`, Shape: "s", Epsilon: 3, Delta: 4, Releases: 1},
			{QuestionKey: journal.Digest{4}, Question: "", Epsilon: 4, Delta: 4},
		},
	}
}

// Begin locks the head, and returns the head that it found.
func Begin(s store.Store, after int64) (journal.Head, error) {
	found, err := s.Lock(context.Background(), after, 0)
	if err != nil {
		return journal.Head{}, err
	}
	return found.Head, nil
}

func Everything(t testing.TB, s store.Store) (h journal.Head, entries []*journal.Entry) {
	t.Helper()
	for {
		found, err := s.Lock(t.Context(), int64(len(entries)), 0)
		mustSucceed(t, err)
		mustSucceed(t, s.Rollback())
		entries = append(entries, found.Newer...)
		if !found.More {
			return found.Head, entries
		}
	}
}
