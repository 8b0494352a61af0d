package interval

import (
	"math/big"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// This file reads calls. A call has the count that it is about, and perhaps the level of its interval.

// schema is that of the functions. Every name in it is the proxy's own.
const schema = "tacit"

// The functions that there are.
const (
	low        = "low"
	high       = "high"
	within     = "within"
	suppressed = "suppressed"
)

var functions = []string{low, high, within, suppressed}

// What is refused of calls.
var (
	functionUnknown = pgerror.Form{Code: pgerror.CodeUndefinedOp, Message: "function tacit.%[1]s does not exist",
		Detail: "The schema tacit is the proxy's own. It has the functions low, high, within and suppressed.", Hint: "%[2]s"}
	nothingMeasured = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "tacit.%[1]s tells how exact a count of a protected table is, and there is none in this statement",
		Hint: "Its argument is a count in the same SELECT, or a column that is one in a sub-select, for example.", Instead: "%[2]s"}
	callMisplaced = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "tacit.%[1]s cannot stand here",
		Hint: "Call it beside a count: in the select list, HAVING or ORDER BY of a SELECT, or in a SELECT around it."}
	callMisused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this call of tacit.%[1]s is not supported",
		Hint: "Its arguments are a count, and the level of the interval if that is not to be 0.95."}
	levelRefused = pgerror.Form{Code: pgerror.CodeInvalidValue, Message: "the level of tacit.%[1]s must be a constant number of at least 0.5 and below 1",
		Hint: "Write 0.99, for example."}
	notMeasured = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "tacit.%[1]s knows no error of this argument",
		Hint: "It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from " +
			"recorded counts for free."}
	pathRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "tacit.%[1]s cannot be told of this column beside %[2]s",
		Hint: "Call it in the SELECT that has the count, and give the result a name."}
)

// A Call is a call of one of the functions.
type Call struct {
	name     string
	argument *pg.Node
	// miss is the probability with which the interval may miss the true value.
	miss     *big.Rat
	location int32
}

// IsCall reports whether a function is one of the schema tacit.
func IsCall(f *pg.FuncCall) bool {
	names := pgtree.Strings(f.GetFuncname())
	return len(names) == 2 && names[0] == schema
}

// Read reads a call.
func Read(f *pg.FuncCall) (*Call, *pgerror.Refusal) {
	c := &Call{name: pgtree.Strings(f.GetFuncname())[1], miss: big.NewRat(1, 20), location: f.GetLocation()}
	if !slices.Contains(functions, c.name) {
		return nil, refuseUnknown(c)
	}
	args := f.GetArgs()
	plain := &pg.FuncCall{Funcname: f.GetFuncname(), Args: args, Location: f.GetLocation(), Funcformat: f.GetFuncformat()}
	if len(args) == 0 || len(args) > 2 || c.name == suppressed && len(args) > 1 || !proto.Equal(plain, f) {
		return nil, callMisused.At(c.location, c.name)
	}
	c.argument = args[0]
	if len(args) == 2 {
		level, ok := constant(args[1])
		if c.miss = new(big.Rat).Sub(big.NewRat(1, 1), level); !ok || c.miss.Cmp(leastMiss) < 0 || c.miss.Cmp(big.NewRat(1, 2)) > 0 {
			return nil, levelRefused.At(c.location, c.name)
		}
	}
	return c, nil
}

// leastMiss is the smallest probability that a bound can be told for.
var leastMiss = big.NewRat(1, 1e12)

// refuseUnknown refuses a function that there is not.
func refuseUnknown(c *Call) *pgerror.Refusal {
	hint := ""
	if meant := pgerror.Closest(c.name, functions, pgerror.FewLetters); meant != "" {
		hint = "Perhaps you meant tacit." + meant + "."
	}
	return functionUnknown.At(c.location, c.name, hint)
}

// RefuseIn refuses the first call in a statement, which is one about no protected table. example is a protected table; "" if there is none.
func RefuseIn(m protoreflect.Message, example string) *pgerror.Refusal {
	if example != "" {
		example = "SELECT count(*), tacit.low(count(*)), tacit.high(count(*)) FROM " + example
	}
	return refuseIn(m, nothingMeasured, example)
}

// RefuseLeft refuses the first call that is left in an answered statement: it stands where there is no count.
func RefuseLeft(m protoreflect.Message) *pgerror.Refusal { return refuseIn(m, callMisplaced, "") }

// RefuseMisplaced refuses a function of the schema where rows are read.
func RefuseMisplaced(f *pg.FuncCall) *pgerror.Refusal {
	if !IsCall(f) {
		return nil
	}
	return refuseIn(f.ProtoReflect(), callMisplaced, "")
}

func refuseIn(m protoreflect.Message, form pgerror.Form, example string) *pgerror.Refusal {
	for f := range pgtree.Nodes[*pg.FuncCall](m) {
		if !IsCall(f) {
			continue
		}
		c, refusal := Read(f)
		if refusal == nil {
			refusal = form.At(c.location, c.name, example)
		}
		return refusal
	}
	return nil
}

// constant reads a number.
func constant(n *pg.Node) (*big.Rat, bool) {
	c := n.GetAConst()
	if c == nil || c.GetIsnull() {
		return new(big.Rat), false
	}
	l, refusal := pgvalue.ReadConst(c)
	if refusal != nil || pgvalue.FamilyOf(l.OID) != pgvalue.Numbers {
		return new(big.Rat), false
	}
	number, ok := new(big.Rat).SetString(l.Text)
	if !ok {
		return new(big.Rat), false
	}
	return number, true
}

// node is the call as an expression again, for another argument. Its level is rounded up, so that it misses no more often.
func (c *Call) node(argument *pg.Node) *pg.Node {
	args := []*pg.Node{argument}
	if c.name != suppressed {
		args = append(args, &pg.Node{Node: &pg.Node_AConst{AConst: &pg.A_Const{
			Val: &pg.A_Const_Fval{Fval: &pg.Float{Fval: levelText(c.miss)}}, Location: -1,
		}}})
	}
	return pg.MakeFuncCallNode(pgtree.NameNodes([]string{schema, c.name}), args, c.location)
}

// levelDigits are more than the least miss needs.
const levelDigits = 15

// levelText is 1 - miss, rounded up.
func levelText(miss *big.Rat) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(levelDigits), nil)
	missed := new(big.Int).Quo(new(big.Int).Mul(miss.Num(), scale), miss.Denom())
	return new(big.Rat).SetFrac(missed.Sub(scale, missed), scale).FloatString(levelDigits)
}
