package noisy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/reply"
)

// halfWidth95 bounds the noise of the question's counts with probability 0.95, or of the noisiest of them if they are sums.
func (q *Question) halfWidth95() int64 {
	if d := cmp.Or(q.derived, q.expected); d != nil {
		return d.error.HalfWidth95
	}
	return q.clippedWidth(q.Mechanism.HalfWidth95())
}

// recordings are those of the answers that a question was answered from.
func (q *Question) recordings() []cells.Recording {
	switch {
	case q.derived != nil:
		return q.derived.recorded
	case q.replayed:
		return []cells.Recording{q.Released.Recording}
	}
	return nil
}

// ages tell how old they are.
func (q *Question) ages(v reply.Viewer) reply.Ages {
	ages := reply.Ages{Viewer: v}
	for _, s := range q.recordings() {
		ages.Add(s.At)
	}
	return ages
}

// biasOfZero is what showing negative counts as 0 adds to an empty cell on average.
func (q *Question) biasOfZero() float64 {
	if d := cmp.Or(q.derived, q.expected); d != nil {
		return d.error.BiasOfZero
	}
	return q.Mechanism.BiasOfZero()
}

// describe tells in a phrase what the counts are.
func (q *Question) describe() string {
	if e := q.SumError(); e != nil {
		return fmt.Sprintf("%s noise, %s", q.Mechanism.Kind(), e)
	}
	if q.most > 0 {
		return fmt.Sprintf("%s noise, each count of different values within ±%d with probability 95%%, counted up to the %d that are declared",
			q.Mechanism.Kind(), q.halfWidth95(), q.most)
	}
	if q.derived != nil && q.derived.rowsOf != nil {
		return fmt.Sprintf("%s noise, each count, which comes with sums, within ±%d with probability 95%%", q.Mechanism.Kind(), q.halfWidth95())
	}
	if d := cmp.Or(q.derived, q.expected); d != nil && d.measured != nil {
		of := "of the measured workload"
		if d.jointly {
			of = "of a joint measurement"
		}
		text := fmt.Sprintf("%s noise %s, each count within ±%d with probability 95%%", policy.DiscreteGaussian, of, q.halfWidth95())
		return strings.TrimSpace(text + " " + d.measured.FitText())
	}
	if q.derived == nil || q.derived.added == 1 {
		return q.Mechanism.Describe()
	}
	of := ""
	if q.derived.mean != nil {
		if of = " in weighted means"; q.derived.mean.Fitted() {
			of = ", fitted by least squares"
		}
	}
	text := fmt.Sprintf("%s noise of up to %d cells%s, each count within ±%d with probability 95%%", q.Mechanism.Kind(), q.derived.added, of, q.halfWidth95())
	if bias := q.biasOfZero(); bias >= leastBiasShown {
		text += fmt.Sprintf(" (sums of empty cells are up to %.1f too high on average, because counts below 0 are shown as 0)", bias)
	}
	return text
}

// leastBiasShown is the least bias that is worth an analyst's attention in a notice.
const leastBiasShown = 0.5

// addDerived adds a derived question.
func addDerived(d *reply.DerivedAnswers, q *Question) {
	d.Questions++
	for _, s := range q.recordings() {
		d.Releases = append(d.Releases, s.Release)
		d.Ages.Add(s.At)
	}
	slices.Sort(d.Releases)
	d.Releases = slices.Compact(d.Releases)
	d.Cells = max(d.Cells, q.derived.added)
	if q.derived.rowsOf != nil {
		d.RowsOfSums++
	}
	switch {
	case q.derived.jointly:
		d.Jointly++
	case q.derived.measured != nil:
		d.OfWorkload++
	}
	if q.derived.mean != nil {
		if d.Means++; q.derived.mean.Fitted() {
			d.Fits++
		}
	}
	d.LeftOut = append(d.LeftOut, q.derived.leftOut...)
	slices.Sort(d.LeftOut)
	d.LeftOut = slices.Compact(d.LeftOut)
	anew := cmp.Or(q.inPlaceOf, q)
	d.Fresh = d.Fresh.Add(anew.loss)
	switch {
	case q.choice != nil:
		d.Values++
		d.FreshValues, d.ShownValues = max(d.FreshValues, q.choice.Within95()), max(d.ShownValues, q.derived.error.HalfWidth95)
		return
	case q.Count.Measure != nil:
		return
	}
	d.HalfWidth95, d.Shown = max(d.HalfWidth95, cmp.Or(anew.anewBy, anew.Mechanism).HalfWidth95()), max(d.Shown, q.halfWidth95())
}

// anewLoss is what new answers to all questions of a plan would cost.
func (p *QueryPlan) anewLoss() (total accountant.Loss) {
	shared := p.parts > 1 && p.Terms.Mechanism.Kind.NeedsDelta() // the first of the parts bears all of it, see joint.go
	first := true
	for _, q := range p.Questions {
		q = cmp.Or(q.inPlaceOf, q)
		m, loss := cmp.Or(q.anewBy, q.Mechanism), q.loss
		switch {
		case q.choice != nil || !shared:
		case !first:
			loss = leastLoss
		case q.selects:
			loss = m.ThresholdLoss()
		default:
			loss = m.Loss()
		}
		first = first && q.choice != nil
		total = total.Add(loss)
	}
	return total
}

// derivation tells how one question was answered; nil if it was not derived.
func (q *Question) derivation(v reply.Viewer) *reply.DerivedAnswers {
	if q.derived == nil {
		return nil
	}
	d := &reply.DerivedAnswers{Ages: reply.Ages{Viewer: v}}
	addDerived(d, q)
	return d
}

// derives says whether an answer of the statement is derived.
func (a *Statement) derives() bool {
	return slices.ContainsFunc(a.Plans, func(p *QueryPlan) bool {
		return slices.ContainsFunc(p.Questions, func(q *Question) bool { return q.derived != nil })
	})
}
