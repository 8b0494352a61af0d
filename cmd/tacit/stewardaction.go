package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/user"
	"strings"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/acts"
)

// actionCommand completes the command for a kind of act: the flags for what it is about and why, and the write to the ledger. complete adds what is
// particular to the kind; it may be nil.
func actionCommand(cmd *cobra.Command, complete func(*acts.Request)) *cobra.Command {
	cmd.Args = noArguments
	path := policyFlag(cmd)
	table := cmd.Flags().StringP("table", "t", "", "the `name` of the table, schema.name (required)")
	reason := cmd.Flags().String("reason", "", "why; kept in the ledger for ever (required)")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		request := acts.Request{Kind: acts.Kind(cmd.Name()), Table: *table, Reason: *reason}
		if flag := cmd.Flags().Lookup("analyst"); flag != nil {
			request.Analyst = flag.Value.String()
		}
		if complete != nil {
			complete(&request)
		}
		a, err := newAct(p, request)
		if err != nil {
			return usageError{err}
		}
		if err := doAct(cmd.Context(), p, a); err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(a)
		}
		_, err = fmt.Fprintln(cmd.OutOrStdout(), a)
		return err
	})
	return cmd
}

// newAct checks a request, and names flags in what is wrong with it.
func newAct(p *policy.Policy, request acts.Request) (*acts.Act, error) {
	switch {
	case strings.TrimSpace(request.Reason) == "":
		return nil, errors.New("--reason TEXT is required: it is what others will know of this")
	case request.Table == "":
		return nil, errors.New("--table NAME is required")
	}
	a, err := acts.New(p, request)
	var field *acts.FieldError
	if errors.As(err, &field) {
		return nil, fmt.Errorf("--%w", err)
	}
	return a, err
}

// doAct writes an act to the ledger, in the name of the account that the command runs under.
func doAct(ctx context.Context, p *policy.Policy, a *acts.Act) error {
	by, err := user.Current()
	if err != nil {
		return fmt.Errorf("who does this is unknown: %w", err)
	}
	return a.Do(ctx, p.Ledger, by.Username, "")
}

func grantCommand() *cobra.Command {
	var epsilon, delta string
	var releases int64
	cmd := actionCommand(&cobra.Command{
		Use:   "grant --policy FILE --table NAME [--analyst NAME] --epsilon AMOUNT --reason TEXT",
		Short: "add to a table's budget, or to an analyst's cap on it",
		Long: `grant adds to the budget of a table in its present epoch, at once and in all proxies; with --analyst, to her cap on it. It promises the
people in the table less than before, and cannot be taken back. Delta that is granted is divided as the policy's is: in the same parts for thresholds
and for composition, and where the policy has none, all for composition. Thresholds that the policy's mechanism has no delta for stay closed.`,
	}, func(r *acts.Request) { r.Epsilon, r.Delta, r.Releases = epsilon, delta, releases })
	cmd.Flags().String("analyst", "", "her cap instead of the table's budget")
	cmd.Flags().StringVar(&epsilon, "epsilon", "0", "so much more epsilon")
	cmd.Flags().StringVar(&delta, "delta", "0", "so much more delta")
	cmd.Flags().Int64Var(&releases, "releases", 0, "so many more releases without a guarantee")
	return cmd
}

func freezeCommand() *cobra.Command {
	cmd := actionCommand(&cobra.Command{
		Use:   "freeze --policy FILE --table NAME [--analyst NAME] --reason TEXT",
		Short: "stop new releases of a table, or to an analyst",
		Long: `freeze has new counts of a table refused, by all proxies and at once; with --analyst, hers only. What was answered before, and what
follows from it, stays free. The analysts are told the reason. It holds until thawed.`,
	}, nil)
	cmd.Flags().String("analyst", "", "her new counts only")
	return cmd
}

func thawCommand() *cobra.Command {
	cmd := actionCommand(&cobra.Command{
		Use:   "thaw --policy FILE --table NAME [--analyst NAME] --reason TEXT",
		Short: "end a freeze",
		Long:  `thaw ends what freeze began, of the table, or of the analyst on it.`,
	}, nil)
	cmd.Flags().String("analyst", "", "the freeze of her counts")
	return cmd
}

func epochCommand() *cobra.Command {
	return actionCommand(&cobra.Command{
		Use:   "epoch --policy FILE --table NAME --reason TEXT",
		Short: "begin budgets anew, because the rows are about other people",
		Long: `epoch opens an epoch of a table whose rows were replaced by those of other people. Budgets begin anew, grants end, and answers
of former epochs are no longer repeated. It is not a way to get budget back: for somebody who is in the table before and
after, the losses of all epochs add up, and no number of the ledger says to how much. Epochs of audited tables are sealed
instead, by tacit seal.`,
	}, nil)
}
