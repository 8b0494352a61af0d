package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// connect makes the connection that writes, to a server that is fit to keep a ledger.
func (s *Store) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, statementPatience)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return s.failed(err)
	}
	if err = setUpSession(ctx, conn, writerSettings); err == nil {
		err = s.inspect(ctx, conn)
	}
	if err != nil {
		end(conn)
		return s.failed(err)
	}
	s.conn = conn
	return nil
}

// WriteThrough makes the next connection that writes at another port, such as that of a relay which cuts it. It is for tests.
func (s *Store) WriteThrough(port int) {
	s.config.Port = uint16(port)
	s.disconnect()
}

// inspect refuses a server that could lose what it has committed.
func (s *Store) inspect(ctx context.Context, conn *pgx.Conn) error {
	state, err := askServer(ctx, conn)
	if err != nil {
		return s.failed(err)
	}
	if problem, remedy := state.refusal(); problem != "" {
		return s.unavailable(problem, remedy, nil)
	}
	return nil
}

// disconnect closes the connection that writes. The server ends its transaction.
func (s *Store) disconnect() {
	if s.flight != nil {
		s.flight.cancel()
		s.flight = nil
	}
	if s.conn != nil {
		end(s.conn)
		s.conn, s.prepared = nil, nil
	}
}

func end(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	_ = conn.Close(ctx) // a connection that cannot say farewell is gone all the same
}
