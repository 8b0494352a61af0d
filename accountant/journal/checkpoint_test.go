package journal

import (
	"strings"
	"testing"
)

// The text of a checkpoint is the same as ever: programs that know nothing of the number of answers have written such ones, and compare them
// with their own. So this is both what is written and what an older ledger has.
func TestCheckpointText(t *testing.T) {
	s := NewState()
	const id = "0123456789abcdef0123456789abcdef"
	s.Ledger, s.At, s.Last = id, 7, rowNumbers{Charge: 1, Release: 1, Event: 3, Answer: 2}
	audited := s.changed(patients)
	audited.Events, audited.Event, audited.Auditor, audited.decided = 3, 3, "serve-1", 6
	text := `{"ledger":"` + id + `","at":"7","last":{"charge":1,"release":1,"event":3,"answer":2},"tables":[{"schema":"public","name":"patients",` +
		`"epoch":1,"latest":{"composition":"","budget":{}},"events":3,"event":3,"auditor":"serve-1","decided":"6"}]}`
	for answers := range int64(3) {
		audited.Answers = answers
		if got := s.CheckpointBody(); got != text {
			t.Errorf("with %d answers it is\n%s\nwant\n%s", answers, got, text)
		}
	}
	s.Format, s.Notes = Format{Version: 2, Since: 5}, Notes{Kept: 6, Dropped: 7, Through: 8}
	later := strings.Replace(text, `,"tables"`, `,"format":{"version":2,"since":5},"notes":{"kept":6,"dropped":7,"through":8},"tables"`, 1)
	if got := s.CheckpointBody(); got != later {
		t.Errorf("of format 2 it is\n%s\nwant\n%s", got, later)
	}
	newer := &Entry{ID: 9, At: 7, Kind: KindCheckpoint, Body: later}
	newer.Hash = NewLinker().Entry(Digest{1}, newer)
	if read, err := StateFrom(newer, Digest{1}); err != nil || read.Format != s.Format || read.Notes != s.Notes {
		t.Errorf("it is read as %+v, %v", read, err)
	}
	e := &Entry{ID: 9, At: 7, Kind: KindCheckpoint, Body: text}
	e.Hash = NewLinker().Entry(Digest{1}, e)
	if s, err := StateFrom(e, Digest{1}); err != nil || s.Table(patients).Events != 3 || s.Checkpoint != 9 {
		t.Errorf("it is read as %+v, %v", s, err)
	}
}
