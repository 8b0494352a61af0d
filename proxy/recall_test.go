package proxy

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// What costs nothing is sent to the server at once: a failure of it loses nothing.
func TestRecalledAnswersHaveNoPreflight(t *testing.T) {
	r, tapped := newTappedRig(t)
	p := connectAs(t, r.address.String(), "ana", r.database)
	const preflight = "PC"
	for _, remembers := range []bool{false, true} {
		r.releaser.look(func(d *fakeReleaser) { d.remembers = remembers })
		p.talk(1, simpleQuery("BEGIN"))
		tapped.seen()
		p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, inBlock)
		kinds, texts := tapped.seen()
		if got := strings.Contains(strings.TrimSuffix(kinds, "Q"), preflight+"S"); got == remembers || !strings.HasSuffix(kinds, "SQ") {
			t.Errorf("remembered %t: the server was sent %q: %q", remembers, kinds, texts)
		}
		p.talk(1, simpleQuery("COMMIT"))
	}
	r.asked(t, 1)
}

// A rest that the server could parse is not parsed again for the next question, as long as nothing has changed in the session or the server. What changes is
// found before anything is charged.
func TestRestsAreParsedOnce(t *testing.T) {
	r, tapped := newTappedRig(t)
	p := connectAs(t, r.address.String(), "ana", r.database)
	asks := func() (kinds string) {
		tapped.seen()
		p.expect(1, messages{simpleQuery(byRegion)}, notice, north, south, selected, idle)
		kinds, _ = tapped.seen()
		return kinds
	}
	const parsed = "PC"
	if first, second := asks(), asks(); !strings.Contains(first, parsed) || strings.Contains(second, parsed) {
		t.Errorf("the server was sent %q, then %q", first, second)
	}
	p.talk(1, simpleQuery("SET tacit.intervals = off"))
	if kinds := asks(); !strings.Contains(kinds, parsed) {
		t.Errorf("after the session has executed something the server was sent %q", kinds)
	}
	charged := r.releaser.answered()
	r.commit("REVOKE EXECUTE ON FUNCTION pg_catalog.array_in(cstring, oid, integer), pg_catalog.unnest(anyarray) FROM PUBLIC")
	p.expect(1, messages{simpleQuery(byRegion)}, "E V=ERROR C=42501 M=permission denied for function unnest ", idle)
	if n := r.releaser.answered(); n != charged {
		t.Errorf("the releaser was asked %d times", n-charged)
	}
}

// A rest that fails has the same reply, whether its counts are remembered or would have to be charged.
func TestErrorsBesideRecalledAnswers(t *testing.T) {
	r, _ := newTappedRig(t)
	p := connectAs(t, r.address.String(), "ana", r.database)
	for _, sql := range []string{
		"SELECT nosuch(r.count) FROM (" + byRegion + ") AS r",
		"SELECT r.nosuch FROM (" + byRegion + ") AS r",
		"SELECT r.region, count(*) FROM (" + byRegion + ") AS r",
		"SELECT r.count FROM (" + byRegion + ") AS r, nosuch",
		"SELECT 'x'::int FROM (" + byRegion + ") AS r",
		"INSERT INTO nosuch " + byRegion,
		"COPY (" + byRegion + ") TO STDOUT (FORMAT nosuch)",
		"SELECT count(*), nosuch(1) FROM patients, patients AS other",
		rowRead,
	} {
		for _, around := range [][]string{nil, {"BEGIN"}, {"BEGIN", "SAVEPOINT a"}} {
			var replies []string
			for _, remembers := range []bool{false, true} {
				r.releaser.look(func(d *fakeReleaser) { d.remembers = remembers })
				for _, before := range around {
					p.talk(1, simpleQuery(before))
				}
				got := p.talk(1, simpleQuery(sql))
				replies = append(replies, strings.Join(got, "\n"))
				if got[0][0] != 'E' {
					t.Errorf("%s: %v", sql, got)
				}
				p.talk(1, simpleQuery("ROLLBACK"))
			}
			if replies[0] != replies[1] {
				t.Errorf("%s after %v: remembered it is\n%s\notherwise\n%s", sql, around, replies[1], replies[0])
			}
		}
	}
	p.expect(1, messages{parse("x", "SELECT 1"), simpleQuery("SELECT nosuch(r.count) FROM (" + byRegion + ") AS r")}, `1 ""`,
		"E V=ERROR C=42883 M=function nosuch(bigint) does not exist H=No function matches the given name and argument types. "+
			"You might need to add explicit type casts. ", idle)
	r.asked(t, 0)
}

// A notice that was not shown because the statement failed comes with none of the errors that the server finds when it plans.
func TestFailedRecallIsSilent(t *testing.T) {
	p, r := newPeer(t)
	r.releaser.look(func(d *fakeReleaser) { d.remembers = true })
	p.expect(1, messages{simpleQuery("SELECT 1/0 FROM (" + byRegion + ") AS r")}, "E V=ERROR C=22012 M=division by zero ", idle)
	p.expect(1, messages{simpleQuery("SELECT 1/(r.count - 10) FROM (" + byRegion + ") AS r")}, notice, "E V=ERROR C=22012 M=division by zero "+
		"H=A noisy number can be 0: divide by nullif(count(*), 0). The counts are recorded: the corrected statement is free. ", idle)
	r.asked(t, 0)
}

// A cancel request that comes while the ledger is looked up is not forgotten when the statement turns out to be new.
func TestCancelWhileRecalling(t *testing.T) {
	r := newRig(t, nil)
	conn, err := pgx.Connect(context.Background(), r.url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	r.releaser.look(func(d *fakeReleaser) {
		d.recalling = func(ctx context.Context) {
			if err := conn.PgConn().CancelRequest(context.Background()); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
		}
	})
	var pg *pgconn.PgError
	if _, err := conn.Exec(context.Background(), byRegion); !errors.As(err, &pg) || pg.Code != "57014" {
		t.Fatalf("got %v", err)
	}
	r.asked(t, 0)
}
