package architecture

import (
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// An exported name has a user outside its package, or an Example that shows it to others. A type that stands in what the package exports is
// used with it, and so are the constants of such a type. A type of errors may be looked for in what any function returns.
func TestExportedNamesAreUsed(t *testing.T) {
	all := typedPackages(t)
	used := usedOutside(all)
	shown := map[types.Object]bool{} // types in signatures and fields
	for _, p := range all {
		for _, name := range p.Types.Scope().Names() {
			if o := p.Types.Scope().Lookup(name); o.Exported() {
				collectTypes(o.Type(), shown, 0)
			}
		}
	}
	at := map[string]bool{} // a type may be there twice, with the tests of its package and without
	for o := range shown {
		at[definedAt(o)] = true
	}
	for _, p := range all {
		for id, o := range p.TypesInfo.Defs {
			if o == nil || !o.Exported() || inTest(id.Pos()) || o.Parent() != p.Types.Scope() || used[definedAt(o)] {
				continue
			}
			of := o
			if named, ok := types.Unalias(o.Type()).(*types.Named); ok {
				of = named.Obj()
			}
			_, isFunction := o.(*types.Func)
			_, isVariable := o.(*types.Var)
			file, _ := place(id.Pos())
			isType := !isFunction && !isVariable
			if isType && (at[definedAt(of)] || isError(o.Type())) || isTool(path.Dir(file)) || p.Types.Name() == "main" {
				continue
			}
			t.Errorf("%s: %s.%s is exported and has no user outside its package", definedAt(o), p.Types.Name(), o.Name())
		}
	}
}

// isError reports whether callers may find a type in an error.
func isError(t types.Type) bool {
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(t, errorType) || types.Implements(types.NewPointer(t), errorType)
}

func definedAt(o types.Object) string { return positions.Position(o.Pos()).String() }

// usedOutside is where the objects are defined that another package uses, such as tests in a package of their own, or an Example.
func usedOutside(all []*packages.Package) map[string]bool {
	used := map[string]bool{}
	for _, p := range all {
		for id, o := range p.TypesInfo.Uses {
			if !isOwn(o.Pkg()) {
				continue
			}
			if file, _ := place(id.Pos()); p.Types.Path() != o.Pkg().Path() || isExample(file) {
				used[definedAt(o)] = true
			}
		}
	}
	return used
}

// collectTypes adds the named types that a type shows: its fields, elements, parameters and results, and those of its exported methods.
func collectTypes(t types.Type, shown map[types.Object]bool, depth int) {
	inner := func(t types.Type) { collectTypes(t, shown, depth+1) }
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if depth > 0 {
			shown[t.Obj()] = true
			return
		}
		for m := range t.Methods() {
			if m.Exported() {
				inner(m.Type())
			}
		}
		collectTypes(t.Underlying(), shown, 1)
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				inner(f.Type())
			}
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			inner(v.Type())
		}
		for v := range t.Results().Variables() {
			inner(v.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			inner(m.Type())
		}
	case *types.Map:
		inner(t.Key())
		inner(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		inner(t.Elem())
	}
}

func isExample(file string) bool {
	return strings.HasSuffix(file, "example_test.go")
}

// retired are words that had a private meaning, with the word of the field that took their place.
var retired = map[string]string{
	"Door": "Gateway", "Ask": "Request", "regime": "live.State", "sealColumn": "identity", "wish": "pendingCharge", "dismiss": "expire", "pursue": "catchUp",
	"takeIn": "apply", "oversee": "budgetcheck", "doubt": "headMismatch", "rehearse": "preflight", "Trial": "Probe", "concerned": "tracks",
	"judgeQuery": "dispatch", "seats": "connectionLimits", "parting": "clientGone", "farewell": "fatalMessage", "needle": "hint pattern",
	"flooring": "dateTrunc", "comers": "arrivals", "latecomers": "arrivals", "territory": "affected", "scene": "demoStep", "wonders": "leaseCheckDue",
	"owes": "hasOpenCharges",
}

func TestRetiredWords(t *testing.T) {
	for _, p := range typedPackages(t) {
		for id, o := range p.TypesInfo.Defs {
			if _, ok := o.(*types.PkgName); ok || o == nil || inTest(id.Pos()) {
				continue
			}
			if better, ok := retired[id.Name]; ok {
				file, line := place(id.Pos())
				t.Errorf("%s:%d: %s is a retired word; use %s", file, line, id.Name, better)
			}
		}
	}
}

// reserved are words that name types, with the packages in which they do so. A word has one meaning: where it stands in several packages, it
// is the same thing there.
var reserved = map[string][]string{
	"plan":        {"auditor", "release/seal"}, // blocks of an audited table that are released together
	"epoch":       {"auditor", "release/seal"}, // a period in which rows are taken as fixed
	"answer":      {"rewrite", "accountant/journal"},
	"release":     {"accountant", "accountant/journal"},              // sanitized cells as the ledger records them
	"block":       {"auditor/posterior", "auditor/internal/history"}, // people whose counts are released
	"batch":       {"accountant/journal", "accountant/ledger"},       // entries that are committed together
	"guard":       nil,
	"source":      {"rewrite"}, // the rows that a SELECT reads
	"reservation": {"accountant/ledger"},
	"door":        nil,
	"regime":      nil,
	"work":        nil,
	"wish":        nil,
	"turn":        nil,
}

func TestReservedWords(t *testing.T) {
	for _, p := range typedPackages(t) {
		for id, o := range p.TypesInfo.Defs {
			if _, ok := o.(*types.TypeName); !ok || o.Parent() != p.Types.Scope() || inTest(id.Pos()) {
				continue
			}
			file, line := place(id.Pos())
			dirs, ok := reserved[strings.ToLower(o.Name())]
			if dir := path.Dir(file); ok && !isTool(dir) && !slices.Contains(dirs, dir) {
				t.Errorf("%s:%d: the word %s has another meaning; use one of its own", file, line, o.Name())
			}
		}
	}
}
