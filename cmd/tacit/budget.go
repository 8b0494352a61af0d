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
charged and what is left. Amounts are sums of single losses (basic composition) under the table's adjacency. Releases
without a guarantee are counted on their own: no epsilon describes them. The risk of exact counts is an amount of its own,
too, shown with four digits: what was spent is rounded up, and what is left down. --json has all digits.`,
		Args: noArguments,
	}
	path := policyFlag(cmd)
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := loadPolicy(*path)
		if err != nil {
			return err
		}
		ledger, err := accountant.OpenReadOnly(p.Ledger.SQLite)
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

// A budgetLine is a table's budget, or one analyst's part of it.
type budgetLine struct {
	Table     string    `json:"table"`
	Analyst   string    `json:"analyst,omitempty"`   // empty: all analysts together
	Adjacency string    `json:"adjacency,omitempty"` // none of a table whose counts are exact
	Spent     jsonLoss  `json:"spent"`
	Budget    *jsonLoss `json:"budget,omitempty"` // none: an analyst without a cap of her own, a table that is no longer protected
	Left      *jsonLoss `json:"left,omitempty"`

	spent  accountant.Loss
	budget *policy.Budget // none as Budget
}

// A jsonLoss has exact decimal amounts. Of a budget it has those only that are bounded: a cap need not name all.
type jsonLoss struct {
	Epsilon  string `json:"epsilon,omitempty"`
	Delta    string `json:"delta,omitempty"`
	Releases *int64 `json:"releases,omitempty"` // without a guarantee
	Risk     string `json:"risk,omitempty"`     // of exact counts, where there are any
}

func lossText(l accountant.Loss) jsonLoss {
	text := jsonLoss{Epsilon: l.Epsilon.String(), Delta: l.Delta.String(), Releases: &l.Releases}
	if l.Risk > 0 {
		text.Risk = l.Risk.String()
	}
	return text
}

// cappedText leaves out the amounts that a budget does not name. A risk is named if there may be any.
func cappedText(l accountant.Loss, b policy.Budget) *jsonLoss {
	text := lossText(l)
	if b.Epsilon == policy.NoEpsilonCap {
		text.Epsilon = ""
	}
	if b.Delta == policy.NoDeltaCap {
		text.Delta = ""
	}
	if b.Releases == policy.NoReleasesCap {
		text.Releases = nil
	}
	text.Risk = ""
	if b.Risk != policy.NoRiskCap && b.Risk > 0 {
		text.Risk = l.Risk.String()
	}
	return &text
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
		balance.Table = t.Name
		if t.Mechanism.Kind != policy.Audit {
			balance.Adjacency = t.Adjacency
		}
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
		l := budgetLine{Table: b.Table.String(), Analyst: analyst, Adjacency: string(b.Adjacency), Spent: lossText(spent), spent: spent, budget: budget}
		if budget != nil && budget.Risk > 0 && budget.Risk != policy.NoRiskCap {
			l.Spent.Risk = spent.Risk.String()
		}
		if budget != nil {
			l.Budget, l.Left = cappedText(accountant.Loss(*budget), *budget), cappedText(spent.Remaining(*budget), *budget)
		}
		return l
	}
	lines := []budgetLine{line("", b.Spent, budget)}
	own := make(map[string]accountant.Loss)
	for _, a := range b.Analysts {
		own[a.Analyst] = a.Spent
	}
	for _, a := range p.Analysts {
		limit := capOn(p, b.Table, a.Budget)
		if spent, ok := own[a.Name]; ok || limit != nil {
			lines = append(lines, line(a.Name, spent, limit))
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

// capOn is what an analyst's cap says of a table: of an audited one its risk alone, as nothing else is charged there to analysts.
func capOn(p *policy.Policy, name policy.TableName, limit *policy.Budget) *policy.Budget {
	if t, ok := p.Table(name); limit == nil || !ok || t.Mechanism.Kind != policy.Audit {
		return limit
	}
	if limit.Risk == policy.NoRiskCap {
		return nil
	}
	return &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: limit.Risk}
}

func printBudget(w io.Writer, lines []budgetLine) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "TABLE\tANALYST\tSPENT\tBUDGET\tLEFT")
	for _, l := range lines {
		analyst := l.Analyst
		if analyst == "" {
			analyst = "(all)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", l.Table, analyst, l.spentText(), l.budgetText(), l.leftText())
	}
	return t.Flush()
}

// named are the amounts of the budget; an amount that a cap does not name is zero.
func (l *budgetLine) named() (named accountant.Loss) {
	if l.budget == nil {
		return named
	}
	named = accountant.Loss(*l.budget)
	if named.Epsilon == policy.NoEpsilonCap {
		named.Epsilon = 0
	}
	if named.Delta == policy.NoDeltaCap {
		named.Delta = 0
	}
	if named.Releases == policy.NoReleasesCap {
		named.Releases = 0
	}
	if named.Risk == policy.NoRiskCap {
		named.Risk = 0
	}
	return named
}

// spentText shows what there is in the budget, so that the columns compare, and what else was spent.
func (l *budgetLine) spentText() string {
	shown := l.spent
	shown.Epsilon = max(shown.Epsilon, l.named().Epsilon)
	shown.Releases = max(shown.Releases, l.named().Releases)
	shown.Risk = max(shown.Risk, l.named().Risk)
	return spentRisk(l.spent).Only(shown)
}

func (l *budgetLine) budgetText() string {
	if l.budget == nil {
		return "-"
	}
	return l.named().String()
}

func (l *budgetLine) leftText() string {
	if l.budget == nil {
		return "-"
	}
	left := l.spent.Remaining(*l.budget)
	left.Risk = left.Risk.RoundDown(riskDigits)
	return left.Only(l.named())
}

// riskDigits are as many digits of a risk as people read. Programs get all.
const riskDigits = 4

// spentRisk is a loss as it is shown to people, with a risk that is not less.
func spentRisk(l accountant.Loss) accountant.Loss {
	l.Risk = l.Risk.RoundUp(riskDigits)
	return l
}
