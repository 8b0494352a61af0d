package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
)

func logCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "log --policy FILE",
		Short: "show who asked what, what came of it and what it cost",
		Long: `log reads the ledger, also while the proxy runs, and shows the statements about protected tables, oldest first: charged,
decided by an auditor at no cost, replayed from the ledger, or refused. Charges and decisions are complete; replays and refusals are noted in the background and a crash
can lose the last of them.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	analyst := cmd.Flags().String("analyst", "", "only statements of this `name`")
	table := cmd.Flags().String("table", "", "only statements about this `table`, schema.name")
	verdict := cmd.Flags().String("verdict", "", "only statements that were charged, decided, replayed or refused")
	since := cmd.Flags().Duration("since", 0, "only statements of the last `duration`, such as 24h")
	limit := cmd.Flags().IntP("limit", "n", 100, "at most so many, the newest; 0 is all")
	questions := cmd.Flags().BoolP("questions", "q", false, "also what each charged statement counted, with the values of parameters, and the numbers of auditors' events")
	asJSON := cmd.Flags().Bool("json", false, "print one JSON object per line")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := loadPolicy(*path)
		if err != nil {
			return err
		}
		filter := accountant.LogFilter{Analyst: *analyst, Verdict: accountant.Verdict(*verdict), Limit: *limit}
		if *table != "" {
			if filter.Table, err = policy.ParseTableName(*table); err != nil {
				return usageError{fmt.Errorf("--table: %w", err)}
			}
		}
		switch filter.Verdict {
		case "", accountant.Charged, accountant.Decided, accountant.Replayed, accountant.Refused:
		default:
			return usageError{fmt.Errorf("--verdict is %q; it is charged, decided, replayed or refused", *verdict)}
		}
		if *since < 0 || *limit < 0 {
			return usageError{fmt.Errorf("--since and --limit cannot be negative")}
		}
		if *since > 0 {
			filter.Since = time.Now().Add(-*since)
		}
		ledger, err := accountant.OpenReadOnly(p.Ledger.SQLite)
		if err != nil {
			return err
		}
		defer ledger.Close()
		entries, err := ledger.Log(cmd.Context(), filter)
		if err != nil {
			return err
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

func printLog(w io.Writer, entries []accountant.Entry, questions bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "TIME (UTC)\tANALYST\tTABLE\tVERDICT\tLOSS\tSTATEMENT")
	for _, e := range entries {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", e.At.Format(time.DateTime), e.Analyst, tableText(e.Table), verdictText(e), entryLoss(e), oneLine(e.SQL))
		if questions {
			for _, q := range e.Questions {
				fmt.Fprintf(t, "\t\t\t\t\t  %s\n", oneLine(q))
			}
			if e.Audit > 0 {
				fmt.Fprintf(t, "\t\t\t\t\t  event %d of the auditor: %s\n", e.Audit, oneLine(e.Kind))
			}
		}
	}
	return t.Flush()
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

func entryLoss(e accountant.Entry) string {
	if e.Verdict != accountant.Charged {
		return "-"
	}
	return spentRisk(e.Loss).String()
}

// oneLine shows a statement in one line of a terminal: white space folded, other control characters escaped, cut at 120 characters.
func oneLine(sql string) string {
	text := []rune(strings.Join(strings.Fields(sql), " "))
	const most = 120
	if len(text) > most {
		text = append(text[:most-1], '…')
	}
	var b strings.Builder
	for _, r := range text {
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
			Questions []string  `json:"questions,omitempty"`
			Event     int64     `json:"event,omitempty"`
			Kind      string    `json:"kind,omitempty"` // of the event
			Statement string    `json:"statement"`
		}{ID: e.ID, At: e.At, Analyst: e.Analyst, Verdict: string(e.Verdict), SQLState: e.SQLState, Questions: e.Questions, Event: e.Audit, Kind: e.Kind, Statement: e.SQL}
		line.Answered = e.Verdict == accountant.Replayed || e.Recorded
		if e.Table != (policy.TableName{}) {
			line.Table = e.Table.String()
		}
		if e.Verdict == accountant.Charged {
			loss := lossText(e.Loss)
			line.Loss = &loss
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
