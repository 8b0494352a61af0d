package forbidden

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/setting"
)

// frozenSettings are the settings on which the reading of SQL or the shape of answers depends, with the values that leave it as it
// is, and some that would tell of protected rows. Roles have none: SET ROLE NONE and the like are allowed as resets.
var frozenSettings = map[string][]string{
	"role":                        {"none"},
	"session_authorization":       {"default"},
	"standard_conforming_strings": {"on", "true", "yes", "1", "t", "tr", "tru", "y", "ye"},
	"backslash_quote":             {"safe_encoding"},
	"client_encoding":             {"utf8", "utf-8", "unicode", "utf_8"},
	"transform_null_equals":       switchedOff,
	"array_nulls":                 {"on", "true", "yes", "1", "t", "y"},
	// They print plans, with the planner's estimates of protected rows, before the server denies a statement.
	"debug_print_parse":     switchedOff,
	"debug_print_rewritten": switchedOff,
	"debug_print_plan":      switchedOff,
}

var switchedOff = []string{"off", "false", "no", "0", "f", "n"}

// Refuse refuses a statement that is forbidden.
func Refuse(stmt *pg.RawStmt) *pgerror.Refusal {
	switch v := stmt.GetStmt().GetNode().(type) {
	case *pg.Node_AlterRoleStmt, *pg.Node_AlterRoleSetStmt:
		return refuse("roles cannot be altered through the proxy", askSteward)
	case *pg.Node_GrantRoleStmt: // up to PostgreSQL 14 a role may grant itself, after which package release serves nobody
		return refuse("membership in roles cannot be granted or revoked through the proxy", askSteward)
	case *pg.Node_AlterDefaultPrivilegesStmt:
		return refuse("default privileges cannot be altered through the proxy", "GRANT on each of your tables.")
	case *pg.Node_ReassignOwnedStmt, *pg.Node_DropOwnedStmt:
		return refuse("what a role owns cannot be reassigned or dropped as a whole through the proxy", "DROP objects one by one.")
	case *pg.Node_SecLabelStmt:
		return refuse("security labels cannot be set through the proxy", askSteward)
	case *pg.Node_AlterOwnerStmt:
		return refuseOwner(v.AlterOwnerStmt.GetNewowner())
	case *pg.Node_AlterTableStmt:
		for _, n := range v.AlterTableStmt.GetCmds() {
			if c := n.GetAlterTableCmd(); c.GetSubtype() == pg.AlterTableType_AT_ChangeOwner {
				return refuseOwner(c.GetNewowner())
			}
		}
	case *pg.Node_CreateSchemaStmt:
		if role := v.CreateSchemaStmt.GetAuthrole(); role != nil {
			return refuseOwner(role)
		}
	case *pg.Node_AlterDatabaseStmt, *pg.Node_AlterDatabaseSetStmt, *pg.Node_AlterSystemStmt:
		return refuse("the database's settings cannot be altered through the proxy", "SET changes a setting for the session.")
	case *pg.Node_DoStmt:
		return refuse("DO is not allowed through the proxy", "Send the statements of the block one by one.")
	case *pg.Node_CreateFunctionStmt, *pg.Node_AlterFunctionStmt:
		return refuse("functions and procedures cannot be created or altered through the proxy",
			"Use a view on your own tables, or ask the steward of the database.")
	case *pg.Node_CreateExtensionStmt, *pg.Node_AlterExtensionStmt, *pg.Node_AlterExtensionContentsStmt, *pg.Node_CreatePlangStmt:
		return refuse("extensions and languages cannot be created or altered through the proxy", askSteward)
	case *pg.Node_DefineStmt:
		// An aggregate runs a function that is not called by its name where a statement uses it: set_config, for one.
		if v.DefineStmt.GetKind() == pg.ObjectType_OBJECT_AGGREGATE {
			return refuse("aggregates cannot be created through the proxy", "Ask the steward of the database.")
		}
	case *pg.Node_CreateCastStmt:
		// It may name a function that the role must not execute; an implicit cast by one of its owner's privileges closes all tables.
		if v.CreateCastStmt.GetFunc() != nil {
			return refuse("casts by functions cannot be created through the proxy", askSteward)
		}
	case *pg.Node_CreateTableAsStmt:
		// What it depends on, a mere constant of a table's name too, could make it look like a copy of protected rows, for which the
		// steward's check closes all tables.
		if v.CreateTableAsStmt.GetObjtype() == pg.ObjectType_OBJECT_MATVIEW {
			return refuse("materialized views cannot be created through the proxy", "Use CREATE TABLE AS.")
		}
	case *pg.Node_VariableSetStmt:
		return refuseSet(v.VariableSetStmt)
	}
	return refuseWithin(stmt.ProtoReflect())
}

const askSteward = "Ask the steward of the database."

// refuseOwner refuses to give objects away.
func refuseOwner(r *pg.RoleSpec) *pgerror.Refusal {
	switch r.GetRoletype() {
	case pg.RoleSpecType_ROLESPEC_CURRENT_ROLE, pg.RoleSpecType_ROLESPEC_CURRENT_USER, pg.RoleSpecType_ROLESPEC_SESSION_USER:
		return nil
	}
	return pgerror.At(r.GetLocation(), refuse("objects cannot be given to another role through the proxy", "Name the owner as CURRENT_USER."))
}

func refuse(message, hint string) *pgerror.Refusal {
	return &pgerror.Refusal{Code: pgerror.CodePrivilege, Message: message, Hint: hint}
}

// refuseSet refuses SET of a frozen setting. RESET, and SET to the default, go back to what the session began with, which
// the proxy chose.
func refuseSet(s *pg.VariableSetStmt) *pgerror.Refusal {
	if s.GetKind() != pg.VariableSetKind_VAR_SET_VALUE {
		return nil
	}
	var values []string
	for _, arg := range s.GetArgs() {
		values = append(values, settingText(arg))
	}
	return refuseSetting(s.GetName(), strings.Join(values, ","))
}

func settingText(n *pg.Node) string {
	l, refusal := pgvalue.ReadConst(n.GetAConst())
	if n.GetAConst() == nil || refusal != nil {
		return ""
	}
	return l.Text
}

func refuseSetting(name, value string) *pgerror.Refusal {
	if refusal := setting.Check(scan.LowerASCII(name), value); refusal != nil {
		return refusal
	}
	allowed, frozen := frozenSettings[scan.LowerASCII(name)]
	if !frozen || slices.Contains(allowed, scan.LowerASCII(value)) {
		return nil
	}
	return refuse(fmt.Sprintf("parameter %q cannot be changed through the proxy", scan.LowerASCII(name)),
		"The proxy relies on its present value; everything else can be SET.")
}

// refuseWithin refuses, at any depth, calls of set_config on frozen settings and updates of pg_settings.
func refuseWithin(m protoreflect.Message) (refusal *pgerror.Refusal) {
	switch v := m.Interface().(type) {
	case *pg.FuncCall:
		if name, _ := pgtree.FunctionName(v); name == "set_config" {
			refusal = refuseSetConfig(v)
		}
	case *pg.UpdateStmt:
		refusal = refuseTarget(v.GetRelation())
	case *pg.MergeStmt:
		refusal = refuseTarget(v.GetRelation())
	case *pg.ViewStmt, *pg.RuleStmt: // through which pg_settings could be updated
		if mentionsSettings(m) {
			refusal = refuse("pg_settings cannot be used in a view or rule through the proxy", "Select from pg_settings directly.")
		}
	}
	if refusal != nil {
		return refusal
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		refusal = refuseWithin(child)
		return refusal == nil
	})
	return refusal
}

func refuseTarget(rv *pg.RangeVar) *pgerror.Refusal {
	if rv.GetRelname() != "pg_settings" {
		return nil
	}
	return pgerror.At(rv.GetLocation(), refuse("pg_settings cannot be updated through the proxy", "Use SET."))
}

// refuseSetConfig allows set_config of a constant name that is not frozen.
func refuseSetConfig(f *pg.FuncCall) *pgerror.Refusal {
	if len(f.GetArgs()) != 3 || f.GetFuncVariadic() {
		return pgerror.At(f.GetLocation(), refuse("this form of set_config is not allowed through the proxy", "Use SET."))
	}
	texts := make([]string, 2)
	for i := range texts {
		n := f.GetArgs()[i]
		if cast := n.GetTypeCast(); cast != nil && isPlainText(cast.GetTypeName()) {
			n = cast.GetArg()
		}
		c, ok := n.GetAConst().GetVal().(*pg.A_Const_Sval)
		switch {
		case ok:
			texts[i] = c.Sval.GetSval()
		case i == 0:
			return pgerror.At(f.GetLocation(), refuse("set_config needs a constant name of a parameter through the proxy", "Write the name as a constant."))
		}
	}
	return pgerror.At(f.GetLocation(), refuseSetting(texts[0], texts[1]))
}

// isPlainText reports whether a cast to the type leaves a text as it is: one to varchar(4) would shorten it. The name is qualified,
// since an analyst may have a type called text.
func isPlainText(t *pg.TypeName) bool {
	return slices.Equal(pgtree.Strings(t.GetNames()), []string{pgtree.SystemSchema, "text"}) && len(t.GetTypmods())+len(t.GetArrayBounds()) == 0
}

func mentionsSettings(m protoreflect.Message) bool {
	for rv := range pgtree.Nodes[*pg.RangeVar](m) {
		if rv.GetRelname() == "pg_settings" {
			return true
		}
	}
	return false
}
