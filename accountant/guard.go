package accountant

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A guard is a file that remembers a ledger: which one it was, how far it had come, and the hash of its entry there. A ledger that is
// deleted, exchanged for another one, put back from a backup or rewritten is thereby known for what it is, and refused, instead of handing
// out the same budget twice. Of a ledger in SQLite it stands next to it, and its lock is what writers take turns at.
//
// The mark is written after every commit, without fsync. If the machine stops, the guard may fall behind the ledger, which was
// synced first; it can never be ahead of it. A ledger that is ahead of its guard is accepted: a few commits of memory are lost, and
// no ledger is refused that should not be. A process that is killed loses nothing, since the kernel has the write.
type guard struct {
	path string
	file *os.File
}

// A mark identifies a ledger and a moment of its life.
type mark struct {
	id    string // of the ledger, 32 hexadecimal digits
	entry int64  // its last
	hash  digest // of that
	// former: it is the mark of a former version, which had a sequence number of its own instead of entry and hash.
	former   bool
	sequence int64
}

// String is the content of a guard file: one line of fixed length, so that a new mark overwrites the old one within a single sector.
func (m mark) String() string {
	if m.former {
		return fmt.Sprintf("tacit ledger %s sequence %019d\n", m.id, m.sequence)
	}
	return fmt.Sprintf("tacit ledger %s entry %019d hash %s\n", m.id, m.entry, m.hash)
}

var (
	markForm       = regexp.MustCompile(`\Atacit ledger ([0-9a-f]{32}) entry ([0-9]{19}) hash ([0-9a-f]{64})\n\z`)
	formerMarkForm = regexp.MustCompile(`\Atacit ledger ([0-9a-f]{32}) sequence ([0-9]{19})\n\z`)
)

// parseMark reads what String wrote, in this version or a former one. An empty file is the zero mark.
func parseMark(content []byte) (m mark, err error) {
	if len(content) == 0 {
		return mark{}, nil
	}
	if fields := formerMarkForm.FindSubmatch(content); fields != nil {
		m.id, m.former = string(fields[1]), true
		m.sequence, err = strconv.ParseInt(string(fields[2]), 10, 64)
		return m, err
	}
	fields := markForm.FindSubmatch(content)
	if fields == nil {
		return mark{}, errors.New("not the line that tacit writes")
	}
	m.id = string(fields[1])
	if m.entry, err = strconv.ParseInt(string(fields[2]), 10, 64); err != nil {
		return mark{}, err
	}
	_, err = hex.Decode(m.hash[:], fields[3])
	return m, err
}

// guardPath is where the guard of a ledger in SQLite is.
func guardPath(ledger string) string { return ledger + ".guard" }

// openGuard opens a guard, creating it if there is none. The place is that of the ledger.
func openGuard(path, place string) (*guard, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, &UnavailableError{Path: place, Problem: "its guard file cannot be opened", Err: err, Remedy: "make its directory, and let the proxy's account write there; " +
			"a ledger in PostgreSQL can have another directory: ledger: {location: ..., guard: DIRECTORY}"}
	}
	return &guard{path: path, file: file}, nil
}

// lockPatience is how long a turn of another process may take.
const lockPatience = 5 * time.Second

// lock waits until no other process has the guard locked.
func (g *guard) lock() error {
	for deadline := time.Now().Add(lockPatience); ; time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(g.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(deadline) {
			return err
		}
	}
}

func (g *guard) unlock() error { return syscall.Flock(int(g.file.Fd()), syscall.LOCK_UN) }

// read reads the mark.
func (g *guard) read() (mark, error) {
	content, err := io.ReadAll(io.NewSectionReader(g.file, 0, 1024))
	if err != nil {
		return mark{}, err
	}
	return parseMark(content)
}

// used is how far it has come from its creation.
func (m mark) used() int64 {
	if m.former {
		return m.sequence
	}
	return m.entry - 1
}

// known says whether a ledger has existed.
func (m mark) known() bool { return m.id != "" }

// set overwrites the mark. Only a former version's is longer or shorter.
func (g *guard) set(m mark) error {
	_, err := g.file.WriteAt([]byte(m.String()), 0)
	return err
}

// sync makes the mark survive the machine, which it must once: a ledger may not be charged before its guard is known to exist.
func (g *guard) sync() error { return g.file.Sync() }

// close gives the lock up, too.
func (g *guard) close() error { return g.file.Close() }

// unreadable is returned when a guard cannot be read.
func (g *guard) unreadable(place string, err error) error {
	return &UnavailableError{
		Path: place, Problem: "its guard file " + g.path + " cannot be read", Remedy: "restore that file; any earlier copy will do", Err: err,
	}
}

// admit compares a ledger that was found with the one that the guard remembers. at finds the hash of an entry of the ledger that was found.
func (g *guard) admit(place string, found, remembered mark, at func(entry int64) (digest, error)) error {
	refuse := func(problem, remedy string) error {
		return &UnavailableError{Path: place, Problem: problem, Remedy: remedy}
	}
	switch {
	case !remembered.known() && found.used() == 0:
		return nil // never used: a crash came between its creation and its guard's
	case !remembered.known():
		return refuse(
			"its guard file is missing, so nobody can tell whether this is the newest state of the ledger",
			fmt.Sprintf("restore %s; any earlier copy will do. Without one, if you are certain that this ledger is the newest, "+
				"write this line into that file: %s", g.path, strings.TrimSuffix(found.String(), "\n")),
		)
	case found.id != remembered.id:
		return refuse(
			fmt.Sprintf("it is not the ledger that was here before (it is %s, and was %s)", found.id, remembered.id),
			"put the former ledger back: the losses in it are not in this one",
		)
	case found.former && !remembered.former:
		return refuse(
			"it is older than the ledger that was here before, which a newer version has written",
			"put the newest ledger back: losses after this copy was made are not in it",
		)
	case found.former == remembered.former && found.used() < remembered.used():
		return refuse(
			fmt.Sprintf("it is older than the ledger that was here before (at %d, and was at %d)", found.used(), remembered.used()),
			"put the newest ledger back, with its -wal file if there is one: losses after this copy was made are not in it",
		)
	case remembered.former:
		return nil // it was compared before the ledger was brought up
	}
	hash, err := at(remembered.entry)
	if err == nil && hash != remembered.hash {
		err = refuse(
			fmt.Sprintf("it was rewritten: entry %d is not the one that was there before", remembered.entry),
			"put the newest sound copy back",
		)
	}
	return err
}
