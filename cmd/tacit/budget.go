package main

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
	"tacit/release/assess"
)

func budgetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "budget --policy FILE",
		Short: "show what was spent of each table's budget, and by whom; grant, freeze, thaw, open an epoch",
		Long: `budget reads the ledger, also while proxies run, and shows for each protected table and each analyst what was spent
in this epoch, the budget with all that was granted, and what is left of it. What was spent is the least bound that the table's rule of
composition proves of all releases together. Where the policy has a window, only what was charged in it counts against the
budget, and what was spent since the epoch began is shown beside it: a refresh does not restore privacy. Where it has blocks, a
table has spent what its fullest block has.

Where something was spent in the last 30 days, and the policy has neither window nor blocks, a note says how much a day, and how many
days the rest would last so. Analysts who spent nothing are left out unless --all is given.

Amounts are shown with four digits: what was spent is rounded up, and what is left down. --json has all digits. Releases
without a guarantee, and the risk of exact counts, are amounts of their own: no epsilon describes them.`,
		Args: func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) },
	}
	path := policyFlag(cmd)
	blocks := cmd.Flags().BoolP("blocks", "b", false, "also each block of a table that was charged")
	all := cmd.Flags().BoolP("all", "a", false, "also analysts who spent nothing")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		lines, err := readBudget(cmd.Context(), p)
		if err != nil {
			return err
		}
		if err := addRates(cmd.Context(), p, lines); err != nil {
			return err
		}
		warnOfHeadMismatch(cmd, p)
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(lines)
		}
		return printBudget(cmd.OutOrStdout(), lines, budgetView{blocks: *blocks, all: *all})
	})
	cmd.AddCommand(grantCommand(), freezeCommand(), thawCommand(), epochCommand())
	return cmd
}

// addRates adds to the lines of tables how quickly they are spent.
func addRates(ctx context.Context, p *policy.Policy, lines []budgetLine) error {
	rates, err := assess.Rates(ctx, p)
	if err != nil {
		return err
	}
	for i := range lines {
		name, err := policy.ParseTableName(lines[i].Table)
		if r, ok := rates[name]; err == nil && ok && lines[i].Analyst == "" {
			lines[i].Rate = &r
		}
	}
	return nil
}

// readBudget has a line for each table of the policy, and below it one for each analyst who was charged something or has a cap. Tables
// that the ledger knows and the policy does not come last.
func readBudget(ctx context.Context, p *policy.Policy) ([]budgetLine, error) {
	l, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	known, err := l.Charged(ctx)
	if err != nil {
		return nil, err
	}
	b := budgetReader{ctx: ctx, ledger: l, policy: p, charged: make(map[policy.TableName][]string)}
	for _, k := range known {
		b.charged[k.Table] = k.Analysts
	}
	for _, t := range p.Tables {
		b.table(t, release.Accounting(t))
	}
	for _, k := range known {
		if _, ok := p.Table(k.Table); !ok {
			b.table(nil, k.Accounting)
		}
	}
	return b.lines, b.err
}

// A budgetReader collects lines, until an error.
type budgetReader struct {
	ctx     context.Context
	ledger  *ledger.Reader
	policy  *policy.Policy
	charged map[policy.TableName][]string
	lines   []budgetLine
	err     error
}

// table adds a line for a table, one for each analyst of the policy who has a cap or was charged or is frozen, and one for those who are no
// longer in the policy.
func (b *budgetReader) table(t *policy.Table, a accountant.Accounting) {
	whole := b.standing(a, "", nil)
	b.lines = append(b.lines, newTableLine(t, a, whole))
	charged := make(map[string]bool)
	for _, name := range b.charged[a.Table] {
		charged[name] = true
	}
	for _, analyst := range b.policy.Analysts {
		limit := capOn(t, analyst.Budget)
		if s := b.standing(a, analyst.Name, limit); limit != nil || charged[analyst.Name] || s.Frozen != whole.Frozen {
			b.lines = append(b.lines, newAnalystLine(t, a, analyst.Name, limit, s))
		}
		delete(charged, analyst.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(charged)) {
		b.lines = append(b.lines, newAnalystLine(t, a, name, nil, b.standing(a, name, nil)))
	}
}

func (b *budgetReader) standing(a accountant.Accounting, analyst string, limit *policy.Budget) (s accountant.Balance) {
	if b.err == nil {
		s, b.err = b.ledger.Balance(b.ctx, a, analyst, limit)
	}
	return s
}

// capOn is what an analyst's cap says of a table: of an audited one its risk alone, as nothing else is charged there to analysts.
func capOn(t *policy.Table, limit *policy.Budget) *policy.Budget {
	if limit == nil || t == nil || t.Mechanism.Kind != policy.Audit {
		return limit
	}
	if limit.Risk == policy.NoRiskCap {
		return nil
	}
	return &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: limit.Risk}
}
