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

// The settings along the curves; the papers' figures have such, without saying which.
var (
	thresholds = []float64{2, 4, 6, 8, 10, 12}
	rates      = []float64{0.05, 0.1, 0.25, 0.5, 0.75}
)

// A curve is one mechanism's error and fairness along a setting.
type curve struct {
	name          string
	epsilon       float64 // 0: classical, no randomness but that of its choices
	settings      []float64
	error, alphas []utility.Estimate // exact alphas have no standard error
}

// A family is a classical mechanism with its randomised forms.
type family struct {
	name, id, setting string
	settings          []float64
	// table, releases and make are those of one mechanism at a setting; epsilon is 0 for the classical one.
	table    func(s *study) *table
	releases int
	make     func(t *table, label string, epsilon, setting float64) (*sanitizer, error)
	epsilons []float64 // of the randomised forms
}

var families = []family{
	{
		name: "Cell suppression", id: "suppression", setting: "threshold k", settings: thresholds, table: countsOf, releases: repetitions, epsilons: epsilons,
		make: func(t *table, label string, epsilon, k float64) (*sanitizer, error) {
			if epsilon == 0 {
				return t.suppression(label, int64(k))
			}
			return t.dpSuppression(label, epsilon, int64(k))
		},
	},
	{
		name: "Swapping", id: "swapping", setting: "share of rows swapped", settings: rates, table: countsOf, releases: repetitions, epsilons: []float64{0.5, 4},
		make: func(t *table, label string, epsilon, rate float64) (*sanitizer, error) {
			if epsilon == 0 {
				return t.swapping(label, rate)
			}
			return t.donorSwapping(label, epsilon, rate)
		},
	},
	{
		name: "k-anonymity", id: "anonymity", setting: "class size k", settings: thresholds, table: agesOf, releases: fewRepetitions, epsilons: epsilons,
		make: func(t *table, label string, epsilon, k float64) (*sanitizer, error) {
			if epsilon == 0 {
				g, err := t.kAnonymity(label, int(k))
				return g.whole(), err
			}
			g, err := t.dpKAnonymity(label, epsilon, int(k))
			return g.ofSample(), err
		},
	},
}

// curves are those of one family, the classical one first.
func (f family) curves(ctx context.Context, s *study) ([]curve, error) {
	all := []curve{{name: "classical"}}
	for _, e := range f.epsilons {
		all = append(all, curve{name: fmt.Sprintf("randomised, ε = %g", e), epsilon: e})
	}
	for i := range all {
		all[i].settings, all[i].error, all[i].alphas = f.settings, make([]utility.Estimate, len(f.settings)), make([]utility.Estimate, len(f.settings))
	}
	err := each(ctx, len(all)*len(f.settings), func(job int) error {
		c, at := &all[job/len(f.settings)], job%len(f.settings)
		t := f.table(s)
		sanitizer, err := f.make(t, fmt.Sprintf("curve/%s/%s/%g/%g", s.id, f.id, c.epsilon, f.settings[at]), c.epsilon, f.settings[at])
		if err != nil {
			return err
		}
		m, err := t.measure(sanitizer, f.releases)
		if err != nil {
			return err
		}
		c.error[at], c.alphas[at] = m.L1Error, m.Alpha
		if m.exact != nil {
			c.alphas[at] = utility.Estimate{Value: m.exact.Alpha}
		}
		return nil
	})
	return all, err
}

func (c curve) errors() []utility.Estimate     { return c.error }
func (c curve) unfairness() []utility.Estimate { return c.alphas }

func values(estimates []utility.Estimate) []float64 {
	v := make([]float64, len(estimates))
	for i, e := range estimates {
		v[i] = e.Value
	}
	return v
}

// legend is a curve's name with what its figures are differences from, where that is not the same of all.
func (f family) legend(c curve) string {
	switch {
	case f.id != "anonymity":
		return c.name
	case c.epsilon == 0:
		return "classical, against all persons"
	}
	return fmt.Sprintf("against its sample, ε = %g", c.epsilon)
}

// panel draws the curves of a family.
func (f family) panel(curves []curve, of func(curve) []utility.Estimate, label string) chart.Figure {
	figure := chart.Figure{Title: f.name, X: chart.Axis{Label: f.setting, Percent: f.id == "swapping", Ticks: f.settings}, Y: chart.Axis{Label: label}}
	for i, c := range curves {
		line := chart.Line{Name: f.legend(c), X: c.settings, Y: values(of(c)), Points: true, Joined: true, Dashed: i > 0, Colour: i}
		if i == 0 {
			line.Colour = 7 // black
		}
		figure.Lines = append(figure.Lines, line)
	}
	figure.X.Min, figure.X.Max = f.settings[0]-1, f.settings[len(f.settings)-1]+1
	figure.Marks = []chart.Mark{{X: defaultK, Text: "as in the tables"}}
	if f.id == "swapping" {
		figure.X.Ticks = []float64{0.1, 0.25, 0.5, 0.75, 1}
		figure.X.Min, figure.X.Max, figure.Y.Log = 0, 1, true
		figure.Marks[0].X = defaultRate
	}
	return figure
}

// movedCells is DP swapping of cells, which has no rate: at epsilon it moves a share 1-gamma of the cells.
func (s *study) movedCells(of func(measured) float64) chart.Line {
	line := chart.Line{Name: "cells moved at random (2023), from left to right ε = 4, 2, 1, 0.5", Points: true, Colour: 2}
	for i := len(epsilons) - 1; i >= 0; i-- {
		others := float64(impliedPlaces - 1)
		line.X = append(line.X, others/(math.Exp(epsilons[i])+others))
		line.Y = append(line.Y, of(s.results[swappingName][i]))
	}
	return line
}

// curveSection draws error and fairness of one excerpt.
func curveSection(ctx context.Context, s *study) (report.Section, error) {
	section := report.Section{
		ID: "disclosure-curves-" + s.id, Title: "Error and fairness against k, swap rate and ε: " + s.name,
		Source: map[string]string{
			"ma": "Zhu et al. 2023, figures 2 and 3; Das et al. " +
				"2024, figure 2", "tx": "Zhu et al. 2023, figures 6 and 8", "national": "Zhu et al. 2023, figures 7 and 9",
		}[s.id],
		Rule: statesRule + fmt.Sprintf(" \"Close\" is within %.0f%% at every setting and ε of the panel. \"Approaches\" is: nearer at each ε than at the one before, and in the end within %.0f%%. Both limits are ours.", 100*tolerance, 100*tolerance),
		Intro: "The published figures have no numbers to compare with but what the text says of them. Error is the mean l1 distance of a release " +
			"from the true counts; α is exact for suppression and donors. " +
			"k-anonymity has the age in years as a feature, and its randomised form is compared with the rows that were sampled, as the " +
			"published tables are.",
	}
	panels := [2][]chart.Drawing{}
	for _, f := range families {
		curves, err := f.curves(ctx, s)
		if err != nil {
			return section, err
		}
		errors := f.panel(curves, curve.errors, "mean l1 error, persons")
		alphas := f.panel(curves, curve.unfairness, "α-fairness: range of the cells' biases, persons")
		if f.id == "swapping" {
			errors.Lines = append(errors.Lines, s.movedCells(func(m measured) float64 { return m.L1Error.Value }))
			alphas.Lines = append(alphas.Lines, s.movedCells(func(m measured) float64 { return m.exact.Alpha }))
		}
		panels[0], panels[1] = append(panels[0], errors), append(panels[1], alphas)
		section.Rows = append(section.Rows, f.claims(curves)...)
	}
	section.Notes = []string{
		"Classical swapping hardly errs at low rates: the nearest row with another race is often one that is alike in all else, and exchanging the races of these two changes no count. " +
			"That is no protection of counts. Once there are no such pairs left, the error jumps.",
	}
	subtitle := fmt.Sprintf("%d persons; cells by PUMA, race, sex, ownership and income (k-anonymity: and age)", len(s.people))
	size := chart.Size{Width: 1080, Height: 380}
	section.Figures = []report.Figure{
		{Name: "disclosure-error-" + s.id, Caption: "Mean l1 error of classical disclosure avoidance and of its " +
			"randomised forms, " + s.name + ". In the panel of k-anonymity the classical form is compared with all persons, the randomised one with the rows that it sampled: these two are not to be set against each other.", Size: size,
			Drawing: chart.Panels{Title: "Error of a release: " + s.name, Subtitle: subtitle, Rows: [][]chart.Drawing{panels[0]}}},
		{Name: "disclosure-fairness-" + s.id, Caption: "α-fairness (largest bias of a cell minus the smallest; 0 is " +
			"fair) of the same, " + s.name + ". The panel of k-anonymity has two quantities, as that of the errors.", Size: size,
			Drawing: chart.Panels{Title: "Unfairness of a release: " + s.name, Subtitle: subtitle, Rows: [][]chart.Drawing{panels[1]}}},
	}
	return section, nil
}

// claims are what the papers say of the figures of a family.
func (f family) claims(curves []curve) []report.Row {
	classical := curves[0].error
	grows := report.Same
	for i := 1; i < len(classical); i++ {
		grows = report.Every(grows, report.Exceeds(classical[i].Value-classical[i-1].Value, math.Hypot(classical[i].StandardError, classical[i-1].StandardError)))
	}
	texts := make([]string, len(classical))
	for i, e := range classical {
		texts[i] = plusMinus(e)
	}
	found := map[report.Verdict]string{report.Same: "it grows at each step", report.Differs: "it does not grow at each step", report.Undecided: "whether it grows at each step is within three standard errors"}
	rows := []report.Row{withoutVerdict(report.Row{
		What: fmt.Sprintf("%s: the classical error along the %s", f.name, f.setting), Regenerated: found[grows] + ": " + strings.Join(texts, ", "), Reason: f.whySteps(),
	}, "no text has a number or a statement of it")}
	rows = append(rows, f.close(curves, "error", curve.errors), f.approach(curves, "error", curve.errors), f.approach(curves, "α", curve.unfairness))
	if f.id == "anonymity" {
		for i := 1; i < len(rows); i++ {
			rows[i].Reason = f.whyNot()
			rows[i] = withoutVerdict(rows[i], "the classical figure is against all persons, the randomised one against its sample")
		}
	}
	return rows
}

// close is the statement that the errors of the randomised form are close to the classical ones.
func (f family) close(curves []curve, what string, of func(curve) []utility.Estimate) report.Row {
	verdict, worst := report.Same, 0.0
	for _, c := range curves[1:] {
		for at, e := range of(c) {
			classical := of(curves[0])[at]
			off := math.Abs(e.Value - classical.Value)
			verdict = report.Every(verdict, report.Exceeds(tolerance*classical.Value-off, math.Hypot(e.StandardError, classical.StandardError)))
			worst = max(worst, off/classical.Value)
		}
	}
	return claimed(
		fmt.Sprintf("%s: notice how close the %ss of the randomised form are to the original mechanism's", f.name, what),
		fmt.Sprintf("off by up to %s times the classical %s, over all settings and ε of the panel", short(worst), what), verdict, f.whyNot())
}

// approach is Appendix C.2's statement that the randomised form comes closer to the classical one as epsilon grows, at every setting.
func (f family) approach(curves []curve, what string, of func(curve) []utility.Estimate) report.Row {
	const shown = 2 // k = 6, 25%
	verdict, held, text := report.Same, 0, ""
	for at, setting := range f.settings {
		classical := of(curves[0])[at]
		var off []utility.Estimate
		for _, c := range curves[1:] {
			e := of(c)[at]
			off = append(off, utility.Estimate{Value: e.Value - classical.Value, StandardError: math.Hypot(e.StandardError, classical.StandardError)})
		}
		v := nears(off, tolerance*classical.Value)
		verdict = report.Every(verdict, v)
		if v == report.Same {
			held++
		}
		if at == shown {
			texts := make([]string, len(off))
			for i, e := range off {
				texts[i] = plusMinus(e)
			}
			text = fmt.Sprintf("at %g classical %s, randomised minus that, by ε: %s", setting, short(classical.Value), strings.Join(texts, ", "))
		}
	}
	return claimed(
		fmt.Sprintf("%s: the %s of the randomised form approaches that of the classical one as ε grows (by %s)", f.name, what, f.setting),
		fmt.Sprintf("at %d of %d settings; %s", held, len(f.settings), text), verdict, f.whyNot())
}

// nears says whether differences come nearer to 0, from each to the next, and in the end within a limit.
func nears(off []utility.Estimate, limit float64) report.Verdict {
	size := func(e utility.Estimate) utility.Estimate { e.Value = math.Abs(e.Value); return e }
	verdict := above(utility.Estimate{Value: limit}, size(off[len(off)-1]))
	for i := 1; i < len(off); i++ {
		verdict = report.Every(verdict, above(size(off[i-1]), size(off[i])))
	}
	return verdict
}

// whySteps is what is known of the classical error.
func (f family) whySteps() string {
	switch f.id {
	case "swapping":
		return "once the rows of rarer races are swapped those left have one race, and swapping ends: more cannot be swapped"
	case "suppression":
		return "suppression draws nothing, so that its standard errors are 0"
	}
	return "the standard errors are of the rows that are drawn again for the classes, which depend on nothing random"
}

func (f family) whyNot() string {
	switch f.id {
	case "swapping":
		return "the two forms move other rows at every ε. Donors are drawn from all rows: even at ε = 4 the coin of a row that differs in all five columns falls right with probability " +
			"exp(-2) = 0.14, and a donor of the same race changes nothing. The classical form takes the nearest row with another race: it changes no count while that is one that is alike in all else, and few once " +
			"the rows of rarer races are used up"
	case "suppression":
		return "a cell of k itself is shown with probability 1/2 at every ε: so error and α tend to those of a threshold between k and k+1"
	}
	return "the randomised form is compared with the sampled rows, of which there are fewer, so that its classes lie otherwise"
}
