package policy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tacit/policy/internal/document"
	"tacit/policy/internal/scram"
)

// oidcSection is a section console with a provider, in which the keys of oidc that are not given are right.
func oidcSection(oidc, olga string) string {
	for key, value := range map[string]string{"client_id": "tacit", "client_secret_file": "secret", "redirect": "'https://tacit.example.org:6480/oidc/callback'"} {
		if !strings.Contains(oidc, key+":") {
			oidc += ", " + key + ": " + value
		}
	}
	return "auth: trust\nconsole: {listen: 127.0.0.1:6480, oidc: {" + strings.TrimPrefix(oidc, ", ") + "}, officers: {olga: " + olga + "}}"
}

// A mistake is an edit of the policy minimal. The line on which the error is expected ends in "# <-".
type mistake struct {
	old, new string
	key      string // of the error
	problem  string // part of its text
}

const (
	listenLine  = "listen: 127.0.0.1:6432"
	analystLine = "analyst: postgres://{analyst}@127.0.0.1/hospital"
	curatorLine = "curator: postgres://curator@127.0.0.1/hospital"
	tableLine   = "  public.patients:"
	budgetLine  = "budget: {epsilon: 10}"
	mechLine    = "mechanism: {kind: geometric, epsilon: 0.5}"
	bothLines   = mechLine + "\n    " + budgetLine
	personLine  = "    person: row"
	sexLine     = "sex: {values: [F, M]}"
	aVerifier   = "'SCRAM-SHA-256$4096:c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='"
)

var mistakes = map[string][]mistake{
	"yaml": {
		{minimal, "# <-", "", "empty"},
		{minimal, "just text # <-", "", "single value instead of a mapping"},
		{minimal, "- listen: x # <-", "", "a list instead of a mapping"},
		{listenLine, "%YAML 1.1 # <-\n---\nlisten: 127.0.0.1:6432", "", "directive"},
		{tableLine, "---\nmore: # <-", "", "more than one"},
		{personLine, "\tperson: row # <-", "", "not YAML"},
		{sexLine, "sex: {values: [F, M} # <-", "", "not YAML"},
		{analystLine, "analyst: {analyst}@127.0.0.1 # <-", "", "not YAML"},
		{"  ana: {}", "  ana: &a {} # <-\n  bob: {}", "analysts.ana", "anchors"},
		{"  ana: {}", "  ana: {}\n  bob: *a # <-", "analysts.bob", "anchors"},
		{"  ana: {}", "  ana: {}\n  <<: {bob: {}} # <-", "analysts.<<", "anchors"},
		{"epsilon: 10", "epsilon: !!float 10 # <-\n      ", "tables.public.patients.budget.epsilon", "tags"},
		{"ledger: sqlite:tacit.db", "ledger: | # <-\n  sqlite:tacit.db", "ledger", "block text"},
		{"ledger: sqlite:tacit.db", "ledger: > # <-\n  sqlite:tacit.db", "ledger", "block text"},
		{"  ana: {}", "  ana: {}\n  ~: {} # <-", "analysts.~", "null is no key"},
		{"  ana: {}", "  ana: {}\n  ? bob # <-\n  : {}", "analysts.?", "not supported"},
		{"  ana: {}", "  ana: {}\n  ana: {} # <-", "analysts.ana", "given twice, first on line 8"},
		{"auth: trust", "auth: trust\nlisten: 127.0.0.1:6433 # <-", "listen", "given twice, first on line 1"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.1, epsilon: 0.5} # <-", "tables.public.patients.mechanism.epsilon", "given twice"},
	},
	"top": {
		{"ledger: sqlite:tacit.db", "ledgers: sqlite:tacit.db # <-\nledger: sqlite:tacit.db", "ledgers", "unknown key"},
		{"auth: trust", "auth: trust\nconsole: 127.0.0.1:6433 # <-", "console", "a mapping"},
		{"auth: trust", "auth: trust\nconsole: {} # <-", "console.listen", "missing"},
		{"auth: trust", "auth: trust\nconsole: {listen: 0.0.0.0:6480} # <-", "console.listen", "in clear"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6432} # <-", "console.listen", "analysts' connections"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, approval: [grant], stewards: {stan: {password: " + aVerifier + "}}} # <-", "console.approval", "no other steward"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, approval: [decline]} # <-", "console.approval", "no act that can wait"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, approval: [thaw, thaw], stewards: {stan: {password: " + aVerifier + "}, sue: {password: " + aVerifier + "}}} # <-", "console.approval", "stands twice"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, admins: {}} # <-", "console.admins", "unknown key"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, officers: {olga: {}}} # <-", "console.officers.olga.password", "missing"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, officers: {olga: {password: secret}}} # <-", "console.officers.olga.password", "not a SCRAM-SHA-256 verifier"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, stewards: {ana: {password: " + aVerifier + "}}} # <-", "console.stewards.ana", "an analyst already"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, officers: {olga: {password: " + aVerifier + "}}, stewards: {olga: {password: " + aVerifier + "}}} # <-", "console.stewards.olga", "an officer already"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, stewards: {Olga: {password: " + aVerifier + "}}} # <-", "console.stewards.Olga", "plain role name"},
		{"auth: trust", oidcSection("issuer: http://login.example.org", "{email: a@b.org}") + " # <-", "console.oidc.issuer", "in clear"},
		{"auth: trust", oidcSection("issuer: 'https://u:p@login.example.org'", "{email: a@b.org}") + " # <-", "console.oidc.issuer", "more than an address"},
		{"auth: trust", oidcSection("issuer: 'https://login.example.org/?x=y'", "{email: a@b.org}") + " # <-", "console.oidc.issuer", "more than an address"},
		{"auth: trust", oidcSection("issuer: login.example.org", "{email: a@b.org}") + " # <-", "console.oidc.issuer", "no URL"},
		{"auth: trust", oidcSection("issuer: 'https://login.example.org', redirect: 'https://tacit.example.org/'", "{email: a@b.org}") + " # <-", "console.oidc.redirect", "another path"},
		{"auth: trust", oidcSection("issuer: 'https://login.example.org', redirect: 'http://tacit.example.org/oidc/callback'", "{email: a@b.org}") + " # <-", "console.oidc.redirect", "in clear"},
		{"auth: trust", oidcSection("issuer: 'https://login.example.org', client_secret: x", "{email: a@b.org}") + " # <-", "console.oidc.client_secret", "unknown key"},
		{"auth: trust", oidcSection("", "{email: a@b.org}") + " # <-", "console.oidc.issuer", "missing"},
		{"auth: trust", oidcSection("issuer: 'https://login.example.org'", "{email: a@b.org, subject: x}") + " # <-", "console.officers.olga", "does not name one person"},
		{"auth: trust", oidcSection("issuer: 'https://login.example.org'", "{email: ''}") + " # <-", "console.officers.olga", "does not name one person"},
		{"auth: trust", oidcSection("issuer: 'https://login.example.org'", "{email: a@b.org}, otto: {email: a@b.org}") + " # <-", "console.officers.otto", "does not name one person"},
		{"auth: trust", "auth: trust\nconsole: {listen: 127.0.0.1:6480, officers: {olga: {email: a@b.org, password: " + aVerifier + "}}} # <-", "console.officers.olga.email", "unknown key"},
		{listenLine, "# <-", "listen", "missing"},
		{"auth: trust", "auth: trust\naccept: [protected-privilege] # <-", "accept", "no finding that can be accepted"},
		{"auth: trust", "auth: trust\naccept: [activity-counters] # <-", "accept", "no finding that can be accepted"},
		{"auth: trust", "auth: trust\naccept: [fsync, nonsense] # <-", "accept", "no finding that can be accepted"},
		{"auth: trust", "auth: trust\naccept: [fsync, fsync] # <-", "accept", "listed twice"},
		{"auth: trust", "auth: trust\naccept: fsync # <-", "accept", "a single value instead of a list"},
		{listenLine, "listen: # <-", "listen", "no value"},
		{listenLine, "listen: {at: 127.0.0.1:6432} # <-", "listen", "a mapping instead"},
		{listenLine, "listen: [] # <-", "listen", "nobody can connect"},
		{listenLine, "listen:\n- 127.0.0.1:6432\n- 127.0.0.1:6432 # <-", "listen", "given twice"},
		{listenLine, "listen: /run/tacit # <-", "listen", "clients do not find a socket"},
		{"auth: trust", "auth: trust\nconsole: {listen: /run/.s.PGSQL.1} # <-", "console.listen", "browsers"},
		{"auth: trust", "auth: trust # <-\nproxy_protocol: [10.0.0.7]\ntls: {mode: disable}", "auth", "behind a load balancer"},
		{"auth: trust", "auth: trust\nproxy_protocol: [0.0.0.0/0] # <-", "proxy_protocol", "everybody"},
		{"auth: trust", "auth: trust\nproxy_protocol: 10.0.0.7 # <-", "proxy_protocol", "instead of a list"},
		{"auth: trust", "auth: trust\nlocal_auth: peer # <-", "local_auth", "no socket of this machine"},
		{listenLine, "listen: [127.0.0.1:6432, /run/.s.PGSQL.6432]\nlocal_auth: trust # <-", "local_auth", "not known here"},
		{listenLine, "listen: 6432 # <-", "listen", "not host:port"},
		{listenLine, "listen: 127.0.0.1 # <-", "listen", "not host:port"},
		{listenLine, "listen: ::1:6432 # <-", "listen", "not host:port"},
		{listenLine, "listen: 127.0.0.1:65536 # <-", "listen", "not host:port"},
		{listenLine, "listen: 127.0.0.1:psql # <-", "listen", "not host:port"},
		{listenLine, "listen: '*:6432' # <-", "listen", "not host:port"},
		{listenLine, "listen: http://127.0.0.1:6432 # <-", "listen", "not host:port"},
		{"auth: trust", "auth: md5 # <-", "auth", `"md5" is not known`},
		{"auth: trust", "auth: # <-", "auth", "no value"},
		{"ledger: sqlite:tacit.db", "ledger: tacit.db # <-", "ledger", "not a ledger"},
		{"ledger: sqlite:tacit.db", "ledger: postgres://h/db # <-", "ledger", "names no user"},
		{"ledger: sqlite:tacit.db", "ledger: postgresql://keeper@h # <-", "ledger", "names no database"},
		{"ledger: sqlite:tacit.db", "ledger: postgres://keeper@h/db?options=-csynchronous_commit=off # <-", "ledger", "parameter options"},
		{"ledger: sqlite:tacit.db", "ledger: 'postgres://{analyst}@h/db' # <-", "ledger", "one for all analysts"},
		{"ledger: sqlite:tacit.db", "ledger: postgres://curator@h/db # <-", "ledger", "is the curator"},
		{"ledger: sqlite:tacit.db", "ledger: postgres://ana@h/db # <-", "ledger", "is analyst ana"},
		{"ledger: sqlite:tacit.db", "ledger: {location: 'postgres://keeper@h/db'} # <-", "ledger.guard", "missing"},
		{"ledger: sqlite:tacit.db", "ledger: {guard: /var/lib/tacit} # <-", "ledger.location", "missing"},
		{"ledger: sqlite:tacit.db", "ledger: {location: 'sqlite:tacit.db', guard: /var/lib/tacit} # <-", "ledger.guard", "beside it"},
		{"ledger: sqlite:tacit.db", "ledger: {location: 'postgres://keeper@h/db', guard: ''} # <-", "ledger.guard", "no directory"},
		{"ledger: sqlite:tacit.db", "ledger: {location: 'postgres://keeper@h/db', guard: x, pool: 3} # <-", "ledger.pool", "unknown key"},
		{"ledger: sqlite:tacit.db", "ledger: sqlite://tacit.db # <-", "ledger", "URL"},
		{"ledger: sqlite:tacit.db", "ledger: 'sqlite:' # <-", "ledger", "no file name"},
		{"ledger: sqlite:tacit.db", "ledger: sqlite:/var/lib/tacit/ # <-", "ledger", "no file name"},
		{"ledger: sqlite:tacit.db", "ledger: 'sqlite::memory:' # <-", "ledger", "ordinary file"},
		{"ledger: sqlite:tacit.db", "ledger: sqlite:tacit.db?_fsync=0 # <-", "ledger", "ordinary file"},
	},
	"tls": {
		{"auth: trust", "auth: trust\ntls: # <-", "tls", "no value"},
		{"auth: trust", "auth: trust\ntls: on # <-", "tls", "instead of a mapping"},
		{"auth: trust", "auth: trust\ntls: {certificate: a, key: b, cert: c} # <-", "tls.cert", "unknown key"},
		{"auth: trust", "auth: trust\ntls: {certificate: a} # <-", "tls.key", "missing"},
		{"auth: trust", "auth: trust\ntls: {key: a} # <-", "tls.certificate", "missing"},
		{"auth: trust", "auth: trust\ntls: {certificate: '', key: b} # <-", "tls.certificate", "names no file"},
		{"auth: trust", "auth: trust\ntls: {certificate: a, key: b/} # <-", "tls.key", "names no file"},
		{"auth: trust", "auth: trust\ntls: {mode: prefer, certificate: a, key: b} # <-", "tls.mode", `"prefer" is not known`},
		{"auth: trust", "auth: trust\ntls: {mode: disable, key: a} # <-", "tls.key", "the mode is disable"},
		{"auth: trust", "auth: trust\ntls: {mode: verify-ca, certificate: a, key: b} # <-", "tls.client_ca", "missing"},
		{"auth: trust", "auth: trust\ntls: {certificate: a, key: b, client_ca: c} # <-", "tls.client_ca", "verify-ca and"},
		{"auth: trust", "auth: trust\ntls: {mode: verify-ca, certificate: a, key: b, client_ca: c, names: {A: ana}} # <-", "tls.names", "verify-full only"},
		{"auth: trust", "auth: trust\ntls: {mode: verify-full, certificate: a, key: b, client_ca: c, names: {A: eve}} # <-", "tls.names.A", "no analyst"},
		{"auth: trust", "auth: trust\ntls: {mode: verify-full, certificate: a, key: b, client_ca: c, names: {'': ana}} # <-", "tls.names.", "names nobody"},
		{"auth: trust", "auth: trust\ntls: {mode: verify-full, certificate: a, key: b, client_ca: c, names: {}} # <-", "tls.names", "no certificate"},
		{"auth: trust", "auth: certificate # <-", "auth", "only where they name the analyst"},
		{"auth: trust", "auth: certificate # <-\ntls: {mode: require, certificate: a, key: b}", "auth", "only where they name the analyst"},
		{listenLine, "listen: 127.0.0.1:6432\ntls: {mode: verify-full, certificate: a, key: b, client_ca: c, names: [ana]} # <-", "tls.names", "a list instead of a mapping"},
	},
	"upstream": {
		{curatorLine, "curators: postgres://curator@127.0.0.1/hospital # <-\n  curator: postgres://curator@127.0.0.1/hospital", "upstream.curators", "unknown key"},
		{analystLine, "analyst: postgres://ana@127.0.0.1/hospital # <-", "upstream.analyst", "placeholder"},
		{analystLine, "analyst: postgres://curator@127.0.0.1/hospital # <-", "upstream.analyst", "placeholder"},
		{analystLine, "analyst: postgres://x_{analyst}@127.0.0.1/hospital # <-", "upstream.analyst", "placeholder"},
		{analystLine, "analyst: postgres://{analyst}@127.0.0.1/hospital?host={analyst} # <-", "upstream.analyst", "placeholder"},
		{analystLine, "analyst: host=127.0.0.1 user={analyst} # <-", "upstream.analyst", "URL form"},
		{analystLine, "analyst: jdbc:postgresql://{analyst}@127.0.0.1/hospital # <-", "upstream.analyst", "URL form"},
		{analystLine, "analyst: postgres://{analyst}@127.0.0.1:70000/hospital # <-", "upstream.analyst", "port"},
		{analystLine, "analyst: postgres://{analyst}@127.0.0.1 # <-", "upstream.analyst", "no database"},
		{analystLine, "analyst: postgres://{analyst}@/hospital # <-", "upstream.analyst", "no host"},
		{analystLine, "analyst: postgres://127.0.0.1/hospital # <-", "upstream.analyst", "no user"},
		{analystLine, "analyst: postgres://{analyst}@127.0.0.1/hospital?options=-crow_security=on # <-", "upstream.analyst", "parameter options"},
		{curatorLine, "curator: postgres://{analyst}@127.0.0.1/hospital # <-", "upstream.curator", "the curator is the analyst"},
		{curatorLine, "curator: postgres://ana@127.0.0.1/hospital # <-", "upstream.curator", "the curator is analyst ana"},
		{curatorLine, "curator: postgres://curator@127.0.0.1/hospitals # <-", "upstream.curator", "not the analysts'"},
		{curatorLine, "curator: postgres://curator@db1,db2/hospital # <-", "upstream.curator", "not said which counts"},
		{curatorLine, "curator: postgres://curator@db1,db2/hospital?target_session_attrs=standby # <-", "upstream.curator", "not said which counts"},
		{curatorLine, "curator: postgres://curator@db1,db2/hospital?target_session_attrs=primary&load_balance_hosts=on # <-", "upstream.curator", "load_balance_hosts is on"},
		{analystLine, "analyst: postgres://{analyst}@db1,db2/hospital?target_session_attrs=primary # <-", "upstream.analyst", "target_session_attrs is not supported"},
		{curatorLine, "curator: postgres://curator:p%zz@127.0.0.1/hospital # <-", "upstream.curator", "URL form"},
	},
	"analysts": {
		{"analysts:\n  ana: {}", "analysts: {} # <-", "analysts", "nobody"},
		{"analysts:\n  ana: {}", "analysts: [ana] # <-", "analysts", "a list instead of a mapping"},
		{"ana: {}", "ana: # <-", "analysts.ana", "no value"},
		{"ana: {}", "ana: {passwort: x} # <-", "analysts.ana.passwort", "unknown key"},
		{"ana: {}", "Ana: {} # <-", "analysts.Ana", "plain role name"},
		{"ana: {}", "ana maria: {} # <-", "analysts.ana maria", "plain role name"},
		{"ana: {}", "1: {} # <-", "analysts.1", "plain role name"},
		{"ana: {}", "user: {} # <-", "analysts.user", "reserved"},
		{"ana: {}", "pg_monitor: {} # <-", "analysts.pg_monitor", "reserved"},
		{"ana: {}", "ana: {budget: {epsilon: 0}} # <-", "analysts.ana.budget.epsilon", "allows no answer"},
		{"ana: {}", "ana: {budget: {}} # <-", "analysts.ana.budget.epsilon", "missing"},
		{"ana: {}", "ana: {budget: {delta: 1e-6}} # <-", "analysts.ana.budget.epsilon", "missing"},
		{"ana: {}", "ana: {budget: {releases: 0}} # <-", "analysts.ana.budget.releases", "whole number from 1"},
		{"ana: {}", "ana: {budget: {delta: 1e-6, releases: 3}} # <-", "analysts.ana.budget.delta", "without an epsilon"},
		{"ana: {}", "ana: {budget: 4} # <-", "analysts.ana.budget", "a single value instead of a mapping"},
		{"ana: {}", "ana: {budget: {epsilon: 4, composition: basic}} # <-", "analysts.ana.budget.composition", "unknown key"},
		{"ana: {}", "ana: {password: secret} # <-", "analysts.ana.password", "not a SCRAM-SHA-256 verifier"},
	},
	"public": {
		{"public: [public.regions]", "public: public.regions # <-", "public", "a single value instead of a list"},
		{"public: [public.regions]", "public: [regions] # <-", "public", "no schema"},
		{"public: [public.regions]", "public:\n- public.regions\n- public.regions # <-", "public", "listed twice"},
		{"public: [public.regions]", "public: [~] # <-", "public", "no value"},
		{"public: [public.regions]", "public: [{a: b}] # <-", "public", "instead of a single value"},
	},
	"limits": {
		{"auth: trust", "auth: trust\nlimits: {cell: 1} # <-", "limits.cell", "unknown key"},
		{"auth: trust", "auth: trust\nlimits:\n  cells: 0 # <-", "limits.cells", "whole number"},
		{"auth: trust", "auth: trust\nlimits:\n  cells: 1e5 # <-", "limits.cells", "whole number"},
		{"auth: trust", "auth: trust\nlimits:\n  cells: 100_000 # <-", "limits.cells", "whole number"},
		{"auth: trust", "auth: trust\nlimits:\n  nesting: 1001 # <-", "limits.nesting", "whole number from 10 to 1000"},
		{"auth: trust", "auth: trust\nlimits:\n  statement_bytes: 16777217 # <-", "limits.statement_bytes", "whole number"},
		{"auth: trust", "auth: trust\nlimits:\n  statement_bytes: 1MB # <-", "limits.statement_bytes", "whole number"},
		{"auth: trust", "auth: trust\nlimits:\n  memory: 1MB # <-", "limits.memory", "no amount of memory"},
		{"auth: trust", "auth: trust\nlimits:\n  memory: 4096 # <-", "limits.memory", "no amount of memory"},
		{"auth: trust", "auth: trust\nlimits:\n  memory: 2000GB # <-", "limits.memory", "no amount of memory"},
		{"auth: trust", "auth: trust\nlimits:\n  memory: iGB # <-", "limits.memory", "no amount of memory"},
		{"auth: trust", "auth: trust\nlimits:\n  connections: -1 # <-", "limits.connections", "whole number"},
		{"auth: trust", "auth: trust\nlimits:\n  count_timeout: 300 # <-", "limits.count_timeout", "not a duration"},
		{"auth: trust", "auth: trust\nlimits:\n  count_timeout: 0s # <-", "limits.count_timeout", "above 0"},
		{"auth: trust", "auth: trust\nlimits:\n  count_timeout: 2d # <-", "limits.count_timeout", "not between"},
		{"auth: trust", "auth: trust\nlimits:\n  per_analyst: 201 # <-", "limits.per_analyst", "from 1 to 200"},
		{"auth: trust", "auth: trust\nlimits:\n  per_address: 0 # <-", "limits.per_address", "whole number"},
		{"auth: trust", "auth: trust\nlimits:\n  reserved: 5 # <-", "limits", "belong together"},
		{"auth: trust", "auth: trust\nlimits:\n  reserved_for: [ana] # <-", "limits", "belong together"},
		{"auth: trust", "auth: trust\nlimits:\n  reserved_for: [ana]\n  reserved: 200 # <-", "limits.reserved", "from 1 to 199"},
		{"auth: trust", "auth: trust\nlimits:\n  reserved: 2\n  reserved_for: ana # <-", "limits.reserved_for", "a single value instead of a list"},
		{"auth: trust", "auth: trust\nlimits:\n  reserved: 2\n  reserved_for: [eve] # <-", "limits.reserved_for", "no analyst"},
		{"auth: trust", "auth: trust\nlimits:\n  connections: 1\n  reserved_for: [ana]\n  reserved: 1 # <-", "limits.reserved", "none can be reserved"},
		{"auth: trust", "auth: trust\nlimits:\n  idle: 10ms # <-", "limits.idle", "not between"},
		{"auth: trust", "auth: trust\nlimits:\n  idle_in_transaction: 60 # <-", "limits.idle_in_transaction", "not a duration"},
	},
	"operations": {
		{"auth: trust", "auth: trust\nmetrics: {} # <-", "metrics.listen", "missing"},
		{"auth: trust", "auth: trust\nmetrics: {listen: 9187} # <-", "metrics.listen", "not host:port"},
		{"auth: trust", "auth: trust\nmetrics: {listen: ':9187'} # <-", "metrics.listen", "others could read"},
		{"auth: trust", "auth: trust\nmetrics: {listen: '10.0.0.7:9187', client_ca: ca.crt} # <-", "metrics.listen", "others could read"}, // without tls
		{"auth: trust", "auth: trust\nanswer_every: 1m # <-", "answer_every", "not between"},
		{"auth: trust", "auth: trust\nlog: {format: xml} # <-", "log.format", "not known"},
		{"auth: trust", "auth: trust\nlog: {level: all} # <-", "log.level", "not known"},
		{"auth: trust", "auth: trust\nlog: {keep: 23h} # <-", "log.keep", "is not between 1d and 36500d"},
		{"auth: trust", "auth: trust\nlog: {keep: for ever} # <-", "log.keep", "is not a duration"},
		{"auth: trust", "auth: trust\nlog: {notes: 999} # <-", "log.notes", "from 1000 to"},
		{"auth: trust", "auth: trust\ndrain: 2h # <-", "drain", "not between"},
	},
	"tables": {
		{minimal[strings.Index(minimal, "tables:"):], "tables: {} # <-\n", "tables", "no table is protected"},
		{minimal[strings.Index(minimal, "tables:"):], "tables: # <-\n", "tables", "no value"},
		{tableLine, "  patients: # <-", "tables.patients", "no schema"},
		{tableLine, "  hospital.public.patients: # <-", "tables.hospital.public.patients", "3 parts"},
		{tableLine, "  public.pati\"ents: # <-", `tables.public.pati"ents`, "double quote"},
		{tableLine, "  \"public.pati\\0ents\": # <-", "tables.public.pati\x00ents", "control character"},
		{tableLine, "  public.regions: # <-", "tables.public.regions", "also listed under public"},
		{tableLine, "  public.\"patients\": {person: row, mechanism: {kind: geometric, epsilon: 1}, budget: {epsilon: 1}}\n  public.patients: # <-", "tables.public.patients", "protected twice"},
		{personLine, "    perso: row # <-\n    person: row", "tables.public.patients.perso", "unknown key"},
		{tableLine + "\n" + personLine, "  public.patients: # <-", "tables.public.patients.person", "missing"},
		{personLine, "    person: # <-", "tables.public.patients.person", "no person"},
		{personLine, "    person: patient_id # <-", "tables.public.patients.person", "no person"},
		{personLine, "    person: [row] # <-", "tables.public.patients.person", "no person"},
		{personLine, "    person: Row # <-", "tables.public.patients.person", "no person"},
		{personLine, "    person: {rows: 4, groups: 2} # <-", "tables.public.patients.person.column", "missing"},
		{personLine, "    person: {column: id, groups: 2} # <-", "tables.public.patients.person.rows", "missing"},
		{personLine, "    person: {column: id, rows: 4} # <-", "tables.public.patients.person.groups", "missing"},
		{personLine, "    person: {column: id, rows: 4, group: 2, groups: 2} # <-", "tables.public.patients.person.group", "unknown key"},
		{personLine, "    person: {column: '', rows: 4, groups: 2} # <-", "tables.public.patients.person.column", "empty"},
		{personLine, "    person: {column: [id], rows: 4, groups: 2} # <-", "tables.public.patients.person.column", "a list instead of a single value"},
		{personLine, "    person: {column: id, rows: 0, groups: 2} # <-", "tables.public.patients.person.rows", "1"},
		{personLine, "    person: {column: id, rows: 501, groups: 2} # <-", "tables.public.patients.person.rows", "500"},
		{personLine, "    person: {column: id, rows: four, groups: 2} # <-", "tables.public.patients.person.rows", "number"},
		{personLine, "    person: {column: id, rows: 4, groups: 0} # <-", "tables.public.patients.person.groups", "1"},
		{personLine, "    person: {column: id, rows: 1, groups: 1, left-out: {epsilon: 1}} # <-", "tables.public.patients.person.left-out", "nothing is left out"},
		{personLine, "    person: {column: id, rows: 4, groups: 2, left-out: {}} # <-", "tables.public.patients.person.left-out.epsilon", "missing"},
		{personLine, "    person: {column: id, rows: 4, groups: 2, left-out: {epsilon: 0}} # <-", "tables.public.patients.person.left-out.epsilon", ""},
		{personLine, "    person: {column: id, rows: 4, groups: 2, left-out: {epsilon: 11}} # <-", "tables.public.patients.person.left-out", "more than the budget's 10"},
		{personLine, "    person: {column: id, rows: 4, groups: 5} # <-", "tables.public.patients.person.groups", "4 rows are never in 5 groups"},
		{personLine, "    person:\n      column: id\n      rows: 4\n      groups: -1 # <-", "tables.public.patients.person.groups", "1"},
		{personLine, "    person: row\n    adjacency: add_remove # <-", "tables.public.patients.adjacency", "not known"},
		{personLine, "    person: row\n    size: secret # <-", "tables.public.patients.size", "not known"},
		{personLine, "    person: row\n    size: 0 # <-", "tables.public.patients.size", "not a whole number from 1 to"},
		{personLine, "    person: row\n    size: 99999999999999999999 # <-", "tables.public.patients.size", "not a whole number from 1 to"},
		{personLine, "    person: row\n    size: 2.5 # <-", "tables.public.patients.size", "not known"},
		{personLine, "    person: row\n    replay: never # <-", "tables.public.patients.replay", "not a duration"},
		{personLine, "    person: row\n    replay: 30 # <-", "tables.public.patients.replay", "not a duration"},
		{personLine, "    person: row\n    replay: 0d # <-", "tables.public.patients.replay", "above 0"},
		{personLine, "    person: row\n    replay: -5m # <-", "tables.public.patients.replay", "not a duration"},
		{personLine, "    person: row\n    replay: 99999d # <-", "tables.public.patients.replay", "not a duration"},
		{personLine, "    person: row\n    replay: 300000000h # <-", "tables.public.patients.replay", "not a duration"},
	},
	"mechanism": {
		{mechLine, "mechanism: geometric # <-", "tables.public.patients.mechanism", "a single value instead of a mapping"},
		{mechLine, "mechanism: {epsilon: 0.5} # <-", "tables.public.patients.mechanism.kind", "missing"},
		{mechLine, "mechanism: {kind: geometric} # <-", "tables.public.patients.mechanism.epsilon", "missing"},
		{mechLine, "mechanism: {kind: auditor, epsilon: 0.5} # <-", "tables.public.patients.mechanism.kind", "not known"},
		{bothLines, "mechanism: {kind: suppression, k: 6, accept: no-guarantee} # <-\n    budget: {epsilon: 10}", "tables.public.patients.mechanism", "allows none without a guarantee"},
		{bothLines, "mechanism: {kind: geometric, epsilon: 0.5} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism", "costs epsilon, and the budget has none"},
		{bothLines, "mechanism: {kind: suppression, k: 6} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.accept", "missing"},
		{bothLines, "mechanism: {kind: suppression, k: 6, accept: yes} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.accept", "not known"},
		{bothLines, "mechanism: {kind: suppression, accept: no-guarantee} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.k", "missing"},
		{bothLines, "mechanism: {kind: suppression, k: 0, accept: no-guarantee} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.k", "whole number"},
		{bothLines, "mechanism: {kind: suppression, k: 6, epsilon: 1, accept: no-guarantee} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.epsilon", "has no epsilon"},
		{bothLines, "mechanism: {kind: suppression, k: 6, fill: zero, accept: no-guarantee} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.fill", "no fill value"},
		{bothLines, "mechanism: {kind: dp-swapping, epsilon: 1, quasi: [age], accept: no-guarantee} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.quasi", "not among the columns"},
		{bothLines, "mechanism: {kind: dp-swapping, epsilon: 1, quasi: [sex, sex], accept: no-guarantee} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.quasi", "listed twice"},
		{bothLines, "mechanism: {kind: dp-swapping, epsilon: 1, quasi: [], accept: no-guarantee} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.quasi", "empty"},
		{bothLines, "mechanism: {kind: discrete-gaussian, epsilon: 0.5} # <-\n    budget: {epsilon: 10}", "tables.public.patients.mechanism", "Gaussian noise costs delta"},
		{bothLines, "mechanism: {kind: discrete-gaussian, epsilon: 0.5, delta: 1e-6, calibration: analytic} # <-\n    budget: {epsilon: 10, delta: 1e-5}", "tables.public.patients.mechanism.calibration", "has no calibration"},
		{bothLines, "mechanism: {kind: gaussian, epsilon: 1, delta: 1e-6, calibration: classic} # <-\n    budget: {epsilon: 10, delta: 1e-5}", "tables.public.patients.mechanism.calibration", "below 1"},
		{bothLines, "mechanism: {kind: gaussian, epsilon: 1, delta: 1e-6, calibration: best} # <-\n    budget: {epsilon: 10, delta: 1e-5}", "tables.public.patients.mechanism.calibration", "not known"},
		{bothLines, "mechanism: {kind: laplace, epsilon: 0.5, k: 6} # <-\n    budget: {epsilon: 10}", "tables.public.patients.mechanism.k", "has no k"},
		{bothLines, "mechanism: {kind: geometric, epsilon: 0.5, accept: no-guarantee} # <-\n    budget: {epsilon: 10}", "tables.public.patients.mechanism.accept", "has no accept"},
		{bothLines, "mechanism: {kind: dp-suppression, epsilon: 0.5, k: 6, negative: keep} # <-\n    budget: {epsilon: 10}", "tables.public.patients.mechanism.negative", "has no negative"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.5, negative: true} # <-", "tables.public.patients.mechanism.negative", "not known"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.5, totals: least-squares} # <-", "tables.public.patients.mechanism.totals", "would not add up"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.5, negative: clamp, totals: least-squares} # <-", "tables.public.patients.mechanism.totals", "would not add up"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.5, negative: keep, totals: fitted} # <-", "tables.public.patients.mechanism.totals", "not known"},
		{mechLine, "mechanism: {kind: dp-suppression, epsilon: 0.5, k: 6, totals: least-squares} # <-", "tables.public.patients.mechanism.totals", "has no totals"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.5, negative: keep, totals: optimal} # <-", "tables.public.patients.mechanism.totals", "by Gaussian noise alone"},
		{bothLines, "mechanism: {kind: suppression, k: 6, totals: sum, accept: no-guarantee} # <-\n    budget: {releases: 10}", "tables.public.patients.mechanism.totals", "has no totals"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.5, sensitivity: 1} # <-", "tables.public.patients.mechanism.sensitivity", "unknown key"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 11} # <-", "tables.public.patients.mechanism.epsilon", "more than the budget's 10"},
		{mechLine, "mechanism: {kind: geometric, epsilon: -0.5} # <-", "tables.public.patients.mechanism.epsilon", "negative"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0} # <-", "tables.public.patients.mechanism.epsilon", "allows no answer"},
		{mechLine, "mechanism: {kind: geometric, epsilon: .nan} # <-", "tables.public.patients.mechanism.epsilon", "not a decimal"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.1234567891} # <-", "tables.public.patients.mechanism.epsilon", "decimal places"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 1/2} # <-", "tables.public.patients.mechanism.epsilon", "not a decimal"},
		{mechLine, "mechanism: {kind: geometric, epsilon: 0.5, delta: 1e-9} # <-", "tables.public.patients.mechanism.delta", "more than the budget's 0"},
	},
	"budget": {
		{budgetLine, "budget: 10 # <-", "tables.public.patients.budget", "a single value instead of a mapping"},
		{budgetLine, "budget: {eps: 10, epsilon: 10} # <-", "tables.public.patients.budget.eps", "unknown key"},
		{budgetLine, "budget: {delta: 1e-6} # <-", "tables.public.patients.budget.epsilon", "missing"},
		{budgetLine, "budget: {} # <-", "tables.public.patients.budget.epsilon", "missing"},
		{budgetLine, "budget: {epsilon: 10, releases: 0} # <-", "tables.public.patients.budget.releases", "whole number from 1"},
		{budgetLine, "budget: {epsilon: 10, releases: 1000000001} # <-", "tables.public.patients.budget.releases", "whole number from 1"},
		{budgetLine, "budget: {epsilon: 10, releases: 1.5} # <-", "tables.public.patients.budget.releases", "whole number from 1"},
		{budgetLine, "budget: {epsilon: 10, releases: many} # <-", "tables.public.patients.budget.releases", "whole number from 1"},
		{bothLines, "mechanism: {kind: suppression, k: 6, accept: no-guarantee}\n    budget: {releases: 10, delta: 0} # <-", "tables.public.patients.budget.delta", "without an epsilon"},
		{budgetLine, "budget: {epsilon: .inf} # <-", "tables.public.patients.budget.epsilon", "not a decimal"},
		{budgetLine, "budget: {epsilon: 1e30} # <-", "tables.public.patients.budget.epsilon", "larger"},
		{budgetLine, "budget: {epsilon: 10, delta: 1} # <-", "tables.public.patients.budget.delta", "promises nothing"},
		{budgetLine, "budget: {epsilon: 10, delta: 0.2} # <-", "tables.public.patients.budget.delta", "promises nothing"},
		{budgetLine, "budget: {epsilon: 10, delta: -1e-6} # <-", "tables.public.patients.budget.delta", "negative"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-19} # <-", "tables.public.patients.budget.delta", "decimal places"},
		{budgetLine, "budget: {epsilon: 10, composition: renyi} # <-", "tables.public.patients.budget.composition", "not known"},
		{budgetLine, "budget: {epsilon: 10, composition: zcdp} # <-", "tables.public.patients.budget.composition", "the budget has none"},
		{budgetLine, "budget: {epsilon: 10, composition: advanced, delta: 0} # <-", "tables.public.patients.budget.composition", "the budget has none"},
		{budgetLine, "budget: {epsilon: 10, window: 30} # <-", "tables.public.patients.budget.window", "not a duration"},
		{budgetLine, "budget: {epsilon: 10, window: 23h} # <-", "tables.public.patients.budget.window", "not between"},
		{budgetLine, "budget: {epsilon: 10, window: 36h} # <-", "tables.public.patients.budget.window", "not a number of whole days"},
		{budgetLine, "budget: {epsilon: 10, window: 3651d} # <-", "tables.public.patients.budget.window", "not between"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6, thresholds: 2e-6} # <-", "tables.public.patients.budget.thresholds", "more than the budget's 1e-6"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6, thresholds: 1e-7, composition: basic} # <-", "tables.public.patients.budget.thresholds", "adds up all deltas"},
		{bothLines, "mechanism: {kind: geometric, epsilon: 0.5, delta: 1e-7}\n    budget: {epsilon: 10, delta: 1e-6, thresholds: 5e-8} # <-", "tables.public.patients.budget.thresholds", "one threshold costs 1e-7"},
		{personLine, "    person: row\n    derive: yes # <-", "tables.public.patients.derive", "not known"},
	},
	"workload": {
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: [[sex]] # <-", "tables.public.patients.workload", "a list instead of a mapping"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {epsilon: 1} # <-", "tables.public.patients.workload.marginals", "missing"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex]]} # <-", "tables.public.patients.workload.epsilon", "missing"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [], epsilon: 1} # <-", "tables.public.patients.workload.marginals", "no list of 1 to 256"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [sex], epsilon: 1} # <-", "tables.public.patients.workload.marginals", "a single value instead of a list"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex], [sex]], epsilon: 1} # <-", "tables.public.patients.workload.marginals", "twice"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex, sex]], epsilon: 1} # <-", "tables.public.patients.workload.marginals", "twice"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[age]], epsilon: 1} # <-", "tables.public.patients.workload.marginals", "not among the columns"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [{columns: [sex], weight: 0}], epsilon: 1} # <-", "tables.public.patients.workload.marginals.weight", "between 0.001 and 1000"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [{columns: [sex], ranges: [age]}], epsilon: 1} # <-", "tables.public.patients.workload.marginals.ranges", "not among the columns of the marginal"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [{columns: [sex], ranges: [sex, sex]}], epsilon: 1} # <-", "tables.public.patients.workload.marginals.ranges", "twice"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [{columns: [sex], ranges: sex}], epsilon: 1} # <-", "tables.public.patients.workload.marginals.ranges", "instead of a list"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [{weight: 2}], epsilon: 1} # <-", "tables.public.patients.workload.marginals.columns", "missing"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex]], epsilon: 11} # <-", "tables.public.patients.workload.epsilon", "more than the budget's 10"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex]], epsilon: 1, delta: 1e-5} # <-", "tables.public.patients.workload.delta", "more than the budget's"},
		{budgetLine, "budget: {epsilon: 10}\n    workload: {marginals: [[sex]], epsilon: 1} # <-", "tables.public.patients.workload", "costs delta, and there is none"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex]], epsilon: 1, for: all} # <-", "tables.public.patients.workload.for", "not known"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex]], epsilon: 1, measured: never} # <-", "tables.public.patients.workload.measured", "not known"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6}\n    derive: false\n    workload: {marginals: [[sex]], epsilon: 1} # <-", "tables.public.patients.workload", "derive: false forbids"},
		{budgetLine, "budget: {epsilon: 10, delta: 1e-6, blocks: {column: sex, by: value}}\n    workload: {marginals: [[sex]], epsilon: 1} # <-", "tables.public.patients.workload", "every block"},
		{personLine + "\n    " + bothLines, "    person: {column: id, rows: 2, groups: 1}\n    " + mechLine + "\n    budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex]], epsilon: 1} # <-", "tables.public.patients.workload", "several rows"},
		{bothLines, "mechanism: {kind: dp-suppression, epsilon: 1, k: 5}\n    budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex]], epsilon: 1} # <-", "tables.public.patients.workload", "kind dp-suppression"},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[at]], epsilon: 1} # <-\n    columns:\n      at: {range: [2020-01-01, today]}", "tables.public.patients.workload.marginals", "others every day"},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, delta: 1e-6}\n    workload: {marginals: [[sex]], epsilon: 1} # <-\n    columns:\n      sex: {}", "tables.public.patients.workload.marginals", "not listed in this file"},
	},
	"blocks": {
		{budgetLine, "budget: {epsilon: 10, blocks: sex} # <-", "tables.public.patients.budget.blocks", "a single value instead of a mapping"},
		{budgetLine, "budget: {epsilon: 10, blocks: {column: sex}} # <-", "tables.public.patients.budget.blocks.by", "missing"},
		{budgetLine, "budget: {epsilon: 10, blocks: {by: value}} # <-", "tables.public.patients.budget.blocks.column", "missing"},
		{budgetLine, "budget: {epsilon: 10, blocks: {column: age, by: value}} # <-", "tables.public.patients.budget.blocks.column", "not among the columns"},
		{budgetLine, "budget: {epsilon: 10, blocks: {column: sex, by: month}} # <-", "tables.public.patients.budget.blocks.by", `"month" does not divide`},
		{budgetLine, "budget: {epsilon: 10, blocks: {column: sex, by: 10}} # <-", "tables.public.patients.budget.blocks.by", `"10" does not divide`},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, blocks: {column: age, by: 1}} # <-\n    columns:\n      age: {range: [0, 99]}", "tables.public.patients.budget.blocks.by", "whole number from 2"},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, blocks: {column: age, by: year}} # <-\n    columns:\n      age: {range: [0, 99]}", "tables.public.patients.budget.blocks.by", "whole number"},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, blocks: {column: at, by: value}} # <-\n    columns:\n      at: {range: [2020-01-01, 2020-12-31]}", "tables.public.patients.budget.blocks.by", "no part of time"},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, blocks: {column: age, by: value}} # <-\n    columns:\n      age: {range: [0, 10000]}", "tables.public.patients.budget.blocks.by", "more than 10000 blocks"},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, blocks: {column: age, by: value}} # <-\n    columns:\n      age: {range: [9223372036854775800, 9223372036854775807]}", "tables.public.patients.budget.blocks.by", "make no blocks"},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, blocks: {column: region, by: value}} # <-\n    columns:\n      region: {values_from: public.regions.region}", "tables.public.patients.budget.blocks.column", "not declared in this file"},
		{budgetLine + "\n    columns:\n      " + sexLine, "budget: {epsilon: 10, blocks: {column: region, by: value}} # <-\n    columns:\n      region: {}", "tables.public.patients.budget.blocks.column", "not declared in this file"},
		{personLine + "\n    " + bothLines, "    person: {column: id, rows: 4, groups: 2}\n    " + mechLine + "\n    budget: {epsilon: 10, blocks: {column: sex, by: value}} # <-", "tables.public.patients.budget.blocks", "rows in several blocks"},
		{personLine + "\n    " + bothLines, "    person: {column: id, rows: 1, groups: 1}\n    " + mechLine + "\n    budget: {epsilon: 10, blocks: {column: sex, by: value}} # <-", "tables.public.patients.budget.blocks", "rows in several blocks"},
		{personLine + "\n    " + bothLines, "    person: row\n    adjacency: replace-one\n    " + mechLine + "\n    budget: {epsilon: 10, blocks: {column: sex, by: value}} # <-", "tables.public.patients.budget.blocks", "two blocks"},
		{bothLines, "mechanism: {kind: suppression, k: 6, accept: no-guarantee}\n    budget: {releases: 10, blocks: {column: sex, by: value}} # <-", "tables.public.patients.budget.blocks", "have no loss"},
	},
	"columns": {
		{sexLine, "sex: # <-", "tables.public.patients.columns.sex", "no value"},
		{sexLine, "sex: [F, M] # <-", "tables.public.patients.columns.sex", "a list instead of a mapping"},
		{sexLine, "sex: {value: [F, M]} # <-", "tables.public.patients.columns.sex.value", "unknown key"},
		{sexLine, "'': {} # <-", "tables.public.patients.columns.", "empty"},
		{sexLine, "'a\"b': {} # <-", `tables.public.patients.columns.a"b`, "double quote"},
		{sexLine, "sex: {values: F} # <-", "tables.public.patients.columns.sex.values", "a single value instead of a list"},
		{sexLine, "sex: {values: {F, M}} # <-", "tables.public.patients.columns.sex.values", "a mapping instead of a list"},
		{sexLine, "sex: {values: []} # <-", "tables.public.patients.columns.sex.values", "empty"},
		{sexLine, "sex: {values: [F, M, F]} # <-", "tables.public.patients.columns.sex.values", `"F" is listed twice`},
		{sexLine, "sex: {values: [1, '1']} # <-", "tables.public.patients.columns.sex.values", `"1" is listed twice`},
		{sexLine, "sex:\n        values:\n        - F\n\n        # a comment\n        - null # <-\n        - M", "tables.public.patients.columns.sex.values", "null is no value"},
		{sexLine, "sex: {values: [~]} # <-", "tables.public.patients.columns.sex.values", "null is no value"},
		{sexLine, "sex: {values: [F, [M]]} # <-", "tables.public.patients.columns.sex.values", "a list instead of a single value"},
		{sexLine, "sex: {values: [F, M], range: [1, 2]} # <-", "tables.public.patients.columns.sex", "more than one way"},
		{sexLine, "sex: {values_from: public.region.region} # <-", "tables.public.patients.columns.sex.values_from", "not listed under public"},
		{sexLine, "sex: {values_from: public.patients.sex} # <-", "tables.public.patients.columns.sex.values_from", "not listed under public"},
		{sexLine, "sex: {values_from: public.regions} # <-", "tables.public.patients.columns.sex.values_from", "2 parts"},
		{sexLine, "sex: {range: [0, 120, 5]} # <-", "tables.public.patients.columns.sex.range", "two ends"},
		{sexLine, "sex: {range: 0-120} # <-", "tables.public.patients.columns.sex.range", "a single value instead of a list"},
		{sexLine, "sex: {range: [0, today]} # <-", "tables.public.patients.columns.sex.range", "only a range of dates ends at today"},
		{sexLine, "sex: {range: [today, 2026-12-31]} # <-", "tables.public.patients.columns.sex.range", "neither a number nor a date"},
		{sexLine, "sex: {range: [h, 30d]} # <-", "tables.public.patients.columns.sex.range", "not a duration"},
		{sexLine, "sex: {range: [-, 30d]} # <-", "tables.public.patients.columns.sex.range", "not above 0"},
		{sexLine, "sex: {range: [30d, 0]} # <-", "tables.public.patients.columns.sex.range", "above the last"},
		{sexLine, "sex: {range: [0, 30d], step: 1} # <-", "tables.public.patients.columns.sex.step", "has no step"},
		{sexLine, "sex: {range: [120, 0]} # <-", "tables.public.patients.columns.sex.range", "above the last"},
		{sexLine, "sex: {range: [0, 2026-12-31]} # <-", "tables.public.patients.columns.sex.range", "one end is a number"},
		{sexLine, "sex: {range: [2.5, 0.5]} # <-", "tables.public.patients.columns.sex.range", "above the last"},
		{sexLine, "sex: {range: [2, x]} # <-", "tables.public.patients.columns.sex.range", "neither"},
		{sexLine, "sex: {range: [0, 1e3]} # <-", "tables.public.patients.columns.sex.range", "neither"},
		{sexLine, "sex: {range: [0, 10], step: 0} # <-", "tables.public.patients.columns.sex.step", "no positive decimal"},
		{sexLine, "sex: {range: [0, 10], step: 0.3} # <-", "tables.public.patients.columns.sex.step", "do not lead to the last"},
		{sexLine, "sex: {range: [2020-01-01, 2020-02-01], step: 2} # <-", "tables.public.patients.columns.sex.step", "only a range of numbers"},
		{sexLine, "sex: {values: [1, 2], step: 2} # <-", "tables.public.patients.columns.sex.step", "no range that has steps"},
		{sexLine, "sex: {range: ['2020-01-01 08:00', '2020-01-01 07:00']} # <-", "tables.public.patients.columns.sex.range", "above the last"},
		{sexLine, "sex: {range: [2020-01-01 08:00, 2020-01-01 20:00]} # <-", "tables.public.patients.columns.sex.range", "needs quotes"},
		{sexLine, "sex: {range: ['2020-01-01 08:00', 120]} # <-", "tables.public.patients.columns.sex.range", "is no time"},
		{sexLine, "sex: {range: ['2020-01-01 08:00', today]} # <-", "tables.public.patients.columns.sex.range", "is no time"},
		{sexLine, "sex: {range: ['2020-01-01 08:00', 2020-01-02], step: 1} # <-", "tables.public.patients.columns.sex.step", "no step"},
		{sexLine, "sex: {range: [0, 9223372036854775808]} # <-", "tables.public.patients.columns.sex.range", "neither"},
		{sexLine, "sex: {range: [010, 120]} # <-", "tables.public.patients.columns.sex.range", "neither"},
		{sexLine, "sex: {range: [2020-02-30, 2020-03-01]} # <-", "tables.public.patients.columns.sex.range", "neither"},
		{sexLine, "sex: {range: [2020-1-1, 2020-03-01]} # <-", "tables.public.patients.columns.sex.range", "neither"},
	},
}

// wantLines returns the numbers of the lines that end in the mark.
func wantLines(text string) (lines []int) {
	for i, line := range strings.Split(text, "\n") {
		if strings.HasSuffix(line, "# <-") {
			lines = append(lines, i+1)
		}
	}
	return lines
}

func TestMistakes(t *testing.T) {
	for section, list := range mistakes {
		for i, m := range list {
			t.Run(fmt.Sprintf("%s/%d", section, i), func(t *testing.T) {
				checkMistake(t, m, edited(t, m.old, m.new))
			})
		}
	}
}

// checkMistake makes sure that a file's one error is that of the mistake.
func checkMistake(t *testing.T, m mistake, text string) {
	t.Helper()
	_, err := Parse("p.yaml", []byte(text))
	var all document.Errors
	if !errors.As(err, &all) {
		t.Fatalf("no error in\n%s", text)
	}
	e, want := all[0], wantLines(text)
	if len(all) != len(want) || e.Line != want[0] || e.Key != m.key || !strings.Contains(e.Problem, m.problem) {
		t.Errorf("want line %d, key %q, problem %q; got\n%v\nin\n%s", want[0], m.key, m.problem, err, m.new)
	}
	for _, e := range all {
		if e.Remedy == "" || e.File != "p.yaml" {
			t.Errorf("incomplete error %#v", e)
		}
	}
}

func TestTrustBeyondLoopback(t *testing.T) {
	for _, address := range []string{"0.0.0.0:6432", ":6432", "'[::]:6432'", "192.168.1.5:6432", "db.example.org:6432"} {
		text := strings.NewReplacer("127.0.0.1:6432", address, "auth: trust", "auth: trust # <-\ntls: {mode: disable}").Replace(minimal)
		checkMistake(t, mistake{key: "auth", problem: "lets everybody in"}, text)
	}
}

// A listener that other machines can reach is encrypted, or the policy says that it is not.
func TestTLSBeyondLoopback(t *testing.T) {
	scram := strings.NewReplacer("auth: trust", "auth: scram", "ana: {}", "ana: {password: "+verifier+"}").Replace(minimal)
	for _, address := range []string{"0.0.0.0:6432", ":6432", "'[::]:6432'", "192.168.1.5:6432", "db.example.org:6432", "localhost.example.org:6432"} {
		plain := strings.Replace(scram, "127.0.0.1:6432", address+" # <-", 1)
		checkMistake(t, mistake{key: "listen", problem: "says nothing of encryption"}, plain)
		for section, want := range map[string]TLSMode{"{certificate: a, key: b}": TLSRequire, "{mode: disable}": TLSDisable, "{mode: allow, certificate: a, key: b}": TLSAllow} {
			p, err := Parse("p.yaml", []byte(plain+"tls: "+section+"\n"))
			if err != nil || p.TLS.Mode != want {
				t.Errorf("%s on %s: %v, want mode %s", section, address, err, want)
			}
		}
	}
	for _, address := range []string{"127.0.0.1:6432", "'[::1]:6432'", "localhost:6432"} {
		here := strings.Replace(scram, "127.0.0.1:6432", address, 1)
		for section, want := range map[string]TLSMode{"": TLSDisable, "tls: {certificate: a, key: b}": TLSAllow, "tls: {mode: require, certificate: a, key: b}": TLSRequire} {
			p, err := Parse("p.yaml", []byte(here+section+"\n"))
			if err != nil || p.TLS.Mode != want {
				t.Errorf("%q on %s: %v, want mode %s", section, address, err, want)
			}
		}
	}
}

func TestScramNeedsVerifiers(t *testing.T) {
	const keys = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
	for analyst, problem := range map[string]string{
		"{}":                     "missing",
		"{password: }":           "no value",
		"{password: hunter2}":    "not a SCRAM-SHA-256 verifier",
		"{password: md5c5d46d0}": "not a SCRAM-SHA-256 verifier",
		"{password: SCRAM-SHA-1$4096:c2FsdA==$" + keys + "}":                     "not a SCRAM-SHA-256 verifier",
		"{password: SCRAM-SHA-256$4096:hunter2}":                                 "cut short",
		"{password: SCRAM-SHA-256$4096$" + keys + "}":                            "cut short",
		"{password: SCRAM-SHA-256$4096:c2FsdA==$hunter2}":                        "cut short",
		"{password: SCRAM-SHA-256$1:c2FsdA==$" + keys + "}":                      "fewer than 4096",
		"{password: SCRAM-SHA-256$many:c2FsdA==$" + keys + "}":                   "fewer than 4096",
		"{password: 'SCRAM-SHA-256$4096:$" + keys + "'}":                         "malformed salt",
		"{password: 'SCRAM-SHA-256$4096:hunter2!$" + keys + "'}":                 "malformed salt",
		"{password: SCRAM-SHA-256$4096:c2FsdA==$" + keys[:43] + keys[44:] + "}":  "malformed key",
		"{password: SCRAM-SHA-256$4096:c2FsdA==$" + keys[:len(keys)-4] + "}":     "malformed key",
		"{password: SCRAM-SHA-256$4096:c2FsdA==$" + keys[45:] + ":" + keys + "}": "malformed key",
	} {
		text := strings.NewReplacer("auth: trust", "auth: scram", "ana: {}", "ana: "+analyst+" # <-").Replace(minimal)
		m := mistake{key: "analysts.ana.password", problem: problem, new: analyst}
		checkMistake(t, m, text)
		if _, err := Parse("p.yaml", []byte(text)); err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("a password is repeated: %v", err)
		}
	}
}

func TestConnectionStringPasswordIsNotRepeated(t *testing.T) {
	for _, curator := range []string{
		"postgres://curator:hunter2@127.0.0.1:x/hospital", "postgres://curator:hunter2%zz@127.0.0.1/hospital", "postgres://curator:hunter2@/hospital",
		"http://curator:hunter2@127.0.0.1/hospital", "postgres://ana:hunter2@127.0.0.1/hospital", "password=hunter2 user=curator",
	} {
		_, err := Parse("p.yaml", []byte(edited(t, curatorLine, "curator: "+curator)))
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", curator, err)
		}
	}
}

func TestFileLimits(t *testing.T) {
	for name, test := range map[string]struct{ text, problem string }{
		"long":    {minimal + strings.Repeat("#", document.MaxFileBytes), "longer"},
		"UTF-8":   {minimal + "# \xff", "17: this is not valid UTF-8"},
		"NUL":     {minimal + "# \x00", "17: there is a control character"},
		"CR":      {minimal + "# \r\r\n", "17: there is a control character"},
		"nesting": {"a: " + strings.Repeat("[", 30) + strings.Repeat("]", 30), "too deep"},
	} {
		_, err := Parse("p.yaml", []byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLinesOfNodes compares the line of every scalar with the file, since the errors of this package are worth no more than the
// positions that the YAML library reports.
func TestLinesOfNodes(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "full.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	scalars := 0
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		if n.Kind == document.Scalar {
			scalars++
			if !strings.Contains(strings.ReplaceAll(lines[n.Line-1], "''", "'"), n.Text) {
				t.Errorf("%q of %s is not on line %d", n.Text, n.Path, n.Line)
			}
		}
		for _, e := range n.Entries {
			if !strings.Contains(strings.ReplaceAll(lines[e.Value.KeyLine-1], "''", "'"), e.Key) {
				t.Errorf("key %q of %s is not on line %d", e.Key, n.Path, e.Value.KeyLine)
			}
			walk(e.Value)
		}
		for _, item := range n.Items {
			walk(item)
		}
	}
	walk((&decoder{}).Read(data))
	if scalars < 50 {
		t.Errorf("only %d scalars were seen", scalars)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(minimal)
	f.Add(publishing)
	f.Add(auditing)
	full, err := os.ReadFile(filepath.Join("testdata", "full.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(full))
	for _, list := range mistakes {
		for _, m := range list {
			f.Add(strings.Replace(minimal, m.old, m.new, 1))
		}
	}
	for _, m := range auditMistakes {
		f.Add(strings.Replace(auditing, m.old, m.new, 1))
	}
	for _, m := range publicationMistakes {
		f.Add(strings.Replace(publishing, m.old, m.new, 1))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("p.yaml", []byte(text))
		if err == nil {
			checkInvariants(t, p)
			return
		}
		var all document.Errors
		if !errors.As(err, &all) || len(all) == 0 {
			t.Fatalf("error of another kind: %v", err)
		}
		for _, e := range all {
			if e.Line < 1 || e.Line > strings.Count(text, "\n")+1 || e.Problem == "" || e.Remedy == "" || e.File != "p.yaml" {
				t.Errorf("incomplete error %#v", e)
			}
		}
	})
}

// checkInvariants repeats what users of a policy rely on.
func checkInvariants(t *testing.T, p *Policy) {
	t.Helper()
	for _, c := range p.Publications {
		checkPublicationInvariants(t, p, c)
	}
	if len(p.Tables) == 0 || len(p.Analysts) == 0 || len(p.Listen) == 0 || (p.Ledger.SQLite == "") == (p.Ledger.Postgres == "") || (p.Ledger.Postgres == "") != (p.Ledger.Guard == "") {
		t.Errorf("an incomplete policy: %+v", p)
	}
	if p.Auth == AuthTrust && !p.ListensHereOnly() {
		t.Errorf("trust on %s", p.Listen)
	}
	if encryption := p.TLS; encryption.Mode == "" || (encryption.Mode != TLSDisable) != (encryption.Certificate != "" && encryption.Key != "") ||
		encryption.Mode.AsksForCertificate() != (encryption.ClientCA != "") {
		t.Errorf("TLS %+v", encryption)
	}
	for _, a := range p.Analysts {
		if p.Auth == AuthSCRAM && scram.CheckVerifier(a.Password) != nil || a.Budget != nil && (a.Budget.Epsilon <= 0 || a.Budget.Releases <= 0 || a.Budget.Risk <= 0) {
			t.Errorf("analyst %+v", a)
		}
	}
	for _, table := range p.Tables {
		m, b := table.Mechanism, table.Budget
		if m.Kind == Audit {
			checkAuditInvariants(t, table)
		} else if m.Audit != nil || b.Risk != 0 || m.Epsilon <= 0 || b.Epsilon > 0 && m.Epsilon > b.Epsilon || b.Epsilon == 0 && b.Releases == 0 || b.Releases < 0 || m.Delta < 0 || m.Delta > b.Delta || b.Delta > MaxDelta {
			t.Errorf("mechanism %+v under budget %+v", m, b)
		}
		checkAccounting(t, table)
		if p := table.Person; p != nil && (p.Column == "" || p.Groups < 1 || p.Groups > p.Rows || p.Rows > MaxRows) {
			t.Errorf("person %+v", p)
		}
		if again, err := ParseTableName(table.Name.String()); err != nil || again != table.Name {
			t.Errorf("name %v is read back as %v, %v", table.Name, again, err)
		}
		for _, c := range table.Columns {
			if r := c.Domain.Range; r != nil && (r.First > r.Last || r.Last-r.First >= int64(p.Limits.Cells)) {
				t.Errorf("range %+v", r)
			}
		}
	}
}

// checkAccounting repeats what the ledger relies on.
func checkAccounting(t *testing.T, table *Table) {
	t.Helper()
	if table.Thresholds < 0 || table.Thresholds > table.Budget.Delta || table.Window < 0 || table.Window%(24*time.Hour) != 0 {
		t.Errorf("thresholds %v, window %v under budget %+v", table.Thresholds, table.Window, table.Budget)
	}
	if m := table.Mechanism; m.Delta > 0 && table.Thresholds > 0 && table.Thresholds < m.Delta && !m.Kind.NeedsDelta() {
		t.Errorf("thresholds of %v, all of them %v", m.Delta, table.Thresholds)
	}
	if b := table.Blocks; b != nil {
		if _, ok := table.column(b.Column); !ok || table.Person != nil || table.Adjacency != AddRemove || len(b.All()) > MaxBlocks+2 || b.Partition() == "" {
			t.Errorf("blocks %+v", b)
		}
	}
	if table.Composition == "" || table.Mechanism.Kind == Audit && (table.Derive || table.Composition != BasicComposition) {
		t.Errorf("composition %q, derive %t", table.Composition, table.Derive)
	}
}
