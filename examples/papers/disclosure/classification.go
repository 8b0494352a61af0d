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

// cellSwappingName is what the figure calls DP swapping of 2023.
const cellSwappingName = "DP Swapping of cells (2023)"

// accuracies are the mean and the standard deviation over releases.
type accuracies struct{ mean, deviation []float64 }

var classified = []matcher{
	{laplaceName, (*table).laplace},
	{gaussianName, func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.discreteGaussian(label, runVariance(epsilon))
	}},
	{suppressionName, func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.dpSuppression(label, epsilon, defaultK)
	}},
	{cellSwappingName, (*table).cellSwapping},
	{"DP Swapping with donors (2024)", func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.donorSwapping(label, epsilon, defaultRate)
	}},
	{copiesName, func(t *table, label string, _ float64) (*sanitizer, error) {
		return t.oneDonor(label, defaultRate, t.cellOfAbout(impliedDonor)), nil
	}},
	{anonymityName, func(t *table, label string, epsilon float64) (*sanitizer, error) {
		g, err := t.dpKAnonymity(label, epsilon, defaultK)
		return g.whole(), err
	}},
}

var task = utility.Task{Target: earner, Positive: "1"}

// classificationSection regenerates figures 4 and 5 of 2023 and figure 4 of 2024.
func classificationSection(ctx context.Context, studies []*study) (report.Section, error) {
	section := report.Section{
		ID: "disclosure-classification", Title: "Classification", Source: "Zhu et al. 2023, figures 4 and 5; Das et al. 2024, figure 4",
		Rule: statesRule + " \"Much\" is not tried: any distance beyond the margin counts.",
		Intro: fmt.Sprintf("A logistic regression (ridge 1) for an income of $50,000 or more, from race, age in five groups of about the same "+
			"size, sex and ownership, is trained on each sanitized histogram (540 cells), "+
			"and judged on the original one. Persons without an income are left out. Means and standard deviations of %d releases.", classifierReleases),
	}
	var panels, closeups []chart.Drawing
	for _, s := range studies {
		panel, rows, err := s.classify(ctx)
		if err != nil {
			return section, err
		}
		panels = append(panels, panel)
		closeups = append(closeups, closeup(panel))
		section.Rows = append(section.Rows, rows...)
	}
	section.Figures = []report.Figure{{
		Name: "disclosure-classification", Caption: "Accuracy on the original data of classifiers trained on sanitized histograms; bars are " +
			"standard deviations over releases. Below, the same without swapping of cells and copies, which stretch the axis.",
		Size: chart.Size{Width: 1300, Height: 900},
		Drawing: chart.Panels{Title: "Accuracy of a classifier trained on sanitized counts", Subtitle: "income of $50,000 or more from race, age " +
			"group, sex and ownership; k = 6; swap rate 25% (donors)",
			Rows: [][]chart.Drawing{panels, closeups}},
	}}
	section.Notes = []string{"Not tried: that the accuracies of the randomised forms depend on k and the swap rate more than on ε (2024), for which the paper gives no range of either; and that they suffer less than noise as " +
		"a subgroup gets sparser, for which it has neither figure nor number."}
	return section, nil
}

const classifierReleases = 50

// classify draws one excerpt's panel.
func (s *study) classify(ctx context.Context) (chart.Figure, []report.Row, error) {
	t, err := newTable(s.people, raceFeature, ageFeature(&s.excerpt, (*person).hasIncome), sexFeature, tenureFeature, earnerFeature(leftOut))
	if err != nil {
		return chart.Figure{}, nil, err
	}
	baseline, err := accuracy(t, t.histogram)
	if err != nil {
		return chart.Figure{}, nil, err
	}
	raceless, err := accuracyWithoutRace(t)
	if err != nil {
		return chart.Figure{}, nil, err
	}
	majority, err := utility.Majority(t.histogram, earner)
	if err != nil {
		return chart.Figure{}, nil, err
	}
	found := make([]accuracies, len(classified))
	for i := range found {
		found[i] = accuracies{make([]float64, len(epsilons)), make([]float64, len(epsilons))}
	}
	err = each(ctx, len(classified)*len(epsilons), func(job int) error {
		m, at := job/len(epsilons), job%len(epsilons)
		sanitizer, err := classified[m].make(t, fmt.Sprintf("classify/%s/%s/%g", s.id, classified[m].name, epsilons[at]), epsilons[at])
		if err != nil {
			return err
		}
		found[m].mean[at], found[m].deviation[at], err = t.accuracies(sanitizer)
		return err
	})
	if err != nil {
		return chart.Figure{}, nil, err
	}
	figure := chart.Figure{
		Title: s.name, X: chart.Axis{Label: "ε (replace-one)", Log: true, Ticks: epsilons}, Y: chart.Axis{Label: "accuracy on the original data", Percent: true},
		Levels: []chart.Level{{Y: baseline, Text: "trained on the original"}, {Y: majority, Text: "always the majority"}},
	}
	for i, m := range classified {
		figure.Lines = append(figure.Lines, chart.Line{Name: m.name, X: epsilons, Y: found[i].mean, Error: found[i].deviation, Points: true, Joined: true, Dashed: i >= 2})
	}
	return figure, s.classificationClaims(baseline, raceless, found), nil
}

// closeup leaves out the two mechanisms that are far from all others, and the majority.
func closeup(f chart.Figure) chart.Figure {
	var lines []chart.Line
	for i, l := range f.Lines {
		if l.Name == cellSwappingName || l.Name == copiesName {
			continue
		}
		l.Colour = i + 1
		lines = append(lines, l)
	}
	f.Title, f.Lines, f.Levels = f.Title+", close up", lines, f.Levels[:1]
	return f
}

// accuracy is that of a classifier trained on a histogram, on the table itself.
func accuracy(t *table, h *utility.Histogram) (float64, error) {
	c, err := utility.TrainLogistic(h, task)
	if err != nil {
		return 0, err
	}
	return c.Accuracy(t.histogram)
}

// accuracyWithoutRace is that of a classifier that is not told the race.
func accuracyWithoutRace(t *table) (float64, error) {
	h, err := t.histogram.Marginal(ageGroup, sex, tenure, earner)
	if err != nil {
		return 0, err
	}
	c, err := utility.TrainLogistic(h, task)
	if err != nil {
		return 0, err
	}
	return c.Accuracy(h)
}

// accuracies are the mean and the standard deviation.
func (t *table) accuracies(s *sanitizer) (mean, deviation float64, err error) {
	var sum, squares float64
	for range classifierReleases {
		shown, err := s.release()
		if err != nil {
			return 0, 0, err
		}
		h, err := t.histogram.With(floats(shown))
		if err != nil {
			return 0, 0, err
		}
		a, err := accuracy(t, h)
		if err != nil {
			return 0, 0, err
		}
		sum += a
		squares += a * a
	}
	mean = sum / classifierReleases
	return mean, math.Sqrt(max(0, squares/classifierReleases-mean*mean)), nil
}

// at is the mean with its standard error.
func (a accuracies) at(i int) utility.Estimate {
	return utility.Estimate{Value: a.mean[i], StandardError: a.deviation[i] / math.Sqrt(classifierReleases)}
}

// Which of classified are the noise of both papers, and what each paper compares it with. That of the figures of Table 1 (copies) is not among them.
var (
	noises   = []int{0, 1}
	rivals23 = []int{2, 3, 6}
	rivals24 = []int{2, 4}
)

// classificationClaims are what the texts say of the figures. The 2024 paper has Massachusetts alone.
func (s *study) classificationClaims(baseline, raceless float64, found []accuracies) []report.Row {
	var texts []string
	for m, a := range found {
		percent := make([]float64, len(a.mean))
		for i, v := range a.mean {
			percent[i] = 100 * v
		}
		texts = append(texts, classified[m].name+" "+joined(percent))
	}
	list := fmt.Sprintf("accuracy in %% at ε = 0.5, 1, 2, 4 (on the original %s): %s", short(100*baseline), strings.Join(texts, "; "))
	why := map[int]string{
		2: "suppression leaves the counts of k and more, which decide, as they are",
		3: "at large ε few cells are moved",
		4: fmt.Sprintf("exchanging races cannot hurt much, since a classifier that is not told the race has %s%%", short(100*raceless)),
		6: "k-anonymity is of these five columns, in which classes are narrow",
	}
	claim := func(what string, rivals []int, from float64, better func(noise, rival utility.Estimate) report.Verdict) report.Row {
		verdict, not := report.Same, []string(nil)
		for _, rival := range rivals {
			held := report.Same
			for i, e := range epsilons {
				for _, noise := range noises {
					if e >= from {
						held = report.Every(held, better(found[noise].at(i), found[rival].at(i)))
					}
				}
			}
			verdict = report.Every(verdict, held)
			if held != report.Same {
				not = append(not, fmt.Sprintf("against %s (%s): %s", classified[rival].name, held, why[rival]))
			}
		}
		return claimed(s.name+": "+what, list, verdict, strings.Join(not, "; "))
	}
	higher := func(noise, rival utility.Estimate) report.Verdict { return above(noise, rival) }
	closer := func(noise, rival utility.Estimate) report.Verdict {
		off := func(e utility.Estimate) utility.Estimate { e.Value = math.Abs(e.Value - baseline); return e }
		return above(off(rival), off(noise))
	}
	rows := []report.Row{
		claim("2023: Laplace and discrete Gaussian lead to classifiers with much higher accuracies than the others", rivals23, 0, higher),
		claim("2023: their accuracy is much closer to that of the baseline than any other method's", rivals23, 0, closer),
	}
	if s.id == "ma" {
		rows = append(rows,
			claim("2024: Laplace and discrete Gaussian lead to classifiers with much higher accuracies than the others, in all instances but for ε = 0.5", rivals24, 1, higher),
			claim("2024: their accuracy is much closer to that of the baseline than any other method's", rivals24, 0, closer))
	}
	return rows
}
