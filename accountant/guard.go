package accountant

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// A guard is the file next to a ledger that is locked while a process may write the ledger, and that remembers the ledger: which
// one it was and how far it had come. A ledger that is deleted, exchanged for another one or put back from a backup is thereby known
// for what it is, and refused, instead of handing out the same budget twice.
//
// The mark is written after every commit, without fsync. If the machine stops, the guard may fall behind the ledger, which was
// synced first; it can never be ahead of it. A ledger that is ahead of its guard is accepted: a few commits of memory are lost, and
// no ledger is refused that should not be. A process that is killed loses nothing, since the kernel has the write.
type guard struct {
	file *os.File
	mark mark // as last read or written; the zero mark if no ledger has existed
}

// A mark identifies a ledger and a moment of its life.
type mark struct {
	id       string // of the ledger, 32 hexadecimal digits
	sequence int64  // of its last commit, see sequenceQuery
}

// String is the content of a guard file: one line of fixed length, so that a new mark overwrites the old one within a single sector.
func (m mark) String() string {
	return fmt.Sprintf("tacit ledger %s sequence %019d\n", m.id, m.sequence)
}

var markForm = regexp.MustCompile(`\Atacit ledger ([0-9a-f]{32}) sequence ([0-9]{19})\n\z`)

// parseMark reads what String wrote. An empty file is the zero mark.
func parseMark(content []byte) (mark, error) {
	if len(content) == 0 {
		return mark{}, nil
	}
	fields := markForm.FindSubmatch(content)
	if fields == nil {
		return mark{}, errors.New("not the line that tacit writes")
	}
	sequence, err := strconv.ParseInt(string(fields[2]), 10, 64)
	if err != nil {
		return mark{}, err
	}
	return mark{id: string(fields[1]), sequence: sequence}, nil
}

// guardPath is where the guard of a ledger is.
func guardPath(ledger string) string { return ledger + ".guard" }

// openGuard locks the ledger's guard, creating it if there is none, and reads its mark.
func openGuard(ledger string) (*guard, error) {
	unavailable := func(problem, remedy string, err error) error {
		return &UnavailableError{Path: ledger, Problem: problem, Remedy: remedy, Err: err}
	}
	file, err := os.OpenFile(guardPath(ledger), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, unavailable("its guard file cannot be opened", "", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, unavailable("another process has locked it", "one tacit at a time may write a ledger: stop the other one", err)
	}
	content, err := io.ReadAll(io.LimitReader(file, 1024))
	if err == nil {
		var m mark
		if m, err = parseMark(content); err == nil {
			return &guard{file: file, mark: m}, nil
		}
	}
	file.Close()
	return nil, unavailable("its guard file "+guardPath(ledger)+" cannot be read", "restore that file; any earlier copy will do", err)
}

// known says whether a ledger has existed here.
func (g *guard) known() bool { return g.mark != mark{} }

// set overwrites the mark.
func (g *guard) set(m mark) error {
	if _, err := g.file.WriteAt([]byte(m.String()), 0); err != nil {
		return err
	}
	g.mark = m
	return nil
}

// sync makes the mark survive the machine, which it must once: a ledger may not be charged before its guard is known to exist.
func (g *guard) sync() error { return g.file.Sync() }

// close gives the lock up.
func (g *guard) close() error { return g.file.Close() }

// admit compares a ledger that was found with the one that the guard remembers.
func (g *guard) admit(ledger string, found mark) error {
	refuse := func(problem, remedy string) error {
		return &UnavailableError{Path: ledger, Problem: problem, Remedy: remedy}
	}
	switch {
	case !g.known() && found.sequence == 0:
		return nil // never used: a crash came between its creation and its guard's
	case !g.known():
		return refuse(
			"its guard file is missing, so nobody can tell whether this is the newest state of the ledger",
			fmt.Sprintf("restore %s; any earlier copy will do. Without one, if you are certain that this ledger is the newest, "+
				"write this line into that file: %s", guardPath(ledger), strings.TrimSuffix(found.String(), "\n")),
		)
	case found.id != g.mark.id:
		return refuse(
			fmt.Sprintf("it is not the ledger that was here before (it is %s, and was %s)", found.id, g.mark.id),
			"put the former ledger back: the losses in it are not in this one",
		)
	case found.sequence < g.mark.sequence:
		return refuse(
			fmt.Sprintf("it is older than the ledger that was here before (at %d, and was at %d)", found.sequence, g.mark.sequence),
			"put the newest ledger back, with its -wal file if there is one: losses after this copy was made are not in it",
		)
	}
	return nil
}
