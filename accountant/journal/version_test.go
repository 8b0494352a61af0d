package journal

import (
	"testing"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// The format of a version stays what it is: the hashes of entries, and the texts of their bodies.
func TestFormatIsKept(t *testing.T) {
	e := &Entry{
		ID: 2, At: 3, Kind: KindCharged, Operation: []byte("0123456789abcdef"), Analyst: "ana", Schema: "public", Name: "patients", Epoch: 1,
		Statement: "SELECT", Sqlstate: "00000", Adjacency: "add-remove", Epsilon: 4, Delta: 5, Releases: 6, Risk: 7, Refers: 1, Body: "{}",
		Charged: []Charge{{
			ID: 1, Entry: 2, QuestionKey: Digest{8}, Question: "q", Mechanism: "geometric", Term: "t", Blocks: "b", Shape: "s",
			Epsilon: 4, Delta: 5, Releases: 6,
		}},
		Released: []Release{{ID: 1, Entry: 2, Charge: 1, At: 9, Payload: []byte("answer")}},
		Events:   []Event{{ID: 1, Entry: 2, Schema: "public", Name: "ward", Sequence: 1, Kind: "round", Payload: []byte("event")}},
		Answers:  []Answer{{ID: 1, Entry: 2, Event: 1, At: 9, Payload: []byte("counts")}},
	}
	note := &Entry{
		ID: 2, At: 3, Kind: KindRefused, Analyst: "ana", Schema: "public", Name: "patients", Epoch: 1, Statement: "SELECT", Sqlstate: "42501", Refers: 1,
		Body: Marshal(NoteBody{Salt: []byte("0123456789abcdef"), Reason: "no"}),
	}
	link := NewLinker()
	left, _ := link.Thin(note)
	for want, got := range map[string]string{
		"15780a8841b3f7e5e47e997c586dad86fb536325b972fc53f871c765a89043d7": link.Entry(Digest{1}, e).String(),
		"dc94ddb3246d0a9f982efd2cd1e9369b86f183d1d784fce13c5138b4f64bd912": link.Proxy(&Proxy{ID: "serve-1", Started: 2, Seen: 3}).String(),
		"bc5698f40c2e3c3ea7f5e392dce5540f08895212d384f626e85a841d3e2c82a4": Promise(e.Charged[0]).String(),
		`{"ledger":"1","version":2}`:                                       FirstEntry("1", 2).Body,
		`{"owner":"serve-1","accounting":{"adjacency":"add-remove","composition":"pld","budget":{"epsilon":"1","delta":"2","releases":"3","risk":"4"},` +
			`"thresholds":5,"window_days":2,"partition":"month","main":"approximate epsilon=0.1","capped":true,"cap":{"epsilon":"6"}}}`: func() string {
			a := Stated(accountant.Accounting{
				Adjacency: policy.AddRemove, Budget: policy.Budget{Epsilon: 1, Delta: 2, Releases: 3, Risk: 4}, Composition: policy.PLDComposition,
				Thresholds: 5, Window: 48 * 3600e9, Partition: "month", Main: composition.Approximate(1e8, 0),
			}, &policy.Budget{Epsilon: 6})
			return Marshal(ChargedBody{Owner: "serve-1", Accounting: &a})
		}(),
		"2963822ab03bd99ab13d47d08435627d5349f48c7aeb5f5f9bf6aa7025670656": link.Entry(Digest{1}, note).String(),
		`{"salt":"MDEyMzQ1Njc4OWFiY2RlZg==","reason":"no"}`:                note.Body,
		`{"content":"WYhvShgu7qTDkxv90ZTDCfAYt4oFjClyNtyqL1y7A3g="}`:       left.Body,
		`{"reason":"no"}`:    Marshal(NoteBody{Reason: "no"}),
		`{"releases":[1,2]}`: Marshal(NoteBody{Releases: []int64{1, 2}}),
		`{"version":2}`:      FormatEntry().Body,
		`{"through":9,"dropped":{"replayed":1,"derived":2,"refused":3},"before":"4"}`: Marshal(ThinnedBody{Through: 9, Dropped: NoteCount{1, 2, 3}, Before: 4}),
		`{"owner":"serve-1","charges":[1,2]}`:                                         Marshal(AdoptedBody{Owner: "serve-1", Charges: []int64{1, 2}}),
		`{"charges":null,"event":3}`:                                                  Marshal(AbandonedBody{Event: 3}),
		`{"by":"root","reason":"because","amounts":{"epsilon":"5"}}`: Marshal(ActionBody{
			By: "root", Reason: "because", Amounts: &Amounts{Epsilon: 5},
		}),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if link.Entry(Digest{1}, left) != link.Entry(Digest{1}, note) {
		t.Error("what is left of a note has another hash")
	}
}
