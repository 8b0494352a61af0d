package expr

import (
	"fmt"
	"slices"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
)

// CastList are the casts between types that are total or proved to be.
var CastList = func() []Overload {
	cast := func(from, to string) Overload {
		f := define("::"+pgvalue.ShownType(typeNamed(to)), from+" -> "+to, "(%s)::pg_catalog."+to)
		return f
	}
	var list []Overload
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
	for _, to := range []string{"text", "varchar"} {
		label := cast("text", to).within(word) // of at most 63 bytes
		label.Args = []pgvalue.OID{pgvalue.Enum}
		list = append(list, label)
	}
	return append(list,
		cast("text", "varchar").within(unchanged), cast("date", "text").within(word),
		cast("bool", "int4").within(func([]bounds.Bounds) bounds.Bounds { return bounds.Integers(0, 1) }), cast("int4", "bool"),
		cast("date", "timestamp").within(unchanged), cast("timestamp", "date").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Floored() }),
	)
}()

// word is the text of a number, a boolean, a date or a uuid, or the label of an enum.
func word([]bounds.Bounds) bounds.Bounds { return bounds.Integers(0, 64) }

// numberCast completes a cast between numbers. To integers it rounds. Binary floating point is printed with 6 or 15 digits to become a
// decimal; and what is smaller than it can hold is an error, so that decimals lose their digits after the 120th or 36th.
func numberCast(f Overload) Overload {
	from, to := f.Args[0], f.Result
	switch {
	case pgvalue.IsInteger(to) && !pgvalue.IsInteger(from):
		return f.within(func(v []bounds.Bounds) bounds.Bounds { return v[0].ToWhole("round", from) })
	case to == pgvalue.Numeric && pgvalue.IsFloat(from):
		return f.within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Printed(from) })
	case from == pgvalue.Numeric && pgvalue.IsFloat(to):
		places := 120
		if to == pgvalue.Float4 {
			places = 36
		}
		f.Plain = f.SQL
		f.SQL = fmt.Sprintf("pg_catalog.round(%%s, %d)::%s", places, pgvalue.TypeName(to))
		return f.within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Places(places) })
	}
	return f.within(unchanged)
}

// CastBetween finds a cast.
func CastBetween(from, to pgvalue.OID) (*Overload, bool) {
	i := slices.IndexFunc(CastList, func(f Overload) bool { return f.Args[0] == from && f.Result == to })
	if i < 0 {
		return nil, false
	}
	return &CastList[i], true
}

func isCast(f *Overload) bool { return len(f.Name) > 2 && f.Name[:2] == "::" }
