package release

import (
	"strings"
	"testing"
)

// TestDistinctValuesAreClipped asks with so much noise that a count of different values is mostly above what is declared, or shown as 0: of 3
// regions, of 2 sexes, of the 9 combinations with NULL that a computed value can have. It fails if one is shown as more, or if the bound that is
// told is more than what is left. The first answer is shown so also when it is replayed. Seeded noise; of 60 counts with noise of
// scale 10,000, all are below 1 with a probability of about 2^-60.
func TestDistinctValuesAreClipped(t *testing.T) {
	w := newWardOf(t, wardSchema, strings.Replace(noisyWardPolicy(), "epsilon: 0.1,", "epsilon: 0.0001,", 1))
	d := w.open()
	for _, c := range []struct {
		sql   string
		most  int64
		bound string
	}{
		{"SELECT age, count(DISTINCT region) FROM clinic.people WHERE age < 60 GROUP BY age", 3, "each count of different values within ±3 with probability 95%, counted up to the 3 that are declared;"},
		{"SELECT age, count(DISTINCT sex) FROM clinic.people WHERE age < 60 GROUP BY age", 2, "within ±2 with probability 95%, counted up to the 2 that are declared;"},
		{"SELECT age, count(DISTINCT coalesce(sex, region)) FROM clinic.people WHERE age < 60 GROUP BY age", 9, "within ±9 with probability 95%, counted up to the 9 that are declared;"},
		{"SELECT age, count(DISTINCT region) FROM clinic.people WHERE age < 60 GROUP BY age ORDER BY 2", 3, "; all 60 counts at once within ±3, "},
	} {
		cells, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil {
			t.Fatal(err)
		}
		largest := int64(0)
		for _, n := range cells[0].Counts[0] {
			largest = max(largest, n)
		}
		if largest != c.most || !strings.Contains(receipt.Notice(), c.bound) {
			t.Errorf("%s: up to %d, want %d; %s", c.sql, largest, c.most, receipt.Notice())
		}
	}
	cells, receipt, err := w.ask(d, "ward_ana", "SELECT age, count(DISTINCT illness) FROM clinic.people WHERE age < 60 GROUP BY age")
	if err != nil || max(cells[0].Counts[0][0], cells[0].Counts[0][1], cells[0].Counts[0][2]) < 100 || strings.Contains(receipt.Notice(), "declared") {
		t.Errorf("of undeclared values: %v, %v, %v", cells, receipt, err)
	}
}
