package expr

import (
	"slices"
	"strconv"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// The functions, operators and casts that can be used on columns of protected tables: those of pg_catalog that analysts use and that
// are total for arguments within the guards (bounds.go), free of side effects, and of a cost that does not depend strongly on a value.
// Of each name that PostgreSQL overloads, all overloads for the types that there are here are listed, or another than
// PostgreSQL's would be chosen; those without SQL are refused, and say why.

// define makes an overload: "text int4 -> text".
func define(name, signature, sql string) Overload {
	args, result, _ := strings.Cut(signature, " -> ")
	f := Overload{Name: name, SQL: sql, Result: typeNamed(result)}
	for _, a := range strings.Fields(args) {
		f.Args = append(f.Args, typeNamed(a))
	}
	return f
}

func typeNamed(name string) pgvalue.OID {
	if oid, ok := pgvalue.OIDOf(name); ok {
		return oid
	}
	panic("rewrite: internal error: no type " + name)
}

// The ways to complete an overload.

func (f Overload) refused(why string) Overload { f.SQL, f.Why = "", why; return f }

// only says that there is no such thing for columns, but for constants.
func (f Overload) only(why string) Overload { f.Plain, f.SQL, f.Why = f.SQL, "", why; return f }

// sparse says that the value can be NULL where no argument is.
func (f Overload) sparse() Overload { f.missing = true; return f }

func (f Overload) constants(args ...int) Overload { f.constant = args; return f }

func (f Overload) checked(check func([]argument) *pgerror.Refusal) Overload {
	f.check = check
	return f
}

func (f Overload) within(b func([]bounds.Bounds) bounds.Bounds) Overload { f.bounds = b; return f }

// bounded are bounds that depend on constants as they are.
func (f Overload) bounded(b func([]argument, []bounds.Bounds) bounds.Bounds) Overload {
	f.boundsOf = b
	return f
}

func (f Overload) checkedByServer(arg int, sql string) Overload {
	f.ServerChecked, f.ServerCheck = arg, sql
	return f
}

// Reasons why an overload is refused.
const (
	BlankReason    = "it heeds the blanks at the end of values of type character; cast them to text"
	zoneReason     = "its result depends on the time zone of the session"
	intervalReason = "intervals are not supported as values"
	formatReason   = "number formats are not supported"
	failsReason    = "it fails for some values"
)

// Overloads are a list of them.
type overloads []Overload

func (l *overloads) add(functions ...Overload) { *l = append(*l, functions...) }

// simple makes an overload that is written as a call of a function of its name.
func simple(name, signature string) Overload {
	args, _, _ := strings.Cut(signature, " -> ")
	marks := strings.TrimSuffix(strings.Repeat("%s, ", len(strings.Fields(args))), ", ")
	return define(name, signature, "pg_catalog."+name+"("+marks+")")
}

// infix makes an operator between two arguments, prefix one before its argument.
func infix(symbol, signature string) Overload {
	f := define(symbol, signature, "(%s "+qualifiedOperator(symbol)+" %s)")
	f.Symbol = true
	return f
}

func prefix(symbol, signature string) Overload {
	f := define(symbol, signature, "("+qualifiedOperator(symbol)+" %s)")
	f.Symbol = true
	return f
}

// qualifiedOperator is an operator of pg_catalog in a format, in which a percent sign stands for itself only if it is doubled.
func qualifiedOperator(symbol string) string {
	return "OPERATOR(pg_catalog." + strings.ReplaceAll(symbol, "%", "%%") + ")"
}

// FunctionList has the overloads of each name. Those of LIKE and its kind are found by their operators, too, which tools write.
var FunctionList = func() map[string][]Overload {
	list := make(map[string][]Overload)
	for _, f := range slices.Concat(textFunctions(), numberFunctions(), timeFunctions(), patternFunctions(), structuredFunctions()) {
		list[f.Name] = append(list[f.Name], f)
	}
	for symbol, name := range likeOperators {
		list[symbol] = list[name]
	}
	return list
}()

// unchanged is the first argument, or a part of it.
func unchanged(v []bounds.Bounds) bounds.Bounds { return v[0] }

// natural is a length or a position.
func natural([]bounds.Bounds) bounds.Bounds { return bounds.Integers(0, 1<<31-1) }

func integerOf(a argument) int64 {
	n, _ := strconv.ParseInt(a.constant.Text, 10, 64)
	return n
}
