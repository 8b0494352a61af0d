package policy

import (
	"errors"
	"math"
	"strings"

	"tacit/policy/internal/name"
	"tacit/policy/internal/scram"
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
	if err := scram.CheckVerifier(text); ok && err != nil {
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
