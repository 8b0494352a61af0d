package auditor

import (
	"math"
	"slices"

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
	switch { // without a workload and intervals, which never come together, an opening ends here
	case o.Workload != nil:
		e.workload(o.Workload)
	case o.hasIntervals() && !o.earlier:
		e.uint(boxRule)
	}
	return e.payload()
}

// hasIntervals reports whether some declared prior is only known to lie in an interval.
func (o *Opening) hasIntervals() bool {
	return o.Totals == nil && slices.ContainsFunc(o.Types, func(t Type) bool { return t.Interval > 0 })
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
	switch {
	case o.hasIntervals():
		o.earlier = !d.mark()
	case len(d.in) > 0:
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

func encodeEpoch(p *Epoch) []byte {
	var e encoder
	e.uint(uint64(len(p.Gone)))
	last := int32(0)
	for _, g := range p.Gone {
		e.uint(uint64(g.Unit - last))
		e.uint(uint64(g.People))
		last = g.Unit
	}
	e.units(p.Added)
	e.plan(p.Plan)
	e.bool(p.Distinct)
	if p.Plan != nil && !p.earlier {
		e.uint(boxRule)
	}
	return e.payload()
}

func decodeEpoch(payload []byte) (Epoch, error) {
	d := newDecoder(payload)
	p := Epoch{Gone: make([]Departure, d.few(2, maxUnits, "number of departures"))}
	last := uint64(0)
	for i := range p.Gone {
		last = min(last+d.uint(maxUnits, "unit"), math.MaxInt32)
		p.Gone[i] = Departure{int32(last), int(d.uint(maxPeople, "number of people"))}
	}
	p.Added = d.units()
	p.Plan = d.plan()
	p.Distinct = d.bool("word that people are different")
	if p.Plan != nil {
		p.earlier = !d.mark()
	}
	return p, d.end()
}
