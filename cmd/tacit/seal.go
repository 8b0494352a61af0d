package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/seal"
)

func sealCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "seal --policy FILE --table NAME",
		Short: "open an epoch of an audited table",
		Long: `seal opens an epoch of a table with mechanism audit: from now on its counts are answered as of this moment, until the
next epoch is sealed. The first one has to be sealed before the table is answered at all. It waits for those who are
writing into the table, publishes what the policy says is published (totals, or an estimate of them), and charges the
risks of the certified plan and of the declared workload.

Before the first epoch it tries whether the prior fits: it asks every grouping by one or two public columns of an auditor
in memory, with the true counts. If that raises an alarm it refuses, unless --despite-misfit is given: the first analyst
who asks the same would close the table for good. What it finds out is printed for you alone.

Totals below a tenth of prior.least are published only if you say so, when asked or by --publish-small-totals: they
tell much of those who have such a value.

A later epoch takes in groups of new rows that are large enough to be released by themselves; others wait. People who
are gone stay in the account. If people come after any went, they may be updates: seal refuses, unless --distinct
says that they are different people. If released answers have refuted the prior it refuses, unless
--acknowledge-alarm says that this is known; the reason is recorded.

Proxies may run meanwhile: the counts that they answer next are those of the new epoch (docs/operations.md).`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	table := auditedTableFlag(cmd)
	request := seal.Request{Random: rand.Reader}
	cmd.Flags().StringVar(&request.Reason, "reason", "", "recorded with the epoch")
	cmd.Flags().BoolVar(&request.Distinct, "distinct", false, "rows that came are about other people than rows that ever went")
	cmd.Flags().BoolVar(&request.AcknowledgeAlarm, "acknowledge-alarm", false, "go on although released answers refute the prior; needs --reason")
	cmd.Flags().BoolVar(&request.PublishSmall, "publish-small-totals", false, "publish totals of values that few people have, too")
	despite := cmd.Flags().Bool("despite-misfit", false, "open the first epoch although the prior does not fit the table")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, t, err := loadAudited(*path, *table)
		if err != nil {
			return err
		}
		request.Table, request.CheckFit = t.Name, !*despite
		sealed, err := seal.OpenEpoch(cmd.Context(), p, request)
		if small := (*seal.SmallTotalsError)(nil); errors.As(err, &small) && confirms(cmd, small) {
			request.PublishSmall = true
			sealed, err = seal.OpenEpoch(cmd.Context(), p, request)
		}
		if err != nil {
			return publishError(cmd.ErrOrStderr(), err)
		}
		if *asJSON {
			return printSealedJSON(cmd.OutOrStdout(), sealed)
		}
		return printFields(cmd.OutOrStdout(), 11, sealed.Lines())
	}
	return cmd
}

// confirms asks whether small totals are to be published. Where nobody can answer, they are not.
func confirms(cmd *cobra.Command, small *seal.SmallTotalsError) bool {
	if !isTerminal(os.Stdin) {
		return false
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%v\nPublish them? Write yes to do so: ", small)
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	return err == nil && strings.TrimSpace(answer) == "yes"
}

// auditedTableFlag adds the flag --table.
func auditedTableFlag(cmd *cobra.Command) *string {
	return cmd.Flags().StringP("table", "t", "", "the audited table's `name`, schema.name (default: the only one)")
}

// loadAudited loads a policy and finds one of its audited tables.
func loadAudited(path, name string) (*policy.Policy, *policy.Table, error) {
	p, err := loadPolicy(path)
	if err != nil {
		return nil, nil, err
	}
	var audited []*policy.Table
	var names []string
	for _, t := range p.Tables {
		if t.Mechanism.Kind == policy.Audit {
			audited, names = append(audited, t), append(names, t.Name.String())
		}
	}
	switch {
	case len(audited) == 0:
		return nil, nil, usageError{errors.New("no table of the policy has mechanism: {kind: audit}")}
	case name == "" && len(audited) == 1:
		return p, audited[0], nil
	case name == "":
		return nil, nil, usageError{errors.New("--table NAME is required; there is " + strings.Join(names, ", "))}
	}
	parsed, err := policy.ParseTableName(name)
	if err != nil {
		return nil, nil, usageError{fmt.Errorf("--table: %w", err)}
	}
	for _, t := range audited {
		if t.Name == parsed {
			return p, t, nil
		}
	}
	return nil, nil, usageError{fmt.Errorf("--table: %v is no audited table of the policy; there is %s", parsed, strings.Join(names, ", "))}
}

func printSealedJSON(w io.Writer, s *seal.Epoch) error {
	type typed struct {
		Name   string             `json:"name"`
		People int64              `json:"people"`
		Prior  map[string]float64 `json:"prior"`
	}
	out := struct {
		Table        string  `json:"table"`
		Epoch        int     `json:"epoch"`
		People       int64   `json:"people"`
		Combinations int     `json:"combinations"`
		Pending      int64   `json:"pending"`
		Untyped      int64   `json:"untyped"`
		Types        []typed `json:"types"`
		Blocks       int     `json:"blocks"`
		Risk         string  `json:"risk"`
		Charged      string  `json:"charged_epsilon"`
		Left         string  `json:"left"`
	}{s.Table.String(), s.Epoch, s.People, s.Combinations, s.Pending, s.Untyped, []typed{}, s.Blocks, s.Risk.String(), s.Charged.String(), s.Left.String()}
	for _, t := range s.Types {
		prior := make(map[string]float64)
		for i, p := range t.Prior {
			prior[t.Values[i]] = p
		}
		out.Types = append(out.Types, typed{t.Name, t.People, prior})
	}
	return printJSON(w, out)
}
