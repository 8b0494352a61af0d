package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release"
)

func sealCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "seal --policy FILE --table NAME",
		Short: "open an epoch of an audited table",
		Long: `seal opens an epoch of a table with mechanism audit: from now on its counts are answered as of this moment, until the
next epoch is sealed. The first one has to be sealed before the table is answered at all. It waits for those who are
writing into the table, publishes what the policy says is published (totals, or an estimate of them), and charges the
risks of the certified plan and of the declared workload.

A later epoch takes in groups of new rows that are large enough to be released by themselves; others wait. People who
are gone stay in the account. If people come after any went, they may be updates: seal refuses, unless --distinct
says that they are different people. If released answers have refuted the prior it refuses, unless
--acknowledge-alarm says that this is known; the reason is recorded.

Proxies may run meanwhile: the counts that they answer next are those of the new epoch (docs/operations.md).`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	table := auditedTableFlag(cmd)
	request := release.SealRequest{Random: rand.Reader}
	cmd.Flags().StringVar(&request.Reason, "reason", "", "recorded with the epoch")
	cmd.Flags().BoolVar(&request.Distinct, "distinct", false, "rows that came are about other people than rows that ever went")
	cmd.Flags().BoolVar(&request.AcknowledgeAlarm, "acknowledge-alarm", false, "go on although released answers refute the prior; needs --reason")
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, t, err := loadAudited(*path, *table)
		if err != nil {
			return err
		}
		request.Table = t.Name
		sealed, err := release.Seal(cmd.Context(), p, request)
		if err != nil {
			return publishError(cmd.ErrOrStderr(), err)
		}
		if *asJSON {
			return printSealedJSON(cmd.OutOrStdout(), sealed)
		}
		return printSealed(cmd.OutOrStdout(), sealed)
	}
	return cmd
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

func printSealed(w io.Writer, s *release.Sealed) error {
	lines := [][2]string{
		{"sealed", fmt.Sprintf("epoch %d of %s", s.Epoch, s.Table)},
		{"people", fmt.Sprintf("%d, in %d combinations of the public columns", s.People, s.Combinations)},
	}
	if s.Pending > 0 {
		lines = append(lines, [2]string{"pending", fmt.Sprintf("%d people whose groups are too small to be taken in yet", s.Pending)})
	}
	if s.Untyped > 0 {
		lines[len(lines)-1][1] = fmt.Sprintf("%d people, of whom %d wait until their groups are large enough; the other %d are of types that nobody was of at the first epoch, and are never taken in", s.Pending, s.Pending-s.Untyped, s.Untyped)
	}
	for _, t := range s.Types {
		var shares []string
		for i, p := range t.Prior {
			shares = append(shares, fmt.Sprintf("%s %.4g", t.Values[i], p))
		}
		lines = append(lines, [2]string{"prior", fmt.Sprintf("%s (%d people): %s", t.Name, t.People, strings.Join(shares, ", "))})
	}
	switch {
	case s.Groupings > 0 && s.Blocks > 0:
		lines = append(lines, [2]string{"certified", fmt.Sprintf("%d blocks and %d groupings, at a risk of %v", s.Blocks, s.Groupings, s.Risk.RoundUp(3))})
	case s.Groupings > 0:
		lines = append(lines, [2]string{"certified", fmt.Sprintf("%d groupings, at a risk of %v", s.Groupings, s.Risk.RoundUp(3))})
	case s.Blocks > 0:
		lines = append(lines, [2]string{"certified", fmt.Sprintf("%d blocks, at a risk of %v", s.Blocks, s.Risk.RoundUp(3))})
	}
	if s.Charged > 0 {
		lines = append(lines, [2]string{"charged", fmt.Sprintf("epsilon %v for the estimate of the prior", s.Charged)})
	}
	lines = append(lines, [2]string{"left", fmt.Sprintf("risk %v", s.Left.RoundDown(3))})
	for _, l := range lines {
		if _, err := fmt.Fprintf(w, "%-11s %s\n", l[0]+":", l[1]); err != nil {
			return err
		}
	}
	return nil
}

func printSealedJSON(w io.Writer, s *release.Sealed) error {
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
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}
