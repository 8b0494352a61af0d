package architecture

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "tacit"

// root is the module's directory, seen from this package's.
const root = "../.."

// A goFile is a file of the tree with its imports.
type goFile struct {
	path    string // from the module's root, with slashes
	imports []string
	lines   int
}

func (f goFile) dir() string { return path.Dir(f.path) }

func (f goFile) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// tree is all Go files of the module, whatever their build constraints.
var tree = sync.OnceValues(func() ([]goFile, error) {
	var files []goFile
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != root {
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil || strings.HasPrefix(entry.Name(), ".") {
				return filepath.SkipDir // another module, or none
			}
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		file := goFile{path: filepath.ToSlash(relative), lines: bytes.Count(source, []byte("\n"))}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			file.imports = append(file.imports, imported)
		}
		files = append(files, file)
		return nil
	})
	return files, err
})

// goFiles returns the tree's files, and fails if there are suspiciously few.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	files, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 300 {
		t.Fatalf("only %d Go files were found below %s", len(files), root)
	}
	return files
}

// own is the directory of an imported package of this module.
func own(imported string) (dir string, ok bool) {
	return strings.CutPrefix(imported, module+"/")
}

// directories lists the directories of Go files that are no tests.
func directories(files []goFile) []string {
	var dirs []string
	for _, f := range files {
		if !f.isTest() && !slices.Contains(dirs, f.dir()) {
			dirs = append(dirs, f.dir())
		}
	}
	return dirs
}

// packageDoc returns the comment above the package clause of a directory's doc.go.
func packageDoc(dir string) (string, error) {
	source, err := os.ReadFile(filepath.Join(root, dir, "doc.go"))
	if err != nil {
		return "", err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	return docText(parsed.Doc), nil
}

func docText(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	return doc.Text()
}
