package release

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/auditor/posterior"
	"tacit/rewrite"
)

// sampleFacts have two columns, three tuples and a unit of people who went.
func sampleFacts() *facts {
	value := func(text string) rewrite.Value { return rewrite.Value{Text: text, Null: text == ""} }
	return &facts{
		columns: []string{"hair", "eye"}, values: []rewrite.Value{value("f"), value("t")},
		tuples: [][]rewrite.Value{{value("black"), value("blue")}, {value("black"), value("")}, {value("red"), value("blue")}},
		units:  []factUnit{{tuple: 0, people: 10, first: 1, last: 1}, {tuple: 1, people: 20, first: 1, last: 1}, {tuple: 2, people: 3, first: 1, last: 1}, {tuple: 0, people: 5, first: 2, last: 2}, {tuple: 2, people: 1, first: 1, last: 1, gone: true}},
		seals:  []string{"700", "900"}, by: []string{"hair"}, promise: "abc",
	}
}

// TestProject merges tuples. It fails if people of one combination are left out, counted twice, or counted though they went.
func TestProject(t *testing.T) {
	f := sampleFacts()
	column := func(name string) *rewrite.Column { return &rewrite.Column{Name: name} }
	for _, c := range []struct {
		columns []*rewrite.Column
		units   [][]int32
		people  []int64
	}{
		{nil, [][]int32{{0, 1, 2, 3}}, []int64{38}},
		{[]*rewrite.Column{column("hair")}, [][]int32{{0, 1, 3}, {2}}, []int64{35, 3}},
		{[]*rewrite.Column{column("eye"), column("hair")}, [][]int32{{0, 3}, {1}, {2}}, []int64{15, 20, 3}},
	} {
		p, ok := f.project(c.columns)
		if !ok {
			t.Fatal("not public")
		}
		if diff := cmp.Diff(c.units, p.units) + cmp.Diff(c.people, p.people); diff != "" {
			t.Error(diff)
		}
	}
	if _, ok := f.project([]*rewrite.Column{column("nose")}); ok {
		t.Error("a column that is not public was found")
	}
}

// TestClasses divides values. It fails if two ways to ask for the same are two questions, or if a Boolean column is not asked for true.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		values int
		sets   []posterior.ValueSet
		want   []posterior.ValueSet // the first is not asked for
	}{
		{2, []posterior.ValueSet{2}, []posterior.ValueSet{1, 2}},
		{2, []posterior.ValueSet{1}, []posterior.ValueSet{1, 2}},
		{2, []posterior.ValueSet{2, 1}, []posterior.ValueSet{1, 2}},
		{3, []posterior.ValueSet{4}, []posterior.ValueSet{3, 4}},
		{3, []posterior.ValueSet{3}, []posterior.ValueSet{3, 4}},
		{3, []posterior.ValueSet{1, 2, 4}, []posterior.ValueSet{1, 2, 4}},
		{3, []posterior.ValueSet{4, 2}, []posterior.ValueSet{1, 2, 4}},
		{5, []posterior.ValueSet{1, 2, 28}, []posterior.ValueSet{28, 1, 2}},
		{5, []posterior.ValueSet{1, 2}, []posterior.ValueSet{28, 1, 2}},
		{4, []posterior.ValueSet{3}, []posterior.ValueSet{3, 12}},
	} {
		got := classesOf(c.sets, c.values)
		slices.Sort(got[1:])
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v of %d values (-want +got):\n%s", c.sets, c.values, diff)
		}
	}
}

// TestUnitReader counts rows by units, and notices who is missing.
func TestUnitReader(t *testing.T) {
	f := sampleFacts()
	rows := []unitRow{
		{tuple: f.tuples[0], value: f.values[1], band: 1, n: 4}, {tuple: f.tuples[0], value: f.values[0], band: 1, n: 6},
		{tuple: f.tuples[1], value: f.values[0], band: 1, n: 20}, {tuple: f.tuples[2], value: f.values[1], band: 1, n: 3},
		{tuple: f.tuples[0], value: f.values[1], band: 2, n: 5},
		{tuple: f.tuples[0], value: f.values[1], band: 0, n: 1000}, {tuple: f.tuples[2], value: f.values[1], band: 2, n: 1000},
	}
	read := func(rows []unitRow) (unitCounts, error) {
		r := newUnitReader(f)
		for _, row := range rows {
			if err := r.take(row); err != nil {
				return nil, err
			}
		}
		return r.counts, r.check()
	}
	counts, err := read(rows)
	if diff := cmp.Diff(unitCounts{{6, 4}, {20, 0}, {0, 3}, {0, 5}, {0, 0}}, counts); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, err := read(rows[1:]); err != errEpochOver {
		t.Errorf("people are missing: %v", err)
	}
}

// FuzzFacts reads stored facts, and epochs that wrap them, of which a reader must survive anything.
func FuzzFacts(f *testing.F) {
	stored, err := sampleFacts().encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(stored)
	f.Add(wrapEpoch([]byte("payload"), stored))
	f.Add([]byte(`{"columns":["a"],"values":["f",null],"tuples":[["x"]],"units":[[0,1,1,1,0]],"seals":["5"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if payload, rest, err := unwrapEpoch(data); err == nil && !bytes.HasSuffix(wrapEpoch(payload, rest), append(slices.Clone(payload), rest...)) {
			t.Error("an epoch is not what it was")
		}
		read, err := decodeFacts(data)
		if err != nil {
			return
		}
		again, err := read.encode()
		if err != nil {
			t.Fatal(err)
		}
		if second, err := decodeFacts(again); err != nil || len(second.units) != len(read.units) {
			t.Errorf("read once, and then: %v", err)
		}
	})
}
