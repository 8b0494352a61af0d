package accountant

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// How long the ledger's server may take. Whoever waits longer for it gives the connection up, and asks on a new one what came of it.
const (
	connectPatience   = 4 * time.Second
	statementPatience = 15 * time.Second
	turnPatience      = 7 * time.Second // with each of the two exchanges of a turn, less than ledgerPatience, so that another attempt is made
	farewellPatience  = time.Second
)

// addresses are those of the servers that a connection string names, in their order.
func addresses(config *pgx.ConnConfig) []string {
	all := []string{net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))}
	for _, fallback := range config.Fallbacks { // the same server without TLS is one, too
		if address := net.JoinHostPort(fallback.Host, strconv.Itoa(int(fallback.Port))); !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	return all
}

// settle makes the settings of a new session, which outrank what is stored for the role or the database. A server that does not know one
// of them goes without.
const settle = `SELECT set_config(s.name, s.value, false) FROM (VALUES ('search_path', '` + ledgerSchema + `'), ('application_name', 'tacit ledger'),
	('client_min_messages', 'error'), ('statement_timeout', '0'), ('lock_timeout', $1), ('idle_in_transaction_session_timeout', $2))
	AS s (name, value) WHERE current_setting(s.name, true) IS NOT NULL`

// sessionSettings are what sessions do not have in common, in milliseconds; 0: no bound.
type sessionSettings struct{ lockTimeout, idleTimeout string }

var (
	// turnSettings bound the wait for other processes' turns, and end the turn of a process that was stopped or cut off within it, sooner, so that
	// one such process does not make the others fail.
	turnSettings = sessionSettings{lockTimeout: "6000", idleTimeout: "5000"}
	// readerSettings let a reader think for as long as it wants to: it locks nothing.
	readerSettings = sessionSettings{lockTimeout: "6000", idleTimeout: "0"}
)

// connectionConfig reads the URL of a ledger. Neither its errors nor those of a connection made with it hold a password.
func connectionConfig(url string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		// The text is not repeated: a slip may have put the password where nobody looks for it.
		return nil, errors.New("the connection string cannot be read")
	}
	config.ConnectTimeout = connectPatience
	config.DialFunc = dialer.DialContext
	if len(addresses(config)) > 1 {
		// Of several servers the one that can be written is the ledger's; of one server it is said why it cannot be.
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	// No statement is kept prepared on the server, so that a pooler of sessions may stand between.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return config, nil
}

func settleSession(ctx context.Context, conn *pgx.Conn, s sessionSettings) error {
	_, err := conn.Exec(ctx, settle, s.lockTimeout, s.idleTimeout)
	return err
}

// connect makes the connection for turns, to a server that is fit to keep a ledger.
func (s *postgresStore) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, statementPatience)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return s.failed(err)
	}
	if err = settleSession(ctx, conn, turnSettings); err == nil {
		err = s.inspect(ctx, conn)
	}
	if err != nil {
		end(conn)
		return err
	}
	s.conn = conn
	return nil
}

// inspect refuses a server that could lose what it has committed.
func (s *postgresStore) inspect(ctx context.Context, conn *pgx.Conn) error {
	state, err := askServer(ctx, conn)
	if err != nil {
		return s.failed(err)
	}
	if problem, remedy := state.refusal(); problem != "" {
		return s.unavailable(problem, remedy, nil)
	}
	return nil
}

// hangUp gives the connection for turns up. A turn that it was in is settled by the server.
func (s *postgresStore) hangUp() {
	if s.conn != nil {
		end(s.conn)
		s.conn = nil
	}
}

func end(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), farewellPatience)
	defer cancel()
	_ = conn.Close(ctx) // a connection that cannot say farewell is gone all the same
}
