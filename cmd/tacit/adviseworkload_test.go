package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProposedWorkload has analysts ask, and the steward accept what is proposed: tacit check has nothing against
// it, and all else in the policy stays as it is.
func TestProposedWorkload(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{rule: "zcdp", budget: "30", mechanism: "delta: 1e-7"})
	s.serve()
	var asked []string
	for age := range 12 {
		asked = append(asked, fmt.Sprintf("SELECT sex, count(*) FROM people WHERE age = %d GROUP BY sex", age))
	}
	asked = append(asked, "SELECT region, count(*) FROM people WHERE sex = 'F' GROUP BY region", "SELECT region, sex, count(*) FROM people GROUP BY region, sex",
		"SELECT illness, count(*) FROM people GROUP BY illness")
	conn := s.connect("ana")
	mustRead(t, conn, asked...)

	picture := filepath.Join(s.dir, "workload.svg")
	out, stderr, status := run(t, "advise", "--policy", s.policy, "--workload", "--svg", picture)
	if status != 0 || !strings.Contains(out, "would have answered ") || !strings.Contains(out, "workload: {marginals: [") || !strings.Contains(out, "as exact in the mean of squares") {
		t.Fatalf("status %d\n%s%s", status, out, stderr)
	}
	drawn, err := os.ReadFile(picture)
	if err != nil || !strings.Contains(string(drawn), "age, sex") {
		t.Errorf("the picture: %v, %d bytes", err, len(drawn))
	}
	out, stderr, status = run(t, "advise", "--policy", s.policy, "--workload", "--table", "public.people", "--write", "--json")
	var made []struct {
		Table    string
		Asked    int
		Workload *struct {
			Declare   string
			Answers   int
			Cost      struct{ Epsilon, Delta string }
			Marginals []struct {
				Columns  []string
				Cells    int
				Within   float64 `json:"half_width_95_asked"`
				Measured float64 `json:"half_width_95_of_workload"`
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &made); err != nil || status != 0 || len(made) != 1 || made[0].Workload == nil {
		t.Fatalf("status %d, %v\n%s%s", status, err, out, stderr)
	}
	w := made[0].Workload
	if first := w.Marginals[0]; strings.Join(first.Columns, " ") != "age sex" || first.Cells != 300 || len(w.Marginals) != 2 && len(w.Marginals) != 1 {
		t.Errorf("%+v", w)
	}
	if made[0].Asked < w.Answers+1 {
		t.Errorf("%d asked, %d answered: keys that a threshold decides about follow from no workload", made[0].Asked, w.Answers)
	}
	text := readText(t, s.policy)
	if !strings.Contains(text, "    workload: "+w.Declare+"\n    mechanism: ") {
		t.Errorf("the policy:\n%s", text)
	}
	if out, _, status := run(t, "check", "--policy", s.policy); status != 0 || strings.Contains(out, "workload") {
		t.Errorf("check exits with %d:\n%s", status, out)
	}
	_, _, status = run(t, "advise", "--policy", s.policy, "--workload", "--write")
	if status != 2 {
		t.Errorf("--write without a table exits with %d", status)
	}
	if _, _, status := run(t, "advise", "--policy", s.policy, "--svg", picture); status != 2 {
		t.Errorf("--svg without --workload exits with %d", status)
	}
}
