package main

import (
	"errors"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/assess"
)

// readWorkload checks the flags that a workload is made of.
func (f *assessFlags) readWorkload(p *policy.Policy) (r assess.WorkloadRequest, err error) {
	if f.query != "" || f.bounds || f.html != "" || f.k != 0 || len(f.quasi) > 0 || f.sensitive != "" {
		return r, errors.New("--workload goes with --table, --epsilon, --delta and --json alone")
	}
	table, err := findTable(p, f.table)
	if err != nil {
		return r, err
	}
	r.Table = table.Name
	if r.Groupings, err = assess.ParseWorkload(f.workload); err != nil {
		return r, err
	}
	epsilons, err := f.readEpsilons()
	switch {
	case err != nil:
		return r, err
	case len(epsilons) > 1:
		return r, errors.New("--epsilon: one amount is for all groupings of a workload together")
	case len(epsilons) == 1:
		r.Epsilon = epsilons[0]
	}
	r.Delta, err = f.readDelta()
	return r, err
}

// compareWorkload prints the errors of a workload, by ways to measure it.
func (f *assessFlags) compareWorkload(cmd *cobra.Command, p *policy.Policy) error {
	request, err := f.readWorkload(p)
	if err != nil {
		return usageError{err}
	}
	r, err := assess.Workload(cmd.Context(), p, request)
	switch {
	case err != nil:
		return unprovedError(cmd.ErrOrStderr(), p, err)
	case f.json:
		return printJSON(cmd.OutOrStdout(), r)
	}
	return r.WriteText(cmd.OutOrStdout())
}
