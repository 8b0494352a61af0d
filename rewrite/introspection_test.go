package rewrite

import (
	"strings"
	"testing"

	"tacit/policy"
	"tacit/rewrite/mask"
)

// TestTooManyMasks relays a text that would grow too much, and one that is too large to be read; the server denies them.
func TestTooManyMasks(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT * FROM pg_locks" + strings.Repeat(", pg_locks", 199):                                "masked: ",
		"SELECT * FROM pg_locks" + strings.Repeat(", pg_locks", 200):                                "relay",
		"SELECT * FROM pg_locks WHERE " + strings.Repeat("(", 600) + "1" + strings.Repeat(")", 600): "relay",
	} {
		if got := describe(analyze(t, sql)); !strings.HasPrefix(got, want) {
			t.Errorf("%.60s...: %.60s", sql, got)
		}
	}
}

// TestHiddenCatalog leaves a relation alone that only has the name of one in pg_catalog, in the session as it is.
func TestHiddenCatalog(t *testing.T) {
	s := testSession()
	s.Resolve = func(name string) (policy.TableName, bool, error) {
		return policy.TableName{Schema: "pg_temp_3", Name: name}, true, nil
	}
	for sql, want := range map[string]string{
		"SELECT * FROM pg_locks":            "relay\n",
		"SELECT * FROM pg_catalog.pg_locks": "masked: SELECT * FROM (SELECT l.locktype",
	} {
		v, err := Analyze(sql, s)
		if err != nil || !strings.HasPrefix(describe(v), want) {
			t.Errorf("%s: %v, %v", sql, describe(v), err)
		}
	}
}

// TestNothingWithheld needs no masks, and no second look at statements about the catalog.
func TestNothingWithheld(t *testing.T) {
	if m := mask.New(&mask.Withheld{Columns: []mask.Column{{Name: "reltuples", Type: "float4"}}, Views: map[string]string{"v": "SELECT 1"}}); m != nil {
		t.Errorf("%+v", m)
	}
	c := fixture()
	c.Masks = nil
	for _, sql := range []string{"SELECT * FROM pg_class", "SELECT pg_relation_size('x')"} {
		if NeedsAnalysis(sql, c) {
			t.Errorf("%s is stopped", sql)
		}
	}
}
