package disclosure

import (
	"context"
	"fmt"
	"math"

	"tacit/examples/papers/internal/report"
)

// An anonymityVariant is one way to read what the 2023 paper did for DP k-anonymity.
type anonymityVariant struct {
	name    string
	table   func(s *study) *table
	reading reading
	whole   bool // compared with all rows, not with those sampled
}

var anonymityVariants = []anonymityVariant{
	{name: "without the age, against the sample", table: countsOf},
	{name: "age in years, against all persons", table: agesOf, whole: true},
	{name: "age in years, against the sample (as in the tables)", table: agesOf},
	{name: "the same, ages drawn uniformly", table: agesOf, reading: reading{uniformAges: true}},
	{name: "the same, income a quasi-identifier", table: agesOf, reading: reading{incomeToo: true}},
	{name: "the same, both", table: agesOf, reading: reading{incomeToo: true, uniformAges: true}},
}

// anonymitySection tells which reading of k-anonymity gives the published figures.
func anonymitySection(ctx context.Context, studies []*study) (report.Section, error) {
	section := report.Section{
		ID: "disclosure-anonymity", Title: "DP k-anonymity: what was measured", Source: "Zhu et al. 2023, Tables 1-3, DP k-anonymity, and " +
			"Appendices B.3 and C.1",
		Intro: "The paper has two lists of features, does not say what the errors are differences from, nor which columns are quasi-identifiers. " +
			"The l1 biases decide.",
		Rule: "The published bias is compared with the least that the reading which the text suggests can have, without chance.",
	}
	for _, s := range studies {
		table, err := s.anonymityTable(ctx)
		if err != nil {
			return section, err
		}
		section.Tables = append(section.Tables, table)
		printed := number(zhu[s.id][anonymityName].l1[0])
		missing := float64(len(s.people)) * math.Exp(-epsilons[0])
		section.Rows = append(section.Rows, claimed(
			fmt.Sprintf("%s: the l1 bias at ε = 0.5 is %s", s.name, zhu[s.id][anonymityName].l1[0]),
			fmt.Sprintf("at least %s against all persons: those who are not sampled are missing", short(missing)), report.Holds(printed >= missing),
			"the published errors are those against the sampled rows: only then do they rise with ε"))
	}
	return section, nil
}

func (s *study) anonymityTable(ctx context.Context) (report.Table, error) {
	t := report.Table{Caption: s.name + ": l1 bias and α of the means of 20 releases", Header: append([]string{"reading"}, epsilonNames()...)}
	cells := make([][]string, len(anonymityVariants))
	for i := range cells {
		cells[i] = make([]string, len(epsilons))
	}
	err := each(ctx, len(anonymityVariants)*len(epsilons), func(job int) error {
		v, at := anonymityVariants[job/len(epsilons)], job%len(epsilons)
		table := v.table(s)
		g, err := table.dpKAnonymityRead(fmt.Sprintf("anonymity/%s/%s/%g", s.id, v.name, epsilons[at]), epsilons[at], defaultK, v.reading)
		if err != nil {
			return err
		}
		sanitizer := g.ofSample()
		if v.whole {
			sanitizer = g.whole()
		}
		m, err := table.measure(sanitizer, fewRepetitions)
		cells[job/len(epsilons)][at] = short(m.L1Bias.Value) + "; " + short(m.Alpha.Value)
		return err
	})
	published := []string{"published"}
	for i := range epsilons {
		published = append(published, zhu[s.id][anonymityName].l1[i]+"; "+zhu[s.id][anonymityName].alpha[i])
	}
	t.Rows = [][]string{published}
	for i, v := range anonymityVariants {
		t.Rows = append(t.Rows, append([]string{v.name}, cells[i]...))
	}
	return t, err
}
