package main

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// docs/errors.md is a fixed catalogue: what the proxy says has an entry there, and each entry is something that the proxy says.
// Messages are compared as patterns, in which hole stands for what the statement, the policy or a limit decides.
const hole = "\x00"

// A pattern is an SQLSTATE and a message with holes. The SQLSTATE is empty if it is not told where the message is.
type pattern struct{ code, message string }

// An entry is "- `0A000` `function <name> is not supported on protected tables`" at the beginning of a line.
var (
	entryLine   = regexp.MustCompile("^- `([0-9A-Z.]{5})` `([^`]+)`")
	placeholder = regexp.MustCompile(`<[a-z][a-z ]*>`)
	quotedVerb  = regexp.MustCompile(`%(\[[0-9]+\])?q`)
	verb        = regexp.MustCompile(`%(\[[0-9]+\])?[a-z0-9]*[a-z]`)
)

func catalogue(t *testing.T) []pattern {
	t.Helper()
	f, err := os.Open("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var entries []pattern
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if m := entryLine.FindStringSubmatch(lines.Text()); m != nil {
			entries = append(entries, pattern{m[1], placeholder.ReplaceAllLiteralString(m[2], hole)})
		} else if strings.HasPrefix(lines.Text(), "- `") {
			t.Errorf("docs/errors.md: no entry: %s", lines.Text())
		}
	}
	return entries
}

// A refusals reads the refusals that packages make from their source.
type refusals struct {
	constants map[symbol]string
	makers    map[symbol][]maker // functions that put a parameter into a refusal
	found     map[pattern]token.Position
	files     *token.FileSet
	file      *source
	function  *ast.FuncDecl
	changed   bool
}

// A symbol is a name and the directory of its package below that of the module. Methods have no directory: which type a value is of is
// not read.
type symbol struct{ directory, name string }

// A source is a file, with the directories of the packages of this module that it imports.
type source struct {
	*ast.File
	directory string
	imports   map[string]string
}

// A maker is a function whose parameters of these numbers become the code and the message of a refusal; -1 for none.
type maker struct {
	code, message int
	fixed         string // the code, if it is no parameter
	format        bool   // the message is a format
}

const module = "../.."

// readRefusals reads the packages in and below directories of the module.
func readRefusals(t *testing.T, directories ...string) map[pattern]token.Position {
	t.Helper()
	r := &refusals{constants: map[symbol]string{}, makers: map[symbol][]maker{}, found: map[pattern]token.Position{}, files: token.NewFileSet()}
	var files []*source
	for _, directory := range directories {
		err := filepath.WalkDir(filepath.Join(module, directory), func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
				return nil
			}
			f, err := r.parse(file)
			files = append(files, f)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for again := true; again; again = r.changed { // until every constant that is made of others has its text
		r.changed = false
		for _, r.file = range files {
			ast.Inspect(r.file.File, r.readConstants)
		}
	}
	for again := true; again; again = r.changed { // until every function that hands its parameter to a maker is one
		r.changed = false
		for _, r.file = range files {
			for _, d := range r.file.Decls {
				r.function, _ = d.(*ast.FuncDecl)
				ast.Inspect(d, r.visit)
			}
		}
	}
	return r.found
}

func (r *refusals) parse(file string) (*source, error) {
	f, err := parser.ParseFile(r.files, file, nil, 0)
	if err != nil {
		return nil, err
	}
	directory, err := filepath.Rel(module, filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	s := &source{File: f, directory: filepath.ToSlash(directory), imports: map[string]string{}}
	for _, i := range f.Imports {
		imported, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		if below, ok := strings.CutPrefix(imported, "tacit/"); ok {
			as := imported[strings.LastIndex(imported, "/")+1:]
			if i.Name != nil {
				as = i.Name.Name
			}
			s.imports[as] = below
		}
	}
	return s, nil
}

// symbol is what an expression in the present file names.
func (r *refusals) symbol(e ast.Expr) symbol {
	if selector, ok := e.(*ast.SelectorExpr); ok {
		return symbol{r.file.imports[name(selector.X)], selector.Sel.Name}
	}
	return symbol{r.file.directory, name(e)}
}

func (r *refusals) readConstants(n ast.Node) bool {
	if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
		for i, name := range v.Names {
			text, s := r.text(v.Values[i]), symbol{r.file.directory, name.Name}
			if _, known := r.constants[s]; !known && !strings.Contains(text, hole) {
				r.constants[s], r.changed = text, true
			}
		}
	}
	return true
}

func (r *refusals) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CompositeLit:
		made := name(n.Type)
		if made != "Refusal" && made != "ErrorFields" && made != "Form" {
			return true
		}
		var code, message ast.Expr
		for _, e := range n.Elts {
			switch pair := e.(*ast.KeyValueExpr); pair.Key.(*ast.Ident).Name {
			case "Code":
				code = pair.Value
			case "Message":
				message = pair.Value
			}
		}
		if made == "Form" {
			message = formatted(message)
		}
		r.add(code, message)
	case *ast.AssignStmt:
		if field, ok := n.Lhs[0].(*ast.SelectorExpr); ok && field.Sel.Name == "Message" {
			r.add(nil, n.Rhs[0])
		}
	case *ast.CallExpr:
		for _, m := range r.makers[r.symbol(n.Fun)] {
			if m.message < len(n.Args) {
				r.addMade(m, n.Args)
			}
		}
	}
	return true
}

// addMade notes the refusal that a maker makes of arguments.
func (r *refusals) addMade(m maker, args []ast.Expr) {
	var code ast.Expr = &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(m.fixed)}
	if m.code >= 0 {
		code = args[m.code]
	}
	message := args[m.message]
	if m.format {
		message = formatted(message)
	}
	r.add(code, message)
}

// formatted is a format with arguments that the source does not tell.
func formatted(format ast.Expr) ast.Expr {
	return &ast.CallExpr{Fun: &ast.Ident{Name: "Sprintf", NamePos: format.Pos()}, Args: []ast.Expr{format}}
}

// add notes a refusal, or that the function around it makes refusals of what it is given.
func (r *refusals) add(code, message ast.Expr) {
	if message == nil {
		return
	}
	at := maker{code: r.parameter(code), message: r.parameter(message)}
	p := pattern{message: r.text(message)}
	if code != nil {
		p.code = strings.ReplaceAll(r.text(code), hole, "")
	}
	at.fixed = p.code
	if call, ok := message.(*ast.CallExpr); ok && name(call.Fun) == "Sprintf" {
		at.message, at.format = r.parameter(call.Args[0]), true
	}
	if at.message >= 0 {
		of := symbol{r.file.directory, r.function.Name.Name}
		if r.function.Recv != nil {
			of.directory = ""
		}
		if !slices.Contains(r.makers[of], at) {
			r.makers[of], r.changed = append(r.makers[of], at), true
		}
		return
	}
	if assigned := r.assigned(message); len(assigned) > 0 {
		for _, e := range assigned {
			r.add(code, e)
		}
		return
	}
	if strings.Trim(p.message, hole) != "" || p.code != "" {
		r.found[p] = r.files.Position(message.Pos())
	}
}

// parameter is the number of the parameter of the present function that an expression is, or -1.
func (r *refusals) parameter(e ast.Expr) int {
	id, ok := e.(*ast.Ident)
	if !ok || r.function == nil {
		return -1
	}
	i := 0
	for _, field := range r.function.Type.Params.List {
		for _, n := range field.Names {
			if n.Name == id.Name {
				return i
			}
			i++
		}
	}
	return -1
}

// assigned are the values that the present function assigns to a variable.
func (r *refusals) assigned(e ast.Expr) (values []ast.Expr) {
	id, ok := e.(*ast.Ident)
	if !ok || r.function == nil {
		return nil
	}
	ast.Inspect(r.function, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, to := range a.Lhs {
				if name(to) == id.Name && a.Rhs[i] != e {
					values = append(values, a.Rhs[i])
				}
			}
		}
		return true
	})
	return values
}

// text is what an expression says, as far as the source tells.
func (r *refusals) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	case *ast.Ident, *ast.SelectorExpr:
		if s, ok := r.constants[r.symbol(e)]; ok {
			return s
		}
	case *ast.BinaryExpr:
		return r.text(e.X) + r.text(e.Y)
	case *ast.CallExpr:
		if name(e.Fun) == "Sprintf" {
			format := strings.ReplaceAll(r.text(e.Args[0]), "%%", "\x01")
			return strings.ReplaceAll(verb.ReplaceAllLiteralString(quotedVerb.ReplaceAllLiteralString(format, `"`+hole+`"`), hole), "\x01", "%")
		}
	}
	return hole
}

// name is the name of a function or a type, without its package.
func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// says reports whether an entry is about a refusal. One that is all placeholder is for messages of which the source tells nothing.
func (entry pattern) says(p pattern) bool {
	return (p.code == "" || p.code == entry.code) &&
		(p.message == entry.message || entry.message != hole && matching(entry.message).MatchString(p.message))
}

// matchers are what matching has made, by message.
var matchers = make(map[string]*regexp.Regexp)

func matching(message string) *regexp.Regexp {
	if matchers[message] == nil {
		matchers[message] = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(message), hole, ".+") + "$")
	}
	return matchers[message]
}

func TestErrorCatalogue(t *testing.T) {
	entries := catalogue(t)
	used := make([]bool, len(entries))
	for p, where := range readRefusals(t, "rewrite", "release", "proxy") {
		found := false
		for i, entry := range entries {
			if entry.says(p) {
				used[i], found = true, true
			}
		}
		if !found {
			t.Errorf("%s: docs/errors.md has no entry for - `%s` `%s`", where, p.code, strings.ReplaceAll(p.message, hole, "<...>"))
		}
	}
	for i, entry := range entries {
		if !used[i] {
			t.Errorf("docs/errors.md has an entry for what nothing says:\n- `%s` `%s`", entry.code, strings.ReplaceAll(entry.message, hole, "<...>"))
		}
		if slices.Contains(entries[:i], entry) {
			t.Errorf("docs/errors.md has two entries for\n- `%s` `%s`", entry.code, strings.ReplaceAll(entry.message, hole, "<...>"))
		}
	}
}

// refusalLine is how golden files show a refusal.
var refusalLine = regexp.MustCompile(`^refuse (\S{5}) at (\d+): (.*)\n`)

// TestGoldenRefusalsAreCatalogued looks at whole refusals, which the source need not show.
func TestGoldenRefusalsAreCatalogued(t *testing.T) {
	entries := catalogue(t)
	paths, err := filepath.Glob("../../rewrite/testdata/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			m := refusalLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if !slices.ContainsFunc(entries, func(e pattern) bool { return e.code == m[1] && matching(e.message).MatchString(m[3]) }) {
				t.Errorf("%s: docs/errors.md has no entry for: %s", filepath.Base(path), line)
			}
			if m[2] == "0" && !strings.HasPrefix(m[1], "54") && m[1] != "25P02" && m[1] != "42601" {
				t.Errorf("%s: no position, though it is about something in the text: %s", filepath.Base(path), line)
			}
		}
	}
}
