package curator

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

// A Finding is a way in which analysts could learn of protected rows otherwise than by answers, or a reason why the
// policy cannot be served. One is enough not to serve.
type Finding struct {
	// Name is that of the kind of finding, the same in every version. The policy accepts findings by it.
	Name string `json:"name" db:"-"`
	// Severity is "HIGH": an analyst can reach protected rows, or have code run by a role that can, or the policy does not fit
	// the database; or "MED": an analyst can learn facts about protected rows, or a defence is missing.
	Severity string `json:"severity"`
	// What was found, in words that do not depend on the database.
	What string `json:"what"`
	// Detail names the objects and roles.
	Detail string `json:"detail"`
	// Remedy is SQL for a superuser if it ends in a semicolon, and advice otherwise.
	Remedy string `json:"remedy"`
	// Objects are what a running proxy refuses while the finding stands; none if nobody can read anything by it through the proxy.
	Objects []Object `json:"objects,omitempty"`
}

// An Object is what statements may not do while a finding stands. A new kind of finding says so by one word in the header of its check,
// see the beginning of separation.sql.
type Object struct {
	Refuses Refusing `json:"refuses"`
	// Class is the catalog that has the object: pg_class, pg_proc, pg_type, pg_operator, pg_foreign_server or pg_foreign_data_wrapper.
	Class string `json:"class,omitempty"`
	OID   uint32 `json:"oid,omitempty"`
	// Schema and Name are those of a relation, function, type or operator.
	Schema string `json:"schema,omitempty"`
	Name   string `json:"name,omitempty"`
}

// Refusing is what is refused because of an object.
type Refusing string

const (
	Naming    Refusing = "naming"     // every statement that names the object, or something that depends on it
	Writing   Refusing = "writing"    // every statement that writes to the table
	Closing   Refusing = "everything" // everything but catalogs, since what was found is not about an object
	Computing Refusing = "computing"  // every statement that computes anything, since the server calls the object unnamed
)

//go:embed separation.sql
var separationSQL string

// What must be closed in the server; CheckSeparation asks whether it is and HardeningSQL closes it.

// counters are functions of pg_catalog that tell what happened in the whole server: the cumulative statistics, under names that differ from
// version to version, locks, and (since 17) which pages of which table were written.
var counters = []string{"pg_stat_get_.*", "pg_lock_status", "pg_available_wal_summaries", "pg_wal_summary_contents", "pg_get_wal_summarizer_state"}

// ownActivity and ownBackend, behind pg_stat_get_ and pg_stat_get_backend_, are those of them that show other roles' sessions without their
// statements and states. Clients use them. The counters of the caller's own transaction are not excepted: the planner probes indexes of a table
// that it is then denied, depending on where a constant lies among the values.
var (
	ownActivity = []string{"activity", "progress_info", "snapshot_timestamp", "wal_senders", "wal_receiver", "archiver"}
	ownBackend  = []string{"activity", "activity_start", "client_addr", "client_port", "dbid", "idset", "pid", "start", "subxact", "userid", "wait_event", "wait_event_type", "xact_start"}
)

// sized are what pg_..._size measures: relations and databases.
var sized = []string{"relation", "table", "indexes", "total_relation", "database", "tablespace"}

// The same as regular expressions, for the script.
var (
	countersPattern    = "^(" + strings.Join(counters, "|") + ")$"
	ownActivityPattern = "^pg_stat_get_(" + strings.Join(ownActivity, "|") + "|backend_(" + strings.Join(ownBackend, "|") + "))$"
	sizesPattern       = "^pg_(" + strings.Join(sized, "|") + ")_size$"

	runnersBeginPattern = "^(" + strings.Join(runnersBegin, "|") + ")"
)

// runnersPattern matches, with their arguments, functions that run SQL text or read a relation by its name. The proxy does not
// see what they run, and PostgreSQL plans it, with the statistics of protected rows, before it denies it.
const runnersPattern = `^((query|table|schema|database|cursor)_to_xml.*|ts_stat\(.*|ts_rewrite\(tsquery,text\))$`

// runnersBegin is how the names of these begin.
var runnersBegin = []string{"query_to_xml", "table_to_xml", "schema_to_xml", "database_to_xml", "cursor_to_xml", "ts_stat", "ts_rewrite"}

// likes are patterns of LIKE, in which all but a last ".*" stands for itself. A regular expression takes the server a hundred times as long.
func likes(names []string) []string {
	var patterns []string
	for _, name := range names {
		name, open := strings.CutSuffix(name, ".*")
		if name = strings.ReplaceAll(name, "_", `\_`); open {
			name += "%"
		}
		patterns = append(patterns, name)
	}
	return patterns
}

// each puts every name between two texts.
func each(before string, names []string, after string) []string {
	var whole []string
	for _, name := range names {
		whole = append(whole, before+name+after)
	}
	return whole
}

// estimateColumns of pg_class tell the size of a relation.
var estimateColumns = []string{"reltuples", "relpages", "relallvisible", "relallfrozen"}

// revealingExtensions show what other sessions did (statements, their row counts and constants), where rows lie on pages, or
// announce changes; or they run SQL text, here or elsewhere, that the proxy does not see.
var revealingExtensions = []string{
	"adminpack", "amcheck", "dblink", "file_fdw", "lo", "old_snapshot", "pageinspect", "pg_background", "pg_buffercache",
	"pg_cron", "pg_freespacemap", "pg_logicalinspect", "pg_prewarm", "pg_proctab", "pg_qualstats", "pg_stat_kcache", "pg_stat_monitor",
	"pg_stat_statements", "pg_store_plans", "pg_surgery", "pg_track_settings", "pg_visibility", "pg_wait_sampling",
	"pg_walinspect", "pgagent", "pgrowlocks", "pgstattuple", "plpython3u", "plperlu", "pltclu", "plprofiler", "plproxy",
	"postgres_fdw", "powa", "pldbgapi", "refint", "system_stats", "tablefunc", "tcn", "xml2",
}

// CheckSeparation asks the live catalog whether the policy's analysts are separate from its protected tables, and whether the
// policy fits the database. conn must be logged in as the curator; nothing is read but catalogs that every role may read, and
// nothing is changed. If a transaction is open the check is part of it. No findings: separate.
//
// It judges what privileges allow, for every analyst and every role that one could become. It does not see how roles
// authenticate (pg_hba.conf, passwords), other databases of the server, or copies of protected rows that no dependency
// records, such as a table that a program filled.
//
// What the policy accepts is left out: see [Check].
func CheckSeparation(ctx context.Context, conn *pgx.Conn, p *policy.Policy) ([]Finding, error) {
	j, err := judge(ctx, conn, p)
	return j.Open, err
}

func find(ctx context.Context, conn *pgx.Conn, p *policy.Policy) ([]Finding, error) {
	// Its statements see one state of the catalog. No ROLLBACK, see Snapshot.End.
	begin, end := "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "COMMIT"
	if conn.PgConn().TxStatus() != 'I' {
		begin, end = "SAVEPOINT tacit_separation", "ROLLBACK TO SAVEPOINT tacit_separation; RELEASE SAVEPOINT tacit_separation"
	}
	if err := Execute(ctx, conn, begin); err != nil {
		return nil, fmt.Errorf("checking separation: %w", err)
	}
	findings, err := findHoles(ctx, conn, p)
	if err = errors.Join(err, Execute(ctx, conn, end)); err != nil {
		return nil, fmt.Errorf("checking separation: %w", err)
	}
	for i := range findings {
		findings[i].Detail = printable(findings[i].Detail)
		findings[i].Remedy = printable(findings[i].Remedy)
		findings[i].Name = findingNames[findings[i].What]
	}
	return findings, nil
}

func findHoles(ctx context.Context, conn *pgx.Conn, p *policy.Policy) ([]Finding, error) {
	settings, err := SessionSettings(ctx, conn)
	if err != nil {
		return nil, err
	}
	findings, err := AskCatalog(ctx, conn, p, settings)
	if err != nil {
		return nil, err
	}
	impossible, err := checkValues(ctx, conn, p)
	findings = append(findings, impossible...)
	slices.SortFunc(findings, func(a, b Finding) int { // HIGH stands before MED
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.What, b.What), cmp.Compare(a.Detail, b.Detail))
	})
	return findings, err
}

// Execute runs statements that yield nothing.
func Execute(ctx context.Context, conn *pgx.Conn, sql string) error {
	_, err := conn.PgConn().Exec(ctx, sql).ReadAll()
	return err
}

// printable replaces control characters. A line break in the name of an object that an analyst made would otherwise end the
// comment in which a finding is printed, and begin a statement that a superuser might run.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// A SeparationCheck is one part of separation.sql.
type SeparationCheck struct {
	Name    string
	What    string
	ofRoles bool
	Refuses Refusing // "" for nothing
	// ofPublications says that nothing can be found if the policy publishes nothing.
	ofPublications bool
	since          int // server_version_num
	query          string
}

// refusingWords are the words in the header of a check that say what is refused while its finding stands.
var refusingWords = map[string]Refusing{"naming": Naming, "writing": Writing, "closing": Closing, "computing": Computing}

// SeparationChecks splits separation.sql into the definitions common to all checks, the checks, and what makes findings of their rows.
func SeparationChecks() (definitions string, checks []SeparationCheck, findings string) {
	rest, findings, _ := strings.Cut(separationSQL, "\n-- findings\n")
	parts := strings.Split(rest, "\n-- check")
	for _, part := range parts[1:] {
		header, query, _ := strings.Cut(part, "\n")
		kind, what, _ := strings.Cut(header, ":")
		words, ofRoles := strings.CutPrefix(kind, " of roles")
		words, ofPublications := strings.CutPrefix(words, " of publications")
		c := SeparationCheck{What: strings.TrimSpace(what), ofRoles: ofRoles, ofPublications: ofPublications, query: strings.TrimSpace(query)}
		words, c.Name, _ = strings.Cut(strings.TrimSuffix(words, "]"), "[")
		for _, word := range strings.Fields(words) {
			if c.Refuses = refusingWords[word]; c.Refuses == "" {
				c.since, _ = strconv.Atoi(word)
			}
		}
		checks = append(checks, c)
	}
	return strings.TrimSpace(parts[0]), checks, strings.TrimSpace(findings)
}

// A foundRow is what a check yields.
type foundRow struct {
	What     string  `json:"what"`
	Severity string  `json:"severity"`
	Act      string  `json:"act"`
	Object   string  `json:"object"`
	Remedy   string  `json:"remedy"`
	Role     *uint32 `json:"role"`
	Refuses  *string `json:"refuses"`
	Class    *uint32 `json:"class"`
	OID      *uint32 `json:"oid"`
}

// separationQuery is one statement of all checks that a server of this version can be asked, and yields a foundRow for each that finds something.
func separationQuery(version int, publishes bool) string {
	definitions, checks, _ := SeparationChecks()
	var b strings.Builder
	b.WriteString(definitions)
	// A branch that has another type keeps the planner from making one list of tables of all checks, which took a third of its time.
	b.WriteString("\n\nSELECT NULL, NULL::varchar, NULL, NULL, NULL, NULL::oid, NULL, NULL::oid, NULL::oid WHERE false")
	for _, c := range checks {
		if c.since > version || c.ofPublications && !publishes {
			continue
		}
		columns, rest := "severity, object, remedy", "f.severity, '', f.object, f.remedy, NULL::oid"
		if c.ofRoles {
			columns, rest = "severity, act, object, remedy, role", "f.severity, f.act, f.object, f.remedy, f.role"
		}
		switch c.Refuses {
		case Naming, Writing:
			columns, rest = columns+", class, oid", rest+", "+QuoteLiteral(string(c.Refuses))+", f.class::oid, f.oid::oid"
		case Closing, Computing:
			rest += ", " + QuoteLiteral(string(c.Refuses)) + ", NULL::oid, NULL::oid"
		default:
			rest += ", NULL, NULL::oid, NULL::oid"
		}
		fmt.Fprintf(&b, "\nUNION ALL\nSELECT %s, %s FROM (\n%s) AS f(%s)", QuoteLiteral(c.What), rest, c.query, columns)
	}
	return b.String()
}

// findingsQuery makes findings of what was found.
func findingsQuery() string {
	definitions, _, findings := SeparationChecks()
	roles, _, _ := strings.Cut(definitions, "\n-- objects\n")
	const found = `
found AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS f(what text, severity text, act text, object text, remedy text, role oid, refuses text, class oid, oid oid))
`
	return strings.TrimSpace(roles) + found + findings
}

func AskCatalog(ctx context.Context, conn *pgx.Conn, p *policy.Policy, settings map[string]string) ([]Finding, error) {
	version, err := strconv.Atoi(settings["server_version_num"])
	if err != nil {
		return nil, fmt.Errorf("server_version_num: %w", err)
	}
	if err := Execute(ctx, conn, checkSettings); err != nil {
		return nil, err
	}
	input, err := json.Marshal(newSeparationInput(p, settings, version))
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, separationQuery(version, len(p.Publications) > 0), pgx.QueryExecModeExec, string(input))
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[foundRow])
	if err != nil || len(found) == 0 {
		return nil, err
	}
	encoded, err := json.Marshal(found)
	if err != nil {
		return nil, err
	}
	if rows, err = conn.Query(ctx, findingsQuery(), pgx.QueryExecModeExec, string(input), string(encoded)); err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Finding]) // the columns stand in the order of the fields
}

// checkSettings hold for the rest of the check's transaction: what regclass and its like print is qualified, literals mean what
// they say, catalogs are read through their indexes, and a plan of this size is not compiled.
const checkSettings = `SET LOCAL search_path = pg_catalog; SET LOCAL standard_conforming_strings = on; SET LOCAL jit = off; SET LOCAL enable_mergejoin = off;
	SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on; SET LOCAL enable_bitmapscan = on`

// SessionSettings returns settings in effect, before the check sets any. The query uses no operator, because it is not known
// yet what an operator means in this session.
func SessionSettings(ctx context.Context, conn *pgx.Conn) (map[string]string, error) {
	names := []string{
		"array_nulls", "client_encoding", "default_transaction_isolation", "default_transaction_read_only", "enable_bitmapscan",
		"enable_indexonlyscan", "enable_indexscan", "fsync", "row_security", "search_path", "server_encoding",
		"server_version_num", "standard_conforming_strings", "track_counts", "transform_null_equals",
	}
	calls := make([]string, len(names))
	values := make([]string, len(names))
	targets := make([]any, len(names))
	for i, name := range names {
		calls[i] = "pg_catalog.current_setting('" + name + "')"
		targets[i] = &values[i]
	}
	if err := conn.QueryRow(ctx, "SELECT "+strings.Join(calls, ", "), pgx.QueryExecModeExec).Scan(targets...); err != nil {
		return nil, err
	}
	settings := make(map[string]string)
	for i, name := range names {
		settings[name] = values[i]
	}
	return settings, nil
}

// separationInput is what separation.sql knows of the policy.
type separationInput struct {
	Analysts    []string          `json:"analysts"`
	Tables      []namedTable      `json:"tables"`
	Public      []namedTable      `json:"public"`
	SizeHidden  bool              `json:"size_hidden"`
	Settings    map[string]string `json:"settings"`
	Privileges  []string          `json:"privileges"`
	Counters    []string          `json:"counters"`     // patterns of LIKE
	OwnActivity []string          `json:"own_activity"` // names
	Sizes       []string          `json:"sizes"`        // names
	Runners     string            `json:"runners"`      // a regular expression
	RunnersLike []string          `json:"runners_like"` // patterns of LIKE
	Estimates   []string          `json:"estimates"`
	Extensions  []string          `json:"extensions"`
	// Publisher is absent if nothing is published.
	Publisher    string       `json:"publisher,omitempty"`
	Publications []namedTable `json:"publications"`
}

type namedTable struct {
	Schema  string         `json:"schema"`
	Name    string         `json:"name"`
	Columns []listedColumn `json:"columns"`
	Audited bool           `json:"audited"`
}

type listedColumn struct {
	Name   string        `json:"name"`
	Domain string        `json:"domain,omitempty"` // "dates", "times", "durations", "integers", "numbers", "from" or none of them
	First  int64         `json:"first"`
	Last   int64         `json:"last"`
	Source *sourceColumn `json:"source,omitempty"`
	Person bool          `json:"person"` // tells persons apart
	// NeverNull is what the policy says with nullable: false.
	NeverNull bool `json:"never_null"`
}

type sourceColumn struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
	Column string `json:"column"`
}

func newSeparationInput(p *policy.Policy, settings map[string]string, version int) separationInput {
	in := separationInput{
		Analysts: []string{}, Tables: []namedTable{}, Public: []namedTable{},
		SizeHidden: sizeHidden(p), Settings: settings,
		Privileges: []string{"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"},
		Counters:   likes(counters), OwnActivity: append(each("pg_stat_get_", ownActivity, ""), each("pg_stat_get_backend_", ownBackend, "")...),
		Sizes: each("pg_", sized, "_size"), Runners: runnersPattern, RunnersLike: likes(each("", runnersBegin, ".*")),
		Estimates: estimateColumns, Extensions: revealingExtensions, Publications: []namedTable{},
	}
	if len(p.Publications) > 0 {
		in.Publisher = PublisherName(p)
	}
	for _, c := range p.Publications {
		in.Publications = append(in.Publications, namedTable{Schema: c.Name.Schema, Name: c.Name.Name, Columns: []listedColumn{}})
	}
	if version >= 170000 {
		in.Privileges = append(in.Privileges, "MAINTAIN")
	}
	for _, a := range p.Analysts {
		in.Analysts = append(in.Analysts, a.Name)
	}
	sources := make(map[policy.TableName][]listedColumn)
	for _, t := range p.Tables {
		table := namedTable{Schema: t.Name.Schema, Name: t.Name.Name, Columns: []listedColumn{}, Audited: t.Mechanism.Kind == policy.Audit}
		for _, c := range t.Readable() {
			listed := newListedColumn(c)
			listed.Person = t.Person != nil && c.Name == t.Person.Column
			table.Columns = append(table.Columns, listed)
			if from := c.Domain.ValuesFrom; from != nil {
				sources[from.Table] = append(sources[from.Table], listedColumn{Name: from.Column})
			}
		}
		in.Tables = append(in.Tables, table)
	}
	for _, name := range p.Public {
		columns := append([]listedColumn{}, sources[name]...)
		in.Public = append(in.Public, namedTable{Schema: name.Schema, Name: name.Name, Columns: columns})
	}
	return in
}

func newListedColumn(c policy.Column) listedColumn {
	listed := listedColumn{Name: c.Name, NeverNull: c.NeverNull}
	switch d := c.Domain; {
	case d.Range != nil:
		listed.Domain, listed.First, listed.Last = "integers", d.Range.First, d.Range.Last
		if d.Range.Dates {
			listed.Domain = "dates"
		}
	case d.Bounds != nil:
		listed.Domain = "numbers"
		if d.Bounds.Times {
			listed.Domain = "times"
		} else if d.Bounds.Durations {
			listed.Domain = "durations"
		}
	case d.ValuesFrom != nil:
		listed.Domain = "from"
		listed.Source = &sourceColumn{Schema: d.ValuesFrom.Table.Schema, Name: d.ValuesFrom.Table.Name, Column: d.ValuesFrom.Column}
	}
	return listed
}

// sizeHidden tells whether the number of rows of some table is a secret. The server cannot hide that of one table alone.
func sizeHidden(p *policy.Policy) bool {
	return slices.ContainsFunc(p.Tables, func(t *policy.Table) bool { return !t.SizePublic })
}
