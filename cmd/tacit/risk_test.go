package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/release/assess"
	"tacit/risk"
)

// newClinic has the table of docs/risk.md: 500 patients in cells of about five.
func newClinic(t *testing.T, mechanism, columns string) *site {
	t.Helper()
	return newSite(t, siteOptions{
		extra: `CREATE FUNCTION pg_temp.draw(what text, n int) RETURNS int LANGUAGE sql AS $$ SELECT ('x' || substr(md5(what), 1, 6))::bit(24)::int % n $$;
			CREATE TABLE public.patients (id int PRIMARY KEY, region text NOT NULL, sex text NOT NULL, age int NOT NULL, diagnosis text NOT NULL, insurer text NOT NULL);
			INSERT INTO public.patients SELECT i, (ARRAY['north', 'south', 'east', 'west'])[1 + pg_temp.draw('region ' || i, 4)], (ARRAY['F', 'M'])[1 + pg_temp.draw('sex ' || i, 2)],
				20 + pg_temp.draw('age ' || i, 70), 'none', (ARRAY['state', 'private'])[1 + pg_temp.draw('insurer ' || i, 2)]
			FROM generate_series(1, 500) AS i;
			UPDATE public.patients SET diagnosis = (ARRAY['none', 'none', 'none', 'asthma', 'diabetes', 'cancer'])[
				1 + pg_temp.draw(CASE WHEN pg_temp.draw('alike ' || id, 4) = 0 THEN 'own ' || id ELSE region || sex || age / 5 END, 6)];`,
		tables: `  public.patients:
    person: row
    mechanism: {` + mechanism + `}
    budget: {epsilon: 20, delta: 1e-4, releases: 10}
    columns:
      region: {values: [north, south, east, west]}
      sex: {values: [F, M]}
      age: {range: [0, 119]}
      ` + columns + `
`,
	})
}

const (
	clinicMechanism = "kind: geometric, epsilon: 0.5"
	clinicColumns   = "diagnosis: {values: [none, asthma, diabetes, cancer]}\n      insurer: {values: [state, private]}"
)

// TestDocumentedRisk prints the risk that docs/risk.md shows, and draws it.
func TestDocumentedRisk(t *testing.T) {
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	dir := t.TempDir()
	picture, drawing := filepath.Join(dir, "risk.png"), filepath.Join(dir, "risk.svg")
	page := readText(t, "../../docs/risk.md")
	command := "tacit risk --policy policy.yaml --table patients --qi \"region, sex, age / 5\" --sensitive diagnosis --target 30% --svg risk.svg"
	parts := strings.Split(page, "```text\n$ "+command+"\n")
	if len(parts) != 2 {
		t.Fatalf("docs/risk.md has %d blocks that begin with\n$ %s", len(parts)-1, command)
	}
	want, _, _ := strings.Cut(parts[1], "```")
	stdout, stderr, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region, sex, age / 5", "--sensitive", "diagnosis", "--target", "30%",
		"--svg", drawing, "--png", picture)
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Errorf("docs/risk.md (-shows +is printed):\n%s", diff)
	}
	if status != 0 || !strings.Contains(stderr, "wrote "+picture) {
		t.Errorf("status %d, %s: today's risk is below the target", status, stderr)
	}
	checkPictures(t, drawing, picture)
	if keep := os.Getenv("RISK_PICTURES"); keep != "" {
		for _, path := range []string{drawing, picture} {
			if err := os.Rename(path, filepath.Join(keep, filepath.Base(path))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkPictures: both can be read, the SVG says in its text what a reader must know, and nobody but their owner may read either.
func checkPictures(t *testing.T, drawing, picture string) {
	t.Helper()
	for _, path := range []string{drawing, picture} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v: it shows what true counts come to", path, info.Mode())
		}
	}
	svg := readText(t, drawing)
	for _, text := range []string{"Risk that diagnosis becomes known", "today: 0.5", "target 30% of", "only noise, records:", "only noise, event by", "no noise, by size:", "epsilon of one answer", "disclosure risk", "not for publication"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the SVG does not say %q", text)
		}
	}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := png.Decode(bytes.NewReader([]byte(readText(t, picture)))); err != nil {
		t.Error(err)
	}
}

// riskJSON runs the command on the clinic and reads its JSON.
func riskJSON(t *testing.T, s *site, args ...string) jsonRisk {
	t.Helper()
	stdout, stderr, status := run(t, append([]string{"risk", "--policy", s.policy, "--table", "public.patients", "--json"}, args...)...)
	var r jsonRisk
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("status %d, %v: %s%s", status, err, stdout, stderr)
	}
	return r
}

func average(unweighted, weighted float64) risk.Average {
	return risk.Average{Unweighted: unweighted, Weighted: weighted}
}

// The figures of a table whose cells are known: all of one sex have cancer, all of the other have either of two labels. The local risk
// is computed here from the formula for geometric noise, b(n) = q^n/(1+q).
func TestRiskFigures(t *testing.T) {
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	s.exec(`DELETE FROM public.patients; INSERT INTO public.patients SELECT i, 'north', CASE WHEN i <= 3 THEN 'F' ELSE 'M' END, 30,
		CASE WHEN i <= 3 THEN 'cancer' WHEN i <= 8 THEN 'none' ELSE 'asthma' END, 'state' FROM generate_series(1, 10) AS i`)
	r := riskJSON(t, s, "--qi", "sex", "--sensitive", "diagnosis", "--target", "0.5")
	q := math.Exp(-0.5)
	b := func(n float64) float64 { return math.Pow(q, n) / (1 + q) }
	nobody := b(0) * b(0)
	homogeneous := (1 - b(3)) * nobody * b(0)
	none, asthma := (1-b(5))*b(2)*nobody, (1-b(2))*b(5)*nobody
	want := assess.Risk{
		Event:   average((homogeneous+none+asthma)/2, (3*homogeneous+7*(none+asthma))/10),
		Records: average((homogeneous+none*5/7+asthma*2/7)/2, (3*homogeneous+5*none+2*asthma)/10),
	}
	a := r.Attributes[0]
	if !near(*a.Today, want) {
		t.Errorf("today: %+v, want %+v", *a.Today, want)
	}
	if want := (risk.Description{
		All: risk.Group{Cells: 2, Records: 10}, Homogeneous: risk.Group{Cells: 1, Records: 3}, Heterogeneous: risk.Group{Cells: 1, Records: 7}, Smallest: 3, Mean: 5, Largest: 7,
	}); a.Cells != want {
		t.Errorf("cells: %+v, want %+v", a.Cells, want)
	}
	if floor := (assess.Risk{Event: average(1.5/16, 1.7/16), Records: average(1./16, 1./16)}); !near(*a.Floor, floor) {
		t.Errorf("floor: %+v, want %+v", *a.Floor, floor)
	}
	if ceiling := (assess.Risk{Event: average(0.5, 0.3), Records: average(0.5, 0.3)}); !near(*a.Ceiling, ceiling) {
		t.Errorf("ceiling: %+v, want %+v", *a.Ceiling, ceiling)
	}
	if a.BaseRate == nil || *a.BaseRate != 0.5 {
		t.Errorf("base rate %v: none is the label of 5 of 10", a.BaseRate)
	}
	if a.Labels != 4 || a.LabelsSeen != 3 || a.Keys != "declared" || len(a.Curve) != assess.CurvePoints {
		t.Errorf("%d labels, %d seen, keys %s, %d points", a.Labels, a.LabelsSeen, a.Keys, len(a.Curve))
	}
	if i := a.Inverse; i.Answer != "always" || !i.Proved || i.Low != 0.001 || i.High != 100 {
		t.Errorf("half of the cells are homogeneous, so that no epsilon exceeds 50%%: %+v", i)
	}
	if told := *a.Today.Homogeneous; math.Abs(told-homogeneous) > 1e-12 || *a.Floor.Homogeneous != 1./16 || *a.Ceiling.Homogeneous != 1 {
		t.Errorf("of the persons in homogeneous cells: %v between %v and %v, want %v", told, *a.Floor.Homogeneous, *a.Ceiling.Homogeneous, homogeneous)
	}
}

func near(a, b assess.Risk) bool {
	for _, pair := range [][2]risk.Average{{a.Event, b.Event}, {a.Records, b.Records}} {
		if math.Abs(pair[0].Unweighted-pair[1].Unweighted) > 1e-12 || math.Abs(pair[0].Weighted-pair[1].Weighted) > 1e-12 {
			return false
		}
	}
	return true
}

// The epsilon for a target is where the curve says, for each figure: at it that is at most the target, and a little above it is not. What is
// drawn does not matter.
func TestRiskInverse(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	policyText := readText(t, s.policy)
	found := map[float64]string{}
	for _, figure := range assess.RiskFigures {
		of := string(figure)
		s.writePolicy(string(policyText))
		target := []string{"--qi", "region,sex", "--qi", "age / 5", "--sensitive", "diagnosis", "--target", "30%", "--of", of}
		i := riskJSON(t, s, target...).Attributes[0].Inverse
		if i.Answer != "crossed" || i.Risk > 0.3 || i.Epsilon == nil {
			t.Fatalf("%s: %+v", of, i)
		}
		if other, twice := found[*i.Epsilon]; twice {
			t.Errorf("%s and %s have the same answer", of, other)
		}
		found[*i.Epsilon] = of
		if drawn := riskJSON(t, s, append(target, "--epsilon", "5:7")...).Attributes[0].Inverse; *drawn.Epsilon != *i.Epsilon {
			t.Errorf("%s: epsilon %v, and %v if another range is drawn", of, *i.Epsilon, *drawn.Epsilon)
		}
		for epsilon, exceeds := range map[float64]bool{*i.Epsilon: false, *i.Epsilon * 1.001: true} {
			s.writePolicy(strings.ReplaceAll(policyText, clinicMechanism, "kind: geometric, epsilon: "+figureDown(epsilon)))
			_, stderr, status := run(t, append([]string{"risk", "--policy", s.policy, "--table", "patients"}, target...)...)
			if exceeds != (status == 1) {
				t.Errorf("%s: at epsilon %v the status is %d, %s", of, epsilon, status, stderr)
			}
		}
	}
}

// A target below chance: no epsilon keeps it with every lower one, whatever is drawn, and the output says what else there is to do. Large
// cells of several labels keep it today: that is no permission.
func TestRiskTargetBelowChance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	for _, drawn := range []string{"0.0001:10", "0.5:20", "1:10"} {
		stdout, stderr, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region,sex", "--sensitive", "diagnosis", "--target", "6.01%", "--epsilon", drawn)
		text := strings.Join(strings.Fields(stdout), " ")
		if status != 0 {
			t.Errorf("--epsilon %s: status %d, %s", drawn, status, stderr)
		}
		shows(t, text,
			"RECORDS by size of at most 6.01%: today it is", "No epsilon keeps the target together with every lower one: as epsilon falls to 0, the figure tends to 6.25%, which is chance.",
			"Choose a target above that. What gives away more than chance, and is too much, needs other means than noise: coarser quasi-identifiers", "dp-suppression", "not to publish diagnosis together with region, sex",
			"It is at most the target from epsilon", "and not the noise.", "no reason for a larger epsilon", "Today's figures are not all above that", "hide their persons",
		)
		if strings.Contains(stdout, "HOMOGENEOUS") {
			t.Errorf("no cell is homogeneous, and yet they are spoken of:\n%s", stdout)
		}
		if outside := drawn == "1:10"; outside == strings.Contains(stdout, "| today") {
			t.Errorf("--epsilon %s: today is marked although it is outside, or not though it is inside:\n%s", drawn, stdout)
		}
	}
}

// figureDown writes an epsilon with nine decimals, rounded down.
func figureDown(e float64) string {
	text, _ := json.Marshal(math.Floor(e*1e9) / 1e9)
	return string(text)
}

// Each measure gives probabilities, and says what it lacks.
func TestRiskMeasures(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	keys := []string{"--qi", "region,sex,age / 5", "--sensitive", "diagnosis"}
	seen := map[float64]string{}
	for _, measure := range assess.MeasureNames() {
		a := riskJSON(t, s, append(keys, "--measure", measure)...).Attributes[0]
		risk := a.Today.Event.Unweighted
		if !(risk > 0.05 && risk < 0.6) {
			t.Errorf("%s: %v", measure, risk)
		}
		if other, twice := seen[risk]; twice {
			t.Errorf("%s and %s are the same, %v", measure, other, risk)
		}
		seen[risk] = measure
	}
	fitted := riskJSON(t, s, append(keys, "--measure", "marginal-shrinkage", "--target", "0.3")...)
	law := fitted.Attributes[0].Fitted
	if law == nil || law.Sizes == "" || len(law.Parameters) == 0 || len(law.Alpha) != 4 || fitted.Of != assess.RecordsFigure {
		t.Errorf("fitted: %+v, target of %q", law, fitted.Of)
	}
	stdout, _, _ := run(t, append([]string{"risk", "--policy", s.policy, "--table", "patients", "--measure", "marginal-shrinkage"}, keys...)...)
	if strings.Contains(stdout, "BY SIZE") || !strings.Contains(stdout, "Fitted: sizes of cells are") || !strings.Contains(stdout, "Dirichlet distribution with alpha") {
		t.Errorf("drawn sizes are no weights, and what was fitted must be shown:\n%s", stdout)
	}
	s.exec("UPDATE public.patients SET diagnosis = 'none'")
	_, stderr, status := run(t, append([]string{"risk", "--policy", s.policy, "--table", "patients", "--measure", "shrinkage"}, keys...)...)
	if status != 1 || !strings.Contains(stderr, "--measure shrinkage of diagnosis") || !strings.Contains(stderr, "use the local measure") {
		t.Errorf("shrinkage to one label: status %d, %s", status, stderr)
	}
}

// Several attributes: each by itself, and all together, which is at least the largest and at most the sum.
func TestRiskOfSeveralAttributes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	r := riskJSON(t, s, "--qi", "region,sex,age / 5", "--sensitive", "diagnosis,insurer")
	if len(r.Attributes) != 2 || r.Overall == nil {
		t.Fatalf("%d attributes, overall %v", len(r.Attributes), r.Overall)
	}
	one, other := r.Attributes[0].Today.Event.Unweighted, r.Attributes[1].Today.Event.Unweighted
	bounded, sum := r.Overall.Bounded.Event.Unweighted, r.Overall.Unbounded.Event.Unweighted
	if bounded < max(one, other)*(1-1e-12) || bounded > sum || math.Abs(sum-one-other) > 1e-12 {
		t.Errorf("%v and %v come to a largest of %v and a sum of %v", one, other, bounded, sum)
	}
	picture := filepath.Join(t.TempDir(), "two.png")
	stdout, stderr, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region,sex,age / 5", "--sensitive", "diagnosis,insurer", "--png", picture)
	if status != 0 || !strings.Contains(stdout, "ALL 2 ATTRIBUTES") || stderr != "wrote "+picture+", which is for the steward alone\n" {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if _, err := os.Stat(picture); err != nil {
		t.Error(err)
	}
}

// Kinds without a curve, or without a figure at all, say why, and describe the cells all the same.
func TestRiskOfOtherKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	for _, c := range []struct {
		mechanism      string
		status         int
		stdout, stderr string
	}{
		{"kind: suppression, k: 3, accept: no-guarantee", 0, "An answer is of kind suppression below 3", ""},
		{"kind: dp-suppression, k: 3, epsilon: 0.5", 0, "no noise", ""},
		{"kind: dp-swapping, epsilon: 1, quasi: [region], accept: no-guarantee", 1, "homogeneous", "moves persons between cells, so that no cell is shown or not by itself; tacit assess"},
		{"kind: dp-suppression-alg2, k: 3, epsilon: 1, accept: no-guarantee", 1, "homogeneous", "tacit assess has the risk of a question under it"},
		{"kind: gaussian, epsilon: 0.5, delta: 1e-6, calibration: classic", 0, "delta 1e-6", ""},
	} {
		s := newClinic(t, c.mechanism, clinicColumns)
		stdout, stderr, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region", "--sensitive", "diagnosis")
		if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s: status %d\n%s%s", c.mechanism, status, stdout, stderr)
		}
		if !strings.HasPrefix(stdout, assess.Notice) {
			t.Errorf("%s: the output does not say first that it is of true counts", c.mechanism)
		}
	}
}

// A picture that cannot be drawn costs no figures, and the output says why there is none.
func TestRiskWithoutCurve(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, "kind: suppression, k: 3, accept: no-guarantee", clinicColumns)
	picture := filepath.Join(t.TempDir(), "risk.svg")
	command := []string{"risk", "--policy", s.policy, "--table", "patients", "--qi", "region", "--sensitive", "diagnosis", "--svg", picture}
	stdout, stderr, status := run(t, command...)
	if status != 1 || !strings.Contains(stdout, "homogeneous") || !strings.Contains(stderr, "mechanism suppression has no epsilon, and so no curve") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	s.exec("DELETE FROM public.patients")
	s.writePolicy(strings.ReplaceAll(readText(t, s.policy), "kind: suppression, k: 3, accept: no-guarantee", clinicMechanism))
	stdout, stderr, status = run(t, command...)
	if status != 1 || !strings.Contains(stdout, "nothing to disclose") || !strings.Contains(stderr, "there are no persons in any cell, and so no curve") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
}

// A kind without epsilon has one figure, which a target may be of.
func TestRiskTargetWithoutEpsilon(t *testing.T) {
	t.Parallel()
	s := newClinic(t, "kind: suppression, k: 3, accept: no-guarantee", clinicColumns)
	stdout, stderr, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region,sex,age / 5", "--sensitive", "diagnosis", "--target", "1%")
	if status != 1 || !strings.Contains(stderr, "RECORDS by size of diagnosis is") || !strings.Contains(stdout, "There is no epsilon to choose.") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
}

// All kinds have curves that reach from one end of what a target is looked for in to the other.
func TestRiskTargetOfAllKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	for _, kind := range []string{
		"kind: laplace, epsilon: 1", "kind: gaussian, epsilon: 1, delta: 1e-6", "kind: gaussian, epsilon: 0.5, delta: 1e-6, calibration: classic",
		"kind: discrete-gaussian, epsilon: 1, delta: 1e-6", "kind: dp-suppression, k: 3, epsilon: 1", "kind: dp-suppression-eq2, k: 3, epsilon: 1, accept: no-guarantee",
	} {
		s := newClinic(t, kind, clinicColumns)
		i := riskJSON(t, s, "--qi", "region,sex,age / 5", "--sensitive", "diagnosis", "--target", "0.2").Attributes[0].Inverse
		if i == nil || !i.Proved {
			t.Errorf("%s: %+v", kind, i)
		}
	}
}

// Where a person may have several rows, it is not persons who are counted.
func TestRiskOfContributions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	s.exec("GRANT SELECT ON public.patients TO tacit_curator")
	s.writePolicy(strings.Replace(readText(t, s.policy), "public.patients:\n    person: row", "public.patients:\n    person: {column: id, rows: 3, groups: 2}", 1))
	command := []string{"risk", "--policy", s.policy, "--table", "patients", "--qi", "region", "--sensitive", "diagnosis"}
	for rows, want := range map[string]string{"--rows=false": "CONTRIBUTIONS", "--rows": "ROWS"} {
		stdout, stderr, status := run(t, append(command, rows)...)
		if status != 0 || !strings.Contains(stdout, want) || strings.Contains(stdout, "PERSONS") || !strings.Contains(stdout, "The table has 500 persons") {
			t.Errorf("%s: status %d, %s\n%s", rows, status, stderr, stdout)
		}
	}
}

// What analysts are shown if all is declared, but too much for one answer.
func TestRiskOfTooManyCombinations(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, clinicMechanism+", delta: 1e-6", clinicColumns)
	s.writePolicy(readText(t, s.policy) + "limits: {cells: 150}\n")
	stdout, stderr, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region,sex,age / 5", "--sensitive", "diagnosis")
	text := strings.Join(strings.Fields(stdout), " ")
	if status != 0 || !strings.Contains(text, "(limits.cells)") || !strings.Contains(text, "only combinations that pass a private threshold") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
}

// Who is in no cell is counted, and not among the figures.
func TestRiskOfUndeclaredValues(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, clinicMechanism, "diagnosis: {values: [asthma, diabetes, cancer]}")
	s.exec("UPDATE public.patients SET diagnosis = CASE WHEN id <= 100 THEN 'none' ELSE 'asthma' END")
	command := []string{"--qi", "region", "--sensitive", "diagnosis"}
	if a := riskJSON(t, s, command...).Attributes[0]; a.Undeclared != 100 || a.Cells.All.Records != 400 {
		t.Errorf("%d undeclared, %d in cells", a.Undeclared, a.Cells.All.Records)
	}
	stdout, _, _ := run(t, append([]string{"risk", "--policy", s.policy, "--table", "patients"}, command...)...)
	if !strings.Contains(stdout, "In no cell, since a value is not declared: 100 persons (20% of all).") {
		t.Error(stdout)
	}
}

// A table that the curator may not read yet.
func TestRiskOfAnUnreadableTable(t *testing.T) {
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	s.exec("REVOKE ALL ON public.patients FROM tacit_curator")
	_, stderr, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region", "--sensitive", "diagnosis")
	if status != 1 || !strings.Contains(stderr, "no SELECT on region, sex, age, diagnosis, insurer") || !strings.Contains(stderr, "tacit check --policy "+s.policy+" --sql") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// An empty table, and values that are not declared.
func TestRiskOfAnEmptyTable(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newClinic(t, clinicMechanism+", delta: 0", "diagnosis: {}")
	stdout, _, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region", "--sensitive", "diagnosis")
	if status != 0 || !strings.Contains(stdout, "Analysts are refused") || !strings.Contains(stdout, "Analysts who ask the question as it stands are told:") {
		t.Errorf("undeclared labels: status %d\n%s", status, stdout)
	}
	s.exec("DELETE FROM public.patients")
	stdout, stderr, status := run(t, "risk", "--policy", s.policy, "--table", "patients", "--qi", "region", "--sensitive", "diagnosis", "--target", "0.1")
	if status != 0 || !strings.Contains(stdout, "nothing to disclose. The target says nothing yet") {
		t.Errorf("no rows: status %d\n%s%s", status, stdout, stderr)
	}
}

// TestRiskCommandLine pins the errors of the command line, which need no server, with -short one in three.
func TestRiskCommandLine(t *testing.T) {
	t.Parallel()
	s := newClinic(t, clinicMechanism, clinicColumns)
	for i, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "--table TABLE is required"},
		{"--table beds", 2, `"beds" is not a protected table of the policy; there is public.people, public.patients`},
		{"--table patients", 2, "--qi COLUMN,... is required"},
		{"--table patients --qi sex", 2, "--sensitive COLUMN,... is required"},
		{"--table patients --qi sex,,age --sensitive diagnosis", 2, "nothing stands between two commas"},
		{"--table patients --qi sex --sensitive diagnosis --target 2", 2, `--target: "2" is not a risk`},
		{"--table patients --qi sex --sensitive diagnosis --epsilon 1", 2, "write a low and a high one, as 0.01:10"},
		{"--table patients --qi sex --sensitive diagnosis --epsilon 2:1", 2, "is not a range of epsilon"},
		{"--table patients --qi sex --sensitive diagnosis --measure mean", 2, "write one of local, expected"},
		{"--table patients --qi sex --sensitive diagnosis --sizes poisson", 2, "--sizes is for the measures marginal"},
		{"--table patients --qi sex --sensitive diagnosis --measure marginal --sizes normal", 2, "is no law of sizes"},
		{"--table patients --qi sex --sensitive diagnosis --of records", 2, "--of says which figure --target is of"},
		{"--table patients --qi sex --sensitive diagnosis --target 10% --of persons", 2, "write one of event, event-by-size, records, records-by-size"},
		{"--table patients --qi sex --sensitive diagnosis --target 10% --of event-by-size --measure marginal", 2, "has no average by size"},
		{"--table patients --qi 1 --sensitive diagnosis", 2, "--qi: 1 is a constant, not a column"},
		{"--table patients --qi sex --sensitive 'x'", 2, "--sensitive: 'x' is a constant"},
		{"--table patients --qi * --sensitive diagnosis", 2, "--qi: * is no column"},
		{"--table patients --qi sex,age,sex --sensitive diagnosis", 2, "--qi: sex is there twice"},
		{"--table patients --qi sex --sensitive sex", 2, "leave one of them out"},
		{"--table patients --qi weight --sensitive sex", 2, `column "weight" does not exist`},
		{"--table patients --qi id --sensitive sex", 2, "id"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		stdout, stderr, status := run(t, append([]string{"risk", "--policy", s.policy}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("risk %s: status %d, %q%q; want status %d and %q", c.args, status, stdout, stderr, c.status, c.want)
		}
	}
}

func TestSplitExpressions(t *testing.T) {
	got, err := assess.SplitExpressions("--qi", []string{"sex, date_part('year', born), \"a,b\"", "width_bucket(age, 0, 100, 5)"})
	want := []string{"sex", "date_part('year', born)", `"a,b"`, "width_bucket(age, 0, 100, 5)"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
