package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// What belongs to some kinds of entries besides their columns is JSON in the column body: in the one form that marshal writes.

// A CreatedBody says which ledger it is.
type CreatedBody struct {
	Ledger  string `json:"ledger"`
	Version int    `json:"version"`
}

// A ChargedBody says whose reservation it is, and how it was accounted for if that is not as the entry that it refers to says.
type ChargedBody struct {
	Owner      string            `json:"owner"` // the process that is to answer
	Accounting *StatedAccounting `json:"accounting,omitempty"`
}

// An AdoptedBody says which charges were taken over, and by whom.
type AdoptedBody struct {
	Owner   string  `json:"owner"`
	Charges []int64 `json:"charges"`
}

// An AbandonedBody says which charges will not be answered, or which event of an auditor.
type AbandonedBody struct {
	Charges []int64 `json:"charges"`
	Event   int64   `json:"event,omitempty"`
}

// An ActionBody is of a steward's act.
type ActionBody struct {
	By      string   `json:"by"`
	Reason  string   `json:"reason"`
	Amounts *Amounts `json:"amounts,omitempty"` // of a grant
}

// A RequestedBody is of an analyst's request: why, and for how much more.
type RequestedBody struct {
	Reason  string  `json:"reason"`
	Amounts Amounts `json:"amounts"`
}

// An accounting is what a charge was compared with: all of an Accounting and the analyst's cap. It is comparable, and two that are
// equal are the same text.
type StatedAccounting struct {
	Adjacency   policy.Adjacency   `json:"adjacency,omitempty"`
	Composition policy.Composition `json:"composition"`
	Budget      Amounts            `json:"budget"`
	Thresholds  policy.Delta       `json:"thresholds,omitempty"`
	WindowDays  int64              `json:"window_days,omitempty"`
	Partition   string             `json:"partition,omitempty"`
	Main        string             `json:"main,omitempty"`
	Capped      bool               `json:"capped,omitempty"`
	Cap         Amounts            `json:"cap,omitzero"`
}

// Amounts are those of a loss or a budget, as integers. JSON numbers would do, were it not for readers that take them for floating point.
type Amounts struct {
	Epsilon  int64 `json:"epsilon,omitempty,string"`
	Delta    int64 `json:"delta,omitempty,string"`
	Releases int64 `json:"releases,omitempty,string"`
	Risk     int64 `json:"risk,omitempty,string"`
}

func AmountsOf(l accountant.Loss) Amounts {
	return Amounts{int64(l.Epsilon), int64(l.Delta), l.Releases, int64(l.Risk)}
}

func (a Amounts) Loss() accountant.Loss {
	return accountant.Loss{Epsilon: policy.Epsilon(a.Epsilon), Delta: policy.Delta(a.Delta), Releases: a.Releases, Risk: policy.Risk(a.Risk)}
}

func (a Amounts) budget() policy.Budget { return policy.Budget(a.Loss()) }

// Stated is an accounting, and the analyst's cap, as they are kept.
func Stated(a accountant.Accounting, limit *policy.Budget) StatedAccounting {
	s := StatedAccounting{
		Adjacency: a.Adjacency, Composition: a.Composition, Budget: AmountsOf(accountant.Loss(a.Budget)), Thresholds: a.Thresholds,
		WindowDays: int64(a.Window / (24 * time.Hour)), Partition: a.Partition, Main: a.Main.String(),
	}
	if limit != nil {
		s.Capped, s.Cap = true, AmountsOf(accountant.Loss(*limit))
	}
	return s
}

// Of is the accounting of a table, and the analyst's cap, as they were stated.
func (s StatedAccounting) Of(table policy.TableName) (accountant.Accounting, *policy.Budget, error) {
	var main composition.Term
	if s.Main != "" {
		var err error
		if main, err = composition.Parse(s.Main); err != nil {
			return accountant.Accounting{}, nil, err
		}
	}
	a := accountant.Accounting{
		Table: table, Adjacency: s.Adjacency, Budget: s.Budget.budget(), Composition: s.Composition, Thresholds: s.Thresholds,
		Window: time.Duration(s.WindowDays) * 24 * time.Hour, Partition: s.Partition, Main: main,
	}
	if !s.Capped {
		return a, nil, nil
	}
	limit := s.Cap.budget()
	return a, &limit, nil
}

// Marshal is the one form of a body.
func Marshal(body any) string {
	text, err := json.Marshal(body)
	if err != nil {
		panic("accountant: internal error: " + err.Error())
	}
	return string(text)
}

// Unmarshal reads a body, if it is in the form that marshal writes.
func Unmarshal(text string, body any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(body); err != nil {
		return err
	}
	if Marshal(body) != text {
		return errors.New("its body has another form than it is written in")
	}
	return nil
}

// A NoteBody is of a note: a statement that cost nothing. Of format 1 it has no salt, and is empty where there is nothing else to say.
type NoteBody struct {
	Salt     []byte  `json:"salt,omitempty"`
	Releases []int64 `json:"releases,omitempty"` // that a derived answer was computed of, rising; of those that former versions noted none
	Reason   string  `json:"reason,omitempty"`   // of a refusal, if it was noted
	Request  string  `json:"request,omitempty"`  // which statement of the analyst's it was
}

// A thinnedNoteBody is what is left of a note that was dropped.
type thinnedNoteBody struct {
	Content []byte `json:"content"` // a digest of what it said
}

// A ThinnedBody says what was dropped: of all notes up to an entry what they said, which was not dropped before.
type ThinnedBody struct {
	Through int64     `json:"through"`
	Dropped NoteCount `json:"dropped"`
	Before  int64     `json:"before,omitempty,string"` // notes were to be dropped that are older; 0: there were too many
}

// A NoteCount is a number of notes by their kinds.
type NoteCount struct {
	Replayed int64 `json:"replayed,omitempty"`
	Derived  int64 `json:"derived,omitempty"`
	Refused  int64 `json:"refused,omitempty"`
}

// Add counts a note.
func (c *NoteCount) Add(k Kind) {
	switch k {
	case kindReplayed:
		c.Replayed++
	case kindDerived:
		c.Derived++
	case KindRefused:
		c.Refused++
	default:
		panic("accountant: internal error: no note is " + string(k))
	}
}

// Sum is how many they are.
func (c NoteCount) Sum() int64 { return c.Replayed + c.Derived + c.Refused }

// A formatBody says which format the ledger has from there on.
type formatBody struct {
	Version int `json:"version"`
}
