package disclosure

import (
	"context"
	"fmt"

	"tacit/examples/papers/internal/report"
)

// A study is an excerpt with the tables that are made of it.
type study struct {
	excerpt
	// counts are the papers' cells: PUMA, race, sex, ownership and income.
	counts *table
	// ages has the age in years besides, for k-anonymity.
	ages *table
	// results are those of runs, by name, each at all of epsilons.
	results map[string][]measured
}

// newStudy reads an excerpt.
func newStudy(e excerpt, dir string) (*study, error) {
	if err := e.read(dir); err != nil {
		return nil, err
	}
	s := &study{excerpt: e, results: map[string][]measured{}}
	var err error
	if s.counts, err = newTable(s.people, s.histogramFeatures(asRich)...); err != nil {
		return nil, err
	}
	s.ages, err = newTable(s.people, pumaFeature(&s.excerpt), raceFeature, sexFeature, tenureFeature, yearsFeature, earnerFeature(asRich))
	return s, err
}

// histogramFeatures are those of the papers' histograms (Das et al. 2024, section 7).
func (s *study) histogramFeatures(t treatment) []feature {
	return []feature{pumaFeature(&s.excerpt), raceFeature, sexFeature, tenureFeature, earnerFeature(t)}
}

// A run is one mechanism as it is measured.
type run struct {
	name     string
	releases int                   // 0: repetitions
	table    func(s *study) *table // nil: countsOf
	make     func(t *table, label string, epsilon float64) (*sanitizer, error)
	only     string // the one excerpt; none: all
}

func countsOf(s *study) *table { return s.counts }
func agesOf(s *study) *table   { return s.ages }

// fewRepetitions are of k-anonymity: its published figures are multiples of 1/20, so that they are means over 20 releases, too, not over 200.
const fewRepetitions = 20

// What is measured besides the mechanisms that the papers' tables name.
const (
	statedGaussianName     = "Discrete Gaussian, variance 4/ε²"
	thresholdName          = "DP Suppression, Algorithm 2"
	rowSwappingName        = "DP Swapping of rows, Algorithm 4"
	wholeAnonymityName     = "DP k-anonymity, against all persons"
	untouchedName          = "DP Suppression, zeros untouched"
	roundedSuppressionName = "DP Suppression, zeros of noisy counts untouched"
	donorName              = "DP Swapping with donors, equation 2"
	oneDonorName           = "all swapped records copies of one"
)

var runs = []run{
	{name: laplaceName, make: (*table).laplace},
	{name: gaussianName, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.discreteGaussian(label, runVariance(epsilon))
	}},
	{name: statedGaussianName, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.discreteGaussian(label, statedVariance(epsilon))
	}},
	{name: suppressionName, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.dpSuppression(label, epsilon, defaultK)
	}},
	{name: thresholdName, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.noisyThreshold(label, epsilon, defaultK)
	}},
	{name: swappingName, make: (*table).cellSwapping},
	{name: rowSwappingName, make: (*table).rowSwapping},
	{name: anonymityName, releases: fewRepetitions, table: agesOf, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		g, err := t.dpKAnonymity(label, epsilon, defaultK)
		return g.ofSample(), err
	}},
	{name: wholeAnonymityName, releases: fewRepetitions, table: agesOf, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		g, err := t.dpKAnonymity(label, epsilon, defaultK)
		return g.whole(), err
	}},
	{name: untouchedName, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		s, err := t.dpSuppression(label, epsilon, defaultK)
		if err != nil {
			return nil, err
		}
		return t.zerosUntouched(s), nil
	}},
	{name: roundedSuppressionName, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.roundedSuppression(label, epsilon, defaultK), nil
	}},
	{name: donorName, make: func(t *table, label string, epsilon float64) (*sanitizer, error) {
		return t.donorSwapping(label, epsilon, defaultRate)
	}},
	{name: oneDonorName, only: "ma", make: func(t *table, label string, _ float64) (*sanitizer, error) {
		return t.oneDonor(label, defaultRate, t.cellOfAbout(impliedDonor)), nil
	}},
}

// measureAll measures all runs of all studies.
func measureAll(ctx context.Context, studies []*study) error {
	type job struct {
		study   *study
		run     run
		epsilon int
	}
	var jobs []job
	for _, s := range studies {
		for _, r := range runs {
			if r.only != "" && r.only != s.id {
				continue
			}
			s.results[r.name] = make([]measured, len(epsilons))
			for i := range epsilons {
				jobs = append(jobs, job{s, r, i})
			}
		}
	}
	return each(ctx, len(jobs), func(i int) error {
		j := jobs[i]
		t, releases := j.study.counts, repetitions
		if j.run.table != nil {
			t = j.run.table(j.study)
		}
		if j.run.releases > 0 {
			releases = j.run.releases
		}
		sanitizer, err := j.run.make(t, fmt.Sprintf("%s/%s/%g", j.study.id, j.run.name, epsilons[j.epsilon]), epsilons[j.epsilon])
		if err != nil {
			return err
		}
		j.study.results[j.run.name][j.epsilon], err = t.measure(sanitizer, releases)
		return err
	})
}

// l1, alphas and variances are those of a run at all epsilons, as the papers have them: of the means of the releases.
func (s *study) l1(name string) []float64 {
	return s.figure(name, func(m measured) float64 { return m.L1Bias.Value })
}

func (s *study) alphas(name string) []float64 {
	return s.figure(name, func(m measured) float64 { return m.Alpha.Value })
}

func (s *study) variances(name string) []float64 {
	return s.figure(name, func(m measured) float64 { return m.MaxVariance.Value })
}

func (s *study) figure(name string, of func(measured) float64) []float64 {
	values := make([]float64, len(epsilons))
	for i, m := range s.results[name] {
		values[i] = of(m)
	}
	return values
}

// measurements is the table of everything that was measured on a study.
func (s *study) measurements() report.Table {
	t := report.Table{
		Caption: s.name + ": exact figures, and in brackets those of the means of 200 releases (k-anonymity: 20), which are too large on average because " +
			"they count what is left of the noise as bias. Published: Tables 1 to 3 of Zhu et al. 2023 (variance: Table 1 of Das et al. 2024).",
		Header: []string{"ε", "mechanism", "l1 bias", "published", "α", "published", "largest variance", "published"},
	}
	for i, e := range epsilons {
		for _, r := range runs {
			results, ok := s.results[r.name]
			if !ok {
				continue
			}
			t.Rows = append(t.Rows, s.measurement(r.name, i, fmt.Sprintf("%g", e), results[i]))
		}
	}
	return t
}

func (s *study) measurement(name string, at int, epsilon string, m measured) []string {
	row := []string{epsilon, name, "(" + short(m.L1Bias.Value) + ")", "", "(" + short(m.Alpha.Value) + ")", "", "(" + short(m.MaxVariance.Value) + ")", ""}
	if m.exact != nil {
		row[2] = short(m.exact.L1Bias) + " " + row[2]
		row[4] = short(m.exact.Alpha) + " " + row[4]
		row[6] = short(m.exact.MaxVariance) + " " + row[6]
	}
	if p, ok := zhu[s.id][name]; ok {
		row[3], row[5] = p.l1[at], p.alpha[at]
	}
	if p, ok := das[name]; ok && s.id == "ma" && (name == laplaceName || name == gaussianName) {
		row[7] = p.variance[at]
	}
	return row
}
