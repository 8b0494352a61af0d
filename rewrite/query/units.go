package query

import (
	"fmt"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// UnitsSQL is a statement, for the curator, that counts the rows of an audited table: one row for each combination of the public
// columns and of the private one in their canonical form, divided by the seals before which the rows were written, and their number.
// A seal is the text of an xid8: all transactions before it had ended when it was taken. The column before the last is 1 for rows
// that were there at the first seal, 2 for others that were there at the second, and so on; 0 for rows that came after all of them.
//
// The age of a visible row is never below 0, unless it was written 2^31 transactions ago or more; then it is older than any seal that is
// to be trusted, see release.
func UnitsSQL(t *Table, seals []string) (sql string, args []string) {
	w := expr.SQLWriter{Column: expr.TableColumn}
	var outputs, ordinals []string
	for _, c := range append(t.PublicColumns(), t.PrivateColumn()) {
		outputs = append(outputs, w.Key(c))
	}
	since := "CASE"
	for i, seal := range seals {
		since += fmt.Sprintf(" WHEN pg_catalog.age(t.xmin) NOT BETWEEN 0 AND pg_catalog.age(%s::pg_catalog.xid) THEN %d",
			w.Arg(seal, "pg_catalog.xid8"), i+1)
	}
	if len(seals) == 0 {
		since = "0"
	} else {
		since += " ELSE 0 END"
	}
	outputs = append(outputs, since)
	for i := range outputs {
		ordinals = append(ordinals, fmt.Sprint(i+1))
	}
	name := t.Policy.Name
	return fmt.Sprintf("SELECT %s, pg_catalog.count(*) FROM %s.%s AS t GROUP BY %s",
		strings.Join(outputs, ", "), pgvalue.AlwaysQuoted(name.Schema), pgvalue.AlwaysQuoted(name.Name), strings.Join(ordinals, ", ")), w.Args
}
