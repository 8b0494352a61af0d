package mask

import (
	"fmt"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
)

// Analysts have no privilege on a protected table: the proxy answers for them. Tools that ask the catalog would take such a table for one
// that cannot be used, and would not list it. So it is shown as one whose listed columns may be selected, by the functions that tell
// privileges, in information_schema and in pg_class.relacl.

const standardSchema = "information_schema"

// A Table is a protected table.
type Table struct {
	OID     uint32
	Columns []TableColumn // those that the policy lists
}

// A TableColumn is a column with its pg_attribute.attnum.
type TableColumn struct {
	Name   string
	Number int16
}

// A privilegeCall is a function that tells a privilege on a table, with the number of its arguments: with the user's name or without it.
type privilegeCall struct {
	name string
	args int
}

// The conditions of privilege functions, by their arguments. The server reads a privilege's name without regard to case and blanks, and
// takes a list of them as "any of".
const (
	asSelect = `pg_catalog.lower(%s) ~ '(^|,) *select *(,|$)'`
	asUser   = `(%s)::pg_catalog.text IN (current_user::pg_catalog.text, pg_catalog.quote_ident(current_user)::pg_catalog.regrole::pg_catalog.oid::pg_catalog.text)`
	asTable  = `(%s)::pg_catalog.regclass::pg_catalog.oid::pg_catalog.text`
)

func isPrivilegeFunction(name string) bool {
	return name == "has_table_privilege" || name == "has_any_column_privilege" || name == "has_column_privilege"
}

// privilegeMasks are the calls as they are, or else what is shown of protected tables. Parameters stand for the arguments. The call stands
// first, so that it settles the types of parameters, and raises the server's errors.
func privilegeMasks(tables []Table) map[privilegeCall]*pg.Node {
	var oids, columns []string
	for _, t := range tables {
		oids = append(oids, pgvalue.QuoteConstant(fmt.Sprint(t.OID)))
		for _, c := range t.Columns {
			columns = append(columns, pgvalue.QuoteConstant(fmt.Sprintf("%d.%s", t.OID, c.Name)), pgvalue.QuoteConstant(fmt.Sprintf("%d.%d", t.OID, c.Number)))
		}
	}
	isTable := func(table string) string {
		return fmt.Sprintf(asTable+" IN (%s)", table, strings.Join(oids, ", "))
	}
	isColumn := func(table, column string) string {
		return fmt.Sprintf(asTable+" || '.' || (%s)::pg_catalog.text IN (%s)", table, column, strings.Join(columns, ", "))
	}
	masks := make(map[privilegeCall]*pg.Node)
	for _, name := range []string{"has_table_privilege", "has_any_column_privilege"} {
		masks[privilegeCall{name, 2}] = pgtree.Expression("pg_catalog." + name + "($1, $2) OR " + isTable("$1") + " AND " + fmt.Sprintf(asSelect, "$2"))
		masks[privilegeCall{name, 3}] = pgtree.Expression("pg_catalog." + name + "($1, $2, $3) OR " + isTable("$2") + " AND " + fmt.Sprintf(asSelect, "$3") + " AND " + fmt.Sprintf(asUser, "$1"))
	}
	if len(columns) > 0 {
		const name = "has_column_privilege"
		masks[privilegeCall{name, 3}] = pgtree.Expression("pg_catalog." + name + "($1, $2, $3) OR " + isColumn("$1", "$2") + " AND " + fmt.Sprintf(asSelect, "$3"))
		masks[privilegeCall{name, 4}] = pgtree.Expression("pg_catalog." + name + "($1, $2, $3, $4) OR " + isColumn("$2", "$3") + " AND " + fmt.Sprintf(asSelect, "$4") + " AND " + fmt.Sprintf(asUser, "$1"))
	}
	return masks
}

// privilegeList is pg_class.relacl with SELECT for the analyst on protected tables.
func privilegeList(tables []Table) *pg.Node {
	var oids []string
	for _, t := range tables {
		oids = append(oids, fmt.Sprint(t.OID))
	}
	return pgtree.Expression(`CASE WHEN ` + classAlias + `.oid IN (` + strings.Join(oids, ", ") + `) THEN pg_catalog.array_append(
		COALESCE(` + classAlias + `.relacl, pg_catalog.acldefault('r', ` + classAlias + `.relowner)),
		pg_catalog.makeaclitem(pg_catalog.quote_ident(current_user)::pg_catalog.regrole, ` + classAlias + `.relowner, 'SELECT', false))
		ELSE ` + classAlias + `.relacl END`)
}

// privilege is what stands for a call, nil if it stays.
func (m *Masks) privilege(call *pg.FuncCall) *pg.Node {
	name, ok := pgtree.SystemName(pgtree.Strings(call.GetFuncname()))
	if !ok || !isPrivilegeFunction(name) {
		return nil
	}
	mask := m.privileges[privilegeCall{name, len(call.GetArgs())}]
	if mask == nil {
		return nil
	}
	made := proto.Clone(mask).(*pg.Node)
	fillParameters(made.ProtoReflect(), call.GetArgs())
	return made
}

// fillParameters puts the arguments in the place of parameters.
func fillParameters(message protoreflect.Message, args []*pg.Node) {
	if n, ok := message.Interface().(*pg.Node); ok {
		if p := n.GetParamRef(); p != nil {
			n.Node = proto.Clone(args[p.GetNumber()-1]).(*pg.Node).GetNode()
			return
		}
	}
	pgtree.Children(message, func(child protoreflect.Message) bool {
		fillParameters(child, args)
		return true
	})
}

// hideAuthid has a view of information_schema take the names of roles from where analysts may read them.
func hideAuthid(rv *pg.RangeVar) {
	if rv.GetAlias() == nil {
		rv.Alias = &pg.Alias{Aliasname: rv.GetRelname()}
	}
	rv.Relname = "pg_roles"
}
