package epoch

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/rewrite/query"
)

// sampleFacts have two columns, three tuples and a unit of people who went.
func sampleFacts() *PublicFacts {
	value := func(text string) query.Value { return query.Value{Text: text, Null: text == ""} }
	return &PublicFacts{
		Columns: []string{"hair", "eye"}, Values: []query.Value{value("f"), value("t")},
		Tuples: [][]query.Value{{value("black"), value("blue")}, {value("black"), value("")}, {value("red"), value("blue")}},
		Units:  []Unit{{Tuple: 0, People: 10, First: 1, Last: 1}, {Tuple: 1, People: 20, First: 1, Last: 1}, {Tuple: 2, People: 3, First: 1, Last: 1}, {Tuple: 0, People: 5, First: 2, Last: 2}, {Tuple: 2, People: 1, First: 1, Last: 1, Gone: true}},
		Seals:  []string{"700", "900"}, By: []string{"hair"}, Promise: "abc",
	}
}

// TestProject merges tuples. It fails if people of one combination are left out, counted twice, or counted though they went.
func TestProject(t *testing.T) {
	f := sampleFacts()
	column := func(name string) *query.Column { return &query.Column{Name: name} }
	for _, c := range []struct {
		columns []*query.Column
		units   [][]int32
		people  []int64
	}{
		{nil, [][]int32{{0, 1, 2, 3}}, []int64{38}},
		{[]*query.Column{column("hair")}, [][]int32{{0, 1, 3}, {2}}, []int64{35, 3}},
		{[]*query.Column{column("eye"), column("hair")}, [][]int32{{0, 3}, {1}, {2}}, []int64{15, 20, 3}},
	} {
		p, ok := f.Project(c.columns)
		if !ok {
			t.Fatal("not public")
		}
		if diff := cmp.Diff(c.units, p.Units) + cmp.Diff(c.people, p.People); diff != "" {
			t.Error(diff)
		}
	}
	if _, ok := f.Project([]*query.Column{column("nose")}); ok {
		t.Error("a column that is not public was found")
	}
}

// TestUnitReader counts rows by units, and notices who is missing.
func TestUnitReader(t *testing.T) {
	f := sampleFacts()
	rows := []UnitRow{
		{Tuple: f.Tuples[0], Value: f.Values[1], Band: 1, N: 4}, {Tuple: f.Tuples[0], Value: f.Values[0], Band: 1, N: 6},
		{Tuple: f.Tuples[1], Value: f.Values[0], Band: 1, N: 20}, {Tuple: f.Tuples[2], Value: f.Values[1], Band: 1, N: 3},
		{Tuple: f.Tuples[0], Value: f.Values[1], Band: 2, N: 5},
		{Tuple: f.Tuples[0], Value: f.Values[1], Band: 0, N: 1000}, {Tuple: f.Tuples[2], Value: f.Values[1], Band: 2, N: 1000},
	}
	read := func(rows []UnitRow) (UnitCounts, error) {
		r := newUnitReader(f)
		for _, row := range rows {
			if err := r.Take(row); err != nil {
				return nil, err
			}
		}
		return r.Counts, r.Check()
	}
	counts, err := read(rows)
	if diff := cmp.Diff(UnitCounts{{6, 4}, {20, 0}, {0, 3}, {0, 5}, {0, 0}}, counts); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, err := read(rows[1:]); err != ErrOver {
		t.Errorf("people are missing: %v", err)
	}
}

// FuzzFacts reads stored facts, and epochs that wrap them, of which a reader must survive anything.
func FuzzFacts(f *testing.F) {
	stored, err := sampleFacts().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(stored)
	f.Add(Wrap([]byte("payload"), stored))
	f.Add([]byte(`{"columns":["a"],"values":["f",null],"tuples":[["x"]],"units":[[0,1,1,1,0]],"seals":["5"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if payload, rest, err := Unwrap(data); err == nil && !bytes.HasSuffix(Wrap(payload, rest), append(slices.Clone(payload), rest...)) {
			t.Error("an epoch is not what it was")
		}
		read, err := DecodeFacts(data)
		if err != nil {
			return
		}
		again, err := read.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if second, err := DecodeFacts(again); err != nil || len(second.Units) != len(read.Units) {
			t.Errorf("read once, and then: %v", err)
		}
	})
}
