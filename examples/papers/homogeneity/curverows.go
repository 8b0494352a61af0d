package homogeneity

import (
	"fmt"
	"strings"

	"tacit/examples/papers/internal/report"
	"tacit/risk"
)

// asymptoteRows are what the papers say of the ends of the curves.
func (x experiments) asymptoteRows(r *reading) []report.Row {
	low, least, high, pdp, pdpAt10 := nothing(), nothing(), nothing(), nothing(), nothing()
	for _, e := range []experiment{x.adult, x.bankruptcy} {
		floor := local(e.table, risk.AllNoise)
		low.add(floor.Unweighted, floor.Weighted)
		for _, group := range e.sanitizers() {
			for _, s := range group {
				a := r.at(e, local, s, 1e-3)
				least.add(a.Unweighted, a.Weighted)
			}
		}
		a := r.at(e, local, laplace(), 10)
		high.add(a.Unweighted, a.Weighted)
		for _, delta := range e.deltas {
			a, b := r.at(e, local, gaussianPDP(delta), 31.6), r.at(e, local, gaussianPDP(delta), 10)
			pdp.add(a.Unweighted, a.Weighted)
			pdpAt10.add(b.Unweighted, b.Weighted)
		}
	}
	return []report.Row{
		{What: "Adult and Bankruptcy, ε → 0, all mechanisms (also the lower bound 2^-K of both papers)", Published: "0.25", Verdict: report.Holds(low == interval{0.25, 0.25}),
			Regenerated: fmt.Sprintf("%s; %s at ε = 0.001", low, least)},
		{What: "Adult and Bankruptcy, Laplace, ε ≥ 10", Published: "1", Regenerated: high.String() + " at 10", Verdict: reads(high.low, 1)},
		{What: "Adult and Bankruptcy, pDP, ε ≥ 31.6, whatever δ", Published: "1", Regenerated: pdp.String() + " at 31.6", Verdict: reads(pdp.low, 1)},
		{What: "2021: around 100% for ε > 10, Laplace and pDP", Published: "100%", Regenerated: "pDP: " + pdpAt10.String() + " at 10", Verdict: reads(pdpAt10.low, 1),
			Reason: "True of Laplace noise. That of pDP needs ε of 31.6, as the 2023 paper says itself: its σ falls with the root of ε only, once 2ε exceeds the square of the quantile."},
	}
}

// subsetRows are the asymptotes of the Bankruptcy subset, which the 2023 paper prints to two digits.
func (x experiments) subsetRows() []report.Row {
	l, e := local(x.subset.table, risk.NoNoise), expected(x.subset.table, risk.NoNoise)
	l0, e0 := local(x.subset.table, risk.AllNoise), expected(x.subset.table, risk.AllNoise)
	row := func(what string, got float64, published, reason string) report.Row {
		return report.Row{What: "Bankruptcy subset, " + what, Published: published, Regenerated: digits(got, 4), Verdict: report.Holds(prints(got, published)), Reason: reason}
	}
	threeLabels := "Noise without bound leaves m 2^-K of a cell with m of K labels; the paper's bound has 2 2^-K for all heterogeneous cells. One cell of the 78 " +
		"has all three labels: with 2 2^-K for it, the value is 0.1635, as published."
	return []report.Row{
		row("local, by cells, ε → ∞", l.Unweighted, "0.69", "54 of 78 cells are homogeneous."),
		row("local, by records, ε → ∞", l.Weighted, "0.57", "142 of 250 records are in them."),
		row("expected, by cells, ε → ∞", e.Unweighted, "0.75", "The mean of Σ p^n over labels; the text prints it for two labels, the subset has three."),
		row("expected, by records, ε → ∞", e.Weighted, "0.63", ""),
		row("local, by cells, ε → 0", l0.Unweighted, "0.16", threeLabels),
		row("local, by records, ε → 0", l0.Weighted, "0.18", "0.1825 with m 2^-K, 0.1790 with the paper's bound."),
		row("expected, by cells, ε → 0", e0.Unweighted, "0.16", ""),
		row("expected, by records, ε → 0", e0.Weighted, "0.17", ""),
	}
}

// shapeRows are what the papers read off their curves.
func (x experiments) shapeRows(r *reading) []report.Row {
	at := func(epsilon float64) risk.Average { return r.at(x.adult, local, laplace(), epsilon) }
	low := nothing()
	for _, e := range []experiment{x.adult, x.bankruptcy, x.subset} {
		for _, group := range e.sanitizers() {
			for _, s := range group {
				low.add(r.at(e, local, s, 0.1).Unweighted - local(e.table, risk.AllNoise).Unweighted)
			}
		}
	}
	tenth := at(0.1).Weighted - 0.25
	return []report.Row{
		{What: "Close to the minimum for ε < 0.1", Published: "holds", Verdict: report.Holds(low.high < 0.1 && tenth < 0.1),
			Regenerated: fmt.Sprintf("by cells, at most %s above it at 0.1; Adult by records, Laplace, %s", digits(low.high, 3), digits(tenth, 3)),
			Reason:      "True by cells, where small ones dominate. A cell of 30 people survives noise of scale 10, and half of the records are in cells of more than 15."},
		x.steepestRow(r),
		x.fastestRow(r),
		x.mitigatesRow(r), x.smallRow(r),
		x.deltaRow(r), x.slightlyRow(r), x.differenceRow(r), x.similarRow(r, false), x.similarRow(r, true), x.chosenRow(r), x.recommendedRow(r), lopsidedRow(r),
	}
}

// deltaRow is about how much delta matters.
func (x experiments) deltaRow(r *reading) report.Row {
	least, most := r.curve(x.adult, local, gaussianPDP(x.adult.deltas[0])), r.curve(x.adult, local, gaussianPDP(x.adult.deltas[3]))
	all, below := gap(least.unweighted, most.unweighted), 0.0
	for i, e := range least.epsilons {
		if e <= 1.001 {
			below = max(below, most.unweighted[i]-least.unweighted[i])
		}
	}
	return report.Row{
		What: "The impact of δ is relatively minor (2021: not obvious); Adult, pDP, δ from 0.00003 to 0.1, by cells", Published: "holds", Verdict: report.Holds(all < 0.1),
		Regenerated: fmt.Sprintf("at most %s for ε ≤ 1, %s at most, of the %s that ε makes", digits(below, 2), digits(all, 2), digits(most.unweighted[len(most.unweighted)-1]-most.unweighted[0], 2)),
		Reason:      "Minor beside ε, but a quarter of what ε makes, for ε around 5: δ sets the quantile, and the quantile the scale.",
	}
}

// steepestRow is the statement on the decade of ε in which the risk rises most, over all curves that reach so far.
func (x experiments) steepestRow(r *reading) report.Row {
	curves, none := 0, []string(nil)
	try := func(name string, at func(epsilon float64) float64) {
		curves++
		before, within, after := at(1)-at(0.1), at(10)-at(1), at(100)-at(10)
		if within <= max(before, after) {
			none = append(none, fmt.Sprintf("%s (+%s, +%s, +%s)", name, digits(before, 2), digits(within, 2), digits(after, 2)))
		}
	}
	for _, e := range []experiment{x.adult, x.bankruptcy, x.subset} {
		for _, s := range unlimited(e) {
			try(e.name+", "+s.named()+", by cells", func(epsilon float64) float64 { return r.at(e, local, s, epsilon).Unweighted })
			try(e.name+", "+s.named()+", by records", func(epsilon float64) float64 { return r.at(e, local, s, epsilon).Weighted })
		}
	}
	text := fmt.Sprintf("holds for %d of %d curves", curves-len(none), curves)
	if none != nil {
		text += "; not for " + strings.Join(none, "; ")
	}
	reason := ""
	if none != nil {
		reason = "In brackets, the rises in the three decades. By cells, small ones decide; by records, large ones, which smaller ε disclose already."
	}
	return report.Row{
		What: "The drastic increase is for ε from 1 to 10: more than from 0.1 to 1 and from 10 to 100, Laplace and pDP", Published: "holds", Regenerated: text, Verdict: report.Holds(none == nil),
		Reason: reason,
	}
}

// fastestRow is the 2021 paper's range of the fastest growth, for both of its data sets, by cells.
func (x experiments) fastestRow(r *reading) report.Row {
	holds := true
	var texts []string
	for _, e := range []experiment{x.adult, x.bankruptcy} {
		at := func(epsilon float64) float64 { return r.at(e, local, laplace(), epsilon).Unweighted }
		within, all := at(10)-at(0.1), at(100)-at(1e-3)
		holds = holds && within > 0.9*all
		texts = append(texts, fmt.Sprintf("%s: %s of %s", e.name, digits(within, 2), digits(all, 2)))
	}
	return report.Row{What: "2021: the fastest growth is within (0.1, 10), Laplace: nine tenths of all", Published: "holds", Regenerated: strings.Join(texts, "; "),
		Verdict: report.Holds(holds), Reason: "Nine tenths are a limit of ours."}
}

// unlimited are the sanitizers that take any ε: Laplace noise and that of pDP.
func unlimited(e experiment) []sanitizer {
	all := []sanitizer{laplace()}
	for _, delta := range e.deltas {
		all = append(all, gaussianPDP(delta))
	}
	return all
}

// named is a sanitizer's name with its kind.
func (s sanitizer) named() string {
	if s.delta == 0 {
		return "Laplace"
	}
	return "pDP " + s.name
}

// mitigatesRow compares every curve with the risk of the table before noise is added.
func (x experiments) mitigatesRow(r *reading) report.Row {
	most := nothing()
	for _, e := range []experiment{x.adult, x.bankruptcy, x.subset} {
		original := local(e.table, risk.NoNoise)
		for _, group := range e.sanitizers() {
			for _, s := range group {
				for _, epsilon := range s.within(epsilons(-3, 2, curvePoints)) {
					a := r.at(e, local, s, epsilon)
					most.add(a.Unweighted-original.Unweighted, a.Weighted-original.Weighted)
				}
			}
		}
	}
	return report.Row{
		What: "Sanitization mitigates the risk: below that of the original table at every ε", Published: "holds", Verdict: report.Holds(most.high <= 1e-3),
		Regenerated: fmt.Sprintf("the risk minus that of the original table is from %s to %s", digits(most.low, 3), digits(most.high, 3)),
		Reason:      "A rise of more than 0.001 would count. Noise can make one label of a cell with several vanish, which the original table does not disclose.",
	}
}

// smallRow has the numbers of a judgement.
func (x experiments) smallRow(r *reading) report.Row {
	a := r.at(x.adult, local, laplace(), 1)
	return report.Row{
		What: "The risk is reasonably small for ε < 1", Published: "holds", Origin: "a judgement, which no number bears out or refutes",
		Regenerated: fmt.Sprintf("Adult, Laplace, ε = 1: %s by cells, %s by records", digits(a.Unweighted, 3), digits(a.Weighted, 3)),
	}
}

// calibrations compares the two Gaussian mechanisms: the least and the most by which the risk of pDP is larger.
func (x experiments) calibrations(r *reading) (cells, records interval) {
	cells, records = nothing(), nothing()
	for _, e := range []experiment{x.adult, x.bankruptcy, x.subset} {
		for _, delta := range e.deltas {
			for _, epsilon := range gaussianDP(delta).within(epsilons(-3, 2, curvePoints)) {
				dp, pdp := r.at(e, local, gaussianDP(delta), epsilon), r.at(e, local, gaussianPDP(delta), epsilon)
				cells.add(pdp.Unweighted - dp.Unweighted)
				records.add(pdp.Weighted - dp.Weighted)
			}
		}
	}
	return cells, records
}

func signed(i interval) string { return fmt.Sprintf("%+.4f to %+.4f", i.low, i.high) }

// slightlyRow is the 2023 paper's number for the difference of the Gaussian mechanisms.
func (x experiments) slightlyRow(r *reading) report.Row {
	cells, records := x.calibrations(r)
	return report.Row{
		What: "pDP has slightly more risk (+0.05) than (ε, δ)-DP for ε < 1", Published: "+0.05", Verdict: reads(max(cells.high, records.high), 0.05),
		Regenerated: fmt.Sprintf("up to %+.3f by cells, %+.3f by records", cells.high, records.high),
		Reason:      "The 2021 paper has 0.05 as a bound, which it is.",
	}
}

// differenceRow is the 2021 paper's statement on the same, whose risk is by cells.
func (x experiments) differenceRow(r *reading) report.Row {
	cells, _ := x.calibrations(r)
	return report.Row{
		What: "2021: pDP has more risk than (ε, δ)-DP, by less than 0.05 (by cells)", Published: "holds", Verdict: report.Holds(cells.low > -1e-12 && cells.high < 0.05),
		Regenerated: signed(cells), Reason: "pDP's σ is smaller. Nowhere less, over all data sets and δ.",
	}
}

// similarRow compares the curves of two data sets.
func (x experiments) similarRow(r *reading, byRecords bool) report.Row {
	a, b := r.curve(x.adult, local, laplace()), r.curve(x.bankruptcy, local, laplace())
	most, by, why := gap(a.unweighted, b.unweighted), "by cells", "Most cells of both have one to four records."
	if byRecords {
		most, by, why = gap(a.weighted, b.weighted), "by records", "Adult's large cells, which hold most of its records, set in at a tenth of the ε."
	}
	return report.Row{
		What: "The curves of Adult and Bankruptcy are similar (Laplace, " + by + ")", Published: "holds", Verdict: report.Holds(most < 0.05),
		Regenerated: "they differ by at most " + digits(most, 3), Reason: why,
	}
}

// chosenRow is about the setting that the 2021 paper chooses as an example: the risk rises less in the decade below it than a third of what it
// rises in the decade above.
func (x experiments) chosenRow(r *reading) report.Row {
	before := true
	var texts []string
	for _, e := range []experiment{x.adult, x.bankruptcy} {
		at := func(epsilon float64) float64 { return r.at(e, local, gaussianPDP(1e-3), epsilon).Unweighted }
		below, above := at(0.5)-at(0.05), at(5)-at(0.5)
		before = before && below < above/3
		texts = append(texts, fmt.Sprintf("%s +%s from 0.05 to 0.5, +%s to 5", e.name, digits(below, 3), digits(above, 3)))
	}
	return report.Row{
		What: "2021: pDP with δ = 0.001 and ε = 0.5 is before the risk grows faster (by cells; a third in the decade below, at most)", Published: "holds", Verdict: report.Holds(before),
		Regenerated: strings.Join(texts, "; "), Reason: "A third is a limit of ours.",
	}
}

// recommendedRow is about the ε that the 2023 paper recommends.
func (x experiments) recommendedRow(r *reading) report.Row {
	values := func(s sanitizer) string {
		return fmt.Sprintf("Adult %s, Bankruptcy %s, subset %s", digits(r.at(x.adult, local, s, 1).Unweighted, 3),
			digits(r.at(x.bankruptcy, local, s, 1).Unweighted, 3), digits(r.at(x.subset, local, s, 1).Unweighted, 3))
	}
	return report.Row{
		What: "ε around 1, with δ of the order of 1/n, seems to be a good choice", Published: "a good choice", Origin: "a judgement, which no number bears out or refutes",
		Regenerated: "at 1, by cells: Laplace " + values(laplace()) + "; pDP, δ = 0.001, " + values(gaussianPDP(1e-3)),
		Reason:      "The numbers are those of the curves. Whether more than half of the cells disclosed, with Laplace noise, is sufficient protection is for a steward to say.",
	}
}

// lopsidedRow is the example of scenario 8: 95 records of one label, 5 of another.
func lopsidedRow(r *reading) report.Row {
	s, err := laplace().survival(0.5)
	if err != nil {
		r.err = err
		return report.Row{}
	}
	counts := []int64{95, 5}
	share := risk.Local(s, risk.Records, 2, counts) / risk.Local(s, risk.Event, 2, counts)
	return report.Row{
		What: "Scenario 8, a cell of 95 and 5: share of records disclosed when one label is shown", Published: "95%", Regenerated: percent(share, 1) + " (Laplace, ε = 0.5)",
		Verdict: report.Holds(percent(share, 0) == "95%"), Reason: "The paper's definition 6 counts all 100; the record version counts 95.",
	}
}

// survivalRows are the numbers after corollary 2.
func (x experiments) survivalRows(r *reading) []report.Row {
	var rows []report.Row
	for _, c := range []struct {
		n         int64
		published string
	}{{4, "0.985"}, {3, "0.959"}, {2, "0.888"}} {
		s, err := laplace().survival(1)
		if err != nil {
			r.err = err
			return nil
		}
		got := s.Survives(c.n)
		rows = append(rows, report.Row{
			What: fmt.Sprintf("After corollary 2: a label of %d survives Laplace noise with at least", c.n), Published: c.published, Regenerated: digits(got, 4) + " at ε = 1",
			Verdict: report.Holds(prints(got, c.published)), Reason: "For ε ≥ 1; the text does not say so. The probability is less for smaller ε.",
		})
	}
	return rows
}

// quasiRows are the six quasi-identifiers of Adult.
func (x experiments) quasiRows(r *reading) []report.Row {
	high, low := local(x.adultQuasi.table, risk.NoNoise), local(x.adultQuasi.table, risk.AllNoise)
	one := r.at(x.adultQuasi, local, laplace(), 1)
	published := r.at(x.adult, local, laplace(), 1)
	pair := func(a risk.Average) string {
		return fmt.Sprintf("%s by cells, %s by records", digits(a.Unweighted, 3), digits(a.Weighted, 3))
	}
	return []report.Row{
		{What: "Adult by its six quasi-identifiers, ε → ∞", Published: "1", Regenerated: pair(high), Verdict: reads(high.Unweighted, 1), Reason: incomeAmongCells},
		{What: "Adult by its six quasi-identifiers, ε → 0", Published: "0.25", Regenerated: pair(low), Verdict: reads(low.Unweighted, 0.25),
			Reason: "A cell with both incomes shows exactly one of them with probability 2 · 2^-2. That of the records whose own income is shown is 0.25."},
		{What: "Adult, Laplace, ε = 1: as published, and by the six quasi-identifiers", Published: pair(published), Regenerated: pair(one), Origin: "this program's curve of the cells as published",
			Reason: "The published curve overstates the risk of income, most by records: people in large cells share their cell with both incomes."},
	}
}
