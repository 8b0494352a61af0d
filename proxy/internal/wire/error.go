package wire

import (
	"encoding/binary"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"
)

// This file holds what the proxy knows of errors: it makes an ErrorResponse of its own, and reads the few fields of the server's that say
// how the session goes on. The invariant: the server's own errors reach the client byte for byte, but for a position that
// points into a text which the client has not seen, and for a hint that is added where counts were answered. Start at AppendError.

// ErrorFields are what a client is told of a failure.
type ErrorFields struct {
	Code     string // SQLSTATE
	Message  string
	Detail   string
	Hint     string
	Position int // 1-based character position in the client's text, 0 for none
}

// A Fatal is the error of a session that ends with a message to the client.
type Fatal struct{ ErrorFields }

func (f Fatal) Error() string { return f.Message }

// ProtocolViolation is the end of a session whose client breaks the protocol.
func ProtocolViolation(message string) Fatal {
	return Fatal{ErrorFields{Code: "08P01", Message: message}}
}

// AppendError appends an ErrorResponse.
func AppendError(dst []byte, severity string, f ErrorFields) []byte {
	return Append(dst, &pgproto3.ErrorResponse{
		Severity: severity, SeverityUnlocalized: severity,
		Code: f.Code, Message: f.Message, Detail: f.Detail, Hint: f.Hint, Position: int32(f.Position),
	})
}

// AppendNotice appends a NoticeResponse.
func AppendNotice(dst []byte, text string) []byte {
	return Append(dst, &pgproto3.NoticeResponse{Severity: "NOTICE", SeverityUnlocalized: "NOTICE", Code: "00000", Message: text})
}

// A Severity is what an ErrorResponse or NoticeResponse says of how the session goes on.
type Severity struct {
	Level string // not localized
	Code  string // SQLSTATE
}

// ReadSeverity reads the beginning of the body of an ErrorResponse or NoticeResponse. The server sends severity and SQLSTATE first.
func ReadSeverity(body []byte) (s Severity) {
	b := Reader{Rest: body}
	for !b.Bad && (s.Level == "" || s.Code == "") {
		kind := b.Byte()
		if kind == 0 {
			break
		}
		value := b.String()
		switch {
		case b.Bad:
		case kind == 'V':
			s.Level = value
		case kind == 'C':
			s.Code = value
		}
	}
	return s
}

// EndsSession says whether the server closes the connection after this error. One whose severity is missing is taken for that.
func (s Severity) EndsSession() bool { return s.Level != "ERROR" }

// IsForOperators says whether a NoticeResponse is none that a statement raises for its sender: what the server logs, or debugs. With
// client_min_messages and debug_print_plan an analyst could have such messages sent to her, and the plan of a statement that
// is then denied tells how many rows the planner expects: for a small table that is the exact count, from statistics which no
// privilege guards in the planner.
func (s Severity) IsForOperators() bool {
	switch s.Level {
	case "NOTICE", "WARNING", "INFO":
		return false
	}
	return true
}

// WithHint makes an ErrorResponse of a whole one, with a hint behind its own.
func WithHint(message []byte, hint string) []byte {
	if hint == "" {
		return message
	}
	out, written := []byte{'E', 0, 0, 0, 0}, false
	for b := (Reader{Rest: message[HeaderBytes:]}); ; {
		kind := b.Byte()
		if !written && !strings.ContainsRune("SVCMD", rune(kind)) { // which stand before a hint
			written = true
			if kind != 'H' {
				out = append(append(append(out, 'H'), hint...), 0)
			}
		}
		if kind == 0 {
			break
		}
		value := b.String()
		if kind == 'H' {
			value += " " + hint
		}
		out = append(append(append(out, kind), value...), 0)
	}
	out = append(out, 0)
	binary.BigEndian.PutUint32(out[1:], uint32(len(out)-1))
	return out
}

// WithoutPosition makes an ErrorResponse whose position is left out. pgproto3 would bring the other fields into another order.
func WithoutPosition(body []byte) []byte {
	out := []byte{'E', 0, 0, 0, 0}
	for b := (Reader{Rest: body}); ; {
		kind := b.Byte()
		if kind == 0 {
			break
		}
		if value := b.String(); kind != 'P' {
			out = append(append(append(out, kind), value...), 0)
		}
	}
	out = append(out, 0)
	binary.BigEndian.PutUint32(out[1:], uint32(len(out)-1))
	return out
}
