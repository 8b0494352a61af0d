package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"
)

// TestDigestOfValues computes an entry's hash value by value, around the length from which values are hashed where they are. Were a value
// forgotten, moved or hashed twice, ledgers that exist would not verify.
func TestDigestOfValues(t *testing.T) {
	l := NewLinker()
	for _, size := range []int{0, 1, 100, maxCollected - 200, maxCollected - 1, maxCollected, maxCollected + 1, 3 * maxCollected} {
		for _, statement := range []int{0, size} {
			e := &Entry{ID: 7, At: 8, Kind: KindRecorded, Operation: bytes.Repeat([]byte{3}, 16), Analyst: "ana", Schema: "public", Name: "people", Epoch: 2,
				Statement: strings.Repeat("s", statement), Body: strings.Repeat("b", size/2), Refers: 5,
				Released: []Release{{ID: 1, Entry: 7, Charge: 4, At: 9, Payload: bytes.Repeat([]byte{1}, size)}, {ID: 2, Entry: 7, Charge: 5, At: 9, Payload: []byte("x")}}}
			previous := Digest{1, 2, 3}
			var all []byte
			number := func(n int64) { all = binary.BigEndian.AppendUint64(all, uint64(n)) }
			text := func(s string) { number(int64(len(s))); all = append(all, s...) }
			all = append(all, previous[:]...)
			number(7)
			number(8)
			for _, s := range []string{"recorded", string(e.Operation), "ana", "public", "people"} {
				text(s)
			}
			number(2)
			for _, s := range []string{e.Statement, "", ""} {
				text(s)
			}
			for _, n := range []int64{0, 0, 0, 0, 5} {
				number(n)
			}
			text(e.Body)
			number(0) // charges
			number(2)
			for _, r := range e.Released {
				for _, n := range []int64{r.ID, r.Entry, r.Charge, r.At} {
					number(n)
				}
				text(string(r.Payload))
			}
			number(0) // events
			number(0) // answers
			if got, want := l.Entry(previous, e), Digest(sha256.Sum256(all)); got != want {
				t.Errorf("values of %d and %d bytes: %v, not %v", size, statement, got, want)
			}
		}
	}
}
