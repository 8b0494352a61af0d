package disclosure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/examples/papers/internal/report"
)

// Das et al. 2024's DP Swapping at epsilon 2: with a share r of m records all becoming copies of one whose cell has d persons, every cell loses r of
// its persons and that one gains r m, so that the l1 bias is 2 r (m - d) and alpha is r (m - d) + r x, x being the largest other cell.
const (
	publishedL1, publishedAlpha = 3653.04, 1946.84
	massachusetts               = 7634
	impliedDonor                = massachusetts - publishedL1/(2*defaultRate)
	impliedLargest              = (publishedAlpha - defaultRate*(massachusetts-impliedDonor)) / defaultRate
)

// dasSection sets Table 1 of Das et al. 2024 beside the same on the Massachusetts excerpt: as the text defines the mechanisms, and as they must have
// been for the table's figures.
func dasSection(s *study) report.Section {
	section := report.Section{
		ID: "disclosure-table-2024", Title: "Bias, fairness and variance: the table of 2024", Source: "Das et al. 2024, Table 1 (Massachusetts)",
		Rule: numbersRule + " " + statesRule, Tolerance: numbersTolerance,
		Intro: "Two of the four mechanisms of this table cannot be those of the text. The rows marked \"as the text has it\" show that; " +
			"those marked \"as its figures imply\" are mechanisms that give the published figures, found from these figures alone.",
	}
	rows := func(mechanism, run, what, reason string, varianceReason string) []report.Row {
		printed := das[mechanism]
		return []report.Row{
			compared("l1 bias of "+what, printed.l1, s.l1(run), reason),
			compared("α of "+what, printed.alpha, s.alphas(run), reason),
			compared("largest variance of "+what, printed.variance, s.variances(run), varianceReason),
		}
	}
	add := func(mechanism, run, what, reason string, varianceReason string) {
		section.Rows = append(section.Rows, rows(mechanism, run, what, reason, varianceReason)...)
	}
	fit := func(mechanism, run, what, remark string) {
		for i, r := range rows(mechanism, run, what, "", "") {
			if i == 2 {
				r.Reason = remark
			}
			section.Rows = append(section.Rows, withoutVerdict(r, fitted))
		}
	}
	add(laplaceName, laplaceName, laplaceName, codesReason, fmt.Sprintf(
		"the variance of the noise is %s at ε = 2, and the largest of two hundred sample variances, as at the other ε, is above it: 2.06 is below. 2.60, the same digits, would fit",
		short(s.results[laplaceName][2].exact.MaxVariance)))
	add(gaussianName, gaussianName, gaussianName, codesReason, codesReason)
	add(suppressionName, untouchedName, "DP Suppression, as the text has it", s.suppressionReason(), "another mechanism than the text's, by which a cell of k persons alone has 2.25 at every ε")
	fit(suppressionName, roundedSuppressionName, "DP Suppression, as its figures imply", s.roundedVarianceReason())
	add(swappingName, donorName, "DP Swapping, as the text has it", s.swappingReason(), "another mechanism than the text's, as the l1 bias shows")
	fit(swappingName, oneDonorName, "DP Swapping, as its figures imply", "the published variance at ε = 0.5 is not explained: copies of another record in one release of eleven would give the published α, "+
		"but a variance of 300,000")
	section.Rows = append(section.Rows, s.claims2024()...)
	section.Notes = []string{
		"DP Suppression as its figures imply: noise rounded towards zero to an integer N, and a cell is left as it is if the noisy count x + N is " +
			"k or more, or is 0. " +
			"So an empty cell is shown as 3 unless N is 0, and suppression protects, but also errs, more than the text says. It has the published l1 " +
			"biases (which fall by half as ε grows, where those of the text hardly move), fairness and variances.",
		fmt.Sprintf("DP Swapping as its figures imply: exactly a quarter of the records become copies of one record, in all columns. From l1 = "+
			"3653.04 its cell has %s persons, and from α = 1946.84 "+
			"the largest other cell has %s; the published α of swapping in the 2023 table says about 480 to 510, independently. Exchanging race "+
			"alone cannot do it: no cell could gain more than the %d persons of the largest block.",
			short(impliedDonor), short(impliedLargest), s.largestBlock()),
		"Nobody should use the mechanisms as their figures imply. They are here because the conclusion that DP swapping is far worse than Laplace " +
			"noise rests on them: as the text has it, its l1 bias is below that of Laplace noise at ε = 0.5.",
	}
	return section
}

func (s *study) roundedVarianceReason() string {
	exact := s.figure(roundedSuppressionName, func(m measured) float64 { return m.exact.MaxVariance })
	return fmt.Sprintf("the exact ones are %s: the published lie between them and the largest of our sample variances, that of a cell far "+
		"above k, which is rarely suppressed and then far off", joined(exact))
}

func (s *study) suppressionReason() string {
	first, last := s.results[untouchedName][0].exact, s.results[untouchedName][3].exact
	return fmt.Sprintf("not the text's mechanism: with empty cells untouched, the exact l1 bias moves from %s to %s only; and what the 2023 table has more, "+
		"which should be 3 P(suppressed) for each of the same empty cells, would be %.0f cells at ε = 0.5 and %.0f at ε = 4",
		short(first.L1Bias), short(last.L1Bias), untouchedCells(0), untouchedCells(3))
}

// untouchedCells is the number of empty cells that would explain by how much the l1 bias of suppression is larger in 2023 than in 2024: an empty
// cell is suppressed, and shown as 3, with probability P(Lap(2/epsilon) < 6) in 2023, and left as it is in 2024.
func untouchedCells(at int) float64 {
	more := number(zhu["ma"][suppressionName].l1[at]) - number(das[suppressionName].l1[at])
	suppressed := 1 - math.Exp(-defaultK*epsilons[at]/2)/2
	return more / (defaultK / 2 * suppressed)
}

func (s *study) swappingReason() string {
	return fmt.Sprintf("not the text's mechanism: if races alone are exchanged a cell gains at most what the rest of its block has, and no "+
		"block has more than %d persons; an α of 1,774 and more needs a gain above 1,200",
		s.largestBlock())
}

// largestBlock is the most persons who differ in race alone.
func (s *study) largestBlock() int64 {
	var most int64
	for _, block := range s.counts.blocks {
		most = max(most, s.counts.total(block))
	}
	return most
}

// claims2024 are what the text says of the table, by exact figures of the mechanisms as the text has them.
func (s *study) claims2024() []report.Row {
	classical, traditional := []string{laplaceName, gaussianName}, []string{untouchedName, donorName}
	claim := func(what, figure string, of func(measured) float64) report.Row {
		better, all := 0, 0
		var texts []string
		for _, name := range append(slices.Clone(classical), traditional...) {
			texts = append(texts, name+" "+joined(s.figure(name, of)))
		}
		for i := range epsilons {
			for _, c := range classical {
				for _, t := range traditional {
					all++
					if of(s.results[c][i]) < of(s.results[t][i]) {
						better++
					}
				}
			}
		}
		return claimed(
			fmt.Sprintf("classical DP algorithms produce histograms with better %s, in most cases", what),
			fmt.Sprintf("the %s is less in %d of %d comparisons of Laplace and discrete Gaussian noise with suppression and swapping, as the text has them (exact, at ε = 0.5, 1, 2, 4: %s)",
				figure, better, all, strings.Join(texts, "; ")),
			report.Holds(2*better > all),
			"cells that are left as they are have no error, and δ is 1; and swapping by the text errs far less than the published figures")
	}
	return []report.Row{
		claim("accuracy", "l1 bias", func(m measured) float64 { return m.exact.L1Bias }),
		claim("fairness", "α", func(m measured) float64 { return m.exact.Alpha }),
		claim("variance", "largest variance", func(m measured) float64 { return m.exact.MaxVariance }),
	}
}
