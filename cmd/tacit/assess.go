package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/assessmentview"
)

func assessCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "assess --policy FILE --query SQL",
		Short: "compare all mechanisms on one question: loss, bias, fairness, variance, risk",
		Long: `assess counts what the statement asks, through the curator, and computes for each mechanism what a release of these
counts would be like: what it guarantees, its bias, fairness and variance, how many cells it would withhold, and how
likely it discloses what an attacker would like to know. The figures are computed from the distributions of the
mechanisms, not simulated.

The risk is that of the homogeneity attack on the question's own cells (see tacit risk): someone knows all keys of a
person but one, --sensitive, and takes the one label that is shown for hers. --html draws how bias, fairness, variance
and risk follow from epsilon, with today's setting marked, as one page that refers to nothing outside of itself.

Of sums, averages and deviations it tells how exact each part of their joint release is in the cells that there are, and
which share of the numbers lies beyond the declared range.

--bounds compares bounds on the rows and groups of a person instead, where one may have several rows: what share of the
rows each leaves out, with how much noise the rest is counted, and which are proposed.

--workload compares ways to measure several groupings of --table together instead, of which all together cost the
table's budget, or --epsilon and --delta: the standard deviation of a cell of each grouping if it is measured by itself,
if the finest cells are added up, and by the strategies with the least total and the least greatest variance (Xiao, He,
Zhang and Kifer 2023), beside the least that any such strategy has. Groupings have semicolons between them, keys have
commas, () is the total, and *3 behind a grouping has its cells count three times. "age in ranges" is a column of which
ranges of successive values are asked. These figures follow from the numbers of declared values: no row is read.

But for that, it reads true counts, charges nothing and records nothing: its output is for the steward, and must not be published. It
reads nothing while analysts could reach protected rows otherwise (tacit check). Exit status: 0; 1 on failure, 2 for a
wrong command line.`,
		Example: `  tacit assess -p policy.yaml -q "SELECT sex, region, diagnosis, count(*) FROM patients GROUP BY 1, 2, 3"
  tacit assess -p policy.yaml -q "SELECT ..." --epsilon 0.1,0.5,2 --sensitive diagnosis --html compared.html
  tacit assess -p policy.yaml -t patients --workload "region, sex; age, diagnosis; month, region *3"`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	var f assessFlags
	f.register(cmd)
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		if f.workload != "" {
			return f.compareWorkload(cmd, p)
		}
		request, err := f.read()
		if err != nil {
			return usageError{err}
		}
		if f.bounds {
			return f.compareBounds(cmd, p)
		}
		a, err := assess.Assess(cmd.Context(), p, request)
		if err != nil {
			return unprovedError(cmd.ErrOrStderr(), p, err)
		}
		return f.write(cmd, a)
	})
	return cmd
}

// assessFlags are the command line.
type assessFlags struct {
	query     string
	epsilons  []string
	delta     string
	k         int64
	quasi     []string
	sensitive string
	bounds    bool
	table     string
	workload  string
	json      bool
	html      string
}

func (f *assessFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.query, "query", "q", "", "the `statement` (required without --workload)")
	flags.StringSliceVar(&f.epsilons, "epsilon", nil, "`amounts` of epsilon to compare at (default: that of the table)")
	flags.StringVar(&f.delta, "delta", "", "`delta` of Gaussian noise and of thresholds (default: that of the table, or 1e-6)")
	flags.Int64Var(&f.k, "k", 0, "the least `count` that suppression shows (default: that of the table, or 6)")
	flags.StringSliceVar(&f.quasi, "quasi", nil, "the `columns` that dp-swapping exchanges (default: those of the table, or all keys)")
	flags.StringVar(&f.sensitive, "sensitive", "", "the `key` that an attacker would like to know, who knows the others (default: the last one)")
	flags.BoolVar(&f.bounds, "bounds", false, "compare bounds on a person's rows and groups instead: what each leaves out, and its noise")
	flags.StringVarP(&f.table, "table", "t", "", "the protected `table` of --workload")
	flags.StringVar(&f.workload, "workload", "", "compare ways to measure these `groupings` together instead, such as \"region, sex; age in ranges; ()\"")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.html, "html", "", "write a page with plots to this `file`")
}

// read checks the flags that a request is made of.
func (f *assessFlags) read() (assess.Request, error) {
	r := assess.Request{SQL: f.query, K: f.k, Quasi: f.quasi, Sensitive: f.sensitive, Curves: f.html != ""}
	if f.table != "" {
		return r, errors.New("--table: the statement of --query names its table")
	}
	if r.SQL == "" {
		return r, errors.New("--query SQL is required")
	}
	if r.K < 0 {
		return r, fmt.Errorf("--k: %d is no count; write one from 1 on", r.K)
	}
	var err error
	if r.Epsilons, err = f.readEpsilons(); err != nil {
		return r, err
	}
	r.Delta, err = f.readDelta()
	return r, err
}

func (f *assessFlags) readEpsilons() ([]policy.Epsilon, error) {
	var epsilons []policy.Epsilon
	for _, text := range f.epsilons {
		e, err := policy.ParseEpsilon(text)
		if err == nil && e == 0 {
			err = errors.New("epsilon is 0")
		}
		if err != nil {
			return nil, fmt.Errorf("--epsilon: %w", err)
		}
		epsilons = append(epsilons, e)
	}
	return epsilons, nil
}

// readDelta is 0 if there is none.
func (f *assessFlags) readDelta() (policy.Delta, error) {
	if f.delta == "" {
		return 0, nil
	}
	delta, err := policy.ParseDelta(f.delta)
	switch {
	case err != nil:
		return 0, fmt.Errorf("--delta: %w", err)
	case delta == 0 || delta >= policy.OneDelta:
		return 0, fmt.Errorf("--delta: %s is not between 0 and 1", f.delta)
	}
	return delta, nil
}

// compareBounds prints what bounds of a person leave out.
func (f *assessFlags) compareBounds(cmd *cobra.Command, p *policy.Policy) error {
	all, err := assess.CompareBounds(cmd.Context(), p, f.query)
	switch {
	case err != nil:
		return unprovedError(cmd.ErrOrStderr(), p, err)
	case f.json:
		return printJSON(cmd.OutOrStdout(), all)
	}
	return assessmentview.PrintBounds(cmd.OutOrStdout(), all)
}

// write prints the assessment, once the page is written that was asked for.
func (f *assessFlags) write(cmd *cobra.Command, a *assess.Assessment) error {
	if f.html != "" {
		var page bytes.Buffer
		if err := assessmentview.WritePage(&page, a, time.Now()); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
		if err := writePrivate(f.html, page.Bytes()); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	if f.json {
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetIndent("", "  ")
		return encoder.Encode(a)
	}
	return assessmentview.Print(cmd.OutOrStdout(), a)
}
