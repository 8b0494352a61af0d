package interval

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// This file moves calls to where their counts are. A call about a column of a sub-select becomes a reference to a new column of the
// sub-select, which is the call about what the column is there. So it goes on from SELECT to SELECT, until all calls stand beside
// counts. Nobody sees the new columns: a star that would show them is written out, and what else would is refused.

// Push moves the calls of a statement into the SELECTs that count rows of protected tables, which countsRows tells. names are those that
// column references of the statement have.
func Push(statement protoreflect.Message, countsRows func(*pg.SelectStmt) bool, names map[string]bool) *pgerror.Refusal {
	if !slices.ContainsFunc(slices.Collect(pgtree.Nodes[*pg.FuncCall](statement)), IsCall) {
		return nil
	}
	p := newPusher(statement, countsRows, names)
	for again := true; again; {
		again = false
		for _, l := range p.order {
			if l.counts {
				continue
			}
			replaced, refusal := l.replace()
			if refusal != nil {
				return refusal
			}
			again = again || replaced
		}
	}
	return p.hide(statement)
}

// A pusher is the work on one statement.
type pusher struct {
	countsRows func(*pg.SelectStmt) bool
	levels     map[*pg.SelectStmt]*level
	order      []*level
	names      map[string]bool
	made       int // hidden columns
}

func newPusher(statement protoreflect.Message, countsRows func(*pg.SelectStmt) bool, names map[string]bool) *pusher {
	p := &pusher{countsRows: countsRows, names: names, levels: make(map[*pg.SelectStmt]*level)}
	p.enter(statement, nil, nil)
	return p
}

// AddIntervals adds the ends of the interval of each plain count that a SELECT shows, as columns behind its own.
func AddIntervals(statement protoreflect.Message, outermost *pg.SelectStmt, countsRows func(*pg.SelectStmt) bool) {
	p := newPusher(statement, countsRows, nil)
	l := p.levels[outermost]
	if outermost.GetOp() != pg.SetOperation_SETOP_NONE || len(outermost.GetDistinctClause()) > 0 || l == nil {
		return
	}
	list, known := l.outputs()
	var added []*pg.Node
	for _, o := range list {
		if o.value == nil || !l.isPlain(o.value) {
			continue
		}
		for _, end := range []string{low, high} {
			name := o.name + "_" + end
			if slices.ContainsFunc(list, func(o output) bool { return o.name == name }) {
				return
			}
			call := pg.MakeFuncCallNode(pgtree.NameNodes([]string{schema, end}), []*pg.Node{copied(o.value)}, -1)
			added = append(added, pg.MakeResTargetNodeWithNameAndVal(name, call, -1))
		}
	}
	if known {
		outermost.TargetList = append(outermost.TargetList, added...)
	}
}

// isPlain reports whether an expression is a count and nothing else.
func (l *level) isPlain(n *pg.Node) bool {
	if f := n.GetFuncCall(); f != nil {
		name, builtin := pgtree.FunctionName(f)
		return l.counts && builtin && name == "count" && pgtree.IsAggregate(f)
	}
	ref := n.GetColumnRef()
	if ref == nil || l.counts {
		return false
	}
	r, column, ok := l.resolve(ref)
	if !ok || !pushable(l.p.levels[r.sel]) {
		return false
	}
	inner := l.p.levels[r.sel]
	list, _ := inner.outputs()
	return inner.isPlain(list[column].value)
}

// replace replaces the calls in a SELECT that counts no rows itself.
func (l *level) replace() (replaced bool, refusal *pgerror.Refusal) {
	for _, n := range l.sel.GetTargetList() {
		target := n.GetResTarget()
		name, known := pgtree.ColumnName(target.GetVal())
		changed, refusal := l.replaceIn(target.ProtoReflect())
		if refusal != nil {
			return false, refusal
		}
		if replaced = replaced || changed; changed && target.GetName() == "" && known {
			target.Name = name
		}
	}
	changed, refusal := l.replaceIn(l.sel.ProtoReflect())
	return replaced || changed, refusal
}

// replaceIn replaces in what is below a message, but for other SELECTs.
func (l *level) replaceIn(m protoreflect.Message) (replaced bool, refusal *pgerror.Refusal) {
	pgtree.Children(m, func(child protoreflect.Message) bool {
		if _, ok := child.Interface().(*pg.SelectStmt); ok {
			return true
		}
		if n, ok := child.Interface().(*pg.Node); ok && n.GetFuncCall() != nil && IsCall(n.GetFuncCall()) {
			refusal = l.replaceCall(n)
			replaced = true
			return refusal == nil
		}
		var changed bool
		changed, refusal = l.replaceIn(child)
		replaced = replaced || changed
		return refusal == nil
	})
	return replaced, refusal
}

func (l *level) replaceCall(n *pg.Node) *pgerror.Refusal {
	c, refusal := Read(n.GetFuncCall())
	if refusal != nil {
		return refusal
	}
	if link := c.argument.GetSubLink(); link.GetSubLinkType() == pg.SubLinkType_EXPR_SUBLINK {
		return l.enterSublink(n, c, link)
	}
	value, refusal := c.Node(l)
	if refusal != nil {
		return refusal
	}
	n.Node = value.Node
	return nil
}

// enterSublink moves a call about a scalar sub-select into it.
func (l *level) enterSublink(n *pg.Node, c *Call, link *pg.SubLink) *pgerror.Refusal {
	targets := link.GetSubselect().GetSelectStmt().GetTargetList()
	if len(targets) != 1 {
		return notMeasured.At(c.location, c.name)
	}
	target := targets[0].GetResTarget()
	target.Val = c.node(target.GetVal())
	n.Node = c.argument.Node
	return nil
}

// Measures makes a level a Measurer: it knows columns that are counts in a sub-select.
func (l *level) Measures(n *pg.Node) bool {
	if l.counts {
		f := n.GetFuncCall()
		return f != nil && pgtree.IsAggregate(f)
	}
	ref := n.GetColumnRef()
	if ref == nil {
		return false
	}
	r, column, ok := l.resolve(ref)
	return ok && l.p.levels[r.sel].tells(column)
}

// tells reports whether an output is made of counts.
func (l *level) tells(column int) bool {
	if l.sel.GetOp() != pg.SetOperation_SETOP_NONE {
		return l.p.levels[l.sel.GetLarg()].tells(column) && l.p.levels[l.sel.GetRarg()].tells(column)
	}
	list, known := l.outputs()
	return known && column < len(list) && measurable(list[column].value, l)
}

// Measure asks the sub-select for further columns.
func (l *level) Measure(c Count) (*Measure, *pgerror.Refusal) {
	r, column, _ := l.resolve(c.GetColumnRef())
	inner := l.p.levels[r.sel]
	if !pushable(inner) {
		return nil, pathRefused.At(c.call.location, c.call.name, "DISTINCT, GROUP BY, or a set operation other than UNION ALL")
	}
	m := &Measure{Shown: c.Node}
	ends := []**pg.Node{&m.Low, &m.High}
	names := []string{low, high}
	if !c.HasEnds() {
		ends, names = []**pg.Node{&m.Withheld}, []string{suppressed}
	}
	for i, name := range names {
		asked := &Call{name: name, miss: c.Miss, location: c.call.location}
		*ends[i] = pgtree.ColumnNode(r.alias, inner.hiddenColumn(column, asked))
	}
	for _, end := range []**pg.Node{&m.Low, &m.High, &m.Withheld} {
		if *end == nil {
			*end = c.Node
		}
	}
	return m, nil
}

// pushable reports whether a SELECT can have a column more without other rows.
func pushable(l *level) bool {
	if l.sel.GetOp() != pg.SetOperation_SETOP_NONE {
		return l.sel.GetOp() == pg.SetOperation_SETOP_UNION && l.sel.GetAll() &&
			pushable(l.p.levels[l.sel.GetLarg()]) && pushable(l.p.levels[l.sel.GetRarg()])
	}
	grouped := len(l.sel.GetGroupClause()) > 0 || l.sel.GetHavingClause() != nil || pgtree.HasAggregate(l.sel)
	return len(l.sel.GetDistinctClause()) == 0 && (l.counts || !grouped)
}

// hiddenColumn is the name of the column of a SELECT that has the answer to a call about another column. It has a blank, and no reference of
// the analyst's meets it.
func (l *level) hiddenColumn(column int, c *Call) string {
	key := hidden{column, c.name, levelText(c.miss)}
	if name, ok := l.hidden[key]; ok {
		return name
	}
	var name string
	for name == "" || l.p.names[name] {
		l.p.made++
		name = fmt.Sprintf("%s %d", c.name, l.p.made)
	}
	l.hidden[key] = name
	l.add(name, column, c)
	return name
}

// add adds a column to a SELECT, or to each of those that UNION ALL puts together.
func (l *level) add(name string, column int, c *Call) {
	l.outputs() // as they are without it
	l.widened = true
	if l.sel.GetOp() != pg.SetOperation_SETOP_NONE {
		l.p.levels[l.sel.GetLarg()].add(name, column, c)
		l.p.levels[l.sel.GetRarg()].add(name, column, c)
		return
	}
	value := c.node(copied(l.list[column].value))
	l.sel.TargetList = append(l.sel.TargetList, pg.MakeResTargetNodeWithNameAndVal(name, value, -1))
}

// hide writes out the stars that would show hidden columns, and refuses what else would.
func (p *pusher) hide(statement protoreflect.Message) *pgerror.Refusal {
	widened := false
	for _, l := range p.order {
		widened = widened || l.widened
		if refusal := l.writeOut(); refusal != nil {
			return refusal
		}
	}
	if !widened {
		return nil
	}
	listed := make(map[*pg.ColumnRef]bool)
	for _, l := range p.order {
		for _, n := range l.sel.GetTargetList() {
			listed[n.GetResTarget().GetVal().GetColumnRef()] = true
		}
	}
	for ref := range pgtree.Nodes[*pg.ColumnRef](statement) {
		if !(isStar(ref) && listed[ref]) && p.showsHidden(ref) {
			return rowShown.At(ref.GetLocation())
		}
	}
	return nil
}

var rowShown = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a star or a whole row is not supported here beside tacit.low, tacit.high and the like",
	Hint: "Name the columns."}

// writeOut writes out the stars in the select list that stand for a relation with hidden columns.
func (l *level) writeOut() *pgerror.Refusal {
	if !slices.ContainsFunc(l.rels, func(r relation) bool { return l.p.levels[r.sel].widened }) {
		return nil
	}
	var list []*pg.Node
	for _, n := range l.sel.GetTargetList() {
		ref := n.GetResTarget().GetVal().GetColumnRef()
		if ref == nil || !isStar(ref) {
			list = append(list, n)
			continue
		}
		columns, ok := l.expand(ref)
		if !ok {
			return rowShown.At(ref.GetLocation())
		}
		list = append(list, columns...)
	}
	l.sel.TargetList = list
	return nil
}

// showsHidden reports whether a reference may be to all columns of a relation with hidden ones. It is none of the stars of select lists, which
// are written out by now.
func (p *pusher) showsHidden(ref *pg.ColumnRef) bool {
	names := pgtree.Strings(ref.GetFields())
	if isStar(ref) && len(names) == 1 { // of RETURNING
		return true
	}
	for _, l := range p.order {
		for _, r := range l.rels {
			switch {
			case !p.levels[r.sel].widened:
			case isStar(ref) && names[len(names)-2] == r.alias:
				return true
			case len(names) == 1 && names[0] == r.alias:
				columns, known := p.columnsOf(r)
				return !known || !slices.Contains(columns, r.alias)
			}
		}
	}
	return false
}
