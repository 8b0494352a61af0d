package policy

import (
	"net/netip"
	"strings"
	"time"
)

// A Policy is a parsed and validated policy file. It is immutable.
type Policy struct {
	// Path is the file that the policy was read from, as named by the caller.
	Path string
	// Version identifies the meaning of the policy: the hex SHA-256 of the file's bytes.
	Version string

	// Listen are the addresses that analysts connect to: host:port, or the path of a socket of this machine.
	Listen []string
	// Balancers are the networks whose connections begin with a header of the PROXY protocol, which says where they come from.
	Balancers []netip.Prefix
	TLS       TLS
	Upstream  Upstream
	Ledger    LedgerLocation
	// Auth says how analysts prove who they are, and LocalAuth how they do on a socket of this machine.
	Auth, LocalAuth Auth
	// WhenNotSeparate says what is refused while a check finds that analysts could reach protected rows otherwise than by answers.
	WhenNotSeparate WhenNotSeparate
	// Accept names findings of that check that do not close protected tables.
	Accept []string
	// Analysts by name, in file order.
	Analysts []Analyst
	// Public lists the trusted tables that domains may be read from.
	Public []TableName
	Limits Limits
	// Sessions bound the connections of analysts, beside Limits.Connections.
	Sessions   Sessions
	Operations Operations
	// Keep says which notes the ledger keeps.
	Keep Keep
	// AnswerEvery has what is said of protected tables happen at multiples of it by the clock; 0: it waits for nothing.
	AnswerEvery time.Duration
	// Tables are the protected tables, in file order.
	Tables []*Table
	// Publications are the sanitized copies of protected tables that the steward may publish, in file order.
	Publications []*Publication
	// Console is nil if there is none.
	Console *Console
}

// QuotedPath is Path as a shell takes it in a command.
func (p *Policy) QuotedPath() string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./+,:@%", r)
	}
	if p.Path != "" && strings.IndexFunc(p.Path, func(r rune) bool { return !plain(r) }) < 0 {
		return p.Path
	}
	return "'" + strings.ReplaceAll(p.Path, "'", `'\''`) + "'"
}

// Rounded is a time that analysts see in reports. Beside AnswerEvery it is rounded down to a whole second, or to a multiple of it that is longer: the time
// between the charge for a count and its answer is what that hides.
func (p *Policy) Rounded(at time.Time) time.Time {
	if p.AnswerEvery == 0 {
		return at
	}
	return at.Truncate(max(p.AnswerEvery, time.Second))
}

// Upstream holds the connection strings, in the URL form of libpq.
type Upstream struct {
	// Analyst contains the placeholder {analyst} where the analyst's own role name goes.
	Analyst string
	// Curator is the login that may read protected tables.
	Curator string
	// Publisher is the login that owns publications. Required if there are any; else it may be empty.
	Publisher string
}

// Auth says how analysts prove who they are.
type Auth string

const (
	AuthTrust Auth = "trust" // accepted on a loopback listener only
	AuthSCRAM Auth = "scram" // SCRAM-SHA-256 with verifiers from the policy
	// AuthCertificate is a certificate that names the analyst, and no password. It needs TLSVerifyFull.
	AuthCertificate Auth = "certificate"
	// AuthPeer is that the account of the client's process has the analyst's name. It is for sockets of this machine.
	AuthPeer Auth = "peer"
)

// WhenNotSeparate says what statements a running proxy refuses while the roles are not separate. Answers are refused in any case.
type WhenNotSeparate string

const (
	Refuse WhenNotSeparate = "refuse" // those that could read protected rows by what was found
	Close  WhenNotSeparate = "close"  // all but those of the system's catalogs
)

// An Analyst may connect under her own name, which is also her role's name upstream.
type Analyst struct {
	Name string
	// Password is a SCRAM-SHA-256 verifier in PostgreSQL's form; empty unless Auth is AuthSCRAM.
	Password string
	// Budget is a cap on her own losses on each table, under the table's budget; nil is no cap. Amounts that the file does not cap are
	// NoEpsilonCap, NoDeltaCap, NoReleasesCap and NoRiskCap.
	Budget *Budget
}

// A TableName is a schema-qualified relation name, as in the catalog (not folded, not quoted).
type TableName struct {
	Schema, Name string
}

// A ColumnName names a column of a table.
type ColumnName struct {
	Table  TableName
	Column string
}

// Limits bound what a statement may ask for.
type Limits struct {
	Cells          int           // most cells in one release; default 100,000
	StatementBytes int           // longest statement; default 1 MiB
	Nesting        int           // deepest nesting of a statement; default 500
	CountTimeout   time.Duration // statement timeout of a count query; default 5 minutes
	Connections    int           // most simultaneous client connections; default 200
	Memory         int64         // bytes of memory that the proxy may use; default 2 GiB. 0, in policies that were not read from a file: no bound
}

// Adjacency says which databases count as neighbours.
type Adjacency string

const (
	AddRemove  Adjacency = "add-remove"  // one person more or less
	ReplaceOne Adjacency = "replace-one" // one person's rows exchanged for another's
)

// A Table is a protected table.
type Table struct {
	Name TableName
	// Person is nil if each row is a person.
	Person *Person
	// Adjacency under which every loss of epsilon and delta is stated; default AddRemove. Of kind audit it is always ReplaceOne.
	Adjacency Adjacency
	// SizePublic says that the number of rows is no secret. It never is under kind audit.
	SizePublic bool
	// DeclaredSize is about how many rows there are, as the steward tells analysts; 0 if she does not. No row is read for it.
	DeclaredSize int64
	Mechanism    Mechanism
	Budget       Budget
	// Composition is the rule by which losses add up; default PLDComposition. Of kind audit it is BasicComposition.
	Composition Composition
	// Thresholds is the part of Budget.Delta that is kept for thresholds on unknown keys. Of BasicComposition it is all of it: deltas are
	// one sum, whatever they are for.
	Thresholds Delta
	// Window is how long a loss counts against the budget; 0 is for ever. It is a number of whole days.
	Window time.Duration
	// Blocks are the parts of the table that have the budget each; nil if the table has it as a whole.
	Blocks *Blocks
	// Derive allows answers that follow from recorded releases; default true. It is false under kind audit.
	Derive bool
	// Workload is what is measured together; nil if there is nothing of the kind.
	Workload *Workload
	// Replay is how long a repeated question is answered from the ledger; 0 is for ever.
	Replay time.Duration
	// ReplayStated says that the policy has the key, be it forever.
	ReplayStated bool
	// Columns that statements may use, in file order. A column not listed cannot be used.
	Columns []Column
}

// A Budget is the most loss allowed, as it is added up by the table's Composition.
type Budget struct {
	Epsilon Epsilon
	Delta   Delta
	// Releases is the most releases without a guarantee: no epsilon describes them, so that they are counted on their own. Default 0.
	Releases int64
	// Risk is the most probability that a person is ever exposed by exact counts; 0 unless the table's kind is audit.
	Risk Risk
}

// A Column of a protected table that statements may use.
type Column struct {
	Name   string
	Domain Domain
	// NeverNull says that the catalog must forbid NULL, so that there is never a cell for it.
	NeverNull bool
	// DropOutside leaves rows out of sums whose value lies beyond the declared ones; otherwise they count as the nearest of these.
	DropOutside bool
}

// A Domain is what the steward declares of a column's values. The zero Domain is unknown: keys pass a private threshold.
// At most one field is set.
type Domain struct {
	// Values in the order in which cells are shown, as text.
	Values []string
	// ValuesFrom is a column of a public table that holds the values.
	ValuesFrom *ColumnName
	// Range is an inclusive range of integers or of dates.
	Range *Range
	// Bounds are a range of other values, or of too many.
	Bounds *Bounds
}

// A Range is inclusive at both ends. Integers stand for themselves; dates for days since 1970-01-01.
type Range struct {
	First, Last int64
	Dates       bool
	// Today says that the range ends at the present day, in UTC, see [Policy.On].
	Today bool
}
