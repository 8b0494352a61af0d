package main

import (
	"strings"
	"testing"
)

const growingTable = `
CREATE TABLE public.visits (day date NOT NULL, ward text NOT NULL);
INSERT INTO public.visits SELECT DATE '2026-01-01' + i % 40, 'a' FROM generate_series(1, 4000) AS i;
`

const growingTablePolicy = `
  public.visits:
    person: row
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 10, blocks: {column: day, by: day}}
    columns:
      day: {range: [2020-01-01, 2039-12-31]}
      ward: {values: [a, b]}
`

// TestGrowingTable has the steward told that a table may grow, and an analyst see in psql how old its answers are, and have new ones.
func TestGrowingTable(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{extra: growingTable, tables: growingTablePolicy})
	const note = "note: the declared range of public.visits.day has not ended"
	if out, _, status := run(t, "check", "--policy", s.policy); status != 0 || strings.Count(out, "the declared range of") != 1 || !strings.Contains(out, note) {
		t.Errorf("check exits with %d: %s", status, out)
	}
	s.serve()
	ask := func(last string) string {
		return "SELECT day, count(*) FROM visits WHERE day > date '" + last + "' - 30 AND day <= '" + last + "' GROUP BY day;\n"
	}
	out := s.mustPsql(s.url("ana"), "SET timezone = 'Asia/Tokyo';\n"+ask("2026-01-30")+ask("2026-01-30")+"EXPLAIN "+ask("2026-01-31")+ask("2026-01-31")+
		"SET tacit.fresh = on;\n"+ask("2026-01-31")+"RESET tacit.fresh;\nSET tacit.max_age = '1 day';\n"+ask("2026-01-31"), "-At")
	for text, times := range map[string]int{
		"; charged epsilon 0.5 to blocks ": 2, "; charged epsilon 0.5 to block ": 1, "the rest free (derived from release 1, answered ": 1,
		"; free (answered ": 2, "  Cost: free (derived from release 1, answered ": 1, " UTC": 0,
	} {
		if strings.Count(out, text) != times {
			t.Errorf("psql shows %q %d times, want %d:\n%s", text, strings.Count(out, text), times, out)
		}
	}
	s.writePolicy(readText(t, s.policy) + "    replay: 7d\n")
	if out, _, status := run(t, "check", "--policy", s.policy); status != 0 || strings.Contains(out, note) || strings.Contains(out, "public table") {
		t.Errorf("check exits with %d: %s", status, out)
	}
	// What is asked by a column whose range ends today is charged each day, but for blocks, whatever replay says.
	const moving = "note: the declared range of public.visits.day ends today, so that a count by it is another question on each day"
	today := strings.Replace(readText(t, s.policy), "2039-12-31]", "today]", 1)
	for text, want := range map[string]bool{today: false, strings.Replace(today, ", blocks: {column: day, by: day}", "", 1): true} {
		s.writePolicy(text)
		if out, _, status := run(t, "check", "--policy", s.policy); status != 0 || strings.Contains(out, note) || strings.Contains(out, moving) != want {
			t.Errorf("check exits with %d: %s", status, out)
		}
	}
	// Nor may an analyst be surprised by a public table that she cannot read.
	s.exec("REVOKE SELECT ON public.regions FROM bob")
	if out, _, status := run(t, "check", "--policy", s.policy); status != 0 || !strings.Contains(out, "note: not all analysts may read the public table public.regions") ||
		!strings.Contains(out, "GRANT SELECT ON public.regions TO bob;") {
		t.Errorf("check exits with %d: %s", status, out)
	}
}
