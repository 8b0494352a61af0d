package rewrite

import (
	"slices"
	"strconv"
	"strings"
)

// The functions, operators and casts that can be used on columns of protected tables: those of pg_catalog that analysts use and that
// are total for arguments within the guards (bounds.go), free of side effects, and of a cost that does not depend strongly on a value.
// Of each name that PostgreSQL overloads, all overloads for the types that there are here are listed, or another than
// PostgreSQL's would be chosen; those without SQL are refused, and say why.

// define makes an overload: "text int4 -> text".
func define(name, signature, sql string) overload {
	args, result, _ := strings.Cut(signature, " -> ")
	f := overload{name: name, sql: sql, result: typeNamed(result)}
	for _, a := range strings.Fields(args) {
		f.args = append(f.args, typeNamed(a))
	}
	return f
}

func typeNamed(name string) typeOID {
	for _, b := range builtins {
		if b.name == name {
			return b.oid
		}
	}
	panic("rewrite: internal error: no type " + name)
}

// The ways to complete an overload.

func (f overload) refused(why string) overload { f.sql, f.why = "", why; return f }

// only says that there is no such thing for columns, but for constants.
func (f overload) only(why string) overload { f.plain, f.sql, f.why = f.sql, "", why; return f }

func (f overload) constants(args ...int) overload { f.constant = args; return f }

func (f overload) checked(check func([]argument) *Refusal) overload { f.check = check; return f }

func (f overload) within(b func([]bounds) bounds) overload { f.bounds = b; return f }

func (f overload) probing(arg int, as typeOID, sql string) overload {
	f.probed, f.probedAs, f.probe = arg, as, sql
	return f
}

// Reasons why an overload is refused.
const (
	blankReason    = "it heeds the blanks at the end of values of type character; cast them to text"
	zoneReason     = "its result depends on the time zone of the session"
	intervalReason = "intervals are not supported as values"
	formatReason   = "number formats are not supported"
	failsReason    = "it fails for some values"
)

// Overloads are a list of them.
type overloads []overload

func (l *overloads) add(functions ...overload) { *l = append(*l, functions...) }

// simple makes an overload that is written as a call of a function of its name.
func simple(name, signature string) overload {
	args, _, _ := strings.Cut(signature, " -> ")
	marks := strings.TrimSuffix(strings.Repeat("%s, ", len(strings.Fields(args))), ", ")
	return define(name, signature, "pg_catalog."+name+"("+marks+")")
}

// infix makes an operator between two arguments, prefix one before its argument.
func infix(symbol, signature string) overload {
	f := define(symbol, signature, "(%s "+qualifiedOperator(symbol)+" %s)")
	f.symbol = true
	return f
}

func prefix(symbol, signature string) overload {
	f := define(symbol, signature, "("+qualifiedOperator(symbol)+" %s)")
	f.symbol = true
	return f
}

// qualifiedOperator is an operator of pg_catalog in a format, in which a percent sign stands for itself only if it is doubled.
func qualifiedOperator(symbol string) string {
	return "OPERATOR(pg_catalog." + strings.ReplaceAll(symbol, "%", "%%") + ")"
}

// functionList has the overloads of each name. Those of LIKE and its kind are found by their operators, too, which tools write.
var functionList = func() map[string][]overload {
	list := make(map[string][]overload)
	for _, f := range slices.Concat(textFunctions(), numberFunctions(), timeFunctions(), patternFunctions()) {
		list[f.name] = append(list[f.name], f)
	}
	for symbol, name := range likeOperators {
		list[symbol] = list[name]
	}
	return list
}()

// unchanged is the first argument, or a part of it.
func unchanged(v []bounds) bounds { return v[0] }

// natural is a length or a position.
func natural([]bounds) bounds { return integers(0, 1<<31-1) }

func integerOf(a argument) int64 {
	n, _ := strconv.ParseInt(a.constant.text, 10, 64)
	return n
}
