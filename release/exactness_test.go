package release

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// choosing is a ward on whose people analysts choose losses from 0.05 to 2, with a delta for thresholds.
func choosing(t testing.TB, kind, rule string) *ward {
	t.Helper()
	text := strings.Replace(wardPolicy, "mechanism: {kind: geometric, epsilon: 20, delta: 1e-9}",
		"mechanism: {kind: "+kind+", epsilon: {least: 0.05, usual: 0.5, most: 2}, delta: 1e-9, negative: keep}", 1)
	text = strings.Replace(text, "budget: {epsilon: 1000, delta: 1e-8}\n    derive: false\n", "budget: {epsilon: 1000, delta: 1e-6, composition: "+rule+"}\n", 1)
	return newWardOf(t, wardSchema, text)
}

func within(n int64) func(*reply.Request) { return func(r *reply.Request) { r.Within.Rows = n } }

// refusedWithin asks, and returns the refusal.
func (w *ward) refusedWithin(d *Gateway, n int64, sql string) *pgerror.Refusal {
	w.T.Helper()
	return w.refusedAsking(d, within(n), sql)
}

func (w *ward) refusedAsking(d *Gateway, ask func(*reply.Request), sql string) *pgerror.Refusal {
	w.T.Helper()
	before := w.spent(d)
	r := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql)}
	ask(&r)
	_, _, err := d.Answer(context.Background(), r)
	var refusal *pgerror.Refusal
	if !errors.As(err, &refusal) {
		w.T.Fatalf("%s within %v: %v", sql, r.Within, err)
	}
	if after := w.spent(d); after != before {
		w.T.Errorf("%s within %v is refused, and charged %v", sql, r.Within, after)
	}
	return refusal
}

// leastByHand is the least loss of two digits from 0.05 to 2 by which a count is exact enough, found by trying all from below.
func leastByHand(t *testing.T, config mechanisms.Config, n int64) policy.Epsilon {
	t.Helper()
	for hundredths := policy.Epsilon(50); hundredths <= 2000; hundredths++ {
		config.Epsilon = hundredths * 1e6
		if config.Epsilon != config.Epsilon.RoundDown(2) {
			continue
		}
		m, err := mechanisms.New(config)
		if err != nil {
			t.Fatal(err)
		}
		if m.HalfWidth95() <= n {
			return config.Epsilon
		}
	}
	t.Fatalf("no loss makes a count exact to within %d", n)
	return 0
}

// TestLeastLoss: what is charged is the least loss, of two digits, that makes counts as exact as was asked for, under each kind of noise; and the
// noise is that of this loss.
func TestLeastLoss(t *testing.T) {
	for i, c := range []struct{ kind, rule string }{{"geometric", "zcdp"}, {"laplace", "basic"}, {"gaussian", "pld"}, {"discrete-gaussian", "advanced"}} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		t.Run(c.kind, func(t *testing.T) {
			w := choosing(t, c.kind, c.rule)
			d := w.open()
			config := live.MechanismConfig(d.Policy().Tables[0], live.SensitivityOfRow, live.NoRandomness{})
			tried := []int64{7, 20, 41}
			if policy.Kind(c.kind).NeedsDelta() {
				tried = []int64{9, 120}
			}
			for _, n := range tried {
				sql := fmt.Sprintf("SELECT sex, count(*) FROM clinic.people WHERE age < %d GROUP BY sex", n)
				want := leastByHand(t, config, n)
				e, err := d.Explain(context.Background(), Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Within: query.Exactness{Rows: n}})
				if err != nil {
					t.Fatal(err)
				}
				asked := fmt.Sprintf("\n  Asked: within ±%d with probability 95%% (tacit.within), for which epsilon %v is the least that is charged\n  Expected Error: within ±", n, want)
				if text := strings.Join(e.Lines(), "\n"); !strings.Contains(text, asked) || !strings.Contains(text, "\n  Cost: epsilon "+want.String()) {
					t.Errorf("within %d, EXPLAIN has no%s:\n%s", n, asked, text)
				}
				line := w.answered(d, within(n), sql).receipt
				if line.Charged.Epsilon != want || line.HalfWidth95 > n {
					t.Errorf("within %d: charged %v for ±%d, and the least is %v", n, line.Charged, line.HalfWidth95, want)
				}
				if again := w.answered(d, within(n), sql).receipt; again.Charged != (accountant.Loss{}) || again.Replayed == 0 {
					t.Errorf("within %d again: %+v", n, again)
				}
			}
			if usual := w.answered(d, nil, "SELECT count(*) FROM clinic.people WHERE age < 99").receipt; usual.Charged.Epsilon != 5e8 {
				t.Errorf("without the setting: charged %v", usual.Charged)
			}
			if loose := w.answered(d, within(1<<40), "SELECT count(*) FROM clinic.people WHERE age < 98").receipt; loose.Charged.Epsilon != 5e7 {
				t.Errorf("whatever is asked for, the least is charged: %v", loose.Charged)
			}
		})
	}
}

// TestExactEnough: what was answered as exactly or more so is shown for free, whoever asked for it and however, and so is what follows from it; what is
// not exact enough is asked anew.
func TestExactEnough(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	d := w.open()
	const sql = "SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex"
	exact := w.answered(d, within(3), sql)
	if exact.receipt.Charged.Epsilon <= 5e8 {
		t.Fatalf("charged %v", exact.receipt.Charged)
	}
	for _, n := range []int64{4, 30, 1000} {
		a := w.answered(d, within(n), sql)
		if a.receipt.Charged != (accountant.Loss{}) || cellText(a.cells) != cellText(exact.cells) || a.receipt.HalfWidth95 > 3 {
			t.Errorf("within %d: charged %v for ±%d, with other cells %t", n, a.receipt.Charged, a.receipt.HalfWidth95, cellText(a.cells) != cellText(exact.cells))
		}
	}
	if a := w.answered(d, within(2), sql); a.receipt.Charged == (accountant.Loss{}) || a.receipt.HalfWidth95 > 2 {
		t.Errorf("more exact than is recorded: charged %v for ±%d", a.receipt.Charged, a.receipt.HalfWidth95)
	}
	const coarser = "SELECT region, count(*) FROM clinic.people GROUP BY region"
	follows := w.answered(d, within(8), coarser).receipt
	if follows.Charged != (accountant.Loss{}) || follows.Derived == nil || follows.HalfWidth95 > 8 || follows.HalfWidth95 < 3 {
		t.Errorf("what follows from exact cells: %+v", follows)
	}
	if a := w.answered(d, within(2), coarser).receipt; a.Charged == (accountant.Loss{}) || a.HalfWidth95 > 2 {
		t.Errorf("what follows and is not exact enough: charged %v for ±%d", a.Charged, a.HalfWidth95)
	}
	if usual := w.answered(d, nil, sql).receipt; usual.Charged.Epsilon != 5e8 {
		t.Errorf("without the setting it is the question that it always was: %v", usual.Charged)
	}
	const bySex = "SELECT sex, count(*) FROM clinic.people WHERE age = 7 GROUP BY sex"
	asUsual := w.answered(d, nil, bySex)
	if a := w.answered(d, within(asUsual.receipt.HalfWidth95), bySex); a.receipt.Charged != (accountant.Loss{}) || cellText(a.cells) != cellText(asUsual.cells) {
		t.Errorf("an answer at the usual loss that is exact enough: charged %v", a.receipt.Charged)
	}
	loose := Request{Analyst: "ward_ana", SQL: bySex, Queries: w.Queries(d.Catalog(), bySex), Within: query.Exactness{Rows: 1000}}
	e, err := d.Explain(context.Background(), loose)
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(e.Lines(), "\n"); !strings.Contains(text, "anew, for epsilon 0.05\n  Asked: within ±1000 with probability 95% (tacit.within)\n") {
		t.Errorf("EXPLAIN of an answer under another loss:\n%s", text)
	}
	fresh := w.answered(d, func(r *reply.Request) { r.Within.Rows, r.Fresh = 30, true }, bySex)
	if fresh.receipt.Charged.Epsilon >= 5e8 || fresh.receipt.Charged.Epsilon == 0 {
		t.Errorf("asked anew: charged %v", fresh.receipt.Charged)
	}
	d.Close()
	reopened := w.open()
	if text := w.report(reopened, "ward_ana", rewrite.ReleasesReport); strings.Count(text, "|geometric|") != 6 {
		t.Errorf("tacit.releases:\n%s", text)
	}
	if text := w.report(reopened, "ward_ana", rewrite.TablesReport); !strings.Contains(text, "|0.05|2|") {
		t.Errorf("tacit.tables:\n%s", text)
	}
	if a := w.answered(reopened, within(30), sql).receipt; a.Charged != (accountant.Loss{}) {
		t.Errorf("after a restart: charged %v", a.Charged)
	}
}

// TestLossesOfOtherPolicies: what was recorded under a loss that the policy no longer has noise for, or no longer allows, is passed over.
func TestLossesOfOtherPolicies(t *testing.T) {
	w := choosing(t, "gaussian", "pld")
	d := w.open()
	if exact := w.answered(d, within(9), "SELECT count(*) FROM clinic.people WHERE age < 50").receipt; exact.Charged.Epsilon <= 1e9 {
		t.Fatalf("charged %v", exact.Charged)
	}
	d.Close()
	for name, edit := range map[string]func(*policy.Table){
		"no noise":    func(p *policy.Table) { p.Mechanism.Calibration = policy.ClassicCalibration },
		"not allowed": func(p *policy.Table) { p.Mechanism.Calibration, p.Mechanism.Most = policy.ClassicCalibration, 9e8 },
	} {
		w.Policy = w.changed(edit)
		d = w.open()
		sql := fmt.Sprintf("SELECT count(*) FROM clinic.people WHERE age < %d", len(name))
		r := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Within: query.Exactness{Rows: 60}}
		if _, receipt, err := d.Answer(context.Background(), r); err != nil || receipt.Lines[0].Charged.Epsilon > 9e8 {
			t.Errorf("%s: %v", name, err)
		}
		d.Close()
	}
}

// TestMemoryOfOtherLosses: the plan that looks for an answer under another loss takes memory, too.
func TestMemoryOfOtherLosses(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	w.Policy.Limits.Memory = 1 << 20
	d := w.open()
	w.mustAsk(d, "ward_ana", "SELECT age, count(*) FROM clinic.people GROUP BY age")
	_, alone := d.monitor.Memory.InUse()
	w.answered(d, within(30), "SELECT age, count(*) FROM clinic.people WHERE region = 'north' GROUP BY age")
	if _, both := d.monitor.Memory.InUse(); alone == 0 || both < 2*alone {
		t.Errorf("%d bytes without other losses, and %d with one", alone, both)
	}
}

// TestUndeclaredKeysWithin: where a threshold decides which keys are shown, it is that of the loss that was chosen, and its delta is charged.
func TestUndeclaredKeysWithin(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	d := w.open()
	const sql = "SELECT illness, count(*) FROM clinic.people GROUP BY illness"
	line := w.answered(d, within(5), sql).receipt
	if line.Charged.Epsilon <= 5e8 || line.Charged.Delta != 1e9 || line.HalfWidth95 > 5 || line.Threshold == 0 {
		t.Errorf("%+v", line)
	}
	if again := w.answered(d, within(9), sql).receipt; again.Charged != (accountant.Loss{}) {
		t.Errorf("less exact: charged %v", again.Charged)
	}
}

// TestRefusedWithin: what cannot be had is refused before it is charged, and the hint says what can.
func TestRefusedWithin(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	w.Policy = w.changed(func(p *policy.Table) { p.Mechanism.Most = 1e9 })
	d := w.open()
	for _, c := range []struct {
		n         int64
		sql, want string
		hint      string
	}{
		{1, "SELECT count(*) FROM clinic.people WHERE age < 3", "no loss that the steward of table clinic.people allows has these counts within 1", "SET tacit.within = 3"},
		{20, "SELECT avg(age) FROM clinic.people", "tacit.within is for statements that only count rows or persons of table clinic.people", "RESET tacit.within"},
		{20, "SELECT count(*), sum(age) FROM clinic.people", "tacit.within is for statements that only count rows or persons of table clinic.people", "RESET tacit.within"},
		{20, "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM clinic.people", "tacit.within is for statements that only count rows or persons of table clinic.people", "RESET tacit.within"},
	} {
		r := w.refusedWithin(d, c.n, c.sql)
		if r.Message != c.want || !strings.HasSuffix(r.Hint, ": "+c.hint) {
			t.Errorf("%s within %d: %s; %s", c.sql, c.n, r.Message, r.Hint)
		}
	}
	if a := w.answered(d, within(3), "SELECT count(*) FROM clinic.people WHERE age < 3").receipt; a.HalfWidth95 > 3 {
		t.Errorf("what the hint says: ±%d", a.HalfWidth95)
	}
}

// TestWithinOfOneLoss: a table whose loss cannot be chosen is counted with it where that is exact enough, and the refusal says how exact it is where it is not. Kinds whose
// errors are others are refused.
func TestWithinOfOneLoss(t *testing.T) {
	const sql = "SELECT count(*) FROM clinic.staff"
	of := func(mechanism string) (*ward, *Gateway) {
		w := newWardOf(t, wardSchema, strings.Replace(wardPolicy, "{kind: geometric, epsilon: 20}\n    budget: {epsilon: 30}", mechanism, 1))
		return w, w.open()
	}
	w, d := of("{kind: geometric, epsilon: 0.5}\n    budget: {epsilon: 30}")
	r := w.refusedWithin(d, 5, sql)
	if r.Message != "counts of table clinic.staff are exact to within ±6, and not to within ±5" || !strings.Contains(r.Hint, "SET tacit.within = 6") {
		t.Errorf("%s; %s", r.Message, r.Hint)
	}
	for i, n := range []int64{6, 25} {
		line := w.answered(d, within(n), sql).receipt
		if want := []policy.Epsilon{5e8, 0}[i]; line.Charged.Epsilon != want || line.HalfWidth95 != 6 {
			t.Errorf("within %d: %+v", n, line)
		}
	}
	if r := w.refusedWithin(d, 20, "SELECT avg(id) FROM clinic.staff"); !strings.HasPrefix(r.Message, "tacit.within is for statements that only count") {
		t.Errorf("an average: %s", r.Message)
	}
	w, d = of("{kind: suppression, k: 5, accept: no-guarantee}\n    budget: {releases: 3}")
	if r := w.refusedWithin(d, 1000, sql); r.Message != "counts of table clinic.staff have one loss, and tacit.within cannot choose another" {
		t.Errorf("suppressed: %s", r.Message)
	}
}

// TestTotalsWithin: totals add up cells, each of which is as exact as was asked for, whatever the policy says of totals.
func TestTotalsWithin(t *testing.T) {
	w := choosing(t, "geometric, totals: least-squares", "zcdp")
	d := w.open()
	const sql = "SELECT region, sex, count(*) FROM clinic.people GROUP BY CUBE (region, sex)"
	line := w.answered(d, within(6), sql).receipt
	if line.Fitted || line.Totals == nil || line.Totals.HalfWidth95 <= 6 || line.HalfWidth95 > 6 {
		t.Errorf("%+v", line)
	}
}

// TestChosenLossesFit asks at losses that are chosen in view of what is left, until nothing fits: the ledger never lets more through than the budget,
// by each rule that counts losses which analysts choose.
func TestChosenLossesFit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, c := range []struct{ kind, rule string }{{"geometric", "basic"}, {"geometric", "zcdp"}, {"laplace", "advanced"}, {"gaussian", "pld"}} {
		t.Run(c.kind+" "+c.rule, func(t *testing.T) {
			w := choosing(t, c.kind, c.rule)
			w.Policy = w.changed(func(p *policy.Table) { p.Budget.Epsilon = 3e9 })
			d := w.open()
			asked := 0
			for n := int64(1); ; n++ {
				size := 2 + n*n%60
				if policy.Kind(c.kind).NeedsDelta() {
					size += 8
				}
				sql := fmt.Sprintf("SELECT count(*) FROM clinic.people WHERE age < %d", n%90+1)
				r := Request{Analyst: "ward_ana", SQL: sql, Queries: w.Queries(d.Catalog(), sql), Within: query.Exactness{Rows: size}, Fresh: true}
				_, _, err := d.Answer(context.Background(), r)
				var refusal *pgerror.Refusal
				if errors.As(err, &refusal) && refusal.Code == "53400" {
					if !strings.Contains(refusal.Hint, "A larger tacit.within costs less.") && !strings.Contains(refusal.Hint, "tacit.fresh") {
						t.Errorf("the hint is %q", refusal.Hint)
					}
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				asked++
				s, err := d.monitor.Ledger.Balance(context.Background(), d.monitor.Current().Accounting[PeopleTable], "ward_ana", nil)
				if err != nil || s.Spent.Epsilon > 3e9 || s.Spent.Delta > 1e12 {
					t.Fatalf("after %d answers %v is spent, %v", asked, s.Spent, err)
				}
			}
			if asked < 3 {
				t.Errorf("%d answers", asked)
			}
		})
	}
}

// TestChoiceKnowsNoRows: two tables that differ in one person have the same losses, refusals and charges.
func TestChoiceKnowsNoRows(t *testing.T) {
	w := choosing(t, "geometric", "zcdp")
	text := func(d *Gateway) (told string) {
		for _, n := range []int64{1, 2, 5, 9, 60} {
			for _, sql := range []string{"SELECT region, count(*) FROM clinic.people GROUP BY region", "SELECT count(*) FROM clinic.people WHERE age = 99"} {
				r := Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}, Within: query.Exactness{Rows: n}, Fresh: true}
				_, receipt, err := d.Answer(context.Background(), r)
				if err != nil {
					told += err.Error() + "\n"
					continue
				}
				told += fmt.Sprintf("%v ±%d\n", receipt.Lines[0].Charged, receipt.Lines[0].HalfWidth95)
			}
		}
		return told
	}
	w.toldAlikeWithout(text)
}

// toldAlikeWithout fails if something is told otherwise once a person is gone.
func (w *ward) toldAlikeWithout(text func(*Gateway) string) {
	w.T.Helper()
	d := w.open()
	first := text(d)
	d.Close()
	w.Exec("DELETE FROM clinic.people WHERE id = 1")
	if second := text(w.open()); second != first {
		w.T.Errorf("one person less:\n%s\nbefore:\n%s", second, first)
	}
}

// TestJoinsWithin: of a join the loss is one that the bounds of both tables allow, for the persons' bounds that the join uses.
func TestJoinsWithin(t *testing.T) {
	text := strings.Replace(patientsPolicy, "{kind: geometric, epsilon: 80, delta: 2e-9}", "{kind: geometric, epsilon: {least: 1, most: 6}, delta: 2e-9}", 1)
	text = strings.Replace(text, "{epsilon: 300, delta: 1e-7}", "{epsilon: 300, delta: 1e-7, composition: zcdp}", 1)
	text = strings.Replace(text, "{kind: geometric, epsilon: 100, delta: 1e-9}", "{kind: geometric, epsilon: {least: 2, most: 16}, delta: 1e-9}", 1)
	text = strings.Replace(text, "{epsilon: 10000, delta: 1e-7}", "{epsilon: 10000, delta: 1e-7, composition: zcdp}", 1)
	w := newWardOf(t, patientsSchema, text)
	d := w.open()
	const sql = "SELECT p.sex, count(*) FROM clinic.visits AS v JOIN clinic.patients AS p ON p.id = v.patient GROUP BY p.sex"
	sensitivity := live.SensitivityOf(w.query(d, sql), w.query(d, sql).Counts[0])
	for _, n := range []int64{5, 3} {
		line := w.answered(d, within(n), sql).receipt
		if line.Charged.Epsilon <= 2e9 || line.Charged.Epsilon > 6e9 || line.HalfWidth95 > n {
			t.Errorf("within %d: charged %v for ±%d, with sensitivity %v", n, line.Charged, line.HalfWidth95, sensitivity)
		}
	}
	if balances := w.balances(d); len(balances) != 2 {
		t.Errorf("charged %v", balances)
	}
	if loose := w.answered(d, within(1000), "SELECT count(*) FROM clinic.visits AS v JOIN clinic.patients AS p ON p.id = v.patient").receipt; loose.Charged.Epsilon != 2e9 {
		t.Errorf("the larger of the least losses: charged %v", loose.Charged)
	}
	if r := w.refusedWithin(d, 1, sql); !strings.HasPrefix(r.Message, "no loss that the steward of table clinic.") {
		t.Errorf("%s", r.Message)
	}
}

// TestBlocksWithin: a count by day is divided into days that were counted and days that were not, as without the setting, and each is exact enough.
func TestBlocksWithin(t *testing.T) {
	w := newGrowingWard(t, "{least: 0.05, most: 2}", ", composition: basic, blocks: {column: admitted, by: day}", "true")
	now := newClock("2099-02-01 06:00:00")
	d := w.openAt(now)
	first := w.answered(d, within(6), lastDays(now.now())).receipt
	now.forward(24 * time.Hour)
	second := w.answered(d, within(6), lastDays(now.now())).receipt
	if first.Charged.Epsilon == 0 || second.Charged != first.Charged || second.Blocks == nil || len(second.Blocks.Names) != 1 || second.HalfWidth95 > 6 {
		t.Errorf("the first day %v, the second %v to %v, ±%d", first.Charged, second.Charged, second.Blocks, second.HalfWidth95)
	}
	if exact := w.answered(d, within(3), lastDays(now.now())).receipt; exact.Blocks == nil || len(exact.Blocks.Names) != 30 || exact.HalfWidth95 > 3 {
		t.Errorf("more exact than is recorded: %v, ±%d", exact.Blocks, exact.HalfWidth95)
	}
}

// TestWorkloadWithin: what follows from a workload is shown where it is exact enough, and measured for that; what is not is asked by itself.
func TestWorkloadWithin(t *testing.T) {
	text := strings.Replace(measuredPolicy(noisyWorkload), "epsilon: 0.5, delta: 1e-9", "epsilon: {least: 0.05, most: 20}, delta: 1e-9", 1)
	text = strings.Replace(text, "budget: {epsilon: 1000, delta: 1e-8}", "budget: {epsilon: 1000, delta: 1e-8, composition: zcdp}", 1)
	w := newWardOf(t, wardSchema, text)
	d := w.open()
	const bySex = "SELECT sex, count(*) FROM clinic.people GROUP BY sex"
	exact := w.answered(d, within(2), bySex).receipt
	if exact.Measured || exact.Charged.Epsilon < 1e9 || exact.HalfWidth95 > 2 {
		t.Errorf("more exact than the workload: %s", exact)
	}
	const byRegion = "SELECT region, count(*) FROM clinic.people GROUP BY region"
	first := w.answered(d, within(200), byRegion).receipt
	if !first.Measured || first.Charged != (accountant.Loss{Epsilon: 1e9, Delta: 1e9}) || first.HalfWidth95 > 200 || first.HalfWidth95 <= 2 {
		t.Errorf("as exact as the workload: %s", first)
	}
	follows := w.answered(d, within(first.HalfWidth95), byRegion).receipt
	if follows.Charged != (accountant.Loss{}) || follows.Derived == nil || follows.Derived.OfWorkload != 1 {
		t.Errorf("just as exact: %s", follows)
	}
	if better := w.answered(d, within(first.HalfWidth95-1), byRegion).receipt; better.Charged.Epsilon == 0 || better.HalfWidth95 >= first.HalfWidth95 {
		t.Errorf("a little more exact: %s", better)
	}
	if known := w.answered(d, within(first.HalfWidth95), bySex).receipt; known.Charged != (accountant.Loss{}) {
		t.Errorf("what was answered more exactly: %s", known)
	}
}
