package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tacit/rewrite/pgerror"
)

var formVerb = regexp.MustCompile(`%\[([0-9]+)\]([a-z])`)

// Each form of a refusal reads as it is meant, whatever its arguments are: no verb is left in it, and a percent sign is one.
func TestFormsOfRefusals(t *testing.T) {
	forms := 0
	for _, f := range goFiles(t) {
		if f.isTest() || !slices.Contains(f.imports, module+"/rewrite/pgerror") {
			continue
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, filepath.Join(root, f.path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok || !isForm(literal.Type) {
				return true
			}
			forms++
			if problem := formProblem(readForm(literal)); problem != "" {
				t.Errorf("%s:%d: %s", f.path, files.Position(literal.Pos()).Line, problem)
			}
			return true
		})
	}
	if forms < 250 {
		t.Errorf("only %d forms were found", forms)
	}
}

func isForm(e ast.Expr) bool {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "Form" {
		return false
	}
	in, ok := selector.X.(*ast.Ident)
	return ok && in.Name == "pgerror"
}

// readForm is a form as the source has it. What is no text in the source, such as a constant, is left out.
func readForm(literal *ast.CompositeLit) (f pgerror.Form) {
	fields := map[string]*string{"Code": &f.Code, "Message": &f.Message, "Detail": &f.Detail, "Hint": &f.Hint, "Instead": &f.Instead}
	for _, element := range literal.Elts {
		pair := element.(*ast.KeyValueExpr)
		ast.Inspect(pair.Value, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if s, err := strconv.Unquote(text.Value); err == nil {
					*fields[pair.Key.(*ast.Ident).Name] += s
				}
			}
			return true
		})
	}
	return f
}

// formProblem says what is wrong with the texts of a form, as they are written and as they come out; empty if nothing is.
func formProblem(f pgerror.Form) string {
	var args []any
	for _, text := range []string{f.Message, f.Detail, f.Hint, f.Instead} {
		for _, verb := range formVerb.FindAllStringSubmatch(text, -1) {
			n, err := strconv.Atoi(verb[1])
			sample, ok := map[string]any{"d": 7, "s": "sample", "v": "sample", "q": "sample"}[verb[2]]
			if err != nil || !ok {
				return "no sample is for the verb " + verb[0]
			}
			for len(args) < n {
				args = append(args, "sample")
			}
			if verb[2] != "v" {
				args[n-1] = sample
			}
		}
		if rest := strings.ReplaceAll(formVerb.ReplaceAllString(text, ""), "%%", ""); strings.Contains(rest, "%") {
			return "a percent sign that is no verb is written twice in a form: " + text
		}
	}
	said := f.With(args...)
	for _, text := range []string{said.Message, said.Detail, said.Hint} {
		if strings.Contains(text, "%%") || strings.Contains(text, "%!") || strings.Contains(text, "%[") {
			return "it says: " + text
		}
	}
	return ""
}
