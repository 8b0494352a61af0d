package release

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/accountant"
	"tacit/policy"
	"tacit/rewrite"
)

// The refusals of this package. Their text depends on the statement, the policy and the ledger, never on protected rows.

// partlyCharged takes the assurance out of a refusal that nothing was charged: a part of the statement was.
func partlyCharged(err error) error {
	var refusal *rewrite.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	told := *refusal
	for _, assurance := range []string{"No row was read and nothing was charged.", "Nothing was charged."} {
		told.Detail = strings.TrimSpace(strings.ReplaceAll(told.Detail, assurance, ""))
	}
	told.Detail = strings.TrimSpace(told.Detail + " What was charged for other parts of the statement, or before, stays charged.")
	return errors.Join(&told, err)
}

func refuseClosed() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "55000",
		Message: "protected tables are closed",
		Detail:  "The proxy could not confirm that analysts can reach protected rows in no other way.",
		Hint:    "Ask the steward to run `tacit check`. Other statements work.",
	}
}

func refuseLedger() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "58030",
		Message: "protected tables are closed: the privacy ledger cannot be used",
		Detail:  "Without its ledger the proxy cannot tell what has been spent or answered.",
		Hint:    "Ask the steward to look at the proxy's log. Other statements work.",
	}
}

func refuseUnavailable() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "58000",
		Message: "the protected tables cannot be counted now",
		Detail:  "No row was read and nothing was charged.",
		Hint:    "Try again; if it persists, ask the steward to look at the proxy's log.",
	}
}

func refuseFailedCount() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "58000",
		Message: "the count could not be completed",
		Detail:  "Its loss stays charged, because protected rows may have been read.",
		Hint:    "Ask the steward to look at the proxy's log before you try again.",
	}
}

func refuseClosedTable(name policy.TableName) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "55000",
		Message: fmt.Sprintf("table %s is closed, since a count of it failed", name),
		Detail:  "Such a failure could tell of a row, so there is to be no second one.",
		Hint:    "Ask the steward to look at the proxy's log and to reload the policy. Questions about other tables work.",
	}
}

func refuseCancelled() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "57014",
		Message: "canceling statement due to user request",
		Detail:  "A count that had begun stays charged.",
	}
}

func refuseChanged(q *rewrite.BoundQuery) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "55000",
		Message: fmt.Sprintf("the policy or the definition of table %s has just changed", q.Table.Policy.Name),
		Detail:  "Nothing was charged.",
		Hint:    "Send the statement again; prepare it again if it was prepared.",
	}
}

func refuseStranger(analyst string) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "28000",
		Message: fmt.Sprintf("role %q is no longer an analyst", analyst),
		Hint:    "The policy has changed. Other statements work until you disconnect.",
	}
}

func refuseUnknownKeys(q *rewrite.BoundQuery) *rewrite.Refusal {
	var unknown []string
	for _, k := range q.Keys {
		if slices.ContainsFunc(k.Inputs(), func(c *rewrite.Column) bool { return c.Domain == nil }) {
			unknown = append(unknown, k.Text())
		}
	}
	table := q.Table.Policy
	if kind := table.Mechanism.Kind; kind == policy.DPSwapping || kind == policy.DPSuppressionAlg2 {
		return &rewrite.Refusal{
			Code:    "42501",
			Message: fmt.Sprintf("the mechanism of table %s is for declared keys only", table.Name),
			Detail:  fmt.Sprintf("No domain is declared for %s.", strings.Join(unknown, ", ")),
			Hint:    "Group by columns with a declared domain, or ask the steward to declare one.",
		}
	}
	if table.Mechanism.Delta > 0 { // then the other table of a join has none
		table = q.Partner().Policy
	}
	return &rewrite.Refusal{
		Code:    "42501",
		Message: fmt.Sprintf("table %s has no delta to release unknown keys with", table.Name),
		Detail:  fmt.Sprintf("No domain is declared for %s, and showing keys that are found in the data costs delta.", strings.Join(unknown, ", ")),
		Hint: "Group by columns with a declared domain; a condition in WHERE needs none. Or ask the steward to declare one, or to give the " +
			"table a mechanism.delta and a budget.delta in the policy; a grant does not help.",
	}
}

func refuseNoiseOfJoin(q *rewrite.BoundQuery, t *policy.Table) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "0A000",
		Message: fmt.Sprintf("protected tables %s and %s cannot be joined in this count, which would need too much noise", q.Table.Policy.Name, q.Partner().Policy.Name),
		Detail: fmt.Sprintf("A join has the smaller epsilon and delta of its tables, here %v and %v, and the larger bounds of a person, here %d rows in %d groups. Nothing was charged.",
			t.Mechanism.Epsilon, t.Mechanism.Delta, t.Person.Rows, t.Person.Groups),
		Hint: "Count each table in a sub-select of its own, or persons by count(DISTINCT ...); or ask the steward to raise the smaller epsilon.",
	}
}

func refuseTooManyCells(q *rewrite.BoundQuery, limit int) *rewrite.Refusal {
	names := make([]string, len(q.Keys))
	for i, k := range q.Keys {
		names[i] = k.Text()
	}
	return &rewrite.Refusal{
		Code:    "54000",
		Message: fmt.Sprintf("GROUP BY %s has more than %d cells", strings.Join(names, ", "), limit),
		Detail:  "Every combination of the declared values is a cell, also those without rows. Nothing was charged.",
		Hint:    "Group by fewer columns, or ask the steward about limits.cells.",
	}
}

func refuseTooMuch(limit int) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "54000",
		Message: fmt.Sprintf("the counts of the statement have more than %d values together", limit),
		Detail:  "Keys and counts of all its cells are values. Nothing was charged.",
		Hint:    "Ask in several statements, or group by fewer columns.",
	}
}

func refuseTooManySelected(limit int) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "54000",
		Message: fmt.Sprintf("more than %d keys passed the threshold", limit),
		Detail:  "The loss stays charged, because protected rows were read.",
		Hint:    "Group by fewer columns, or ask the steward about limits.cells.",
	}
}

func refuseAdjacency(other *accountant.AdjacencyError) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "55000",
		Message: fmt.Sprintf("the adjacency of table %s was changed after it was counted", other.Table),
		Detail:  fmt.Sprintf("Losses under %s do not add up with those under %s. Nothing was charged.", other.Asked, other.Recorded),
		Hint:    "Ask the steward to restore the policy.",
	}
}

// refuseOverBudget tells what is left of the amounts that are needed; of the analyst's own cap, of those that it names.
func refuseOverBudget(over *accountant.OverBudgetError, limit *policy.Budget) *rewrite.Refusal {
	shown := over.Needed
	whose := fmt.Sprintf("the privacy budget of table %s", over.Table)
	if over.Of == "analyst" {
		whose = fmt.Sprintf("your privacy budget on table %s", over.Table)
		if limit != nil {
			shown = inBoth(accountant.Named(*limit), over.Needed)
		}
	}
	where, hint := "", "Questions that were answered before stay free: repeat one, in any spelling. The steward can raise the budget."
	if over.Block != "" {
		where = fmt.Sprintf(" for block %s", over.Block)
		hint = "Ask about rows of other blocks alone, by a condition in WHERE on the column that makes the blocks. " + hint
		if over.Block == policy.OutsideBlock {
			hint = "Write both bounds in WHERE, so that no value beyond the declared ones can meet it. " + hint
		}
	}
	return &rewrite.Refusal{
		Code:    "53400",
		Message: whose + " does not cover this answer",
		Detail: fmt.Sprintf("The answer costs %s%s; left%s: %s. Nothing was charged.", shownCost(over.Needed), taken(over), where,
			over.Remaining.RoundDown(lossDigits).Only(shown)),
		Hint: hint,
	}
}

// taken tells what a charge would take of the budget where that is more than it costs: a release of other noise than most of a table's can.
func taken(over *accountant.OverBudgetError) string {
	const infinite = math.MaxInt64
	switch {
	case over.Takes.Epsilon == infinite || over.Takes.Delta == infinite:
		return ", and would leave what is spent without a bound"
	case over.Takes.Exceeds(policy.Budget(over.Needed)):
		return fmt.Sprintf(", and takes %s of the budget", shownCost(over.Takes))
	}
	return ""
}

func refuseFrozen(frozen *accountant.FrozenError) *rewrite.Refusal {
	r := &rewrite.Refusal{
		Code:    "55000",
		Message: fmt.Sprintf("table %s is frozen: nothing new is answered", frozen.Table),
		Hint:    "Questions that were answered before stay free: repeat one, in any spelling. The steward can thaw the table.",
	}
	if frozen.Analyst != "" {
		r.Message = fmt.Sprintf("you are frozen on table %s: nothing new is answered", frozen.Table)
		r.Hint = "Questions that were answered before stay free: repeat one, in any spelling. The steward can thaw you."
	}
	r.Detail = fmt.Sprintf("The steward says why: %s. Nothing was charged.", strings.TrimRight(frozen.Reason, ". "))
	return r
}

func refuseBusy() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "40001",
		Message: "the question is being answered elsewhere at the same time",
		Detail:  "Other proxies were faster each time. What was charged stays charged.",
		Hint:    "Send the statement again: what they answered is free.",
	}
}
