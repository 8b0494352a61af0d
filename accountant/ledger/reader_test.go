package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tacit/accountant"
)

// A steward who looks before the first serve must not think that something is broken; one whose ledger is gone must.
func TestReadOnlyBeforeTheFirstLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tacit.db")
	_, err := look(path)
	if want := "there is no ledger yet at " + path + "; `tacit serve` makes it"; err == nil || err.Error() != want || !errors.Is(err, accountant.ErrUnavailable) {
		t.Errorf("error %v, want ErrUnavailable: %s", err, want)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Errorf("looking made %v", left)
	}
	used(t, path)
	do(t, os.Remove(path))
	_, err = look(path)
	requireUnavailable(t, err, "it is missing, although there was one")
}
