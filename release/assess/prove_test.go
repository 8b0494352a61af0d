package assess_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tacit/release/assess"
	"tacit/release/curator"
	"tacit/release/internal/site"
)

// The view of an analyst, who gave it the columns of the table of stays and a function that waits for a lock.
const waitingView = `
GRANT CREATE ON DATABASE {db} TO ward_ana;
SET ROLE ward_ana;
CREATE SCHEMA av;
GRANT USAGE ON SCHEMA av TO PUBLIC;
CREATE FUNCTION av.wait() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_catalog.pg_advisory_lock(42); RETURN 'F'; END $$;
CREATE VIEW av.v AS SELECT x.sex, 'Oslo'::varchar(8) AS town, 1 AS age, 'a'::char(3) AS plan, 'flu'::text AS ill, true AS outcome FROM (SELECT av.wait() AS sex OFFSET 0) AS x;
GRANT SELECT ON av.v TO PUBLIC;
`

// TestStewardsFiguresNeedSeparateRoles: what an analyst owns would run as the curator, who reads all protected tables. The lock that her function
// waits for is held by another session, so that a command that runs it does not come back in time.
func TestStewardsFiguresNeedSeparateRoles(t *testing.T) {
	w := newStays(t, "kind: geometric, epsilon: 1, delta: 1e-6", randomStays(20))
	w.Exec(strings.ReplaceAll(waitingView, "{db}", w.Database))
	ofView := w.Reparse(strings.ReplaceAll(fmt.Sprintf(staysTablePolicy, "kind: geometric, epsilon: 1, delta: 1e-6", ""), "clinic.stays", "av.v"))
	holder := site.Connect(t, "postgres", w.Database)
	if _, err := holder.Exec(context.Background(), "SELECT pg_catalog.pg_advisory_lock(42)"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var separation *curator.SeparationError
	view := ofView.Tables[0].Name
	if _, err := assess.Homogeneity(ctx, ofView, assess.HomogeneityRequest{Table: view, Quasi: []string{"sex"}, Sensitive: []string{"ill"}}); !errors.As(err, &separation) {
		t.Errorf("the homogeneity of a view of an analyst: %v", err)
	}
	if _, err := assess.Assess(ctx, ofView, assess.Request{SQL: "SELECT sex, ill, count(*) FROM av.v GROUP BY sex, ill"}); !errors.As(err, &separation) {
		t.Errorf("the assessment of a view of an analyst: %v", err)
	}

	ask := assess.HomogeneityRequest{Table: staysTable, Quasi: []string{"sex"}, Sensitive: []string{"ill"}}
	w.Exec("DROP SCHEMA av CASCADE; REVOKE CREATE ON DATABASE " + w.Database + " FROM ward_ana")
	if _, err := w.homogeneity(ask); err != nil {
		t.Fatalf("with separate roles: %v", err)
	}
	w.Exec("ALTER TABLE clinic.stays OWNER TO ward_ana; GRANT SELECT ON clinic.stays TO ward_curator")
	if _, err := w.homogeneity(ask); !errors.As(err, &separation) {
		t.Errorf("the homogeneity of a table that an analyst owns: %v", err)
	}
	if _, err := assess.Assess(ctx, w.Policy, assess.Request{SQL: "SELECT sex, ill, count(*) FROM clinic.stays GROUP BY sex, ill"}); !errors.As(err, &separation) {
		t.Errorf("the assessment of a table that an analyst owns: %v", err)
	}
}
