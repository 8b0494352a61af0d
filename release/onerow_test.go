package release

import (
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
)

// The ward's people as a table whose persons have a name and one row each, but for number 1, who has two more that the bound leaves out: in
// other regions, of other ages.
const oneRowSchema = wardSchema + `
ALTER TABLE clinic.people DROP CONSTRAINT people_pkey;
ALTER TABLE clinic.people ALTER id DROP NOT NULL;
INSERT INTO clinic.people VALUES (1, 'south', 'F', 50, 'flu'), (1, 'east', 'F', 80, 'flu'), (NULL, 'north', 'F', 20, 'flu');
`

func oneRowPolicy() string {
	text := strings.Replace(wardPolicy, "person: row", "person: {column: id, rows: 1, groups: 1}", 1)
	return strings.Replace(text, "budget: {epsilon: 1000, delta: 1e-8}\n    derive: false", "budget: {epsilon: 1000, delta: 1e-8}", 1)
}

// TestOneRowIsARow fails if a table of one row for each person is charged, or answered, otherwise than one whose rows are persons: a threshold
// decides by the count that is asked for, and is charged once; the count of persons is that of rows; and coarser counts follow from
// finer ones.
func TestOneRowIsARow(t *testing.T) {
	w := newWardOf(t, oneRowSchema, oneRowPolicy())
	d := w.open()
	for _, c := range []struct {
		sql    string
		loss   accountant.Loss
		notice string
	}{
		{"SELECT illness, count(*), count(DISTINCT id) FROM clinic.people GROUP BY illness", accountant.Loss{Epsilon: 20e9, Delta: 1e9}, "each person counts for one row at most"},
		{"SELECT region, sex, count(*) FROM clinic.people GROUP BY region, sex", accountant.Loss{Epsilon: 20e9}, "charged epsilon 20"},
		{"SELECT sex, count(*) FROM clinic.people GROUP BY sex", accountant.Loss{}, "derived from release"},
		{"SELECT count(DISTINCT id) FROM clinic.people WHERE region = 'north'", accountant.Loss{}, "derived from release"},
	} {
		before := w.spent(d)
		_, receipt, err := w.ask(d, "ward_ana", c.sql)
		if err != nil || !strings.Contains(receipt.Notice(), c.notice) {
			t.Errorf("%s: %v, %v", c.sql, receipt, err)
		}
		after := w.spent(d)
		if spent := (accountant.Loss{Epsilon: after.Epsilon - before.Epsilon, Delta: after.Delta - before.Delta}); spent != c.loss {
			t.Errorf("%s: %v was charged, want %v", c.sql, spent, c.loss)
		}
	}
}

// TestOneRowOfAPerson fails if a person with three rows changes more than one cell, whatever the conditions are: in disjoint ones she would be
// counted more than once. With so little noise her one row is seen in exactly one of them.
func TestOneRowOfAPerson(t *testing.T) {
	w := newWardOf(t, oneRowSchema, oneRowPolicy())
	w.Exec("DELETE FROM clinic.people WHERE id <> 1 OR id IS NULL")
	d := w.open()
	sum := int64(0)
	for _, where := range []string{"age < 10", "age >= 10 AND age < 60", "age >= 60"} {
		cells, _, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.people WHERE "+where)
		if err != nil {
			t.Fatal(err)
		}
		sum += cells[0].Counts[0][0]
	}
	if sum != 1 {
		t.Errorf("a person counts %d times under disjoint conditions", sum)
	}
}

// TestOneRowKeepsTheThreshold asks with so much noise that counts beside a threshold's own would often be below it.
func TestOneRowKeepsTheThreshold(t *testing.T) {
	text := strings.Replace(oneRowPolicy(), "epsilon: 20, delta: 1e-9", "epsilon: 0.1, delta: 1e-9", 1)
	w := newWardOf(t, oneRowSchema, text)
	d := w.open()
	cells, receipt, err := w.ask(d, "ward_ana", "SELECT illness, count(*) FROM clinic.people GROUP BY illness")
	if err != nil {
		t.Fatal(err)
	}
	l := receipt.Lines[0]
	if l.Threshold == 0 || l.Charged != (accountant.Loss{Epsilon: policy.Epsilon(1e8), Delta: 1e9}) {
		t.Errorf("%+v", l)
	}
	for _, n := range cells[0].Counts[0] {
		if n < l.Threshold {
			t.Errorf("%d is shown below the threshold of %d", n, l.Threshold)
		}
	}
}
