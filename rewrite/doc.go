// Package rewrite reads an analyst's SQL and says what is to be done with it.
//
// [Analyze] is where to start. Against an analyst who may send any text, it guarantees that a statement is relayed as it
// is only if it names no protected table and changes no setting on which this reading of SQL depends; that whatever it does
// answer was read completely, from an allow-list of syntax, and is printed again from the tree, never copied; and that the SQL
// for the curator (package query) cannot raise an error that depends on a
// row, has every constant as an argument, and names everything with its schema. It calls nothing but functions and operators of
// pg_catalog: those that the analyst wrote and package expr lists, each with a proof that it cannot fail; count, unnest, and
// trim_scale for keys; octet_length and round, by which values that a function could fail on become NULL or zero; timezone for local
// times; generate_series, of constants, for the times that a key can have; and, where a row is not a person, dense_rank, row_number and hashtextextended. Anything in between is [Refused], whose
// text depends on the statement, the policy and the catalog, never on data.
//
// [Answer.Constants] is the one statement that is made of what stands in a protected sub-select and runs in the analyst's own session:
// expressions without columns, and sub-selects over her own tables.
//
// It does not see SQL inside strings, functions and views: the analyst's role has no privilege on protected tables, and
// package release checks that. The parser is PostgreSQL 17's; the server may be 14 to 18.
//
// Reading begins with [NeedsAnalysis], by which most statements are relayed without being parsed. By file, in the order in which a statement
// meets them:
//
//   - before the parser: needsanalysis.go;
//   - what is refused while the roles are not separate: barrier.go;
//   - the course of a statement: analyze.go, script.go (texts of several), prepared.go (PREPARE and EXECUTE), explain.go;
//     verdict.go has what comes of it;
//   - which names are protected, reported or withheld: session.go, reference.go, reports.go, mask.go;
//   - the answer to a statement that names protected tables: answer.go, analysis.go, inline.go (WITH);
//   - the rows that a SELECT reads: from.go, rows.go, join.go, source.go, perperson.go (sub-selects that group by person);
//   - what it counts: count.go, selectreader.go, groupby.go, groupingsets.go, expression.go, aggregate.go, ordered.go (percentiles);
//   - conditions and values: condition.go, membership.go, ownlist.go (lists of the analyst's own), value.go, case.go (CASE, COALESCE,
//     NULLIF, GREATEST and LEAST), comparison.go, apply.go (functions), zone.go (time zones), param.go (types of parameters),
//     constants.go (expressions without columns), personselect.go (what the person of a row has in a table);
//   - the analyst's statement with cells in place of rows: substitute.go, outerquery.go;
//   - what is refused: refusal.go, and package forbidden whatever tables are named.
//
// Package query has the count queries that come of it, moment the sums and averages made of them, interval how exact counts are in the
// statement itself, and pgerror the refusals.
package rewrite
