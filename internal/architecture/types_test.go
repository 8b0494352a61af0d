package architecture

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

var positions = token.NewFileSet()

// loaded is the whole module with types, tests included. The tests below look at the same one.
var loaded = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Dir: root, Fset: positions, Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
	}, "./...")
})

func typedPackages(t *testing.T) []*packages.Package {
	t.Helper()
	all, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Fatalf("only %d packages were loaded", len(all))
	}
	for _, p := range all {
		for _, problem := range p.Errors {
			t.Fatal(problem)
		}
	}
	return all
}

var absoluteRoot = sync.OnceValues(func() (string, error) { return filepath.Abs(root) })

// place is a position's file, from the module's root, and its line.
func place(pos token.Pos) (file string, line int) {
	at := positions.Position(pos)
	base, err := absoluteRoot()
	if err != nil {
		return at.Filename, at.Line
	}
	relative, err := filepath.Rel(base, at.Filename)
	if err != nil {
		return at.Filename, at.Line
	}
	return filepath.ToSlash(relative), at.Line
}

func inTest(pos token.Pos) bool {
	file, _ := place(pos)
	return strings.HasSuffix(file, "_test.go")
}

func isKind(named *types.Named) bool {
	return isOwn(named.Obj().Pkg()) && slices.Contains(kinds, named.Obj().Name())
}

func isOwn(p *types.Package) bool {
	return p != nil && strings.HasPrefix(p.Path(), module+"/")
}

// What computes has no clock.
func TestComputationHasNoClock(t *testing.T) {
	for _, p := range typedPackages(t) {
		for id, o := range p.TypesInfo.Uses {
			if o.Pkg() == nil || o.Pkg().Path() != "time" {
				continue
			}
			file, line := place(id.Pos())
			if !oneOf(pure...)(path.Dir(file)) || inTest(id.Pos()) {
				continue
			}
			switch o.Name() {
			case "Now", "Since", "Until", "After", "AfterFunc", "NewTimer", "NewTicker", "Sleep", "Tick":
				if _, ok := o.(*types.Func); ok && o.Parent() == o.Pkg().Scope() {
					t.Errorf("%s:%d uses time.%s", file, line, o.Name())
				}
			}
		}
	}
}

// kinds are the types over which a switch names each value, or says in a default what happens to the others.
var kinds = []string{"Verdict", "Kind", "FillKind", "PublicationKind", "PriorKind", "Noise", "Composition", "BlockUnit", "RequestKind"}

func TestSwitchesAreComplete(t *testing.T) {
	all := typedPackages(t)
	enumerations, alternatives := 0, 0
	for _, kind := range kinds {
		if !slices.ContainsFunc(all, func(p *packages.Package) bool { return p.Types.Scope().Lookup(kind) != nil }) {
			t.Errorf("no type is named %s", kind)
		}
	}
	for _, p := range all {
		for _, file := range p.Syntax {
			if path, _ := place(file.Pos()); inTest(file.Pos()) || isTool(path) {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch s := n.(type) {
				case *ast.SwitchStmt:
					if s.Tag != nil && checkEnumeration(t, p, s) {
						enumerations++
					}
				case *ast.TypeSwitchStmt:
					if checkAlternatives(t, p, s) {
						alternatives++
					}
				}
				return true
			})
		}
	}
	if enumerations < 30 || alternatives < 3 {
		t.Errorf("only %d switches over constants and %d over types were found", enumerations, alternatives)
	}
}

func hasDefault(body *ast.BlockStmt) bool {
	for _, clause := range body.List {
		if clause.(*ast.CaseClause).List == nil {
			return true
		}
	}
	return false
}

// checkEnumeration looks at a switch over a type of this module that has constants. It reports whether s is one.
func checkEnumeration(t *testing.T, p *packages.Package, s *ast.SwitchStmt) bool {
	named, ok := types.Unalias(p.TypesInfo.TypeOf(s.Tag)).(*types.Named)
	if !ok || !isKind(named) {
		return false
	}
	missing := map[string]string{}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			missing[c.Val().ExactString()] = name
		}
	}
	if hasDefault(s.Body) || len(missing) == 0 {
		return len(missing) > 0
	}
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			if value := p.TypesInfo.Types[e].Value; value != nil {
				delete(missing, value.ExactString())
			}
		}
	}
	reportMissing(t, s.Pos(), named.Obj(), missing)
	return true
}

// checkAlternatives looks at a type switch over an interface that only types of one package can satisfy. It reports
// whether s is one.
func checkAlternatives(t *testing.T, p *packages.Package, s *ast.TypeSwitchStmt) bool {
	var subject ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		subject = a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		subject = a.X.(*ast.TypeAssertExpr).X
	}
	named, ok := types.Unalias(p.TypesInfo.TypeOf(subject)).(*types.Named)
	if !ok || !isKind(named) {
		return false
	}
	iface, ok := named.Underlying().(*types.Interface)
	if !ok || !isClosed(iface) {
		return false
	}
	if hasDefault(s.Body) {
		return true
	}
	missing := map[string]string{}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(tn.Type()) {
			continue
		}
		if types.Implements(tn.Type(), iface) || types.Implements(types.NewPointer(tn.Type()), iface) {
			missing[name] = name
		}
	}
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			concrete := p.TypesInfo.TypeOf(e)
			if pointer, ok := concrete.(*types.Pointer); ok {
				concrete = pointer.Elem()
			}
			if n, ok := types.Unalias(concrete).(*types.Named); ok {
				delete(missing, n.Obj().Name())
			}
		}
	}
	reportMissing(t, s.Pos(), named.Obj(), missing)
	return true
}

func isClosed(iface *types.Interface) bool {
	for m := range iface.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
}

func reportMissing(t *testing.T, pos token.Pos, of types.Object, missing map[string]string) {
	t.Helper()
	for _, name := range missing {
		file, line := place(pos)
		t.Errorf("%s:%d: the switch over %s says nothing about %s", file, line, of.Name(), name)
	}
}
