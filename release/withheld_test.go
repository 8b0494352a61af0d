package release

import (
	"testing"

	"tacit/policy"
	"tacit/rewrite"
)

// TestMasksFollowPrivileges masks what the server withholds, and no more: sizes may be no secret, and a table that was hardened
// by hand alone may still show all.
func TestMasksFollowPrivileges(t *testing.T) {
	w := newWard(t)
	size, counter, estimate := "SELECT pg_relation_size('x')", "SELECT * FROM pg_stat_user_tables", "SELECT reltuples FROM pg_class"
	expect := func(d *Gateway, want map[string]bool) {
		t.Helper()
		for sql, masked := range want {
			v, err := rewrite.Analyze(sql, &rewrite.Session{Catalog: d.Catalog(), Limits: w.Policy.Limits, Resolve: func(name string) (policy.TableName, bool, error) {
				return policy.TableName{Schema: "pg_catalog", Name: name}, true, nil
			}})
			if _, is := v.(*rewrite.Masked); err != nil || is != masked {
				t.Errorf("%s: %+v, %v", sql, v, err)
			}
		}
	}
	d := w.open()
	expect(d, map[string]bool{size: true, counter: true, estimate: true})
	d.Close()
	public := *w.Policy
	public.Tables = nil
	for _, table := range w.Policy.Tables {
		changed := *table
		changed.SizePublic = true
		public.Tables = append(public.Tables, &changed)
	}
	public.Version = "public"
	w.Policy = &public
	w.Exec("GRANT SELECT ON pg_class TO PUBLIC; GRANT EXECUTE ON FUNCTION pg_relation_size(regclass), pg_relation_size(regclass, text) TO PUBLIC")
	d = w.open()
	expect(d, map[string]bool{size: false, counter: true, estimate: false})
}
