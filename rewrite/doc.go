// Package rewrite reads an analyst's SQL and says what is to be done with it.
//
// [Analyze] is where to start. Against an analyst who may send any text, it guarantees that a statement is relayed as it
// is only if it names no protected table and changes no setting on which this reading of SQL depends; that whatever it does
// answer was read completely, from an allow-list of syntax, and is printed again from the tree, never copied; and that the SQL
// for the curator ([BoundQuery.CountSQL], [BoundQuery.DomainSQL]) cannot raise an error that depends on a row, calls no
// function but pg_catalog's count, trim_scale and unnest, and names everything with its schema. Anything in between is a [Refusal], whose text
// depends on the statement, the policy and the catalog, never on data.
//
// It does not see SQL inside strings, functions and views: the analyst's role has no privilege on protected tables, and
// package release checks that. The parser is PostgreSQL 17's; the server may be 13 to 17.
//
// By file, in the order in which a statement meets them: prefilter.go and scan.go (before the C parser), analyze.go (the course of a
// statement), setting.go (what is refused without a mention), mention.go (which names are protected tables), count.go, source.go,
// groupby.go and expression.go (what a count query is), condition.go, membership.go, literal.go and datum.go (WHERE and FILTER),
// param.go (types of parameters), predicate.go, formula.go and canonical.go (one meaning, one question), query.go and sql.go (for the
// curator), substitute.go, colname.go and rest.go (the analyst's statement with cells in place of rows), prepared.go (PREPARE and EXECUTE),
// explain.go and trial.go (EXPLAIN, cursors and COPY), script.go (texts of several statements).
package rewrite
