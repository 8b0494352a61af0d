package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// What a simulation charges, records and gives up.

const modelQuestions = 16

func (s *simulation) question(table policy.TableName) accountant.Question {
	return question(table, fmt.Sprintf("question %d", s.pick(modelQuestions)))
}

// mainTerm is the class of releases of all tables.
var mainTerm = composition.Term{Noise: composition.GeometricNoise, Epsilon: 2e7, Moves: 1}

// prices are of the main class, of another one, of a term that nothing is known of beyond the loss, of no guarantee, and of both.
var prices = []accountant.Item{
	{Loss: accountant.Loss{Epsilon: 2e7}, Term: mainTerm},
	{Loss: accountant.Loss{Epsilon: 1e7}, Term: composition.Term{Noise: composition.GeometricNoise, Epsilon: 1e7, Moves: 1}},
	{Loss: accountant.Loss{Epsilon: 4e7}, Term: composition.Term{Noise: composition.GeometricNoise, Epsilon: 4e7, Moves: 2}},
	{Loss: accountant.Loss{Epsilon: 2e7, Delta: 1e9}, Term: composition.Term{Noise: composition.GeometricNoise, Epsilon: 2e7, Moves: 1, Delta: 1e9}},
	{Loss: accountant.Loss{Epsilon: 3e7, Delta: 1e9}, Term: composition.Term{Noise: composition.GaussianNoise, Variance: composition.Ratio{Numerator: 30_000, Denominator: 1}, Squared: 1}},
	{Loss: accountant.Loss{Epsilon: 1e7}}, {Loss: accountant.Loss{Epsilon: 2e7, Delta: 2e9}}, {Loss: accountant.Loss{Epsilon: 3e7, Delta: 1e9, Releases: 1}},
	{Loss: accountant.Loss{Releases: 1}}, {Loss: accountant.Loss{Releases: 2}}, {},
}

// item has a price, which changes now and then, and may be answered by what was recorded, or not.
func (s *simulation) item(table policy.TableName, partition string) accountant.Item {
	number := s.pick(modelQuestions)
	price := number
	if s.pick(5) == 0 {
		price = s.pick(len(prices))
	}
	item := prices[price%len(prices)]
	item.Question, item.Mechanism = question(table, fmt.Sprintf("question %d", number)), "geometric"
	item.Fresh, item.MaxAge = s.pick(3) > 0, []time.Duration{0, time.Hour, 24 * time.Hour, 72 * time.Hour}[s.pick(4)]
	for _, block := range []string{"2036-01", "2036-02", "2036-03"} {
		if partition != "" && s.pick(3) == 0 {
			item.Blocks = append(item.Blocks, block)
		}
	}
	return item
}

// accounting is of a table, most often by the sums of losses, and without a budget.
func (s *simulation) accounting(table policy.TableName) accountant.Accounting {
	a := accountant.Accounting{Table: table, Adjacency: policy.AddRemove, Composition: policy.BasicComposition}
	a.Window = []time.Duration{0, 0, 24 * time.Hour, 72 * time.Hour}[s.pick(4)]
	if s.pick(3) == 0 {
		a.Partition = "admitted by month"
	}
	switch s.pick(8) {
	case 0, 1:
		a.Composition, a.Main = policy.PLDComposition, mainTerm
	case 2:
		a.Composition = policy.AdvancedComposition
	case 3:
		a.Composition = policy.ZCDPComposition
	}
	if a.Composition != policy.BasicComposition {
		a.Budget.Delta, a.Thresholds = 1e12, 5e11
	}
	return a
}

// budget is about what is spent, as if the policy were edited.
func (s *simulation) budget(spent accountant.Loss) policy.Budget {
	return policy.Budget{
		Epsilon:  max(0, spent.Epsilon+policy.Epsilon(s.pick(14)-3)*1e7),
		Delta:    max(0, spent.Delta+policy.Delta(s.pick(8)-1)*1e9),
		Releases: max(0, spent.Releases+int64(s.pick(6)-1)),
	}
}

// bound gives a charge its budget. Under rules that remember what they have found out it often stays the same for a while.
func (s *simulation) bound(c *accountant.Charge, d *desk) {
	if c.Composition == policy.BasicComposition {
		c.Budget = s.budget(s.paper.spent(c.Table, ""))
		return
	}
	spent := addedUp(c.Accounting, itemsOf(s.paper.counting(c, d, "")))
	c.Budget.Releases = s.budget(spent).Releases
	const step = 1e8
	c.Budget.Epsilon = (spent.Epsilon/step + policy.Epsilon(s.pick(4)/3) + 1) * step
	switch s.pick(8) {
	case 0:
		c.Budget.Epsilon = s.budget(spent).Epsilon
	case 1:
		c.Thresholds = min(c.Budget.Delta, s.budget(s.paper.spent(c.Table, "")).Delta)
	}
}

// cap gives a charge a cap of its analyst's.
func (s *simulation) cap(c *accountant.Charge, d *desk) {
	own := s.paper.spent(c.Table, c.Analyst)
	if c.Composition != policy.BasicComposition {
		own = addedUp(c.Accounting, itemsOf(s.paper.counting(c, d, c.Analyst)))
	}
	limit := s.budget(own)
	if s.pick(3) == 0 {
		limit.Epsilon = policy.NoEpsilonCap
	}
	if s.pick(3) == 0 {
		limit.Delta = policy.NoDeltaCap
	}
	if s.pick(3) == 0 {
		limit.Releases = policy.NoReleasesCap
	}
	c.Cap = &limit
}

func (s *simulation) charge(d *desk, table policy.TableName, analyst string) accountant.Charge {
	c := accountant.Charge{Analyst: analyst, SQL: "SELECT", Accounting: s.accounting(table)}
	seen := make(map[[32]byte]bool)
	for range 1 + s.pick(3) {
		if item := s.item(table, c.Partition); !seen[item.Key] {
			c.Items = append(c.Items, item)
			seen[item.Key] = true
		}
	}
	s.bound(&c, d)
	if s.pick(3) == 0 {
		s.cap(&c, d)
	}
	return c
}

// reserve charges for a statement about one table, or two.
func (s *simulation) reserve() {
	d, analyst := s.desk(), s.analyst()
	charges := []accountant.Charge{s.charge(d, s.table(), analyst)}
	if other := s.table(); s.pick(3) == 0 && other != charges[0].Table {
		charges = append(charges, s.charge(d, other, analyst))
	}
	verdicts := make([]paperVerdict, len(charges))
	refused, rule := "", policy.BasicComposition
	for i := range charges {
		if verdicts[i] = s.paper.decide(&charges[i], d); refused == "" {
			refused, rule = verdicts[i].refused, charges[i].Composition
		}
	}
	made, err := d.ReserveAll(context.Background(), charges)
	if got := refusalOf(err); got != refused {
		s.t.Fatalf("reserved %+v: %q (%v); the paper says %q", charges, got, err, refused)
	}
	s.count(refused, rule, len(charges))
	if err != nil {
		return
	}
	for i := range charges {
		s.adopted(&charges[i], made[i], verdicts[i])
		s.paper.charge(&charges[i], verdicts[i], d, made[i])
	}
	s.waiting = append(s.waiting, waitingReservation{d, made, charges})
}

// adopted compares what a reservation has adopted.
func (s *simulation) adopted(c *accountant.Charge, r *Reservation, want paperVerdict) {
	for i := range c.Items {
		if r.Adopted(i) != (want.adopted[i] != nil) {
			s.t.Fatalf("item %d was adopted: %v; the paper says otherwise", i, r.Adopted(i))
		}
	}
	s.steps["adopted"] += len(want.adopted)
}

func (s *simulation) count(refused string, rule policy.Composition, tables int) {
	s.steps["reserve: "+refused]++
	if rule != policy.BasicComposition {
		s.steps[fmt.Sprintf("reserve: %s under %s", refused, rule)]++
	}
	if refused == "" && tables == 2 {
		s.steps["reserve: of two tables"]++
	}
}

// refusalOf is the paper's word for an error.
func refusalOf(err error) string {
	var over *accountant.OverBudgetError
	var frozen *accountant.FrozenError
	var inFlight *InFlightError
	var recorded *RecordedError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &over):
		return over.Of
	case errors.As(err, &frozen):
		return "frozen"
	case errors.As(err, &inFlight):
		return "in flight"
	case errors.As(err, &recorded):
		return "recorded"
	}
	return err.Error()
}

// takeWaiting takes any reservation that waits, not always the first one.
func (s *simulation) takeWaiting() (w waitingReservation, ok bool) {
	if len(s.waiting) == 0 {
		return w, false
	}
	i := s.pick(len(s.waiting))
	w = s.waiting[i]
	s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
	return w, true
}

// record records the answers to a statement: about one table those that are still its own, about two either all or none.
func (s *simulation) record() {
	w, ok := s.takeWaiting()
	if !ok {
		return
	}
	payloads := make([][][]byte, len(w.charges))
	own := make([][]*paperCharge, len(w.charges))
	lost, written := false, false
	for i, c := range w.charges {
		for range c.Items {
			payloads[i] = append(payloads[i], []byte(fmt.Sprint(s.rand.Uint64())))
		}
		own[i] = s.paper.end(c.Table, w.reservations[i])
		lost, written = lost || len(own[i]) < len(c.Items), written || len(own[i]) > 0
	}
	if err := w.record(payloads); lost != errors.Is(err, ErrLost) || !lost && err != nil {
		s.t.Fatalf("recorded %+v, of which some was lost: %v; error %v", w.charges, lost, err)
	}
	if written {
		at := s.paper.enter(w.desk)
		for i := range w.charges {
			if len(w.charges) == 1 || !lost {
				s.noteAnswers(&w.charges[i], own[i], payloads[i], at)
			}
		}
	}
	if err := w.record(payloads); err == nil {
		s.t.Fatal("recorded twice")
	}
	s.steps["record"]++
	if lost {
		s.steps["record: lost"]++
	}
}

func (w *waitingReservation) record(payloads [][][]byte) error {
	if len(w.charges) == 1 {
		_, err := w.desk.Record(context.Background(), w.reservations[0], payloads[0])
		return err
	}
	return w.desk.RecordAll(context.Background(), w.reservations, payloads)
}

// noteAnswers writes those answers down that a charge still was to have.
func (s *simulation) noteAnswers(c *accountant.Charge, own []*paperCharge, payloads [][]byte, at time.Time) {
	for i := range c.Items {
		for _, mine := range own {
			if mine.item.Key == c.Items[i].Key {
				s.paper.record(&c.Items[i], at, payloads[i])
			}
		}
	}
}

func (s *simulation) abandon() {
	w, ok := s.takeWaiting()
	if !ok {
		return
	}
	for i, r := range w.reservations {
		w.desk.Abandon(r)
		w.desk.background.Wait()
		if len(s.paper.end(w.charges[i].Table, r)) > 0 {
			s.paper.enter(w.desk)
		}
	}
}
