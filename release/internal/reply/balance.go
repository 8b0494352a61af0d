package reply

import (
	"fmt"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/policy"
)

// lossDigits are the significant digits of epsilons and deltas that people are shown: up of what is spent, down of what is left. Programs
// get all of them.
const lossDigits = 4

// A Balance is how an analyst and a table stand, as the analyst is told.
type Balance struct {
	// Composition is the rule by which losses add up: under any but the basic one a release may take less of the budget than its own loss.
	Composition policy.Composition
	// Blocks are those that the statement is charged to; nil of a table without blocks. Of the fullest of them is what is left.
	Blocks *ChargedBlocks
	// Budget is the table's. TableLeft and AnalystLeft are what remains of it, and of her own cap; AnalystLeft is nil for an analyst whose cap
	// names nothing that the budget has. Capped are the amounts that it names.
	Budget      policy.Budget
	Capped      accountant.Loss
	TableLeft   accountant.Loss
	AnalystLeft *accountant.Loss
	// Window is how long a loss counts against the budget; 0 is for ever. Lifetime is what was spent since the epoch, whatever the window: it
	// is what the people in the table rely on.
	Window   time.Duration
	Lifetime accountant.Loss
	// Frozen says why there are no new releases; "" if there are.
	Frozen string
}

// InBoth are the amounts of l that m has, too.
func InBoth(l, m accountant.Loss) accountant.Loss {
	if m.Epsilon == 0 {
		l.Epsilon = 0
	}
	if m.Delta == 0 {
		l.Delta = 0
	}
	if m.Releases == 0 {
		l.Releases = 0
	}
	if m.Risk == 0 {
		l.Risk = 0
	}
	return l
}

// left is what remains of the table's budget, as people are shown it.
func (b *Balance) left() string {
	return b.TableLeft.RoundDown(lossDigits).Only(accountant.Loss(b.Budget))
}

// yours is what remains of the analyst's cap, as people are shown it.
func (b *Balance) yours() string { return b.AnalystLeft.RoundDown(lossDigits).Only(b.Capped) }

// lifetime is what was spent since the epoch, as people are shown it.
func (b *Balance) lifetime() string {
	return b.Lifetime.RoundUp(lossDigits).Only(accountant.Loss(b.Budget))
}

// Days is a window in words.
func Days(window time.Duration) string {
	if n := int64(window / (24 * time.Hour)); n != 1 {
		return fmt.Sprintf("%d days", n)
	}
	return "1 day"
}

// String says what is left, and beside a window what was spent in all.
func (b *Balance) String() string {
	var s strings.Builder
	s.WriteString("left")
	if b.Window > 0 {
		fmt.Fprintf(&s, " of %s", Days(b.Window))
	}
	if b.Blocks != nil {
		fmt.Fprintf(&s, " for %s", b.Blocks.FullestText())
	}
	fmt.Fprintf(&s, ": table %s", b.left())
	if b.AnalystLeft != nil {
		fmt.Fprintf(&s, ", yours %s", b.yours())
	}
	if b.Window > 0 {
		fmt.Fprintf(&s, "; spent since the epoch: %s", b.lifetime())
	}
	if b.Frozen != "" {
		fmt.Fprintf(&s, "; frozen: %s", b.Frozen)
	}
	return s.String()
}
