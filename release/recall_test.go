package release

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
	"tacit/release/internal/site"
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

// TestCellsOfAFilterAreRemembered derives the same answer twice, the second time while the curator cannot ask the server which cells the filter
// of the statement allows.
func TestCellsOfAFilterAreRemembered(t *testing.T) {
	w := newWard(t)
	d := w.open()
	if err := d.Reload(context.Background(), w.changed(func(table *policy.Table) { table.Derive = true })); err != nil {
		t.Fatal(err)
	}
	w.mustAsk(d, "ward_ana", "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex")
	recall := func(sql string) (string, bool) {
		cells, _, ok := d.Recall(context.Background(), Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)})
		if !ok {
			return "", false
		}
		return cellText(cells[0]), true
	}
	const northern, southern = "SELECT region, count(*) FROM clinic.people WHERE region < 'o' GROUP BY region",
		"SELECT region, count(*) FROM clinic.people WHERE region > 'o' GROUP BY region"
	first, ok := recall(northern)
	if !ok {
		t.Fatal("the answer was not derived")
	}
	site.RunScript(t, "postgres", "postgres", fmt.Sprintf(`ALTER DATABASE %[1]s ALLOW_CONNECTIONS false;
		SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%[1]s'`, w.Database))
	if again, ok := recall(northern); again != first || !ok {
		t.Errorf("the second time it is %q, the first time %q", again, first)
	}
	if other, ok := recall(southern); ok {
		t.Errorf("the cells of another filter are taken from somewhere: %s", other)
	}
}
