package release

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tacit/rewrite/query"
)

// declaredPolicy declares ranges whose values are not listed. The person who is planted is beyond all of them.
var declaredPolicy = strings.NewReplacer("seen: {}", "seen: {range: [2024-01-15, 2024-02-29]}", "paid: {}", "paid: {range: ['2024-03-30 20:00', 2024-04-01], outside: null}",
	"admitted: {}", "admitted: {range: [2024-01-01, 2024-12-31]}", "age: {}", "age: {range: [0, 400000]}", "cost: {}", "cost: {range: [-2.5, 3.5], step: 0.5}",
	"ratio: {}", "ratio: {range: [0, 4.5]}, waited: {range: [0, 36h]}, slept: {range: [-1d, 30d], outside: null}, salary: {range: [0, 100000]}").Replace(knownPolicy)

// declaredSchema plants more persons with extreme values.
const declaredSchema = knownSchema + `
ALTER TABLE clinic.stays ADD waited interval, ADD slept interval, ADD salary numeric; ALTER TABLE clinic.planted ADD waited interval, ADD slept interval, ADD salary numeric;
UPDATE clinic.stays SET waited = make_interval(hours => id % 40), slept = make_interval(days => id % 31, secs => id % 7), salary = CASE id % 7 WHEN 0 THEN NULL WHEN 1 THEN 100000 ELSE id * 333.33 END;
UPDATE clinic.planted AS p SET waited = s.waited, slept = s.slept, salary = s.salary FROM clinic.stays AS s WHERE s.id = p.id;
INSERT INTO clinic.planted VALUES (-2, '4713-01-01 00:00:00 BC', '4713-01-01 00:00:00Z BC', '4713-01-01 BC', '', NULL, false, -2147483648, 1e-1000, 'NaN', 'a'),
  (-3, '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999Z', '5874897-12-31', NULL, true, false, 0, -1e1000, 1.7e308, NULL),
  (-4, '-infinity', 'infinity', '-infinity', NULL, NULL, false, 400000, NULL, 4.9e-324, NULL), (-5, NULL, NULL, '2024-02-20', NULL, NULL, true, 1, NULL, NULL, NULL);
UPDATE clinic.planted SET waited = '178956970 years 7 mons 2147483647 days', slept = '-178956970 years -8 mons', salary = 110000.5 WHERE id = -2;
UPDATE clinic.planted SET waited = '2147483647 mons -2147483647 days', slept = '-1200000 mons 36000015 days', salary = -1e-20 WHERE id = -3;
UPDATE clinic.planted SET waited = '-178000000 years', slept = '30 days 2147483647:59:59', salary = 'NaN' WHERE id = -4;
`

// declaredKeys are questions by keys that are computed of columns with ranges, and how many cells they have.
var declaredKeys = []struct {
	sql   string
	cells int
}{
	{"SELECT date_trunc('month', seen), count(*) FROM %s GROUP BY 1", 3},
	{"SELECT date_trunc('week', seen), count(*) FROM %s WHERE seen IS NOT NULL GROUP BY 1", 7},
	{"SELECT seen::date, count(*) FROM %s WHERE seen < '2024-02-01' GROUP BY 1", 17},
	{"SELECT extract(year FROM seen), extract(month FROM seen), count(*) FROM %s WHERE seen IS NOT NULL GROUP BY 1, 2", 2},
	{"SELECT to_char(seen, 'YYYY-MM'), active, count(*) FROM %s GROUP BY 1, 2", 9},
	{"SELECT date_trunc('day', paid, 'Asia/Tokyo'), count(*) FROM %s WHERE paid IS NOT NULL GROUP BY 1", 3},
	{"SELECT (paid AT TIME ZONE 'America/New_York')::date, count(*) FROM %s WHERE paid IS NOT NULL GROUP BY 1", 3},
	{"SELECT date_trunc('month', paid AT TIME ZONE 'UTC'), count(*) FROM %s WHERE paid IS NOT NULL GROUP BY 1", 2},
	{"SELECT age / 1000, count(*) FROM %s GROUP BY 1", 401},
	{"SELECT age / 100000 * 100000, count(*) FROM %s WHERE age < 200000 GROUP BY 1", 2},
	{"SELECT cost, count(*) FROM %s WHERE cost IS NOT NULL GROUP BY cost", 13},
	{"SELECT round(cost), count(*) FROM %s WHERE cost IS NOT NULL GROUP BY 1", 8},
	{"SELECT date_trunc('month', admitted::timestamp), count(*) FROM %s WHERE admitted < '2024-03-01' GROUP BY 1", 2},
	{"SELECT floor(salary / 10000), count(*) FROM %s GROUP BY 1", 12}, // 0 to 10 and NULL, and nothing beyond the range
	{"SELECT trunc(salary, -4), count(*) FROM %s GROUP BY 1", 12},
	{"SELECT floor(salary / 10000) * 10000, count(*) FROM %s GROUP BY 1", 12},
	{"SELECT ceil(salary / 30000), count(*) FROM %s GROUP BY 1", 6},
	{"SELECT (salary / 1000)::int, count(*) FROM %s GROUP BY 1", 102},
	{"SELECT floor(ratio)::int, count(*) FROM %s WHERE salary < 100 GROUP BY 1", 6},
}

// TestDeclaredRanges compares counts by keys of declared ranges with PostgreSQL's own, without noise, and asks them of a table with persons more
// whose values are beyond all ranges. It fails if a cell is missing that a row in the ranges has, if a threshold decides, or if these persons
// change which cells there are.
func TestDeclaredRanges(t *testing.T) {
	w := newWardOf(t, declaredSchema, declaredPolicy)
	d := w.open()
	for n, c := range declaredKeys {
		if testing.Short() && n%2 != 0 {
			continue
		}
		var keys [2][][]query.Value
		for i, table := range []string{"clinic.stays", "clinic.planted"} {
			sql := fmt.Sprintf(c.sql, table)
			cells, receipt, err := w.ask(d, "ward_ana", sql)
			if err != nil {
				t.Errorf("%s: %v", sql, err)
				continue
			}
			keys[i] = cells[0].Keys
			if n := len(cells[0].Counts[0]); n != c.cells || receipt.Lines[0].Threshold != 0 {
				t.Errorf("%s: %d cells, threshold %d\n%s", sql, n, receipt.Lines[0].Threshold, cellText(cells[0]))
			}
			truth := w.groups(fmt.Sprintf(c.sql, "clinic.stays"))
			for _, line := range strings.Split(strings.TrimSpace(cellText(cells[0])), "\n") {
				line = strings.TrimSpace(line)
				key, n := line[:strings.LastIndex(line, " ")], line[strings.LastIndex(line, " ")+1:]
				if want, ok := truth[key]; n != want && (ok || n != "0") && i == 0 {
					t.Errorf("%s: %s in cell %s, which has %s", sql, n, key, want)
				}
			}
		}
		if !slices.EqualFunc(keys[0], keys[1], slices.Equal[[]query.Value]) {
			t.Errorf("%s: %v, with a person more %v", c.sql, keys[0], keys[1])
		}
	}
}

// TestSumsOfDeclaredRanges asks for sums of times and numbers of both tables. It fails if values beyond the ranges, infinite ones or NaN make one
// fail, or change what is said.
func TestSumsOfDeclaredRanges(t *testing.T) {
	w := newWardOf(t, declaredSchema, declaredPolicy)
	d := w.open()
	for _, c := range []struct{ value, said string }{
		{"admitted - date '2024-01-01'", "beyond 0 to 365"},
		{"seen - '2024-01-15 00:00:00'", "beyond 0 to 3974400 count as the nearer end"},
		{"extract(epoch FROM seen - admitted)", "rounded to multiples of 3600"},
		{"seen - admitted", "rounded to multiples of 3600"},
		{"extract(epoch FROM paid - '2024-03-30 00:00:00Z')", "are left out"},
		{"extract(epoch FROM seen)", "rounded to multiples of"},
		{"extract(hour FROM seen)", "beyond 0 to 23"},
		{"seen::date - admitted", "beyond -351 to 60"},
		{"least(greatest(seen::date - admitted, 0), 30)", "beyond 0 to 30"},
		{"CASE WHEN fit THEN seen - admitted END", "rounded to multiples of 3600"},
		{"least(greatest(seen - admitted, interval '0'), '2 days')", "beyond 0 to 172800 count"},
		{"greatest(least(seen - admitted, '1 day 12:00:00'), '-02:00:00')", "beyond -7200 to 129600 count"},
		{"CASE WHEN seen - admitted > '1 day' THEN interval '1 day' ELSE interval '-3 hours' END", "beyond -10800 to 86400 count"},
		{"coalesce(seen - admitted, '0')", "rounded to multiples of 3600"},
		{"cost", "beyond -2.5 to 3.5 count"},
		{"cost * 2", "beyond -5 to 7 count"},
		{"round(cost, 1)", "beyond -2.5 to 3.5"},
		{"ratio", "beyond 0 to 4.5 count"},
		{"age", "beyond 0 to 400000 count"},
		{"waited", "beyond 0 to 129600 count"},
		{"extract(epoch FROM waited) / 3600", "beyond -0.0001 to 36.0001 count"},
		{"CASE WHEN fit THEN waited ELSE '1 day' END", "beyond 0 to 129600 count"},
		{"coalesce(waited, '3 days')", "beyond 0 to 259200 count"},
		{"least(waited, '2 days')", "count as the nearer end"},
		{"slept", "beyond -86400 to 2592000 are left out"},
		{"extract(day FROM slept)", "beyond"},
		{"age * 1000", "beyond 0 to 400000000 count"},
	} {
		var told [2]string
		for i, table := range []string{"clinic.stays", "clinic.planted"} {
			_, receipt, err := w.ask(d, "ward_ana", fmt.Sprintf("SELECT active, avg(%s), sum(%[1]s) FROM %s GROUP BY active", c.value, table))
			if err != nil {
				t.Errorf("%s: %v", c.value, err)
			} else {
				told[i] = strings.ReplaceAll(receipt.Notice(), table, "")
			}
			if !strings.Contains(told[i], c.said) {
				t.Errorf("%s: %s", c.value, told[i])
			}
		}
		if told[0] != told[1] {
			t.Errorf("%s: %s\nwith a person more %s", c.value, told[0], told[1])
		}
	}
}

// TestLocalUnitsAreAllKnown lists the keys of stretches of time in which zones change their clocks. It fails if one is missing that some minute of the
// stretch has, if there is another one, or if units are listed that may not all be met.
func TestLocalUnitsAreAllKnown(t *testing.T) {
	w := newWardOf(t, knownSchema, strings.Replace(knownPolicy, "paid: {}", "paid: {range: [1800-01-01, 2030-12-31]}", 1))
	d := w.open()
	for _, c := range []struct {
		key, first, last string
		unknown          bool
	}{
		{"date_trunc('hour', paid, 'Asia/Kathmandu')", "1985-12-31 10:07:00", "1986-01-01 20:00:00", false},
		{"date_trunc('hour', paid, 'Australia/Lord_Howe')", "2024-04-06 10:20:00", "2024-04-07 09:50:00", false},
		{"date_trunc('hour', paid AT TIME ZONE 'Australia/Lord_Howe')", "2023-09-30 10:20:00", "2023-10-01 09:50:00", false},
		{"date_trunc('hour', paid AT TIME ZONE 'Antarctica/Casey')", "2020-10-03 12:10:00", "2020-10-04 12:10:00", false},
		{"date_trunc('minute', paid AT TIME ZONE 'Antarctica/Casey')", "2020-10-03 15:10:00", "2020-10-03 17:10:00", false},
		{"(paid AT TIME ZONE 'America/St_Johns')::date", "2005-10-30 02:30:00", "2005-11-01 02:00:00", false},
		{"(paid AT TIME ZONE 'America/St_Johns')::date", "2005-10-30 02:30:00", "2005-10-30 02:45:00", false},
		{"(paid AT TIME ZONE 'Pacific/Apia')::date", "2011-12-29 02:30:00", "2012-01-02 02:00:00", false},
		{"date_trunc('day', paid, 'Asia/Manila')", "1844-12-28 00:00:00", "1845-01-03 00:00:00", false},
		{"date_trunc('day', paid, 'America/Juneau')", "1867-10-10 00:00:00", "1867-10-25 00:00:00", false},
		{"date_trunc('day', paid, 'Europe/Amsterdam')", "1937-06-29 00:00:00", "1937-07-03 00:00:00", false},
		{"date_trunc('hour', paid, 'Europe/Amsterdam')", "1937-06-29 00:00:00", "1937-07-03 00:00:00", true},
		{"date_trunc('day', paid, 'AAA0BBB-23,J100/0:30,J200/1')", "2020-04-01 00:00:00", "2020-05-01 00:00:00", true},
	} {
		cells, _, err := w.ask(d, "ward_ana", fmt.Sprintf("SELECT %s, count(*) FROM clinic.stays WHERE paid >= '%sZ' AND paid < '%sZ' GROUP BY 1", c.key, c.first, c.last))
		if c.unknown != (err != nil) {
			t.Errorf("%s from %s: %v", c.key, c.first, err)
		}
		if err != nil {
			continue
		}
		truth := w.groups(fmt.Sprintf("SELECT %s, count(*) FROM generate_series('%sZ'::timestamptz, '%sZ'::timestamptz - interval '1 minute', '1 minute') AS g(paid) GROUP BY 1",
			c.key, c.first, c.last))
		for _, v := range cells[0].Keys[0] {
			if _, ok := truth[v.Text]; !ok {
				t.Errorf("%s from %s: %s is listed, which no time has", c.key, c.first, v.Text)
			}
			delete(truth, v.Text)
		}
		if len(truth) > 0 {
			t.Errorf("%s from %s: not listed: %v", c.key, c.first, truth)
		}
	}
}

// TestStepsFitTypes fails if steps are declared that values of the column's type cannot be apart.
func TestStepsFitTypes(t *testing.T) {
	w := newWardOf(t, knownSchema, knownPolicy)
	d := w.open()
	text := strings.Replace(knownPolicy, "age: {}", "age: {range: [0, 10], step: 0.5}", 1)
	if err := d.Reload(t.Context(), w.Reparse(text)); err == nil || !strings.Contains(err.Error(), "integer has no values that are 0.5 apart") {
		t.Errorf("put in force: %v", err)
	}
}
