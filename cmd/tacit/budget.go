package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/books"
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

// readBudget has the lines of the policy's tables, with how quickly they are spent.
func readBudget(ctx context.Context, p *policy.Policy) ([]books.Line, error) {
	l, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return books.Read(ctx, l, p)
}

// addRates adds to the lines of tables how quickly they are spent.
func addRates(ctx context.Context, p *policy.Policy, lines []books.Line) error {
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
