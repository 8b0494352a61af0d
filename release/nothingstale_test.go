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
// gateway shows it that remembers nothing, refusals and words of the notice included.
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
	act := func(act func(context.Context, *ledger.Ledger) (int64, error)) func(*testing.T, *ward, *Gateway) {
		return func(t *testing.T, w *ward, d *Gateway) {
			if _, err := act(context.Background(), d.monitor.Ledger); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(*testing.T, *ward, *Gateway)
	}{
		{"nothing", func(*testing.T, *ward, *Gateway) {}},
		{"freeze", act(func(ctx context.Context, l *ledger.Ledger) (int64, error) { return l.Freeze(ctx, freeze) })},
		{"freeze of the analyst", act(func(ctx context.Context, l *ledger.Ledger) (int64, error) { return l.Freeze(ctx, hers) })},
		{"thaw", act(func(ctx context.Context, l *ledger.Ledger) (int64, error) {
			if _, err := l.Freeze(ctx, freeze); err != nil {
				return 0, err
			}
			return l.Thaw(ctx, freeze)
		})},
		{"grant", act(func(ctx context.Context, l *ledger.Ledger) (int64, error) {
			return l.Grant(ctx, ledger.Grant{Table: PeopleTable, Budget: policy.Budget{Epsilon: 7}, By: "steward", Reason: "a study"})
		})},
		{"epoch", act(func(ctx context.Context, l *ledger.Ledger) (int64, error) {
			return l.OpenEpoch(ctx, PeopleTable, "steward", "new rows")
		})},
		{"charge", func(_ *testing.T, w *ward, d *Gateway) {
			w.mustAsk(d, "ward_bob", "SELECT count(*) FROM clinic.people WHERE age = 40")
		}},
		{"fresh answer", func(t *testing.T, w *ward, d *Gateway) { w.askAnew(t, d, whole) }},
		{"answer with fewer cells", func(t *testing.T, w *ward, d *Gateway) { w.askAnew(t, d, questions[1]) }},
		{"answer of another process", func(t *testing.T, w *ward, d *Gateway) {
			w.askAnew(t, w.another(), whole)
			w.mustAsk(d, "ward_bob", "SELECT count(*) FROM clinic.people WHERE age = 41") // which takes in what others wrote
		}},
		{"reload", func(t *testing.T, w *ward, d *Gateway) {
			changed := w.changed(func(table *policy.Table) { table.Derive, table.Mechanism.Epsilon = true, 10 })
			if err := d.Reload(context.Background(), changed); err != nil {
				t.Fatal(err)
			}
		}},
		{"analyst taken out", func(t *testing.T, w *ward, d *Gateway) {
			changed := *w.deriving()
			changed.Version, changed.Analysts = "without her", changed.Analysts[1:]
			if err := d.Reload(context.Background(), &changed); err != nil {
				t.Fatal(err)
			}
		}},
		{"catalog", func(t *testing.T, w *ward, d *Gateway) {
			w.Exec("ALTER TABLE clinic.people ALTER COLUMN sex TYPE varchar(1)")
			if err := d.Refresh(context.Background()); err != nil {
				t.Fatal(err)
			}
		}},
		{"failed count", func(_ *testing.T, _ *ward, d *Gateway) {
			d.monitor.Mu.Lock()
			defer d.monitor.Mu.Unlock()
			d.monitor.Failed = map[policy.TableName]bool{PeopleTable: true}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWard(t)
			w.Policy = w.deriving()
			w.shareLedger()
			d := w.open()
			before := d.Catalog()
			for range 3 {
				for _, sql := range questions {
					w.mustAsk(d, "ward_ana", sql)
				}
			}
			c.change(t, w, d)
			for _, sql := range questions {
				for when, catalog := range map[string]*rewrite.Catalog{"then": before, "now": d.Catalog()} {
					request := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(catalog, sql)}
					remembered := told(d.Recall(context.Background(), request))
					request.MaxAge = 1000 * time.Hour // for which nothing is remembered
					if diff := cmp.Diff(told(d.Recall(context.Background(), request)), remembered); diff != "" {
						t.Errorf("%s, analysed %s: (-looked up +remembered)\n%s", sql, when, diff)
					}
				}
			}
		})
	}
}

// deriving is the policy with answers that follow from others.
func (w *ward) deriving() *policy.Policy {
	return w.changed(func(table *policy.Table) { table.Derive = true })
}

// askAnew has a count drawn again.
func (w *ward) askAnew(t *testing.T, d *Gateway, sql string) {
	t.Helper()
	fresh := Request{Analyst: "ward_bob", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Fresh: true}
	if _, _, err := d.Answer(context.Background(), fresh); err != nil {
		t.Fatal(err)
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
