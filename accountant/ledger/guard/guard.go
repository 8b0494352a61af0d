package guard

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
)

// A File is a file that remembers a ledger: which one it was, how far it had come, and the hash of its entry there. A ledger that is
// deleted, exchanged for another one, put back from a backup or rewritten is thereby known for what it is, and refused, instead of handing
// out the same budget twice. Of a ledger in SQLite it stands next to it, and writers exclude one another by its lock.
//
// The witness is written after every commit, without fsync. If the machine stops, the guard may fall behind the ledger, which was
// synced first; it can never be ahead of it. A ledger that is ahead of its guard is accepted: a few commits of memory are lost, and
// no ledger is refused that should not be. A process that is killed loses nothing, since the kernel has the write.
type File struct {
	Path string
	file *os.File
}

// Open opens a guard, creating it if there is none. The place is that of the ledger.
func Open(path, place string) (*File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, &accountant.UnavailableError{
			Path: place, Problem: "its guard file cannot be opened", Err: err, Remedy: "make its directory, and let the proxy's account write there; " +
				"a ledger in PostgreSQL can have another directory: ledger: {location: ..., guard: DIRECTORY}",
		}
	}
	return &File{Path: path, file: file}, nil
}

// lockPatience is how long another process may hold the lock.
const lockPatience = 5 * time.Second

// Lock waits until no other process has the guard locked.
func (g *File) Lock() error {
	for deadline := time.Now().Add(lockPatience); ; time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(g.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(deadline) {
			return err
		}
	}
}

func (g *File) Unlock() error { return syscall.Flock(int(g.file.Fd()), syscall.LOCK_UN) }

// Read reads the mark.
func (g *File) Read() (journal.Witness, error) {
	content, err := io.ReadAll(io.NewSectionReader(g.file, 0, 1024))
	if err != nil {
		return journal.Witness{}, err
	}
	return journal.ParseWitness(content)
}

// Set overwrites the mark.
func (g *File) Set(m journal.Witness) error {
	_, err := g.file.WriteAt([]byte(m.String()), 0)
	return err
}

// Sync makes the mark survive the machine, which it must once: a ledger may not be charged before its guard is known to exist.
func (g *File) Sync() error { return g.file.Sync() }

// Close gives the lock up, too.
func (g *File) Close() error { return g.file.Close() }

// Unreadable is returned when a guard cannot be read.
func (g *File) Unreadable(place string, err error) error {
	return &accountant.UnavailableError{
		Path: place, Problem: "its guard file " + g.Path + " cannot be read", Remedy: "restore that file; any earlier copy will do", Err: err,
	}
}

// Compare compares a ledger that was found with the one that the guard remembers. at finds the hash of an entry of the ledger that was found.
func (g *File) Compare(place string, found, remembered journal.Witness, at func(entry int64) (journal.Digest, error)) error {
	refuse := func(problem, remedy string) error {
		return &accountant.UnavailableError{Path: place, Problem: problem, Remedy: remedy}
	}
	switch {
	case !remembered.Known() && found.Used() == 0:
		return nil // never used: a crash came between its creation and its guard's
	case !remembered.Known():
		return refuse(
			"its guard file is missing, so nobody can tell whether this is the newest state of the ledger",
			fmt.Sprintf("restore %s; any earlier copy will do. Without one, if you are certain that this ledger is the newest, "+
				"write this line into that file: %s", g.Path, strings.TrimSuffix(found.String(), "\n")),
		)
	case found.ID != remembered.ID:
		return refuse(
			fmt.Sprintf("it is not the ledger that was here before (it is %s, and was %s)", found.ID, remembered.ID),
			"put the former ledger back: the losses in it are not in this one",
		)
	case found.Used() < remembered.Used():
		return refuse(
			fmt.Sprintf("it is older than the ledger that was here before (at %d, and was at %d)", found.Used(), remembered.Used()),
			"put the newest ledger back, with its -wal file if there is one: losses after this copy was made are not in it",
		)
	}
	hash, err := at(remembered.Entry)
	if err == nil && hash != remembered.Hash {
		err = refuse(
			fmt.Sprintf("it was rewritten: entry %d is not the one that was there before", remembered.Entry),
			"put the newest sound copy back",
		)
	}
	return err
}

func SyncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	defer directory.Close()
	return directory.Sync()
}
