package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release"
)

func logCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "log --policy FILE",
		Short: "show who asked what, what came of it and what it cost",
		Long: `log reads the ledger, also while proxies run, and shows the statements about protected tables, oldest first: charged,
decided by an auditor at no cost, replayed from the ledger, derived from what is in it, or refused; and what stewards did, with the reason:
granted, frozen, thawed, epoch. Charges, decisions and stewards' acts are complete; statements that cost nothing are noted in the background and a crash
can lose the last of them. --refused groups the statements that were refused by their reason, the most frequent first: it is the
list of what analysts need and do not get.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	var asked logFilter
	cmd.Flags().StringVar(&asked.analyst, "analyst", "", "only statements of this `name`, and acts about it")
	cmd.Flags().StringVar(&asked.table, "table", "", "only what is about this `table`, schema.name")
	cmd.Flags().StringVar(&asked.verdict, "verdict", "", "only what was charged, decided, replayed, derived, refused, granted, frozen, thawed, or an epoch")
	cmd.Flags().StringVar(&asked.since, "since", "", "only the last `duration`, such as 12h or 30d")
	cmd.Flags().BoolVar(&asked.refused, "refused", false, "only refusals, grouped by their reason")
	cmd.Flags().IntVarP(&asked.limit, "limit", "n", 100, "at most so many, the newest; 0 is all")
	questions := cmd.Flags().BoolP("questions", "q", false, "also what each charged statement counted, with the values of parameters, and the numbers of auditors' events")
	asJSON := cmd.Flags().Bool("json", false, "print one JSON object per line")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		asked.all = asked.refused && !cmd.Flags().Changed("limit")
		filter, err := asked.parse(time.Now())
		if err != nil {
			return usageError{err}
		}
		l, err := ledger.OpenReadOnly(cmd.Context(), p.Ledger)
		if err != nil {
			return err
		}
		defer l.Close()
		entries, err := l.Log(cmd.Context(), filter)
		if err != nil {
			return err
		}
		if err := asked.known(p, filter); err != nil && len(entries) == 0 {
			return usageError{err}
		}
		// Replays and refusals are noted a moment later than charges.
		slices.SortFunc(entries, func(a, b ledger.Entry) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
		switch {
		case asked.refused && *asJSON:
			return printNeedsJSON(cmd.OutOrStdout(), ledger.Needs(entries))
		case asked.refused:
			return printNeeds(cmd.OutOrStdout(), ledger.Needs(entries))
		}
		if *asJSON {
			return printLogJSON(cmd.OutOrStdout(), entries)
		}
		return printLog(cmd.OutOrStdout(), entries, *questions)
	})
	return cmd
}

// A logFilter is what the command line says of the entries to be shown.
type logFilter struct {
	analyst, table, verdict, since string
	limit                          int
	// refused wants refusals alone, and all wants entries without a limit.
	refused, all bool
}

func (f logFilter) parse(now time.Time) (filter ledger.LogFilter, err error) {
	filter = ledger.LogFilter{Analyst: f.analyst, Verdict: ledger.Verdict(f.verdict), Limit: f.limit}
	if f.all {
		filter.Limit = 0
	}
	if f.refused {
		if f.verdict != "" && filter.Verdict != ledger.Refused {
			return filter, fmt.Errorf("--refused has only refusals, and --verdict asks for %s", f.verdict)
		}
		filter.Verdict = ledger.Refused
	}
	if f.table != "" {
		if filter.Table, err = policy.ParseTableName(f.table); err != nil {
			return filter, fmt.Errorf("--table: %w", err)
		}
	}
	if f.verdict != "" && !slices.Contains(verdicts, filter.Verdict) {
		return filter, fmt.Errorf("--verdict is %q; it is one of %v", f.verdict, verdicts)
	}
	if f.since != "" {
		since, err := policy.ParseDuration(f.since)
		if err != nil {
			return filter, fmt.Errorf("--since: %w; write a number with a unit: 30s, 5m, 12h or 30d", err)
		}
		filter.Since = now.Add(-since)
	}
	if f.limit < 0 {
		return filter, errors.New("--limit cannot be negative; 0 is all")
	}
	return filter, nil
}

// known returns an error if the policy has no such table or analyst. They can be in the ledger nevertheless, from a former policy; if there
// is nothing about them, it is more probably a slip than an answer.
func (f logFilter) known(p *policy.Policy, filter ledger.LogFilter) error {
	if _, ok := p.Table(filter.Table); f.table != "" && !ok {
		return fmt.Errorf("--table: nothing such is logged, and %v is no protected table of the policy", filter.Table)
	}
	if _, ok := p.Analyst(f.analyst); f.analyst != "" && f.analyst != release.Steward && !ok {
		return fmt.Errorf("--analyst: nothing such is logged, and %q is no analyst of the policy", f.analyst)
	}
	return nil
}

// verdicts are what can come of a statement, and what stewards do.
var verdicts = []ledger.Verdict{
	ledger.Charged, ledger.Decided, ledger.Replayed, ledger.Derived, ledger.Refused,
	ledger.Granted, ledger.Frozen, ledger.Thawed, ledger.Epoch,
}

func printLog(w io.Writer, entries []ledger.Entry, questions bool) error {
	table := [][]string{{"ENTRY", "TIME (UTC)", "ANALYST", "TABLE", "VERDICT", "LOSS", "STATEMENT"}}
	note := func(text string) {
		table = append(table, []string{"", "", "", "", "", "", "  " + terminal.OneLine(text)})
	}
	for _, e := range entries {
		table = append(table, []string{
			strconv.FormatInt(e.ID, 10), e.At.Format(time.DateTime), analystText(e), tableText(e.Table), verdictText(e), entryLoss(e), entryText(e),
		})
		if !questions {
			continue
		}
		for _, q := range e.Questions {
			note(q)
		}
		if e.Audit > 0 {
			note(fmt.Sprintf("event %d of the auditor: %s", e.Audit, e.Kind))
		}
	}
	return printAligned(w, table)
}

// analystText is who asked, or whom a steward's act is about; what is about nobody in particular is the steward's.
func analystText(e ledger.Entry) string {
	if e.By != "" && e.Analyst == "" {
		return release.Steward
	}
	return e.Analyst
}

func tableText(name policy.TableName) string {
	if name == (policy.TableName{}) {
		return "-"
	}
	return name.String()
}

func verdictText(e ledger.Entry) string {
	switch {
	case e.Verdict == ledger.Charged && !e.Recorded && (e.Audit == 0 || e.Kind == auditor.EventRound):
		return "charged, not answered"
	case e.SQLState != "":
		return string(e.Verdict) + " " + e.SQLState
	}
	return string(e.Verdict)
}

// entryLoss is what was charged. What was granted is no loss, and says so.
func entryLoss(e ledger.Entry) string {
	loss := e.Loss
	loss.Risk = loss.Risk.RoundUp(shownDigits)
	switch e.Verdict {
	case ledger.Charged:
		return loss.String()
	case ledger.Granted:
		return "(" + grantText(loss) + ")"
	default:
		return "-"
	}
}

// entryText is a statement, or who did what is in the log, and why.
func entryText(e ledger.Entry) string {
	if e.By != "" {
		return terminal.OneLine("by " + e.By + ": " + e.Reason)
	}
	return terminal.OneLine(e.SQL)
}

func printLogJSON(w io.Writer, entries []ledger.Entry) error {
	for _, e := range entries {
		line := struct {
			ID        int64     `json:"id"`
			At        time.Time `json:"at"`
			Analyst   string    `json:"analyst"`
			Table     string    `json:"table,omitempty"`
			Verdict   string    `json:"verdict"`
			Answered  bool      `json:"answered"`
			SQLState  string    `json:"sqlstate,omitempty"`
			Loss      *jsonLoss `json:"loss,omitempty"`
			Granted   *jsonLoss `json:"granted,omitempty"`
			Questions []string  `json:"questions,omitempty"`
			Event     int64     `json:"event,omitempty"`
			Kind      string    `json:"kind,omitempty"` // of the event
			By        string    `json:"by,omitempty"`   // the steward who did it
			Reason    string    `json:"reason,omitempty"`
			Statement string    `json:"statement"`
		}{ID: e.ID, At: e.At, Analyst: e.Analyst, Verdict: string(e.Verdict), SQLState: e.SQLState, Questions: e.Questions, Event: e.Audit, Kind: e.Kind,
			By: e.By, Reason: e.Reason, Statement: e.SQL}
		line.Answered = e.Verdict == ledger.Replayed || e.Verdict == ledger.Derived || e.Recorded
		if e.Table != (policy.TableName{}) {
			line.Table = e.Table.String()
		}
		amount := lossText(e.Loss)
		switch e.Verdict {
		case ledger.Charged:
			line.Loss = &amount
		case ledger.Granted:
			line.Granted = &amount
		default:
		}
		if err := printJSON(w, line); err != nil {
			return err
		}
	}
	return nil
}
