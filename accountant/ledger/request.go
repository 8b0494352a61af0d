package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/policy"
)

// This file keeps what analysts ask stewards for. A request costs no budget, so that its number is bounded: an analyst has few that are open, and makes few
// in a day, wherever she makes them. Start at Request.

// A Request is what an analyst asked for, and what became of it.
type Request struct {
	Entry   int64
	At      time.Time
	Analyst string
	Table   policy.TableName
	Amount  accountant.Loss
	Reason  string
	// Outcome is Granted or Declined, by whom and why, and the entry that says so; empty while the request is open.
	Outcome    Verdict
	By, Answer string
	Answered   int64
}

// Limits of an analyst's requests.
const (
	maxOpenRequests  = 3
	maxRequestsADay  = journal.KeptRequests
	maxRequestReason = 2000 // bytes
)

// ErrManyRequests is returned when an analyst has asked for so much that she has to wait for answers, or for the next day.
var ErrManyRequests = fmt.Errorf("there may be %d requests without an answer at a time, and %d in 24 hours, older ones without an answer among them; wait for the stewards", maxOpenRequests, maxRequestsADay)

// errNotOpen is returned when a request is answered that is not there, or was answered before.
var errNotOpen = errors.New("the request was answered already, or is not known any more")

// Request writes down that an analyst asks for more budget, of a table or of her cap on it. One that is open already is not written again. The error may
// be ErrManyRequests.
func (l *Ledger) Request(ctx context.Context, analyst string, table policy.TableName, amount accountant.Loss, reason string) (entry int64, err error) {
	if analyst == "" || table == (policy.TableName{}) || !amount.IsChargeable() || amount == (accountant.Loss{}) || reason == "" || len(reason) > maxRequestReason {
		return 0, errors.New("accountant: a request of nobody, of nothing, or without a reason")
	}
	if err := accountant.CheckText(analyst, table.Schema, table.Name, reason); err != nil {
		return 0, err
	}
	operation := accountant.NewOperation()
	err = l.do(ctx, func(b *batch) error {
		for _, r := range b.State.Requests[analyst] {
			if r.IsOpen() && r.Schema == table.Schema && r.Name == table.Name && r.Amounts == journal.AmountsOf(amount) && r.Reason == reason {
				entry = r.Entry
				return nil
			}
		}
		if tooMany(b.State.Requests[analyst], max(b.Now, b.State.At)) {
			return ErrManyRequests
		}
		e := journal.NewEntry(journal.KindRequested, table, analyst)
		e.Operation, e.Body = operation.Bytes(), journal.Marshal(journal.RequestedBody{Reason: reason, Amounts: journal.AmountsOf(amount)})
		entry = b.Add(e).ID
		return nil
	})
	return entry, err
}

// tooMany counts what is open with what is of the last 24 hours, since the state keeps open ones for longer. So what makes place for another one was answered,
// and is older: none of the last 24 hours is forgotten.
func tooMany(kept []journal.Request, now int64) bool {
	open, counted := 0, 0
	for i := range kept {
		if kept[i].IsOpen() {
			open++
		}
		if kept[i].IsOpen() || now-kept[i].At < int64(24*time.Hour) {
			counted++
		}
	}
	return open >= maxOpenRequests || counted >= maxRequestsADay
}

// Decline answers a request with no. The error says so if it is not open.
func (l *Ledger) Decline(ctx context.Context, request int64, by, reason string) (entry int64, err error) {
	if by == "" || reason == "" {
		return 0, errors.New("accountant: a request is declined by nobody, or without a reason")
	}
	if err := accountant.CheckText(by, reason); err != nil {
		return 0, err
	}
	operation := accountant.NewOperation()
	err = l.do(ctx, func(b *batch) error {
		r := b.State.Request(request)
		if r == nil || !r.IsOpen() {
			return errNotOpen
		}
		e := journal.NewEntry(journal.KindDeclined, policy.TableName{Schema: r.Schema, Name: r.Name}, r.Analyst)
		e.Refers, e.Operation, e.Body = request, operation.Bytes(), journal.Marshal(journal.ActionBody{By: by, Reason: reason})
		entry = b.Add(e).ID
		return nil
	})
	return entry, err
}

// MayRequest returns ErrManyRequests if Request would.
func (r *Reader) MayRequest(ctx context.Context, analyst string) error {
	many := false
	err := r.look(ctx, func(s *journal.State) { many = tooMany(s.Requests[analyst], max(r.now().UnixNano(), s.At)) })
	if err == nil && many {
		err = ErrManyRequests
	}
	return err
}

// Requests are the last ones of every analyst, the newest first.
func (r *Reader) Requests(ctx context.Context) (all []Request, err error) {
	err = r.look(ctx, func(s *journal.State) {
		for _, hers := range s.Requests {
			for _, q := range hers {
				all = append(all, Request{
					Entry: q.Entry, At: time.Unix(0, q.At).UTC(), Analyst: q.Analyst, Table: policy.TableName{Schema: q.Schema, Name: q.Name}, Amount: q.Amounts.Loss(), Reason: q.Reason,
					Outcome: Verdict(q.Outcome), By: q.By, Answer: q.Answer, Answered: q.Answered,
				})
			}
		}
	})
	slices.SortFunc(all, func(a, b Request) int { return cmp.Compare(b.Entry, a.Entry) })
	return all, err
}
