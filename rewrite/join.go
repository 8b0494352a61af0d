package rewrite

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/countfirst"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// countFirst puts counts in the place of protected tables in joins that keep the rows of another side.
func (a *analysis) countFirst(raw *pg.RawStmt) *pgerror.Refusal {
	a.beside = make(map[*pg.SelectStmt]*query.Beside)
	r := &countfirst.Rewriter{Beside: a.beside, Tables: countfirst.Tables{
		Protected: func(rv *pg.RangeVar) *expr.Table { return a.references.tables[rv] },
		Public:    func(rv *pg.RangeVar) *expr.PublicTable { return a.references.publics[rv] },
		ReadsRows: a.readsRows,
	}}
	return r.Rewrite(raw.ProtoReflect())
}

// join finds for each public table a unique key of it that the conditions equate with what stands before it, in whatever order the
// tables were written.
func (f *fromReader) join(where []*pg.Node) *pgerror.Refusal {
	if f.second != nil {
		if refusal := f.joinPersons(where); refusal != nil {
			return refusal
		}
	}
	if refusal := f.joinByPersons(where); refusal != nil {
		return refusal
	}
	if f.source == nil {
		return f.refuseCombined(nil)
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
			return joinNotUnique.At(left[0].node.GetLocation(), left[0].table.Name, listedKeys(left[0].table))
		}
		waiting = left
	}
	return f.innerConditions()
}

// innerConditions reads the conditions of inner joins, like those of WHERE.
func (f *fromReader) innerConditions() *pgerror.Refusal {
	reader := &conditionReader{source: f.source, params: f.a.params}
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
func (f *fromReader) tryJoin(p *pendingJoin, where []*pg.Node) (done bool, refusal *pgerror.Refusal) {
	number := *f.numbered + 1
	j := &expr.Join{Table: p.table, Left: p.left, Alias: fmt.Sprintf("p%d", number), Text: fmt.Sprintf("p%d", number)}
	r := p.relation
	r.columns = nil
	for i := range p.table.Columns {
		c := p.table.Columns[i] // a column of this join
		c.Joined = j
		c.NotNull = c.NotNull && !p.left
		r.columns = append(r.columns, namedValue{c.Name, expr.Operand{Row: &c}})
	}
	r.unlisted = pgtree.SystemColumns
	r.listed = namesOfColumns(p.table.Columns)
	joined := *f.source
	joined.relations = append(slices.Clip(joined.relations), r)
	conditions := p.conditions
	if !p.left {
		conditions = slices.Concat(f.conditions, where)
	}
	for _, n := range conditions {
		if pair, ok := equates(n, &joined, j); ok {
			j.On = append(j.On, pair)
		} else if p.left {
			return false, outerJoinCondition.At(pgtree.Location(n))
		}
	}
	for _, name := range p.using {
		outer, refusal := f.source.resolve(&pg.ColumnRef{Fields: pgtree.NameNodes([]string{name})})
		if refusal != nil {
			return false, nil
		}
		inner := r.find(name)
		o, ok := outer.column.value.Row.(*expr.Column)
		if inner == nil || !ok || !joinable(o, inner.value.Row.(*expr.Column)) {
			return false, nil
		}
		j.On = append(j.On, expr.JoinPair{Key: inner.value.Row.(*expr.Column), Outer: o})
		r.merged = append(r.merged, name)
	}
	if !isUnique(p.table, j.On) {
		r.merged = nil
		return false, nil
	}
	f.source.relations = append(f.source.relations, r)
	f.source.joins = append(f.source.joins, j)
	*f.numbered = number
	return true, nil
}

// equates reads an equality of a column of the join with a column of what stands before it.
func equates(n *pg.Node, s *source, j *expr.Join) (expr.JoinPair, bool) {
	e := n.GetAExpr()
	if e == nil || e.GetKind() != pg.A_Expr_Kind_AEXPR_OP {
		return expr.JoinPair{}, false
	}
	if op, ok := comparisonOperator(e.GetName()); !ok || op != expr.Equal {
		return expr.JoinPair{}, false
	}
	var columns [2]*expr.Column
	for i, side := range []*pg.Node{e.GetLexpr(), e.GetRexpr()} {
		ref := side.GetColumnRef()
		if ref == nil {
			return expr.JoinPair{}, false
		}
		found, refusal := s.resolve(ref)
		if refusal != nil {
			return expr.JoinPair{}, false
		}
		c, ok := found.column.value.Row.(*expr.Column)
		if !ok {
			return expr.JoinPair{}, false
		}
		columns[i] = c
	}
	key, outer := columns[0], columns[1]
	if key.Joined != j {
		key, outer = outer, key
	}
	return expr.JoinPair{Key: key, Outer: outer}, key.Joined == j && outer.Joined != j && joinable(outer, key)
}

// besidesKeys leaves the equalities out of conditions along which inner joins are made: they hold for every row that is joined, and a
// question is the same whether it says so once, by USING, or twice.
func besidesKeys(joins []*expr.Join, conditions []expr.Predicate) (left []expr.Predicate) {
	for _, p := range conditions {
		if and, ok := p.(expr.Junction); ok && and.And {
			left = append(left, besidesKeys(joins, and.Args)...)
		} else if !slices.ContainsFunc(joins, func(j *expr.Join) bool { return !j.Left && along(j, p) }) {
			left = append(left, p)
		}
	}
	return left
}

// along reports whether a condition is one of the equalities that the join is made along.
func along(j *expr.Join, p expr.Predicate) bool {
	equality, ok := p.(expr.Paired)
	return ok && equality.Op == expr.Equal && slices.ContainsFunc(j.On, func(pair expr.JoinPair) bool {
		return equality.Left == expr.Expression(pair.Key) && equality.Right == expr.Expression(pair.Outer) ||
			equality.Left == expr.Expression(pair.Outer) && equality.Right == expr.Expression(pair.Key)
	})
}

func listedKeys(t *expr.PublicTable) string {
	if len(t.Unique) == 0 {
		return "none"
	}
	keys := make([]string, len(t.Unique))
	for i, columns := range t.Unique {
		keys[i] = "(" + pgvalue.QuoteList(columns) + ")"
	}
	return strings.Join(keys, ", ")
}

// isUnique reports whether equalities fix all columns of a unique key.
func isUnique(t *expr.PublicTable, on []expr.JoinPair) bool {
	return slices.ContainsFunc(t.Unique, func(columns []string) bool {
		return !slices.ContainsFunc(columns, func(name string) bool {
			return !slices.ContainsFunc(on, func(p expr.JoinPair) bool { return p.Key.Name == name })
		})
	})
}

// joinPersons makes one source of two that give rows of protected tables, if a condition equates their persons.
func (f *fromReader) joinPersons(where []*pg.Node) *pgerror.Refusal {
	lead, partner := f.source, f.second
	if lead.partner != nil {
		lead, partner = partner, lead
	}
	if lead.lead != nil || partner.lead != nil { // of sub-selects that keep the rows of others, which group by persons
		return refuseWithoutPersons(lead.table, partner.table)
	}
	j := partner.partner
	if refusal := canJoin(lead.table, partner.table); refusal != nil {
		return refusal
	}
	joined := &source{
		table: lead.table, written: lead.written, partner: j, met: make(map[*pg.Node]bool),
		relations: slices.Concat(f.source.relations, f.second.relations),
		where:     slices.Concat(f.source.where, f.second.where),
		joins:     slices.Concat(lead.joins, []*expr.Join{j}, partner.joins),
	}
	if len(f.using) > 0 && !f.usesPersons(joined) {
		return refuseWithoutPersons(lead.table, partner.table)
	}
	for _, n := range slices.Concat(f.conditions, where) {
		if joined.equatesPersons(n) {
			joined.met[n] = true
		}
	}
	if len(f.using)+len(joined.met) == 0 {
		return refuseWithoutPersons(lead.table, partner.table)
	}
	j.On = []expr.JoinPair{{Key: j.Person(), Outer: &lead.table.Person.Column}}
	f.source, f.second = joined, nil
	return nil
}

// usesPersons reads JOIN USING, which must name the persons' columns alone, and leaves the name to the first table.
func (f *fromReader) usesPersons(joined *source) bool {
	ref := &pg.ColumnRef{Fields: pgtree.NameNodes(f.using)}
	if len(f.using) != 1 {
		return false
	}
	left, refusal := f.source.resolve(ref)
	if refusal != nil {
		return false
	}
	right, refusal := f.second.resolve(ref)
	if refusal != nil || !joined.arePersons(left.column.value, right.column.value) {
		return false
	}
	if left.column.value.Row.TypeOf() != right.column.value.Row.TypeOf() { // the column would be of a type that they have in common
		return false
	}
	r := f.second.relations[right.relation]
	r.merged = append(r.merged, f.using[0])
	return true
}

// equatesPersons reports whether a condition is the equality of the persons of both tables.
func (s *source) equatesPersons(n *pg.Node) bool {
	e := n.GetAExpr()
	if e == nil || e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || e.GetLexpr().GetColumnRef() == nil || e.GetRexpr().GetColumnRef() == nil {
		return false
	}
	if op, ok := comparisonOperator(e.GetName()); !ok || op != expr.Equal {
		return false
	}
	left, refusal := s.resolve(e.GetLexpr().GetColumnRef())
	if refusal != nil {
		return false
	}
	right, refusal := s.resolve(e.GetRexpr().GetColumnRef())
	return refusal == nil && s.arePersons(left.column.value, right.column.value)
}

// arePersons reports whether two values are the persons of the two tables.
func (s *source) arePersons(a, b expr.Operand) bool {
	if !s.isPerson(a.Row) || !s.isPerson(b.Row) {
		return false
	}
	return a.Row.(*expr.Column).Joined != b.Row.(*expr.Column).Joined
}

// isPerson reports whether a value is that of a column that tells the persons of the source apart.
func (s *source) isPerson(e expr.Expression) bool {
	c, ok := e.(*expr.Column)
	if !ok || !c.Stored() {
		return false
	}
	t := s.table
	if s.partner != nil && c.Joined == s.partner {
		t = s.partner.Protected
	} else if c.Joined != nil {
		return false
	}
	return t.Person != nil && c.Name == t.Person.Column.Name
}

// canJoin says whether the persons of two tables are told apart in one way, and whether their losses are.
func canJoin(a, b *expr.Table) *pgerror.Refusal {
	for _, t := range []*expr.Table{a, b} {
		if t.Person == nil {
			return joinWithoutPerson.With(t.Policy.Name, t.Policy.Name)
		}
	}
	x, y := &a.Person.Column, &b.Person.Column
	switch {
	case x.Collation != y.Collation && pgvalue.FamilyOf(x.TypeOID) == pgvalue.FamilyOf(y.TypeOID):
		return joinOtherCollations.With(a.Policy.Name, b.Policy.Name)
	case !joinable(x, y):
		return joinPersonTypes.With(a.Policy.Name, b.Policy.Name, x.Formatted, y.Formatted)
	case x.Collation != "":
		// A collation may equate names that are different persons to bounded.
		return joinCollations.With(a.Policy.Name, b.Policy.Name)
	case !a.Policy.Mechanism.Combines(b.Policy.Mechanism):
		return joinMechanisms.With(a.Policy.Name, b.Policy.Name)
	case a.Policy.Adjacency != b.Policy.Adjacency:
		return joinAdjacencies.With(a.Policy.Name, b.Policy.Name)
	}
	return nil
}

func refuseWithoutPersons(a, b *expr.Table) *pgerror.Refusal {
	x, y := pgvalue.QuoteIdentifier(a.Person.Column.Name), pgvalue.QuoteIdentifier(b.Person.Column.Name)
	return joinWithoutPersons.With(a.Policy.Name, b.Policy.Name, x, y)
}
