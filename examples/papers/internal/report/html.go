package report

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
)

//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"count":      func(s Section) Tally { return Count(s) },
	"paragraphs": func(text string) []string { return strings.Split(strings.TrimSpace(text), "\n\n") },
}).Parse(pageHTML))

// HTML writes the page. It stands beside its pictures, runs no script and asks no other server for anything.
func HTML(w io.Writer, sections []Section) error {
	return page.Execute(w, struct {
		Sections []Section
		All      Tally
	}{sections, Count(sections...)})
}
