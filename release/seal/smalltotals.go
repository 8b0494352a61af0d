package seal

import (
	"fmt"
	"strings"

	"tacit/policy"
	"tacit/release/internal/epoch"
)

// A type may be large, and a value in it rare: the total of a value that one person has is published with the others, outside of the
// promise. So rare values are published only if the steward says so.

// smallPart is the part of prior.least below which a total is small.
const smallPart = 10

// A SmallTotalsError is returned when totals would be published of values that few people have. It is for the steward alone, and has no total.
type SmallTotalsError struct {
	Table policy.TableName
	// Below is what they are below.
	Below int
	// Totals name types and values.
	Totals []string
}

func (e *SmallTotalsError) Error() string {
	return fmt.Sprintf("sealing %v: totals below %d (a tenth of prior.least) would be published, outside of the promise; whoever knows the others of a type "+
		"learns who has such a value: %s; merge values, name fewer columns under by, declare probabilities instead of totals, or give --publish-small-totals",
		e.Table, e.Below, someOf(e.Totals))
}

// checkSmallTotals refuses to publish small totals, unless the steward accepts them. That nobody's value is NULL is no secret of a person.
func (w *Sealing) checkSmallTotals(totals [][]int64, types *personTypes, f *epoch.PublicFacts) error {
	if w.request.PublishSmall || totals == nil {
		return nil
	}
	small := &SmallTotalsError{Table: w.Table.Name, Below: w.Table.Mechanism.Audit.Prior.Least / smallPart}
	for i, t := range types.types {
		var values []string
		for v, value := range f.Values {
			if n := totals[i][v]; n < int64(small.Below) && !(n == 0 && value.Null) {
				values = append(values, shownValue(value))
			}
		}
		if values != nil {
			small.Totals = append(small.Totals, t.Name+": "+strings.Join(values, ", "))
		}
	}
	if small.Totals == nil {
		return nil
	}
	return small
}
