package rewrite

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// An overload is one function, operator or cast of pg_catalog, chosen by the types of its arguments as PostgreSQL chooses it.
type overload struct {
	name   string // as it is written
	args   []typeOID
	result typeOID
	// sql is how it is written for the curator, with %s for each argument; "" if it cannot be used on columns, for the reason why.
	sql string
	why string
	// plain is how it is written in the analyst's own session, where all arguments are constants; "" for sql.
	plain string
	// constant are the arguments that must be constants.
	constant []int
	// check validates constants that PostgreSQL would validate only when it reaches a row.
	check func(args []argument) *Refusal
	// probe is a statement that raises an error if the constants are bad in a way that only the server can tell; %s is the constant
	// in question. The analyst's own session runs it before anything is charged.
	probe    string
	probed   int // which argument
	probedAs typeOID
	// bounds are those of the value; nil only if it is a boolean, which needs none.
	bounds func(args []bounds) bounds
	// boundsOf are bounds that depend on constants as they are, besides the bounds of the other arguments.
	boundsOf func(args []argument, v []bounds) bounds
	// symbol is set for operators, which are shown between their arguments.
	symbol bool
}

// verify looks at constants. Those that are not known yet count as good.
func (f *overload) verify(args []argument) *Refusal {
	for _, i := range f.constant {
		if args[i].column != nil {
			return notSupported(fmt.Sprintf("argument %d of %s must be a constant on a protected table", i+1, f.name), "Write the value itself.")
		}
	}
	if f.check == nil || slices.ContainsFunc(args, func(a argument) bool { return a.untold || a.null }) {
		return nil
	}
	return f.check(args)
}

// prove shows that the value exists for every row: that it is within the bounds of its type. If that takes the declared domains of
// columns, values outside of them count as NULL.
func (f *overload) prove(args []argument, value *computation) (declared bool, refusal *Refusal) {
	if slices.ContainsFunc(args, argument.isVoid) {
		value.void = true
		return false, nil
	}
	wide, narrow := make([]bounds, len(args)), make([]bounds, len(args))
	for i, a := range args {
		if a.isOpen() {
			value.open = true // looked at again
			return false, nil
		}
		wide[i], narrow[i] = a.bounds()
	}
	of := f.bounds
	switch {
	case f.boundsOf != nil:
		of = func(v []bounds) bounds { return f.boundsOf(args, v) }
	case of == nil:
		return false, nil
	}
	value.wide, value.narrow = of(wide).rounded(f.result), of(narrow).rounded(f.result)
	switch {
	case fits(f.result, value.wide):
		return false, nil
	case fits(f.result, value.narrow):
		value.wide = value.narrow
		return true, nil
	}
	if slices.ContainsFunc(f.args, isText) {
		return false, notSupported(fmt.Sprintf("%s could make a text of the protected table too long, or take too long on one", f.shown()),
			"Cut the text short with left before, or ask for less in one expression.")
	}
	return false, &Refusal{
		Code:    codeNotSupported,
		Message: fmt.Sprintf("%s could fail on a row of the protected table, for a value out of the range of type %s, or a division by zero", f.shown(), shownType(f.result)),
		Hint:    "The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.",
	}
}

func (f *overload) shown() string {
	if f.symbol {
		return "operator " + f.name
	}
	return f.name
}

// fits reports whether every value is one of the type, and computed without an error.
func fits(oid typeOID, v bounds) bool {
	limit := func(exponent int64) bool {
		n := powerOfTen(exponent)
		return v.within(new(big.Rat).Neg(n), n)
	}
	switch {
	case !v.known():
		return false
	case IsInteger(oid):
		t := typeBounds(oid)
		return v.within(t.least, t.greatest)
	case oid == oidFloat4:
		return limit(37) && v.tiny > -37
	case oid == oidFloat8:
		return limit(300) && v.tiny > -300
	case oid == oidNumeric:
		return limit(1000)
	case isTime(oid):
		return v.within(big.NewRat(minDay, 1), big.NewRat(maxDay, 1))
	case isText(oid):
		return v.within(new(big.Rat), big.NewRat(maxTextBytes, 1))
	}
	return true
}

// write prints a call for the curator.
func (f *overload) write(w *sqlWriter, args []argument, g guard) string {
	texts := make([]any, len(args))
	for i, a := range args {
		texts[i] = a.write(w, g)
	}
	return fmt.Sprintf(f.sql, texts...)
}

// text prints a call for people.
func (f *overload) text(args []argument) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.text()
	}
	return f.join(texts)
}

func (f *overload) join(texts []string) string {
	switch {
	case f.symbol && len(texts) == 1:
		return "(" + f.name + " " + texts[0] + ")"
	case f.symbol:
		return "(" + texts[0] + " " + f.name + " " + texts[1] + ")"
	case strings.HasPrefix(f.name, "::"):
		return texts[0] + f.name
	}
	return f.name + "(" + strings.Join(texts, ", ") + ")"
}

// resolve chooses among the overloads of a name as func_select_candidate in parse_func.c does, for the types that there are here:
// the candidates to which every argument can be cast implicitly; of these, the ones that most arguments match exactly, then the ones
// with most preferred types; arguments of unknown type are texts if any candidate takes them as such, else of the type of the others.
func resolve(candidates []overload, types []typeOID) (*overload, bool) {
	known := oidUnknown
	for _, t := range types {
		if t != oidUnknown {
			known = t
		}
	}
	var left []*overload
	for i := range candidates {
		if candidates[i].takes(types) {
			left = append(left, &candidates[i])
		}
	}
	for _, favours := range []func(given, taken typeOID) bool{
		func(given, taken typeOID) bool { return given == taken },
		func(given, taken typeOID) bool { return given != oidUnknown && (given == taken || preferred(taken)) },
		func(given, taken typeOID) bool { return given == oidUnknown && taken == oidText },
		func(given, taken typeOID) bool { return given == oidUnknown && taken == known },
	} {
		if len(left) > 1 {
			left = best(left, types, favours)
		}
	}
	if len(left) != 1 {
		return nil, false
	}
	return left[0], true
}

// takes reports whether arguments of these types can be cast implicitly.
func (f *overload) takes(types []typeOID) bool {
	if len(types) != len(f.args) {
		return false
	}
	for i, t := range types {
		if !implicit(t, f.args[i]) {
			return false
		}
	}
	return true
}

// best keeps the candidates that are favoured in most of their arguments.
func best(candidates []*overload, types []typeOID, favours func(given, taken typeOID) bool) []*overload {
	most := -1
	var kept []*overload
	for _, f := range candidates {
		n := 0
		for i, t := range types {
			if favours(t, f.args[i]) {
				n++
			}
		}
		switch {
		case n > most:
			most, kept = n, []*overload{f}
		case n == most:
			kept = append(kept, f)
		}
	}
	return kept
}

// implicit reports whether a value of one type is taken for one of another without a cast (pg_cast.dat, castcontext i).
func implicit(from, to typeOID) bool {
	switch {
	case from == to, from == oidUnknown:
		return true
	case familyOf(from) == numbers && familyOf(to) == numbers:
		return rank(from) < rank(to)
	case isText(from):
		return to == oidText || to == oidVarchar && from != oidText || to == oidBpchar && from == oidVarchar
	case from == oidDate:
		return to == oidTimestamp || to == oidTimestamptz
	case from == oidTimestamp:
		return to == oidTimestamptz
	}
	return false
}

// preferred types are those that win where several would do (pg_type.dat, typispreferred).
func preferred(oid typeOID) bool {
	return oid == oidText || oid == oidFloat8 || oid == oidTimestamptz || oid == oidBool || oid == oidInterval
}
