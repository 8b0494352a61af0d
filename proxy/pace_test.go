package proxy

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
	"tacit/release"
)

// Whatever is said of a protected table comes when answer_every, or a multiple of it, has passed: counted, remembered, explained and refused.
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
	ask("refusal", "SELECT * FROM patients", 1, true)
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
