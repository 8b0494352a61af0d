package rewrite

import (
	"fmt"
	"slices"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// An example is a question that is answered, for hints: SELECT class, count(*) FROM people GROUP BY class.
type example struct {
	table *expr.Table
	name  string   // as the analyst wrote it
	keys  []string // columns that she asked for, if any is listed
}

// statement counts by the columns that she asked for, or by one that is good for it; if she asked for persons, it counts these.
func (e example) statement() string { return e.counting("") }

// counting is the example with a name for the counts.
func (e example) counting(as string) string {
	count, keys, cells := "count(*)", []string(nil), 1
	for _, name := range e.keys {
		c := e.table.Column(name)
		switch {
		case e.table.Person != nil && name == e.table.Person.Column.Name:
			count = "count(DISTINCT " + pgvalue.QuoteIdentifier(name) + ")"
		case c == nil || !groupsWell(e.table, c) || slices.Contains(keys, name):
		case cells*(len(c.Domain)+1) <= maxExampleCells:
			keys, cells = append(keys, name), cells*(len(c.Domain)+1)
		}
	}
	if len(keys) == 0 {
		keys = defaultKey(e.table)
	}
	if as != "" {
		count += " AS " + as
	}
	list := pgvalue.QuoteList(keys)
	if list == "" {
		return "SELECT " + count + " FROM " + e.name
	}
	return fmt.Sprintf("SELECT %s, %s FROM %s GROUP BY %s", list, count, e.name, list)
}

// maxExampleCells bounds the cells of an example: the noise of each is the same, however few people it has.
const maxExampleCells = 10_000

// groupsWell reports whether counts by a column are answered and show something. Of values that are not declared, those with a fraction are
// as good as all different.
func groupsWell(t *expr.Table, c *expr.Column) bool {
	return c.Usable() && c.Name != t.Private && (c.Domain != nil || findsKeys(t) && !pgvalue.IsDecimal(c.TypeOID))
}

// findsKeys reports whether keys without declared values are shown.
func findsKeys(t *expr.Table) bool {
	m := t.Policy.Mechanism
	return t.Audited() || m.Delta > 0 && m.Kind != policy.DPSwapping && m.Kind != policy.DPSuppressionAlg2
}

// defaultKey is the first column of few declared values, else the first that can be a key. It is never the private one.
func defaultKey(t *expr.Table) []string {
	var keys []string
	for i := range t.Columns {
		c := &t.Columns[i]
		if !groupsWell(t, c) || len(c.Domain) >= maxExampleCells || t.Person != nil && c.Name == t.Person.Column.Name {
			continue
		}
		if c.Domain != nil {
			return []string{c.Name}
		}
		keys = append(keys, c.Name)
	}
	return keys[:min(len(keys), 1)]
}

// listedColumns names the columns that statements may use.
func listedColumns(t *expr.Table) string {
	listed := namesOfColumns(t.Columns)
	if t.Person != nil && t.Column(t.Person.Column.Name) == nil {
		if listed != "" {
			listed += ", "
		}
		column := pgvalue.QuoteIdentifier(t.Person.Column.Name)
		listed += column + " in count(DISTINCT " + column + ")"
	}
	return listed
}

func namesOfColumns(columns []expr.Column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return pgvalue.QuoteList(names)
}

func refuseRows(e example) *pgerror.Refusal { return rowsRead.With(e.name, e.statement()) }

// What is refused of statements: rows, tables and columns.
var (
	rowsRead = pgerror.Form{Code: pgerror.CodePrivilege, Message: "rows of protected table %[1]s cannot be read",
		Detail: "Only counts of its rows, in total or by groups, are answered.", Hint: "Ask for counts instead, for example.", Instead: "%[2]s"}
	groupsRead = pgerror.Form{Code: pgerror.CodePrivilege, Message: "groups of protected table %[1]s cannot be shown without their counts",
		Detail: rowsRead.Detail, Hint: rowsRead.Hint, Instead: rowsRead.Instead}
	rowsLocked = pgerror.Form{Code: pgerror.CodePrivilege, Message: "rows of protected table %[1]s cannot be locked", Hint: "Leave out FOR UPDATE or FOR SHARE."}
	tableUsed  = pgerror.Form{Code: pgerror.CodePrivilege, Message: "%[1]s is not allowed on protected table %[2]s",
		Hint: "Ask for counts in a SELECT, for example.", Instead: "SELECT count(*) FROM %[2]s"}
	relatedUsed = pgerror.Form{Code: pgerror.CodePrivilege, Message: "relation %[1]s belongs to a protected table and cannot be used",
		Hint: "Ask for counts of the protected table itself."}
	columnUnlisted = pgerror.Form{Code: pgerror.CodePrivilege, Message: "%[1]s %[2]q of protected table %[3]s cannot be used", Hint: "Usable columns are %[4]s."}
	columnUnknown  = pgerror.Form{Code: pgerror.CodeUndefinedColumn, Message: "column %[1]q does not exist",
		Hint: "%[3]sUsable columns are %[2]s; not those of an outer query, if there is one."}
	memberUnknown = pgerror.Form{Code: pgerror.CodeUndefinedColumn, Message: "column %[1]s.%[2]s does not exist", Hint: "%[4]sUsable columns are %[3]s."}
	innerColumn   = pgerror.Form{Code: pgerror.CodeAmbiguousColumn, Message: "column reference %[1]q in a sub-select may be to protected table %[2]s",
		Hint: "Qualify it with the name of its own table."}
	limitVariable   = pgerror.Form{Code: pgerror.CodeColumnReference, Message: "argument of %[1]s must not contain variables"}
	notBoolean      = pgerror.Form{Code: "42804", Message: "argument of %[1]s must be type boolean, not type %[2]s"}
	parameterUntold = pgerror.Form{Code: pgerror.CodeAmbiguousParam, Message: "could not determine data type of parameter $%[1]d",
		Hint: "Cast it, or let a comparison with a column stand first."}
	parameterShared = pgerror.Form{Code: pgerror.CodeAmbiguousParam,
		Message: "could not determine the data type of parameter $%[1]d, which stands inside and outside of a condition on a protected table",
		Hint:    "Cast it wherever it stands: $%[1]d::%[2]s."}
	reportUnknown = pgerror.Form{Code: pgerror.CodeUndefinedTable, Message: `relation "tacit.%[1]s" does not exist`,
		Detail: "The schema tacit is the proxy's own. It has %[2]s.", Hint: "%[3]s"}
	reportUsed = pgerror.Form{Code: pgerror.CodePrivilege, Message: "relation tacit.%[1]s can only be read by SELECT",
		Detail: "The proxy makes its rows from the policy and the ledger whenever it is read.",
		Hint:   "Keep what it shows now in a table of your own.", Instead: "CREATE TABLE kept AS SELECT * FROM tacit.%[1]s"}
	reportsTooMany = pgerror.Form{Code: pgerror.CodeLimit, Message: "a statement names relations of the schema tacit more than %[1]d times",
		Hint: "Keep what they show now in tables of your own."}
	stepsTooMany = pgerror.Form{Code: pgerror.CodeLimit, Message: "a text has more than %[1]d statements, and one about a protected table",
		Hint: "Send the statement about the protected table as one of its own."}
	setsTooMany = pgerror.Form{Code: pgerror.CodeLimit, Message: "a SELECT from an audited table has more than %[1]d grouping sets, or more than %[2]d keys in them",
		Hint: "Ask in several statements. What was released once stays free."}
	ungrouped = pgerror.Form{Code: pgerror.CodeGrouping, Message: "column %[1]q must appear in the GROUP BY clause or be used in an aggregate function",
		Hint: "Group by it, for example.", Instead: "%[2]s"}
	ungroupedOuter   = pgerror.Form{Code: pgerror.CodeGrouping, Message: "subquery uses ungrouped column %[1]q from outer query", Hint: ungrouped.Hint, Instead: "%[2]s"}
	aggregateUnknown = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "aggregate %[1]s is not supported on protected tables", Hint: "%[2]s", Instead: "%[3]s"}
	aggregateForm    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this form of %[1]s is not supported on protected tables", Hint: "%[2]s", Instead: "%[3]s"}
	sumOfSame        = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of a value that is the same for all rows is not supported on protected tables",
		Hint: "What it adds up to is the number of rows times the value. Ask for count(*)."}
	sumUndefined = pgerror.Form{Code: pgerror.CodeUndefinedOp, Message: "function %[1]s(%[2]s) does not exist",
		Hint: "Numbers of the rows are added up, and conditions as sum(CASE WHEN ... THEN 1 ELSE 0 END) or avg((...)::int)."}
	unbounded = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of a number without known bounds is not supported on protected tables",
		Detail: "The noise of a sum must hide the largest number that one row could have.",
		Hint:   "Add up columns whose range the steward has declared in the policy, or expressions of such columns, whose values are not beyond 1e18."}
	unboundedColumn = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of %[2]s is not supported, since the policy declares no range for the column",
		Detail: unbounded.Detail,
		Hint:   "Ask the steward to declare one, such as {range: [0, 120]}.%[3]s", Instead: "%[4]s"}
	sumOfParameter = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of a number whose bounds depend on a parameter is not supported on protected tables",
		Hint: "Write the value as a constant, or multiply the sum in an outer query."}
	sumMechanism = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of other values than 0 and 1 is not supported on table %[2]s, whose counts are sanitized by kind %[3]s",
		Detail: "Sums of numbers are released with noise alone: by kind geometric, laplace, gaussian or discrete-gaussian.",
		Hint:   "Ask for counts, such as sum(CASE WHEN ... THEN 1 ELSE 0 END), or for shares, such as avg((...)::int)."}
	extremeRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "aggregate %[1]s is not supported on protected tables: the value would be that of one row",
		Hint: "Ask for a percentile near it.", Instead: "%[2]s"}
	orderedAudited   = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s is not supported on an audited table", Hint: "The auditor decides about numbers of people. Group by the value, and find it by the counts in an outer query."}
	orderedMechanism = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s is not supported on a protected table whose mechanism is %[2]s",
		Detail: "A value is chosen with noise, as counts have it that are told with noise alone.", Hint: "Group by the value, and find it by the counts in an outer query."}
	orderedTotals = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s with grouping sets is not supported on protected tables",
		Hint: "The value of all does not follow from those of the groups. Ask for each grouping in a SELECT of its own."}
	orderedInterval = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "no interval of %[1]s is told, since its error is one of ranks",
		Hint: "The notice and EXPLAIN say within how many ranks it is."}
	orderedType = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of values of type %[2]s is not supported on protected tables",
		Hint: "Use it with numbers whose values the policy declares.%[3]s"}
	orderRefused    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s on a protected table takes rows in rising order alone", Hint: "Leave out DESC and NULLS. The 10th percentile from above is percentile_disc(0.9)."}
	fractionRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "the fraction of %[1]s on a protected table must be a constant above 0 and below 1, of at most 6 decimal places",
		Detail: "At 0 and 1 the value would be that of one row.", Hint: "Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75]."}
	distinctAudited = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "count(DISTINCT ...) is not supported on an audited table",
		Hint: "The auditor decides about numbers of people. Group by the value, and count the groups in an outer query."}
	joinRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "joining the rows of a protected table with this is not supported",
		Hint: "The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. " +
			"Or count in a sub-select and join its result.", Instead: "%[1]s"}
	joinWithoutPersons = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "the join of protected tables %[1]s and %[2]s is not along their persons",
		Hint:    "Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like.",
		Instead: "SELECT count(DISTINCT a.%[3]s) FROM %[1]s AS a JOIN %[2]s AS b ON a.%[3]s = b.%[4]s"}
	subselectProtected = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a sub-select of a protected table cannot stand in a condition on one",
		Hint: "It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables.", Instead: "%[1]s"}
	rowsCompared = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a sub-select of %[1]s cannot compare its rows with the row around it, but for the persons of both",
		Hint:    "Compare what is computed of all rows of each person: their number, sums, the least and the greatest.",
		Instead: "SELECT least(n, 10), count(*) FROM (SELECT %[2]s, count(*) AS n FROM %[1]s GROUP BY %[2]s) AS t GROUP BY 1"}
	personMissing = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "NOT IN is true of nobody if one row has no %[1]s, which can be NULL in %[2]s",
		Hint: "Leave these rows out by WHERE %[1]s IS NOT NULL in the sub-select, or ask by NOT EXISTS.", Instead: "%[3]s"}
	personAggregate = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s of this is not supported of the rows of each person in %[2]s",
		Hint: "Of the rows of each person there are count, sum and avg of whole numbers and decimals with known bounds, min and max of numbers and times, bool_and and bool_or, each with or without FILTER.", Instead: "%[3]s"}
	personUngrouped = pgerror.Form{Code: pgerror.CodeGrouping, Message: "column %[1]q of the rows of each person must be used in an aggregate function",
		Hint: "A sub-select by persons has one row for each, of aggregates of her rows.", Instead: "%[2]s"}
	personsMechanism = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "persons cannot be counted by their rows in table %[1]s, whose counts are sanitized by kind %[2]s",
		Detail: "That needs noise: kind geometric, laplace, gaussian or discrete-gaussian.", Hint: "Count the rows, or the persons by count(DISTINCT column)."}
	personsGrouped = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a sub-select of FROM must group the rows of %[1]s by %[2]s, and once",
		Hint: "One SELECT has all aggregates of the rows of each person.", Instead: "SELECT least(n, 10), count(*) FROM (SELECT %[2]s, count(*) AS n FROM %[1]s GROUP BY %[2]s) AS t GROUP BY 1"}
	subselectRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "sub-selects are not supported in a condition on a protected table",
		Hint: "Write the values as a list, or by IN with a sub-select of your own table, or join with a public table along a unique key of it."}
)

// What is refused of the parts of statements.
var (
	similarUnread = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this form of SIMILAR TO is not supported on a protected table",
		Hint: "Use LIKE, or ~ with a regular expression."}
	thresholdsUnread = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this form of width_bucket is not supported on a protected table",
		Hint: "Write the thresholds as an array of at most %[1]d rising constants, such as ARRAY[18, 65]."}
	aggregateMisplaced = pgerror.Form{Code: pgerror.CodeGrouping, Message: "aggregate functions are not allowed in %[1]s"}
	callRefused        = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this call of %[1]s is not supported on the rows of a protected table",
		Hint: conditionHint}
	argumentsNamed = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "named arguments are not supported on a protected table",
		Hint: "Give the arguments in their order."}
	tablesTooMany = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a join of more than two protected tables is not supported",
		Hint: joinCounts}
	quantifierRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this use of ANY or ALL is not supported in a condition on a protected table",
		Hint: "Write column = ANY (array), column <> ALL (array), or IN and NOT IN with a list."}
	arrayRefused   = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this array is not supported in a condition on a protected table", Hint: conditionHint}
	explainAnalyze = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "EXPLAIN ANALYZE is not supported for statements about protected tables",
		Hint: "EXPLAIN without ANALYZE tells what an answer costs; send the statement itself to run it."}
	explainFormat = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "EXPLAIN in the format %[1]s is not supported for statements about protected tables",
		Hint: "Use FORMAT TEXT or FORMAT JSON."}
	explainValue    = pgerror.Form{Code: "22023", Message: "unrecognized value for EXPLAIN option %[1]q: %[2]q"}
	explainOption   = pgerror.Form{Code: pgerror.CodeSyntax, Message: "unrecognized EXPLAIN option %[1]q"}
	columnAmbiguous = pgerror.Form{Code: pgerror.CodeAmbiguousColumn, Message: "column reference %[1]q is ambiguous"}
	columnBeside    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s %[2]q of table %[3]s cannot be used beside a protected table",
		Hint: "Usable columns are %[4]s."}
	typeRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "column %[1]q of type %[2]s cannot be used in conditions or as a key on a protected table",
		Hint: "Usable types are boolean, integers, numeric, real, double precision, text, varchar, char, date, timestamp, interval and uuid, and parts of jsonb and arrays."}
	parameterUnknown = pgerror.Form{Code: "42P02", Message: "there is no parameter $%[1]d"}
	copyToServer     = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "COPY of a query about a protected table to a file or program of the server is not supported",
		Hint: `Use COPY ... TO STDOUT, or psql's \copy.`}
	viewRefused  = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "views of protected tables are not supported", Hint: selectItself}
	mergeRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "MERGE with a protected table is not supported",
		Hint: "Use INSERT with a SELECT, or UPDATE."}
	ruleRefused   = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "rules about protected tables are not supported", Hint: selectItself}
	syntaxRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this syntax (%[1]s) is not supported in a statement about a protected table",
		Hint: keepCounts}
	lateralRefused    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "LATERAL is not supported around a protected table", Hint: "Leave out LATERAL."}
	selectsTooMany    = pgerror.Form{Code: pgerror.CodeLimit, Message: "a statement has more than %[1]d SELECTs from protected tables"}
	expressionRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this expression is not supported on a protected table", Hint: conditionHint}
	unprintable       = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this statement about a protected table cannot be reproduced exactly",
		Hint: keepCounts}
	executeRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "EXECUTE of a prepared statement about a protected table is not supported here",
		Hint: "Send EXECUTE alone."}
	variableArgument = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "argument %[1]d of EXECUTE of a prepared statement about a protected table is not a constant",
		Hint: "Write the value itself."}
	groupingAlone = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "GROUPING is supported on protected tables with grouping sets only",
		Hint: "Use ROLLUP, CUBE or GROUPING SETS."}
	subselectBeside = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a sub-select in an expression beside a join of a protected table is not supported",
		Hint: "Count in a sub-select in FROM, and use its result in the expression."}
	undeclaredBeside = pgerror.Form{Code: pgerror.CodePrivilege, Message: "rows of other tables cannot stand beside counts of table %[1]s by keys whose values are not known",
		Detail:  "A threshold would decide by its rows which keys have a count. Nothing was charged.",
		Hint:    "Equate columns whose values are declared, or a time with a calendar (generate_series) from a constant date to another. Or ask the steward to declare the values. Or count without keys.",
		Instead: "SELECT count(*) FROM %[1]s"}
	aggregateUnclear = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "an aggregate in this sub-select may be one over rows of a protected table",
		Hint: "Qualify its columns with the name of their own table."}
	sampleRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "TABLESAMPLE is not supported on protected tables", Hint: "Leave out TABLESAMPLE."}
	databaseNamed = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a protected table cannot be named with its database",
		Hint: "Leave out the name of the database."}
	onlyRefused    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "ONLY is not supported on protected tables", Hint: "Leave out ONLY."}
	columnsRenamed = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "renaming the columns of a protected table in FROM is not supported",
		Hint: "Use the table's own column names."}
	columnsTooMany = pgerror.Form{Code: pgerror.CodeColumnReference, Message: "table %[1]q has %[2]d columns available but %[3]d columns specified"}
	nameMissing    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this column of the select list needs a name", Hint: "Name it with AS."}
	joinForm       = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this form of JOIN is not supported on protected tables",
		Hint: "Write JOIN ... ON with an equality."}
	outerJoinAdds = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "an outer join that adds rows to those of a protected table is not supported",
		Hint: "Put the protected table on the side whose rows are kept: FROM protected LEFT JOIN public ON ...; groups without rows are shown all the same if the keys' values are declared."}
	joinKind = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this kind of JOIN is not supported on protected tables",
		Hint: "Use JOIN or LEFT JOIN with a public table, by equality with a unique key of it."}
	outerJoinProtected = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "an outer join of protected tables is not supported",
		Hint: "Use JOIN, or count in sub-selects and join their results."}
	truncatedZone = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "date_trunc of a date is a %[1]s, and this use of it on a protected table would depend on the time zone of the session",
		Hint: "Cast its result to date, and compare it with dates."}
	clockRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "the current time and user are not supported in this form on a protected table",
		Hint: "Use current_date, current_timestamp, now() or localtimestamp, or write the value as a constant or a parameter."}
	nameShadows = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "relation %[1]q has the name of a protected table and must be written with its schema",
		Hint: "Write the schema of your own table before its name; that of a temporary table is pg_temp."}
	transactionFailed = pgerror.Form{Code: "25P02", Message: "current transaction is aborted, commands ignored until end of transaction block",
		Hint: "End the transaction block by a ROLLBACK of its own, then send the other statements."}
	afterTransaction = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a statement about a protected table cannot follow the end of a transaction in one text",
		Hint: "Send it as a statement of its own."}
	executeBeside = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "prepared statement %[1]q cannot be prepared or deallocated and executed in one text",
		Hint: "Send EXECUTE as a statement of its own."}
	statementBeside = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "%[1]s cannot be sent in one text with a statement about a protected table",
		Hint: "Send it as a statement of its own."}
	setConfigBeside = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "set_config cannot be used in one text with a statement about a protected table",
		Hint: "Use SET, or send it as a statement of its own."}
	nameBeside = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "relation %[1]q has the name of a protected table and cannot be created or dropped in one text with a statement about one",
		Hint: "Send it as a statement of its own, or use another name."}
	setsTellApart = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "grouping sets that tell two columns of one value apart are not supported on an audited table",
		Hint: "Leave out one of the columns."}
	groupingArguments = pgerror.Form{Code: pgerror.CodeGrouping, Message: "arguments to GROUPING must be grouping expressions of the associated query level"}
	groupDistinct     = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "GROUP BY DISTINCT is not supported on protected tables", Hint: "Leave out DISTINCT."}
	positionNoInteger = pgerror.Form{Code: pgerror.CodeSyntax, Message: "non-integer constant in GROUP BY"}
	positionBeyond    = pgerror.Form{Code: pgerror.CodeColumnReference, Message: "GROUP BY position %[1]d is not in select list"}
	nameAmbiguous     = pgerror.Form{Code: pgerror.CodeAmbiguousColumn, Message: "GROUP BY %[1]q is ambiguous"}
	keyType           = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a protected table cannot be grouped by a value of type %[1]s",
		Hint: "Take a part of it: extract(day FROM ...) of an interval, document ->> 'key' of jsonb, list[1] of an array."}
	multiplePrepared = pgerror.Form{Code: pgerror.CodeSyntax, Message: "cannot insert multiple commands into a prepared statement"}
	numberRefused    = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this way to write a number is not supported beside a protected table",
		Hint: "Use decimal digits alone."}
	collationUnclear  = pgerror.Form{Code: "42P22", Message: "could not determine which collation to use for string comparison"}
	constantsCompared = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this comparison of two constants is not supported in a condition on a protected table",
		Hint: conditionHint}
	collateRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "COLLATE is not supported on a protected table",
		Hint: "Leave out COLLATE, and sort the answer by it: ORDER BY key COLLATE ..."}
	rowValues = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "row values are not supported here on protected tables",
		Hint: "They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b."}
	operatorRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "operator %[1]s is not supported on a protected table", Hint: conditionHint}
	collationOfCase = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a column with a collation of its own is not supported in CASE, COALESCE, GREATEST and LEAST on protected tables",
		Hint: "Compare the column with constants, for example: CASE WHEN column = 'a' THEN 'A' ELSE 'other' END."}
	caseType = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "values of type %[1]s are not supported in CASE, COALESCE, GREATEST and LEAST on protected tables",
		Hint: "Cast them to a type of numbers, texts, dates or times, for example: column::text."}
	intervalCase = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this interval is not supported in CASE, COALESCE, GREATEST and LEAST on protected tables",
		Hint: "Write a constant of days and hours, for example: least(discharged - admitted, interval '30 days')."}
	enumOrdered = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "operator %[1]s of an enum is not supported on a protected table",
		Hint: "Name the values: column IN ('a', 'b')."}
	listMixed = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "a list of both %[1]s and %[2]s is not supported on protected tables",
		Hint: "Use constants of the column's own type."}
	conversionRefused = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "taking %[1]s for %[2]s is not supported on protected tables",
		Hint: "Cast the values to one type, for example both to date: column::date."}
	operatorTypes = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "operator %[1]s is not supported for %[2]s on a protected table", Hint: conditionHint}
	castRefused   = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "casting %[1]s to %[2]s is not supported on a protected table", Hint: conditionHint}
	joinNotUnique = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "the join with %[1]s is not along a unique key of it, so that one row of the protected table could become several",
		Hint: "Unique keys are %[2]s; equate all columns of one with columns of the protected table, of the same type."}
	outerJoinCondition = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "this condition of an outer join is not supported on protected tables",
		Hint: "Use equalities with the unique key of the public table alone, and WHERE for the rest."}
	joinWithoutPerson = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "protected table %[1]s cannot be joined with another, since the policy names no column that tells its persons apart",
		Hint: "Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for %[2]s."}
	joinPersonTypes = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "protected tables %[1]s and %[2]s cannot be joined, since their persons are of different types (%[3]s, %[4]s)",
		Hint: joinCounts}
	joinCollations = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "protected tables %[1]s and %[2]s cannot be joined, since their persons have a collation of their own",
		Hint: joinCounts}
	joinOtherCollations = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "protected tables %[1]s and %[2]s cannot be joined, since the collations of their persons differ",
		Hint: joinCounts}
	joinMechanisms = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "protected tables %[1]s and %[2]s cannot be joined, since their counts are sanitized by mechanisms that do not combine",
		Hint: joinCounts}
	joinAdjacencies = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "protected tables %[1]s and %[2]s cannot be joined, since their losses are stated under different adjacencies",
		Hint: joinCounts}
	distinctTotals = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "count(DISTINCT ...) with grouping sets is not supported on protected tables",
		Hint: "The totals of different values do not follow from those of the groups. Ask for each grouping in a SELECT of its own."}
	countOfNull = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "count of NULL or of a parameter is not supported on protected tables",
		Hint: "count(*) counts rows."}
	countOfConstant = pgerror.Form{Code: pgerror.CodeNotSupported, Message: "count(DISTINCT constant) is not supported on protected tables",
		Hint: "count(*) counts rows."}
	countsTooMany = pgerror.Form{Code: pgerror.CodeLimit, Message: "a SELECT from a protected table has more than %[1]d different counts"}
)

const (
	joinCounts   = "Count in sub-selects and join their results."
	keepCounts   = "Keep the counts in a table of your own by CREATE TABLE AS, and go on from there."
	selectItself = "Send the SELECT itself; a question that was answered is free to ask again."
)

// personHint says how persons are counted, where a row is not a person.
func personHint(t *expr.Table) string {
	if t.Person == nil {
		return ""
	}
	return fmt.Sprintf("Persons are counted by count(DISTINCT %s). ", pgvalue.QuoteIdentifier(t.Person.Column.Name))
}
