// Package rewrite reads an analyst's SQL and says what is to be done with it.
//
// [Analyze] is where to start. Against an analyst who may send any text, it guarantees that a statement is relayed as it
// is only if it names no protected table and changes no setting on which this reading of SQL depends; that whatever it does
// answer was read completely, from an allow-list of syntax, and is printed again from the tree, never copied; and that the SQL
// for the curator ([BoundQuery.CountSQL], [BoundQuery.DomainSQL], [BoundQuery.CellsSQL]) cannot raise an error that depends on a
// row, has every constant as an argument, and names everything with its schema. It calls nothing but functions and operators of
// pg_catalog: those that the analyst wrote and functionlist.go lists, each with a proof that it cannot fail; count, unnest, and
// trim_scale for keys; octet_length and round, by which values that a function could fail on become NULL or zero; timezone for local
// times; and, where a row is not a person, dense_rank, row_number and hashtextextended. Anything in between is a [Refusal], whose
// text depends on the statement, the policy and the catalog, never on data.
//
// [Answer.Constants] is the one statement that is made of what stands in a protected sub-select and runs in the analyst's own session:
// expressions without columns, and sub-selects over her own tables.
//
// It does not see SQL inside strings, functions and views: the analyst's role has no privilege on protected tables, and
// package release checks that. The parser is PostgreSQL 17's; the server may be 13 to 17.
//
// By file, in the order in which a statement meets them:
//
//   - before the C parser: prefilter.go, scan.go;
//   - the course of a statement: analyze.go, script.go (texts of several), setting.go (what is refused without a mention),
//     prepared.go (PREPARE and EXECUTE), explain.go, trial.go (cursors and COPY), nodata.go (statements without rows);
//   - which names are protected, reported or withheld: mention.go, reports.go, introspection.go and mask.go;
//   - the rows that a SELECT reads: inline.go (WITH), from.go, personjoin.go (two protected tables), source.go;
//   - what it counts: count.go, groupby.go, expression.go, aggregate.go;
//   - conditions and values: condition.go, membership.go, ownlist.go (lists of the analyst's own), value.go, case.go (CASE, COALESCE, NULLIF, GREATEST and LEAST), literal.go, datum.go, interval.go, param.go (types of parameters);
//   - functions: functions.go (which overload is meant), functionlist.go and the files of its families, casts.go, bounds.go (that no
//     row fails), zone.go (time zones), fixed.go (expressions without columns), computed.go (expressions over a row);
//   - one meaning, one question: predicate.go, formula.go, canonical.go;
//   - which rows can change a count: extent.go (sets of values), within.go, flooring.go (beginnings of months), blocks.go;
//   - which counts follow from recorded ones: shape.go, derivation.go;
//   - for the curator: query.go, person.go (what one person counts for), domain.go (cells of computed keys), sql.go;
//   - the analyst's statement with cells in place of rows: substitute.go, colname.go, rest.go.
package rewrite
