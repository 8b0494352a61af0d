package curator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/site"
	"tacit/rewrite/query"
)

// A pair is a primary with a hardened database, and a streaming standby of it.
type pair struct {
	t                *testing.T
	primary, standby *pgtest.Cluster
	policy           *policy.Policy // that prefers the standby
}

func newPair(t *testing.T) *pair {
	t.Helper()
	d := &pair{t: t}
	start := func(o pgtest.Options) *pgtest.Cluster {
		c, err := pgtest.Start(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Stop() })
		return c
	}
	// An ANALYZE of autovacuum would keep rows that VACUUM takes away.
	settings := map[string]string{"wal_level": "replica", "max_wal_senders": "4", "autovacuum": "off"}
	d.primary = start(pgtest.Options{Settings: settings})
	d.on(d.primary, clinic)
	p := parsePolicy(t, clinicPolicy)
	d.on(d.primary, curator.HardeningSQL(p))
	d.standby = start(pgtest.Options{Settings: settings, StandbyOf: d.primary})
	d.policy = parsePolicy(t, strings.NewReplacer(
		"curator: postgres://sep_curator@127.0.0.1:5432/clinic", fmt.Sprintf("curator: postgres://sep_curator@/postgres?sslmode=disable&host=127.0.0.1,127.0.0.1&port=%d,%d&target_session_attrs=prefer-standby", d.primary.Port, d.standby.Port),
		"{analyst}@127.0.0.1:5432/clinic", fmt.Sprintf("{analyst}@127.0.0.1:%d/postgres", d.primary.Port),
	).Replace(clinicPolicy))
	return d
}

// on runs a script as the superuser.
func (d *pair) on(c *pgtest.Cluster, script string) {
	d.t.Helper()
	if out, err := site.PsqlAt(d.t, c.URL("postgres", "postgres"), script); err != nil {
		d.t.Fatalf("%v\n%s", err, out)
	}
}

// ask is one value as the superuser.
func (d *pair) ask(c *pgtest.Cluster, sql string) (value string) {
	d.t.Helper()
	conn, err := pgx.Connect(context.Background(), c.URL("postgres", "postgres"))
	if err != nil {
		d.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), sql).Scan(&value); err != nil {
		d.t.Fatal(err)
	}
	return value
}

// follow waits until the standby has done what the primary has, written to disk or not.
func (d *pair) follow() {
	d.t.Helper()
	position := d.ask(d.primary, curator.PositionSQL)
	for deadline := time.Now().Add(time.Minute); d.ask(d.standby, "SELECT (pg_last_wal_replay_lsn() >= '"+position+"')::text") != "true"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.t.Fatal("the standby does not follow")
		}
	}
}

// countsOn wants counts of a new curator, or of one that was made, on one of the two, and everything else on the primary.
func (d *pair) countsOn(c *curator.Curator, want *pgtest.Cluster, why string) {
	d.t.Helper()
	checked, err := c.Separate(d.t.Context(), d.policy)
	if err != nil {
		d.t.Fatal(err)
	}
	d.countsAfter(c, checked, want, why)
	other, err := c.Begin(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	defer other.End()
	if at := d.of(other); at != d.primary {
		d.t.Errorf("%s: what is no answer of a noisy table is asked on the standby", why)
	}
}

func (d *pair) countsAfter(c *curator.Curator, checked curator.Digest, want *pgtest.Cluster, why string, queries ...*query.BoundQuery) {
	d.t.Helper()
	counts, err := c.BeginCount(d.t.Context(), checked, queries)
	if err != nil {
		d.t.Fatalf("%s: %v", why, err)
	}
	defer counts.End()
	for range 2 {
		d.run(counts, func(s *curator.Snapshot) error {
			if got := d.of(s); got != want {
				d.t.Errorf("%s: the other server counts", why)
			}
			return nil
		})
	}
}

func (d *pair) run(c *curator.Counts, count func(*curator.Snapshot) error) {
	d.t.Helper()
	if err := c.Run(d.t.Context(), count); err != nil {
		d.t.Fatal(err)
	}
}

// begin begins to count by a check of now.
func (d *pair) begin(c *curator.Curator) *curator.Counts {
	d.t.Helper()
	checked, err := c.Separate(d.t.Context(), d.policy)
	if err != nil {
		d.t.Fatal(err)
	}
	counts, err := c.BeginCount(d.t.Context(), checked, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(counts.End)
	return counts
}

func (d *pair) of(s *curator.Snapshot) *pgtest.Cluster {
	d.t.Helper()
	var standby bool
	if err := s.QueryRow(d.t.Context(), "SELECT pg_catalog.pg_is_in_recovery()").Scan(&standby); err != nil {
		d.t.Fatal(err)
	}
	if standby {
		return d.standby
	}
	return d.primary
}

func (d *pair) curator() *curator.Curator {
	d.t.Helper()
	c, err := curator.New(d.t.Context(), d.policy)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(c.Close)
	c.AwaitStandby(time.Minute)
	return c
}

// A standby counts while its catalog is the one that was checked, and only then.
func TestStandby(t *testing.T) {
	d := newPair(t)
	c := d.curator()
	d.follow()
	if judged, err := curator.Check(t.Context(), d.policy); err != nil || len(judged.Open) > 0 || judged.Standby != "" {
		t.Fatalf("check: %+v, %v", judged, err)
	}
	d.countsOn(c, d.standby, "at first")
	d.countsAfter(c, curator.Digest{}, d.primary, "before a check")

	checked, err := c.Separate(t.Context(), d.policy)
	if err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]*pgtest.Cluster{
		"SELECT $1": d.standby, "SELECT $1 || pg_catalog.pg_is_in_recovery()": d.primary, "SELECT $1 || 1 / (NOT pg_catalog.pg_is_in_recovery())::int": d.primary,
	} {
		d.countsAfter(c, checked, want, "where the standby is asked "+sql, &query.BoundQuery{Checks: []query.ServerCheck{{SQL: sql, Constant: "Europe/Rome"}}})
	}

	before, err := c.Separate(t.Context(), d.policy)
	if err != nil {
		t.Fatal(err)
	}
	d.on(d.primary, "CREATE TABLE clinic.more (x integer)")
	d.countsOn(c, d.standby, "with a new table")
	d.countsAfter(c, before, d.primary, "by a check from before a change")

	d.on(d.primary, "CREATE UNLOGGED TABLE clinic.brief (x integer)")
	d.follow()
	d.countsOn(d.curator(), d.primary, "with a table that only the primary has rows of")
	d.on(d.primary, "DROP TABLE clinic.brief")
	d.follow()

	paused := d.curator()
	paused.AwaitStandby(time.Second)
	d.on(d.standby, "SELECT pg_wal_replay_pause()")
	d.on(d.primary, "CREATE TABLE clinic.less (x integer)")
	d.countsOn(paused, d.primary, "with a standby that does not keep up")
	d.on(d.standby, "SELECT pg_wal_replay_resume()")
	d.follow()

	d.on(d.standby, "ALTER SYSTEM SET array_nulls = off; SELECT pg_reload_conf()")
	for d.ask(d.standby, "SHOW array_nulls") != "off" {
		time.Sleep(10 * time.Millisecond)
	}
	unsafe := d.curator()
	d.countsOn(unsafe, d.primary, "with an unsafe setting of the standby")
	if judged, err := curator.Check(t.Context(), d.policy); err != nil || len(judged.Open) > 0 || !strings.Contains(judged.Standby, "array_nulls is off") {
		t.Errorf("check with an unsafe setting: %+v, %v", judged, err)
	}
	if err := d.standby.Stop(); err != nil {
		t.Fatal(err)
	}
	d.countsOn(d.curator(), d.primary, "without the standby")
	d.countsOn(c, d.primary, "after the standby has gone")
	if judged, err := curator.Check(t.Context(), d.policy); err != nil || judged.Standby == "" {
		t.Errorf("check without the standby: %+v, %v", judged, err)
	}
}

// A count sees what was committed before it was run, though not before it was begun, wherever it is made.
func TestStandbySeesWhatWasCommitted(t *testing.T) {
	d := newPair(t)
	d.follow()
	c := d.curator()
	sees := func(counts *curator.Counts, want int, on *pgtest.Cluster) {
		t.Helper()
		d.run(counts, func(s *curator.Snapshot) error {
			if got := d.of(s); got != on {
				t.Errorf("with %d rows, the other server counts", want)
			}
			var n int
			if err := s.QueryRow(t.Context(), "SELECT pg_catalog.count(*) FROM clinic.patients").Scan(&n); err != nil {
				return err
			}
			if n != want {
				t.Errorf("%d rows are counted, of %d", n, want)
			}
			return nil
		})
	}
	rounds := 5
	if testing.Short() {
		rounds = 2
	}
	for n := 1; n <= rounds; n++ {
		counts := d.begin(c)
		d.on(d.primary, fmt.Sprintf("TRUNCATE clinic.patients CASCADE; INSERT INTO clinic.patients (sex) SELECT 'F' FROM generate_series(1, %d)", n))
		sees(counts, n, d.primary) // TRUNCATE is a change of the catalog
		counts.End()
		counts = d.begin(c)
		d.on(d.primary, "DELETE FROM clinic.patients; INSERT INTO clinic.patients (sex) VALUES ('F')")
		sees(counts, 1, d.standby)
		counts.End()
	}
	counts := d.begin(c)
	c.AwaitStandby(time.Second)
	d.on(d.standby, "SELECT pg_wal_replay_pause()")
	d.on(d.primary, "INSERT INTO clinic.patients (sex) SELECT 'F' FROM generate_series(1, 5)")
	sees(counts, 6, d.primary)
}

// At the beginning of a segment a count waits for what was written before it, and not for somebody to write behind it.
func TestStandbyAtSegmentStart(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	d := newPair(t)
	c := d.curator()
	const at = "SELECT pg_current_wal_insert_lsn()::text"
	for deadline := time.Now().Add(time.Minute); ; {
		d.on(d.primary, "SELECT pg_switch_wal()")
		began := d.ask(d.primary, at)
		position, written := d.ask(d.primary, curator.PositionSQL), d.ask(d.primary, "SELECT pg_current_wal_lsn()::text")
		starts := d.ask(d.primary, "SELECT ((pg_walfile_name_offset('"+began+"')).file_offset = 40)::text") == "true"
		if starts && d.ask(d.primary, at) == began { // nobody has written meanwhile
			if position != written {
				t.Errorf("the log is written up to %s, and a count waits for %s", written, position)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("somebody is always writing")
		}
	}
	d.countsOn(c, d.standby, "at the beginning of a segment")
}

// endCount has the standby end a count. VACUUM is repeated: it leaves the rows that a connection which is just being made could see, and pages in use.
func (d *pair) endCount() {
	d.t.Helper()
	const counting = "SELECT count(*)::text FROM pg_stat_activity WHERE usename = 'sep_curator' AND state = 'idle in transaction'"
	d.on(d.standby, "ALTER SYSTEM SET max_standby_streaming_delay = 0; SELECT pg_reload_conf()")
	for deadline := time.Now().Add(time.Minute); d.ask(d.standby, counting) != "0"; d.follow() {
		if time.Now().After(deadline) {
			d.t.Fatal("the standby does not end the count")
		}
		d.on(d.primary, "INSERT INTO clinic.patients (sex) SELECT 'F' FROM generate_series(1, 5); DELETE FROM clinic.patients; VACUUM clinic.patients")
	}
}

// A count that the standby ends, since VACUUM on the primary takes away rows that it could read, is made once more, on the primary.
func TestStandbyConflicts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	d := newPair(t)
	d.follow()
	counts := d.begin(d.curator())
	var at []*pgtest.Cluster
	d.run(counts, func(s *curator.Snapshot) error {
		at = append(at, d.of(s))
		if len(at) == 1 {
			d.endCount()
		}
		var n int
		err := s.QueryRow(t.Context(), "SELECT pg_catalog.count(*) FROM clinic.patients").Scan(&n)
		if len(at) == 1 && (err == nil || !curator.ServerGone(err)) {
			t.Errorf("the standby does not end the count: %v", err)
		}
		return err
	})
	if len(at) != 2 || at[0] != d.standby || at[1] != d.primary {
		t.Errorf("the count was made %d times", len(at))
	}
	refused := &pgconn.PgError{Code: "22012"}
	counts.End()
	tries := 0
	if err := d.begin(d.curator()).Run(t.Context(), func(*curator.Snapshot) error { tries++; return refused }); err != refused || tries != 1 {
		t.Errorf("a count that fails by itself was made %d times: %v", tries, err)
	}
}
