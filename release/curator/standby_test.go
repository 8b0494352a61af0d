package curator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/site"
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
	settings := map[string]string{"wal_level": "replica", "max_wal_senders": "4"}
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

// follow waits until the standby has done what the primary has.
func (d *pair) follow() {
	d.t.Helper()
	position := d.ask(d.primary, "SELECT pg_current_wal_lsn()::text")
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

func (d *pair) countsAfter(c *curator.Curator, checked curator.Digest, want *pgtest.Cluster, why string) {
	d.t.Helper()
	s, err := c.BeginCount(d.t.Context(), checked)
	if err != nil {
		d.t.Fatalf("%s: %v", why, err)
	}
	defer s.End()
	if got := d.of(s); got != want {
		d.t.Errorf("%s: the other server counts", why)
	}
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

	d.on(d.standby, "SELECT pg_wal_replay_pause()")
	before, err := c.Separate(t.Context(), d.policy)
	if err != nil {
		t.Fatal(err)
	}
	d.on(d.primary, "INSERT INTO clinic.patients (sex) VALUES ('F')")
	d.countsOn(c, d.standby, "with rows that the standby does not have")
	d.on(d.primary, "CREATE TABLE clinic.more (x integer)")
	d.countsOn(c, d.primary, "with a table that the standby does not have")
	d.countsAfter(c, before, d.standby, "by the check before")
	d.on(d.standby, "SELECT pg_wal_replay_resume()")
	d.follow()
	d.countsOn(c, d.standby, "after it has caught up")
	d.countsAfter(c, before, d.primary, "by the check before, which the standby has passed")

	d.on(d.primary, "CREATE UNLOGGED TABLE clinic.brief (x integer)")
	d.follow()
	d.countsOn(d.curator(), d.primary, "with a table that only the primary has rows of")
	d.on(d.primary, "DROP TABLE clinic.brief")
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
