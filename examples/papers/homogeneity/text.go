package homogeneity

import (
	"math"
	"strconv"
	"strings"

	"tacit/examples/papers/internal/report"
)

// What is the same, by the sort of row that a section has.
const (
	digitsRule = "A printed number: to all its digits."
	// curveTolerance is that of curveRule.
	curveTolerance = "0.02 of a risk that is read off a plotted curve"
	curveRule      = digitsRule + " What is read off a published curve: the same to three decimals, within tolerance up to 0.02. A statement: over all data sets, mechanisms, δ and ε that it names, by exact " +
		"closed forms; \"close to\", \"minor\" and \"similar\" are tried as less than 0.1, 0.1 and 0.05 of probability, which are limits of ours."
)

// decimal writes a number without an exponent, as short as it can be.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// digits writes a number with so many decimals.
func digits(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// count writes a whole number with commas.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// percent writes a share with so many decimals.
func percent(x float64, decimals int) string { return digits(100*x, decimals) + "%" }

// prints says whether a number is printed as published, with as many decimals.
func prints(x float64, published string) bool {
	_, after, _ := strings.Cut(published, ".")
	return digits(x, len(after)) == published
}

// reads is the verdict on a number that one reads off a published plot: the same to the three decimals that are shown here, or within 0.02.
func reads(x, published float64) report.Verdict {
	switch {
	case digits(x, 3) == digits(published, 3):
		return report.Same
	case near(x, published):
		return report.Within
	}
	return report.Differs
}

// near says whether a number is what a text says of a curve: to 0.02, which is what one reads off a plot.
func near(x, published float64) bool { return math.Abs(x-published) <= 0.02 }
