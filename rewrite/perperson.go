package rewrite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// A sub-select of FROM that groups the rows of a protected table by its persons, SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id, has one row
// for each person. Counts of these rows are counts of persons (query.CountQuery.Lead), by what aggregates yield of the rows of each
// (expr.PersonAggregate).

// byPerson reads such a sub-select.
func (f *fromReader) byPerson(n *pg.RangeSubselect) *pgerror.Refusal {
	defer f.a.enterPersons()()
	sel := n.GetSubquery().GetSelectStmt()
	inner, refusal := f.a.readFrom(sel, new(int))
	if refusal != nil {
		return refusal
	}
	loc := pgtree.FromLocation(sel.GetFromClause())
	g, refusal := newAggregation(inner, sel, f.a.params)
	if refusal != nil {
		return pgerror.At(loc, refusal)
	}
	r := &relation{name: "unnamed_subquery", aliased: true}
	if n.GetAlias() != nil {
		r.name = n.GetAlias().GetAliasname()
	}
	for _, target := range sel.GetTargetList() {
		if refusal := g.output(r, target.GetResTarget()); refusal != nil {
			return refusal
		}
	}
	if refusal := r.rename(n.GetAlias().GetColnames()); refusal != nil {
		return pgerror.At(loc, refusal)
	}
	persons := &source{table: g.table, written: inner.written, relations: []*relation{r}, lead: g.rows}
	if persons.where, refusal = g.having(sel); refusal != nil {
		return refusal
	}
	f.persons = append(f.persons, persons)
	return nil
}

// having is the HAVING clause, as a condition on persons.
func (g *aggregation) having(sel *pg.SelectStmt) ([]expr.Predicate, *pgerror.Refusal) {
	n := sel.GetHavingClause()
	if n == nil {
		return nil, nil
	}
	p, refusal := g.reader().read(n, "HAVING")
	return []expr.Predicate{p}, refusal
}

// An aggregation is of the rows of each person, which makes one row for her.
type aggregation struct {
	inner  *source
	rows   *expr.PersonValue
	table  *expr.Table // as if it had these rows
	params *parameters
}

// newAggregation reads the conditions on the rows.
func newAggregation(inner *source, sel *pg.SelectStmt, params *parameters) (*aggregation, *pgerror.Refusal) {
	where := inner.where
	if n := sel.GetWhereClause(); n != nil {
		p, refusal := (&conditionReader{source: inner, params: params}).read(n, "WHERE")
		if refusal != nil {
			return nil, refusal
		}
		where = append(slices.Clip(where), p)
	}
	return aggregationOf(inner, sel, &expr.PersonValue{Table: inner.table, Joins: inner.joins, Where: expr.Junction{And: true, Args: besidesKeys(inner.joins, where)}}, params)
}

// aggregationOf is of rows of a table whose persons are told apart by what the SELECT groups by.
func aggregationOf(inner *source, sel *pg.SelectStmt, rows *expr.PersonValue, params *parameters) (*aggregation, *pgerror.Refusal) {
	if kind := inner.table.Policy.Mechanism.Kind; !kind.AddsNoise() {
		return nil, personsMechanism.With(inner.written, kind)
	}
	if ref := groupedBy(sel, inner); inner.lead != nil || ref == nil || !isPersonOf(inner, ref) {
		return nil, refuseGrouping(inner)
	}
	one, person := *inner.table, *inner.table.Person
	person.Rows, person.Groups, person.Unique, person.Column.NotNull = 1, 1, true, true
	one.Person = &person
	return &aggregation{inner, rows, &one, params}, nil
}

func refuseGrouping(inner *source) *pgerror.Refusal {
	return personsGrouped.With(inner.table.Policy.Name, pgvalue.QuoteIdentifier(inner.table.Person.Column.Name))
}

// reader reads what is made of aggregates of a person's rows.
func (g *aggregation) reader() *conditionReader {
	return &conditionReader{source: g.inner, params: g.params, persons: g}
}

// output adds a column of the select list.
func (g *aggregation) output(r *relation, target *pg.ResTarget) *pgerror.Refusal {
	ref := target.GetVal().GetColumnRef()
	if ref == nil {
		return r.addOutput(target, g.reader())
	}
	if ref.GetFields()[len(ref.GetFields())-1].GetAStar() == nil {
		if found, refusal := g.inner.resolve(ref); refusal == nil && g.inner.isPerson(found.column.value.Row) {
			person := found.column.value
			person.Row = &g.table.Person.Column
			r.columns = append(r.columns, namedValue{cmp.Or(target.GetName(), found.column.name), person})
			return nil
		}
	}
	return g.column(ref)
}

// column refuses a column outside of the aggregates. The person herself stands only in the select list (see output): elsewhere her name would mean
// a column of the table that these rows are joined with.
func (g *aggregation) column(ref *pg.ColumnRef) *pgerror.Refusal {
	if _, refusal := g.inner.value(ref); refusal != nil && ref.GetFields()[len(ref.GetFields())-1].GetAStar() == nil {
		return refusal
	}
	name := strings.TrimSuffix(strings.Join(pgtree.Strings(ref.GetFields()), "."), ".")
	return personUngrouped.At(ref.GetLocation(), name, g.example())
}

// aggregate reads an aggregate of the rows of a person. None of those that are read can fail on any row.
func (g *aggregation) aggregate(f *pg.FuncCall) (expr.Operand, *pgerror.Refusal) {
	name, builtin := pgtree.FunctionName(f)
	if name == "every" {
		name = "bool_and"
	}
	known := builtin && slices.Contains([]string{"count", "sum", "avg", "min", "max", "bool_and", "bool_or"}, name)
	if !known || len(f.GetAggOrder()) > 0 || f.GetAggWithinGroup() || f.GetFuncVariadic() || f.GetAggDistinct() && name != "count" || f.GetAggStar() != (len(f.GetArgs()) == 0) || len(f.GetArgs()) > 1 {
		return expr.Operand{}, g.refuse(f)
	}
	plain := &conditionReader{source: g.inner, params: g.params}
	a := &expr.PersonAggregate{Of: g.rows, Name: name, Distinct: f.GetAggDistinct()}
	var conditions []expr.Predicate
	if !f.GetAggStar() && !(name == "count" && g.inner.countsRows(f)) {
		o, refusal := g.argument(f)
		if refusal != nil {
			return expr.Operand{}, refusal
		}
		if a.Arg = o.Row; name == "count" && !a.Distinct && a.Arg != nil {
			if p := expr.IsNotNull(a.Arg); p != nil {
				conditions = append(conditions, p)
			}
			a.Arg = nil
		}
	}
	if filter := f.GetAggFilter(); filter != nil {
		p, refusal := plain.read(filter, "FILTER")
		if refusal != nil {
			return expr.Operand{}, refusal
		}
		conditions = append(conditions, p)
	}
	a.Filter = expr.Conjunction(conditions)
	return expr.Operand{Row: a, Loc: f.GetLocation()}, nil
}

// argument reads what an aggregate is of: nothing of the row for count of a constant.
func (g *aggregation) argument(f *pg.FuncCall) (expr.Operand, *pgerror.Refusal) {
	name, _ := pgtree.FunctionName(f)
	r := &selectReader{source: g.inner, params: g.params}
	o, refusal := r.countArgument(f.GetArgs()[0])
	if refusal != nil {
		return o, refusal
	}
	if name == "count" && o.IsConstant() && !f.GetAggDistinct() && o.Param == 0 && o.Fixed == nil && !o.Literal.Null {
		return expr.Operand{}, nil
	}
	if o.IsConstant() {
		return o, g.refuse(f)
	}
	if !takes(name, f.GetAggDistinct(), o) {
		return o, g.refuse(f)
	}
	if name != "sum" && name != "avg" {
		return o, nil
	}
	b := &expr.Binding{Untold: true, MaxAtoms: expr.MaxAtoms}
	c := b.Column(o.Row)
	switch _, _, bounded := c.Span(); {
	case b.Refusal != nil:
		return o, b.Refusal
	case c.Open():
		return o, sumOfParameter.At(f.GetLocation(), name)
	case !bounded:
		return o, unbounded.At(f.GetLocation(), name)
	}
	return o, nil
}

// takes reports whether an aggregate of a person's rows takes a value. The least and the greatest are of types whose order is that of their values.
func takes(name string, distinct bool, o expr.Operand) bool {
	oid := o.Row.TypeOf()
	switch {
	case name == "count" && !distinct:
		return true
	case o.Unlisted:
		return false
	case name == "count":
		return pgvalue.CanBeKey(oid)
	case name == "sum" || name == "avg":
		return pgvalue.IsInteger(oid) || oid == pgvalue.Numeric
	case name == "min" || name == "max":
		return !o.Zoned && (pgvalue.FamilyOf(oid) == pgvalue.Numbers || pgvalue.IsTime(oid))
	}
	return oid == pgvalue.Bool
}

// refuse tells of the aggregates that there are.
func (g *aggregation) refuse(f *pg.FuncCall) *pgerror.Refusal {
	name, _ := pgtree.FunctionName(f)
	return personAggregate.At(f.GetLocation(), name, g.inner.table.Policy.Name, g.example())
}

// example is a question about the rows of each person.
func (g *aggregation) example() string {
	return fmt.Sprintf("SELECT least(n, 10), count(*) FROM (SELECT %[1]s, count(*) AS n FROM %[2]s GROUP BY %[1]s) AS t GROUP BY 1",
		pgvalue.QuoteIdentifier(g.inner.table.Person.Column.Name), g.inner.written)
}

// A sub-select that groups by persons can be joined with rows of a protected table, or with another such sub-select, along the persons. What it has of each
// person is then a value of the person of a row, as in a condition.

// joinByPersons joins the sub-selects that group by persons with what else there is: one of them leads if there is nothing else.
func (f *fromReader) joinByPersons(where []*pg.Node) *pgerror.Refusal {
	if f.source == nil && len(f.persons) > 0 {
		f.source, f.persons = f.persons[0], f.persons[1:]
	}
	for _, persons := range f.persons {
		if refusal := f.attach(persons, where); refusal != nil {
			return refusal
		}
	}
	return nil
}

func (f *fromReader) attach(persons *source, where []*pg.Node) *pgerror.Refusal {
	if f.a.withinPersons > 0 {
		return refuseWithoutPersons(f.source.table, persons.table)
	}
	if refusal := canJoin(f.source.table, persons.table); refusal != nil {
		return refusal
	}
	if f.source.met == nil {
		f.source.met = make(map[*pg.Node]bool)
	}
	met := len(f.using) > 0
	for _, name := range f.using {
		ref := &pg.ColumnRef{Fields: pgtree.NameNodes([]string{name})}
		if len(f.using) > 1 || !isPersonOf(f.source, ref) || !isPersonOf(persons, ref) || f.source.person().TypeOID != persons.person().TypeOID {
			return refuseWithoutPersons(f.source.table, persons.table)
		}
		persons.relations[0].merged = append(persons.relations[0].merged, name)
	}
	s := &personSelect{outer: f.source, inner: persons}
	for _, n := range slices.Concat(f.conditions, where) {
		if s.relatesNames(n) {
			f.source.met[n], met = true, true
		}
	}
	if !met {
		return refuseWithoutPersons(f.source.table, persons.table)
	}
	persons.lead.Outer = f.source.person()
	for i := range persons.relations[0].columns {
		if c := &persons.relations[0].columns[i]; persons.isPerson(c.value.Row) {
			c.value.Row = persons.lead.Outer
		}
	}
	f.source.where = slices.Concat(f.source.where, []expr.Predicate{expr.AmongPersons{Row: persons.lead}}, persons.where)
	f.source.relations = append(slices.Clip(f.source.relations), persons.relations...)
	return nil
}

// relatesNames reports whether a condition equates the persons of both sources of a join, whose names are qualified if both have them.
func (s *personSelect) relatesNames(n *pg.Node) bool {
	e := n.GetAExpr()
	left, right := e.GetLexpr().GetColumnRef(), e.GetRexpr().GetColumnRef()
	if e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || left == nil || right == nil {
		return false
	}
	if op, ok := comparisonOperator(e.GetName()); !ok || op != expr.Equal {
		return false
	}
	is := func(a, b *source, ref *pg.ColumnRef) bool { return !b.means(ref) && isPersonOf(a, ref) }
	return is(s.outer, s.inner, left) && is(s.inner, s.outer, right) || is(s.outer, s.inner, right) && is(s.inner, s.outer, left)
}
