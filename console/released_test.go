package console

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
)

// The newest releases are those of the ledger, whatever was kept before: after new ones, of another ledger, and of a state of it that is older.
func TestReleasedLately(t *testing.T) {
	var kept releasedLately
	fill := func(name string, from, to int) policy.LedgerLocation {
		t.Helper()
		p := parsePlayed(t, t.TempDir())
		location := policy.LedgerLocation{SQLite: name}
		l, err := ledger.Open(t.Context(), ledger.Options{Location: location, Role: ledger.Serve})
		if err != nil {
			t.Fatal(err)
		}
		table := p.Tables[0]
		for i := from; i < to; i++ {
			text := fmt.Sprint("count ", i)
			r, err := l.Reserve(t.Context(), accountant.Charge{Analyst: "ana", Accounting: release.Accounting(table), SQL: text, Items: []accountant.Item{{
				Question: accountant.Question{Table: table.Name, Key: sha256.Sum256([]byte(text)), Text: text}, Loss: accountant.Loss{Epsilon: 1}, Mechanism: "geometric",
			}}})
			if err == nil {
				_, err = l.Record(t.Context(), r, [][]byte{nil})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return location
	}
	want := func(location policy.LedgerLocation) {
		t.Helper()
		r, err := ledger.OpenReadOnly(t.Context(), location)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var texts, kinds []string
		if err := r.Released(t.Context(), func(found *accountant.Release) bool { texts = append(texts, found.Text); return true }); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			newest, err := kept.newest(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			kinds = nil
			for _, found := range newest {
				kinds = append(kinds, found.Text)
			}
			if !slices.Equal(kinds, texts) {
				t.Errorf("%v, and the ledger has %v", kinds, texts)
			}
		}
	}
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.db"), filepath.Join(dir, "two.db")
	want(fill(one, 0, 3))
	want(fill(one, 3, 8))
	want(fill(two, 5, 7))
	want(fill(one, 8, 9))
	kept.all = append([]*accountant.Release{{ID: 1000}}, kept.all...) // of a state that was lost
	want(fill(one, 9, 10))
	kept.all[0] = &accountant.Release{ID: kept.all[0].ID} // another of the same number
	want(fill(one, 10, 10))
}
