package policy

import (
	"net/url"
	"path/filepath"
	"strings"

	"tacit/policy/internal/document"
)

// A LedgerLocation says where the ledger is: in a file of SQLite, for one proxy, or in a database of PostgreSQL, for many. Exactly one
// of SQLite and Postgres is set.
type LedgerLocation struct {
	// SQLite is the path of the file. A relative path was taken from the policy file's directory.
	SQLite string
	// Postgres is a connection string in the URL form, whose user is a login of the ledger's own. It may hold a password.
	Postgres string
	// Guard is the directory where a proxy remembers the end of a ledger in PostgreSQL, so that a server which was set back is found out;
	// default: that of the policy file.
	Guard string
}

// String is the location without its password.
func (l LedgerLocation) String() string {
	if l.Postgres == "" {
		return "sqlite:" + l.SQLite
	}
	u, err := url.Parse(l.Postgres)
	if err != nil {
		return "postgres"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	return u.String()
}

// GoString is String, so that no way to print a location shows the password.
func (l LedgerLocation) GoString() string { return l.String() }

const (
	ledgerRemedy      = "write sqlite: and the path of a file, such as sqlite:tacit.db or sqlite:/var/lib/tacit/tacit.db, or postgres://tacit_ledger@127.0.0.1:5432/tacit"
	ledgerRoleRemedy  = "name a role of its own, which owns the ledger and nothing else"
	ledgerURLRemedy   = "write postgres://tacit_ledger@127.0.0.1:5432/tacit"
	ledgerGuardRemedy = "write {location: postgres://tacit_ledger@127.0.0.1:5432/tacit, guard: /var/lib/tacit}"
)

// ledger decodes where the ledger is: one text, or a mapping that says besides where the guard is.
func (d *decoder) ledger(n *document.Node) LedgerLocation {
	if n == nil || n.Kind != document.Mapping {
		return d.location(n)
	}
	o := d.Object(n, "location", "guard")
	l := d.location(o.Required("location", ledgerURLRemedy))
	guardNode := o.Required("guard", ledgerGuardRemedy)
	guard, ok := d.Text(guardNode)
	switch {
	case !ok:
	case l.SQLite != "":
		d.Report(guardNode, "the guard of a file is beside it", "remove the key, or name a ledger in PostgreSQL")
	case guard == "":
		d.Report(guardNode, "the guard has no directory", ledgerGuardRemedy)
	case l.Postgres != "":
		l.Guard = d.besidePolicy(guard)
	}
	return l
}

// location decodes sqlite:FILE or postgres://....
func (d *decoder) location(n *document.Node) LedgerLocation {
	text, ok := d.Text(n)
	if !ok {
		return LedgerLocation{}
	}
	if strings.HasPrefix(text, "postgres:") || strings.HasPrefix(text, "postgresql:") {
		if u, _ := d.connectionString(n, ledgerURLRemedy); u == nil || strings.Contains(text, placeholder) {
			if u != nil {
				d.Report(n, "the ledger is one for all analysts", ledgerURLRemedy)
			}
			return LedgerLocation{}
		}
		return LedgerLocation{Postgres: text, Guard: filepath.Dir(d.File)}
	}
	path, isSQLite := strings.CutPrefix(text, "sqlite:")
	switch {
	case !isSQLite:
		d.Report(n, "this is not a ledger", ledgerRemedy)
	case path == "" || strings.HasSuffix(path, "/"):
		d.Report(n, "the ledger has no file name", ledgerRemedy)
	case strings.HasPrefix(path, "//"):
		d.Report(n, "this is a URL", ledgerRemedy)
	case strings.HasPrefix(path, ":") || strings.HasPrefix(path, "file:") || strings.ContainsAny(path, "?%#"):
		d.Report(n, "the ledger must be an ordinary file, without parameters", ledgerRemedy)
	default:
		return LedgerLocation{SQLite: d.besidePolicy(path)}
	}
	return LedgerLocation{}
}

// besidePolicy takes a relative path from the policy file's directory.
func (d *decoder) besidePolicy(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(d.File), path)
}

// checkLedgerRole keeps the ledger's login apart from those that read or write the data: whoever has it could undo charges.
func (d *decoder) checkLedgerRole(n *document.Node, p *Policy) {
	role := roleOf(p.Ledger.Postgres)
	if role == "" {
		return
	}
	switch role {
	case roleOf(p.Upstream.Curator):
		d.Report(n, "the ledger's user is the curator, who reads protected tables", ledgerRoleRemedy)
	case roleOf(p.Upstream.Publisher):
		d.Report(n, "the ledger's user is the publisher", ledgerRoleRemedy)
	}
	d.checkNoAnalyst(n, "the ledger's user", role, "change what was charged", p.Analysts, ledgerRoleRemedy)
}

// roleOf is the user of a connection string that was checked; "" if there is none.
func roleOf(connection string) string {
	u, err := url.Parse(connection)
	if connection == "" || err != nil {
		return ""
	}
	return u.User.Username()
}
