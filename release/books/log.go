package books

import (
	"fmt"
	"time"

	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release"
)

// Verdicts are what can come of a statement, and what stewards do.
var Verdicts = []ledger.Verdict{
	ledger.Charged, ledger.Decided, ledger.Replayed, ledger.Derived, ledger.Refused,
	ledger.Granted, ledger.Frozen, ledger.Thawed, ledger.Epoch, ledger.Inspected, ledger.Resolved, ledger.Requested, ledger.Declined,
	ledger.Thinned,
}

// proxy is who has dropped what notes said. It is no role's name.
const proxy = "(proxy)"

// Who is who asked, or whom a steward's act is about; what is about nobody in particular is the steward's, or the proxy's.
func Who(e ledger.Entry) string {
	if e.Verdict == ledger.Thinned {
		return proxy
	}
	if e.By != "" && e.Analyst == "" {
		return release.Steward
	}
	return e.Analyst
}

// TableText is a table, or a dash for none.
func TableText(name policy.TableName) string {
	if name == (policy.TableName{}) {
		return "-"
	}
	return name.String()
}

// VerdictText is what came of a statement, as the log shows it.
func VerdictText(e ledger.Entry) string {
	switch {
	case e.Verdict == ledger.Charged && !e.Recorded && (e.Audit == 0 || e.Kind == auditor.EventRound):
		return "charged, not answered"
	case e.SQLState != "":
		return string(e.Verdict) + " " + e.SQLState
	}
	return string(e.Verdict)
}

// LossText is what was charged. What was granted is no loss, and says so.
func LossText(e ledger.Entry) string {
	loss := e.Loss
	loss.Risk = loss.Risk.RoundUp(ShownDigits)
	switch e.Verdict {
	case ledger.Charged:
		return loss.String()
	case ledger.Granted, ledger.Requested:
		return "(" + GrantText(loss) + ")"
	default:
		return "-"
	}
}

// Text is a statement, or who did what is in the log, and why.
func Text(e ledger.Entry) string {
	if e.Verdict == ledger.Resolved {
		return terminal.OneLine("by " + e.By + ": " + e.SQL + "; because: " + e.Reason)
	}
	if e.By != "" {
		return terminal.OneLine("by " + e.By + ": " + e.Reason)
	}
	if e.Verdict == ledger.Thinned {
		return ThinningText(e.Thinning)
	}
	if e.Verdict == ledger.Requested {
		return terminal.OneLine("asks for more: " + e.Reason)
	}
	return terminal.OneLine(e.SQL)
}

// ThinningText says what was dropped.
func ThinningText(t ledger.Thinning) string {
	text := fmt.Sprintf("dropped what notes up to entry %d said: %d replayed, %d derived, %d refused", t.Through, t.Replayed, t.Derived, t.Refused)
	if !t.Before.IsZero() {
		text += ", older than " + t.Before.Format(time.DateTime)
	}
	return text
}

// A ThinnedLine is what was dropped, for programs.
type ThinnedLine struct {
	Through  int64      `json:"through"`
	Before   *time.Time `json:"before,omitempty"`
	Replayed int64      `json:"replayed"`
	Derived  int64      `json:"derived"`
	Refused  int64      `json:"refused"`
}

// NewThinnedLine is a thinning for programs.
func NewThinnedLine(t ledger.Thinning) *ThinnedLine {
	line := &ThinnedLine{Through: t.Through, Replayed: t.Replayed, Derived: t.Derived, Refused: t.Refused}
	if !t.Before.IsZero() {
		line.Before = &t.Before
	}
	return line
}

// A LogLine is an entry of the log for programs.
type LogLine struct {
	ID        int64        `json:"id"`
	At        time.Time    `json:"at"`
	Analyst   string       `json:"analyst"`
	Table     string       `json:"table,omitempty"`
	Verdict   string       `json:"verdict"`
	Answered  bool         `json:"answered"`
	SQLState  string       `json:"sqlstate,omitempty"`
	Request   string       `json:"request,omitempty"` // as in the operator's log
	Loss      *Amounts     `json:"loss,omitempty"`
	Granted   *Amounts     `json:"granted,omitempty"`
	Requested *Amounts     `json:"requested,omitempty"`
	Questions []string     `json:"questions,omitempty"`
	Releases  []int64      `json:"derived_from,omitempty"`
	Event     int64        `json:"event,omitempty"`
	Kind      string       `json:"kind,omitempty"` // of the event
	By        string       `json:"by,omitempty"`   // the steward who did it
	Reason    string       `json:"reason,omitempty"`
	Statement string       `json:"statement"`
	Thinned   *ThinnedLine `json:"thinned,omitempty"`
}

// NewLogLine is an entry for programs.
func NewLogLine(e ledger.Entry) LogLine {
	line := LogLine{
		ID: e.ID, At: e.At, Analyst: e.Analyst, Verdict: string(e.Verdict), SQLState: e.SQLState, Request: e.Request, Questions: e.Questions, Releases: e.Releases, Event: e.Audit, Kind: e.Kind,
		By: e.By, Reason: e.Reason, Statement: e.SQL,
	}
	line.Answered = e.Verdict == ledger.Replayed || e.Verdict == ledger.Derived || e.Recorded
	if e.Table != (policy.TableName{}) {
		line.Table = e.Table.String()
	}
	amount := AmountsOf(e.Loss)
	switch e.Verdict {
	case ledger.Charged:
		line.Loss = &amount
	case ledger.Granted:
		line.Granted = &amount
	case ledger.Requested:
		line.Requested = &amount
	case ledger.Thinned:
		line.Thinned = NewThinnedLine(e.Thinning)
	default:
	}
	return line
}
