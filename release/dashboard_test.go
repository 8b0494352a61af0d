package release

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
)

// Every day, 3 and up to 9 people more are admitted.
const growingSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.stays (id bigint GENERATED ALWAYS AS IDENTITY, admitted date NOT NULL, ward text NOT NULL);
INSERT INTO clinic.stays (admitted, ward) SELECT DATE '2099-01-01' + d, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END
  FROM generate_series(0, 90) AS d, generate_series(0, 3 + d % 7) AS i;
`

const growingPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}, ward_bob: {}}
tables:
  clinic.stays:
    person: row
    mechanism: {kind: geometric, epsilon: EPSILON}
    budget: {epsilon: 10000BLOCKS}
    derive: DERIVE
    columns:
      admitted: {range: [2099-01-01, 2099-12-31]}
      ward: {values: [a, b]}
`

func newGrowingWard(t *testing.T, epsilon, blocks, derive string) *ward {
	t.Helper()
	return newWardOf(t, growingSchema, strings.NewReplacer("EPSILON", epsilon, "BLOCKS", blocks, "DERIVE", derive).Replace(growingPolicy))
}

var staysTable = policy.TableName{Schema: "clinic", Name: "stays"}

const byDay = ", blocks: {column: admitted, by: day}"

// lastDays counts the thirty days before a time.
func lastDays(at time.Time) string {
	return fmt.Sprintf("SELECT admitted, count(*) FROM clinic.stays WHERE admitted >= '%s' AND admitted < '%s' GROUP BY admitted",
		at.AddDate(0, 0, -30).Format(time.DateOnly), at.Format(time.DateOnly))
}

// TestMonthOfDashboard opens a dashboard of the last thirty days every morning of a month, and sees what that costs: as the steward's
// documents say.
func TestMonthOfDashboard(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	document, err := os.ReadFile("../docs/steward.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ policy, blocks, derive string }{
		{"no `blocks`", "", "true"},
		{"`blocks` by day, `derive: false`", byDay, "false"},
		{"`blocks` by day", byDay, "true"},
	} {
		w, now := newGrowingWard(t, "0.5", c.blocks, c.derive), newClock("2099-02-01 06:00:00")
		d := w.openAt(now)
		var total accountant.Loss
		var first, later string
		for day := range 31 {
			receipt := w.answered(d, nil, lastDays(now.now())).receipt
			total = total.Add(receipt.Charged)
			where := "the table"
			if receipt.Blocks != nil {
				where = fmt.Sprintf("%d days", len(receipt.Blocks.Names))
			}
			cost := fmt.Sprintf("epsilon %v to %s", receipt.Charged.Epsilon, where)
			switch day {
			case 0:
				first = cost
			case 1:
				later = cost
			default:
				if cost != later {
					t.Errorf("%s: charged %s on day %d, %s before", c.policy, cost, day+1, later)
				}
			}
			if again := w.answered(d, nil, lastDays(now.now())); again.receipt.Charged != (accountant.Loss{}) {
				t.Errorf("%s: charged %v for looking twice on day %d", c.policy, again.receipt.Charged, day+1)
			}
			now.forward(24 * time.Hour)
		}
		s, err := d.monitor.Ledger.Balance(context.Background(), d.monitor.Current().Accounting[staysTable], "ward_ana", nil)
		if err != nil {
			t.Fatal(err)
		}
		if charged := w.charged(d, staysTable); charged != total {
			t.Errorf("%s: %v was charged, and %v told", c.policy, charged, total)
		}
		later = strings.Replace(later, " 1 days", " 1 day", 1)
		if want := fmt.Sprintf("| %s | %s | %s | epsilon %v |", c.policy, first, later, s.Spent.Epsilon); !strings.Contains(string(document), want) {
			t.Errorf("docs/steward.md has no line %s", want)
		}
	}
}

// TestPartsAreTheWhole compares answers in parts with the truth, and with what the parts' sources were shown as: of several counts, with other
// keys and conditions. The noise is 0 but with a probability of 4e-9 for each cell.
func TestPartsAreTheWhole(t *testing.T) {
	w, now := newGrowingWard(t, "20", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	for _, sql := range []string{
		"SELECT admitted, ward, count(*) FROM clinic.stays WHERE admitted >= '%s' AND admitted < '%s' GROUP BY admitted, ward",
		"SELECT ward, admitted, count(*) FILTER (WHERE ward = 'a') FROM clinic.stays WHERE admitted BETWEEN '%s' AND '%s' AND ward <> 'x' GROUP BY 1, 2",
		"SELECT ward, admitted, count(*) FILTER (WHERE ward = 'a'), count(*) FILTER (WHERE ward = 'b') FROM clinic.stays WHERE admitted BETWEEN '%s' AND '%s' AND ward <> 'x' GROUP BY 1, 2",
		"SELECT admitted, count(*) FROM clinic.stays WHERE admitted IN ('2099-01-02', '2099-01-04', '2099-01-30', '%s', '%s') AND ward = 'b' GROUP BY admitted",
	} {
		for range 3 {
			text := fmt.Sprintf(sql, now.now().AddDate(0, 0, -10).Format(time.DateOnly), now.now().AddDate(0, 0, -1).Format(time.DateOnly))
			got, truth := w.answered(d, nil, text), w.truth(text)
			keys, _ := got.tuples()
			for i, n := range got.cells.Counts[len(got.cells.Counts)-1] {
				cell := strings.Join(keys[i], " ")
				if n != truth[cell] {
					t.Errorf("%s: %d in cell %s, which has %d", text, n, cell, truth[cell])
				}
				delete(truth, cell)
			}
			if len(truth) > 0 {
				t.Errorf("%s: not shown: %v", text, truth)
			}
			now.forward(48 * time.Hour)
		}
	}
}

// truth is the last count of a statement by its keys, as a superuser is answered.
func (w *ward) truth(sql string) map[string]int64 {
	w.T.Helper()
	rows, err := site.Connect(w.T, "postgres", w.Database).Query(context.Background(), sql)
	if err != nil {
		w.T.Fatal(err)
	}
	truth := make(map[string]int64)
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			w.T.Fatal(err)
		}
		last := len(values) - 1
		first := slices.IndexFunc(values, func(v any) bool { _, ok := v.(int64); return ok })
		keys := make([]string, first)
		for i, v := range values[:first] {
			if day, ok := v.(time.Time); ok {
				v = day.Format(time.DateOnly)
			}
			keys[i] = fmt.Sprint(v)
		}
		truth[strings.Join(keys, " ")] = values[last].(int64)
	}
	if err := rows.Err(); err != nil {
		w.T.Fatal(err)
	}
	return truth
}

// TestPartsAreTold pins what the notice and EXPLAIN say of an answer in parts.
func TestPartsAreTold(t *testing.T) {
	w, now := newGrowingWard(t, "0.5", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	w.mustAsk(d, "ward_ana", lastDays(now.now()))
	now.forward(24 * time.Hour)
	sql := lastDays(now.now())
	e, err := w.explain(d, "ward_bob", sql)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(e.Lines(), "\n")
	for _, want := range []string{
		"  Question: count(*) FROM clinic.stays WHERE admitted = date '2099-02-01' GROUP BY admitted\n  Cost: epsilon 0.5\n",
		"  Cost: free (derived from release 1, answered 1 day ago, 2099-02-01 06:00 UTC: each count is one of its cells)\n",
		"  Blocks: 2099-02-01\n", "  Cost: epsilon 0.5\n  Blocks",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("EXPLAIN has no %q:\n%s", want, text)
		}
	}
	_, receipt, err := w.ask(d, "ward_bob", sql)
	const want = "; charged epsilon 0.5 to block 2099-02-01, the rest free (derived from release 1, answered 1 day ago, 2099-02-01 06:00 UTC: each count is one of its cells); "
	if err != nil || !strings.Contains(receipt.Notice(), want) {
		t.Errorf("the notice is %s, %v", receipt.Notice(), err)
	}
}

// TestDaysThatWereNotOver counts a day before it is over, twice on that day and again on the next: the count is repeated while the day
// lasts, and then made anew. Which day it is depends on the time zone of who asks.
func TestDaysThatWereNotOver(t *testing.T) {
	w, now := newGrowingWard(t, "20", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	const sql = "SELECT admitted, count(*) FROM clinic.stays WHERE admitted BETWEEN '%s' AND '%s' GROUP BY admitted"
	ask := func(first, last string, zone *time.Location) askedCells {
		return w.answered(d, func(r *reply.Request) { r.Zone = zone }, fmt.Sprintf(sql, first, last))
	}
	blocks := func(a askedCells) string {
		if a.receipt.Charged == (accountant.Loss{}) {
			return "free"
		}
		return strings.Join(a.receipt.Blocks.Names, " ")
	}
	if got := blocks(ask("2099-01-31", "2099-02-01", nil)); got != "2099-01-31 2099-02-01" {
		t.Errorf("first: charged to %s", got)
	}
	w.Exec("INSERT INTO clinic.stays (admitted, ward) SELECT '2099-02-01', 'a' FROM generate_series(1, 100)")
	now.forward(time.Hour)
	if got := ask("2099-01-30", "2099-02-01", nil); blocks(got) != "2099-01-30" || got.byKeys()["2099-02-01"] > 50 {
		t.Errorf("on the same day: charged to %s, %v", blocks(got), got.byKeys())
	}
	now.forward(9*time.Hour + 30*time.Minute) // it is the next day in Tokyo, and in UTC not yet
	if got := blocks(ask("2099-01-29", "2099-02-01", time.UTC)); got != "2099-01-29" {
		t.Errorf("in the evening: charged to %s", got)
	}
	tokyo := time.FixedZone("", 9*3600)
	if got := ask("2099-01-28", "2099-02-01", tokyo); blocks(got) != "2099-01-28 2099-02-01" || got.byKeys()["2099-02-01"] < 100 {
		t.Errorf("the next day: charged to %s, %v", blocks(got), got.byKeys())
	}
	if got := ask("2099-01-27", "2099-02-01", tokyo); blocks(got) != "2099-01-27" || got.byKeys()["2099-02-01"] < 100 {
		t.Errorf("then: charged to %s, %v", blocks(got), got.byKeys())
	}
}

// TestKnownDaysAreNotCounted changes a day that was counted before. It fails if the next day's dashboard, which pays for its new day alone, has
// counted the changed one again.
func TestKnownDaysAreNotCounted(t *testing.T) {
	w, now := newGrowingWard(t, "20", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	before := w.answered(d, nil, lastDays(now.now())).byKeys()
	w.Exec("INSERT INTO clinic.stays (admitted, ward) SELECT '2099-01-20', 'a' FROM generate_series(1, 100)")
	now.forward(24 * time.Hour)
	next := w.answered(d, nil, lastDays(now.now()))
	if got := strings.Join(next.receipt.Blocks.Names, " "); got != "2099-02-01" {
		t.Errorf("charged to %s", got)
	}
	for day, n := range next.byKeys() {
		if was, known := before[day]; known && n != was {
			t.Errorf("%s has %d, and had %d when it was paid for", day, n, was)
		}
	}
	if got := w.answered(d, asksFresh, lastDays(now.now())); len(got.receipt.Blocks.Names) != 30 || got.byKeys()["2099-01-20"] < 100 {
		t.Errorf("asked anew: %v %s", got.byKeys(), got.receipt)
	}
	if got := w.answered(d, noOlderThan(time.Hour), lastDays(now.now())); got.receipt.Replayed != 1 {
		t.Errorf("within the hour: %s", got.receipt)
	}
}

// TestOpenEnd asks every day for all days from one on, to the end of the declared range. It fails if a day is shown as empty because it was counted
// before it began: then each day is charged when it is today, and once more when it is over.
func TestOpenEnd(t *testing.T) {
	w, now := newGrowingWard(t, "20", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	ask := func() askedCells {
		return w.answered(d, nil, fmt.Sprintf("SELECT admitted, count(*) FROM clinic.stays WHERE admitted >= '%s' GROUP BY admitted", now.now().AddDate(0, 0, -5).Format(time.DateOnly)))
	}
	w.Exec("DELETE FROM clinic.stays WHERE admitted >= '2099-02-02'") // they have not come yet
	ask()
	for day := range 3 {
		now.forward(24 * time.Hour)
		today, yesterday := now.now().Format(time.DateOnly), now.now().AddDate(0, 0, -1).Format(time.DateOnly)
		w.Exec("INSERT INTO clinic.stays (admitted, ward) SELECT '" + today + "', 'a' FROM generate_series(1, 50)")
		got := ask()
		if charged := strings.Join(got.receipt.Blocks.Names, " "); charged != yesterday+" "+today || got.byKeys()[today] != 50 {
			t.Errorf("day %d: charged to %s, %d today", day, charged, got.byKeys()[today])
		}
		w.Exec("INSERT INTO clinic.stays (admitted, ward) SELECT '" + today + "', 'a' FROM generate_series(1, 50)")
		now.forward(time.Hour)
		if again := ask(); again.receipt.Charged != (accountant.Loss{}) || day > 0 && again.byKeys()[yesterday] != 100 {
			t.Errorf("later on day %d: %d yesterday, %s", day, again.byKeys()[yesterday], again.receipt)
		}
		now.forward(-time.Hour)
	}
}

// TestPartsKeepAnswers fails if a question that has an answer gets another one, or is charged again, because it stands beside a new one in a
// statement that could be divided.
func TestPartsKeepAnswers(t *testing.T) {
	w, now := newGrowingWard(t, "0.5", byDay, "true"), newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	const where = " FROM clinic.stays WHERE admitted BETWEEN '2099-01-30' AND '2099-02-01' GROUP BY admitted"
	first := w.answered(d, nil, "SELECT admitted, count(DISTINCT ward)"+where)
	w.answered(d, nil, "SELECT admitted, count(*) FROM clinic.stays WHERE admitted BETWEEN '2099-01-30' AND '2099-01-31' GROUP BY admitted")
	both := w.answered(d, nil, "SELECT admitted, count(*), count(DISTINCT ward)"+where)
	if diff := cmp.Diff(first.cells.Counts[0], both.cells.Counts[1]); diff != "" || both.receipt.Charged.Epsilon != 5e8 {
		t.Errorf("charged %v; %s", both.receipt.Charged, diff)
	}
}

// TestPartsAreNotDearer fails if a part that no row is in is charged to blocks that the statement does not name, or if the parts of one block
// are charged more than the whole.
func TestPartsAreNotDearer(t *testing.T) {
	for i, c := range []struct{ blocks, known, sql string }{
		{byDay, "BETWEEN '2099-01-30' AND '2099-01-31'",
			"SELECT admitted, count(*) FILTER (WHERE admitted < '2099-02-01') FROM clinic.stays WHERE admitted BETWEEN '2099-01-30' AND '2099-02-02' GROUP BY admitted"},
		{", blocks: {column: admitted, by: month}", "= '2099-01-03'",
			"SELECT admitted, count(*), count(*) FILTER (WHERE ward = 'a'), count(DISTINCT ward) FROM clinic.stays WHERE admitted BETWEEN '2099-01-01' AND '2099-01-28' GROUP BY admitted"},
	} {
		if testing.Short() && i > 0 {
			break
		}
		var charged []accountant.Loss
		var blocks [][]string
		for _, derive := range []string{"false", "true"} {
			w, now := newGrowingWard(t, "0.5", c.blocks, derive), newClock("2099-03-10 06:00:00")
			d := w.openAt(now)
			w.answered(d, nil, "SELECT admitted, count(*) FROM clinic.stays WHERE admitted "+c.known+" GROUP BY admitted")
			got := w.answered(d, nil, c.sql)
			charged, blocks = append(charged, got.receipt.Charged), append(blocks, got.receipt.Blocks.Names)
		}
		if charged[1].Epsilon > charged[0].Epsilon || len(blocks[1]) == 0 || len(blocks[1]) > len(blocks[0]) {
			t.Errorf("%s: charged %v to %v; as a whole %v to %v", c.sql, charged[1], blocks[1], charged[0], blocks[0])
		}
	}
}
