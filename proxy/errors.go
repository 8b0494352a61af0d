package proxy

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/rewrite"
)

var (
	// errClient wraps every error of reading from or writing to the client.
	errClient = errors.New("client")
	// errServer wraps every error of reading from or writing to the server.
	errServer = errors.New("server")
	// errEnded is returned when the session is over while its sender still works.
	errEnded = errors.New("the session has ended")
	// errSkipped is returned when the server skips the message being handled, because something before it failed.
	errSkipped = errors.New("the server skips to the next Sync")
)

// refusedText is sent to the server in place of a refused statement. It fails to be analysed, so that everything that follows
// from an error (skipping to the next Sync, the failed transaction block, ReadyForQuery and its status) is the server's own
// doing; the client sees our error in place of its. In a transaction block that has failed already it is not even analysed: the
// server says so with SQLSTATE 25P02, which the client sees unchanged.
const refusedText = `SELECT "refused by tacit"`

const (
	codeInFailedTransaction = "25P02"
	codeNoSuchStatement     = "26000"
)

// A fatal is the error of a session that ends with a message to the client.
type fatal struct{ *rewrite.Refusal }

func (f fatal) Error() string { return f.Message }

func fatalf(code, message string) fatal {
	return fatal{&rewrite.Refusal{Code: code, Message: message}}
}

func protocolViolation(message string) fatal { return fatalf("08P01", message) }

func refuseMalformed() *rewrite.Refusal {
	return &rewrite.Refusal{Code: "08P01", Message: "invalid message format"}
}

func refuseFunctionCall() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "0A000",
		Message: "the function call sub-protocol is not supported",
		Hint:    "Call the function in a SELECT.",
	}
}

// appendError appends an ErrorResponse.
func appendError(dst []byte, severity string, r *rewrite.Refusal) []byte {
	m := pgproto3.ErrorResponse{
		Severity: severity, SeverityUnlocalized: severity,
		Code: r.Code, Message: r.Message, Detail: r.Detail, Hint: r.Hint, Position: int32(r.Position),
	}
	out, err := m.Encode(dst)
	if err != nil {
		panic("proxy: internal error: " + err.Error()) // only a message beyond 1 GiB
	}
	return out
}

func appendNotice(dst []byte, text string) []byte {
	m := pgproto3.NoticeResponse{Severity: "NOTICE", SeverityUnlocalized: "NOTICE", Code: "00000", Message: text}
	out, err := m.Encode(dst)
	if err != nil {
		panic("proxy: internal error: " + err.Error())
	}
	return out
}

// errorFields are the fields of an ErrorResponse that say how the session goes on.
type errorFields struct {
	severity string // not localized
	code     string
}

// readErrorFields reads the beginning of an ErrorResponse's body. The server sends severity and SQLSTATE first.
func readErrorFields(body []byte) (f errorFields) {
	b := bodyReader{rest: body}
	for !b.bad && (f.severity == "" || f.code == "") {
		kind := b.byte()
		if kind == 0 {
			break
		}
		value := b.string()
		switch {
		case b.bad:
		case kind == 'V':
			f.severity = value
		case kind == 'C':
			f.code = value
		}
	}
	return f
}

// endsSession says whether the server closes the connection after this error. One whose severity is missing is taken for that.
func (f errorFields) endsSession() bool { return f.severity != "ERROR" }

// isForOperators says whether a NoticeResponse is none that a statement raises for its sender: what the server logs, or debugs. With
// client_min_messages and debug_print_plan an analyst could have such messages sent to her, and the plan of a statement that
// is then denied tells how many rows the planner expects: for a small table that is the exact count, from statistics which no
// privilege guards in the planner.
func (f errorFields) isForOperators() bool {
	switch f.severity {
	case "NOTICE", "WARNING", "INFO":
		return false
	}
	return true
}

// withoutPosition appends an ErrorResponse whose position, which points into a text that the client has not seen, is left out.
func withoutPosition(dst, body []byte) []byte {
	out, mark := beginMessage(dst, 'E')
	b := bodyReader{rest: body}
	for {
		kind := b.byte()
		if kind == 0 {
			break
		}
		if value := b.string(); kind != 'P' {
			out = appendString(append(out, kind), value)
		}
	}
	return endMessage(append(out, 0), mark)
}

func (in *inbound) refuseTooLong() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "54000",
		Message: fmt.Sprintf("a statement is longer than %d bytes", in.s.limits().StatementBytes),
		Hint:    "Load data with COPY or with parameters, or ask the steward about limits.statement_bytes.",
	}
}

func refuseTooLarge() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "54000",
		Message: "the statement with its sanitized cells is too large",
		Hint:    "Group by fewer columns. The answer is kept: what was charged for it is not charged again.",
	}
}

func refuseTooManyStatements() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "54000",
		Message: fmt.Sprintf("more than %d prepared statements about protected tables, or more than %d bytes of them", maxStatements, maxStatementsText),
		Hint:    "Close or DEALLOCATE those that are no longer needed.",
	}
}

func refuseStale(why string) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "0A000",
		Message: "the prepared statement can no longer be answered",
		Detail:  why + " Nothing was charged.",
		Hint:    "Prepare the statement again.",
	}
}

// refuseInFailedBlock is what the server says by itself, to any statement that does not end the block.
func refuseInFailedBlock() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    codeInFailedTransaction,
		Message: "current transaction is aborted, commands ignored until end of transaction block",
	}
}

func refuseCancelled() *rewrite.Refusal {
	return &rewrite.Refusal{Code: "57014", Message: "canceling statement due to user request"}
}

func refuseInternal() *rewrite.Refusal {
	return &rewrite.Refusal{
		Code:    "XX000",
		Message: "the protected statement could not be answered",
		Hint:    "Ask the steward to look at the proxy's log.",
	}
}

// refuse makes the server fail in place of the message at r, and shows the client our error in place of the server's.
func (in *inbound) refuse(kind requestKind, r *rewrite.Refusal) error {
	return in.substitute(kind, &handling{refusal: r})
}

// substitute sends what must fail in place of the message at r.
func (in *inbound) substitute(kind requestKind, how *handling) error {
	if kind != queryRequest {
		return in.replace(parseRequest, how, parseMessage{name: in.s.privateName, text: refusedText}.append(nil))
	}
	if in.concerned("") {
		how = in.affecting(how, &effect{always: true})
	}
	text := refusedText
	if p := in.prologue; p.Statements > 0 {
		after := *how
		after.prologue = p.Statements
		how, text = &after, p.Text+"; "+refusedText
	}
	return in.replace(queryRequest, how, appendQuery(nil, text))
}
