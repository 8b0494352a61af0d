package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release"
)

func assessCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "assess --policy FILE --query SQL",
		Short: "compare all mechanisms on one question: loss, bias, fairness, variance",
		Long: `assess counts what the statement asks, through the curator, and computes for each mechanism what a release of these
counts would be like: what it guarantees, its bias, fairness and variance, and how many cells it would withhold. All of
it is exact, from the distributions of the mechanisms: nothing is simulated.

It reads true counts, charges nothing and records nothing: its output is for the steward, and must not be published.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	query := cmd.Flags().StringP("query", "q", "", "the `statement` (required)")
	epsilons := cmd.Flags().StringSlice("epsilon", nil, "`amounts` of epsilon to compare at (default: that of the table)")
	delta := cmd.Flags().String("delta", "", "`delta` of Gaussian noise (default: that of the table, or 1e-6)")
	k := cmd.Flags().Int64("k", 0, "the least `count` that suppression shows (default: that of the table, or 6)")
	quasi := cmd.Flags().StringSlice("quasi", nil, "the `columns` that dp-swapping exchanges (default: those of the table, or all keys)")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := loadPolicy(*path)
		if err != nil {
			return err
		}
		request := release.AssessRequest{SQL: *query, K: *k, Quasi: *quasi}
		if err := readAmounts(&request, *epsilons, *delta); err != nil {
			return usageError{err}
		}
		a, err := release.Assess(cmd.Context(), p, request)
		if err != nil {
			return err
		}
		if *asJSON {
			return printAssessmentJSON(cmd.OutOrStdout(), a)
		}
		return printAssessment(cmd.OutOrStdout(), a)
	}
	return cmd
}

// readAmounts checks the flags that a request is made of.
func readAmounts(r *release.AssessRequest, epsilons []string, delta string) error {
	if r.SQL == "" {
		return errors.New("--query SQL is required")
	}
	if r.K < 0 {
		return fmt.Errorf("--k: %d is no count; write one from 1 on", r.K)
	}
	for _, text := range epsilons {
		e, err := policy.ParseEpsilon(text)
		if err == nil && e == 0 {
			err = errors.New("epsilon is 0")
		}
		if err != nil {
			return fmt.Errorf("--epsilon: %w", err)
		}
		r.Epsilons = append(r.Epsilons, e)
	}
	if delta == "" {
		return nil
	}
	var err error
	if r.Delta, err = policy.ParseDelta(delta); err != nil {
		return fmt.Errorf("--delta: %w", err)
	}
	if r.Delta == 0 || r.Delta >= 1e18 {
		return fmt.Errorf("--delta: %s is not between 0 and 1", delta)
	}
	return nil
}

const assessmentNotice = "Computed from true counts: for the steward, not for publication."

func printAssessment(w io.Writer, a *release.Assessment) error {
	fmt.Fprintln(w, assessmentNotice)
	for _, q := range a.Questions {
		cells := "declared cells"
		if !q.Declared {
			cells = "cells that have rows (analysts see those that pass a threshold, which these figures leave out)"
		}
		fmt.Fprintf(w, "\n%s\n%d %s, %d of them empty; counts up to %d, %d in all; %s\n\n", q.Question, q.Cells, cells, q.Zeros, q.Largest, q.Total, a.Adjacency)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "MECHANISM\tEPSILON\tDELTA\tRHO\tBIAS (L1)\tALPHA\tVARIANCE (MAX)\t(MEAN)\tSUPPRESSED\t±95%\t")
		var problems []string
		for _, m := range q.Mechanisms {
			g := m.AddRemove
			if a.Adjacency == policy.ReplaceOne {
				g = m.ReplaceOne
			}
			epsilon := "-"
			if m.Epsilon > 0 {
				epsilon = m.Epsilon.String()
			}
			if m.Problem != "" {
				fmt.Fprintf(t, "%s\t%s\t-\t-\t-\t-\t-\t-\t-\t-\t\n", m.Kind, epsilon)
				problems = append(problems, m.Problem)
				continue
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.2f\t%.3f\t%.2f\t%.2f\t%.1f%%\t%d\t\n", m.Kind, epsilon, deltaText(g.Delta), figure(g.Rho),
				m.L1Bias, m.Alpha, m.MaxVariance, m.MeanVariance, 100*m.Suppressed, m.HalfWidth95)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		for _, problem := range problems {
			fmt.Fprintln(w, problem)
		}
		if q.Unfitted {
			fmt.Fprintf(w, "\n%s\n", unfittedNote)
		}
	}
	_, err := fmt.Fprint(w, assessmentLegend)
	return err
}

const unfittedNote = "This table fits totals by least squares; the row of its own mechanism is for cells that are not fitted. EXPLAIN has the errors of fitted ones."

const assessmentLegend = `
DELTA is that at EPSILON, under the table's adjacency; near 1 it promises nothing, whatever the epsilon. That of published suppression
is 1 without a bound on counts (mechanism.bound). RHO is that of zCDP. BIAS is the sum of the cells' absolute biases, ALPHA the
largest bias minus the smallest. Counts below 0 are shown as 0, and a suppressed cell counts as k/2, unless the table's own mechanism
says otherwise. ±95% bounds the noise of a count.
`

// deltaText keeps a delta near 1 from looking like 1, and 0 apart from small ones.
func deltaText(delta float64) string {
	switch {
	case delta == 0:
		return "0"
	case delta > 0.999 && delta < 1:
		return fmt.Sprintf("1-%.1e", 1-delta)
	}
	return strconv.FormatFloat(delta, 'g', 3, 64)
}

func figure(x float64) string {
	if math.IsInf(x, 1) {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// The JSON forms have null where a figure is infinite.
type (
	jsonAssessment struct {
		Notice    string         `json:"notice"`
		Table     string         `json:"table"`
		Adjacency string         `json:"adjacency"`
		Questions []jsonAssessed `json:"questions"`
	}
	jsonAssessed struct {
		Question   string                  `json:"question"`
		Declared   bool                    `json:"declared"`
		Cells      int                     `json:"cells"`
		Empty      int                     `json:"empty"`
		Largest    int64                   `json:"largest"`
		Total      int64                   `json:"total"`
		Unfitted   bool                    `json:"unfitted"` // the table fits these cells to totals, and its own mechanism is assessed without
		Mechanisms []jsonAssessedMechanism `json:"mechanisms"`
	}
	jsonAssessedMechanism struct {
		Mechanism    string                   `json:"mechanism"`
		Guaranteed   bool                     `json:"guaranteed"`
		Epsilon      *float64                 `json:"epsilon"`
		Problem      string                   `json:"problem,omitempty"` // why there are no figures
		Delta        float64                  `json:"delta"`             // under the table's adjacency
		Guarantees   map[string]jsonGuarantee `json:"guarantees"`
		L1Bias       float64                  `json:"l1_bias"`
		Alpha        float64                  `json:"alpha_fairness"`
		MaxVariance  float64                  `json:"max_variance"`
		MeanVariance float64                  `json:"mean_variance"`
		Suppressed   float64                  `json:"suppressed_share"`
		HalfWidth95  int64                    `json:"half_width_95"`
	}
	jsonGuarantee struct {
		Delta       float64  `json:"delta"`
		PureEpsilon *float64 `json:"pure_epsilon"`
		Rho         *float64 `json:"rho"`
		Exact       bool     `json:"exact"`
	}
)

func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func printAssessmentJSON(w io.Writer, a *release.Assessment) error {
	out := jsonAssessment{Notice: assessmentNotice, Table: a.Table.String(), Adjacency: string(a.Adjacency), Questions: []jsonAssessed{}}
	for _, q := range a.Questions {
		assessed := jsonAssessed{
			Question: q.Question, Declared: q.Declared, Cells: q.Cells, Empty: q.Zeros, Largest: q.Largest, Total: q.Total,
			Unfitted: q.Unfitted, Mechanisms: []jsonAssessedMechanism{},
		}
		for _, m := range q.Mechanisms {
			assessed.Mechanisms = append(assessed.Mechanisms, jsonMechanism(m, a.Adjacency))
		}
		out.Questions = append(out.Questions, assessed)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func jsonMechanism(m release.AssessedMechanism, adjacency policy.Adjacency) jsonAssessedMechanism {
	guarantee := func(g release.AssessedGuarantee) jsonGuarantee {
		return jsonGuarantee{Delta: g.Delta, PureEpsilon: finite(g.Pure), Rho: finite(g.Rho), Exact: g.Exact}
	}
	out := jsonAssessedMechanism{
		Mechanism: string(m.Kind), Guaranteed: m.Kind.Guaranteed(), Problem: m.Problem, Delta: m.AddRemove.Delta,
		Guarantees: map[string]jsonGuarantee{
			string(policy.AddRemove): guarantee(m.AddRemove), string(policy.ReplaceOne): guarantee(m.ReplaceOne),
		},
		L1Bias: m.L1Bias, Alpha: m.Alpha, MaxVariance: m.MaxVariance, MeanVariance: m.MeanVariance,
		Suppressed: m.Suppressed, HalfWidth95: m.HalfWidth95,
	}
	if adjacency == policy.ReplaceOne {
		out.Delta = m.ReplaceOne.Delta
	}
	if m.Epsilon > 0 {
		e := float64(m.Epsilon) / 1e9
		out.Epsilon = &e
	}
	return out
}
