package pgvalue

import "tacit/rewrite/pgerror"

// The refusals of constants that PostgreSQL would read.
var (
	bitString      = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "bit string constants are not supported on protected tables", Hint: "Write a number or a text."}
	castUnread     = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this cast is not supported in a condition on a protected table", Hint: "Constants may be cast to %[1]s, without a length or precision."}
	typeUnread     = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "constants of %[1]s are not supported on protected tables", Hint: "Compare listed columns with constants of their own type."}
	infiniteNumber = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "infinite constants of type numeric are not supported on protected tables", Hint: "Compare with a large number, such as 1e100."}
	tooManyDigits  = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "numbers of more than %[1]d digits are not supported on protected tables", Hint: "Write fewer digits."}
	timeUnread     = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]q is not supported as a constant of type %[2]s", Hint: timeHint}
	intervalUnread = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]q is not supported as a constant of type %[2]s",
		Hint: "Write numbers with units, such as '1 year 6 months', '30 days' or '04:30:00'."}
)
