package ledger

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// A Verdict is what came of a statement, or what a steward has done.
type Verdict string

const (
	Charged  Verdict = "charged"  // reserved and counted; logged by Reserve and AppendAudit
	Decided  Verdict = "decided"  // an auditor's event that cost nothing: all suppressed, or free; logged by AppendAudit
	Replayed Verdict = "replayed" // answered from the ledger, free
	Derived  Verdict = "derived"  // answered by what follows from the ledger, free
	Refused  Verdict = "refused"

	Granted Verdict = "granted" // a steward has raised a budget
	Frozen  Verdict = "frozen"  // a steward has stopped charges
	Thawed  Verdict = "thawed"  // and has let them go on
	Epoch   Verdict = "epoch"   // a steward has begun an epoch

	Inspected Verdict = "inspected" // a steward was shown figures of true counts
	Resolved  Verdict = "resolved"  // a steward has decided something that changes no budget
	Requested Verdict = "requested" // an analyst has asked for more budget
	Declined  Verdict = "declined"  // and a steward has said no

	Thinned Verdict = "thinned" // what old notes said was dropped
)

// An Event is a statement that cost nothing.
type Event struct {
	Analyst  string
	Table    policy.TableName // zero if no table was made out
	Verdict  Verdict          // Replayed, Derived or Refused
	SQL      string
	SQLState string // of a refusal
	Reason   string // of a refusal: its message
	Request  accountant.Request
	// Answered is the entry that recorded the oldest answer which the statement was shown; 0 if none was recorded before.
	Answered int64
	// Releases are those that answers were computed of which are derived, rising: of very many the first.
	Releases []int64
}

// An Entry is a line of the log.
type Entry struct {
	ID       int64
	At       time.Time
	Analyst  string
	Table    policy.TableName
	Epoch    int64 // of the table; 0 if there is none
	Verdict  Verdict
	SQL      string          // the beginning of the statement, at most 2,000 bytes
	SQLState string          // of a refusal
	Loss     accountant.Loss // of a charge; what was granted, of a grant
	// Recorded says of a charge, and of an event that was decided, that all its answers were recorded. If not, the count failed, the
	// analyst gave up, or tacit was stopped, and the loss counts all the same; or it was an event without an answer.
	Recorded bool
	// Answered is when the oldest answer was recorded that a statement was shown for free. It is zero where that is not known: of other verdicts,
	// of audited tables, and of what was logged before the ledger kept it.
	Answered time.Time
	// Releases are those that a derived answer was computed of; nil of what was logged before the ledger kept them.
	Releases []int64
	// Questions of a charge, in canonical form: what was counted, with the values of parameters.
	Questions []string
	// Audit is the number of the auditor's event among those of the table, and Kind what it was; 0 and empty if it is none.
	Audit int64
	Kind  string
	// Request is the statement's in the operator's log, in hexadecimal digits; empty where it is not known.
	Request string
	// By and Reason are of a steward's act, which is about Analyst, if there is one. A refusal has a Reason, too: its message. Earlier versions
	// did not note it. So has a request, whose Loss is what was asked for.
	By, Reason string
	// Thinning is what was dropped, of that verdict.
	Thinning Thinning
}

// A LogFilter selects entries. The zero filter selects all.
type LogFilter struct {
	Analyst string           // default: of all analysts
	Table   policy.TableName // default: of all tables
	Verdict Verdict          // default: of any kind
	Since   time.Time        // default: from the beginning
	Limit   int              // at most so many, the newest; default 0: no limit
	// After and Before are numbers of entries between which those lie that are looked at: so the work is bounded, whatever is found. Default: all.
	After, Before int64
	Text          string // a part of the statement, in capitals or not; default: any
	Request       string // of this request, as Entry.Request has it; default: any
	Acts          bool   // only what stewards did
	Statements    bool   // only statements
}

// logged are the entries that the log shows: the others are the ledger's own, or say nothing any more.
const logged = `kind IN ('charged', 'decided', 'replayed', 'derived', 'refused', 'granted', 'frozen', 'thawed', 'epoch', 'inspected', 'resolved', 'requested', 'declined', 'thinned')
	AND NOT (` + noted + ` AND body LIKE '` + journal.ThinnedLike + `')`

// noted are entries of statements that cost nothing.
const noted = `kind IN ('replayed', 'derived', 'refused')`

// acts are those of them that stewards did.
const acts = `('granted', 'frozen', 'thawed', 'epoch', 'inspected', 'resolved', 'declined')`

// Log returns entries, newest first.
func (r *Reader) Log(ctx context.Context, f LogFilter) ([]Entry, error) {
	query, args := f.query()
	var entries []Entry
	err := store.Each(ctx, r.store, scanLogLine, func(line logLine) bool {
		if n := len(entries); n == 0 || entries[n-1].ID != line.ID {
			entries = append(entries, line.Entry)
		}
		last := &entries[len(entries)-1]
		last.Recorded = last.Recorded && line.Recorded
		if line.question.Valid {
			last.Questions = append(last.Questions, line.question.String)
		}
		return true
	}, query, args...)
	return entries, r.readError(ctx, err)
}

// query has a row for each charge of an entry, and one of an entry without.
func (f LogFilter) query() (query string, args []any) {
	where := []string{logged}
	add := func(condition string, arg any) {
		args = append(args, arg)
		where = append(where, fmt.Sprintf("%s $%d", condition, len(args)))
	}
	if f.Analyst != "" {
		add("analyst =", f.Analyst)
	}
	if f.Table != (policy.TableName{}) {
		add("table_schema =", f.Table.Schema)
		add("table_name =", f.Table.Name)
	}
	if f.Verdict != "" {
		add("kind =", string(f.Verdict))
	}
	if !f.Since.IsZero() {
		add("at >=", f.Since.UnixNano())
	}
	if f.After > 0 {
		add("id >", f.After)
	}
	if f.Before > 0 {
		add("id <", f.Before)
	}
	if f.Text != "" {
		add(`lower(statement) LIKE`, "%"+likeEscapes.Replace(strings.ToLower(f.Text))+"%")
		where[len(where)-1] += ` ESCAPE '!'`
	}
	if f.Request != "" {
		operation, _ := hex.DecodeString(f.Request)
		args = append(args, operation, `%"request":"`+likeEscapes.Replace(f.Request)+`"%`)
		where = append(where, fmt.Sprintf(`(length(operation) = 16 AND substr(operation, 1, %d) = $%d OR kind IN ('replayed', 'derived', 'refused') AND body LIKE $%d ESCAPE '!')`,
			len(accountant.Request{}), len(args)-1, len(args)))
	}
	if f.Acts {
		where = append(where, "kind IN "+acts)
	}
	if f.Statements {
		where = append(where, "kind NOT IN ('requested', 'thinned') AND kind NOT IN "+acts)
	}
	limit := int64(math.MaxInt64)
	if f.Limit > 0 {
		limit = int64(f.Limit)
	}
	args = append(args, limit)
	return fmt.Sprintf(`SELECT %s, CASE WHEN r.id IS NULL AND w.id IS NULL THEN 0 ELSE 1 END, c.question, coalesce(a.sequence, 0), coalesce(a.kind, '')
		FROM (SELECT * FROM entry WHERE %s ORDER BY id DESC LIMIT $%d) e
		LEFT JOIN charge c ON c.entry = e.id LEFT JOIN release r ON r.charge = c.id
		LEFT JOIN audit_event a ON a.entry = e.id LEFT JOIN audit_answer w ON w.event = a.id
		ORDER BY e.id DESC, c.id`, lineColumns, strings.Join(where, " AND "), len(args)), args
}

// likeEscapes makes a pattern that stands for itself.
var likeEscapes = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

const lineColumns = `e.id, e.at, e.analyst, e.table_schema, e.table_name, e.epoch, e.kind, e.statement, e.sqlstate,
	e.epsilon, e.delta, e.releases, e.risk, e.body, e.operation,
	coalesce((SELECT o.at FROM entry o WHERE o.id = e.refers AND e.kind IN ('replayed', 'derived')), 0)`

// A logLine is an entry with one of its questions.
type logLine struct {
	Entry
	question sql.NullString
}

func scanLogLine(rows store.Scanner) (line logLine, err error) {
	var recorded int64
	var audit int64
	var kind string
	line.Entry, err = scanLogEntry(rows, &recorded, &line.question, &audit, &kind)
	line.Recorded, line.Audit, line.Kind = recorded == 1, audit, kind
	return line, err
}

// scanLogEntry reads lineColumns, and more behind them.
func scanLogEntry(rows store.Scanner, more ...any) (e Entry, err error) {
	var at, answered int64
	var body string
	var operation []byte
	fields := []any{
		&e.ID, &at, &e.Analyst, &e.Table.Schema, &e.Table.Name, &e.Epoch, &e.Verdict, &e.SQL, &e.SQLState,
		&e.Loss.Epsilon, &e.Loss.Delta, &e.Loss.Releases, &e.Loss.Risk, &body, &operation, &answered,
	}
	if err := rows.Scan(append(fields, more...)...); err != nil {
		return Entry{}, err
	}
	e.At = time.Unix(0, at).UTC()
	if answered != 0 {
		e.Answered = time.Unix(0, answered).UTC()
	}
	if e.Verdict == Charged || e.Verdict == Decided {
		e.Request = requestOf(operation)
	}
	switch e.Verdict {
	case Granted, Frozen, Thawed, Epoch, Inspected, Resolved, Declined:
		return e, e.readAct(body)
	case Requested:
		var asked journal.RequestedBody
		err := journal.Unmarshal(body, &asked)
		e.Reason, e.Loss = asked.Reason, asked.Amounts.Loss()
		return e, err
	case Thinned:
		return e, e.readThinning(body)
	case Replayed, Derived, Refused:
		if body == "" {
			return e, nil
		}
		var note journal.NoteBody
		err := journal.Unmarshal(body, &note)
		e.Releases, e.Reason, e.Request = note.Releases, note.Reason, note.Request
		return e, err
	default:
		return e, nil
	}
}

// requestOf is the request of a charge with an operation.
func requestOf(operation []byte) string {
	if len(operation) != len(accountant.Operation{}) {
		return ""
	}
	return accountant.Operation(operation).Request().String()
}

// readThinning reads what was dropped.
func (e *Entry) readThinning(text string) error {
	var body journal.ThinnedBody
	if err := journal.Unmarshal(text, &body); err != nil {
		return fmt.Errorf("entry %d: %w", e.ID, err)
	}
	e.Thinning = Thinning{Through: body.Through, Replayed: body.Dropped.Replayed, Derived: body.Dropped.Derived, Refused: body.Dropped.Refused}
	if body.Before != 0 {
		e.Thinning.Before = time.Unix(0, body.Before).UTC()
	}
	return nil
}

// readAct reads what a steward has done.
func (e *Entry) readAct(text string) error {
	var body journal.ActionBody
	if err := journal.Unmarshal(text, &body); err != nil {
		return fmt.Errorf("entry %d: %w", e.ID, err)
	}
	e.By, e.Reason = body.By, body.Reason
	if body.Amounts != nil {
		e.Loss = body.Amounts.Loss()
	}
	return nil
}

// Recent calls visit with the log's entries of one analyst, newest first and without their questions, until it returns false.
func (r *Reader) Recent(ctx context.Context, analyst string, visit func(Entry) bool) error {
	scan := func(rows store.Scanner) (Entry, error) { return scanLogEntry(rows) }
	err := store.Each(ctx, r.store, scan, visit,
		`SELECT `+lineColumns+` FROM entry e WHERE analyst = $1 AND `+logged+` ORDER BY id DESC`, analyst)
	return r.readError(ctx, err)
}
