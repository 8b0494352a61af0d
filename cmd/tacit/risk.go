package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release"
	"tacit/risk"
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
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := loadPolicy(*path)
		if err != nil {
			return err
		}
		a, err := f.read(p)
		if err != nil {
			return usageError{err}
		}
		if err := a.compute(cmd.Context(), p); err != nil {
			return unprovedError(cmd.ErrOrStderr(), p, err)
		}
		if err := f.write(cmd, a); err != nil {
			return err
		}
		return a.verdict()
	}
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
	flags.StringVar(&f.of, "of", "", "the `figure` that --target is of: "+strings.Join(figureNames, ", ")+" (default: "+string(recordsBySize)+")")
	flags.StringVar(&f.measure, "measure", string(localMeasure), "the `measure`: "+strings.Join(measureNames(), ", "))
	flags.StringVar(&f.sizes, "sizes", "", "the `law` of cell sizes of the marginal measures: poisson or negative-binomial (default: the latter where it fits)")
	flags.StringVar(&f.epsilons, "epsilon", "", "the `range` of epsilon that is drawn, such as 0.01:10 (default: around that of the table)")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.svg, "svg", "", "draw the curve into this `file`")
	flags.StringVar(&f.png, "png", "", "draw the curve into this `file`")
}

// read checks the command line against the policy.
func (f *riskFlags) read(p *policy.Policy) (*riskAssessment, error) {
	a := &riskAssessment{measure: riskMeasure{name: measureName(f.measure), sizes: sizesLaw(f.sizes)}}
	if err := a.measure.check(); err != nil {
		return nil, err
	}
	table, err := findTable(p, f.table)
	if err != nil {
		return nil, err
	}
	a.request = release.HomogeneityRequest{Table: table.Name, Rows: f.rows}
	if a.request.Quasi, err = splitExpressions("--qi", f.quasi); err != nil {
		return nil, err
	}
	if a.request.Sensitive, err = splitExpressions("--sensitive", f.sensitive); err != nil {
		return nil, err
	}
	if err := checkKeys(a.request); err != nil {
		return nil, err
	}
	if a.target, err = parseTarget(f.target, f.of, a.measure); err != nil {
		return nil, err
	}
	if a.within, err = parseRange(f.epsilons, table); err != nil {
		return nil, err
	}
	return a, nil
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

// splitExpressions divides the values of a flag at commas that are not in parentheses or quotes.
func splitExpressions(flag string, values []string) ([]string, error) {
	var parts []string
	for _, value := range values {
		depth, start := 0, 0
		var quote rune
		for i, r := range value {
			switch {
			case quote != 0:
				if r == quote {
					quote = 0
				}
			case r == '\'' || r == '"':
				quote = r
			case r == '(' || r == '[':
				depth++
			case r == ')' || r == ']':
				depth--
			case r == ',' && depth == 0:
				parts = append(parts, strings.TrimSpace(value[start:i]))
				start = i + 1
			}
		}
		parts = append(parts, strings.TrimSpace(value[start:]))
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("%s COLUMN,... is required", flag)
	}
	if slices.Contains(parts, "") {
		return nil, fmt.Errorf("%s: nothing stands between two commas", flag)
	}
	return parts, nil
}

// checkKeys refuses what can be told by its text alone. In GROUP BY a number is a position, and a text no column.
func checkKeys(r release.HomogeneityRequest) error {
	seen := map[string]bool{}
	for i, key := range slices.Concat(r.Quasi, r.Sensitive) {
		flag := "--qi"
		if i >= len(r.Quasi) {
			flag = "--sensitive"
		}
		switch {
		case constant.MatchString(key):
			return fmt.Errorf("%s: %s is a constant, not a column; name a column, or an expression of columns", flag, key)
		case key == "*":
			return fmt.Errorf("%s: * is no column; name each column that is meant", flag)
		case flag == "--qi" && seen[key]:
			return fmt.Errorf("%s: %s is there twice; write it once", flag, key)
		}
		seen[key] = true
	}
	return nil
}

// constant is a number or a text.
var constant = regexp.MustCompile(`^([+-]?[0-9.]+|'([^']|'')*')$`)

// parseRange reads LOW:HIGH. Its default reaches from nearly all noise to nearly none, with today's epsilon inside.
func parseRange(text string, t *policy.Table) (risk.Range, error) {
	if text == "" {
		return defaultRange(t), nil
	}
	low, high, two := strings.Cut(text, ":")
	from, err := policy.ParseEpsilon(low)
	to, errHigh := policy.ParseEpsilon(high)
	if !two || err != nil || errHigh != nil || from == 0 || from >= to {
		return risk.Range{}, fmt.Errorf("--epsilon: %q is not a range of epsilon; write a low and a high one, as 0.01:10", text)
	}
	return risk.Range{Low: epsilonValue(from), High: epsilonValue(to)}, nil
}

func defaultRange(t *policy.Table) risk.Range {
	today, bound := epsilonValue(t.Mechanism.Epsilon), 1.0
	if t.Person != nil {
		bound = float64(max(t.Person.Rows, t.Person.Groups))
	}
	r := risk.Range{Low: 0.01, High: 20 * bound}
	if today > 0 {
		r.Low, r.High = min(r.Low, today/10), max(r.High, 4*today)
	}
	return validRange(r, t)
}

// validRange ends a range where the table's calibration does.
func validRange(r risk.Range, t *policy.Table) risk.Range {
	if t.Mechanism.Kind == policy.Gaussian && t.Mechanism.Calibration == policy.ClassicCalibration {
		r.High = 0.99
	}
	return r
}

func epsilonValue(e policy.Epsilon) float64 { return float64(e) / 1e9 }

// errTargetExceeded is returned when today's risk is above the target.
var errTargetExceeded = errors.New("today's risk exceeds the target")

// compute reads the counts and works out all figures.
func (a *riskAssessment) compute(ctx context.Context, p *policy.Policy) error {
	report, err := release.Homogeneity(ctx, p, a.request)
	if err != nil {
		return riskError(err)
	}
	return a.assess(report)
}

// riskError tells the steward's slips from failures.
func riskError(err error) error {
	var request *release.RequestError
	if errors.As(err, &request) {
		return usageError{err}
	}
	return err
}
