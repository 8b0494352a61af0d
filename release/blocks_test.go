package release

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/release/internal/site"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

const staysSchema = `
CREATE SCHEMA clinic;
CREATE TABLE clinic.regions (region text PRIMARY KEY, land text);
INSERT INTO clinic.regions VALUES ('a', 'up'), ('b', 'down');
CREATE TABLE clinic.stays (id int PRIMARY KEY, admitted date, age int NOT NULL, ward text NOT NULL);
INSERT INTO clinic.stays SELECT i, DATE '2026-01-01' + i % 120, i % 100, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END FROM generate_series(1, 500) AS i;
`

// staysPolicy gives each month of admission a budget of two questions.
const staysPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@%[1]s:%[2]d/%[3]s?sslmode=disable
  curator: postgres://ward_curator@%[1]s:%[2]d/%[3]s?sslmode=disable
ledger: sqlite:ward.db
auth: trust
analysts: {ward_ana: {}, ward_bob: {}}
public: [clinic.regions]
tables:
  clinic.stays:
    person: row
    mechanism: {kind: geometric, epsilon: 20}
    budget: {epsilon: 45, blocks: {column: admitted, by: month}}
    columns:
      admitted: {range: [2026-01-01, 2026-04-30]}
      age: {range: [0, 99]}
      ward: {values: [a, b]}
`

// TestBudgetByBlocks spends the budget of one month: what only other months can answer is still answered, and what might count the month is refused,
// with its name.
func TestBudgetByBlocks(t *testing.T) {
	w := newWardOf(t, staysSchema, staysPolicy)
	d := w.open()
	const january = "admitted BETWEEN '2026-01-01' AND '2026-01-31'"
	w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.stays WHERE "+january)
	w.mustAsk(d, "ward_ana", "SELECT ward, count(*) FROM clinic.stays WHERE "+january+" GROUP BY ward")
	for _, sql := range []string{
		"SELECT count(*) FROM clinic.stays WHERE age > 50 AND " + january,
		"SELECT count(*) FROM clinic.stays",
		"SELECT count(*) FROM clinic.stays WHERE admitted >= '2026-01-31'",
	} {
		_, _, err := w.ask(d, "ward_ana", sql)
		var r *pgerror.Refusal
		if !errors.As(err, &r) || r.Code != "53400" || !strings.Contains(r.Detail, "left for block 2026-01: epsilon 5.") || !strings.Contains(r.Hint, "other blocks") {
			t.Errorf("%s: %v", sql, err)
		}
		e, err := w.explain(d, "ward_ana", sql)
		if err != nil || e.Tables[0].Covered || !slices.Contains(e.Lines(), "  Covered: no (block 2026-01)") {
			t.Errorf("EXPLAIN %s: %v, %v", sql, e, err)
		}
	}
	for _, month := range []string{"2026-02", "2026-03"} {
		w.mustAsk(d, "ward_ana", fmt.Sprintf("SELECT count(*) FROM clinic.stays WHERE admitted BETWEEN '%[1]s-01' AND '%[1]s-28'", month))
	}
	w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.stays WHERE admitted BETWEEN '2026-02-01' AND '2026-04-30'")
	if _, _, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.stays WHERE age = 4 AND admitted = '2026-03-05'"); refusalCode(err) != "53400" {
		t.Errorf("a third question about March: %v", err)
	}
	w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.stays WHERE age = 4 AND admitted = '2026-04-05'")
}

// TestOpenConditions asks what may also be about values beyond the range, until their block is spent: it is refused with the way out of it, which
// helps.
func TestOpenConditions(t *testing.T) {
	w := newWardOf(t, staysSchema, staysPolicy)
	d := w.open()
	for _, day := range []string{"2026-02-01", "2026-03-01"} {
		w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.stays WHERE admitted >= '"+day+"'")
	}
	const beyond = "SELECT count(*) FROM clinic.stays WHERE age = 3 AND admitted > '2026-04-30'"
	_, _, err := w.ask(d, "ward_ana", beyond)
	var r *pgerror.Refusal
	if !errors.As(err, &r) || !strings.Contains(r.Detail, "left for block outside:") || !strings.HasPrefix(r.Hint, "Write both bounds in WHERE") {
		t.Errorf("a third question about values beyond the range: %v", err)
	}
	w.mustAsk(d, "ward_ana", "SELECT count(*) FROM clinic.stays WHERE admitted BETWEEN '2026-01-01' AND '2026-01-31'")
}

// TestBlocksAreTold asks about one month after the other. It fails if an analyst is told what is left of blocks that do not pay, or a reason for
// which nothing is covered.
func TestBlocksAreTold(t *testing.T) {
	w := newWardOf(t, staysSchema, staysPolicy)
	w.Policy.Analysts[1].Budget = &policy.Budget{Epsilon: 30e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap}
	d := w.open()
	const count, months = "SELECT count(*) FROM clinic.stays", " WHERE admitted BETWEEN '2026-%02d-01' AND '2026-%02d-28'"
	of := func(first, last int) string { return count + fmt.Sprintf(months, first, last) }
	for _, c := range []struct {
		analyst, sql, notice string
		explained            string // before
	}{
		{"ward_ana", of(1, 1), "charged epsilon 20 to block 2026-01; left for block 2026-01: table epsilon 25",
			"Blocks: 2026-01|Left: epsilon 45 for block 2026-01|Covered: yes"},
		{"ward_ana", of(1, 1) + " AND age < 40", "charged epsilon 20 to block 2026-01; left for block 2026-01: table epsilon 5",
			"Blocks: 2026-01|Left: epsilon 25 for block 2026-01|Covered: yes"},
		{"ward_bob", of(2, 2), "charged epsilon 20 to block 2026-02; left for block 2026-02: table epsilon 25, yours epsilon 10",
			"Blocks: 2026-02|Left: epsilon 45 for block 2026-02|Left of Yours: epsilon 30|Covered: yes"},
		{"ward_bob", of(1, 1), "free (answered before); left for block 2026-01: table epsilon 5, yours epsilon 30",
			"Blocks: 2026-01|Left: epsilon 5 for block 2026-01|Left of Yours: epsilon 30|Covered: yes"},
		{"ward_ana", of(2, 4), "charged epsilon 20 to blocks 2026-02, 2026-03, 2026-04; left for the fullest of them, 2026-02: table epsilon 5",
			"Blocks: 2026-02, 2026-03, 2026-04|Left: epsilon 25 for the fullest of them, 2026-02|Covered: yes"},
		{"ward_ana", fmt.Sprintf("SELECT count(*) FILTER (%s), count(*) FILTER (%s) FROM clinic.stays", of(3, 3)[len(count)+1:], of(4, 4)[len(count)+1:]),
			"charged epsilon 20 to blocks 2026-03, 2026-04; left for the fullest of them, 2026-03: table epsilon 5",
			"Blocks: 2026-03, 2026-04|Left: epsilon 25 for the fullest of them, 2026-03|Covered: yes"},
		{"ward_ana", count, "", "Blocks: all|Left: epsilon 5 for the fullest block, 2026-01|Covered: no (block 2026-01)"},
	} {
		e, err := w.explain(d, c.analyst, c.sql)
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.DeleteFunc(e.Tables[0].Lines()[1:], func(line string) bool { return strings.HasPrefix(line, "  Cost: ") })
		if got := strings.ReplaceAll(strings.TrimSpace(strings.Join(lines, "|")), "|  ", "|"); got != c.explained {
			t.Errorf("EXPLAIN %s: %s, want %s", c.sql, got, c.explained)
		}
		if c.notice == "" {
			continue
		}
		_, receipt, err := w.ask(d, c.analyst, c.sql)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(undated(receipt.Notice()), "; "+c.notice) {
			t.Errorf("%s: %s, want ... %s", c.sql, receipt.Notice(), c.notice)
		}
	}
	e, err := w.explain(d, "ward_bob", of(2, 3)+" AND age = 1")
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.JSON()
	text = strings.Join(strings.Fields(text), " ")
	for _, want := range []string{`"Blocks": [ "2026-02", "2026-03" ], "Fullest Block": "2026-02", "Left": {`, `"Left of Yours": { "Epsilon": "10" }`} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("no %s in %s, %v", want, text, err)
		}
	}
}

// TestChargedBlocksText names few blocks and counts many.
func TestChargedBlocksText(t *testing.T) {
	for _, c := range []struct {
		blocks        reply.ChargedBlocks
		text, fullest string
	}{
		{reply.ChargedBlocks{}, "all blocks", "every block"},
		{reply.ChargedBlocks{Fullest: "NULL"}, "all blocks", "the fullest block, NULL"},
		{reply.ChargedBlocks{Names: []string{"a", "b", "c", "d"}, Fullest: "d"}, "blocks a, b, c, d", "the fullest of them, d"},
		{reply.ChargedBlocks{Names: []string{"a", "b", "c", "d", "e"}, Fullest: "d"}, "blocks a, b, c and 2 others", "the fullest of them, d"},
	} {
		if c.blocks.String() != c.text || c.blocks.FullestText() != c.fullest {
			t.Errorf("%+v: %s, %s", c.blocks, c.blocks.String(), c.blocks.FullestText())
		}
	}
}

// TestBlocksOfPersons takes the part of one person after the other, of whatever month, of no month, and of months that nobody declared: who can
// change the true answer to a statement is in a block that is charged for it. Statements whose conditions do not prove otherwise are charged
// to all blocks.
func TestBlocksOfPersons(t *testing.T) {
	w := newWardOf(t, staysSchema, staysPolicy)
	d := w.open()
	admin := site.Connect(t, "postgres", w.Database)
	persons := map[string]string{ // where a person is, by the day
		"DATE '2026-01-31'": "2026-01", "DATE '2026-02-01'": "2026-02", "DATE '2026-03-15'": "2026-03", "DATE '2026-04-30'": "2026-04",
		"NULL": policy.NullBlock, "DATE '2025-12-31'": policy.OutsideBlock, "DATE '2026-05-01'": policy.OutsideBlock, "'infinity'": policy.OutsideBlock,
	}
	for _, c := range []struct {
		sql    string
		proven bool // that not all blocks are concerned
	}{
		{"SELECT count(*) FROM clinic.stays WHERE admitted < '2026-02-01'", true},
		{"SELECT count(*) FROM clinic.stays WHERE admitted = '2026-03-15' AND age > 3", true},
		{"SELECT ward, count(*) FROM clinic.stays WHERE admitted IN ('2026-01-31', '2026-04-30') GROUP BY ward", true},
		{"SELECT count(*) FROM clinic.stays WHERE admitted IS NULL", true},
		{"SELECT count(*) FROM clinic.stays WHERE NOT (admitted < '2026-04-01' OR admitted IS NULL)", true},
		{"SELECT count(*) FILTER (WHERE admitted >= '2026-04-01') FROM clinic.stays", true},
		{"SELECT count(*) FROM clinic.stays WHERE admitted BETWEEN '2026-01-15' AND '2026-02-15' AND admitted > '2026-02-01'", true},
		{"SELECT count(*) FROM clinic.stays s JOIN clinic.regions r ON r.region = s.ward WHERE s.admitted = '2026-01-31'", true},
		{"SELECT count(*) FROM clinic.stays", false},
		{"SELECT count(*) FROM clinic.stays WHERE admitted = '2026-01-31' OR age = 7", false},
		{"SELECT count(*) FROM clinic.stays WHERE (admitted = '2026-01-31') IS NOT TRUE", false},
		{"SELECT count(*) FROM clinic.stays WHERE age < 50", false},
		{"SELECT ward, count(*) FROM clinic.stays GROUP BY ward HAVING count(*) > 0", false},
		{"SELECT admitted, count(*) FROM clinic.stays GROUP BY admitted", false},
		{"SELECT count(*) FROM clinic.stays WHERE extract(month FROM admitted) = 1", false},
		{"SELECT count(*) FROM clinic.stays WHERE coalesce(admitted, '2026-01-31') = '2026-01-31'", false},
	} {
		charged := w.chargedBlocks(d, c.sql)
		if proven := charged != nil && len(charged) < len(w.Policy.Tables[0].Blocks.All()); proven != c.proven {
			t.Errorf("%s is charged to %v", c.sql, charged)
		}
		for day, block := range persons {
			if w.changes(admin, c.sql, "INSERT INTO clinic.stays VALUES (100001, "+day+", 7, 'a')") && charged != nil && !slices.Contains(charged, block) {
				t.Errorf("%s: a person of block %s changes the answer, and it is charged to %v", c.sql, block, charged)
			}
		}
	}
}

// chargedBlocks are what the first question of a statement would be charged to; nil for all.
func (w *ward) chargedBlocks(d *Gateway, sql string) []string {
	w.T.Helper()
	a, err := d.noisy.Plan(context.Background(), reply.Request{Analyst: "ward_ana", SQL: sql, Queries: []*query.BoundQuery{w.query(d, sql)}})
	if err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
	charges, _ := a.Charges(a.Tasks())
	return charges[0].Items[0].Blocks
}

// changes reports whether the true answer to a statement is another after an edit, which is taken back.
func (w *ward) changes(admin *pgx.Conn, sql, edit string) bool {
	w.T.Helper()
	ctx := context.Background()
	tx, err := admin.Begin(ctx)
	if err != nil {
		w.T.Fatal(err)
	}
	defer tx.Rollback(ctx)
	var before, after string
	truth := "SELECT coalesce(string_agg(t::text, ' ' ORDER BY t::text), '') FROM (" + sql + ") AS t"
	err = tx.QueryRow(ctx, truth).Scan(&before)
	if err == nil {
		_, err = tx.Exec(ctx, edit)
	}
	if err == nil {
		err = tx.QueryRow(ctx, truth).Scan(&after)
	}
	if err != nil {
		w.T.Fatalf("%s: %v", sql, err)
	}
	return before != after
}
