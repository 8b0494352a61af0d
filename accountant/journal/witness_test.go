package journal

import (
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	const id = "00112233445566778899aabbccddeeff"
	for _, m := range []Witness{{ID: id}, {ID: id, Entry: 12345, Hash: Digest{1, 31: 255}}, {ID: id, Entry: 1<<63 - 1}} {
		if got, err := ParseWitness([]byte(m.String())); err != nil || got != m {
			t.Errorf("%v is read back as %v, %v", m, got, err)
		}
		if len(m.String()) != len(Witness{ID: id}.String()) {
			t.Errorf("%q has another length: overwriting would leave a rest", m)
		}
	}
	good := Witness{ID: id, Entry: 7}.String()
	for name, content := range map[string]string{
		"no newline":           strings.TrimSuffix(good, "\n"),
		"twice":                good + good,
		"a rest":               good + "x",
		"negative":             strings.Replace(good, "entry 0", "entry -", 1),
		"beyond int64":         strings.Replace(good, strings.Repeat("0", 18)+"7", strings.Repeat("9", 19), 1),
		"identity not in hex":  strings.Replace(good, "00112233", "0011223g", 1),
		"identity in capitals": strings.Replace(good, "aabb", "AABB", 1),
		"a short hash":         strings.Replace(good, "hash 0", "hash ", 1),
		"zeros":                strings.Repeat("\x00", len(good)),
		"space":                " ",
	} {
		if m, err := ParseWitness([]byte(content)); err == nil {
			t.Errorf("%s: read as %v", name, m)
		}
	}
}

// A file that is accepted is exactly one that tacit writes.
func FuzzParseMark(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte(Witness{ID: "00112233445566778899aabbccddeeff", Entry: 7}.String()))
	f.Add([]byte("tacit ledger 00112233445566778899aabbccddeeff sequence 9999999999999999999\n"))
	f.Add([]byte("tacit ledger  sequence 1\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := ParseWitness(content)
		if err != nil || len(content) == 0 {
			return
		}
		if m.String() != string(content) || m.Entry < 0 {
			t.Errorf("%q is read as %v, which is written as %q", content, m, m)
		}
	})
}
