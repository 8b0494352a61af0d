package release

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tacit/accountant/ledger"
	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/noisy"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// A claim is what a kind of noise is asked to keep between two tables that differ in one person.
type claim struct {
	kind           policy.Kind
	epsilon, delta float64
	rest           string // of the mechanism
	// people are those in the smaller table. Where counts below k are withheld, there are k - 1.
	people int
}

var claims = []claim{
	{policy.Laplace, 0.8, 0, "negative: keep", 0},
	{policy.Gaussian, 0.5, 0.1, "negative: keep", 3},
	{policy.DiscreteGaussian, 0.5, 0.1, "negative: keep", 3},
	{policy.DPSuppression, 1, 0, "k: 5", 4},
}

// name is that of a table.
func (c claim) name(half, more bool) string {
	return fmt.Sprintf("%s_half_%t_more_%t", strings.ReplaceAll(string(c.kind), "-", "_"), half, more)
}

// withHalf is the epsilon at which the noise is half as wide: twice the epsilon of Laplace noise, and of Gaussian noise that at which rho,
// which falls with the square of sigma, is four times as large.
func (c claim) withHalf(t *testing.T) float64 {
	t.Helper()
	if c.delta == 0 {
		return 2 * c.epsilon
	}
	rho := func(epsilon float64) float64 {
		m, err := mechanisms.New(mechanisms.Config{Kind: c.kind, Epsilon: policy.Epsilon(epsilon * 1e9), Delta: policy.Delta(c.delta * 1e18),
			Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, KeepNegative: true, Random: battery.Seeded(1)})
		if err != nil {
			t.Fatal(err)
		}
		return m.Guarantee(policy.AddRemove).Rho
	}
	want := 4 * rho(c.epsilon)
	low, high := c.epsilon, c.epsilon+4
	for high-low > 0.01 {
		if middle := (low + high) / 2; rho(middle) < want {
			low = middle
		} else {
			high = middle
		}
	}
	return low // with a little more noise than half
}

// TestNeighbours asks the same question many times of two tables that differ in one person, and compares how often each answer comes: no
// event may be more than exp(epsilon) times as likely on one side, and delta. With noise that is half as wide, some event has to be. The door
// is given a new ledger after each round, so that what it answered before is drawn anew.
//
// The events are {answer >= c} and {answer < c} for six c around the counts. Let p and q be the frequencies of one of them in n draws of
// either table. By Hoeffding's inequality p - exp(epsilon) q exceeds its mean, which is at most delta, by more than t with probability
// exp(-2 n t^2/(1 + exp(2 epsilon))) at most. That is 1e-8 for the t of slack: with 24 verdicts on each of four claims, and one on each of four
// noises that are half as wide, 1e-6 in all. Half as wide, the mean is delta and 0.275 (laplace), 0.21 (gaussian), 0.24 (discrete-gaussian) or
// (1 - exp(-1))/(1 + exp(-2)) = 0.5568 (dp-suppression) at the middle c, which is more than 2 t.
//
// With -short only the last claim is looked at, with a fourth of the draws, of which 2 t is 0.5559. Noise of the other kinds that is half as wide is
// then found by TestNoiseIsWhatIsCharged.
func TestNeighbours(t *testing.T) {
	const perRound = 20
	rounds, tried := 200, claims
	if testing.Short() {
		rounds, tried = 50, claims[3:]
	}
	var tables, schema strings.Builder
	schema.WriteString("CREATE SCHEMA lab;")
	for _, c := range tried {
		for _, half := range []bool{false, true} {
			epsilon := c.epsilon
			if half {
				epsilon = c.withHalf(t)
			}
			for more, people := range map[bool]int{false: c.people, true: c.people + 1} {
				fmt.Fprintf(&schema, "CREATE TABLE lab.%[1]s (age int); INSERT INTO lab.%[1]s SELECT 30 FROM generate_series(1, %[2]d);", c.name(half, more), people)
				fmt.Fprintf(&tables, "  lab.%s:\n    person: row\n    mechanism: {kind: %s, epsilon: %.3f, delta: %v, %s}\n    budget: {epsilon: 1000, delta: 0.1}\n    columns: {age: {range: [0, 99]}}\n",
					c.name(half, more), c.kind, epsilon, c.delta, c.rest)
			}
		}
	}
	policyText := wardPolicy[:strings.Index(wardPolicy, "public:")] + "tables:\n" + tables.String()
	w := newWardOf(t, schema.String(), policyText)
	for _, table := range w.Policy.Tables { // more than a steward would grant
		table.Budget = policy.Budget{Epsilon: 1000e9, Delta: 9e18}
	}
	d := w.open()
	asks := make(map[string]reply.Request)
	answers := make(map[string][]int64)
	for round := range rounds {
		w.forget(d, round)
		for _, c := range tried {
			for i := range 4 {
				table := c.name(i < 2, i%2 == 0)
				if round == 0 {
					asks[table] = w.askTimes(d, table, perRound)
				}
				answers[table] = append(answers[table], w.sample(d, asks[table])...)
			}
		}
	}
	for _, c := range tried {
		slack := math.Sqrt((1 + math.Exp(2*c.epsilon)) * math.Log(1e8) / float64(2*perRound*rounds))
		for _, half := range []bool{false, true} {
			without, with := answers[c.name(half, false)], answers[c.name(half, true)]
			excess := max(c.excess(without, with), c.excess(with, without)) - slack
			if !half && excess > 0 {
				t.Errorf("%s: an answer exceeds exp(%v) and %v by %.3f more than chance", c.kind, c.epsilon, c.delta, excess)
			}
			if half && excess <= 0 {
				t.Errorf("%s: noise that is half as wide is not found out (%.3f)", c.kind, excess)
			}
		}
	}
}

// withheldAnswer stands for a count that is withheld: below all others.
const withheldAnswer = math.MinInt64

// forget gives the door a new ledger: one cannot hold what thousands of counts with a delta of 0.1 come to.
func (w *ward) forget(d *Gateway, round int) {
	w.T.Helper()
	l, err := ledger.Open(context.Background(), ledger.Options{
		Location: policy.LedgerLocation{SQLite: filepath.Join(w.T.TempDir(), fmt.Sprint(round, ".db"))}, Role: ledger.Serve,
	})
	if err != nil {
		w.T.Fatal(err)
	}
	d.monitor.Mu.Lock()
	d.monitor.Ledger, l = l, d.monitor.Ledger
	d.monitor.Mu.Unlock()
	l.Close()
}

// forgetAnswers is forget, after which nothing is in memory of what was answered before.
func (w *ward) forgetAnswers(d *Gateway) {
	w.T.Helper()
	w.forget(d, 0)
	d.noisy = noisy.New(d.monitor)
}

// askTimes is a statement that asks in other words each time how many people there are.
func (w *ward) askTimes(d *Gateway, table string, times int) reply.Request {
	counts := make([]string, times)
	for i := range counts {
		counts[i] = fmt.Sprintf("count(*) FILTER (WHERE age <> %d)", 1000+i)
	}
	sql := "SELECT " + strings.Join(counts, ", ") + " FROM lab." + table
	return reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}}
}

func (w *ward) sample(d *Gateway, ask reply.Request) []int64 {
	w.T.Helper()
	cells, receipt, err := d.Answer(context.Background(), ask)
	if err != nil {
		w.T.Fatal(err)
	}
	if strings.Contains(receipt.Notice(), "(answered ") {
		w.T.Fatalf("no new draws: %s", receipt.Notice())
	}
	answers := make([]int64, len(cells[0].Counts))
	for i, shown := range cells[0].Counts {
		answers[i] = shown[0]
		if s := cells[0].Suppressed; s != nil && s[i] != nil && s[i][0] {
			answers[i] = withheldAnswer
		}
	}
	return answers
}

// excess is the largest p - exp(epsilon) q - delta, of the frequencies of an event.
func (c claim) excess(p, q []int64) float64 {
	largest := math.Inf(-1)
	for least := int64(c.people) - 2; least <= int64(c.people)+3; least++ {
		above, other := share(p, least), share(q, least)
		largest = max(largest, above-math.Exp(c.epsilon)*other-c.delta, 1-above-math.Exp(c.epsilon)*(1-other)-c.delta)
	}
	return largest
}

// share is how many of the answers are at least c.
func share(answers []int64, c int64) float64 {
	n := 0.0
	for _, a := range answers {
		if a >= c {
			n++
		}
	}
	return n / float64(len(answers))
}
