package disclosure

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tacit/examples/papers/internal/report"
	"tacit/examples/papers/internal/utility"
	"tacit/internal/chart"
)

// The setting of figure 3 of 2024.
const (
	subgroupEpsilon = 2
	subgroupK       = 10
)

// A subgroup is men of one race.
type subgroup struct{ name, race string }

var subgroups = []subgroup{{"white men", "1"}, {"black men", "2"}}

// subgroupMechanisms are those of the figure, as the text has them, and then two as the figures of Table 1 imply (see roundedSuppression and
// oneDonor).
var subgroupMechanisms = []matcher{
	{laplaceName, (*table).laplace},
	{gaussianName, func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.discreteGaussian(label, runVariance(epsilon))
	}},
	{"DP Suppression, k = 10", func(t *table, label string, epsilon float64) (*sanitizer, error) {
		s, err := t.dpSuppression(label, epsilon, subgroupK)
		if err != nil {
			return nil, err
		}
		return t.zerosUntouched(s), nil
	}},
	{"DP Swapping, 25% of rows", func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.donorSwapping(label, epsilon, defaultRate)
	}},
	{roundedSuppressionName + ", k = 10", func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.roundedSuppression(label, epsilon, subgroupK), nil
	}},
	{copiesName, func(t *table, label string, _ float64) (*sanitizer, error) {
		return t.oneDonor(label, defaultRate, t.cellOfAbout(impliedDonor)), nil
	}},
}

// Which of subgroupMechanisms are the paper's four.
var asText, asPublished = []int{0, 1, 2, 3}, []int{0, 1, 4, 5}

// A subgroupResult is what one mechanism does to one subgroup.
type subgroupResult struct {
	first *utility.HeatMap // of the first release
	// error is half the mean l1 distance as a share of the subgroup, squares the mean of its squares, and slope the mean of the releases' regression
	// lines.
	error, squares, slope float64
}

// percent is the error in percent with its standard error.
func (r subgroupResult) percent() utility.Estimate {
	return utility.Estimate{Value: 100 * r.error, StandardError: 100 * math.Sqrt(max(0, r.squares-r.error*r.error)/(repetitions-1))}
}

// subgroupSection regenerates figure 3 of 2024.
func subgroupSection(ctx context.Context, s *study) (report.Section, error) {
	section := report.Section{
		ID: "disclosure-subgroups", Title: "Income and education of subgroups", Source: "Das et al. 2024, figure 3 (National, ε = 2, k = 10, swap rate 25%)",
		Rule: statesRule + " The paper's figure is one release; ours are means of 200.",
		Intro: "The two-way marginal of income decile and education of white and of black men, from a histogram by race, sex, decile and " +
			"education (2,160 cells; the paper does not say whether PUMA is a feature besides). " +
			"The figure has one release; the table means of 200.",
	}
	t, err := newTable(s.people, raceFeature, sexFeature, decileFeature, educationFeature)
	if err != nil {
		return section, err
	}
	results := make([][]subgroupResult, len(subgroupMechanisms))
	err = each(ctx, len(results), func(i int) error {
		sanitizer, err := subgroupMechanisms[i].make(t, "subgroups/"+subgroupMechanisms[i].name, subgroupEpsilon)
		if err != nil {
			return err
		}
		results[i], err = t.subgroupResults(sanitizer)
		return err
	})
	if err != nil {
		return section, err
	}
	section.Rows = subgroupClaims(results, asText, "as the text has them")
	for _, r := range subgroupClaims(results, asPublished, "as the figures of Table 1 imply") {
		section.Rows = append(section.Rows, withoutVerdict(r, fitted))
	}
	section.Tables = []report.Table{subgroupTable(results)}
	section.Figures = []report.Figure{{
		Name: "disclosure-subgroups", Size: chart.Size{Width: 1400, Height: 760}, Drawing: subgroupFigure(results),
		Caption: "Errors of one release, as a share of the subgroup: red cells have too few persons, blue ones too many, as in the paper. " +
			" Lines: least squares of decile on education, before and after.",
	}}
	return section, nil
}

// subgroupResults are by subgroup.
func (t *table) subgroupResults(s *sanitizer) ([]subgroupResult, error) {
	results := make([]subgroupResult, len(subgroups))
	for release := range repetitions {
		shown, err := s.release()
		if err != nil {
			return nil, err
		}
		sanitized, err := t.histogram.With(floats(shown))
		if err != nil {
			return nil, err
		}
		for i, g := range subgroups {
			m, err := g.heatMap(t.histogram, sanitized)
			if err != nil {
				return nil, err
			}
			if release == 0 {
				results[i].first = m
			}
			e := surplusError(m)
			results[i].error += e / repetitions
			results[i].squares += e * e / repetitions
			results[i].slope += m.SanitizedLine.Slope / repetitions
		}
	}
	return results, nil
}

// heatMap is that of a subgroup.
func (g subgroup) heatMap(original, sanitized *utility.Histogram) (*utility.HeatMap, error) {
	before, err := g.of(original)
	if err != nil {
		return nil, err
	}
	after, err := g.of(sanitized)
	if err != nil {
		return nil, err
	}
	return utility.NewHeatMap(before, after, utility.Scale{Variable: education}, utility.Scale{Variable: decile})
}

func (g subgroup) of(h *utility.Histogram) (*utility.Histogram, error) {
	men, err := h.Given(sex, "1")
	if err != nil {
		return nil, err
	}
	return men.Given(race, g.race)
}

// persons is the size of the subgroup.
func persons(m *utility.HeatMap) float64 {
	var sum float64
	for _, row := range m.Original {
		for _, n := range row {
			sum += n
		}
	}
	return sum
}

// surplusError is half the l1 distance, as a share of the subgroup.
func surplusError(m *utility.HeatMap) float64 {
	var sum float64
	for _, row := range m.Surplus() {
		for _, n := range row {
			sum += math.Abs(n)
		}
	}
	return sum / 2 / persons(m)
}

// shares is the surplus as a share of the subgroup.
func shares(m *utility.HeatMap) [][]float64 {
	all := persons(m)
	values := m.Surplus()
	for _, row := range values {
		for i := range row {
			row[i] /= all
		}
	}
	return values
}

func subgroupTable(results [][]subgroupResult) report.Table {
	t := report.Table{
		Caption: "Means of 200 releases: error is half the l1 distance as a share of the subgroup; slope is that of decile on education, deciles per level",
		Header:  []string{"mechanism", "white men: error", "slope", "true slope", "black men: error", "slope", "true slope", "error of black men / of white men"},
	}
	for i, m := range subgroupMechanisms {
		row := []string{m.name}
		for _, r := range results[i] {
			row = append(row, fmt.Sprintf("%.2f%%", 100*r.error), fmt.Sprintf("%.4f", r.slope), fmt.Sprintf("%.4f", r.first.OriginalLine.Slope))
		}
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.2f", results[i][1].error/results[i][0].error)))
	}
	return t
}

func subgroupFigure(results [][]subgroupResult) chart.Drawing {
	var limit float64
	for _, i := range asText {
		for _, g := range results[i] {
			for _, row := range shares(g.first) {
				for _, v := range row {
					limit = max(limit, math.Abs(v))
				}
			}
		}
	}
	rows := make([][]chart.Drawing, len(subgroups))
	for g := range subgroups {
		for _, i := range asText {
			rows[g] = append(rows[g], heat(subgroups[g], subgroupMechanisms[i].name, results[i][g].first, limit))
		}
	}
	return chart.Panels{
		Title:    "Errors in income by education, National excerpt, ε = 2",
		Subtitle: "one release; blue: a surplus of persons, red: a deficit, as a share of all white men (above) and of all black men (below)",
		Rows:     rows,
		Notes: "Education: 1 none, 2 preschool, 3 grades 1-8, 4 grades 9-12, 5 high school, 6 GED, 7 some college, 8 associate, 9 bachelor, 10 " +
			"master, 11 professional, 12 doctorate. Decile: 0 lowest tenth of incomes in the state, 9 highest.",
	}
}

func heat(g subgroup, mechanism string, m *utility.HeatMap, limit float64) chart.Drawing {
	ends := []float64{0, float64(len(m.Column.Levels) - 1)}
	line := func(name string, l utility.Line, dashed bool) chart.Line {
		return chart.Line{Name: name, X: ends, Y: []float64{l.At(ends[0]), l.At(ends[1])}, Dashed: dashed}
	}
	return chart.Heat{
		Title: mechanism, Subtitle: fmt.Sprintf("%s, %.0f persons", g.name, persons(m)),
		X: chart.Axis{Label: "education"}, Y: chart.Axis{Label: "income decile"}, Columns: m.Column.Levels, Rows: m.Row.Levels,
		Values: shares(m), Diverging: true, Turned: true, Limit: limit, Percent: true, Unit: "surplus, share of the group",
		Lines: []chart.Line{line("true line", m.OriginalLine, false), line("sanitized", m.SanitizedLine, true)},
	}
}

// subgroupClaims are what the text says of the figure, for four of the mechanisms: Laplace and Gaussian noise, suppression, swapping.
func subgroupClaims(results [][]subgroupResult, of []int, which string) []report.Row {
	var white, black, ratios []utility.Estimate
	for _, i := range of {
		w, b := results[i][0].percent(), results[i][1].percent()
		ratio := b.Value / w.Value
		white, black = append(white, w), append(black, b)
		// Both errors are of the same releases; taken for independent, they have the larger standard error unless they go against each other.
		ratios = append(ratios, utility.Estimate{Value: ratio, StandardError: ratio * math.Hypot(w.StandardError/w.Value, b.StandardError/b.Value)})
	}
	list := func(values []utility.Estimate) string {
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = plusMinus(v)
		}
		return strings.Join(texts, ", ")
	}
	errors := fmt.Sprintf("errors in %%: white men %s; black men %s", list(white), list(black))
	disparity := "black / white " + list(ratios)
	first := func(v []utility.Estimate) report.Verdict {
		return report.Every(above(v[1], v[0]), above(v[2], v[0]), above(v[3], v[0]))
	}
	unequal := report.Same
	for _, r := range ratios {
		unequal = report.Every(unequal, above(r, utility.Estimate{Value: 1}))
	}
	mechanisms := " (Laplace, discrete Gaussian, suppression, swapping, " + which + ")"
	return []report.Row{
		claimed("of all the methods the Laplace mechanism induces the least amount of errors"+mechanisms, errors, report.Every(first(white), first(black)),
			"suppression leaves most counts of k and more as they are: it errs less for the larger group, and its δ is 1"),
		claimed("DP swapping exhibits significantly higher errors for black men than the others"+mechanisms, errors,
			report.Every(above(black[3], black[0]), above(black[3], black[1]), above(black[3], black[2])), "swapping errs in proportion to the counts, and noise does not"),
		claimed("all methods display disparate impacts: the errors of the black group are larger"+mechanisms, disparity, unequal,
			"every cell loses the same quarter of its persons, and the errors of the group that has the donor are larger by what its one cell gains"),
		claimed("the Laplace mechanism shows the least disparity"+mechanisms, disparity, first(ratios),
			"noise is the same for every cell, so that its error as a share is larger for the smaller group, by about the ratio of the sizes, 2.4, "+
				"and so it is for Gaussian noise. Swapping errs in proportion to the counts instead"),
	}
}
