package ledger

import (
	"context"
	"errors"
	"os"
	"testing"

	"tacit/accountant"
)

// A ledger that cannot be written is noticed when it is opened, is left as it is, and can be used when it can be written again.
func TestReadOnlyLedger(t *testing.T) {
	path := newPath(t)
	l, err := openAs(path, Serve)
	do(t, err)
	reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 5}))
	closeLedger(t, l)
	do(t, os.Chmod(path, 0o444))
	if l, err := openAs(path, Serve); !errors.Is(err, accountant.ErrUnavailable) {
		t.Errorf("a ledger that cannot be written: %v, %v", l, err)
	}
	// A reader of the steward's may have left this.
	do(t, os.WriteFile(path+"-shm", nil, 0o444))
	do(t, os.Chmod(path, 0o600))
	l = open(t, path)
	if _, err := l.Reserve(context.Background(), charge("ana", "b", accountant.Loss{Epsilon: 5})); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path + "-shm"); err == nil && info.Mode().Perm()&0o200 == 0 {
		t.Errorf("its shared memory is left with mode %v", info.Mode())
	}
}
