package query

import (
	"fmt"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/expr"
)

// PostgreSQL shows a row of at most 1 GB. So that a count never fails because a person's texts are long, a key that is longer than any that is
// ever released is shown as one text that stands for all of them, and its group is in no cell. That is decided by the key of a row
// alone, as with keys that are not declared, so it changes no sensitivity.

// mostKeyBytes is the length of the longest key that is shown, in the encoding of the server: of a text that is computed, of a value that is declared
// or that WHERE lists, or of the guards. No cell has a longer one.
func (q *BoundQuery) mostKeyBytes(k *expr.Column) int {
	if !k.Stored() {
		return bounds.MaxTextBytes
	}
	most := bounds.GuardedBytes
	for _, declared := range k.Domain {
		most = max(most, len(declared))
	}
	listed, _ := k.Known(q.Where)
	for _, v := range listed {
		most = max(most, len(v.Text))
	}
	return most
}

// InNoCell is a test of the keys of a group, as CountSQL yields them: whether one of them stands for keys that are too long to be in a cell. That text is
// itself too long, so that no other key looks like it.
func (q *BoundQuery) InNoCell() func(keys []Value) bool {
	standIns := make([]string, len(q.Keys))
	for i, k := range q.Keys {
		if k.MayBeLong() {
			standIns[i] = strings.Repeat("x", q.mostKeyBytes(k)+1)
		}
	}
	return func(keys []Value) bool {
		for i, standIn := range standIns {
			if standIn != "" && keys[i].Text == standIn {
				return true
			}
		}
		return false
	}
}

// keys prints what is shown of keys, and what rows are grouped by. Groups are looked at, and not rows, for whether a key is too long.
func (q *BoundQuery) keys(w *expr.SQLWriter, columns []*expr.Column) (outputs, groups []string) {
	for i, k := range columns {
		key := w.Key(k)
		if !k.MayBeLong() {
			outputs = append(outputs, fmt.Sprintf("%s AS k%d", key, i+1))
			groups = append(groups, fmt.Sprint(i+1))
			continue
		}
		most := q.mostKeyBytes(k)
		// Here least is always the constant. The planner does not know, and so does not write the text, of some 64 kB, several times for each statement.
		outputs = append(outputs, fmt.Sprintf("CASE WHEN pg_catalog.octet_length(%[1]s) OPERATOR(pg_catalog.>) %[2]d THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(%[1]s), %[3]d)) ELSE %[1]s END AS k%[4]d",
			key, most, most+1, i+1))
		groups = append(groups, key)
	}
	return outputs, groups
}
