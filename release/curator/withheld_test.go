package curator_test

import (
	"context"
	"strings"
	"testing"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

// changeLocks replaces a view of the server's own catalog.
const changeLocks = `SET allow_system_table_mods = on;
	DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW pg_catalog.pg_locks AS ' || replace(pg_get_viewdef('pg_locks'::regclass), ';', ' WHERE locktype <> ''changed'''); END $$`

// TestSystemViewsAreThoseOfTheServer fails if definitions that are known from another time or database stand for others.
func TestSystemViewsAreThoseOfTheServer(t *testing.T) {
	as, changed := site.Cluster.CreateDatabase(t), site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", changed, changeLocks)
	for _, c := range []struct {
		database string
		changed  bool
	}{{as, false}, {as, false}, {changed, true}, {changed, true}, {as, false}} {
		definition, err := curator.SystemView(context.Background(), site.Connect(t, "postgres", c.database), "pg_locks")
		if err != nil || !strings.Contains(definition, "locktype") || strings.Contains(definition, "'changed'") != c.changed {
			t.Errorf("changed %t: %s, %v", c.changed, definition, err)
		}
	}
	site.RunScript(t, "postgres", as, changeLocks)
	definition, err := curator.SystemView(context.Background(), site.Connect(t, "postgres", as), "pg_locks")
	if err != nil || !strings.Contains(definition, "'changed'") {
		t.Errorf("a change is not seen: %s, %v", definition, err)
	}
}

// TestSystemViewsOfServers fails if the definitions of one server may stand for those of another whose rules have the same oids and xids, or if that
// needs what a steward may have taken from the curator.
func TestSystemViewsOfServers(t *testing.T) {
	ctx := context.Background()
	p := parsePolicy(t, rolesNamed("servers_").Replace(clinicPolicy))
	database := hardenedClinic(t, p)
	conn := site.Connect(t, curator.CuratorName(p), database)
	rules := func() string {
		t.Helper()
		rules, err := curator.SystemRules(ctx, conn)
		if err != nil {
			t.Fatal(err)
		}
		return rules
	}
	var server, timeline string
	const identity = "SELECT s.system_identifier::text, t.timeline_id::text FROM pg_control_system() AS s, pg_control_checkpoint() AS t"
	if err := conn.QueryRow(ctx, identity).Scan(&server, &timeline); err != nil {
		t.Fatal(err)
	}
	told := rules()
	if !strings.Contains(told, " "+server+" "+timeline+" ") {
		t.Errorf("%s does not name server %s", told, server)
	}
	site.RunScript(t, "postgres", database, "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC")
	untold := rules()
	if untold == told || untold != rules() {
		t.Errorf("without the server's identity: %s, and with it %s", untold, told)
	}
	site.RunScript(t, "postgres", database, changeLocks)
	if rules() == untold {
		t.Error("without the server's identity a change is not seen")
	}
}
