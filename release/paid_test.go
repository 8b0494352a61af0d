package release

import (
	"context"
	"errors"
	"testing"

	"tacit/accountant/ledger"
	"tacit/release/curator"
	"tacit/release/internal/noisy"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// TestCountingNeedsAReservation counts with every reservation but that of the question, which must be impossible.
func TestCountingNeedsAReservation(t *testing.T) {
	w := newWard(t)
	d := w.open()
	ctx := context.Background()
	asked := func(sql string) *noisy.Statement {
		a, err := d.noisy.Plan(ctx, reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	reserve := func(a *noisy.Statement) *noisy.Reservations {
		r, err := a.Reserve(ctx, a.Tasks())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, other := asked("SELECT count(*) FROM clinic.people"), asked("SELECT count(*) FROM clinic.people WHERE age > 40")
	own, foreign := reserve(a), reserve(other)
	s, err := d.monitor.Curator.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.End()
	task := a.Tasks()[0]
	for name, paid := range map[string][]*ledger.Reservation{"none": nil, "that of nobody": {nil, {}}, "of another question": foreign.Made} {
		if err := task.Run(ctx, task.PaidGroups(s, paid)); !errors.Is(err, curator.ErrUnpaid) || task.Questions[0].Released != nil {
			t.Errorf("counted with a reservation %s: %v", name, err)
		}
	}
	if err := task.Run(ctx, task.PaidGroups(s, own.Made)); err != nil {
		t.Errorf("its own reservation: %v", err)
	}
	if err := own.Record(ctx); err != nil {
		t.Fatal(err)
	}
	if err := task.Run(ctx, task.PaidGroups(s, own.Made)); !errors.Is(err, curator.ErrUnpaid) {
		t.Errorf("counted again after it was recorded: %v", err)
	}
	foreign.GiveUp(false)
}
