package countfirst

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/interval"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// A measure is an aggregate, or an interval of one, that the inner SELECT has in the place of the statement's own.
type measure struct {
	value *pg.Node // for the inner SELECT
	// counts says that it is a number of rows: 0 of nobody, and of several groups the sum. Others are NULL of nobody.
	counts bool
	// ofNobody is what it is of nobody, if it is neither.
	ofNobody *pg.Node
	// star says that it counts the row with NULLs, which an outer join has where there is nobody.
	star bool
}

// kind is what an aggregate is about.
type kind int

const (
	ofSide  kind = iota // the protected side
	ofOther             // the other side alone
	refused
)

// classify reads an aggregate of a join. Without extended, there are no rows of nobody.
func (s *side) classify(f *pg.FuncCall, extended bool) (m measure, k kind, refusal *pgerror.Refusal) {
	whole := &pg.Node{Node: &pg.Node_FuncCall{FuncCall: f}}
	found := s.mentions(whole)
	name, _ := pgtree.FunctionName(f)
	m = measure{value: proto.Clone(whole).(*pg.Node)}
	switch {
	case isCount(f) && !found.other && !slices.ContainsFunc(f.GetArgs(), func(n *pg.Node) bool { return n.GetAConst() == nil || n.GetAConst().GetIsnull() }):
		m.counts, m.star = true, extended && (f.GetAggFilter() == nil || !s.isNotTrue(f.GetAggFilter()))
		if m.star && f.GetAggFilter() != nil {
			return m, refused, ofNobody.At(f.GetLocation(), name)
		}
		return m, ofSide, nil
	case found.side && found.other:
		return m, refused, mixedAggregate.At(f.GetLocation(), name)
	case found.other:
		return m, ofOther, nil
	case !found.side:
		return m, refused, constantAggregate.At(f.GetLocation(), name)
	case extended && !s.leavesOut(f):
		return m, refused, ofNobody.At(f.GetLocation(), name)
	}
	m.counts = isCount(f) && !f.GetAggDistinct() || name == "sum" && addsOnes(f)
	if isCount(f) && f.GetAggDistinct() {
		m.ofNobody = pg.MakeAConstIntNode(0, -1)
	}
	return m, ofSide, nil
}

func isCount(f *pg.FuncCall) bool {
	name, builtin := pgtree.FunctionName(f)
	return builtin && name == "count"
}

// leavesOut reports whether an aggregate of the protected side leaves out rows of nobody.
func (s *side) leavesOut(f *pg.FuncCall) bool {
	values := slices.Clone(f.GetArgs())
	if f.GetAggWithinGroup() {
		values = nil
		for _, n := range f.GetAggOrder() {
			values = append(values, n.GetSortBy().GetNode())
		}
	}
	return f.GetAggFilter() != nil && s.isNotTrue(f.GetAggFilter()) || slices.ContainsFunc(values, s.isNull) || addsOnes(f) && s.isNotTrue(condition(f))
}

// addsOnes reports whether an aggregate is sum(CASE WHEN p THEN 1 ELSE 0 END), or without ELSE.
func addsOnes(f *pg.FuncCall) bool {
	if len(f.GetArgs()) != 1 || f.GetAggDistinct() {
		return false
	}
	c := f.GetArgs()[0].GetCaseExpr()
	if c == nil || c.GetArg() != nil || len(c.GetArgs()) != 1 || !isInteger(c.GetArgs()[0].GetCaseWhen().GetResult(), 1) {
		return false
	}
	return c.GetDefresult() == nil || isInteger(c.GetDefresult(), 0)
}

// condition is that of sum(CASE WHEN p THEN 1 ...).
func condition(f *pg.FuncCall) *pg.Node {
	return f.GetArgs()[0].GetCaseExpr().GetArgs()[0].GetCaseWhen().GetExpr()
}

func isInteger(n *pg.Node, i int32) bool {
	c, ok := n.GetAConst().GetVal().(*pg.A_Const_Ival)
	return ok && c.Ival.GetIval() == i
}

// insensitive are the aggregates that do not mind how often a row of the other side comes.
var insensitive = []string{"any_value", "bit_and", "bit_or", "bool_and", "bool_or", "every", "max", "min"}

// checkOther refuses an aggregate of the other side that PostgreSQL's own join would give a row of for each of the protected rows.
func checkOther(f *pg.FuncCall) *pgerror.Refusal {
	name, builtin := pgtree.FunctionName(f)
	if f.GetAggDistinct() || builtin && slices.Contains(insensitive, name) {
		return nil
	}
	return repeats.At(f.GetLocation(), name)
}

// readInterval reads tacit.low(count(x)) and the like; ok is false for other calls.
func (s *side) readInterval(f *pg.FuncCall, extended bool) (m measure, ok bool, refusal *pgerror.Refusal) {
	if !interval.IsCall(f) || len(f.GetArgs()) == 0 {
		return m, false, nil
	}
	inner := f.GetArgs()[0].GetFuncCall()
	if inner == nil || !pgtree.IsAggregate(inner) {
		return m, true, intervalRefused.At(f.GetLocation(), pgtree.Strings(f.GetFuncname())[1])
	}
	counted, k, refusal := s.classify(inner, extended)
	if refusal != nil || k != ofSide || !counted.counts || counted.star {
		return m, true, intervalRefused.At(f.GetLocation(), pgtree.Strings(f.GetFuncname())[1])
	}
	m = measure{value: proto.Clone(&pg.Node{Node: &pg.Node_FuncCall{FuncCall: f}}).(*pg.Node), ofNobody: pg.MakeAConstIntNode(0, -1)}
	if pgtree.Strings(f.GetFuncname())[1] == "suppressed" {
		m.ofNobody = pgtree.False()
	}
	return m, true, nil
}
