package pgtree

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A NameWalker passes every name in a statement that can be that of a relation, whatever kind of node it stands in and whether or not the
// server would ever run that part. It walks all messages of the tree by reflection, so that no kind is forgotten.
type NameWalker struct {
	// relation is given the names of relations in queries, but those of WITH queries.
	Relation func(*pg.RangeVar)
	// target is given those among them that a statement would change.
	Target func(*pg.RangeVar)
	// object is given names of objects in utility statements, and names of types.
	Object func([]string)
	// objects says that lists of strings are names of objects: so it is in utility statements, outside their queries.
	objects bool
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

func (w *NameWalker) Statement(stmt *pg.RawStmt) {
	switch stmt.GetStmt().GetNode().(type) {
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_MergeStmt,
		*pg.Node_CreateTableAsStmt, *pg.Node_PrepareStmt, *pg.Node_ExplainStmt, *pg.Node_DeclareCursorStmt, *pg.Node_ExecuteStmt,
		*pg.Node_CopyStmt: // its lists are names of columns
		w.objects = false
	default:
		w.objects = true
	}
	w.walk(stmt.ProtoReflect(), nil)
}

// walk follows PostgreSQL's rules of which WITH names are visible where (parse_cte.c): in a SELECT everywhere, in INSERT, UPDATE,
// DELETE and MERGE everywhere but as the target.
func (w *NameWalker) walk(m protoreflect.Message, ctes *cteScope) {
	switch v := m.Interface().(type) {
	case *pg.RangeVar:
		w.rangeVar(v, ctes)
		return
	case *pg.SelectStmt:
		outer := w.objects
		w.objects = false
		w.below(m, w.with(v.GetWithClause(), ctes))
		w.objects = outer
		return
	case *pg.InsertStmt:
		w.dml(m, v.GetRelation(), v.GetWithClause(), ctes)
		return
	case *pg.UpdateStmt:
		w.dml(m, v.GetRelation(), v.GetWithClause(), ctes)
		return
	case *pg.DeleteStmt:
		w.dml(m, v.GetRelation(), v.GetWithClause(), ctes)
		return
	case *pg.MergeStmt:
		w.dml(m, v.GetRelation(), v.GetWithClause(), ctes)
		return
	case *pg.IntoClause:
		w.created(m, v.GetRel(), ctes)
		return
	case *pg.CreateStmt:
		w.created(m, v.GetRelation(), ctes)
		return
	case *pg.ViewStmt:
		w.created(m, v.GetView(), ctes)
		return
	case *pg.LockingClause, *pg.ColumnRef:
		return // names of FROM items
	case *pg.TypeName:
		names := Strings(v.GetNames())
		w.Object(names)
		if n := len(names); n > 0 { // an array of rows
			names[n-1] = strings.TrimLeft(names[n-1], "_")
			w.Object(names)
		}
	case *pg.List:
		if w.objects {
			w.Object(Strings(v.GetItems()))
		}
	}
	if w.objects && !listsColumns(m) {
		w.objectLists(m)
	}
	w.below(m, ctes)
}

// below walks all parts of m but its WITH clause, which with has walked.
func (w *NameWalker) below(m protoreflect.Message, ctes *cteScope) {
	Children(m, func(child protoreflect.Message) bool {
		if _, ok := child.Interface().(*pg.WithClause); !ok {
			w.walk(child, ctes)
		}
		return true
	})
}

// with walks the queries of a WITH clause and returns the scope that it makes. Without RECURSIVE a query sees the names before
// it; with RECURSIVE it sees all of them.
func (w *NameWalker) with(clause *pg.WithClause, outer *cteScope) *cteScope {
	scope := outer
	if clause.GetRecursive() {
		for _, n := range clause.GetCtes() {
			scope = &cteScope{n.GetCommonTableExpr().GetCtename(), scope}
		}
	}
	for _, n := range clause.GetCtes() {
		w.walk(n.ProtoReflect(), scope)
		if !clause.GetRecursive() {
			scope = &cteScope{n.GetCommonTableExpr().GetCtename(), scope}
		}
	}
	return scope
}

// dml walks a statement whose target is a relation, never a WITH query.
func (w *NameWalker) dml(m protoreflect.Message, target *pg.RangeVar, with *pg.WithClause, ctes *cteScope) {
	w.rangeVar(target, nil)
	w.Target(target)
	scope := w.with(with, ctes)
	Children(m, func(child protoreflect.Message) bool {
		switch v := child.Interface().(type) {
		case *pg.WithClause:
		case *pg.RangeVar:
			if v != target {
				w.walk(child, scope)
			}
		default:
			w.walk(child, scope)
		}
		return true
	})
}

// created walks a statement that makes a relation. An unqualified new name is no name of an existing table: a temporary table may
// be called like a protected one, which it then hides.
func (w *NameWalker) created(m protoreflect.Message, target *pg.RangeVar, ctes *cteScope) {
	Children(m, func(child protoreflect.Message) bool {
		if v, ok := child.Interface().(*pg.RangeVar); !ok || v != target || target.GetSchemaname() != "" {
			w.walk(child, ctes)
		}
		return true
	})
}

func (w *NameWalker) rangeVar(v *pg.RangeVar, ctes *cteScope) {
	if v != nil && !(v.GetSchemaname() == "" && ctes.has(v.GetRelname())) {
		w.Relation(v)
	}
}

// listsColumns reports whether the lists of strings of a node are names of columns and the like, its relations being RangeVars.
func listsColumns(m protoreflect.Message) bool {
	switch m.Interface().(type) {
	case *pg.Constraint, *pg.CopyStmt, *pg.CreateTrigStmt, *pg.Alias:
		return true
	}
	return false
}

// objectLists passes the fields of m that are lists of strings.
func (w *NameWalker) objectLists(m protoreflect.Message) {
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
		w.Object(Strings(nodes))
	}
}

// RelationsIn lists the names of relations in a statement, but those of WITH queries.
func RelationsIn(stmt *pg.RawStmt) (relations []*pg.RangeVar) {
	ignore := func([]string) {}
	w := NameWalker{Relation: func(v *pg.RangeVar) { relations = append(relations, v) }, Target: func(*pg.RangeVar) {}, Object: ignore}
	w.Statement(stmt)
	return relations
}

// Declares reports whether a FROM clause in m gives the name to something.
func Declares(m protoreflect.Message, name string) bool {
	for rv := range Nodes[*pg.RangeVar](m) {
		if rv.GetRelname() == name && rv.GetAlias() == nil {
			return true
		}
	}
	for alias := range Nodes[*pg.Alias](m) {
		if alias.GetAliasname() == name {
			return true
		}
	}
	return false
}

// WithNames lists the names of all WITH queries in a statement.
func WithNames(m protoreflect.Message) (names []string) {
	for query := range Nodes[*pg.CommonTableExpr](m) {
		names = append(names, query.GetCtename())
	}
	return names
}

// VisibleName is the name under which a statement refers to a relation in FROM.
func VisibleName(rv *pg.RangeVar) string {
	if alias := rv.GetAlias().GetAliasname(); alias != "" {
		return alias
	}
	return rv.GetRelname()
}

// SystemColumns are columns of every table besides its own.
var SystemColumns = []string{"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"}
