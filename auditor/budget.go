package auditor

import (
	"crypto/aes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"tacit/policy"
)

// A budget is what one request may risk by the table's rule.
type budget struct {
	*request
	config  *Config
	account *account // of the table
	spent   policy.Risk
	rounds  int

	refused     refused // what refusedText says
	refusedText string
}

// judge applies the table's rule to a risk, if so much was spent in the round before it.
func (b *budget) judge(e estimate, spent policy.Risk) verdict {
	c := b.config
	switch {
	case e.risk >= 1:
		return verdict{reason: "the answer would certainly tell too much"}
	case !(e.risk >= 0):
		return verdict{reason: "the risk is no number"}
	}
	var v verdict
	switch c.rule() {
	case policy.LedgerRule:
		v = b.capped(&e)
	case policy.ThresholdRule:
		v = b.threshold(&e)
	case policy.PaperRule:
		// What is drawn is charged whatever comes out, so that it has to be there before.
		if v = b.afford(verdict{released: true, charge: c.share()}, spent); v.released {
			v = sampled(c, b.account.exited, b.stream(&e), &e)
		}
	}
	if v.charge < 0 {
		panic("auditor: internal error: a negative charge")
	}
	if v.released {
		return b.afford(v, spent)
	}
	return v
}

// capped is the rule of the ledger: what a decision risks is charged, up to a cap and while something is left.
func (b *budget) capped(e *estimate) verdict {
	charge, most := e.charge(), b.config.PerDecision
	if charge > most {
		return verdict{reason: "the risk " + digits(e.risk) + " is above the " + most.String() + " that one decision may risk"}
	}
	return verdict{released: true, charge: charge}
}

// afford reports whether enough is left.
func (b *budget) afford(v verdict, spent policy.Risk) verdict {
	for _, l := range [3]struct {
		left policy.Risk
		of   string
	}{
		{b.statementLeft(), "of what the statement may risk"},
		{b.left.Analyst - b.spent, "of the analyst's share of the risk"},
		{b.left.Table - b.spent, "of the table's risk"},
	} {
		if spent+v.charge > l.left {
			return verdict{reason: b.refusal(refused{v.charge, max(0, l.left-spent), l.of})}
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
func (b *budget) refusal(r refused) string {
	if b.refusedText == "" || b.refused != r {
		b.refused = r
		b.refusedText = "the risk " + digits(r.charge.Float()) + " is above the " + r.left.RoundDown(3).String() + " that is left " + r.of
	}
	return b.refusedText
}

func digits(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

// statementLeft is what the statement may still risk: all that there is, under rules that bound the number of decisions instead.
func (b *budget) statementLeft() policy.Risk {
	if b.config.rule() != policy.LedgerRule {
		return policy.OneRisk
	}
	return b.config.PerStatement - b.spent
}

// threshold is the paper's threshold, without sampling: each of T decisions may risk delta/T, so that all of them risk delta.
func (b *budget) threshold(e *estimate) verdict {
	c := b.config
	risk, share := e.raised(), c.Delta.Float()/float64(c.Decisions)
	if risk > share*(1+1e-9) {
		return verdict{reason: fmt.Sprintf("the risk %.3g is above the share delta/T = %.3g of one decision", risk, share)}
	}
	return verdict{released: true, charge: min(e.charge(), c.share())}
}

// used reports whether no decision is left of a bounded number, of which some are made in the round.
func (b *budget) used(counted int) bool {
	left, bounded := b.account.decisionsLeft(b.config)
	return bounded && left <= counted
}

// stream is the randomness of one decision, from a place of its own under the request's seed.
func (b *budget) stream(e *estimate) io.Reader {
	var place [aes.BlockSize]byte
	binary.BigEndian.PutUint32(place[0:], uint32(b.rounds))
	binary.BigEndian.PutUint32(place[4:], uint32(e.query))
	// The last 6 bytes count blocks: no decision takes that many.
	binary.BigEndian.PutUint16(place[8:], uint16(e.set+1))
	return seeded(b.seed, place)
}

// An account is what the decisions about a table add up to.
type account struct {
	decisions int // that count toward Config.Decisions
	charged   policy.Risk
	exited    bool // somebody's posterior left its limits at some time
}

// spend adds a charge. Beyond what is countable it stays at the most, so that no log makes it small again.
func (a *account) spend(charge policy.Risk) {
	if charge > math.MaxInt64-a.charged {
		charge = math.MaxInt64 - a.charged
	}
	a.charged += charge
}

func (a *account) decisionsLeft(c *Config) (left int, bounded bool) {
	return max(0, c.Decisions-a.decisions), c.Decisions > 0
}
