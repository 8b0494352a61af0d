package curator

import (
	_ "embed"
	"net/url"
	"slices"
	"strings"
	"text/template"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

var (
	//go:embed hardening.sql
	hardeningSQL string
	//go:embed hardeningundo.sql
	undoSQL string
)

// HardeningSQL is a psql script that a superuser runs to separate the analysts of a policy from its tables. It may be run
// again. It shows which login roles lose what, and records what it changed. What it leaves for CheckSeparation to find are grants and
// objects that somebody made on purpose.
func HardeningSQL(p *policy.Policy) string { return fill(hardeningTemplate, newHardeningData(p)) }

// ManagedHardeningSQL is the weaker script, for an owner of the database who is no superuser. What it could not do, CheckSeparation finds, and
// the policy may accept some of that.
func ManagedHardeningSQL(p *policy.Policy) string {
	data := newHardeningData(p)
	data.Managed, data.Attempt = true, "pg_temp.tacit_attempt"
	return fill(hardeningTemplate, data)
}

func newHardeningData(p *policy.Policy) *hardeningData {
	others := []string{"PUBLIC"}
	data := &hardeningData{
		Curator: CuratorName(p), Public: p.Public, SizeHidden: sizeHidden(p),
		Counters: countersPattern, OwnActivity: ownActivityPattern, Sizes: sizesPattern, Runners: runnersPattern, RunnersBegin: runnersBeginPattern,
		Estimates: estimateColumns, Extensions: revealingExtensions,
	}
	for _, t := range p.Tables {
		table := hardenedTable{Name: t.Name}
		for _, c := range t.Readable() {
			table.Columns = append(table.Columns, c.Name)
		}
		if t.Mechanism.Kind == policy.Audit { // by which the rows of an epoch are told from later ones, and from those of new partitions
			table.Columns = append(table.Columns, "xmin", "tableoid")
		}
		data.Tables = append(data.Tables, table)
	}
	for _, a := range p.Analysts {
		data.Analysts = append(data.Analysts, a.Name)
		others = append(others, QuoteIdentifier(a.Name))
		if !holdsPolicyTables(p, a.Name) {
			data.OwnSchemas = append(data.OwnSchemas, a.Name)
		}
	}
	data.Roles = append([]string{data.Curator}, data.Analysts...)
	if len(p.Publications) > 0 {
		data.Publisher = PublisherName(p)
		data.Roles = append(data.Roles, data.Publisher)
	}
	for _, c := range p.Publications {
		if !slices.Contains(data.PublicationSchemas, c.Name.Schema) {
			data.PublicationSchemas = append(data.PublicationSchemas, c.Name.Schema)
		}
	}
	data.Others = strings.Join(others, ", ")
	return data
}

// UndoSQL is a psql script that takes back what the scripts of [HardeningSQL] changed of privileges, by what these recorded in the database.
func UndoSQL() string { return fill(hardeningTemplate.Lookup("hardeningundo.sql"), nil) }

func fill(t *template.Template, data any) string {
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		panic("release: internal error: " + err.Error())
	}
	return b.String()
}

// hardeningData is what the template hardening.sql is filled with.
type hardeningData struct {
	Curator      string
	Analysts     []string
	Roles        []string // curator, analysts and publisher
	OwnSchemas   []string // analysts who get a schema of their own
	Others       string   // PUBLIC and the analysts, as the list of a REVOKE
	Tables       []hardenedTable
	Public       []policy.TableName
	SizeHidden   bool
	Counters     string
	OwnActivity  string
	Sizes        string
	Runners      string // with their arguments, which take the server long to print
	RunnersBegin string // the beginnings of their names
	Estimates    []string
	Extensions   []string
	Managed      bool
	Attempt      string // the function that makes a statement go on where it is denied; empty if the script is a superuser's
	// Publisher is empty if nothing is published.
	Publisher          string
	PublicationSchemas []string
}

type hardenedTable struct {
	Name    policy.TableName
	Columns []string
}

var hardeningTemplate = template.Must(template.New("hardening.sql").
	Funcs(template.FuncMap{"ident": QuoteIdentifier, "table": QuoteTable, "literal": QuoteLiteral, "inFormat": quoteInFormat}).Parse(hardeningSQL))

var _ = template.Must(hardeningTemplate.New("hardeningundo.sql").Parse(undoSQL))

func QuoteIdentifier(name string) string { return pgx.Identifier{name}.Sanitize() }

func QuoteTable(t policy.TableName) string { return pgx.Identifier{t.Schema, t.Name}.Sanitize() }

// QuoteLiteral quotes for a session with standard_conforming_strings.
func QuoteLiteral(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteInFormat quotes SQL that stands in a literal which is the format of the server's function format.
func quoteInFormat(sql string) string { return strings.NewReplacer("'", "''", "%", "%%").Replace(sql) }

func holdsPolicyTables(p *policy.Policy, schema string) bool {
	return slices.ContainsFunc(p.Public, func(t policy.TableName) bool { return t.Schema == schema }) ||
		slices.ContainsFunc(p.Tables, func(t *policy.Table) bool { return t.Name.Schema == schema })
}

// CuratorName is the role in upstream.curator.
func CuratorName(p *policy.Policy) string { return userName(p.Upstream.Curator) }

// PublisherName is the role in upstream.publisher, which a policy with publications has.
func PublisherName(p *policy.Policy) string { return userName(p.Upstream.Publisher) }

func userName(connection string) string {
	u, err := url.Parse(connection)
	if err != nil || u.User == nil {
		panic("release: internal error: a policy with a connection string that names no user")
	}
	return u.User.Username()
}
