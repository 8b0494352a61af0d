package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"tacit/auditor/paper"
)

func frontierSection(w io.Writer) error {
	const risk = 1e-3
	fmt.Fprintf(w, "Theorems 5 and 6: people that a cell needs for a risk of %v, by the theorems' bound and in fact\n", risk)
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  prior\tepsilon\tby the bound\tin fact\tratio")
	for _, x := range [][2]float64{{0.5, 0.5}, {0.4, 0.5}, {0.3, 0.5}, {0.2, 0.5}, {0.1, 0.5}, {0.5, 0.2}, {0.3, 0.2}} {
		bound, fact := paper.LeastByTheorem(x[0], x[1], risk), paper.LeastPeople(x[0], x[1], risk)
		fmt.Fprintf(tw, "  %v\t%v\t%d\t%d\t%.0f\n", x[0], x[1], bound, fact, float64(bound)/float64(fact))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "The paper's worked claims, epsilon 0.2:")
	tw = tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  claim\tpublished\tby the bound\tin fact unsafe")
	five := paper.Claim{People: 10_000, Delta: 0.5, Epsilon: 0.2}
	fmt.Fprintf(tw, "  100 cells of 10,000 people, prior 0.5, all safe\t99%% at least\t%.7f\t%.2g\n", five.Theorem5(100), 100*five.Unsafe(0.5))
	for _, c := range []paper.Claim{{People: 100_000, Delta: 0.25, Epsilon: 0.2}, {People: 10_000, Delta: 0.4, Epsilon: 0.2}} {
		fmt.Fprintf(tw, "  one cell of %d people, priors from %v, released at delta 0.1\talmost surely\t%.6f\t%.2g\n",
			c.People, c.Delta, c.Theorem6(0.1), c.Unsafe(c.Delta))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "The claims hold. As a rule for binning the bound asks for an order of magnitude too many people and more, because the range that")
	fmt.Fprintln(w, "it calls safe, Delta ln(1+epsilon) around the mean, is narrower than the range that is safe, and Chernoff's bound is loose besides.")
	fmt.Fprintln(w)
	return theorem2Section(w)
}

// theorem2Section says how often the sampled rule releases a question that is unsafe with probability delta/T.
func theorem2Section(w io.Writer) error {
	fmt.Fprintln(w, "Theorem 2: how often the sampled rule releases a question that is unsafe with probability delta/T")
	tw := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "  T\tdelta\tin the proof, at most\tin fact\tbreach by it")
	for _, decisions := range []float64{16, 121} {
		share := delta / decisions
		release := sampledRelease(share, decisions/delta)
		fmt.Fprintf(tw, "  %v\t%v\t%.4f\t%.3f\t%.4f\n", decisions, delta, share, release, share*release)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "The proof reads Chernoff's bound as delta/T; it is (delta/T)^0.153. The theorem stands, because a breach takes the unsafe value besides.")
	return nil
}
