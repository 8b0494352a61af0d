package proxy

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/xdg-go/scram"
)

// PostgreSQL makes the same verifier of a password and a salt: of letters that SASLprep changes, and of those that it forbids or does
// not know, where both take the password as it is.
func TestVerifiersArePostgresOwn(t *testing.T) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for name, password := range map[string]string{
		"letters": "sesame", "spaces and quotes": " it's \\ open ", "an umlaut": "Tür", "a soft hyphen": "I\u00adX", "a roman numeral": "\u2168",
		"an odd space": "a\u00a0b", "a bell": "\abell", "both directions": "\u06271", "an emoji": "\U0001f642", "a private letter": "\ue000",
		"a combining letter": "u\u0308", "a tab": "a\tb",
	} {
		theirs := "SCRAM-SHA-256$4096:MDEyMzQ1Njc4OWFiY2RlZg=="
		tx, err := conn.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, err = tx.Exec(ctx, "SET LOCAL password_encryption = 'scram-sha-256'; CREATE ROLE verified PASSWORD '"+strings.ReplaceAll(password, "'", "''")+"'")
		if err == nil {
			err = tx.QueryRow(ctx, "SELECT rolpassword FROM pg_authid WHERE rolname = 'verified'").Scan(&theirs)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Rollback(ctx); err != nil {
			t.Fatal(err)
		}
		credentials, err := parseVerifier(theirs)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := makeVerifier(password, credentials.KeyFactors)
		if err != nil || ours != theirs {
			t.Errorf("%s: PostgreSQL has %s, and we %s, %v", name, theirs, ours, err)
		}
	}
}

func TestNewVerifierHasPostgresDefaults(t *testing.T) {
	first, second := verifier(t, "sesame"), verifier(t, "sesame")
	if first == second {
		t.Error("two verifiers have the same salt")
	}
	parameters := strings.Split(first, "$")[1]
	salt, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(parameters, "4096:"))
	if err != nil || len(salt) != 16 {
		t.Errorf("%s has no salt of 16 bytes and 4096 iterations: %v", first, err)
	}
	for _, password := range []string{"", "a\x00b"} {
		if v, err := makeVerifier(password, scram.KeyFactors{Salt: "salt", Iters: 4096}); err == nil {
			t.Errorf("password %q has the verifier %s", password, v)
		}
	}
}
