package postgres

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/silence"
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

// sessionSetup makes the settings of a new session, which outrank what is stored for the role or the database. A server that does not know one
// of them goes without.
const sessionSetup = `SELECT set_config(s.name, s.value, false) FROM (VALUES ('search_path', '` + ledgerSchema + `'), ('application_name', 'tacit ledger'),
	('client_min_messages', 'error'), ('statement_timeout', '0'), ('lock_timeout', $1), ('idle_in_transaction_session_timeout', $2))
	AS s (name, value) WHERE current_setting(s.name, true) IS NOT NULL`

// sessionSettings are what sessions do not have in common, in milliseconds; 0: no bound.
type sessionSettings struct{ lockTimeout, idleTimeout string }

var (
	// writerSettings bound the wait for other processes' writes, and end the transaction of a process that was stopped or cut off within it, sooner, so that
	// one such process does not make the others fail.
	writerSettings = sessionSettings{lockTimeout: "6000", idleTimeout: "5000"}
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
	config.DialFunc = silence.Dialer(statementPatience).DialContext
	if len(addresses(config)) > 1 {
		// Of several servers the one that can be written is the ledger's; of one server it is said why it cannot be.
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	// But for the connection that writes, see prepare, no statement is kept prepared on the server: it would be prepared while somebody brings the
	// tables up to a new format.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return config, nil
}

func setUpSession(ctx context.Context, conn *pgx.Conn, s sessionSettings) error {
	_, err := conn.Exec(ctx, sessionSetup, s.lockTimeout, s.idleTimeout)
	return err
}
