package auditor

import (
	"bytes"
	"compress/flate"
	"errors"
	"math"
	"testing"

	"tacit/policy"
)

// madeRound is a round of the log that asks about unit 0 and about units 0 and 1.
func madeRound(decisions []Decision, open []Opened, charge policy.Risk, answers ...int64) Event {
	asked := &request{queries: []Query{about(0), about(0, 1)}, left: Left{policy.OneRisk, policy.OneRisk}}
	r := &Round{Decisions: decisions, Open: open, Charge: charge, request: asked}
	e := r.Event()
	e.Answer = encodeAnswer(answers)
	return e
}

// A round of a log opens each count once, in order, and those of the queries that it released.
func TestMalformedRounds(t *testing.T) {
	opened, _, err := hairAndEyes().Event()
	if err != nil {
		t.Fatal(err)
	}
	both := []Decision{{Query: 0, Outcome: Released}, {Query: 1, Outcome: Released}}
	for name, e := range map[string]Event{
		"twice the same count": madeRound(both[:1], []Opened{{0, 0}, {0, 0}}, 1, 50, 60),
		"not decided":          madeRound(both[:1], []Opened{{0, 0}, {1, 0}}, 1, 50, 90),
		"suppressed":           madeRound([]Decision{{Query: 0}}, []Opened{{0, 0}}, 1, 50),
		"no count":             madeRound(both, []Opened{{0, 0}}, 1, 50),
		"query of no number":   madeRound([]Decision{{Query: 7, Outcome: Released}}, []Opened{{7, 0}}, 1, 50),
		"set of no number":     madeRound(both[:1], []Opened{{0, 3}}, 1, 50),
	} {
		if _, err := Restore([]Event{opened, e}); !errors.Is(err, errInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Replay([]Event{opened, e}); !errors.Is(err, errInvalid) {
			t.Errorf("%s, replayed: %v", name, err)
		}
	}
	if _, err := Restore([]Event{opened, madeRound(both, []Opened{{0, 0}, {1, 0}}, 1, 50, 90)}); err != nil {
		t.Error(err)
	}
}

// Charges of a log that add up to more than is countable stay at the most.
func TestChargesDoNotOverflow(t *testing.T) {
	opened, _, err := hairAndEyes().Event()
	if err != nil {
		t.Fatal(err)
	}
	first := madeRound([]Decision{{Query: 0, Outcome: Released}}, []Opened{{0, 0}}, math.MaxInt64, 50)
	second := madeRound([]Decision{{Query: 1, Outcome: Released}}, []Opened{{1, 0}}, math.MaxInt64, 90)
	s, err := Restore([]Event{opened, first, second})
	if err != nil || s.Charged() != math.MaxInt64 {
		t.Errorf("charged %v, error %v", s.Charged(), err)
	}
}

// A small payload that inflates to a large one is refused before it is inflated, and no event is written that would be.
func TestInflatedPayloads(t *testing.T) {
	var e encoder
	e.out = make([]byte, 4<<20)
	out := bytes.NewBuffer([]byte{versionDeflated})
	w, _ := flate.NewWriter(out, flate.BestCompression)
	if _, err := w.Write(e.out); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if d := newDecoder(out.Bytes()); d.err == nil {
		t.Errorf("%d bytes inflate to %d", out.Len(), len(d.in))
	}
	if d := newDecoder(e.payload()); d.err != nil || len(d.in) != len(e.out) {
		t.Errorf("what is written is not read: %v", d.err)
	}
	// More questions than a statement has are refused before memory is taken for them.
	var many encoder
	many.uint(0)
	many.uint(maxQueries + 1)
	for i := range 2 * (maxQueries + 1) {
		many.out = append(many.out, byte(i*i%251))
	}
	if _, err := decodeRound(many.payload()); !errors.Is(err, errInvalid) {
		t.Error(err)
	}
}
