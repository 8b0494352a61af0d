package release

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
)

// TestRecall has the gateway answer what is recorded, and nothing else: what it does not answer leaves no trace.
func TestRecall(t *testing.T) {
	w := newWard(t)
	d := w.open()
	const byRegion = "SELECT region, count(*) FROM clinic.people GROUP BY region"
	recall := func(analyst, sql string) (string, bool) {
		cells, receipt, ok := d.Recall(context.Background(), Request{Analyst: analyst, SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
		if !ok {
			return "", false
		}
		if receipt.Charged() {
			t.Errorf("%s: recalled for %+v", sql, receipt)
		}
		return cellText(cells[0]), true
	}
	for range 2 {
		if got, ok := recall("ward_ana", byRegion); ok {
			t.Errorf("recalled before it was asked: %s", got)
		}
	}
	if _, receipt, err := w.ask(d, "ward_ana", byRegion); err != nil || !receipt.Charged() {
		t.Fatalf("%+v, %v", receipt, err)
	}
	want := w.cells(d, byRegion)
	for _, analyst := range []string{"ward_ana", "ward_bob"} {
		got, ok := recall(analyst, byRegion)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s: (-answered +recalled)\n%s", analyst, diff)
		}
	}
	for _, other := range []string{"SELECT sex, count(*) FROM clinic.people GROUP BY sex", "SELECT region, count(*) FROM clinic.people WHERE age > 50 GROUP BY region"} {
		if got, ok := recall("ward_ana", other); ok {
			t.Errorf("%s: recalled %s", other, got)
		}
	}
	if got, ok := recall("nobody", byRegion); ok {
		t.Errorf("recalled for a stranger: %s", got)
	}
	fresh := Request{Analyst: "ward_ana", SQL: byRegion, Queries: w.Queries(d.Catalog(), byRegion), Fresh: true}
	if _, _, ok := d.Recall(context.Background(), fresh); ok {
		t.Error("recalled what is to be counted anew")
	}
	// What was analysed under an older policy is not recalled.
	older := fresh
	older.Fresh = false
	if err := d.Reload(context.Background(), w.changed(func(table *policy.Table) { table.Mechanism.Epsilon /= 2 })); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := d.Recall(context.Background(), older); ok {
		t.Error("recalled what was analysed under an older policy")
	}
}
