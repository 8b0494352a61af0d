package release

import (
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
	"tacit/rewrite"
)

// No count can fail because of a row: package rewrite proves it of every expression. Should it be wrong, the failure is one bit about a
// row, which an analyst could ask for again and again with other conditions. So the first failure closes the table, for everybody, until
// the steward has looked at it and reloads the policy.

// closeTables closes the tables of a count that failed, unless for a reason that no row can give.
func (d *Door) closeTables(tables []*policy.Table, err error) {
	if !couldTell(err) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed == nil {
		d.failed = make(map[policy.TableName]bool)
	}
	for _, t := range tables {
		d.failed[t.Name] = true
	}
}

// closedTable refuses if one of the tables is closed.
func (d *Door) closedTable(tables []*policy.Table) *rewrite.Refusal {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range tables {
		if d.failed[t.Name] {
			return refuseClosedTable(t.Name)
		}
	}
	return nil
}

// couldTell reports whether an error of the server may come from the value of a row: data exceptions and their like, and limits of
// memory, of disk and of length. Privileges, names, time-outs, cancelled statements and lost connections do not.
func couldTell(err error) bool {
	var server *pgconn.PgError
	if !errors.As(err, &server) || len(server.Code) != 5 {
		return false
	}
	if slices.Contains([]string{"42501", "42P01", "42703", "3F000"}, server.Code) {
		return false
	}
	return slices.Contains([]string{"21", "22", "23", "2F", "38", "39", "42", "54", "P0", "XX"}, server.Code[:2]) || slices.Contains([]string{"53100", "53200", "53400"}, server.Code)
}
