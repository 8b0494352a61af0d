package policy

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"strings"

	"tacit/policy/internal/name"
)

// The amounts of an analyst's cap that does not name them. They never bind: what is charged is below.
const (
	NoEpsilonCap  Epsilon = math.MaxInt64
	NoDeltaCap    Delta   = math.MaxInt64
	NoReleasesCap int64   = math.MaxInt64
	NoRiskCap     Risk    = math.MaxInt64
)

func (d *decoder) analysts(n *node, auth Auth) []Analyst {
	o := d.object(n)
	if o.node == nil {
		return nil
	}
	if len(o.node.entries) == 0 {
		d.report(o.node, "nobody may connect", "name an analyst")
	}
	var analysts []Analyst
	for _, e := range o.node.entries {
		at := e.value.key()
		if err := checkRoleName(e.key); err != nil {
			d.report(at, err.Error(), "use the name of her role in the database: lower-case letters, digits and underscores")
		}
		analysts = append(analysts, d.analyst(e, auth))
	}
	return analysts
}

// checkRoleName reports whether a name can be a login role that SQL reads without quotes.
func checkRoleName(role string) error {
	switch {
	case !name.IsPlain(role) || len(role) > name.MaxBytes:
		return errors.New("this is not a plain role name")
	case name.IsReserved(role) || role == "public" || role == "none" || strings.HasPrefix(role, "pg_"):
		return errors.New("this role name is reserved by PostgreSQL")
	}
	return nil
}

func (d *decoder) analyst(e entry, auth Auth) Analyst {
	o := d.object(e.value, "password", "budget")
	a := Analyst{Name: e.key, Password: d.analystPassword(o, auth)}
	if budget := o.optional("budget"); budget != nil {
		b := d.analystBudget(budget)
		a.Budget = &b
	}
	return a
}

// analystPassword decodes a verifier, which only AuthSCRAM needs.
func (d *decoder) analystPassword(o object, auth Auth) string {
	password := o.optional("password")
	if auth == AuthSCRAM {
		password = o.required("password", verifierRemedy)
	}
	text, ok := d.text(password)
	if err := checkVerifier(text); ok && err != nil {
		d.report(password, err.Error(), verifierRemedy)
	}
	if !ok || auth != AuthSCRAM {
		return ""
	}
	return text
}

// analystBudget decodes a cap. What it does not name is bounded by the table's budget alone.
func (d *decoder) analystBudget(n *node) Budget {
	o := d.object(n, "epsilon", "delta", "releases", "risk")
	budget := Budget{NoEpsilonCap, NoDeltaCap, NoReleasesCap, NoRiskCap}
	epsilon, delta := o.epsilonAndDelta("write {epsilon: 4}, or remove the cap")
	if epsilon != nil {
		budget.Epsilon = d.epsilon(epsilon)
	}
	if delta != nil {
		budget.Delta = d.delta(delta)
	}
	if releases := o.optional("releases"); releases != nil {
		budget.Releases = d.releases(releases)
	}
	if risk := o.optional("risk"); risk != nil {
		budget.Risk = d.risk(risk, "0.01")
	}
	return budget
}

const verifierRemedy = "write the SCRAM-SHA-256 verifier that `tacit password` prints"

// minIterations is the least that RFC 7677 recommends, and PostgreSQL's default.
const minIterations = 4096

// checkVerifier reports whether a password has PostgreSQL's form SCRAM-SHA-256$ITERATIONS:SALT$STOREDKEY:SERVERKEY. Its errors do not
// repeat it, for it may be a password in clear.
func checkVerifier(s string) error {
	rest, ok := strings.CutPrefix(s, "SCRAM-SHA-256$")
	if !ok {
		return errors.New("this is not a SCRAM-SHA-256 verifier")
	}
	parameters, keys, hasKeys := strings.Cut(rest, "$")
	iterations, salt, hasSalt := strings.Cut(parameters, ":")
	storedKey, serverKey, hasServerKey := strings.Cut(keys, ":")
	if !hasKeys || !hasSalt || !hasServerKey {
		return errors.New("the SCRAM-SHA-256 verifier is cut short")
	}
	if n, err := strconv.ParseInt(iterations, 10, 32); err != nil || n < minIterations {
		return errors.New("the SCRAM-SHA-256 verifier has fewer than 4096 iterations")
	}
	if n, ok := base64Length(salt); !ok || n == 0 {
		return errors.New("the SCRAM-SHA-256 verifier has a malformed salt")
	}
	for _, key := range []string{storedKey, serverKey} {
		if n, ok := base64Length(key); !ok || n != 32 {
			return errors.New("the SCRAM-SHA-256 verifier has a malformed key")
		}
	}
	return nil
}

func base64Length(s string) (bytes int, ok bool) {
	decoded, err := base64.StdEncoding.Strict().DecodeString(s)
	return len(decoded), err == nil && !strings.ContainsAny(s, "\r\n")
}
