package reply

import (
	"fmt"
	"strings"

	"tacit/policy"
	"tacit/rewrite/query"
)

// A List is about values of keys that were shown without counts: those that are declared or otherwise known, for which no row is read.
type List struct {
	Table policy.TableName
	Keys  []string
}

// ListOf is about a query without counts.
func ListOf(q *query.BoundQuery) List {
	l := List{Table: q.Table.Policy.Name}
	for _, k := range q.Keys {
		l.Keys = append(l.Keys, k.Text())
	}
	return l
}

func (l List) String() string {
	return fmt.Sprintf("%s: the values of %s are those that rows may have, whether any row has them or not; free (no row is read)", l.Table, strings.Join(l.Keys, ", "))
}

// lines are the list in the form of EXPLAIN's text.
func (l List) lines() []string {
	return []string{"Known Values on " + l.Table.String(), "  Keys: " + strings.Join(l.Keys, ", "), "  Cost: free (no row is read)"}
}
