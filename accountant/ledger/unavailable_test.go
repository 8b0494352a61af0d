package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/sqlite"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// used returns a ledger with one answered and one unanswered charge, closed.
func used(t *testing.T, path string) {
	t.Helper()
	l, err := openAs(path, Serve)
	if err != nil {
		t.Fatal(err)
	}
	record(t, l, reserve(t, l, charge("ana", "answered", accountant.Loss{Epsilon: 1e8})), []byte("answer"))
	c := charge("bob", "unanswered", accountant.Loss{Epsilon: 2e8, Releases: 1})
	c.Budget.Releases = 1
	reserve(t, l, c)
	closeLedger(t, l)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	// In a process of its own: closing a file drops all locks that this process holds on it, SQLite's included.
	do(t, exec.Command("cp", from, to).Run())
}

// atPrompt does what somebody might at the sqlite3 prompt.
func atPrompt(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	do(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func requireUnavailable(t *testing.T, err error, problem string) {
	t.Helper()
	var u *accountant.UnavailableError
	if !errors.Is(err, accountant.ErrUnavailable) || !errors.As(err, &u) || !strings.Contains(err.Error(), problem) {
		t.Errorf("error %v, want ErrUnavailable: %s", err, problem)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name, problem string
		spoil         func(t *testing.T, path string)
	}{
		{"missing", "it is missing, although there was one", func(t *testing.T, path string) {
			do(t, os.Remove(path))
		}},
		{"missing with its guard, the -wal left over", "it is missing, although there was one", func(t *testing.T, path string) {
			do(t, os.WriteFile(path+"-wal", []byte("rest"), 0o600))
			do(t, os.Remove(path))
			do(t, os.Remove(path+".guard"))
		}},
		{"emptied", "it is empty, although there was a ledger", func(t *testing.T, path string) {
			do(t, os.Truncate(path, 0))
		}},
		{"its guard missing", "its guard file is missing", func(t *testing.T, path string) {
			do(t, os.Remove(path+".guard"))
		}},
		{"its guard emptied", "its guard file is missing", func(t *testing.T, path string) {
			do(t, os.Truncate(path+".guard", 0))
		}},
		{"its guard damaged", "cannot be read", func(t *testing.T, path string) {
			do(t, os.WriteFile(path+".guard", []byte("tacit ledger"), 0o600))
		}},
		{"its guard a directory", "its guard file cannot be opened", func(t *testing.T, path string) {
			do(t, os.Remove(path+".guard"))
			do(t, os.Mkdir(path+".guard", 0o700))
		}},
		{"exchanged", "it is not the ledger that was here before", func(t *testing.T, path string) {
			used(t, path+".other")
			do(t, os.Rename(path+".other", path))
		}},
		{"exchanged for a fresh one", "it is not the ledger that was here before", func(t *testing.T, path string) {
			l, err := openAs(path+".other", Serve)
			do(t, err)
			closeLedger(t, l)
			do(t, os.Rename(path+".other", path))
		}},
		{"older", "it is older than the ledger that was here before", func(t *testing.T, path string) {
			copyFile(t, path, path+".backup")
			l, err := openAs(path, Serve)
			do(t, err)
			reserve(t, l, charge("ana", "later", accountant.Loss{Epsilon: 1}))
			closeLedger(t, l)
			do(t, os.Rename(path+".backup", path))
		}},
		{"its directory missing", "its guard file cannot be opened", func(t *testing.T, path string) {
			do(t, os.RemoveAll(filepath.Dir(path)))
		}},
		{"a directory", "it cannot be opened", func(t *testing.T, path string) {
			do(t, os.Remove(path))
			do(t, os.Mkdir(path, 0o700))
		}},
		{"not a database", "file is not a database", func(t *testing.T, path string) {
			do(t, os.WriteFile(path, []byte(strings.Repeat("this is not a ledger\n", 1000)), 0o600))
		}},
		{"another program's database", "the file is not a ledger", func(t *testing.T, path string) {
			do(t, os.Remove(path))
			atPrompt(t, path, "CREATE TABLE photographs (name TEXT)")
		}},
		{"of a newer version", "written by another version of tacit: its format is version 3, and this one knows version 2", func(t *testing.T, path string) {
			atPrompt(t, path, "PRAGMA user_version = 3")
		}},
		{"damaged", "", func(t *testing.T, path string) {
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			do(t, err)
			defer file.Close()
			info, err := file.Stat()
			do(t, err)
			_, err = file.WriteAt(make([]byte, info.Size()-4096), 4096)
			do(t, err)
		}},
		{"an entry edited", "it is not as it was written", func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER entry_is_kept", "UPDATE entry SET epsilon = epsilon - 1 WHERE kind = 'charged' AND analyst = 'bob'")
		}},
		{"a charge reduced", "it is not as it was written", func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER charge_is_kept", "UPDATE charge SET epsilon = 0 WHERE id = 2")
		}},
		{"a charge deleted", "it is not as it was written", func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER charge_stays", "DELETE FROM charge WHERE id = 2")
		}},
		{"an answer deleted", "it is not as it was written", func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER release_stays", "DELETE FROM release WHERE id = 1")
		}},
		{"an entry in between deleted", "an entry is missing", func(t *testing.T, path string) {
			atPrompt(t, path, "PRAGMA foreign_keys = 0", "DROP TRIGGER entry_stays", "DELETE FROM entry WHERE id = 3")
		}},
		{"the last entry deleted", "its head is entry 4", func(t *testing.T, path string) {
			atPrompt(t, path, "PRAGMA foreign_keys = 0", "DROP TRIGGER entry_stays", "DELETE FROM entry WHERE id = 4")
		}},
		{"the last entry deleted, and the head set back", "it is older than the ledger that was here before", func(t *testing.T, path string) {
			atPrompt(t, path, "PRAGMA foreign_keys = 0", "DROP TRIGGER entry_stays", "DROP TRIGGER head_moves_on", "DROP TRIGGER charge_stays",
				"DELETE FROM entry WHERE id = 4", "DELETE FROM charge WHERE entry = 4", "UPDATE head SET entry = 3, hash = (SELECT hash FROM entry WHERE id = 3)")
		}},
		{"another identity", "its first entry", func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER ledger_is_kept", "UPDATE ledger SET id = replace(id, substr(id, 1, 1), 'x')")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "directory", "ledger.db")
			do(t, os.Mkdir(filepath.Dir(path), 0o700))
			used(t, path)
			c.spoil(t, path)
			before, _ := os.ReadFile(path)
			for range 2 { // refusing changes nothing
				l, err := openAs(path, Serve)
				requireUnavailable(t, err, c.problem)
				if err == nil {
					l.Close()
				}
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestPromptCannotForget(t *testing.T) {
	path := newPath(t)
	used(t, path)
	db, err := sql.Open("sqlite", path)
	do(t, err)
	defer db.Close()
	for _, table := range []string{"ledger", "head", "proxy", "entry", "charge", "release"} {
		if _, err := db.Exec("DELETE FROM " + table); err == nil {
			t.Errorf("rows of %s were deleted", table)
		}
	}
	for _, update := range []string{
		"ledger SET created = 0", "entry SET epsilon = 0", "charge SET epsilon = 0", "release SET payload = x''",
		"entry SET releases = 0", "charge SET releases = 2", "head SET entry = entry - 1", "head SET entry = entry + 1", "head SET hash = zeroblob(32)",
	} {
		if _, err := db.Exec("UPDATE " + update); err == nil {
			t.Errorf("updated %s", update)
		}
	}
	check(t, path)
}

// What the error messages say to do, does it.
func TestRepairs(t *testing.T) {
	path := newPath(t)
	used(t, path)
	copyFile(t, path+".guard", path+".guard.early")
	l := open(t, path)
	reserve(t, l, charge("ana", "later", accountant.Loss{Epsilon: 1}))
	closeLedger(t, l)

	// An earlier copy of the guard will do.
	do(t, os.Rename(path+".guard.early", path+".guard"))
	closeLedger(t, open(t, path))

	// Without a copy, the line in the message will do.
	do(t, os.Remove(path+".guard"))
	_, err := openAs(path, Serve)
	requireUnavailable(t, err, "write this line into that file: ")
	_, line, _ := strings.Cut(err.Error(), "write this line into that file: ")
	if strings.Contains(line, "\n") {
		t.Errorf("the message is more than one line: %q", err)
	}
	do(t, os.WriteFile(path+".guard", []byte(line+"\n"), 0o600)) // as echo does
	closeLedger(t, open(t, path))

	// Removing both starts anew.
	do(t, os.Remove(path))
	do(t, os.Remove(path+".guard"))
	l = open(t, path)
	if got := balance(t, l, patients, "ana"); got != [2]accountant.Loss{} {
		t.Errorf("the balance of a new ledger is %v", got)
	}
}

// A crash at any step of the first Open leaves something that the next one finishes.
func TestCreationIsFinishedAfterACrash(t *testing.T) {
	for name, left := range map[string]func(t *testing.T, path string){
		"an empty guard": func(t *testing.T, path string) { do(t, os.WriteFile(path+".guard", nil, 0o600)) },
		"an empty guard and an empty ledger": func(t *testing.T, path string) {
			do(t, os.WriteFile(path+".guard", nil, 0o600))
			do(t, os.WriteFile(path, nil, 0o600))
		},
		"an empty guard and a ledger never used": func(t *testing.T, path string) {
			l, err := openAs(path, Serve)
			do(t, err)
			closeLedger(t, l)
			do(t, os.Truncate(path+".guard", 0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newPath(t)
			left(t, path)
			reserve(t, open(t, path), charge("ana", "a", accountant.Loss{Epsilon: 1}))
		})
	}
}

func TestLocked(t *testing.T) {
	path := newPath(t)
	open(t, path)
	_, err := openAs(path, Serve)
	requireUnavailable(t, err, "another process has locked it")
}

// Each of the ledger's files is deleted or replaced under an open ledger: it charges no more, and answers nothing from what is there.
func TestFilesThatGoAway(t *testing.T) {
	for _, suffix := range []string{"", "-wal", ".guard"} {
		for _, how := range []string{"removed", "replaced", "renamed"} {
			t.Run(how+suffix, func(t *testing.T) {
				path := newPath(t)
				l, err := openAs(path, Serve)
				do(t, err)
				defer l.Close()
				c := charge("ana", "a", accountant.Loss{Epsilon: 1})
				r := reserve(t, l, c)
				copyFile(t, path+suffix, path+".copy")
				switch how {
				case "removed":
					do(t, os.Remove(path+suffix))
				case "replaced":
					do(t, os.Rename(path+".copy", path+suffix))
				case "renamed":
					do(t, os.Rename(path+suffix, path+".elsewhere"))
				}
				_, err = l.Reserve(context.Background(), c)
				requireUnavailable(t, err, "was removed or replaced while in use")
				_, err = l.Record(context.Background(), r, [][]byte{nil})
				requireUnavailable(t, err, "was removed or replaced while in use")
				_, _, err = l.Lookup(context.Background(), c.Items[0].Question, 0)
				requireUnavailable(t, err, "was removed or replaced while in use")
			})
		}
	}
}

// The write-ahead log is lost after a crash: what was in it is missed.
func TestLostWriteAheadLog(t *testing.T) {
	path := newPath(t)
	used(t, path)
	l := open(t, path)
	reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	copyFile(t, path, path+".crashed")
	copyFile(t, path+".guard", path+".crashed.guard")
	_, err := openAs(path+".crashed", Serve)
	requireUnavailable(t, err, "it is older than the ledger that was here before")
	// With it, nothing is.
	copyFile(t, path, path+".crashed")
	copyFile(t, path+"-wal", path+".crashed-wal")
	recovered := open(t, path+".crashed")
	if got, want := balance(t, recovered, patients, "ana"), balance(t, l, patients, "ana"); got != want {
		t.Errorf("balance after recovery is %v, want %v", got, want)
	}
}

// After a crash a backup is put in the ledger's place, and the newer write-ahead log is left beside it. What SQLite makes of the two is
// refused, unless the log holds every page that has changed since the backup, and nothing is lost.
func TestBackupUnderANewerLog(t *testing.T) {
	path := newPath(t)
	used(t, path)
	copyFile(t, path, path+".backup")
	shown := 0
	for range 3 {
		shown += len(untilKilled(t, "analysts", path, 1, 200*time.Millisecond))
	}
	do(t, os.Rename(path+".backup", path))
	l, err := openAs(path, Serve)
	if err != nil {
		requireUnavailable(t, err, "")
		return
	}
	defer l.Close()
	if charged := balance(t, l, patients, "ana")[0].Epsilon; charged < policy.Epsilon(3e8+crashPrice*shown) {
		t.Errorf("%d answers were shown and only %v charged", shown, charged)
	}
}

// A backup of a ledger in use can be read, and put in its place as long as nothing was charged since.
func TestBackup(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	backup := path + ".backup"
	atPrompt(t, path, "VACUUM INTO '"+backup+"'")
	r, err := look(backup)
	do(t, err)
	defer r.Close()
	if got := balance(t, r, patients, "ana"); got != [2]accountant.Loss{{Epsilon: 1}, {Epsilon: 1}} {
		t.Errorf("the backup holds %v", got)
	}
	closeLedger(t, l)
	do(t, os.Rename(backup, path))
	reserve(t, open(t, path), charge("ana", "b", accountant.Loss{Epsilon: 1}))
}

// A closed ledger is one file, and its guard.
func TestCloseTidiesUp(t *testing.T) {
	path := newPath(t)
	used(t, path)
	files, err := filepath.Glob(path + "*")
	do(t, err)
	if want := []string{path, path + ".guard", path + ".lock"}; !slices.Equal(files, want) {
		t.Errorf("left are %v, want %v", files, want)
	}
}

func TestAnotherHandWrites(t *testing.T) {
	path := newPath(t)
	l, err := openAs(path, Serve)
	do(t, err)
	defer l.Close()
	reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	atPrompt(t, path, "INSERT INTO entry SELECT 3, at, 'refused', x'', analyst, table_schema, table_name, epoch, statement, sqlstate, '', 0, 0, 0, 0, 0, '', hash FROM entry WHERE id = 2")
	_, err = l.Reserve(context.Background(), charge("ana", "b", accountant.Loss{Epsilon: 1}))
	requireUnavailable(t, err, "another program has written it")
	_, err = l.Reserve(context.Background(), charge("ana", "b", accountant.Loss{Epsilon: 1}))
	requireUnavailable(t, err, "another program has written it")
}

func TestClosed(t *testing.T) {
	l := open(t, newPath(t))
	closeLedger(t, l)
	_, err := l.Reserve(context.Background(), charge("ana", "a", accountant.Loss{Epsilon: 1}))
	requireUnavailable(t, err, "it is closed")
	_, _, err = l.Lookup(context.Background(), question(patients, "a"), 0)
	requireUnavailable(t, err, "it is closed")
}

// A fullStore refuses rows while it is full.
type fullStore struct {
	store.Store
	full bool
}

func (s *fullStore) Write(b *journal.Batch) error {
	if !s.full {
		return s.Store.Write(b)
	}
	return errors.Join(store.ErrRows, &accountant.UnavailableError{Path: s.Place(), Problem: "it cannot be written"}, s.Rollback())
}

// Rows that cannot be written refuse their charges, and the ledger goes on when there is room again.
func TestFullStore(t *testing.T) {
	made, err := sqlite.Open(t.Context(), newPath(t), false)
	do(t, err)
	s := &fullStore{Store: made}
	l, err := newLedger(t.Context(), s, Options{})
	do(t, err)
	defer closeLedger(t, l)
	r := reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1}))
	s.full = true
	_, err = l.Record(t.Context(), r, [][]byte{nil})
	requireUnavailable(t, err, "it cannot be written")
	do(t, l.Usable())
	requireUnavailable(t, l.Unwritten(), "it cannot be written")
	s.full = false
	record(t, l, r, nil)
	do(t, l.Unwritten())
	if got := balance(t, l, patients, "ana")[0]; got != (accountant.Loss{Epsilon: 1}) {
		t.Errorf("balance is %v", got)
	}
}

// The disk is full: a write to the log fails in COMMIT, and the ledger charges no more until it is opened again.
// A process that is limited to small files stands for the disk.
func TestFullDisk(t *testing.T) {
	path := newPath(t)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childRole+"=full disk", childLedger+"="+path)
	output, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	// What the child could read from its ledger, less than what it charged or just as much.
	l := open(t, path)
	if got := balance(t, l, patients, "ana")[0].Epsilon; got < 1 || got > 2 {
		t.Errorf("%v was charged", got)
	}
	if _, ok, err := l.Lookup(context.Background(), question(patients, "first"), 0); ok || err != nil {
		t.Errorf("an answer that was not recorded is found: %v, %v", ok, err)
	}
}

// fullDisk is the child of TestFullDisk.
func fullDisk(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	l, err := openAs(path, Serve)
	if err != nil {
		return err
	}
	r, err := l.Reserve(context.Background(), charge("ana", "first", accountant.Loss{Epsilon: 1}))
	if err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 256 << 10, Max: 256 << 10}); err != nil {
		return err
	}
	if _, err := l.Record(context.Background(), r, [][]byte{make([]byte, 1<<20)}); !errors.Is(err, accountant.ErrUnavailable) {
		return errors.New("recorded on a full disk")
	}
	if l.Usable() == nil {
		return errors.New("a failed commit was shrugged off")
	}
	if _, err := l.Reserve(context.Background(), charge("ana", "second", accountant.Loss{Epsilon: 1})); !errors.Is(err, accountant.ErrUnavailable) {
		return errors.New("charged after a failed commit")
	}
	return nil
}

func TestReaderRefuses(t *testing.T) {
	path := newPath(t)
	_, err := look(path)
	requireUnavailable(t, err, "there is no ledger yet")
	do(t, os.WriteFile(path, nil, 0o600))
	_, err = look(path)
	requireUnavailable(t, err, "it is empty")
	do(t, os.WriteFile(path, []byte(strings.Repeat("no ledger", 1000)), 0o600))
	_, err = look(path)
	requireUnavailable(t, err, "")
}
