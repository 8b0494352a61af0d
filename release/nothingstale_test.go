package release

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// TestNothingIsRecalledStale asks the same again and again, and changes something in between. What is remembered of it is then shown as a
// gateway shows it that remembers nothing, refusals and words of the notice included. With -short every other thing is changed.
func TestNothingIsRecalledStale(t *testing.T) {
	const whole = "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex"
	questions := []string{
		whole, // recorded
		"SELECT sex, count(*) FROM clinic.people GROUP BY sex",                                                             // derived
		"SELECT sex, count(*) FROM clinic.people WHERE region = 'north' GROUP BY sex",                                      // derived by a filter
		"SELECT a.count, b.count FROM (SELECT count(*) FROM clinic.people) AS a, (SELECT count(*) FROM clinic.staff) AS b", // of two tables
	}
	freeze := ledger.Freeze{Table: PeopleTable, By: "steward", Reason: "a complaint"}
	hers := ledger.Freeze{Table: PeopleTable, Analyst: "ward_ana", By: "steward", Reason: "a complaint"}
	ctx := context.Background()
	act := func(_ int64, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w := newWard(t)
	w.Policy = w.deriving()
	w.shareLedger()
	d := w.open()
	reload := func(p *policy.Policy) {
		t.Helper()
		if err := d.Reload(context.Background(), p); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct {
		name         string
		change, undo func()
	}{
		{"nothing", func() {}, nil},
		{"charge", func() { w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.people WHERE age = 40") }, nil},
		{"freeze", func() { act(d.monitor.Ledger.Freeze(ctx, freeze)) }, func() { act(d.monitor.Ledger.Thaw(ctx, freeze)) }},
		{"freeze of the analyst", func() { act(d.monitor.Ledger.Freeze(ctx, hers)) }, func() { act(d.monitor.Ledger.Thaw(ctx, hers)) }},
		{"grant", func() {
			act(d.monitor.Ledger.Grant(ctx, ledger.Grant{Table: PeopleTable, Budget: policy.Budget{Epsilon: 7}, By: "steward", Reason: "a study"}))
		}, nil},
		{"fresh answer", func() { w.askAnew(d, whole) }, nil},
		{"answer with fewer cells", func() { w.askAnew(d, questions[1]) }, nil},
		{"answer of another process", func() {
			w.askAnew(w.another(), whole)
			w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.people WHERE age = 41") // which takes in what others wrote
		}, nil},
		{"epoch", func() { act(d.monitor.Ledger.OpenEpoch(ctx, PeopleTable, "steward", "new rows")) }, nil},
		{"epoch of another process", func() {
			act(w.another().monitor.Ledger.OpenEpoch(ctx, PeopleTable, "steward", "newer rows"))
			w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.people WHERE age = 42") // which takes in what others wrote
		}, nil},
		{"failed count", func() {
			d.monitor.Mu.Lock()
			defer d.monitor.Mu.Unlock()
			d.monitor.Failed = map[policy.TableName]bool{PeopleTable: true}
		}, func() { reload(w.Policy) }},
		{"analyst taken out", func() {
			changed := *w.Policy
			changed.Version, changed.Analysts = "without her", changed.Analysts[1:]
			reload(&changed)
		}, func() { reload(w.Policy) }},
		{"reload", func() { reload(w.changed(func(table *policy.Table) { table.Mechanism.Epsilon = 10 })) }, func() { reload(w.Policy) }},
		{"catalog", func() {
			w.Exec("ALTER TABLE clinic.people ALTER COLUMN sex TYPE varchar(1)")
			if err := d.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
		}, nil},
	} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			before := d.Catalog()
			for range 3 {
				for _, sql := range questions {
					w.mustAsk(d, "ward_ana", sql)
				}
			}
			c.change()
			for _, sql := range questions {
				for when, catalog := range map[string]*rewrite.Catalog{"then": before, "now": d.Catalog()} {
					request := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(catalog, sql)}
					remembered := told(d.Recall(ctx, request))
					request.MaxAge = 1000 * time.Hour // for which nothing is remembered
					if diff := cmp.Diff(told(d.Recall(ctx, request)), remembered); diff != "" {
						t.Errorf("%s, analysed %s: (-looked up +remembered)\n%s", sql, when, diff)
					}
				}
			}
			if c.undo != nil {
				c.undo()
			}
		})
	}
}

// deriving is the policy with answers that follow from others.
func (w *ward) deriving() *policy.Policy {
	return w.changed(func(table *policy.Table) { table.Derive = true })
}

// askAnew has a count drawn again.
func (w *ward) askAnew(d *Gateway, sql string) {
	w.T.Helper()
	fresh := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Fresh: true}
	if _, _, err := d.Answer(context.Background(), fresh); err != nil {
		w.T.Fatal(err)
	}
}

// told is all that is said of what was recalled.
func told(cells []*query.Cells, receipt *Receipt, ok bool) string {
	if !ok {
		return "nothing"
	}
	text := undated(receipt.Notice()) + "\n"
	for _, c := range cells {
		text += cellText(c)
	}
	return text
}
