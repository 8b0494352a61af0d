package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/auditor"
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
can lose the last of them.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	var asked logFilter
	cmd.Flags().StringVar(&asked.analyst, "analyst", "", "only statements of this `name`, and acts about it")
	cmd.Flags().StringVar(&asked.table, "table", "", "only what is about this `table`, schema.name")
	cmd.Flags().StringVar(&asked.verdict, "verdict", "", "only what was charged, decided, replayed, derived, refused, granted, frozen, thawed, or an epoch")
	cmd.Flags().StringVar(&asked.since, "since", "", "only the last `duration`, such as 12h or 30d")
	cmd.Flags().IntVarP(&asked.limit, "limit", "n", 100, "at most so many, the newest; 0 is all")
	questions := cmd.Flags().BoolP("questions", "q", false, "also what each charged statement counted, with the values of parameters, and the numbers of auditors' events")
	asJSON := cmd.Flags().Bool("json", false, "print one JSON object per line")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := loadPolicy(*path)
		if err != nil {
			return err
		}
		filter, err := asked.parse(time.Now())
		if err != nil {
			return usageError{err}
		}
		ledger, err := accountant.OpenReadOnly(cmd.Context(), p.Ledger)
		if err != nil {
			return err
		}
		defer ledger.Close()
		entries, err := ledger.Log(cmd.Context(), filter)
		if err != nil {
			return err
		}
		if err := asked.known(p, filter); err != nil && len(entries) == 0 {
			return usageError{err}
		}
		// Replays and refusals are noted a moment later than charges.
		slices.SortFunc(entries, func(a, b accountant.Entry) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
		if *asJSON {
			return printLogJSON(cmd.OutOrStdout(), entries)
		}
		return printLog(cmd.OutOrStdout(), entries, *questions)
	}
	return cmd
}

// A logFilter is what the command line says of the entries to be shown.
type logFilter struct {
	analyst, table, verdict, since string
	limit                          int
}

func (f logFilter) parse(now time.Time) (filter accountant.LogFilter, err error) {
	filter = accountant.LogFilter{Analyst: f.analyst, Verdict: accountant.Verdict(f.verdict), Limit: f.limit}
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
func (f logFilter) known(p *policy.Policy, filter accountant.LogFilter) error {
	if _, ok := p.Table(filter.Table); f.table != "" && !ok {
		return fmt.Errorf("--table: nothing such is logged, and %v is no protected table of the policy", filter.Table)
	}
	if _, ok := p.Analyst(f.analyst); f.analyst != "" && f.analyst != release.Steward && !ok {
		return fmt.Errorf("--analyst: nothing such is logged, and %q is no analyst of the policy", f.analyst)
	}
	return nil
}

// verdicts are what can come of a statement, and what stewards do.
var verdicts = []accountant.Verdict{
	accountant.Charged, accountant.Decided, accountant.Replayed, accountant.Derived, accountant.Refused,
	accountant.Granted, accountant.Frozen, accountant.Thawed, accountant.Epoch,
}

func printLog(w io.Writer, entries []accountant.Entry, questions bool) error {
	table := [][]string{{"ENTRY", "TIME (UTC)", "ANALYST", "TABLE", "VERDICT", "LOSS", "STATEMENT"}}
	note := func(text string) { table = append(table, []string{"", "", "", "", "", "", "  " + oneLine(text)}) }
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
func analystText(e accountant.Entry) string {
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

func verdictText(e accountant.Entry) string {
	switch {
	case e.Verdict == accountant.Charged && !e.Recorded && (e.Audit == 0 || e.Kind == auditor.EventRound):
		return "charged, not answered"
	case e.SQLState != "":
		return string(e.Verdict) + " " + e.SQLState
	}
	return string(e.Verdict)
}

// entryLoss is what was charged. What was granted is no loss, and says so.
func entryLoss(e accountant.Entry) string {
	loss := e.Loss
	loss.Risk = loss.Risk.RoundUp(shownDigits)
	switch e.Verdict {
	case accountant.Charged:
		return loss.String()
	case accountant.Granted:
		return "(" + grantText(loss) + ")"
	}
	return "-"
}

// entryText is a statement, or who did what is in the log, and why.
func entryText(e accountant.Entry) string {
	if e.By != "" {
		return oneLine("by " + e.By + ": " + e.Reason)
	}
	return oneLine(e.SQL)
}

// oneLine shows a statement in one line of a terminal, cut at 120 characters.
func oneLine(sql string) string {
	text := []rune(strings.Join(strings.Fields(sql), " "))
	const most = 120
	if len(text) > most {
		text = append(text[:most-1], '…')
	}
	return printable(string(text))
}

// printable is a text in one line of a terminal: white space folded, other control characters escaped.
func printable(text string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if r < ' ' || 0x7f <= r && r < 0xa0 {
			fmt.Fprintf(&b, `\x%02x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func printLogJSON(w io.Writer, entries []accountant.Entry) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
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
		line.Answered = e.Verdict == accountant.Replayed || e.Verdict == accountant.Derived || e.Recorded
		if e.Table != (policy.TableName{}) {
			line.Table = e.Table.String()
		}
		amount := lossText(e.Loss)
		switch e.Verdict {
		case accountant.Charged:
			line.Loss = &amount
		case accountant.Granted:
			line.Granted = &amount
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
