package expr

import "tacit/rewrite/pgerror"

// The refusals of expressions.
var (
	// FunctionRefused names a function, and why it cannot be used so.
	FunctionRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this use of %[1]s is not supported on protected tables: %[2]s", Hint: functionHint}
	FunctionUnknown = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "function %[1]s is not supported on protected tables", Hint: "%[2]s" + functionHint}

	daysOfZone = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this use of an interval is not supported on protected tables: " + zoneReason,
		Hint: "Count days as hours, such as interval '168 hours', or write the time zone: (column AT TIME ZONE 'Europe/Rome') + interval '7 days'."}
	argumentVaries = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "argument %[1]d of %[2]s must be a constant on a protected table", Hint: "Write the value itself."}
	textTooLong    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s could make a text of the protected table too long, or take too long on one",
		Hint: "Cut the text short with left before, or ask for less in one expression."}
	mayFail = pgerror.Form{Code: pgerror.CodeNotSupported,
		Message: "%[1]s could fail on a row of the protected table, for a value out of the range of type %[2]s, or a division by zero",
		Hint:    "The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow."}
	mayDivide = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s could divide a row of the protected table by zero",
		Hint: "Write nullif(%[2]s, 0) for the divisor: a row without one is left out."}
	roundedTooFar    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "rounding to more than %[1]d digits is not supported on protected tables", Hint: "Round to fewer digits, for example: round(column, 2)."}
	argumentTooLong  = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "an argument of more than %[1]d bytes is not supported in a function on protected tables", Hint: "Use a shorter one."}
	lengthTooLarge   = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a length of more than %[1]d is not supported in a function on protected tables", Hint: "Use a shorter one."}
	wildcardsTooMany = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a LIKE pattern with more than %[1]d %% is not supported on protected tables", Hint: "Use a shorter pattern."}
	patternRefused   = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this pattern of %[1]d bytes is not supported on a protected table",
		Hint: "Patterns are at most %[2]d bytes long; regular expressions have no back references, no look-around and no embedded options, and repeat a part at most 100 times, not in nested repetitions."}
	captureRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this pattern of %[1]d bytes repeats something in parentheses, which is not supported where a part of the text is taken on a protected table",
		Hint: "Write (?:...) for all groups but one that is not repeated, or use ~ to test whether the text matches."}
	optionUnknown = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "option %[1]q of regexp_replace is not supported on a protected table", Hint: "Supported are g and i."}
	strideWrong   = pgerror.Form{Code: "22023", Message: "the stride of date_bin must be more than zero, and have no months or years"}
	unitUnknown   = pgerror.Form{Code: "22023", Message: "unit %[1]q is not supported on a protected table", Hint: "Supported are %[2]s."}
	formatUnknown = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "format %[1]q is not supported on a protected table",
		Hint: "Supported are YYYY, YY, IYYY, Q, MM, Month, Mon, WW, IW, W, DDD, DD, D, ID, Day, Dy, HH24, HH12, MI, SS, MS, US, AM, text in double quotes and punctuation."}
	comparedInZone = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "comparing %[1]s with %[2]s depends on the time zone of the session",
		Hint: "Use a constant of the column's own type."}
	comparisonRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "comparing %[1]s with %[2]s is not supported on protected tables", Hint: "%[3]s"}
	operatorUndefined = pgerror.Form{Code: pgerror.CodeUndefinedOp, Message: "operator does not exist: %[1]s %[2]s %[3]s",
		Hint: "No operator matches the given name and argument types. You might need to add explicit type casts."}
)

const ownHint = "A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). " +
	"For anything else keep its result in a table of your own first, or give the values as a list."

const functionHint = "Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; " +
	"docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts."
