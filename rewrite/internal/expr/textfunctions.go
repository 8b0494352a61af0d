package expr

import (
	"math/big"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/pgerror"
)

// textFunctions are those of texts, whose bounds are bytes. What one of them makes of a text is little; functions of functions can make
// it long, so that each says how long.
func textFunctions() []Overload {
	var list overloads
	for _, name := range []string{"lower", "upper", "initcap"} {
		list.add(simple(name, "text -> text").within(recoded))
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
			simple(name, "text int4 int4 -> text").constants(1, 2).checked(notNegative(2, "22011", "negative substring length not allowed")).within(unchanged),
		)
	}
	for _, name := range []string{"lpad", "rpad"} {
		list.add(
			simple(name, "text int4 -> text").constants(1).checked(shortLength(1)).within(padded),
			simple(name, "text int4 text -> text").constants(1, 2).checked(shortLength(1)).within(padded),
		)
	}
	list.add(
		simple("octet_length", "bpchar -> int4").refused(BlankReason),
		simple("left", "text int4 -> text").constants(1).within(unchanged),
		simple("right", "text int4 -> text").constants(1).within(unchanged),
		patterned(simple("substring", "text text -> text")).checked(capturing).short().within(extracted).sparse(),
		simple("substring", "text text text -> text").only("patterns with # are not supported: write a regular expression, substring(text FROM '...')"),
		simple("replace", "text text text -> text").constants(1, 2).checked(shortText(1, 2)).within(replaced),
		simple("translate", "text text text -> text").constants(1, 2).checked(shortText(1, 2)).within(recoded),
		simple("strpos", "text text -> int4").within(found),
		simple("position", "text text -> int4").within(found),
		simple("starts_with", "text text -> bool"),
		simple("split_part", "text text int4 -> text").constants(1, 2).checked(splitField).within(unchanged),
		patterned(simple("regexp_replace", "text text text -> text")).short().constants(1, 2).checked(replacement).within(rematched),
		patterned(simple("regexp_replace", "text text text text -> text")).short().constants(1, 2, 3).checked(replaceFlags).within(rematched),
		infix("||", "text text -> text").within(func(v []bounds.Bounds) bounds.Bounds { return v[0].Plus(v[1]) }),
	)
	return list
}

// recoded is a text of which each byte becomes at most the four of one other character: upper cases are up to three times as long.
func recoded(v []bounds.Bounds) bounds.Bounds {
	return v[0].Times(bounds.Integers(0, maxCharacterBytes))
}

// found is the place of a text in another. To look for it can take time in proportion to both lengths.
func found(v []bounds.Bounds) bounds.Bounds {
	if !v[0].Known() || !v[1].Known() || new(big.Rat).Mul(v[0].Greatest, v[1].Greatest).Cmp(big.NewRat(maxTextArgument*bounds.MaxTextBytes, 1)) > 0 {
		return bounds.Bounds{}
	}
	return bounds.Integers(0, bounds.MaxTextBytes)
}

// padded is a text, filled up to MaxTextArgument characters.
func padded(v []bounds.Bounds) bounds.Bounds {
	return v[0].Union(bounds.Integers(0, maxTextArgument*maxCharacterBytes), false)
}

// replaced is a text of which, at worst, each byte is replaced.
func replaced(v []bounds.Bounds) bounds.Bounds {
	return v[0].Times(v[2].Union(bounds.Integers(0, 1), false))
}

// rematched is a text of n bytes of which parts are replaced by r bytes each: at most n + 1 parts, one of them at the end, which share
// no byte, and in each replacement at most r/2 times the part itself (\&).
func rematched(v []bounds.Bounds) bounds.Bounds {
	one := bounds.Integers(1, 1)
	return extracted(v).Plus(one).Times(v[2].Plus(v[2]).Plus(one)).Union(bounds.Integers(0, 0), false)
}

const maxTextArgument = 100

// shortText bounds constant texts by which a function could make its result much longer.
func shortText(indexes ...int) func([]argument) *pgerror.Refusal {
	return func(args []argument) *pgerror.Refusal {
		for _, i := range indexes {
			if len(args[i].constant.Text) > maxTextArgument {
				return argumentTooLong.With(maxTextArgument)
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
		if integerOf(args[i]) > maxTextArgument {
			return lengthTooLarge.With(maxTextArgument)
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
