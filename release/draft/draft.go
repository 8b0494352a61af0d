package draft

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tacit/policy"
	"tacit/release/curator"
)

// Policy drafts a policy that protects tables of a database. Domains are read from public tables where a foreign key refers to one.
func Policy(place curator.Place, tables []curator.Described, public []policy.TableName) string {
	var b strings.Builder
	known := references{public: public}
	for _, t := range tables {
		known.protected = append(known.protected, t.Name)
	}
	for _, t := range tables {
		for _, c := range t.Columns {
			if known.tellsPersons(c) {
				known.referred = append(known.referred, *c.References)
			}
		}
	}
	fmt.Fprintf(&b, header, connection("{analyst}", place), connection("tacit_curator", place))
	if len(public) > 0 {
		names := make([]string, len(public))
		for i, name := range public {
			names[i] = scalar(name.String())
		}
		fmt.Fprintf(&b, "\n# Tables that are no secret, and that only trusted people can change.\npublic: [%s]\n", strings.Join(names, ", "))
	}
	b.WriteString("\ntables:\n")
	for _, t := range tables {
		fmt.Fprintf(&b, "  %s:\n", scalar(t.Name.String()))
		if t.RowSecurity {
			b.WriteString("    # This table has row-level security: see docs/steward.md about it.\n")
		}
		fmt.Fprintf(&b, tableKeys, known.personHint(t))
		known.columns(&b, t)
	}
	return b.String()
}

// header has verbs for the connection strings of analysts and curator.
const header = `# A policy for tacit, drafted from the catalog; no row was read. docs/steward.md explains every key.
# Fill in what is marked FILL, decide about the lines that stand in comments, and then run: tacit check --policy FILE

listen: 127.0.0.1:6432
upstream:
  analyst: %s
  curator: %s
ledger: sqlite:tacit.db
auth: trust                    # while you try it on this machine; then scram, with verifiers that tacit password makes
analysts:
  FILL: {}                     # the role name of each analyst, in lower case
`

// tableKeys has a verb for what a person may be.
const tableKeys = `    person: FILL               # %s
    mechanism: {kind: geometric, epsilon: FILL}      # the loss of one count, such as 0.5
    budget: {epsilon: FILL}                          # the loss of all counts of all analysts together, such as 10
    # replay: 7d               # if rows still arrive: else a repeated question is free for ever. A range that ends today makes each day another question
    columns:                   # a column that is not listed cannot be used
`

// references says which tables that foreign keys refer to are public, and which are protected.
type references struct {
	public, protected []policy.TableName
	referred          []policy.ColumnName // columns of protected tables to which protected tables refer
}

// personHint says what a person may be. A column that refers to a protected table is likely to say whose row it is, and the one that
// it refers to is what the tables can be joined by.
func (known references) personHint(t curator.Described) string {
	if i := slices.IndexFunc(t.Columns, known.tellsPersons); i >= 0 {
		return fmt.Sprintf("{column: %s, rows: 4, groups: 2}, if it says whose row it is; tacit assess --bounds shows what bounds leave out", scalar(t.Columns[i].Name))
	}
	if i := slices.IndexFunc(t.Columns, func(c curator.DescribedColumn) bool {
		return slices.Contains(known.referred, policy.ColumnName{Table: t.Name, Column: c.Name})
	}); i >= 0 {
		return fmt.Sprintf("{column: %s, rows: 1, groups: 1}, if no person has more than one row: so it can be joined along persons", scalar(t.Columns[i].Name))
	}
	return "row, if no person has more than one row; otherwise {column: ID, rows: 4, groups: 2}"
}

func (known references) tellsPersons(c curator.DescribedColumn) bool {
	return c.References != nil && slices.Contains(known.protected, c.References.Table)
}

func connection(role string, place curator.Place) string {
	path := "/" + url.PathEscape(place.Database)
	if strings.HasPrefix(place.Host, "/") { // a directory of sockets
		return scalar(fmt.Sprintf("postgres://%s@%s?host=%s&port=%d", role, path, url.QueryEscape(place.Host), place.Port))
	}
	return scalar("postgres://" + role + "@" + net.JoinHostPort(place.Host, strconv.Itoa(int(place.Port))) + path)
}

// columns lists those with a domain, and in comments the others with what speaks against them.
func (known references) columns(b *strings.Builder, t curator.Described) {
	width, listed := 0, false
	for _, c := range t.Columns {
		width = max(width, len(scalar(c.Name)))
	}
	for _, c := range t.Columns {
		domain, remark := known.domainOf(c)
		mark := "# "
		if domain != "" && !strings.HasPrefix(domain, "#") {
			mark, listed = "", true
		}
		line := fmt.Sprintf("      %s%-*s %s", mark, width+1, scalar(c.Name)+":", strings.TrimPrefix(cmp.Or(domain, "{}"), "#"))
		if remark != "" {
			line = fmt.Sprintf("%-44s # %s", line, remark)
		}
		fmt.Fprintln(b, visible(line))
	}
	if !listed {
		b.WriteString("      {}                       # no column has a domain that the catalog knows; declare one, and remove this line\n")
	}
}

// domainOf is a column's domain in the policy, behind a # if it is for the steward to decide, and a remark.
func (known references) domainOf(c curator.DescribedColumn) (domain, remark string) {
	values, bounds, unread := checkedDomain(c)
	switch r := c.References; {
	case visible(c.Name) != c.Name:
		return "", "a name that a policy cannot hold"
	case len(c.Labels) > 0:
		return list(c.Labels), ""
	case c.Class == curator.Uncountable:
		return "", c.Type + ", which counts cannot use"
	case r != nil && slices.Contains(known.public, r.Table):
		return fmt.Sprintf("{values_from: %s}", scalar(r.String())), ""
	case known.tellsPersons(c):
		return "", fmt.Sprintf("refers to %s and so tells people apart: it may be what person: names", r.Table)
	case len(values) > 0:
		return list(values), ""
	case bounds != nil:
		if c.Class == curator.Decimal {
			remark = "with step: 0.01 besides, single values can be groups and medians"
		}
		return fmt.Sprintf("{range: [%s, %s]}", bounds[0], bounds[1]), remark
	case c.Class == curator.Boolean:
		return `{values: ["false", "true"]}`, ""
	case r != nil:
		return fmt.Sprintf("#{values_from: %s}", scalar(r.String())), fmt.Sprintf("if %s is no secret: tacit init --public %[1]s", r.Table)
	case c.Unique:
		return "", c.Type + ", different in each row: it tells people apart"
	case unread != "":
		return "", c.Type + ", CHECK " + unread
	}
	if c.Class == curator.Decimal {
		return "", c.Type + "; declare {range: [...]}, with step: 0.01 besides if single values are to be groups and medians, or {} if its values are unknown, which needs a delta"
	}
	return "", c.Type + "; declare {values: [...]} or {range: [...]}, or {} if its values are unknown, which needs a delta"
}

func list(values []string) string {
	items := make([]string, len(values))
	for i, v := range values {
		items[i] = scalar(v)
	}
	return "{values: [" + strings.Join(items, ", ") + "]}"
}

// plain texts mean themselves in YAML, also within brackets. null is none; other words are text to a policy.
var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)

// scalar writes text so that YAML reads it back.
func scalar(text string) string {
	if plain.MatchString(text) && !strings.EqualFold(text, "null") {
		return text
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b) // JSON's strings are YAML's, too
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("draft: internal error: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// visible keeps names of objects from ending the line that they stand in.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
