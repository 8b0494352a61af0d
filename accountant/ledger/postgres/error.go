package postgres

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
)

// refused says whether an error is the server's word that a statement failed and nothing was written. Of an ERROR that is sure. With a
// FATAL the session ends, which may have committed before, and without any word the connection broke.
func refused(err error) bool {
	var answer *pgconn.PgError
	switch {
	case errors.Is(err, errRolledBack), errors.Is(err, errNotes):
		return true
	case !errors.As(err, &answer):
		return false
	case answer.SeverityUnlocalized != "":
		return answer.SeverityUnlocalized == "ERROR"
	default: // of an old server, whose words are in English or in doubt
		return answer.Severity == "ERROR"
	}
}

// concernsRows says whether an error is of the rows that were written, so that others may be written all the same.
func concernsRows(err error) bool {
	var answer *pgconn.PgError
	if !refused(err) || !errors.As(err, &answer) {
		return false
	}
	switch answer.Code[:min(2, len(answer.Code))] {
	case "22", "23", "54": // data exception, integrity constraint violation, program limit exceeded
		return true
	}
	return false
}

// denied is the server's word that it takes no connection; nil if it said nothing of the kind. Of several attempts, with and without TLS or at
// several servers, the error has one more for each, which would lead astray.
func denied(err error) error {
	var attempt *pgconn.ConnectError
	var answer *pgconn.PgError
	if errors.As(err, &attempt) && errors.As(err, &answer) {
		return answer
	}
	return nil
}

// remedyOf is what a steward can do about an error of the server's.
func remedyOf(err error) string {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return ""
	}
	switch answer.Code {
	case "53100": // disk_full
		return "make room on the disk of the ledger's server"
	case "42501": // insufficient_privilege
		return "let the ledger's role own the schema " + ledgerSchema + " and connect to its database"
	case "3D000": // invalid_catalog_name
		return "create the database, owned by the ledger's role, or correct its name in the policy"
	case "28000": // invalid_authorization_specification
		return "create the ledger's role with LOGIN, and let pg_hba.conf admit it from this machine"
	case "28P01": // invalid_password
		return "correct the password of the ledger's role, in the policy, in PGPASSWORD or in the password file"
	case "53300": // too_many_connections
		return "raise max_connections, or the connection limit of the ledger's role or database: each proxy takes up to 5"
	case "55P03": // lock_not_available
		return "end what reads the ledger for long, such as pg_dump"
	case "57P03": // cannot_connect_now
		return "wait until the server has started"
	case "25006": // read_only_sql_transaction
		return "name the primary, or promote this server"
	}
	return ""
}

// madeMeanwhile says whether an error is that somebody else has made the tables at the same moment.
func madeMeanwhile(err error) bool {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return false
	}
	switch answer.Code {
	case "42P06", "42P07", "23505": // duplicate_schema, duplicate_table, unique_violation (of the catalogue)
		return true
	}
	return false
}

var (
	errRolledBack = errors.New("the server has rolled it back")
	errNotes      = errors.New("notes that are to be thinned are not there")
)
