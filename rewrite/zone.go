package rewrite

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
)

// What a timestamp with time zone looks like, as a date or by its hour, depends on the session's TimeZone, which is the analyst's, not
// the curator's. So such values of a row are turned to local time by the zone's name, as a constant that the analyst's own session
// gives; and constants without an offset are read by her session.
//
// PostgreSQL takes date_trunc of a date for that of a timestamp with time zone: midnight in the session's zone. Here it is computed
// without zones, and gets its zone back in the analyst's session when it is shown (operand.zoned).

// localTime is a timestamp with time zone of a row as local time.
func (r *conditionReader) localTime(o expr.Operand) expr.Operand { return r.timeIn(r.zone(), o) }

// timeIn is a timestamp with time zone of a row as the time in a zone.
func (r *conditionReader) timeIn(zone, o expr.Operand) expr.Operand {
	f, _ := expr.Resolve(expr.FunctionList["timezone"], []pgvalue.OID{pgvalue.Text, pgvalue.Timestamptz})
	o.Row = &expr.Call{Function: f, Args: []expr.Operand{zone, o}, Loc: o.Loc}
	return o
}

// instant is a date or a local time of a row as a timestamp with time zone: the session's.
func (r *conditionReader) instant(o expr.Operand) expr.Operand {
	if r.typeOf(o) == pgvalue.Date {
		f, _ := expr.CastBetween(pgvalue.Date, pgvalue.Timestamp)
		o.Row = &expr.Call{Function: f, Args: []expr.Operand{o}, Loc: o.Loc}
	}
	f, _ := expr.Resolve(expr.FunctionList["timezone"], []pgvalue.OID{pgvalue.Text, pgvalue.Timestamp})
	return expr.Operand{Row: &expr.Call{Function: f, Args: []expr.Operand{r.zone(), o}, Loc: o.Loc}, Loc: o.Loc}
}

// zone is the session's time zone, by a name that timezone() reads as the session does. Some zones have the name of an abbreviation, which timezone()
// takes for an offset that is the same in summer; these are links to others since release 2024b of the time zone database.
func (r *conditionReader) zone() expr.Operand {
	return r.params.addFixed(&expr.Call{Function: &expr.Overload{Name: "current_setting", Result: pgvalue.Text, Plain: "CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' " +
		"WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' " +
		"ELSE pg_catalog.current_setting('TimeZone') END"}})
}

// localTimes prepares the arguments of functions of times.
func (r *conditionReader) localTimes(name string, args []expr.Operand) []expr.Operand {
	if !slices.ContainsFunc(args, func(o expr.Operand) bool { return !o.IsConstant() }) {
		return args
	}
	args = slices.Clone(args)
	switch name {
	case "date_trunc":
		if len(args) == 2 && r.typeOf(args[1]) == pgvalue.Timestamptz {
			return append(args, r.zone())
		}
		if len(args) == 3 {
			return args
		}
	case "age":
		if len(args) == 1 {
			today, _ := r.clock("CURRENT_DATE", pgvalue.Date)
			args = []expr.Operand{today, args[0]}
		}
	case "date_part", "extract":
		switch {
		case len(args) != 2 || r.typeOf(args[1]) != pgvalue.Timestamptz:
		case scan.LowerASCII(args[0].Literal.Text) == "epoch": // which no zone changes
			args[1] = r.timeIn(expr.Operand{Literal: pgvalue.Literal{OID: pgvalue.Text, Text: "UTC"}}, args[1])
		default:
			args[1] = r.localTime(args[1])
		}
		return args
	case "to_char":
	case "-":
		for i, o := range args {
			if t := r.typeOf(o); o.IsConstant() && t == pgvalue.Timestamptz && len(args) == 2 && r.typeOf(args[1-i]) != pgvalue.Timestamptz {
				args[i] = r.castFixed(o, pgvalue.Timestamp)
			}
		}
		return args
	default:
		return args
	}
	for i, o := range args {
		switch t := r.typeOf(o); {
		case t == pgvalue.Date && o.IsConstant(), t == pgvalue.Timestamptz && o.IsConstant():
			args[i] = r.castFixed(o, pgvalue.Timestamp)
		case t == pgvalue.Timestamptz:
			args[i] = r.localTime(o)
		case t == pgvalue.Date:
			f, _ := expr.CastBetween(pgvalue.Date, pgvalue.Timestamp)
			args[i].Row = &expr.Call{Function: f, Args: []expr.Operand{o}, Loc: o.Loc}
			args[i].Zoned = name == "date_trunc"
		}
	}
	return args
}

// inZone has a constant that is compared with a time of the row, and whose meaning depends on the session's zone, clock or DateStyle, read by
// the analyst's session.
func (r *conditionReader) inZone(row, o expr.Operand) expr.Operand {
	to := r.typeOf(row)
	switch from := r.typeOf(o); {
	case !pgvalue.IsTime(to):
	case from == pgvalue.Timestamptz && to != pgvalue.Timestamptz:
		return r.castFixed(o, pgvalue.Timestamp)
	case o.Param == 0 && o.Fixed == nil && needsZone(o.Literal, from, to):
		return r.castFixed(o, to)
	case (from == pgvalue.Date || from == pgvalue.Timestamp) && to == pgvalue.Timestamptz && (o.Fixed != nil || o.Cast != 0):
		return r.castFixed(o, to)
	}
	return o
}

// needsZone reports whether a constant of a time depends on the session's zone, clock or DateStyle.
func needsZone(l pgvalue.Literal, from, to pgvalue.OID) bool {
	switch {
	case l.Null || !pgvalue.IsTime(to):
		return false
	case from == pgvalue.Unknown || pgvalue.FamilyOf(from) == pgvalue.Texts:
		if slices.Contains(pgvalue.TimeWords, scan.LowerASCII(l.Text)) {
			return true
		}
		_, refusal := pgvalue.ReadTime(to, l.Text)
		return refusal != nil && refusal.Code == pgerror.CodeNotSupported
	case from == pgvalue.Date || from == pgvalue.Timestamp:
		return to == pgvalue.Timestamptz
	case from == pgvalue.Timestamptz:
		return to != pgvalue.Timestamptz
	}
	return false
}

// checkZones refuses constants whose offset PostgreSQL would heed beside a value that it takes for a timestamp with time zone.
func (r *conditionReader) checkZones(row expr.Operand, constants []expr.Operand) *pgerror.Refusal {
	if !row.Zoned {
		return nil
	}
	for _, o := range constants {
		if o.Param > 0 && o.Cast == 0 {
			return pgerror.At(o.Loc, refuseZone(pgvalue.Timestamptz))
		}
		if o.Param == 0 && o.Fixed == nil && o.Literal.OID == pgvalue.Unknown && !o.Literal.Null {
			if _, refusal := pgvalue.ReadTime(pgvalue.Timestamptz, o.Literal.Text); refusal == nil {
				return pgerror.At(o.Loc, refuseZone(pgvalue.Timestamptz))
			}
		}
	}
	return nil
}

func refuseZone(oid pgvalue.OID) *pgerror.Refusal {
	return truncatedZone.With(pgvalue.ShownType(oid))
}

// now reads CURRENT_DATE and the like.
func (r *conditionReader) now(v *pg.SQLValueFunction) (expr.Operand, *pgerror.Refusal) {
	switch v.GetOp() {
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE:
		return r.clock("CURRENT_DATE", pgvalue.Date)
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP:
		return r.clock("CURRENT_TIMESTAMP", pgvalue.Timestamptz)
	case pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP:
		return r.clock("LOCALTIMESTAMP", pgvalue.Timestamp)
	}
	return expr.Operand{}, clockRefused.At(v.GetLocation())
}

func (r *conditionReader) clock(sql string, oid pgvalue.OID) (expr.Operand, *pgerror.Refusal) {
	return r.params.addFixed(&expr.Call{Function: &expr.Overload{Name: scan.LowerASCII(sql), Result: oid, Plain: sql}}), nil
}

// castFixed casts a constant in the analyst's session.
func (r *conditionReader) castFixed(o expr.Operand, to pgvalue.OID) expr.Operand {
	from := r.typeOf(o)
	if from == pgvalue.Unknown {
		from = pgvalue.Text
	}
	r.params.want(o, from)
	f := &expr.Overload{Name: "::" + pgvalue.ShownType(to), Args: []pgvalue.OID{from}, Result: to, Plain: "(%s)::" + pgvalue.TypeName(to)}
	return r.params.addFixed(&expr.Call{Function: f, Args: []expr.Operand{o}, Loc: o.Loc})
}
