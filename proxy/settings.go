package proxy

import (
	"strings"

	"tacit/proxy/internal/wire"
	"tacit/rewrite/pgerror"
)

// This file says what a client may ask for when it connects. The invariant: what is not listed here is refused. Start at readLogin.

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
func readLogin(params []wire.Param) (login, *pgerror.Refusal) {
	l := login{settings: make(map[string]string)}
	seen := make(map[string]bool)
	if r := l.takeOptions(params); r != nil {
		return l, r
	}
	for _, p := range params {
		name := strings.ToLower(p.Name)
		if seen[name] {
			return l, parameterOther.With(p.Name, "is given twice")
		}
		seen[name] = true
		if r := l.take(name, p); r != nil {
			return l, r
		}
	}
	if l.user == "" {
		return l, userMissing.With()
	}
	if l.database == "" {
		l.database = l.user // as PostgreSQL does
	}
	return l, nil
}

func (l *login) take(name string, p wire.Param) *pgerror.Refusal {
	switch {
	case p.Name == "user":
		l.user = p.Value
	case p.Name == "database":
		l.database = p.Value
	case p.Name == "replication":
		switch strings.ToLower(p.Value) {
		case "false", "off", "no", "0":
			return nil
		}
		return noReplication.With()
	case p.Name == "options": // see takeOptions
	default:
		return l.set(name, p)
	}
	return nil
}

// takeOptions takes the settings in options before all others, since PostgreSQL lets parameters of their own override them.
func (l *login) takeOptions(params []wire.Param) *pgerror.Refusal {
	for _, p := range params {
		if p.Name != "options" {
			continue
		}
		settings, r := readOptions(p.Value)
		if r != nil {
			return r
		}
		for _, s := range settings {
			if r := l.set(strings.ToLower(s.Name), s); r != nil {
				return r
			}
		}
	}
	return nil
}

// set takes a setting, whose name in lower case is given.
func (l *login) set(name string, p wire.Param) *pgerror.Refusal {
	switch {
	case name == "client_encoding":
		switch strings.ToUpper(strings.Trim(p.Value, `'"`)) {
		case "UTF8", "UTF-8", "UNICODE":
			return nil // it is what every session has
		case "SQL_ASCII":
			return nil // psql in a terminal without a locale: it takes any bytes, and from a UTF8 database gets UTF8 anyway
		}
		return encodingOther.With(p.Value)
	case allowedSettings[name]:
		l.settings[name] = p.Value
	default:
		return parameterOther.With(p.Name, "is not accepted by this proxy when connecting")
	}
	return nil
}
