package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/measure"
)

func measureCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "measure --policy FILE --table NAME",
		Short: "measure the workload of a table",
		Long: `measure counts the marginals that the policy declares as the workload of a table, all at once, and records them with
noise. It charges what the policy says the workload costs, to the budget of the table and to no analyst. From then on each
count that follows from them is free.

It refuses if the workload was measured in the present epoch. With --again it is measured once more, and charged once
more: counts follow from the new measurement from then on.

Proxies may run meanwhile: what they answer next follows from it.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	name := cmd.Flags().StringP("table", "t", "", "the table's `name`, schema.name (default: the only one with a workload)")
	again := cmd.Flags().Bool("again", false, "measure, and charge, once more")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = withPolicy(path, func(cmd *cobra.Command, p *policy.Policy) error {
		with := slices.DeleteFunc(slices.Clone(p.Tables), func(t *policy.Table) bool {
			return t.Workload == nil || *name != "" && t.Name.String() != *name
		})
		switch {
		case len(with) == 0 && *name != "":
			return usageError{errors.New("--table: " + *name + " is no table with a workload")}
		case len(with) == 0:
			return usageError{errors.New("no table of the policy has a workload")}
		case len(with) > 1:
			return usageError{errors.New("--table NAME is required: several tables have a workload")}
		}
		made, err := measure.Measure(cmd.Context(), measure.Request{Policy: p, Table: with[0].Name, Again: *again})
		if errors.Is(err, measure.ErrMeasured) {
			return errors.New(err.Error() + "; tacit measure --again measures it once more, and charges it once more")
		}
		if err != nil {
			return err
		}
		charged := made.Loss.String()
		if made.Adopted {
			charged = "nothing: " + charged + " was charged before, by a measurement that did not end"
		}
		if *asJSON {
			return printJSON(cmd.OutOrStdout(), map[string]any{
				"table": made.Table.String(), "question": made.Question, "epsilon": made.Loss.Epsilon.String(), "delta": made.Loss.Delta.String(),
				"adopted": made.Adopted, "left_epsilon": made.Left.Epsilon.String(), "left_delta": made.Left.Delta.String(),
			})
		}
		return printFields(cmd.OutOrStdout(), 11, []field{{"measured", made.Question}, {"charged", charged}, {"left", made.Left.String()}})
	})
	return cmd
}
