package curator

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// CouldTell reports whether an error of the server may come from the value of a row: data exceptions and their like, and limits of
// memory, of disk and of length. Privileges, names, time-outs, cancelled statements and lost connections do not.
func CouldTell(err error) bool {
	var server *pgconn.PgError
	if !errors.As(err, &server) || len(server.Code) != 5 {
		return false
	}
	if slices.Contains([]string{"42501", "42P01", "42703", "3F000"}, server.Code) {
		return false
	}
	return slices.Contains([]string{"21", "22", "23", "2F", "38", "39", "42", "54", "P0", "XX"}, server.Code[:2]) || slices.Contains([]string{"53100", "53200", "53400"}, server.Code)
}

// TimedOut reports whether a statement ran into the time limit of its connection, or was cancelled.
func TimedOut(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && server.Code == "57014"
}

// IsInvalid reports whether the server does not know a value that a parameter of a function has, such as the name of a time zone.
func IsInvalid(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && server.Code == "22023"
}

// Unmade reports whether an error says nothing of the server's catalog, since the server could not be asked: it was not reached, has no connection left,
// is starting or stopping, or did not answer in time.
func Unmade(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return len(server.Code) == 5 && slices.Contains([]string{"08", "53", "57"}, server.Code[:2])
	}
	return ServerGone(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// ServerGone reports whether a count ended because its connection did: the server crashed, was shut down, or ended it from outside; or because a standby
// had to take away rows or a lock that it read by (40001, 40P01), by which it ends statements and sessions, whatever they count. A count that took
// too long is none of these: that it did tells of the rows. Go's error of it would pass for one of the network. Of a connection that ends without a word, pgx says
// only that it is closed where a statement without parameters was asked.
func ServerGone(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false
	}
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return slices.Contains([]string{"57P01", "57P02", "57P03", "40001", "40P01"}, server.Code)
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
