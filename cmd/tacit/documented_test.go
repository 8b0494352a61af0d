package main

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
	"tacit/release/books"
)

// TestDocumentedCounts computes the steward's table of how many counts a budget is enough for.
func TestDocumentedCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	_, table, ok := strings.Cut(readText(t, "../../docs/steward.md"), "\n| epsilon of a count | sums | geometric, `pld` | discrete Gaussian, `pld` |\n")
	if !ok {
		t.Fatal("docs/steward.md has no such table")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile(`(?m)^\| ([0-9.]+) \| ([0-9,]+) \| ([0-9,]+) \| ([0-9,]+) \|$`).FindAllStringSubmatch(table, -1)
	if len(rows) < 4 {
		t.Fatalf("only %d rows in\n%s", len(rows), table)
	}
	for _, row := range rows {
		for i, mechanism := range []string{
			"mechanism: {kind: geometric, epsilon: %s, delta: 0}\n    budget: {epsilon: 5, delta: 1e-6, composition: basic}",
			"mechanism: {kind: geometric, epsilon: %s, delta: 0}\n    budget: {epsilon: 5, delta: 1e-6}",
			"mechanism: {kind: discrete-gaussian, epsilon: %s, delta: 1e-8}\n    budget: {epsilon: 5, delta: 1e-6, thresholds: 0}",
		} {
			want, err := strconv.Atoi(strings.ReplaceAll(row[i+2], ",", ""))
			if err != nil {
				t.Fatal(err)
			}
			if got := coveredCounts(t, fmt.Sprintf(mechanism, row[1])); got != want {
				t.Errorf("epsilon %s, column %d: the table says %d, and the budget is enough for %d", row[1], i+2, want, got)
			}
		}
	}
}

// coveredCounts is how many counts of a table with these keys its budget covers.
func coveredCounts(t *testing.T, keys string) int {
	t.Helper()
	p, err := policy.Parse("policy.yaml", fmt.Appendf(nil, `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@127.0.0.1:5432/x
  curator: postgres://tacit_curator@127.0.0.1:5432/x
ledger: sqlite:tacit.db
auth: trust
analysts: {ana: {}}
tables:
  public.people:
    person: row
    %s
`, keys))
	if err != nil {
		t.Fatal(err)
	}
	accounting := release.Accounting(p.Tables[0])
	filter, composer := accounting.Filter(), new(composition.Composer)
	return sort.Search(100_000, func(n int) bool {
		return !composer.Covers(filter, composition.Tally{accounting.Main: int64(n + 1)})
	})
}

// stewardBlock is the one block of docs/steward.md that begins so.
func stewardBlock(t *testing.T, begins string) string {
	t.Helper()
	parts := strings.Split(readText(t, "../../docs/steward.md"), "```text\n"+begins)
	if len(parts) != 2 {
		t.Fatalf("docs/steward.md has %d blocks that begin with %q", len(parts)-1, begins)
	}
	block, _, _ := strings.Cut(parts[1], "```")
	return begins + block
}

// TestDocumentedBudget prints the budget that the steward's page shows.
func TestDocumentedBudget(t *testing.T) {
	table, a := visits()
	table.Name.Schema, a.Table.Schema = "public", "public"
	spent := accountant.Loss{Epsilon: 1_309_400_000, Delta: 5e11}
	budget := policy.Budget{Epsilon: 4e9, Delta: 1e12}
	s := accountant.Balance{
		Epoch: 2, Budget: budget, Spent: spent, Left: spent.Remaining(budget), Lifetime: accountant.Loss{Epsilon: 3_869_600_000, Delta: 5e11},
	}
	limit := &policy.Budget{Epsilon: 1e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap}
	own := s
	own.Own, own.OwnLifetime, own.Cap, own.Frozen = accountant.Loss{Epsilon: 5e8, Delta: 5e11}, accountant.Loss{Epsilon: 5e8, Delta: 5e11}, limit, "please call about houses"
	var text bytes.Buffer
	if err := printBudget(&text, []books.Line{books.NewTableLine(table, a, s), books.NewAnalystLine(table, a, "ana", limit, own)}, budgetView{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stewardBlock(t, "TABLE "), text.String()); diff != "" {
		t.Errorf("docs/steward.md (-shows +is printed):\n%s", diff)
	}
}

// TestDocumentedVerification prints the proof that the steward's page shows.
func TestDocumentedVerification(t *testing.T) {
	want := stewardBlock(t, "ledger: ")
	head, err := journal.ParseMark(regexp.MustCompile(`(?m)^head: +(.*)$`).FindStringSubmatch(want)[1])
	if err != nil {
		t.Fatal(err)
	}
	found := &ledger.Verification{
		Ledger: "afb46e690ed2bb56f6ef3836433b2ae1", Entries: head.Entry, Head: head, Charges: 9120, Releases: 9118, Checkpoints: 4,
	}
	var text bytes.Buffer
	if err := (&ledgerProof{location: "sqlite:/var/lib/tacit/tacit.db", found: found}).print(&text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("docs/steward.md (-shows +is printed):\n%s", diff)
	}
}
