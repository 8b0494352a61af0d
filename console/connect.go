package console

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"tacit/policy"
)

type connectContent struct {
	Host, Port, Database, User, TLS string
	Tools                           []tool
	Password                        bool
}

// A tool is a program with what it needs to connect.
type tool struct{ Name, Text, Note string }

// connect has what programs need. It is made of the policy alone.
func (v *visit) connect() (*page, error) {
	host, port := whereToConnect(v.policy)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "HOST" // every address of the machine: which of them others use is not known here
	}
	user := "YOUR_NAME"
	if v.person.IsAnalyst() {
		user = v.person.Name
	}
	c := connectContent{Host: host, Port: port, Database: databaseOf(v.policy), User: user, TLS: sslMode(v.policy), Password: v.policy.Auth == policy.AuthSCRAM}
	c.Tools = c.tools()
	return &page{"connect", "Connect", c}, nil
}

// whereToConnect is the first address of the network at which the proxy listens, or else the directory and port of its socket.
func whereToConnect(p *policy.Policy) (host, port string) {
	for _, address := range p.Listen {
		if host, port, err := net.SplitHostPort(address); err == nil {
			return host, port
		}
	}
	directory, file := filepath.Split(p.Listen[0])
	return filepath.Clean(directory), strings.TrimPrefix(file, ".s.PGSQL.")
}

// databaseOf is the database in the connection string of analysts.
func databaseOf(p *policy.Policy) string {
	u, err := url.Parse(p.Upstream.AnalystURL("x"))
	if err != nil {
		return "DATABASE"
	}
	return strings.TrimPrefix(u.Path, "/")
}

// sslMode is what clients should demand.
func sslMode(p *policy.Policy) string {
	switch p.TLS.Mode {
	case policy.TLSDisable:
		return "disable"
	case policy.TLSAllow, policy.TLSRequire, policy.TLSVerifyCA, policy.TLSVerifyFull:
		return "verify-full"
	}
	return "prefer"
}

func (c *connectContent) tools() []tool {
	address := net.JoinHostPort(c.Host, c.Port)
	uri := (&url.URL{Scheme: "postgresql", User: url.User(c.User), Host: address, Path: "/" + c.Database, RawQuery: "sslmode=" + c.TLS}).String()
	form := fmt.Sprintf("Host: %s\nPort: %s\nDatabase: %s\nUser: %s\nSSL mode: %s", c.Host, c.Port, c.Database, c.User, c.TLS)
	return []tool{
		{"psql", fmt.Sprintf("psql %q", uri), ""},
		{"JDBC", fmt.Sprintf("jdbc:postgresql://%s/%s?user=%s&sslmode=%s", address, url.PathEscape(c.Database), url.QueryEscape(c.User), c.TLS), ""},
		{"ODBC", fmt.Sprintf("Driver={PostgreSQL Unicode};Server=%s;Port=%s;Database=%s;Uid=%s;SSLmode=%s;", c.Host, c.Port, c.Database, c.User, c.TLS), "psqlODBC, the driver of PostgreSQL"},
		{"pandas", fmt.Sprintf("import pandas, sqlalchemy\nengine = sqlalchemy.create_engine(%q)\npandas.read_sql(\"SELECT * FROM tacit.budget\", engine)", strings.Replace(uri, "postgresql:", "postgresql+psycopg:", 1)), ""},
		{"R", fmt.Sprintf("library(DBI)\ncon <- dbConnect(RPostgres::Postgres(), host = %q, port = %s, dbname = %q,\n                 user = %q, sslmode = %q)\ndbGetQuery(con, \"SELECT * FROM tacit.budget\")", c.Host, c.Port, c.Database, c.User, c.TLS), ""},
		{"Metabase", form, "Add a database of type PostgreSQL, with \"Rerun queries for simple explorations\" off: choosing columns asks nothing then."},
		{"Superset", strings.Replace(uri, "postgresql:", "postgresql+psycopg2:", 1), "As SQLAlchemy URI of a new database."},
		{"DBeaver", form, "A new connection of type PostgreSQL."},
		{"Tableau", form, "Connect to a server of type PostgreSQL, live: an extract reads rows, and is refused."},
		{"Power BI", fmt.Sprintf("Server: %s\nDatabase: %s\nMode: DirectQuery", address, c.Database), "Get data, PostgreSQL database. Import reads rows, and is refused."},
	}
}
