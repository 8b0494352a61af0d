package cells

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/rewrite/query"
)

// TestPayload pins what is stored, which later versions must still read, and reads it back.
func TestPayload(t *testing.T) {
	keys := [][]query.Value{{{Text: "a"}, {Null: true}, {Text: ""}}, {{Text: "NULL"}, {Text: `"`}, {Text: "null"}}}
	const storedKeys = `"keys":[["a",null,""],["NULL","\"","null"]]`
	for _, c := range []struct {
		release Released
		stored  string
	}{
		{Released{Keys: keys, Counts: []int64{0, -9223372036854775808, 9223372036854775807}, Suppressed: nil}, `{` + storedKeys + `,"counts":[0,-9223372036854775808,9223372036854775807]}`},
		{Released{Keys: keys, Counts: []int64{0, 0, 7}, Suppressed: []bool{false, true, false}}, `{` + storedKeys + `,"counts":[0,null,7]}`},
		{Released{Keys: keys, Counts: []int64{0, 0, 0}, Suppressed: []bool{true, true, true}}, `{` + storedKeys + `,"counts":[null,null,null]}`},
		{Released{Keys: [][]query.Value{}, Counts: []int64{12}, Suppressed: nil}, `{"keys":[],"counts":[12]}`},
		{Released{Keys: [][]query.Value{}, Counts: []int64{0}, Suppressed: []bool{true}}, `{"keys":[],"counts":[null]}`},
		{Released{Keys: [][]query.Value{{}}, Counts: nil, Suppressed: nil}, `{"keys":[[]],"counts":[]}`},
		{Released{Keys: [][]query.Value{}, Counts: []int64{0}, Values: []query.Value{{Text: "42"}}}, `{"keys":[],"counts":[],"values":["42"]}`},
		{Released{Keys: [][]query.Value{{{Text: "a"}, {Text: "b"}}}, Counts: []int64{0, 0}, Values: []query.Value{{Null: true}, {Text: "NULL"}}},
			`{"keys":[["a","b"]],"counts":[],"values":[null,"NULL"]}`},
	} {
		stored, err := c.release.Encode()
		if err != nil || string(stored) != c.stored {
			t.Errorf("stored as %s instead of %s (%v)", stored, c.stored, err)
		}
		again, err := DecodeRelease(&accountant.Release{Payload: []byte(c.stored)}, len(c.release.Keys), 1)
		if err != nil {
			t.Errorf("%s: %v", c.stored, err)
		} else if diff := cmp.Diff(&c.release, again, cmp.AllowUnexported(Released{})); diff != "" {
			t.Errorf("%s (-recorded +read):\n%s", c.stored, diff)
		}
	}
}

// TestPayloadHidesSuppressed stores nothing of what stands in the place of a suppressed count, and marks on none or on all.
func TestPayloadHidesSuppressed(t *testing.T) {
	r := Released{Counts: []int64{666}, Suppressed: []bool{true}}
	if stored, err := r.Encode(); err != nil || string(stored) != `{"keys":[],"counts":[null]}` {
		t.Errorf("%s, %v", stored, err)
	}
	r = Released{Counts: []int64{666, 1}, Suppressed: []bool{true, false}}
	if stored, err := r.Encode(); err != nil || bytes.Contains(stored, []byte("666")) {
		t.Errorf("%s, %v", stored, err)
	}
	for _, marks := range [][]bool{{}, {false}, {true, false, false}} {
		r.Suppressed = marks
		if stored, err := r.Encode(); err == nil {
			t.Errorf("%v: stored as %s", marks, stored)
		}
	}
}

// TestOtherPayloads reads what earlier versions or a careful hand could have written.
func TestOtherPayloads(t *testing.T) {
	for stored, want := range map[string]Released{
		`{"keys":[[]],"counts":null}`: {Keys: [][]query.Value{{}}},
		`{"keys":[[]]}`:               {Keys: [][]query.Value{{}}},
		"{ \"counts\" : [\n 1 ,\tnull\n] , \"keys\" : [[\"a\",\"b\"]] }": {Keys: [][]query.Value{{{Text: "a"}, {Text: "b"}}}, Counts: []int64{1, 0}, Suppressed: []bool{false, true}},
		`{"keys":[["a"]],"counts":[null],"counts":[5]}`:                  {Keys: [][]query.Value{{{Text: "a"}}}, Counts: []int64{5}},
	} {
		got, err := DecodeRelease(&accountant.Release{Payload: []byte(stored)}, 1, 1)
		if err != nil {
			t.Errorf("%s: %v", stored, err)
		} else if diff := cmp.Diff(&want, got, cmp.AllowUnexported(Released{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", stored, diff)
		}
	}
}

// TestDamagedPayloads refuses what is not a release with one key.
func TestDamagedPayloads(t *testing.T) {
	for _, stored := range []string{
		``, `null`, `[]`, `{}`, `{"keys":[["a"]],"counts":[1]`, `{"keys":[["a"]],"counts":[1,]}`, `{"keys":[["a"]],"counts":[,1]}`,
		`{"keys":[["a"]],"counts":[]}`, `{"keys":[["a"]],"counts":null}`, `{"keys":[["a"]]}`, `{"keys":[["a"]],"counts":[1,2]}`, `{"keys":[["a"]],"counts":[null,null]}`,
		`{"keys":[["a"]],"counts":[1],"values":["2"]}`, `{"keys":[["a"]],"counts":[],"values":["2","3"]}`, `{"keys":[["a"]],"counts":[],"values":[2]}`,
		`{"keys":[["a"]],"counts":[],"values":"2"}`, `{"keys":[["a","b"]],"counts":[null]}`, `{"keys":[],"counts":[1]}`, `{"keys":[["a"],["b"]],"counts":[1]}`,
		`{"keys":[["a"]],"counts":1}`, `{"keys":[["a"]],"counts":"1"}`, `{"keys":[["a"]],"counts":{}}`, `{"keys":[["a"]],"counts":["1"]}`, `{"keys":[["a"]],"counts":["null"]}`,
		`{"keys":[["a"]],"counts":[true]}`, `{"keys":[["a"]],"counts":[false]}`, `{"keys":[["a"]],"counts":[1.5]}`, `{"keys":[["a"]],"counts":[1e3]}`, `{"keys":[["a"]],"counts":[1.0]}`,
		`{"keys":[["a"]],"counts":[9223372036854775808]}`, `{"keys":[["a"]],"counts":[[1]]}`, `{"keys":[["a"]],"counts":[[]]}`, `{"keys":[["a"]],"counts":[{}]}`, `{"keys":[["a"]],"counts":["a,b"]}`,
		`{"keys":[["a"]],"counts":[NULL]}`, `{"keys":[["a"]],"counts":[nul]}`, `{"keys":[["a"]],"counts":[1_0]}`, `{"keys":[["a"]],"counts":[+1]}`, `{"keys":[["a"]],"counts":[01]}`,
	} {
		if r, err := DecodeRelease(&accountant.Release{Payload: []byte(stored)}, 1, 1); err == nil {
			t.Errorf("%s is read as %+v", stored, r)
		}
	}
	for _, stored := range []string{`{"keys":[],"counts":[]}`, `{"keys":[],"counts":[1,2]}`, `{"keys":[],"counts":[null,1]}`, `{"keys":[]}`} {
		if r, err := DecodeRelease(&accountant.Release{Payload: []byte(stored)}, 0, 1); err == nil {
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
		var got StoredCounts
		var want []*int64
		err, wantErr := json.Unmarshal(data, &got), json.Unmarshal(data, &want)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, encoding/json says %v", data, err, wantErr)
		}
		if err != nil {
			return
		}
		if len(got.Counts) != len(want) || got.Suppressed != nil && len(got.Suppressed) != len(want) {
			t.Fatalf("%q: %d counts, %d marks, of %d", data, len(got.Counts), len(got.Suppressed), len(want))
		}
		if (got.Suppressed != nil) != slices.Contains(want, nil) {
			t.Errorf("%q: %v", data, got.Suppressed)
		}
		for i, n := range want {
			suppressed := got.Suppressed != nil && got.Suppressed[i]
			if suppressed != (n == nil) || n != nil && got.Counts[i] != *n || n == nil && got.Counts[i] != 0 {
				t.Errorf("%q: cell %d is %d, suppressed %t", data, i, got.Counts[i], suppressed)
			}
		}
		text, err := json.Marshal(got)
		var again StoredCounts
		if err == nil {
			err = json.Unmarshal(text, &again)
		}
		if err != nil || !slices.Equal(again.Counts, got.Counts) || !slices.Equal(again.Suppressed, got.Suppressed) {
			t.Errorf("%q: written as %s, read as %+v, %v", data, text, again, err)
		}
	})
}

// BenchmarkPayload writes and reads the counts of 100,000 cells, and reads them in the plain way, for comparison.
func BenchmarkPayload(b *testing.B) {
	r := Released{Counts: make([]int64, 100_000), Suppressed: make([]bool, 100_000)}
	for i := range r.Counts {
		r.Counts[i], r.Suppressed[i] = int64(i), i%3 == 0
	}
	c := StoredCounts{r.Counts, r.Suppressed}
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
