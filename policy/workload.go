package policy

import (
	"fmt"
	"slices"

	"tacit/policy/internal/document"
)

// maxGroupings bounds a workload: what is linked by more sums than a few hundred has no engine.
const maxGroupings = 64

const workloadRemedy = "write lists of public columns: [[hair], [eye]]"

// workload decodes the groupings that are always answered.
func (d *decoder) workload(n *document.Node, a *Auditor, t *Table) {
	if n == nil {
		return
	}
	if n.Kind != document.Sequence || len(n.Items) == 0 || len(n.Items) > maxGroupings {
		d.Report(n, fmt.Sprintf("this is no list of 1 to %d groupings", maxGroupings), workloadRemedy)
		return
	}
	seen := make(map[string]bool)
	for _, item := range n.Items {
		grouping, ok := d.grouping(item, a, t)
		if !ok {
			continue
		}
		sorted := slices.Sorted(slices.Values(grouping))
		key := fmt.Sprintf("%q", sorted)
		if seen[key] {
			d.Report(item, "the grouping is in the list twice", "remove one")
		}
		seen[key] = true
		a.Workload = append(a.Workload, grouping)
	}
	d.workloadFits(n, a)
}

// grouping decodes the columns of a GROUP BY.
func (d *decoder) grouping(n *document.Node, a *Auditor, t *Table) ([]string, bool) {
	if n.Kind != document.Sequence || len(n.Items) == 0 {
		d.Report(n, "this is no list of columns", workloadRemedy)
		return nil, false
	}
	before := len(d.Errors)
	var columns []string
	for _, item := range n.Items {
		name, ok := d.Text(item)
		if !ok {
			continue
		}
		if _, ok := d.publicColumn(item, name, a, t); ok && slices.Contains(columns, name) {
			d.Report(item, fmt.Sprintf("column %q is in the grouping twice", name), "name it once")
		}
		columns = append(columns, name)
	}
	return columns, len(d.Errors) == before
}

// workloadFits reports what no certificate of a workload is known for.
func (d *decoder) workloadFits(n *document.Node, a *Auditor) {
	at := n.AtKey()
	switch {
	case a.Values != nil || a.Prior.hasNull():
		d.Report(at, fmt.Sprintf("column %q has other values than true and false, and a workload is certified for a Boolean column", a.Private), "remove the key")
	case a.Prior.Kind == EstimatedPrior:
		d.Report(at, "a workload is certified for totals or declared probabilities, not for an estimate", "remove the key, or the estimate")
	case a.Prior.Interval > 0 || a.Prior.Spread > 0:
		d.Report(at, "a workload is certified for probabilities without interval and spread", "remove the key, or these")
	case a.Insiders > 0:
		d.Report(at, "a workload is not certified against insiders", "remove the key, or insiders")
	}
}
