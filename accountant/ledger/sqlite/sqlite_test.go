package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"tacit/accountant"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/store"
)

func openTestFile(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// The store keeps what every store promises.
func TestConformance(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	ledgertest.Conform(t, func(t testing.TB) store.Store { return openTestFile(t, path) })
}

// Looking whether the files can be written takes no lock from who has the ledger open. It fails if a file is opened for it: closing one drops all
// locks that the process has on it.
func TestLookKeepsLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	openTestFile(t, path)
	for _, name := range []string{path, path + "-shm"} {
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		locked := func() bool {
			asked := unix.Flock_t{Type: unix.F_WRLCK}
			if err := unix.FcntlFlock(file.Fd(), unix.F_OFD_GETLK, &asked); err != nil {
				t.Fatal(err)
			}
			return asked.Type != unix.F_UNLCK
		}
		if !locked() {
			t.Fatalf("nobody has %s locked", name)
		}
		if err := makeWritable(path); err != nil {
			t.Fatal(err)
		}
		if !locked() {
			t.Errorf("%s is locked no more", name)
		}
	}
}

// The settings that durability rests on are those of the connection that writes.
func TestSettings(t *testing.T) {
	s := openTestFile(t, filepath.Join(t.TempDir(), "ledger.db"))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		if err := s.writer.conn.QueryRowContext(context.Background(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, %v, want %s", pragma, got, err, want)
		}
	}
	if _, err := s.db.Exec("DELETE FROM entry"); err == nil {
		t.Error("a connection for reading writes")
	}
}

// The database may not grow: a statement fails, is rolled back for certain, and the store goes on when there is room again.
func TestFullDatabase(t *testing.T) {
	s := openTestFile(t, filepath.Join(t.TempDir(), "ledger.db"))
	write := func(pages string) error {
		t.Helper()
		if _, err := s.writer.conn.ExecContext(context.Background(), "PRAGMA max_page_count = "+pages); err != nil {
			t.Fatal(err)
		}
		h, err := ledgertest.Begin(s, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		e := ledgertest.ChargedEntry(1)
		e.Statement = string(make([]byte, 1<<20))
		return s.Write(ledgertest.Link(h, e))
	}
	// SQLite takes the present size instead of 1.
	if err := write("1"); !errors.Is(err, store.ErrRows) || !errors.Is(err, accountant.ErrUnavailable) || s.Usable() != nil {
		t.Errorf("without room: %v; the store is %v", err, s.Usable())
	}
	if h, _ := ledgertest.Everything(t, s); h.Entry != 1 {
		t.Errorf("the head is entry %d", h.Entry)
	}
	if err := write("1000000"); err != nil {
		t.Errorf("with room: %v", err)
	}
}
