package archive

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"tacit/accountant/journal"
)

// A line is an entry, with the rows that belong to it. Amounts are integers, written as texts, since many readers take numbers for floating point: epsilon in
// units of 1e-9, delta and risk in units of 1e-18. Bytes are hexadecimal, and payloads base64.
type line struct {
	Entry     int64         `json:"entry"`
	At        time.Time     `json:"at"`
	Kind      journal.Kind  `json:"kind"`
	Operation digits        `json:"operation,omitempty"`
	Analyst   string        `json:"analyst,omitempty"`
	Schema    string        `json:"schema,omitempty"`
	Table     string        `json:"table,omitempty"`
	Epoch     int64         `json:"epoch,omitempty"`
	Statement string        `json:"statement,omitempty"`
	SQLState  string        `json:"sqlstate,omitempty"`
	Adjacency string        `json:"adjacency,omitempty"`
	Epsilon   int64         `json:"epsilon,omitempty,string"`
	Delta     int64         `json:"delta,omitempty,string"`
	Releases  int64         `json:"releases,omitempty,string"`
	Risk      int64         `json:"risk,omitempty,string"`
	Refers    int64         `json:"refers,omitempty"`
	Body      string        `json:"body,omitempty"`
	Charges   []chargeRow   `json:"charges,omitempty"`
	Answers   []recordedRow `json:"answers,omitempty"`
	Events    []eventRow    `json:"events,omitempty"`
	Exact     []exactRow    `json:"exact_answers,omitempty"`
	Hash      digits        `json:"hash"`
}

type chargeRow struct {
	ID        int64  `json:"id"`
	Key       digits `json:"question_key"`
	Question  string `json:"question,omitempty"`
	Mechanism string `json:"mechanism,omitempty"`
	Term      string `json:"term,omitempty"`
	Blocks    string `json:"blocks,omitempty"`
	Shape     string `json:"shape,omitempty"`
	Epsilon   int64  `json:"epsilon,omitempty,string"`
	Delta     int64  `json:"delta,omitempty,string"`
	Releases  int64  `json:"releases,omitempty,string"`
}

type recordedRow struct {
	ID      int64     `json:"id"`
	Charge  int64     `json:"charge"`
	At      time.Time `json:"at"`
	Payload []byte    `json:"payload"`
}

type eventRow struct {
	ID       int64  `json:"id"`
	Schema   string `json:"schema,omitempty"`
	Table    string `json:"table,omitempty"`
	Sequence int64  `json:"sequence"`
	Kind     string `json:"kind,omitempty"`
	Payload  []byte `json:"payload"`
}

type exactRow struct {
	ID      int64     `json:"id"`
	Event   int64     `json:"event"`
	At      time.Time `json:"at"`
	Payload []byte    `json:"payload"`
}

// digits are bytes as hexadecimal digits.
type digits []byte

func (d digits) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d), nil }

func (d *digits) UnmarshalText(text []byte) (err error) {
	*d, err = hex.DecodeString(string(text))
	return err
}

func timeOf(nanoseconds int64) time.Time { return time.Unix(0, nanoseconds).UTC() }

// Append appends the line of an entry, with its line feed.
func Append(to []byte, e *journal.Entry) ([]byte, error) {
	if err := checkTexts(e); err != nil {
		return to, err
	}
	text, err := lineOf(e).append(to)
	switch {
	case err != nil:
		return to, fmt.Errorf("entry %d: %w", e.ID, err)
	case len(text)-len(to) > maxLine:
		return to, fmt.Errorf("entry %d is longer than the %d bytes that are read", e.ID, maxLine)
	}
	return text, nil
}

func (l *line) append(to []byte) ([]byte, error) {
	w := bytes.NewBuffer(to)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(l)
	return w.Bytes(), err
}

func lineOf(e *journal.Entry) *line {
	l := &line{
		Entry: e.ID, At: timeOf(e.At), Kind: e.Kind, Operation: e.Operation, Analyst: e.Analyst, Schema: e.Schema, Table: e.Name, Epoch: e.Epoch,
		Statement: e.Statement, SQLState: e.Sqlstate, Adjacency: e.Adjacency, Epsilon: e.Epsilon, Delta: e.Delta, Releases: e.Releases, Risk: e.Risk,
		Refers: e.Refers, Body: e.Body, Hash: e.Hash[:],
	}
	for i := range e.Charged {
		c := &e.Charged[i]
		l.Charges = append(l.Charges, chargeRow{
			ID: c.ID, Key: c.QuestionKey[:], Question: c.Question, Mechanism: c.Mechanism, Term: c.Term, Blocks: c.Blocks, Shape: c.Shape,
			Epsilon: c.Epsilon, Delta: c.Delta, Releases: c.Releases,
		})
	}
	for _, r := range e.Released {
		l.Answers = append(l.Answers, recordedRow{ID: r.ID, Charge: r.Charge, At: timeOf(r.At), Payload: r.Payload})
	}
	for _, v := range e.Events {
		l.Events = append(l.Events, eventRow{ID: v.ID, Schema: v.Schema, Table: v.Name, Sequence: v.Sequence, Kind: v.Kind, Payload: v.Payload})
	}
	for _, a := range e.Answers {
		l.Exact = append(l.Exact, exactRow{ID: a.ID, Event: a.Event, At: timeOf(a.At), Payload: a.Payload})
	}
	return l
}

// checkTexts fails if a text would be another one once it was read: JSON holds Unicode only.
func checkTexts(e *journal.Entry) error {
	texts := []string{string(e.Kind), e.Analyst, e.Schema, e.Name, e.Statement, e.Sqlstate, e.Adjacency, e.Body}
	for i := range e.Charged {
		c := &e.Charged[i]
		texts = append(texts, c.Question, c.Mechanism, c.Term, c.Blocks, c.Shape)
	}
	for _, v := range e.Events {
		texts = append(texts, v.Schema, v.Name, v.Kind)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return fmt.Errorf("entry %d has a text that is not UTF-8", e.ID)
		}
	}
	return nil
}

// parse reads what Append wrote, and nothing else: a decoder would take the last of two values of a name, and a name in other letters.
func parse(text []byte) (*journal.Entry, error) {
	var l line
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return nil, err
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return nil, errors.New("more than one entry in a line")
	}
	written, err := l.append(nil)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(bytes.TrimSpace(written), text) && !sameTokens(written, text) {
		return nil, errors.New("its names and values are not those that tacit writes, in their order")
	}
	return l.entry(), nil
}

// sameTokens says whether two values of JSON have the same names and values in the same order. Space, and how a character is written, may differ: what
// writes them changes over the years.
func sameTokens(a, b []byte) bool {
	left, right := json.NewDecoder(bytes.NewReader(a)), json.NewDecoder(bytes.NewReader(b))
	left.UseNumber()
	right.UseNumber()
	for {
		x, errLeft := left.Token()
		y, errRight := right.Token()
		if x != y || errLeft != errRight {
			return false
		}
		if errLeft != nil {
			return errors.Is(errLeft, io.EOF)
		}
	}
}

// entry is the entry of a line. Bytes of a wrong length are none, which fits no hash.
func (l *line) entry() *journal.Entry {
	e := &journal.Entry{
		ID: l.Entry, At: l.At.UnixNano(), Kind: l.Kind, Operation: l.Operation, Analyst: l.Analyst, Schema: l.Schema, Name: l.Table, Epoch: l.Epoch,
		Statement: l.Statement, Sqlstate: l.SQLState, Adjacency: l.Adjacency, Epsilon: l.Epsilon, Delta: l.Delta, Releases: l.Releases, Risk: l.Risk,
		Refers: l.Refers, Body: l.Body, Hash: journal.DigestOf(l.Hash),
	}
	for _, c := range l.Charges {
		e.Charged = append(e.Charged, journal.Charge{
			ID: c.ID, Entry: e.ID, QuestionKey: journal.DigestOf(c.Key), Question: c.Question, Mechanism: c.Mechanism, Term: c.Term, Blocks: c.Blocks,
			Shape: c.Shape, Epsilon: c.Epsilon, Delta: c.Delta, Releases: c.Releases,
		})
	}
	for _, r := range l.Answers {
		e.Released = append(e.Released, journal.Release{ID: r.ID, Entry: e.ID, Charge: r.Charge, At: r.At.UnixNano(), Payload: r.Payload})
	}
	for _, v := range l.Events {
		e.Events = append(e.Events, journal.Event{ID: v.ID, Entry: e.ID, Schema: v.Schema, Name: v.Table, Sequence: v.Sequence, Kind: v.Kind, Payload: v.Payload})
	}
	for _, a := range l.Exact {
		e.Answers = append(e.Answers, journal.Answer{ID: a.ID, Entry: e.ID, Event: a.Event, At: a.At.UnixNano(), Payload: a.Payload})
	}
	return e
}
