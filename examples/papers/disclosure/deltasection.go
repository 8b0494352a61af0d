package disclosure

import (
	"fmt"
	"math"
	"strings"

	"tacit/examples/papers/internal/report"
	"tacit/mechanisms"
	"tacit/policy"
)

// deltaSection tells where the published deltas come from, and what they should be.
func deltaSection(s *study) (report.Section, error) {
	section := report.Section{
		Rule: "To all printed digits, cut off or rounded, at every ε. Formulas of which a parameter was found from the digits themselves have no verdict.",
		ID:   "disclosure-delta", Title: "The deltas of the mechanism tables", Source: "Zhu et al. 2023, Tables 1-3, and Das et al. 2024, Table 1: column δ",
		Intro: "No δ that is published is measured. Each comes from a formula, which has been found again from the printed digits; the rows have it. " +
			"Printed numbers are cut off, not rounded, but for one.\n\n" +
			"The table has the exact δ at the published ε: the hockey-stick divergence of the worst neighbours, which no smaller δ can be. " +
			"Replace-one exchanges one person's record for another, as both papers mean it; add-remove has one person more.",
	}
	for _, d := range deltas {
		section.Rows = append(section.Rows, d.row("Zhu et al. 2023", d.zhu)...)
		section.Rows = append(section.Rows, d.row("Das et al. 2024", d.das)...)
	}
	exact, err := s.exactDeltas()
	section.Tables = []report.Table{exact}
	section.Notes = []string{
		"The worst comparison of the tables is that of suppression with Laplace noise: it has the smaller variance because it shows most counts " +
			"as they are, and its δ is a floor at every ε, not a small chance.",
		"Releasing the noisy count where it is k or more, and withholding the others, has the same threshold and δ = 0: that is dp-suppression in " +
			"package mechanisms.",
	}
	return section, err
}

// row compares the formula with what is printed, digit for digit.
func (d publishedDelta) row(source string, printed []string) []report.Row {
	if printed == nil {
		return nil
	}
	regenerated := make([]string, len(epsilons))
	agrees := true
	for i, e := range epsilons {
		delta := d.formula(e)
		regenerated[i] = fmt.Sprintf("%.6f", delta)
		agrees = agrees && printsAs(delta, printed[i])
	}
	row := report.Row{
		What: fmt.Sprintf("%s: δ of %s", source, d.mechanism), Published: strings.Join(printed, ", "), Regenerated: strings.Join(regenerated, ", "),
		Verdict: report.Holds(agrees), Reason: d.origin,
	}
	if d.fitted {
		row = withoutVerdict(row, "a parameter of the formula was found from these digits")
	}
	return []report.Row{row}
}

// printsAs says whether a number, cut off or rounded, has the printed digits.
func printsAs(v float64, printed string) bool {
	digits := 0
	if point := strings.IndexByte(printed, '.'); point >= 0 {
		digits = len(printed) - point - 1
	}
	if strings.Contains(printed, "E-") {
		digits = 4
	}
	unit := math.Pow(10, -float64(digits))
	off := v - number(printed)
	return off > -unit/2*(1+1e-9) && off < unit*(1+1e-9)
}

// exactDeltas is the table of what is so. Deltas depend on the excerpt only by its largest count.
func (s *study) exactDeltas() (report.Table, error) {
	_, largest := s.counts.zeros()
	t := report.Table{
		Caption: fmt.Sprintf("Exact δ at ε, replace-one and then add-remove (%s: counts up to %d)", s.name, largest),
		Header:  append([]string{"mechanism", "adjacency"}, epsilonNames()...),
	}
	t.Header = append(t.Header, "remark")
	for _, d := range s.exactDelta(largest) {
		for _, a := range []policy.Adjacency{policy.ReplaceOne, policy.AddRemove} {
			row := []string{d.mechanism, string(a)}
			for _, e := range epsilons {
				delta, err := d.delta(e, a)
				if err != nil {
					return t, err
				}
				row = append(row, fmt.Sprintf("%.4g", delta))
			}
			t.Rows = append(t.Rows, append(row, d.remark))
		}
	}
	return t, nil
}

type exactDelta struct {
	mechanism, remark string
	delta             func(epsilon float64, a policy.Adjacency) (float64, error)
}

func (s *study) exactDelta(largest int64) []exactDelta {
	constant := func(replace, add float64) func(float64, policy.Adjacency) (float64, error) {
		return func(_ float64, a policy.Adjacency) (float64, error) {
			if a == policy.ReplaceOne {
				return replace, nil
			}
			return add, nil
		}
	}
	return []exactDelta{
		{laplaceName, "add-remove: pure at ε/2 already", s.mechanismDelta(policy.Laplace, largest)},
		{gaussianName + ", variance 20/ε", "as the numbers were made", lawDelta(runVariance)},
		{statedGaussianName, "as the text says", lawDelta(statedVariance)},
		{suppressionName + ", equation 2", "the same at every ε' of the guarantee; 1 if " +
			"counts are unbounded", s.mechanismDelta(policy.DPSuppressionEq2, largest)},
		{thresholdName, "the papers' Theorem 1 is not about it", s.mechanismDelta(policy.DPSuppressionAlg2, largest)},
		{untouchedName, "an empty cell is always 0, a cell of one person never", constant(1, 1)},
		{swappingName + " of cells, only RACE differs", "corrected Theorem 3 of 2023; add-remove shows " +
			"in the margins", func(e float64, a policy.Adjacency) (float64, error) {
			if a == policy.AddRemove {
				return 1, nil
			}
			return mechanisms.SwappingDelta(e, impliedPlaces), nil
		}},
		{swappingName + " of cells, other columns may differ", "they are published as they are", constant(1, 1)},
		{rowSwappingName + ", only RACE differs", "k-ary randomised response", constant(0, 1)},
		{donorName, "at least γ = 0.75 even if only RACE differs", constant(1, 1)},
		{anonymityName, "β, that of publishing the sample; that k lowers it is not proved", func(e float64, a policy.Adjacency) (float64, error) {
			return anonymityDelta(e, a), nil
		}},
	}
}

// mechanismDelta is what package mechanisms states.
func (s *study) mechanismDelta(kind policy.Kind, bound int64) func(float64, policy.Adjacency) (float64, error) {
	return func(epsilon float64, a policy.Adjacency) (float64, error) {
		m, err := mechanisms.New(mechanisms.Config{
			Kind: kind, Epsilon: epsilonOf(epsilon), Adjacency: policy.ReplaceOne, Sensitivity: 1, PerCell: 1, K: defaultK, Fill: fillHalf, Bound: bound,
			Random: stream("unused"),
		})
		if err != nil {
			return 0, err
		}
		return m.Guarantee(a).Delta(epsilon), nil
	}
}

func lawDelta(variance func(float64) float64) func(float64, policy.Adjacency) (float64, error) {
	return func(epsilon float64, a policy.Adjacency) (float64, error) {
		law, err := gaussianLaw(variance(epsilon))
		if err != nil {
			return 0, err
		}
		if a == policy.AddRemove {
			return oneCellDelta(law, epsilon), nil
		}
		return twoCellDelta(law, epsilon), nil
	}
}
