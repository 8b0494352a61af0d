package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// A referenceReader finds every name in a statement that means a protected table.
type referenceReader struct {
	session *Session
	// tables are the names of relations in queries.
	tables map[*pg.RangeVar]*expr.Table
	// publics are the names of tables that protected ones may be joined with.
	publics map[*pg.RangeVar]*expr.PublicTable
	// targets are those of tables that a statement would change.
	targets map[*pg.RangeVar]bool
	// relations are all names of relations, but those of WITH queries.
	relations []*pg.RangeVar
	// reports are those among them that the proxy serves itself, once refuse has found them.
	reports map[*pg.RangeVar]*Report
	// others are mentions that are not: names of objects in utility statements, and names of row types.
	others []*expr.Table
	first  *expr.Table
	// related is the first name of a relation that belongs to a protected table.
	related *policy.TableName
	// shadowed is the first unqualified name of a protected table, or of a relation of one, that means another relation in this session
	// now, or if there is none, the last one that means nothing.
	shadowed *pg.RangeVar
	// names are the unqualified names that were looked up.
	names []Resolution
	err   error
}

func newReferenceReader(s *Session) *referenceReader {
	return &referenceReader{session: s, tables: make(map[*pg.RangeVar]*expr.Table), publics: make(map[*pg.RangeVar]*expr.PublicTable), targets: make(map[*pg.RangeVar]bool)}
}

// again reads a statement that has changed. Names mean what they meant, and what was moved or copied in it names no report.
func (r *referenceReader) again(stmt *pg.RawStmt) *referenceReader {
	fresh := newReferenceReader(r.session)
	fresh.names = r.names
	fresh.statement(stmt)
	fresh.first, fresh.reports = r.first, r.reports
	return fresh
}

func (r *referenceReader) found() bool {
	return len(r.tables) > 0 || len(r.others) > 0 || len(r.reports) > 0
}

// statement reads a statement.
func (r *referenceReader) statement(stmt *pg.RawStmt) {
	w := pgtree.NameWalker{Relation: r.relation, Target: func(v *pg.RangeVar) { r.targets[v] = true }, Object: r.objectName}
	w.Statement(stmt)
}

func (r *referenceReader) relation(v *pg.RangeVar) {
	r.relations = append(r.relations, v)
	if t := r.lookup(v.GetSchemaname(), v.GetRelname()); t != nil {
		r.tables[v] = t
	} else if t := r.public(v); t != nil {
		r.publics[v] = t
	} else if v.GetSchemaname() == "" && r.related == nil && !r.hides(r.shadowed) && r.session.Catalog.hasName(v.GetRelname()) {
		r.shadowed = v
	}
}

// lookup returns the protected table that a name means, nil if none. A name of a database before the schema cannot make it
// another table.
func (r *referenceReader) lookup(schema, name string) *expr.Table {
	resolved := policy.TableName{Schema: schema, Name: name}
	if schema == "" {
		resolved = r.resolve(name)
	}
	t := r.session.Catalog.Tables[resolved]
	if t != nil && r.first == nil {
		r.first = t
	}
	if r.session.Catalog.Related[resolved] && r.related == nil {
		r.related = &resolved
	}
	return t
}

// public returns the public table that a name means, nil if none.
func (r *referenceReader) public(v *pg.RangeVar) *expr.PublicTable {
	name := policy.TableName{Schema: v.GetSchemaname(), Name: v.GetRelname()}
	if name.Schema == "" {
		name = r.resolve(name.Name)
	}
	return r.session.Catalog.Public[name]
}

// resolve asks the session what an unqualified name means, if it can mean a protected table, or one that it may be joined with.
func (r *referenceReader) resolve(name string) policy.TableName {
	for _, known := range r.names {
		if known.Name == name {
			return known.Table
		}
	}
	if !r.session.Catalog.hasName(name) && !r.session.Catalog.hasPublic(name) || r.err != nil {
		return policy.TableName{}
	}
	table, ok, err := r.session.Resolve(name)
	if err != nil {
		r.err = err
		return policy.TableName{}
	}
	if !ok {
		table = policy.TableName{}
	}
	r.names = append(r.names, Resolution{name, table})
	return table
}

// refuse refuses what PostgreSQL would plan, with the statistics of protected rows, before it denies it: relations that belong to a
// protected table, and unqualified names of protected tables that mean another relation now, since that can change until they
// are planned: at any time in a statement that is kept (prepared, or sent with others); in other statements when another session
// of the analyst's drops or renames the relation just then. The server waits for that session, and looks the name up again. It
// can drop a temporary relation, too, with something that the relation depends on. A name that means nothing cannot come to mean a
// protected table: the search path is the session's own.
func (r *referenceReader) refuse(kept bool) *pgerror.Refusal {
	switch {
	case r.related != nil:
		return relatedUsed.With(r.related)
	case r.shadowed != nil && (kept || r.hides(r.shadowed)):
		return nameShadows.At(r.shadowed.GetLocation(), r.shadowed.GetRelname())
	}
	return r.findReports()
}

// hides reports whether an unqualified name means a relation.
func (r *referenceReader) hides(v *pg.RangeVar) bool {
	return v != nil && r.resolve(v.GetRelname()) != policy.TableName{}
}

// objectName looks for a protected table in a dotted name that may go on to a column, trigger, rule or constraint.
func (r *referenceReader) objectName(parts []string) {
	for i, part := range parts {
		if part == "" || r.err != nil {
			continue
		}
		var t *expr.Table
		if i > 0 {
			t = r.lookup(parts[i-1], part)
		} else {
			t = r.lookup("", part)
		}
		if t != nil {
			r.others = append(r.others, t)
		}
	}
}

// findReports looks for reports among the relations that were mentioned.
func (r *referenceReader) findReports() *pgerror.Refusal {
	for _, rv := range r.relations {
		if rv.GetSchemaname() != reportSchema {
			continue
		}
		report := reports[rv.GetRelname()]
		if report == nil {
			return pgerror.At(rv.GetLocation(), refuseUnknownReport(rv.GetRelname()))
		}
		if r.targets[rv] {
			return pgerror.At(rv.GetLocation(), reportUsed.With(report.Name))
		}
		if r.reports == nil {
			r.reports = make(map[*pg.RangeVar]*Report)
		}
		if len(r.reports) == maxReports {
			return pgerror.At(rv.GetLocation(), reportsTooMany.With(maxReports))
		}
		r.reports[rv] = report
	}
	return nil
}

// maxReports bounds the mentions of reports in one statement: in a simple query the rows stand in its text for each.
const maxReports = 3

// refuseReports is for a statement that names a report where none can be read.
func (r *referenceReader) refuseReports() *pgerror.Refusal {
	for _, rv := range r.relations {
		if report := r.reports[rv]; report != nil {
			return pgerror.At(rv.GetLocation(), reportUsed.With(report.Name))
		}
	}
	panic("rewrite: internal error: neither a protected table nor a report")
}
