package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/books"
	"tacit/release/curator"
	"tacit/release/publish"
)

func publishCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "publish --policy FILE --table NAME",
		Short: "publish a sanitized copy of a protected table",
		Long: `publish makes the table of that name under publications in the policy: a copy of a protected table in which
quasi-identifiers were swapped, replaced at random or generalised. Analysts then query it as any other table.

It is charged to the budget of the protected table each time, before a row is read, and stays charged if it fails. Proxies may run
meanwhile. Most kinds guarantee nothing (docs/publishing.md).`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	table := cmd.Flags().StringP("table", "t", "", "the publication's `name`, schema.name (required)")
	replace := cmd.Flags().Bool("replace", false, "drop the table of that name first, if it was published before")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		c, err := findPublication(p, *table)
		if err != nil {
			return usageError{err}
		}
		request := publish.Request{Name: c.Name, Replace: *replace, Random: rand.Reader}
		stderr := terminal.Raw(cmd.ErrOrStderr())
		if isTerminal(stderr) {
			request.Progress = func(step string, rows int64) {
				fmt.Fprint(stderr, clearLine+terminal.Printable(progressText(step, rows)))
			}
		}
		made, err := publish.Publish(cmd.Context(), p, request)
		if request.Progress != nil {
			fmt.Fprint(stderr, clearLine)
		}
		if err != nil {
			return publishError(cmd.ErrOrStderr(), err)
		}
		if *asJSON {
			return printPublishedJSON(cmd.OutOrStdout(), made)
		}
		return printFields(cmd.OutOrStdout(), 10, made.Lines())
	})
	return cmd
}

// clearLine goes back to the beginning of a terminal's line, and clears it.
const clearLine = "\r\x1b[K"

// progressText is a step, with its number of rows if that is told.
func progressText(step string, rows int64) string {
	if rows == 0 {
		return step
	}
	return fmt.Sprintf("%s: %d rows", step, rows)
}

// publishError shows why roles are not separate, as `tacit serve` does, and what to do about a budget.
func publishError(w io.Writer, err error) error {
	var separation *curator.SeparationError
	if errors.As(err, &separation) {
		printFindings(w, separation.Findings)
		return fmt.Errorf("%w; run the SQL of `tacit check` as a superuser", err)
	}
	var over *accountant.OverBudgetError
	if errors.As(err, &over) {
		return fmt.Errorf("%w; nothing was charged: raise %s of %v in the policy if the table may be told more about", err, exhausted(over), over.Table)
	}
	return err
}

// exhausted names the keys of the policy whose amounts do not cover what is needed.
func exhausted(over *accountant.OverBudgetError) string {
	var keys []string
	if over.Needed.Epsilon > over.Remaining.Epsilon {
		keys = append(keys, "budget.epsilon")
	}
	if over.Needed.Delta > over.Remaining.Delta {
		keys = append(keys, "budget.delta")
	}
	if over.Needed.Releases > over.Remaining.Releases {
		keys = append(keys, "budget.releases")
	}
	return strings.Join(keys, " and ")
}

// findPublication returns the publication of a name, as the command line has it.
func findPublication(p *policy.Policy, text string) (*policy.Publication, error) {
	if text == "" {
		return nil, errors.New("--table NAME is required: " + listPublications(p))
	}
	name, err := policy.ParseTableName(text)
	if err != nil {
		return nil, fmt.Errorf("--table: %w", err)
	}
	c, ok := p.Publication(name)
	if !ok {
		return nil, fmt.Errorf("--table: %v is not under publications in the policy; %s", name, listPublications(p))
	}
	return c, nil
}

func listPublications(p *policy.Policy) string {
	if len(p.Publications) == 0 {
		return "it has none"
	}
	var names []string
	for _, c := range p.Publications {
		names = append(names, c.Name.String())
	}
	return "there is " + strings.Join(names, ", ")
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func printPublishedJSON(w io.Writer, made *publish.Published) error {
	return printJSON(w, struct {
		publish.Provenance
		RowsRead   int64         `json:"rows_read,omitempty"`
		Charged    books.Amounts `json:"charged"`
		Left       books.Amounts `json:"left"`
		ExactDelta float64       `json:"exact_delta,omitempty"`
		SetAside   string        `json:"set_aside,omitempty"`
	}{made.Provenance, made.RowsRead, books.AmountsOf(made.Charged), books.AmountsOf(made.Left), made.ExactDelta, made.Aside})
}
