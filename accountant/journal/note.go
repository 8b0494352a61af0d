package journal

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Notes are entries of statements that cost nothing: replayed, derived and refused ones. Of format 2 on, what a note says can be dropped without breaking
// the chain: the row stays, with its number, time, kind and hash, and of the rest a digest alone.
//
// The hash of such a note is that of the row which is left when it is dropped:
//
//	H(previous, number, time, kind, content)   with   content = H(all columns, among which is a salt of 16 random bytes)
//
// So it is the same before and after. The kind is in it: no charge, answer or act can pass for a note that was dropped. And the salt goes with what the
// note said: nobody can confirm a guess by its digest.
//
// The salt stands in the body of a note, and the digest in the body of what is left. No note of format 1 has either, so that it cannot be dropped. An entry of the kind
// thinned says up to which entry all notes were dropped, and how many; a [ThinCheck] compares that with the rows.

// SaltSize is how many random bytes a note has.
const SaltSize = 16

const (
	saltBegin    = `{"salt":"`
	contentBegin = `{"content":"`
)

// ThinnedLike is a pattern of SQL: of notes, bodies that are like it are those of which what they said was dropped.
const ThinnedLike = contentBegin + "%"

// SaltedLike is a pattern of SQL: of notes, bodies that are like it are those that can be dropped.
const SaltedLike = saltBegin + "%"

// isSalted says whether it is a note that can be dropped.
func (e *Entry) isSalted() bool { return e.Kind.isNote() && strings.HasPrefix(e.Body, saltBegin) }

// isThinned says whether it is a note that was dropped. Its hash tells whether anything is left of it that must not be.
func (e *Entry) isThinned() bool { return e.Kind.isNote() && strings.HasPrefix(e.Body, contentBegin) }

// Thin is what is left of a note when it is dropped; false if it is none that can be.
func (l *linker) Thin(e *Entry) (*Entry, bool) {
	if !e.isSalted() {
		return nil, false
	}
	return l.thinned(e), true
}

func (l *linker) thinned(e *Entry) *Entry {
	content := l.content(e)
	return &Entry{
		ID: e.ID, At: e.At, Kind: e.Kind, Operation: []byte{}, Body: Marshal(thinnedNoteBody{Content: content[:]}), Hash: e.Hash,
	}
}

// content is a digest of all that a note says. What it begins with no hash in the chain does.
func (l *linker) content(e *Entry) Digest {
	l.text("tacit: what a note says")
	l.row(e)
	return l.sum()
}

// Notes are how many there are that can be dropped, and which were.
type Notes struct {
	Kept    int64 `json:"kept,omitempty"`    // what they say is there
	Dropped int64 `json:"dropped,omitempty"` // and is not
	Through int64 `json:"through,omitempty"` // up to this entry all were dropped
}

// applyNote counts a note, whether it was dropped since or not.
func (s *State) applyNote(e *Entry) error {
	switch salted := e.isSalted(); {
	case s.Format.Version == firstVersion && (salted || e.isThinned()):
		return errors.New("it has the form of a later format than the ledger's")
	case s.Format.Version == firstVersion:
		return nil
	case !salted && !e.isThinned():
		return errors.New("it is a note without a salt")
	case salted && !hasSalt(e.Body):
		return errors.New("its salt has another form than it is written in")
	}
	s.Notes.Kept++
	return nil
}

// hasSalt says whether a body begins with a salt of the size that it must have.
func hasSalt(body string) bool {
	text, _, closed := strings.Cut(body[len(saltBegin):], `"`)
	salt, err := base64.StdEncoding.Strict().DecodeString(text)
	return closed && err == nil && len(salt) == SaltSize
}

// applyThinned applies that notes were dropped.
func (s *State) applyThinned(e *Entry) error {
	var body ThinnedBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	dropped := body.Dropped
	switch sum := dropped.Sum(); {
	case body.Through <= s.Notes.Through || body.Through >= e.ID:
		return fmt.Errorf("it drops notes up to entry %d, and those up to %d were dropped before", body.Through, s.Notes.Through)
	case min(dropped.Replayed, dropped.Derived, dropped.Refused) < 0 || max(dropped.Replayed, dropped.Derived, dropped.Refused) > s.Notes.Kept || sum <= 0 || sum > s.Notes.Kept:
		return fmt.Errorf("it drops %d notes of %d", sum, s.Notes.Kept)
	case body.Before < 0 || body.Before > e.At:
		return errors.New("it drops notes that are older than a time that was still to come")
	}
	s.Notes.Kept -= dropped.Sum()
	s.Notes.Dropped += dropped.Sum()
	s.Notes.Through = body.Through
	return nil
}
