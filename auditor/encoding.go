package auditor

import (
	"tacit/auditor/posterior"
	"tacit/policy"
)

func encodeOpening(o *Opening) []byte {
	var e encoder
	e.config(&o.Config)
	e.units(o.Units)
	e.bool(o.Totals != nil)
	for _, totals := range o.Totals {
		for _, n := range totals {
			e.uint(uint64(n))
		}
	}
	e.plan(o.Plan)
	if o.Workload != nil { // without one an opening ends here
		e.workload(o.Workload)
	}
	return e.payload()
}

func decodeOpening(payload []byte) (Opening, error) {
	d := newDecoder(payload)
	o := Opening{Config: d.config(), Units: d.units()}
	if d.bool("totals") {
		o.Totals = make([][]int64, len(o.Types))
		for t := range o.Totals {
			o.Totals[t] = make([]int64, o.Values)
			for v := range o.Totals[t] {
				o.Totals[t][v] = int64(d.uint(maxPeople, "total"))
			}
		}
	}
	o.Plan = d.plan()
	if len(d.in) > 0 {
		o.Workload = d.workload()
	}
	return o, d.end()
}

func (e *encoder) config(c *Config) {
	e.uint(uint64(c.Values))
	e.float(c.Epsilon)
	e.uint(uint64(c.Delta))
	e.uint(uint64(c.PerDecision))
	e.uint(uint64(c.PerStatement))
	e.string(string(c.Rule))
	e.uint(uint64(c.Decisions))
	e.uint(uint64(c.Insiders))
	e.bool(c.OneSided)
	e.uint(uint64(len(c.Types)))
	for i := range c.Types {
		t := &c.Types[i]
		e.string(t.Name)
		e.floats(t.Prior)
		e.float(t.Interval)
		e.float(t.Spread)
	}
}

func (d *decoder) config() Config {
	c := Config{
		Values: int(d.uint(posterior.MaxValues, "number of values")), Epsilon: d.float("epsilon"),
		Delta: d.risk(), PerDecision: d.risk(), PerStatement: d.risk(),
		Rule: policy.AuditRule(d.string("rule")), Decisions: int(d.uint(1<<40, "number of decisions")),
		Insiders: int(d.uint(maxInsiders, "number of insiders")), OneSided: d.bool("side"),
	}
	c.Types = make([]Type, d.few(18, maxTypes, "number of types"))
	for i := range c.Types {
		c.Types[i] = Type{Name: d.string("name"), Prior: d.floats("prior"), Interval: d.float("interval"), Spread: d.float("spread")}
	}
	return c
}

func (d *decoder) risk() policy.Risk { return policy.Risk(d.uint(1<<63-1, "risk")) }

func (e *encoder) units(units []Unit) {
	e.uint(uint64(len(units)))
	for _, u := range units {
		e.uint(uint64(u.Type))
		e.uint(uint64(u.People))
	}
}

func (d *decoder) units() []Unit {
	units := make([]Unit, d.few(2, maxUnits, "number of units"))
	for i := range units {
		units[i] = Unit{int(d.uint(maxTypes, "type")), int(d.uint(maxPeople, "number of people"))}
	}
	return units
}

// plan writes the blocks of units as differences; nil is not the plan of no units.
func (e *encoder) plan(plan []int32) {
	e.bool(plan != nil)
	if plan == nil {
		return
	}
	e.uint(uint64(len(plan)))
	last := int32(0)
	for _, b := range plan {
		e.int(int64(b - last))
		last = b
	}
}

func (d *decoder) plan() []int32 {
	if !d.bool("plan") {
		return nil
	}
	plan := make([]int32, d.few(1, maxUnits, "plan"))
	last := int64(0)
	for i := range plan {
		if last += d.int("block"); last < -1 || last > maxUnits {
			d.fail("block")
			last = 0
		}
		plan[i] = int32(last)
	}
	return plan
}

func (e *encoder) workload(w *Workload) {
	e.uint(uint64(w.Samples))
	e.float(w.Failure)
	e.fixed(w.Seed[:])
	e.uint(uint64(w.Charge))
	e.uint(uint64(len(w.Groupings)))
	for _, grouping := range w.Groupings {
		e.uint(uint64(len(grouping)))
		for _, units := range grouping {
			e.rising(units)
		}
	}
}

func (d *decoder) workload() *Workload {
	w := &Workload{Samples: int(d.uint(maxSamples, "number of samples")), Failure: d.float("failure")}
	copy(w.Seed[:], d.take(len(w.Seed), "seed"))
	if w.Charge = d.risk(); w.Charge == 0 {
		d.fail("charge")
	}
	w.Groupings = make([][][]int32, d.count(1, "number of groupings"))
	for i := range w.Groupings {
		w.Groupings[i] = make([][]int32, d.count(1, "number of sets"))
		for k := range w.Groupings[i] {
			w.Groupings[i][k] = d.rising()
		}
	}
	return w
}

func (e *encoder) sets(sets []posterior.ValueSet) {
	e.uint(uint64(len(sets)))
	for _, set := range sets {
		e.uint(uint64(set))
	}
}

func (d *decoder) sets() []posterior.ValueSet {
	n := d.few(1, posterior.MaxValues, "number of sets")
	if n == 0 {
		return nil
	}
	sets := make([]posterior.ValueSet, n)
	for i := range sets {
		sets[i] = posterior.ValueSet(d.uint(1<<64-1, "set of values"))
	}
	return sets
}

// An encodedRound is the round of an event, with the statement if it is the first.
type encodedRound struct {
	number  int
	queries []Query // of round 0
	left    Left
	seed    [32]byte

	decisions []Decision
	open      []Opened
	charge    policy.Risk
	counted   int
}

// Event is the event of a round, to be recorded with its charge before any of its counts is read. It has all that is needed to make the
// decisions again.
func (r *Round) Event() Event {
	var e encoder
	st := r.statement
	e.uint(uint64(r.Number))
	if r.Number == 0 {
		e.queries(st.queries)
		e.uint(uint64(max(0, st.left.Table)))
		e.uint(uint64(max(0, st.left.Analyst)))
		e.fixed(st.seed[:])
	}
	e.decisions(r.Decisions)
	e.uint(uint64(len(r.Open)))
	last := 0
	for _, o := range r.Open {
		e.uint(uint64(o.Query - last))
		e.uint(uint64(o.Set))
		last = o.Query
	}
	e.uint(uint64(r.Charge))
	e.uint(uint64(r.counted))
	return Event{Kind: EventRound, Payload: e.payload()}
}

func decodeRound(payload []byte) (*encodedRound, error) {
	d := newDecoder(payload)
	r := &encodedRound{number: int(d.uint(1<<30, "number of a round"))}
	if r.number == 0 {
		r.queries = d.queries()
		r.left = Left{d.risk(), d.risk()}
		copy(r.seed[:], d.take(len(r.seed), "seed"))
	}
	r.decisions = d.decisions()
	r.open = make([]Opened, d.count(2, "number of counts"))
	last := 0
	for i := range r.open {
		last += int(d.uint(maxQueries, "query"))
		r.open[i] = Opened{last, int(d.uint(posterior.MaxValues, "set"))}
	}
	r.charge = d.risk()
	r.counted = int(d.uint(1<<31, "number of decisions"))
	return r, d.end()
}

func (e *encoder) queries(queries []Query) {
	e.uint(uint64(len(queries)))
	for i := range queries {
		q := &queries[i]
		e.sets(q.Values)
		e.rising(q.Units)
	}
}

// rising writes units as differences.
func (e *encoder) rising(units []int32) {
	e.uint(uint64(len(units)))
	last := int32(0)
	for _, u := range units {
		e.uint(uint64(u - last))
		last = u
	}
}

func (d *decoder) rising() []int32 {
	units := make([]int32, d.few(1, maxUnits, "number of units"))
	last := uint64(0)
	for i := range units {
		if last += d.uint(maxUnits, "unit"); last > maxUnits {
			d.fail("unit")
			last = 0
		}
		units[i] = int32(last)
	}
	return units
}

func (d *decoder) queries() []Query {
	queries := make([]Query, d.few(2, maxQueries, "number of questions"))
	for i := range queries {
		queries[i].Values = d.sets()
		queries[i].Units = d.rising()
	}
	return queries
}

func (e *encoder) decisions(decisions []Decision) {
	e.uint(uint64(len(decisions)))
	last := 0
	for i := range decisions {
		c := &decisions[i]
		e.uint(uint64(c.Query - last))
		last = c.Query
		e.uint(uint64(c.Outcome))
		e.float(c.Risk)
		e.uint(uint64(c.Charge))
		e.string(c.Engine)
		e.string(c.Reason)
		e.uint(uint64(len(c.Values)))
		for _, v := range c.Values {
			e.uint(uint64(v))
		}
	}
}

func (d *decoder) decisions() []Decision {
	decisions := make([]Decision, d.few(14, maxQueries, "number of decisions"))
	last := 0
	for i := range decisions {
		last += int(d.uint(maxQueries, "query"))
		c := Decision{Query: last, Outcome: Outcome(d.uint(uint64(Released), "outcome")), Risk: d.float("risk"), Charge: d.risk(),
			Engine: d.string("engine"), Reason: d.string("reason")}
		if n := d.few(1, posterior.MaxValues, "number of values"); n > 0 {
			c.Values = make([]int64, n)
			for v := range c.Values {
				c.Values[v] = int64(d.uint(maxPeople, "value"))
			}
		}
		decisions[i] = c
	}
	return decisions
}

func encodeAnswer(values []int64) []byte {
	var e encoder
	e.uint(uint64(len(values)))
	for _, v := range values {
		e.uint(uint64(max(0, v)))
	}
	return e.payload()
}

func decodeAnswer(answer []byte) ([]int64, error) {
	d := newDecoder(answer)
	values := make([]int64, d.count(1, "number of answers"))
	for i := range values {
		values[i] = int64(d.uint(maxPeople, "answer"))
	}
	return values, d.end()
}
