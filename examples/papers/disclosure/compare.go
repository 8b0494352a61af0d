package disclosure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tacit/examples/papers/internal/report"
)

// tolerance is the relative difference up to which numbers agree. The excerpts have RAC1P where the papers have IPUMS's RACE, which parts the same
// persons otherwise, and both sides are means over random draws: more than the shape and the size of a number cannot agree.
const tolerance = 0.2

// agree says whether every number is within tolerance of the printed one.
func agree(printed []string, regenerated []float64) bool {
	for i, text := range printed {
		if math.Abs(regenerated[i]-number(text)) > tolerance*math.Abs(number(text)) {
			return false
		}
	}
	return true
}

// number reads a printed number.
func number(printed string) float64 {
	n, err := strconv.ParseFloat(printed, 64)
	if err != nil {
		panic("disclosure: internal error: " + err.Error())
	}
	return n
}

// What is the same, by the sort of row.
var (
	numbersRule = fmt.Sprintf("A row of numbers has the figures at ε = 0.5, 1, 2, 4: the same is to all printed digits, within tolerance is within %.0f%% at every ε.", 100*tolerance)
	// numbersTolerance is that of numbersRule.
	numbersTolerance = fmt.Sprintf("%.0f%% of a printed bias, error or risk, at every ε", 100*tolerance)
	statesRule       = "A statement is tried at every ε, and against every other mechanism that it is about. Where our figures are means over draws it is the same, or differs, by three standard errors of each " +
		"comparison or more, and is not distinguishable otherwise; where they are exact, no margin is needed."
)

// unknown begins a reason that says only what was tried.
const unknown = "Why is not known. "

// compared is the row for the figures of one mechanism at all epsilons. The reason is kept only where they differ.
func compared(what string, printed []string, regenerated []float64, reason string) report.Row {
	r := report.Row{What: what, Published: strings.Join(printed, ", "), Regenerated: joined(regenerated), Verdict: report.Same}
	for i, text := range printed {
		if !printsAs(regenerated[i], text) {
			r.Verdict = report.Within
		}
	}
	if !agree(printed, regenerated) {
		r.Verdict, r.Reason, r.Unexplained = report.Differs, reason, strings.HasPrefix(reason, unknown)
	}
	return r
}

// withoutVerdict is a row of which what stands beside the number is not published, or was made from what is published.
func withoutVerdict(r report.Row, origin string) report.Row {
	r.Verdict, r.Origin, r.Unexplained = report.Shown, origin, false
	return r
}

// fitted is the origin of figures of mechanisms that were found from the published ones.
const fitted = "a mechanism fitted to the published figures cannot bear them out"

// claimed is the row for a statement, of which what is regenerated says whether it holds.
func claimed(claim, regenerated string, verdict report.Verdict, reason string) report.Row {
	r := report.Row{What: "statement", Published: claim, Regenerated: regenerated, Verdict: verdict}
	switch verdict {
	case report.Differs:
		r.Reason = reason
	case report.Undecided:
		r.Reason = "within three standard errors; " + reason
	}
	return r
}

func joined(values []float64) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = short(v)
	}
	return strings.Join(texts, ", ")
}

// short writes a number with four digits, and more only before the point.
func short(v float64) string {
	switch magnitude := math.Abs(v); {
	case v == 0:
		return "0"
	case magnitude >= 1000:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case magnitude >= 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case magnitude >= 0.01:
		return strconv.FormatFloat(v, 'f', 3-max(0, int(math.Floor(math.Log10(magnitude)))), 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// order lists names from the least value to the greatest.
func order(values map[string]float64) string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if values[a] != values[b] {
			if values[a] < values[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return strings.Join(names, " < ")
}

// epsilonNames are the headings of a table's columns.
func epsilonNames() []string {
	names := make([]string, len(epsilons))
	for i, e := range epsilons {
		names[i] = fmt.Sprintf("ε = %g", e)
	}
	return names
}
