package curator

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
)

// This file tries the logins that the proxy makes on behalf of others. It holds no secret of a policy's: passwords stand in pgpass, and
// errors do not repeat them. Start at CheckLogins.

// A FailedLogin is a role that the proxy could not log in as.
type FailedLogin struct {
	Role    string `json:"role"`
	Problem string `json:"problem"`
	Remedy  string `json:"remedy"`
}

// loginTimeout bounds one login. A server that the curator has just reached is slower only if it is overloaded.
const loginTimeout = 15 * time.Second

// CheckLogins logs in as each analyst, and as the publisher if there is one, as the proxy and the steward's commands do, and returns
// those that fail.
func CheckLogins(ctx context.Context, p *policy.Policy) []FailedLogin {
	var failed []FailedLogin
	try := func(role, connection string) {
		if f := tryLogin(ctx, role, connection); f != nil {
			failed = append(failed, *f)
		}
	}
	for _, a := range p.Analysts {
		try(a.Name, p.Upstream.AnalystURL(a.Name))
	}
	if len(p.Publications) > 0 {
		try(PublisherName(p), p.Upstream.Publisher)
	}
	return failed
}

func tryLogin(ctx context.Context, role, connection string) *FailedLogin {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, connection)
	if err == nil {
		_ = conn.Close(ctx)
		return nil
	}
	problem, remedy := explainLogin(role, connection, err)
	return &FailedLogin{Role: role, Problem: printable(problem), Remedy: printable(remedy)}
}

// explainLogin says what a failed login means, and what to do about it.
func explainLogin(role, connection string, err error) (problem, remedy string) {
	var server *pgconn.PgError
	if !errors.As(err, &server) {
		return "the server could not be asked: " + strings.Join(strings.Fields(err.Error()), " "), "see that the server can be reached from this machine"
	}
	config, parseErr := pgx.ParseConfig(connection)
	if parseErr != nil {
		return "the connection string cannot be used", "correct it in the policy"
	}
	database := config.Database
	switch server.Code {
	case "28P01":
		if config.Password == "" {
			return "the server asks for a password, and tacit finds none", fmt.Sprintf(`set one by \password %s in psql, and add the line %s to %s`, role, pgpassLine(config), passfile(connection))
		}
		return fmt.Sprintf("the server refuses the password that tacit has from %s", passwordSource(connection)),
			fmt.Sprintf(`set the same password by \password %s in psql, or correct it in %s`, role, passwordSource(connection))
	case "28000":
		return "the server does not let it in: " + server.Message,
			fmt.Sprintf("let it in from the address of the machine that runs tacit, in pg_hba.conf: host %s %s ADDRESS/32 scram-sha-256; or see that the role exists and has LOGIN", database, role)
	case "42501":
		return "the server does not let it in: " + server.Message, fmt.Sprintf("GRANT CONNECT ON DATABASE %s TO %s;", QuoteIdentifier(database), QuoteIdentifier(role))
	case "53300":
		return "the server has no connection left for it: " + server.Message, "raise max_connections of the server, or the CONNECTION LIMIT of the role"
	}
	return fmt.Sprintf("the server refuses it: %s (SQLSTATE %s)", server.Message, server.Code), "see the server's log"
}

// pgpassLine is the line of a pgpass file that a login would look for.
func pgpassLine(c *pgx.ConnConfig) string {
	escape := strings.NewReplacer(`\`, `\\`, ":", `\:`)
	host := c.Host
	if strings.HasPrefix(host, "/") { // a directory of sockets
		host = "localhost"
	}
	return strings.Join([]string{escape.Replace(host), strconv.Itoa(int(c.Port)), escape.Replace(c.Database), escape.Replace(c.User), "PASSWORD"}, ":")
}

// passwordSource is where the password of a connection came from.
func passwordSource(connection string) string {
	if u, err := url.Parse(connection); err == nil && u.User != nil {
		if _, ok := u.User.Password(); ok {
			return "the policy's upstream"
		}
	}
	if os.Getenv("PGPASSWORD") != "" {
		return "the environment variable PGPASSWORD"
	}
	return passfile(connection)
}

// passfile is the pgpass file that a connection uses.
func passfile(connection string) string {
	if u, err := url.Parse(connection); err == nil {
		if path := u.Query().Get("passfile"); path != "" {
			return path
		}
	}
	if path := os.Getenv("PGPASSFILE"); path != "" {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "the pgpass file of the account that runs tacit"
	}
	return filepath.Join(home, ".pgpass")
}
