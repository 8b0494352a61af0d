package countfirst

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
)

// Tables say what the names of relations in the statement mean.
type Tables struct {
	Protected func(*pg.RangeVar) *expr.Table       // nil for others
	Public    func(*pg.RangeVar) *expr.PublicTable // nil for others
	// ReadsRows reports whether an item of FROM gives rows of a protected table.
	ReadsRows func(*pg.Node) bool
}

// A side is the protected side of a join: the relations whose columns it has.
type side struct {
	relations []relation
	// others are columns that JOIN USING has made one with those of the other side, which their names mean by themselves.
	others []string
	// audited says that a table of it is.
	audited bool
}

// A relation is one name in FROM.
type relation struct {
	name, schema string
	columns      []string
	table        *expr.Table // nil of sub-selects and public tables
}

// readSide reads an item of FROM that gives rows of a protected table; ok is false for forms whose columns are not known.
func (t *Tables) readSide(n *pg.Node) (s *side, ok bool) {
	s = &side{}
	return s, t.addTo(s, n)
}

func (t *Tables) addTo(s *side, n *pg.Node) bool {
	switch v := n.GetNode().(type) {
	case *pg.Node_RangeVar:
		r := relation{name: pgtree.VisibleName(v.RangeVar)}
		if v.RangeVar.GetAlias() == nil {
			r.schema = v.RangeVar.GetSchemaname()
		}
		if table := t.Protected(v.RangeVar); table != nil {
			r.table, r.columns = table, protectedColumns(table)
			s.audited = s.audited || table.Audited()
		} else if table := t.Public(v.RangeVar); table != nil {
			r.columns = publicColumns(table)
		} else {
			return false
		}
		s.relations = append(s.relations, r)
		return len(v.RangeVar.GetAlias().GetColnames()) == 0
	case *pg.Node_JoinExpr:
		j := v.JoinExpr
		return j.GetAlias() == nil && !j.GetIsNatural() && t.addTo(s, j.GetLarg()) && t.addTo(s, j.GetRarg())
	case *pg.Node_RangeSubselect:
		return t.addSubselect(s, v.RangeSubselect)
	}
	return false
}

func (t *Tables) addSubselect(s *side, n *pg.RangeSubselect) bool {
	if n.GetAlias() == nil || n.GetLateral() {
		return false
	}
	var inner side
	for _, item := range n.GetSubquery().GetSelectStmt().GetFromClause() {
		if !t.addTo(&inner, item) {
			return false
		}
	}
	s.audited = s.audited || inner.audited
	r := relation{name: n.GetAlias().GetAliasname()}
	for _, target := range n.GetSubquery().GetSelectStmt().GetTargetList() {
		names, ok := inner.outputs(target.GetResTarget())
		if !ok {
			return false
		}
		r.columns = append(r.columns, names...)
	}
	for i, name := range pgtree.Strings(n.GetAlias().GetColnames()) {
		if i < len(r.columns) {
			r.columns[i] = name
		}
	}
	s.relations = append(s.relations, r)
	return true
}

// outputs are the names of what an item of a select list yields.
func (s *side) outputs(target *pg.ResTarget) (names []string, ok bool) {
	fields := target.GetVal().GetColumnRef().GetFields()
	if len(fields) == 0 || fields[len(fields)-1].GetAStar() == nil {
		name, known := target.GetName(), true
		if name == "" {
			name, known = pgtree.ColumnName(target.GetVal())
		}
		return []string{name}, known
	}
	for _, r := range s.relations {
		if len(fields) == 1 || r.name == fields[len(fields)-2].GetString_().GetSval() {
			names = append(names, r.columns...)
		}
	}
	return names, true
}

func protectedColumns(t *expr.Table) []string {
	names := slices.Concat(t.Unlisted, pgtree.SystemColumns)
	for i := range t.Columns {
		names = append(names, t.Columns[i].Name)
	}
	if t.Person != nil {
		names = append(names, t.Person.Column.Name)
	}
	return names
}

func publicColumns(t *expr.PublicTable) []string {
	names := slices.Clone(pgtree.SystemColumns)
	for i := range t.Columns {
		names = append(names, t.Columns[i].Name)
	}
	return names
}

// has reports whether a column reference means a column of the side. By itself a name means a column of the side if there is one: were there
// one of the other side, too, PostgreSQL would refuse the name.
func (s *side) has(ref *pg.ColumnRef) bool {
	names := pgtree.Strings(ref.GetFields())
	last := names[len(names)-1]
	if len(names) == 1 {
		return last == "" || !slices.Contains(s.others, last) && slices.ContainsFunc(s.relations, func(r relation) bool {
			return slices.Contains(r.columns, last) || r.name == last
		})
	}
	return slices.ContainsFunc(s.relations, func(r relation) bool {
		return r.name == names[len(names)-2] && (len(names) == 2 || r.schema == "" || names[len(names)-3] == r.schema)
	})
}

// column is the stored column that a reference means, nil if it is not one of a protected table.
func (s *side) column(ref *pg.ColumnRef) *expr.Column {
	names := pgtree.Strings(ref.GetFields())
	for _, r := range s.relations {
		if r.table != nil && (len(names) == 1 || r.name == names[len(names)-2]) {
			if c := r.table.Column(names[len(names)-1]); c != nil {
				return c
			}
		}
	}
	return nil
}

// A mention is what an expression has of the two sides.
type mention struct{ side, other bool }

// mentions reads an expression. In a sub-select a name by itself is taken for one of its own.
func (s *side) mentions(n *pg.Node) (m mention) {
	if n == nil {
		return m
	}
	s.walk(n.ProtoReflect(), nil, &m)
	return m
}

func (s *side) walk(m protoreflect.Message, within *pg.SubLink, found *mention) {
	switch v := m.Interface().(type) {
	case *pg.ColumnRef:
		switch names := pgtree.Strings(v.GetFields()); {
		case within != nil && len(names) == 1:
		case within != nil && pgtree.Declares(within.GetSubselect().ProtoReflect(), names[len(names)-2]):
		case s.has(v):
			found.side = true
		default:
			found.other = true
		}
		return
	case *pg.SubLink:
		if v.GetTestexpr() != nil {
			s.walk(v.GetTestexpr().ProtoReflect(), within, found)
		}
		if within == nil {
			within = v
		}
		s.walk(v.GetSubselect().ProtoReflect(), within, found)
		return
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		s.walk(child, within, found)
		return true
	})
}
