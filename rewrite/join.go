package rewrite

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/policy"
)

// A join adds the columns of a public table to each row: along a unique key of that table, so that a row of the protected table
// is still at most one row.
//
// Or it adds those of a second protected table, see personjoin.go.
type join struct {
	table *PublicTable
	// protected is set instead of table for the second protected table, whose columns then are columns.
	protected *Table
	columns   []Column

	text  string // its name in the canonical text of the question
	alias string // its name for the curator
	left  bool
	on    []joinPair
}

// A joinPair is an equality of a column of the public table with one of what stands before it.
type joinPair struct{ key, outer *Column }

func (j *join) sql(w *sqlWriter) string {
	kind := "JOIN"
	if j.left {
		kind = "LEFT JOIN"
	}
	conditions := make([]string, len(j.on))
	for i, p := range j.on {
		conditions[i] = fmt.Sprintf("%s OPERATOR(pg_catalog.=) %s", w.column(p.outer), w.column(p.key))
	}
	return fmt.Sprintf(" %s %s.%s AS %s ON %s", kind, alwaysQuoted(j.name().Schema), alwaysQuoted(j.name().Name), j.alias, strings.Join(conditions, " AND "))
}

func (j *join) name() policy.TableName {
	if j.protected != nil {
		return j.protected.Policy.Name
	}
	return j.table.Name
}

func (j *join) String() string {
	kind := " JOIN "
	if j.left {
		kind = " LEFT JOIN "
	}
	conditions := make([]string, len(j.on))
	for i, p := range j.on {
		conditions[i] = p.outer.Text() + " = " + p.key.Text()
	}
	return kind + j.name().String() + " AS " + j.text + " ON " + strings.Join(conditions, " AND ")
}

// conjuncts are the parts of a condition that must all be true.
func conjuncts(n *pg.Node) []*pg.Node {
	switch e := n.GetBoolExpr(); {
	case n == nil:
		return nil
	case e != nil && e.GetBoolop() == pg.BoolExprType_AND_EXPR:
		var parts []*pg.Node
		for _, arg := range e.GetArgs() {
			parts = append(parts, conjuncts(arg)...)
		}
		return parts
	}
	return []*pg.Node{n}
}

// join finds for each public table a unique key of it that the conditions equate with what stands before it, in whatever order the
// tables were written.
func (f *fromReader) join(where []*pg.Node) *Refusal {
	if f.source == nil {
		return f.refuseCombined(nil)
	}
	if f.second != nil {
		if refusal := f.joinPersons(where); refusal != nil {
			return refusal
		}
	}
	waiting := f.pending
	for len(waiting) > 0 {
		var left []*pendingJoin
		for _, j := range waiting {
			done, refusal := f.tryJoin(j, where)
			if refusal != nil {
				return refusal
			}
			if !done {
				left = append(left, j)
			}
		}
		if len(left) == len(waiting) {
			return at(left[0].node.GetLocation(), notSupported(
				fmt.Sprintf("the join with %s is not along a unique key of it, so that one row of the protected table could become several", left[0].table.Name),
				"Unique keys are "+left[0].table.keysListed()+"; equate all columns of one with columns of the protected table, of the same type."))
		}
		waiting = left
	}
	return f.innerConditions()
}

// innerConditions reads the conditions of inner joins, like those of WHERE.
func (f *fromReader) innerConditions() *Refusal {
	reader := &conditionReader{f.source, f.a.params}
	for _, n := range f.conditions {
		p, refusal := reader.read(n, "JOIN/ON")
		if refusal != nil {
			return refusal
		}
		f.source.where = append(f.source.where, p)
	}
	return nil
}

// tryJoin joins a public table if the conditions equate a unique key of it.
func (f *fromReader) tryJoin(p *pendingJoin, where []*pg.Node) (done bool, refusal *Refusal) {
	number := *f.numbered + 1
	j := &join{table: p.table, left: p.left, alias: fmt.Sprintf("p%d", number), text: fmt.Sprintf("p%d", number)}
	r := p.relation
	r.columns = nil
	for i := range p.table.Columns {
		c := p.table.Columns[i] // a column of this join
		c.joined = j
		c.NotNull = c.NotNull && !p.left
		r.columns = append(r.columns, namedValue{c.Name, operand{row: &c}})
	}
	r.unlisted = systemColumns
	r.listed = p.table.listed()
	joined := *f.source
	joined.relations = append(slices.Clip(joined.relations), r)
	conditions := p.conditions
	if !p.left {
		conditions = slices.Concat(f.conditions, where)
	}
	for _, n := range conditions {
		if pair, ok := equates(n, &joined, j); ok {
			j.on = append(j.on, pair)
		} else if p.left {
			return false, at(location(n), notSupported("this condition of an outer join is not supported on protected tables", "Use equalities with the unique key of the public table alone, and WHERE for the rest."))
		}
	}
	for _, name := range p.using {
		outer, refusal := f.source.resolve(&pg.ColumnRef{Fields: nameNodes([]string{name})})
		if refusal != nil {
			return false, nil
		}
		inner := r.find(name)
		o, ok := outer.column.value.row.(*Column)
		if inner == nil || !ok || !joinable(o, inner.value.row.(*Column)) {
			return false, nil
		}
		j.on = append(j.on, joinPair{inner.value.row.(*Column), o})
		r.merged = append(r.merged, name)
	}
	if !p.table.unique(j.on) {
		r.merged = nil
		return false, nil
	}
	f.source.relations = append(f.source.relations, r)
	f.source.joins = append(f.source.joins, j)
	*f.numbered = number
	return true, nil
}

// equates reads an equality of a column of the join with a column of what stands before it.
func equates(n *pg.Node, s *source, j *join) (joinPair, bool) {
	e := n.GetAExpr()
	if e == nil || e.GetKind() != pg.A_Expr_Kind_AEXPR_OP {
		return joinPair{}, false
	}
	if op, ok := comparisonOperator(e.GetName()); !ok || op != equal {
		return joinPair{}, false
	}
	var columns [2]*Column
	for i, side := range []*pg.Node{e.GetLexpr(), e.GetRexpr()} {
		ref := side.GetColumnRef()
		if ref == nil {
			return joinPair{}, false
		}
		found, refusal := s.resolve(ref)
		if refusal != nil {
			return joinPair{}, false
		}
		c, ok := found.column.value.row.(*Column)
		if !ok {
			return joinPair{}, false
		}
		columns[i] = c
	}
	key, outer := columns[0], columns[1]
	if key.joined != j {
		key, outer = outer, key
	}
	return joinPair{key, outer}, key.joined == j && outer.joined != j && joinable(outer, key)
}

// besidesKeys leaves the equalities out of conditions along which inner joins are made: they hold for every row that is joined, and a
// question is the same whether it says so once, by USING, or twice.
func besidesKeys(joins []*join, conditions []predicate) (left []predicate) {
	for _, p := range conditions {
		if and, ok := p.(junction); ok && and.and {
			left = append(left, besidesKeys(joins, and.args)...)
		} else if !slices.ContainsFunc(joins, func(j *join) bool { return !j.left && j.along(p) }) {
			left = append(left, p)
		}
	}
	return left
}

// along reports whether a condition is one of the equalities that the join is made along.
func (j *join) along(p predicate) bool {
	equality, ok := p.(paired)
	return ok && equality.op == equal && slices.ContainsFunc(j.on, func(pair joinPair) bool {
		return equality.left == expression(pair.key) && equality.right == expression(pair.outer) ||
			equality.left == expression(pair.outer) && equality.right == expression(pair.key)
	})
}

// joinable allows columns of types whose equality tells no more values of the key apart, and no fewer, than its unique index does.
func joinable(a, b *Column) bool {
	same := a.TypeOID == b.TypeOID || IsInteger(a.TypeOID) && IsInteger(b.TypeOID) || familyOf(a.TypeOID) == texts && familyOf(b.TypeOID) == texts
	return same && a.usable() && a.Collation == b.Collation
}

// A PublicTable is a table that the policy lists under public, which protected tables may be joined with.
type PublicTable struct {
	Name    policy.TableName
	OID     uint32
	Columns []Column
	// Unique are the unique keys that PostgreSQL enforces: the columns of each.
	Unique [][]string
}

func (t *PublicTable) listed() string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = quoteIdentifier(c.Name)
	}
	return strings.Join(names, ", ")
}

func (t *PublicTable) keysListed() string {
	if len(t.Unique) == 0 {
		return "none"
	}
	keys := make([]string, len(t.Unique))
	for i, columns := range t.Unique {
		quoted := make([]string, len(columns))
		for j, c := range columns {
			quoted[j] = quoteIdentifier(c)
		}
		keys[i] = "(" + strings.Join(quoted, ", ") + ")"
	}
	return strings.Join(keys, ", ")
}

// unique reports whether equalities fix all columns of a unique key.
func (t *PublicTable) unique(on []joinPair) bool {
	return slices.ContainsFunc(t.Unique, func(columns []string) bool {
		return !slices.ContainsFunc(columns, func(name string) bool {
			return !slices.ContainsFunc(on, func(p joinPair) bool { return p.key.Name == name })
		})
	})
}
