package policy

import "fmt"

// A Risk is the probability that an exact count exposes somebody (see [Auditor]), in units of 1e-18, never negative. Risks of releases
// add up to a bound of the risk of all of them; they are never added to epsilons or deltas, which bound other things.
type Risk int64

// OneRisk is certainty.
const OneRisk Risk = 1e18

// MaxRisk is the largest delta that an auditor may have: beyond it, that nobody is exposed is less likely than not.
const MaxRisk Risk = OneRisk / 2

const riskPlaces = 18

// ParseRisk reads a decimal number such as 0.05 or 1e-3. The value must be exactly representable: digits beyond the eighteenth decimal
// place are an error, not rounded. Whether the risk makes sense (it must be below 1) is for the caller to say.
func ParseRisk(s string) (Risk, error) {
	n, err := parseFixed(s, riskPlaces)
	return Risk(n), err
}

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

// risk returns a risk above 0 and at most MaxRisk; 0 if the key is absent or its value reported.
func (d *decoder) risk(n *node, example string) Risk {
	text, ok := d.text(n)
	if !ok {
		return 0
	}
	remedy := "use a decimal number above 0, such as " + example
	r, err := ParseRisk(text)
	switch {
	case err != nil:
		d.report(n, err.Error(), remedy)
	case r == 0:
		d.report(n, "a risk of 0 allows no answer: every count tells something with some probability", remedy)
	case r > MaxRisk:
		d.report(n, fmt.Sprintf("with a risk above %v it is more likely than not that somebody is exposed", MaxRisk), remedy)
		return 0
	}
	return r
}
