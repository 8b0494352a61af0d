package main

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release"
	"tacit/release/books"
)

func logCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "log --policy FILE",
		Short: "show who asked what, what came of it and what it cost",
		Long: `log reads the ledger, also while proxies run, and shows the statements about protected tables, oldest first: charged,
decided by an auditor at no cost, replayed from the ledger, derived from what is in it, or refused; and what stewards did, with the reason:
granted, frozen, thawed, epoch; inspected where the console showed a steward figures of true counts; resolved where a steward noted a decision there; and thinned where what old notes said was dropped. Charges, decisions and stewards'
acts are complete; statements that cost nothing are noted in the background and a crash can lose the last of them. --refused groups the statements that were refused by their reason, the most frequent first: it is the
list of what analysts need and do not get.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	var asked logFilter
	cmd.Flags().StringVar(&asked.analyst, "analyst", "", "only statements of this `name`, and acts about it")
	cmd.Flags().StringVar(&asked.table, "table", "", "only what is about this `table`, schema.name")
	cmd.Flags().StringVar(&asked.verdict, "verdict", "", "only what was charged, decided, replayed, derived, refused, granted, frozen, thawed, an epoch, or thinned")
	cmd.Flags().StringVar(&asked.since, "since", "", "only the last `duration`, such as 12h or 30d")
	cmd.Flags().StringVar(&asked.request, "request", "", "only what the proxy's log has as this `request`")
	cmd.Flags().BoolVar(&asked.refused, "refused", false, "only refusals, grouped by their reason")
	cmd.Flags().IntVarP(&asked.limit, "limit", "n", 100, "at most so many, the newest; 0 is all")
	questions := cmd.Flags().BoolP("questions", "q", false, "also what each charged statement counted, with the values of parameters, the releases of derived answers, and the numbers of auditors' events")
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
	request                        string
	limit                          int
	// refused wants refusals alone, and all wants entries without a limit.
	refused, all bool
}

func (f logFilter) parse(now time.Time) (filter ledger.LogFilter, err error) {
	filter = ledger.LogFilter{Analyst: f.analyst, Verdict: ledger.Verdict(f.verdict), Request: strings.ToLower(f.request), Limit: f.limit}
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
	if f.verdict != "" && !slices.Contains(books.Verdicts, filter.Verdict) {
		return filter, fmt.Errorf("--verdict is %q; it is one of %v", f.verdict, books.Verdicts)
	}
	if f.since != "" {
		since, err := policy.ParseDuration(f.since)
		if err != nil {
			return filter, fmt.Errorf("--since: %w; write a number with a unit: 30s, 5m, 12h or 30d", err)
		}
		filter.Since = now.Add(-since)
	}
	if id, err := hex.DecodeString(f.request); f.request != "" && (err != nil || len(id) != len(accountant.Request{})) {
		return filter, fmt.Errorf("--request is %q; it is %d hexadecimal digits, as in the line of a statement in the proxy's log", f.request, 2*len(accountant.Request{}))
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

func printLog(w io.Writer, entries []ledger.Entry, questions bool) error {
	table := [][]string{{"ENTRY", "TIME (UTC)", "ANALYST", "TABLE", "VERDICT", "LOSS", "STATEMENT"}}
	note := func(text string) {
		table = append(table, []string{"", "", "", "", "", "", "  " + terminal.OneLine(text)})
	}
	for _, e := range entries {
		table = append(table, []string{
			strconv.FormatInt(e.ID, 10), e.At.Format(time.DateTime), books.Who(e), books.TableText(e.Table), books.VerdictText(e), books.LossText(e), books.Text(e),
		})
		if !questions {
			continue
		}
		for _, q := range e.Questions {
			note(q)
		}
		if len(e.Releases) > 0 {
			note("derived from releases " + strings.Trim(strings.ReplaceAll(fmt.Sprint(e.Releases), " ", ", "), "[]"))
		}
		if e.Audit > 0 {
			note(fmt.Sprintf("event %d of the auditor: %s", e.Audit, e.Kind))
		}
	}
	return printAligned(w, table)
}

func printLogJSON(w io.Writer, entries []ledger.Entry) error {
	for _, e := range entries {
		if err := printJSON(w, books.NewLogLine(e)); err != nil {
			return err
		}
	}
	return nil
}
