package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tacit/accountant"
	"tacit/policy"
)

func budgetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "budget --policy FILE",
		Short: "show what was spent of each table's budget, and by whom",
		Long: `budget reads the ledger, also while the proxy runs, and shows for each protected table and each analyst what was
charged and what is left. Amounts are sums of single losses (basic composition) under the table's adjacency.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := loadPolicy(*path)
		if err != nil {
			return err
		}
		ledger, err := accountant.OpenReadOnly(p.LedgerPath)
		if err != nil {
			return err
		}
		defer ledger.Close()
		spent, err := ledger.Balances(cmd.Context())
		if err != nil {
			return err
		}
		lines := budgetLines(p, spent)
		if *asJSON {
			return json.NewEncoder(cmd.OutOrStdout()).Encode(lines)
		}
		return printBudget(cmd.OutOrStdout(), lines)
	}
	return cmd
}

// A budgetLine is a table's budget, or one analyst's part of it. Amounts are decimal text, exact.
type budgetLine struct {
	Table     string    `json:"table"`
	Analyst   string    `json:"analyst,omitempty"` // empty: all analysts together
	Adjacency string    `json:"adjacency"`
	Spent     jsonLoss  `json:"spent"`
	Budget    *jsonLoss `json:"budget,omitempty"` // none: an analyst without a cap of her own, a table that is no longer protected
	Left      *jsonLoss `json:"left,omitempty"`
}

// A jsonLoss has exact decimal amounts.
type jsonLoss struct {
	Epsilon string `json:"epsilon"`
	Delta   string `json:"delta,omitempty"` // empty: not bounded by a cap on epsilon alone
}

func lossText(l accountant.Loss) jsonLoss {
	return jsonLoss{l.Epsilon.String(), l.Delta.String()}
}

// budgetLines has a line for each table of the policy, and below it one for each analyst who spent something or has a cap. Tables
// that the ledger knows and the policy does not come last.
func budgetLines(p *policy.Policy, spent []accountant.TableBalance) []budgetLine {
	balances := make(map[policy.TableName]accountant.TableBalance)
	for _, b := range spent {
		balances[b.Table] = b
	}
	var lines []budgetLine
	for _, t := range p.Tables {
		balance := balances[t.Name]
		balance.Table, balance.Adjacency = t.Name, t.Adjacency
		lines = append(lines, tableLines(p, balance, &t.Budget)...)
	}
	for _, b := range spent {
		if _, ok := p.Table(b.Table); !ok {
			lines = append(lines, tableLines(p, b, nil)...)
		}
	}
	return lines
}

func tableLines(p *policy.Policy, b accountant.TableBalance, budget *policy.Budget) []budgetLine {
	line := func(analyst string, spent accountant.Loss, budget *policy.Budget) budgetLine {
		l := budgetLine{Table: b.Table.String(), Analyst: analyst, Adjacency: string(b.Adjacency), Spent: lossText(spent)}
		if budget != nil {
			limit, left := lossText(accountant.Loss(*budget)), lossText(spent.Remaining(*budget))
			if budget.Delta == policy.NoDeltaCap {
				limit.Delta, left.Delta = "", ""
			}
			l.Budget, l.Left = &limit, &left
		}
		return l
	}
	lines := []budgetLine{line("", b.Spent, budget)}
	own := make(map[string]accountant.Loss)
	for _, a := range b.Analysts {
		own[a.Analyst] = a.Spent
	}
	for _, a := range p.Analysts {
		if spent, ok := own[a.Name]; ok || a.Budget != nil {
			lines = append(lines, line(a.Name, spent, a.Budget))
		}
		delete(own, a.Name)
	}
	for _, a := range b.Analysts { // who are no longer in the policy
		if spent, ok := own[a.Analyst]; ok {
			lines = append(lines, line(a.Analyst, spent, nil))
		}
	}
	return lines
}

func printBudget(w io.Writer, lines []budgetLine) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "TABLE\tANALYST\tSPENT\tBUDGET\tLEFT")
	for _, l := range lines {
		analyst := l.Analyst
		if analyst == "" {
			analyst = "(all)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", l.Table, analyst, l.Spent.text(), l.Budget.text(), l.Left.text())
	}
	return t.Flush()
}

// text shows epsilon, and delta where there is one.
func (l *jsonLoss) text() string {
	switch {
	case l == nil:
		return "-"
	case l.Delta == "" || l.Delta == "0":
		return "epsilon " + l.Epsilon
	}
	return fmt.Sprintf("epsilon %s, delta %s", l.Epsilon, l.Delta)
}
