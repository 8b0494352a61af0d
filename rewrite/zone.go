package rewrite

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// What a timestamp with time zone looks like, as a date or by its hour, depends on the session's TimeZone, which is the analyst's, not
// the curator's. So such values of a row are turned to local time by the zone's name, as a constant that the analyst's own session
// gives; and constants without an offset are read by her session.
//
// PostgreSQL takes date_trunc of a date for that of a timestamp with time zone: midnight in the session's zone. Here it is computed
// without zones, and gets its zone back in the analyst's session when it is shown (operand.zoned).

// localTime is a timestamp with time zone of a row as local time.
func (r *conditionReader) localTime(o operand) operand { return r.timeIn(r.zone(), o) }

// timeIn is a timestamp with time zone of a row as the time in a zone.
func (r *conditionReader) timeIn(zone, o operand) operand {
	f, _ := resolve(functionList["timezone"], []typeOID{oidText, oidTimestamptz})
	o.row = &call{function: f, args: []operand{zone, o}, loc: o.loc}
	return o
}

// zone is the session's time zone.
func (r *conditionReader) zone() operand {
	f, _ := resolve(functionList["current_setting"], []typeOID{oidText})
	return r.params.addFixed(&call{function: f, args: []operand{{literal: literal{oid: oidText, text: "TimeZone"}}}})
}

// localTimes prepares the arguments of functions of times.
func (r *conditionReader) localTimes(name string, args []operand) []operand {
	if !slices.ContainsFunc(args, func(o operand) bool { return !o.isConstant() }) {
		return args
	}
	args = slices.Clone(args)
	switch name {
	case "date_trunc":
		if len(args) == 2 && r.typeOf(args[1]) == oidTimestamptz {
			return append(args, r.zone())
		}
		if len(args) == 3 {
			return args
		}
	case "age":
		if len(args) == 1 {
			today, _ := r.clock("CURRENT_DATE", oidDate)
			args = []operand{today, args[0]}
		}
	case "date_part", "extract":
		switch {
		case len(args) != 2 || r.typeOf(args[1]) != oidTimestamptz:
		case lowerASCII(args[0].literal.text) == "epoch": // which no zone changes
			args[1] = r.timeIn(operand{literal: literal{oid: oidText, text: "UTC"}}, args[1])
		default:
			args[1] = r.localTime(args[1])
		}
		return args
	case "to_char":
	case "-":
		for i, o := range args {
			if t := r.typeOf(o); o.isConstant() && t == oidTimestamptz && len(args) == 2 && r.typeOf(args[1-i]) != oidTimestamptz {
				args[i] = r.castFixed(o, oidTimestamp)
			}
		}
		return args
	default:
		return args
	}
	for i, o := range args {
		switch t := r.typeOf(o); {
		case t == oidDate && o.isConstant(), t == oidTimestamptz && o.isConstant():
			args[i] = r.castFixed(o, oidTimestamp)
		case t == oidTimestamptz:
			args[i] = r.localTime(o)
		case t == oidDate:
			f, _ := castBetween(oidDate, oidTimestamp)
			args[i].row = &call{function: f, args: []operand{o}, loc: o.loc}
			args[i].zoned = name == "date_trunc"
		}
	}
	return args
}

// inZone has a constant that is compared with a time of the row, and whose meaning depends on the session's zone or clock, read by
// the analyst's session.
func (r *conditionReader) inZone(row, o operand) operand {
	to := r.typeOf(row)
	switch from := r.typeOf(o); {
	case !isTime(to):
	case from == oidTimestamptz && to != oidTimestamptz:
		return r.castFixed(o, oidTimestamp)
	case o.param == 0 && o.fixed == nil && needsZone(o.literal, from, to):
		return r.castFixed(o, to)
	case (from == oidDate || from == oidTimestamp) && to == oidTimestamptz && (o.fixed != nil || o.cast != 0):
		return r.castFixed(o, to)
	}
	return o
}

// needsZone reports whether a constant of a time depends on the session's zone or clock.
func needsZone(l literal, from, to typeOID) bool {
	switch {
	case l.null || !isTime(to):
		return false
	case from == oidUnknown || familyOf(from) == texts:
		if slices.Contains(timeWords, lowerASCII(l.text)) {
			return true
		}
		_, refusal := readTime(to, l.text)
		_, plain := readTime(oidTimestamp, l.text)
		return to == oidTimestamptz && refusal != nil && plain == nil
	case from == oidDate || from == oidTimestamp:
		return to == oidTimestamptz
	case from == oidTimestamptz:
		return to != oidTimestamptz
	}
	return false
}

// checkZones refuses constants whose offset PostgreSQL would heed beside a value that it takes for a timestamp with time zone.
func (r *conditionReader) checkZones(row operand, constants []operand) *Refusal {
	if !row.zoned {
		return nil
	}
	for _, o := range constants {
		if o.param > 0 && o.cast == 0 {
			return at(o.loc, refuseZone(oidTimestamptz))
		}
		if o.param == 0 && o.fixed == nil && o.literal.oid == oidUnknown && !o.literal.null {
			if _, refusal := readTime(oidTimestamptz, o.literal.text); refusal == nil {
				return at(o.loc, refuseZone(oidTimestamptz))
			}
		}
	}
	return nil
}

func refuseZone(oid typeOID) *Refusal {
	return notSupported(fmt.Sprintf("date_trunc of a date is a %s, and this use of it on a protected table would depend on the time zone of the session", shownType(oid)),
		"Cast its result to date, and compare it with dates.")
}

// now reads CURRENT_DATE and the like.
func (r *conditionReader) now(v *pg.SQLValueFunction) (operand, *Refusal) {
	switch v.GetOp() {
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE:
		return r.clock("CURRENT_DATE", oidDate)
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP:
		return r.clock("CURRENT_TIMESTAMP", oidTimestamptz)
	case pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP:
		return r.clock("LOCALTIMESTAMP", oidTimestamp)
	}
	return operand{}, at(v.GetLocation(), notSupported("the current time and user are not supported in this form on a protected table",
		"Use current_date, current_timestamp, now() or localtimestamp, or write the value as a constant or a parameter."))
}

func (r *conditionReader) clock(sql string, oid typeOID) (operand, *Refusal) {
	return r.params.addFixed(&call{function: &overload{name: lowerASCII(sql), result: oid, plain: sql}}), nil
}

// castFixed casts a constant in the analyst's session.
func (r *conditionReader) castFixed(o operand, to typeOID) operand {
	from := r.typeOf(o)
	if from == oidUnknown {
		from = oidText
	}
	r.params.want(o, from)
	f := &overload{name: "::" + shownType(to), args: []typeOID{from}, result: to, plain: "(%s)::" + typeName(to)}
	return r.params.addFixed(&call{function: f, args: []operand{o}, loc: o.loc})
}
