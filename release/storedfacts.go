package release

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
	"tacit/rewrite"
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
	Place   place       `json:"place"`
}

func (f *facts) encode() ([]byte, error) {
	s := storedFacts{Columns: f.columns, Values: storedValues(f.values), Seals: f.seals, By: f.by, Promise: f.promise, Place: f.place, Tuples: [][]*string{}, Units: [][5]int64{}, Types: [][]*string{}}
	for _, t := range f.tuples {
		s.Tuples = append(s.Tuples, storedValues(t))
	}
	for _, t := range f.types {
		s.Types = append(s.Types, storedValues(t))
	}
	for _, u := range f.units {
		s.Units = append(s.Units, [5]int64{int64(u.tuple), u.people, int64(u.first), int64(u.last), int64(boolInt(u.gone))})
	}
	return json.Marshal(s)
}

func storedValues(values []rewrite.Value) []*string {
	texts := make([]*string, len(values))
	for i, v := range values {
		if !v.Null {
			texts[i] = &values[i].Text
		}
	}
	return texts
}

func valuesOf(texts []*string) []rewrite.Value {
	values := make([]rewrite.Value, len(texts))
	for i, text := range texts {
		if values[i].Null = text == nil; text != nil {
			values[i].Text = *text
		}
	}
	return values
}

// maxEpochs bounds the seals of a table: a count compares each row with each of them.
const maxEpochs = 100

// decodeFacts checks what it reads, so that a damaged ledger is refused instead of counted by.
func decodeFacts(payload []byte) (*facts, error) {
	var s storedFacts
	if err := json.Unmarshal(payload, &s); err != nil {
		return nil, fmt.Errorf("the facts of an epoch in the ledger are damaged: %w", err)
	}
	f := &facts{columns: s.Columns, values: valuesOf(s.Values), seals: s.Seals, by: s.By, promise: s.Promise, place: s.Place}
	for _, t := range s.Tuples {
		f.tuples = append(f.tuples, valuesOf(t))
	}
	for _, t := range s.Types {
		f.types = append(f.types, valuesOf(t))
	}
	for _, u := range s.Units {
		f.units = append(f.units, factUnit{tuple: int(u[0]), people: u[1], first: int(u[2]), last: int(u[3]), gone: u[4] != 0})
	}
	if err := f.validate(); err != nil {
		return nil, fmt.Errorf("the facts of an epoch in the ledger are damaged: %w", err)
	}
	return f, nil
}

func (f *facts) validate() error {
	if len(f.values) < 2 || len(f.values) > posterior.MaxValues || len(f.seals) == 0 || len(f.seals) > maxEpochs {
		return errors.New("values or seals are too few or too many")
	}
	for _, s := range f.seals {
		if s == "" || len(s) > 20 || strings.Trim(s, "0123456789") != "" {
			return errors.New("a seal is no number")
		}
	}
	for _, t := range f.tuples {
		if len(t) != len(f.columns) {
			return errors.New("a combination has too few or too many values")
		}
	}
	for _, t := range f.types {
		if len(t) != len(f.by) {
			return errors.New("a type has too few or too many values")
		}
	}
	for _, name := range f.by {
		if !slices.Contains(f.columns, name) {
			return errors.New("a column of types is not public")
		}
	}
	for _, u := range f.units {
		if u.tuple < 0 || u.tuple >= len(f.tuples) || u.people < 0 || u.first < 1 || u.last < u.first || u.last > len(f.seals) {
			return errors.New("a unit is about nobody")
		}
	}
	return nil
}

// fits reports whether the facts are about the columns that the policy lists now.
func (f *facts) fits(table *rewrite.Table) bool {
	if !slices.EqualFunc(f.columns, table.PublicColumns(), func(name string, c *rewrite.Column) bool { return c.Name == name }) {
		return false
	}
	return slices.Equal(f.values, sealedValues(table, table.Policy.Mechanism.Audit.Prior))
}

// promiseOf identifies what an auditor is to protect, and from whom: that cannot change while what was released counts. How much risk there
// is to be spent can, see policy.Budget; what one decision and one statement may spend of it is as it was when the first epoch was sealed.
func promiseOf(a *policy.Auditor) string {
	text, err := json.Marshal([]any{a.Private, a.Values, a.Epsilon, a.Delta, a.Rule, a.Decisions, a.Insiders, a.OneSided, a.Prior})
	if err != nil {
		panic("release: internal error: " + err.Error())
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:16])
}
