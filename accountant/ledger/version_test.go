package ledger

import (
	"context"
	"testing"

	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// A fresh ledger says which version its format is, in its first entry, and the file of SQLite says so, too.
func TestFreshLedgerSaysItsVersion(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		l := openAt(t, location)
		body, _, err := store.One(context.Background(), l.store, store.ScanText, "SELECT body FROM entry WHERE id = 1")
		if want := `{"ledger":"` + l.state.Ledger + `","version":2}`; body != want || err != nil {
			t.Errorf("the first entry says %s, %v", body, err)
		}
		if location.SQLite == "" {
			return
		}
		if version, _, err := store.One(context.Background(), l.store, store.ScanNumber, "SELECT user_version FROM pragma_user_version"); version != 2 || err != nil {
			t.Errorf("the file says version %d, %v", version, err)
		}
	})
}

// A ledger of a version that is not known is refused by whoever opens it, with words that say so.
func TestOtherVersionIsRefused(t *testing.T) {
	const want = "it was written by another version of tacit: its format is version 3, and this one knows version 2"
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		if location.SQLite != "" {
			used(t, location.SQLite)
			atPrompt(t, location.SQLite, "PRAGMA user_version = 3")
		} else {
			l, err := Open(context.Background(), Options{Location: location})
			do(t, err)
			do(t, l.Close())
			forge(t, location).exec("UPDATE ledger SET version = 3")
		}
		l, err := Open(context.Background(), Options{Location: location, Role: Serve})
		requireUnavailable(t, err, want)
		if err == nil {
			l.Close()
		}
		r, err := OpenReadOnly(context.Background(), location)
		requireUnavailable(t, err, want)
		if err == nil {
			r.Close()
		}
	})
}
