package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"tacit/examples/quickstart"
	"tacit/internal/demo"
	"tacit/policy"
)

// newQuickstart is the quickstart with another mechanism and budget for its tables.
func newQuickstart(t *testing.T, mechanism, budget string) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir(), addr: freeAddress(t)}
	if err := os.CopyFS(s.dir, quickstart.Files); err != nil {
		t.Fatal(err)
	}
	s.policy = filepath.Join(s.dir, "policy.yaml")
	text := readText(t, s.policy)
	s.clone("quickstart", func(database string) string {
		upstream := fmt.Sprintf("@%s:%d/%s?sslmode=disable", cluster.Host, cluster.Port, database)
		own := strings.NewReplacer("listen: 127.0.0.1:6432", "listen: "+s.addr, "@127.0.0.1:5432/quickstart", upstream).Replace(text)
		own = quasiOfEach(regexp.MustCompile(`(?m)^    mechanism: .*$`).ReplaceAllString(own, "    mechanism: "+mechanism))
		return regexp.MustCompile(`(?m)^    budget: .*$`).ReplaceAllString(own, "    budget: "+budget+"\n    derive: false")
	}, func() {
		if out, err := s.psql(cluster.URL("postgres", s.database), `\cd `+s.dir+"\n"+`\i schema.sql`, "-v", "ON_ERROR_STOP=1", "-q"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		s.harden()
		s.exec("GRANT SELECT ON public.classes TO ana, bob")
	})
	return s
}

// TestEachMechanismAnswersTheQuickstart asks the questions of the demonstration under each mechanism, with -short under one in three, with psql.
func TestEachMechanismAnswersTheQuickstart(t *testing.T) {
	t.Parallel()
	const dp, none = "{epsilon: 100, delta: 1e-3}", "{releases: 100}"
	for i, c := range []struct {
		mechanism, budget string
		says              string // in each notice
		refuses           string
	}{
		{"{kind: laplace, epsilon: 0.5}", dp, "laplace noise, each count within ±6 with probability 95%", ""},
		{"{kind: geometric, epsilon: 0.5, negative: keep}", dp, "geometric noise, each count within ±6 with probability 95%", ""},
		{"{kind: gaussian, epsilon: 0.5, delta: 1e-5}", dp, "gaussian noise, each count within ±", ""},
		{"{kind: gaussian, epsilon: 0.5, delta: 1e-5, calibration: classic}", dp, "gaussian noise, each count within ±19 with", ""},
		{"{kind: gaussian, epsilon: 0.5, delta: 1e-5, calibration: pdp}", dp, "gaussian noise, each count within ±", ""},
		{"{kind: discrete-gaussian, epsilon: 0.5, delta: 1e-5}", dp, "discrete-gaussian noise, each count within ±", ""},
		{"{kind: dp-suppression, epsilon: 0.5, k: 6, delta: 1e-5}", dp, "counts below 6 after noise are withheld", ""},
		{"{kind: suppression, k: 6, accept: no-guarantee}", none, "no guarantee: counts below 6 are withheld", ""},
		{"{kind: dp-suppression-eq2, epsilon: 0.5, k: 6, accept: no-guarantee}", none, "no guarantee: counts that are below 6 after noise", ""},
		{"{kind: dp-suppression-alg2, epsilon: 0.5, k: 6, fill: half, accept: no-guarantee}", none, "no guarantee: counts below a noisy threshold near 6 are shown as half", "the mechanism of table public.students is for declared keys only"},
		{"{kind: dp-swapping, epsilon: 2, quasi: [sex], accept: no-guarantee}", none, "no guarantee: exact counts, moved at random", "the mechanism of table public.students is for declared keys only"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(c.mechanism, func(t *testing.T) {
			t.Parallel()
			s := newQuickstart(t, c.mechanism, c.budget)
			server := s.serve()
			if warned := strings.Contains(server.logged(), "answers about this table have no privacy guarantee"); warned != strings.HasPrefix(c.says, "no guarantee") {
				t.Errorf("warned of mechanisms without a guarantee: %t", warned)
			}
			if out, _, status := run(t, "check", "--policy", s.policy); status != 0 || strings.Contains(out, "no privacy guarantee") != strings.HasPrefix(c.says, "no guarantee") {
				t.Errorf("check exits with %d: %s", status, out)
			}
			answered := 0
			for _, step := range demo.Steps {
				if step.Who != "ana" || strings.HasPrefix(step.Title, "Anything else") || strings.HasPrefix(step.Title, "Ordinary") ||
					strings.Contains(strings.Join(step.Lines, " "), "FROM carriers") { // whose mechanism stays what it is
					continue
				}
				out := s.mustPsql(s.url("ana"), strings.Join(step.Lines, "\n"), "-v", "ON_ERROR_STOP=0")
				if strings.Contains(out, "ERROR") {
					if c.refuses != "" && strings.Contains(out, c.refuses) {
						continue
					}
					t.Errorf("%s\n%s", step.Title, out)
				}
				answered += strings.Count(out, c.says)
				for _, notice := range regexp.MustCompile(`(?m)^NOTICE: .*$`).FindAllString(out, -1) {
					if !strings.Contains(notice, c.says) {
						t.Errorf("%s\n%s", step.Title, notice)
					}
				}
			}
			if answered < 8 {
				t.Errorf("%d answers with a notice", answered)
			}
		})
	}
}

// quasiOfEach gives each table of the quickstart a quasi-identifier that it has.
func quasiOfEach(text string) string {
	before, after, _ := strings.Cut(text, "public.admissions:")
	return before + "public.admissions:" + strings.Replace(after, "quasi: [sex]", "quasi: [gender]", 1)
}

// TestAssess compares the mechanisms on a question, as a table and as JSON.
func TestAssess(t *testing.T) {
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10, delta: 1e-5}")
	const sql = "SELECT class, sex, age, count(*) FROM titanic GROUP BY class, sex, age"
	table := output(t, "assess", "--policy", s.policy, "--query", sql, "--epsilon", "0.5,1", "--quasi", "sex")
	for _, k := range policy.Kinds {
		want := 2
		if k == policy.Suppression {
			want = 1
		}
		if got := len(regexp.MustCompile(`(?m)^ *`+string(k)+` `).FindAllString(table, -1)); got != want {
			t.Errorf("%d rows of %s instead of %d in\n%s", got, k, want, table)
		}
	}
	if !strings.Contains(table, "16 declared cells, 2 of them empty; counts up to 862, 2201 persons in all; add-remove") {
		t.Error(table)
	}
	text := output(t, "assess", "--policy", s.policy, "--query", sql, "--epsilon", "1", "--quasi", "sex", "--json")
	var a jsonAssessment
	fromJSON(t, text, &a)
	if a.Table != "public.titanic" || len(a.Questions) != 1 || a.Questions[0].Cells != 16 {
		t.Fatalf("%+v", a)
	}
	for _, m := range a.Questions[0].Mechanisms {
		if m.Mechanism == "geometric" {
			// Two empty cells: a/(1-a^2) each, a = exp(-1). The other counts are 1 or more.
			alpha := math.Exp(-1) / (1 - math.Exp(-2))
			if math.Abs(m.Alpha-alpha) > 1e-9 || *m.Epsilon != 1 || m.Delta != 0 || !m.Guaranteed {
				t.Errorf("geometric: %+v, want alpha %v", m, alpha)
			}
		}
		if m.Mechanism == "suppression" && (m.Guaranteed || m.Delta != 1 || m.Epsilon != nil || m.Suppressed == 0) {
			t.Errorf("suppression: %+v", m)
		}
	}
	for i, wrong := range [][]string{
		{"--query", sql, "--quasi", "gender"}, {"--query", "SELECT * FROM titanic"}, {"--query", "SELECT count(*) FROM classes"}, {"--query", "SELECT count(*) FROM titanic WHERE sex = $1"},
	} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		if out, stderr, status := run(t, append([]string{"assess", "--policy", s.policy}, wrong...)...); status != 1 || out != "" || stderr == "" {
			t.Errorf("%q: status %d, %s%s", wrong, status, out, stderr)
		}
	}
	for i, wrong := range [][]string{nil, {"--query", sql, "--epsilon", "0"}, {"--query", sql, "--delta", "2"}, {"--query", sql, "--k", "-1"}} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		if _, stderr, status := run(t, append([]string{"assess", "--policy", s.policy}, wrong...)...); status != 2 || stderr == "" {
			t.Errorf("%q: status %d, %s", wrong, status, stderr)
		}
	}
	// The table's own mechanism is as the policy has it; a kind that cannot be made does not hide the others.
	own := newQuickstart(t, "{kind: dp-suppression-eq2, epsilon: 0.5, k: 6, fill: 0, bound: 862, accept: no-guarantee}", "{releases: 5}")
	text = output(t, "assess", "--policy", own.policy, "--query", sql, "--epsilon", "0.5,0.000000001", "--json", "--delta", "1e-18")
	a = jsonAssessment{}
	fromJSON(t, text, &a)
	problems := 0
	for _, m := range a.Questions[0].Mechanisms {
		if m.Problem != "" {
			problems++
			if !strings.Contains(m.Mechanism, "gaussian") {
				t.Errorf("%s: %s", m.Mechanism, m.Problem)
			}
			continue
		}
		if m.Mechanism == "dp-suppression-eq2" { // with the policy's bound
			if *m.Epsilon == 0.5 && !(m.Delta > 0.999 && m.Delta <= 1) || *m.Epsilon < 0.5 && !(m.Delta > 0.4 && m.Delta < 0.6) {
				t.Errorf("%+v", m)
			}
		}
	}
	if problems != 2 {
		t.Errorf("%d mechanisms cannot be made", problems)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "tacit.db")); !os.IsNotExist(err) {
		t.Errorf("assess made a ledger: %v", err)
	}
}

// TestOtherAdjacency fails if check or serve keep silent about a table of which every new count will be refused, or warn of others.
func TestOtherAdjacency(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newQuickstart(t, "{kind: geometric, epsilon: 0.5}", "{epsilon: 10, delta: 1e-5}")
	const warning = "counted under another adjacency"
	server := s.serve()
	if out, err := s.psql(s.url("ana"), "SELECT count(*) FROM titanic"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if logged := server.logged(); strings.Contains(logged, warning) {
		t.Error(logged)
	}
	if err := server.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	text := readText(t, s.policy)
	s.writePolicy(strings.Replace(text, "    adjacency: add-remove\n", "    adjacency: replace-one\n", 1)) // of public.titanic
	out, _, status := run(t, "check", "--policy", s.policy)
	if status != 0 || strings.Count(out, warning) != 1 || !strings.Contains(out, "note: new counts of public.titanic are refused") {
		t.Errorf("check exits with %d: %s", status, out)
	}
	if logged := s.serve().logged(); strings.Count(logged, warning) != 1 || !strings.Contains(logged, "table=public.titanic") {
		t.Error(logged)
	}
}

// TestAssessUnfitted fails if figures of cells that are not fitted pass for those of a table that fits totals, or if it is said of
// questions whose cells nobody fits.
func TestAssessUnfitted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	fits := newQuickstart(t, "{kind: geometric, epsilon: 0.5, negative: keep, totals: least-squares}", "{epsilon: 10, delta: 1e-5}")
	sums := newQuickstart(t, "{kind: geometric, epsilon: 0.5, negative: keep}", "{epsilon: 10, delta: 1e-5}")
	for _, c := range []struct {
		of   *site
		by   string
		want bool
	}{
		{fits, "ROLLUP (class, sex)", true},
		{fits, "class, sex", false},
		{fits, "GROUPING SETS ((class, sex))", false},
		{sums, "ROLLUP (class, sex)", false},
	} {
		ask := []string{"assess", "--policy", c.of.policy, "--query", "SELECT class, sex, count(*) FROM titanic GROUP BY " + c.by}
		text, stderr, status := run(t, ask...)
		if status != 0 || strings.Contains(strings.Join(strings.Fields(text), " "), "the row of its own mechanism is for cells that are not fitted") != c.want {
			t.Errorf("%s: status %d, want the note %t\n%s%s", c.by, status, c.want, text, stderr)
		}
		var a jsonAssessment
		text = output(t, append(ask, "--json")...)
		fromJSON(t, text, &a)
		if len(a.Questions) != 1 || a.Questions[0].Unfitted != c.want {
			t.Errorf("%s: %s", c.by, text)
		}
	}
}
