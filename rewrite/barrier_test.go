package rewrite

import "testing"

// Behind a barrier against what the server calls unnamed nothing is computed, also by statements without relations, and what
// ends a session's work goes on.
func TestBarrierAgainstComputing(t *testing.T) {
	session := testSession()
	open := session.Catalog
	session.Catalog = open.Behind(&Barrier{Computing: true})
	if !session.Catalog.RefusesMore(open) || !session.Catalog.RefusesMore(open.Behind(&Barrier{})) || open.Behind(&Barrier{}).RefusesMore(session.Catalog) {
		t.Error("the barrier does not refuse more than another")
	}
	if session.Catalog.Version == open.Behind(&Barrier{}).Version {
		t.Error("two barriers have one version")
	}
	for sql, refused := range map[string]bool{
		"SELECT ARRAY[point '(1,1)'] = ARRAY[point '(1,1)']": true, "SELECT to_tsvector('x')": true, "VALUES (1)": true, "TABLE pg_class": true,
		"PREPARE p AS SELECT 1": true, "EXPLAIN SELECT 1": true, "DECLARE c CURSOR FOR SELECT 1": true, "COPY t FROM STDIN": true, "LOCK t": true,
		"CREATE TEMP TABLE t (x int)": true, "SET CONSTRAINTS ALL IMMEDIATE": true, "FETCH c": true, "NOTIFY x": true, "BEGIN; SELECT 1": true,
		"BEGIN": false, "COMMIT": false, "ROLLBACK": false, "SET work_mem = '1MB'": false, "SHOW work_mem": false, "DEALLOCATE ALL": false, "CLOSE ALL": false,
	} {
		verdict, err := Analyze(sql, session)
		_, is := verdict.(*Refused)
		if script, ok := verdict.(*Script); ok {
			is = script.Refused != nil
		}
		if err != nil || is != refused {
			t.Errorf("%s: %T, %v", sql, verdict, err)
		}
	}
}
