package sqlite

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"tacit/accountant"
)

// servingPath is the file that a proxy has locked while it runs.
func servingPath(ledger string) string { return ledger + ".lock" }

// createFile makes sure that there is a file at path: a new, empty one if no ledger has existed.
func createFile(path string, known bool) error {
	_, err := os.Stat(path)
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return nil // SQLite will say what is wrong with it
	}
	if _, err := os.Stat(path + "-wal"); known || err == nil {
		return &accountant.UnavailableError{
			Path:    path,
			Problem: "it is missing, although there was one",
			Remedy: "put the ledger back; removing " + guardPath(path) + " (and the ledger's -wal file) instead starts a new one, " +
				"which forgets every loss so far",
		}
	}
	// Only the owner may read it: it holds every analyst's statements and answers.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return &accountant.UnavailableError{Path: path, Problem: "it cannot be created", Err: err}
	}
	return file.Close()
}

// makeWritable says if a ledger's files cannot be written, before SQLite opens them: it would open them for reading, and leave a file of shared memory
// that nobody can write, even when the ledger can be written again. Such a file is put right.
func makeWritable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // SQLite will say what is wrong with it
	}
	if err := writable(path, info); err != nil {
		return &accountant.UnavailableError{Path: path, Problem: "it cannot be written", Err: err}
	}
	for _, beside := range []string{path + "-wal", path + "-shm"} {
		other, err := os.Stat(beside)
		if err == nil && writable(beside, other) != nil {
			err = os.Chmod(beside, info.Mode().Perm())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &accountant.UnavailableError{Path: path, Problem: "it cannot be written", Err: err}
		}
	}
	return nil
}

// writable says why a file cannot be written, be it that only root could. It does not open the file: closing it would take the locks from it that
// SQLite holds for the whole process (fcntl(2)).
func writable(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() && info.Mode().Perm()&0o222 == 0 {
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	if err := unix.Access(path, unix.W_OK); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}

// Existing tells a ledger that was never made from one that is gone.
func Existing(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // SQLite will say what is wrong with it
	}
	if _, err := os.Stat(guardPath(path)); errors.Is(err, fs.ErrNotExist) {
		return &accountant.UnavailableError{Path: path, NeverMade: true}
	}
	return &accountant.UnavailableError{Path: path, Problem: "it is missing, although there was one", Remedy: "put the ledger back"}
}

// guardPath is where the guard of a ledger in SQLite is.
func guardPath(ledger string) string { return ledger + ".guard" }
