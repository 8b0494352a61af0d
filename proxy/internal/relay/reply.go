package relay

import (
	"slices"

	"tacit/proxy/internal/wire"
)

// This file is the reply to a round trip, which the client does not see. Start at Reply.

// A Reply is what came back from a round trip. It is protected by replies.mu until all of it is there.
type Reply struct {
	Rows [][]byte // bodies of DataRow
	// Params is the body of the last ParameterDescription.
	Params []byte

	// apart: the messages were sent outside of the client's pipeline.
	apart bool
	// owed counts the requests that were not replied to in full.
	owed int
	// failed is set when the server raised an error; then failure is what it sent if the messages were sent apart.
	failed  bool
	failure ServerError
}

// A ServerError is returned when the server raised an error at a round trip.
type ServerError struct {
	Code string // SQLSTATE
	// Response is the ErrorResponse. It is nil if the client has seen it, in its pipeline, which the server skips from there on.
	Response []byte
}

func (f ServerError) Error() string {
	return "the server raised an error " + f.Code + " at the proxy's own question"
}

// take takes a message of the reply. The caller holds replies.mu.
func (r *Reply) take(kind byte, body []byte) {
	switch kind {
	case 'D':
		r.Rows = append(r.Rows, slices.Clone(body))
	case 't':
		r.Params = slices.Clone(body)
	}
}

// fail takes an error, body being the whole of it or, if it is very long, its beginning. The caller holds replies.mu.
func (r *Reply) fail(code string, body []byte, whole bool) {
	r.failure.Code = code
	switch {
	case !r.apart:
	case whole:
		r.failure.Response = wire.WithoutPosition(body)
	default:
		r.failure.Response = wire.AppendError(nil, "ERROR",
			wire.ErrorFields{Code: code, Message: "the server's error is too long to be shown"})
	}
}
