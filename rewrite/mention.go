package rewrite

import (
	"fmt"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/policy"
)

// A mentionReader finds every name in a statement that means a protected table, whatever kind of node it stands in and whether
// or not the server would ever run that part. It walks all messages of the tree by reflection, so that no kind is forgotten.
type mentionReader struct {
	session *Session
	// tables are the names of relations in queries.
	tables map[*pg.RangeVar]*Table
	// publics are the names of tables that protected ones may be joined with.
	publics map[*pg.RangeVar]*PublicTable
	// targets are those of tables that a statement would change.
	targets map[*pg.RangeVar]bool
	// relations are all names of relations, but those of WITH queries.
	relations []*pg.RangeVar
	// reports are those among them that the proxy serves itself, once refuse has found them.
	reports map[*pg.RangeVar]*Report
	// others are mentions that are not: names of objects in utility statements, and names of row types.
	others []*Table
	first  *Table
	// related is the first name of a relation that belongs to a protected table.
	related *policy.TableName
	// shadowed is the first unqualified name of a protected table, or of a relation of one, that means another relation in this session
	// now, or if there is none, the last one that means nothing.
	shadowed *pg.RangeVar
	// names are the unqualified names that were looked up.
	names []Resolution
	err   error

	// objects says that lists of strings are names of objects: so it is in utility statements, outside their queries.
	objects bool
}

func newMentionReader(s *Session) *mentionReader {
	return &mentionReader{session: s, tables: make(map[*pg.RangeVar]*Table), publics: make(map[*pg.RangeVar]*PublicTable), targets: make(map[*pg.RangeVar]bool)}
}

// again reads a statement that has changed. Names mean what they meant, and what was moved or copied in it names no report.
func (r *mentionReader) again(stmt *pg.RawStmt) *mentionReader {
	fresh := newMentionReader(r.session)
	fresh.names = r.names
	fresh.statement(stmt)
	fresh.first, fresh.reports = r.first, r.reports
	return fresh
}

func (r *mentionReader) found() bool {
	return len(r.tables) > 0 || len(r.others) > 0 || len(r.reports) > 0
}

// A cteScope holds the names of WITH queries that hide tables, innermost first.
type cteScope struct {
	name  string
	outer *cteScope
}

func (s *cteScope) has(name string) bool {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return true
		}
	}
	return false
}

func (r *mentionReader) statement(stmt *pg.RawStmt) {
	switch stmt.GetStmt().GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_MergeStmt,
		*pg.Node_CreateTableAsStmt, *pg.Node_PrepareStmt, *pg.Node_ExplainStmt, *pg.Node_DeclareCursorStmt, *pg.Node_ExecuteStmt,
		*pg.Node_CopyStmt: // its lists are names of columns
		r.objects = false
	default:
		r.objects = true
	}
	r.walk(stmt.ProtoReflect(), nil)
}

// walk follows PostgreSQL's rules of which WITH names are visible where (parse_cte.c): in a SELECT everywhere, in INSERT, UPDATE,
// DELETE and MERGE everywhere but as the target.
func (r *mentionReader) walk(m protoreflect.Message, ctes *cteScope) {
	switch v := m.Interface().(type) {
	case *pg.RangeVar:
		r.rangeVar(v, ctes)
		return
	case *pg.SelectStmt:
		outer := r.objects
		r.objects = false
		r.below(m, r.with(v.GetWithClause(), ctes))
		r.objects = outer
		return
	case *pg.InsertStmt:
		r.dml(m, v.GetRelation(), v.GetWithClause(), ctes)
		return
	case *pg.UpdateStmt:
		r.dml(m, v.GetRelation(), v.GetWithClause(), ctes)
		return
	case *pg.DeleteStmt:
		r.dml(m, v.GetRelation(), v.GetWithClause(), ctes)
		return
	case *pg.MergeStmt:
		r.dml(m, v.GetRelation(), v.GetWithClause(), ctes)
		return
	case *pg.IntoClause:
		r.created(m, v.GetRel(), ctes)
		return
	case *pg.CreateStmt:
		r.created(m, v.GetRelation(), ctes)
		return
	case *pg.ViewStmt:
		r.created(m, v.GetView(), ctes)
		return
	case *pg.LockingClause, *pg.ColumnRef:
		return // names of FROM items
	case *pg.TypeName:
		names := stringsOf(v.GetNames())
		r.objectName(names)
		if n := len(names); n > 0 { // an array of rows
			names[n-1] = strings.TrimLeft(names[n-1], "_")
			r.objectName(names)
		}
	case *pg.List:
		if r.objects {
			r.objectName(stringsOf(v.GetItems()))
		}
	}
	if r.objects && !listsColumns(m) {
		r.objectLists(m)
	}
	r.below(m, ctes)
}

// below walks all parts of m but its WITH clause, which with has walked.
func (r *mentionReader) below(m protoreflect.Message, ctes *cteScope) {
	children(m, func(child protoreflect.Message) bool {
		if _, ok := child.Interface().(*pg.WithClause); !ok {
			r.walk(child, ctes)
		}
		return r.err == nil
	})
}

// with walks the queries of a WITH clause and returns the scope that it makes. Without RECURSIVE a query sees the names before
// it; with RECURSIVE it sees all of them.
func (r *mentionReader) with(w *pg.WithClause, outer *cteScope) *cteScope {
	scope := outer
	if w.GetRecursive() {
		for _, n := range w.GetCtes() {
			scope = &cteScope{n.GetCommonTableExpr().GetCtename(), scope}
		}
	}
	for _, n := range w.GetCtes() {
		r.walk(n.ProtoReflect(), scope)
		if !w.GetRecursive() {
			scope = &cteScope{n.GetCommonTableExpr().GetCtename(), scope}
		}
	}
	return scope
}

// dml walks a statement whose target is a relation, never a WITH query.
func (r *mentionReader) dml(m protoreflect.Message, target *pg.RangeVar, with *pg.WithClause, ctes *cteScope) {
	r.rangeVar(target, nil)
	r.targets[target] = true
	scope := r.with(with, ctes)
	children(m, func(child protoreflect.Message) bool {
		switch v := child.Interface().(type) {
		case *pg.WithClause:
		case *pg.RangeVar:
			if v != target {
				r.walk(child, scope)
			}
		default:
			r.walk(child, scope)
		}
		return r.err == nil
	})
}

// created walks a statement that makes a relation. An unqualified new name is no name of an existing table: a temporary table may
// be called like a protected one, which it then hides.
func (r *mentionReader) created(m protoreflect.Message, target *pg.RangeVar, ctes *cteScope) {
	children(m, func(child protoreflect.Message) bool {
		if v, ok := child.Interface().(*pg.RangeVar); !ok || v != target || target.GetSchemaname() != "" {
			r.walk(child, ctes)
		}
		return r.err == nil
	})
}

func (r *mentionReader) rangeVar(v *pg.RangeVar, ctes *cteScope) {
	if v == nil || v.GetSchemaname() == "" && ctes.has(v.GetRelname()) {
		return
	}
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
func (r *mentionReader) lookup(schema, name string) *Table {
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
func (r *mentionReader) public(v *pg.RangeVar) *PublicTable {
	name := policy.TableName{Schema: v.GetSchemaname(), Name: v.GetRelname()}
	if name.Schema == "" {
		name = r.resolve(name.Name)
	}
	return r.session.Catalog.Public[name]
}

// resolve asks the session what an unqualified name means, if it can mean a protected table, or one that it may be joined with.
func (r *mentionReader) resolve(name string) policy.TableName {
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
func (r *mentionReader) refuse(kept bool) *Refusal {
	switch {
	case r.related != nil:
		return &Refusal{
			Code:    codePrivilege,
			Message: fmt.Sprintf("relation %s belongs to a protected table and cannot be used", r.related),
			Hint:    "Ask for counts of the protected table itself.",
		}
	case r.shadowed != nil && (kept || r.hides(r.shadowed)):
		return at(r.shadowed.GetLocation(), notSupported(
			fmt.Sprintf("relation %q has the name of a protected table and must be written with its schema", r.shadowed.GetRelname()),
			"Write the schema of your own table before its name; that of a temporary table is pg_temp."))
	}
	return r.findReports()
}

// hides reports whether an unqualified name means a relation.
func (r *mentionReader) hides(v *pg.RangeVar) bool {
	return v != nil && r.resolve(v.GetRelname()) != policy.TableName{}
}

// listsColumns reports whether the lists of strings of a node are names of columns and the like, its relations being RangeVars.
func listsColumns(m protoreflect.Message) bool {
	switch m.Interface().(type) {
	case *pg.Constraint, *pg.CopyStmt, *pg.CreateTrigStmt, *pg.Alias:
		return true
	}
	return false
}

// objectLists looks at the fields of m that are lists of strings.
func (r *mentionReader) objectLists(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !f.IsList() || f.Message() == nil {
			continue
		}
		list := m.Get(f).List()
		var nodes []*pg.Node
		for j := range list.Len() {
			if n, ok := list.Get(j).Message().Interface().(*pg.Node); ok {
				nodes = append(nodes, n)
			}
		}
		r.objectName(stringsOf(nodes))
	}
}

// objectName looks for a protected table in a dotted name that may go on to a column, trigger, rule or constraint.
func (r *mentionReader) objectName(parts []string) {
	for i, part := range parts {
		if part == "" || r.err != nil {
			continue
		}
		var t *Table
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
