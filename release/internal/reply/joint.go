package reply

import (
	"fmt"

	"tacit/accountant"
)

// MeasuredJointly says what the charge for a joint measurement is for.
const MeasuredJointly = "counts of one statement are measured jointly, each as exactly as by itself"

// JointCounts are counts of a statement that are measured jointly, and what they cost by themselves.
type JointCounts struct {
	Counts int
	Alone  accountant.Loss
}

// String says what was measured, after what it cost.
func (j JointCounts) String() string {
	return fmt.Sprintf("%d counts measured jointly (by themselves %v)", j.Counts, j.Alone.RoundUp(lossDigits))
}

func (j JointCounts) instead() string {
	return fmt.Sprintf("%d counts by themselves cost %s", j.Counts, shownCost(j.Alone))
}
