package curator

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

// This file says which findings stand in the way of serving. The invariant: what shows an analyst a protected row, or has code run by a role that
// may read one, does so whatever the policy accepts. Start at judge.

// A Judgement is what a check has found.
type Judgement struct {
	// Open are the findings that forbid to serve.
	Open []Finding
	// Accepted are those that the policy accepts by their names.
	Accepted []Finding
	// Unneeded are names that the policy accepts, and nothing was found that has them.
	Unneeded []string
	// Standby says why the standby that the policy prefers cannot count now; empty if it can, or none is preferred.
	Standby string
}

// judge asks as [CheckSeparation] does, and tells what the policy accepts from what it does not.
func judge(ctx context.Context, conn *pgx.Conn, p *policy.Policy) (Judgement, error) {
	var j Judgement
	findings, err := find(ctx, conn, p)
	if err != nil {
		return j, err
	}
	for _, f := range findings {
		if f.acceptedBy(p) {
			j.Accepted = append(j.Accepted, f)
		} else {
			j.Open = append(j.Open, f)
		}
	}
	for _, name := range p.Accept {
		if !slices.ContainsFunc(j.Accepted, func(f Finding) bool { return f.Name == name }) {
			j.Unneeded = append(j.Unneeded, name)
		}
	}
	return j, nil
}

// Acceptable reports whether a policy may accept the finding.
func (f Finding) Acceptable() bool {
	return f.Severity == "MED" && slices.Contains(policy.AcceptableFindings(), f.Name)
}

// acceptedBy asks a second time what the policy was checked for when it was read.
func (f Finding) acceptedBy(p *policy.Policy) bool {
	return f.Acceptable() && slices.Contains(p.Accept, f.Name)
}

// findingNames are the names of findings by their words.
var findingNames = namesOfFindings()

func namesOfFindings() map[string]string {
	names := map[string]string{
		"analyst can become a role that may do what an analyst may not": "analyst-membership",
		ImpossibleValueFinding: "impossible-value",

		"analyst can become an owner of the ledger":        "ledger-membership",
		"analyst has powers over the server of the ledger": "ledger-server",
		"analyst owns the database of the ledger":          "ledger-database",
		"schema of the ledger is open":                     "ledger-schema",
		"relation of the ledger is open":                   "ledger-relation",
		"column of the ledger is open":                     "ledger-column",
		"view of the ledger is open":                       "ledger-view",
		"view of the ledger belongs to an analyst":         "ledger-view-owner",
		"function runs as an owner of the ledger":          "ledger-function",
		"what the ledger's login makes is open to others":  "ledger-defaults",
	}
	_, checks, _ := SeparationChecks()
	for _, c := range checks {
		names[c.What] = c.Name
	}
	return names
}
