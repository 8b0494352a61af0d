package edit

import (
	"github.com/goccy/go-yaml/ast"

	"tacit/policy"
)

// Certified is the text of a policy file with a certified plan under the mechanism of an audited table, in place of the one that is there,
// if any. All else stays byte for byte. It is an error if the file is written in a way that this does not know how to change.
func Certified(path string, data []byte, table policy.TableName, certified string) ([]byte, error) {
	e := edit{table: table, key: "certified", what: "plan", part: "mechanism", under: "the mechanism of " + table.String(), before: "kind", forget: forgetPlan,
		find: func(file *ast.File) ast.Node {
			if m, ok := valueUnder(tableNode(file, table), "mechanism").(*ast.MappingNode); ok {
				return m
			}
			return nil
		}}
	return e.apply(path, data, certified)
}

func forgetPlan(t *policy.Table) {
	if t.Mechanism.Audit != nil {
		audit := *t.Mechanism.Audit
		audit.Certified, audit.Plan = nil, 0
		t.Mechanism.Audit = &audit
	}
}
