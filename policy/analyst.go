package policy

import (
	"errors"
	"math"
	"strings"

	"tacit/policy/internal/document"
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

func (d *decoder) analysts(n *document.Node, auth Auth) []Analyst {
	o := d.Object(n)
	if o.Node == nil {
		return nil
	}
	if len(o.Node.Entries) == 0 {
		d.Report(o.Node, "nobody may connect", "name an analyst")
	}
	var analysts []Analyst
	for _, e := range o.Node.Entries {
		at := e.Value.AtKey()
		if err := checkRoleName(e.Key); err != nil {
			d.Report(at, err.Error(), "use the name of her role in the database: lower-case letters, digits and underscores")
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

func (d *decoder) analyst(e document.Entry, auth Auth) Analyst {
	o := d.Object(e.Value, "password", "budget")
	a := Analyst{Name: e.Key, Password: d.analystPassword(o, auth)}
	if budget := o.Optional("budget"); budget != nil {
		b := d.analystBudget(budget)
		a.Budget = &b
	}
	return a
}

// analystPassword decodes a verifier, which only AuthSCRAM needs.
func (d *decoder) analystPassword(o document.Object, auth Auth) string {
	password := o.Optional("password")
	if auth == AuthSCRAM {
		password = o.Required("password", verifierRemedy)
	}
	text, ok := d.Text(password)
	if err := scram.CheckVerifier(text); ok && err != nil {
		d.Report(password, err.Error(), verifierRemedy)
	}
	if !ok || auth != AuthSCRAM {
		return ""
	}
	return text
}

// analystBudget decodes a cap. What it does not name is bounded by the table's budget alone.
func (d *decoder) analystBudget(n *document.Node) Budget {
	o := d.Object(n, "epsilon", "delta", "releases", "risk")
	budget := Budget{NoEpsilonCap, NoDeltaCap, NoReleasesCap, NoRiskCap}
	epsilon, delta := d.epsilonAndDelta(o, "write {epsilon: 4}, or remove the cap")
	if epsilon != nil {
		budget.Epsilon = d.epsilon(epsilon)
	}
	if delta != nil {
		budget.Delta = d.delta(delta)
	}
	if releases := o.Optional("releases"); releases != nil {
		budget.Releases = d.releases(releases)
	}
	if risk := o.Optional("risk"); risk != nil {
		budget.Risk = d.risk(risk, "0.01")
	}
	return budget
}

const verifierRemedy = "write the SCRAM-SHA-256 verifier that `tacit password` prints"
