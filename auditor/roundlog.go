package auditor

import "tacit/auditor/posterior"

// Event is the event of a round, to be recorded with its charge before any of its counts is read. It has all that is needed to make the
// decisions again.
func (r *Round) Event() Event {
	var e encoder
	e.uint(uint64(r.Number))
	if r.Number == 0 {
		e.queries(r.request.queries)
		e.uint(uint64(max(0, r.request.left.Table)))
		e.uint(uint64(max(0, r.request.left.Analyst)))
		e.fixed(r.request.seed[:])
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
	if r.boxed {
		e.uint(boxRule)
	}
	return Event{Kind: EventRound, Payload: e.payload()}
}

func decodeRound(payload []byte) (*Round, error) {
	d := newDecoder(payload)
	r := &Round{Number: int(d.uint(1<<30, "number of a round"))}
	if r.Number == 0 {
		r.request = &request{queries: d.queries(), left: Left{d.risk(), d.risk()}}
		copy(r.request.seed[:], d.take(len(r.request.seed), "seed"))
	}
	r.Decisions = d.decisions()
	r.Open = make([]Opened, d.count(2, "number of counts"))
	last := 0
	for i := range r.Open {
		last += int(d.uint(maxQueries, "query"))
		r.Open[i] = Opened{last, int(d.uint(posterior.MaxValues, "set"))}
	}
	r.Charge = d.risk()
	r.counted = int(d.uint(1<<31, "number of decisions"))
	r.boxed = d.mark()
	return r, d.end()
}

// Decisions are what a round of the log decided, and how many counts it opened. Other events have none.
func (e Event) Decisions() (decisions []Decision, opened int, err error) {
	if e.Kind != EventRound {
		return nil, 0, nil
	}
	r, err := decodeRound(e.Payload)
	if err != nil {
		return nil, 0, err
	}
	return r.Decisions, len(r.Open), nil
}

// Asked are the queries of the statement whose first round this is, in the log. Later rounds decide about the same, and other events ask nothing: nil.
func (e Event) Asked() ([]Query, error) {
	if e.Kind != EventRound {
		return nil, nil
	}
	r, err := decodeRound(e.Payload)
	if err != nil || r.request == nil {
		return nil, err
	}
	return r.request.queries, nil
}

func (e *encoder) queries(queries []Query) {
	e.uint(uint64(len(queries)))
	for i := range queries {
		q := &queries[i]
		e.sets(q.Values)
		e.rising(q.Units)
	}
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
