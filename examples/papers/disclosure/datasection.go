package disclosure

import (
	"fmt"
	"math"

	"tacit/examples/papers/internal/report"
)

// dataSection tells in what the excerpts differ from the papers' data, as far as the papers' numbers show it.
func dataSection(studies []*study) (report.Section, error) {
	section := report.Section{
		ID: "disclosure-data", Title: "The data: what the published numbers say of it", Source: "Zhu et al. 2023, Appendix C.1 and Tables 1-3; " +
			"Das et al. 2024, section 7",
		Intro: "The papers used an earlier coding of the same persons, by IPUMS's names, which is no longer to be had. PUMA, SEX and OWN_RENT are " +
			"the same; RAC1P parts the same persons otherwise than RACE; " +
			"persons under 15 have no income, and the papers do not say what they count as.\n\n" +
			"The published numbers tell three things about the papers' cells, in the rows below. The number of all cells follows from none of them, " +
			"but 5, 6 and 20 PUMAs times 9 x 2 x 3 x 2 fit: all cells count, empty ones too (but see Das et al. 2024 on suppression).",
	}
	for _, s := range studies {
		rows, err := s.dataRows()
		if err != nil {
			return section, err
		}
		section.Rows = append(section.Rows, rows...)
	}
	table, err := treatments(studies)
	section.Tables = []report.Table{table}
	section.Notes = []string{
		"Those without an income count as having at least $50,000 throughout: IPUMS writes 9999999 for \"not applicable\", which is above 50,000. " +
			"Texas decides: counted below $50,000 its largest cell is 568, and the published α of swapping leaves no room for that.",
		"For the classification and the subgroups they are left out: nobody asks what a child earns.",
	}
	return section, err
}

// dataRows are what is told of one excerpt.
func (s *study) dataRows() ([]report.Row, error) {
	zeros, largest := s.counts.zeros()
	suppressed, noisy := s.impliedZeros()
	nobody := s.emptyOfNatives()
	var rows []report.Row
	for _, implied := range []struct {
		by    string
		cells float64
	}{{"suppression", suppressed}, {"Laplace noise", noisy}} {
		rows = append(rows, report.Row{
			What:        fmt.Sprintf("%s: empty cells, by the l1 bias of %s at ε = 4", s.name, implied.by),
			Published:   fmt.Sprintf("%.0f", implied.cells),
			Origin:      "computed here from the printed l1 bias",
			Regenerated: fmt.Sprint(zeros),
			Reason: fmt.Sprintf("of the %d, %d are in RAC1P's four codes for Native people (3, 4, 5, 7), which RACE puts together with others, "+
				"as it parts the one code for Asians", zeros, nobody),
		})
	}
	printed := make([]float64, 3) // at epsilon 4 what the means are off is as large as alpha
	for i := range printed {
		printed[i] = number(zhu[s.id][swappingName].alpha[i]) * (math.Exp(epsilons[i]) + impliedPlaces - 1) / impliedPlaces
	}
	rows = append(rows, report.Row{
		What: s.name + ": largest cell, by the α of swapping at ε = 0.5, 1, 2", Published: joined(printed), Origin: "computed here from the printed α", Regenerated: fmt.Sprint(largest),
		Reason: "α is that of the means of 200 releases, which are off by tens",
	})
	return rows, nil
}

// impliedZeros are the numbers of empty cells with which the excerpt's other cells would give the published l1 biases. Suppression shows an empty cell
// as 3 but for a chance of exp(-12)/2; Laplace noise of scale 1/2 shows it with bias beta, and the mean of 200 releases of a cell without bias is
// off by sqrt(2/pi) standard errors on average.
func (s *study) impliedZeros() (suppressed, noisy float64) {
	const last = 3 // epsilon 4
	zeros, _ := s.counts.zeros()
	perZero := func(name string, empty float64) float64 {
		others := s.results[name][last].L1Bias.Value - float64(zeros)*empty
		return (number(zhu[s.id][name].l1[last]) - others) / empty
	}
	scale := 2 / epsilons[last]
	return perZero(suppressionName, defaultK/2), perZero(laplaceName, math.Exp(-0.5/scale)/2/-math.Expm1(-1/scale))
}

// emptyOfNatives counts the empty cells of RAC1P's four codes for Native people.
func (s *study) emptyOfNatives() int {
	at := s.counts.position(race)
	empty := 0
	for cell, n := range s.counts.counts {
		switch s.counts.levels(cell)[at] + 1 {
		case 3, 4, 5, 7:
			if n == 0 {
				empty++
			}
		}
	}
	return empty
}

// treatments is the table of what the cells are if those without an income count otherwise.
func treatments(studies []*study) (report.Table, error) {
	t := report.Table{
		Caption: "Cells, if persons without an income count as having one of",
		Header:  []string{"excerpt", "without an income", "persons", "cells", "empty", "largest", "of one person", "α of swapping, ε = 0.5 (exact)", "published"},
	}
	for _, s := range studies {
		for _, treatment := range []treatment{asRich, asPoor, asThird, leftOut} {
			cells, err := newTable(s.people, s.histogramFeatures(treatment)...)
			if err != nil {
				return t, err
			}
			zeros, largest := cells.zeros()
			var persons, ones int64
			for _, n := range cells.counts {
				persons += n
				if n == 1 {
					ones++
				}
			}
			t.Rows = append(t.Rows, []string{
				s.name, string(treatment), fmt.Sprint(persons), fmt.Sprint(len(cells.counts)), fmt.Sprint(zeros), fmt.Sprint(largest), fmt.Sprint(ones),
				short(cells.swappingAlpha(epsilons[0])), zhu[s.id][swappingName].alpha[0],
			})
		}
	}
	return t, nil
}

// swappingAlpha is that of Proposition 1 of Zhu et al. 2023.
func (t *table) swappingAlpha(epsilon float64) float64 {
	least, most := math.Inf(1), math.Inf(-1)
	for _, block := range t.blocks {
		size := t.total(block)
		for _, cell := range block {
			bias := (float64(size) - float64(len(block))*float64(t.counts[cell])) / (math.Exp(epsilon) + float64(len(block)-1))
			least, most = min(least, bias), max(most, bias)
		}
	}
	return most - least
}
