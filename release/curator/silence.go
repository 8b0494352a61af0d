package curator

import (
	"context"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tacit/internal/silence"
)

// This file bounds how long the curator waits for a server that says nothing. The server ends each statement at its time limit and says so; one that has not even
// said that some time later is no longer there, whatever the rows are. Start at boundSilence.

const (
	// loginPatience is how long a login may take where the connection string has no connect_timeout.
	loginPatience = 15 * time.Second
	// pongPatience is how long a connection that was idle may take to say that it works.
	pongPatience = 5 * time.Second
	// unacknowledged is how long what was sent may stay without TCP's acknowledgement.
	unacknowledged = 15 * time.Second
)

// longestSilence is how long a server may say nothing whose statements end after a time limit.
func longestSilence(timeout time.Duration) time.Duration { return timeout + timeout/10 + 5*time.Second }

// boundSilence has the connections of a pool end when the server has been silent for too long.
func boundSilence(config *pgxpool.Config, timeout time.Duration) {
	login := config.ConnConfig.ConnectTimeout
	if login == 0 {
		login = loginPatience
	}
	config.ConnConfig.ConnectTimeout, config.PingTimeout = login, pongPatience
	dialer := silence.Dialer(unacknowledged)
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return silence.Bounded(conn, longestSilence(timeout)), nil
	}
}
