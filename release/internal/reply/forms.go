package reply

import "tacit/rewrite/pgerror"

// The refusals of release. Their text depends on the statement, the policy and the ledger, never on protected rows. Arguments are the
// table's name unless the text says otherwise.
var (
	RefuseClosed = pgerror.Form{Code: "55000", Message: "protected tables are closed",
		Detail: "The proxy could not confirm that analysts can reach protected rows in no other way.",
		Hint:   "Ask the steward to run `tacit check`. Other statements work."}
	RefuseLedger = pgerror.Form{Code: "58030", Message: "protected tables are closed: the privacy ledger cannot be used",
		Detail: "Without its ledger the proxy cannot tell what has been spent or answered.",
		Hint:   "Ask the steward to look at the proxy's log. Other statements work."}
	RefuseUnavailable = pgerror.Form{Code: "58000", Message: "the protected tables cannot be counted now", Detail: "No row was read and nothing was charged.",
		Hint: "Try again; if it persists, ask the steward to look at the proxy's log."}
	// RefuseSlowCells is for the evaluation of keys and conditions over declared values, before anything is counted.
	RefuseSlowCells = pgerror.Form{Code: "54000", Message: "finding the groups that the declared values have takes too long",
		Detail: "No row was read and nothing was charged.",
		Hint:   "Group by columns as they are, or by fewer of them, and write shorter conditions."}
	// RefuseLargeCells and RefuseFullMemory are for the texts of groups, before anything is counted.
	RefuseLargeCells = pgerror.Form{Code: "54000", Message: "the groups of this statement take too much memory", Detail: "No row was read and nothing was charged.",
		Hint: "Group by fewer columns or by shorter texts, or ask the steward about limits.memory."}
	RefuseFullMemory = pgerror.Form{Code: "53200", Message: "there is no memory left for the groups of this statement now",
		Detail: "Other statements have it. No row was read and nothing was charged.", Hint: "Try again when they have ended."}
	RefuseFailedCount = pgerror.Form{Code: "58000", Message: "the count could not be completed",
		Detail: "Its loss stays charged, because protected rows may have been read.",
		Hint:   "Ask the steward to look at the proxy's log before you try again."}
	RefuseClosedTable = pgerror.Form{Code: "55000", Message: "table %[1]s is closed, since a count of it failed",
		Detail: "Such a failure could tell of a row, so there is to be no second one.",
		Hint:   "Ask the steward to look at the proxy's log and to reload the policy. Questions about other tables work."}
	// RefuseUnknownZone and RefuseOtherZone are about a time zone.
	RefuseUnknownZone = pgerror.Form{Code: "22023", Message: `time zone "%[1]s" not recognized`,
		Detail: "Protected tables are counted with the abbreviations that PostgreSQL knows by default, whatever the session's timezone_abbreviations and TimeZone. Nothing was charged.",
		Hint:   "Write the name of a time zone, such as 'Europe/Rome'."}
	RefuseOtherZone = pgerror.Form{Code: "0A000", Message: `time zone "%[1]s" is another one in this session than in counts of protected tables`,
		Detail: "They know the abbreviations that PostgreSQL knows by default, whatever the session's timezone_abbreviations and TimeZone. Nothing was charged.",
		Hint:   "Write the name of a time zone, such as 'Europe/Rome'."}
	RefuseCancelled = pgerror.Form{Code: "57014", Message: "canceling statement due to user request", Detail: "A count that had begun stays charged."}
	RefuseChanged   = pgerror.Form{Code: "55000", Message: "the policy or the definition of table %[1]s has just changed", Detail: "Nothing was charged.",
		Hint: "Send the statement again; prepare it again if it was prepared."}
	RefuseStranger = pgerror.Form{Code: "28000", Message: "role %[1]q is no longer an analyst",
		Hint: "The policy has changed. Other statements work until you disconnect."}
	RefuseBusy = pgerror.Form{Code: "40001", Message: "the question is being answered elsewhere at the same time",
		Detail: "Other proxies were faster each time. What was charged stays charged.",
		Hint:   "Send the statement again: what they answered is free."}

	undeclaredValues = pgerror.Form{Code: "42501", Message: "a value of %[2]s of table %[1]s cannot be chosen, since its values are not declared, or too many",
		Detail: "Percentiles and modes are chosen among values that are known without the data. Nothing was charged.",
		Hint:   "Ask for counts by groups of it. Or ask the steward to declare its range or its values in the policy, or about limits.cells."}
	unlistedValues = pgerror.Form{Code: "42501", Message: "a value of %[2]s of table %[1]s cannot be chosen, since its values are not listed",
		Detail: "%[3]s Percentiles and modes are chosen among listed values. Nothing was charged.",
		Hint:   "Choose among rounded values: percentile_disc(0.5) WITHIN GROUP (ORDER BY %[4]s). Or ask for counts by groups of it."}
	noValues = pgerror.Form{Code: "22023", Message: "no declared value of %[2]s of table %[1]s meets the conditions", Detail: "Nothing was counted or charged.",
		Hint: "Let the conditions pass values within what is declared."}

	declaredKeysOnly = pgerror.Form{Code: "42501", Message: "the mechanism of table %[1]s is for declared keys only", Detail: "%[2]s",
		Hint: "Group %[3]sby columns with a declared domain, or ask the steward to declare one."}
	noDelta = pgerror.Form{Code: "42501", Message: "table %[1]s has no delta to release unknown keys with",
		Detail: "%[2]s Showing keys that are found in the data costs delta.",
		Hint: "Group %[3]sby columns with a declared domain; a condition in WHERE needs none. Or ask the steward to declare one, or to give the " +
			"table a mechanism.delta and a budget.delta in the policy."}
	movedKeys = pgerror.Form{Code: "42501", Message: "keys of table %[1]s that are not declared cannot be shown beside what persons have in another table, under replace-one",
		Detail: "%[2]s Two persons who are exchanged could come to one group that nobody had. Nothing was charged.",
		Hint:   "Put the condition on what persons have into WHERE or FILTER, by itself between ANDs; or group %[3]sby columns with a declared domain."}
	personKey = pgerror.Form{Code: "42501", Message: "groups by %[1]q of table %[2]s have one person each, and cannot be shown",
		Detail: "No threshold lets them pass: the answer would be empty. Nothing was charged.",
		Hint:   "Group by other columns, and count persons.", Instead: "SELECT count(DISTINCT %[3]s) FROM %[2]s"}
	noisyJoin = pgerror.Form{Code: "0A000", Message: "protected tables %[1]s and %[2]s cannot be joined in this count, which would need too much noise",
		Detail: "A join has the smaller epsilon and delta of its tables, here %[3]v and %[4]v, and the larger bounds of a person, here %[5]d rows in %[6]d groups. " +
			"Nothing was charged.",
		Hint: "Count each table in a sub-select of its own, or persons by count(DISTINCT ...); or ask the steward to raise the smaller epsilon."}
	noisySum = pgerror.Form{Code: "0A000", Message: "these sums of table %[1]s would need too much noise",
		Detail: "They share the loss of one count in %[2]d parts, and noise grows with the range of what is added up. Nothing was charged.",
		Hint:   "Ask for fewer aggregates in one statement; or ask the steward to narrow the range of the column, or to raise mechanism.epsilon."}
	tooManyCells = pgerror.Form{Code: "54000", Message: "GROUP BY %[1]s has more than %[2]d cells",
		Detail: "Every combination of the declared values is a cell, also those without rows. Nothing was charged.",
		Hint:   "Group by fewer columns, or ask the steward about limits.cells."}
	// RefuseTooMuch and RefuseTooManySelected say a limit.
	RefuseTooMuch = pgerror.Form{Code: "54000", Message: "the counts of the statement have more than %[1]d values together",
		Detail: "Keys and counts of all its cells are values. Nothing was charged.",
		Hint:   "Ask in several statements, or group by fewer columns."}
	RefuseTooManySelected = pgerror.Form{Code: "54000", Message: "more than %[1]d keys passed the threshold",
		Detail: "The loss stays charged, because protected rows were read.",
		Hint:   "Group by fewer columns, or ask the steward about limits.cells."}

	// RefuseOneLoss, RefuseAsExactAsItIs, RefuseWithin and RefuseTooExact refuse what tacit.within asks for.
	RefuseOneLoss = pgerror.Form{Code: "42501", Message: "counts of table %[1]s have one loss, and tacit.within cannot choose another",
		Detail: "The steward gives no bounds between which analysts choose (mechanism.epsilon.least and most). Nothing was charged.",
		Hint:   "Ask for the count as it is; EXPLAIN tells how exact that is: RESET tacit.within"}
	RefuseAsExactAsItIs = pgerror.Form{Code: "22023", Message: "counts of table %[1]s are exact to within ±%[3]d, and not to within ±%[2]d",
		Detail: "That is with probability 95%%. They have one loss: the steward gives no bounds between which analysts choose (mechanism.epsilon.least and most). Nothing was charged.",
		Hint:   "Ask for the count as it is: RESET tacit.within, or SET tacit.within = %[3]d"}
	RefuseWithin = pgerror.Form{Code: "0A000", Message: "tacit.within is for statements that only count rows or persons of table %[1]s",
		Detail: "Sums, averages, percentiles and modes have errors of other units. Nothing was charged.",
		Hint:   "Ask for counts in a statement of their own, or for all of it as it is: RESET tacit.within"}
	refuseShare = pgerror.Form{Code: "22023", Message: "tacit.within is %[1]v of the number of %[3]s of table %[2]s, which nobody has asked for yet",
		Detail: "A share refers to a number that was answered before, or that the policy declares: no row is looked at for it. Nothing was charged.",
		Hint:   "Write a number of rows, SET tacit.within = 25, or ask for that number once, which is charged as without the setting.", Instead: "SELECT %[4]s FROM %[2]s"}
	refuseSmallShare = pgerror.Form{Code: "22023", Message: "tacit.within is less than one row: %[1]v, of table %[2]s",
		Detail: "Nothing was charged.",
		Hint:   "Ask for a larger share, or for a number of rows: SET tacit.within = 25"}
	RefuseTooExact = pgerror.Form{Code: "22023", Message: "no loss that the steward of table %[1]s allows has these counts within %[2]d",
		Detail: "The most that one count may cost makes them exact to within ±%[3]d with probability 95%%. Nothing was charged.",
		Hint:   "Ask for that, or for less exact counts: SET tacit.within = %[3]d"}

	adjacencyChanged = pgerror.Form{Code: "55000", Message: "the adjacency of table %[1]s was changed after it was counted",
		Detail: "Losses under %[2]s do not add up with those under %[3]s. Nothing was charged.",
		Hint:   "Ask the steward to restore the policy."}
	overBudget = pgerror.Form{Code: "53400", Message: "%[1]s does not cover this answer",
		Detail: "The answer costs %[2]s%[3]s; left%[4]s: %[5]s. Nothing was charged.",
		Hint:   "%[6]sQuestions that were answered before stay free: repeat one, in any spelling. The steward can raise the budget."}
	tableFrozen = pgerror.Form{Code: "55000", Message: "table %[1]s is frozen: nothing new is answered",
		Detail: "The steward says why: %[2]s. Nothing was charged.",
		Hint:   "Questions that were answered before stay free: repeat one, in any spelling. The steward can thaw the table."}
	analystFrozen = pgerror.Form{Code: "55000", Message: "you are frozen on table %[1]s: nothing new is answered",
		Detail: "The steward says why: %[2]s. Nothing was charged.",
		Hint:   "Questions that were answered before stay free: repeat one, in any spelling. The steward can thaw you."}
)

// The refusals of questions about audited tables. None of them depends on a private value.
var (
	RefuseUnsealed = pgerror.Form{Code: "55000", Message: "table %[1]s has no epoch yet",
		Detail: "Its counts are exact as of the time at which the steward sealed an epoch, and none has been sealed. Nothing was charged.",
		Hint:   "Ask the steward to run `tacit seal`. Other statements work."}
	RefuseEpochOver = pgerror.Form{Code: "55000", Message: "the epoch of table %[1]s is over",
		Detail: "Rows were deleted or updated since it was sealed, or the table was moved or got other partitions, so that new counts cannot be taken as of then.",
		Hint:   "Counts that were released before are still answered, and so are those that follow from them. Ask the steward to seal a new epoch."}
	RefuseChangedColumns = pgerror.Form{Code: "55000", Message: "the columns of table %[1]s in the policy are others than when its epoch was sealed",
		Detail: "What was released about groups of some columns does not fit groups of others. Nothing was charged.",
		Hint:   "Ask the steward to restore the columns in the policy."}
	RefuseChangedAuditor = pgerror.Form{Code: "55000", Message: "the mechanism of table %[1]s in the policy is another than when its epoch was sealed",
		Detail: "What the auditor decided under one prior and one epsilon does not fit another. Nothing was charged.",
		Hint:   "Ask the steward to restore the mechanism in the policy. No new epoch takes in another."}
	RefuseAuditFlood = pgerror.Form{Code: "53400", Message: "you asked table %[1]s too many questions that are suppressed, in too short a time",
		Detail: "Every decision is written down once for what had been released before it, so that it can be proved again. Nothing was charged.",
		Hint:   "Wait a minute. What was released is answered as often as you like."}
	mixedValues = pgerror.Form{Code: "0A000", Message: "a count of table %[1]s counts different values of %[2]q for different people",
		Detail: "The auditor decides about the number of people of some groups who have one of some values. Nothing was charged. The question was: %[3]s",
		Hint: "Ask for each value by itself, for example by GROUP BY %[4]s or by count(*) FILTER (WHERE %[4]s = ...), " +
			"and add the counts in an outer query."}
	RefuseTooManyMembers = pgerror.Form{Code: "54000", Message: "finding out whom the statement counts of table %[1]s takes more than %[2]d values",
		Detail: "Each combination of the columns that it uses, with each value of the private one, has a value for each key and count. Nothing was charged.",
		Hint:   "Use fewer columns or fewer counts, or ask in several statements, or ask the steward about limits.cells."}
)
