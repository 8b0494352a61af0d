package auditor

import (
	"fmt"
	"math"
	"strconv"

	"tacit/policy"
)

// A verdict is what a rule says of a risk.
type verdict struct {
	released bool
	charge   policy.Risk
	reason   string
}

// An estimate is a risk, with the query and set that it is of: what the paper's samples are drawn for.
type estimate struct {
	risk       float64
	exact      bool // up to rounding
	query, set int  // set -1: the remainders of a block that pieces of queries are cut from
}

// charge is the risk in units, rounded up. The risks of exact engines are right to 1e-12 of themselves. That of the approximate one was
// measured to be at most 2% too low where it answers; 5% are added. What is no number costs more than there is.
func (e *estimate) charge() policy.Risk {
	if !(e.risk >= 0) {
		return 2 * policy.OneRisk
	}
	risk := e.risk*1.05 + 1e-12
	if e.exact {
		risk = e.risk*(1+1e-9) + 1e-15
	}
	return policy.Risk(math.Ceil(min(risk, 2) * float64(policy.OneRisk)))
}

// judge applies the table's rule to a risk, if so much was spent in the round before it.
func (st *Statement) judge(e estimate, spent policy.Risk) verdict {
	c := &st.state.Config
	switch {
	case e.risk >= 1:
		return verdict{reason: "the answer would certainly tell too much"}
	case !(e.risk >= 0):
		return verdict{reason: "the risk is no number"}
	}
	var v verdict
	switch c.rule() {
	case policy.LedgerRule:
		v = st.capped(&e)
	case policy.ThresholdRule:
		v = st.threshold(&e)
	case policy.PaperRule:
		// What is drawn is charged whatever comes out, so that it has to be there before.
		if v = st.afford(verdict{released: true, charge: c.share()}, spent); v.released {
			v = st.sampled(&e)
		}
	}
	if v.charge < 0 {
		panic("auditor: internal error: a negative charge")
	}
	if v.released {
		return st.afford(v, spent)
	}
	return v
}

// capped is the rule of the ledger: what a decision risks is charged, up to a cap and while something is left.
func (st *Statement) capped(e *estimate) verdict {
	charge, most := e.charge(), st.state.Config.PerDecision
	if charge > most {
		return verdict{reason: "the risk " + digits(e.risk) + " is above the " + most.String() + " that one decision may risk"}
	}
	return verdict{released: true, charge: charge}
}

// afford says whether enough is left.
func (st *Statement) afford(v verdict, spent policy.Risk) verdict {
	for _, l := range [3]struct {
		left policy.Risk
		of   string
	}{
		{st.statementLeft(), "of what the statement may risk"},
		{st.left.Analyst - st.spent, "of the analyst's share of the risk"},
		{st.left.Table - st.spent, "of the table's risk"},
	} {
		if spent+v.charge > l.left {
			return verdict{reason: st.refusal(refused{v.charge, max(0, l.left-spent), l.of})}
		}
	}
	return v
}

// A refused is a charge that is more than what is left of something.
type refused struct {
	charge, left policy.Risk
	of           string
}

// refusal is that in words. Once little is left many decisions in a row say the same.
func (st *Statement) refusal(r refused) string {
	if st.refusedText == "" || st.refused != r {
		st.refused = r
		st.refusedText = "the risk " + digits(r.charge.Float()) + " is above the " + r.left.RoundDown(3).String() + " that is left " + r.of
	}
	return st.refusedText
}

func digits(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// statementLeft is what the statement may still risk: all that there is, under rules that bound the number of decisions instead.
func (st *Statement) statementLeft() policy.Risk {
	if st.state.Config.rule() != policy.LedgerRule {
		return policy.OneRisk
	}
	return st.state.Config.PerStatement - st.spent
}

// threshold is the paper's threshold, without sampling: each of T decisions may risk delta/T, so that all of them risk delta.
func (st *Statement) threshold(e *estimate) verdict {
	c := &st.state.Config
	risk, share := e.risk, c.Delta.Float()/float64(c.Decisions)
	if !e.exact {
		risk = risk*1.05 + 1e-12
	}
	if risk > share*(1+1e-9) {
		return verdict{reason: fmt.Sprintf("the risk %.3g is above the share delta/T = %.3g of one decision", risk, share)}
	}
	return verdict{released: true, charge: min(e.charge(), c.share())}
}

// share is delta/T, rounded up.
func (c *Config) share() policy.Risk {
	return (c.Delta + policy.Risk(c.Decisions) - 1) / policy.Risk(c.Decisions)
}

// used says that no decision is left of a bounded number, of which some are made in the round.
func (st *Statement) used(counted int) bool {
	left, bounded := st.state.DecisionsLeft()
	return bounded && left <= counted
}
