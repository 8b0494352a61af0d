package publish_test

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestPublishLarge measures publications of as many rows as the environment variable PUBLISH_ROWS says, of eight columns, end to end:
// read, sanitized, written, sorted and committed. The figures are in docs/publishing.md.
func TestPublishLarge(t *testing.T) {
	rows, err := strconv.Atoi(os.Getenv("PUBLISH_ROWS"))
	if err != nil {
		t.Skip("PUBLISH_ROWS, the number of rows to measure with, is not set")
	}
	w := newWardOf(t, strings.ReplaceAll(largeSchema, "{rows}", strconv.Itoa(rows)), largePolicy)
	for _, c := range w.Policy.Publications {
		begin := time.Now()
		made, err := w.publish(c.Name.String(), false)
		if err != nil {
			t.Fatalf("%v: %v", c.Name, err)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		t.Logf("%-18s %7.1f s, %d rows, %d classes, %d MB from the system so far", c.Kind, time.Since(begin).Seconds(), made.Rows, made.Classes, m.Sys/1e6)
		runtime.GC()
	}
}

const largeSchema = `
CREATE TABLE people AS SELECT (random() * 99)::int AS age, (ARRAY['F', 'M'])[1 + (random() * 1.9)::int % 2] AS sex, 'region ' || (random() * random() * 400)::int AS region,
  (random() * random() * 9)::int AS race, 'level ' || (random() * random() * 12)::int AS education, (random() * random() * 500000)::int AS income,
  CASE WHEN random() < 0.99 THEN (random() * 99)::int END AS hours, DATE '1990-01-01' + (random() * 10000)::int AS since FROM generate_series(1, {rows});
`

const largePolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://large_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
  publisher: postgres://large_publisher@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:large.db
auth: trust
analysts: {large_ana: {}}
tables:
  public.people:
    person: row
    mechanism: {kind: geometric, epsilon: 1}
    budget: {epsilon: 5, delta: 1e-3, releases: 6}
    columns: {age: {range: [0, 119]}, sex: {values: [F, M]}, region: {}, race: {range: [0, 9]}, education: {}, income: {}, hours: {range: [0, 99]}, since: {}}
publications:
  open.k10: {of: public.people, kind: k-anonymity, quasi: [age, sex, region, race], k: 10, accept: no-guarantee}
  open.drawn: {of: public.people, kind: dp-k-anonymity, quasi: [age, sex, region, race], k: 10, epsilon: 2, output: values, accept: no-guarantee}
  open.swapped: {of: public.people, kind: swapping, quasi: [age, sex, region, race], rate: 0.25, accept: no-guarantee}
  open.donors: {of: public.people, kind: dp-swapping-donor, quasi: [age, sex, region, race], rate: 0.25, epsilon: 10, accept: no-guarantee}
  open.responses: {of: public.people, kind: dp-swapping, quasi: [age, sex, race], epsilon: 2, accept: no-guarantee}
  open.safe: {of: public.people, kind: safe-k-anonymity, quasi: [age, sex, race], columns: [age, sex, race], k: 100, epsilon: 1, beta: 0.5, generalise: {age: 10, sex: 1, race: 1}}
`
