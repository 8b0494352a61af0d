package release

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// derivingWard is a ward whose policy lets answers be derived, with noise that tells one release from another.
func derivingWard(t testing.TB) *ward {
	t.Helper()
	text := strings.Replace(wardPolicy, "mechanism: {kind: geometric, epsilon: 20, delta: 1e-9}", "mechanism: {kind: geometric, epsilon: 0.5, delta: 1e-9}", 1)
	return newWardOf(t, wardSchema, strings.Replace(text, "    derive: false\n", "", 1))
}

// askedCells are what became of a statement with one query about one table.
type askedCells struct {
	cells   *query.Cells
	receipt reply.ReceiptLine
}

func (w *ward) answered(d *Gateway, ask func(*reply.Request), sql string) askedCells {
	w.T.Helper()
	a := reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}}
	if ask != nil {
		ask(&a)
	}
	cells, receipt, err := d.Answer(context.Background(), a)
	if err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
	return askedCells{cells[0], receipt.Lines[0]}
}

func asksFresh(a *reply.Request) { a.Fresh = true }

// tuples are the cells as texts of their keys, with the first count.
func (a askedCells) tuples() (keys [][]string, counts []int64) {
	for i, n := range a.cells.Counts[0] {
		key := make([]string, len(a.cells.Keys))
		for k, column := range a.cells.Keys {
			key[k] = column[i].Text
			if column[i].Null {
				key[k] = "NULL"
			}
		}
		keys, counts = append(keys, key), append(counts, n)
	}
	return keys, counts
}

// rollUp adds up cells by what a function makes of their keys; it drops those for which it returns "-".
func (a askedCells) rollUp(coarser func(key []string) string) map[string]int64 {
	sums := make(map[string]int64)
	keys, counts := a.tuples()
	for i, key := range keys {
		if cell := coarser(key); cell != "-" {
			sums[cell] += counts[i]
		}
	}
	return sums
}

// byKeys are the counts by their keys.
func (a askedCells) byKeys() map[string]int64 {
	return a.rollUp(func(key []string) string { return strings.Join(key, " ") })
}

func sameSums(a, b map[string]int64) bool {
	if len(a) != len(b) {
		return false
	}
	for key, n := range a {
		if m, ok := b[key]; !ok || m != n {
			return false
		}
	}
	return true
}

// Each derived answer is what one makes of the recorded cells by hand, and has the cells that a new answer has. It costs nothing.
func TestDerivedAnswers(t *testing.T) {
	w := derivingWard(t)
	d, other := w.open(), w.apart()
	decade := func(age string) string {
		if len(age) < 2 {
			return "0"
		}
		return age[:1]
	}
	var finer askedCells
	for _, c := range []struct {
		name, finer, sql string
		added            int
		coarser          func(key []string) string
	}{ // finer is that of the row before, if it is empty
		{"a roll-up", "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex", "SELECT sex, count(*) FROM clinic.people GROUP BY sex", 3,
			func(key []string) string { return key[1] }},
		{"of the other key", "", "SELECT region, count(*) FROM clinic.people GROUP BY region", 3, func(key []string) string { return key[0] }},
		{"the total", "", "SELECT count(*) FROM clinic.people", 9, func([]string) string { return "" }},
		{"a filter on a key", "", "SELECT sex, count(*) FROM clinic.people WHERE region = 'north' GROUP BY sex", 1, func(key []string) string {
			if key[0] != "north" {
				return "-"
			}
			return key[1]
		}},
		{"a filter that leaves some cells", "", "SELECT region, sex, count(*) FROM clinic.people WHERE region IN ('north', 'east') AND sex IS NOT NULL GROUP BY region, sex", 1, func(key []string) string {
			if key[0] == "south" || key[1] == "NULL" {
				return "-"
			}
			return strings.Join(key, " ")
		}},
		{"a count of values", "", "SELECT region, count(sex) FROM clinic.people GROUP BY region", 2, func(key []string) string {
			if key[1] == "NULL" {
				return "-"
			}
			return key[0]
		}},
		{"a FILTER without keys", "", "SELECT count(*) FILTER (WHERE sex = 'F') FROM clinic.people", 3, func(key []string) string {
			if key[1] != "F" {
				return "-"
			}
			return ""
		}},
		{"a computed key of a key", "", "SELECT upper(region), count(*) FROM clinic.people GROUP BY upper(region)", 3, func(key []string) string { return strings.ToUpper(key[0]) }},
		{"a computed key of a number", "SELECT age, count(*) FROM clinic.people WHERE region = 'south' GROUP BY age", "SELECT age / 10, count(*) FROM clinic.people WHERE region = 'south' AND age < 35 GROUP BY age / 10", 10, func(key []string) string {
			if key[0] == "NULL" || len(key[0]) == 2 && key[0] >= "35" {
				return "-"
			}
			return decade(key[0])
		}},
	} {
		if c.finer != "" {
			finer = w.answered(d, nil, c.finer)
		}
		before := w.spent(d)
		got := w.answered(d, nil, c.sql)
		if w.spent(d) != before {
			t.Errorf("%s: a derived answer was charged", c.name)
		}
		if got.receipt.Derived == nil || got.receipt.Derived.Cells != c.added || got.receipt.New > 0 || got.receipt.Replayed > 0 {
			t.Errorf("%s: %+v, want %d cells added up", c.name, got.receipt, c.added)
		}
		if want := finer.rollUp(c.coarser); !sameSums(got.byKeys(), want) {
			t.Errorf("%s: derived %v, want %v", c.name, got.byKeys(), want)
		}
		fresh, _ := w.answered(other, asksFresh, c.sql).tuples()
		derived, _ := got.tuples()
		if fmt.Sprint(derived) != fmt.Sprint(fresh) {
			t.Errorf("%s: derived cells %v, new ones %v", c.name, derived, fresh)
		}
	}
}

// apart is a door with a ledger of its own, in which nothing is recorded.
func (w *ward) apart() *Gateway {
	w.T.Helper()
	p := *w.Policy
	p.Ledger.SQLite = filepath.Join(w.T.TempDir(), "apart.db")
	d, err := Open(context.Background(), Config{Policy: &p, Random: rand.NewChaCha8([32]byte{2})})
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { d.Close() })
	return d
}

// What does not follow is asked anew, and charged.
func TestNotDerived(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	w.answered(d, nil, "SELECT region, count(*) FROM clinic.people WHERE age < 50 GROUP BY region")
	w.answered(d, nil, "SELECT illness, sex, count(*) FROM clinic.people GROUP BY illness, sex")
	for _, sql := range []string{
		"SELECT sex, count(*) FROM clinic.people WHERE age < 50 GROUP BY sex",
		"SELECT region, count(*) FROM clinic.people GROUP BY region",
		"SELECT region, count(*) FROM clinic.people WHERE age < 60 GROUP BY region",
		"SELECT region, count(*) FROM clinic.people WHERE age < 50 AND sex = 'F' GROUP BY region",
		"SELECT region, count(DISTINCT sex) FROM clinic.people WHERE age < 50 GROUP BY region",
		"SELECT region, count(*) FILTER (WHERE region = 'north') FROM clinic.people WHERE age < 50 GROUP BY region", // the others are noise, not nothing
		"SELECT illness, count(*) FROM clinic.people GROUP BY illness",                                              // of cells that the threshold let pass
		"SELECT count(*) FROM clinic.people WHERE sex = 'F'",
		"SELECT p.region, count(*) FROM clinic.people p JOIN clinic.regions r ON r.region = p.region WHERE age < 50 GROUP BY p.region",
	} {
		before := w.spent(d)
		if got := w.answered(d, nil, sql); got.receipt.Derived != nil || w.spent(d) == before {
			t.Errorf("%s was derived: %+v", sql, got.receipt)
		}
	}
}

// Of cells that a threshold has selected, those that a filter on the keys lets pass are what a new selection would be made of.
func TestDerivedOfSelectedCells(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	finer := w.answered(d, nil, "SELECT illness, region, count(*), count(sex) FROM clinic.people GROUP BY illness, region")
	before := w.spent(d)
	got := w.answered(d, nil, "SELECT illness, region, count(*), count(sex) FROM clinic.people WHERE region = 'north' GROUP BY illness, region")
	if got.receipt.Derived == nil || got.receipt.Derived.Questions != 2 || got.receipt.Threshold == 0 || w.spent(d) != before {
		t.Fatalf("%+v", got.receipt)
	}
	north := func(key []string) string {
		if !slices.Contains(key, "north") {
			return "-"
		}
		return strings.Join(key, " ")
	}
	for i := range 2 {
		finer.cells.Counts[0], got.cells.Counts[0] = finer.cells.Counts[i], got.cells.Counts[i]
		if want := finer.rollUp(north); len(want) == 0 || !sameSums(got.byKeys(), want) {
			t.Errorf("count %d: derived %v, want %v", i, got.byKeys(), want)
		}
	}
	// A count that was not asked of them is asked of the cells that are derived, and then stays free.
	// So does one that nothing is ever derived from.
	for _, count := range []string{"count(age)", "count(DISTINCT age)"} {
		more := "SELECT illness, region, count(*), " + count + " FROM clinic.people WHERE region = 'north' GROUP BY illness, region"
		first := w.answered(d, nil, more)
		if first.receipt.New != 1 || first.receipt.Derived == nil || first.receipt.Derived.Questions != 1 {
			t.Fatalf("%+v", first.receipt)
		}
		before = w.spent(d)
		again := w.answered(d, nil, more)
		if r := again.receipt; w.spent(d) != before || cellText(again.cells) != cellText(first.cells) || r.Replayed != 1 || r.Derived == nil || r.Derived.Questions != 1 {
			t.Errorf("%s: at first %s, then %s: %+v", count, cellText(first.cells), cellText(again.cells), r)
		}
	}
}

// What has no cells is free for that reason, and was not answered before.
func TestExplainDerivedNoCells(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	w.answered(d, nil, "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex")
	e, err := w.explain(d, "ward_ana", "SELECT region, count(*) FROM clinic.people WHERE region = 'nowhere' GROUP BY region")
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(e.Lines(), "\n"); !strings.Contains(text, "  Cost: free (no cells)\n") || e.Questions[0].Recorded {
		t.Errorf("explained:\n%s", text)
	}
}

// A derived answer reads no protected row: it comes while the table is locked, after its rows have changed, and without the curator's
// privileges. What is spent stays as it is, and the log says what it was.
func TestDerivedWithoutTheTable(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	const finer, sql = "SELECT age, region, count(*) FROM clinic.people WHERE age < 20 GROUP BY age, region", "SELECT age / 10, count(*) FROM clinic.people WHERE age < 20 GROUP BY age / 10"
	w.answered(d, nil, finer)
	first := w.answered(d, nil, sql)
	w.Exec("DELETE FROM clinic.people WHERE id % 2 = 0; REVOKE ALL ON clinic.people FROM ward_curator; REVOKE SELECT (region, sex, age, illness) ON clinic.people FROM ward_curator")
	super := site.Connect(t, "postgres", w.Database)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := super.Exec(ctx, "BEGIN; LOCK TABLE clinic.people IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	before := w.spent(d)
	answer := func() { // with nothing remembered
		d.noisy.Derivables = sources.Known{}
		cells, _, err := d.Answer(ctx, reply.Request{Analyst: "ward_bob", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
		if err != nil {
			t.Fatalf("the table is read: %v", err)
		}
		if got := cellText(cells[0]); got != cellText(first.cells) {
			t.Errorf("at first %s, then %s", cellText(first.cells), got)
		}
	}
	answer()
	if w.spent(d) != before {
		t.Error("a derived answer was charged")
	}
	w.awaitVerdict(d, "ward_bob", ledger.Derived)
	if _, err := super.Exec(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	d.Close() // a new process answers the same
	w.Exec("GRANT SELECT (region, sex, age, illness) ON clinic.people TO ward_curator")
	d = w.open()
	answer()
}

// awaitVerdict waits for what is noted of an analyst's only statement.
func (w *ward) awaitVerdict(d *Gateway, analyst string, want ledger.Verdict) {
	w.T.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		entries, err := d.monitor.Ledger.Log(context.Background(), ledger.LogFilter{Analyst: analyst})
		if err != nil {
			w.T.Fatal(err)
		}
		if len(entries) == 1 && entries[0].Verdict == want {
			return
		}
		if time.Now().After(deadline) {
			w.T.Fatalf("the log has %+v, not %s", entries, want)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// The question itself, once it was asked anew, is replayed and no longer derived.
func TestFreshAnswers(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	w.answered(d, nil, "SELECT region, count(*) FROM clinic.people GROUP BY region")
	const sql = "SELECT count(*) FROM clinic.people"
	derived := w.answered(d, nil, sql)
	before := w.spent(d)
	fresh := w.answered(d, asksFresh, sql)
	if fresh.receipt.New != 1 || fresh.receipt.Derived != nil || w.spent(d) == before {
		t.Fatalf("asked anew: %+v", fresh.receipt)
	}
	before = w.spent(d)
	again := w.answered(d, nil, sql)
	if again.receipt.Replayed != 1 || again.receipt.Derived != nil || cellText(again.cells) != cellText(fresh.cells) || w.spent(d) != before {
		t.Errorf("asked again: %+v %s", again.receipt, cellText(again.cells))
	}
	if derived.receipt.Derived == nil || derived.receipt.HalfWidth95 <= fresh.receipt.HalfWidth95 {
		t.Errorf("derived: %+v, anew: %+v", derived.receipt, fresh.receipt)
	}
}

// The policy can forbid it; and a policy with another mechanism, or other declared values, makes other answers.
func TestDerivedUnderAnotherPolicy(t *testing.T) {
	for i, c := range []struct {
		name    string
		edit    func(*policy.Table)
		derived bool
	}{
		{"the same", func(*policy.Table) {}, true},
		{"a larger budget", func(p *policy.Table) { p.Budget.Epsilon *= 2 }, true},
		{"derive: false", func(p *policy.Table) { p.Derive = false }, false},
		{"a smaller epsilon", func(p *policy.Table) { p.Mechanism.Epsilon /= 2 }, false},
		{"another kind", func(p *policy.Table) { p.Mechanism.Kind = policy.Laplace }, false},
		{"negative counts", func(p *policy.Table) { p.Mechanism.KeepNegative = true }, false},
		{"another domain of a key", func(p *policy.Table) { p.Columns[1].Domain.Values = []string{"M", "F", "X"} }, false},
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			w := derivingWard(t)
			d := w.open()
			w.answered(d, nil, "SELECT sex, region, count(*) FROM clinic.people GROUP BY sex, region")
			d.Close()
			w.Policy = w.changed(c.edit)
			d = w.open()
			if got := w.answered(d, nil, "SELECT count(*) FROM clinic.people"); (got.receipt.Derived != nil) != c.derived {
				t.Errorf("%+v", got.receipt)
			}
		})
	}
}

// An answer changes only for one that is better: of fewer cells, or the mean of several releases.
func TestBestSource(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	const sql = "SELECT sex, count(*) FROM clinic.people WHERE age = 1 GROUP BY sex"
	for _, step := range []struct {
		finer    string
		cells    int
		releases []int64
	}{
		{"SELECT sex, age, region, count(*) FROM clinic.people WHERE age < 20 GROUP BY sex, age, region", 3, []int64{1}},
		{"SELECT sex, illness, region, count(*) FROM clinic.people WHERE age = 1 GROUP BY sex, illness, region", 3, []int64{1}},
		{"SELECT sex, age, count(*) FROM clinic.people WHERE age < 20 GROUP BY sex, age", 4, []int64{1, 3}},
		{"SELECT sex, age, count(*) FROM clinic.people WHERE age < 10 GROUP BY sex, age", 5, []int64{1, 3, 4}},
	} {
		w.answered(d, asksFresh, step.finer)
		got := w.answered(d, nil, sql).receipt.Derived
		if got == nil || got.Cells != step.cells || !slices.Equal(got.Releases, step.releases) {
			t.Fatalf("after %s: %+v, want %d cells of releases %v", step.finer, got, step.cells, step.releases)
		}
	}
}

// An answer is derived for as long as its source would be replayed, and in its epoch.
func TestDerivedForAWhile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	w := derivingWard(t)
	w.Policy = w.changed(func(p *policy.Table) { p.Replay = 2 * time.Second })
	d := w.open()
	const finer, sql = "SELECT sex, count(*) FROM clinic.people GROUP BY sex", "SELECT count(*) FROM clinic.people WHERE sex = 'F'"
	w.answered(d, nil, finer)
	began := time.Now()
	if got := w.answered(d, nil, sql); got.receipt.Derived == nil && time.Since(began) < time.Second {
		t.Fatalf("at once: %+v", got.receipt)
	}
	time.Sleep(2100 * time.Millisecond)
	if got := w.answered(d, nil, sql); got.receipt.Derived != nil {
		t.Errorf("after two seconds: %+v", got.receipt)
	}
	d.Close()
	w.Policy = w.changed(func(p *policy.Table) { p.Replay = 0 })
	d = w.open()
	if got := w.answered(d, nil, "SELECT count(*) FROM clinic.people WHERE sex = 'M'"); got.receipt.Derived == nil {
		t.Fatalf("for ever: %+v", got.receipt)
	}
	if _, err := d.monitor.Ledger.OpenEpoch(context.Background(), PeopleTable, "steward", "new rows"); err != nil {
		t.Fatal(err)
	}
	if got := w.answered(d, nil, "SELECT count(*) FROM clinic.people WHERE sex = 'M'"); got.receipt.Derived != nil || got.receipt.New != 1 {
		t.Errorf("in a new epoch: %+v", got.receipt)
	}
}

// A frozen table answers what follows from what it has answered.
func TestDerivedWhileFrozen(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	w.answered(d, nil, "SELECT sex, count(*) FROM clinic.people GROUP BY sex")
	if _, err := d.monitor.Ledger.Freeze(context.Background(), ledger.Freeze{Table: PeopleTable, By: "steward", Reason: "a complaint"}); err != nil {
		t.Fatal(err)
	}
	if got := w.answered(d, nil, "SELECT count(*) FROM clinic.people"); got.receipt.Derived == nil {
		t.Errorf("%+v", got.receipt)
	}
	if _, _, err := w.ask(d, "ward_ana", "SELECT region, count(*) FROM clinic.people GROUP BY region"); err == nil {
		t.Error("a frozen table was asked")
	}
}

// One statement can have questions that are new, replayed and derived, and says so.
func TestPartlyDerived(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	w.answered(d, nil, "SELECT sex, count(*) FROM clinic.people GROUP BY sex")
	const sql = "SELECT (SELECT count(*) FROM clinic.people), (SELECT count(*) FROM clinic.people WHERE region = 'north'), sex, count(*) FROM clinic.people GROUP BY sex"
	e, err := w.explain(d, "ward_ana", sql)
	if err != nil {
		t.Fatal(err)
	}
	free := map[string]int{}
	for _, q := range e.Questions {
		switch {
		case q.Recorded:
			free["recorded"]++
		case q.Derived != nil:
			free["derived"]++
		case q.Loss.Epsilon > 0:
			free["new"]++
		}
	}
	if free["recorded"] != 1 || free["derived"] != 1 || free["new"] != 1 || e.Tables[0].Loss.Epsilon != 5e8 {
		t.Errorf("explained: %v, cost %v", free, e.Tables[0].Loss)
	}
	before := w.spent(d)
	cells, receipt, err := w.ask(d, "ward_ana", sql)
	if err != nil {
		t.Fatal(err)
	}
	line := receipt.Lines[0]
	if line.New != 1 || line.Replayed != 1 || line.Derived == nil || line.Derived.Questions != 1 || w.spent(d).Epsilon != before.Epsilon+5e8 {
		t.Errorf("%+v", line)
	}
	sum, total := int64(0), false
	for _, c := range cells {
		if len(c.Keys) == 1 {
			for _, n := range c.Counts[0] {
				sum += n
			}
		}
	}
	for _, c := range cells {
		total = total || len(c.Keys) == 0 && c.Counts[0][0] == sum
	}
	if !total {
		t.Errorf("no total is %d, the sum of its parts", sum)
	}
	if got := undated(receipt.Notice()); !strings.Contains(got, "derived from release 1, answered before: each count adds up at most 3 noisy cells; rows with undeclared values of sex are left out)") || !strings.Contains(got, "SET tacit.fresh = on asks anew") {
		t.Errorf("the notice is %s", got)
	}
}

func TestExplainDerived(t *testing.T) {
	w := derivingWard(t)
	d := w.open()
	w.answered(d, nil, "SELECT sex, count(*) FROM clinic.people GROUP BY sex")
	e, err := w.explain(d, "ward_ana", "SELECT count(*) FROM clinic.people")
	if err != nil {
		t.Fatal(err)
	}
	text := undated(strings.Join(e.Lines(), "\n"))
	q := e.Questions[0]
	for _, want := range []string{
		"  Cost: free (derived from release 1, answered before: each count adds up at most 3 noisy cells; rows with undeclared values of sex are left out)",
		fmt.Sprintf("  Expected Error: within ±%d with probability 95%% (geometric noise)", q.HalfWidth95),
		"  Fresh: SET tacit.fresh = on asks anew, within ±6 for epsilon 0.5",
		"  Cost: free", "  Cells: at most 1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("EXPLAIN has no line %q:\n%s", want, text)
		}
	}
	if plan, err := e.JSON(); err != nil || !strings.Contains(plan, "\"Derived From\": [") || !strings.Contains(plan, `"Cells Added Up": 3`) || !strings.Contains(plan, `"Undeclared Values Left Out": [`) {
		t.Errorf("as JSON: %s, %v", plan, err)
	}
}
