package release

import (
	"context"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/rewrite/query"
)

// counting asks, and returns when that has been charged, with what ends the analyst's wait.
func (w *ward) counting(d *Gateway, sql string) (end context.CancelCauseFunc, done <-chan error) {
	w.T.Helper()
	ctx, cancel := context.WithCancelCause(context.Background())
	failed := make(chan error, 1)
	request := reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}}
	go func() {
		_, _, err := d.Answer(ctx, request)
		failed <- err
	}()
	w.awaitSpent(d, 20e9)
	return cancel, failed
}

// A measurement of a workload whose analyst is gone is taken over, too: the next question that follows from it is charged nothing.
func TestUnseenMeasurementIsTakenOver(t *testing.T) {
	w := newWardOf(t, wardSchema, measuredPolicy(noisyWorkload))
	d := w.open()
	const bySex = "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
	free := w.hold()
	ctx, end := context.WithCancelCause(context.Background())
	done := make(chan error, 1)
	request := reply.Request{Analyst: "ward_ana", SQL: bySex, Queries: []*query.BoundQuery{w.query(d, bySex)}}
	go func() {
		_, _, err := d.Answer(ctx, request)
		done <- err
	}()
	w.awaitSpent(d, 1e9)
	end(ErrGone)
	if err := <-done; err == nil {
		t.Fatal("it was answered")
	}
	free()
	for range 2 {
		if _, free := w.byWorkload(d, bySex); !free {
			t.Error("whoever asked next was charged, or not answered from the workload")
		}
	}
	if got := w.spent(d); got.Epsilon != 1e9 {
		t.Errorf("%v spent, want epsilon 1", got)
	}
}

// A count of which nobody waits for the answer any more goes on, and whoever asks again is shown what it found.
func TestUnawaitedCountGoesOn(t *testing.T) {
	w := newWard(t)
	d := w.open()
	free := w.hold()
	end, done := w.counting(d, byAge)
	end(ErrUnawaited)
	free()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if o := w.outcome(d, "ward_bob", byAge); o.err != nil || o.receipt.Lines[0].Replayed != 1 || o.receipt.Lines[0].Charged != (accountant.Loss{}) {
		t.Errorf("whoever asked again was told %+v", o)
	}
}

// The charge of a count whose analyst is gone is taken over by whoever asks the same, and so is that of a count that the server ended.
func TestUnseenCountIsTakenOver(t *testing.T) {
	for name, stop := range map[string]func(w *ward, end context.CancelCauseFunc){
		"gone": func(_ *ward, end context.CancelCauseFunc) { end(ErrGone) },
		"server": func(w *ward, _ context.CancelCauseFunc) {
			site.RunScript(w.T, "postgres", w.Database, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND application_name = 'tacit curator' AND wait_event_type = 'Lock'`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWard(t)
			d := w.open()
			free := w.hold()
			end, done := w.counting(d, byAge)
			defer end(nil)
			if name == "server" {
				w.awaitLocked()
			}
			stop(w, end)
			if err := <-done; err == nil {
				t.Fatal("it was answered")
			}
			free()
			o := w.outcome(d, "ward_bob", byAge)
			if o.err != nil || o.receipt.Lines[0].Adopted != 1 || o.receipt.Lines[0].Charged != (accountant.Loss{}) {
				t.Errorf("whoever asked next was told %+v", o)
			}
			if got := w.spent(d); got.Epsilon != 20e9 {
				t.Errorf("%v spent, want epsilon 20", got)
			}
		})
	}
}

// awaitLocked waits until a count waits for a lock.
func (w *ward) awaitLocked() {
	w.T.Helper()
	conn := site.Connect(w.T, "postgres", w.Database)
	waiting := 0
	for deadline := time.Now().Add(time.Minute); waiting == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			w.T.Fatal("no count waits for a lock")
		}
		const query = `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'tacit curator' AND wait_event_type = 'Lock'`
		if err := conn.QueryRow(context.Background(), query).Scan(&waiting); err != nil {
			w.T.Fatal(err)
		}
	}
}
