package expr

import (
	"fmt"
	"slices"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// An overload is one function, operator or cast of pg_catalog, chosen by the types of its arguments as PostgreSQL chooses it.
type Overload struct {
	Name   string // as it is written
	Args   []pgvalue.OID
	Result pgvalue.OID
	// sql is how it is written for the curator, with %s for each argument; "" if it cannot be used on columns, for the reason why.
	SQL string
	Why string
	// plain is how it is written in the analyst's own session, where all arguments are constants; "" for sql.
	Plain string
	// constant are the arguments that must be constants.
	constant []int
	// check validates constants that PostgreSQL would validate only when it reaches a row.
	check func(args []argument) *pgerror.Refusal
	// ServerCheck is an expression that raises an error if a constant is bad in a way that only the server can tell, and has another value where the constant
	// means something else; %s is the constant, a text. It is evaluated before anything is charged, in the
	// analyst's session and on the curator's connection.
	ServerCheck   string
	ServerChecked int // which argument
	// bounds are those of the value; nil only if it is a boolean, which needs none.
	bounds func(args []bounds.Bounds) bounds.Bounds
	// BoundsOf are bounds that depend on constants as they are, besides the bounds of the other arguments.
	boundsOf func(args []argument, v []bounds.Bounds) bounds.Bounds
	// missing says that the value can be NULL though no argument is.
	missing bool
	// symbol is set for operators, which are shown between their arguments.
	Symbol bool
}

// verify looks at constants. Those that are not known yet count as good.
func (f *Overload) verify(args []argument) *pgerror.Refusal {
	for _, i := range f.constant {
		if args[i].column != nil {
			return argumentVaries.With(i+1, f.Name)
		}
	}
	if f.check == nil || slices.ContainsFunc(args, func(a argument) bool { return a.untold || a.null }) {
		return nil
	}
	return f.check(args)
}

// prove shows that the value exists for every row: that it is within the bounds of its type. If that takes the declared domains of
// columns, values outside of them count as NULL.
func (f *Overload) prove(args []argument, value *computation) (declared bool, refusal *pgerror.Refusal) {
	if slices.ContainsFunc(args, argument.isVoid) {
		value.void = true
		return false, nil
	}
	of := make([]known, len(args))
	for i, a := range args {
		if a.isOpen() {
			value.open = true // looked at again
			return false, nil
		}
		of[i] = a.bounds()
	}
	result := f.bounds
	switch {
	case f.boundsOf != nil:
		result = func(v []bounds.Bounds) bounds.Bounds { return f.boundsOf(args, v) }
	case result == nil:
		return false, nil
	}
	value.known = each(of, func(v []bounds.Bounds) bounds.Bounds { return result(v).Rounded(f.Result) })
	switch {
	case bounds.Fits(f.Result, value.wide):
		return false, nil
	case bounds.Fits(f.Result, value.narrow):
		value.wide = value.narrow
		return true, nil
	}
	switch {
	case slices.ContainsFunc(f.Args, pgvalue.IsText):
		return false, textTooLong.With(f.shown())
	case slices.Contains(divisions, f.Name) && args[1].column != nil && of[1].narrow.HasZero() && !of[1].narrow.ButZero(pgvalue.IsInteger(args[1].oid)).HasZero():
		return false, mayDivide.With(f.shown(), args[1].text())
	}
	return false, mayFail.With(f.shown(), pgvalue.ShownType(f.Result))
}

var divisions = []string{"/", "%", "mod", "div"}

func (f *Overload) shown() string {
	if f.Symbol {
		return "operator " + f.Name
	}
	return f.Name
}

// write prints a call for the curator.
func (f *Overload) write(w *SQLWriter, args []argument, g nullRule) string {
	texts := make([]any, len(args))
	for i, a := range args {
		texts[i] = a.write(w, g)
	}
	return fmt.Sprintf(f.SQL, texts...)
}

// text prints a call for people.
func (f *Overload) text(args []argument) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.text()
	}
	return f.join(texts)
}

func (f *Overload) join(texts []string) string {
	switch {
	case f.Symbol && len(texts) == 1:
		return "(" + f.Name + " " + texts[0] + ")"
	case f.Symbol:
		return "(" + texts[0] + " " + f.Name + " " + texts[1] + ")"
	case f.Name == ElementOf:
		return "(" + texts[0] + " = ANY (" + texts[1] + "))"
	case f.Name == Subscript:
		return texts[0] + "[" + texts[1] + "]"
	case strings.HasPrefix(f.Name, "::"):
		return texts[0] + f.Name
	}
	return f.Name + "(" + strings.Join(texts, ", ") + ")"
}

// Resolve chooses among the overloads of a name as func_select_candidate in parse_func.c does, for the types that there are here:
// the candidates to which every argument can be cast implicitly; of these, the ones that most arguments match exactly, then the ones
// with most preferred types; arguments of unknown type are texts if any candidate takes them as such, else of the type of the others.
func Resolve(candidates []Overload, types []pgvalue.OID) (*Overload, bool) {
	known := pgvalue.Unknown
	for _, t := range types {
		if t != pgvalue.Unknown {
			known = t
		}
	}
	var left []*Overload
	for i := range candidates {
		if candidates[i].takes(types) {
			left = append(left, &candidates[i])
		}
	}
	for _, favours := range []func(given, taken pgvalue.OID) bool{
		func(given, taken pgvalue.OID) bool { return given == taken },
		func(given, taken pgvalue.OID) bool {
			return given != pgvalue.Unknown && (given == taken || preferred(taken))
		},
		func(given, taken pgvalue.OID) bool { return given == pgvalue.Unknown && taken == pgvalue.Text },
		func(given, taken pgvalue.OID) bool { return given == pgvalue.Unknown && taken == known },
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
func (f *Overload) takes(types []pgvalue.OID) bool {
	if len(types) != len(f.Args) {
		return false
	}
	for i, t := range types {
		if !implicit(t, f.Args[i]) {
			return false
		}
	}
	return true
}

// best keeps the candidates that are favoured in most of their arguments.
func best(candidates []*Overload, types []pgvalue.OID, favours func(given, taken pgvalue.OID) bool) []*Overload {
	most := -1
	var kept []*Overload
	for _, f := range candidates {
		n := 0
		for i, t := range types {
			if favours(t, f.Args[i]) {
				n++
			}
		}
		switch {
		case n > most:
			most, kept = n, []*Overload{f}
		case n == most:
			kept = append(kept, f)
		}
	}
	return kept
}

// implicit reports whether a value of one type is taken for one of another without a cast (pg_cast.dat, castcontext i).
func implicit(from, to pgvalue.OID) bool {
	switch {
	case from == to, from == pgvalue.Unknown:
		return true
	case pgvalue.FamilyOf(from) == pgvalue.Numbers && pgvalue.FamilyOf(to) == pgvalue.Numbers:
		return pgvalue.Rank(from) < pgvalue.Rank(to)
	case pgvalue.IsText(from):
		return to == pgvalue.Text || to == pgvalue.Varchar && from != pgvalue.Text || to == pgvalue.Bpchar && from == pgvalue.Varchar
	case from == pgvalue.Date:
		return to == pgvalue.Timestamp || to == pgvalue.Timestamptz
	case from == pgvalue.Timestamp:
		return to == pgvalue.Timestamptz
	}
	return false
}

// preferred types are those that win where several would do (pg_type.dat, typispreferred).
func preferred(oid pgvalue.OID) bool {
	return oid == pgvalue.Text || oid == pgvalue.Float8 || oid == pgvalue.Timestamptz || oid == pgvalue.Bool || oid == pgvalue.Interval
}
