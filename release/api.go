package release

import (
	"time"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
)

// What the methods of a Gateway take and return.
type (
	Request           = reply.Request
	Receipt           = reply.Receipt
	ReceiptLine       = reply.ReceiptLine
	AuditReceipt      = reply.AuditReceipt
	Explanation       = reply.Explanation
	ExplainedQuestion = reply.ExplainedQuestion
)

// Steward is the name under which the ledger has what the steward's commands charge. It is no role's name.
const Steward = live.Steward

// Accounting is how the losses of a table add up, for a policy whose proxy need not run.
func Accounting(t *policy.Table) accountant.Accounting { return live.Accounting(t) }

// What the context of a request can end with, besides that the analyst gave up.
var (
	ErrUnawaited = reply.ErrUnawaited
	ErrGone      = reply.ErrGone
)

// A Told is what an analyst was told of an answer to a statement about one table.
type Told struct {
	At        time.Time
	Statement string // the beginning of it
	Notice    string
}
