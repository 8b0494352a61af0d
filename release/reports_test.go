package release

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
)

// report prints a report's rows with times left out.
func (w *ward) report(d *Gateway, analyst string, report *rewrite.Report) string {
	w.T.Helper()
	cells, err := d.Report(context.Background(), analyst, []*rewrite.Report{report})
	if err != nil {
		w.T.Fatal(err)
	}
	columns := cells[0].Keys
	if len(columns) != len(report.Columns) {
		w.T.Fatalf("%d columns of %d", len(columns), len(report.Columns))
	}
	var b strings.Builder
	for row := range columns[0] {
		for i := range columns {
			switch v := columns[i][row]; {
			case v.Null:
				b.WriteString("NULL|")
			case timestamp.MatchString(v.Text):
				b.WriteString("time|")
			default:
				b.WriteString(v.Text + "|")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

var timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?Z$`)

func (w *ward) expectReport(d *Gateway, analyst string, report *rewrite.Report, want string) {
	w.T.Helper()
	if diff := cmp.Diff(strings.TrimLeft(want, "\n"), w.report(d, analyst, report)); diff != "" {
		w.T.Errorf("tacit.%s of %s (-want +got):\n%s", report.Name, analyst, diff)
	}
}

// mustAsk asks and does not look at the answer.
func (w *ward) mustAsk(d *Gateway, analyst, sql string) {
	w.T.Helper()
	if _, _, err := w.ask(d, analyst, sql); err != nil {
		w.T.Fatal(err)
	}
}

// TestReports follows the reports of two analysts, one with a cap, through charges, a replay and a change of the policy. At a delta of 5e-9 a
// question of epsilon 20 tells a little less than that: with its answer, the most telling one has a probability below 1.
func TestReports(t *testing.T) {
	w := newWard(t)
	d := w.open()
	w.expectReport(d, "ward_bob", rewrite.BudgetReport, `
clinic|people|1000|0|1000|1e-8|0|1e-8|40|0|40|NULL|0|NULL|0|0|0|NULL|0|NULL|0|0|0|NULL|0|NULL|pld|0|0|NULL|1|NULL|
clinic|staff|30|0|30|0|0|0|40|0|40|NULL|0|NULL|0|0|0|NULL|0|NULL|0|0|0|NULL|0|NULL|pld|0|0|NULL|1|NULL|
`)
	w.expectReport(d, "ward_bob", rewrite.HistoryReport, "")
	w.expectReport(d, "ward_bob", rewrite.ReleasesReport, "")
	w.mustAsk(d, "ward_ana", "SELECT region, count(*) FROM clinic.people GROUP BY region")
	w.mustAsk(d, "ward_bob", "SELECT region, count(*) AS n FROM clinic.people GROUP BY 1") // free
	w.mustAsk(d, "ward_bob", "SELECT count(*), illness FROM clinic.people GROUP BY illness")
	if _, _, err := w.ask(d, "ward_bob", "SELECT count(*) FROM clinic.people WHERE age = 3 OR sex = 'M'"); err != nil {
		t.Fatal(err)
	}
	d.Refused("ward_bob", "SELECT name FROM clinic.people", accountant.Request{}, &pgerror.Refusal{Code: "42501"})
	d.Close() // writes out what is noted
	d = w.open()
	w.expectReport(d, "ward_bob", rewrite.BudgetReport, `
clinic|people|1000|59.999999996|940.000000004|1e-8|6e-9|4e-9|40|39.999999996|0.000000004|NULL|6e-9|NULL|0|0|0|NULL|0|NULL|0|0|0|NULL|0|NULL|pld|59.999999996|6e-9|NULL|1|NULL|
clinic|staff|30|0|30|0|0|0|40|0|40|NULL|0|NULL|0|0|0|NULL|0|NULL|0|0|0|NULL|0|NULL|pld|0|0|NULL|1|NULL|
`)
	w.expectReport(d, "ward_ana", rewrite.BudgetReport, `
clinic|people|1000|59.999999996|940.000000004|1e-8|6e-9|4e-9|NULL|19.999999996|NULL|NULL|5e-9|NULL|0|0|0|NULL|0|NULL|0|0|0|NULL|0|NULL|pld|59.999999996|6e-9|NULL|1|NULL|
clinic|staff|30|0|30|0|0|0|NULL|0|NULL|NULL|0|NULL|0|0|0|NULL|0|NULL|0|0|0|NULL|0|NULL|pld|0|0|NULL|1|NULL|
`)
	w.expectReport(d, "ward_ana", rewrite.HistoryReport, `
time|clinic|people|charged|20|0|NULL|SELECT region, count(*) FROM clinic.people GROUP BY region|0|0|NULL|
`)
	history := w.report(d, "ward_bob", rewrite.HistoryReport)
	for _, line := range []string{
		"time|NULL|NULL|refused|0|0|42501|SELECT name FROM clinic.people|0|0|NULL|\n",
		"time|clinic|people|charged|20|1e-9|NULL|SELECT count(*), illness FROM clinic.people GROUP BY illness|0|0|NULL|\n",
		"time|clinic|people|replayed|0|0|NULL|SELECT region, count(*) AS n FROM clinic.people GROUP BY 1|0|0|time|\n",
	} {
		if !strings.Contains(history, line) {
			t.Errorf("no %s in\n%s", line, history)
		}
	}
	if strings.Count(history, "\n") != 4 {
		t.Errorf("the history of ward_bob is\n%s", history)
	}
	releases := `
3|clinic|people|count(*) FROM clinic.people WHERE (age = 3 OR sex = 'M')|geometric|20|0|time|1|0|
2|clinic|people|count(*) FROM clinic.people GROUP BY illness|geometric|20|1e-9|time|3|0|
1|clinic|people|count(*) FROM clinic.people GROUP BY region|geometric|20|0|time|3|0|
`
	w.expectReport(d, "ward_ana", rewrite.ReleasesReport, releases)
	w.expectReport(d, "ward_bob", rewrite.ReleasesReport, releases)

	// Under another mechanism the same questions are new ones.
	changed := w.changed(func(table *policy.Table) { table.Mechanism.Epsilon = 10e9 })
	if err := d.Reload(context.Background(), changed); err != nil {
		t.Fatal(err)
	}
	w.expectReport(d, "ward_ana", rewrite.ReleasesReport, "")
	// An answer that is too old is not repeated.
	changed = w.changed(func(table *policy.Table) { table.Replay = time.Nanosecond })
	if err := d.Reload(context.Background(), changed); err != nil {
		t.Fatal(err)
	}
	w.expectReport(d, "ward_ana", rewrite.ReleasesReport, "")
}

// changed is the policy with another first table.
func (w *ward) changed(edit func(*policy.Table)) *policy.Policy {
	p, table := *w.Policy, *w.Policy.Tables[0]
	edit(&table)
	p.Tables = append([]*policy.Table{&table}, w.Policy.Tables[1:]...)
	p.Version = fmt.Sprint(table)
	return &p
}

// TestTablesReportTellsRanges fails if analysts are not told where a range ends, of whatever type, or that the values of a boolean column are known.
func TestTablesReportTellsRanges(t *testing.T) {
	w := newWardOf(t, declaredSchema, declaredPolicy)
	report := w.report(w.open(), "ward_ana", rewrite.TablesReport)
	for _, c := range []struct{ column, domain, ends string }{
		{"seen|timestamp without time zone", "range|NULL", "2024-01-15 00:00:00|2024-02-29 23:59:59.999999"},
		{"paid|timestamp with time zone", "range|NULL", "2024-03-30 20:00:00+00|2024-04-01 23:59:59.999999+00"},
		{"age|integer", "range|NULL", "0|400000"},
		{"cost|numeric", "range|13", "-2.5|3.5"},
		{"ratio|double precision", "range|NULL", "0|4.5"},
		{"waited|interval", "range|NULL", "00:00:00|1 days 12:00:00"},
		{"salary|numeric", "range|NULL", "0|100000"},
		{"active|boolean", "values|2", "NULL|NULL"},
		{"diagnosis|text", "unknown|NULL", "NULL|NULL"},
	} {
		found := false
		for line := range strings.Lines(report) {
			parts := strings.SplitN(line, c.column, 2)
			if parts[0] != "clinic|stays|" {
				continue
			}
			found = true
			if !strings.Contains(line, "|"+c.domain+"|row|") || !strings.HasSuffix(line, "|"+c.ends+"|\n") {
				t.Errorf("%s: %s", c.column, line)
			}
		}
		if !found {
			t.Errorf("no %s in\n%s", c.column, report)
		}
	}
}

func TestTablesReport(t *testing.T) {
	w := newWard(t)
	d := w.open()
	want := `
clinic|people|region|text|false|values_from|3|row|add-remove|geometric|20|0|NULL|NULL|NULL|NULL|
clinic|people|sex|text|true|values|2|row|add-remove|geometric|20|0|NULL|NULL|NULL|NULL|
clinic|people|age|integer|true|range|100|row|add-remove|geometric|20|0|NULL|NULL|0|99|
clinic|people|illness|text|true|unknown|NULL|row|add-remove|geometric|20|0|NULL|NULL|NULL|NULL|
clinic|staff|region|text|false|values|2|row|add-remove|geometric|20|0|NULL|NULL|NULL|NULL|
clinic|staff|id|integer|false|range|150|row|add-remove|geometric|20|0|NULL|NULL|1|150|
`
	w.expectReport(d, "ward_bob", rewrite.TablesReport, want)
	// It needs no ledger; the others do.
	d.monitor.Mu.Lock()
	l := d.monitor.Ledger
	d.monitor.Ledger = nil
	d.monitor.Mu.Unlock()
	w.expectReport(d, "ward_bob", rewrite.TablesReport, want)
	_, err := d.Report(context.Background(), "ward_bob", []*rewrite.Report{rewrite.TablesReport, rewrite.BudgetReport})
	if refusalCode(err) != "58030" {
		t.Errorf("without a ledger: %v", err)
	}
	d.monitor.Mu.Lock()
	d.monitor.Ledger = l
	d.monitor.Mu.Unlock()
}

// TestReportsAreBounded fills a report beyond each bound.
func TestReportsAreBounded(t *testing.T) {
	r := &reporter{}
	r.begin(1)
	for !r.full() {
		r.row("x")
	}
	if n := len(r.columns[0]); n != maxReportRows {
		t.Errorf("%d rows", n)
	}
	r.begin(2)
	for !r.full() {
		r.row(strings.Repeat("x", 1<<20), nil)
	}
	if n := len(r.columns[1]); n != maxReportBytes>>20 {
		t.Errorf("%d rows of a MiB", n)
	}
}

// TestBudgetRule: no rule is named for answers that have no loss, unless there were others before.
func TestBudgetRule(t *testing.T) {
	for _, c := range []struct {
		kind     policy.Kind
		lifetime accountant.Loss
		named    bool
	}{
		{policy.Geometric, accountant.Loss{}, true},
		{policy.Audit, accountant.Loss{Risk: 1}, false},
		{policy.Suppression, accountant.Loss{Releases: 2}, false},
		{policy.Suppression, accountant.Loss{Epsilon: 1}, true},
	} {
		table := &policy.Table{Composition: policy.PLDComposition, Mechanism: policy.Mechanism{Kind: c.kind}}
		row := budgetRule(table, &accountant.Balance{Lifetime: c.lifetime, Epoch: 3})
		if named := row[0] == "pld" && row[1] == c.lifetime.Epsilon; named != c.named || row[4] != int64(3) || !named && (row[0] != nil || row[1] != nil || row[2] != nil) {
			t.Errorf("%s, after %v: %v", c.kind, c.lifetime, row)
		}
	}
}

// TestReportsOfStewardsActs: what a steward did about an analyst is no statement of hers, and costs her nothing; and in a new epoch no answers of
// the former one can be repeated.
func TestReportsOfStewardsActs(t *testing.T) {
	w := newWard(t)
	d := w.open()
	ctx := context.Background()
	w.mustAsk(d, "ward_bob", "SELECT count(*) FROM clinic.people")
	history, releases := w.report(d, "ward_bob", rewrite.HistoryReport), w.report(d, "ward_bob", rewrite.ReleasesReport)
	_, err := d.monitor.Ledger.Grant(ctx, ledger.Grant{
		Table: PeopleTable, Analyst: "ward_bob", To: *w.Policy.Analysts[1].Budget, Budget: policy.Budget{Epsilon: 1e9}, By: "steward", Reason: "a test",
	})
	if err == nil {
		_, err = d.monitor.Ledger.Freeze(ctx, ledger.Freeze{Table: PeopleTable, Analyst: "ward_bob", By: "steward", Reason: "a test"})
	}
	if err == nil {
		_, err = d.monitor.Ledger.Thaw(ctx, ledger.Freeze{Table: PeopleTable, Analyst: "ward_bob", By: "steward", Reason: "a test"})
	}
	if err != nil {
		t.Fatal(err)
	}
	w.expectReport(d, "ward_bob", rewrite.HistoryReport, "\n"+history)
	w.expectReport(d, "ward_bob", rewrite.ReleasesReport, "\n"+releases)
	if _, err := d.monitor.Ledger.OpenEpoch(ctx, PeopleTable, "steward", "a test"); err != nil {
		t.Fatal(err)
	}
	w.expectReport(d, "ward_bob", rewrite.ReleasesReport, "")
	w.mustAsk(d, "ward_bob", "SELECT count(*) FROM clinic.people")
	if report := w.report(d, "ward_bob", rewrite.ReleasesReport); strings.Count(report, "\n") != 1 || report == releases {
		t.Errorf("in the new epoch there are\n%s", report)
	}
}
