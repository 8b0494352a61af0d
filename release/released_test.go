package release

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/rewrite"
)

// TestPayload pins what is stored, which later versions must still read, and reads it back.
func TestPayload(t *testing.T) {
	keys := [][]rewrite.Value{{{Text: "a"}, {Null: true}, {Text: ""}}, {{Text: "NULL"}, {Text: `"`}, {Text: "null"}}}
	const storedKeys = `"keys":[["a",null,""],["NULL","\"","null"]]`
	for _, c := range []struct {
		release released
		stored  string
	}{
		{released{keys, []int64{0, -9223372036854775808, 9223372036854775807}, nil}, `{` + storedKeys + `,"counts":[0,-9223372036854775808,9223372036854775807]}`},
		{released{keys, []int64{0, 0, 7}, []bool{false, true, false}}, `{` + storedKeys + `,"counts":[0,null,7]}`},
		{released{keys, []int64{0, 0, 0}, []bool{true, true, true}}, `{` + storedKeys + `,"counts":[null,null,null]}`},
		{released{[][]rewrite.Value{}, []int64{12}, nil}, `{"keys":[],"counts":[12]}`},
		{released{[][]rewrite.Value{}, []int64{0}, []bool{true}}, `{"keys":[],"counts":[null]}`},
		{released{[][]rewrite.Value{{}}, nil, nil}, `{"keys":[[]],"counts":[]}`},
	} {
		stored, err := c.release.encode()
		if err != nil || string(stored) != c.stored {
			t.Errorf("stored as %s instead of %s (%v)", stored, c.stored, err)
		}
		again, err := decodeRelease(&accountant.Release{Payload: []byte(c.stored)}, len(c.release.keys))
		if err != nil {
			t.Errorf("%s: %v", c.stored, err)
		} else if diff := cmp.Diff(&c.release, again, cmp.AllowUnexported(released{})); diff != "" {
			t.Errorf("%s (-recorded +read):\n%s", c.stored, diff)
		}
	}
}

// TestPayloadHidesSuppressed stores nothing of what stands in the place of a suppressed count, and marks on none or on all.
func TestPayloadHidesSuppressed(t *testing.T) {
	r := released{counts: []int64{666}, suppressed: []bool{true}}
	if stored, err := r.encode(); err != nil || string(stored) != `{"keys":[],"counts":[null]}` {
		t.Errorf("%s, %v", stored, err)
	}
	r = released{counts: []int64{666, 1}, suppressed: []bool{true, false}}
	if stored, err := r.encode(); err != nil || bytes.Contains(stored, []byte("666")) {
		t.Errorf("%s, %v", stored, err)
	}
	for _, marks := range [][]bool{{}, {false}, {true, false, false}} {
		r.suppressed = marks
		if stored, err := r.encode(); err == nil {
			t.Errorf("%v: stored as %s", marks, stored)
		}
	}
}

// TestOtherPayloads reads what earlier versions or a careful hand could have written.
func TestOtherPayloads(t *testing.T) {
	for stored, want := range map[string]released{
		`{"keys":[[]],"counts":null}`: {keys: [][]rewrite.Value{{}}},
		`{"keys":[[]]}`:               {keys: [][]rewrite.Value{{}}},
		"{ \"counts\" : [\n 1 ,\tnull\n] , \"keys\" : [[\"a\",\"b\"]] }": {[][]rewrite.Value{{{Text: "a"}, {Text: "b"}}}, []int64{1, 0}, []bool{false, true}},
		`{"keys":[["a"]],"counts":[null],"counts":[5]}`:                  {[][]rewrite.Value{{{Text: "a"}}}, []int64{5}, nil},
	} {
		got, err := decodeRelease(&accountant.Release{Payload: []byte(stored)}, 1)
		if err != nil {
			t.Errorf("%s: %v", stored, err)
		} else if diff := cmp.Diff(&want, got, cmp.AllowUnexported(released{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", stored, diff)
		}
	}
}

// TestDamagedPayloads refuses what is not a release with one key.
func TestDamagedPayloads(t *testing.T) {
	for _, stored := range []string{
		``, `null`, `[]`, `{}`, `{"keys":[["a"]],"counts":[1]`, `{"keys":[["a"]],"counts":[1,]}`, `{"keys":[["a"]],"counts":[,1]}`,
		`{"keys":[["a"]],"counts":[]}`, `{"keys":[["a"]],"counts":null}`, `{"keys":[["a"]]}`, `{"keys":[["a"]],"counts":[1,2]}`, `{"keys":[["a"]],"counts":[null,null]}`,
		`{"keys":[["a","b"]],"counts":[null]}`, `{"keys":[],"counts":[1]}`, `{"keys":[["a"],["b"]],"counts":[1]}`,
		`{"keys":[["a"]],"counts":1}`, `{"keys":[["a"]],"counts":"1"}`, `{"keys":[["a"]],"counts":{}}`, `{"keys":[["a"]],"counts":["1"]}`, `{"keys":[["a"]],"counts":["null"]}`,
		`{"keys":[["a"]],"counts":[true]}`, `{"keys":[["a"]],"counts":[false]}`, `{"keys":[["a"]],"counts":[1.5]}`, `{"keys":[["a"]],"counts":[1e3]}`, `{"keys":[["a"]],"counts":[1.0]}`,
		`{"keys":[["a"]],"counts":[9223372036854775808]}`, `{"keys":[["a"]],"counts":[[1]]}`, `{"keys":[["a"]],"counts":[[]]}`, `{"keys":[["a"]],"counts":[{}]}`, `{"keys":[["a"]],"counts":["a,b"]}`,
		`{"keys":[["a"]],"counts":[NULL]}`, `{"keys":[["a"]],"counts":[nul]}`, `{"keys":[["a"]],"counts":[1_0]}`, `{"keys":[["a"]],"counts":[+1]}`, `{"keys":[["a"]],"counts":[01]}`,
	} {
		if r, err := decodeRelease(&accountant.Release{Payload: []byte(stored)}, 1); err == nil {
			t.Errorf("%s is read as %+v", stored, r)
		}
	}
	for _, stored := range []string{`{"keys":[],"counts":[]}`, `{"keys":[],"counts":[1,2]}`, `{"keys":[],"counts":[null,1]}`, `{"keys":[]}`} {
		if r, err := decodeRelease(&accountant.Release{Payload: []byte(stored)}, 0); err == nil {
			t.Errorf("%s is read as %+v", stored, r)
		}
	}
}

// FuzzStoredCounts compares the reading of counts with that of encoding/json, and writes them again.
func FuzzStoredCounts(f *testing.F) {
	for _, seed := range []string{"[]", "null", "[1,null,-3]", " [ 0 ,\n null ] ", "[1.5]", `["1"]`, "[[1]]", "[-0]", "{}", `["],["]`, "[9223372036854775808]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got storedCounts
		var want []*int64
		err, wantErr := json.Unmarshal(data, &got), json.Unmarshal(data, &want)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, encoding/json says %v", data, err, wantErr)
		}
		if err != nil {
			return
		}
		if len(got.counts) != len(want) || got.suppressed != nil && len(got.suppressed) != len(want) {
			t.Fatalf("%q: %d counts, %d marks, of %d", data, len(got.counts), len(got.suppressed), len(want))
		}
		if (got.suppressed != nil) != slices.Contains(want, nil) {
			t.Errorf("%q: %v", data, got.suppressed)
		}
		for i, n := range want {
			suppressed := got.suppressed != nil && got.suppressed[i]
			if suppressed != (n == nil) || n != nil && got.counts[i] != *n || n == nil && got.counts[i] != 0 {
				t.Errorf("%q: cell %d is %d, suppressed %t", data, i, got.counts[i], suppressed)
			}
		}
		text, err := json.Marshal(got)
		var again storedCounts
		if err == nil {
			err = json.Unmarshal(text, &again)
		}
		if err != nil || !slices.Equal(again.counts, got.counts) || !slices.Equal(again.suppressed, got.suppressed) {
			t.Errorf("%q: written as %s, read as %+v, %v", data, text, again, err)
		}
	})
}

// answerWith records given counts as the answer to a statement with one query: a number for each cell, NULL for a suppressed one.
func (w *ward) answerWith(d *Door, sql string, answers ...string) {
	w.t.Helper()
	ctx := context.Background()
	a, err := d.plan(ctx, Ask{Analyst: "ward_ana", SQL: sql, Queries: []*rewrite.BoundQuery{w.query(d, sql)}})
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := d.curator.begin(ctx)
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.end()
	p := a.plans[0]
	if err := p.settleCells(ctx, s); err != nil {
		w.t.Fatal(err)
	}
	reservations, err := a.reserve(ctx, a.tasks())
	if err != nil {
		w.t.Fatal(err)
	}
	for i, q := range p.questions {
		q.released = &released{keys: p.keys}
		for _, text := range strings.Fields(answers[i]) {
			var n int64
			if text != "NULL" {
				if _, err := fmt.Sscan(text, &n); err != nil {
					w.t.Fatal(err)
				}
			}
			q.released.counts = append(q.released.counts, n)
			q.released.suppressed = append(q.released.suppressed, text == "NULL")
		}
	}
	if err := reservations.record(ctx); err != nil {
		w.t.Fatal(err)
	}
}

// TestSuppressedIsReplayed has the door, and one that is opened later, answer from the ledger what was suppressed when it was recorded.
func TestSuppressedIsReplayed(t *testing.T) {
	w := newWard(t)
	d := w.open()
	const byRegion = "SELECT region, count(*), count(sex) FROM clinic.people GROUP BY region"
	w.answerWith(d, byRegion, "NULL 600 0", "1 2 3")
	w.answerWith(d, "SELECT count(*) FROM clinic.people", "NULL")
	spent := w.spent(d)
	for range 2 {
		for sql, want := range map[string]string{
			byRegion: "east NULL 1 \nnorth 600 2 \nsouth 0 3 \n",
			"SELECT count(sex), count(*) FROM clinic.people GROUP BY region": "east 1 NULL \nnorth 2 600 \nsouth 3 0 \n",
			"SELECT count(*) FROM clinic.people GROUP BY ROLLUP (region)":    "east NULL \nnorth 600 \nsouth 0 \n",
			"SELECT count(*) FROM clinic.people":                             "NULL \n",
		} {
			if got := w.cells(d, sql); got != want {
				t.Errorf("%s: %s instead of %s", sql, got, want)
			}
		}
		w.expectReport(d, "ward_ana", rewrite.ReleasesReport, `
3|clinic|people|count(*) FROM clinic.people|geometric|20|0|time|1|0|
2|clinic|people|count(*) FILTER (WHERE sex IS NOT NULL) FROM clinic.people GROUP BY region|geometric|20|0|time|3|0|
1|clinic|people|count(*) FROM clinic.people GROUP BY region|geometric|20|0|time|3|0|
`)
		if now := w.spent(d); now != spent {
			t.Errorf("%v was charged besides %v", now, spent)
		}
		d.Close()
		d = w.open()
	}
}

// BenchmarkPayload writes and reads the counts of 100,000 cells, and reads them in the plain way, for comparison.
func BenchmarkPayload(b *testing.B) {
	r := released{counts: make([]int64, 100_000), suppressed: make([]bool, 100_000)}
	for i := range r.counts {
		r.counts[i], r.suppressed[i] = int64(i), i%3 == 0
	}
	c := storedCounts{r.counts, r.suppressed}
	stored, err := json.Marshal(c)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(c); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := json.Unmarshal(stored, &c); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read by encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var counts []*int64
			if err := json.Unmarshal(stored, &counts); err != nil {
				b.Fatal(err)
			}
		}
	})
}
