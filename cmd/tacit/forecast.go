package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/assess"
)

// forecast prints what would become of the statements in a file.
func forecast(cmd *cobra.Command, p *policy.Policy, t *policy.Table, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	statements := statementsOf(string(text))
	if len(statements) == 0 {
		return usageError{fmt.Errorf("%s has no statement", file)}
	}
	forecasts, inOrder, err := assess.Forecasts(cmd.Context(), p, t.Name, statements)
	if err != nil {
		return publishError(cmd.ErrOrStderr(), err)
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		return printJSON(cmd.OutOrStdout(), forecastsJSON(forecasts))
	}
	how := "each as if it were the next question of the epoch that there is"
	if inOrder {
		how = "one after another, from a first epoch that would be sealed now"
	}
	return printForecasts(cmd.OutOrStdout(), forecasts, how)
}

// statementsOf are the statements of a text, each of which ends with a semicolon at the end of a line.
func statementsOf(text string) []string {
	var statements []string
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		ends := strings.HasSuffix(line, ";")
		lines = append(lines, strings.TrimSuffix(line, ";"))
		if ends {
			statements, lines = append(statements, strings.TrimSpace(strings.Join(lines, "\n"))), nil
		}
	}
	if rest := strings.TrimSpace(strings.Join(lines, "\n")); rest != "" {
		statements = append(statements, rest)
	}
	return statements
}

func printForecasts(w io.Writer, forecasts []assess.Forecast, how string) error {
	var lines []field
	risk, alarm := policy.Risk(0), ""
	for i, f := range forecasts {
		lines = append(lines, field{fmt.Sprintf("question %d", i+1), strings.Join(strings.Fields(f.Statement), " ")},
			field{"", outcomeOf(&f)})
		risk += f.Risk
		if f.Alarm != "" && alarm == "" {
			alarm = f.Alarm
			lines = append(lines, field{"alarm", "nothing new is released from here on: " + alarm})
		}
	}
	lines = append(lines, field{"asked", how}, field{"risk", fmt.Sprintf("%v together; nothing was charged", risk.RoundUp(3))})
	return printFields(w, 13, lines)
}

// outcomeOf is what becomes of a statement, in a line.
func outcomeOf(f *assess.Forecast) string {
	if f.Refused != "" {
		return "refused: " + f.Refused
	}
	text := fmt.Sprintf("%d of %d counts shown", f.Shown, f.Total)
	if f.Risk > 0 {
		text += fmt.Sprintf(", at a risk of %v", f.Risk.RoundUp(3))
	}
	if f.Dependent > 0 {
		text += fmt.Sprintf("; %d depend on answers", f.Dependent)
	}
	if f.Suppressed > 0 {
		text += fmt.Sprintf("; %d suppressed", f.Suppressed)
		if len(f.Reasons) > 0 {
			text += ": " + f.Reasons[0]
		}
	}
	return text
}

func forecastsJSON(forecasts []assess.Forecast) any {
	type forecast struct {
		Statement  string   `json:"statement"`
		Refused    string   `json:"refused,omitempty"`
		Counts     int      `json:"counts"`
		Shown      int      `json:"shown"`
		Suppressed int      `json:"suppressed"`
		Dependent  int      `json:"dependent"`
		Risk       string   `json:"risk"`
		Reasons    []string `json:"reasons,omitempty"`
		Alarm      string   `json:"alarm,omitempty"`
	}
	list := []forecast{}
	for _, f := range forecasts {
		list = append(list, forecast{f.Statement, f.Refused, f.Total, f.Shown, f.Suppressed, f.Dependent, f.Risk.String(), f.Reasons, f.Alarm})
	}
	return list
}
