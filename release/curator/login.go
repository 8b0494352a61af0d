package curator

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
)

// A LoginError is returned when the curator could not log in.
type LoginError struct {
	policy *policy.Policy
	err    error
}

func (e *LoginError) Error() string {
	var server *pgconn.PgError
	if !errors.As(e.err, &server) {
		return fmt.Sprintf("upstream.curator: %v", e.err)
	}
	role := CuratorName(e.policy)
	problem, remedy := explainLogin(role, e.policy.Upstream.Curator, e.err)
	if strings.HasPrefix(server.Code, classAuthorization) {
		remedy += fmt.Sprintf("; if the role does not exist yet, `tacit check --policy %s --sql` prints the SQL that creates and hardens it", e.policy.QuotedPath())
	}
	return printable(fmt.Sprintf("upstream.curator: %s: %s; %s", role, problem, remedy))
}

// classAuthorization begins the SQLSTATEs of a server that refuses a role, of one that does not exist, too. A server that starts or has no
// connection left, or lacks the database, has another.
const classAuthorization = "28"

func (e *LoginError) Unwrap() error { return e.err }

// Answered reports whether it was the server that refused the login, so that there is one.
func (e *LoginError) Answered() bool {
	var server *pgconn.PgError
	return errors.As(e.err, &server)
}

// Check logs in as the curator and returns what was found.
func Check(ctx context.Context, p *policy.Policy) (Judgement, error) {
	conn, err := pgx.Connect(ctx, primary(p))
	if err != nil {
		return Judgement{}, &LoginError{p, err}
	}
	defer conn.Close(context.WithoutCancel(ctx))
	j, err := judge(ctx, conn, p)
	if err == nil {
		j.Standby = checkStandby(ctx, p)
	}
	return j, err
}
