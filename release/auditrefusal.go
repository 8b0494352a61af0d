package release

import (
	"fmt"

	"tacit/policy"
	"tacit/rewrite"
)

// The refusals of questions about audited tables. None of them depends on a private value.

func refuseUnsealed(name policy.TableName) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "55000",
		Message: fmt.Sprintf("table %s has no epoch yet", name),
		Detail:  "Its counts are exact as of the time at which the steward sealed an epoch, and none has been sealed. Nothing was charged.",
		Hint:    "Ask the steward to run `tacit seal`. Other statements work.",
	}
}

func refuseEpochOver(name policy.TableName) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "55000",
		Message: fmt.Sprintf("the epoch of table %s is over", name),
		Detail:  "Rows were deleted or updated since it was sealed, or the table was moved or got other partitions, so that new counts cannot be taken as of then.",
		Hint:    "Counts that were released before are still answered, and so are those that follow from them. Ask the steward to seal a new epoch.",
	}
}

func refuseChangedColumns(name policy.TableName) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "55000",
		Message: fmt.Sprintf("the columns of table %s in the policy are others than when its epoch was sealed", name),
		Detail:  "What was released about groups of some columns does not fit groups of others. Nothing was charged.",
		Hint:    "Ask the steward to restore the columns in the policy.",
	}
}

func refuseChangedAuditor(name policy.TableName) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "55000",
		Message: fmt.Sprintf("the mechanism of table %s in the policy is another than when its epoch was sealed", name),
		Detail:  "What the auditor decided under one prior and one epsilon does not fit another. Nothing was charged.",
		Hint:    "Ask the steward to restore the mechanism in the policy. No new epoch takes in another.",
	}
}

func refuseAuditFlood(name policy.TableName) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "53400",
		Message: fmt.Sprintf("you asked table %s too many questions that are suppressed, in too short a time", name),
		Detail:  "Every decision is written down once for what had been released before it, so that it can be proved again. Nothing was charged.",
		Hint:    "Wait a minute. What was released is answered as often as you like.",
	}
}

func refuseMixedValues(q *rewrite.BoundQuery, count int) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "0A000",
		Message: fmt.Sprintf("a count of table %s counts different values of %q for different people", q.Table.Policy.Name, q.Table.Private),
		Detail: "The auditor decides about the number of people of some groups who have one of some values. Nothing was charged. " +
			"The question was: " + q.Question(q.Counts[count]),
		Hint: fmt.Sprintf("Ask for each value by itself, for example by GROUP BY %[1]s or by count(*) FILTER (WHERE %[1]s = ...), "+
			"and add the counts in an outer query.", q.Table.PrivateColumn().Text()),
	}
}

func refuseTooManyMembers(q *rewrite.BoundQuery, limit int) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "54000",
		Message: fmt.Sprintf("finding out whom the statement counts of table %s takes more than %d values", q.Table.Policy.Name, limit),
		Detail: "Each combination of the columns that it uses, with each value of the private one, has a value for each key and count. " +
			"Nothing was charged.",
		Hint: "Use fewer columns or fewer counts, or ask in several statements, or ask the steward about limits.cells.",
	}
}
