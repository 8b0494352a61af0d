package main

import (
	"path/filepath"
	"regexp"
	"testing"
)

// TestAssessSums prints how exact averages are, as a table, as JSON and as a page. It fails if a part or a mechanism has no row, if today's is not
// marked, or if the page has markup of a name.
func TestAssessSums(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{extra: `CREATE TABLE public.visits (ward text NOT NULL, cost int NOT NULL);
		INSERT INTO public.visits SELECT 'ward ' || i % 4, i % 120 FROM pg_catalog.generate_series(1, 1200) AS i`,
		tables: `
  public.visits:
    person: row
    mechanism: {kind: laplace, epsilon: 1}
    budget: {epsilon: 100, delta: 1e-4}
    columns:
      ward: {values: [ward 0, ward 1, ward 2, ward 3]}
      cost: {range: [0, 100]}
`})
	path := filepath.Join(s.dir, "page.html")
	ask := []string{"assess", "--policy", s.policy, "--query", "SELECT ward, count(*), avg(cost) FROM visits GROUP BY ward"}
	text := output(t, append(ask, "--html", path)...)
	for _, want := range []string{
		`2 parts, which share the loss equally, over 4 declared cells; add-remove; today laplace, epsilon 1`,
		`1\. count\(\*\) FROM public.visits GROUP BY ward: counts from 300 to 300, median 300\.`,
		`rows with a number from 300 to 300, median 300; averages\s+from [0-9.]+\s+to\s+[0-9.]+`,
		`15\.8% of the\s+numbers\s+lie\s+beyond\s+0\s+to\s+100\s+and\s+count\s+as\s+the\s+nearer\s+end`,
		`(?m)^ +laplace +\*1 +1 +[0-9]+ +- +- +- +- +-$`,
		`(?m)^ +laplace +\*1 +2 +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +- +1$`,
		`(?m)^ +discrete-gaussian +1 +2 +[0-9]+ `,
		`(?m)^\* is today.s setting`,
		`DEVIATION ±95%`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	parsed := parsePage(t, readText(t, path))
	parsed.requireSelfContained(t)
	shows(t, parsed.text, "A statement with sums", "2 parts, which share the loss equally", "Average ±95%: largest cell")
	var a struct {
		Questions []any
		Joint     []struct {
			Cells      int
			Mechanisms []struct {
				Mechanism string
				Today     bool
				Parts     []struct{ Average *struct{ Median float64 } }
			}
		} `json:"joint_releases"`
	}
	fromJSON(t, output(t, append(ask, "--json")...), &a)
	if len(a.Questions) != 0 || len(a.Joint) != 1 || a.Joint[0].Cells != 4 || len(a.Joint[0].Mechanisms) != 4 {
		t.Fatalf("%+v", a)
	}
	for _, m := range a.Joint[0].Mechanisms {
		if m.Today != (m.Mechanism == "laplace") || len(m.Parts) != 2 || m.Parts[1].Average == nil || !(m.Parts[1].Average.Median > 0) {
			t.Errorf("%+v", m)
		}
	}
}
