package curator_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

// TestUnreadablePublic has the steward told which public tables analysts may not read. It fails if one is left out or told of although they may,
// and if the SQL that is named does not let them.
func TestUnreadablePublic(t *testing.T) {
	ctx := context.Background()
	text := rolesNamed("readers_").Replace(clinicPolicy)
	database := hardenedClinic(t, parsePolicy(t, text))
	p := parsePolicy(t, strings.ReplaceAll(text, "@127.0.0.1:5432/clinic", "@"+strings.TrimPrefix(site.Cluster.URL("x", database), "postgres://x@")))
	super := site.Connect(t, "postgres", database)
	run := func(sql string) {
		t.Helper()
		if _, err := super.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want ...string) {
		t.Helper()
		notes, err := curator.UnreadablePublic(ctx, p)
		if diff := cmp.Diff(want, notes); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	const table = "not all analysts may read the public table clinic.regions, so that a join that keeps its rows is refused: "
	run("REVOKE ALL ON clinic.regions FROM readers_ana, readers_bob, PUBLIC; REVOKE USAGE ON SCHEMA clinic FROM readers_bob, PUBLIC; GRANT USAGE ON SCHEMA clinic TO readers_ana")
	expect(table + "GRANT USAGE ON SCHEMA clinic TO readers_bob; GRANT SELECT ON clinic.regions TO readers_ana, readers_bob;")
	run("GRANT SELECT (region) ON clinic.regions TO readers_ana")
	expect(table + "GRANT USAGE ON SCHEMA clinic TO readers_bob; GRANT SELECT ON clinic.regions TO readers_bob;")
	run("GRANT USAGE ON SCHEMA clinic TO readers_bob; GRANT SELECT ON clinic.regions TO readers_bob")
	expect()
}
