package countfirst

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// A Rewriter rewrites the joins of one statement.
type Rewriter struct {
	Tables
	// Beside says of each SELECT that was made what the statement does with its counts.
	Beside map[*pg.SelectStmt]*query.Beside
	// with are the WITH clauses that are in sight.
	with []*pg.WithClause
	// within is how many SELECTs from rows of protected tables are around.
	within int
}

// Rewrite rewrites all joins of a statement that it knows, from the outside in. What it does not know it leaves as it is.
func (r *Rewriter) Rewrite(m protoreflect.Message) (refusal *pgerror.Refusal) {
	switch v := m.Interface().(type) {
	case *pg.SelectStmt:
		if v.GetWithClause() != nil {
			r.with = append(r.with, v.GetWithClause())
			defer func() { r.with = r.with[:len(r.with)-1] }()
		}
		if refusal := r.selectStmt(v); refusal != nil {
			return refusal
		}
		if slices.ContainsFunc(v.GetFromClause(), r.ReadsRows) {
			r.within++
			defer func() { r.within-- }()
		}
	case *pg.SubLink:
		if refusal := r.scalar(v); refusal != nil {
			return refusal
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		refusal = r.Rewrite(child)
		return refusal == nil
	})
	return refusal
}

func (r *Rewriter) selectStmt(sel *pg.SelectStmt) *pgerror.Refusal {
	reading := 0
	for _, item := range sel.GetFromClause() {
		if r.ReadsRows(item) {
			reading++
		}
	}
	if reading != 1 {
		return nil
	}
	for i := range sel.GetFromClause() {
		if found := r.find(sel.GetFromClause()[i]); found != nil && found.kind == pg.JoinType_JOIN_INNER {
			return r.inner(sel, found)
		} else if found != nil {
			return pgerror.At(pgtree.FromLocation([]*pg.Node{found.protected}), r.outer(sel, found))
		}
	}
	return nil
}

// A join is one of a protected side and another.
type join struct {
	expr      *pg.JoinExpr
	protected *pg.Node
	other     *pg.Node
	kind      pg.JoinType // left or inner
	side      *side
}

// find looks for a join that keeps the rows of its other side, or an inner one with what is no table.
func (r *Rewriter) find(n *pg.Node) *join {
	j := n.GetJoinExpr()
	if j == nil || j.GetIsNatural() || j.GetAlias() != nil || j.GetJoinUsingAlias() != nil {
		return nil
	}
	left, right := r.ReadsRows(j.GetLarg()), r.ReadsRows(j.GetRarg())
	found := &join{expr: j, kind: j.GetJointype()}
	switch {
	case left == right:
		return nil
	case left:
		found.protected, found.other = j.GetLarg(), j.GetRarg()
	default:
		found.protected, found.other = j.GetRarg(), j.GetLarg()
	}
	keeps := found.kind == pg.JoinType_JOIN_RIGHT && left || found.kind == pg.JoinType_JOIN_LEFT && right
	besideSelect := found.kind == pg.JoinType_JOIN_INNER && found.other.GetRangeSubselect() != nil && found.protected.GetJoinExpr() == nil
	if !keeps && !besideSelect {
		return r.find(found.protected)
	}
	if keeps {
		found.kind = pg.JoinType_JOIN_LEFT
	}
	var ok bool
	if found.side, ok = r.readSide(found.protected); !ok {
		return nil
	}
	return found
}

// A pair is an equality along which a join is made: an expression of the protected side and one of the other.
type pair struct {
	side, other *pg.Node
	using       string // the name of the column, of JOIN USING
}

// Conditions are those of a join, by what they are about.
type conditions struct {
	pairs  []pair
	inside []*pg.Node // about the protected side alone
	beside []*pg.Node // about the other side alone, or about neither
	mixed  []*pg.Node
}

// sort sorts the parts of a condition.
func (s *side) sort(parts []*pg.Node) (c conditions) {
	for _, n := range parts {
		switch m := s.mentions(n); {
		case !m.side:
			c.beside = append(c.beside, n)
		case !m.other:
			c.inside = append(c.inside, n)
		default:
			if p, ok := s.equality(n); ok {
				c.pairs = append(c.pairs, p)
			} else {
				c.mixed = append(c.mixed, n)
			}
		}
	}
	return c
}

// equality reads an equality of the two sides.
func (s *side) equality(n *pg.Node) (p pair, ok bool) {
	e := n.GetAExpr()
	if e == nil || e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || !slices.Equal(pgtree.Strings(e.GetName()), []string{"="}) || pgtree.First[*pg.SubLink](n.ProtoReflect()) != nil {
		return p, false
	}
	left, right := s.mentions(e.GetLexpr()), s.mentions(e.GetRexpr())
	switch {
	case left == mention{side: true} && right == mention{other: true}:
		return pair{side: e.GetLexpr(), other: e.GetRexpr()}, true
	case left == mention{other: true} && right == mention{side: true}:
		return pair{side: e.GetRexpr(), other: e.GetLexpr()}, true
	}
	return p, false
}

// usingPairs are the equalities of JOIN USING. From then on the names mean the other side's columns.
func (j *join) usingPairs() (pairs []pair) {
	for _, name := range pgtree.Strings(j.expr.GetUsingClause()) {
		p := pair{side: pgtree.ColumnNode(j.side.relations[0].name, name), using: name}
		for _, r := range j.side.relations {
			if slices.Contains(r.columns, name) {
				p.side = pgtree.ColumnNode(r.name, name)
			}
		}
		if other := relationName(j.other); other != "" {
			p.other = pgtree.ColumnNode(other, name)
		} else {
			p.other = &pg.Node{Node: &pg.Node_ColumnRef{ColumnRef: &pg.ColumnRef{Fields: pgtree.NameNodes([]string{name}), Location: -1}}}
		}
		pairs = append(pairs, p)
		j.side.others = append(j.side.others, name)
	}
	return pairs
}

// relationName is the name of an item of FROM that is one relation, else "".
func relationName(n *pg.Node) string {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		return pgtree.VisibleName(v.RangeVar)
	case *pg.Node_RangeSubselect:
		return v.RangeSubselect.GetAlias().GetAliasname()
	case *pg.Node_RangeFunction:
		return v.RangeFunction.GetAlias().GetAliasname()
	}
	return ""
}

// A counter makes the inner SELECT.
type counter struct {
	name     string // of the relation of counts
	pairs    []pair
	measures []*pg.Node
	// keys are further ones of GROUP BY.
	keys []*pg.Node
}

// columnOf is the name of a pair's column among the counts. Names have a blank, so that no reference meets them by accident.
func (c *counter) columnOf(i int) string {
	if c.pairs[i].using != "" {
		return c.pairs[i].using
	}
	return fmt.Sprintf("join %d", i+1)
}

func keyName(i int) string { return fmt.Sprintf("key %d", i+1) }

// key is the column of a pair among the counts.
func (c *counter) key(i int) *pg.Node { return pgtree.ColumnNode(c.name, c.columnOf(i)) }

// measure adds a measure, once, and is its column among the counts.
func (c *counter) measure(n *pg.Node) *pg.Node {
	at := slices.IndexFunc(c.measures, func(m *pg.Node) bool { return pgtree.Same(m, n) })
	if at < 0 {
		at = len(c.measures)
		c.measures = append(c.measures, n)
	}
	return pgtree.ColumnNode(c.name, fmt.Sprintf("measure %d", at+1))
}

// item is the item of FROM that takes the protected side's place.
func (c *counter) item(from *pg.Node, where []*pg.Node) (*pg.SelectStmt, *pg.Node) {
	sel := &pg.SelectStmt{FromClause: []*pg.Node{from}, LimitOption: pg.LimitOption_LIMIT_OPTION_DEFAULT, Op: pg.SetOperation_SETOP_NONE, WhereClause: conjunction(where)}
	add := func(name string, value *pg.Node) {
		sel.TargetList = append(sel.TargetList, pg.MakeResTargetNodeWithNameAndVal(name, value, pgtree.Location(value)))
	}
	for i, p := range c.pairs {
		add(c.columnOf(i), p.side)
	}
	for i, k := range c.keys {
		add(keyName(i), k)
	}
	for i := range sel.GetTargetList() {
		sel.GroupClause = append(sel.GroupClause, pg.MakeAConstIntNode(int64(i+1), -1))
	}
	for i, m := range c.measures {
		add(fmt.Sprintf("measure %d", i+1), m)
	}
	return sel, pgtree.Subselect(sel, &pg.Alias{Aliasname: c.name}, false)
}

func conjunction(parts []*pg.Node) *pg.Node {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return pg.MakeBoolExprNode(pg.BoolExprType_AND_EXPR, parts, -1)
}

func nullTest(n *pg.Node, test pg.NullTestType) *pg.Node {
	return &pg.Node{Node: &pg.Node_NullTest{NullTest: &pg.NullTest{Arg: clone(n), Nulltesttype: test, Location: -1}}}
}

func clone(n *pg.Node) *pg.Node { return proto.Clone(n).(*pg.Node) }
