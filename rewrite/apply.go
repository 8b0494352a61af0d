package rewrite

import (
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// unify is the common type of the results of CASE, COALESCE, GREATEST and LEAST.
func (r *conditionReader) unify(values []expr.Operand) (pgvalue.OID, *pgerror.Refusal) {
	for _, v := range values {
		if v.Zoned {
			return 0, refuseZone(pgvalue.Timestamptz)
		}
		if c, ok := v.Row.(*expr.Column); ok && c.Collation != "" {
			return 0, collationOfCase.With()
		}
	}
	oid, refusal := r.commonType(pgvalue.Unknown, values)
	if refusal != nil {
		return 0, refusal
	}
	if oid == pgvalue.Interval {
		return oid, elapsedConstants(values)
	}
	if !pgvalue.CanBeKey(oid) || oid == pgvalue.Enum {
		return 0, caseType.With(pgvalue.ShownType(oid))
	}
	return oid, nil
}

// elapsedConstants refuses constants among intervals that are no number of seconds: with months, whose length differs from use to use, or not told yet.
func elapsedConstants(values []expr.Operand) *pgerror.Refusal {
	for _, v := range values {
		if v.IsConstant() && !v.Literal.Null && (v.Param > 0 || v.Fixed != nil || pgvalue.HasMonths(v.Literal.Text)) {
			return intervalCase.At(v.Loc)
		}
	}
	return nil
}

// unified is a value cast to the common type.
func (r *conditionReader) unified(o expr.Operand, oid pgvalue.OID) (expr.Operand, *pgerror.Refusal) {
	if !o.IsConstant() {
		if o.Row.TypeOf() == oid {
			return o, nil
		}
		return r.converted(o, oid)
	}
	r.params.want(o, oid)
	if o.Fixed == nil && !pgvalue.Convertible(r.typeOf(o), oid) {
		return expr.Operand{}, castRefused.With(pgvalue.ShownType(r.typeOf(o)), pgvalue.ShownType(oid))
	}
	if o.Param == 0 && o.Fixed == nil && o.Literal.OID == pgvalue.Unknown {
		o.Literal.OID = oid
	}
	return o, nil
}

// commonType is select_common_type in parse_coerce.c for the column's type and the elements' (or the elements' alone if first is
// unknown), for the types that are compared at all.
func (r *conditionReader) commonType(first pgvalue.OID, elements []expr.Operand) (pgvalue.OID, *pgerror.Refusal) {
	common := first
	for _, e := range elements {
		t := r.typeOf(e)
		switch {
		case t == pgvalue.Unknown || t == common:
		case common == pgvalue.Unknown:
			common = t
		case pgvalue.FamilyOf(t) == pgvalue.Numbers && pgvalue.FamilyOf(common) == pgvalue.Numbers:
			if pgvalue.Rank(t) > pgvalue.Rank(common) {
				common = t
			}
		case pgvalue.FamilyOf(t) == pgvalue.Texts && pgvalue.FamilyOf(common) == pgvalue.Texts:
			common = pgvalue.Text
		case pgvalue.FamilyOf(t) == pgvalue.FamilyOf(common) && pgvalue.FamilyOf(t) == pgvalue.Dates:
			common = pgvalue.Timestamp
		case pgvalue.FamilyOf(t) == pgvalue.FamilyOf(common):
		case pgvalue.IsText(t) && pgvalue.IsText(common), pgvalue.IsTime(t) && pgvalue.IsTime(common):
			return 0, listMixed.At(e.Loc, pgvalue.ShownType(common), pgvalue.ShownType(t))
		default:
			return 0, expr.UndefinedOperator(first, expr.Equal, t)
		}
	}
	if common == pgvalue.Unknown {
		common = pgvalue.Text
	}
	return common, nil
}

// lookalikes are functions of PostgreSQL, which are not misspelt, though they are one letter away from those that are supported.
var lookalikes = []string{"date_in", "json_typeof", "dround", "dtrunc", "lead", "mode", "pow", "power", "sin", "sind"}

// perhapsFunction suggests a function for a name with one wrong letter.
func perhapsFunction(misspelt string) string {
	if slices.Contains(lookalikes, misspelt) {
		return ""
	}
	names := []string{"count", "sum", "avg", "coalesce", "nullif", "greatest", "least", "concat"}
	for name, overloads := range expr.FunctionList {
		if pgvalue.QuoteIdentifier(name) == name && slices.ContainsFunc(overloads, func(f expr.Overload) bool { return f.SQL != "" }) {
			names = append(names, name)
		}
	}
	if name := pgerror.Closest(misspelt, names, 1); name != "" {
		return "Perhaps you meant " + name + ". "
	}
	return ""
}

func refuseFunction(name, why string) *pgerror.Refusal {
	if why == "" {
		return expr.FunctionUnknown.With(name, perhapsFunction(name))
	}
	return expr.FunctionRefused.With(name, why)
}

// apply applies a function or an operator.
func (r *conditionReader) apply(name string, args []expr.Operand, loc int32, isOperator bool) (expr.Operand, *pgerror.Refusal) {
	args = r.localTimes(name, args)
	types := make([]pgvalue.OID, len(args))
	constant := true
	for i, o := range args {
		types[i] = r.typeOf(o)
		constant = constant && o.IsConstant()
	}
	if isOperator && len(types) == 2 { // one of unknown type is taken to be of the other's if there is such an operator
		types = sameTypes(name, types)
	}
	f, ok := expr.Resolve(expr.FunctionList[name], types)
	switch {
	case !ok && isOperator:
		return expr.Operand{}, pgerror.At(loc, r.refuseTypes(name, types))
	case !ok:
		return expr.Operand{}, pgerror.At(loc, refuseFunction(name, "there is none for arguments of type "+shownTypes(types)))
	case f.SQL == "" && !constant:
		return expr.Operand{}, pgerror.At(loc, refuseFunction(f.Name, f.Why))
	}
	zoned := false
	for i := range args {
		r.params.want(args[i], f.Args[i])
		if args[i].IsConstant() && args[i].Param == 0 && args[i].Fixed == nil && !pgvalue.Convertible(args[i].Literal.OID, f.Args[i]) {
			return expr.Operand{}, pgerror.At(loc, refuseFunction(f.Name, "the constant is not of type "+pgvalue.ShownType(f.Args[i])))
		}
		if refusal := refuseCollation(f.Name, args[i]); refusal != nil {
			return expr.Operand{}, pgerror.At(loc, refusal)
		}
		if args[i].Row != nil && args[i].Row.TypeOf() != f.Args[i] {
			var refusal *pgerror.Refusal
			if args[i], refusal = r.converted(args[i], f.Args[i]); refusal != nil {
				return expr.Operand{}, pgerror.At(loc, refusal)
			}
		}
		zoned = zoned || args[i].Zoned
	}
	made := &expr.Call{Function: f, Args: args, Loc: loc}
	if f.ServerCheck != "" {
		r.params.addServerCheck(made)
	}
	if constant {
		return r.params.addFixed(made), nil
	}
	return expr.Operand{Row: made, Loc: loc, Zoned: zoned && f.Result == pgvalue.Timestamp && name == "date_trunc"}, nil
}

// refuseCollation refuses a column with a collation of its own in what is computed, which counts as having the database's: functions
// and comparisons of texts with different collations fail when they reach a row.
func refuseCollation(name string, o expr.Operand) *pgerror.Refusal {
	c, ok := o.Row.(*expr.Column)
	if !ok || c.Collation == "" {
		return nil
	}
	return refuseFunction(name, "column "+pgvalue.QuoteIdentifier(c.Name)+" has a collation of its own")
}

// converted is a value of the row after an implicit cast.
func (r *conditionReader) converted(o expr.Operand, to pgvalue.OID) (expr.Operand, *pgerror.Refusal) {
	from := o.Row.TypeOf()
	if pgvalue.IsText(from) && to == pgvalue.Text && from != pgvalue.Bpchar {
		return o, nil
	}
	f, ok := expr.CastBetween(from, to)
	if !ok {
		return expr.Operand{}, conversionRefused.With(pgvalue.ShownType(from), pgvalue.ShownType(to))
	}
	o.Row = &expr.Call{Function: f, Args: []expr.Operand{o}, Loc: o.Loc}
	return o, nil
}

func sameTypes(name string, types []pgvalue.OID) []pgvalue.OID {
	for i := range types {
		other := types[1-i]
		if types[i] != pgvalue.Unknown || other == pgvalue.Unknown {
			continue
		}
		for _, f := range expr.FunctionList[name] {
			if len(f.Args) == 2 && f.Args[0] == other && f.Args[1] == other {
				return []pgvalue.OID{other, other}
			}
		}
	}
	return types
}

func (r *conditionReader) refuseTypes(name string, types []pgvalue.OID) *pgerror.Refusal {
	if len(expr.FunctionList[name]) == 0 {
		return operatorRefused.With(name)
	}
	refusal := operatorTypes.With(name, shownTypes(types))
	return refusal
}

func shownTypes(types []pgvalue.OID) string {
	shown := make([]string, len(types))
	for i, t := range types {
		shown[i] = pgvalue.ShownType(t)
	}
	return strings.Join(shown, ", ")
}
