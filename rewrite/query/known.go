package query

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// A knownInput is a column of which nobody declared the values, and which are known all the same: from its type, from how it is computed, or from
// WHERE (known.go in package expr). Like declared values, they do not depend on rows.
type knownInput struct {
	values []pgvalue.Value
	// stretches are those of a stored time that WHERE bounds, of which keys and conditions of a grain are computed at instants.
	stretches []expr.Stretch
	grain     expr.Grain
	null      bool
}

// inputs are the columns of which a key is computed, and what is known of those whose values are not declared.
type inputs struct {
	columns []*expr.Column
	known   map[*expr.Column]*knownInput
}

// maxComputed is of how many combinations of declared values a key is computed, if its own values are known, too.
const maxComputed = 100_000

// inputsOf are the inputs of a key: the stored columns, if all of their values are declared, or if not enough is known of any others.
func (q *BoundQuery) inputsOf(k *expr.Column) inputs {
	stored := k.Inputs()
	if !k.Stored() && (&KeyGroup{Inputs: stored}).Combinations(maxComputed) > maxComputed {
		if values, ok := k.Known(q.Where); ok {
			return inputs{[]*expr.Column{k}, map[*expr.Column]*knownInput{k: {values: values}}}
		}
	}
	if !slices.ContainsFunc(stored, func(c *expr.Column) bool { return c.Public() || c.Domain == nil }) {
		return inputs{columns: stored}
	}
	if in := (inputs{known: make(map[*expr.Column]*knownInput)}); !slices.ContainsFunc(stored, (*expr.Column).Public) && q.find(&in, k, k) {
		return in
	}
	return inputs{columns: stored}
}

// find adds the inputs of a column that is a part of a key; ok is false if some of them are not known. Those that the column is computed of are
// preferred to the column itself, since two keys that are computed of one column do not have all combinations of their values.
func (q *BoundQuery) find(in *inputs, c, key *expr.Column) (ok bool) {
	if parts := c.Parts(); len(parts) > 0 {
		found := inputs{slices.Clone(in.columns), maps.Clone(in.known)}
		if !slices.ContainsFunc(parts, func(p *expr.Column) bool { return !q.find(&found, p, key) }) {
			*in = found
			return true
		}
	}
	if !slices.Contains(in.columns, c) && !(c.Stored() && c.Domain != nil) {
		k := q.know(c, key)
		if k == nil {
			return false
		}
		in.known[c] = k
	}
	in.add(c)
	return true
}

func (in *inputs) add(c *expr.Column) {
	if !slices.Contains(in.columns, c) {
		in.columns = append(in.columns, c)
	}
}

// know is what is known of a column besides a declared domain, as an input of a key; nil if nothing is.
func (q *BoundQuery) know(c, key *expr.Column) *knownInput {
	if values, ok := c.Known(q.Where); ok {
		return &knownInput{values: values}
	}
	k := &knownInput{}
	var ok bool
	if k.stretches, k.grain, k.null, ok = c.Stretches(q.Where, key.GrainOf(c)); !ok || k.grain == expr.ByInstant || k.size(c) > extent.MaxKnown {
		return nil
	}
	return k
}

// size is how many values or instants there are.
func (k *knownInput) size(c *expr.Column) int {
	if k.stretches == nil {
		return len(k.values)
	}
	instants := 1
	for _, s := range k.stretches {
		instants = min(instants+int(s.Last.Sub(s.First)/k.step(c))+12, extent.MaxKnown+1)
	}
	return instants
}

func (k *knownInput) step(c *expr.Column) time.Duration {
	return k.grain.Step(c.TypeOID == pgvalue.Timestamptz)
}

// take adds what another key needs of an input.
func (k *knownInput) take(other *knownInput) *knownInput {
	if other == nil || k != nil && k.grain <= other.grain {
		return k
	}
	return other
}

// rows is a FROM item, with a column v, of the instants.
func (k *knownInput) rows(c *expr.Column, w *expr.SQLWriter) string {
	times := func(of func(s expr.Stretch) time.Time) string {
		var texts []string
		for _, s := range k.stretches {
			texts = append(texts, pgvalue.TimeDatum(c.TypeOID, of(s)).Text)
		}
		return "pg_catalog.unnest(" + w.Arg(pgvalue.ArrayLiteral(texts), c.TypeName+"[]") + ")"
	}
	seconds := func(d time.Duration) string {
		return w.Arg(fmt.Sprintf("%d seconds", d/time.Second), "pg_catalog.interval")
	}
	ends := times(func(s expr.Stretch) time.Time { return s.First }) + ", " + times(func(s expr.Stretch) time.Time { return s.Last })
	var sql string
	if c.TypeOID == pgvalue.Timestamptz {
		whole := min(k.step(c), expr.Quarter)
		first := times(func(s expr.Stretch) time.Time { return s.First.Add(whole - 1).Truncate(whole) })
		sql = fmt.Sprintf("SELECT s.v FROM ROWS FROM (%s, %s) AS p(a, z, q) CROSS JOIN LATERAL (SELECT p.a UNION ALL SELECT p.z", ends, first)
		sql += fmt.Sprintf(" UNION ALL SELECT pg_catalog.generate_series(p.q, p.z, %s)", seconds(k.step(c)))
		if k.step(c) > expr.Quarter {
			sql += fmt.Sprintf(" UNION ALL SELECT pg_catalog.generate_series(p.q, LEAST(p.z, p.q OPERATOR(pg_catalog.+) %s), %s)", seconds(k.step(c)), seconds(expr.Quarter))
		}
		sql += ") AS s(v)"
	} else {
		sql = fmt.Sprintf("SELECT s.v FROM ROWS FROM (%s) AS p(a, z) CROSS JOIN LATERAL (SELECT pg_catalog.generate_series(p.a, p.z, %s) UNION ALL SELECT p.z) AS s(v)",
			ends, seconds(k.step(c)))
	}
	if k.null {
		sql += " UNION ALL SELECT NULL::" + c.TypeName
	}
	return "(" + sql + ")"
}

// tells reports whether the values, or instants, of the inputs of a group tell the value of a column.
func (g *KeyGroup) tells(c *expr.Column) bool {
	if slices.Contains(g.Inputs, c) || slices.Contains(g.joined, c) {
		return g.known[c] == nil || g.known[c].stretches == nil
	}
	for input, k := range g.known {
		if k.stretches != nil && c.GrainOf(input) < k.grain {
			return false
		}
	}
	return len(c.Parts()) > 0 && !slices.ContainsFunc(c.Parts(), func(p *expr.Column) bool { return !g.reaches(p) })
}

// reaches reports whether a column is an input of a group, or computed of inputs alone.
func (g *KeyGroup) reaches(c *expr.Column) bool {
	return slices.Contains(g.Inputs, c) || slices.Contains(g.joined, c) || len(c.Parts()) > 0 && !slices.ContainsFunc(c.Parts(), func(p *expr.Column) bool { return !g.reaches(p) })
}

// KnownKeys reports whether some values of keys are known though not declared.
func (g *KeyGroup) KnownKeys() bool { return len(g.known) > 0 }

// Lists reports whether a query shows values of keys alone, without counts: no row is read for that.
func (q *BoundQuery) Lists() bool { return len(q.Counts) == 0 }

// checkListed refuses a list of values that are not known, or that conditions on other columns would make another of rows.
func (q *BoundQuery) checkListed() *pgerror.Refusal {
	if q.Lists() && (slices.ContainsFunc(q.KeyGroups(), func(g *KeyGroup) bool { return !g.Declared() }) || !q.aboutKeys()) {
		return q.withoutCount
	}
	return nil
}

// aboutKeys reports whether WHERE has conditions on columns alone of which the keys are made.
func (q *BoundQuery) aboutKeys() bool {
	inputs := expr.MergeInputs(q.Keys...)
	return !slices.ContainsFunc(expr.MergeInputs(expr.ColumnsOf(q.Where)...), func(c *expr.Column) bool { return !slices.Contains(inputs, c) })
}

// CheckListed is checkListed once parameters have values, of which the text that is executed has no places.
func (q *BoundQuery) CheckListed() *pgerror.Refusal {
	return unplaced(q.checkListed())
}
