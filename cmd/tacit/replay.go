package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tacit/release"
)

func replayCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay --policy FILE --table NAME",
		Short: "derive all decisions of an audited table again, from the log alone",
		Long: `replay reads the log of an audited table in the ledger, and decides about every question again: from the public facts
of the epochs, the prior, and the answers that had been released before. It connects to no database, so that what it
finds cannot depend on a private value: a suppression that comes out the same tells nothing that was not known. It also
compares what was decided with what the ledger charged, and the people of each epoch with those of the auditor.

It exits with 1 if a decision comes out otherwise. The ledger may be in use.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	table := auditedTableFlag(cmd)
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, t, err := loadAudited(*path, *table)
		if err != nil {
			return err
		}
		proof, err := release.ReplayAudit(cmd.Context(), p.Ledger, t.Name)
		if err != nil {
			return err
		}
		if *asJSON {
			err = printProofJSON(cmd.OutOrStdout(), proof)
		} else {
			err = printProof(cmd.OutOrStdout(), proof)
		}
		if err == nil && len(proof.Differences) > 0 {
			err = fmt.Errorf("%d decisions come out otherwise than they are in the log", len(proof.Differences))
		}
		return err
	}
	return cmd
}

func printProof(w io.Writer, p *release.AuditProof) error {
	lines := [][2]string{
		{"table", p.Table.String()},
		{"epochs", fmt.Sprint(p.Epochs)},
		{"rounds", fmt.Sprintf("%d, of which %d were charged and not answered", p.Rounds, p.Unanswered)},
		{"decisions", fmt.Sprintf("%d released, %d certified, %d free, %d suppressed", p.Released, p.Certified, p.Free, p.Suppressed)},
		{"risk", fmt.Sprintf("%v charged", p.Risk.RoundUp(3))},
	}
	if p.Alarm != "" {
		lines = append(lines, [2]string{"alarm", "nothing new is released since " + p.Alarm})
	}
	for _, d := range p.Differences {
		lines = append(lines, [2]string{"difference", fmt.Sprintf("event %d: %s", d.Event, d.Text)})
	}
	verdict := "every decision follows from what was public and released before it"
	if len(p.Differences) > 0 {
		verdict = "NOT the decisions that the log has"
	}
	lines = append(lines, [2]string{"replayed", verdict})
	for _, l := range lines {
		if _, err := fmt.Fprintf(w, "%-11s %s\n", l[0]+":", l[1]); err != nil {
			return err
		}
	}
	return nil
}

func printProofJSON(w io.Writer, p *release.AuditProof) error {
	type difference struct {
		Event int64  `json:"event"`
		Text  string `json:"text"`
	}
	differences := []difference{}
	for _, d := range p.Differences {
		differences = append(differences, difference{d.Event, d.Text})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Table       string       `json:"table"`
		Epochs      int          `json:"epochs"`
		Rounds      int          `json:"rounds"`
		Unanswered  int          `json:"unanswered"`
		Released    int          `json:"released"`
		Certified   int          `json:"certified"`
		Free        int          `json:"free"`
		Suppressed  int          `json:"suppressed"`
		Risk        string       `json:"risk"`
		Alarm       string       `json:"alarm,omitempty"`
		Differences []difference `json:"differences"`
	}{p.Table.String(), p.Epochs, p.Rounds, p.Unanswered, p.Released, p.Certified, p.Free, p.Suppressed, p.Risk.String(), p.Alarm, differences})
}
