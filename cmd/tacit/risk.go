package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
)

func riskCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "risk --policy FILE --table TABLE --qi COLUMN,... --sensitive COLUMN",
		Short: "what an epsilon means for a table: the risk that a label becomes known",
		Long: `risk computes how likely a release of counts discloses a sensitive label to someone who knows a person's
quasi-identifiers (disclosure risk from homogeneity attack, DR-HA; Liu and Zhao 2023), against epsilon.

The persons who share all quasi-identifiers are a cell. If all of them have one label, the cell is homogeneous, and who
finds a person's cell knows the label. Noise makes labels appear and vanish. A cell is disclosed if exactly one label is
shown with 1 or more, and it is one that the cell has:

  event      the share of cells in which that happens
  records    the share of their persons who have the label that is shown

each as the mean of all cells, and as the mean by size, in which a cell counts as often as it has persons; and the
share of the persons in homogeneous cells whose label is told. As epsilon falls, each figure tends to a floor of its
own that is not 0, since noise alone shows one label now and then. The curve is of the table's mechanism with another
epsilon; * marks today's. --target says which epsilon an acceptable risk allows: the figure that --of names must be at
most that, at that epsilon and at every lower one, from 0.001 to 100. It measures one attack: it is no reason for a
larger epsilon, whose guarantee is weaker.

Quasi-identifiers and sensitive attributes are columns of the policy, or expressions that analysts could group by. The
cells are counted as for analysts: the same bounds on a person's rows, NULL as a value, undeclared values in no cell.

risk reads true counts, in one statement that aggregates them in the database. It charges nothing and records nothing.
Its output is for the steward, and must not be published.

Exit status: 0 done; 1 failed, no figure for the kind of mechanism, or today's risk exceeds --target; 2 wrong command
line, such as a column that is not in the policy, or wrong policy file.`,
		Example: `  tacit risk -p policy.yaml --table patients --qi sex,region,age --sensitive diagnosis
  tacit risk -p policy.yaml --table patients --qi sex,'age / 5' --sensitive diagnosis --target 10% --svg risk.svg
  tacit risk -p policy.yaml --table patients --qi sex --sensitive diagnosis,insurer --json`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	var f riskFlags
	f.register(cmd)
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		request, err := f.read(p)
		if err != nil {
			return usageError{err}
		}
		computed, err := assess.Disclose(cmd.Context(), p, request)
		if err != nil {
			return unprovedError(cmd.ErrOrStderr(), p, riskError(err))
		}
		a := riskReport{computed}
		if err := f.write(cmd, a); err != nil {
			return err
		}
		return a.verdict()
	})
	return cmd
}

// riskFlags are the command line.
type riskFlags struct {
	table            string
	quasi, sensitive []string
	rows             bool
	measure, sizes   string
	target, of       string
	epsilons         string
	json             bool
	svg, png         string
}

func (f *riskFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.table, "table", "t", "", "the protected `table` (required)")
	flags.StringArrayVar(&f.quasi, "qi", nil, "the quasi-identifiers, as `columns` or expressions with commas between them (required)")
	flags.StringArrayVar(&f.sensitive, "sensitive", nil, "the sensitive `attribute`, or several (required)")
	flags.BoolVar(&f.rows, "rows", false, "count rows instead of persons, where a person has several")
	flags.StringVar(&f.target, "target", "", "an acceptable `risk`, such as 0.1 or 10%: say which epsilon allows it")
	flags.StringVar(&f.of, "of", "", "the `figure` that --target is of: "+assess.FigureList()+" (default: "+string(assess.RecordsBySize)+")")
	flags.StringVar(&f.measure, "measure", string(assess.LocalMeasure), "the `measure`: "+strings.Join(assess.MeasureNames(), ", "))
	flags.StringVar(&f.sizes, "sizes", "", "the `law` of cell sizes of the marginal measures: poisson or negative-binomial (default: the latter where it fits)")
	flags.StringVar(&f.epsilons, "epsilon", "", "the `range` of epsilon that is drawn, such as 0.01:10 (default: around that of the table)")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.svg, "svg", "", "draw the curve into this `file`")
	flags.StringVar(&f.png, "png", "", "draw the curve into this `file`")
}

// read checks the command line against the policy.
func (f *riskFlags) read(p *policy.Policy) (r assess.DisclosureRequest, err error) {
	r.Measure = assess.RiskMeasure{Name: assess.MeasureName(f.measure), Sizes: assess.SizesLaw(f.sizes)}
	if err := r.Measure.Check(); err != nil {
		return r, err
	}
	table, err := findTable(p, f.table)
	if err != nil {
		return r, err
	}
	r.Table, r.Rows = table.Name, f.rows
	if r.Quasi, err = assess.SplitExpressions("--qi", f.quasi); err != nil {
		return r, err
	}
	if r.Sensitive, err = assess.SplitExpressions("--sensitive", f.sensitive); err != nil {
		return r, err
	}
	if err := r.CheckKeys(); err != nil {
		return r, err
	}
	if r.Target, err = assess.ParseRiskTarget(f.target, assess.RiskFigure(f.of), r.Measure); err != nil {
		return r, err
	}
	r.Within, err = assess.ParseRange(f.epsilons, table)
	return r, err
}

// findTable finds a protected table by its name, with or without its schema.
func findTable(p *policy.Policy, name string) (*policy.Table, error) {
	if name == "" {
		return nil, errors.New("--table TABLE is required")
	}
	var found []*policy.Table
	var names []string
	for _, t := range p.Tables {
		names = append(names, t.Name.String())
		if t.Name.String() == name || t.Name.Name == name {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("--table: %q is not a protected table of the policy; there is %s", name, strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("--table: %q is in several schemas; write one of %s", name, strings.Join(names, ", "))
}

// errTargetExceeded is returned when today's risk is above the target.
var errTargetExceeded = errors.New("today's risk exceeds the target")

// verdict is an error if there are no figures, or if today's exceed the target.
func (a riskReport) verdict() error {
	if a.Problem != nil {
		return a.Problem
	}
	for _, r := range a.Attributes {
		if a.Target != nil && r.Today != nil && !a.Target.Kept(*r.Today) {
			return fmt.Errorf("%w: %s of %s is %s, target %s", errTargetExceeded, a.Target.Of.Words(), r.Name, terminal.Percent(a.Target.Figure(*r.Today)), a.Target)
		}
	}
	return nil
}

// riskError tells the steward's slips from failures.
func riskError(err error) error {
	var request *assess.RequestError
	if errors.As(err, &request) {
		return usageError{err}
	}
	return err
}
