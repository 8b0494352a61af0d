package policy

import (
	"fmt"
	"reflect"
	"slices"
	"time"
)

// This file tells a steward what a file that is read again has changed. Start at Changes.

// Changes name the keys under which a policy says something else than a former one, in the order of the documentation. Of what notes the ledger keeps they tell the values, too;
// those of other keys may be secrets, or long.
func (p *Policy) Changes(former *Policy) (keys []string) {
	for _, k := range []struct {
		key         string
		before, now any
	}{
		{"listen", former.Listen, p.Listen}, {"proxy_protocol", former.Balancers, p.Balancers}, {"tls", former.TLS, p.TLS}, {"upstream", former.Upstream, p.Upstream},
		{"ledger", former.Ledger, p.Ledger}, {"auth", former.Auth, p.Auth}, {"local_auth", former.LocalAuth, p.LocalAuth},
		{"when-not-separate", former.WhenNotSeparate, p.WhenNotSeparate}, {"accept", former.Accept, p.Accept}, {"analysts", former.Analysts, p.Analysts},
		{"public", former.Public, p.Public}, {"limits", [2]any{former.Limits, former.Sessions}, [2]any{p.Limits, p.Sessions}},
		{"metrics, log.format, log.level or drain", former.Operations, p.Operations}, {"answer_every", former.AnswerEvery, p.AnswerEvery},
	} {
		if !reflect.DeepEqual(k.before, k.now) {
			keys = append(keys, k.key)
		}
	}
	if before, now := former.Keep.forText(), p.Keep.forText(); before != now {
		keys = append(keys, fmt.Sprintf("log.keep (%s, before %s)", now, before))
	}
	if before, now := former.Keep.notesText(), p.Keep.notesText(); before != now {
		keys = append(keys, fmt.Sprintf("log.notes (%s, before %s)", now, before))
	}
	keys = append(keys, p.changedTables(former)...)
	if !reflect.DeepEqual(former.Publications, p.Publications) {
		keys = append(keys, "publications")
	}
	if !reflect.DeepEqual(former.Console, p.Console) {
		keys = append(keys, "console")
	}
	return keys
}

// changedTables are those that are new, gone, or otherwise.
func (p *Policy) changedTables(former *Policy) (keys []string) {
	for _, t := range p.Tables {
		if before, ok := former.Table(t.Name); !ok || !reflect.DeepEqual(before.withoutLines(), t.withoutLines()) {
			keys = append(keys, "tables."+t.Name.String())
		}
	}
	for _, t := range former.Tables {
		if !slices.ContainsFunc(p.Tables, func(now *Table) bool { return now.Name == t.Name }) {
			keys = append(keys, "tables."+t.Name.String())
		}
	}
	return keys
}

// withoutLines is the table, wherever it stands in the file.
func (t *Table) withoutLines() *Table {
	if t.Workload == nil || len(t.Workload.Computed) == 0 {
		return t
	}
	table, w := *t, *t.Workload
	w.Computed = slices.Clone(w.Computed)
	for i := range w.Computed {
		w.Computed[i].Line = 0
	}
	table.Workload = &w
	return &table
}

func (k Keep) forText() string {
	if k.For == 0 {
		return "all"
	}
	return durationText(k.For.Truncate(time.Second))
}

func (k Keep) notesText() string {
	if k.Notes == 0 {
		return "all"
	}
	return fmt.Sprint(k.Notes)
}
