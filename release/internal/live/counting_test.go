package live

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/release/internal/reply"
	"tacit/rewrite/pgerror"
)

// Who has seen how a count ended has had what she was charged for.
func TestUnseen(t *testing.T) {
	running := context.Background()
	ended := func(cause error) context.Context {
		ctx, cancel := context.WithCancelCause(running)
		cancel(cause)
		return ctx
	}
	for _, c := range []struct {
		counting context.Context
		err      error
		want     bool
	}{
		{ended(reply.ErrGone), context.Canceled, true},
		{ended(nil), context.Canceled, false},
		{ended(nil), io.ErrUnexpectedEOF, false}, // a cancel request closes the connection
		{running, io.ErrUnexpectedEOF, true},
		{running, &pgconn.PgError{Code: "57P01"}, true},
		{running, &pgconn.PgError{Code: "57014"}, false}, // it took too long
		{running, &pgconn.PgError{Code: "22003"}, false},
		{running, errors.New("something else"), false},
	} {
		if got := Unseen(c.counting, c.err); got != c.want {
			t.Errorf("%v after %v: %v", c.err, context.Cause(c.counting), got)
		}
	}
}

// A count goes on when nobody waits for it, and ends with the monitor, or with a cancel request.
func TestCounting(t *testing.T) {
	m := &Monitor{}
	m.running, m.stop = context.WithCancel(context.Background())
	begin := func() (context.CancelCauseFunc, context.Context) {
		ctx, cancel := context.WithCancelCause(context.Background())
		counting, end := m.Counting(ctx)
		t.Cleanup(end)
		return cancel, counting
	}
	cancel, cancelled := begin()
	cancel(nil)
	<-cancelled.Done()
	leave, unawaited := begin()
	leave(reply.ErrUnawaited)
	m.stop()
	<-unawaited.Done()
	if got := context.Cause(unawaited); !errors.Is(got, reply.ErrGone) {
		t.Errorf("it ended because of %v", got)
	}
}

func TestUnevaluated(t *testing.T) {
	var r *pgerror.Refusal
	if err := Unevaluated(context.Background(), &pgconn.PgError{Code: "57014"}); !errors.As(err, &r) || r.Code != "54000" {
		t.Errorf("what takes too long is %v", err)
	}
	if err := Unevaluated(context.Background(), io.EOF); !errors.As(err, &r) || r.Code != "58000" {
		t.Errorf("a lost connection is %v", err)
	}
}
