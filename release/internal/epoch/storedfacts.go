package epoch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/auditor/posterior"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// storedFacts are facts as the ledger keeps them with the epoch: JSON, so that a steward can read her ledger with any SQLite client.
type storedFacts struct {
	Columns []string    `json:"columns"`
	Values  []*string   `json:"values"`
	Tuples  [][]*string `json:"tuples"`
	// Units are tuple, people, first seal, last seal, and 1 if they are gone.
	Units   [][5]int64  `json:"units"`
	Seals   []string    `json:"seals"`
	By      []string    `json:"by"`
	Promise string      `json:"promise"`
	Types   [][]*string `json:"types"`
	Place   Place       `json:"place"`
}

func (f *PublicFacts) Encode() ([]byte, error) {
	s := storedFacts{Columns: f.Columns, Values: StoredValues(f.Values), Seals: f.Seals, By: f.By, Promise: f.Promise, Place: f.Place, Tuples: [][]*string{}, Units: [][5]int64{}, Types: [][]*string{}}
	for _, t := range f.Tuples {
		s.Tuples = append(s.Tuples, StoredValues(t))
	}
	for _, t := range f.Types {
		s.Types = append(s.Types, StoredValues(t))
	}
	for _, u := range f.Units {
		s.Units = append(s.Units, [5]int64{int64(u.Tuple), u.People, int64(u.First), int64(u.Last), int64(cells.BoolInt(u.Gone))})
	}
	return json.Marshal(s)
}

func StoredValues(values []query.Value) []*string {
	texts := make([]*string, len(values))
	for i, v := range values {
		if !v.Null {
			texts[i] = &values[i].Text
		}
	}
	return texts
}

func valuesOf(texts []*string) []query.Value {
	values := make([]query.Value, len(texts))
	for i, text := range texts {
		if values[i].Null = text == nil; text != nil {
			values[i].Text = *text
		}
	}
	return values
}

// MaxEpochs bounds the seals of a table: a count compares each row with each of them.
const MaxEpochs = 100

// DecodeFacts checks what it reads, so that a damaged ledger is refused instead of counted by.
func DecodeFacts(payload []byte) (*PublicFacts, error) {
	var s storedFacts
	if err := json.Unmarshal(payload, &s); err != nil {
		return nil, fmt.Errorf("the facts of an epoch in the ledger are damaged: %w", err)
	}
	f := &PublicFacts{Columns: s.Columns, Values: valuesOf(s.Values), Seals: s.Seals, By: s.By, Promise: s.Promise, Place: s.Place}
	for _, t := range s.Tuples {
		f.Tuples = append(f.Tuples, valuesOf(t))
	}
	for _, t := range s.Types {
		f.Types = append(f.Types, valuesOf(t))
	}
	for _, u := range s.Units {
		f.Units = append(f.Units, Unit{Tuple: int(u[0]), People: u[1], First: int(u[2]), Last: int(u[3]), Gone: u[4] != 0})
	}
	if err := f.validate(); err != nil {
		return nil, fmt.Errorf("the facts of an epoch in the ledger are damaged: %w", err)
	}
	return f, nil
}

func (f *PublicFacts) validate() error {
	if len(f.Values) < 2 || len(f.Values) > posterior.MaxValues || len(f.Seals) == 0 || len(f.Seals) > MaxEpochs {
		return errors.New("values or seals are too few or too many")
	}
	for _, s := range f.Seals {
		if s == "" || len(s) > 20 || strings.Trim(s, "0123456789") != "" {
			return errors.New("a seal is no number")
		}
	}
	for _, t := range f.Tuples {
		if len(t) != len(f.Columns) {
			return errors.New("a combination has too few or too many values")
		}
	}
	for _, t := range f.Types {
		if len(t) != len(f.By) {
			return errors.New("a type has too few or too many values")
		}
	}
	for _, name := range f.By {
		if !slices.Contains(f.Columns, name) {
			return errors.New("a column of types is not public")
		}
	}
	for _, u := range f.Units {
		if u.Tuple < 0 || u.Tuple >= len(f.Tuples) || u.People < 0 || u.First < 1 || u.Last < u.First || u.Last > len(f.Seals) {
			return errors.New("a unit is about nobody")
		}
	}
	return nil
}

// Fits reports whether the facts are about the columns that the policy lists now.
func (f *PublicFacts) Fits(table *query.Table) bool {
	if !slices.EqualFunc(f.Columns, table.PublicColumns(), func(name string, c *query.Column) bool { return c.Name == name }) {
		return false
	}
	return slices.Equal(f.Values, SealedValues(table, table.Policy.Mechanism.Audit.Prior))
}

// PromiseOf identifies what an auditor is to protect, and from whom: that cannot change while what was released counts. How much risk there
// is to be spent can, see policy.Budget; what one decision and one statement may spend of it is as it was when the first epoch was sealed.
func PromiseOf(a *policy.Auditor) string {
	text, err := json.Marshal([]any{a.Private, a.Values, a.Epsilon, a.Delta, a.Rule, a.Decisions, a.Insiders, a.OneSided, a.Prior})
	if err != nil {
		panic("release: internal error: " + err.Error())
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:16])
}
