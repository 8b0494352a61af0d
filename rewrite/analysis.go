package rewrite

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// An analysis is the work on one text.
type analysis struct {
	sql        string
	written    map[string]bool // the names in column references
	session    *Session
	tree       *pg.ParseResult // nil before the text was parsed
	references *referenceReader
	// outermost is the SELECT that the statement shows the rows of; nil if there is none.
	outermost *pg.SelectStmt
	params    *parameters
	printer   *printer
	queries   []*query.CountQuery
	// partners are the protected tables that are joined with another, which leads.
	partners map[*pg.RangeVar]bool
	// mentioned are all tables that the policy names, by the places where the statement does. Of the copies that are made of expressions the
	// tables are found so.
	mentioned map[int32]mention
	// membership are the sub-selects about persons that were read, with the tables in readWithin.
	membership map[*pg.SubLink]expr.Predicate
	readWithin map[*pg.RangeVar]*expr.Table
	// beside are the SELECTs that were made of joins (package countfirst), with what the statement does with their counts.
	beside map[*pg.SelectStmt]*query.Beside
	// values are the sub-selects of aggregates of what persons have.
	values map[*pg.SubLink]expr.Operand
	// withinPersons counts the sub-selects by persons that are being read, one in the other.
	withinPersons int
	// WithNames are those of all WITH queries that the statement had.
	withNames []string
	// shown are the reports that were replaced, each once.
	shown []*Report
	// guarded says that the text may concern a protected table or what else is forbidden. Any other text is read for comfort only,
	// and relayed if it cannot be read.
	guarded bool
	// about is the first protected table that is named, for the log of refusals; zero if there is none.
	about policy.TableName
	err   error
}

// noteTable notes the protected table that a statement names first, unless an earlier statement names one.
func (a *analysis) noteTable(r *referenceReader) {
	first := int32(-1)
	for rv, table := range r.tables {
		if a.about == (policy.TableName{}) || first >= 0 && rv.GetLocation() < first {
			a.about, first = table.Policy.Name, rv.GetLocation()
		}
	}
}

// firstReference is the place of the first protected table that is named as a relation, -1 if there is none.
func (a *analysis) firstReference() int32 {
	first := int32(-1)
	for rv := range a.references.tables {
		if first < 0 || rv.GetLocation() < first {
			first = rv.GetLocation()
		}
	}
	return first
}

func (a *analysis) protectedWithin(m protoreflect.Message) *pg.RangeVar {
	for rv := range pgtree.Nodes[*pg.RangeVar](m) {
		if a.references.tables[rv] != nil {
			return rv
		}
	}
	return nil
}

// masked prints a text that concerns no protected table with masks in place of what is withheld of the system's catalog. If nothing
// is, or if the text cannot be reproduced, the verdict stands, and the server denies what it denies.
func (a *analysis) masked(tree *pg.ParseResult, verdict Verdict, relations []*pg.RangeVar) Verdict {
	forget, _ := verdict.(*Forget)
	if _, relay := verdict.(*Relay); !relay && forget == nil {
		return verdict
	}
	if !a.maskAll(tree, relations) || a.err != nil {
		return verdict
	}
	rest, refusal := newPrinter().print(tree)
	if refusal != nil {
		return verdict
	}
	return &Masked{Text: rest.WithLiterals(nil), Forget: forget}
}

// maskAll puts masks into the statements, which mention relations, and reports whether there were any to put.
func (a *analysis) maskAll(tree *pg.ParseResult, relations []*pg.RangeVar) bool {
	return a.session.Catalog.Masks.Replace(tree, relations, a.session.ParamOIDs, a.isSystem)
}

// isSystem says whether an unqualified name means a relation of pg_catalog in the session: a temporary table can hide one.
func (a *analysis) isSystem(name string) bool {
	if a.err != nil {
		return false
	}
	table, ok, err := a.session.Resolve(name)
	if err != nil {
		a.err = err
	}
	return err == nil && ok && table == policy.TableName{Schema: pgtree.SystemSchema, Name: name}
}

// ownSelect prints a sub-select of the analyst's own.
func (a *analysis) ownSelect(n *pg.Node) (string, *pgerror.Refusal) {
	sel := n.GetSelectStmt()
	if sel == nil || sel.GetIntoClause() != nil {
		return "", expr.RefuseOwn("this sub-select cannot stand in a condition on a protected table")
	}
	if rv := a.protectedWithin(sel.ProtoReflect()); rv != nil {
		return "", subselectProtected.At(rv.GetLocation(), "")
	}
	if param := pgtree.First[*pg.ParamRef](sel.ProtoReflect()); param != nil {
		return "", pgerror.At(param.GetLocation(), expr.RefuseOwn("a parameter in a sub-select in a condition on a protected table is not supported"))
	}
	alone := newReferenceReader(a.session)
	alone.names = a.references.names
	alone.statement(&pg.RawStmt{Stmt: n})
	if alone.err != nil {
		a.err = alone.err
		return "", expr.RefuseOwn("this sub-select cannot stand in a condition on a protected table")
	}
	for _, rv := range alone.relations {
		if rv.GetSchemaname() == "" && slices.Contains(a.withNames, rv.GetRelname()) {
			return "", pgerror.At(rv.GetLocation(), expr.RefuseOwn(fmt.Sprintf("a sub-select in a condition on a protected table cannot read the WITH query %s around it", pgvalue.QuoteIdentifier(rv.GetRelname()))))
		}
	}
	if alone.found() || alone.related != nil {
		return "", subselectProtected.With("")
	}
	printed, refusal := a.printer.print(pgtree.OneStatement(proto.Clone(n).(*pg.Node), a.tree.GetVersion()))
	if refusal != nil {
		return "", refusal
	}
	if len(printed.pieces) != 1 { // with a report in it
		return "", expr.RefuseOwn("a report of the proxy cannot be read in a condition on a protected table")
	}
	return printed.pieces[0], nil
}
