package proxy

import (
	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite/pgerror"
)

// This file is what the proxy itself says no to, in words and codes of PostgreSQL's where it has some. The invariant: no message holds
// data or internal names. Start at refusing.

// refusedText is sent to the server in place of a refused statement. It fails to be analysed, so that everything that follows
// from an error (skipping to the next Sync, the failed transaction block, ReadyForQuery and its status) is the server's own
// doing; the client sees our error in place of its. In a transaction block that has failed already it is not even analysed: the
// server says so with SQLSTATE 25P02, which the client sees unchanged.
const refusedText = `SELECT "refused by tacit"`

const (
	codeInFailedTransaction = "25P02"
	codeNoSuchStatement     = "26000"
)

// errorFields is a refusal as the wire has it.
func errorFields(r *pgerror.Refusal) wire.ErrorFields {
	return wire.ErrorFields{Code: r.Code, Message: r.Message, Detail: r.Detail, Hint: r.Hint, Position: r.Position}
}

// fatal ends a session with a refusal.
func fatal(r *pgerror.Refusal) wire.Fatal { return wire.Fatal{ErrorFields: errorFields(r)} }

func fatalMessage(code, message string) wire.Fatal {
	return wire.Fatal{ErrorFields: wire.ErrorFields{Code: code, Message: message}}
}

// refusing shows a refusal in place of the error of what was sent to fail.
func refusing(r *pgerror.Refusal) *relay.Handling {
	return &relay.Handling{Error: wire.AppendError(nil, "ERROR", errorFields(r)), Yields: r.Code != codeInFailedTransaction}
}

// The refusals that are the same each time. Nothing changes them.
var (
	errMalformed    = pgerror.Form{Code: "08P01", Message: "invalid message format"}.With()
	errFunctionCall = pgerror.Form{Code: "0A000", Message: "the function call sub-protocol is not supported", Hint: "Call the function in a SELECT."}.With()
	errParameters   = pgerror.Form{Code: "42P02", Message: "there is no parameter $1"}.With()
	// errUnsettled is for a constant such as current_date, or one read in the session's time zone, after a statement that may change it.
	errUnsettled = pgerror.Form{Code: "0A000",
		Message: "the constants of this statement about a protected table may depend on a statement before it in the same text",
		Hint:    "Send it as a statement of its own."}.With()
	errTooLarge = pgerror.Form{Code: "54000", Message: "the statement with its sanitized cells is too large",
		Hint: "Group by fewer columns. The answer is kept: what was charged for it is not charged again."}.With()
	errTooManyStatements = pgerror.Form{Code: "54000",
		Message: "more than %[1]d prepared statements about protected tables, or more than %[2]d bytes of them",
		Hint:    "Close or DEALLOCATE those that are no longer needed."}.With(maxStatements, maxStatementsText)
	// errInFailedBlock is what the server says by itself, to any statement that does not end the block.
	errInFailedBlock = pgerror.Form{Code: codeInFailedTransaction,
		Message: "current transaction is aborted, commands ignored until end of transaction block"}.With()
	errCancelled = pgerror.Form{Code: "57014", Message: "canceling statement due to user request"}.With()
	// errTimedOut and errTimedOutCounting are for the analyst's own limit.
	errTimedOut         = pgerror.Form{Code: "57014", Message: "canceling statement due to statement timeout", Detail: "Nothing was charged.", Hint: "SET statement_timeout = '1min'"}.With()
	errTimedOutCounting = pgerror.Form{Code: "57014", Message: "canceling statement due to statement timeout",
		Detail: "A count that had begun is charged and goes on; its answer is kept.", Hint: "Send the statement again: it is not charged again."}.With()
	errInternal = pgerror.Form{Code: "XX000", Message: "the protected statement could not be answered",
		Hint: "Ask the steward to look at the proxy's log."}.With()
)

// The refusals that say what they are about.
var (
	textTooLong = pgerror.Form{Code: "54000", Message: "a statement is longer than %[1]d bytes",
		Hint: "Load data with COPY or with parameters, or ask the steward about limits.statement_bytes."}
	parameterCount = pgerror.Form{Code: "08P01", Message: "bind message supplies %[2]d parameters, but prepared statement %[1]q requires %[3]d"}
	// notExecutable is for a statement that takes no sanitized counts as parameters, because PostgreSQL takes none there.
	notExecutable = pgerror.Form{Code: "0A000",
		Message: "prepared statement %[1]q cannot be executed by EXECUTE, because it takes no sanitized counts as parameters",
		Hint:    "Bind to the prepared statement, or send its text."}
	argumentCount  = pgerror.Form{Code: "42601", Message: "wrong number of parameters for prepared statement %[1]q", Detail: "Expected %[3]d parameters but got %[2]d."}
	statementStale = pgerror.Form{Code: "0A000", Message: "the prepared statement can no longer be answered", Detail: "%[1]s Nothing was charged.",
		Hint: "Prepare the statement again."}
)

// The refusals of logins and connections.
var (
	userMissing = pgerror.Form{Code: "28000", Message: "no PostgreSQL user name specified in startup packet"}
	// encryptionRequired is what PostgreSQL says of a connection for which pg_hba.conf has hostssl only.
	encryptionRequired = pgerror.Form{Code: "28000", Message: "this proxy accepts encrypted connections only",
		Hint: "Connect with sslmode=verify-full, or with sslmode=require, which does not check whom you talk to."}
	sentTooEarly = pgerror.Form{Code: "08P01", Message: "received unencrypted data after SSL request",
		Detail: "This could be either a client-software bug or evidence of an attempted man-in-the-middle attack."}
	protocolMissing = pgerror.Form{Code: "08P01", Message: "received direct SSL connection request without ALPN protocol negotiation extension",
		Hint: "The name of the protocol is postgresql."}
	certificateOther = pgerror.Form{Code: "28000", Message: "certificate authentication failed for user %[1]q",
		Hint: "Connect as the analyst whom your certificate names, or ask the steward about tls.names."}
	peerOther = pgerror.Form{Code: "28000", Message: "peer authentication failed for user %[1]q",
		Hint: "On a socket of this machine you are the analyst whose name your account has. Connect as that one, or by TCP with a password: psql -h 127.0.0.1."}
	bindingRefused = pgerror.Form{Code: "28000", Message: "SCRAM channel binding negotiation error",
		Detail: "The client supports SCRAM channel binding but thinks the server does not. However, this server does support channel binding."}
	bindingOther = pgerror.Form{Code: "28000", Message: "SCRAM channel binding check failed",
		Hint: "Somebody between you and the proxy shows you another certificate than the proxy's."}
	noReplication  = pgerror.Form{Code: "0A000", Message: "replication connections are not supported by this proxy"}
	encodingOther  = pgerror.Form{Code: "22023", Message: "client_encoding %[1]q is not supported by this proxy", Hint: "Use UTF8 (PGCLIENTENCODING=UTF8)."}
	parameterOther = pgerror.Form{Code: "42704", Message: "startup parameter %[1]q %[2]s"}
	switchOther    = pgerror.Form{Code: "42601", Message: "invalid command-line argument for server process: %[1]q",
		Hint: "This proxy reads settings in options: -c search_path=public, or --search_path=public."}
	switchIncomplete = pgerror.Form{Code: "42601", Message: "%[1]q requires a value", Hint: "Write -c search_path=public, or --search_path=public."}
	databaseUnknown  = pgerror.Form{Code: "3D000", Message: "database %[1]q does not exist", Hint: "This proxy serves database %[2]q."}
	yoursTaken       = pgerror.Form{Code: "53300", Message: "too many connections for role %[1]q", Detail: "At most %[2]d of your sessions may be open at one time.",
		Hint: "Close sessions that you do not use, or let your tool keep fewer. The steward can raise limits.per_analyst."}
	addressTaken = pgerror.Form{Code: "53300", Message: "too many connections from this address", Detail: "At most %[1]d sessions from one address may be open at one time.",
		Hint: "Close sessions that are not used there. The steward can raise limits.per_address."}
	restReserved = pgerror.Form{Code: "53300", Message: "remaining connection slots are reserved", Detail: "%[1]d sessions are open, and the others are kept for named analysts.",
		Hint: "Try again in a moment. The steward can raise limits.connections."}
	allTaken = pgerror.Form{Code: "53300", Message: "sorry, too many clients already", Detail: "All %[1]d sessions of this proxy are taken.",
		Hint: "Try again in a moment. The steward can raise limits.connections."}
	descriptorsTaken = pgerror.Form{Code: "53300", Message: "sorry, too many clients already", Detail: "The proxy has no file descriptor left.",
		Hint: "Try again in a moment. The steward can raise LimitNOFILE of the service."}
	endsNow         = pgerror.Form{Code: "57P01", Message: "terminating connection due to administrator command", Detail: "The proxy is stopping.", Hint: "Connect again."}
	idleTooLong     = pgerror.Form{Code: "57P05", Message: "terminating connection due to idle-session timeout", Hint: "Connect again. The steward can raise limits.idle."}
	idleTransaction = pgerror.Form{Code: "25P03", Message: "terminating connection due to idle-in-transaction timeout",
		Hint: "Connect again, and end transactions by COMMIT or ROLLBACK. The steward can raise limits.idle_in_transaction."}
	upstreamRefuses = pgerror.Form{Code: "28000", Message: "the database server does not let the proxy log in as role %[1]q",
		Hint: "Ask the steward to look at the proxy's log: the role, its password there or pg_hba.conf is wrong."}
	upstreamAway = pgerror.Form{Code: "08006", Message: "the database server cannot be reached through this proxy now",
		Hint: "Try again; if it persists, ask the steward to look at the proxy's log."}
)
