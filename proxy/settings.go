package proxy

import (
	"fmt"
	"strings"

	"tacit/rewrite"
)

// allowedSettings are the run-time parameters that a client may set in its start-up packet, in lower case. Each is a
// client's own business. None changes how SQL is read, who runs it, or what is logged of it. search_path is here because names
// are resolved by the server itself.
var allowedSettings = map[string]bool{
	"application_name":                    true,
	"bytea_output":                        true,
	"client_encoding":                     true,
	"client_min_messages":                 true,
	"datestyle":                           true,
	"default_transaction_deferrable":      true,
	"default_transaction_isolation":       true,
	"default_transaction_read_only":       true,
	"extra_float_digits":                  true,
	"geqo":                                true,
	"idle_in_transaction_session_timeout": true,
	"idle_session_timeout":                true,
	"intervalstyle":                       true,
	"jit":                                 true,
	"lock_timeout":                        true,
	"search_path":                         true,
	"statement_timeout":                   true,
	"timezone":                            true,
	"work_mem":                            true,
}

// A login is what a client asks for in its start-up packet.
type login struct {
	user, database string
	// settings go to the server as they are, with names in lower case.
	settings map[string]string
}

// readLogin checks the parameters of a start-up message. Names of settings are compared as the server does, without regard to case.
func readLogin(params []startupParam) (login, *rewrite.Refusal) {
	l := login{settings: make(map[string]string)}
	seen := make(map[string]bool)
	for _, p := range params {
		name := strings.ToLower(p.name)
		if seen[name] {
			return l, refuseParameter(p.name, "is given twice")
		}
		seen[name] = true
		if r := l.take(name, p); r != nil {
			return l, r
		}
	}
	if l.user == "" {
		return l, &rewrite.Refusal{Code: "28000", Message: "no PostgreSQL user name specified in startup packet"}
	}
	if l.database == "" {
		l.database = l.user // as PostgreSQL does
	}
	return l, nil
}

func (l *login) take(name string, p startupParam) *rewrite.Refusal {
	switch {
	case p.name == "user":
		l.user = p.value
	case p.name == "database":
		l.database = p.value
	case p.name == "replication":
		switch strings.ToLower(p.value) {
		case "false", "off", "no", "0":
			return nil
		}
		return &rewrite.Refusal{Code: "0A000", Message: "replication connections are not supported by this proxy"}
	case p.name == "options":
		if strings.TrimSpace(p.value) != "" {
			return refuseParameter(p.name, "is not supported by this proxy; use SET after connecting")
		}
	case name == "client_encoding":
		switch strings.ToUpper(strings.Trim(p.value, `'"`)) {
		case "UTF8", "UTF-8", "UNICODE":
			return nil // it is what every session has
		case "SQL_ASCII":
			return nil // psql in a terminal without a locale: it takes any bytes, and from a UTF8 database gets UTF8 anyway
		}
		return &rewrite.Refusal{
			Code:    "22023",
			Message: fmt.Sprintf("client_encoding %q is not supported by this proxy", p.value),
			Hint:    "Use UTF8 (PGCLIENTENCODING=UTF8).",
		}
	case allowedSettings[name]:
		l.settings[name] = p.value
	default:
		return refuseParameter(p.name, "is not accepted by this proxy when connecting")
	}
	return nil
}

func refuseParameter(name, problem string) *rewrite.Refusal {
	return &rewrite.Refusal{Code: "42704", Message: fmt.Sprintf("startup parameter %q %s", name, problem)}
}
