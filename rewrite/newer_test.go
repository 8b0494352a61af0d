package rewrite

import (
	"testing"

	"tacit/rewrite/pgerror"
)

// Statements of PostgreSQL 18 and later that the parser cannot read.
var unreadable = []struct {
	sql   string
	names bool // a protected table
}{
	{`DELETE FROM members RETURNING WITH (OLD AS o) o.*`, true},
	{`DELETE FROM mine RETURNING WITH (OLD AS o) (SELECT count(*) FROM public . "members")`, true},
	{`DELETE FROM mine RETURNING WITH (OLD AS o) (SELECT count(*) FROM U&"m\0065mbers")`, true},
	{`CREATE TABLE t (LIKE members, twice int GENERATED ALWAYS AS (2 * id) VIRTUAL)`, true},
	{`ALTER TABLE mine ADD FOREIGN KEY (n) REFERENCES members NOT ENFORCED`, true},
	{`ALTER TABLE mine ADD FOREIGN KEY (n, PERIOD during) REFERENCES Members (id, PERIOD during)`, true},
	{`SELECT city, count(*) FROM members GROUP BY ALL`, true},
	{`PREPARE p AS DELETE FROM mine RETURNING WITH (OLD AS o) o.*`, false}, // it concerns no protected table, and so does its EXECUTE
	{`DELETE FROM mine RETURNING WITH (OLD AS o) o.*`, false},
	{`CREATE TABLE t (id int, twice int GENERATED ALWAYS AS (2 * id) VIRTUAL)`, false},
	{`CREATE TABLE t (id int, during daterange, UNIQUE (id, during WITHOUT OVERLAPS))`, false},
}

// What the parser cannot read is relayed if no protected table can be named in it, which is known from the text alone, and refused otherwise.
func TestUnreadableStatements(t *testing.T) {
	for _, c := range unreadable {
		switch v := analyze(t, c.sql).(type) {
		case *Relay:
			if c.names {
				t.Errorf("relayed: %s", c.sql)
			}
		case *Refused:
			if !c.names || v.Err.Code != pgerror.CodeSyntax {
				t.Errorf("%s: refused as %s: %s", c.sql, v.Err.Code, v.Err.Message)
			}
		default:
			t.Errorf("%s: %T", c.sql, v)
		}
	}
}
