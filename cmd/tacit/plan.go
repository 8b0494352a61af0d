package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tacit/auditor"
	"tacit/policy"
	"tacit/policy/edit"
	"tacit/release/seal"
)

func planCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan --policy FILE --table NAME",
		Short: "find groups of an audited table that can be answered once and for all",
		Long: `plan finds a certified plan for a table with mechanism audit, of which no epoch was sealed: how finely each public column
can be divided so that every union of the parts may be answered for ever, whoever asks. It merges values along
declared hierarchies, and numbers and dates in ranges, and looks at the sizes of groups and at the prior alone.

It also tries whether the prior fits: it asks every grouping by one or two public columns of an auditor in memory, with
the true counts. It says whether these raise an alarm, and which columns for by would fit. That is for you alone.

It prints which questions will always be answered, and what sealing the table will charge for that: for the plan, and for
the groupings that the policy declares as workload, which leave the rest of the share to the plan. With --write it puts
the plan into the policy file, as certified under the table's mechanism; all else in the file stays as it is.

With --questions it predicts instead which counts of a list of statements would be released, and spends nothing. Each
statement in the file ends with a semicolon at the end of a line. Before the first epoch they are asked one after
another, with the true counts, so that the prediction is for you alone; of a table with an epoch each is asked as if it
came next, as EXPLAIN does for analysts.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	table := auditedTableFlag(cmd)
	write := cmd.Flags().Bool("write", false, "put the plan into the policy file")
	questions := cmd.Flags().String("questions", "", "predict what becomes of the statements in this `file`, and plan nothing")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, t, err := loadAudited(*path, *table)
		if err != nil {
			return err
		}
		if *questions != "" {
			if *write {
				return usageError{errors.New("--questions makes no plan that --write could write")}
			}
			return forecast(cmd, p, t, *questions)
		}
		plan, err := findPlan(cmd, p, t)
		if err != nil {
			return err
		}
		if *asJSON {
			err = printPlanJSON(cmd.OutOrStdout(), plan)
		} else {
			err = printPlan(cmd.OutOrStdout(), plan)
		}
		if err != nil || !*write {
			return err
		}
		if len(plan.Columns) == 0 {
			return errors.New("the plan divides no column, so that there is nothing to write")
		}
		return writePlan(*path, t, plan)
	}
	return cmd
}

func findPlan(cmd *cobra.Command, p *policy.Policy, t *policy.Table) (*seal.Plan, error) {
	plan, err := seal.FindPlan(cmd.Context(), p, t.Name)
	switch {
	case errors.Is(err, auditor.ErrNoPlan):
		if err := printFields(cmd.ErrOrStderr(), 11, fitLines(plan)); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("no plan fits into its share of the risk, not even of the table as a whole: raise plan or delta, or epsilon")
	case err != nil:
		return nil, publishError(cmd.ErrOrStderr(), err)
	}
	return plan, nil
}

func printPlan(w io.Writer, p *seal.Plan) error {
	lines := []field{
		{"table", fmt.Sprintf("%s, %d people", p.Table, p.People)},
		{"blocks", fmt.Sprintf("%d, of at least %d people", p.Blocks, p.Smallest)},
		{"risk", fmt.Sprintf("%v of the %v that the plan may take", p.Risk.RoundUp(3), p.Share)},
	}
	lines = append(lines, fitLines(p)...)
	if len(p.Groupings) > 0 {
		var by []string
		for _, columns := range p.Groupings {
			by = append(by, "GROUP BY "+strings.Join(columns, ", "))
		}
		lines = append(lines, field{"workload", fmt.Sprintf("until something else is released: %s; at a risk of about %v besides", strings.Join(by, "; "), p.Workload.RoundUp(3))})
	}
	if len(p.Columns) == 0 {
		lines = append(lines, field{"answered", "the table as a whole; no column can be divided"})
	}
	var names []string
	for _, c := range p.Columns {
		names = append(names, c.Name)
		lines = append(lines, field{"divided", c.Name + ": " + c.Parts})
	}
	if len(names) > 0 {
		lines = append(lines, field{"answered", fmt.Sprintf("for ever: GROUP BY any of %s, in these parts or in unions of them, with any filter on such parts", strings.Join(names, ", "))},
			field{"certified", p.Certified()})
	}
	return printFields(w, 11, lines)
}

// fitLines say whether the prior fits the table.
func fitLines(p *seal.Plan) []field {
	if p.Fit == nil {
		return nil
	}
	lines := []field{{"prior", p.Fit.String()}}
	switch {
	case len(p.Fit.Alarms) == 0:
	case p.Instead == nil:
		lines = append(lines, field{"instead", "no other choice of columns for by raises fewer alarms with types that are large enough; prefer noise (kind: geometric)"})
	default:
		lines = append(lines, field{"instead", fmt.Sprintf("%v; %d types of at least %d people", p.Instead, p.Instead.Types, p.Instead.Smallest)})
	}
	return lines
}

func printPlanJSON(w io.Writer, p *seal.Plan) error {
	columns := make(map[string]string)
	for _, c := range p.Columns {
		columns[c.Name] = c.YAML
	}
	workload := ""
	if len(p.Groupings) > 0 {
		workload = p.Workload.String()
	}
	alarms, instead := [][]string{}, []string(nil)
	if p.Fit != nil {
		alarms = append(alarms, p.Fit.Alarms...)
	}
	if p.Instead != nil {
		instead = append([]string{}, p.Instead.By...)
	}
	return printJSON(w, struct {
		Table     string            `json:"table"`
		People    int64             `json:"people"`
		Blocks    int               `json:"blocks"`
		Smallest  int64             `json:"smallest"`
		Risk      string            `json:"risk"`
		Share     string            `json:"share"`
		Columns   map[string]string `json:"columns"`
		Certified string            `json:"certified"`
		Workload  string            `json:"workload,omitempty"`
		Alarms    [][]string        `json:"alarms"`
		Instead   []string          `json:"instead,omitempty"`
	}{p.Table.String(), p.People, p.Blocks, p.Smallest, p.Risk.String(), p.Share.String(), columns, p.Certified(), workload, alarms, instead})
}

// writePlan puts the plan into the policy file.
func writePlan(path string, t *policy.Table, plan *seal.Plan) error {
	return changeFile(path, func(text []byte) ([]byte, error) { return edit.Certified(path, text, t.Name, plan.Certified()) })
}
