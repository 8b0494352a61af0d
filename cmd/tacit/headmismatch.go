package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tacit/accountant/ledger"
	"tacit/policy"
)

// warnOfHeadMismatch says on stderr why what was read is not the newest state of the ledger, if its guard remembers a newer one. It ignores
// a ledger that cannot be opened, since the command that calls it has read the ledger already.
func warnOfHeadMismatch(cmd *cobra.Command, p *policy.Policy) {
	l, err := ledger.OpenReadOnly(cmd.Context(), p.Ledger)
	if err != nil {
		return
	}
	defer l.Close()
	if mismatch := l.HeadMismatch(cmd.Context()); mismatch != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", mismatch)
	}
}
