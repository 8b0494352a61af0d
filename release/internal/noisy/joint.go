package noisy

import (
	"tacit/accountant"
	"tacit/release/internal/live"
)

// The questions of a query with sums of numbers are one joint release, which costs what one count of the table does: an average costs no
// more than a count, nor does a count with three averages. (Without sums each count is a release of its own, as it always was.)
//
// The loss is shared in equal parts. Each part has noise in proportion to its own sensitivity. Let there be m parts, of sensitivities s_i, whose
// errors count alike once they are divided by s_i: who splits by hand chooses shares a_i of the loss. With Laplace noise part i has the
// variance 2 (s_i/(a_i epsilon))^2, and the sum of a_i^-2 is least, given that the a_i add up to 1, where they are equal, as a^-2 is convex.
// With Gaussian noise the variance is s_i^2/(2 a_i rho), a_i being shares of rho, and the sum of 1/a_i is least there, too. Who splits
// epsilon and delta themselves has more noise, since the noise of a share of rho of 1/m is sqrt(m) times as large, and that of
// a share of epsilon m times. Other weights are had by several statements.
//
// Charges: with Laplace and geometric noise each part is a release with epsilon/m, rounded down, and is charged as such. With Gaussian
// noise no part by itself has a share of epsilon and delta, but all together have both (see [mechanisms.Config.Parts]). So of the parts that are
// charged together the first bears all of it, and others the least that can be charged; the noise is that of epsilon and delta less
// these least amounts, so that a statement costs no more than a count. Terms of composition add up exactly. All parts are charged to the
// same blocks: those that WHERE lets rows be in, whatever FILTER says.
//
// Values that rows have, medians say, are no parts: each has a loss of its own, that of its choice, and is charged it in full.

// leastLoss is the smallest that a ledger charges.
var leastLoss = accountant.Loss{Epsilon: 1, Delta: 1}

// makeMechanisms finds those of the questions.
func (p *QueryPlan) makeMechanisms(r *live.State) (err error) {
	if !p.Query.Measured() {
		p.mechanisms, err = r.MechanismsFor(p.Query, p.Terms)
		return err
	}
	texts := make(map[string]bool)
	needed := make(map[live.Sensitivity]bool)
	counts := p.Query.Counts
	if p.ByThreshold {
		counts = append(counts[:len(counts):len(counts)], p.Query.Persons())
	}
	for _, c := range counts {
		needed[live.SensitivityOf(p.Query, c)] = true
		if c.Ordered == nil {
			texts[p.Query.Question(c)] = true
		}
	}
	p.parts = len(texts)
	p.mechanisms, err = r.JointMechanisms(p.Query, p.Terms, needed, p.parts)
	return err
}

// shareLoss states the losses of the parts among questions that are charged together.
func (p *QueryPlan) shareLoss(charged []*Question) {
	if p.parts < 2 || !p.Terms.Mechanism.Kind.NeedsDelta() {
		return
	}
	first := true
	for _, q := range charged {
		if q.choice != nil {
			continue
		}
		switch {
		case !first:
			q.loss = leastLoss
		case q.selects:
			q.loss = q.Mechanism.ThresholdLoss()
		default:
			q.loss = q.Mechanism.Loss()
		}
		first = false
	}
}
