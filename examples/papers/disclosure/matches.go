package disclosure

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tacit/examples/papers/internal/report"
	"tacit/examples/papers/internal/utility"
	"tacit/internal/chart"
	"tacit/mechanisms"
	"tacit/risk"
)

// matchEpsilons reach beyond those of the tables on both sides.
var matchEpsilons = []float64{0.25, 0.5, 1, 2, 4, 8}

// copiesName is what figures call oneDonor, which Table 1 of Das et al. 2024 implies for DP swapping.
const copiesName = "a quarter of rows copies of one row"

// A matcher is a mechanism at an epsilon, as figures name it.
type matcher struct {
	name string
	make func(t *table, label string, epsilon float64) (*sanitizer, error)
}

var matchers = []matcher{
	{laplaceName, (*table).laplace},
	{gaussianName, func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.discreteGaussian(label, runVariance(epsilon))
	}},
	{"DP Swapping with donors", func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.donorSwapping(label, epsilon, defaultRate)
	}},
	{copiesName, func(t *table, label string, _ float64) (*sanitizer, error) {
		return t.oneDonor(label, defaultRate, t.cellOfAbout(impliedDonor)), nil
	}},
	{"Swapping, classical", func(t *table, label string, _ float64) (*sanitizer, error) { return t.swapping(label, defaultRate) }},
	{untouchedName, func(t *table, label string, epsilon float64) (*sanitizer, error) {
		s, err := t.dpSuppression(label, epsilon, defaultK)
		if err != nil {
			return nil, err
		}
		return t.zerosUntouched(s), nil
	}},
}

// A matched is the mean of the counts over releases; the standard error is that of AsOne, 0 if it is exact.
type matched struct {
	risk.UniqueMatches
	standardError float64
}

// matches are the mean counts over releases; AsOne is exact where the distribution of the cells is known.
func (t *table) matches(s *sanitizer) (matched, error) {
	var sum matched
	var squares float64
	for range repetitions {
		shown, err := s.release()
		if err != nil {
			return sum, err
		}
		u, err := risk.CountUniqueMatches(t.counts, mechanisms.Cells{Counts: shown})
		if err != nil {
			return sum, err
		}
		sum.Individuals, sum.Uniques = u.Individuals, u.Uniques
		sum.AsOne += u.AsOne / repetitions
		squares += u.AsOne * u.AsOne / repetitions
		sum.OneOrMore += u.OneOrMore / repetitions
	}
	sum.standardError = math.Sqrt(max(0, squares-sum.AsOne*sum.AsOne) / (repetitions - 1))
	if exact, ok := t.expectMatches(s.expect); ok {
		sum.AsOne, sum.standardError = exact, 0
	}
	return sum, nil
}

// expectMatches sums P(shown = 1) over the cells of one person.
func (t *table) expectMatches(expect []mechanisms.Expectation) (sum float64, ok bool) {
	for i := range expect {
		if t.counts[i] != 1 {
			continue
		}
		if expect[i].Distribution == nil {
			return 0, false
		}
		sum += expect[i].Distribution(1) - expect[i].Distribution(0)
	}
	return sum, expect != nil
}

// matchSection regenerates figure 5 of 2024.
func matchSection(ctx context.Context, studies []*study) (report.Section, error) {
	section := report.Section{
		ID: "disclosure-matches", Title: "Unique exact matches", Source: "Das et al. 2024, figure 5",
		Rule: statesRule + " The paper does not say which ε its figure has; ours are 0.25 to 8. The statements are tried on the mechanisms as the text has them.",
		Intro: "A unique exact match is a person alone in her cell whose cell is shown as 1. The figure has them as a share of all persons, as " +
			"the paper has; " +
			"the table as a share of those who are alone, besides. Laplace and Gaussian noise and suppression: exact; swapping: means of 200 releases. " +
			"DP swapping is shown as the text has it (donors) and as its figures imply for the paper's Table 1 (copies of one row).",
	}
	table := report.Table{Caption: "Unique exact matches, share of those who are alone in their cell: shown as 1, and (SDNist's reading) shown as 1 or more",
		Header: []string{"excerpt", "mechanism"}}
	for _, e := range matchEpsilons {
		table.Header = append(table.Header, fmt.Sprintf("ε = %g", e))
	}
	var panels []chart.Drawing
	for _, s := range studies[:2] {
		found, err := s.allMatches(ctx)
		if err != nil {
			return section, err
		}
		panels = append(panels, s.matchFigure(found))
		section.Rows = append(section.Rows, s.matchClaims(found)...)
		for i, m := range matchers {
			row := []string{s.name, m.name}
			for _, u := range found[i] {
				row = append(row, fmt.Sprintf("%.1f%% (%.1f%%)", 100*u.ShareOfUniques(), 100*u.PresentShareOfUniques()))
			}
			table.Rows = append(table.Rows, row)
		}
	}
	section.Tables = []report.Table{table}
	section.Figures = []report.Figure{{
		Name: "disclosure-matches", Caption: "Unique exact matches against ε: noise matches more as ε grows, swapping " +
			"hardly depends on ε.", Size: chart.Size{Width: 1080, Height: 420},
		Drawing: chart.Panels{Title: "Unique exact matches", Subtitle: "persons alone in their cell whose cell is shown as 1; cells by PUMA, " +
			"race, sex, ownership and income; swap rate 25%, k = 6",
			Rows: [][]chart.Drawing{panels}},
	}}
	section.Notes = []string{
		"The paper says once that a higher score indicates a reduced risk; the rest of it, and the measure, say the contrary.",
		"A match is a coincidence of counts: an attacker who sees a 1 does not know that it is one. Suppression has no matches for its fill value " +
			"is 3, which says nothing of the cells that it leaves as they are.",
	}
	return section, nil
}

// allMatches are by mechanism and epsilon.
func (s *study) allMatches(ctx context.Context) ([][]matched, error) {
	found := make([][]matched, len(matchers))
	for i := range found {
		found[i] = make([]matched, len(matchEpsilons))
	}
	err := each(ctx, len(matchers)*len(matchEpsilons), func(job int) error {
		m, at := job/len(matchEpsilons), job%len(matchEpsilons)
		sanitizer, err := matchers[m].make(s.counts, fmt.Sprintf("matches/%s/%s/%g", s.id, matchers[m].name, matchEpsilons[at]), matchEpsilons[at])
		if err != nil {
			return err
		}
		found[m][at], err = s.counts.matches(sanitizer)
		return err
	})
	return found, err
}

func (s *study) matchFigure(found [][]matched) chart.Drawing {
	figure := chart.Figure{
		Title: s.name, Subtitle: fmt.Sprintf("%.0f of %.0f persons are alone in their cell", found[0][0].Uniques, found[0][0].Individuals),
		X:      chart.Axis{Label: "ε (replace-one)", Log: true, Ticks: matchEpsilons},
		Y:      chart.Axis{Label: "unique exact matches, share of all persons", Percent: true},
		Levels: []chart.Level{{Y: found[0][0].Uniques / found[0][0].Individuals, Text: "all who are alone"}},
	}
	for i, m := range matchers {
		line := chart.Line{Name: m.name, X: matchEpsilons, Points: true, Joined: true, Dashed: i >= 2}
		for _, u := range found[i] {
			line.Y = append(line.Y, u.AsOne/u.Individuals)
		}
		figure.Lines = append(figure.Lines, line)
	}
	return figure
}

// matchClaims are what the text says of figure 5.
func (s *study) matchClaims(found [][]matched) []report.Row {
	// share is in percent of those who are alone, with standard errors.
	share := func(m int) []utility.Estimate {
		values := make([]utility.Estimate, len(matchEpsilons))
		for i, u := range found[m] {
			values[i] = utility.Estimate{Value: 100 * u.ShareOfUniques(), StandardError: 100 * u.standardError / u.Uniques}
		}
		return values
	}
	laplace, gaussian, donors, suppressed := share(0), share(1), share(2), share(5)
	rising, resilient, higher, perfect := report.Same, report.Same, report.Same, report.Same
	highest := math.Inf(-1)
	for i, e := range matchEpsilons {
		if i > 0 {
			rising = report.Every(rising, above(laplace[i], laplace[i-1]), above(gaussian[i], gaussian[i-1]))
		}
		resilient = report.Every(resilient, above(laplace[i], gaussian[i]))
		perfect = report.Every(perfect, report.Holds(suppressed[i].Value < nearPerfect))
		v := report.Every(above(donors[i], laplace[i]), above(donors[i], gaussian[i]))
		higher = report.Every(higher, v)
		if v == report.Same {
			highest = max(highest, e)
		}
	}
	robust := report.Every(steadier(donors, laplace), steadier(donors, gaussian))
	const percent = " (% of those who are alone, ε = 0.25 to 8)"
	list := func(values []utility.Estimate) string {
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = plusMinus(v)
		}
		return strings.Join(texts, ", ")
	}
	noise := "Laplace " + joined(values(laplace)) + "; discrete Gaussian " + joined(values(gaussian))
	return []report.Row{
		claimed(s.name+": DP data release methods become more susceptible as ε increases", noise+percent, rising, "the figures are exact"),
		claimed(s.name+": DP swapping is more robust to an increase of ε than noise is", "donors "+list(donors)+"; "+noise+percent, robust,
			"the range of the donors' figures is compared with that of each noise"),
		claimed(s.name+": DP swapping has a significantly higher risk than DP methods, even for higher values of ε", "donors "+list(donors)+"; "+noise+percent, higher,
			fmt.Sprintf("it is higher than both up to ε = %g only. The larger ε is the fewer counts noise changes, and swapping changes as many as before: they must cross. "+
				"Which ε the paper looked at it does not say", highest)),
		claimed(s.name+": the discrete Gaussian is more resilient than Laplace noise as ε increases", noise+percent+"; its variance 20/ε is above 8/ε² from ε = 0.4 on", resilient,
			"below ε = 0.4 the Gaussian has the smaller variance"),
		claimed(fmt.Sprintf("%s: suppression attains a (near) perfect score (tried as below %d%% at every ε)", s.name, nearPerfect), joined(values(suppressed))+percent, perfect,
			"a count of 1 is shown as it is if its noise is 5 or more, which Lap(2/ε) is with probability exp(-2.5 ε)/2: 27% at 0.25, 14% at 0.5"),
	}
}

// nearPerfect is the share in percent of those who are alone, below which a score is taken for nearly perfect.
const nearPerfect = 10

// above is the verdict on a > b.
func above(a, b utility.Estimate) report.Verdict {
	return report.Exceeds(a.Value-b.Value, math.Hypot(a.StandardError, b.StandardError))
}

// steadier is the verdict on whether a has the smaller range than b.
func steadier(a, b []utility.Estimate) report.Verdict { return above(spread(b), spread(a)) }

// spread is the range of values.
func spread(values []utility.Estimate) utility.Estimate {
	least, most := values[0], values[0]
	for _, v := range values {
		if v.Value < least.Value {
			least = v
		}
		if v.Value > most.Value {
			most = v
		}
	}
	return utility.Estimate{Value: most.Value - least.Value, StandardError: math.Hypot(most.StandardError, least.StandardError)}
}
