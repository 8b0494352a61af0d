package edit

import (
	"github.com/goccy/go-yaml/ast"

	"tacit/policy"
)

// Workload is the text of a policy file with a workload under a table, in place of the one that is there, if any. All else stays byte for byte. It is an
// error if the file is written in a way that this does not know how to change.
func Workload(path string, data []byte, table policy.TableName, workload string) ([]byte, error) {
	e := edit{table: table, key: "workload", what: "workload", part: "table", under: table.String(), before: "mechanism",
		find:   func(file *ast.File) ast.Node { return tableNode(file, table) },
		forget: func(t *policy.Table) { t.Workload = nil }}
	return e.apply(path, data, workload)
}
