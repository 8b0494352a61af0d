package curator_test

import (
	"context"
	"strings"
	"testing"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

// TestSystemViewsAreThoseOfTheServer fails if definitions that are known from another time or database stand for others.
func TestSystemViewsAreThoseOfTheServer(t *testing.T) {
	const change = `SET allow_system_table_mods = on;
		DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW pg_catalog.pg_locks AS ' || replace(pg_get_viewdef('pg_locks'::regclass), ';', ' WHERE locktype <> ''changed'''); END $$`
	as, changed := site.Cluster.CreateDatabase(t), site.Cluster.CreateDatabase(t)
	site.RunScript(t, "postgres", changed, change)
	for _, c := range []struct {
		database string
		changed  bool
	}{{as, false}, {as, false}, {changed, true}, {changed, true}, {as, false}} {
		definition, err := curator.SystemView(context.Background(), site.Connect(t, "postgres", c.database), "pg_locks")
		if err != nil || !strings.Contains(definition, "locktype") || strings.Contains(definition, "'changed'") != c.changed {
			t.Errorf("changed %t: %s, %v", c.changed, definition, err)
		}
	}
	site.RunScript(t, "postgres", as, change)
	definition, err := curator.SystemView(context.Background(), site.Connect(t, "postgres", as), "pg_locks")
	if err != nil || !strings.Contains(definition, "'changed'") {
		t.Errorf("a change is not seen: %s, %v", definition, err)
	}
}
