package policy

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy/internal/document"
)

// acceptable are the names of the findings that a steward may accept, since only a superuser of the server could close them. What each
// costs the promise stands in docs/privacy.md.
var acceptable = []string{"fsync", "size-estimates", "sql-text-functions", "table-sizes"}

// AcceptableFindings are the names that the key accept may hold.
func AcceptableFindings() []string { return slices.Clone(acceptable) }

// accept decodes the names of findings that the steward accepts.
func (d *decoder) accept(n *document.Node) []string {
	if n == nil || !d.Expect(n, document.Sequence) {
		return nil
	}
	var names []string
	for _, item := range n.Items {
		name, ok := d.Text(item)
		switch {
		case !ok:
		case !slices.Contains(acceptable, name):
			d.Report(item, fmt.Sprintf("%q is no finding that can be accepted", name), "accept only what tacit check says can be: "+strings.Join(acceptable, ", "))
		case slices.Contains(names, name):
			d.Report(item, fmt.Sprintf("%s is listed twice", name), "remove one")
		default:
			names = append(names, name)
		}
	}
	return names
}
