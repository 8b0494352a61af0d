package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/assess"
)

func adviseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "advise --policy FILE",
		Short: "say which finer count would have answered most of what was asked",
		Long: `advise reads what was asked of each table in its present epoch, and names the single finer count from which most of it would have
followed for free, what that would have cost, and what it would have saved. It reads the ledger alone, also while proxies
run, and no protected row.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		advice, err := assess.Advise(cmd.Context(), p)
		if err != nil {
			return err
		}
		warnOfHeadMismatch(cmd, p)
		if *asJSON {
			if advice == nil {
				advice = []*assess.Advice{} // all tables are audited
			}
			return printJSON(cmd.OutOrStdout(), advice)
		}
		for _, a := range advice {
			for _, line := range a.Lines() {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), line); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return cmd
}
