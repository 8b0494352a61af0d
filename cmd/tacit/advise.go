package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/advice"
)

func adviseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "advise --policy FILE",
		Short: "say which finer count would have answered most of what was asked",
		Long: `advise reads what was asked of each table in its present epoch, and names the single finer count from which most of it would have
followed for free, what that would have cost, and what it would have saved. It reads the ledger alone, also while proxies
run, and no protected row.

With --workload it proposes what the policy could declare as the workload of a table instead: the groupings that were asked most, what one
measurement of all of them would have cost, and what errors the same questions would have had. --svg draws the errors, and --write puts the
workload of --table into the policy file; all else in the file stays as it is.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	var workload workloadFlags
	workload.add(cmd)
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		switch {
		case workload.wanted:
			return workload.propose(cmd, p, *asJSON)
		case workload != workloadFlags{}:
			return usageError{errors.New("--table, --epsilon, --delta, --svg and --write go with --workload")}
		}
		found, err := advice.Advise(cmd.Context(), p)
		if err != nil {
			return err
		}
		warnOfHeadMismatch(cmd, p)
		if *asJSON {
			if found == nil {
				found = []*advice.Advice{} // all tables are audited
			}
			return printJSON(cmd.OutOrStdout(), found)
		}
		for _, a := range found {
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
