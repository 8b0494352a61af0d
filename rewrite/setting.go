package rewrite

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// What is refused whether or not a protected table is mentioned: what would make the session another role's, or change roles in a
// way that closes the door for others; what would have it read SQL otherwise than this package does; and what would hold SQL that
// this package cannot see. Everything else that an analyst should
// not do, the privileges of her role prevent.

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

// forbidden refuses such a statement.
func forbidden(stmt *pg.RawStmt) *Refusal {
	switch v := stmt.GetStmt().GetNode().(type) {
	case *pg.Node_AlterRoleStmt, *pg.Node_AlterRoleSetStmt:
		return refuseAction("roles cannot be altered through the proxy", askSteward)
	case *pg.Node_GrantRoleStmt: // up to PostgreSQL 14 a role may grant itself, after which package release serves nobody
		return refuseAction("membership in roles cannot be granted or revoked through the proxy", askSteward)
	case *pg.Node_AlterDefaultPrivilegesStmt:
		return refuseAction("default privileges cannot be altered through the proxy", "GRANT on each of your tables.")
	case *pg.Node_ReassignOwnedStmt, *pg.Node_DropOwnedStmt:
		return refuseAction("what a role owns cannot be reassigned or dropped as a whole through the proxy", "DROP objects one by one.")
	case *pg.Node_SecLabelStmt:
		return refuseAction("security labels cannot be set through the proxy", askSteward)
	case *pg.Node_AlterOwnerStmt:
		return forbiddenOwner(v.AlterOwnerStmt.GetNewowner())
	case *pg.Node_AlterTableStmt:
		for _, n := range v.AlterTableStmt.GetCmds() {
			if c := n.GetAlterTableCmd(); c.GetSubtype() == pg.AlterTableType_AT_ChangeOwner {
				return forbiddenOwner(c.GetNewowner())
			}
		}
	case *pg.Node_CreateSchemaStmt:
		if role := v.CreateSchemaStmt.GetAuthrole(); role != nil {
			return forbiddenOwner(role)
		}
	case *pg.Node_AlterDatabaseStmt, *pg.Node_AlterDatabaseSetStmt, *pg.Node_AlterSystemStmt:
		return refuseAction("the database's settings cannot be altered through the proxy", "SET changes a setting for the session.")
	case *pg.Node_DoStmt:
		return refuseAction("DO is not allowed through the proxy", "Send the statements of the block one by one.")
	case *pg.Node_CreateFunctionStmt, *pg.Node_AlterFunctionStmt:
		return refuseAction("functions and procedures cannot be created or altered through the proxy",
			"Use a view on your own tables, or ask the steward of the database.")
	case *pg.Node_CreateExtensionStmt, *pg.Node_AlterExtensionStmt, *pg.Node_AlterExtensionContentsStmt, *pg.Node_CreatePlangStmt:
		return refuseAction("extensions and languages cannot be created or altered through the proxy", askSteward)
	case *pg.Node_DefineStmt:
		// An aggregate runs a function that is not called by its name where a statement uses it: set_config, for one.
		if v.DefineStmt.GetKind() == pg.ObjectType_OBJECT_AGGREGATE {
			return refuseAction("aggregates cannot be created through the proxy", "Ask the steward of the database.")
		}
	case *pg.Node_CreateTableAsStmt:
		// What it depends on, a mere constant of a table's name too, could make it look like a copy of protected rows, for which the
		// steward's check closes all tables.
		if v.CreateTableAsStmt.GetObjtype() == pg.ObjectType_OBJECT_MATVIEW {
			return refuseAction("materialized views cannot be created through the proxy", "Use CREATE TABLE AS.")
		}
	case *pg.Node_VariableSetStmt:
		return forbiddenSet(v.VariableSetStmt)
	}
	return forbiddenWithin(stmt.ProtoReflect())
}

const askSteward = "Ask the steward of the database."

// forbiddenOwner refuses to give objects away.
func forbiddenOwner(r *pg.RoleSpec) *Refusal {
	switch r.GetRoletype() {
	case pg.RoleSpecType_ROLESPEC_CURRENT_ROLE, pg.RoleSpecType_ROLESPEC_CURRENT_USER, pg.RoleSpecType_ROLESPEC_SESSION_USER:
		return nil
	}
	return at(r.GetLocation(), refuseAction("objects cannot be given to another role through the proxy", "Name the owner as CURRENT_USER."))
}

func refuseAction(message, hint string) *Refusal {
	return &Refusal{Code: codePrivilege, Message: message, Hint: hint}
}

// forbiddenSet refuses SET of a frozen setting. RESET, and SET to the default, go back to what the session began with, which
// the proxy chose.
func forbiddenSet(s *pg.VariableSetStmt) *Refusal {
	if s.GetKind() != pg.VariableSetKind_VAR_SET_VALUE {
		return nil
	}
	var values []string
	for _, arg := range s.GetArgs() {
		values = append(values, settingText(arg))
	}
	return forbiddenSetting(s.GetName(), strings.Join(values, ","))
}

// ownSettings are the proxy's own, each of type boolean. The server keeps them for the session, and takes any value.
var ownSettings = []string{"tacit.fresh", "tacit.notices"}

// checkOwnSetting refuses what the proxy would not understand of its own settings, in the server's words for settings that it knows.
func checkOwnSetting(name, value string) *Refusal {
	switch {
	case !strings.HasPrefix(name, reportSchema+"."):
		return nil
	case !slices.Contains(ownSettings, name):
		return &Refusal{
			Code: codeUndefinedObject, Message: fmt.Sprintf("unrecognized configuration parameter %q", name),
			Hint: "The proxy's settings are " + strings.Join(ownSettings, " and ") + ".",
		}
	}
	if _, refusal := readBool(value); refusal != nil {
		return &Refusal{Code: codeInvalidValue, Message: fmt.Sprintf("parameter %q requires a Boolean value", name), Hint: "Write on or off."}
	}
	return nil
}

func settingText(n *pg.Node) string {
	l, refusal := readConst(n.GetAConst())
	if n.GetAConst() == nil || refusal != nil {
		return ""
	}
	return l.text
}

func forbiddenSetting(name, value string) *Refusal {
	if refusal := checkOwnSetting(lowerASCII(name), value); refusal != nil {
		return refusal
	}
	allowed, frozen := frozenSettings[lowerASCII(name)]
	if !frozen || slices.Contains(allowed, lowerASCII(value)) {
		return nil
	}
	return refuseAction(fmt.Sprintf("parameter %q cannot be changed through the proxy", lowerASCII(name)),
		"The proxy relies on its present value; everything else can be SET.")
}

// forbiddenWithin refuses, at any depth, calls of set_config on frozen settings and updates of pg_settings.
func forbiddenWithin(m protoreflect.Message) (refusal *Refusal) {
	switch v := m.Interface().(type) {
	case *pg.FuncCall:
		if name, _ := functionName(v); name == "set_config" {
			refusal = forbiddenSetConfig(v)
		}
	case *pg.UpdateStmt:
		refusal = forbiddenTarget(v.GetRelation())
	case *pg.MergeStmt:
		refusal = forbiddenTarget(v.GetRelation())
	case *pg.ViewStmt, *pg.RuleStmt: // through which pg_settings could be updated
		if mentionsSettings(m) {
			refusal = refuseAction("pg_settings cannot be used in a view or rule through the proxy", "Select from pg_settings directly.")
		}
	}
	if refusal != nil {
		return refusal
	}
	children(m, func(child protoreflect.Message) bool {
		refusal = forbiddenWithin(child)
		return refusal == nil
	})
	return refusal
}

func forbiddenTarget(rv *pg.RangeVar) *Refusal {
	if rv.GetRelname() != "pg_settings" {
		return nil
	}
	return at(rv.GetLocation(), refuseAction("pg_settings cannot be updated through the proxy", "Use SET."))
}

// forbiddenSetConfig allows set_config of a constant name that is not frozen.
func forbiddenSetConfig(f *pg.FuncCall) *Refusal {
	if len(f.GetArgs()) != 3 || f.GetFuncVariadic() {
		return at(f.GetLocation(), refuseAction("this form of set_config is not allowed through the proxy", "Use SET."))
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
			return at(f.GetLocation(), refuseAction("set_config needs a constant name of a parameter through the proxy", "Write the name as a constant."))
		}
	}
	return at(f.GetLocation(), forbiddenSetting(texts[0], texts[1]))
}

// isPlainText reports whether a cast to the type leaves a text as it is: one to varchar(4) would shorten it. The name is qualified,
// since an analyst may have a type called text.
func isPlainText(t *pg.TypeName) bool {
	return slices.Equal(stringsOf(t.GetNames()), []string{systemSchema, "text"}) && len(t.GetTypmods())+len(t.GetArrayBounds()) == 0
}

func mentionsSettings(m protoreflect.Message) bool {
	if v, ok := m.Interface().(*pg.RangeVar); ok && v.GetRelname() == "pg_settings" {
		return true
	}
	found := false
	children(m, func(child protoreflect.Message) bool {
		found = mentionsSettings(child)
		return !found
	})
	return found
}
