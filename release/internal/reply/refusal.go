package reply

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/accountant"
	"tacit/policy"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// This file fills in the forms (forms.go) that take more than a name.

// PartlyCharged takes the assurance out of a refusal that nothing was charged: a part of the statement was.
func PartlyCharged(err error) error {
	var refusal *pgerror.Refusal
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

// unknownKeys says of which keys the values are not listed, and why, and by what to group instead. limit is how many cells there may be.
func unknownKeys(q *query.BoundQuery, limit int) (why, instead string) {
	var undeclared, reasons []string
	for _, k := range q.UnlistedKeys() {
		reason, rounded := query.WhyUnlisted(k, limit), query.Rounded(k, "trunc", 10)
		if reason == "" {
			undeclared = append(undeclared, k.Text())
			continue
		}
		reasons = append(reasons, reason)
		if instead == "" && rounded != "" {
			instead = fmt.Sprintf("by rounded values, GROUP BY %s, or ", rounded)
		}
	}
	if len(undeclared) > 0 {
		reasons = append([]string{fmt.Sprintf("No domain is declared for %s.", strings.Join(undeclared, ", "))}, reasons...)
	}
	return strings.Join(slices.Compact(reasons), " "), instead
}

// RefuseMovedKeys refuses a threshold where two persons can come to a key at once.
func RefuseMovedKeys(q *query.BoundQuery, limit int) *pgerror.Refusal {
	why, instead := unknownKeys(q, limit)
	return movedKeys.With(q.Table.Policy.Name, why, instead)
}

func RefuseUnknownKeys(q *query.BoundQuery, limit int) *pgerror.Refusal {
	table, form := q.Table.Policy, noDelta
	if kind := table.Mechanism.Kind; kind == policy.DPSwapping || kind == policy.DPSuppressionAlg2 {
		form = declaredKeysOnly
	}
	for _, other := range q.OtherTables() {
		if table.Mechanism.Delta > 0 { // then another has none
			table = other.Policy
		}
	}
	why, instead := unknownKeys(q, limit)
	return form.With(table.Name, why, instead)
}

// RefusePersonKey refuses groups of one person each: no threshold lets them pass, so that an answer would be empty whatever the rows are.
func RefusePersonKey(q *query.BoundQuery) *pgerror.Refusal {
	key, table := q.PersonKey()
	return personKey.With(key.Name, table.Policy.Name, key.Text())
}

func RefuseNoiseOfJoin(q *query.BoundQuery, t *policy.Table) *pgerror.Refusal {
	other := q.Table
	for _, t := range q.OtherTables() {
		other = t
	}
	return noisyJoin.With(q.Table.Policy.Name, other.Policy.Name, t.Mechanism.Epsilon, t.Mechanism.Delta, t.Person.Rows, t.Person.Groups)
}

func RefuseTooManyCells(q *query.BoundQuery, limit int) *pgerror.Refusal {
	names := make([]string, len(q.Keys))
	for i, k := range q.Keys {
		names[i] = k.Text()
	}
	return tooManyCells.With(strings.Join(names, ", "), limit)
}

func RefuseMixedValues(q *query.BoundQuery, count int) *pgerror.Refusal {
	return mixedValues.With(q.Table.Policy.Name, q.Table.Private, q.Question(q.Counts[count]), q.Table.PrivateColumn().Text())
}

// RefuseNoiseOfSum refuses sums for which no noise is made.
func RefuseNoiseOfSum(q *query.BoundQuery, parts int) *pgerror.Refusal {
	return noisySum.With(q.Table.Policy.Name, parts)
}

func RefuseAdjacency(other *accountant.AdjacencyError) *pgerror.Refusal {
	return adjacencyChanged.With(other.Table, other.Asked, other.Recorded)
}

// RefuseOverBudget tells what is left of the amounts that are needed; of the analyst's own cap, of those that it names.
func RefuseOverBudget(over *accountant.OverBudgetError, limit *policy.Budget) *pgerror.Refusal {
	shown := over.Needed
	whose := fmt.Sprintf("the privacy budget of table %s", over.Table)
	if over.Of == "analyst" {
		whose = fmt.Sprintf("your privacy budget on table %s", over.Table)
		if limit != nil {
			shown = InBoth(accountant.Named(*limit), over.Needed)
		}
	}
	where, hint := "", ""
	if over.Block != "" {
		where = fmt.Sprintf(" for block %s", over.Block)
		hint = "Ask about rows of other blocks alone, by a condition in WHERE on the column that makes the blocks. "
		if over.Block == policy.OutsideBlock {
			hint = "Write both bounds in WHERE, so that no value beyond the declared ones can meet it. " + hint
		}
	}
	return overBudget.With(whose, shownCost(over.Needed), taken(over), where, over.Remaining.RoundDown(lossDigits).Only(shown), hint)
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

func RefuseFrozen(frozen *accountant.FrozenError) *pgerror.Refusal {
	form := tableFrozen
	if frozen.Analyst != "" {
		form = analystFrozen
	}
	return form.With(frozen.Table, strings.TrimRight(frozen.Reason, ". "))
}

// UnlessRefused is nil for a refusal, and otherwise the error.
func UnlessRefused(err error) error {
	var refusal *pgerror.Refusal
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}
