package rewrite

import (
	"fmt"
	"slices"
	"strings"
)

// A KeyGroup are keys that are computed of the same columns, so that the combinations of their values follow from those of these
// columns alone: of age and age / 10, say. Keys of different groups are independent of each other.
type KeyGroup struct {
	Keys []int // indexes in BoundQuery.Keys
	// Inputs are the stored columns of protected tables that the keys are computed of.
	Inputs []*Column

	joined []*Column // of public tables
}

// Declared reports whether the domains of all inputs are declared. Those of public tables are there for all to see.
func (g *KeyGroup) Declared() bool {
	return !slices.ContainsFunc(g.Inputs, func(c *Column) bool { return c.Domain == nil })
}

// ReadsPublic reports whether CellsSQL reads a public table.
func (g *KeyGroup) ReadsPublic() bool { return len(g.joined) > 0 }

// Plain reports whether all keys are stored columns of protected tables, so that they are independent of each other.
func (q *BoundQuery) Plain() bool {
	return !slices.ContainsFunc(q.Keys, func(c *Column) bool { return !c.Stored() || c.public() })
}

// KeyGroups divides the keys. A key without inputs is a group of its own.
func (q *BoundQuery) KeyGroups() []*KeyGroup {
	var groups []*KeyGroup
	for i, k := range q.Keys {
		merged := &KeyGroup{Keys: []int{i}}
		for _, c := range k.Inputs() {
			if c.public() {
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
	return slices.ContainsFunc(g.Inputs, func(c *Column) bool { return slices.Contains(other.Inputs, c) }) ||
		slices.ContainsFunc(g.joined, func(c *Column) bool {
			return slices.ContainsFunc(other.joined, func(o *Column) bool { return o.joined == c.joined })
		})
}

func (g *KeyGroup) take(other *KeyGroup) {
	g.Keys = append(g.Keys, other.Keys...)
	for _, c := range other.Inputs {
		if !slices.Contains(g.Inputs, c) {
			g.Inputs = append(g.Inputs, c)
		}
	}
	for _, c := range other.joined {
		if !slices.Contains(g.joined, c) {
			g.joined = append(g.joined, c)
		}
	}
}

// CellsSQL is a statement, for the curator, that computes the combinations of the keys of a group over the declared values of its
// inputs, as far as WHERE lets them pass. It reads no protected table. values are those of each input, NULL included where the
// column can be NULL. At most limit combinations are asked for.
func (q *BoundQuery) CellsSQL(g *KeyGroup, values [][]Value, limit int) (sql string, args []string) {
	w := sqlWriter{keys: make(map[*Column]string)}
	var from []string
	for i, c := range g.Inputs {
		from = append(from, fmt.Sprintf("pg_catalog.unnest(%s) AS i%d(v)", w.arg(arrayOfValues(values[i]), c.TypeName+"[]"), i+1))
		w.keys[c] = fmt.Sprintf("i%d.v", i+1)
	}
	from = append(from, q.publicRows(g, &w)...)
	outputs := make([]string, len(g.Keys))
	for i, k := range g.Keys {
		outputs[i] = fmt.Sprintf("%s AS k%d", w.key(q.Keys[k]), i+1)
	}
	sql = "SELECT DISTINCT " + strings.Join(outputs, ", ")
	if len(from) > 0 {
		sql += " FROM " + strings.Join(from, " CROSS JOIN ")
	}
	if where := project(q.where, w.keys); where != truth(true) {
		sql += " WHERE " + w.formula(where)
	}
	return sql + fmt.Sprintf(" LIMIT %d", limit), w.args
}

// publicRows are the rows of the public tables of which the group has columns, and NULLs where an outer join may find none.
func (q *BoundQuery) publicRows(g *KeyGroup, w *sqlWriter) []string {
	var rows []string
	for _, j := range q.joins {
		var columns, nulls []string
		for _, c := range g.joined {
			if c.joined == j {
				w.keys[c] = fmt.Sprintf("%s.c%d", j.alias, len(columns)+1)
				nulls = append(nulls, "NULL::"+c.TypeName)
				columns = append(columns, fmt.Sprintf("p.%s AS c%d", alwaysQuoted(c.Name), len(columns)+1))
			}
		}
		if len(columns) == 0 {
			continue
		}
		table := fmt.Sprintf("SELECT DISTINCT %s FROM %s.%s AS p", strings.Join(columns, ", "), alwaysQuoted(j.table.Name.Schema), alwaysQuoted(j.table.Name.Name))
		if j.left {
			table += " UNION ALL SELECT " + strings.Join(nulls, ", ")
		}
		rows = append(rows, fmt.Sprintf("(%s) AS %s", table, j.alias))
	}
	return rows
}
