package proxy

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
	"tacit/proxy/internal/fingerprints"
	"tacit/release"
)

// What is recorded is looked at when a tick has come, and what is said of it waits for the next one. Time limits and cancel requests end a wait at a tick, and not before.
func TestTicks(t *testing.T) {
	const every = 50 * time.Millisecond
	var events []string
	in := &interceptor{
		ctx: context.Background(), log: slog.New(slog.DiscardHandler), observer: unobserved{}, fingerprints: fingerprints.New(),
		releaser: &fakeReleaser{policy: &policy.Policy{AnswerEvery: every}, catalog: testCatalog("1")},
		until: func(_ context.Context, at time.Time) error {
			if !at.Equal(at.Truncate(every)) || !at.After(time.Now().Add(-every)) {
				t.Errorf("%v is no tick that comes", at)
			}
			events = append(events, "tick")
			return nil
		},
	}
	for _, limit := range []waitLimit{in.free(), in.charged()} {
		_, err := await(in, limit, func(context.Context) (int, error) {
			events = append(events, "look")
			return 0, nil
		})
		in.conclude(byRegion, Explained, nil, err)
	}
	if got := strings.Join(events, " "); got != "tick look tick tick look tick" {
		t.Errorf("what happened: %s", got)
	}
	for what, end := range map[string]func(){"a limit": func() { in.timeout = time.Millisecond }, "a cancel request": func() { in.timeout = 0 }} {
		end()
		var ended time.Time
		began := time.Now()
		_, err := await(in, in.free(), func(ctx context.Context) (int, error) {
			if in.timeout == 0 && !in.pending.stop() {
				t.Error("nothing can be cancelled")
			}
			<-ctx.Done()
			ended = time.Now()
			return 0, ctx.Err()
		})
		if tick := tickAfter(began, every); err == nil || ended.Before(tick) {
			t.Errorf("%s: ended at %v, before %v, with %v", what, ended, tick, err)
		}
	}
}

// Whatever is found out about a protected table is said when answer_every has passed at least since it was looked at: counted, remembered and explained.
func TestAnswerEvery(t *testing.T) {
	const every = 300 * time.Millisecond
	r := newRig(t, func(p *policy.Policy) { p.AnswerEvery = every })
	conn, err := pgx.Connect(context.Background(), r.url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	ask := func(name, sql string, times int, refused bool) {
		t.Helper()
		began := time.Now()
		_, err := conn.Exec(context.Background(), sql, pgx.QueryExecModeSimpleProtocol)
		if took := time.Since(began); took < time.Duration(times)*every {
			t.Errorf("%s: said after %v", name, took)
		}
		if pg := (*pgconn.PgError)(nil); refused != errors.As(err, &pg) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ask("answer", byRegion, 1, false)
	ask("refusal", "SELECT * FROM patients", 0, true)
	ask("explanation", "EXPLAIN "+byRegion, 1, false)
	r.releaser.look(func(d *fakeReleaser) { d.meanwhile = func() { time.Sleep(every + 10*time.Millisecond) } })
	ask("slow answer", byRegion, 2, false)
	r.releaser.look(func(d *fakeReleaser) { d.remembers = true })
	ask("remembered answer", byRegion, 1, false)
	began := time.Now()
	var region string
	var count int64
	if err := conn.QueryRow(context.Background(), byRegion, pgx.QueryExecModeExec).Scan(&region, &count); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took < every {
		t.Errorf("extended protocol: said after %v", took)
	}
}

// The times of tacit.answers are no finer than those of other reports.
func TestTimesOfAnswersAreRounded(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) { p.AnswerEvery = 100 * time.Millisecond })
	in := &interceptor{releaser: r.releaser, lately: r.proxy.lately, quiet: true}
	in.noticeOf(byRegion, &release.Receipt{})
	if at := in.answers[0].at; at.Nanosecond() != 0 {
		t.Errorf("answered at %v", at)
	}
}
