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
type join struct {
	table *PublicTable
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
	return fmt.Sprintf(" %s %s.%s AS %s ON %s", kind, alwaysQuoted(j.table.Name.Schema), alwaysQuoted(j.table.Name.Name), j.alias, strings.Join(conditions, " AND "))
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
	return kind + j.table.Name.String() + " AS " + j.text + " ON " + strings.Join(conditions, " AND ")
}

// readsRows reports whether a FROM item gives rows of a protected table: the table itself, or a sub-select or join that keeps them.
func (a *analysis) readsRows(n *pg.Node) bool {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		return a.mentions.tables[v.RangeVar] != nil
	case *pg.Node_JoinExpr:
		return a.readsRows(v.JoinExpr.GetLarg()) || a.readsRows(v.JoinExpr.GetRarg())
	case *pg.Node_RangeTableSample:
		return a.readsRows(v.RangeTableSample.GetRelation())
	case *pg.Node_RangeSubselect:
		return a.keepsRows(v.RangeSubselect.GetSubquery().GetSelectStmt())
	}
	return false
}

// keepsRows reports whether a SELECT only renames, computes and filters rows of a protected table.
func (a *analysis) keepsRows(sel *pg.SelectStmt) bool {
	plain := sel.GetOp() == pg.SetOperation_SETOP_NONE && len(sel.GetValuesLists()) == 0 && sel.GetWithClause() == nil && sel.GetIntoClause() == nil &&
		len(sel.GetDistinctClause()) == 0 && len(sel.GetGroupClause()) == 0 && sel.GetHavingClause() == nil && len(sel.GetWindowClause()) == 0 &&
		sel.GetLimitCount() == nil && sel.GetLimitOffset() == nil && len(sel.GetLockingClause()) == 0
	return plain && !hasAggregate(sel) && slices.ContainsFunc(sel.GetFromClause(), a.readsRows)
}

// A fromReader makes a source of a FROM clause.
type fromReader struct {
	a       *analysis
	source  *source
	pending []*pendingJoin
	// conditions are those of inner joins.
	conditions []*pg.Node
}

// A pendingJoin is a public table whose unique key is yet to be found among the conditions.
type pendingJoin struct {
	table      *PublicTable
	relation   *relation
	node       *pg.RangeVar
	left       bool
	conditions []*pg.Node // its own, of a LEFT JOIN
	using      []string
}

// readFrom makes a source of the FROM clause of a SELECT; where is its WHERE clause, in which the condition of a join may stand.
func (a *analysis) readFrom(sel *pg.SelectStmt) (*source, *Refusal) {
	f := &fromReader{a: a}
	for _, n := range sel.GetFromClause() {
		if refusal := f.item(n); refusal != nil {
			return nil, refusal
		}
	}
	if refusal := f.join(conjuncts(sel.GetWhereClause())); refusal != nil {
		return nil, refusal
	}
	return f.source, nil
}

func (f *fromReader) item(n *pg.Node) *Refusal {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		return f.table(v.RangeVar)
	case *pg.Node_RangeSubselect:
		if f.a.readsRows(n) {
			return f.subselect(v.RangeSubselect)
		}
	case *pg.Node_JoinExpr:
		return f.joinExpr(v.JoinExpr)
	case *pg.Node_RangeTableSample:
		return at(v.RangeTableSample.GetLocation(), notSupported("TABLESAMPLE is not supported on protected tables", "Leave out TABLESAMPLE."))
	}
	return f.refuseCombined(n)
}

// refuseCombined suggests to count first and to join the counts.
func (f *fromReader) refuseCombined(n *pg.Node) *Refusal {
	t, written, loc := f.a.mentions.first, "", f.a.firstMention()
	for rv, mentioned := range f.a.mentions.tables {
		if rv.GetLocation() == loc {
			t, written = mentioned, writtenAs(rv)
		}
	}
	keys := t.defaultKey()
	join := ""
	if len(keys) > 0 {
		join = fmt.Sprintf(": FROM (%s) AS c JOIN ... USING (%s)", example{t, written, keys}.statement(), quoteIdentifier(keys[0]))
	}
	return at(loc, notSupported("joining the rows of a protected table with this is not supported",
		"The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result"+join+"."))
}

// table reads a table of FROM.
func (f *fromReader) table(rv *pg.RangeVar) *Refusal {
	if t := f.a.mentions.publics[rv]; t != nil {
		r := newRelation(rv, t.Name)
		j := &pendingJoin{table: t, relation: r, node: rv}
		f.pending = append(f.pending, j)
		return checkTable(rv)
	}
	t := f.a.mentions.tables[rv]
	switch {
	case t == nil:
		return f.refuseCombined(nil)
	case f.source != nil:
		return at(rv.GetLocation(), notSupported("a join of protected tables is not supported", "Count in sub-selects and join their results."))
	}
	if refusal := checkTable(rv); refusal != nil {
		return refusal
	}
	f.source = newSource(t, rv)
	delete(f.a.mentions.tables, rv)
	return nil
}

// checkTable refuses what would change which rows a table has, or the names of its columns.
func checkTable(rv *pg.RangeVar) *Refusal {
	switch {
	case rv.GetCatalogname() != "":
		return at(rv.GetLocation(), notSupported("a protected table cannot be named with its database", "Leave out the name of the database."))
	case !rv.GetInh():
		return at(rv.GetLocation(), notSupported("ONLY is not supported on protected tables", "Leave out ONLY."))
	case len(rv.GetAlias().GetColnames()) > 0:
		return at(rv.GetLocation(), notSupported("renaming the columns of a protected table in FROM is not supported", "Use the table's own column names."))
	}
	return nil
}

// subselect reads a sub-select that keeps rows. Its columns become those of one relation.
func (f *fromReader) subselect(n *pg.RangeSubselect) *Refusal {
	sel := n.GetSubquery().GetSelectStmt()
	loc := fromLocation(sel.GetFromClause())
	if f.source != nil {
		return at(loc, notSupported("a join of protected tables is not supported", "Count in sub-selects and join their results."))
	}
	if n.GetLateral() {
		return at(loc, notSupported("LATERAL is not supported around a protected table", "Leave out LATERAL."))
	}
	inner, refusal := f.a.readFrom(sel)
	if refusal != nil {
		return refusal
	}
	reader := &conditionReader{inner, f.a.params}
	r := &relation{name: n.GetAlias().GetAliasname(), aliased: true}
	for _, target := range sel.GetTargetList() {
		if refusal := r.addOutput(target.GetResTarget(), reader); refusal != nil {
			return refusal
		}
	}
	if w := sel.GetWhereClause(); w != nil {
		p, refusal := reader.read(w, "WHERE")
		if refusal != nil {
			return refusal
		}
		inner.where = append(inner.where, p)
	}
	for i, alias := range stringsOf(n.GetAlias().GetColnames()) {
		if i >= len(r.columns) {
			return at(loc, &Refusal{Code: codeColumnReference, Message: fmt.Sprintf("table %q has %d columns available but %d columns specified", r.name, len(r.columns), len(n.GetAlias().GetColnames()))})
		}
		r.columns[i].name = alias
	}
	var names []string
	for _, c := range r.columns {
		names = append(names, quoteIdentifier(c.name))
	}
	r.listed = strings.Join(names, ", ")
	inner.relations = []*relation{r}
	f.source = inner
	return nil
}

// addOutput reads a column of the select list of a sub-select that keeps rows. Columns that cannot be used are passed on, to be
// refused where they are used.
func (r *relation) addOutput(target *pg.ResTarget, reader *conditionReader) *Refusal {
	if ref := target.GetVal().GetColumnRef(); ref != nil {
		fields := ref.GetFields()
		if fields[len(fields)-1].GetAStar() != nil {
			return r.addStar(ref, reader.source)
		}
		found, refusal := reader.source.resolve(ref)
		if refusal != nil {
			return at(ref.GetLocation(), refusal)
		}
		name := target.GetName()
		if name == "" {
			name = found.column.name
		}
		r.columns = append(r.columns, namedValue{name, found.column.value})
		return nil
	}
	name, known := target.GetName(), true
	if name == "" {
		name, known = columnName(target.GetVal())
	}
	if !known {
		return at(target.GetLocation(), notSupported("this column of the select list needs a name", "Name it with AS."))
	}
	o, refusal := reader.operand(target.GetVal())
	if refusal != nil {
		return refusal
	}
	if o.isConstant() {
		oid := reader.typeOf(o)
		if oid == oidUnknown {
			oid = oidText
		}
		if o, refusal = reader.unified(o, oid); refusal != nil {
			return refusal
		}
		o = operand{row: &conditional{oid: oid, otherwise: o}, loc: o.loc}
	}
	r.columns = append(r.columns, namedValue{name, o})
	return nil
}

// addStar adds the columns of t.* or *.
func (r *relation) addStar(ref *pg.ColumnRef, s *source) *Refusal {
	fields := ref.GetFields()
	qualifiers := stringsOf(fields[:len(fields)-1])
	found := s.matching(qualifiers)
	if len(found) == 0 {
		return at(ref.GetLocation(), s.refuseQualifier(qualifiers))
	}
	for _, i := range found {
		from := s.relations[i]
		for _, c := range from.columns {
			if !slices.Contains(from.merged, c.name) || len(qualifiers) > 0 {
				r.columns = append(r.columns, c)
			}
		}
		for _, name := range from.unlisted {
			if !slices.Contains(systemColumns, name) {
				r.unlisted = append(r.unlisted, name)
			}
		}
	}
	return nil
}

// joinExpr reads JOIN. The rows of the protected table must all stay single: on the outer side of an outer join.
func (f *fromReader) joinExpr(j *pg.JoinExpr) *Refusal {
	loc := fromLocation([]*pg.Node{j.GetLarg(), j.GetRarg()})
	left, right := j.GetLarg(), j.GetRarg()
	kind := j.GetJointype()
	switch {
	case j.GetIsNatural() || j.GetAlias() != nil || j.GetJoinUsingAlias() != nil:
		return at(loc, notSupported("this form of JOIN is not supported on protected tables", "Write JOIN ... ON with an equality."))
	case kind == pg.JoinType_JOIN_RIGHT:
		left, right, kind = right, left, pg.JoinType_JOIN_LEFT
	}
	if kind == pg.JoinType_JOIN_LEFT && (!f.a.readsRows(left) || right.GetRangeVar() == nil) {
		return at(loc, notSupported("an outer join that adds rows to those of a protected table is not supported",
			"Put the protected table on the side whose rows are kept: FROM protected LEFT JOIN public ON ...; groups without rows are shown all the same if the keys' values are declared."))
	}
	if kind != pg.JoinType_JOIN_INNER && kind != pg.JoinType_JOIN_LEFT {
		return at(loc, notSupported("this kind of JOIN is not supported on protected tables", "Use JOIN or LEFT JOIN with a public table, by equality with a unique key of it."))
	}
	for _, side := range []*pg.Node{left, right} {
		if refusal := f.item(side); refusal != nil {
			return refusal
		}
	}
	using := stringsOf(j.GetUsingClause())
	if kind == pg.JoinType_JOIN_INNER && len(using) == 0 {
		f.conditions = append(f.conditions, conjuncts(j.GetQuals())...)
		return nil
	}
	if len(f.pending) == 0 || f.a.mentions.publics[right.GetRangeVar()] == nil && f.a.mentions.publics[left.GetRangeVar()] == nil {
		return f.refuseCombined(nil)
	}
	last := f.pending[len(f.pending)-1]
	last.left, last.using, last.conditions = kind == pg.JoinType_JOIN_LEFT, using, conjuncts(j.GetQuals())
	return nil
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
	number := len(f.source.joins) + 1
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
