package disclosure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/examples/papers/internal/report"
	"tacit/examples/papers/internal/utility"
)

// tableSection sets one of Tables 1 to 3 of Zhu et al. 2023 beside the same on an excerpt.
func tableSection(s *study) report.Section {
	section := report.Section{
		ID: "disclosure-table-" + s.id, Title: "Bias and fairness: " + s.name,
		Source: map[string]string{"ma": "Zhu et al. 2023, Table 1", "tx": "Zhu et al. 2023, Table 2", "national": "Zhu et al. 2023, Table 3 (there: Outlier)"}[s.id],
		Intro: fmt.Sprintf("Cells: PUMA, RAC1P, SEX, OWN_RENT and income of $50,000 or more, %d with the empty ones; %d persons. k = %d. "+
			"Each row has the figures at ε = 0.5, 1, 2, 4, both sides being the norms of means over releases.",
			len(s.counts.counts), len(s.people), defaultK),
		Tolerance: numbersTolerance,
		Rule:      numbersRule + " An order of mechanisms is the same, or differs, if each two neighbours in the published order are apart by three standard errors of our means or more.",
	}
	for _, name := range zhuNames {
		printed := zhu[s.id][name]
		section.Rows = append(section.Rows,
			compared("l1 bias of "+name, printed.l1, s.l1(name), codesReason),
			compared("α of "+name, printed.alpha, s.alphas(name), alphaReasons[name]))
	}
	section.Rows = append(section.Rows, s.orderRows()...)
	section.Rows = append(section.Rows, s.shapeRows()...)
	section.Tables = []report.Table{s.measurements()}
	section.Notes = []string{
		s.gaussianNote(),
		"DP Suppression: the published figures are those of equation 2. Those of Algorithm 2, in the same paper's appendix, do not rise from ε = " +
			"0.5 to 2 as the published ones do.",
		"DP Swapping: the bias of moving whole cells is that of moving rows (Proposition 1), but the variance is hundreds of times as large. The " +
			"published α at ε = 4 is above the exact one by what the means of 200 releases of whole cells are off; rows would be nearer.",
		anonymityNote,
	}
	return section
}

// gaussianNote says what becomes of the comparison with Laplace noise if the variance is that of the text.
func (s *study) gaussianNote() string {
	below := 0
	for i := range epsilons {
		laplace, stated := s.results[laplaceName][i].exact, s.results[statedGaussianName][i].exact
		if stated.L1Bias < laplace.L1Bias && stated.Alpha < laplace.Alpha {
			below++
		}
	}
	return fmt.Sprintf("Discrete Gaussian: the published figures need noise of variance 20/ε. With the text's 4/ε², l1 bias and α are both "+
		"below those of Laplace noise at %d of the %d ε, "+
		"at a δ that the section on deltas has: the papers' finding that Laplace noise is better rests on the variance.", below, len(epsilons))
}

var zhuNames = []string{laplaceName, gaussianName, suppressionName, swappingName, anonymityName}

const codesReason = "RAC1P has four codes for Native people and one for Asians, IPUMS's RACE one and three, so that other cells are empty: " +
	"see the section on the data"

var alphaReasons = map[string]string{
	laplaceName: codesReason, gaussianName: codesReason, suppressionName: codesReason,
	swappingName: "α rests on the two most extreme of the means of 200 releases, which are off by some tens",
	anonymityName: unknown + "α rests on the two cells that the cuts treat worst, so on which cuts Mondrian makes; the papers' implementation (anonympy) was not to be had. " +
		"None of the readings in the section on k-anonymity has it",
}

const anonymityNote = "DP k-anonymity: the published l1 biases cannot be those of the data. Rows that are not sampled are missing, which " +
	"alone costs m exp(-ε): " +
	"4,630 of Massachusetts' 7,634 at ε = 0.5, where 2,337.8 is published. They rise with ε as the error against the sampled rows does, and " +
	"come out if the age, in years, " +
	"is a feature, too (Appendix C.1 names it), and is drawn again by Algorithm 5's Gaussian. " +
	"The published figures of k-anonymity are multiples of 1/20, the others of 1/200: they are means over 20 releases, or 10, not over 200."

// orderRows compare which mechanism is better, by l1 bias and by alpha.
func (s *study) orderRows() []report.Row {
	var rows []report.Row
	for i, e := range epsilons {
		for _, figure := range []struct {
			name    string
			printed func(published) string
			ours    func(measured) utility.Estimate
		}{
			{"l1 bias", func(p published) string { return p.l1[i] }, func(m measured) utility.Estimate { return m.L1Bias }},
			{"α", func(p published) string { return p.alpha[i] }, func(m measured) utility.Estimate { return m.Alpha }},
		} {
			theirs, ours := map[string]float64{}, map[string]float64{}
			estimates := map[string]utility.Estimate{}
			for _, name := range zhuNames {
				estimates[name] = figure.ours(s.results[name][i])
				theirs[name], ours[name] = number(figure.printed(zhu[s.id][name])), estimates[name].Value
			}
			verdict, reason := ordered(theirs, estimates)
			rows = append(rows, report.Row{
				What: fmt.Sprintf("order by %s at ε = %g", figure.name, e), Published: order(theirs), Regenerated: order(ours), Verdict: verdict, Reason: reason,
			})
		}
	}
	return rows
}

// ordered is the verdict on the published order, and names the neighbours in it that are not apart here.
func ordered(theirs map[string]float64, ours map[string]utility.Estimate) (report.Verdict, string) {
	names := strings.Split(order(theirs), " < ")
	verdict := report.Same
	var calls []string
	for i := 1; i < len(names); i++ {
		a, b := ours[names[i-1]], ours[names[i]]
		v := report.Exceeds(b.Value-a.Value, math.Hypot(a.StandardError, b.StandardError))
		verdict = report.Every(verdict, v)
		if v != report.Same {
			calls = append(calls, fmt.Sprintf("%s and %s are %s and %s there, %s and %s here", names[i-1], names[i], short(theirs[names[i-1]]), short(theirs[names[i]]), plusMinus(a), plusMinus(b)))
		}
	}
	if calls == nil {
		return verdict, ""
	}
	return verdict, strings.Join(calls, "; ") + ". The counts are coded otherwise here, and such small differences hang on that"
}

// plusMinus is an estimate with its standard error.
func plusMinus(e utility.Estimate) string { return short(e.Value) + " ± " + short(e.StandardError) }

// shapeRows compare how the figures move with epsilon.
func (s *study) shapeRows() []report.Row {
	var rows []report.Row
	for _, name := range zhuNames {
		printed := make([]float64, len(epsilons))
		for i, text := range zhu[s.id][name].l1 {
			printed[i] = number(text)
		}
		theirs, ours := shape(printed), shape(s.l1(name))
		rows = append(rows, report.Row{
			What: "l1 bias of " + name + " as ε grows", Published: theirs, Regenerated: ours, Origin: "read here off the printed figures, and not a statement of the paper",
			Reason: "a change below 1% counts as none",
		})
	}
	return rows
}

// level is the relative difference below which two figures are taken for the same.
const level = 0.01

// shape says how values go on, from one to the next.
func shape(values []float64) string {
	var words []string
	for i := 1; i < len(values); i++ {
		word := "rises"
		switch change := values[i] - values[i-1]; {
		case change < level*values[i] && change > -level*values[i]:
			word = "stays"
		case change < 0:
			word = "falls"
		}
		words = append(words, word)
	}
	return strings.Join(slices.Compact(words), ", then ")
}
