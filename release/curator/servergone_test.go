package curator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// A charge is taken over by the next question where nobody has seen how its count ended. It fails if that is said of a count that took too long, which
// tells of the rows: whoever asked again would not pay for it.
func TestServerGone(t *testing.T) {
	for err, want := range map[error]bool{
		io.ErrUnexpectedEOF:            true,
		pgconn.ErrConnClosed:           true,
		&pgconn.PgError{Code: "57P01"}: true,
		&pgconn.PgError{Code: "40001"}: true,
		&pgconn.PgError{Code: "40P01"}: true,
		&pgconn.PgError{Code: "57014"}: false,
		&pgconn.PgError{Code: "54000"}: false,
		context.DeadlineExceeded:       false,
		context.Canceled:               false,
		errors.New("anything else"):    false,
		fmt.Errorf("read: %w", io.EOF): true,
	} {
		if ServerGone(err) != want {
			t.Errorf("%v: %v", err, !want)
		}
	}
	ended := fmt.Errorf("timeout: %w", context.DeadlineExceeded)
	if ServerGone(ended) {
		t.Errorf("%v: the server is said to be gone", ended)
	}
}
