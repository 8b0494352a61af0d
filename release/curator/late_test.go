package curator_test

import (
	"context"
	"testing"

	"tacit/release/curator"
	"tacit/release/internal/site"
)

// The server tells of privileges by memberships as they are now, in a transaction that does not see them yet.
func TestPrivilegesOfAMembershipThatTheTransactionDoesNotSee(t *testing.T) {
	p := parsePolicy(t, clinicPolicy)
	database := hardenedClinic(t, p)
	ctx := context.Background()
	super, conn := site.Connect(t, "postgres", database), site.Connect(t, "sep_curator", database)
	if err := curator.Execute(ctx, super, `CREATE ROLE sep_late; GRANT SELECT ON clinic.patients TO sep_late; ALTER ROLE sep_bob NOINHERIT`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := curator.Execute(ctx, super, `REVOKE ALL ON clinic.patients FROM sep_late; DROP ROLE sep_late; ALTER ROLE sep_bob INHERIT`); err != nil {
			t.Error(err)
		}
	})
	if err := curator.Execute(ctx, conn, `BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_catalog.pg_auth_members`); err != nil {
		t.Fatal(err)
	}
	if err := curator.Execute(ctx, super, `GRANT sep_late TO sep_bob`); err != nil {
		t.Fatal(err)
	}
	found, err := curator.CheckSeparation(ctx, conn, p)
	if err != nil {
		t.Fatal(err)
	}
	f := named(found, "analyst has a privilege on what holds or shows protected rows", "SELECT on clinic.patients: by membership in sep_late")
	if f == nil || len(f.Objects) != 1 || f.Objects[0].Name != "patients" {
		t.Errorf("found %v", found)
	}
	if err := curator.Execute(ctx, conn, "COMMIT"); err != nil {
		t.Fatal(err)
	}
}
