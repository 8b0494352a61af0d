package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/user"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release"
	"tacit/release/books"
)

// A stewardAction is what a steward does to a table's budget, or to an analyst's part of it. The ledger keeps it, with who did it and why.
type stewardAction struct {
	Entry   int64          `json:"entry"`
	Act     string         `json:"act"`
	Table   string         `json:"table"`
	Analyst string         `json:"analyst,omitempty"`
	Granted *books.Amounts `json:"granted,omitempty"`
	Budget  *books.Amounts `json:"budget,omitempty"` // of a grant: what is raised, with all that was granted
	By      string         `json:"by"`
	Reason  string         `json:"reason"`

	table  *policy.Table
	to     policy.Budget // what a grant raises
	amount accountant.Loss
	raised accountant.Loss // to, with all that was granted
}

// An actionKind is what is particular to one kind of action.
type actionKind struct {
	// complete fills in the action from its flags, or says what is wrong with them; may be nil.
	complete func(*policy.Policy, *stewardAction) error
	// write puts it into the ledger.
	write func(context.Context, *ledger.Ledger, *stewardAction) (entry int64, err error)
}

// actionCommand completes the command for a kind of action: the flags for what it is about and why, and the write to the ledger.
func actionCommand(cmd *cobra.Command, k actionKind) *cobra.Command {
	cmd.Args = noArguments
	path := policyFlag(cmd)
	table := cmd.Flags().StringP("table", "t", "", "the `name` of the table, schema.name (required)")
	reason := cmd.Flags().String("reason", "", "why; kept in the ledger for ever (required)")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		a := &stewardAction{Act: cmd.Name(), Reason: strings.TrimSpace(*reason)}
		err := a.about(cmd, p, *table)
		if err == nil && k.complete != nil {
			err = k.complete(p, a)
		}
		if err != nil {
			return usageError{err}
		}
		if err := a.write(cmd.Context(), p, k); err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(a)
		}
		return a.print(cmd.OutOrStdout())
	})
	return cmd
}

// about finds the table and the analyst in the policy, and checks the reason.
func (a *stewardAction) about(cmd *cobra.Command, p *policy.Policy, table string) error {
	if err := checkReason(a.Reason); err != nil {
		return err
	}
	if table == "" {
		return errors.New("--table NAME is required")
	}
	name, err := policy.ParseTableName(table)
	if err != nil {
		return fmt.Errorf("--table: %w", err)
	}
	t, ok := p.Table(name)
	if !ok {
		return fmt.Errorf("--table: %v is no protected table of the policy", name)
	}
	a.table, a.Table = t, name.String()
	if flag := cmd.Flags().Lookup("analyst"); flag != nil {
		a.Analyst = flag.Value.String()
	}
	if _, ok := p.Analyst(a.Analyst); a.Analyst != "" && !ok {
		return fmt.Errorf("--analyst: %q is no analyst of the policy", a.Analyst)
	}
	return nil
}

// checkReason says what is wrong with a reason. It is kept for ever, and analysts' clients show it as it is.
func checkReason(reason string) error {
	const most = 500
	switch {
	case reason == "":
		return errors.New("--reason TEXT is required: it is what others will know of this")
	case !utf8.ValidString(reason):
		return errors.New("--reason: it is not UTF-8; write it in that encoding")
	case strings.ContainsFunc(reason, unicode.IsControl):
		return errors.New("--reason: it has line ends or other control characters; write one line of text")
	case utf8.RuneCountInString(reason) > most:
		return fmt.Errorf("--reason: it has more than %d characters; write where the rest can be found", most)
	}
	return nil
}

// write writes the action to the ledger. Proxies may run meanwhile.
func (a *stewardAction) write(ctx context.Context, p *policy.Policy, k actionKind) error {
	by, err := user.Current()
	if err != nil {
		return fmt.Errorf("who does this is unknown: %w", err)
	}
	a.By = by.Username
	l, err := ledger.Open(ctx, ledger.Options{Location: p.Ledger, Role: ledger.Steward, Existing: true})
	if err != nil {
		return err
	}
	a.Entry, err = k.write(ctx, l, a)
	return errors.Join(err, l.Close())
}

func (a *stewardAction) print(w io.Writer) error {
	what := map[string]string{"grant": "granted", "freeze": "frozen", "thaw": "thawed", "epoch": "opened an epoch"}[a.Act]
	if a.Granted != nil {
		what += " " + books.GrantText(a.amount)
	}
	of := a.Table
	if a.Analyst != "" {
		of = a.Analyst + " on " + of
	}
	if a.Budget != nil {
		of += ", which makes " + a.raised.String()
	}
	_, err := fmt.Fprintf(w, "%s: %s (entry %d of the ledger, by %s: %s)\n", what, of, a.Entry, a.By, terminal.OneLine(a.Reason))
	return err
}

// freeze is what the ledger keeps of a freeze or its end.
func (a *stewardAction) freeze() ledger.Freeze {
	return ledger.Freeze{Table: a.table.Name, Analyst: a.Analyst, By: a.By, Reason: a.Reason}
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
	}, actionKind{
		complete: func(p *policy.Policy, a *stewardAction) error { return a.grant(p, epsilon, delta, releases) },
		write:    writeGrant,
	})
	cmd.Flags().String("analyst", "", "her cap instead of the table's budget")
	cmd.Flags().StringVar(&epsilon, "epsilon", "0", "so much more epsilon")
	cmd.Flags().StringVar(&delta, "delta", "0", "so much more delta")
	cmd.Flags().Int64Var(&releases, "releases", 0, "so many more releases without a guarantee")
	return cmd
}

// grant reads the amounts, of which at least one adds something that the policy bounds.
func (a *stewardAction) grant(p *policy.Policy, epsilon, delta string, releases int64) error {
	e, err := policy.ParseEpsilon(epsilon)
	if err != nil {
		return fmt.Errorf("--epsilon: %w", err)
	}
	d, err := policy.ParseDelta(delta)
	if err != nil {
		return fmt.Errorf("--delta: %w", err)
	}
	a.amount = accountant.Loss{Epsilon: e, Delta: d, Releases: releases}
	switch {
	case e < 0 || d < 0 || releases < 0:
		return errors.New("what was granted cannot be taken back; lower the budget in the policy, or freeze the table")
	case a.amount == accountant.Loss{}:
		return errors.New("nothing is granted: give --epsilon, --delta or --releases")
	case a.table.Mechanism.Kind == policy.Audit:
		return fmt.Errorf("%s is audited: what its exact counts may risk is fixed with its first epoch", a.Table)
	}
	text := books.AmountsOf(a.amount)
	a.Granted = &text
	if a.Analyst == "" {
		a.to = a.table.Budget
		return a.checkUse()
	}
	analyst, _ := p.Analyst(a.Analyst)
	limit := analyst.Budget
	if limit == nil {
		return fmt.Errorf("%s has no cap of her own", a.Analyst)
	}
	if e > 0 && limit.Epsilon == policy.NoEpsilonCap || d > 0 && limit.Delta == policy.NoDeltaCap || releases > 0 && limit.Releases == policy.NoReleasesCap {
		return fmt.Errorf("the cap of %s does not bound that amount", a.Analyst)
	}
	a.to = *limit
	return a.checkUse()
}

// writeGrant writes a grant, and reads the new budget, so that the steward sees a mistyped amount.
func writeGrant(ctx context.Context, l *ledger.Ledger, a *stewardAction) (int64, error) {
	entry, err := l.Grant(ctx, ledger.Grant{
		Table: a.table.Name, Analyst: a.Analyst, To: a.to, Budget: policy.Budget(a.amount), By: a.By, Reason: a.Reason,
	})
	if err != nil {
		return 0, err
	}
	limit := &a.to
	if a.Analyst == "" {
		limit = nil
	}
	// The grant holds, whether the new budget can be read or not.
	if s, err := l.Balance(ctx, release.Accounting(a.table), a.Analyst, limit); err == nil {
		raised := &s.Budget
		if s.Cap != nil {
			raised = s.Cap
		}
		a.raised, a.Budget = accountant.Named(*raised), books.CappedAmounts(accountant.Loss(*raised), *raised)
	}
	return entry, nil
}

// checkUse refuses a grant of something that is never charged. A grant cannot be taken back, so such a grant is a mistake.
func (a *stewardAction) checkUse() error {
	budget, t := a.table.Budget, a.table
	switch {
	case a.amount.Releases > 0 && budget.Releases == 0:
		return fmt.Errorf("--releases: the policy gives %s no budget.releases, so that there is nothing to add to", a.Table)
	case a.amount.Epsilon > 0 && budget.Epsilon == 0:
		return fmt.Errorf("--epsilon: the policy gives %s no budget.epsilon, so that there is nothing to add to", a.Table)
	case a.amount.Delta > 0 && (budget.Epsilon == 0 || t.Composition == policy.BasicComposition && t.Mechanism.Delta == 0):
		return fmt.Errorf("--delta: nothing of %s is charged in delta; it would need mechanism.delta, or another budget.composition than basic", a.Table)
	}
	return nil
}

func freezeCommand() *cobra.Command {
	cmd := actionCommand(&cobra.Command{
		Use:   "freeze --policy FILE --table NAME [--analyst NAME] --reason TEXT",
		Short: "stop new releases of a table, or to an analyst",
		Long: `freeze has new counts of a table refused, by all proxies and at once; with --analyst, hers only. What was answered before, and what
follows from it, stays free. The analysts are told the reason. It holds until thawed.`,
	}, actionKind{write: func(ctx context.Context, l *ledger.Ledger, a *stewardAction) (int64, error) {
		return l.Freeze(ctx, a.freeze())
	}})
	cmd.Flags().String("analyst", "", "her new counts only")
	return cmd
}

func thawCommand() *cobra.Command {
	cmd := actionCommand(&cobra.Command{
		Use:   "thaw --policy FILE --table NAME [--analyst NAME] --reason TEXT",
		Short: "end a freeze",
		Long:  `thaw ends what freeze began, of the table, or of the analyst on it.`,
	}, actionKind{write: func(ctx context.Context, l *ledger.Ledger, a *stewardAction) (int64, error) {
		return l.Thaw(ctx, a.freeze())
	}})
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
	}, actionKind{
		complete: func(_ *policy.Policy, a *stewardAction) error {
			if a.table.Mechanism.Kind == policy.Audit {
				return fmt.Errorf("%s is audited: tacit seal opens its epochs", a.Table)
			}
			return nil
		},
		write: func(ctx context.Context, l *ledger.Ledger, a *stewardAction) (int64, error) {
			return l.OpenEpoch(ctx, a.table.Name, a.By, a.Reason)
		},
	})
}
