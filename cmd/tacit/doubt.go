package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/policy"
)

// warnOfDoubt says on stderr why what was read is not the newest state of the ledger, if its guard remembers a newer one. The command has
// read the ledger already: what keeps it from being read again is no news.
func warnOfDoubt(cmd *cobra.Command, p *policy.Policy) {
	ledger, err := accountant.OpenReadOnly(cmd.Context(), p.Ledger)
	if err != nil {
		return
	}
	defer ledger.Close()
	if doubt := ledger.Doubt(cmd.Context()); doubt != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", doubt)
	}
}
