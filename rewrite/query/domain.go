package query

import (
	"fmt"
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// A KeyGroup are keys that are computed of the same columns, so that the combinations of their values follow from those of these
// columns alone: of age and age / 10, say. Keys of different groups are independent of each other.
type KeyGroup struct {
	Keys []int // indexes in BoundQuery.Keys
	// Inputs are the columns of protected tables that the keys are computed of: stored ones, or others whose values are known.
	Inputs []*expr.Column

	joined []*expr.Column // of public tables
	known  map[*expr.Column]*knownInput
}

// Declared reports whether the values of all inputs are declared, or known. Those of public tables are there for all to see.
func (g *KeyGroup) Declared() bool {
	return !slices.ContainsFunc(g.Inputs, func(c *expr.Column) bool { return c.Domain == nil && g.known[c] == nil })
}

// Combinations is how many combinations of values of the inputs there are, at most limit + 1.
func (g *KeyGroup) Combinations(limit int) int {
	n := 1
	for _, c := range g.Inputs {
		values := len(c.DeclaredValues())
		if k := g.known[c]; k != nil {
			values = k.size(c)
		}
		if values > 0 && n > limit/values {
			return limit + 1
		}
		n *= max(values, 1)
	}
	return n
}

// ReadsPublic reports whether CellsSQL reads a public table.
func (g *KeyGroup) ReadsPublic() bool { return len(g.joined) > 0 }

// Plain reports whether all keys are stored columns of protected tables, so that they are independent of each other.
func (q *BoundQuery) Plain() bool {
	return !slices.ContainsFunc(q.Keys, func(c *expr.Column) bool { return !c.Stored() || c.Public() })
}

// KeyGroups divides the keys. A key without inputs is a group of its own.
func (q *BoundQuery) KeyGroups() []*KeyGroup {
	var groups []*KeyGroup
	for i, k := range q.Keys {
		in := q.inputsOf(k)
		merged := &KeyGroup{Keys: []int{i}, known: in.known}
		for _, c := range in.columns {
			if c.Public() {
				merged.joined = append(merged.joined, c)
			} else {
				merged.Inputs = append(merged.Inputs, c)
			}
		}
		groups = slices.DeleteFunc(groups, func(g *KeyGroup) bool {
			if !merged.meets(g) {
				return false
			}
			merged.take(g)
			return true
		})
		groups = append(groups, merged)
	}
	for _, g := range groups {
		slices.Sort(g.Keys)
	}
	return groups
}

// meets reports whether two groups depend on a column, or on a row of a public table, together.
func (g *KeyGroup) meets(other *KeyGroup) bool {
	return slices.ContainsFunc(g.Inputs, func(c *expr.Column) bool { return slices.Contains(other.Inputs, c) }) ||
		slices.ContainsFunc(g.joined, func(c *expr.Column) bool {
			return slices.ContainsFunc(other.joined, func(o *expr.Column) bool { return o.Joined == c.Joined })
		})
}

func (g *KeyGroup) take(other *KeyGroup) {
	g.Keys = append(g.Keys, other.Keys...)
	for _, c := range other.Inputs {
		if !slices.Contains(g.Inputs, c) {
			g.Inputs = append(g.Inputs, c)
		}
	}
	for c, k := range other.known {
		if g.known == nil {
			g.known = make(map[*expr.Column]*knownInput)
		}
		g.known[c] = g.known[c].take(k)
	}
	for _, c := range other.joined {
		if !slices.Contains(g.joined, c) {
			g.joined = append(g.joined, c)
		}
	}
}

// CellsSQL is a statement, for the curator, that computes the combinations of the keys of a group over the values of its
// inputs, as far as WHERE lets them pass. It reads no protected table. NULL is one of the values where a column can be NULL. At most limit
// combinations are asked for.
func (q *BoundQuery) CellsSQL(g *KeyGroup, limit int) (sql string, args []string) {
	w := expr.SQLWriter{Keys: make(map[*expr.Column]string)}
	var from []string
	for i, c := range g.Inputs {
		from = append(from, fmt.Sprintf("%s AS i%d(v)", g.inputRows(c, &w), i+1))
		w.Keys[c] = fmt.Sprintf("i%d.v", i+1)
	}
	from = append(from, q.publicRows(g, &w)...)
	outputs := make([]string, len(g.Keys))
	for i, k := range g.Keys {
		outputs[i] = fmt.Sprintf("%s AS k%d", w.Key(q.Keys[k]), i+1)
	}
	sql = "SELECT DISTINCT " + strings.Join(outputs, ", ")
	if len(from) > 0 {
		sql += " FROM " + strings.Join(from, " CROSS JOIN ")
	}
	told := func(c *expr.Column) bool { return isKnown(c, w.Keys) }
	if len(g.known) > 0 {
		told = g.tells
	}
	if where := project(q.Where, told); where != expr.Truth(true) {
		sql += " WHERE " + w.Formula(where)
	}
	return sql + fmt.Sprintf(" LIMIT %d", limit), w.Args
}

// inputRows is a FROM item of the values of an input.
func (g *KeyGroup) inputRows(c *expr.Column, w *expr.SQLWriter) string {
	k, values := g.known[c], c.DeclaredValues()
	switch {
	case k != nil && k.stretches != nil:
		return k.rows(c, w)
	case k != nil:
		values = k.values
	}
	return fmt.Sprintf("pg_catalog.unnest(%s)", w.Arg(pgvalue.ArrayOfValues(values), c.TypeName+"[]"))
}

// publicRows are the rows of the public tables of which the group has columns, and NULLs where an outer join may find none.
func (q *BoundQuery) publicRows(g *KeyGroup, w *expr.SQLWriter) []string {
	var rows []string
	for _, j := range q.joins {
		var columns, nulls []string
		for _, c := range g.joined {
			if c.Joined == j {
				w.Keys[c] = fmt.Sprintf("%s.c%d", j.Alias, len(columns)+1)
				nulls = append(nulls, "NULL::"+c.TypeName)
				columns = append(columns, fmt.Sprintf("p.%s AS c%d", pgvalue.AlwaysQuoted(c.Name), len(columns)+1))
			}
		}
		if len(columns) == 0 {
			continue
		}
		table := fmt.Sprintf("SELECT DISTINCT %s FROM %s.%s AS p", strings.Join(columns, ", "), pgvalue.AlwaysQuoted(j.Table.Name.Schema), pgvalue.AlwaysQuoted(j.Table.Name.Name))
		if j.Left {
			table += " UNION ALL SELECT " + strings.Join(nulls, ", ")
		}
		rows = append(rows, fmt.Sprintf("(%s) AS %s", table, j.Alias))
	}
	return rows
}
