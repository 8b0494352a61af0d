package expr

import (
	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/pgerror"
)

// textFunctions are those of texts, whose bounds are bytes. What one of them makes of a text is little; functions of functions can make
// it long, so that each says how long.
func textFunctions() []Overload {
	var list overloads
	for _, name := range []string{"lower", "upper", "initcap"} {
		list.add(simple(name, "text -> text").within(bounds.Recoded))
	}
	for _, name := range []string{"reverse", "btrim", "ltrim", "rtrim"} {
		list.add(simple(name, "text -> text").within(unchanged))
	}
	for _, name := range []string{"btrim", "ltrim", "rtrim"} {
		list.add(simple(name, "text text -> text").constants(1).checked(shortText(1)).within(unchanged))
	}
	for _, name := range []string{"length", "char_length", "character_length", "octet_length", "bit_length", "ascii"} {
		list.add(simple(name, "text -> int4").within(natural))
	}
	for _, name := range []string{"substring", "substr"} {
		list.add(
			simple(name, "text int4 -> text").constants(1).within(unchanged),
			simple(name, "text int4 int4 -> text").constants(1, 2).checked(notNegative(2, "22011", "negative substring length not allowed")).bounded(cut),
		)
	}
	for _, name := range []string{"lpad", "rpad"} {
		list.add(
			simple(name, "text int4 -> text").constants(1).checked(shortLength(1)).within(bounds.Padded),
			simple(name, "text int4 text -> text").constants(1, 2).checked(shortLength(1)).within(bounds.Padded),
		)
	}
	list.add(
		simple("octet_length", "bpchar -> int4").refused(BlankReason),
		simple("left", "text int4 -> text").constants(1).bounded(cut),
		simple("right", "text int4 -> text").constants(1).bounded(cut),
		patterned(simple("substring", "text text -> text")).checked(capturing).short().within(bounds.Extracted).sparse(),
		simple("substring", "text text text -> text").only("patterns with # are not supported: write a regular expression, substring(text FROM '...')"),
		simple("replace", "text text text -> text").constants(1, 2).checked(shortText(1, 2)).within(bounds.Replaced),
		simple("translate", "text text text -> text").constants(1, 2).checked(shortText(1, 2)).within(bounds.Recoded),
		simple("strpos", "text text -> int4").within(bounds.Found),
		simple("position", "text text -> int4").within(bounds.Found),
		simple("starts_with", "text text -> bool"),
		simple("split_part", "text text int4 -> text").constants(1, 2).checked(splitField).within(unchanged),
		patterned(simple("regexp_replace", "text text text -> text")).short().constants(1, 2).checked(replacement).within(bounds.Rematched),
		patterned(simple("regexp_replace", "text text text text -> text")).short().constants(1, 2, 3).checked(replaceFlags).within(bounds.Rematched),
		infix("||", "text text -> text").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Plus(v[1]) }),
	)
	return list
}

// cut is a text of which some characters are left, as the last argument says; all but some if that is negative.
func cut(args []argument, v []bounds.Bounds) bounds.Bounds {
	if n := integerOf(args[len(args)-1]); n >= 0 {
		return v[0].AtMost(n * bounds.MaxCharacterBytes)
	}
	return v[0]
}

// shortText bounds constant texts by which a function could make its result much longer.
func shortText(indexes ...int) func([]argument) *pgerror.Refusal {
	return func(args []argument) *pgerror.Refusal {
		for _, i := range indexes {
			if len(args[i].constant.Text) > bounds.MaxTextArgument {
				return argumentTooLong.With(bounds.MaxTextArgument)
			}
		}
		return nil
	}
}

func notNegative(i int, code, message string) func([]argument) *pgerror.Refusal {
	return func(args []argument) *pgerror.Refusal {
		if integerOf(args[i]) < 0 {
			return &pgerror.Refusal{Code: code, Message: message}
		}
		return nil
	}
}

func shortLength(i int) func([]argument) *pgerror.Refusal {
	return func(args []argument) *pgerror.Refusal {
		if integerOf(args[i]) > bounds.MaxTextArgument {
			return lengthTooLarge.With(bounds.MaxTextArgument)
		}
		return nil
	}
}

func splitField(args []argument) *pgerror.Refusal {
	if integerOf(args[2]) < 1 {
		return &pgerror.Refusal{Code: "22023", Message: "field position must be greater than zero on a protected table"}
	}
	return shortText(1)(args)
}
