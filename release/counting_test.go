package release

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCountingIsPaidFor reads the sources of this package and those below it. It fails if SQL that reads protected rows is made elsewhere than
// beside the curator's demand for a reservation, if a method there does without one, or if the code that answers analysts gets an Inspection,
// which demands none.
func TestCountingIsPaidFor(t *testing.T) {
	makers := []string{"CountSQL", "SampleSQL", "UnitsSQL", "CellPatternsSQL"}
	mayMake := []string{"curator/count.go", "assess/homogeneitycount.go"} // the second for an Inspection
	mayInspect := []string{"curator", "publish", "seal", "assess"}
	for path, file := range sourceFiles(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			switch {
			case !ok:
			case slices.Contains(makers, s.Sel.Name) && !slices.Contains(mayMake, path):
				t.Errorf("%s makes %s", path, s.Sel.Name)
			case slices.Contains([]string{"Inspection", "Inspect", "Prove"}, s.Sel.Name) && !slices.Contains(mayInspect, filepath.ToSlash(filepath.Dir(path))):
				t.Errorf("%s uses %s", path, s.Sel.Name)
			}
			return true
		})
		if path != "curator/count.go" {
			continue
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && receiver(f) == "Snapshot" && f.Name.IsExported() && !takesReservation(f) {
				t.Errorf("%s counts without a reservation in its hand", f.Name.Name)
			}
		}
	}
}

// sourceFiles are the files of the packages here and below, without tests.
func sourceFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := make(map[string]*ast.File)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files[filepath.ToSlash(path)], err = parser.ParseFile(token.NewFileSet(), path, nil, 0)
		return err
	})
	if err != nil || files["curator/count.go"] == nil || files["internal/live/monitor.go"] == nil {
		t.Fatal("the sources are elsewhere: ", err)
	}
	return files
}

// receiver is the type of a method.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
		return star.X.(*ast.Ident).Name
	}
	return f.Recv.List[0].Type.(*ast.Ident).Name
}

// takesReservation reports whether a parameter is, or has, what only a ledger makes for a charge on disk.
func takesReservation(f *ast.FuncDecl) (takes bool) {
	ast.Inspect(f.Type.Params, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		takes = takes || ok && slices.Contains([]string{"Reservation", "AuditReservation"}, s.Sel.Name)
		return true
	})
	return takes
}
