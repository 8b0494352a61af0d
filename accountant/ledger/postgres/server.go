package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// unfitQuery asks a server whether a charge that it has committed can be lost. A server that does not know a setting, because it is
// another one than PostgreSQL, says nothing about it.
const unfitQuery = `SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN 1 ELSE 0 END,
	coalesce(current_setting('transaction_read_only', true), ''), coalesce(current_setting('fsync', true), ''),
	coalesce(current_setting('full_page_writes', true), ''), coalesce(current_setting('server_encoding', true), '')`

// A serverState is what unfitQuery says.
type serverState struct {
	standby                                   bool
	readOnly, fsync, fullPageWrites, encoding string
}

func askServer(ctx context.Context, conn *pgx.Conn) (s serverState, err error) {
	var standby int64
	err = conn.QueryRow(ctx, unfitQuery).Scan(&standby, &s.readOnly, &s.fsync, &s.fullPageWrites, &s.encoding)
	s.standby = standby != 0
	return s, err
}

// refusal says why a server cannot keep a ledger, and what to do; "" if it can.
func (s serverState) refusal() (problem, remedy string) {
	switch {
	case s.standby:
		return "the server is a standby, which cannot be written", "name the primary, or promote this server"
	case s.readOnly == "on":
		return "the server takes no writes of this role", "set default_transaction_read_only to off for the role and its database"
	case s.fsync == "off":
		return "the server runs with fsync = off, so that a charge could be lost when its machine stops", "set fsync = on in postgresql.conf and reload"
	case s.encoding != "" && !strings.EqualFold(s.encoding, "UTF8"):
		return fmt.Sprintf("the database's encoding is %s, which cannot keep every statement", s.encoding), "create the database with ENCODING 'UTF8'"
	}
	return "", ""
}

// warnings are what a steward should know of a server that is fit.
func (s serverState) warnings() []string {
	if s.fullPageWrites == "off" {
		return []string{"its server runs with full_page_writes = off: unless its file system writes pages whole, the ledger may be damaged when the machine stops"}
	}
	return nil
}
