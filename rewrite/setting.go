package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/policy"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// What is refused whether or not a protected table is mentioned: what would make the session another role's, or change roles in a
// way that shuts others out; what would have it read SQL otherwise than this package does; and what would hold SQL that
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
func forbidden(stmt *pg.RawStmt) *pgerror.Refusal {
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
	case *pg.Node_CreateCastStmt:
		// It may name a function that the role must not execute; an implicit cast by one of its owner's privileges closes all tables.
		if v.CreateCastStmt.GetFunc() != nil {
			return refuseAction("casts by functions cannot be created through the proxy", askSteward)
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
func forbiddenOwner(r *pg.RoleSpec) *pgerror.Refusal {
	switch r.GetRoletype() {
	case pg.RoleSpecType_ROLESPEC_CURRENT_ROLE, pg.RoleSpecType_ROLESPEC_CURRENT_USER, pg.RoleSpecType_ROLESPEC_SESSION_USER:
		return nil
	}
	return pgerror.At(r.GetLocation(), refuseAction("objects cannot be given to another role through the proxy", "Name the owner as CURRENT_USER."))
}

func refuseAction(message, hint string) *pgerror.Refusal {
	return &pgerror.Refusal{Code: pgerror.CodePrivilege, Message: message, Hint: hint}
}

// forbiddenSet refuses SET of a frozen setting. RESET, and SET to the default, go back to what the session began with, which
// the proxy chose.
func forbiddenSet(s *pg.VariableSetStmt) *pgerror.Refusal {
	if s.GetKind() != pg.VariableSetKind_VAR_SET_VALUE {
		return nil
	}
	var values []string
	for _, arg := range s.GetArgs() {
		values = append(values, settingText(arg))
	}
	return forbiddenSetting(s.GetName(), strings.Join(values, ","))
}

// ownSettings are the proxy's own. The server keeps them for the session, and takes any value.
var ownSettings = []string{"tacit.fresh", "tacit.intervals", "tacit.max_age", "tacit.notices", "tacit.within"}

// AnyAge is the value of tacit.max_age by which answers of any age are shown.
const AnyAge = "forever"

// ReadMaxAge reads a value of tacit.max_age: an interval above 0, in which a month is 30 days and a year 360, as where PostgreSQL
// compares intervals; or 0 for AnyAge.
func ReadMaxAge(value string) (time.Duration, error) {
	if strings.EqualFold(strings.TrimSpace(value), AnyAge) {
		return 0, nil
	}
	age, ok := pgvalue.ReadDuration(value)
	if !ok || age <= 0 {
		return 0, &pgerror.Refusal{
			Code: pgerror.CodeInvalidValue, Message: fmt.Sprintf("invalid value for parameter \"tacit.max_age\": %q", value),
			Hint: "Write an interval above 0, such as '1 day', '12 hours' or '90 minutes', or forever. SET tacit.fresh = on asks everything anew.",
		}
	}
	return age, nil
}

// NotWithin is the value of tacit.within by which counts have the loss that the policy gives them.
const NotWithin = "off"

// maxWithin is more than any count is off by that noise is made for.
const maxWithin = 1 << 50

// ReadWithin reads a value of tacit.within: a number of rows above 0, a share of how many there are in all such as 2%, or NotWithin.
func ReadWithin(value string) (within query.Exactness, err error) {
	text := strings.TrimSpace(value)
	if strings.EqualFold(text, NotWithin) {
		return within, nil
	}
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		if within.Share, ok = readPercent(strings.TrimSpace(percent)); !ok {
			return query.Exactness{}, settingShare.With(value)
		}
		return within, nil
	}
	within.Rows, err = strconv.ParseInt(text, 10, 64)
	if err != nil || within.Rows < 1 || within.Rows > maxWithin {
		return query.Exactness{}, settingWithin.With(value)
	}
	return within, nil
}

// percentPlaces are the digits behind the point that a share in hundredths can have.
const percentPlaces = 7

// readPercent reads a decimal number above 0 and at most 100, without sign and exponent, as so many hundredths.
func readPercent(text string) (share policy.Share, ok bool) {
	whole, places, point := strings.Cut(text, ".")
	isNoDigit := func(r rune) bool { return r < '0' || r > '9' }
	if whole == "" || point && places == "" || len(whole) > len("100") || len(places) > percentPlaces || strings.ContainsFunc(whole+places, isNoDigit) {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+places+strings.Repeat("0", percentPlaces-len(places)), 10, 64)
	return policy.Share(n), err == nil && n > 0 && policy.Share(n) <= policy.OneShare
}

// checkOwnSetting refuses what the proxy would not understand of its own settings, in the server's words for settings that it knows.
func checkOwnSetting(name, value string) *pgerror.Refusal {
	switch {
	case !strings.HasPrefix(name, reportSchema+"."):
		return nil
	case !slices.Contains(ownSettings, name):
		return settingUnknown.With(name, strings.Join(ownSettings, ", "))
	case name == "tacit.max_age":
		var refusal *pgerror.Refusal
		_, err := ReadMaxAge(value)
		errors.As(err, &refusal)
		return refusal
	case name == "tacit.within":
		var refusal *pgerror.Refusal
		_, err := ReadWithin(value)
		errors.As(err, &refusal)
		return refusal
	}
	if _, refusal := pgvalue.ReadBool(value); refusal != nil {
		return settingBoolean.With(name)
	}
	return nil
}

func settingText(n *pg.Node) string {
	l, refusal := pgvalue.ReadConst(n.GetAConst())
	if n.GetAConst() == nil || refusal != nil {
		return ""
	}
	return l.Text
}

func forbiddenSetting(name, value string) *pgerror.Refusal {
	if refusal := checkOwnSetting(scan.LowerASCII(name), value); refusal != nil {
		return refusal
	}
	allowed, frozen := frozenSettings[scan.LowerASCII(name)]
	if !frozen || slices.Contains(allowed, scan.LowerASCII(value)) {
		return nil
	}
	return refuseAction(fmt.Sprintf("parameter %q cannot be changed through the proxy", scan.LowerASCII(name)),
		"The proxy relies on its present value; everything else can be SET.")
}

// forbiddenWithin refuses, at any depth, calls of set_config on frozen settings and updates of pg_settings.
func forbiddenWithin(m protoreflect.Message) (refusal *pgerror.Refusal) {
	switch v := m.Interface().(type) {
	case *pg.FuncCall:
		if name, _ := pgtree.FunctionName(v); name == "set_config" {
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
	pgtree.Children(m, func(child protoreflect.Message) bool {
		refusal = forbiddenWithin(child)
		return refusal == nil
	})
	return refusal
}

func forbiddenTarget(rv *pg.RangeVar) *pgerror.Refusal {
	if rv.GetRelname() != "pg_settings" {
		return nil
	}
	return pgerror.At(rv.GetLocation(), refuseAction("pg_settings cannot be updated through the proxy", "Use SET."))
}

// forbiddenSetConfig allows set_config of a constant name that is not frozen.
func forbiddenSetConfig(f *pg.FuncCall) *pgerror.Refusal {
	if len(f.GetArgs()) != 3 || f.GetFuncVariadic() {
		return pgerror.At(f.GetLocation(), refuseAction("this form of set_config is not allowed through the proxy", "Use SET."))
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
			return pgerror.At(f.GetLocation(), refuseAction("set_config needs a constant name of a parameter through the proxy", "Write the name as a constant."))
		}
	}
	return pgerror.At(f.GetLocation(), forbiddenSetting(texts[0], texts[1]))
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
