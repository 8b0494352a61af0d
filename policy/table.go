package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tacit/policy/internal/document"
)

// public decodes the list of trusted tables.
func (d *decoder) public(n *document.Node) []TableName {
	if n == nil || !d.Expect(n, document.Sequence) {
		return nil
	}
	var names []TableName
	for _, item := range n.Items {
		text, ok := d.Text(item)
		if !ok {
			continue
		}
		name, ok := d.tableName(item, text)
		if !ok {
			continue
		}
		if slices.Contains(names, name) {
			d.Report(item, fmt.Sprintf("%v is listed twice", name), "remove one")
			continue
		}
		names = append(names, name)
	}
	return names
}

// tables decodes the protected tables of a policy whose public tables and limits are known.
func (d *decoder) tables(n *document.Node, p *Policy) []*Table {
	o := d.Object(n)
	if o.Node == nil {
		return nil
	}
	if len(o.Node.Entries) == 0 {
		d.Report(o.Node, "no table is protected", "name a table")
	}
	var tables []*Table
	for _, e := range o.Node.Entries {
		at := e.Value.AtKey()
		name, ok := d.tableName(at, e.Key)
		if ok && slices.ContainsFunc(tables, func(t *Table) bool { return t.Name == name }) {
			d.Report(at, fmt.Sprintf("%v is protected twice", name), "remove one")
		}
		if ok && slices.Contains(p.Public, name) {
			d.Report(at, fmt.Sprintf("%v is also listed under public", name), "remove it from one of the two")
		}
		table := d.table(e.Value, p)
		table.Name = name
		tables = append(tables, table)
	}
	return tables
}

func (d *decoder) table(n *document.Node, p *Policy) *Table {
	o := d.Object(n, "person", "adjacency", "size", "mechanism", "budget", "replay", "derive", "workload", "columns")
	if audited(o.Optional("mechanism")) {
		return d.auditedTable(o, p)
	}
	budget := o.Required("budget", "write {epsilon: 10, delta: 1e-6}, the most loss for all analysts together")
	t := &Table{
		Person:    d.person(o.Required("person", "write person: row if every person has at most one row in the table")),
		Adjacency: Adjacency(d.Choice(o.Optional("adjacency"), string(AddRemove), string(ReplaceOne))),
		Budget:    d.budget(budget),
		Replay:    d.replay(o.Optional("replay")),
		Derive:    d.Choice(o.Optional("derive"), "true", "false") == "true",
		Columns:   d.columns(o.Optional("columns"), p),
	}
	d.size(o.Optional("size"), t)
	t.ReplayStated = o.Optional("replay") != nil
	d.budgetRules(budget, t)
	t.Mechanism = d.mechanism(o.Required("mechanism", "write {kind: geometric, epsilon: 0.5}"), t)
	d.leftOut(o.Optional("person"), t)
	d.thresholds(budget, t)
	t.Blocks = d.blocks(d.Unchecked(budget).Optional("blocks"), t)
	t.Workload = d.workloadOf(o.Optional("workload"), t)
	return t
}

func (d *decoder) budget(n *document.Node) Budget {
	o := d.Object(n, "epsilon", "delta", "releases", "composition", "thresholds", "window", "blocks")
	epsilon, delta := d.epsilonAndDelta(o, "write epsilon: 10")
	return Budget{Epsilon: d.epsilon(epsilon), Delta: d.delta(delta), Releases: d.releases(o.Optional("releases"))}
}

// maxSize is more rows than a table has.
const maxSize = 1_000_000_000_000_000

// size decodes whether the number of rows is a secret, or about how many there are.
func (d *decoder) size(n *document.Node, t *Table) {
	if n == nil || n.Kind != document.Scalar || n.Text == "" || strings.Trim(n.Text, "0123456789") != "" {
		t.SizePublic = d.Choice(n, "hidden", "public") == "public"
		return
	}
	t.DeclaredSize = int64(d.Integer(n, 1, maxSize, 50_000))
}

// replay returns how long a repeated question is answered from the ledger; 0 is for ever.
func (d *decoder) replay(n *document.Node) time.Duration {
	if n == nil || n.Kind == document.Scalar && n.Text == "forever" {
		return 0
	}
	return d.duration(n, time.Second, maxDuration, 30*24*time.Hour)
}
