package policy

import (
	"fmt"
	"slices"
	"time"
)

// public decodes the list of trusted tables.
func (d *decoder) public(n *node) []TableName {
	if n == nil || !d.expect(n, sequence) {
		return nil
	}
	var names []TableName
	for _, item := range n.items {
		text, ok := d.text(item)
		if !ok {
			continue
		}
		name, ok := d.tableName(item, text)
		if !ok {
			continue
		}
		if slices.Contains(names, name) {
			d.report(item, fmt.Sprintf("%v is listed twice", name), "remove one")
			continue
		}
		names = append(names, name)
	}
	return names
}

// tables decodes the protected tables of a policy whose public tables and limits are known.
func (d *decoder) tables(n *node, p *Policy) []*Table {
	o := d.object(n)
	if o.node == nil {
		return nil
	}
	if len(o.node.entries) == 0 {
		d.report(o.node, "no table is protected", "name a table")
	}
	var tables []*Table
	for _, e := range o.node.entries {
		at := e.value.key()
		name, ok := d.tableName(at, e.key)
		if ok && slices.ContainsFunc(tables, func(t *Table) bool { return t.Name == name }) {
			d.report(at, fmt.Sprintf("%v is protected twice", name), "remove one")
		}
		if ok && slices.Contains(p.Public, name) {
			d.report(at, fmt.Sprintf("%v is also listed under public", name), "remove it from one of the two")
		}
		table := d.table(e.value, p)
		table.Name = name
		tables = append(tables, table)
	}
	return tables
}

func (d *decoder) table(n *node, p *Policy) *Table {
	o := d.object(n, "person", "adjacency", "size", "mechanism", "budget", "replay", "derive", "workload", "columns")
	if audited(o.optional("mechanism")) {
		return d.auditedTable(o, p)
	}
	budget := o.required("budget", "write {epsilon: 10, delta: 1e-6}, the most loss for all analysts together")
	t := &Table{
		Person:     d.person(o.required("person", "write person: row if every person has at most one row in the table")),
		Adjacency:  Adjacency(d.choice(o.optional("adjacency"), string(AddRemove), string(ReplaceOne))),
		SizePublic: d.choice(o.optional("size"), "hidden", "public") == "public",
		Budget:     d.budget(budget),
		Replay:     d.replay(o.optional("replay")),
		Derive:     d.choice(o.optional("derive"), "true", "false") == "true",
		Columns:    d.columns(o.optional("columns"), p),
	}
	t.ReplayStated = o.optional("replay") != nil
	d.budgetRules(budget, t)
	t.Mechanism = d.mechanism(o.required("mechanism", "write {kind: geometric, epsilon: 0.5}"), t)
	d.leftOut(o.optional("person"), t)
	d.thresholds(budget, t)
	t.Blocks = d.blocks(d.budgetNode(budget).optional("blocks"), t)
	t.Workload = d.workloadOf(o.optional("workload"), t)
	return t
}

func (d *decoder) budget(n *node) Budget {
	o := d.object(n, "epsilon", "delta", "releases", "composition", "thresholds", "window", "blocks")
	epsilon, delta := o.epsilonAndDelta("write epsilon: 10")
	return Budget{Epsilon: d.epsilon(epsilon), Delta: d.delta(delta), Releases: d.releases(o.optional("releases"))}
}

// replay returns how long a repeated question is answered from the ledger; 0 is for ever.
func (d *decoder) replay(n *node) time.Duration {
	if n == nil || n.kind == scalar && n.text == "forever" {
		return 0
	}
	return d.duration(n, time.Second, maxDuration, 30*24*time.Hour)
}
