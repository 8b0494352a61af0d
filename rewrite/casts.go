package rewrite

import (
	"fmt"
	"slices"
)

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
