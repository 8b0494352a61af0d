// Package countfirst turns joins of a protected table with rows of the analyst's own into joins of its counts.
//
//	SELECT r.name, count(v.id) FROM regions r LEFT JOIN visits v ON v.region = r.name AND v.age > 60 GROUP BY r.name
//
// keeps every row of regions, also those that nobody belongs to. [Rewriter.Rewrite] puts a SELECT of counts in the place of the protected
// table, grouped by its side of the equalities, with the conditions that are about it alone:
//
//	FROM regions r LEFT JOIN (SELECT region, count(id) FROM visits WHERE age > 60 GROUP BY region) v ON v.region = r.name
//
// What stands around it then adds the counts up. What this package must get right is that the result means what PostgreSQL's own would mean,
// or that the statement is refused.
//
// # Why it tells no more than counts
//
// The inner SELECT has expressions of the protected side alone. Package rewrite reads it as if the analyst had written it: its question, its
// price and its release do not depend on the other side, or on how the join is written. Its cells are those of keys whose values are
// declared, or follow from the statement (query.Beside): if a threshold had to decide about them, the statement is refused before anything is
// charged. So which cells there are is known without protected rows. The other side is never evaluated for the release. It is a part of the
// statement that runs afterwards in the analyst's own session, with her rights, where the cells are the only thing of protected rows. The
// result is a function of the release and of what she may read anyway; it stays one if the other side is volatile, or reads other rows each
// time. A mistake here can make the result wrong. It cannot make it tell more.
//
// By file: join.go finds such joins, and side.go tells the columns of the two sides apart. Statements are written by outer.go (outer joins),
// scalar.go (counts for each row of an outer query) and inner.go (joins with the largest groups). aggregate.go reads the aggregates, and
// nobody.go says what they are of a row with nobody. unique.go says whether a group is one row of the other side. series.go says which bounds
// follow from generate_series, and othersidekeys.go which expressions of the other side may be printed more than once.
//
// A key of the other side that the protected table's declared values do not have is not counted at all. Its count is NULL, unless the key
// is NULL or the conditions of the join rule it out: then it is what PostgreSQL's own is of nobody.
package countfirst
