package main

import (
	"strings"
	"testing"
)

// TestExactnessInPsql has an analyst say in psql how exact counts are to be: EXPLAIN tells the loss beforehand, the notice afterwards, a second session has
// the answer for free, and what the hints say works.
func TestExactnessInPsql(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{rule: "zcdp"})
	s.writePolicy(strings.Replace(readText(t, s.policy), "epsilon: 0.5", "epsilon: {least: 0.05, usual: 0.5, most: 1}", 1))
	s.serve()
	const bySex = "SELECT sex, count(*) FROM people GROUP BY sex;\n"
	out := s.mustPsql(s.url("ana"), "SHOW tacit.within;\nSET tacit.within = 25;\nEXPLAIN "+bySex+bySex+
		"BEGIN;\nSET LOCAL tacit.within = 9;\nEXPLAIN "+bySex+"COMMIT;\nSHOW tacit.within;\nRESET ALL;\nSHOW tacit.within;\n"+
		"PREPARE q AS "+bySex+"EXPLAIN EXECUTE q;\nSET tacit.within = 30;\nEXECUTE q;\n", "-At")
	for text, times := range map[string]int{
		"\n  Cost: epsilon 0.12\n": 2, "\n  Asked: within ±25 with probability 95% (tacit.within), for which epsilon 0.12 is the least that is charged\n  Expected Error: within ±25 ": 1,
		"; charged epsilon 0.12; ": 1, "\n  Cost: epsilon 0.32\n": 2, "within ±9 with probability 95%": 2, "\n  Cost: epsilon 0.5\n": 2, "off\n": 2, "\n25\n": 1,
		"free (answered ": 1,
	} {
		if strings.Count(out, text) != times {
			t.Errorf("psql shows %q %d times, want %d:\n%s", text, strings.Count(out, text), times, out)
		}
	}
	for _, c := range []struct{ script, want string }{
		{"SET tacit.within = 1;\n" + bySex, "no loss that the steward of table public.people allows has these counts within 1"},
		{"SET tacit.within = 1;\n" + bySex, "HINT:  Ask for that, or for less exact counts: SET tacit.within = 3"},
		{"SET tacit.within = '1000%';\n", `invalid value for parameter "tacit.within": "1000%"`},
		{"SET tacit.within = '2%';\n" + bySex, "; asked for 2% of "},
		{"SET tacit.within = '2%';\nSELECT count(*) FROM people;\nSHOW tacit.within;\nEXPLAIN " + bySex, "\n   Share: 2% of "},
		{"SET tacit.within = 25;\nSELECT avg(age) FROM people;\n", "tacit.within is for statements that only count rows or persons of table public.people"},
	} {
		if out, err := s.psql(s.url("ana"), c.script); !strings.Contains(out, c.want) {
			t.Errorf("%s: %v, %s; want %s", c.script, err, out, c.want)
		}
	}
	if out := s.mustPsql(s.url("ana"), "SET tacit.within = 3;\nEXPLAIN "+bySex, "-At"); !strings.Contains(out, "within ±3 with probability 95%") {
		t.Errorf("what the hint says:\n%s", out)
	}
	if out, _, status := run(t, "log", "--policy", s.policy); status != 0 || !strings.Contains(out, "0.12") {
		t.Errorf("the log:\n%s", out)
	}
	if _, stderr, status := run(t, "verify", "--policy", s.policy); status != 0 {
		t.Errorf("verify: %s", stderr)
	}
}
