package archive

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant/journal"
)

// full is an entry whose every column is filled, also those that no kind of entry has together.
func full() *journal.Entry {
	e := &journal.Entry{
		ID: 1<<53 + 1, At: 1_763_971_200_123_456_789, Kind: journal.KindCharged, Operation: []byte{0, 255}, Analyst: "ève\n", Schema: `pub "lic`, Name: "it's\u2028",
		Epoch: 2, Statement: "SELECT '<é>' & \u0000\u202e", Sqlstate: "42501", Adjacency: "add-remove", Epsilon: 1<<62 + 1, Delta: 8, Releases: 1, Risk: 9, Refers: 3,
		Body: `{"a":"\u003c"}`,
		Charged: []journal.Charge{
			{ID: 4, QuestionKey: journal.Digest{1, 2}, Question: "q\n", Mechanism: "geometric", Term: "t", Blocks: `["a"]`, Shape: "s\n", Epsilon: 3, Delta: 4, Releases: 1},
			{ID: 5},
		},
		Released: []journal.Release{{ID: 6, Charge: 4, At: 1, Payload: []byte{0, 200}}, {ID: 7, Charge: 5, Payload: []byte{}}},
		Events:   []journal.Event{{ID: 8, Schema: "a", Name: "b", Sequence: 9, Kind: "k", Payload: []byte("e")}},
		Answers:  []journal.Answer{{ID: 10, Event: 8, At: 2, Payload: []byte("a")}},
	}
	for i := range e.Charged {
		e.Charged[i].Entry = e.ID
	}
	for i := range e.Released {
		e.Released[i].Entry = e.ID
	}
	e.Events[0].Entry, e.Answers[0].Entry = e.ID, e.ID
	e.Hash = journal.NewLinker().Entry(journal.Digest{}, e)
	return e
}

// Every column is read as it was written; a column that is added to a row fails here until the line has it.
func TestLineHasAll(t *testing.T) {
	want := full()
	for _, row := range []any{*want, want.Charged[0], want.Released[0], want.Events[0], want.Answers[0]} {
		v := reflect.ValueOf(row)
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("the test fills no %T.%s", row, v.Type().Field(i).Name)
			}
		}
	}
	text, err := Append(nil, want)
	if err != nil || bytes.Count(text, []byte("\n")) != 1 || !bytes.HasSuffix(text, []byte("\n")) {
		t.Fatalf("%q, %v", text, err)
	}
	got, err := NewReader(bytes.NewReader(text)).Next()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
	if journal.NewLinker().Entry(journal.Digest{}, got) != want.Hash {
		t.Error("the hash does not follow from what was read")
	}
}

// The form of a line is in archives: it stays.
func TestLineForm(t *testing.T) {
	text, err := Append([]byte("before\n"), &journal.Entry{ID: 2, At: 1, Kind: journal.KindRefused, Statement: "SELECT 1 < 2", Epsilon: 5})
	const want = "before\n" + `{"entry":2,"at":"1970-01-01T00:00:00.000000001Z","kind":"refused","statement":"SELECT 1 < 2","epsilon":"5",` +
		`"hash":"0000000000000000000000000000000000000000000000000000000000000000"}` + "\n"
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

func TestWhatIsNotALine(t *testing.T) {
	for text, problem := range map[string]string{
		"\n\n{\"entry\":1,\"unheard\":2}\n": `line 3: json: unknown field "unheard"`,
		`{"entry":1}{"entry":2}`:            "line 1: more than one entry in a line",
		`{"entry":1,"hash":"xy"}`:           "line 1: ",
		`{"entry":1.5}`:                     "line 1: ",
		`[1]`:                               "line 1: ",
	} {
		if e, err := NewReader(strings.NewReader(text)).Next(); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: %v, %v", text, e, err)
		}
	}
	if e, err := NewReader(strings.NewReader("\n")).Next(); !errors.Is(err, io.EOF) {
		t.Errorf("nothing: %v, %v", e, err)
	}
	odd := full()
	odd.Charged[1].Question = "\xff"
	if text, err := Append(nil, odd); err == nil || len(text) > 0 {
		t.Errorf("a text that JSON cannot hold: %q, %v", text, err)
	}
}

// A line has each name once, as it is written, and in its order. Space and the way in which a character is written do not matter.
func TestLineIsAsWritten(t *testing.T) {
	text, err := Append(nil, full())
	if err != nil {
		t.Fatal(err)
	}
	read := func(old, changed string) (*journal.Entry, error) {
		t.Helper()
		line := strings.Replace(string(text), old, changed, 1)
		if line == string(text) {
			t.Fatalf("%s is not in the line", old)
		}
		return NewReader(strings.NewReader(line)).Next()
	}
	for _, change := range [][2]string{
		{`"epsilon":"`, `"epsilon":"0","epsilon":"`},
		{`"kind":"charged"`, `"KIND":"charged"`},
		{`"kind":"charged"`, `"kind":"charged","Kind":"charged"`},
		{`"question_key":"`, `"question_key":"","question_key":"`},
		{`"mechanism":`, `"Mechanism":`},
		{`"epoch":2`, `"epoch":null`},
		{`"operation":"00ff"`, `"operation":"00FF"`},
		{`"sqlstate":"42501","adjacency":"add-remove"`, `"adjacency":"add-remove","sqlstate":"42501"`},
		{`"delta":"8"`, `"delta":"08"`},
		{`"refers":3`, `"refers":3,"epoch":2`},
	} {
		if _, err := read(change[0], change[1]); err == nil {
			t.Errorf("%s was taken for %s", change[1], change[0])
		}
	}
	for _, change := range [][2]string{{`"epoch":2`, "\"epoch\" :\t2"}, {`"add-remove"`, `"\u0061dd-remove"`}, {`\u2028`, "\u2028"}} {
		got, err := read(change[0], change[1])
		if err != nil {
			t.Errorf("%s: %v", change[1], err)
		} else if diff := cmp.Diff(full(), got); diff != "" {
			t.Errorf("-written +read:\n%s", diff)
		}
	}
}

// Lines are from outside. What is read and can be written is read again as the same.
func FuzzLine(f *testing.F) {
	text, err := Append(nil, full())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := NewReader(bytes.NewReader(text)).Next()
		if err != nil {
			return
		}
		again, err := Append(nil, e)
		if err != nil {
			return
		}
		same, err := NewReader(bytes.NewReader(again)).Next()
		if err != nil {
			t.Fatal(err)
		}
		if journal.NewLinker().Entry(journal.Digest{}, e) != journal.NewLinker().Entry(journal.Digest{}, same) {
			t.Errorf("%q is read as another entry than %q", again, text)
		}
	})
}
