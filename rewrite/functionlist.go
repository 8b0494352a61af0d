package rewrite

import (
	"fmt"
	"math/big"
	"regexp"
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

func (f overload) operator() overload { f.symbol = true; return f }

func (f overload) probing(arg int, as typeOID, sql string) overload {
	f.probed, f.probedAs, f.probe = arg, as, sql
	return f
}

const blankReason = "it heeds the blanks at the end of values of type character; cast them to text"

const zoneReason = "its result depends on the time zone of the session"

var functionList = func() map[string][]overload {
	list := make(map[string][]overload)
	add := func(functions ...overload) {
		for _, f := range functions {
			list[f.name] = append(list[f.name], f)
		}
	}
	simple := func(name, signature string) overload {
		args, _, _ := strings.Cut(signature, " -> ")
		marks := strings.TrimSuffix(strings.Repeat("%s, ", len(strings.Fields(args))), ", ")
		return define(name, signature, "pg_catalog."+name+"("+marks+")")
	}

	// Texts, in bytes. What one function makes of a text is little; functions of functions can make it long, so each says how long.
	for _, name := range []string{"lower", "upper", "initcap"} {
		add(simple(name, "text -> text").within(recoded))
	}
	for _, name := range []string{"reverse", "btrim", "ltrim", "rtrim"} {
		add(simple(name, "text -> text").within(unchanged))
	}
	for _, name := range []string{"btrim", "ltrim", "rtrim"} {
		add(simple(name, "text text -> text").constants(1).checked(shortText(1)).within(unchanged))
	}
	for _, name := range []string{"length", "char_length", "character_length", "octet_length", "bit_length", "ascii"} {
		add(simple(name, "text -> int4").within(natural))
	}
	for _, name := range []string{"substring", "substr"} {
		add(
			simple(name, "text int4 -> text").constants(1).within(unchanged),
			simple(name, "text int4 int4 -> text").constants(1, 2).checked(notNegative(2, "22011", "negative substring length not allowed")).within(unchanged),
		)
	}
	for _, name := range []string{"lpad", "rpad"} {
		add(
			simple(name, "text int4 -> text").constants(1).checked(shortLength(1)).within(padded),
			simple(name, "text int4 text -> text").constants(1, 2).checked(shortLength(1)).within(padded),
		)
	}
	add(
		simple("octet_length", "bpchar -> int4").refused(blankReason),
		simple("left", "text int4 -> text").constants(1).within(unchanged),
		simple("right", "text int4 -> text").constants(1).within(unchanged),
		patterned(simple("substring", "text text -> text")).within(unchanged),
		simple("replace", "text text text -> text").constants(1, 2).checked(shortText(1, 2)).within(replaced),
		simple("translate", "text text text -> text").constants(1, 2).checked(shortText(1, 2)).within(recoded),
		simple("strpos", "text text -> int4").within(natural),
		simple("position", "text text -> int4").within(natural),
		simple("starts_with", "text text -> bool"),
		simple("split_part", "text text int4 -> text").constants(1, 2).checked(splitField).within(unchanged),
		patterned(simple("regexp_replace", "text text text -> text")).constants(1, 2).within(rematched),
		patterned(simple("regexp_replace", "text text text text -> text")).constants(1, 2, 3).checked(replaceFlags).within(rematched),
		define("||", "text text -> text", "(%s OPERATOR(pg_catalog.||) %s)").operator().within(func(v []bounds) bounds { return v[0].plus(v[1]) }),
	)

	// Numbers.
	for _, oid := range []string{"int2", "int4", "int8", "numeric", "float4", "float8"} {
		same := oid + " " + oid + " -> " + oid
		sum, difference, quotient := bounds.plus, bounds.minus, bounds.over
		switch oid {
		case "int2", "int4", "int8":
			quotient = func(v, w bounds) bounds { return v.over(w).whole() }
		case "numeric":
			quotient = func(v, w bounds) bounds { return v.over(w).cut() }
			sum = func(v, w bounds) bounds { return v.plus(w).exact() }
			difference = func(v, w bounds) bounds { return v.minus(w).exact() }
		}
		add(
			define("+", same, "(%s OPERATOR(pg_catalog.+) %s)").operator().within(func(v []bounds) bounds { return sum(v[0], v[1]) }),
			define("-", same, "(%s OPERATOR(pg_catalog.-) %s)").operator().within(func(v []bounds) bounds { return difference(v[0], v[1]) }),
			define("*", same, "(%s OPERATOR(pg_catalog.*) %s)").operator().within(func(v []bounds) bounds { return v[0].times(v[1]) }),
			define("/", same, "(%s OPERATOR(pg_catalog./) %s)").operator().within(func(v []bounds) bounds { return quotient(v[0], v[1]) }),
			define("-", oid+" -> "+oid, "(OPERATOR(pg_catalog.-) %s)").operator().within(func(v []bounds) bounds { return v[0].negated() }),
			define("+", oid+" -> "+oid, "(OPERATOR(pg_catalog.+) %s)").operator().within(unchanged),
			simple("abs", oid+" -> "+oid).within(func(v []bounds) bounds { return v[0].magnitude() }),
		)
		if oid != "float4" && oid != "float8" {
			add(
				define("%", same, "(%s OPERATOR(pg_catalog.%%) %s)").operator().within(remainder),
				simple("mod", same).within(remainder),
			)
		}
	}
	for _, mixed := range []string{"float4 float8", "float8 float4"} { // which decide the type of integer and real
		for symbol, of := range map[string]func(v, w bounds) bounds{"+": bounds.plus, "-": bounds.minus, "*": bounds.times, "/": bounds.over} {
			add(define(symbol, mixed+" -> float8", "(%s OPERATOR(pg_catalog."+symbol+") %s)").operator().
				within(func(v []bounds) bounds { return of(v[0], v[1]) }))
		}
	}
	for _, oid := range []string{"numeric", "float8"} {
		for _, name := range []string{"ceil", "ceiling", "floor", "round", "trunc"} {
			add(simple(name, oid+" -> "+oid).within(func(v []bounds) bounds { return v[0].widened() }))
		}
		add(simple("sign", oid+" -> "+oid).within(func(v []bounds) bounds { return v[0].only(integers(-1, 1)) }))
		add(simple("width_bucket", oid+" "+oid+" "+oid+" int4 -> int4").constants(1, 2, 3).checked(bucketBounds).
			within(func(v []bounds) bounds { return v[0].only(integers(0, maxBuckets+1)) }))
		for _, name := range []string{"sqrt", "cbrt", "exp", "ln", "log", "power", "pow"} {
			signature := oid + " -> " + oid
			if strings.HasPrefix(name, "pow") {
				signature = oid + " " + oid + " -> " + oid
			}
			add(simple(name, signature).only("it fails for some values"))
		}
	}
	add(
		simple("round", "numeric int4 -> numeric").constants(1).checked(fewDigits(1)).within(digits),
		simple("trunc", "numeric int4 -> numeric").constants(1).checked(fewDigits(1)).within(digits),
		simple("div", "numeric numeric -> numeric").within(func(v []bounds) bounds { return v[0].over(v[1]).widened() }),
	)

	// Dates and times. Timestamps with time zone are turned to local time first, see localTime.
	add(
		define("+", "date int4 -> date", "(%s OPERATOR(pg_catalog.+) %s)").operator().within(func(v []bounds) bounds { return v[0].plus(v[1]) }),
		define("+", "int4 date -> date", "(%s OPERATOR(pg_catalog.+) %s)").operator().within(func(v []bounds) bounds { return v[0].plus(v[1]) }),
		define("-", "date int4 -> date", "(%s OPERATOR(pg_catalog.-) %s)").operator().within(func(v []bounds) bounds { return v[0].minus(v[1]) }),
		define("-", "date date -> int4", "(%s OPERATOR(pg_catalog.-) %s)").operator().within(func(v []bounds) bounds { return v[0].minus(v[1]) }),
		define("-", "timestamp timestamp -> interval", "(%s OPERATOR(pg_catalog.-) %s)").operator().within(elapsed),
		define("-", "timestamptz timestamptz -> interval", "(%s OPERATOR(pg_catalog.-) %s)").operator().within(elapsed),
		define("-", "interval -> interval", "(OPERATOR(pg_catalog.-) %s)").operator().only("intervals are not supported as values"),
		define("*", "interval float8 -> interval", "(%s OPERATOR(pg_catalog.*) %s)").operator().only("intervals are not supported as values"),
		define("*", "float8 interval -> interval", "(%s OPERATOR(pg_catalog.*) %s)").operator().only("intervals are not supported as values"),
		define("+", "interval interval -> interval", "(%s OPERATOR(pg_catalog.+) %s)").operator().only("intervals are not supported as values"),
		define("-", "interval interval -> interval", "(%s OPERATOR(pg_catalog.-) %s)").operator().only("intervals are not supported as values"),
	)
	for _, oid := range []string{"date", "timestamp"} {
		add(
			define("+", oid+" interval -> timestamp", "(%s OPERATOR(pg_catalog.+) %s)").operator().constants(1).within(shifted(0, 1)),
			define("-", oid+" interval -> timestamp", "(%s OPERATOR(pg_catalog.-) %s)").operator().constants(1).within(shifted(0, 1)),
			define("+", "interval "+oid+" -> timestamp", "(%s OPERATOR(pg_catalog.+) %s)").operator().constants(0).within(shifted(1, 0)),
		)
	}
	add(
		define("+", "timestamptz interval -> timestamptz", "(%s OPERATOR(pg_catalog.+) %s)").operator().only(zoneReason),
		define("-", "timestamptz interval -> timestamptz", "(%s OPERATOR(pg_catalog.-) %s)").operator().only(zoneReason),
		simple("timezone", "text timestamptz -> timestamp").constants(0).within(zoneShifted).
			probing(0, oidText, "pg_catalog.timezone(%s, '2000-01-01 00:00:00+00'::pg_catalog.timestamptz) IS NULL"),
		simple("timezone", "text timestamp -> timestamptz").constants(0).within(zoneShifted).
			probing(0, oidText, "pg_catalog.timezone(%s, '2000-01-01 00:00:00'::pg_catalog.timestamp) IS NULL"),
		simple("date_trunc", "text timestamp -> timestamp").constants(0).checked(units(0, truncUnits)).within(truncated),
		simple("date_trunc", "text timestamptz -> timestamptz").only(zoneReason),
		simple("date_trunc", "text timestamptz text -> timestamptz").constants(0, 2).checked(units(0, truncUnits)).within(func(v []bounds) bounds { return truncated(v[:2]) }).
			probing(2, oidText, "pg_catalog.timezone(%s, '2000-01-01 00:00:00'::pg_catalog.timestamp) IS NULL"),
		simple("date_trunc", "text interval -> interval").only("intervals are not supported as values"),
		simple("date_bin", "interval timestamp timestamp -> timestamp").constants(0, 2).checked(binStride).within(binned),
		simple("date_bin", "interval timestamptz timestamptz -> timestamptz").constants(0, 2).checked(binStride).within(binned),
		simple("to_timestamp", "float8 -> timestamptz").within(func(v []bounds) bounds { return v[0].over(exactly(big.NewRat(86400, 1))) }),
		simple("to_timestamp", "text text -> timestamptz").only("it fails for some values"),
		simple("to_char", "timestamp text -> text").constants(1).checked(timeFormat).within(formatted),
		simple("to_char", "timestamptz text -> text").only(zoneReason),
		simple("to_char", "numeric text -> text").only("number formats are not supported"),
		simple("to_char", "int4 text -> text").only("number formats are not supported"),
		simple("to_char", "int8 text -> text").only("number formats are not supported"),
		simple("to_char", "float8 text -> text").only("number formats are not supported"),
		simple("to_char", "interval text -> text").only("intervals are not supported as values"),
		simple("age", "timestamp timestamp -> interval").within(elapsed),
		simple("age", "timestamptz timestamptz -> interval").only(zoneReason),
		simple("to_date", "text text -> date").only("it fails for some values"),
		simple("make_date", "int4 int4 int4 -> date").only("it fails for some values"),
		simple("now", " -> timestamptz").only("it is the same for all rows"),
		simple("current_setting", "text -> text").only("it depends on the session"),
	)
	for _, source := range []struct {
		oid   string
		units []string
		why   string
	}{
		{"date", dateFields, ""}, {"timestamp", timeFields, ""}, {"interval", intervalFields, ""}, {"timestamptz", nil, zoneReason},
	} {
		part := simple("date_part", "text "+source.oid+" -> float8").constants(0).checked(units(0, source.units))
		extract := define("extract", "text "+source.oid+" -> numeric", "pg_catalog.date_part(%s, %s)::pg_catalog.numeric").
			constants(0).checked(units(0, source.units))
		extract.plain = "pg_catalog.date_part(%s, %s)::pg_catalog.numeric"
		part.boundsOf, extract.boundsOf = fieldBounds, fieldBounds
		if source.why != "" {
			part, extract = part.only(source.why), extract.only(source.why)
		}
		add(part, extract)
	}

	// Patterns.
	for symbol, name := range map[string]string{"~~": "LIKE", "!~~": "NOT LIKE", "~~*": "ILIKE", "!~~*": "NOT ILIKE"} {
		f := define(symbol, "text text -> bool", "(%s OPERATOR(pg_catalog."+symbol+") %s)").operator().constants(1).checked(likePattern)
		f.name = name
		list[symbol] = append(list[symbol], f)
		list[symbol] = append(list[symbol], define(name, "bpchar text -> bool", "").operator().refused(blankReason))
		list[name] = list[symbol]
	}
	for _, symbol := range []string{"~", "!~", "~*", "!~*"} {
		add(
			patterned(define(symbol, "text text -> bool", "(%s OPERATOR(pg_catalog."+symbol+") %s)").operator()),
			define(symbol, "bpchar text -> bool", "").operator().refused(blankReason),
		)
	}
	add(
		simple("like_escape", "text text -> text").only("patterns must be constants"),
		simple("similar_to_escape", "text -> text").only("patterns must be constants"),
		simple("similar_to_escape", "text text -> text").only("patterns must be constants"),
	)
	return list
}()

// castList are the casts between types that are total or proved to be.
var castList = func() []overload {
	cast := func(from, to string) overload {
		f := define("::"+shownType(typeNamed(to)), from+" -> "+to, "(%s)::pg_catalog."+to)
		return f
	}
	var list []overload
	numbers := []string{"int2", "int4", "int8", "numeric", "float4", "float8"}
	for _, from := range numbers {
		for _, to := range numbers {
			if from != to {
				list = append(list, numberCast(cast(from, to)))
			}
		}
	}
	for _, from := range []string{"int2", "int4", "int8", "bool", "uuid"} {
		list = append(list, cast(from, "text").within(word), cast(from, "varchar").within(word))
	}
	for _, from := range []string{"varchar", "bpchar"} {
		list = append(list, cast(from, "text").within(unchanged), cast(from, "varchar").within(unchanged))
	}
	return append(list,
		cast("text", "varchar").within(unchanged), cast("date", "text").within(word),
		cast("bool", "int4").within(func([]bounds) bounds { return integers(0, 1) }), cast("int4", "bool"),
		cast("date", "timestamp").within(unchanged), cast("timestamp", "date").within(unchanged),
	)
}()

// word is the text of a number, a boolean, a date or a uuid.
func word([]bounds) bounds { return integers(0, 64) }

// numberCast completes a cast between numbers. To integers it rounds. Binary floating point is printed with 6 or 15 digits to become a
// decimal; and what is smaller than it can hold is an error, so that decimals lose their digits after the 120th or 36th.
func numberCast(f overload) overload {
	from, to := f.args[0], f.result
	switch {
	case IsInteger(to) && !IsInteger(from):
		return f.within(func(v []bounds) bounds { return v[0].widened() })
	case to == oidNumeric && isFloat(from):
		return f.within(func(v []bounds) bounds { return v[0].printed(from) })
	case from == oidNumeric && isFloat(to):
		places := 120
		if to == oidFloat4 {
			places = 36
		}
		f.plain = f.sql
		f.sql = fmt.Sprintf("pg_catalog.round(%%s, %d)::%s", places, typeName(to))
		return f.within(func(v []bounds) bounds { return v[0].places(places) })
	}
	return f.within(unchanged)
}

// castBetween finds a cast.
func castBetween(from, to typeOID) (*overload, bool) {
	i := slices.IndexFunc(castList, func(f overload) bool { return f.args[0] == from && f.result == to })
	if i < 0 {
		return nil, false
	}
	return &castList[i], true
}

// unchanged is the first argument, or a part of it.
func unchanged(v []bounds) bounds { return v[0] }

// natural is a length or a position.
func natural([]bounds) bounds { return integers(0, 1<<31-1) }

// recoded is a text of which each byte becomes at most the four of one other character: upper cases are up to three times as long.
func recoded(v []bounds) bounds { return v[0].times(integers(0, maxCharacterBytes)) }

// padded is a text, filled up to maxTextArgument characters.
func padded(v []bounds) bounds {
	return v[0].union(integers(0, maxTextArgument*maxCharacterBytes), false)
}

// replaced is a text of which, at worst, each byte is replaced.
func replaced(v []bounds) bounds { return v[0].times(v[2].union(integers(0, 1), false)) }

// rematched is a text of n bytes of which parts are replaced by r bytes each: at most n + 1 parts, one of them at the end, which share
// no byte, and in each replacement at most r/2 times the part itself (\&).
func rematched(v []bounds) bounds {
	one := integers(1, 1)
	return v[0].plus(one).times(v[2].plus(v[2]).plus(one)).union(integers(0, 0), false)
}

// remainder has the sign of the dividend and is smaller than the divisor.
func remainder(v []bounds) bounds {
	if v[1].hasZero() || !v[0].known() {
		return bounds{}
	}
	limit := v[1].magnitude().greatest
	return between(new(big.Rat).Neg(limit), limit).exact()
}

// digits is a number rounded to digits before or after the point: at most a unit of the last place more, and a multiple of one.
func digits(v []bounds) bounds {
	if !v[0].known() {
		return bounds{}
	}
	unit := new(big.Rat).Add(powerOfTen(maxRoundedDigits), big.NewRat(1, 1))
	return bounds{new(big.Rat).Sub(v[0].least, unit), new(big.Rat).Add(v[0].greatest, unit), -maxRoundedDigits - 1}
}

// shifted is a time moved by an interval, whose bounds hold the days.
func shifted(time, days int) func(v []bounds) bounds {
	return func(v []bounds) bounds {
		far := v[days].magnitude()
		if !far.known() {
			return bounds{}
		}
		return v[time].plus(between(new(big.Rat).Neg(far.greatest), far.greatest))
	}
}

// elapsed is the time between two times, neither of which may be infinite.
func elapsed(v []bounds) bounds { return v[0].minus(v[1]) }

// formatted is a time in a format of at most maxTextArgument bytes, of which none stands for more than ten.
func formatted([]bounds) bounds { return integers(0, 10*maxTextArgument) }

// binned is a time moved back by less than the stride, or, before the origin, forward to it.
func binned(v []bounds) bounds {
	if !v[0].known() || !v[2].known() {
		return bounds{}
	}
	return shifted(1, 0)(v)
}

// binStride is what date_bin checks when it reaches a row.
func binStride(args []argument) *Refusal {
	stride := args[0].constant
	wrong := func(part string) bool { return strings.Contains(stride.text, part) }
	if slices.ContainsFunc([]string{"-", "mon", "year"}, wrong) || stride.number.Sign() == 0 {
		return &Refusal{Code: "22023", Message: "the stride of date_bin must be more than zero, and have no months or years"}
	}
	return nil
}

// zoneShifted is a time moved by the offset of a time zone: at most 168 hours (DecodePosixTimezone, and tzparse in localtime.c).
func zoneShifted(v []bounds) bounds {
	return v[1].plus(integers(-8, 8))
}

// truncated is a time cut to at most a millennium.
func truncated(v []bounds) bounds { return v[1].plus(integers(-366*1001, 0)) }

// fieldBounds hold every field of a time, or of an interval, of at most d days.
//
// An epoch is 86400 seconds a day; that of an interval with months, which count 30 days, and years, which count 365.25, is off by less
// than 400 days. Julian days begin 2440588 before 1970. Seconds with their fractions are less than 61 in millionths. All else is at most
// d, as the days of an interval are; or, of a time, the year, d / 365 away from 1970; or below 400, as the day of the year.
func fieldBounds(args []argument, v []bounds) bounds {
	if !v[1].known() {
		return bounds{}
	}
	unit, days := lowerASCII(args[0].constant.text), v[1].magnitude().greatest
	limit := new(big.Rat).Add(days, big.NewRat(400, 1))
	switch {
	case unit == "epoch" && isTime(args[1].oid):
		seconds := v[1].times(exactly(big.NewRat(86400, 1)))
		return bounds{seconds.least, seconds.greatest, -10}
	case unit == "epoch":
		limit.Mul(limit, big.NewRat(86400, 1))
	case unit == "julian":
		limit.Add(limit, big.NewRat(2_440_588, 1))
	case strings.HasPrefix(unit, "micro"), strings.HasPrefix(unit, "milli") && unit != "millennium":
		limit.SetInt64(61_000_000)
	case isTime(args[1].oid):
		limit.Quo(days, big.NewRat(365, 1)).Add(limit, big.NewRat(1970+400, 1))
	}
	return bounds{new(big.Rat).Neg(limit), limit, -10}
}

var (
	truncUnits = []string{"microseconds", "milliseconds", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade", "century", "millennium"}
	dateFields = []string{"century", "day", "decade", "dow", "doy", "epoch", "isodow", "isoyear", "julian", "millennium", "month", "quarter", "week", "year"}
	timeFields = slices.Concat(dateFields, []string{"hour", "minute", "second", "microseconds", "milliseconds"})
	// intervalFields leave out those that only dates have.
	intervalFields = []string{"century", "day", "decade", "hour", "microseconds", "millennium", "milliseconds", "minute", "month", "quarter", "second", "year"}
)

// units allows the units of a function; PostgreSQL reads them without regard to case, and some in the plural.
func units(i int, known []string) func([]argument) *Refusal {
	return func(args []argument) *Refusal {
		unit := lowerASCII(args[i].constant.text)
		if slices.Contains(known, unit) || slices.Contains(known, strings.TrimSuffix(unit, "s")) {
			return nil
		}
		return &Refusal{
			Code:    "22023",
			Message: fmt.Sprintf("unit %q is not supported on a protected table", args[i].constant.text),
			Hint:    "Supported are " + strings.Join(known, ", ") + ".",
		}
	}
}

const maxTextArgument = 100

// shortText bounds constant texts by which a function could make its result much longer.
func shortText(indexes ...int) func([]argument) *Refusal {
	return func(args []argument) *Refusal {
		for _, i := range indexes {
			if len(args[i].constant.text) > maxTextArgument {
				return notSupported(fmt.Sprintf("an argument of more than %d bytes is not supported in a function of a column of a protected table", maxTextArgument), "")
			}
		}
		return nil
	}
}

func integerOf(a argument) int64 {
	n, _ := strconv.ParseInt(a.constant.text, 10, 64)
	return n
}

func notNegative(i int, code, message string) func([]argument) *Refusal {
	return func(args []argument) *Refusal {
		if integerOf(args[i]) < 0 {
			return &Refusal{Code: code, Message: message}
		}
		return nil
	}
}

func shortLength(i int) func([]argument) *Refusal {
	return func(args []argument) *Refusal {
		if integerOf(args[i]) > maxTextArgument {
			return notSupported(fmt.Sprintf("a length of more than %d is not supported in a function of a column of a protected table", maxTextArgument), "")
		}
		return nil
	}
}

func splitField(args []argument) *Refusal {
	if integerOf(args[2]) < 1 {
		return &Refusal{Code: "22023", Message: "field position must be greater than zero on a protected table"}
	}
	return shortText(1)(args)
}

const maxRoundedDigits = 100

func fewDigits(i int) func([]argument) *Refusal {
	return func(args []argument) *Refusal {
		if n := integerOf(args[i]); n > maxRoundedDigits || n < -maxRoundedDigits {
			return notSupported(fmt.Sprintf("rounding to more than %d digits is not supported on protected tables", maxRoundedDigits), "")
		}
		return nil
	}
}

const maxBuckets = 1_000_000

// bucketBounds are what width_bucket checks when it reaches a row.
func bucketBounds(args []argument) *Refusal {
	low, high := args[1].constant, args[2].constant
	switch n := integerOf(args[3]); {
	case n <= 0 || n > maxBuckets:
		return &Refusal{Code: "2201G", Message: "count must be greater than zero", Detail: fmt.Sprintf("On a protected table it is at most %d.", maxBuckets)}
	case low.number == nil || high.number == nil:
		return &Refusal{Code: "2201G", Message: "lower and upper bounds must be finite"}
	case low.number.Cmp(high.number) == 0:
		return &Refusal{Code: "2201G", Message: "lower bound cannot equal upper bound"}
	}
	for _, bound := range []*big.Rat{low.number, high.number} {
		if new(big.Rat).Abs(bound).Cmp(guardedMagnitude) > 0 {
			return &Refusal{Code: "2201G", Message: "lower and upper bounds must be between -1e100 and 1e100 on a protected table"}
		}
	}
	return nil
}

// timeWord is what a format of to_char is made of here: fields that exist for every date and time, and what stands between them.
var timeWord = regexp.MustCompile(`^(?:FM|IYYY|YYYY|IYY|YYY|IY|YY|Month|MONTH|month|Mon|MON|mon|Day|DAY|day|Dy|DY|dy|IDDD|DDD|DD|ID|D|HH24|HH12|HH|MI|MM|MS|US|SS|IW|WW|W|CC|Q|AM|PM|am|pm|"[^"\\]*"|[-/.,:; _])`)

func timeFormat(args []argument) *Refusal {
	for rest := args[1].constant.text; rest != ""; {
		word := timeWord.FindString(rest)
		if word == "" || len(args[1].constant.text) > maxTextArgument {
			return &Refusal{
				Code:    codeNotSupported,
				Message: fmt.Sprintf("format %q is not supported on a protected table", args[1].constant.text),
				Hint:    `Supported are YYYY, YY, IYYY, Q, MM, Month, Mon, WW, IW, W, DDD, DD, D, ID, Day, Dy, HH24, HH12, MI, SS, MS, US, AM, text in double quotes and punctuation.`,
			}
		}
		rest = rest[len(word):]
	}
	return nil
}

const maxPattern = 1000

// likePattern is what LIKE checks when it reaches a row: an escape character at the end.
func likePattern(args []argument) *Refusal {
	pattern := args[1].constant.text
	if len(pattern) > maxPattern {
		return refusePattern(pattern)
	}
	trailing := len(pattern) - len(strings.TrimRight(pattern, `\`))
	if trailing%2 == 1 {
		return &Refusal{Code: "22025", Message: "LIKE pattern must not end with escape character"}
	}
	if strings.Count(strings.ReplaceAll(pattern, `\%`, ""), "%") > maxWildcards {
		return notSupported(fmt.Sprintf("a LIKE pattern with more than %d %% is not supported on protected tables", maxWildcards), "Use a shorter pattern.")
	}
	return nil
}

// maxWildcards bounds the backtracking of LIKE.
const maxWildcards = 10

func refusePattern(pattern string) *Refusal {
	return notSupported(fmt.Sprintf("this pattern of %d bytes is not supported on a protected table", len(pattern)),
		fmt.Sprintf("Patterns are at most %d bytes long; regular expressions have no back references, no look-around and no embedded options, and repeat a part at most 100 times, not in nested repetitions.", maxPattern))
}

// patterned is a function whose second argument is a regular expression. Without back references PostgreSQL matches in time linear in
// the value; the pattern itself is compiled first in the analyst's own session, at her cost.
func patterned(f overload) overload {
	return f.constants(1).checked(regularExpression).
		probing(1, oidText, "(''::pg_catalog.text OPERATOR(pg_catalog.~) %s) IS NULL")
}

var (
	hardRegexp = regexp.MustCompile(`\\[1-9]|\(\?[^:]|\(\?$|^\*\*\*|\\[mMyYAZ<>]|\[\[[:<>]`)
	repetition = regexp.MustCompile(`\{(\d+)(?:,(\d*))?\}`)
)

func regularExpression(args []argument) *Refusal {
	pattern := args[1].constant.text
	if len(pattern) > maxPattern || hardRegexp.MatchString(pattern) {
		return refusePattern(pattern)
	}
	repetitions := repetition.FindAllStringSubmatch(pattern, -1)
	total := 1
	for _, r := range repetitions {
		n, _ := strconv.Atoi(r[1])
		if m, err := strconv.Atoi(r[2]); err == nil {
			n = max(n, m)
		}
		if total *= max(n, 1); n > 100 || total > 1000 {
			return refusePattern(pattern)
		}
	}
	return nil
}

// replaceFlags allows the flags of regexp_replace that do not change how the pattern is read.
func replaceFlags(args []argument) *Refusal {
	if strings.Trim(args[3].constant.text, "gi") != "" {
		return notSupported(fmt.Sprintf("option %q of regexp_replace is not supported on a protected table", args[3].constant.text), "Supported are g and i.")
	}
	return regularExpression(args)
}
