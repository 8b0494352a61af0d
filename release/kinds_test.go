package release

import (
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
)

// kindsSchema has 9 persons in the north, of whom 2 are over 20, 4 in the south, and none in the east.
const kindsSchema = `
CREATE SCHEMA club;
CREATE TABLE club.members (region text NOT NULL, age integer NOT NULL, trade text NOT NULL);
INSERT INTO club.members SELECT 'north', 18 + i / 6, 'miller' FROM generate_series(1, 9) AS i;
INSERT INTO club.members SELECT 'south', 18, 'smith' FROM generate_series(1, 4) AS i;
`

// TestEachKindAnswers asks the same questions of each mechanism, with so little noise that the answers are certain but for a
// probability below 1e-40. With -short it is one mechanism in three.
func TestEachKindAnswers(t *testing.T) {
	const certain = "SELECT region, count(*) FROM club.members GROUP BY region"
	for i, c := range []struct {
		mechanism, budget string
		cells             string // north, south, east
		trades            string // unknown keys; empty: refused
		loss              accountant.Loss
		notice            string
	}{
		{"{kind: geometric, epsilon: 200}", "{epsilon: 900, delta: 1e-8}", "9 4 0", "miller 9 smith 4", accountant.Loss{Epsilon: 200e9},
			"geometric noise, each count within ±0 with probability 95%"},
		{"{kind: laplace, epsilon: 200, delta: 0}", "{epsilon: 900, delta: 1e-8}", "9 4 0", "", accountant.Loss{Epsilon: 200e9},
			"laplace noise, each count within ±0 with probability 95%"},
		{"{kind: gaussian, epsilon: 300, delta: 1e-9}", "{epsilon: 900, delta: 1e-8}", "9 4 0", "miller 9 smith 4", accountant.Loss{Epsilon: 300e9, Delta: 1e9},
			"gaussian noise, each count within ±0 with probability 95%"},
		{"{kind: discrete-gaussian, epsilon: 300, delta: 1e-9}", "{epsilon: 900, delta: 1e-8}", "9 4 0", "miller 9 smith 4", accountant.Loss{Epsilon: 300e9, Delta: 1e9},
			"discrete-gaussian noise, each count within ±0 with probability 95%"},
		{"{kind: dp-suppression, epsilon: 200, k: 5}", "{epsilon: 900, delta: 1e-8}", "9 NULL NULL", "miller 9", accountant.Loss{Epsilon: 200e9},
			"geometric noise, each count within ±0 with probability 95%; counts below 5 after noise are withheld (they are at most 4 with probability 95%); 2 of 3 counts are withheld"},
		{"{kind: suppression, k: 5, accept: no-guarantee}", "{releases: 4}", "9 NULL NULL", "miller 9", accountant.Loss{Releases: 1},
			"no guarantee: counts below 5 are withheld, all others are exact; 2 of 3 counts are withheld"},
		{"{kind: suppression, k: 5, fill: half, accept: no-guarantee}", "{releases: 4}", "9 2 2", "miller 9", accountant.Loss{Releases: 1},
			"no guarantee: counts below 5 are shown as 2 instead, all others are exact"},
		{"{kind: dp-suppression-eq2, epsilon: 500, k: 5, fill: 3, accept: no-guarantee}", "{releases: 4}", "9 3 3", "miller 9", accountant.Loss{Releases: 1},
			"no guarantee: counts that are below 5 after noise are shown as 3 instead, all others are exact"},
		{"{kind: dp-suppression-alg2, epsilon: 500, k: 8, accept: no-guarantee}", "{releases: 4}", "9 NULL NULL", "", accountant.Loss{Releases: 1},
			"no guarantee: counts below a noisy threshold near 8 are withheld (they are at most 8 with probability 95%), all others are exact; 2 of 3 counts are withheld"},
		{"{kind: dp-swapping, epsilon: 200, quasi: [region], accept: no-guarantee}", "{releases: 4}", "9 4 0", "", accountant.Loss{Releases: 1},
			"no guarantee: exact counts, moved at random between cells that differ only in keys made of quasi-identifiers"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(c.mechanism, func(t *testing.T) {
			w := newWardOf(t, kindsSchema, kindsPolicy(c.mechanism, c.budget))
			d := w.open()
			shown := func(sql string) string {
				return strings.Join(strings.Fields(w.cells(d, sql)), " ")
			}
			if got := shown(certain); !sameCells(got, c.cells) {
				t.Errorf("the cells are %s, want the counts %s", got, c.cells)
			}
			_, receipt, err := w.ask(d, "ward_ana", certain)
			if err != nil {
				t.Fatal(err)
			}
			if notice := undated(receipt.Notice()); !strings.HasPrefix(notice, "club.members: "+c.notice+"; free (answered before)") {
				t.Errorf("the notice is %s", notice)
			}
			if all := w.charged(d, policy.TableName{Schema: "club", Name: "members"}); all != c.loss {
				t.Errorf("%v was charged, want %v", all, c.loss)
			}
			if trades, _, err := w.ask(d, "ward_ana", "SELECT trade, count(*) FROM club.members GROUP BY trade"); c.trades == "" {
				if refusalCode(err) != "42501" {
					t.Errorf("unknown keys: %v", err)
				}
			} else if err != nil {
				t.Error(err)
			} else if got := strings.Join(strings.Fields(cellText(trades[0])), " "); got != c.trades {
				t.Errorf("unknown keys: %s, want %s", got, c.trades)
			}
		})
	}
}

// TestFilledTotals fails if totals of fill values pass for totals of counts, or if that is said where no total can hold any.
func TestFilledTotals(t *testing.T) {
	const fills = "fill values are added up"
	for i, c := range []struct {
		mechanism, budget, sql string
		notice                 string // on totals; none if empty
		want                   bool
	}{
		{"{kind: suppression, k: 5, fill: half, accept: no-guarantee}", "{releases: 4}", "count(*) FROM club.members GROUP BY ROLLUP (region)", "fill values are added up in totals;", true},
		{"{kind: dp-suppression, epsilon: 200, k: 5, fill: 3}", "{epsilon: 900}", "count(*) FROM club.members GROUP BY ROLLUP (region)", "fill values are added up in totals, with the noise of the rest;", true},
		{"{kind: suppression, k: 5, fill: half, accept: no-guarantee}", "{releases: 4}", "count(*) FROM club.members GROUP BY region", "", false},
		{"{kind: suppression, k: 5, accept: no-guarantee}", "{releases: 4}", "count(*) FROM club.members GROUP BY ROLLUP (region)", "totals leave out what is withheld;", false},
		{"{kind: suppression, k: 5, fill: half, accept: no-guarantee}", "{releases: 4}", "count(*) FROM club.members GROUP BY ROLLUP (trade)", "totals add up the cells that are shown;", false},
		{"{kind: suppression, k: 5, fill: half, accept: no-guarantee}", "{releases: 4}", "count(*) FILTER (WHERE age > 18) FROM club.members GROUP BY ROLLUP (trade)", "fill values are added up in totals;", true},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		w := newWardOf(t, kindsSchema, kindsPolicy(c.mechanism, c.budget))
		d := w.open()
		sql := "SELECT " + c.sql
		e, err := w.explain(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		text, err := e.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Join(e.Lines(), "\n"); strings.Contains(lines, "\n  Totals: "+fills+"\n") != c.want || strings.Contains(text, `"Fill Values in Totals": true`) != c.want {
			t.Errorf("%s, %s: it is explained as\n%s\n%s", c.mechanism, sql, lines, text)
		}
		_, receipt, err := w.ask(d, "ward_ana", sql)
		if err != nil {
			t.Fatal(err)
		}
		if notice := receipt.Notice(); !strings.Contains(notice, c.notice) || strings.Contains(notice, fills) != c.want {
			t.Errorf("%s, %s: the notice is %s", c.mechanism, sql, notice)
		}
	}
}

// kindsPolicy protects the members with a mechanism.
func kindsPolicy(mechanism, budget string) string {
	return `
listen: 127.0.0.1:0
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:tacit.db
auth: trust
analysts: {ward_ana: {}}
tables:
  club.members:
    person: row
    mechanism: ` + mechanism + `
    budget: ` + budget + `
    columns: {region: {values: [north, south, east]}, age: {range: [0, 99]}, trade: {}}
`
}

// sameCells compares the counts of cells of one key.
func sameCells(cells, counts string) bool {
	fields := strings.Fields(cells)
	var got []string
	for i := 1; i < len(fields); i += 2 {
		got = append(got, fields[i])
	}
	return strings.Join(got, " ") == counts
}
