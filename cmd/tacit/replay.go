package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tacit/release/seal"
)

func replayCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay --policy FILE --table NAME",
		Short: "derive all decisions of an audited table again, from the log alone",
		Long: `replay reads the log of an audited table in the ledger, and decides about every question again: from the public facts
of the epochs, the prior, and the answers that had been released before. It connects to no database, so that what it
finds cannot depend on a private value: a suppression that comes out the same tells nothing that was not known. It also
compares what was decided with what the ledger charged, and the people of each epoch with those of the auditor.

A log that was changed can still decide alike: without its last entries, or with another analyst's name. So replay also
verifies the ledger, as tacit verify does. Whoever can write all of a ledger can make it agree with itself: --expect
compares it with a head that was noted in another place.

It exits with 1 if a decision comes out otherwise, or if the ledger is not as it was written. The ledger may be in use.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	table := auditedTableFlag(cmd)
	expect := expectFlag(cmd)
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, t, err := loadAudited(*path, *table)
		if err != nil {
			return err
		}
		noted, err := notedHead(cmd, *expect)
		if err != nil {
			return err
		}
		verified, err := verify(cmd, p, noted)
		if err != nil {
			return err
		}
		proof, err := seal.Replay(cmd.Context(), p.Ledger, t.Name)
		if err != nil {
			return err
		}
		if *asJSON {
			err = printProofJSON(cmd.OutOrStdout(), proof, verified)
		} else if err = printProof(cmd.OutOrStdout(), proof); err == nil {
			err = verified.print(cmd.OutOrStdout())
		}
		if err == nil && len(proof.Differences) > 0 {
			err = fmt.Errorf("%d decisions come out otherwise than they are in the log", len(proof.Differences))
		}
		return errors.Join(err, verified.verdict())
	}
	return cmd
}

func printProof(w io.Writer, p *seal.Proof) error {
	lines := []field{
		{"table", p.Table.String()},
		{"epochs", fmt.Sprint(p.Epochs)},
		{"rounds", fmt.Sprintf("%d, of which %d were charged and not answered", p.Rounds, p.Unanswered)},
		{"decisions", fmt.Sprintf("%d released, %d certified, %d free, %d suppressed", p.Released, p.Certified, p.Free, p.Suppressed)},
		{"risk", fmt.Sprintf("%v charged", p.Risk.RoundUp(3))},
	}
	if p.Alarm != "" {
		lines = append(lines, field{"alarm", "nothing new is released since " + p.Alarm})
	}
	if p.Earlier > 0 {
		lines = append(lines, field{"earlier", fmt.Sprintf("%d charges are those of an earlier version. For questions about people of several types whose "+
			"priors lie in an interval it charged too little; what is asked now is charged in full", p.Earlier)})
	}
	for _, d := range p.Differences {
		lines = append(lines, field{"difference", fmt.Sprintf("event %d: %s", d.Event, d.Text)})
	}
	verdict := "every decision follows from what was public and released before it"
	if len(p.Differences) > 0 {
		verdict = "NOT the decisions that the log has"
	}
	lines = append(lines, field{"replayed", verdict})
	return printFields(w, 11, lines)
}

func printProofJSON(w io.Writer, p *seal.Proof, verified *ledgerProof) error {
	type difference struct {
		Event int64  `json:"event"`
		Text  string `json:"text"`
	}
	differences := []difference{}
	for _, d := range p.Differences {
		differences = append(differences, difference{d.Event, d.Text})
	}
	return printJSON(w, struct {
		Table       string       `json:"table"`
		Epochs      int          `json:"epochs"`
		Rounds      int          `json:"rounds"`
		Unanswered  int          `json:"unanswered"`
		Released    int          `json:"released"`
		Certified   int          `json:"certified"`
		Free        int          `json:"free"`
		Suppressed  int          `json:"suppressed"`
		Risk        string       `json:"risk"`
		Earlier     int          `json:"earlier,omitempty"`
		Alarm       string       `json:"alarm,omitempty"`
		Differences []difference `json:"differences"`
		Ledger      any          `json:"ledger"` // as tacit verify has it
	}{p.Table.String(), p.Epochs, p.Rounds, p.Unanswered, p.Released, p.Certified, p.Free, p.Suppressed, p.Risk.String(), p.Earlier, p.Alarm, differences, verified.jsonForm()})
}
