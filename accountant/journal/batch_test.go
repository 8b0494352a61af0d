package journal

import (
	"testing"
)

// What is written belongs to what is there, whatever it said before: a row to its entry, and an answer to a charge that waits for it.
func TestWrittenRowsBelongToWhatIsThere(t *testing.T) {
	s := NewState()
	if err := s.Apply(FirstEntry("0123456789abcdef0123456789abcdef", 5)); err != nil {
		t.Fatal(err)
	}
	s.Last.Charge, s.Open[4] = 4, &OpenCharge{EpochQuestion: EpochQuestion{Table: patients}}
	record := func(charge int64) (e *Entry, refused any) {
		defer func() { refused = recover() }()
		e = NewEntry(KindRecorded, patients, "")
		e.Released = []Release{{Entry: 99, Charge: charge}}
		b := NewBatch(s, 7)
		return b.Add(e), nil
	}
	if e, refused := record(4); refused != nil || e.Released[0].Entry != e.ID || e.ID != 2 {
		t.Errorf("an answer of entry %+v, %v", e, refused)
	}
	for _, charge := range []int64{4, 5, 0, -1} { // answered, and none
		if e, refused := record(charge); refused == nil {
			t.Errorf("an answer to charge %d is written as %+v", charge, e)
		}
	}
}
