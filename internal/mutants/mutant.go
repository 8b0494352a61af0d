package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
)

// A mutant is one file with one change.
type mutant struct {
	file   string
	line   int
	change string // such as "< becomes <="
	text   []byte // the whole file
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.change) }

// others are the operators that take an operator's place.
var others = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.AND: {token.OR}, token.OR: {token.AND},
}

// mutantsOf are all changes of some files: another operator, a number that is one larger, a condition that is the opposite, a call whose
// result nobody reads that is left out.
func mutantsOf(files []string) ([]mutant, error) {
	var all []mutant
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		w := writer{file, text, set, &all}
		ast.Inspect(tree, w.visit)
	}
	return all, nil
}

// A writer makes the mutants of one file.
type writer struct {
	file string
	text []byte
	set  *token.FileSet
	all  *[]mutant
}

// visit adds the mutants of a node. Declarations of constants, tags and imports have none that a test could tell.
func (w writer) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.BinaryExpr:
		for _, other := range others[n.Op] {
			w.add(n.OpPos, len(n.Op.String()), other.String())
		}
	case *ast.IfStmt:
		w.opposite(n.Cond)
	case *ast.BasicLit:
		if number, err := strconv.ParseInt(n.Value, 0, 62); err == nil && n.Kind == token.INT {
			w.add(n.Pos(), len(n.Value), strconv.FormatInt(number+1, 10))
		}
	case *ast.ExprStmt:
		w.add(n.Pos(), int(n.End()-n.Pos()), "{}")
	}
	return true
}

// opposite adds the opposite of a condition, if that is not a comparison, whose operator is changed anyway.
func (w writer) opposite(condition ast.Expr) {
	if _, binary := condition.(*ast.BinaryExpr); binary {
		return
	}
	at, length := condition.Pos(), int(condition.End()-condition.Pos())
	w.add(at, length, "!("+string(w.text[w.offset(at):w.offset(at)+length])+")")
}

func (w writer) offset(at token.Pos) int { return w.set.Position(at).Offset }

// add adds the mutant that has other words in a place of the file.
func (w writer) add(at token.Pos, length int, words string) {
	place := w.set.Position(at)
	before, after := w.text[:place.Offset], w.text[place.Offset+length:]
	text := append(append(append([]byte(nil), before...), words...), after...)
	was := string(w.text[place.Offset : place.Offset+length])
	*w.all = append(*w.all, mutant{w.file, place.Line, fmt.Sprintf("%.60q becomes %.60q", was, words), text})
}
