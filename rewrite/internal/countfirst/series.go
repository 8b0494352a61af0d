package countfirst

import (
	"fmt"
	"slices"
	"strings"
	"time"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
)

// A series is a relation of the other side that generate_series makes: a calendar.
type series struct {
	name, column      string
	start, stop, step *pg.Node
	// date says that its values are cast to date.
	date bool
}

// series reads an item of FROM: the function itself, or a sub-select or WITH query of it alone; nil for others.
func (r *Rewriter) series(n *pg.Node) *series {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeFunction:
		return readSeriesFunction(v.RangeFunction)
	case *pg.Node_RangeSubselect:
		if v.RangeSubselect.GetLateral() {
			return nil
		}
		return renamed(r.seriesSelect(v.RangeSubselect.GetSubquery().GetSelectStmt()), v.RangeSubselect.GetAlias().GetAliasname(), v.RangeSubselect.GetAlias().GetColnames())
	case *pg.Node_RangeVar:
		cte := r.withQuery(v.RangeVar)
		s := renamed(r.seriesSelect(cte.GetCtequery().GetSelectStmt()), pgtree.VisibleName(v.RangeVar), cte.GetAliascolnames())
		return renamed(s, pgtree.VisibleName(v.RangeVar), v.RangeVar.GetAlias().GetColnames())
	}
	return nil
}

func renamed(s *series, name string, columns []*pg.Node) *series {
	if s == nil || len(columns) > 1 {
		return nil
	}
	if len(columns) == 1 {
		s.column = columns[0].GetString_().GetSval()
	}
	s.name = name
	return s
}

// withQuery is the WITH query that a name means, nil if it is none. Queries of one name hide each other, so that such a name is not followed.
func (r *Rewriter) withQuery(rv *pg.RangeVar) (found *pg.CommonTableExpr) {
	if rv.GetSchemaname() != "" {
		return nil
	}
	for _, with := range r.with {
		for _, n := range with.GetCtes() {
			if cte := n.GetCommonTableExpr(); cte.GetCtename() == rv.GetRelname() {
				if found != nil {
					return nil
				}
				found = cte
			}
		}
	}
	return found
}

func readSeriesFunction(f *pg.RangeFunction) *series {
	if f.GetLateral() || f.GetOrdinality() || f.GetIsRowsfrom() || len(f.GetColdeflist()) > 0 || len(f.GetFunctions()) != 1 {
		return nil
	}
	s := readSeriesCall(f.GetFunctions()[0].GetList().GetItems()[0])
	if s == nil {
		return nil
	}
	s.name = "generate_series"
	if f.GetAlias() != nil {
		s.name = f.GetAlias().GetAliasname()
	}
	s.column = s.name
	return renamed(s, s.name, f.GetAlias().GetColnames())
}

func readSeriesCall(n *pg.Node) *series {
	call := n.GetFuncCall()
	if call == nil || len(call.GetArgs()) < 2 || len(call.GetArgs()) > 3 {
		return nil
	}
	if name, builtin := pgtree.FunctionName(call); name != "generate_series" || !builtin {
		return nil
	}
	s := &series{start: call.GetArgs()[0], stop: call.GetArgs()[1]}
	if len(call.GetArgs()) == 3 {
		s.step = call.GetArgs()[2]
	}
	return s
}

// seriesSelect reads SELECT generate_series(...)::date AS day, and SELECT d::date AS day FROM generate_series(...) AS d.
func (r *Rewriter) seriesSelect(sel *pg.SelectStmt) *series {
	plain := sel.GetOp() == pg.SetOperation_SETOP_NONE && len(sel.GetTargetList()) == 1 && sel.GetWithClause() == nil && len(sel.GetDistinctClause()) == 0 &&
		len(sel.GetGroupClause()) == 0 && sel.GetHavingClause() == nil && sel.GetLimitOffset() == nil && sel.GetLimitCount() == nil
	if sel == nil || !plain {
		return nil
	}
	target := sel.GetTargetList()[0].GetResTarget()
	value, date := target.GetVal(), false
	if c := value.GetTypeCast(); c != nil && isType(c.GetTypeName(), "date") {
		value, date = c.GetArg(), true
	}
	var s *series
	switch len(sel.GetFromClause()) {
	case 0:
		s = readSeriesCall(value)
	case 1:
		if s = r.series(sel.GetFromClause()[0]); s == nil || value.GetColumnRef() == nil || !names(value, s.name, s.column) {
			return nil
		}
	}
	if s == nil || date && !wholeDays(s.step) {
		return nil
	}
	s.date = s.date || date
	s.column = target.GetName()
	if s.column == "" {
		s.column, _ = pgtree.ColumnName(target.GetVal())
	}
	return s
}

// seriesOf finds the series of which an expression is a column, perhaps cast to date.
func (r *Rewriter) seriesOf(n *pg.Node, items []*pg.Node) *series {
	for {
		c := n.GetTypeCast()
		if c == nil || !isTime(c.GetTypeName()) {
			break
		}
		n = c.GetArg()
	}
	if n.GetColumnRef() == nil {
		return nil
	}
	for _, item := range items {
		if j := item.GetJoinExpr(); j != nil {
			if s := r.seriesOf(n, []*pg.Node{j.GetLarg(), j.GetRarg()}); s != nil {
				return s
			}
			continue
		}
		if s := r.series(item); s != nil && names(n, s.name, s.column) {
			return s
		}
	}
	return nil
}

func isTime(t *pg.TypeName) bool {
	return isType(t, "date") || isType(t, "timestamp") || isType(t, "timestamptz")
}

// seriesBounds are conditions on the protected side that hold for every row that an equality with a calendar lets match: they tell which
// values its keys can have, where the policy does not, and which blocks of the table are read.
func (r *Rewriter) seriesBounds(pairs []pair, j *join, sel *pg.SelectStmt) (bounds []*pg.Node) {
	for _, p := range pairs {
		s := r.seriesOf(p.other, sel.GetFromClause())
		ref, unit := truncated(p.side)
		if s == nil || ref == nil || !forwards.MatchString(constantText(s.step)) {
			continue
		}
		c := j.side.column(ref)
		if c == nil || c.TypeOID != pgvalue.Date && c.TypeOID != pgvalue.Timestamp && c.TypeOID != pgvalue.Timestamptz {
			continue
		}
		first, last := s.first(), s.behind(unit)
		if first == nil || last == nil {
			continue
		}
		column := &pg.Node{Node: &pg.Node_ColumnRef{ColumnRef: ref}}
		bounds = append(bounds, pgtree.Arithmetic(clone(column), ">=", first), pgtree.Arithmetic(clone(column), "<", last))
	}
	return bounds
}

// truncated reads x, x::date, date_trunc('month', x) and date_trunc('month', x)::date.
func truncated(n *pg.Node) (x *pg.ColumnRef, unit string) {
	if c := n.GetTypeCast(); c != nil && isType(c.GetTypeName(), "date") {
		n, unit = c.GetArg(), "day"
	}
	if f := n.GetFuncCall(); f != nil {
		name, builtin := pgtree.FunctionName(f)
		if !builtin || name != "date_trunc" || len(f.GetArgs()) != 2 || longest[constantText(f.GetArgs()[0])] == 0 {
			return nil, ""
		}
		n, unit = f.GetArgs()[1], strings.ToLower(constantText(f.GetArgs()[0]))
	}
	return n.GetColumnRef(), unit
}

// longest are the units of a calendar, with the days that one has at most.
var longest = map[string]int{"hour": 1, "day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}

// first is the least value that a column can have of which the calendar has the beginning of the unit.
func (s *series) first() *pg.Node {
	if day, ok := midnight(s.start); ok {
		return pg.MakeAConstStrNode(day.Format(time.DateOnly), -1)
	}
	if current(s.start) {
		return clone(s.start)
	}
	return nil
}

// behind is a value beyond all of them.
func (s *series) behind(unit string) *pg.Node {
	length := max(longest[unit], 1)
	if day, ok := midnight(s.stop); ok {
		end := day.AddDate(0, 0, length)
		if unit == "month" && day.Day() == 1 {
			end = day.AddDate(0, 1, 0)
		} else if unit == "year" && day.YearDay() == 1 {
			end = day.AddDate(1, 0, 0)
		}
		return pg.MakeAConstStrNode(end.Format(time.DateOnly), -1)
	}
	if current(s.stop) {
		days := pgtree.CastNode(pg.MakeAConstStrNode(fmt.Sprintf("%d days", length), -1), pgtree.TypeNode([]string{pgtree.SystemSchema, "interval"}, nil))
		return pgtree.Arithmetic(clone(s.stop), "+", days)
	}
	return nil
}

// midnight reads a constant that is a date, or the beginning of a day, in whatever time zone: the two ends are in the same.
func midnight(n *pg.Node) (day time.Time, ok bool) {
	for n.GetTypeCast() != nil {
		if !isTime(n.GetTypeCast().GetTypeName()) {
			return day, false
		}
		n = n.GetTypeCast().GetArg()
	}
	text := n.GetAConst().GetSval().GetSval()
	for _, start := range []string{" 00:00", " 00:00:00"} {
		text = strings.TrimSuffix(text, start)
	}
	day, err := time.Parse(time.DateOnly, text)
	return day, err == nil
}

// current reports whether an expression is one of the present day and constants alone, such as current_date - 30.
func current(n *pg.Node) bool {
	switch v := n.GetNode().(type) {
	case *pg.Node_SqlvalueFunction:
		return v.SqlvalueFunction.GetOp() == pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE
	case *pg.Node_AExpr:
		name := pgtree.Strings(v.AExpr.GetName())
		return v.AExpr.GetKind() == pg.A_Expr_Kind_AEXPR_OP && (slices.Equal(name, []string{"+"}) || slices.Equal(name, []string{"-"})) &&
			current(v.AExpr.GetLexpr()) && isAmount(v.AExpr.GetRexpr())
	}
	return false
}

// isAmount reports whether an expression is a number of days or an interval.
func isAmount(n *pg.Node) bool {
	if c := n.GetTypeCast(); c != nil {
		return isType(c.GetTypeName(), "interval") && c.GetArg().GetAConst().GetSval() != nil
	}
	_, ok := n.GetAConst().GetVal().(*pg.A_Const_Ival)
	return ok
}

// bounded makes equalities of conditions by which a row belongs to a unit of a calendar: x >= day AND x < day + interval '1 day'. They say the same
// where each value of the calendar is the beginning of a unit.
func (r *Rewriter) bounded(on conditions, j *join, sel *pg.SelectStmt) conditions {
	for i := 0; i < len(on.mixed); i++ {
		low, day, ok := j.side.comparison(on.mixed[i], ">=", "<=")
		if !ok || low.GetColumnRef() == nil {
			continue
		}
		at := slices.IndexFunc(on.mixed, func(n *pg.Node) bool {
			x, end, ok := j.side.comparison(n, "<", ">")
			return ok && same(x, low) && r.isUnit(day, end, sel)
		})
		if at < 0 {
			continue
		}
		_, end, _ := j.side.comparison(on.mixed[at], "<", ">")
		unit := unitOf(end)
		date := pgtree.TypeNode([]string{pgtree.SystemSchema, "date"}, nil)
		side := pgtree.CastNode(pgtree.CatalogCall("date_trunc", pg.MakeAConstStrNode(unit, -1), clone(low)), date)
		on.pairs = append(on.pairs, pair{side: side, other: pgtree.CastNode(clone(day), date)})
		on.mixed = slices.DeleteFunc(slices.Clone(on.mixed), func(n *pg.Node) bool { return n == on.mixed[i] || n == on.mixed[at] })
		i = -1
	}
	return on
}

// comparison reads a comparison of the protected side with the other, whichever is written first.
func (s *side) comparison(n *pg.Node, operator, mirrored string) (x, other *pg.Node, ok bool) {
	e := n.GetAExpr()
	if e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || len(e.GetName()) != 1 {
		return nil, nil, false
	}
	left, right := s.mentions(e.GetLexpr()), s.mentions(e.GetRexpr())
	switch name := pgtree.Strings(e.GetName())[0]; {
	case name == operator && left == mention{side: true} && right == mention{other: true}:
		return e.GetLexpr(), e.GetRexpr(), true
	case name == mirrored && left == mention{other: true} && right == mention{side: true}:
		return e.GetRexpr(), e.GetLexpr(), true
	}
	return nil, nil, false
}

func same(a, b *pg.Node) bool {
	x, y := pgtree.Strings(a.GetColumnRef().GetFields()), pgtree.Strings(b.GetColumnRef().GetFields())
	return len(x) > 0 && slices.Equal(x, y)
}

// isUnit reports whether end is day + interval '1 unit', where day is a calendar's and each of its days begins such a unit.
func (r *Rewriter) isUnit(day, end *pg.Node, sel *pg.SelectStmt) bool {
	unit := unitOf(end)
	s := r.seriesOf(day, sel.GetFromClause())
	if unit == "" || s == nil || !pgtree.Same(end.GetAExpr().GetLexpr(), day) {
		return false
	}
	start, ok := midnight(s.start)
	switch {
	case !ok || unitName(constantText(s.step)) != unit:
		return false
	case unit == "week":
		return start.Weekday() == time.Monday
	case unit == "month":
		return start.Day() == 1
	case unit == "year":
		return start.YearDay() == 1
	}
	return true
}

// unitOf is the unit of day + interval '1 unit', and of day + 1.
func unitOf(end *pg.Node) string {
	e := end.GetAExpr()
	if e.GetKind() != pg.A_Expr_Kind_AEXPR_OP || !slices.Equal(pgtree.Strings(e.GetName()), []string{"+"}) {
		return ""
	}
	if isInteger(e.GetRexpr(), 1) {
		return "day"
	}
	if c := e.GetRexpr().GetTypeCast(); c == nil || !isType(c.GetTypeName(), "interval") {
		return ""
	}
	return unitName(constantText(e.GetRexpr()))
}

// unitName is the unit of an interval that is one of it.
func unitName(text string) string {
	for _, unit := range []string{"day", "week", "month", "year"} {
		if text == "1 "+unit || text == "1 "+unit+"s" || unit == "month" && text == "1 mon" {
			return unit
		}
	}
	return ""
}
