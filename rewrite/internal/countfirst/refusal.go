package countfirst

import "tacit/rewrite/pgerror"

// What is refused of joins that keep the rows of the other side.
var (
	noEquality = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this join keeps rows beside a protected table, and no equality says which of its rows belong to which",
		Hint: "Equate a column of the protected table, or an expression of its columns, with one of the other side, in ON."}
	mixedCondition = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this condition on both sides of an outer join of a protected table is not supported",
		Hint: "Use equalities of an expression of the protected table's columns with one of the other side's, conditions on one side alone, or x >= day AND x < day + interval '1 day' " +
			"where day is generate_series of whole days."}
	whereProtected = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a condition in WHERE on the protected side of an outer join is not supported, since it would leave out the rows that nobody belongs to",
		Hint: "Write it in ON, where it leaves out rows of the protected table alone."}
	ungroupedProtected = pgerror.Form{Code: pgerror.CodeGrouping, Message: "a column of the protected side of an outer join stands outside of aggregates",
		Hint: "Group by columns of the other side, and show those."}
	noCount = pgerror.Form{Code: pgerror.CodePrivilege, Message: "rows of the protected side of an outer join cannot be read",
		Hint: "Group by columns of the other side, and count a column of the protected table: count(column)."}
	ofNobody = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this form of %[1]s is not supported in an outer join, since it may count rows that nobody belongs to",
		Hint: "Use count of a column of the protected table, or FILTER with comparisons of its columns, which are not true for such rows."}
	mixedAggregate = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of columns of both sides of a join with a protected table is not supported",
		Hint: "Use aggregates of one side alone, and compute with their results."}
	constantAggregate = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of constants alone is not supported beside an outer join of a protected table", Hint: "Use count of a column."}
	repeats           = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of columns of the other side is not supported in a join with a protected table, since each row of it would come once for each protected row",
		Hint: "Use max or min of a column that is the same in the whole group, or DISTINCT."}
	severalRows = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s is not supported where a group of an outer join may be of several rows of the other side",
		Hint: "Counts are added up, and nothing else. Group by a unique key of the public table, or by the column of generate_series itself."}
	starOfSeveral = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "count(*) is not supported where a group of an outer join may be of several rows of the other side",
		Hint: "It counts 1 for each row that nobody belongs to, and noise would make more of it. Use count of a column of the protected table."}
	volatileKey = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this expression of the other side of an outer join is not supported, since it may have another value each time",
		Hint: "Use columns, constants, operators, casts, and functions such as date_trunc, lower or coalesce. Compute others in a sub-select, and join that."}
	intervalRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "tacit.%[1]s is supported in an outer join for counts of a column of the protected side alone, where a group is one row of the other side",
		Hint: "Count in a sub-select, and join its counts."}
	auditedJoin = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "an outer join that keeps rows beside an audited table is not supported",
		Hint: "Count in a sub-select, and join its counts."}
	starRefused = pgerror.Form{Code: pgerror.CodePrivilege, Message: "* shows rows of the protected side of an outer join", Hint: "Name the columns of the other side, or write their table's name before the star."}
	correlated  = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this count for each row of an outer query is not supported",
		Hint: "Equate an expression of the protected table's columns with columns of the outer query in WHERE, and select one count of its rows."}
)
