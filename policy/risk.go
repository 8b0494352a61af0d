package policy

import (
	"fmt"

	"tacit/policy/internal/document"
)

// A Risk is the probability that an exact count exposes somebody (see [Auditor]), in units of 1e-18, never negative. Risks of releases
// add up to a bound of the risk of all of them; they are never added to epsilons or deltas, which bound other things.
type Risk int64

// OneRisk is certainty.
const OneRisk Risk = 1e18

// maxRisk is the largest delta that an auditor may have: beyond it, that nobody is exposed is less likely than not.
const maxRisk Risk = OneRisk / 2

const riskPlaces = 18

// String returns the shortest decimal that is exactly r, below 0.0001 with an exponent: "0.005", "2.5e-7".
func (r Risk) String() string {
	sign, digits, exponent := decimal(int64(r), riskPlaces)
	if digits != "0" && exponent+len(digits) <= -4 {
		return sign + scientific(digits, exponent)
	}
	return sign + positional(digits, exponent)
}

// Float is the risk, rounded to the nearest.
func (r Risk) Float() float64 { return float64(r) / float64(OneRisk) }

// risk returns a risk above 0 and at most maxRisk; 0 if the key is absent or its value reported.
func (d *decoder) risk(n *document.Node, example string) Risk {
	return fixed(d, n, riskPlaces, "use a decimal number above 0, such as "+example, func(r Risk) string {
		switch {
		case r == 0:
			return "a risk of 0 allows no answer: every count tells something with some probability"
		case r > maxRisk:
			return fmt.Sprintf("with a risk above %v it is more likely than not that somebody is exposed", maxRisk)
		}
		return ""
	})
}
