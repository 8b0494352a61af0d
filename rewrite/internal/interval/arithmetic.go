package interval

import (
	"math/big"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// This file makes the ends of an expression of those of its counts, by interval arithmetic. Let each of k different counts lie within its
// ends but with a probability of miss/k: then all do but with a probability of miss, whatever depends on what, and so does the value of
// the expression. Sums, differences, products, quotients, casts between numbers and round are monotone in each count where they are allowed.
// A quotient has ends where its denominator is above 0 throughout, and otherwise none is known.

// A Measure is what is known of a count: expressions for what is shown, for the ends of its interval, and for whether it is withheld.
// Both ends are NULL if there is no interval.
type Measure struct{ Shown, Low, High, Withheld *pg.Node }

// A Measurer measures counts.
type Measurer interface {
	// Measures reports whether an expression is a count that it knows.
	Measures(n *pg.Node) bool
	// Measure makes the measure of it, with ends that miss the true count with a given probability.
	Measure(c Count) (*Measure, *pgerror.Refusal)
}

// A Count is what is to be measured for a call.
type Count struct {
	*pg.Node
	Miss *big.Rat
	call *Call
}

// HasEnds reports whether the call asks for ends, and not only whether the count is withheld.
func (c Count) HasEnds() bool { return c.call.name != suppressed }

// Node is what takes the place of a call.
func (c *Call) Node(s Measurer) (*pg.Node, *pgerror.Refusal) {
	r := &reader{call: c, measurer: s, dry: true}
	if _, refusal := r.read(c.argument); refusal != nil {
		return nil, refusal
	}
	if len(r.prints) == 0 {
		return nil, notMeasured.At(c.location, c.name)
	}
	r.dry, r.share = false, new(big.Rat).Quo(c.miss, big.NewRat(int64(len(r.prints)), 1))
	if r.share.Cmp(leastMiss) < 0 {
		return nil, levelRefused.At(c.location, c.name)
	}
	r.measures = make([]*Measure, len(r.prints))
	e, refusal := r.read(c.argument)
	if refusal != nil {
		return nil, refusal
	}
	switch c.name {
	case low:
		return e.low, nil
	case high:
		return e.high, nil
	case within:
		return greatest(operator("-", e.high, e.shown), operator("-", e.shown, e.low)), nil
	}
	return r.withheld(), nil
}

// measurable reports whether a call about an expression has an answer.
func measurable(n *pg.Node, s Measurer) bool {
	r := &reader{call: &Call{}, measurer: s, dry: true}
	_, refusal := r.read(n)
	return refusal == nil && len(r.prints) > 0
}

// A reader reads the argument of a call: first dry, to find the different counts in it, and then to measure them.
type reader struct {
	call     *Call
	measurer Measurer
	dry      bool
	share    *big.Rat // of the probability to miss, for each count
	prints   []string
	measures []*Measure
	// products counts those, and quotients, of two parts that both have counts: each has its parts four times.
	products int
}

// maxProducts bounds them in one call.
const maxProducts = 3

// ends are expressions for a part of the argument.
type ends struct {
	shown, low, high *pg.Node
	// constant is the value of a part without counts, nil of others.
	constant *big.Rat
}

func (r *reader) read(n *pg.Node) (ends, *pgerror.Refusal) {
	if r.measurer.Measures(n) {
		return r.count(n)
	}
	if value, ok := constant(n); ok {
		return ends{n, n, n, value}, nil
	}
	switch v := n.GetNode().(type) {
	case *pg.Node_TypeCast:
		if isNumber(v.TypeCast.GetTypeName()) {
			return r.each(v.TypeCast.GetArg(), func(arg *pg.Node) *pg.Node { return pgtree.CastNode(arg, v.TypeCast.GetTypeName()) })
		}
	case *pg.Node_FuncCall:
		name, builtin := pgtree.FunctionName(v.FuncCall)
		args := v.FuncCall.GetArgs()
		if builtin && name == "round" && len(args) > 0 && !slices.ContainsFunc(args[1:], func(n *pg.Node) bool { return n.GetAConst() == nil }) {
			return r.each(args[0], func(arg *pg.Node) *pg.Node {
				return pg.MakeFuncCallNode(v.FuncCall.GetFuncname(), append([]*pg.Node{arg}, args[1:]...), -1)
			})
		}
	case *pg.Node_AExpr:
		return r.operator(n, v.AExpr)
	}
	return ends{}, r.refuse(n)
}

func (r *reader) refuse(n *pg.Node) *pgerror.Refusal {
	return pgerror.At(pgtree.Location(n), notMeasured.At(r.call.location, r.call.name))
}

// each applies what is monotone to an argument.
func (r *reader) each(arg *pg.Node, apply func(*pg.Node) *pg.Node) (ends, *pgerror.Refusal) {
	e, refusal := r.read(arg)
	if refusal != nil {
		return e, refusal
	}
	return ends{apply(e.shown), apply(e.low), apply(e.high), e.constant}, nil
}

// count measures a count, each once.
func (r *reader) count(n *pg.Node) (ends, *pgerror.Refusal) {
	print, err := proto.MarshalOptions{Deterministic: true}.Marshal(pgtree.WithoutLocations(n))
	if err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	i := slices.Index(r.prints, string(print))
	if r.dry {
		if i < 0 {
			r.prints = append(r.prints, string(print))
		}
		return ends{shown: n, low: n, high: n}, nil
	}
	if r.measures[i] == nil {
		m, refusal := r.measurer.Measure(Count{n, r.share, r.call})
		if refusal != nil {
			return ends{}, refusal
		}
		r.measures[i] = m
	}
	m := r.measures[i]
	return ends{shown: m.Shown, low: m.Low, high: m.High}, nil
}

// withheld is true where one of the counts is.
func (r *reader) withheld() *pg.Node {
	any := r.measures[0].Withheld
	for _, m := range r.measures[1:] {
		any = pg.MakeBoolExprNode(pg.BoolExprType_OR_EXPR, []*pg.Node{any, m.Withheld}, -1)
	}
	return any
}

// operator reads arithmetic.
func (r *reader) operator(n *pg.Node, e *pg.A_Expr) (ends, *pgerror.Refusal) {
	names := pgtree.Strings(e.GetName())
	if len(names) != 1 {
		return ends{}, r.refuse(n)
	}
	name := names[0]
	switch {
	case e.GetKind() == pg.A_Expr_Kind_AEXPR_NULLIF:
		return r.nullIfZero(n, e)
	case e.GetKind() != pg.A_Expr_Kind_AEXPR_OP:
		return ends{}, r.refuse(n)
	case e.GetLexpr() == nil && name == "-":
		return r.minus(e.GetRexpr())
	case e.GetLexpr() == nil:
		return ends{}, r.refuse(n)
	}
	x, refusal := r.read(e.GetLexpr())
	if refusal != nil {
		return x, refusal
	}
	y, refusal := r.read(e.GetRexpr())
	if refusal != nil {
		return y, refusal
	}
	if (name == "*" || name == "/") && x.constant == nil && y.constant == nil {
		if r.products++; r.dry && r.products > maxProducts {
			return ends{}, r.refuse(n)
		}
	}
	combined := ends{shown: operator(name, x.shown, y.shown)}
	switch name {
	case "+":
		combined.low, combined.high = operator("+", x.low, y.low), operator("+", x.high, y.high)
	case "-":
		combined.low, combined.high = operator("-", x.low, y.high), operator("-", x.high, y.low)
	case "*":
		combined.low, combined.high = product(x, y)
	case "/":
		combined.low, combined.high = quotient(x, y)
	default:
		return ends{}, r.refuse(n)
	}
	return combined, nil
}

// nullIfZero reads NULLIF(n, 0), whose ends are those of n.
func (r *reader) nullIfZero(n *pg.Node, e *pg.A_Expr) (ends, *pgerror.Refusal) {
	if zero, ok := constant(e.GetRexpr()); !ok || zero.Sign() != 0 {
		return ends{}, r.refuse(n)
	}
	x, refusal := r.read(e.GetLexpr())
	x.shown = pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_NULLIF, "=", x.shown, e.GetRexpr())
	return x, refusal
}

func (r *reader) minus(n *pg.Node) (ends, *pgerror.Refusal) {
	x, refusal := r.read(n)
	if refusal != nil {
		return x, refusal
	}
	minus := ends{operator("-", nil, x.shown), operator("-", nil, x.high), operator("-", nil, x.low), nil}
	if x.constant != nil {
		minus.constant = new(big.Rat).Neg(x.constant)
	}
	return minus, nil
}

// product: a constant keeps or turns the ends; otherwise they are among the products of ends.
func product(x, y ends) (low, high *pg.Node) {
	if x.constant != nil {
		x, y = y, x
	}
	if y.constant != nil {
		low, high = operator("*", x.low, y.shown), operator("*", x.high, y.shown)
		if y.constant.Sign() < 0 {
			return high, low
		}
		return low, high
	}
	corners := []*pg.Node{operator("*", x.low, y.low), operator("*", x.low, y.high), operator("*", x.high, y.low), operator("*", x.high, y.high)}
	return least(corners...), greatest(corners...)
}

// quotient has ends where the denominator is above 0.
func quotient(x, y ends) (low, high *pg.Node) {
	if y.constant != nil {
		low, high = operator("/", x.low, y.shown), operator("/", x.high, y.shown)
		if y.constant.Sign() < 0 {
			return high, low
		}
		return low, high
	}
	low = least(operator("/", x.low, y.low), operator("/", x.low, y.high))
	high = greatest(operator("/", x.high, y.low), operator("/", x.high, y.high))
	return IfPositive(y.low, low), IfPositive(y.low, high)
}

// IfPositive is an expression where another is above 0, and NULL elsewhere: the ends of a quotient, where its denominator is positive throughout.
// LEAST and GREATEST of several quotients would leave out those that are NULL.
func IfPositive(n, then *pg.Node) *pg.Node {
	return when(operator(">", n, pg.MakeAConstIntNode(0, -1)), then, nil)
}

// isNumber reports whether a cast is to a type of numbers: of PostgreSQL's, and without a precision, which a value might not fit.
func isNumber(t *pg.TypeName) bool {
	oid, array, refusal := pgvalue.CastType(t)
	return refusal == nil && !array && pgvalue.FamilyOf(oid) == pgvalue.Numbers && len(t.GetTypmods()) == 0
}

// operator makes an expression; its parts are copied, so that no node stands in a statement twice.
func operator(name string, left, right *pg.Node) *pg.Node {
	return pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_OP, name, copied(left), copied(right))
}

func copied(n *pg.Node) *pg.Node {
	if n == nil {
		return nil
	}
	return proto.Clone(n).(*pg.Node)
}

func least(args ...*pg.Node) *pg.Node    { return minMax(pg.MinMaxOp_IS_LEAST, args) }
func greatest(args ...*pg.Node) *pg.Node { return minMax(pg.MinMaxOp_IS_GREATEST, args) }

// minMax is NULL only if all arguments are; here all are or none is.
func minMax(op pg.MinMaxOp, args []*pg.Node) *pg.Node {
	copies := make([]*pg.Node, len(args))
	for i, a := range args {
		copies[i] = copied(a)
	}
	return &pg.Node{Node: &pg.Node_MinMaxExpr{MinMaxExpr: &pg.MinMaxExpr{Op: op, Args: copies, Location: -1}}}
}

// when is a CASE of one condition; otherwise may be nil.
func when(condition, then, otherwise *pg.Node) *pg.Node {
	when := &pg.Node{Node: &pg.Node_CaseWhen{CaseWhen: &pg.CaseWhen{Expr: copied(condition), Result: copied(then), Location: -1}}}
	return &pg.Node{Node: &pg.Node_CaseExpr{CaseExpr: &pg.CaseExpr{Args: []*pg.Node{when}, Defresult: copied(otherwise), Location: -1}}}
}

// A Share is the part that one count has of another, which contains it: it lies between 0 and 1.
type Share struct {
	Part, Whole *Measure
	Type        *pg.TypeName
}

// Ends are those of the share: the quotients of opposite ends, cut at 1. Where the whole may be 0 the share may be 1; where it is 0, there
// is none.
func (s Share) Ends() (low, high *pg.Node) {
	number := func(n *pg.Node) *pg.Node { return pgtree.CastNode(copied(n), s.Type) }
	one := number(pg.MakeAConstIntNode(1, -1))
	positive := func(n *pg.Node) *pg.Node { return operator(">", n, pg.MakeAConstIntNode(0, -1)) }
	low = least(operator("/", number(s.Part.Low), number(s.Whole.High)), one)
	high = when(positive(s.Whole.Low), least(operator("/", number(s.Part.High), number(s.Whole.Low)), one), one)
	return when(positive(s.Whole.High), low, nil), when(positive(s.Whole.High), high, nil)
}

// Around is what is within w of a count and not below 0; NULL where one of the two is. (GREATEST would take the other.)
func Around(count, w *pg.Node) (low, high *pg.Node) {
	end := func(name string) *pg.Node {
		zero := pgtree.CastNode(pg.MakeAConstIntNode(0, -1), pgtree.TypeNode([]string{pgtree.SystemSchema, "int8"}, nil))
		return pgtree.CatalogCall("int8larger", zero, operator(name, count, w))
	}
	return end("-"), end("+")
}
