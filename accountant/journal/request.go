package journal

import (
	"errors"
	"slices"

	"tacit/accountant"
	"tacit/policy"
)

// Analysts ask for more budget, and stewards grant it or decline. The ledger keeps each word of it as an entry; the state has the last requests of each
// analyst, so that pages and limits need not look for them.

// KeptRequests are how many requests of an analyst a state has. Open ones are kept for longer than answered ones, however old. Checkpoints have what is kept:
// which one goes must stay as it is.
const KeptRequests = 10

// A Request is what an analyst asked for, and what became of it.
type Request struct {
	Entry   int64   `json:"entry"`
	At      int64   `json:"at,string"`
	Analyst string  `json:"analyst"`
	Schema  string  `json:"schema"`
	Name    string  `json:"name"`
	Amounts Amounts `json:"amounts"`
	Reason  string  `json:"reason"`
	// Outcome is granted or declined, by whom and why, and the entry that says so; empty while it is open.
	Outcome  Kind   `json:"outcome,omitempty"`
	By       string `json:"by,omitempty"`
	Answer   string `json:"answer,omitempty"`
	Answered int64  `json:"answered,omitempty"`
}

// IsOpen says whether nobody has answered it.
func (r *Request) IsOpen() bool { return r.Outcome == "" }

// Request is that of an entry; nil if the state has it no more.
func (s *State) Request(entry int64) *Request {
	for _, all := range s.Requests {
		for i := range all {
			if all[i].Entry == entry {
				return &all[i]
			}
		}
	}
	return nil
}

func (s *State) applyRequested(e *Entry) error {
	var body RequestedBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	amounts := body.Amounts.Loss()
	if e.Analyst == "" || e.TableName() == (policy.TableName{}) || !amounts.IsChargeable() || amounts == (accountant.Loss{}) {
		return errors.New("a request of nobody, or of nothing")
	}
	all := s.Requests[e.Analyst]
	for len(all) >= KeptRequests {
		oldest := max(0, slices.IndexFunc(all, func(r Request) bool { return !r.IsOpen() }))
		all = slices.Delete(slices.Clone(all), oldest, oldest+1)
	}
	s.Requests[e.Analyst] = append(all, Request{
		Entry: e.ID, At: e.At, Analyst: e.Analyst, Schema: e.Schema, Name: e.Name, Amounts: body.Amounts, Reason: body.Reason,
	})
	return nil
}

func (s *State) applyDeclined(e *Entry) error {
	var body ActionBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if body.Amounts != nil {
		return errors.New("a request is declined with an amount")
	}
	return s.answerRequest(e, body)
}

// answerRequest closes the request that an entry refers to.
func (s *State) answerRequest(e *Entry, body ActionBody) error {
	r := s.Request(e.Refers)
	if r == nil || !r.IsOpen() || r.Schema != e.Schema || r.Name != e.Name {
		return errors.New("it answers no request that is open")
	}
	r.Outcome, r.By, r.Answer, r.Answered = e.Kind, body.By, body.Reason, e.ID
	return nil
}
