package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tacit/auditor"
	"tacit/policy"
	"tacit/release"
)

func planCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan --policy FILE --table NAME",
		Short: "find groups of an audited table that can be answered once and for all",
		Long: `plan finds a certified plan for a table with mechanism audit, of which no epoch was sealed: how finely each public column
can be divided so that every union of the parts may be answered for ever, whoever asks. It merges values along
declared hierarchies, and numbers and dates in ranges, and looks at the sizes of groups and at the prior alone.

It prints which questions will always be answered, and what sealing the table will charge for that: for the plan, and for
the groupings that the policy declares as workload, which leave the rest of the share to the plan. With --write it puts
the plan into the policy file, as certified under the table's mechanism; all else in the file stays as it is.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	table := auditedTableFlag(cmd)
	write := cmd.Flags().Bool("write", false, "put the plan into the policy file")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, t, err := loadAudited(*path, *table)
		if err != nil {
			return err
		}
		plan, err := release.PlanAudit(cmd.Context(), p, t.Name)
		if errors.Is(err, auditor.ErrNoPlan) {
			return fmt.Errorf("no plan fits into its share of the risk, not even of the table as a whole: raise plan or delta, or epsilon")
		}
		if err != nil {
			return publishError(cmd.ErrOrStderr(), err)
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

func printPlan(w io.Writer, p *release.AuditPlan) error {
	lines := [][2]string{
		{"table", fmt.Sprintf("%s, %d people", p.Table, p.People)},
		{"blocks", fmt.Sprintf("%d, of at least %d people", p.Blocks, p.Smallest)},
		{"risk", fmt.Sprintf("%v of the %v that the plan may take", p.Risk.RoundUp(3), p.Share)},
	}
	if len(p.Groupings) > 0 {
		var by []string
		for _, columns := range p.Groupings {
			by = append(by, "GROUP BY "+strings.Join(columns, ", "))
		}
		lines = append(lines, [2]string{"workload", fmt.Sprintf("until something else is released: %s; at a risk of about %v besides", strings.Join(by, "; "), p.Workload.RoundUp(3))})
	}
	if len(p.Columns) == 0 {
		lines = append(lines, [2]string{"answered", "the table as a whole; no column can be divided"})
	}
	var names []string
	for _, c := range p.Columns {
		names = append(names, c.Name)
		lines = append(lines, [2]string{"divided", c.Name + ": " + c.Parts})
	}
	if len(names) > 0 {
		lines = append(lines, [2]string{"answered", fmt.Sprintf("for ever: GROUP BY any of %s, in these parts or in unions of them, with any filter on such parts", strings.Join(names, ", "))},
			[2]string{"certified", p.Certified()})
	}
	for _, l := range lines {
		if _, err := fmt.Fprintf(w, "%-11s %s\n", l[0]+":", l[1]); err != nil {
			return err
		}
	}
	return nil
}

func printPlanJSON(w io.Writer, p *release.AuditPlan) error {
	columns := make(map[string]string)
	for _, c := range p.Columns {
		columns[c.Name] = c.YAML
	}
	workload := ""
	if len(p.Groupings) > 0 {
		workload = p.Workload.String()
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Table     string            `json:"table"`
		People    int64             `json:"people"`
		Blocks    int               `json:"blocks"`
		Smallest  int64             `json:"smallest"`
		Risk      string            `json:"risk"`
		Share     string            `json:"share"`
		Columns   map[string]string `json:"columns"`
		Certified string            `json:"certified"`
		Workload  string            `json:"workload,omitempty"`
	}{p.Table.String(), p.People, p.Blocks, p.Smallest, p.Risk.String(), p.Share.String(), columns, p.Certified(), workload})
}

// writePlan puts the plan into the policy file, by way of another file, so that nobody reads half of it.
func writePlan(path string, t *policy.Table, plan *release.AuditPlan) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := policy.WithCertified(path, text, t.Name, plan.Certified())
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tacit")
	if err := os.WriteFile(temporary, changed, info.Mode().Perm()); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
