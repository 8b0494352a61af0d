package curator_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/release/internal/site"
)

const mayBeNull = "column may hold NULL, and the policy says that it does not"

// That a column is never NULL must be promised by the catalog: of the table and of its children. A promise that is taken back is found.
func TestNeverNull(t *testing.T) {
	text := strings.Replace(clinicPolicy, "sex: {values: [F, M]}", "sex: {values: [F, M], nullable: false}", 1)
	p := parsePolicy(t, rolesNamed("never_").Replace(text))
	super := site.Connect(t, "postgres", hardenedClinic(t, p))
	inTransaction(t, super, "DELETE FROM clinic.patients WHERE sex IS NULL", func(tx pgx.Tx) {
		testHole(t, tx, p, mayBeNull, "clinic.patients.sex in clinic.patients", false)
	})
	inTransaction(t, super, "DELETE FROM clinic.patients WHERE sex IS NULL; ALTER TABLE clinic.patients ALTER COLUMN sex SET NOT NULL", func(tx pgx.Tx) {
		if found := checkAs(t, tx, p, ""); len(found) > 0 {
			t.Errorf("found %v", found)
		}
	})
	// What a child does not inherit, or what was promised for new rows only. Before PostgreSQL 18 a child could drop what it had inherited.
	breaks := map[string]string{
		"clinic.child": "ALTER TABLE clinic.patients ALTER COLUMN sex SET NOT NULL; CREATE TABLE clinic.child () INHERITS (clinic.patients); ALTER TABLE clinic.child ALTER COLUMN sex DROP NOT NULL",
	}
	if site.Cluster.Version(t) >= 180000 {
		breaks = map[string]string{
			"clinic.child":    "ALTER TABLE clinic.patients ADD CONSTRAINT known NOT NULL sex NO INHERIT; CREATE TABLE clinic.child () INHERITS (clinic.patients)",
			"clinic.patients": "ALTER TABLE clinic.patients ADD CONSTRAINT known NOT NULL sex NOT VALID",
		}
	}
	for table, sql := range breaks {
		inTransaction(t, super, "DELETE FROM clinic.patients WHERE sex IS NULL; "+sql, func(tx pgx.Tx) {
			testHole(t, tx, p, mayBeNull, "clinic.patients.sex in "+table, false)
		})
	}
}
